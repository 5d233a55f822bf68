// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The examples that the help shows are run, and must print what the help says they print.

use std::path::Path;
use std::process::{Command, Stdio};

use clap::CommandFactory as _;

/// A command and the lines shown below it.
struct Example {
    command: String,
    shown: Vec<String>,
}

fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("  $ ") {
            found.push(Example {
                command: command.to_owned(),
                shown: Vec::new(),
            });
            inside = true;
        } else if let (true, Some(output), Some(example)) =
            (inside, line.strip_prefix("  "), found.last_mut())
        {
            example.shown.push(output.to_owned());
        } else {
            inside = false;
        }
    }
    found
}

#[test]
fn examples_print_what_the_help_shows() {
    let binary = Path::new(env!("CARGO_BIN_EXE_sb2sb"));
    let folder = binary.parent().expect("the binary lies in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut count = 0;
    let mut wrong = Vec::new();
    for subcommand in sb2sb_cli::Cli::command().get_subcommands() {
        let text = subcommand
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        for Example { command, shown } in examples(&text) {
            count += 1;
            let output = Command::new("sh")
                .args(["-c", &command])
                .current_dir("tests/fixtures")
                .env("PATH", format!("{}:{path}", folder.display()))
                .env("NO_COLOR", "1")
                .stdin(Stdio::null())
                .output()
                .expect("sh is there");
            let mut printed = output.stdout;
            printed.extend_from_slice(&output.stderr);
            let printed = String::from_utf8_lossy(&printed);
            if printed.lines().ne(shown.iter().map(String::as_str)) {
                wrong.push(format!(
                    "$ {command}\n{printed}\nthe help shows\n{}\n\n",
                    shown.join("\n")
                ));
            }
        }
    }
    assert!(count >= 8, "only {count} examples");
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn every_command_has_an_example() {
    for subcommand in sb2sb_cli::Cli::command().get_subcommands() {
        let help = subcommand.get_after_help().map(ToString::to_string);
        assert!(
            help.is_some_and(|help| help.contains("Examples:\n")),
            "{}",
            subcommand.get_name()
        );
    }
}
