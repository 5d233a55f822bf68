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
