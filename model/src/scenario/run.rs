// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Running a scenario on a device.

use thiserror::Error;

use super::expect::{Failure, Outcome};
use super::load::{Scenario, Target};
use crate::device::{Blocked, Device, DeviceError, EngineStatus, Status};
use crate::time::Tick;
use crate::transaction::{CoreId, Counting, Effect, Fault, Sink, Tee, Transaction};

/// Ticks that a run may take unless it is told otherwise: a watchdog, not a limit of the model.
pub const DEFAULT_BUDGET: u64 = 100_000_000;

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Tick of the end.
    pub end: Tick,
    /// The budget of ticks ran out while somebody could still move.
    pub out_of_budget: bool,
    /// Faults, by core.
    pub faults: Vec<(CoreId, Fault)>,
    /// Who waits for what.
    pub blocked: Vec<Blocked>,
    /// DMA engines that have work, and what they wait for.
    pub engines: Vec<EngineStatus>,
    /// Transactions by kind.
    pub counts: Counting,
    /// Firmware log lines with tick and core, in order.
    pub log: Vec<(Tick, CoreId, String)>,
    /// Expectations that did not come true.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Everything happened as the scenario expects.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// A run that could not be carried through.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failed {
    /// The device refused an access or failed.
    #[error("{doing}: {error}")]
    Device {
        /// What was being done.
        doing: String,
        /// Why it failed.
        #[source]
        error: DeviceError,
    },
}

/// Keeps the firmware log.
#[derive(Debug, Default)]
struct LogKeeper(Vec<(Tick, CoreId, String)>);

impl Sink for LogKeeper {
    fn accept(&mut self, transaction: &Transaction) {
        if let Effect::Log { line } = &transaction.effect {
            self.0
                .push((transaction.tick, transaction.agent.core(), line.to_string()));
        }
    }
}

/// Loads a scenario into a device that is as after reset, runs it for at most `budget` ticks and
/// checks every expectation. The sink sees the whole stream, the writes before the run included.
///
/// # Errors
/// [`Failed`] when the device refuses an access or stops by itself; what the sink has seen until
/// then stays with it.
pub fn run<D: Device, S: Sink>(
    scenario: &Scenario,
    device: &mut D,
    budget: u64,
    sink: &mut S,
) -> Result<Report, Failed> {
    let doing = |what: String| move |error| Failed::Device { doing: what, error };
    let mut counts = Counting::default();
    let mut log = LogKeeper::default();
    let mut all = Tee(sink, Tee(&mut counts, &mut log));
    for fill in &scenario.fills {
        device
            .load(fill.address, &fill.bytes)
            .map_err(doing(format!("filling memory at {}", fill.address)))?;
    }
    for preset in &scenario.presets {
        let written = match preset.target {
            Target::Soc(address) => device.write32(address, preset.value, &mut all),
            Target::Port(port, address) => {
                device.write32_through(port, address, preset.value, &mut all)
            }
        };
        written.map_err(doing(format!(
            "{}: writing the register at {}",
            preset.place, preset.target
        )))?;
    }
    for injection in &scenario.injections {
        device
            .inject(*injection, &mut all)
            .map_err(doing("injecting a failure".to_owned()))?;
    }
    for (core, program) in &scenario.programs {
        for (index, word) in program.iter().enumerate() {
            device
                .issue(*core, word)
                .map_err(doing(format!("loading word {index} of {core}")))?;
        }
    }
    let status: Status = device
        .advance(budget, &mut all)
        .map_err(doing("running".to_owned()))?;
    let lines: Vec<String> = log.0.iter().map(|(_, _, text)| text.clone()).collect();
    let failures = scenario
        .expect
        .check(device, &status, &counts, &lines)
        .map_err(doing("checking the expectations".to_owned()))?;
    Ok(Report {
        outcome: Outcome::of(&status),
        end: device.now(),
        out_of_budget: status.progress() == crate::device::Progress::Running,
        faults: status
            .faults()
            .map(|(core, fault)| (core, fault.clone()))
            .collect(),
        blocked: status.blocked().cloned().collect(),
        engines: status.engines,
        counts,
        log: log.0,
        failures,
    })
}
