// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Wait/update records: the check and the update are one fused operation. [evt-sem §§2.3–2.5]

use super::bank::{Change, EvtSem};
use crate::choices::Signedness;
use crate::generation::Generation;
use crate::isa::{UpdateEffect, UpdateMode, WaitCondition, WaitMode};
use crate::transaction::SemaphoreOp;

/// The wait half of a record, its operand resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wait {
    /// Wire byte of the mode.
    pub mode: u8,
    /// Semaphore or event.
    pub index: u8,
    /// Threshold: an immediate, or what the register held.
    pub value: u32,
}

/// The update half of a record, its operand resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Update {
    /// Wire byte of the mode.
    pub mode: u8,
    /// Semaphore or event.
    pub index: u8,
    /// Operand: an immediate, or what the register held.
    pub value: u32,
}

/// A record as the block sees it; all zero waits for nothing and changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    /// Looked at first.
    pub wait: Wait,
    /// Done in the same cycle if the wait holds. [evt-sem MC-E12]
    pub update: Update,
}

/// What a granted record changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Granted {
    /// The `_THEN_` effect of an event wait.
    pub then: Option<Change>,
    /// The update.
    pub update: Option<Change>,
}

/// How a record ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordOutcome {
    /// The wait held; the changes are made.
    Granted(Granted),
    /// The wait does not hold; nothing changed.
    Blocked,
    /// A mode is no legal member of the generation's enum; nothing changed. [decisions D-15]
    Illegal,
}

/// What the mode bytes of a generation stand for, by wire byte; `None` where they are illegal. Random records
/// would mispredict a decision a mode.
struct Modes {
    wait: [Option<WaitCondition>; 256],
    update: [Option<UpdateMode>; 256],
}

static MODES: [Modes; Generation::ALL.len()] = {
    let mut modes = [const { Modes::NONE }; Generation::ALL.len()];
    let mut at = 0;
    while at < modes.len() {
        modes[at] = Modes::of(Generation::ALL[at]);
        at += 1;
    }
    modes
};

impl Modes {
    const NONE: Self = Self {
        wait: [None; 256],
        update: [None; 256],
    };

    const fn of(generation: Generation) -> Self {
        let mut modes = Self::NONE;
        let mut raw = 0;
        while raw < modes.wait.len() {
            if let Some(mode) = WaitMode::from_raw(raw as u8)
                && mode.legal_in(generation)
            {
                modes.wait[raw] = mode.condition();
            }
            if let Some(mode) = UpdateMode::from_raw(raw as u8)
                && mode.legal_in(generation)
            {
                modes.update[raw] = Some(mode);
            }
            raw += 1;
        }
        modes
    }
}

impl EvtSem {
    /// What a wait looks at: the count, or the event as 0 or 1; `None` when it looks at nothing.
    #[must_use]
    pub fn looked_at(&self, condition: WaitCondition, index: u8) -> Option<u32> {
        match condition {
            WaitCondition::Always | WaitCondition::Unordered => None,
            WaitCondition::Semaphore { .. } => Some(self.semaphore(index)),
            WaitCondition::Event { .. } => Some(u32::from(self.event(index))),
        }
    }

    /// Whether a condition holds now. [isa-word §6.1, evt-sem MC-E9]
    #[must_use]
    pub fn holds(
        &self,
        condition: WaitCondition,
        index: u8,
        threshold: u32,
        compare_as: Signedness,
    ) -> bool {
        match condition {
            WaitCondition::Always | WaitCondition::Unordered => true,
            WaitCondition::Semaphore { compare, .. } => {
                let found = self.semaphore(index);
                match compare_as {
                    Signedness::Unsigned => compare.holds(found, threshold),
                    Signedness::Signed => compare.holds_signed(found, threshold),
                }
            }
            WaitCondition::Event { level, .. } => self.event(index) == level,
        }
    }

    /// The `_THEN_` effect of a wait that holds. [isa-word §6.1]
    pub fn then_effect(&mut self, condition: WaitCondition, index: u8) -> Option<Change> {
        match condition {
            WaitCondition::Event {
                then: Some(new), ..
            } => {
                let old = self.set_event(index, new);
                Some(Change::Event { index, old, new })
            }
            WaitCondition::Always
            | WaitCondition::Unordered
            | WaitCondition::Semaphore { .. }
            | WaitCondition::Event { then: None, .. } => None,
        }
    }

    /// Performs an update with its operand resolved. [isa-word §6.2]
    pub fn perform(&mut self, effect: UpdateEffect, index: u8, value: u32) -> Change {
        let (operation, operand) = match effect {
            UpdateEffect::Event(new) => {
                let old = self.set_event(index, new);
                return Change::Event { index, old, new };
            }
            UpdateEffect::Increment => (SemaphoreOp::Add, 1),
            UpdateEffect::Decrement => (SemaphoreOp::Sub, 1),
            UpdateEffect::Add(_) => (SemaphoreOp::Add, value),
            UpdateEffect::Subtract(_) => (SemaphoreOp::Sub, value),
            UpdateEffect::Write(_) => (SemaphoreOp::Set, value),
        };
        Change::Semaphore {
            index,
            operation,
            operand,
            change: self.operate(index, operation, operand),
        }
    }

    /// Checks and performs a record in one step. READ and COMPLETE forms act alike: the caller
    /// chooses the moment. [evt-sem MC-E12, MC-E14]
    pub fn record(
        &mut self,
        record: &Record,
        generation: Generation,
        compare_as: Signedness,
    ) -> RecordOutcome {
        let modes = &MODES[generation.index()];
        let condition = modes.wait[usize::from(record.wait.mode)];
        let update = modes.update[usize::from(record.update.mode)];
        let (Some(condition), Some(update)) = (condition, update) else {
            return RecordOutcome::Illegal;
        };
        if !self.holds(condition, record.wait.index, record.wait.value, compare_as) {
            return RecordOutcome::Blocked;
        }
        let then = self.then_effect(condition, record.wait.index);
        let update = update
            .action()
            .map(|action| self.perform(action.effect, record.update.index, record.update.value));
        RecordOutcome::Granted(Granted { then, update })
    }
}
