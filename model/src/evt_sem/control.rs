// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The control block: thresholds, notification enable, error summaries. [evt-sem §1.5, decisions D-18]

use thiserror::Error;

use super::bank::{EvtSem, Summaries};

/// Register `sw_queue_num2.events_semaphores`, bits 19 to 16. [evt-sem §1.5]
const SW_QUEUE_MASK: u32 = 0x000F_0000;

/// The registers with their offsets in the control block. [evt-sem §1.5, decisions D-18]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ControlRegister {
    /// `sem_threshold_ctrl0.low` at 0x800
    ThresholdLow,
    /// `sem_threshold_ctrl1.high` at 0x804
    ThresholdHigh,
    /// `notific_ctrl.notifications_en` at 0x808
    NotificationsEnable,
    /// Error summaries at 0x80C, cleared by reading. [decisions D-18]
    ErrorSummary,
    /// `sw_queue_num2.events_semaphores` at 0xA08
    SwQueue,
}

impl ControlRegister {
    /// The register at a byte offset of the control block; `None` where nothing is.
    #[must_use]
    pub const fn at(offset: u32) -> Option<Self> {
        Some(match offset {
            0x800 => Self::ThresholdLow,
            0x804 => Self::ThresholdHigh,
            0x808 => Self::NotificationsEnable,
            0x80C => Self::ErrorSummary,
            0xA08 => Self::SwQueue,
            _ => return None,
        })
    }
}

/// The writable part of the control block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Lowest new value that is notified. [evt-sem MC-E6]
    pub threshold_low: u32,
    /// Highest new value that is notified.
    pub threshold_high: u32,
    /// Whether anything is notified.
    pub notifications_enabled: bool,
    /// Software queue of the notifications, in bits 19 to 16.
    pub sw_queue: u32,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            threshold_low: 0,
            threshold_high: u32::MAX,
            notifications_enabled: false,
            sw_queue: 0,
        }
    }
}

impl Control {
    /// Whether a semaphore update to `new` is notified. [evt-sem MC-E6]
    #[must_use]
    pub const fn notifies(&self, new: u32) -> bool {
        self.notifications_enabled && self.threshold_low <= new && new <= self.threshold_high
    }
}

/// An unaligned access to the control block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("control offset 0x{0:x} is not a multiple of 4")]
pub struct BadControlAccess(pub u32);

impl EvtSem {
    /// Reads a control register; offsets without a register read 0. Reading the error summaries
    /// clears them. [evt-sem §1.5, MC-E7]
    ///
    /// # Errors
    /// [`BadControlAccess`] for an unaligned offset.
    pub fn control_read(&mut self, offset: u32) -> Result<u32, BadControlAccess> {
        if !offset.is_multiple_of(4) {
            return Err(BadControlAccess(offset));
        }
        let Some(register) = ControlRegister::at(offset) else {
            return Ok(0);
        };
        Ok(match register {
            ControlRegister::ThresholdLow => self.control.threshold_low,
            ControlRegister::ThresholdHigh => self.control.threshold_high,
            ControlRegister::NotificationsEnable => u32::from(self.control.notifications_enabled),
            ControlRegister::SwQueue => self.control.sw_queue,
            ControlRegister::ErrorSummary => {
                let Summaries { event, semaphore } = std::mem::take(&mut self.summaries);
                u32::from(event) | u32::from(semaphore) << 1
            }
        })
    }

    /// Writes a control register; offsets without a register and the error summaries ignore it.
    ///
    /// # Errors
    /// [`BadControlAccess`] for an unaligned offset.
    pub fn control_write(&mut self, offset: u32, value: u32) -> Result<(), BadControlAccess> {
        if !offset.is_multiple_of(4) {
            return Err(BadControlAccess(offset));
        }
        match ControlRegister::at(offset) {
            Some(ControlRegister::ThresholdLow) => self.control.threshold_low = value,
            Some(ControlRegister::ThresholdHigh) => self.control.threshold_high = value,
            Some(ControlRegister::NotificationsEnable) => {
                self.control.notifications_enabled = value & 1 == 1;
            }
            Some(ControlRegister::SwQueue) => self.control.sw_queue = value & SW_QUEUE_MASK,
            Some(ControlRegister::ErrorSummary) | None => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transaction::SemaphoreOp;

    #[test]
    fn registers_keep_their_fields_only() {
        let mut block = EvtSem::new();
        for (offset, reset, kept) in [
            (0x800, 0, u32::MAX),
            (0x804, u32::MAX, u32::MAX),
            (0x808, 0, 1),
            (0xA08, 0, 0x000F_0000),
            (0x7FC, 0, 0),
            (0x810, 0, 0),
        ] {
            assert_eq!(block.control_read(offset), Ok(reset), "{offset:#x}");
            assert_eq!(block.control_write(offset, u32::MAX), Ok(()));
            assert_eq!(block.control_read(offset), Ok(kept), "{offset:#x}");
        }
        assert_eq!(block.control_read(0x802), Err(BadControlAccess(0x802)));
        assert_eq!(block.control_write(0x80D, 0), Err(BadControlAccess(0x80D)));
    }

    #[test]
    fn summaries_clear_by_reading_and_ignore_writes() {
        let mut block = EvtSem::new();
        block.operate(1, SemaphoreOp::Sub, 1);
        assert_eq!(block.control_write(0x80C, 0), Ok(()));
        assert_eq!(block.control_read(0x80C), Ok(2));
        assert_eq!(block.control_read(0x80C), Ok(0));
        block.set_event(1, false);
        block.operate(1, SemaphoreOp::Add, 1);
        assert_eq!(block.control_read(0x80C), Ok(3));
        assert_eq!(block.errors().event, 1, "counters stay");
    }

    /// [evt-sem MC-E6] both borders, both sides
    #[test]
    fn thresholds_are_inclusive_and_unsigned() {
        let mut control = Control {
            threshold_low: 5,
            threshold_high: 0x8000_0000,
            ..Control::default()
        };
        assert!(!control.notifies(5), "not enabled");
        control.notifications_enabled = true;
        for (value, notified) in [
            (4, false),
            (5, true),
            (0x8000_0000, true),
            (0x8000_0001, false),
            (u32::MAX, false),
        ] {
            assert_eq!(control.notifies(value), notified, "{value:#x}");
        }
    }
}
