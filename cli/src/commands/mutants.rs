// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb mutants`: would the co-simulation notice?

use super::cosim::parse_number;
use crate::args::OutputFormat;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  sb2sb mutants
  sb2sb mutants --filter dtype --budget 100000

The RTL comes with the feature `rtl`, which needs Verilator and a C++ compiler; `make mutants` builds it.

Exit codes: 0 every deliberate fault was found, 1 one survived, 2 bad usage or a build without the RTL, \
4 the RTL stopped by itself, 5 infrastructure.";

/// Options of `mutants`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Everything random follows from it [default: that of `cosim`]
    #[arg(long, value_name = "N", value_parser = parse_number)]
    seed: Option<u64>,
    /// Words, addresses or cycles of each generation within which a fault must show [default: 20000]
    #[arg(long, value_name = "COUNT", value_parser = parse_number)]
    budget: Option<u64>,
    /// Hunt only faults whose name contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// How the report is written
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
}

/// Runs the command.
#[cfg(feature = "rtl")]
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    use rtl_bridge::cosim::{MutantOptions, hunt_mutants};

    let defaults = MutantOptions::default();
    let options = MutantOptions {
        seed: args.seed.unwrap_or(defaults.seed),
        budget: args.budget.unwrap_or(defaults.budget),
        filter: args.filter.clone(),
    };
    let report = hunt_mutants(&options).map_err(|error| Failure::Usage(error.to_string()))?;
    match args.format {
        OutputFormat::Text => console.print(format_args!("{report}"))?,
        OutputFormat::Json => console.print(format_args!("{}", report.json_lines()))?,
    }
    Ok(Exit::from_code(report.exit_code()))
}

/// Says what a build without the RTL lacks.
#[cfg(not(feature = "rtl"))]
pub fn run(_: &Args, _: &mut Console<'_>) -> Result<Exit, Failure> {
    Err(super::cosim::no_rtl("mutants"))
}
