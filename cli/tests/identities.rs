// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `decode | encode` and `disasm | asm` give every word back; a stream is the same in every format.

use proptest::prelude::*;
use sb2sb_cli::{Console, Exit, Style};

/// Runs a command on `input`; standard output, standard error, exit code.
fn sb2sb(arguments: &[&str], input: &[u8]) -> (Vec<u8>, String, Exit) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("sb2sb").chain(arguments.iter().copied());
    let exit = {
        let mut console = Console::new(input, &mut out, &mut err, Style::Plain);
        sb2sb_cli::main(args.map(Into::into), &mut console)
    };
    (out, String::from_utf8_lossy(&err).into_owned(), exit)
}

/// Runs a command that must succeed without a word on standard error.
fn quietly(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let (out, err, exit) = sb2sb(arguments, input);
    assert_eq!((err.as_str(), exit), ("", Exit::Success), "{arguments:?}");
    out
}

fn hex(words: &[Vec<u8>]) -> Vec<u8> {
    let line = |word: &Vec<u8>| -> String {
        word.iter()
            .map(|b| format!("{b:02x}"))
            .chain(["\n".to_owned()])
            .collect()
    };
    words.iter().map(line).collect::<String>().into_bytes()
}

/// Words of any bytes, half of them with the opcode and small numbers that names exist for.
fn words() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let any = prop::collection::vec(any::<u8>(), 64);
    let named = prop::collection::vec(0_u8..32, 64).prop_map(|mut word| {
        word[0] = 0xBF;
        word
    });
    prop::collection::vec(prop_oneof![any, named], 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn encode_undoes_decode(words in words()) {
        let input = hex(&words);
        let json = quietly(&["decode", "--format", "json"], &input);
        prop_assert_eq!(quietly(&["encode"], &json), input);
    }

    #[test]
    fn asm_undoes_disasm(words in words()) {
        let input = hex(&words);
        let text = quietly(&["disasm"], &input);
        prop_assert_eq!(quietly(&["asm"], &text), input);
    }

    #[test]
    fn every_format_says_the_same(words in words()) {
        let expected = sb2sb(&["validate", "--format", "json"], &hex(&words));
        let bin = words.concat();
        let json = ["validate", "--format", "json", "--input"];
        prop_assert_eq!(&sb2sb(&[&json[..], &["bin"]].concat(), &bin), &expected);
        let asm = quietly(&["disasm"], &hex(&words));
        prop_assert_eq!(&sb2sb(&[&json[..], &["asm"]].concat(), &asm), &expected);
    }
}

#[test]
fn decoded_keys_are_those_of_the_contract_in_its_order() {
    let keys = [
        "index",
        "layout",
        "header.opcode",
        "header.inst_word_len",
        "header.debug_cmd",
        "header.debug_hint",
        "events.wait_mode",
        "events.wait_idx",
        "events.update_mode",
        "events.update_idx",
        "events.semaphore_value",
        "in_dtype",
        "out_dtype",
        "reserved0",
        "src.start_addr",
        "src.step_elem",
        "src.num_elem",
        "lnc_size_fmt",
        "num_active_channels",
        "reserved1",
        "dst.start_addr",
        "dst.step_elem",
        "dst.num_elem",
        "text",
    ];
    let word: Vec<u8> = (0..64).collect();
    let line = quietly(&["decode", "--format", "json"], &hex(&[word]));
    let object: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&line).expect("one JSON object");
    assert_eq!(object.keys().collect::<Vec<_>>(), keys);
    // Bytes 8..11, 34..47 and 52..57 of a word whose byte k is k. [isa-word §1]
    assert_eq!(object["events.semaphore_value"], 0x0B0A_0908_u32);
    assert_eq!(
        object["reserved1"],
        serde_json::json!((34..48).collect::<Vec<_>>())
    );
    assert_eq!(
        object["dst.step_elem"],
        serde_json::json!([0x3534, 0x3736, 0x3938])
    );
}

/// Every array of the object, one entry too short, one too long, and empty. [isa-word §1]
#[test]
fn encode_refuses_arrays_of_the_wrong_length() {
    let good = quietly(&["decode", "--format", "json"], &hex(&[vec![0; 64]]));
    let good: serde_json::Value = serde_json::from_slice(&good).expect("one object");
    let arrays = [
        ("reserved0", 2),
        ("src.step_elem", 3),
        ("src.num_elem", 3),
        ("reserved1", 14),
        ("dst.step_elem", 3),
        ("dst.num_elem", 3),
    ];
    let found = good.as_object().expect("an object").values();
    assert_eq!(found.filter(|value| value.is_array()).count(), arrays.len());
    for (path, count) in arrays {
        for length in [0, count - 1, count + 1, 1000] {
            let mut bad = good.clone();
            bad[path] = serde_json::json!(vec![0; length]);
            let (out, err, exit) = sb2sb(&["encode"], bad.to_string().as_bytes());
            assert_eq!(out, b"", "{path}");
            let expected = format!("{path} has {length} entries; expected {count}\n");
            assert!(err.ends_with(&expected), "{err}");
            assert_eq!(exit, Exit::Usage, "{path}");
        }
    }
}
