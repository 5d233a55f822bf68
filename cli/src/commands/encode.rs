// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb encode`: decoded fields, as JSON Lines, to words.

use std::collections::BTreeSet;
use std::path::PathBuf;

use pool_model::isa::input::format_hex;

use super::unless_malformed;
use crate::console::{Console, Outputs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::fields::{FieldsProblem, parse_fields};
use crate::input::{Line, Problem, Source, Stopped, read_lines_of};

const EXAMPLES: &str = "\
Examples:
  $ sb2sb decode --format json good.hex | sb2sb encode | sb2sb validate
  3 words on v3: all valid

  $ sb2sb decode --format json good.hex | sed 's/\"lnc_size_fmt\":[01]/\"lnc_size_fmt\":2/' | sb2sb encode | sb2sb validate
  <stdin>:1: word 0 is invalid: 5 has_valid_LncSizefmt
  <stdin>:2: word 1 is invalid: 5 has_valid_LncSizefmt
  <stdin>:3: word 2 is invalid: 5 has_valid_LncSizefmt
  3 words on v3: 0 valid, 3 invalid

Exit codes: 0, or 2 when a line has not all fields with numbers that fit.";

/// Unknown keys that are warned about; the next ones pass in silence.
const MAX_WARNINGS: usize = 100;

/// Options of `encode`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files with JSON Lines, read as one stream; none, or -, is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let (stdin, mut outputs) = console.split();
    let mut encoder = Encoder {
        outputs: &mut outputs,
        malformed: false,
        warned: BTreeSet::new(),
    };
    for source in Source::of_arguments(&args.files) {
        let file = source.name();
        let read = read_lines_of(&source, stdin, &mut |number, line| {
            encoder.line(&file, number, line)
        });
        match read {
            Ok(()) => {}
            Err(Stopped::Read(problem)) => encoder.bad(&problem),
            Err(Stopped::Consumer(Failure::ReaderGone)) => break,
            Err(Stopped::Consumer(failure)) => return Err(failure),
        }
    }
    Ok(unless_malformed(encoder.malformed))
}

struct Encoder<'e, 'c, 'a> {
    outputs: &'e mut Outputs<'c, 'a>,
    malformed: bool,
    warned: BTreeSet<String>,
}

impl Encoder<'_, '_, '_> {
    fn bad(&mut self, problem: &Problem) {
        self.malformed = true;
        self.outputs.error(problem);
    }

    fn line(&mut self, file: &str, number: usize, line: Line<'_>) -> Result<(), Failure> {
        let bytes = match line {
            Line::Pause => return self.outputs.flush(),
            Line::TooLong => {
                self.bad(&Problem::LongLine {
                    file: file.to_owned(),
                    line: number,
                });
                return Ok(());
            }
            Line::Bytes(bytes) => bytes,
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        match parse_fields(bytes) {
            Ok(fields) => {
                for key in fields.unknown {
                    self.warn(file, number, key);
                }
                self.outputs
                    .print(format_args!("{}\n", format_hex(&fields.word)))
            }
            Err(FieldsProblem { column, message }) => {
                self.bad(&Problem::Fields {
                    file: file.to_owned(),
                    line: number,
                    column,
                    message,
                });
                Ok(())
            }
        }
    }

    fn warn(&mut self, file: &str, number: usize, key: String) {
        if self.warned.len() < MAX_WARNINGS && !self.warned.contains(&key) {
            self.outputs.warning(format_args!(
                "{file}:{number}: unknown key `{}` is ignored",
                key.escape_debug()
            ));
            self.warned.insert(key);
        }
    }
}
