// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The hunt for mutants: every deliberate fault must be found by the default seed, or the suite is too weak.

use std::fmt;

use pool_model::generation::Generation;
use serde_json::json;

use super::blocks::{BLOCK, Block, Event, Located, count};
use super::options::{DEFAULT_SEED, UsageError};
use crate::error::{DeviceFault, RtlError};
use crate::lockstep::{FieldPair, Outcome, WordCase, WordDivergence, WordLockstep};
use crate::mutants::{Mutant, MutantId, table};

/// Within how many words of a generation's stream a mutant must be found.
pub const MUTANT_BUDGET: u64 = 20_000;

/// Options of a hunt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantOptions {
    /// The seed of the streams: those that [`super::run`] makes of it.
    pub seed: u64,
    /// Words per generation.
    pub budget: u64,
    /// Hunts only mutants whose name contains this.
    pub filter: Option<String>,
}

impl Default for MutantOptions {
    fn default() -> Self {
        Self {
            seed: DEFAULT_SEED,
            budget: MUTANT_BUDGET,
            filter: None,
        }
    }
}

/// The word that gives a mutant away earliest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// How many words of the generation's stream it takes, this one included.
    pub words: u64,
    /// The word; its generation is the one whose stream finds the mutant earliest.
    pub case: WordCase,
    /// What gave it away.
    pub evidence: Evidence,
    /// Whether a fresh instance with only this mutant and this word shows the same.
    pub reproduced: bool,
}

/// What gives a mutant away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The RTL disagrees with the model.
    Difference(Box<WordDivergence>),
    /// An assertion of the design fails.
    Fault(Box<DeviceFault>),
}

impl Evidence {
    /// Names of what differs, or the fault's kind and line.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::Difference(divergence) => {
                let pairs = divergence.pairs();
                let differing = pairs.into_iter().filter(FieldPair::differs);
                differing
                    .map(|pair| pair.name)
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            Self::Fault(fault) => format!("{} at {}:{}", fault.kind, fault.file, fault.line),
        }
    }
}

/// What came of one mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantResult {
    /// The mutant.
    pub id: MutantId,
    /// How it was found; `None` if it survived.
    pub detection: Option<Detection>,
}

/// The report of a hunt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantReport {
    /// The seed.
    pub seed: u64,
    /// Words per generation.
    pub budget: u64,
    /// One entry a mutant, in the order of the table.
    pub results: Vec<MutantResult>,
    /// A run that could not be trusted or not be finished: the instrumented copy differs without a mutant,
    /// or broke.
    pub failure: Option<Outcome>,
}

/// Runs every mutant until it is found. The instrumented copy without a mutant must agree first.
pub fn hunt_mutants(options: &MutantOptions) -> Result<MutantReport, UsageError> {
    if options.budget == 0 {
        return Err(UsageError::NoBudget);
    }
    let filter = options.filter.as_deref().unwrap_or_default();
    let wanted: Vec<&Mutant> = table()
        .iter()
        .filter(|row| row.name.contains(filter))
        .collect();
    if wanted.is_empty() {
        let names: Vec<_> = table().iter().map(|row| row.name).collect();
        return Err(UsageError::NothingChosen {
            filter: filter.to_owned(),
            cases: names.join(", "),
        });
    }
    let mut report = MutantReport {
        seed: options.seed,
        budget: options.budget,
        results: Vec::new(),
        failure: None,
    };
    if let Err(outcome) = hunt(options, &wanted, &mut report.results) {
        report.failure = Some(outcome);
    }
    Ok(report)
}

fn hunt(
    options: &MutantOptions,
    wanted: &[&Mutant],
    results: &mut Vec<MutantResult>,
) -> Result<(), Outcome> {
    let streams: Vec<(Generation, Vec<Block>)> = Generation::ALL
        .into_iter()
        .map(|generation| {
            let block = |number| Block::new(options.seed, generation, number, options.budget, None);
            (generation, (0..count(options.budget)).map(block).collect())
        })
        .collect();
    let mut lockstep = fresh(None)?;
    if let Some(found) = earliest(options, None, &streams, &mut lockstep)? {
        return Err(match found.evidence {
            Evidence::Difference(divergence) => Outcome::Mismatch(divergence),
            Evidence::Fault(fault) => {
                Outcome::from_error(&RtlError::Device(fault), Some(found.case))
            }
        });
    }
    for row in wanted {
        let detection = earliest(options, Some(row.id), &streams, &mut lockstep)?;
        results.push(MutantResult {
            id: row.id,
            detection,
        });
    }
    Ok(())
}

/// The earliest word over all generations that does not agree; of equally early ones that of the oldest.
fn earliest(
    options: &MutantOptions,
    mutant: Option<MutantId>,
    streams: &[(Generation, Vec<Block>)],
    lockstep: &mut WordLockstep,
) -> Result<Option<Detection>, Outcome> {
    if lockstep.is_dead() {
        *lockstep = fresh(None)?;
    }
    lockstep
        .set_mutant(mutant)
        .map_err(|e| Outcome::from_error(&e, None))?;
    let mut best: Option<(Generation, Located)> = None;
    for (generation, blocks) in streams {
        for (number, block) in blocks.iter().enumerate() {
            let first = number as u64 * BLOCK;
            if best.as_ref().is_some_and(|(_, best)| best.index <= first) {
                break;
            }
            if let (_, Some(found)) = block.run(lockstep) {
                if best
                    .as_ref()
                    .is_none_or(|(_, best)| found.index < best.index)
                {
                    best = Some((*generation, found));
                }
                break;
            }
        }
    }
    let Some((generation, found)) = best else {
        return Ok(None);
    };
    let case = WordCase {
        index: Some(found.index),
        seed: options.seed,
        generation,
        nc: found.nc,
        mutant,
        word: found.word,
    };
    confirmed(case, found.index + 1, found.event).map(Some)
}

fn fresh(mutant: Option<MutantId>) -> Result<WordLockstep, Outcome> {
    WordLockstep::instrumented(mutant).map_err(|e| Outcome::from_error(&e, None))
}

/// Looks again on a fresh instance: the mutants before this one must have no part in it.
fn confirmed(case: WordCase, words: u64, event: Event) -> Result<Detection, Outcome> {
    let again = fresh(case.mutant)?.run(&[case.word], case.generation, case.nc);
    let (evidence, reproduced) = match event {
        Event::Difference(found) => {
            let difference = again.ok().and_then(|run| run.difference);
            let reproduced = difference.is_some_and(|again| again.rtl == found.rtl);
            let divergence = WordDivergence {
                case,
                model: found.model,
                rtl: found.rtl,
                reproduced,
            };
            (Evidence::Difference(Box::new(divergence)), reproduced)
        }
        Event::Error(RtlError::Device(fault)) => {
            let reproduced = matches!(&again, Err(RtlError::Device(again))
                if (again.kind, again.line) == (fault.kind, fault.line));
            (Evidence::Fault(fault), reproduced)
        }
        Event::Error(error) => return Err(Outcome::from_error(&error, Some(case))),
    };
    Ok(Detection {
        words,
        case,
        evidence,
        reproduced,
    })
}

impl MutantResult {
    /// Whether it was found, and again on a fresh instance.
    #[must_use]
    pub fn found(&self) -> bool {
        self.detection
            .as_ref()
            .is_some_and(|detection| detection.reproduced)
    }
}

impl MutantReport {
    /// The mutants that were not found.
    pub fn survivors(&self) -> impl Iterator<Item = &MutantResult> {
        self.results.iter().filter(|result| !result.found())
    }

    /// 0 if all were found, 1 if one survived, else the code of the failure.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match &self.failure {
            Some(failure) => failure.exit_code(),
            None => u8::from(self.survivors().next().is_some()),
        }
    }

    /// JSON Lines: one object a mutant, then a summary.
    #[must_use]
    pub fn json_lines(&self) -> String {
        let mut lines = String::new();
        for result in &self.results {
            let row = result.id.row();
            let found = result.detection.as_ref().filter(|_| result.found());
            let line = json!({
                "kind": "mutant",
                "id": row.id.get(),
                "name": row.name,
                "predicate": row.predicate,
                "found": found.is_some(),
                "words": found.map(|d| d.words),
                "generation": found.map(|d| d.case.generation.name()),
                "shows_in": found.map(|d| d.evidence.summary()),
                "replay": found.map(|d| d.case.replay()),
            });
            lines.push_str(&line.to_string());
            lines.push('\n');
        }
        let summary = json!({
            "kind": "summary",
            "seed": format!("{:#x}", self.seed),
            "budget": self.budget,
            "mutants": self.results.len(),
            "survived": self.survivors().map(|r| r.id.get()).collect::<Vec<_>>(),
            "failure": self.failure.as_ref().map(Outcome::json),
            "exit_code": self.exit_code(),
        });
        lines.push_str(&summary.to_string());
        lines.push('\n');
        lines
    }
}

impl fmt::Display for MutantReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "mutants: seed {:#x}, {} words for each generation",
            self.seed, self.budget
        )?;
        let width = self.results.iter().map(|r| r.id.row().name.len()).max();
        let width = width.unwrap_or_default();
        writeln!(
            f,
            "{:>4}  {:width$}  {:>9}  {:>6}  {:4}  shows in",
            "id", "name", "predicate", "words", "on"
        )?;
        for result in &self.results {
            let row = result.id.row();
            write!(
                f,
                "{:>4}  {:width$}  {:>9}  ",
                row.id, row.name, row.predicate
            )?;
            match &result.detection {
                None => writeln!(f, "SURVIVED: {}", row.imitates)?,
                Some(found) => {
                    let generation = found.case.generation;
                    let shows = found.evidence.summary();
                    write!(f, "{:>6}  {generation:4}  {shows}", found.words)?;
                    let doubt = if result.found() {
                        ""
                    } else {
                        ", NOT REPRODUCED"
                    };
                    writeln!(f, "{doubt}")?;
                }
            }
        }
        if let Some(failure) = &self.failure {
            writeln!(f, "the hunt is worth nothing: {failure}")?;
        }
        let survivors = self.survivors().count();
        writeln!(
            f,
            "{} of {} mutants found, {survivors} survived",
            self.results.len() - survivors,
            self.results.len()
        )
    }
}
