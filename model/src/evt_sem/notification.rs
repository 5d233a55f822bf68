// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notification records of the block. [evt-sem §1.6, decisions D-19]

use crate::isa::EngineNumber;

/// `update_mode` of a change made by a bus master. [decisions D-19]
pub(super) const BUS_UPDATE_MODE: u8 = 0xFF;

/// Who caused a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An engine of the core.
    Engine(EngineNumber),
    /// A bus master.
    Bus,
}

impl Source {
    /// The type in the header byte. [evt-sem §1.6, HIGH/OBSERVED]
    #[must_use]
    pub const fn record_type(self) -> u8 {
        match self {
            Self::Engine(EngineNumber::Pe) => 0x07,
            Self::Engine(EngineNumber::Act) => 0x0B,
            Self::Engine(EngineNumber::Pool) => 0x0F,
            Self::Engine(EngineNumber::Dve) => 0x13,
            // A TOP_SP is an SP with a container of its own.
            Self::Engine(EngineNumber::TpbSp | EngineNumber::TopSp) => 0x17,
            Self::Bus => 0x1B,
        }
    }
}

/// A record without its time stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Notification {
    /// Who caused it.
    pub source: Source,
    /// Index of the semaphore or event.
    pub index: u8,
    /// A semaphore rather than an event.
    pub is_semaphore: bool,
    /// The event already was in the state written.
    pub double_set_or_clear: bool,
    /// The wire byte of the mode or command; 0xFF for a bus master.
    pub update_mode: u8,
    /// New count, or new state as 0 or 1.
    pub value: u32,
}

impl Notification {
    /// Word 0 with phase and overflow bits 0: type at 28..24, mode at 17..10, double set at 9,
    /// semaphore at 8, index at 7..0. [evt-sem §1.6, MED/INFERRED]
    #[must_use]
    pub const fn word0(&self) -> u32 {
        (self.source.record_type() as u32) << 24
            | (self.update_mode as u32) << 10
            | (self.double_set_or_clear as u32) << 9
            | (self.is_semaphore as u32) << 8
            | self.index as u32
    }

    /// The 16 bytes as four words; the time stamp counts picoseconds.
    #[must_use]
    pub const fn words(&self, picoseconds: u64) -> [u32; 4] {
        [
            self.word0(),
            self.value,
            picoseconds as u32,
            (picoseconds >> 32) as u32,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Field positions written out bit by bit. [evt-sem §1.6]
    #[test]
    fn words_hold_the_fields_at_their_places() {
        let record = Notification {
            source: Source::Engine(EngineNumber::Pool),
            index: 0xA5,
            is_semaphore: true,
            double_set_or_clear: true,
            update_mode: 0x99,
            value: 0xDEAD_BEEF,
        };
        assert_eq!(
            record.words(0x0123_4567_89AB_CDEF),
            [
                0b0000_1111_0000_0010_0110_0111_1010_0101,
                0xDEAD_BEEF,
                0x89AB_CDEF,
                0x0123_4567
            ]
        );
        let types = [
            (EngineNumber::Pe, 0x07),
            (EngineNumber::Act, 0x0B),
            (EngineNumber::Pool, 0x0F),
            (EngineNumber::Dve, 0x13),
            (EngineNumber::TpbSp, 0x17),
        ];
        for (engine, code) in types {
            assert_eq!(Source::Engine(engine).record_type(), code);
        }
        assert_eq!(Source::Bus.record_type(), 0x1B);
    }
}
