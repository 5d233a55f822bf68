// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What can go wrong on the RTL side.

use std::fmt;

/// What ended an evaluation of the RTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// `$stop`. The instance can go on.
    Stop,
    /// `$error` or a failed assertion. The instance can go on. Verilator 5.006 reports `$fatal` so, too.
    Error,
    /// `$fatal`. The instance can go on.
    Fatal,
    /// `$finish`: the design says that the simulation is over. The instance is dead.
    Finish,
    /// A fatal of the simulator itself, such as logic that never settles. The instance is dead.
    Runtime,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stop => "$stop",
            Self::Error => "$error or assertion",
            Self::Fatal => "$fatal",
            Self::Finish => "$finish",
            Self::Runtime => "fatal of the simulator",
        })
    }
}

/// A fault of the device: the first of the evaluation, with everything printed during it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceFault {
    /// What happened.
    pub kind: FaultKind,
    /// Source file without its folder; empty if the simulator does not say.
    pub file: String,
    /// Line in it, from 1; 0 if unknown.
    pub line: u32,
    /// Path of the instance in the design as far as the simulator says, at least the top module.
    pub hierarchy: String,
    /// The text printed, without the last line end.
    pub text: String,
    /// Which item of the batch was being evaluated, from 0.
    pub item: u64,
}

impl fmt::Display for DeviceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.kind, self.hierarchy)?;
        if !self.file.is_empty() {
            write!(f, " at {}:{}", self.file, self.line)?;
        }
        if !self.text.is_empty() {
            write!(f, ": {}", self.text)?;
        }
        Ok(())
    }
}

/// The watchdog struck: nobody can move any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hang {
    /// Which item of the batch did not come to its end, from 0.
    pub item: u64,
    /// What the model is blocked on.
    pub model: String,
    /// What the RTL is blocked on.
    pub rtl: String,
}

impl fmt::Display for Hang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, rtl, .. } = self;
        write!(f, "hang; the model is blocked on {model}, the RTL on {rtl}")
    }
}

/// An error of the RTL side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RtlError {
    /// The device reported a fault.
    #[error("{0}")]
    Device(Box<DeviceFault>),
    /// The watchdog struck.
    #[error("{0}")]
    Hang(Box<Hang>),
    /// The instance did not take the call: it is dead, or lacks what was asked for.
    #[error("the RTL instance refused the call: {0}")]
    Refused(String),
    /// A batch call with buffers of different sizes.
    #[error("a batch of {operations} operations needs as many results, got room for {results}")]
    BatchSize {
        /// Operations given.
        operations: usize,
        /// Room for results.
        results: usize,
    },
}

impl RtlError {
    /// The same error, with the item of a fault counted from a point `items` earlier.
    #[must_use]
    pub(crate) fn after(mut self, items: u64) -> Self {
        match &mut self {
            Self::Device(fault) => fault.item += items,
            Self::Hang(hang) => hang.item += items,
            Self::Refused(_) | Self::BatchSize { .. } => {}
        }
        self
    }
}
