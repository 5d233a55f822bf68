// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every scenario of the library on the model, and the errors of scenario files.

use std::fs;
use std::path::{Path, PathBuf};

use pool_model::scenario::{DEFAULT_BUDGET, Outcome, Scenario, run};
use pool_model::system::System;
use pool_model::transaction::NullSink;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/scenarios")
}

fn library() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the scenario library is part of the repository")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_scenario_of_the_library_comes_out_as_it_expects() {
    let files = library();
    assert!(files.len() >= 10, "{} scenarios", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("a readable scenario");
        let name = path.display().to_string();
        let scenario = Scenario::parse(&text, &name, &folder()).unwrap_or_else(|e| panic!("{e}"));
        assert!(!scenario.about.is_empty(), "{name} says what it is about");
        let mut device = System::new(scenario.topology.clone()).expect("a legal topology");
        let report = run(&scenario, &mut device, DEFAULT_BUDGET, &mut NullSink)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(report.passed(), "{name}: {:#?}", report.failures);
        assert!(!report.out_of_budget, "{name}");
    }
}

/// An expectation that is wrong in every entry is reported in every entry.
#[test]
fn every_expectation_is_checked() {
    let text = r#"
        [core.0]
        program = "sb2sb dtype=UINT8 ch=1 src=0x0[4] dst=0x0[4]"
        [expect]
        outcome = "hang"
        fault = { core = 0, class = "Overlap" }
        semaphores = [{ core = 0, index = 252, value = 5 }]
        events = [{ core = 0, index = 3, value = true }]
        memory = [{ core = 1, partition = 0, offset = 0, hex = "00000100" }]
        log_contains = ["no such line"]
        transactions = { dispatch = 2 }
    "#;
    let scenario = Scenario::parse(text, "wrong.toml", Path::new(".")).expect("a legal file");
    assert_eq!(scenario.name, "wrong");
    let mut device = System::new(scenario.topology.clone()).expect("a legal topology");
    let report = run(&scenario, &mut device, DEFAULT_BUDGET, &mut NullSink).expect("it runs");
    let lines: Vec<String> = report.failures.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "outcome: expected hang, found done",
            "fault of core0: expected Overlap, found no fault",
            "semaphore 252 of core0: expected 5, found 4",
            "event 3 of core0: expected true, found false",
            "byte 0x2 of partition 0 of core1: expected 0x01, found 0x00",
            "firmware log: expected a line with `no such line`, found 2 line(s) without it",
            "transactions of kind `dispatch`: expected 2, found 1",
        ]
    );
    assert_eq!(report.outcome, Outcome::Done);
}

#[test]
fn a_budget_that_runs_out_is_a_hang() {
    let text = "[core.0]\nprogram = \"sb2sb dtype=UINT8 ch=128 src=0x0[4] dst=0x0[4]\"\n";
    let scenario = Scenario::parse(text, "slow.toml", Path::new(".")).expect("a legal file");
    let mut device = System::new(scenario.topology.clone()).expect("a legal topology");
    let report = run(&scenario, &mut device, 100, &mut NullSink).expect("it runs");
    assert_eq!(
        (report.outcome, report.out_of_budget, report.end.0),
        (Outcome::Hang, true, 100)
    );
}

/// Each error names the place and what would be legal.
#[test]
fn errors_name_line_and_column() {
    let rows = [
        (
            "generation = \"v9\"",
            "x.toml:1:14: unknown generation `v9`",
        ),
        ("nam = \"x\"", "x.toml:1:1: unknown field `nam`"),
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
            "x.toml:2:15: register 64 does not exist; expected 0 to 63",
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
            "[core.0]\ncontext = { leg_ring_num = 1 }",
            "x.toml:2:13: leg context register `leg_ring_num`",
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
            "x.toml:2:9: unknown fault class `Oops`",
        ),
        (
            "[expect]\ntransactions = { dance = 1 }",
            "x.toml:2:18: unknown transaction kind `dance`",
        ),
        (
            "[expect]\nmemory = [{ core = 0, partition = 0, offset = 229376, hex = \"00\" }]",
            "x.toml:2:11: partition 0 bytes 229376 to 229377 are not active State Buffer",
        ),
        (
            "[[register]]\naddress = \"0xzz\"\nvalue = 1",
            "x.toml:2:11: `0xzz` is no address",
        ),
        ("# ä\n[expect]\nevents = 3", "x.toml:3:10: invalid type"),
        ("[expect", "x.toml:1:8: "),
    ];
    for (text, message) in rows {
        let error = Scenario::parse(text, "x.toml", Path::new("."))
            .map(|_| ())
            .expect_err(text)
            .to_string();
        assert!(
            error.starts_with(message),
            "{text}\n  found: {error}\n  expected: {message}…"
        );
    }
}

#[test]
fn random_fills_depend_on_the_seed_alone() {
    let text = |seed: u32| {
        format!(
            "[[fill]]\ncore = 0\npartitions = [0, 2]\nbytes = 64\npattern = \"random\"\nseed = {seed}\n"
        )
    };
    let fills = |seed| {
        Scenario::parse(&text(seed), "x.toml", Path::new("."))
            .expect("a legal file")
            .fills
    };
    assert_eq!(fills(1), fills(1));
    assert_ne!(fills(1), fills(2));
    assert_ne!(fills(1)[0].bytes, fills(1)[1].bytes);
}

/// A small file cannot ask for any amount of memory.
#[test]
fn fills_are_bounded_together() {
    let fill = "[[fill]]\ncore = 0\npartitions = [0, 128]\nbytes = 229376\npattern = \"zero\"\n";
    let parse = |count| Scenario::parse(&fill.repeat(count), "x.toml", Path::new("."));
    let most = (512 << 20) / (128 * 229_376);
    assert!(parse(most).is_ok());
    let error = parse(most + 1)
        .map(|_| ())
        .expect_err("too much")
        .to_string();
    let line = 5 * most + 3;
    assert!(
        error.starts_with(&format!("x.toml:{line}:14: with this one the fills write ")),
        "{error}"
    );
}

/// Naming the fault of one core does not excuse another's.
#[test]
fn a_fault_that_is_not_named_fails() {
    let mismatch = "sb2sb dtype=UINT8 ch=1 src=0x0[4] dst=0x0[3]";
    let text = |expect: &str| {
        format!(
            "[core.0]\nprogram = \"{mismatch}\"\n[core.1]\nprogram = \"{mismatch}\"\n[expect]\n{expect}"
        )
    };
    for (expect, failures) in [
        ("outcome = \"fault\"", 0),
        ("fault = { core = 1, class = \"NelemMismatch\" }", 1),
        ("", 1),
    ] {
        let scenario = Scenario::parse(&text(expect), "x.toml", Path::new(".")).expect("legal");
        let mut device = System::new(scenario.topology.clone()).expect("a legal topology");
        let report = run(&scenario, &mut device, DEFAULT_BUDGET, &mut NullSink).expect("it runs");
        assert_eq!(
            report.failures.len(),
            failures,
            "{expect}: {:?}",
            report.failures
        );
    }
}
