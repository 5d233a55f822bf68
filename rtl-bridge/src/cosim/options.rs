// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a co-simulation run can be told.

use std::num::NonZeroUsize;
use std::thread;

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::WordBytes;

use super::streams::named;
use crate::lockstep::{
    AddrLockstep, BlockLockstep, EvtSemLockstep, RingLockstep, WindowLockstep, block_case_name,
};
use crate::mutants::MutantId;
use crate::suite::Suite;

/// Seed of a run that names none.
pub const DEFAULT_SEED: u64 = 0x5B2_5B00_00BF;

/// Operations per generation of a run that names no budget.
pub const DEFAULT_BUDGET: u64 = 200_000;

/// Options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Suites to run.
    pub suites: Vec<Suite>,
    /// Everything random follows from it.
    pub seed: u64,
    /// Words, addresses or cycles of each case.
    pub budget: u64,
    /// Generations to run; their order does not matter.
    pub generations: Vec<Generation>,
    /// Version argument for every word. Without it, a stream's words bring their own (nearly always that of
    /// the generation), and a single word gets that of the generation.
    pub nc: Option<NcVersion>,
    /// Threads, each with an RTL instance of its own. Does not change the report.
    pub jobs: NonZeroUsize,
    /// Runs only cases whose name (`words/v3`, `window`) contains this.
    pub filter: Option<String>,
    /// Runs this word alone instead of all streams: the replay of a report.
    pub word: Option<WordBytes>,
    /// Runs the suites of the address, window and semaphore blocks from the last reset before this operation of
    /// their streams up to it, and no words: the replay of a report.
    pub operation: Option<u64>,
    /// Runs the instrumented copy with this mutant instead of the design as it is.
    pub mutant: Option<MutantId>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            suites: Suite::ALL.to_vec(),
            seed: DEFAULT_SEED,
            budget: DEFAULT_BUDGET,
            generations: Generation::ALL.to_vec(),
            nc: None,
            jobs: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            filter: None,
            word: None,
            operation: None,
            mutant: None,
        }
    }
}

/// Options that make no sense: bad usage, exit code 2.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UsageError {
    /// A run without a word would agree with everything.
    #[error("a budget of 0 words checks nothing; expected at least 1")]
    NoBudget,
    /// Nothing was chosen, so nothing would be checked.
    #[error("no case is chosen: the filter `{filter}` fits none of {cases}")]
    NothingChosen {
        /// The filter, or nothing.
        filter: String,
        /// The cases that there are without it.
        cases: String,
    },
}

impl UsageError {
    /// The exit code of a command that ends so.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        2
    }
}

/// A case of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlannedCase {
    pub(crate) suite: Suite,
    pub(crate) generation: Generation,
}

impl PlannedCase {
    fn name(self) -> String {
        let generation = match self.suite {
            Suite::Words => Some(self.generation),
            Suite::Addr => named::<AddrLockstep>(self.generation),
            Suite::Window => named::<WindowLockstep>(self.generation),
            Suite::EvtSem => named::<EvtSemLockstep>(self.generation),
            Suite::Ring => named::<RingLockstep>(self.generation),
        };
        block_case_name(self.suite, generation)
    }
}

/// The name of a case of the `words` suite.
pub(crate) fn case_name(generation: Generation) -> String {
    block_case_name(Suite::Words, Some(generation))
}

/// The generations on which a suite has a case.
pub(crate) fn generations_of(suite: Suite) -> &'static [Generation] {
    match suite {
        Suite::Words => &Generation::ALL,
        Suite::Addr => AddrLockstep::GENERATIONS,
        Suite::Window => WindowLockstep::GENERATIONS,
        Suite::EvtSem => EvtSemLockstep::GENERATIONS,
        Suite::Ring => RingLockstep::GENERATIONS,
    }
}

impl Options {
    /// The cases, in the order of the suites and then of the generations.
    pub(crate) fn plan(&self) -> Result<Vec<PlannedCase>, UsageError> {
        if self.budget == 0 {
            return Err(UsageError::NoBudget);
        }
        let filter = self.filter.as_deref().unwrap_or_default();
        let mut all = Vec::new();
        for suite in Suite::ALL {
            let replayed = match (self.word, self.operation) {
                (Some(_), _) => suite == Suite::Words,
                (None, Some(_)) => suite != Suite::Words,
                (None, None) => true,
            };
            if !replayed || !self.suites.contains(&suite) {
                continue;
            }
            // A block that is the same on all generations runs whichever are named.
            let anyway = generations_of(suite).len() == 1 && !self.generations.is_empty();
            for &generation in generations_of(suite) {
                if anyway || self.generations.contains(&generation) {
                    all.push(PlannedCase { suite, generation });
                }
            }
        }
        let chosen: Vec<_> = all
            .iter()
            .copied()
            .filter(|case| case.name().contains(filter))
            .collect();
        if chosen.is_empty() {
            let names: Vec<_> = all.into_iter().map(PlannedCase::name).collect();
            return Err(UsageError::NothingChosen {
                filter: filter.to_owned(),
                cases: names.join(", "),
            });
        }
        Ok(chosen)
    }
}
