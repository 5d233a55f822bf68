// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb cosim`: the model and the verilated RTL in lock-step.

#[cfg(feature = "rtl")]
mod rtl;

use std::num::NonZeroUsize;

use clap::ValueEnum;
use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::WordBytes;
use pool_model::isa::input::parse_hex_line;

use crate::args::{OutputFormat, generations, nc_versions};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  sb2sb cosim
  sb2sb cosim --seed 7 --budget 5000000 --generation v5
  sb2sb cosim --suite evt_sem --suite window --budget 1000000
  sb2sb cosim --filter v4 --jobs 1 --format json

The RTL comes with the feature `rtl`, which needs Verilator and a C++ compiler; `make cosim` builds it.

Exit codes: 0 both sides agree, 1 they differ, 2 bad usage or a build without the RTL, 3 a hang, \
4 the RTL stopped by itself, 5 infrastructure.";

/// A kind of stimulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SuiteName {
    /// Near-valid words through decoder and validator
    Words,
    /// SoC addresses through the address decoder
    Addr,
    /// Register traffic and lookups of the window block
    Window,
    /// Bus, control port, engines and commands of the semaphore block
    #[value(name = "evt_sem")]
    EvtSem,
    /// Register traffic, rings, faults and stalls of the DMA engines
    Ring,
}

/// Options of `cosim`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Suites to run, all unless named; may be repeated
    #[arg(long, value_name = "SUITE")]
    suite: Vec<SuiteName>,
    /// Everything random follows from it [default: the same for every run]
    #[arg(long, value_name = "N", value_parser = parse_number)]
    seed: Option<u64>,
    /// Words, addresses or cycles of each case [default: 200000]
    #[arg(long, value_name = "COUNT", value_parser = parse_number)]
    budget: Option<u64>,
    /// Generations to run, all unless named; may be repeated
    #[arg(short, long, value_name = "G", value_parser = generations())]
    generation: Vec<Generation>,
    /// Version argument of the validator, for every word
    #[arg(long, value_name = "V", value_parser = nc_versions(), ignore_case = true)]
    nc: Option<NcVersion>,
    /// Run only cases whose name, such as words/v3 or window, contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Threads; the report does not depend on it [default: one a processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Run this word alone, 128 hex digits: the replay of a report
    #[arg(long, value_name = "HEX", value_parser = parse_word)]
    word: Option<WordBytes>,
    /// Run the other suites from the last reset before this operation up to it: the replay of a report
    #[arg(long, value_name = "N", value_parser = parse_number, conflicts_with = "word")]
    operation: Option<u64>,
    /// Run the RTL with this deliberate fault; `sb2sb mutants` lists them
    #[arg(long, value_name = "ID")]
    mutant: Option<u16>,
    /// How the report is written
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
}

/// Decimal, or hexadecimal after `0x`; `_` may group the digits.
pub fn parse_number(text: &str) -> Result<u64, String> {
    let digits = text.replace('_', "");
    let parsed = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    parsed.map_err(|_| {
        format!(
            "expected a number from 0 to {}, decimal or 0x hexadecimal",
            u64::MAX
        )
    })
}

fn parse_word(text: &str) -> Result<WordBytes, String> {
    match parse_hex_line(text) {
        Ok(Some(word)) => Ok(word),
        Ok(None) => Err("expected 128 hex digits, found none".to_owned()),
        Err((column, kind)) => Err(format!("column {column}: {kind}")),
    }
}

/// Runs the command.
#[cfg(feature = "rtl")]
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    rtl::run(args, console)
}

/// Says what a build without the RTL lacks.
#[cfg(not(feature = "rtl"))]
pub fn run(_: &Args, _: &mut Console<'_>) -> Result<Exit, Failure> {
    Err(no_rtl("cosim"))
}

/// The refusal of a command that needs the RTL.
#[cfg(not(feature = "rtl"))]
pub fn no_rtl(command: &str) -> Failure {
    Failure::Usage(format!(
        "`sb2sb {command}` needs the RTL, which this build does not have; \
         `make {command}` builds it and runs this, `cargo build -p sb2sb-cli --features rtl` builds it"
    ))
}
