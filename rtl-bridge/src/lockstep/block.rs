// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the lock-steps of the address, window and semaphore blocks have in common: runs that begin with a reset,
//! what they exercise, and the report of a difference.

use std::fmt;

use pool_model::generation::Generation;
use serde_json::{Map, Value, json};

use super::divergence::{FieldPair, write_pairs};
use crate::error::RtlError;
use crate::mutants::MutantId;
use crate::stimulus::Choices;
use crate::suite::Suite;

/// Which copy of the RTL runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// The design as it is.
    Plain,
    /// The instrumented copy, with a mutant or none.
    Instrumented(Option<MutantId>),
}

/// Model and RTL of one block in lock-step. Creating one is expensive, using it again is not.
pub trait BlockLockstep: Sized + Send {
    /// The suite that it runs.
    const SUITE: Suite;
    /// What is counted; a count of 0 after a long run means that the run says nothing about it.
    const COUNTERS: &'static [&'static str];
    /// The generations whose rules differ for the block; one stands for all where they do not.
    const GENERATIONS: &'static [Generation];
    /// Operations of a run in a stream.
    const EPISODE: u64;
    /// How many operations of a budget one operation costs: a long run takes about as long in every suite.
    const COST: u64 = 1;
    /// The stimuli of one run from reset.
    type Episode;

    /// Holds the model against a copy of the RTL.
    fn new(design: Design) -> Result<Self, RtlError>;

    /// Chooses another mutant. Fails on the design as it is.
    fn set_mutant(&mut self, mutant: Option<MutantId>) -> Result<(), RtlError>;

    /// Whether a fault has ended the RTL instance for good.
    fn is_dead(&self) -> bool;

    /// Makes a run of `length` operations, of which the first has number `first` in its stream. A shorter run is
    /// the beginning of a longer one.
    fn episode(
        &mut self,
        generation: Generation,
        first: u64,
        length: usize,
        choices: &mut impl Choices,
    ) -> Self::Episode;

    /// Compares every output after every operation until the first difference. A device fault names the
    /// operation in its `item`.
    fn run(&mut self, episode: &Self::Episode) -> Result<BlockRun, RtlError>;

    /// An operation in words.
    fn describe(episode: &Self::Episode, position: usize) -> String;
}

/// What a run exercised, by the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockTally {
    /// Operations compared.
    pub operations: u64,
    /// One count for each of [`BlockLockstep::COUNTERS`]; empty before the first run is added.
    pub counts: Vec<u64>,
}

impl BlockTally {
    /// Adds another run.
    pub fn add(&mut self, other: &Self) {
        self.operations += other.operations;
        self.counts
            .resize(self.counts.len().max(other.counts.len()), 0);
        for (to, from) in self.counts.iter_mut().zip(&other.counts) {
            *to += from;
        }
    }
}

/// The first operation of a run on which the sides disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockDifference {
    /// Its position in the run.
    pub position: usize,
    /// Both sides' outputs; those that say nothing are left out.
    pub pairs: Vec<FieldPair>,
    /// The last operations of whoever the differing outputs belong to, oldest first.
    pub history: Vec<String>,
}

/// How a run ended, with what it exercised up to its end, a differing operation included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockRun {
    /// The first difference, if there is one.
    pub difference: Option<BlockDifference>,
    /// What was exercised.
    pub tally: BlockTally,
}

/// One operation of a run, and all that is needed to look at it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockCase {
    /// The suite.
    pub suite: Suite,
    /// The generation, where it matters.
    pub generation: Option<Generation>,
    /// The seed of the run.
    pub seed: u64,
    /// The operation's number in the stream of its case, from 0; `None` if there is no stream.
    pub index: Option<u64>,
    /// Its number since reset, from 0.
    pub position: u64,
    /// The mutant that was chosen, if the instrumented copy ran.
    pub mutant: Option<MutantId>,
    /// What it is, in words.
    pub operation: String,
}

/// The name of a case, as filters see it: `evt_sem/v5`, or `window` where generations do not matter.
#[must_use]
pub fn block_case_name(suite: Suite, generation: Option<Generation>) -> String {
    match generation {
        Some(generation) => format!("{}/{generation}", suite.name()),
        None => suite.name().to_owned(),
    }
}

impl BlockCase {
    /// The command that runs the case again from the last reset to this operation; none outside a stream.
    #[must_use]
    pub fn replay(&self) -> Option<String> {
        let index = self.index?;
        let generation = self.generation.map_or_else(String::new, |generation| {
            format!(" --generation {generation}")
        });
        let mutant = self
            .mutant
            .map_or_else(String::new, |id| format!(" --mutant {id}"));
        Some(format!(
            "sb2sb cosim --suite {}{generation} --seed {:#x}{mutant} --operation {index}",
            self.suite.name(),
            self.seed,
        ))
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "suite": self.suite.name(),
            "generation": self.generation.map(Generation::name),
            "seed": format!("{:#x}", self.seed),
            "index": self.index,
            "position": self.position,
            "mutant": self.mutant.map(MutantId::get),
            "operation": self.operation,
            "replay": self.replay(),
        })
    }
}

impl fmt::Display for BlockCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = self.suite.operation();
        write!(
            f,
            "{}, {noun} ",
            block_case_name(self.suite, self.generation)
        )?;
        match self.index {
            Some(index) => write!(
                f,
                "{index} ({} since reset), seed {:#x}",
                self.position, self.seed
            )?,
            None => write!(f, "{} since reset", self.position)?,
        }
        if let Some(id) = self.mutant {
            write!(f, ", mutant {id} `{}`", id.row().name)?;
        }
        for line in self.operation.lines() {
            write!(f, "\n  {line}")?;
        }
        Ok(())
    }
}

/// The first operation of a case on which the sides disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockDivergence {
    /// The operation.
    pub case: BlockCase,
    /// Both sides' outputs.
    pub pairs: Vec<FieldPair>,
    /// The last operations of whoever the differing outputs belong to, oldest first.
    pub history: Vec<String>,
    /// Whether a fresh RTL instance disagrees in the same way.
    pub reproduced: bool,
}

impl BlockDivergence {
    /// The report as one JSON object.
    #[must_use]
    pub fn json(&self) -> Value {
        let side = |of: fn(&FieldPair) -> &String| -> Value {
            let entries = self.pairs.iter().map(|p| (p.name.clone(), json!(of(p))));
            Value::Object(entries.collect::<Map<_, _>>())
        };
        let differs: Vec<_> = self.pairs.iter().filter(|p| p.differs()).collect();
        json!({
            "case": self.case.json(),
            "reproduced": self.reproduced,
            "differs": differs.iter().map(|p| &p.name).collect::<Vec<_>>(),
            "sections": differs.iter().map(|p| &p.section).collect::<Vec<_>>(),
            "model": side(|p| &p.model),
            "rtl": side(|p| &p.rtl),
            "history": self.history,
        })
    }
}

impl fmt::Display for BlockDivergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.case)?;
        write_pairs(f, &self.pairs)?;
        if !self.history.is_empty() {
            writeln!(f, "  last operations behind what differs:")?;
            for line in &self.history {
                writeln!(f, "    {line}")?;
            }
        }
        if !self.reproduced {
            writeln!(
                f,
                "  a fresh RTL instance agrees with the model on this run: \
                 the difference comes from state that a reset does not clear"
            )?;
        }
        match self.case.replay() {
            Some(replay) => write!(f, "  replay: {replay}"),
            None => Ok(()),
        }
    }
}

/// A pair, its values already text.
pub(super) fn pair(
    name: impl Into<String>,
    section: &str,
    model: impl fmt::Display + Copy,
    rtl: impl fmt::Display + Copy,
) -> FieldPair {
    FieldPair {
        name: name.into(),
        section: section.to_owned(),
        model: model.to_string(),
        rtl: rtl.to_string(),
    }
}

/// A pair of numbers in hexadecimal.
pub(super) fn hex_pair(
    name: impl Into<String>,
    section: &str,
    model: impl Into<u64>,
    rtl: impl Into<u64>,
) -> FieldPair {
    pair(
        name,
        section,
        &format!("{:#x}", model.into()),
        &format!("{:#x}", rtl.into()),
    )
}
