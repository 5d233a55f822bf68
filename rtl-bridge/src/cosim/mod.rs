// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Co-simulation runs: seeded suites through model and RTL in lock-step, and the hunt for mutants.
//!
//! A run depends on its options alone: the same options give the same report, byte for byte, whatever the
//! number of jobs.

mod blocks;
mod mutants;
mod options;
mod report;
mod words;

pub use mutants::{
    Detection, Evidence, MUTANT_BUDGET, MutantOptions, MutantReport, MutantResult, hunt_mutants,
};
pub use options::{DEFAULT_BUDGET, DEFAULT_SEED, Options, Suite, UnknownSuite, UsageError};
pub use report::{CaseReport, Report};

use crate::cosim::options::Plan;

/// Runs the suites that the options choose. Fails only on options that make no sense (exit code 2);
/// whatever happens during the run is in the report.
pub fn run(options: &Options) -> Result<Report, UsageError> {
    let Plan { generations } = options.plan()?;
    let cases = match options.word {
        Some(word) => words::single(options, &generations, word),
        None => words::stream(options, &generations),
    };
    Ok(Report::new(options, cases))
}
