// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb asm`: assembly text to words.

use std::path::PathBuf;

use pool_model::isa::input::format_hex;

use super::{each_batch, unless_malformed};
use crate::args::InputFormat;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  $ echo 'sb2sb dtype=bfloat16 src=0x0[64] dst=0x1000[64] update=sem_inc_complete[5]' | sb2sb asm
  bf100000000013050000000006060000000000000100010001004000010001000180000000000000000000000000000000100000010001000100400001000100

  $ sb2sb asm copy.s | sb2sb validate
  2 words on v3: all valid

Exit codes: 0, or 2 when a line is not assembly.";

/// Options of `asm`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files with assembly text, read as one stream; none, or -, is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let malformed = each_batch(&args.files, InputFormat::Asm, console, |batch, outputs| {
        batch
            .words
            .iter()
            .try_for_each(|word| outputs.print(format_args!("{}\n", format_hex(word))))
    })?;
    Ok(unless_malformed(malformed))
}
