// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Word streams: hex, binary and assembly readers, and where they say that something is wrong.

mod isa_support;

use isa_support::{W1, W2, any_word, bytes_of, cases};
use pool_model::isa::input::{Format, Position, Reader, format_hex, parse_hex_line};
use pool_model::isa::{Word, WordBytes, disassemble};
use proptest::prelude::*;

fn read(format: Format, data: &[u8]) -> (Vec<WordBytes>, Vec<String>) {
    let mut words = Vec::new();
    let mut errors = Vec::new();
    for item in Reader::new(format, data) {
        match item {
            Ok(word) => words.push(word.bytes),
            Err(error) => errors.push(error.to_string()),
        }
    }
    (words, errors)
}

fn zeros() -> String {
    "00".repeat(64)
}

#[test]
fn hex_line_forms() {
    let word = bytes_of(W1);
    let plain = format_hex(&word);
    assert_eq!(plain.len(), 128);
    assert!(plain.starts_with("bf10000000001305"));
    let drawn = W1.replace('\n', " ");
    let underscored = plain.replace("0000", "00_00");
    for line in [
        plain.clone(),
        plain.to_uppercase(),
        drawn,
        underscored,
        format!("\t{plain}  # W1\r"),
    ] {
        assert_eq!(parse_hex_line(&line), Ok(Some(word)), "{line}");
    }
    for line in ["", "   ", "# only a comment", "\r", "_"] {
        assert_eq!(parse_hex_line(line), Ok(None), "{line:?}");
    }
}

#[test]
fn hex_errors_have_places_and_reading_goes_on() {
    let text = format!(
        "{z}\n# comment\n\nzz\n{z}00 # long\n  {short}\n0x{z}\né\n{z}",
        z = zeros(),
        short = &zeros()[..126]
    );
    let (words, errors) = read(Format::Hex, text.as_bytes());
    assert_eq!(words.len(), 2);
    assert_eq!(
        errors,
        [
            "4:1: expected a hex digit, found `z`",
            "5:129: expected 128 hex digits, found 130",
            "6:129: expected 128 hex digits, found 126",
            "7:2: expected a hex digit, found `x`",
            "8:1: expected a hex digit, found `é`",
        ]
    );
}

#[test]
fn columns_count_characters() {
    let (_, errors) = read(Format::Asm, "sb2sb dtype=é".as_bytes());
    assert_eq!(
        errors,
        [
            "1:13: expected a name such as uint8, bfloat16, fp32, or a number from 0 to 255, found `é`"
        ]
    );
    let (_, errors) = read(Format::Hex, b"00 # \xC3\xA9\xC3\xA9 \xFF\n");
    assert_eq!(errors, ["1:9: expected UTF-8 text"]);
}

#[test]
fn positions_of_words() {
    let text = format!("# first\n{z}\n\n{z}", z = zeros());
    let places: Vec<Position> = Reader::new(Format::Hex, text.as_bytes())
        .map(|word| word.expect("good").position)
        .collect();
    let line = |line| Position::Text { line, column: 1 };
    assert_eq!(places, [line(2), line(4)]);
    let places: Vec<Position> = Reader::new(Format::Bin, &[0; 128])
        .map(|word| word.expect("good").position)
        .collect();
    assert_eq!(places, [Position::Byte(0), Position::Byte(64)]);
}

#[test]
fn short_last_record() {
    let mut data = bytes_of(W1).to_vec();
    data.extend(bytes_of(W2));
    assert_eq!(
        read(Format::Bin, &data),
        (vec![bytes_of(W1), bytes_of(W2)], vec![])
    );
    data.pop();
    assert_eq!(
        read(Format::Bin, &data),
        (
            vec![bytes_of(W1)],
            vec!["byte 64: expected a record of 64 bytes, found 63".to_owned()]
        )
    );
    assert_eq!(read(Format::Bin, &[]), (vec![], vec![]));
}

#[test]
fn assembly_stream() {
    let text = "# two words\r\nsb2sb dtype=int8 src=0 dst=4\r\nbad\r\nsb2sb dtype=int8 src=1 dst=4";
    let (words, errors) = read(Format::Asm, text.as_bytes());
    assert_eq!(words.len(), 2);
    assert_eq!(words[1][16], 1);
    assert_eq!(
        errors,
        ["3:1: unknown mnemonic `bad`; expected sb2sb, or s3d3 for other opcodes"]
    );
}

#[test]
fn formats_by_name_and_ending() {
    assert_eq!(Format::from_extension("bin"), Some(Format::Bin));
    assert_eq!(Format::from_extension("hex"), Some(Format::Hex));
    assert_eq!(Format::from_extension("s"), Some(Format::Asm));
    assert_eq!(Format::from_extension("asm"), None);
    assert_eq!(Format::ALL.map(Format::name), ["hex", "bin", "asm"]);
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn every_format_gives_the_words_back(words in prop::collection::vec(any_word(), 0..8)) {
        let lines = |line: fn(&WordBytes) -> String| {
            words.iter().map(|w| line(w) + "\n").collect::<String>().into_bytes()
        };
        let hex = lines(format_hex);
        let asm = lines(|w| disassemble(&Word::decode(w)));
        for (format, data) in [
            (Format::Hex, hex),
            (Format::Asm, asm),
            (Format::Bin, words.concat()),
        ] {
            prop_assert_eq!(read(format, &data), (words.clone(), vec![]));
        }
    }

    #[test]
    fn garbage_ends_and_never_panics(data in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in Format::ALL {
            let items = Reader::new(format, &data).count();
            prop_assert!(items <= data.len());
        }
    }
}
