// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Co-simulation runs: seeded suites through model and RTL in lock-step, and the hunt for mutants.
//!
//! A run depends on its options alone: the same options give the same report, byte for byte, whatever the
//! number of jobs.

mod blocks;
mod mutants;
mod options;
mod prey;
mod report;
mod streams;
mod waves;
mod words;

pub use mutants::{
    Detection, Evidence, MUTANT_BUDGET, MutantOptions, MutantReport, MutantResult, hunt_mutants,
};
pub use options::{DEFAULT_BUDGET, DEFAULT_SEED, Options, UsageError};
pub use report::{BlockReport, CaseReport, Report};

use pool_model::generation::Generation;

use crate::lockstep::{AddrLockstep, EvtSemLockstep, RingLockstep, WindowLockstep};
use crate::suite::Suite;

/// Runs the suites that the options choose. Fails only on options that make no sense (exit code 2);
/// whatever happens during the run is in the report.
pub fn run(options: &Options) -> Result<Report, UsageError> {
    let plan = options.plan()?;
    let of = |suite| -> Vec<Generation> {
        let cases = plan.iter().filter(|case| case.suite == suite);
        cases.map(|case| case.generation).collect()
    };
    let mut words = Vec::new();
    let mut blocks = Vec::new();
    for suite in Suite::ALL {
        let generations = of(suite);
        if generations.is_empty() {
            continue;
        }
        match (suite, options.word) {
            (Suite::Words, Some(word)) => words = words::single(options, &generations, word),
            (Suite::Words, None) => words = words::stream(options, &generations),
            (Suite::Addr, _) => blocks.extend(streams::run::<AddrLockstep>(options, &generations)),
            (Suite::Window, _) => {
                blocks.extend(streams::run::<WindowLockstep>(options, &generations));
            }
            (Suite::EvtSem, _) => {
                blocks.extend(streams::run::<EvtSemLockstep>(options, &generations));
            }
            (Suite::Ring, _) => blocks.extend(streams::run::<RingLockstep>(options, &generations)),
        }
    }
    Ok(Report::new(options, words, blocks))
}
