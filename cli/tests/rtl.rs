// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The commands that need the RTL, in a build that has it.
#![cfg(feature = "rtl")]

use std::process::{Command, Output};

use serde_json::Value;

fn sb2sb(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sb2sb"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The objects of a JSON Lines answer.
fn objects(output: &Output) -> Vec<Value> {
    text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect()
}

#[test]
fn both_sides_agree_and_the_threads_do_not_matter() {
    let run = |jobs| {
        sb2sb(&[
            "cosim", "--budget", "3000", "--format", "json", "--jobs", jobs,
        ])
    };
    let one = run("1");
    assert_eq!(one.status.code(), Some(0), "{}", text(&one.stderr));
    assert_eq!(text(&one.stdout), text(&run("3").stdout));
    let lines = objects(&one);
    // Words, addresses and semaphores on five generations, the windows once, then the summary.
    assert_eq!(lines.len(), 3 * 5 + 1 + 1);
    for case in &lines[..16] {
        let operations = [&case["words"], &case["operations"]];
        assert!(operations.contains(&&3000.into()) && case["outcome"] == "match");
    }
    assert_eq!(lines[16]["operations"], 16 * 3000);
}

#[test]
fn options_choose_what_runs() {
    let output = sb2sb(&[
        "cosim",
        "--budget",
        "50",
        "--seed",
        "0x_7",
        "--generation",
        "v4+",
        "--generation",
        "maverick",
        "--nc",
        "v5",
        "--suite",
        "words",
        "--filter",
        "v5",
        "--format",
        "json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let lines = objects(&output);
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["case"], &lines[0]["nc"]["V5"]),
        (&"words/v5".into(), &50.into())
    );
    assert_eq!(lines[1]["seed"], "0x7");
}

#[test]
fn a_deliberate_fault_is_a_mismatch_and_its_replay_shows_it_again() {
    let output = sb2sb(&[
        "cosim", "--mutant", "1", "--budget", "20000", "--format", "json",
    ]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let replay = objects(&output)
        .iter()
        .find_map(|line| {
            line["details"]["case"]["replay"]
                .as_str()
                .map(str::to_owned)
        })
        .expect("a command that repeats it");
    let arguments: Vec<&str> = replay.split_whitespace().skip(1).collect();
    let again = sb2sb(&arguments);
    assert_eq!(
        again.status.code(),
        Some(1),
        "{replay}: {}",
        text(&again.stderr)
    );
    assert!(
        text(&again.stdout).contains("mismatch"),
        "{}",
        text(&again.stdout)
    );
}

#[test]
fn a_fault_of_each_block_is_a_mismatch_and_its_replay_shows_it_again() {
    for (suite, mutant) in [("addr", "98"), ("window", "132"), ("evt_sem", "176")] {
        let output = sb2sb(&[
            "cosim", "--suite", suite, "--mutant", mutant, "--budget", "20000", "--format", "json",
        ]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let details = objects(&output)[0]["details"].clone();
        let replay = details["case"]["replay"].as_str().expect("a command");
        let arguments: Vec<&str> = replay.split_whitespace().skip(1).collect();
        let again = sb2sb(&arguments);
        assert_eq!(again.status.code(), Some(1), "{replay}");
        let report = text(&again.stdout);
        let operation = details["case"]["operation"].as_str().expect("its text");
        for line in operation.lines().chain(["  ! "]) {
            assert!(report.contains(line), "no {line} in\n{report}");
        }
    }
}

#[test]
fn the_hunt_finds_a_fault_and_says_when_it_does_not() {
    let found = sb2sb(&["mutants", "--format", "json"]);
    assert_eq!(found.status.code(), Some(0), "{}", text(&found.stdout));
    let lines = objects(&found);
    assert!(
        lines.len() > 10
            && lines[..lines.len() - 1]
                .iter()
                .all(|line| line["found"] == true)
    );
    let too_short = sb2sb(&["mutants", "--budget", "1"]);
    assert_eq!(
        too_short.status.code(),
        Some(1),
        "{}",
        text(&too_short.stdout)
    );
    assert!(text(&too_short.stdout).contains("SURVIVED"));
}

#[test]
fn choices_that_make_no_sense_are_bad_usage() {
    for arguments in [
        &["cosim", "--budget", "0"][..],
        &["cosim", "--filter", "no such case"],
        &["cosim", "--mutant", "60000"],
        &["cosim", "--suite", "poems"],
        &["cosim", "--jobs", "0"],
        &["cosim", "--suite", "words", "--operation", "3"],
        &["cosim", "--operation", "3", "--word", "00"],
        &["mutants", "--budget", "0"],
        &["mutants", "--filter", "no such fault"],
    ] {
        let output = sb2sb(arguments);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}: {}",
            text(&output.stdout)
        );
        assert!(text(&output.stderr).starts_with("error: "), "{arguments:?}");
    }
}
