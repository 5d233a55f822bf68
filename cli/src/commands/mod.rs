// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One module a command: its options, its help, its work.

pub mod addr;
pub mod asm;
pub mod bd;
pub mod choices;
pub mod completions;
pub mod cosim;
pub mod decode;
pub mod disasm;
pub mod encode;
pub mod explain;
pub mod man;
pub mod map;
pub mod mutants;
pub mod run;
pub mod transfers;
pub mod validate;

use std::path::PathBuf;

use crate::args::{Command, InputFormat};
use crate::console::{Console, Outputs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{
    Batch, Event, Line, LineProblem, Problem, Source, Stopped, read_lines_of, read_words,
};

/// Runs one command.
pub fn run(command: &Command, console: &mut Console<'_>) -> Result<Exit, Failure> {
    match command {
        Command::Validate(args) => validate::run(args, console),
        Command::Decode(args) => decode::run(args, console),
        Command::Encode(args) => encode::run(args, console),
        Command::Asm(args) => asm::run(args, console),
        Command::Disasm(args) => disasm::run(args, console),
        Command::Run(args) => run::run(args, console),
        Command::Cosim(args) => cosim::run(args, console),
        Command::Mutants(args) => mutants::run(args, console),
        Command::Addr(args) => addr::run(args, console),
        Command::Map(args) => map::run(args, console),
        Command::Bd(args) => bd::run(args, console),
        Command::Transfers(args) => transfers::run(args, console),
        Command::Explain(args) => explain::run(args, console),
        Command::Choices(args) => choices::run(args, console),
        Command::Completions(args) => completions::run(args, console),
        Command::Man(args) => man::run(args, console),
    }
}

/// Hands every batch of words to `each`, reports what is no word, and says whether there was any
/// such thing. What was printed is visible after each batch, so that a live stream can be followed.
fn each_batch(
    files: &[PathBuf],
    input: InputFormat,
    console: &mut Console<'_>,
    each: impl FnMut(Batch<'_>, &mut Outputs<'_, '_>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    each_batch_within(u64::MAX, files, input, console, each)
}

/// As [`each_batch`]; a file of more than `limit` bytes cannot be read.
fn each_batch_within(
    limit: u64,
    files: &[PathBuf],
    input: InputFormat,
    console: &mut Console<'_>,
    mut each: impl FnMut(Batch<'_>, &mut Outputs<'_, '_>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let (stdin, mut outputs) = console.split();
    let mut malformed = false;
    let read = read_words(
        &Source::of_arguments(files),
        input,
        limit,
        stdin,
        &mut |event| match event {
            Event::Words(batch) => {
                each(batch, &mut outputs)?;
                outputs.flush()
            }
            Event::Bad(problem) => {
                malformed = true;
                outputs.error(&problem);
                Ok(())
            }
        },
    );
    match read {
        // Whoever has seen enough gets the answer for what was looked at.
        Ok(()) | Err(Failure::ReaderGone) => Ok(malformed),
        Err(failure) => Err(failure),
    }
}

/// Why a line has no answer.
enum LineError {
    /// It is malformed, and the next one is looked at.
    Malformed(LineProblem),
    /// The command cannot go on.
    Failed(Failure),
}

impl From<LineProblem> for LineError {
    fn from(problem: LineProblem) -> Self {
        Self::Malformed(problem)
    }
}

impl From<Failure> for LineError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// As [`each_batch`], for commands that read lines of their own: `each` gets the file's name, the line's number from 1,
/// and the line.
fn each_line(
    files: &[PathBuf],
    console: &mut Console<'_>,
    mut each: impl FnMut(&str, usize, &[u8], &mut Outputs<'_, '_>) -> Result<(), LineError>,
) -> Result<bool, Failure> {
    let (stdin, mut outputs) = console.split();
    let mut malformed = false;
    for source in Source::of_arguments(files) {
        let file = source.name();
        let read = read_lines_of(&source, stdin, &mut |number, line| {
            let problem = match line {
                Line::Pause => return outputs.flush(),
                Line::TooLong => Problem::LongLine {
                    file: file.clone(),
                    line: number,
                },
                Line::Bytes(bytes) => match each(&file, number, bytes, &mut outputs) {
                    Ok(()) => return Ok(()),
                    Err(LineError::Failed(failure)) => return Err(failure),
                    Err(LineError::Malformed(LineProblem { column, message })) => Problem::Fields {
                        file: file.clone(),
                        line: number,
                        column,
                        message,
                    },
                },
            };
            malformed = true;
            outputs.error(&problem);
            Ok(())
        });
        match read {
            Ok(()) => {}
            Err(Stopped::Read(problem)) => {
                malformed = true;
                outputs.error(&problem);
            }
            // Whoever has seen enough gets the answer for what was looked at.
            Err(Stopped::Consumer(Failure::ReaderGone)) => break,
            Err(Stopped::Consumer(failure)) => return Err(failure),
        }
    }
    Ok(malformed)
}

/// The exit code of a command whose only bad news is malformed input.
const fn unless_malformed(malformed: bool) -> Exit {
    if malformed {
        Exit::Usage
    } else {
        Exit::Success
    }
}
