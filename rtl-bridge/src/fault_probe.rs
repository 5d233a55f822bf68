// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A small RTL top that breaks on command: the tests show with it that nothing which ends a simulation
//! ends the process, and that other instances go on.

use cxx::UniquePtr;

use crate::bridge::error_of;
use crate::bridge::fault_probe::ffi;
use crate::error::RtlError;

/// What the probe does at a clock edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Command {
    /// Stores the value.
    None = 0,
    /// `$stop`
    Stop = 1,
    /// `$error`
    Error = 2,
    /// `$fatal`
    Fatal = 3,
    /// A labelled assertion that the value is even.
    LabelledAssertion = 4,
    /// An assertion without a message that the value is even.
    PlainAssertion = 5,
    /// `$finish`
    Finish = 6,
    /// Combinational logic that never settles.
    Oscillate = 7,
    /// `$display`
    Display = 8,
}

/// An instance of the probe.
pub struct FaultProbe {
    inner: UniquePtr<ffi::FaultProbe>,
}

impl FaultProbe {
    /// A fresh instance in a context of its own.
    pub fn new() -> Result<Self, RtlError> {
        let inner = ffi::new_fault_probe().map_err(|e| error_of(&e))?;
        Ok(Self { inner })
    }

    /// One clock cycle for each value, with the command held; the value register afterwards. Stops at
    /// the first fault.
    pub fn step(&mut self, command: Command, values: &[u32]) -> Result<u32, RtlError> {
        self.inner
            .pin_mut()
            .step(command as u8, values)
            .map_err(|e| error_of(&e))
    }

    /// The value register as it is.
    #[must_use]
    pub fn value(&self) -> u32 {
        self.inner.value()
    }

    /// Whether a fault has ended this instance for good.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.inner.is_dead()
    }
}
