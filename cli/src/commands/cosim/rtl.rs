// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The work of `cosim` where there is RTL.

use rtl_bridge::Suite;
use rtl_bridge::cosim::{Options, run as cosim};
use rtl_bridge::mutants::{MutantId, table};

use super::{Args, SuiteName};
use crate::args::OutputFormat;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs the suites and prints the report.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let options = options(args)?;
    let report = cosim(&options).map_err(|error| Failure::Usage(error.to_string()))?;
    match args.format {
        OutputFormat::Text => console.print(format_args!("{report}"))?,
        OutputFormat::Json => console.print(format_args!("{}", report.json_lines()))?,
    }
    Ok(Exit::from_code(report.exit_code()))
}

fn options(args: &Args) -> Result<Options, Failure> {
    let defaults = Options::default();
    let mutant = args
        .mutant
        .map(|id| {
            MutantId::new(id).ok_or_else(|| {
                Failure::Usage(format!(
                    "no mutant has the number {id}; expected 1 to {}",
                    table().len()
                ))
            })
        })
        .transpose()?;
    let suites = args
        .suite
        .iter()
        .map(|name| match name {
            SuiteName::Words => Suite::Words,
            SuiteName::Addr => Suite::Addr,
            SuiteName::Window => Suite::Window,
            SuiteName::EvtSem => Suite::EvtSem,
            SuiteName::Ring => Suite::Ring,
        })
        .collect();
    Ok(Options {
        suites: or_default(suites, defaults.suites),
        seed: args.seed.unwrap_or(defaults.seed),
        budget: args.budget.unwrap_or(defaults.budget),
        generations: or_default(args.generation.clone(), defaults.generations),
        nc: args.nc,
        jobs: args.jobs.unwrap_or(defaults.jobs),
        filter: args.filter.clone(),
        word: args.word,
        operation: args.operation,
        mutant,
    })
}

fn or_default<T>(named: Vec<T>, default: Vec<T>) -> Vec<T> {
    if named.is_empty() { default } else { named }
}
