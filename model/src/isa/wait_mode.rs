// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `WAIT_MODE`: the condition before issue. Decoded by table. [isa-word §6.1, decisions D-15]

use super::semaphore_value::ValueSource;
use super::wire_enum::wire_enum;
use crate::generation::Generation;

wire_enum! {
    /// The `wait_mode` byte. [isa-word §6.1, HIGH/OBSERVED]
    pub enum WaitMode {
        None = 0x00, "NONE", ALL;
        SemEqImm = 0x01, "WAIT_FOR_SEM_EQ_IMM", ALL;
        SemLtImm = 0x02, "WAIT_FOR_SEM_LT_IMM", ALL;
        SemLeImm = 0x03, "WAIT_FOR_SEM_LE_IMM", ALL;
        SemGtImm = 0x04, "WAIT_FOR_SEM_GT_IMM", ALL;
        SemGeImm = 0x05, "WAIT_FOR_SEM_GE_IMM", ALL;
        EvtSet = 0x06, "WAIT_FOR_EVT_SET", V2_TO_V4;
        EvtSetThenClear = 0x07, "WAIT_FOR_EVT_SET_THEN_CLEAR", V2_TO_V4;
        EvtClear = 0x0E, "WAIT_FOR_EVT_CLEAR", V2_TO_V4;
        EvtClearThenSet = 0x0F, "WAIT_FOR_EVT_CLEAR_THEN_SET", V2_TO_V4;
        SemEqReg = 0x81, "WAIT_FOR_SEM_EQ_REG", ALL;
        SemLtReg = 0x82, "WAIT_FOR_SEM_LT_REG", ALL;
        SemLeReg = 0x83, "WAIT_FOR_SEM_LE_REG", ALL;
        SemGtReg = 0x84, "WAIT_FOR_SEM_GT_REG", ALL;
        SemGeReg = 0x85, "WAIT_FOR_SEM_GE_REG", ALL;
        SemEqRegOffset = 0x91, "WAIT_FOR_SEM_EQ_REG_OFFSET", V5_ONLY;
        SemLtRegOffset = 0x92, "WAIT_FOR_SEM_LT_REG_OFFSET", V5_ONLY;
        SemLeRegOffset = 0x93, "WAIT_FOR_SEM_LE_REG_OFFSET", V5_ONLY;
        SemGtRegOffset = 0x94, "WAIT_FOR_SEM_GT_REG_OFFSET", V5_ONLY;
        SemGeRegOffset = 0x95, "WAIT_FOR_SEM_GE_REG_OFFSET", V5_ONLY;
        #[doc = "(waits on nothing, and is free of the waits before it)"]
        Unordered = 0xFE, "UNORDERED", V5_ONLY;
        #[doc = "(a member, but never legal: MC-3)"]
        Invalid = 0xFF, "INVALID", ALL;
    }
}

/// An ordered or equality compare of a semaphore with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// `S == V`
    Eq,
    /// `S < V`
    Lt,
    /// `S <= V`
    Le,
    /// `S > V`
    Gt,
    /// `S >= V`
    Ge,
}

impl Compare {
    /// The compare on unsigned 32-bit numbers. [isa-word MC-14]
    #[must_use]
    pub const fn holds(self, semaphore: u32, operand: u32) -> bool {
        match self {
            Self::Eq => semaphore == operand,
            Self::Lt => semaphore < operand,
            Self::Le => semaphore <= operand,
            Self::Gt => semaphore > operand,
            Self::Ge => semaphore >= operand,
        }
    }

    /// The other reading of MC-14: the compare on signed 32-bit numbers.
    #[must_use]
    pub const fn holds_signed(self, semaphore: u32, operand: u32) -> bool {
        let (semaphore, operand) = (semaphore.cast_signed(), operand.cast_signed());
        match self {
            Self::Eq => semaphore == operand,
            Self::Lt => semaphore < operand,
            Self::Le => semaphore <= operand,
            Self::Gt => semaphore > operand,
            Self::Ge => semaphore >= operand,
        }
    }
}

/// What a wait mode waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaitCondition {
    /// True at once.
    Always,
    /// True at once, and free of the waits of the instructions before it.
    Unordered,
    /// `semaphore[wait_idx] compare operand`; the semaphore does not change.
    Semaphore {
        /// Which compare.
        compare: Compare,
        /// Where the threshold comes from.
        operand: ValueSource,
    },
    /// `event[wait_idx] == level`, and in the same step the event becomes `then` if given.
    Event {
        /// The level waited for.
        level: bool,
        /// What the `_THEN_` forms write.
        then: Option<bool>,
    },
}

impl WaitMode {
    /// Legal on `generation`: a member, and not `INVALID`. [isa-word MC-3]
    #[must_use]
    pub const fn legal_in(self, generation: Generation) -> bool {
        self.member_of(generation) && !matches!(self, Self::Invalid)
    }

    /// The condition that the mode stands for; `None` for `INVALID`. [isa-word §6.1]
    #[must_use]
    pub const fn condition(self) -> Option<WaitCondition> {
        use Compare::{Eq, Ge, Gt, Le, Lt};
        use ValueSource::{Immediate, Register, RegisterOffset};
        let (compare, operand) = match self {
            Self::None => return Some(WaitCondition::Always),
            Self::Unordered => return Some(WaitCondition::Unordered),
            Self::Invalid => return None,
            Self::EvtSet => return Some(event(true, None)),
            Self::EvtSetThenClear => return Some(event(true, Some(false))),
            Self::EvtClear => return Some(event(false, None)),
            Self::EvtClearThenSet => return Some(event(false, Some(true))),
            Self::SemEqImm => (Eq, Immediate),
            Self::SemLtImm => (Lt, Immediate),
            Self::SemLeImm => (Le, Immediate),
            Self::SemGtImm => (Gt, Immediate),
            Self::SemGeImm => (Ge, Immediate),
            Self::SemEqReg => (Eq, Register),
            Self::SemLtReg => (Lt, Register),
            Self::SemLeReg => (Le, Register),
            Self::SemGtReg => (Gt, Register),
            Self::SemGeReg => (Ge, Register),
            Self::SemEqRegOffset => (Eq, RegisterOffset),
            Self::SemLtRegOffset => (Lt, RegisterOffset),
            Self::SemLeRegOffset => (Le, RegisterOffset),
            Self::SemGtRegOffset => (Gt, RegisterOffset),
            Self::SemGeRegOffset => (Ge, RegisterOffset),
        };
        Some(WaitCondition::Semaphore { compare, operand })
    }

    /// How the mode reads `semaphore_value`; `None` when it does not.
    #[must_use]
    pub const fn value_source(self) -> Option<ValueSource> {
        match self.condition() {
            Some(WaitCondition::Semaphore { operand, .. }) => Some(operand),
            _ => None,
        }
    }
}

const fn event(level: bool, then: Option<bool>) -> WaitCondition {
    WaitCondition::Event { level, then }
}
