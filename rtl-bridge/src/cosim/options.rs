// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a co-simulation run can be told.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread;

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::WordBytes;

use crate::mutants::MutantId;

/// Seed of a run that names none.
pub const DEFAULT_SEED: u64 = 0x5B2_5B00_00BF;

/// Words per generation of a run that names no budget.
pub const DEFAULT_BUDGET: u64 = 200_000;

/// A kind of stimulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suite {
    /// Near-valid instruction words through decoder and validator.
    Words,
}

impl Suite {
    /// All suites, in the order in which they run.
    pub const ALL: [Self; 1] = [Self::Words];

    /// The name that commands use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
        }
    }
}

/// A suite name that is not one of [`Suite::ALL`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown suite `{0}`; expected {names}", names = Suite::ALL.map(Suite::name).join(", "))]
pub struct UnknownSuite(pub String);

impl FromStr for Suite {
    type Err = UnknownSuite;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|suite| suite.name() == text)
            .ok_or_else(|| UnknownSuite(text.to_owned()))
    }
}

/// Options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Suites to run.
    pub suites: Vec<Suite>,
    /// Everything random follows from it.
    pub seed: u64,
    /// Words per generation.
    pub budget: u64,
    /// Generations to run; their order does not matter.
    pub generations: Vec<Generation>,
    /// Version argument for every word. Without it, a stream's words bring their own (nearly always that of
    /// the generation), and a single word gets that of the generation.
    pub nc: Option<NcVersion>,
    /// Threads, each with an RTL instance of its own. Does not change the report.
    pub jobs: NonZeroUsize,
    /// Runs only cases whose name (`words/v3`) contains this.
    pub filter: Option<String>,
    /// Runs this word alone instead of the stream: the replay of a report.
    pub word: Option<WordBytes>,
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

/// The cases of a run.
pub(crate) struct Plan {
    pub(crate) generations: Vec<Generation>,
}

/// The name of a case of the `words` suite.
pub(crate) fn case_name(generation: Generation) -> String {
    format!("{}/{generation}", Suite::Words.name())
}

impl Options {
    pub(crate) fn plan(&self) -> Result<Plan, UsageError> {
        if self.budget == 0 {
            return Err(UsageError::NoBudget);
        }
        let filter = self.filter.as_deref().unwrap_or_default();
        let named: Vec<_> = Generation::ALL
            .into_iter()
            .filter(|g| self.suites.contains(&Suite::Words) && self.generations.contains(g))
            .collect();
        let generations: Vec<_> = named
            .iter()
            .copied()
            .filter(|&generation| case_name(generation).contains(filter))
            .collect();
        if generations.is_empty() {
            let cases: Vec<_> = named.into_iter().map(case_name).collect();
            return Err(UsageError::NothingChosen {
                filter: filter.to_owned(),
                cases: cases.join(", "),
            });
        }
        Ok(Plan { generations })
    }
}
