// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb decode`: every field of a word, and why it is invalid.

mod meaning;
mod table;

use super::{each_batch, unless_malformed};
use pool_model::isa::{WORD_LAYOUTS, WordLayout};

use crate::args::{GenerationArg, OutputFormat, WordArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::fields::write_fields;
use table::write_table;

const EXAMPLES: &str = "\
Examples:
  $ sb2sb decode bad.hex | tail -n 5
    fails 6 check_active_ports: 1 to 128 channels take part
      num_active_channels (byte 33) is 0; first legal: 1  [isa-word §4.1 #6, HIGH/OBSERVED]
    fails 10 size_check_src: the source has at most 256 elements in each partition
      src.num_elem (bytes 26..31) is 257 * 1 * 1 = 257; first legal: a product of at most 256  [isa-word §4.1 #10, HIGH/OBSERVED; MC-7]
    note: execution fault NelemMismatch: the source has 257 elements in each partition, the destination 64  [isa-word MC-18]

  $ sb2sb decode --format json good.hex | sb2sb encode | sb2sb validate
  3 words on v3: all valid

Exit codes: 0 also for invalid words, 2 a line or record is no word.";

/// How the 64 bytes are divided into fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Layout {
    /// By opcode; the layout of 0xBF where the opcode has none of its own
    Auto,
    /// The layout of 0xBF
    S3d3,
}

/// Options of `decode`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    generation: GenerationArg,
    /// How the bytes are divided into fields
    #[arg(long, value_name = "LAYOUT", default_value = "auto")]
    layout: Layout,
    /// How the answer is written
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
    #[command(flatten)]
    words: WordArgs,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let generation = args.generation.generation;
    let mut text = String::new();
    let malformed = each_batch(
        &args.words.files,
        args.words.input,
        console,
        |batch, outputs| {
            for (position, word) in batch.words.iter().enumerate() {
                let index = batch.first_index + position as u64;
                text.clear();
                let layout = match args.layout {
                    Layout::Auto => WordLayout::of(word),
                    Layout::S3d3 => &WORD_LAYOUTS[0],
                };
                match args.format {
                    OutputFormat::Json => write_fields(&mut text, index, word, layout),
                    OutputFormat::Text => {
                        if index > 0 {
                            text.push('\n');
                        }
                        write_table(
                            &mut text,
                            index,
                            &batch.place(position),
                            word,
                            generation,
                            layout,
                        );
                    }
                }
                outputs.print_bytes(text.as_bytes())?;
            }
            Ok(())
        },
    )?;
    Ok(unless_malformed(malformed))
}
