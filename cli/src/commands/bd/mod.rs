// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb bd`: buffer descriptors, from any spelling to any other.

mod read;
mod write;

use std::path::PathBuf;

use clap::ValueEnum;
use pool_model::idma::{Kind, text};

use super::{each_line, unless_malformed};
use crate::args::GenerationArg;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

use read::{Read, kind_of, read_line};

const EXAMPLES: &str = "\
Examples:
  $ echo 'tx_copy len=256 ring_id=1 first last buf_ptr=0x20000c0040' | sb2sb bd
  <stdin>:1: read side of a plain copy: 0x0d000100 0x01080003 0x000c0040 0x00000020
    tx_copy len=256 ring_id=1 first last buf_ptr=0x20000c0040
    word  bits   field                   value               meaning
       0  15:0   len                     256
       0  21:16  netag0_meta             0x0
       0  23     meta                    0
       0  25:24  ring_id                 1
       0  26     first                   1
       0  27     last                    1
       0  28     int_en                  0
       0  29     no_snoop                0
       0  30     dmb                     0
       0  31     concat                  0
       1  0      is_last_block           1
       1  1      is_first_block          1
       1  5:3    cached_crc_iv_index     0
       1  6      result_byte_swap        0
       1  7      result_bit_swap         0
       1  8      intermediate_byte_swap  0
       1  9      intermediate_bit_swap   0
       1  10     source_byte_swap        0
       1  11     source_bit_swap         0
       1  12     init_byte_swap          0
       1  13     init_bit_swap           0
       1  14     validate_crc            0
       1  15     use_stored_crc_iv       0
       1  16     send_crc                0
       1  17     store_crc_result        0
       1  18     store_source_crc        0
       1  19     copy_src_data           1
       1  22:20  optype                  0                   COPY
       1  25:23  op                      2                   CME
       1  26     write_barrier           0
       1  28     notification_mask       0
       1  31:29  arg                     0
       2  63:0   buf_ptr                 0x20000c0040        read from TPB_0.STATE_BUF[3]+0x40

  $ echo 'rx len=4 ring_id=1 sow buf1_ptr=0x2802701850' | sb2sb bd --to hex
  04000021000000005018700228000000

  $ echo '0x21000004 0 0x02701850 0x28' | sb2sb bd --kind rx --to text
  rx len=4 ring_id=1 sow buf1_ptr=0x2802701850

A line is text (a kind, then fields), 32 hex digits in memory order, four words as numbers (the first with 0x), or a
JSON object as --to json prints it. `#` starts a comment. Text names its kind; for hex and words --kind does.

Exit codes: 0, or 2 when a line is no descriptor.";

/// What the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// Read side, M2S
    Tx,
    /// Write side, S2M
    Rx,
    /// Written by the engine
    Completion,
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum To {
    /// Every field with its bits and meaning
    Table,
    /// 32 digits in memory order
    Hex,
    /// JSON Lines
    Json,
    /// A kind and its fields
    Text,
}

/// Options of `bd`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    generation: GenerationArg,
    /// What hex digits and words stand for
    #[arg(long, value_name = "KIND", default_value = "tx")]
    kind: KindArg,
    /// How the answer is written
    #[arg(long, value_name = "FORM", default_value = "table")]
    to: To,
    /// Add words 0 and 1 in the mirrored bit order of one source to the table
    #[arg(long)]
    as_printed: bool,
    /// Files with descriptors, one a line; none, or -, is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if args.as_printed && args.to != To::Table {
        return Err(Failure::Usage("--as-printed is for --to table".to_owned()));
    }
    let mut answers = Answers {
        args,
        text: String::new(),
        index: 0,
    };
    let malformed = each_line(&args.files, console, |file, number, line, outputs| {
        if let Some(read) = read_line(&String::from_utf8_lossy(line))? {
            answers.write(&format!("{file}:{number}"), read);
            outputs.print_bytes(answers.text.as_bytes())?;
        }
        Ok(())
    })?;
    Ok(unless_malformed(malformed))
}

/// What is asked, and the last answer.
struct Answers<'e> {
    args: &'e Args,
    text: String,
    index: u64,
}

impl Answers<'_> {
    fn write(&mut self, place: &str, read: Read) {
        let descriptor = read.descriptor;
        let kind = match (read.layout, self.args.kind) {
            (Some(layout), _) => kind_of(layout),
            (None, KindArg::Tx) => Kind::Tx,
            (None, KindArg::Rx) => Kind::Rx,
            (None, KindArg::Completion) => Kind::Completion,
        };
        let layout = descriptor.layout(kind);
        self.text.clear();
        match self.args.to {
            To::Hex => self.text = write::hex(&descriptor) + "\n",
            To::Text => self.text = text::format(&descriptor, layout) + "\n",
            To::Json => write::json(&mut self.text, self.index, &descriptor, layout),
            To::Table => {
                if self.index > 0 {
                    self.text.push('\n');
                }
                write::table(
                    &mut self.text,
                    place,
                    &descriptor,
                    layout,
                    kind,
                    self.args.generation.generation,
                );
                if self.args.as_printed {
                    write::as_printed(&mut self.text, &descriptor);
                }
            }
        }
        self.index += 1;
    }
}
