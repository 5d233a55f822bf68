// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cycles of the semaphore block: up to five engines, their commands, a bus master and the control port at once,
//! on few indices and few values, so that they meet at the borders.

use pool_model::choices::Signedness;
use pool_model::evt_sem::{
    BusRequest, BusSize, Command, ControlRequest, CycleInputs, Errors, Record, Update, Wait,
};
use pool_model::generation::Generation;
use pool_model::isa::{EvtSemNonblockingCmd, UpdateMode, WaitMode};

use super::Choices;

/// Indices that are used more than others.
const INDICES: [u8; 8] = [0, 0, 1, 5, 127, 128, 254, 255];
/// Values at which something changes.
const VALUES: [u32; 12] = [
    0,
    1,
    1,
    2,
    3,
    0x7FFF_FFFE,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_0001,
    0xFFFF_FFFD,
    0xFFFF_FFFE,
    0xFFFF_FFFF,
];
/// First bytes of the five leaves with entries. [evt-sem §1.1]
const LEAVES: [u32; 8] = [0, 0, 0x1000, 0x1000, 0x1400, 0x1800, 0x1C00, 0x1C00];
/// First and last words of all leaves: index 256 of one is the first word of the next. [evt-sem §1.3]
const LEAF_EDGES: [u32; 14] = [
    0x0_03FC, 0x0_0400, 0x0_0FFC, 0x0_1000, 0x0_13FC, 0x0_1400, 0x0_17FC, 0x0_1800, 0x0_1BFC,
    0x0_1C00, 0x0_1FFC, 0x0_2000, 0xF_FFF8, 0xF_FFFC,
];
/// Registers of the control block, and places beside them. [evt-sem §1.5, decisions D-18]
const CONTROL: [u32; 8] = [0x800, 0x804, 0x808, 0x808, 0x80C, 0x80C, 0xA08, 0x80D];
/// Counters one short of their end and less. Only a run of months gets there by itself.
const NEARLY_FULL: Errors = Errors {
    semaphore: u32::MAX - 3,
    event: u32::MAX - 2,
    access_violation: u32::MAX - 1,
    decode_hole: u32::MAX,
};

/// A run from reset.
#[derive(Clone, Debug)]
pub struct Episode {
    /// Strap.
    pub generation: Generation,
    /// Strap.
    pub compare_as: Signedness,
    /// Where the error counters start.
    pub errors: Errors,
    /// What the ports carry.
    pub cycles: Vec<CycleInputs>,
}

/// Makes the cycles of an episode.
pub struct Generator {
    generation: Generation,
    waits: Vec<u8>,
    updates: Vec<u8>,
    commands: Vec<u8>,
    /// A double-word access whose second beat is due: it must be held. [docs/cycle-contracts.md]
    held: Option<BusRequest>,
}

impl Generator {
    /// Nothing is under way.
    #[must_use]
    pub fn new(generation: Generation) -> Self {
        let bytes = |member: fn(u8) -> bool| (0..=255).filter(|&byte| member(byte)).collect();
        Self {
            generation,
            // Members of any generation's enum: on the others they have to be refused.
            waits: bytes(|byte| WaitMode::from_raw(byte).is_some()),
            updates: bytes(|byte| UpdateMode::from_raw(byte).is_some()),
            commands: bytes(|byte| EvtSemNonblockingCmd::from_raw(byte).is_some()),
            held: None,
        }
    }

    /// The generation that the cycles are for.
    #[must_use]
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// An episode without cycles yet.
    pub fn begin(&mut self, choices: &mut impl Choices) -> Episode {
        self.held = None;
        Episode {
            generation: self.generation,
            compare_as: if choices.one_in(3) {
                Signedness::Signed
            } else {
                Signedness::Unsigned
            },
            errors: if choices.one_in(4) {
                NEARLY_FULL
            } else {
                Errors::default()
            },
            cycles: Vec::new(),
        }
    }

    /// The next cycle.
    pub fn cycle(&mut self, choices: &mut impl Choices) -> CycleInputs {
        let mut inputs = CycleInputs {
            bus: self.bus(choices),
            ..CycleInputs::default()
        };
        if choices.one_in(4) {
            inputs.control = Some(control(choices));
        }
        // None, one, some or all of the engines.
        let busy = match choices.below(5) {
            0 => 0,
            1 => 1 << choices.below(5),
            4 => 0x1F,
            _ => choices.byte() & 0x1F,
        };
        for (port, record) in inputs.records.iter_mut().enumerate() {
            if busy >> port & 1 == 1 {
                *record = Some(self.record(choices));
            }
        }
        let commanding = match choices.below(4) {
            3 => choices.byte() & 0x1F,
            2 if self.generation == Generation::V5 => choices.byte() & 0x1F,
            _ => 0,
        };
        for (port, command) in inputs.commands.iter_mut().enumerate() {
            if commanding >> port & 1 == 1 {
                *command = Some(Command {
                    code: known_or_any(&self.commands, choices),
                    index: index(choices),
                    value: value(choices),
                });
            }
        }
        inputs
    }

    fn bus(&mut self, choices: &mut impl Choices) -> Option<BusRequest> {
        if let Some(request) = self.held.take() {
            return Some(request);
        }
        if choices.one_in(3) {
            return None;
        }
        let mut address = match choices.below(8) {
            6 => choices.pick(&LEAF_EDGES),
            7 => choices.word() & 0xF_FFFC,
            _ => choices.pick(&LEAVES) + 4 * u32::from(index(choices)),
        };
        if choices.one_in(16) {
            address |= choices.below(4);
        }
        let size = match choices.below(16) {
            11..=13 => BusSize::Double,
            14 => BusSize::Byte,
            15 => BusSize::Half,
            _ => BusSize::Word,
        };
        let request = BusRequest {
            write: !choices.one_in(3),
            address,
            size,
            data: u64::from(value(choices)) << 32 | u64::from(value(choices)),
        };
        if size == BusSize::Double && address.is_multiple_of(4) {
            self.held = Some(request);
        }
        Some(request)
    }

    fn record(&self, choices: &mut impl Choices) -> Record {
        let wait = Wait {
            mode: if choices.one_in(4) {
                0
            } else {
                known_or_any(&self.waits, choices)
            },
            index: index(choices),
            value: value(choices),
        };
        let update = Update {
            mode: known_or_any(&self.updates, choices),
            // Often the index that was waited for.
            index: if choices.one_in(3) {
                wait.index
            } else {
                index(choices)
            },
            value: value(choices),
        };
        Record { wait, update }
    }
}

fn index(choices: &mut impl Choices) -> u8 {
    if choices.one_in(8) {
        choices.byte()
    } else {
        choices.pick(&INDICES)
    }
}

fn value(choices: &mut impl Choices) -> u32 {
    if choices.one_in(12) {
        choices.word()
    } else {
        choices.pick(&VALUES)
    }
}

fn known_or_any(known: &[u8], choices: &mut impl Choices) -> u8 {
    if choices.one_in(16) {
        choices.byte()
    } else {
        choices.pick(known)
    }
}

fn control(choices: &mut impl Choices) -> ControlRequest {
    let address = match choices.below(16) {
        14 => choices.word() & 0xFFF,
        15 => choices.pick(&CONTROL) ^ choices.below(4),
        _ => choices.pick(&CONTROL),
    };
    let write = choices.one_in(2);
    let data = match address {
        // Mostly on, also beside other bits.
        0x808 => u32::from(!choices.one_in(4)) | choices.word() & choices.pick(&[0, 0, !1]),
        // Mostly a wide range, or hardly anything would be notified.
        0x800 => choices.pick(&[0, 0, 0, 1]) | value(choices) & choices.pick(&[0, 0, u32::MAX]),
        0x804 => value(choices) | choices.pick(&[0, 0x8000_0000, u32::MAX, u32::MAX]),
        0xA08 => choices.word(),
        _ => value(choices),
    };
    ControlRequest {
        write,
        address,
        data,
    }
}
