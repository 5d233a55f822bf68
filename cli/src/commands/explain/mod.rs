// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb explain`: what a leg consists of, down to its descriptors.

mod answer;
mod prose;

use std::path::{Path, PathBuf};

use pool_model::choices::Choices;
use pool_model::isa::input::{format_hex, parse_hex_line};
use pool_model::isa::{NUM_ADDR_REGISTERS, WordBytes};
use pool_model::pool::context::LegContext;
use pool_model::pool::q7::Site;
use pool_model::soc::ChipId;
use pool_model::transaction::CoreId;

use super::{each_batch, unless_malformed};
use crate::args::{GenerationArg, InputFormat, OutputFormat};
use crate::console::{Console, Outputs};
use crate::exit::Exit;
use crate::failure::Failure;
use answer::Answer;

const EXAMPLES: &str = "\
Examples:
  $ echo 'sb2sb dtype=bfloat16 src=0x0[64] dst=0x1000[64] update=sem_inc_complete[5]' | sb2sb explain --input asm
  word 0 (<stdin>:1) on v3, core 0
    sb2sb dtype=bfloat16 src=0x0[64] dst=0x1000[64] update=sem_inc_complete[5]
    waits      for nothing
    pre-sync   tells core 1 by +1 on its semaphore 254, waits for semaphore 254 >= 1 and takes 1; each only if core 1 runs a program
    moves      128 bytes of each of 128 partitions, from partition 0 of core 0 to partition 0 of core 1: 16384 bytes
    pieces     1 of each partition: 0x0 -> 0x1000, 128 bytes
    reads      semaphore 252 of core 0: +1 by each of 4 engines when its reads are done
    writes     semaphore 253 of core 1: +1 by each of 4 engines when its writes are done
    updates    semaphore 5: +1 at COMPLETE, when every engine has completed all its descriptors
    engine  partitions  pairs  first M2S slot  first S2M slot
         0          32     34  0x2040000000    0x2040002000
         1          32     34  0x2040004000    0x2040006000
         2          32     34  0x2040008000    0x204000a000
         3          32     34  0x204000c000    0x204000e000
    address            before the fold     in the descriptor
    source             0x0000002000000000  0x0000002000000000
    destination        0x0000003000001000  0x0000003000001000
    local semaphore    0x0000002802701bf0  0x0000002802701bf0
    remote semaphore   0x0000003802701bf4  0x0000003802701bf4
    constant 1         0x0000009000000004  0x0000009000000004
    doorbell  address             through     value       engines
    S2M       0x00000010020a1038  0x070a1038  0xfff00022  0xf
    M2S       0x0000001002081038  0x07081038  0xfff00022  0xf
    window  32-bit      SoC                 bytes
         0  0x07000000  0x0000001002000000  0x1000000
         1  0x09000000  0x0000002040000000  0x1000000

  $ sb2sb explain --context leg_ring_len=34 copy.s | tail -n 1
    faults     RingTooSmall: engine 0 gets 34 descriptors; a ring of 34 takes at most 33

Exit codes: 0 every word is a leg that runs, 1 one is invalid, faults, or is no leg, 2 something is no word.";

/// Options of `explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    generation: GenerationArg,
    /// Core that executes the word
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u8).range(0..8))]
    core: u8,
    /// Its chip
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u8).range(0..64))]
    chip: u8,
    /// The strap of the neighbor fold
    #[arg(long, value_name = "0|1", default_value = "1", value_parser = clap::value_parser!(u8).range(0..2))]
    nbr_en: u8,
    /// A register of the leg context, such as `leg_dma_engine_mask=0x3`
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_pair)]
    context: Vec<(String, u32)>,
    /// An address register of the engine, such as 5=0x400
    #[arg(long, value_name = "N=VALUE", value_parser = parse_pair)]
    register: Vec<(String, u32)>,
    /// Add every pair of descriptors
    #[arg(long)]
    descriptors: bool,
    /// How the answer is written
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
    /// How the words are written down
    #[arg(short, long, value_name = "FORMAT", default_value = "auto")]
    input: InputFormat,
    /// Words as 128 hex digits, and files with words; none, or -, is standard input
    #[arg(value_name = "WORD|FILE")]
    words: Vec<PathBuf>,
}

fn parse_pair(text: &str) -> Result<(String, u32), String> {
    let wrong = || "expected NAME=VALUE with a 32-bit number, such as leg_ring_len=64".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let digits = value.replace('_', "");
    let number = match digits.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    Ok((name.to_owned(), number.map_err(|_| wrong())?))
}

/// What every word of a run is explained with.
struct Setting {
    site: Site,
    registers: [u32; NUM_ADDR_REGISTERS as usize],
    context: LegContext,
    choices: Choices,
}

impl Setting {
    fn of(args: &Args) -> Result<Self, Failure> {
        let usage = |text: String| Failure::Usage(text);
        let core = CoreId::new(args.core).map_err(|error| usage(error.to_string()))?;
        let mut context = LegContext::reset(core);
        for (name, value) in &args.context {
            *context
                .named(name)
                .map_err(|error| usage(format!("--context: {error}")))? = *value;
        }
        let mut registers = [0; NUM_ADDR_REGISTERS as usize];
        for (name, value) in &args.register {
            let register = name
                .parse()
                .ok()
                .and_then(|number: usize| registers.get_mut(number));
            *register.ok_or_else(|| {
                usage(format!(
                    "--register: no register is called `{}`; expected 0 to {}",
                    name.escape_debug(),
                    NUM_ADDR_REGISTERS - 1
                ))
            })? = *value;
        }
        Ok(Self {
            site: Site {
                chip: ChipId::wrapping(args.chip),
                nbr_en: args.nbr_en == 1,
                ..Site::new(args.generation.generation, core)
            },
            registers,
            context,
            choices: Choices::default(),
        })
    }
}

/// A word that stands on the command line itself.
fn word_of(argument: &Path) -> Option<WordBytes> {
    let text = argument.to_str()?;
    parse_hex_line(text).ok().flatten()
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let setting = Setting::of(args)?;
    let mut explained = Explained {
        args,
        setting,
        index: 0,
        all_run: true,
    };
    let mut malformed = false;
    let mut files: Vec<PathBuf> = Vec::new();
    for argument in &args.words {
        let Some(word) = word_of(argument) else {
            files.push(argument.clone());
            continue;
        };
        malformed |= explained.files(&mut files, console)?;
        explained.word(&word, "command line", &mut console.split().1)?;
    }
    if !files.is_empty() || args.words.is_empty() {
        malformed |= explained.files(&mut files, console)?;
    }
    Ok(match (malformed, explained.all_run) {
        (true, _) => unless_malformed(true),
        (false, true) => Exit::Success,
        (false, false) => Exit::No,
    })
}

struct Explained<'a> {
    args: &'a Args,
    setting: Setting,
    index: u64,
    all_run: bool,
}

impl Explained<'_> {
    /// The words of the files gathered so far; standard input if there are none and nothing came before.
    fn files(
        &mut self,
        files: &mut Vec<PathBuf>,
        console: &mut Console<'_>,
    ) -> Result<bool, Failure> {
        if files.is_empty() && !self.args.words.is_empty() {
            return Ok(false);
        }
        let files = std::mem::take(files);
        each_batch(&files, self.args.input, console, |batch, outputs| {
            for (position, word) in batch.words.iter().enumerate() {
                self.word(word, &batch.place(position), outputs)?;
            }
            Ok(())
        })
    }

    fn word(
        &mut self,
        word: &WordBytes,
        place: &str,
        outputs: &mut Outputs<'_, '_>,
    ) -> Result<(), Failure> {
        let answer = Answer::of(word, &self.setting, self.args.descriptors);
        self.all_run &= answer.runs();
        let text = match self.args.format {
            OutputFormat::Json => answer.json(self.index, &format_hex(word))?,
            OutputFormat::Text => {
                let gap = if self.index > 0 { "\n" } else { "" };
                format!(
                    "{gap}{}",
                    prose::text(self.index, place, word, &answer, &self.setting)
                )
            }
        };
        self.index += 1;
        outputs.print_bytes(text.as_bytes())
    }
}
