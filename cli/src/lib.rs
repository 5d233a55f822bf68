// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The command line of the SB2SB reference model, as a library: the binary only connects it to the
//! process. Commands, options, JSON keys and exit codes are described in the guide.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod console;
mod exit;
mod failure;
mod fields;
mod files;
mod input;

use std::ffi::OsString;

use clap::Parser as _;

pub use args::{Cli, Command};
pub use console::{Console, Style};
pub use exit::Exit;
pub use failure::Failure;

/// Runs one command line; `args` starts with the program's name.
pub fn main(args: impl IntoIterator<Item = OsString>, console: &mut Console<'_>) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return answer_of_clap(&error, console),
    };
    let result = commands::run(&cli.command, console);
    finish(result, console)
}

/// Help and version are answers, everything else is bad usage.
fn answer_of_clap(error: &clap::Error, console: &mut Console<'_>) -> Exit {
    if error.use_stderr() {
        console.usage(&error.render());
        return Exit::Usage;
    }
    let printed = console.print(format_args!("{}", error.render()));
    finish(printed.map(|()| Exit::Success), console)
}

fn finish(result: Result<Exit, Failure>, console: &mut Console<'_>) -> Exit {
    let flushed = console.flush();
    let (exit, failure) = match (result, flushed) {
        // Whoever has seen enough gets the answer for what was looked at.
        (Ok(exit), Ok(()) | Err(Failure::ReaderGone)) => return exit,
        (Ok(_), Err(failure)) | (Err(failure), _) => (failure.exit(), failure),
    };
    if !matches!(failure, Failure::ReaderGone) {
        console.error(&failure);
    }
    exit
}
