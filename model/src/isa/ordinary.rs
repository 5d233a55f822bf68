// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The ordinary words that a program of legs needs around 0xBF. [evt-sem §2.6, HIGH/OBSERVED]

use super::opcode::Opcode;
use super::word::{Events, Word, WordBytes};

impl Opcode {
    /// Stops the program.
    pub const HALT: Self = Self(0xA1);
    /// Waits until everything before it is complete.
    pub const DRAIN: Self = Self(0xA2);
    /// Nothing but its EVENTS.
    pub const NOP: Self = Self(0xA4);
    /// Clears events and semaphores by range or mask.
    pub const EVENT_SEMAPHORE_RANGE_CLEAR: Self = Self(0xB0);
}

/// Waits and update of a word of opcode 0xA0. [evt-sem §2.6]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventSemaphore {
    /// Wait half of the block at byte 4; its update half is ignored. [decisions D-54]
    pub first: Events,
    /// Wait half of the block at byte 0x20.
    pub second: Events,
    /// Update half of the block at byte 0x20, with the value at byte 0x28.
    pub update: Events,
}

impl EventSemaphore {
    /// Reads the record.
    #[must_use]
    pub fn decode(bytes: &WordBytes) -> Self {
        const SECOND: usize = 0x20;
        let value = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        Self {
            first: Events {
                update_mode: 0,
                update_idx: 0,
                ..Word::decode(bytes).events
            },
            second: Events {
                wait_mode: bytes[SECOND],
                wait_idx: bytes[SECOND + 1],
                semaphore_value: value(SECOND + 4),
                ..Events::default()
            },
            update: Events {
                update_mode: bytes[SECOND + 2],
                update_idx: bytes[SECOND + 3],
                semaphore_value: value(SECOND + 8),
                ..Events::default()
            },
        }
    }
}

/// Which indices a word of opcode 0xB0 clears. [evt-sem §2.6]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeClear {
    /// Mode 1: from first to last, both included.
    Range {
        /// Byte 13.
        first: u8,
        /// Byte 14.
        last: u8,
    },
    /// Mode 2: bit i of the 256 bits at byte 0x20.
    Mask([u8; 32]),
}

impl RangeClear {
    /// Reads the record; `None` for a mode that is neither.
    #[must_use]
    pub fn decode(bytes: &WordBytes) -> Option<Self> {
        match bytes[12] {
            1 => Some(Self::Range {
                first: bytes[13],
                last: bytes[14],
            }),
            2 => Some(Self::Mask(std::array::from_fn(|i| bytes[0x20 + i]))),
            _ => None,
        }
    }

    /// Whether it clears this index.
    #[must_use]
    pub fn contains(&self, index: u8) -> bool {
        match self {
            Self::Range { first, last } => (*first..=*last).contains(&index),
            Self::Mask(bits) => bits[usize::from(index / 8)] >> (index % 8) & 1 != 0,
        }
    }
}
