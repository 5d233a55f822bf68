// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb addr` and `sb2sb map` as scripts use them. Expectations are those of the specification's address tables.

use sb2sb_cli::{Console, Style};

/// Exit code, standard output and standard error of a command line.
fn run(args: &[&str], input: &[u8]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = {
        let mut console = Console::new(input, &mut out, &mut err, Style::Plain);
        let args = std::iter::once("sb2sb").chain(args.iter().copied());
        sb2sb_cli::main(args.map(Into::into), &mut console)
    };
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (exit.code(), text(out), text(err))
}

/// The keys of the contract, in their order.
const KEYS: [&str; 17] = [
    "address",
    "view",
    "local",
    "die",
    "cayman_id",
    "cayman_id_valid",
    "reserved",
    "relaxed_ordering",
    "ok_to_fail",
    "neighbor",
    "verdict",
    "verdicts",
    "route",
    "route_args",
    "region",
    "index",
    "offset",
];

#[test]
fn all_keys_are_there_in_order_whatever_the_address() {
    let addresses = [
        "0x0000002802701830",
        "0x0058802802701830",
        "0x0000001240000000",
        "0xffffffffffffffff",
    ];
    for address in addresses {
        let (_, line, _) = run(&["addr", "--format", "json", address], b"");
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&line).expect("an object");
        assert_eq!(object.len(), KEYS.len());
        let places: Vec<usize> = KEYS
            .iter()
            .map(|key| line.find(&format!("\"{key}\":")).expect(key))
            .collect();
        assert!(places.is_sorted(), "{line}");
    }
}

/// [soc-address §6], [soc-address §1.7]
#[test]
fn routes_and_their_arguments() {
    let cases = [
        (
            "0x0000002802701830",
            r#""route":"SameDie","route_args":{"die":0}"#,
        ),
        (
            "0x0000802802701830",
            r#""route":"OtherDie","route_args":{"die":1}"#,
        ),
        (
            "0x0052002802701850",
            r#""route":"OtherChip","route_args":{"id":18,"die":0}"#,
        ),
        (
            "0x0020008280001000",
            r#""route":"PebAlias","route_args":{"die":0}"#,
        ),
        (
            "0x0018008006c84000",
            r#""route":"AttachedChip","route_args":{"exit_seng":2,"die":0}"#,
        ),
        (
            "0x0020400000000000",
            r#""route":"PcieM0","route_args":{"die":0}"#,
        ),
        (
            "0x0080000000000000",
            r#""route":"Illegal","route_args":{"reason":"ReservedBit"}"#,
        ),
    ];
    for (address, expected) in cases {
        let (exit, line, _) = run(&["addr", "--format", "json", address], b"");
        assert!(line.contains(expected), "{line}");
        assert_eq!(exit, u8::from(expected.contains("Illegal")), "{address}");
    }
}

#[test]
fn region_index_and_offset() {
    let cases = [
        (
            "0x0000002802701830",
            r#""region":"TPB_0.EVT_SEM.SEMAPHORE_INC","index":12,"offset":"0x30"}"#,
        ),
        (
            "0x0000804012345678",
            r#""region":"HBM_3","index":null,"offset":"0x12345678"}"#,
        ),
        (
            "0x0000001240000000",
            r#""region":"RESERVED","index":null,"offset":null}"#,
        ),
        (
            "0x0400000000000000",
            r#""region":null,"index":null,"offset":null}"#,
        ),
    ];
    for (address, expected) in cases {
        let (_, line, _) = run(&["addr", "--format", "json", address], b"");
        assert!(line.trim_end().ends_with(expected), "{line}");
    }
}

#[test]
fn standard_input_has_an_address_a_line() {
    let input = b"# comment\n\n0x2802701830 # first\r\n\t0000804012345678\n";
    let (exit, out, err) = run(&["addr", "--format", "json", "-"], input);
    assert_eq!((exit, err.as_str()), (0, ""));
    let starts: Vec<&str> = out.lines().map(|line| &line[..31]).collect();
    assert_eq!(
        starts,
        [
            r#"{"address":"0x0000002802701830""#,
            r#"{"address":"0x0000804012345678""#
        ]
    );
}

#[test]
fn bad_lines_are_reported_with_their_place_and_the_rest_is_answered() {
    let input = b"0x0\n  x # no number\n0x10000000000000000\n\xff\n0x0400000000000000\n";
    let (exit, out, err) = run(&["addr", "--format", "json", "-"], input);
    assert_eq!(exit, 2);
    assert_eq!(out.lines().count(), 2);
    let places: Vec<&str> = err.lines().map(|line| &line[..18]).collect();
    assert_eq!(
        places,
        [
            "error: <stdin>:2:3",
            "error: <stdin>:3:1",
            "error: <stdin>:4:1"
        ]
    );
}

#[test]
fn empty_input_has_an_empty_answer() {
    assert_eq!(run(&["addr", "-"], b""), (0, String::new(), String::new()));
}

#[test]
fn a_line_that_never_ends_is_refused() {
    let (exit, out, err) = run(&["addr", "-"], &vec![b'0'; 1 << 20]);
    assert_eq!((exit, out.as_str()), (2, ""));
    assert!(err.starts_with("error: <stdin>:1:"), "{err}");
}

/// A made address decodes to the path that it was made from. [soc-address §2]
#[test]
fn paths_and_addresses_are_inverse() {
    for (path, address) in [
        ("TPB_0.EVT_SEM.SEMAPHORE_INC[12]", "0x0000002802701830"),
        ("TPB_5.STATE_BUF[5]+0x1234", "0x0000803000141234"),
        ("TOP_SP_10.EVT_SEM.SEMAPHORE_INC[6]", "0x0000808280001818"),
    ] {
        let (exit, out, _) = run(&["addr", "--make", path], b"");
        assert_eq!((exit, out.trim_end()), (0, address));
        let (_, text, _) = run(&["addr", address], b"");
        assert!(text.contains(&format!("  region   {path}\n")), "{text}");
    }
}

/// Every base of the JSON map decodes to the region, or to a part of it that begins there.
#[test]
fn bases_of_the_map_decode_to_their_regions() {
    for generation in ["v2", "v3", "v4+", "v5"] {
        let (exit, map, _) = run(&["map", "-g", generation, "--format", "json"], b"");
        assert_eq!(exit, 0);
        let regions: Vec<serde_json::Value> = map
            .lines()
            .map(|line| serde_json::from_str(line).expect("an object"))
            .collect();
        let field = |value: &serde_json::Value, key: &str| {
            value[key].as_str().expect("a string").to_owned()
        };
        let input: String = regions
            .iter()
            .map(|region| field(region, "base") + "\n")
            .collect();
        let args = ["addr", "-g", generation, "--format", "json", "-"];
        let (exit, answers, _) = run(&args, input.as_bytes());
        assert_eq!(exit, 0);
        assert_eq!(answers.lines().count(), regions.len());
        for (answer, region) in answers.lines().zip(&regions) {
            let answer: serde_json::Value = serde_json::from_str(answer).expect("an object");
            let found = field(&answer, "region");
            let path = field(region, "path");
            let gap = found == "RESERVED";
            assert!(gap || found.starts_with(&path), "{path}: {found}");
        }
    }
}

/// The picture is one well-nested document without references to anything outside.
#[test]
fn the_picture_stands_alone() {
    let (exit, svg, _) = run(&["map", "--format", "svg"], b"");
    assert_eq!(exit, 0);
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1).filter(|tag| !tag.starts_with('!')) {
        let (inside, _) = tag.split_once('>').expect("a closed tag");
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !inside.ends_with('/') {
            open.push(inside.split(' ').next().expect("a name"));
        }
    }
    assert!(open.is_empty());
    assert!(!svg.contains("href") && !svg.contains("url("));
    assert!(svg.contains("SEMAPHORE_INC"));
}
