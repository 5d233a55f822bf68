// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The command line: commands, and the options that several of them share.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use pool_model::generation::{Generation, NcVersion};

use crate::commands::{
    addr, asm, bd, choices, completions, cosim, decode, disasm, encode, explain, man, map, mutants,
    run, transfers, validate,
};

const EXIT_CODES: &str = "\
Exit codes:
  0  success; the answer is yes
  1  the answer is no: invalid word, failed expectation, unexpected fault
  2  bad usage, unreadable input, or a device that this build does not have
  3  hang
  4  the device stopped by itself
  5  a file, a tool or a launcher failed

`sb2sb help COMMAND` shows options and examples.";

/// Executable reference of the SB2SB collective instruction (opcode 0xBF).
///
/// Checks, translates and runs 0xBF words as the hardware does, and says which rule decides.
#[derive(Debug, Parser)]
#[command(
    name = "sb2sb",
    version,
    after_help = EXIT_CODES,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say which words are legal, and which rules the others break
    ///
    /// Text output has one line for each invalid word: where it stands, its number in the stream, and
    /// the predicates that it fails, the first one first. The last line is a summary.
    /// `sb2sb decode` explains the failures.
    Validate(validate::Args),
    /// Show every field of words, what it means, and why a word is invalid
    ///
    /// Text output is a table: bytes, field, raw value, meaning. Below it stand the broken rules, each
    /// with the offending value, the first legal one and the section of the specification, then notes:
    /// remarks, and faults that a legal word runs into when it executes. JSON output has the raw
    /// numbers, which `sb2sb encode` reads.
    Decode(decode::Args),
    /// Turn decoded fields (JSON Lines) back into words
    ///
    /// Reads what `sb2sb decode --format json` prints and writes hex lines. Every field must be there,
    /// with raw numbers. `index` and `text` are ignored, and so are unknown keys, with a warning.
    Encode(encode::Args),
    /// Turn assembly text into words
    ///
    /// One word a line, as `sb2sb disasm` prints them; `#` starts a comment. Writes hex lines.
    Asm(asm::Args),
    /// Turn words into assembly text
    ///
    /// Every word has a text, also an invalid one, and `sb2sb asm` makes the same 64 bytes of it.
    Disasm(disasm::Args),
    /// Run a scenario or a program, and say whether everything is as expected
    ///
    /// Prints three lines about the run and a verdict: PASS, FAIL or HANG. A scenario (.toml) names its
    /// cores, programs, memory contents and expectations; a file with words is the program of core 0 of
    /// the pair 0, 1, and is expected to finish.
    Run(run::Args),
    /// Hold the model and the RTL against each other, word by word (feature `rtl`)
    ///
    /// Runs seeded near-valid words through both and stops at the first difference, with a report that
    /// says how to repeat it. The same options give the same report.
    Cosim(cosim::Args),
    /// Find out whether `cosim` notices deliberate faults of the RTL (feature `rtl`)
    ///
    /// Hunts every fault of hdl/mutants.toml; one that survives means that the words are too weak.
    Mutants(mutants::Args),
    /// Say what SoC addresses mean, where they lead and what is there; or make one
    ///
    /// Text output shows the bits of each field, the route from the chip and die that make the access, the
    /// regions around the address down to the register, and what a read and a write do.
    Addr(addr::Args),
    /// Print the map of the chip: regions with their bases and sizes
    Map(map::Args),
    /// Show, build and translate buffer descriptors of the DMA engine
    ///
    /// Reads text, JSON, hex digits or words, one descriptor a line, and writes any of them. Text output is
    /// the fields with their bits and meaning, and remarks with the section of the specification.
    Bd(bd::Args),
    /// Carry out a list of copies with the DMA engines, and check memory byte for byte
    ///
    /// Makes rings, register writes and doorbells of the list, runs them, and compares every byte that a
    /// transfer touches, and those around it, with what copying one after the other gives.
    Transfers(transfers::Args),
    /// Tell what a leg does: waits, bytes, engines, addresses, increments
    ///
    /// Plans 0xBF words, and the generator words of 0xF0, as the Q7 cores do, from the word, the leg context and the
    /// address registers; the rings are empty. Text output is prose and tables; a word that cannot run shows the
    /// first check that fails.
    Explain(explain::Args),
    /// List the model choices: what the model does where the hardware is not known
    ///
    /// Each with its key, the value in force, its section of the specification and its confidence.
    Choices(choices::Args),
    /// Print the completion script of a shell
    Completions(completions::Args),
    /// Print the manual pages, or write them into a folder
    Man(man::Args),
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people
    Text,
    /// JSON Lines
    Json,
}

/// How words are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputFormat {
    /// By the ending of the file name: .hex, .bin or .s; standard input is hex
    Auto,
    /// One word a line, 128 hex digits in memory order
    Hex,
    /// Records of 64 bytes
    Bin,
    /// Assembly text, one word a line
    Asm,
}

/// The generation option.
#[derive(Clone, Copy, Debug, Args)]
pub struct GenerationArg {
    /// Hardware generation; code names (cayman, maverick, …) are understood too
    #[arg(
        short,
        long,
        value_name = "G",
        default_value = Generation::V3.name(),
        value_parser = generations(),
    )]
    pub generation: Generation,
}

/// The words to read.
#[derive(Debug, Args)]
pub struct WordArgs {
    /// How the words are written down
    #[arg(short, long, value_name = "FORMAT", default_value = "auto")]
    pub input: InputFormat,
    /// Files with words, read as one stream; none, or -, is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `v2` to `v5`; code names are aliases.
pub fn generations() -> impl TypedValueParser<Value = Generation> {
    let values = Generation::ALL
        .map(|generation| PossibleValue::new(generation.name()).alias(generation.code_name()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Generation>())
}

/// `V2` to `V5`, in either case.
pub fn nc_versions() -> impl TypedValueParser<Value = NcVersion> {
    PossibleValuesParser::new(["V2", "V3", "V4", "V5"].map(|name| {
        PossibleValue::new(name).alias(match name {
            "V2" => "v2",
            "V3" => "v3",
            "V4" => "v4",
            _ => "v5",
        })
    }))
    .try_map(|name| name.parse::<NcVersion>())
}
