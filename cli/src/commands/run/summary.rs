// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a run came to, in three lines and a verdict.

use std::fmt::{self, Write as _};

use pool_model::scenario::{Expect, Outcome, Report, Scenario};
use pool_model::transaction::{Effect, Sink, Transaction};

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// The answer to "is everything as expected?".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Yes.
    Pass,
    /// No.
    Fail,
    /// No: nobody can move any more, and nobody expected that.
    Hang,
}

impl Verdict {
    /// The verdict on a report.
    pub fn of(report: &Report, expect: &Expect) -> Self {
        if report.passed() {
            Self::Pass
        } else if report.outcome == Outcome::Hang && expect.outcome() != Outcome::Hang {
            Self::Hang
        } else {
            Self::Fail
        }
    }

    /// The exit code that says so.
    pub const fn exit(self) -> Exit {
        match self {
            Self::Pass => Exit::Success,
            Self::Fail => Exit::No,
            Self::Hang => Exit::Hang,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Hang => "HANG",
        })
    }
}

/// Counts what was moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    legs: u64,
    bytes: u64,
}

impl Sink for Moved {
    fn accept(&mut self, transaction: &Transaction) {
        match &transaction.effect {
            Effect::LegBegin { .. } => self.legs += 1,
            Effect::DataWritten { data, .. } | Effect::DmaWrite { data, .. } => {
                self.bytes += data.len() as u64;
            }
            _ => {}
        }
    }
}

/// Prints the summary; a run that does not pass also gets the reasons.
pub fn print_summary(
    scenario: &Scenario,
    report: &Report,
    moved: &Moved,
    verdict: Verdict,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let topology = &scenario.topology;
    let cores: Vec<String> = topology
        .cores
        .iter()
        .map(|core| core.number().to_string())
        .collect();
    let words = scenario.programs.iter().map(|(_, words)| words.len()).sum();
    console.print(format_args!(
        "{} on {}: {} {}; {}\n",
        scenario.name,
        topology.generation,
        if cores.len() == 1 { "core" } else { "cores" },
        cores.join(", "),
        counted(words, "word")
    ))?;
    console.print(format_args!(
        "{} at tick {}: {}, {}, {} moved\n",
        outcome(report),
        report.end,
        counted(report.counts.total() as usize, "transaction"),
        counted(moved.legs as usize, "leg"),
        counted(moved.bytes as usize, "byte"),
    ))?;
    let expected = expectations(&scenario.expect);
    let failed = report.failures.len();
    if failed == 0 {
        console.print(format_args!("{expected} of {expected} expectations hold\n"))?;
    } else {
        console.print(format_args!(
            "{} of {expected} expectations hold\n",
            expected.saturating_sub(failed)
        ))?;
    }
    if verdict == Verdict::Pass {
        return Ok(());
    }
    for failure in &report.failures {
        console.print(format_args!("  {failure}\n"))?;
    }
    for (core, fault) in &report.faults {
        console.print(format_args!("  {core} stopped: {fault}\n"))?;
    }
    for blocked in &report.blocked {
        console.print(format_args!("  {blocked}\n"))?;
    }
    for engine in &report.engines {
        console.print(format_args!("  {engine}\n"))?;
    }
    if report.out_of_budget {
        console.print(format_args!(
            "  the watchdog ended the run while somebody could still move\n"
        ))?;
    }
    Ok(())
}

fn outcome(report: &Report) -> String {
    let mut text = report.outcome.to_string();
    if let [(core, fault), others @ ..] = report.faults.as_slice() {
        let _ = write!(text, " ({core} {}", fault.class);
        for (core, fault) in others {
            let _ = write!(text, ", {core} {}", fault.class);
        }
        text.push(')');
    }
    text
}

/// Entries of `[expect]`; the outcome always is one.
fn expectations(expect: &Expect) -> usize {
    1 + usize::from(expect.fault.is_some())
        + expect.semaphores.len()
        + expect.events.len()
        + expect.memory.len()
        + expect.registers.len()
        + expect.log_contains.len()
        + expect.transactions.len()
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}
