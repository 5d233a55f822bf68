// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The block with its clock: one call is one cycle. The contract is `docs/cycle-contracts.md`.

use super::bank::{Change, Errors, EvtSem, Summaries};
use super::command::Command;
use super::notification::{BUS_UPDATE_MODE, Source};
use super::record::{Granted, Record, RecordOutcome};
use crate::choices::Signedness;
use crate::generation::Generation;
use crate::isa::EngineNumber;

/// Engines with a port, in arbitration order. [evt-sem MC-E13]
pub const ENGINE_PORTS: [EngineNumber; 5] = [
    EngineNumber::Pe,
    EngineNumber::Act,
    EngineNumber::Pool,
    EngineNumber::Dve,
    EngineNumber::TpbSp,
];

/// Notification slots: the bus, then three of each engine.
pub const NOTIFICATION_SLOTS: usize = 1 + 3 * ENGINE_PORTS.len();

/// Width of a bus access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BusSize {
    /// 8 bits: refused. [evt-sem MC-E3]
    Byte,
    /// 16 bits: refused. [evt-sem MC-E3]
    Half,
    /// 32 bits.
    #[default]
    Word,
    /// 64 bits: two beats, the lower address first. [evt-sem MC-E3, decisions D-19]
    Double,
}

/// An access on the bus port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BusRequest {
    /// A write rather than a read.
    pub write: bool,
    /// Byte offset in the container, 20 bits.
    pub address: u32,
    /// Width.
    pub size: BusSize,
    /// Data from bit 0 up, whatever the address.
    pub data: u64,
}

/// An access on the control port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ControlRequest {
    /// A write rather than a read.
    pub write: bool,
    /// Byte offset in the control block, 12 bits.
    pub address: u32,
    /// Data of a write.
    pub data: u32,
}

/// What the ports carry in one cycle; `None` where nothing is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CycleInputs {
    /// Bus port.
    pub bus: Option<BusRequest>,
    /// Control port.
    pub control: Option<ControlRequest>,
    /// Engine ports, in the order of [`ENGINE_PORTS`].
    pub records: [Option<Record>; 5],
    /// Non-blocking commands of the same ports.
    pub commands: [Option<Command>; 5],
}

/// Answer to a bus beat or a control access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusResponse {
    /// What a read found; 0 for writes and errors.
    pub data: u32,
    /// The access was refused.
    pub error: bool,
}

/// Outputs that show one cycle later, after the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Answer of the bus port.
    pub bus: Option<BusResponse>,
    /// Answer of the control port.
    pub control: Option<BusResponse>,
    /// Bit s: slot s holds a record.
    pub notification_valid: u16,
    /// Word 0 of each slot; 0 where there is no record.
    pub notification_word0: [u32; NOTIFICATION_SLOTS],
    /// Word 1 of each slot; 0 where there is no record.
    pub notification_word1: [u32; NOTIFICATION_SLOTS],
    /// Error counters.
    pub errors: Errors,
    /// Sticky summaries.
    pub summaries: Summaries,
}

impl Default for Registered {
    fn default() -> Self {
        Self {
            bus: None,
            control: None,
            notification_valid: 0,
            notification_word0: [0; NOTIFICATION_SLOTS],
            notification_word1: [0; NOTIFICATION_SLOTS],
            errors: Errors::default(),
            summaries: Summaries::default(),
        }
    }
}

/// Everything that the block shows of one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CycleOutputs {
    /// Whether the bus access ends with this cycle; 1 without an access.
    pub bus_ready: bool,
    /// Bit k: the record of port k was granted.
    pub grant: u8,
    /// Bit k: the record of port k has an illegal mode.
    pub error: u8,
    /// Bit k: the command of port k is refused.
    pub command_error: u8,
    /// What the commands read.
    pub command_result: [u32; 5],
    /// Shown after the edge that ends the cycle.
    pub registered: Registered,
}

/// The block: state, straps, and the beat of a 64-bit access that it is in.
#[derive(Clone, Debug)]
pub struct Block {
    state: EvtSem,
    generation: Generation,
    compare_as: Signedness,
    second_beat: bool,
}

impl Block {
    /// A block after reset.
    #[must_use]
    pub fn new(generation: Generation, compare_as: Signedness) -> Self {
        Self {
            state: EvtSem::new(),
            generation,
            compare_as,
            second_beat: false,
        }
    }

    /// Puts everything to the state after reset.
    pub fn reset(&mut self) {
        self.state = EvtSem::new();
        self.second_beat = false;
    }

    /// Puts the error counters to values that only a very long run would reach.
    pub const fn preset_errors(&mut self, errors: Errors) {
        self.state.errors = errors;
    }

    /// The state after the last edge.
    #[must_use]
    pub const fn state(&self) -> &EvtSem {
        &self.state
    }

    /// One cycle: bus, control port, then the engines in order, each on what those before it left.
    pub fn cycle(&mut self, inputs: &CycleInputs) -> CycleOutputs {
        let mut outputs = CycleOutputs {
            bus_ready: true,
            ..CycleOutputs::default()
        };
        match &inputs.bus {
            Some(request) => self.bus(request, &mut outputs),
            None => self.second_beat = false,
        }
        if let Some(request) = &inputs.control {
            outputs.registered.control = Some(self.control(request));
        }
        for port in 0..ENGINE_PORTS.len() {
            if let Some(record) = &inputs.records[port] {
                self.record(port, record, &mut outputs);
            }
            if let Some(command) = inputs.commands[port] {
                self.command(port, command, &mut outputs);
            }
        }
        outputs.registered.errors = self.state.errors();
        outputs.registered.summaries = self.state.summaries();
        outputs
    }

    fn bus(&mut self, request: &BusRequest, outputs: &mut CycleOutputs) {
        let refused = match request.size {
            BusSize::Byte | BusSize::Half => true,
            BusSize::Word | BusSize::Double => !request.address.is_multiple_of(4),
        };
        if refused {
            self.second_beat = false;
            outputs.registered.bus = Some(BusResponse {
                data: 0,
                error: true,
            });
            return;
        }
        let second = std::mem::take(&mut self.second_beat);
        let (address, data) = if second {
            (
                request.address.saturating_add(4),
                (request.data >> 32) as u32,
            )
        } else {
            (request.address, request.data as u32)
        };
        if request.size == BusSize::Double && !second {
            self.second_beat = true;
            outputs.bus_ready = false;
        }
        let answer = if request.write {
            self.state.bus_write(address, data).map(|change| {
                if let Some(change) = change {
                    self.notify(0, Source::Bus, change, BUS_UPDATE_MODE, outputs);
                }
                0
            })
        } else {
            self.state.bus_read(address)
        };
        outputs.registered.bus = Some(BusResponse {
            data: answer.unwrap_or(0),
            error: answer.is_err(),
        });
    }

    fn control(&mut self, request: &ControlRequest) -> BusResponse {
        let answer = if request.write {
            self.state
                .control_write(request.address, request.data)
                .map(|()| 0)
        } else {
            self.state.control_read(request.address)
        };
        BusResponse {
            data: answer.unwrap_or(0),
            error: answer.is_err(),
        }
    }

    fn record(&mut self, port: usize, record: &Record, outputs: &mut CycleOutputs) {
        match self.state.record(record, self.generation, self.compare_as) {
            RecordOutcome::Illegal => outputs.error |= 1 << port,
            RecordOutcome::Blocked => {}
            RecordOutcome::Granted(Granted { then, update }) => {
                outputs.grant |= 1 << port;
                let source = Source::Engine(ENGINE_PORTS[port]);
                let slots = [
                    (1 + 3 * port, then, record.wait.mode),
                    (2 + 3 * port, update, record.update.mode),
                ];
                for (slot, change, mode) in slots {
                    if let Some(change) = change {
                        self.notify(slot, source, change, mode, outputs);
                    }
                }
            }
        }
    }

    fn command(&mut self, port: usize, command: Command, outputs: &mut CycleOutputs) {
        match self.state.command(command, self.generation) {
            None => outputs.command_error |= 1 << port,
            Some(result) => {
                outputs.command_result[port] = result.value;
                if let Some(change) = result.change {
                    let source = Source::Engine(ENGINE_PORTS[port]);
                    self.notify(3 + 3 * port, source, change, command.code, outputs);
                }
            }
        }
    }

    fn notify(
        &self,
        slot: usize,
        source: Source,
        change: Change,
        update_mode: u8,
        outputs: &mut CycleOutputs,
    ) {
        let Some(record) = self.state.notification(source, change, update_mode) else {
            return;
        };
        let registered = &mut outputs.registered;
        registered.notification_valid |= 1 << slot;
        registered.notification_word0[slot] = record.word0();
        registered.notification_word1[slot] = record.value;
    }
}
