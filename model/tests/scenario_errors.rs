// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenario files that cannot be, each with its place and what would be legal.

use std::path::Path;

use pool_model::scenario::{Scenario, Target};
use pool_model::soc::SocAddr;

/// Each error names the place and what would be legal.
#[test]
fn errors_name_line_and_column() {
    let rows = [
        (
            "generation = \"v9\"",
            "x.toml:1:14: unknown generation `v9`",
        ),
        ("nam = \"x\"", "x.toml:1:1: unknown key `nam`"),
        (
            "[topology]\ncores = [0, 8]",
            "x.toml:2:9: core 8 does not exist",
        ),
        (
            "[topology]\ncores = [1, 1]",
            "x.toml:2:9: core1 is listed twice",
        ),
        (
            "[topology]\ncores = []",
            "x.toml:2:9: expected at least one core",
        ),
        ("[core.9]", "x.toml:1:7: core 9 does not exist"),
        ("[core.x]", "x.toml:1:7: `core.x`: expected a core number"),
        ("[core.4]", "x.toml:1:7: core4 is not in topology.cores"),
        (
            "[choices]\nd99 = \"x\"",
            "x.toml:2:1: no choice has the key `d99`",
        ),
        (
            "[choices]\nd2 = \"maybe\"",
            "x.toml:2:1: choice `d2` cannot be `maybe`; expected fault or read_first",
        ),
        (
            "requires = [\"wings\"]",
            "x.toml:1:13: unknown requirement `wings`",
        ),
        (
            "[core.0]\nprogram = \"nonsense\"",
            "x.toml:2:11: program, 1:1:",
        ),
        (
            "[core.0]\nprogram_hex = \"bf\"",
            "x.toml:2:15: program, 1:3: expected 128 hex digits, found 2",
        ),
        (
            "[core.0]\nprogram_file = \"a.txt\"",
            "x.toml:2:16: expected a file name ending in",
        ),
        (
            "[core.0]\nprogram_file = \"missing.bin\"",
            "x.toml:2:16: cannot read",
        ),
        (
            "[core.0]\nregisters = { 64 = 1 }",
            "x.toml:2:15: `64` is no register; expected 0 to 63",
        ),
        (
            "[core.0]\nsemaphores = { 256 = 1 }",
            "x.toml:2:16: `256` is no semaphore; expected 0 to 255",
        ),
        (
            "[core.0]\nsemaphores = { 1 = -1 }",
            "x.toml:2:20: -1 does not fit 32 bits",
        ),
        (
            "[core.0]\ncontext = { leg_ring_number = 1 }",
            "x.toml:2:13: no leg context register is called `leg_ring_number`",
        ),
        (
            "[core.0]\nprogram = \"sb2sb dtype=UINT8 ch=129 src=0x0[4] dst=0x0[4]\"",
            "x.toml:2:11: program, word 0 (line 1:1): predicate 6 `check_active_ports` fails on v3",
        ),
        ("[core.0]\n[core.00]", "x.toml:2:7: core0 is given twice"),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1, 2]\nbytes = 1\npattern = \"zero\"",
            "x.toml:3:14: expected [first, count], found 3 number(s)",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [120, 9]\nbytes = 1\npattern = \"zero\"",
            "x.toml:3:14: [120, 9] is [first, count]; partitions 0 to 127 exist",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1]\noffset = 229375\nbytes = 2\npattern = \"zero\"",
            "x.toml:5:9: offset 229375 and 2 byte(s) leave the partition; 229376 bytes are active",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1]\npattern = \"ramp\"",
            "x.toml:4:11: this pattern needs `bytes`",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1]\npattern = \"stripes\"",
            "x.toml:4:11: unknown pattern `stripes`; expected zero, ramp, random, hex or file",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1]\npattern = \"hex\"\ndata = \"0g\"",
            "x.toml:5:8: expected hex digits, found `g`",
        ),
        (
            "[expect]\noutcome = \"maybe\"",
            "x.toml:2:11: unknown outcome `maybe`; expected done, fault, hang",
        ),
        (
            "[expect]\nfault = { core = 0, class = \"Oops\" }",
            "x.toml:2:29: unknown fault class `Oops`",
        ),
        (
            "[expect]\ntransactions = { dance = 1 }",
            "x.toml:2:18: unknown transaction kind `dance`",
        ),
        (
            "[expect]\nmemory = [{ core = 0, partition = 0, offset = 229376, hex = \"00\" }]",
            "x.toml:2:47: 229376 is no offset in a partition; expected a number from 0 to 229375",
        ),
        (
            "[[register]]\naddress = \"0xzz\"\nvalue = 1",
            "x.toml:2:11: `0xzz` is no address",
        ),
        // Text that is printed as it stands.
        (
            "name = \"\"",
            "x.toml:1:8: expected a name, found an empty one",
        ),
        (
            "name = \" \"",
            "x.toml:1:8: expected a name, found an empty one",
        ),
        (
            "name = \"a\\u001b[31m\"",
            "x.toml:1:8: expected text without control characters, found U+001B",
        ),
        (
            "about = \"a\\u202eb\"",
            "x.toml:1:9: expected text without control characters, found U+202E",
        ),
        (
            "about = \"a\\nb\"",
            "x.toml:1:9: expected text without control characters, found U+000A",
        ),
        // Types by the words of the file.
        (
            "[[fill]]\ncore = \"0\"",
            "x.toml:2:8: found the text \"0\"; expected a whole number",
        ),
        (
            "[[fill]]\ncore = 300",
            "x.toml:1:1: missing key `partitions`",
        ),
        (
            "[expect]\nsemaphores = [{ core = 300, index = 0, value = 0 }]",
            "x.toml:2:24: core 300 does not exist; a chip has cores 0 to 7",
        ),
        (
            "[expect]\nsemaphores = [{ core = 0, index = 256, value = 0 }]",
            "x.toml:2:35: 256 is no semaphore; expected a number from 0 to 255",
        ),
        (
            "[expect]\nsemaphores = [{ core = 0, index = 1, value = 0x100000000 }]",
            "x.toml:2:46: 4294967296 does not fit 32 bits",
        ),
        (
            "[expect]\nsemaphores = [{ core = 0, index = 1, value = 1.5 }]",
            "x.toml:2:46: found the number `1.5`; expected a whole number",
        ),
        (
            "[expect]\nevents = [{ core = 0, index = 1, value = 1 }]",
            "x.toml:2:42: found the number `1`; expected true or false",
        ),
        (
            "[core.0]\nevents = { 3 = 1 }",
            "x.toml:2:16: found the number `1`; expected true or false",
        ),
        (
            "[expect]\ntransactions = { fetch = -1 }",
            "x.toml:2:26: -1 is no number of transactions; expected a number from 0",
        ),
        (
            "name = 3",
            "x.toml:1:8: found the number `3`; expected text in quotes",
        ),
        (
            "topology = 3",
            "x.toml:1:12: found the number `3`; expected a table",
        ),
        ("core = []", "x.toml:1:8: found a list; expected a table"),
        (
            "host_check = \"no\"",
            "x.toml:1:14: found the text \"no\"; expected true or false",
        ),
        (
            "[choices]\nisa.mc10 = \"last_read\"",
            "x.toml:2:1: a key with a dot is written in quotes: \"isa.mc10\" = \"…\"",
        ),
        (
            "[choices]\nd2 = 3",
            "x.toml:2:6: expected text in quotes, such as d2 = \"…\"",
        ),
        // The same thing twice.
        (
            "[core.0]\nregisters = { 5 = 1, 05 = 2 }",
            "x.toml:2:15: register 5 is given twice",
        ),
        (
            "[core.0]\nsemaphores = { 5 = 1, 005 = 2 }",
            "x.toml:2:16: semaphore 5 is given twice",
        ),
        (
            "[core.0]\nevents = { 5 = true, \"+5\" = false }",
            "x.toml:2:22: `+5` is no event; expected 0 to 255",
        ),
        (
            "[expect]\nevents = [{ core = 0, index = 1, value = true }, { core = 0, index = 1, value = false }]",
            "x.toml:2:70: event 1 of core0 is given twice",
        ),
        // Things that do nothing.
        (
            "[[fill]]\ncore = 0\npartitions = [0, 0]\nbytes = 1\npattern = \"zero\"",
            "x.toml:3:14: [0, 0] is [first, count]; expected a count of at least 1",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [-1, 1]\nbytes = 1\npattern = \"zero\"",
            "x.toml:3:14: [-1, 1] is [first, count]; partitions 0 to 127 exist",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1]\nbytes = 0\npattern = \"zero\"",
            "x.toml:4:9: 0 bytes; expected at least 1",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1]\nbytes = 1\npattern = \"zero\"\nseed = 1",
            "x.toml:6:8: pattern `zero` does not use `seed`",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1]\nbytes = 1\npattern = \"random\"\ndata = \"00\"",
            "x.toml:6:8: pattern `random` does not use `data`",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1]\npattern = \"hex\"\ndata = \"00\"\npath = \"a\"",
            "x.toml:6:8: pattern `hex` does not use `path`",
        ),
        (
            "[[fill]]\ncore = 0\npartitions = [0, 1]\npattern = \"hex\"\ndata = \"\"",
            "x.toml:5:8: expected at least one byte",
        ),
        (
            "[expect]\nmemory = [{ core = 0, partition = 0, offset = 0, hex = \"\" }]",
            "x.toml:2:56: expected at least one byte",
        ),
        (
            "[expect]\nmemory = [{ core = 0, partition = 0, offset = 229375, hex = \"0000\" }]",
            "x.toml:2:61: bytes 229375 to 229376 are not active State Buffer",
        ),
        (
            "[expect]\nlog_contains = [\"\"]",
            "x.toml:2:17: expected some text",
        ),
        // Ports.
        (
            "[[register]]\nthrough = \"core0\"\naddress = 1\nvalue = 1",
            "x.toml:2:11: `core0` is no port; expected coreN.nx or coreN.q7.K",
        ),
        (
            "[[register]]\nthrough = \"core8.nx\"\naddress = 1\nvalue = 1",
            "x.toml:2:11: `core8.nx` is no port",
        ),
        (
            "[[register]]\nthrough = \"core0.q7.8\"\naddress = 1\nvalue = 1",
            "x.toml:2:11: `core0.q7.8` is no port",
        ),
        (
            "[[register]]\nthrough = \"core0.q7.7\"\naddress = 0x100000000\nvalue = 1",
            "x.toml:3:11: 0x0000000100000000 is no address of core0.q7.7; expected 0 to 0xffffffff",
        ),
        // Addresses by path.
        (
            "[[register]]\naddress = \"TPB_0.EVT_SEN.SEMAPHORE_INC[3]\"\nvalue = 1",
            "x.toml:2:11: `TPB_0` has no `EVT_SEN`; did you mean EVT_SEM?",
        ),
        (
            "[[register]]\naddress = \"TPB_0.EVT_SEM.SEMAPHORE_INC[256]\"\nvalue = 1",
            "x.toml:2:11: `TPB_0.EVT_SEM.SEMAPHORE_INC[256]` does not exist",
        ),
        (
            "[[register]]\naddress = -1\nvalue = 1",
            "x.toml:2:11: -1 is no address",
        ),
        (
            "# ä\n[expect]\nevents = 3",
            "x.toml:3:10: found the number `3`; expected a list in brackets",
        ),
        ("[expect", "x.toml:1:8: "),
    ];
    let mut wrong = Vec::new();
    for (text, message) in rows {
        let error = Scenario::parse(text, "x.toml", Path::new("."))
            .map(|_| ())
            .expect_err(text)
            .to_string();
        if !error.starts_with(message) {
            wrong.push(format!("{text}\n  found: {error}\n  expected: {message}…"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `TPB_0.EVT_SEM` lies at 0x2802700000; INC is its window at 0x1800. [soc-address §2.5, evt-sem §1.1]
#[test]
fn registers_can_be_named_by_their_path() {
    let text = "[[register]]\naddress = \"TPB_0.EVT_SEM.SEMAPHORE_INC[3]\"\nvalue = 1\n\
                [[register]]\naddress = \"tpb_0.evt_sem+0x180c\"\nvalue = 0xffffffff\n";
    let scenario = Scenario::parse(text, "x.toml", Path::new(".")).expect("a legal file");
    let found: Vec<_> = scenario
        .presets
        .iter()
        .map(|preset| (preset.target, preset.value, preset.place.as_str()))
        .collect();
    let address = Target::Soc(SocAddr(0x28_0270_180C));
    assert_eq!(
        found,
        [
            (address, 1, "x.toml:2:11"),
            (address, u32::MAX, "x.toml:5:11")
        ]
    );
}

/// The file's name is nobody's promise: it is shown without what a terminal would obey.
#[test]
fn a_default_name_is_printable() {
    let scenario = Scenario::parse("", "a\u{1b}[2Jb.toml", Path::new(".")).expect("a legal file");
    assert_eq!(scenario.name, "a\\u001b[2Jb");
}
