// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The report of a run, as text and as JSON Lines.

use std::fmt::{self, Write as _};
use std::iter;

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::Predicate;
use serde_json::{Map, Value, json};

use super::options::{Options, case_name};
use super::streams::{named, steps};
use crate::lockstep::{BlockLockstep, BlockTally, Outcome, Tally, block_case_name};
use crate::mutants::MutantId;
use crate::suite::Suite;

/// What came of one generation's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseReport {
    /// The generation.
    pub generation: Generation,
    /// What was exercised, up to and with the word that did not agree.
    pub tally: Tally,
    /// How it ended.
    pub outcome: Outcome,
}

impl CaseReport {
    pub(crate) fn new(generation: Generation, tally: Tally, outcome: Outcome) -> Self {
        Self {
            generation,
            tally,
            outcome,
        }
    }

    /// The name of the case, as filters see it: `words/v3`.
    #[must_use]
    pub fn name(&self) -> String {
        case_name(self.generation)
    }

    fn json(&self) -> Value {
        let tally = &self.tally;
        let by_predicate = |count: fn(&Tally, Predicate) -> u64| -> Value {
            let counts = Predicate::ALL.map(|p| (p.name().to_owned(), json!(count(tally, p))));
            Value::Object(Map::from_iter(counts))
        };
        let versions = NcVersion::ALL.map(|nc| {
            let name = crate::lockstep::nc_name(nc);
            (name, json!(tally.with_version(nc)))
        });
        json!({
            "kind": "case",
            "suite": Suite::Words.name(),
            "case": self.name(),
            "generation": self.generation.name(),
            "words": tally.words,
            "valid": tally.valid,
            "failing": by_predicate(Tally::failing),
            "alone": by_predicate(Tally::alone),
            "nc": Value::Object(Map::from_iter(versions)),
            "outcome": self.outcome.name(),
            "details": self.outcome.json(),
        })
    }
}

/// What came of one case of an address, window or semaphore suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockReport {
    /// The suite.
    pub suite: Suite,
    /// The generation, where it matters.
    pub generation: Option<Generation>,
    /// What was exercised, up to and with the operation that did not agree.
    pub tally: BlockTally,
    /// How it ended.
    pub outcome: Outcome,
    counters: &'static [&'static str],
    /// Operations asked for.
    budget: u64,
}

impl BlockReport {
    pub(crate) fn new<L: BlockLockstep>(
        generation: Generation,
        tally: BlockTally,
        outcome: Outcome,
        budget: u64,
    ) -> Self {
        Self {
            suite: L::SUITE,
            generation: named::<L>(generation),
            tally,
            outcome,
            counters: L::COUNTERS,
            budget: steps::<L>(budget),
        }
    }

    /// The name of the case, as filters see it: `evt_sem/v3`, `window`.
    #[must_use]
    pub fn name(&self) -> String {
        block_case_name(self.suite, self.generation)
    }

    /// What is counted, with how often it happened.
    pub fn counters(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = self.tally.counts.iter().copied().chain(iter::repeat(0));
        self.counters.iter().copied().zip(counts)
    }

    fn json(&self) -> Value {
        let counts = self
            .counters()
            .map(|(name, count)| (name.to_owned(), json!(count)));
        json!({
            "kind": "case",
            "suite": self.suite.name(),
            "case": self.name(),
            "generation": self.generation.map(Generation::name),
            "operations": self.tally.operations,
            "counts": Value::Object(counts.collect()),
            "outcome": self.outcome.name(),
            "details": self.outcome.json(),
        })
    }
}

/// The report of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The seed that gives the same run again.
    pub seed: u64,
    /// Operations of each case asked for.
    pub budget: u64,
    /// The mutant that ran, if any.
    pub mutant: Option<MutantId>,
    /// One entry a case of the words, oldest generation first.
    pub cases: Vec<CaseReport>,
    /// One entry a case of the other suites, in their order.
    pub blocks: Vec<BlockReport>,
    /// The one operation that was run up to, if that was asked for.
    operation: Option<u64>,
}

impl Report {
    pub(crate) fn new(options: &Options, cases: Vec<CaseReport>, blocks: Vec<BlockReport>) -> Self {
        Self {
            seed: options.seed,
            budget: options.word.map_or(options.budget, |_| 1),
            mutant: options.mutant,
            cases,
            blocks,
            operation: options.operation,
        }
    }

    /// The worst outcome: infrastructure before device error before hang before mismatch. Of equal ones
    /// the first; a match if all cases match.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        let mut worst = &Outcome::Match;
        for (_, outcome) in self.outcomes() {
            if outcome.exit_code() > worst.exit_code() {
                worst = outcome;
            }
        }
        worst
    }

    /// All cases with how they ended.
    fn outcomes(&self) -> impl Iterator<Item = (String, &Outcome)> {
        let words = self.cases.iter().map(|case| (case.name(), &case.outcome));
        let blocks = self.blocks.iter().map(|case| (case.name(), &case.outcome));
        words.chain(blocks)
    }

    /// The exit code of a command that makes this report.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.outcome().exit_code()
    }

    /// JSON Lines: one object a case, then a summary.
    #[must_use]
    pub fn json_lines(&self) -> String {
        let mut lines = String::new();
        let words = self.cases.iter().map(CaseReport::json);
        for case in words.chain(self.blocks.iter().map(BlockReport::json)) {
            lines.push_str(&case.to_string());
            lines.push('\n');
        }
        let words: u64 = self.cases.iter().map(|case| case.tally.words).sum();
        let others: u64 = self.blocks.iter().map(|case| case.tally.operations).sum();
        let summary = json!({
            "kind": "summary",
            "seed": format!("{:#x}", self.seed),
            "budget": self.budget,
            "mutant": self.mutant.map(MutantId::get),
            "words": words,
            "operations": words + others,
            "outcome": self.outcome().name(),
            "exit_code": self.exit_code(),
        });
        lines.push_str(&summary.to_string());
        lines.push('\n');
        lines
    }

    fn agreeing(&self) -> impl Iterator<Item = &CaseReport> {
        self.cases
            .iter()
            .filter(|case| case.outcome == Outcome::Match)
    }

    fn words(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "co-simulation of words: seed {:#x}, {} for each generation",
            self.seed,
            plural(self.budget, "word")
        )?;
        self.mutant(f)?;
        for case in &self.cases {
            let Tally { words, valid, .. } = case.tally;
            // Thousandths in integers: the same digits everywhere.
            let share = (u128::from(valid) * 1000 / u128::from(words.max(1))) as u64;
            writeln!(
                f,
                "{:10} {:14} {:>18}, {valid} valid ({}.{} %)",
                case.name(),
                case.outcome.name(),
                plural(words, "word"),
                share / 10,
                share % 10,
            )?;
        }
        if self.cases.iter().any(|case| case.tally.words > 1) {
            self.counters(f)?;
        }
        self.gaps(f)
    }

    fn mutant(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mutant {
            Some(id) => writeln!(f, ", mutant {id} `{}`", id.row().name),
            None => writeln!(f),
        }
    }

    /// The cases of one suite, with what they exercised.
    fn blocks_of(&self, f: &mut fmt::Formatter<'_>, suite: Suite) -> fmt::Result {
        let cases: Vec<_> = self.blocks.iter().filter(|c| c.suite == suite).collect();
        let Some(first) = cases.first() else {
            return Ok(());
        };
        let noun = suite.operation();
        let (name, seed) = (suite.name(), self.seed);
        match self.operation {
            Some(operation) => write!(
                f,
                "co-simulation of {name}: seed {seed:#x}, up to {noun} {operation}"
            )?,
            None => write!(
                f,
                "co-simulation of {name}: seed {seed:#x}, {} for each case",
                plural(first.budget, noun)
            )?,
        }
        self.mutant(f)?;
        for case in &cases {
            writeln!(
                f,
                "{:12} {:12} {:>18}",
                case.name(),
                case.outcome.name(),
                plural(case.tally.operations, noun),
            )?;
        }
        if self.operation.is_some() {
            return Ok(());
        }
        let mut heading = format!("{:34}", "how often");
        for case in &cases {
            write!(
                heading,
                "{:>12}",
                case.generation.map_or("all", Generation::name)
            )?;
        }
        writeln!(f, "{heading}")?;
        for (at, counter) in first.counters.iter().enumerate() {
            let mut line = format!("  {counter:32}");
            for case in &cases {
                let count = case.tally.counts.get(at).copied().unwrap_or(0);
                write!(line, "{count:>12}")?;
            }
            writeln!(f, "{line}")?;
        }
        for case in cases.iter().filter(|case| case.outcome == Outcome::Match) {
            let never: Vec<_> = case.counters().filter(|(_, count)| *count == 0).collect();
            if !never.is_empty() {
                let names: Vec<_> = never.iter().map(|(name, _)| *name).collect();
                writeln!(f, "{}: never seen: {}", case.name(), names.join(", "))?;
            }
        }
        Ok(())
    }

    fn counters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut heading = format!("{:34}", "failing words (no other failure)");
        for case in &self.cases {
            write!(heading, "{:>18}", case.generation.name())?;
        }
        writeln!(f, "{heading}")?;
        for predicate in Predicate::ALL {
            let mut line = format!("{:>4} {:29}", predicate.number(), predicate.name());
            for CaseReport { tally, .. } in &self.cases {
                let counts = format!("{} ({})", tally.failing(predicate), tally.alone(predicate));
                write!(line, "{counts:>18}")?;
            }
            writeln!(f, "{line}")?;
        }
        for nc in NcVersion::ALL {
            let name = format!("words with version {}", crate::lockstep::nc_name(nc));
            let mut line = format!("{name:34}");
            for CaseReport { tally, .. } in &self.cases {
                write!(line, "{:>18}", tally.with_version(nc))?;
            }
            writeln!(f, "{line}")?;
        }
        Ok(())
    }

    /// What a run that agrees says nothing about.
    fn gaps(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for case in self.agreeing().filter(|case| case.tally.words > 1) {
            let names: Vec<_> = case.tally.never_failing().map(Predicate::name).collect();
            if !names.is_empty() {
                writeln!(
                    f,
                    "{}: never seen failing: {}",
                    case.name(),
                    names.join(", ")
                )?;
            }
            // v2 has no 0xBF, so nothing is valid there. [isa-word §0]
            if case.tally.valid == 0 && case.generation != Generation::V2 {
                writeln!(f, "{}: no valid word was seen", case.name())?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.cases.is_empty() {
            self.words(f)?;
        }
        for suite in Suite::ALL {
            self.blocks_of(f, suite)?;
        }
        let (mut cases, mut agreeing) = (0, 0);
        for (name, outcome) in self.outcomes() {
            cases += 1;
            match outcome {
                Outcome::Match => agreeing += 1,
                other => writeln!(f, "{name}: {other}")?,
            }
        }
        writeln!(
            f,
            "{}: {agreeing} of {} agree",
            self.outcome().name(),
            plural(cases, "case"),
        )
    }
}

fn plural(count: u64, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "address") => format!("{count} addresses"),
        _ => format!("{count} {noun}s"),
    }
}
