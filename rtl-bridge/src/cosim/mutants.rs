// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The hunt for mutants: every deliberate fault must be found by the default seed, or the suite is too weak.

use std::fmt;

use pool_model::generation::Generation;
use serde_json::json;

use super::options::{DEFAULT_SEED, UsageError};
use super::prey::{BlockPrey, Prey, WordPrey, earliest};
use crate::error::{DeviceFault, Hang, RtlError};
use crate::lockstep::{
    AddrLockstep, BrokenDevice, Case, Divergence, EvtSemLockstep, FieldPair, Outcome, RingLockstep,
    WindowLockstep,
};
use crate::mutants::{Mutant, MutantId, table};
use crate::suite::Suite;

/// Within how many operations of a generation's stream a mutant must be found.
pub const MUTANT_BUDGET: u64 = 20_000;

/// Options of a hunt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantOptions {
    /// The seed of the streams: those that [`super::run`] makes of it.
    pub seed: u64,
    /// Operations per generation.
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

/// The operation that gives a mutant away earliest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// How many operations of the generation's stream it takes, this one included.
    pub operations: u64,
    /// The generation whose stream finds the mutant earliest; none where generations do not matter.
    pub generation: Option<Generation>,
    /// The operation.
    pub case: Case,
    /// What gave it away.
    pub evidence: Evidence,
    /// Whether a fresh instance with only this mutant and this operation, or the run up to it, shows the same.
    pub reproduced: bool,
}

/// What gives a mutant away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The RTL disagrees with the model.
    Difference(Box<Divergence>),
    /// An assertion of the design fails.
    Fault(Box<DeviceFault>),
    /// The RTL never comes to an end.
    Hang(Box<Hang>),
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
            Self::Hang(hang) => format!("hang on {}", hang.rtl),
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
    /// Operations per generation.
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
    for suite in Suite::ALL {
        let rows: Vec<_> = wanted.iter().filter(|row| row.suite == suite).collect();
        if rows.is_empty() {
            continue;
        }
        let ids = rows.iter().map(|row| row.id);
        match suite {
            Suite::Words => hunt_in(WordPrey::new(options), ids, results)?,
            Suite::Addr => hunt_in(BlockPrey::<AddrLockstep>::new(options), ids, results)?,
            Suite::Window => hunt_in(BlockPrey::<WindowLockstep>::new(options), ids, results)?,
            Suite::EvtSem => hunt_in(BlockPrey::<EvtSemLockstep>::new(options), ids, results)?,
            Suite::Ring => hunt_in(BlockPrey::<RingLockstep>::new(options), ids, results)?,
        }
    }
    results.sort_by_key(|result| result.id);
    Ok(())
}

fn hunt_in<P: Prey>(
    prey: Result<P, RtlError>,
    ids: impl Iterator<Item = MutantId>,
    results: &mut Vec<MutantResult>,
) -> Result<(), Outcome> {
    let mut prey = prey.map_err(|e| Outcome::from_error(&e, None))?;
    if let Some(found) = earliest(&mut prey, None)? {
        return Err(match found.evidence {
            Evidence::Difference(divergence) => Outcome::Mismatch(divergence),
            Evidence::Fault(fault) => Outcome::DeviceError(Box::new(BrokenDevice {
                case: Some(found.case),
                message: fault.to_string(),
            })),
            Evidence::Hang(hang) => Outcome::from_error(&RtlError::Hang(hang), Some(found.case)),
        });
    }
    for id in ids {
        let detection = earliest(&mut prey, Some(id))?;
        results.push(MutantResult { id, detection });
    }
    Ok(())
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
                "suite": row.suite.name(),
                "predicate": row.predicate,
                "found": found.is_some(),
                "operations": found.map(|d| d.operations),
                "generation": found.and_then(|d| d.generation).map(Generation::name),
                "shows_in": found.map(|d| d.evidence.summary()),
                "replay": found.and_then(|d| d.case.replay()),
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
            "mutants: seed {:#x}, {} operations for each generation",
            self.seed, self.budget
        )?;
        let width = self.results.iter().map(|r| r.id.row().name.len()).max();
        let width = width.unwrap_or_default();
        writeln!(
            f,
            "{:>4}  {:width$}  {:9}  {:>10}  {:4}  shows in",
            "id", "name", "suite", "operations", "on"
        )?;
        for result in &self.results {
            let row = result.id.row();
            let suite = match row.predicate {
                0 => row.suite.name().to_owned(),
                number => format!("{} #{number}", row.suite.name()),
            };
            write!(f, "{:>4}  {:width$}  {suite:9}  ", row.id, row.name)?;
            match &result.detection {
                None => writeln!(f, "SURVIVED: {}", row.imitates)?,
                Some(found) => {
                    let generation = found.generation.map_or("all", Generation::name);
                    let shows = found.evidence.summary();
                    write!(f, "{:>10}  {generation:4}  {shows}", found.operations)?;
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
