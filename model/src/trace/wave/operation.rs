// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations on an EVT_SEM block as a waveform numbers them.

use std::fmt;

use crate::transaction::SemaphoreOp;

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
}
