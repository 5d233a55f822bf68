// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The files that `sb2sb run` writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the test folder can be made");
    folder
}

/// Runs a fixture with options; paths among them are relative to `folder`.
fn run(folder: &Path, fixture: &str, options: &[&str]) -> Output {
    let fixture = fs::canonicalize(Path::new("tests/fixtures").join(fixture)).expect("a fixture");
    Command::new(env!("CARGO_BIN_EXE_sb2sb"))
        .arg("run")
        .arg(fixture)
        .args(options)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command starts")
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("the test folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

fn transactions(path: &Path) -> Vec<Value> {
    fs::read_to_string(path)
        .expect("the transactions were written")
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn log_and_transactions_are_complete_and_the_same_every_time() {
    let folder = folder("records");
    for suffix in ["1", "2"] {
        let (log, jsonl) = (format!("log{suffix}"), format!("t{suffix}.jsonl"));
        let output = run(
            &folder,
            "copy.toml",
            &["--log", &log, "--transactions", &jsonl],
        );
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    assert_eq!(names(&folder), ["log1", "log2", "t1.jsonl", "t2.jsonl"]);
    let read = |name: &str| fs::read(folder.join(name)).expect("a file");
    assert_eq!(read("log1"), read("log2"));
    assert_eq!(read("t1.jsonl"), read("t2.jsonl"));
    let log = String::from_utf8(read("log1")).expect("text");
    // The order of one good 0xBF. [isa-word §8.2]
    let lines: Vec<&str> = log
        .lines()
        .map(|line| line.split_once(' ').expect("a tick").1)
        .collect();
    assert_eq!(
        lines,
        ["core0 S: Dispatch opcode=0xbf", "core0 S: SB2SB_Collective"]
    );
    let all = transactions(&folder.join("t1.jsonl"));
    let of_kind = |kind: &str| all.iter().filter(|t| t["kind"] == kind).count();
    // Four partitions are read and written, one word is completed.
    assert_eq!(
        (
            of_kind("data_read"),
            of_kind("data_written"),
            of_kind("complete")
        ),
        (4, 4, 1)
    );
    for transaction in &all {
        let keys: Vec<&String> = transaction.as_object().expect("an object").keys().collect();
        assert_eq!(keys[..3], ["tick", "agent", "kind"]);
    }
}

#[test]
fn a_window_keeps_its_ticks_and_no_others() {
    let folder = folder("window");
    let whole = ["--transactions", "all.jsonl"];
    assert!(run(&folder, "copy.toml", &whole).status.success());
    let window = ["--transactions", "some.jsonl", "--from", "2", "--to", "4"];
    assert!(run(&folder, "copy.toml", &window).status.success());
    let expected: Vec<Value> = transactions(&folder.join("all.jsonl"))
        .into_iter()
        .filter(|t| {
            t["tick"]
                .as_u64()
                .is_some_and(|tick| (2..=4).contains(&tick))
        })
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(transactions(&folder.join("some.jsonl")), expected);
}

#[test]
fn on_failure_writes_only_for_a_run_that_does_not_pass() {
    let options = [
        "--on-failure",
        "--log",
        "x.log",
        "--transactions",
        "x.jsonl",
        "--trace",
        "x.vcd",
    ];
    let folder = folder("on failure");
    assert_eq!(run(&folder, "copy.toml", &options).status.code(), Some(0));
    assert_eq!(names(&folder), Vec::<String>::new());
    assert_eq!(
        run(&folder, "unexpected.toml", &options).status.code(),
        Some(1)
    );
    for name in ["x.log", "x.jsonl", "x.vcd", "x.gtkw"] {
        assert!(names(&folder).contains(&name.to_owned()), "{name}");
    }
}

#[test]
fn a_waveform_comes_with_what_the_viewer_needs_and_is_the_same_every_time() {
    let folder = folder("trace");
    for fixture in ["copy.toml", "fault.toml", "hang.toml"] {
        for name in ["a.vcd", "b.vcd"] {
            let output = run(&folder, fixture, &["--trace", name]);
            assert!(
                matches!(output.status.code(), Some(0 | 1 | 3)),
                "{}",
                stderr(&output)
            );
        }
        let a = fs::read_to_string(folder.join("a.vcd")).expect("a waveform");
        assert_eq!(
            a,
            fs::read_to_string(folder.join("b.vcd")).expect("a waveform"),
            "{fixture}"
        );
        assert!(
            a.contains("$timescale 1") && a.contains("$enddefinitions"),
            "{fixture}"
        );
        let last = a.trim_end().lines().rfind(|line| line.starts_with('#'));
        assert!(
            last.is_some_and(|stamp| stamp != "#0"),
            "{fixture}: {last:?}"
        );
    }
    let save = fs::read_to_string(folder.join("a.gtkw")).expect("a save file");
    assert!(save.contains("a.vcd"));
    assert!(names(&folder).contains(&"filters".to_owned()));
}

#[test]
fn a_waveform_that_ends_early_holds_the_begin_of_the_whole() {
    let folder = folder("trace to");
    assert!(
        run(&folder, "copy.toml", &["--trace", "all.vcd"])
            .status
            .success()
    );
    assert!(
        run(&folder, "copy.toml", &["--trace", "some.vcd", "--to", "4"])
            .status
            .success()
    );
    let stamps = |name: &str| -> Vec<u64> {
        let text = fs::read_to_string(folder.join(name)).expect("a waveform");
        let stamp = |line: &str| {
            line.strip_prefix('#')
                .and_then(|digits| digits.parse().ok())
        };
        text.lines().filter_map(stamp).collect()
    };
    let (all, some) = (stamps("all.vcd"), stamps("some.vcd"));
    let last = some.last().copied().expect("a last time stamp");
    // A tick is 1000 ps; effects of tick 4 are over when tick 5 begins.
    assert!((4_000..=6_000).contains(&last), "{last}");
    assert!(all.last().is_some_and(|end| *end > last));
}

#[cfg(unix)]
#[test]
fn files_that_cannot_be_written_are_infrastructure_and_leave_nothing_behind() {
    let folder = folder("unwritable");
    fs::create_dir(folder.join("taken")).expect("a folder");
    for option in ["--log", "--transactions", "--trace"] {
        let name = if option == "--trace" {
            "no/x.vcd"
        } else {
            "no/x"
        };
        let output = run(&folder, "copy.toml", &[option, name]);
        assert_eq!(output.status.code(), Some(5), "{option}");
        assert!(
            stderr(&output).contains("caused by: No such file"),
            "{}",
            stderr(&output)
        );
    }
    let output = run(&folder, "copy.toml", &["--log", "taken"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert_eq!(names(&folder), ["taken"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_a_device_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt as _;

    let folder = folder("full");
    std::os::unix::fs::symlink("/dev/full", folder.join("full.vcd")).expect("a link");
    for options in [
        ["--log", "/dev/full"],
        ["--transactions", "/dev/full"],
        ["--trace", "full.vcd"],
    ] {
        let output = run(&folder, "copy.toml", &options);
        assert_eq!(output.status.code(), Some(5), "{options:?}");
        assert!(
            stderr(&output).contains("No space left on device"),
            "{}",
            stderr(&output)
        );
    }
    let device = fs::metadata("/dev/full").expect("still there");
    assert!(device.file_type().is_char_device());
    let output = run(&folder, "copy.toml", &["--log", "/dev/null"]);
    assert!(output.status.success());
    let device = fs::metadata("/dev/null").expect("still there");
    assert!(device.file_type().is_char_device());
}

#[test]
fn a_file_behind_a_link_is_replaced_and_the_link_stays() {
    let folder = folder("link");
    fs::write(folder.join("real.log"), "old").expect("a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("real.log", folder.join("link.log")).expect("a link");
        assert!(
            run(&folder, "copy.toml", &["--log", "link.log"])
                .status
                .success()
        );
        let link = fs::symlink_metadata(folder.join("link.log")).expect("the link");
        assert!(link.is_symlink());
        let text = fs::read_to_string(folder.join("real.log")).expect("the file");
        assert!(text.contains("SB2SB_Collective"));
    }
}

/// A scenario that reads two files, in a folder of its own.
fn scenario_with_inputs(folder: &Path) {
    let scenario = "[core.0]\nprogram_file = \"p.s\"\n[[fill]]\ncore = 0\npartitions = [0, 1]\n\
                    pattern = \"file\"\npath = \"data.bin\"\n";
    let word = "sb2sb dtype=uint8 ch=1 src=0x0[4] dst=0x0[4]\n";
    for (name, text) in [("s.toml", scenario), ("p.s", word), ("data.bin", "abcd")] {
        fs::write(folder.join(name), text).expect("a file");
    }
}

fn run_there(folder: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sb2sb"))
        .args(["run", "s.toml"])
        .args(options)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command starts")
}

/// Nothing that a run reads is written over, and no two outputs are one file, however they are spelt.
#[cfg(unix)]
#[test]
fn files_that_are_the_same_are_refused_with_both_names() {
    let folder = folder("same");
    scenario_with_inputs(&folder);
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, folder.join(name)).expect("a link");
    };
    link("nowhere", "dangling");
    link("data.bin", "soft");
    link(".", "here");
    fs::hard_link(folder.join("p.s"), folder.join("hard")).expect("a link");
    let before = names(&folder);
    for (options, one, other) in [
        (
            ["--log", "a", "--transactions", "here/../same/a"],
            "`a` (--log)",
            "`here/../same/a` (--transactions)",
        ),
        (
            ["--log", "nowhere", "--transactions", "dangling"],
            "`nowhere` (--log)",
            "`dangling` (--transactions)",
        ),
        (
            ["--trace", "x.vcd", "--log", "here/x.gtkw"],
            "`x.gtkw` (save file of --trace)",
            "`here/x.gtkw` (--log)",
        ),
        (
            ["--trace", "x.vcd", "--log", "filters/x.places.txt"],
            "`filters/x.places.txt` (filter of --trace)",
            "`filters/x.places.txt` (--log)",
        ),
        (
            ["--log", "soft", "--to", "3"],
            "`soft` (--log)",
            "`data.bin` (read by the scenario)",
        ),
        (
            ["--transactions", "hard", "--to", "3"],
            "`hard` (--transactions)",
            "`p.s` (read by the scenario)",
        ),
        (
            ["--log", "here/s.toml", "--to", "3"],
            "`here/s.toml` (--log)",
            "`s.toml` (FILE)",
        ),
    ] {
        let output = run_there(&folder, &options);
        let expected = format!("error: {one} and {other} are the same file\n");
        assert_eq!(stderr(&output), expected, "{options:?}");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert_eq!(names(&folder), before, "{options:?}");
    }
    let output = run_there(&folder, &["--log", "a", "--transactions", "b"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// The summary would be lost if the log took the place of the file behind standard output.
#[cfg(target_os = "linux")]
#[test]
fn the_file_behind_standard_output_is_no_other_output() {
    let folder = folder("standard-output");
    scenario_with_inputs(&folder);
    let out = fs::File::create(folder.join("out")).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_sb2sb"))
        .args(["run", "s.toml", "--log", "/dev/stdout"])
        .current_dir(&folder)
        .env("NO_COLOR", "1")
        .stdout(out)
        .output()
        .expect("the command starts");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let output = run_there(&folder, &["--log", "/dev/stdout"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("SB2SB_Collective") && text.ends_with("PASS\n"),
        "{text}"
    );
}
