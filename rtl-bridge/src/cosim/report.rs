// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The report of a run, as text and as JSON Lines.

use std::fmt::{self, Write as _};

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::Predicate;
use serde_json::{Map, Value, json};

use super::options::{Options, Suite, case_name};
use crate::lockstep::{Outcome, Tally};
use crate::mutants::MutantId;

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

/// The report of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The seed that gives the same run again.
    pub seed: u64,
    /// Words per generation asked for.
    pub budget: u64,
    /// The mutant that ran, if any.
    pub mutant: Option<MutantId>,
    /// One entry a case, oldest generation first.
    pub cases: Vec<CaseReport>,
}

impl Report {
    pub(crate) fn new(options: &Options, cases: Vec<CaseReport>) -> Self {
        Self {
            seed: options.seed,
            budget: options.word.map_or(options.budget, |_| 1),
            mutant: options.mutant,
            cases,
        }
    }

    /// The worst outcome: infrastructure before device error before hang before mismatch. Of equal ones
    /// the first; a match if all cases match.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        let mut worst = &Outcome::Match;
        for case in &self.cases {
            if case.outcome.exit_code() > worst.exit_code() {
                worst = &case.outcome;
            }
        }
        worst
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
        for case in &self.cases {
            lines.push_str(&case.json().to_string());
            lines.push('\n');
        }
        let summary = json!({
            "kind": "summary",
            "seed": format!("{:#x}", self.seed),
            "budget": self.budget,
            "mutant": self.mutant.map(MutantId::get),
            "words": self.cases.iter().map(|case| case.tally.words).sum::<u64>(),
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
        write!(
            f,
            "co-simulation of words: seed {:#x}, {} for each generation",
            self.seed,
            plural(self.budget, "word")
        )?;
        match self.mutant {
            Some(id) => writeln!(f, ", mutant {id} `{}`", id.row().name)?,
            None => writeln!(f)?,
        }
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
        self.gaps(f)?;
        for case in &self.cases {
            if case.outcome != Outcome::Match {
                writeln!(f, "{}: {}", case.name(), case.outcome)?;
            }
        }
        writeln!(
            f,
            "{}: {} of {} agree",
            self.outcome().name(),
            self.agreeing().count(),
            plural(self.cases.len() as u64, "case"),
        )
    }
}

fn plural(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
