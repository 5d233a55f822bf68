// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The semaphores and events of one core. [evt-sem §§1, 2]

use thiserror::Error;

use crate::transaction::SemaphoreOp;

/// Entries of each bank. [evt-sem §1.2]
pub const ENTRIES: usize = 256;

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

/// One container: 256 counted semaphores and, separately, 256 event bits, all 0 after reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvtSem {
    semaphores: [u32; ENTRIES],
    events: [bool; ENTRIES],
    errors: ErrorCounters,
}

/// Errors that the block counts without failing the access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorCounters {
    /// Semaphore over- and underflows. [evt-sem MC-E8, decisions D-14]
    pub semaphore: u32,
    /// Sets of a set event and clears of a clear one. [evt-sem MC-E11]
    pub event: u32,
    /// Reads of write-only and writes of read-only words. [evt-sem MC-E1]
    pub access: u32,
}

/// What a bus write of 32 bits changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusEffect {
    /// Nothing: a read-only word or a reserved leaf. [evt-sem MC-E1, MC-E4]
    None,
    /// A semaphore operation.
    Semaphore {
        /// Index 0..=255.
        index: u8,
        /// Operation of the window.
        operation: SemaphoreOp,
        /// The written value.
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

/// An access that the block refuses. [evt-sem MC-E3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("EVT_SEM offset 0x{0:x} is not a multiple of 4 below 0x100000")]
pub struct BadAccess(pub u32);

/// The leaves of the container. [evt-sem §1.1]
enum Leaf {
    Event(u8),
    Read(u8),
    Write(SemaphoreOp, u8),
    Reserved,
}

fn leaf(offset: u32) -> Result<Leaf, BadAccess> {
    /// Size of the container. [evt-sem §1.1]
    const SIZE: u32 = 0x10_0000;
    if !offset.is_multiple_of(4) || offset >= SIZE {
        return Err(BadAccess(offset));
    }
    let index = (offset >> 2) as u8;
    Ok(match offset >> 10 {
        0 => Leaf::Event(index),
        4 => Leaf::Read(index),
        5 => Leaf::Write(SemaphoreOp::Set, index),
        6 => Leaf::Write(SemaphoreOp::Add, index),
        7 => Leaf::Write(SemaphoreOp::Sub, index),
        _ => Leaf::Reserved,
    })
}

impl Default for EvtSem {
    fn default() -> Self {
        Self {
            semaphores: [0; ENTRIES],
            events: [false; ENTRIES],
            errors: ErrorCounters::default(),
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
        self.events[usize::from(index)]
    }

    /// Errors counted since reset.
    #[must_use]
    pub fn errors(&self) -> ErrorCounters {
        self.errors
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
        }
        SemaphoreChange { old, new, wrapped }
    }

    /// Stores an event bit and returns the state before. [evt-sem §2.2]
    pub fn set_event(&mut self, index: u8, state: bool) -> bool {
        let old = std::mem::replace(&mut self.events[usize::from(index)], state);
        if old == state {
            self.errors.event = self.errors.event.saturating_add(1);
        }
        old
    }

    /// A 32-bit bus read at a byte offset of the container. [evt-sem §1.3]
    ///
    /// # Errors
    /// [`BadAccess`] for an unaligned offset or one beyond the container.
    pub fn bus_read(&mut self, offset: u32) -> Result<u32, BadAccess> {
        Ok(match leaf(offset)? {
            Leaf::Event(index) => u32::from(self.event(index)),
            Leaf::Read(index) => self.semaphore(index),
            Leaf::Write(..) => {
                self.errors.access = self.errors.access.saturating_add(1);
                0
            }
            Leaf::Reserved => 0,
        })
    }

    /// A 32-bit bus write at a byte offset of the container. [evt-sem §1.3]
    ///
    /// # Errors
    /// [`BadAccess`] for an unaligned offset or one beyond the container.
    pub fn bus_write(&mut self, offset: u32, value: u32) -> Result<BusEffect, BadAccess> {
        Ok(match leaf(offset)? {
            Leaf::Event(index) => {
                let new = value & 1 == 1;
                let old = self.set_event(index, new);
                BusEffect::Event { index, old, new }
            }
            Leaf::Write(operation, index) => BusEffect::Semaphore {
                index,
                operation,
                operand: value,
                change: self.operate(index, operation, value),
            },
            Leaf::Read(_) => {
                self.errors.access = self.errors.access.saturating_add(1);
                BusEffect::None
            }
            Leaf::Reserved => BusEffect::None,
        })
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
        }
    }

    /// [isa-word §6.4], [evt-sem §§1.1–1.3]
    #[test]
    fn windows_alias_one_array() {
        let mut block = EvtSem::new();
        block.bus_write(0x1400 + 4 * 12, 10).expect("aligned");
        block.bus_write(0x1800 + 4 * 12, 5).expect("aligned");
        block.bus_write(0x1C00 + 4 * 12, 1).expect("aligned");
        assert_eq!(block.bus_read(0x1000 + 4 * 12), Ok(14));
        assert_eq!(
            block.bus_read(0x1800 + 4 * 12),
            Ok(0),
            "write-only words read 0"
        );
        assert_eq!(block.bus_write(0x1000 + 4 * 12, 99), Ok(BusEffect::None));
        assert_eq!(block.semaphore(12), 14);
        assert_eq!(block.errors().access, 2);
        block.bus_write(4 * 255, 0xFFFF_FFFF).expect("aligned");
        assert_eq!(
            block.bus_read(4 * 255),
            Ok(1),
            "only bit 0 of an event exists"
        );
        assert_eq!(block.bus_write(0x400, 1), Ok(BusEffect::None));
        assert_eq!(block.bus_read(0x2000), Ok(0));
        assert_eq!(block.bus_read(0xF_FFFC), Ok(0));
        assert_eq!(block.bus_read(0x10_0000), Err(BadAccess(0x10_0000)));
        assert_eq!(block.bus_read(0x1002), Err(BadAccess(0x1002)));
    }

    /// [evt-sem MC-E11]
    #[test]
    fn double_set_and_double_clear_are_counted_and_take_the_value() {
        let mut block = EvtSem::new();
        assert!(!block.set_event(3, true));
        assert!(block.set_event(3, true));
        assert_eq!(block.errors().event, 1);
        assert!(block.set_event(3, false));
        assert!(!block.set_event(3, false));
        assert_eq!(block.errors().event, 2);
        assert!(!block.event(3));
    }
}
