// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notification records of the block. [evt-sem §1.6, decisions D-19]

use super::bank::{Change, EvtSem};
use crate::isa::EngineNumber;
use crate::transaction::{Effect, Master, SemaphoreOp};

/// `update_mode` of a change made by a bus master. [decisions D-19]
pub const BUS_UPDATE_MODE: u8 = 0xFF;

/// Who caused a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An engine of the core.
    Engine(EngineNumber),
    /// A bus master.
    Bus,
}

impl From<Master> for Source {
    fn from(master: Master) -> Self {
        match master {
            Master::Sequencer => Self::Engine(EngineNumber::Pool),
            Master::Nx | Master::Q7 | Master::Dma | Master::Bus => Self::Bus,
        }
    }
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

impl From<Notification> for Effect {
    fn from(record: Notification) -> Self {
        Self::Notification {
            record_type: record.source.record_type(),
            update_mode: record.update_mode,
            double_set_or_clear: record.double_set_or_clear,
            is_semaphore: record.is_semaphore,
            index: record.index,
            value: record.value,
        }
    }
}

impl EvtSem {
    /// The record that a change sends, if it sends one: event changes always do, semaphore changes by their new value,
    /// additions of 0 never. [evt-sem MC-E6, MC-E10]
    #[must_use]
    pub fn notification(
        &self,
        source: Source,
        change: Change,
        update_mode: u8,
    ) -> Option<Notification> {
        let control = self.control();
        let (index, is_semaphore, double_set_or_clear, value, notified) = match change {
            Change::Event { index, old, new } => (
                index,
                false,
                old == new,
                u32::from(new),
                control.notifications_enabled,
            ),
            Change::Semaphore {
                index,
                operation,
                operand,
                change,
            } => {
                let idle = operand == 0 && operation != SemaphoreOp::Set;
                (
                    index,
                    true,
                    false,
                    change.new,
                    !idle && control.notifies(change.new),
                )
            }
        };
        notified.then_some(Notification {
            source,
            index,
            is_semaphore,
            double_set_or_clear,
            update_mode,
            value,
        })
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
