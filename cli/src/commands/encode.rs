// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb encode`: decoded fields, as JSON Lines, to words.

use std::collections::BTreeSet;
use std::path::PathBuf;

use pool_model::isa::input::format_hex;

use super::{each_line, unless_malformed};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::fields::parse_fields;

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
    let mut warned = BTreeSet::new();
    let malformed = each_line(&args.files, console, |file, number, line, outputs| {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        let fields = parse_fields(line)?;
        for key in fields.unknown {
            if warned.len() < MAX_WARNINGS && !warned.contains(&key) {
                outputs.warning(format_args!(
                    "{file}:{number}: unknown key `{}` is ignored",
                    key.escape_debug()
                ));
                warned.insert(key);
            }
        }
        outputs.print(format_args!("{}\n", format_hex(&fields.word)))?;
        Ok(())
    })?;
    Ok(unless_malformed(malformed))
}
