// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the sequencer makes of a word: waits, work, update. [evt-sem §2.6], [decisions D-17, D-54, D-58]

use crate::generation::Generation;
use crate::isa::{
    EventSemaphore, Events, INST_WORD_LEN, NUM_ADDR_REGISTERS, Opcode, Predicate, RangeClear,
    UpdateMode, WaitCondition, WaitMode, Word, WordBytes, update_mode_legal, validate,
    wait_mode_legal,
};

/// What happens between the waits and the update.
#[derive(Clone, Copy, Debug)]
pub(super) enum Work {
    /// 0xBF.
    Leg(Word),
    /// Nothing: 0xA0, 0xA2, 0xA4.
    Events,
    /// 0xA1: the program ends here.
    Halt,
    /// 0xB0.
    Clear(RangeClear),
}

/// A word that the sequencer executes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// First byte of the word.
    pub(super) opcode: u8,
    /// The wait of the block at byte 4.
    first: Events,
    /// The other wait of 0xA0.
    pub(super) second: Option<Events>,
    /// The update half.
    pub(super) update: Events,
    /// The work.
    pub(super) work: Work,
}

impl Job {
    /// Whether words of this opcode are executed.
    pub(super) const fn exists(opcode: Opcode) -> bool {
        matches!(
            opcode,
            Opcode::SB2SB_COLLECTIVE
                | Opcode::EVENT_SEMAPHORE
                | Opcode::HALT
                | Opcode::DRAIN
                | Opcode::NOP
                | Opcode::EVENT_SEMAPHORE_RANGE_CLEAR
        )
    }

    /// The job of a word that has passed the device gate.
    ///
    /// # Errors
    /// Why the word is a `BadOperand`.
    pub(super) fn of(bytes: &WordBytes, generation: Generation) -> Result<Self, String> {
        let word = Word::decode(bytes);
        let opcode = Opcode(word.header.opcode);
        let plain = |work| Self {
            opcode: opcode.0,
            first: word.events,
            second: None,
            update: word.events,
            work,
        };
        let job = match opcode {
            Opcode::EVENT_SEMAPHORE => {
                let record = EventSemaphore::decode(bytes);
                Self {
                    first: record.first,
                    second: Some(record.second),
                    update: record.update,
                    ..plain(Work::Events)
                }
            }
            Opcode::DRAIN | Opcode::NOP => plain(Work::Events),
            Opcode::HALT => plain(Work::Halt),
            Opcode::EVENT_SEMAPHORE_RANGE_CLEAR => plain(Work::Clear(clear_of(bytes)?)),
            _ => {
                let failing = validate(bytes, generation, generation.nc_version());
                if let Some(first) = failing.first() {
                    let names: Vec<_> = failing.iter().map(Predicate::name).collect();
                    return Err(format!(
                        "the validator rejects the word: predicate {} first, of {}",
                        first.number(),
                        names.join(", ")
                    ));
                }
                return Ok(plain(Work::Leg(word)));
            }
        };
        if word.header.inst_word_len != INST_WORD_LEN {
            return Err(format!(
                "inst_word_len is {}; expected {INST_WORD_LEN}",
                word.header.inst_word_len
            ));
        }
        job.check_modes(generation)?;
        Ok(job)
    }

    /// Modes decode by the tables of the generation. [decisions D-15]
    fn check_modes(&self, generation: Generation) -> Result<(), String> {
        for events in [Some(self.first), self.second].into_iter().flatten() {
            if !wait_mode_legal(events.wait_mode, generation) {
                return Err(format!(
                    "wait mode 0x{:02x} is not legal on {generation}",
                    events.wait_mode
                ));
            }
        }
        if !update_mode_legal(self.update.update_mode, generation) {
            return Err(format!(
                "update mode 0x{:02x} is not legal on {generation}",
                self.update.update_mode
            ));
        }
        Ok(())
    }

    /// The wait that is looked at.
    pub(super) fn wait(&self, second: bool) -> Events {
        match self.second {
            Some(events) if second => events,
            _ => self.first,
        }
    }

    /// The value field and the register number of EVENTS that does not exist, waits first. [decisions D-16, D-58]
    pub(super) fn bad_register(&self) -> Option<(u32, u8)> {
        let waits = [Some(self.first), self.second]
            .into_iter()
            .flatten()
            .filter_map(|events| {
                let condition = WaitMode::from_raw(events.wait_mode)?.condition()?;
                let WaitCondition::Semaphore { operand, .. } = condition else {
                    return None;
                };
                Some((events.semaphore_value, operand))
            });
        let update = UpdateMode::from_raw(self.update.update_mode)
            .and_then(UpdateMode::value_source)
            .map(|source| (self.update.semaphore_value, source));
        waits
            .chain(update)
            .filter_map(|(field, source)| Some((field, source.register(field)?)))
            .find(|(_, number)| *number >= NUM_ADDR_REGISTERS)
    }
}

fn clear_of(bytes: &WordBytes) -> Result<RangeClear, String> {
    match RangeClear::decode(bytes) {
        None => Err(format!(
            "clear mode {} of EVENT_SEMAPHORE_RANGE_CLEAR; expected 1 (range) or 2 (mask)",
            bytes[12]
        )),
        Some(RangeClear::Range { first, last }) if first > last => {
            Err(format!("the range to clear goes from {first} to {last}"))
        }
        Some(indices) => Ok(indices),
    }
}
