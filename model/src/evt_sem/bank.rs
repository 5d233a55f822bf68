// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The two banks, and the single operations on them. [evt-sem §§1.2, 2.1, 2.2]

use super::control::Control;
use crate::transaction::{Effect, Master, SemaphoreOp};

/// Entries of each bank. [evt-sem §1.2, HIGH/OBSERVED]
pub const ENTRIES: usize = 256;

/// Words that hold the events, a bit each.
const EVENT_WORDS: usize = ENTRIES / 32;

/// What an operation did to a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemaphoreChange {
    /// Count before.
    pub old: u32,
    /// Count after, modulo 2^32.
    pub new: u32,
    /// An unsigned carry or borrow occurred. [evt-sem MC-E8]
    pub wrapped: bool,
}

/// A change of one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A semaphore operation.
    Semaphore {
        /// Index 0..=255.
        index: u8,
        /// What was done.
        operation: SemaphoreOp,
        /// Amount or value.
        operand: u32,
        /// Count before and after.
        change: SemaphoreChange,
    },
    /// An event bit.
    Event {
        /// Index 0..=255.
        index: u8,
        /// State before.
        old: bool,
        /// State after.
        new: bool,
    },
}

impl Change {
    /// The change as a transaction shows it.
    #[must_use]
    pub const fn effect(self, by: Master) -> Effect {
        match self {
            Self::Semaphore {
                index,
                operation,
                operand,
                change,
            } => Effect::Semaphore {
                index,
                operation,
                operand,
                old: change.old,
                new: change.new,
                by,
            },
            Self::Event { index, old, new } => Effect::Event {
                index,
                old,
                new,
                by,
            },
        }
    }
}

/// What the block counts without failing the access; each counter stops at all ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// Semaphore over- and underflows. [evt-sem MC-E8, decisions D-14]
    pub semaphore: u32,
    /// Sets of a set event and clears of a clear one. [evt-sem MC-E11]
    pub event: u32,
    /// Reads of write-only and writes of read-only words. [evt-sem MC-E1]
    pub access_violation: u32,
    /// Accesses to the reserved leaves. [evt-sem MC-E4]
    pub decode_hole: u32,
}

/// Sticky error summaries, cleared by reading them. [evt-sem MC-E7, decisions D-18]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summaries {
    /// `err_event_summary`: a double set or clear.
    pub event: bool,
    /// `err_sem_summary`: an over- or underflow.
    pub semaphore: bool,
}

/// The state of one container: 256 counted semaphores and, separately, 256 event bits, the control
/// registers and the error counters. After reset all is 0 but the upper threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvtSem {
    semaphores: [u32; ENTRIES],
    /// Event i is bit `i % 32` of word `i / 32`.
    events: [u32; EVENT_WORDS],
    pub(super) control: Control,
    pub(super) errors: Errors,
    pub(super) summaries: Summaries,
}

impl Default for EvtSem {
    fn default() -> Self {
        Self {
            semaphores: [0; ENTRIES],
            events: [0; EVENT_WORDS],
            control: Control::default(),
            errors: Errors::default(),
            summaries: Summaries::default(),
        }
    }
}

impl EvtSem {
    /// The state after reset.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Current count.
    #[must_use]
    pub fn semaphore(&self, index: u8) -> u32 {
        self.semaphores[usize::from(index)]
    }

    /// Current state of an event.
    #[must_use]
    pub fn event(&self, index: u8) -> bool {
        self.events[usize::from(index / 32)] >> (index % 32) & 1 == 1
    }

    /// All counts, by index.
    #[must_use]
    pub const fn semaphores(&self) -> &[u32; ENTRIES] {
        &self.semaphores
    }

    /// All event states: event i is bit `i % 32` of word `i / 32`.
    #[must_use]
    pub const fn event_bits(&self) -> &[u32; EVENT_WORDS] {
        &self.events
    }

    /// Errors counted since reset.
    #[must_use]
    pub const fn errors(&self) -> Errors {
        self.errors
    }

    /// The sticky summaries; looking does not clear them.
    #[must_use]
    pub const fn summaries(&self) -> Summaries {
        self.summaries
    }

    /// The control registers.
    #[must_use]
    pub const fn control(&self) -> &Control {
        &self.control
    }

    /// Performs one atomic operation. [evt-sem §2.1]
    pub fn operate(&mut self, index: u8, operation: SemaphoreOp, operand: u32) -> SemaphoreChange {
        let cell = &mut self.semaphores[usize::from(index)];
        let old = *cell;
        let (new, wrapped) = match operation {
            SemaphoreOp::Add => old.overflowing_add(operand),
            SemaphoreOp::Sub => old.overflowing_sub(operand),
            SemaphoreOp::Set => (operand, false),
        };
        *cell = new;
        if wrapped {
            self.errors.semaphore = self.errors.semaphore.saturating_add(1);
            self.summaries.semaphore = true;
        }
        SemaphoreChange { old, new, wrapped }
    }

    /// Stores an event bit and returns the state before. [evt-sem §2.2]
    pub fn set_event(&mut self, index: u8, state: bool) -> bool {
        let word = &mut self.events[usize::from(index / 32)];
        let bit = index % 32;
        let old = *word >> bit & 1 == 1;
        *word = *word & !(1 << bit) | u32::from(state) << bit;
        if old == state {
            self.errors.event = self.errors.event.saturating_add(1);
            self.summaries.event = true;
        }
        old
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [evt-sem §3.5 sequence F], [evt-sem §5 `op` rows]
    #[test]
    fn wrap_rows() {
        use SemaphoreOp::{Add, Set, Sub};
        let rows = [
            (Add, 1, 0xFFFF_FFFF, 0, true),
            (Sub, 1, 0, 0xFFFF_FFFF, true),
            (Add, 0x8000_0000, 0x8000_0000, 0, true),
            (Sub, 0xFFFF_FFFF, 3, 4, true),
            (Add, 0xFFFF_FFFE, 5, 3, true),
            (Add, 1, 0x7FFF_FFFF, 0x8000_0000, false),
            (Set, 0xABCD, 5, 0xABCD, false),
            (Add, 0, 7, 7, false),
            (Sub, 7, 7, 0, false),
        ];
        for (operation, operand, old, new, wrapped) in rows {
            let mut block = EvtSem::new();
            block.operate(9, Set, old);
            let change = block.operate(9, operation, operand);
            assert_eq!(
                change,
                SemaphoreChange { old, new, wrapped },
                "{operation:?} {operand:#x}"
            );
            assert_eq!(block.semaphore(9), new);
            assert_eq!(block.errors().semaphore, u32::from(wrapped));
            assert_eq!(block.summaries().semaphore, wrapped);
        }
    }

    /// [evt-sem MC-E11]
    #[test]
    fn double_set_and_double_clear_are_counted_and_take_the_value() {
        let mut block = EvtSem::new();
        assert!(!block.set_event(3, true));
        assert!(!block.summaries().event);
        assert!(block.set_event(3, true));
        assert_eq!(block.errors().event, 1);
        assert!(block.summaries().event);
        assert!(block.set_event(3, false));
        assert!(!block.set_event(3, false));
        assert_eq!(block.errors().event, 2);
        assert!(!block.event(3));
    }

    #[test]
    fn counters_stop_at_all_ones() {
        let mut block = EvtSem::new();
        block.errors.semaphore = u32::MAX;
        block.errors.event = u32::MAX;
        block.operate(0, SemaphoreOp::Sub, 1);
        block.set_event(0, false);
        assert_eq!(block.errors().semaphore, u32::MAX);
        assert_eq!(block.errors().event, u32::MAX);
    }
}
