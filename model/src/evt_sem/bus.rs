// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The container as a bus sees it. [evt-sem §§1.1, 1.3]

use thiserror::Error;

use super::bank::{Change, EvtSem};
use crate::transaction::SemaphoreOp;

/// Bytes of the container. [evt-sem §1.1, HIGH/OBSERVED]
const CONTAINER: u32 = 0x10_0000;

/// The leaf that a word of the container belongs to. [evt-sem §§1.1, 4]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// EVENT: read and write bit 0.
    Event(u8),
    /// `SEMAPHORE_READ`: read-only.
    Read(u8),
    /// `SEMAPHORE_SET`, `_INC`, `_DEC`: write-only.
    Write(SemaphoreOp, u8),
    /// Reserved 0 and reserved 1.
    Reserved,
}

impl Leaf {
    /// The leaf at a byte offset of the container.
    ///
    /// # Errors
    /// [`BadAccess`] for an offset that is no multiple of 4 or lies beyond the container.
    pub const fn at(offset: u32) -> Result<Self, BadAccess> {
        if !offset.is_multiple_of(4) || offset >= CONTAINER {
            return Err(BadAccess(offset));
        }
        // 256 entries of 4 bytes: bits 9 to 2 are the index, the bits above the operation code.
        let index = (offset >> 2) as u8;
        Ok(match offset >> 10 {
            0 => Self::Event(index),
            4 => Self::Read(index),
            5 => Self::Write(SemaphoreOp::Set, index),
            6 => Self::Write(SemaphoreOp::Add, index),
            7 => Self::Write(SemaphoreOp::Sub, index),
            _ => Self::Reserved,
        })
    }
}

/// An access that the block refuses without any effect. [evt-sem MC-E3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("EVT_SEM offset 0x{0:x} is not a multiple of 4 below 0x100000")]
pub struct BadAccess(pub u32);

impl EvtSem {
    /// A 32-bit bus read at a byte offset of the container. [evt-sem §1.3]
    ///
    /// # Errors
    /// [`BadAccess`] for an unaligned offset or one beyond the container.
    pub fn bus_read(&mut self, offset: u32) -> Result<u32, BadAccess> {
        Ok(match Leaf::at(offset)? {
            Leaf::Event(index) => u32::from(self.event(index)),
            Leaf::Read(index) => self.semaphore(index),
            Leaf::Write(..) => {
                self.access_violation();
                0
            }
            Leaf::Reserved => {
                self.decode_hole();
                0
            }
        })
    }

    /// A 32-bit bus write at a byte offset of the container. [evt-sem §1.3]
    ///
    /// # Errors
    /// [`BadAccess`] for an unaligned offset or one beyond the container.
    pub fn bus_write(&mut self, offset: u32, value: u32) -> Result<Option<Change>, BadAccess> {
        Ok(match Leaf::at(offset)? {
            Leaf::Event(index) => {
                // [evt-sem MC-E2]
                let new = value & 1 == 1;
                let old = self.set_event(index, new);
                Some(Change::Event { index, old, new })
            }
            Leaf::Write(operation, index) => Some(Change::Semaphore {
                index,
                operation,
                operand: value,
                change: self.operate(index, operation, value),
            }),
            Leaf::Read(_) => {
                self.access_violation();
                None
            }
            Leaf::Reserved => {
                self.decode_hole();
                None
            }
        })
    }

    fn access_violation(&mut self) {
        self.errors.access_violation = self.errors.access_violation.saturating_add(1);
    }

    fn decode_hole(&mut self) {
        self.errors.decode_hole = self.errors.decode_hole.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(
            block.bus_write(0x1000 + 4 * 12, 99),
            Ok(None),
            "read-only words ignore writes"
        );
        assert_eq!(block.semaphore(12), 14);
        assert_eq!(block.errors().access_violation, 2);
        block.bus_write(4 * 255, 0xFFFF_FFFF).expect("aligned");
        assert_eq!(
            block.bus_read(4 * 255),
            Ok(1),
            "only bit 0 of an event exists"
        );
    }

    /// Index 256 of a window is entry 0 of the next one. [evt-sem §1.3]
    #[test]
    fn the_byte_address_decides() {
        assert_eq!(
            Leaf::at(0x1000 + 4 * 256),
            Ok(Leaf::Write(SemaphoreOp::Set, 0))
        );
        assert_eq!(
            Leaf::at(0x1400 + 4 * 256),
            Ok(Leaf::Write(SemaphoreOp::Add, 0))
        );
        assert_eq!(
            Leaf::at(0x1800 + 4 * 256),
            Ok(Leaf::Write(SemaphoreOp::Sub, 0))
        );
        assert_eq!(Leaf::at(0x1C00 + 4 * 256), Ok(Leaf::Reserved));
        assert_eq!(Leaf::at(4 * 256), Ok(Leaf::Reserved));
    }

    /// [evt-sem §5 `dec` rows], offsets in the container
    #[test]
    fn decode_rows() {
        let rows = [
            (0x1814, Leaf::Write(SemaphoreOp::Add, 5)),
            (0x1FFC, Leaf::Write(SemaphoreOp::Sub, 255)),
            (0x2000, Leaf::Reserved),
            (0x0400, Leaf::Reserved),
            (0x13FC, Leaf::Read(255)),
            (0x1400, Leaf::Write(SemaphoreOp::Set, 0)),
            (0x0000, Leaf::Event(0)),
            (0x03FC, Leaf::Event(255)),
            (0x0FFC, Leaf::Reserved),
            (0xF_FFFC, Leaf::Reserved),
        ];
        for (offset, leaf) in rows {
            assert_eq!(Leaf::at(offset), Ok(leaf), "{offset:#x}");
        }
        for offset in [0x1001, 0x1002, 0x1003, 0x10_0000, u32::MAX] {
            assert_eq!(Leaf::at(offset), Err(BadAccess(offset)));
        }
    }

    /// [evt-sem MC-E4]
    #[test]
    fn holes_read_zero_drop_writes_and_are_counted() {
        let mut block = EvtSem::new();
        assert_eq!(block.bus_write(0x400, 1), Ok(None));
        assert_eq!(block.bus_read(0x2000), Ok(0));
        assert_eq!(block.errors().decode_hole, 2);
        assert_eq!(block.bus_read(0x1002), Err(BadAccess(0x1002)));
        assert_eq!(
            block.errors().access_violation,
            0,
            "an error is not counted"
        );
    }
}
