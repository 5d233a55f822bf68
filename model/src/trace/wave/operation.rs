// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations on an EVT_SEM block as a waveform numbers them.

use std::fmt;

use crate::transaction::{AddressFault, Master, SemaphoreOp};

/// The last operation on an EVT_SEM block. [evt-sem §§2.1, 2.2]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvtSemOperation {
    /// None yet.
    None,
    /// An operation on a semaphore.
    Semaphore(SemaphoreOp),
    /// An event was written 0.
    EventClear,
    /// An event was written 1.
    EventSet,
}

impl EvtSemOperation {
    /// All operations, by ascending number.
    pub const ALL: [Self; 6] = [
        Self::Semaphore(SemaphoreOp::Add),
        Self::Semaphore(SemaphoreOp::Sub),
        Self::Semaphore(SemaphoreOp::Set),
        Self::EventClear,
        Self::EventSet,
        Self::None,
    ];

    /// Width of the variable, in bits.
    pub const BITS: u32 = 3;

    /// The number in a waveform; those of semaphore operations are their positions in
    /// [`SemaphoreOp::ALL`].
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Semaphore(SemaphoreOp::Add) => 0,
            Self::Semaphore(SemaphoreOp::Sub) => 1,
            Self::Semaphore(SemaphoreOp::Set) => 2,
            Self::EventClear => 3,
            Self::EventSet => 4,
            Self::None => 7,
        }
    }

    /// Lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Semaphore(operation) => operation.name(),
            Self::EventClear => "event_clear",
            Self::EventSet => "event_set",
        }
    }

    /// The operation that writes `state` to an event.
    #[must_use]
    pub const fn event(state: bool) -> Self {
        if state {
            Self::EventSet
        } else {
            Self::EventClear
        }
    }
}

/// Width of the variable with the master, in bits, and its value before the first operation.
pub(super) const MASTER_BITS: u32 = 3;
pub(in crate::trace) const NO_MASTER: u8 = 7;

/// The number of a master in a waveform: its position in [`Master::ALL`].
pub(in crate::trace) const fn master_number(master: Master) -> u8 {
    match master {
        Master::Sequencer => 0,
        Master::Nx => 1,
        Master::Q7 => 2,
        Master::Dma => 3,
        Master::Bus => 4,
    }
}

/// 0 is no fault; a class is one more than its position in [`AddressFault::ALL`].
pub(in crate::trace) const fn address_fault_number(class: AddressFault) -> u8 {
    match class {
        AddressFault::WindowMiss => 1,
        AddressFault::MultiHit => 2,
        AddressFault::SbufHole => 3,
    }
}

impl fmt::Display for EvtSemOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semaphore_operations_have_the_numbers_of_the_vocabulary() {
        for (position, operation) in SemaphoreOp::ALL.into_iter().enumerate() {
            let number = EvtSemOperation::Semaphore(operation).number();
            assert_eq!(usize::from(number), position);
        }
    }

    #[test]
    fn masters_and_address_faults_have_the_numbers_of_the_vocabulary() {
        for (position, master) in (0..).zip(Master::ALL) {
            assert_eq!(master_number(master), position);
        }
        for (position, class) in (1..).zip(AddressFault::ALL) {
            assert_eq!(address_fault_number(class), position);
        }
    }
}
