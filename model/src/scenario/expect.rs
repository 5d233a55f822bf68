// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a scenario expects, and the comparison with what happened.

use std::fmt;

use crate::device::{Device, DeviceError, Progress, Status};
use crate::soc::{self, SocAddr};
use crate::transaction::{CoreId, Counting, FaultClass};

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Every program is finished.
    Done,
    /// A core faulted and nobody waits.
    Fault,
    /// Somebody waits for ever, or the budget of ticks ran out.
    Hang,
}

impl Outcome {
    /// The names that scenario files use.
    pub const NAMES: [&'static str; 3] = ["done", "fault", "hang"];

    /// The outcome with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Done, Self::Fault, Self::Hang]
            .into_iter()
            .find(|outcome| outcome.name() == name)
    }

    /// The name that scenario files use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Fault => "fault",
            Self::Hang => "hang",
        }
    }

    /// The outcome of a device that came to this status.
    #[must_use]
    pub fn of(status: &Status) -> Self {
        match status.progress() {
            Progress::Idle => Self::Done,
            Progress::Faulted => Self::Fault,
            Progress::Running | Progress::Blocked => Self::Hang,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The `[expect]` table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// `done` when the file says nothing.
    pub outcome: Option<Outcome>,
    /// The fault of a core.
    pub fault: Option<(CoreId, FaultClass)>,
    /// Core, index, value.
    pub semaphores: Vec<(CoreId, u8, u32)>,
    /// Core, index, value.
    pub events: Vec<(CoreId, u8, bool)>,
    /// Core, partition, offset, bytes; with the address that the three name.
    pub memory: Vec<ExpectedBytes>,
    /// Registers.
    pub registers: Vec<ExpectedRegister>,
    /// Texts that must occur in a firmware log line.
    pub log_contains: Vec<String>,
    /// Kind and number of transactions.
    pub transactions: Vec<(String, u64)>,
}

/// Expected bytes of one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedBytes {
    /// Core that owns the memory.
    pub core: CoreId,
    /// Partition.
    pub partition: u32,
    /// Offset of the first byte in the partition.
    pub offset: u32,
    /// SoC address of the first byte.
    pub address: SocAddr,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// An expected register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedRegister {
    /// SoC address.
    pub address: SocAddr,
    /// Value of the bits that are compared.
    pub value: u32,
    /// Bits that are compared.
    pub mask: u32,
}

/// An expectation that did not come true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What was looked at.
    pub what: String,
    /// What the scenario expects.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: expected {}, found {}",
            self.what, self.expected, self.found
        )
    }
}

/// Offset of the READ window in an EVT_SEM container. [evt-sem §1.1]
const SEMAPHORE_READ: u32 = 0x1000;

impl Expect {
    /// The outcome that counts as success.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome.unwrap_or(if self.fault.is_some() {
            Outcome::Fault
        } else {
            Outcome::Done
        })
    }

    /// Compares with the device after a run. Every entry is looked at.
    ///
    /// # Errors
    /// [`DeviceError`] when the device refuses to be read.
    pub fn check<D: Device>(
        &self,
        device: &mut D,
        status: &Status,
        counts: &Counting,
        log: &[String],
    ) -> Result<Vec<Failure>, DeviceError> {
        let mut failures = Vec::new();
        let mut compare = |what: String, expected: String, found: String| {
            if expected != found {
                failures.push(Failure {
                    what,
                    expected,
                    found,
                });
            }
        };
        let outcome = Outcome::of(status);
        compare(
            "outcome".to_owned(),
            self.outcome().to_string(),
            outcome.to_string(),
        );
        if let Some((core, class)) = self.fault {
            let found = status
                .faults()
                .find(|(faulted, _)| *faulted == core)
                .map_or_else(
                    || "no fault".to_owned(),
                    |(_, fault)| fault.class.to_string(),
                );
            compare(format!("fault of {core}"), class.to_string(), found);
        }
        // Where the outcome is as expected, a named fault or another outcome rules out every other.
        let others: Vec<String> = status
            .faults()
            .filter(|(core, _)| self.fault.is_none_or(|(expected, _)| expected != *core))
            .map(|(core, fault)| format!("{} of {core}", fault.class))
            .collect();
        let exact = self.fault.is_some() || outcome != Outcome::Fault;
        if outcome == self.outcome() && exact && !others.is_empty() {
            compare(
                "other faults".to_owned(),
                "none".to_owned(),
                others.join(", "),
            );
        }
        for &(core, index, value) in &self.semaphores {
            let found = device.read32(soc::evt_sem(core, SEMAPHORE_READ + 4 * u32::from(index)))?;
            compare(
                format!("semaphore {index} of {core}"),
                value.to_string(),
                found.to_string(),
            );
        }
        for &(core, index, value) in &self.events {
            let found = device.read32(soc::evt_sem(core, 4 * u32::from(index)))? != 0;
            compare(
                format!("event {index} of {core}"),
                value.to_string(),
                found.to_string(),
            );
        }
        for expected in &self.memory {
            let mut found = vec![0; expected.bytes.len()];
            device.dump(expected.address, &mut found)?;
            let differing = expected.bytes.iter().zip(&found).position(|(a, b)| a != b);
            if let Some(position) = differing {
                compare(
                    format!(
                        "byte 0x{:x} of partition {} of {}",
                        expected.offset as usize + position,
                        expected.partition,
                        expected.core
                    ),
                    format!("0x{:02x}", expected.bytes[position]),
                    format!("0x{:02x}", found[position]),
                );
            }
        }
        for register in &self.registers {
            let found = device.read32(register.address)? & register.mask;
            compare(
                format!("register at {}", register.address),
                format!("0x{:08x}", register.value & register.mask),
                format!("0x{found:08x}"),
            );
        }
        for text in &self.log_contains {
            let found = log.iter().any(|line| line.contains(text.as_str()));
            compare(
                "firmware log".to_owned(),
                format!("a line with `{text}`"),
                if found {
                    format!("a line with `{text}`")
                } else {
                    format!("{} line(s) without it", log.len())
                },
            );
        }
        for (kind, count) in &self.transactions {
            let found = counts.of(kind).unwrap_or(0);
            compare(
                format!("transactions of kind `{kind}`"),
                count.to_string(),
                found.to_string(),
            );
        }
        Ok(failures)
    }
}
