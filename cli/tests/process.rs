// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The command as a process: pipes that close, disks that fill, inputs larger than any buffer.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Output, Stdio};
use std::{fs, thread};

/// W1 of isa-word §9.
const W1: &str = "bf100000000013050000000006060000000000000100000000004000010001000180000000000000000000000000000000100000010000000000400001000100";

fn sb2sb(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sb2sb"));
    command
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    sb2sb(arguments).output().expect("the command starts")
}

/// Runs with standard input from a writer on a thread of its own.
fn run_fed(arguments: &[&str], feed: impl FnOnce(&mut dyn std::io::Write) + Send) -> Output {
    let mut child: Child = sb2sb(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    thread::scope(|scope| {
        scope.spawn(move || feed(&mut stdin));
        child.wait_with_output().expect("the command ends")
    })
}

fn word(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex digits"))
        .collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let line = "0".repeat(128) + "\n";
    let many = line.as_bytes();
    for arguments in [
        &["decode"][..],
        &["disasm"],
        &["validate"],
        &["decode", "--format", "json"],
    ] {
        let mut child = sb2sb(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut stdout = child.stdout.take().expect("standard output is piped");
        let mut stdin = child.stdin.take().expect("standard input is piped");
        thread::scope(|scope| {
            scope.spawn(move || {
                // The command stops reading when its reader has gone.
                for _ in 0..20_000 {
                    if stdin.write_all(many).is_err() {
                        break;
                    }
                }
            });
            let mut first = [0; 10];
            stdout.read_exact(&mut first).expect("there is output");
            drop(stdout);
        });
        let mut complaints = String::new();
        let mut stderr = child.stderr.take().expect("standard error is piped");
        stderr.read_to_string(&mut complaints).expect("text");
        let status = child.wait().expect("the command ends");
        // Everything that was looked at is invalid, so `validate` says no.
        let expected = i32::from(arguments == ["validate"]);
        assert_eq!(status.code(), Some(expected), "{arguments:?}: {complaints}");
        assert_eq!(complaints, "", "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_infrastructure() {
    for arguments in [
        &["decode", "tests/fixtures/good.hex"][..],
        &["validate", "tests/fixtures/good.hex"],
        &["--help"],
        &["completions", "bash"],
        &["man"],
        &["choices"],
    ] {
        let full = fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("Linux has /dev/full");
        let output = sb2sb(arguments).stdout(full).output().expect("starts");
        assert_eq!(output.status.code(), Some(5), "{arguments:?}");
        assert_eq!(
            text(&output.stderr),
            "error: cannot write to standard output\n  caused by: No space left on device (os error 28)\n",
            "{arguments:?}"
        );
    }
}

#[test]
fn large_binary_input_passes_in_pieces() {
    const RECORDS: usize = 1_000_003;
    let good = word(W1);
    let mut bad = good.clone();
    bad[33] = 0;
    let output = run_fed(&["validate", "--input", "bin"], |stdin| {
        let block = good.repeat(1000);
        for _ in 0..1000 {
            stdin
                .write_all(&block)
                .expect("the command reads everything");
        }
        for record in [&good, &bad, &good] {
            stdin
                .write_all(record)
                .expect("the command reads everything");
        }
    });
    assert_eq!(
        text(&output.stdout),
        format!(
            "<stdin>:byte 64000064: word 1000001 is invalid: 6 check_active_ports\n\
             {RECORDS} words on v3: {} valid, 1 invalid\n",
            RECORDS - 1
        )
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_endless_line_is_reported_without_being_kept() {
    let output = run_fed(&["validate"], |stdin| {
        let zeros = vec![b'0'; 1 << 20];
        for _ in 0..32 {
            stdin
                .write_all(&zeros)
                .expect("the command reads everything");
        }
        writeln!(stdin, "\n{W1}").expect("the command reads everything");
    });
    assert_eq!(
        text(&output.stderr),
        "error: <stdin>:1:65537: expected a line of at most 65536 bytes\n"
    );
    assert_eq!(text(&output.stdout), "1 word on v3: valid\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn garbage_is_reported_and_never_a_panic() {
    let mut state = 1_u64;
    let garbage: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state.to_be_bytes()[0]
    })
    .take(1 << 16)
    .chain([0; 65])
    .collect();
    for arguments in [
        &["validate", "--input", "hex"][..],
        &["validate", "--input", "asm"],
        &["decode", "--input", "bin"],
        &["disasm", "--input", "hex"],
        &["asm"],
        &["encode"],
    ] {
        let output = run_fed(arguments, |stdin| {
            stdin
                .write_all(&garbage)
                .expect("the command reads everything");
        });
        let complaints = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            complaints.starts_with("error: <stdin>:"),
            "{arguments:?}: {complaints}"
        );
        assert!(
            !complaints.contains("panicked"),
            "{arguments:?}: {complaints}"
        );
    }
}

#[test]
fn every_shell_has_a_completion_script() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell]);
        let script = text(&output.stdout);
        assert!(output.status.success(), "{shell}");
        for expected in ["sb2sb", "validate", "generation"] {
            assert!(script.contains(expected), "{shell}: {expected}");
        }
    }
}

#[test]
fn bash_accepts_its_completion_script() {
    let script = run(&["completions", "bash"]).stdout;
    let mut bash = Command::new("bash")
        .arg("-n")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash is there");
    let mut stdin = bash.stdin.take().expect("standard input is piped");
    stdin.write_all(&script).expect("bash reads");
    drop(stdin);
    let output = bash.wait_with_output().expect("bash ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("man pages");
    let _ = fs::remove_dir_all(&folder);
    let output = run(&["man", "--dir", folder.to_str().expect("a plain path")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the folder was made")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    let all = text(&run(&["man"]).stdout);
    let mut together = 0;
    for command in [
        "asm",
        "choices",
        "completions",
        "decode",
        "disasm",
        "encode",
        "man",
        "validate",
    ] {
        let name = format!("sb2sb-{command}.1");
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    assert!(names.contains(&"sb2sb.1".to_owned()));
    for name in &names {
        let page = fs::read_to_string(folder.join(name)).expect("a page");
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
        assert!(all.contains(&page), "{name}");
        together += page.len();
    }
    assert_eq!(all.len(), together);
    assert!(all.contains(".SH EXAMPLES\n.nf\n"));
}

#[test]
fn unreadable_and_unwritable_files_are_told_apart() {
    let output = run(&["validate", "tests/fixtures/no such file.hex"]);
    assert_eq!(output.status.code(), Some(2));
    let output = run(&["man", "--dir", "Cargo.toml/pages"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(
        text(&output.stderr).starts_with("error: cannot write `Cargo.toml/pages`\n  caused by: ")
    );
}

/// Devices without an end, and without a line end.
#[cfg(target_os = "linux")]
#[test]
fn endless_inputs_end_with_an_error() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the test folder can be made");
    let mut names = Vec::new();
    for ending in ["hex", "s", "bin", "toml"] {
        let name = folder.join(format!("z.{ending}"));
        std::os::unix::fs::symlink("/dev/zero", &name).expect("a link");
        names.push(name.to_str().expect("a plain path").to_owned());
    }
    let line = "line 1 has no end in 67108864 bytes; the rest is not read";
    for (arguments, complaint) in [
        (["run", &names[0]], line),
        (["run", &names[1]], line),
        (
            ["run", &names[2]],
            "more words than a program may have, 1048576",
        ),
        (
            ["run", &names[3]],
            "expected a scenario of at most 16777216 bytes",
        ),
        (["validate", &names[0]], line),
        (["decode", &names[0]], line),
        (["disasm", &names[0]], line),
        (["asm", &names[1]], line),
        (["encode", &names[0]], line),
    ] {
        let output = run(&arguments);
        let complaints = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaints}");
        assert!(
            complaints.contains(complaint),
            "{arguments:?}: {complaints}"
        );
    }
    let output = sb2sb(&["addr", "-"])
        .stdin(fs::File::open("/dev/zero").expect("Linux has /dev/zero"))
        .output()
        .expect("the command starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains(line));
}

/// Lines of nothing are no program, however many there are.
#[test]
fn a_file_with_words_is_bounded() {
    let output = run_fed(&["run", "-"], |stdin| {
        // Comments: a blank line costs as much as one of them.
        let mut lines = vec![b'#'; 1 << 20];
        lines
            .iter_mut()
            .skip(0x7fff)
            .step_by(0x8000)
            .for_each(|byte| *byte = b'\n');
        // The command stops reading after 256 MiB.
        while stdin.write_all(&lines).is_ok() {}
    });
    assert_eq!(
        text(&output.stderr),
        "error: cannot read `<stdin>`\n  caused by: expected at most 268435456 bytes\n"
    );
    assert_eq!(output.status.code(), Some(2));
}

/// What a terminal would obey is shown instead.
#[cfg(unix)]
#[test]
fn names_with_control_characters_are_shown_escaped() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("control");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the test folder can be made");
    let name = folder.join("a\u{1b}[2J.hex");
    fs::write(&name, format!("{W1}\nff\n")).expect("a file");
    let name = name.to_str().expect("UTF-8");
    for arguments in [
        &["validate", name][..],
        &["run", name],
        &["run", "\u{1b}.txt"],
    ] {
        let output = run(arguments);
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(all.contains("\\u001b"), "{arguments:?}: {all}");
        assert!(!all.contains('\u{1b}'), "{arguments:?}: {all}");
    }
}

/// The host's check of a word names its line.
#[test]
fn a_refused_word_of_a_program_has_its_place() {
    let output = run(&["run", "tests/fixtures/copy.s", "-g", "v2"]);
    let complaints = text(&output.stderr);
    assert!(
        complaints.starts_with("error: tests/fixtures/copy.s:2: word 0: "),
        "{complaints}"
    );
    assert_eq!(output.status.code(), Some(2));
}
