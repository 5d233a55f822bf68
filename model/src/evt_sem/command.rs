// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Non-blocking commands of v5. [evt-sem §2.4, MC-E16]

use super::bank::{Change, EvtSem};
use crate::generation::Generation;
use crate::isa::{EvtSemNonblockingCmd, UpdateEffect, ValueSource};

/// One command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Command {
    /// Wire byte of `EVT_SEM_NONBLOCKING_CMD`.
    pub code: u8,
    /// Semaphore or event.
    pub index: u8,
    /// Operand.
    pub value: u32,
}

/// What a command did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommandResult {
    /// The count or event that a read found, else 0.
    pub value: u32,
    /// What was changed.
    pub change: Option<Change>,
}

impl EvtSem {
    /// Performs a command; `None` for a code that the generation does not have. [evt-sem MC-E16]
    pub fn command(&mut self, command: Command, generation: Generation) -> Option<CommandResult> {
        use EvtSemNonblockingCmd as Code;
        let code = Code::from_raw(command.code).filter(|code| code.member_of(generation))?;
        let index = command.index;
        let effect = match code {
            Code::Nop => return Some(CommandResult::default()),
            Code::ReadSemaphore => {
                return Some(CommandResult {
                    value: self.semaphore(index),
                    change: None,
                });
            }
            Code::ReadEvent => {
                return Some(CommandResult {
                    value: u32::from(self.event(index)),
                    change: None,
                });
            }
            Code::SemInc => UpdateEffect::Increment,
            Code::SemDec => UpdateEffect::Decrement,
            Code::SemAdd => UpdateEffect::Add(ValueSource::Immediate),
            Code::SemSub => UpdateEffect::Subtract(ValueSource::Immediate),
            Code::SemWrite => UpdateEffect::Write(ValueSource::Immediate),
        };
        Some(CommandResult {
            value: 0,
            change: Some(self.perform(effect, index, command.value)),
        })
    }
}
