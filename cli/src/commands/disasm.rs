// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb disasm`: words to assembly text.

use pool_model::isa::{Word, disassemble};

use super::{each_batch, unless_malformed};
use crate::args::WordArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  $ sb2sb disasm good.hex
  sb2sb dtype=bfloat16 src=0x0[64, 1@0, 1@0] dst=0x1000[64, 1@0, 1@0] update=sem_inc_complete[5]
  sb2sb dtype=fp32 ch=32 src=0x800400[16, 4@64, 4@-256] dst=r5[16, 4@16, 4@64] wait=sem_ge_imm[3] update=sem_inc_complete[16] value=7
  sb2sb fmt=lnc1 dtype=fp8_exp4 ch=1 src=0x1ff7fff[1@0, 1@0, 1@0] dst=0x1800000 wait=sem_ge_reg[255] update=sem_add_imm_complete[254] value=9

  $ sb2sb disasm good.hex | sb2sb asm | sb2sb validate
  3 words on v3: all valid

Exit codes: 0, or 2 when a line or record is no word.";

/// Options of `disasm`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    words: WordArgs,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let malformed = each_batch(
        &args.words.files,
        args.words.input,
        console,
        |batch, outputs| {
            batch.words.iter().try_for_each(|word| {
                outputs.print(format_args!("{}\n", disassemble(&Word::decode(word))))
            })
        },
    )?;
    Ok(unless_malformed(malformed))
}
