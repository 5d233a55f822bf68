// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `UPDATE_MODE`: the one change that a word makes. Decoded by table. [isa-word §6.2, decisions D-15]

use super::semaphore_value::ValueSource;
use super::wire_enum::wire_enum;
use crate::generation::Generation;

wire_enum! {
    /// The `update_mode` byte. [isa-word §6.2]
    pub enum UpdateMode {
        None = 0x00, "NONE", ALL;
        EvtSetRead = 0x01, "EVT_SET_READ", V2_TO_V4;
        EvtClrRead = 0x02, "EVT_CLR_READ", V2_TO_V4;
        SemIncRead = 0x03, "SEM_INC_READ", ALL;
        SemDecRead = 0x04, "SEM_DEC_READ", ALL;
        SemAddImmRead = 0x05, "SEM_ADD_IMM_READ", ALL;
        SemSubImmRead = 0x07, "SEM_SUB_IMM_READ", ALL;
        SemWrImmRead = 0x09, "SEM_WR_IMM_READ", ALL;
        EvtSetComplete = 0x11, "EVT_SET_COMPLETE", V2_TO_V4;
        EvtClrComplete = 0x12, "EVT_CLR_COMPLETE", V2_TO_V4;
        SemIncComplete = 0x13, "SEM_INC_COMPLETE", ALL;
        SemDecComplete = 0x14, "SEM_DEC_COMPLETE", ALL;
        SemAddImmComplete = 0x15, "SEM_ADD_IMM_COMPLETE", ALL;
        SemSubImmComplete = 0x17, "SEM_SUB_IMM_COMPLETE", ALL;
        SemWrImmComplete = 0x19, "SEM_WR_IMM_COMPLETE", ALL;
        SemAddRegRead = 0x85, "SEM_ADD_REG_READ", ALL;
        SemSubRegRead = 0x87, "SEM_SUB_REG_READ", ALL;
        SemWrRegRead = 0x89, "SEM_WR_REG_READ", ALL;
        SemAddRegComplete = 0x95, "SEM_ADD_REG_COMPLETE", ALL;
        SemSubRegComplete = 0x97, "SEM_SUB_REG_COMPLETE", ALL;
        SemWrRegComplete = 0x99, "SEM_WR_REG_COMPLETE", ALL;
        #[doc = "(a member, but never legal: MC-3)"]
        Invalid = 0xFF, "INVALID", ALL;
    }
}

/// When an update fires. [isa-word §6.3, MC-10]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpdatePoint {
    /// The last source byte has been read.
    Read,
    /// The word is fully finished.
    Complete,
}

/// What an update does to `semaphore[update_idx]` or `event[update_idx]`; semaphore arithmetic wraps
/// modulo 2^32. [isa-word §6.2, §6.3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpdateEffect {
    /// The event becomes this.
    Event(bool),
    /// `S += 1`
    Increment,
    /// `S -= 1`
    Decrement,
    /// `S += V`
    Add(ValueSource),
    /// `S -= V`
    Subtract(ValueSource),
    /// `S = V`
    Write(ValueSource),
}

impl UpdateEffect {
    /// How the effect reads `semaphore_value`; `None` when it does not.
    #[must_use]
    pub const fn value_source(self) -> Option<ValueSource> {
        match self {
            Self::Event(_) | Self::Increment | Self::Decrement => None,
            Self::Add(source) | Self::Subtract(source) | Self::Write(source) => Some(source),
        }
    }

    /// The semaphore's next value; `None` if the effect is on an event. [isa-word §6.3, HIGH/OBSERVED]
    #[must_use]
    pub const fn apply(self, semaphore: u32, operand: u32) -> Option<u32> {
        match self {
            Self::Event(_) => None,
            Self::Increment => Some(semaphore.wrapping_add(1)),
            Self::Decrement => Some(semaphore.wrapping_sub(1)),
            Self::Add(_) => Some(semaphore.wrapping_add(operand)),
            Self::Subtract(_) => Some(semaphore.wrapping_sub(operand)),
            Self::Write(_) => Some(operand),
        }
    }
}

/// An update: what, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpdateAction {
    /// What happens.
    pub effect: UpdateEffect,
    /// When it happens.
    pub point: UpdatePoint,
}

impl UpdateMode {
    /// Legal on `generation`: a member, and not `INVALID`. [isa-word MC-3]
    #[must_use]
    pub const fn legal_in(self, generation: Generation) -> bool {
        self.member_of(generation) && !matches!(self, Self::Invalid)
    }

    /// The update that the mode stands for; `None` for `NONE` and `INVALID`. [isa-word §6.2]
    #[must_use]
    pub const fn action(self) -> Option<UpdateAction> {
        use UpdateEffect::{Add, Decrement, Event, Increment, Subtract, Write};
        use UpdatePoint::{Complete, Read};
        use ValueSource::{Immediate, Register};
        let (effect, point) = match self {
            Self::None | Self::Invalid => return None,
            Self::EvtSetRead => (Event(true), Read),
            Self::EvtClrRead => (Event(false), Read),
            Self::SemIncRead => (Increment, Read),
            Self::SemDecRead => (Decrement, Read),
            Self::SemAddImmRead => (Add(Immediate), Read),
            Self::SemSubImmRead => (Subtract(Immediate), Read),
            Self::SemWrImmRead => (Write(Immediate), Read),
            Self::EvtSetComplete => (Event(true), Complete),
            Self::EvtClrComplete => (Event(false), Complete),
            Self::SemIncComplete => (Increment, Complete),
            Self::SemDecComplete => (Decrement, Complete),
            Self::SemAddImmComplete => (Add(Immediate), Complete),
            Self::SemSubImmComplete => (Subtract(Immediate), Complete),
            Self::SemWrImmComplete => (Write(Immediate), Complete),
            Self::SemAddRegRead => (Add(Register), Read),
            Self::SemSubRegRead => (Subtract(Register), Read),
            Self::SemWrRegRead => (Write(Register), Read),
            Self::SemAddRegComplete => (Add(Register), Complete),
            Self::SemSubRegComplete => (Subtract(Register), Complete),
            Self::SemWrRegComplete => (Write(Register), Complete),
        };
        Some(UpdateAction { effect, point })
    }

    /// How the mode reads `semaphore_value`; `None` when it does not.
    #[must_use]
    pub const fn value_source(self) -> Option<ValueSource> {
        match self.action() {
            Some(action) => action.effect.value_source(),
            None => None,
        }
    }
}
