// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The sink that turns transactions into value changes.

use std::io::Write;

use super::layout::WaveLayout;
use super::operation::{EvtSemOperation, address_fault_number, master_number};
use super::place::StateBufferPlace;
use super::signals::{AccessSignals, DATA_BYTES, EvtSemSignals, FieldHandle, SeqSignals, Signals};
use super::spread::Spread;
use super::state::SequencerState;
use crate::generation::Generation;
use crate::isa::{WORD_BYTES, Word, disassemble};
use crate::time::Tick;
use crate::trace::vcd::{Declarations, Scalar, VcdError, VcdWriter};
use crate::transaction::{Agent, CoreId, Effect, FaultClass, SemaphoreOp, Sink, Transaction};

/// Why a waveform could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// A transaction of a core that the layout does not have.
    #[error("the waveform has no {0}; its layout is that of another run")]
    Core(CoreId),
    /// An operation on a semaphore that the layout does not have.
    #[error("the waveform shows no semaphore {index} of {core}; its layout is that of another run")]
    Semaphore {
        /// Core that owns the block.
        core: CoreId,
        /// Index of the semaphore.
        index: u8,
    },
    /// An operation on an event that the layout does not have.
    #[error("the waveform shows no event {index} of {core}; its layout is that of another run")]
    Event {
        /// Core that owns the block.
        core: CoreId,
        /// Index of the event.
        index: u8,
    },
    /// A transaction is older than the one before it.
    #[error("a transaction of tick {found} follows one of tick {now}")]
    TimeGoesBack {
        /// Tick of the transaction before.
        now: Tick,
        /// Tick of the refused transaction.
        found: Tick,
    },
    /// The writer refused a declaration or a change.
    #[error(transparent)]
    Vcd(#[from] VcdError),
}

/// Writes a waveform of the transactions that it takes.
///
/// [`Sink::accept`] cannot fail, so the first error is kept, later transactions are dropped, and
/// [`WaveSink::finish`] returns the error. A sink that is dropped without `finish`, also in a panic,
/// leaves a file that can be loaded and shows everything up to the last transaction.
#[derive(Debug)]
pub struct WaveSink<W: Write> {
    /// `None` after [`WaveSink::finish`].
    vcd: Option<VcdWriter<W>>,
    mapper: Mapper,
    error: Option<WaveError>,
}

impl<W: Write> WaveSink<W> {
    /// Writes the header and the values at time 0.
    ///
    /// # Errors
    /// [`WaveError::Vcd`].
    pub fn new(out: W, layout: &WaveLayout) -> Result<Self, WaveError> {
        let mut declarations = Declarations::new();
        let signals = Signals::declare(&mut declarations, layout)?;
        Ok(Self {
            vcd: Some(declarations.start(out)?),
            mapper: Mapper {
                signals,
                generation: layout.generation,
                spread: Spread::default(),
                tick: Tick(0),
                waits: [Wait::Over; CoreId::PER_CHIP as usize],
                log_lines: [0; CoreId::PER_CHIP as usize],
            },
            error: None,
        })
    }

    /// Shows that the program of a core has ended. No transaction says so, because it has no effect
    /// outside of the core.
    pub fn halt(&mut self, tick: Tick, core: CoreId) {
        self.attempt(|mapper, vcd| {
            mapper.go_to(tick, vcd)?;
            mapper.halt(core)
        });
    }

    /// Hands on what is complete. The present tick is not: more transactions may belong to it.
    ///
    /// # Errors
    /// The first error since the beginning, which stays.
    pub fn flush(&mut self) -> Result<(), &WaveError> {
        self.attempt(|_, vcd| Ok(vcd.flush()?));
        self.error.as_ref().map_or(Ok(()), Err)
    }

    /// Ends the waveform at `end`, or one tick after the last transaction if that is later, and
    /// gives the destination back.
    ///
    /// # Errors
    /// The first error since the beginning.
    pub fn finish(mut self, end: Tick) -> Result<W, WaveError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let Some(mut vcd) = self.vcd.take() else {
            return Err(VcdError::Io(std::io::Error::other("this waveform has ended")).into());
        };
        let last = self.mapper.close(&mut vcd)?;
        Ok(vcd.finish(end.max(last).picoseconds())?)
    }

    fn attempt(
        &mut self,
        action: impl FnOnce(&mut Mapper, &mut VcdWriter<W>) -> Result<(), WaveError>,
    ) {
        if self.error.is_some() {
            return;
        }
        if let Some(vcd) = &mut self.vcd {
            self.error = action(&mut self.mapper, vcd).err();
        }
    }
}

impl<W: Write> Sink for WaveSink<W> {
    fn accept(&mut self, transaction: &Transaction) {
        self.attempt(|mapper, vcd| {
            mapper.go_to(transaction.tick, vcd)?;
            mapper.show(transaction)
        });
    }
}

impl<W: Write> Drop for WaveSink<W> {
    fn drop(&mut self) {
        if let Some(mut vcd) = self.vcd.take() {
            // Nobody is left to take an error; `finish` is the way to hear of it.
            if let Ok(last) = self.mapper.close(&mut vcd) {
                let _ = vcd.finish(last.picoseconds());
            }
        }
    }
}

/// Where a core is in a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// No wait, or the condition held.
    Over,
    /// Looked at in this tick for the first time.
    Begun,
    /// Looked at in an earlier tick, and shown as blocked.
    Blocked,
}

/// What the waveform shows, and the changes of the present tick.
#[derive(Debug)]
struct Mapper {
    signals: Signals,
    generation: Generation,
    spread: Spread,
    tick: Tick,
    waits: [Wait; CoreId::PER_CHIP as usize],
    log_lines: [u32; CoreId::PER_CHIP as usize],
}

impl Mapper {
    /// Writes everything that belongs before `tick`.
    fn go_to<W: Write>(&mut self, tick: Tick, vcd: &mut VcdWriter<W>) -> Result<(), WaveError> {
        if tick < self.tick {
            return Err(WaveError::TimeGoesBack {
                now: self.tick,
                found: tick,
            });
        }
        if tick > self.tick {
            self.end_tick(vcd)?;
            if tick > self.tick + 1 && !self.spread.is_empty() {
                self.tick = self.tick + 1;
                self.end_tick(vcd)?;
            }
            self.tick = tick;
        }
        Ok(())
    }

    /// Writes what is left and returns the tick at which the waveform may end.
    fn close<W: Write>(&mut self, vcd: &mut VcdWriter<W>) -> Result<Tick, WaveError> {
        self.end_tick(vcd)?;
        self.tick = self.tick + 1;
        self.end_tick(vcd)?;
        Ok(self.tick)
    }

    fn end_tick<W: Write>(&mut self, vcd: &mut VcdWriter<W>) -> Result<(), WaveError> {
        for (&core, signals) in &self.signals.cores {
            let wait = &mut self.waits[core.index()];
            if *wait == Wait::Begun {
                *wait = Wait::Blocked;
                self.spread.last_place(core);
                self.spread.scalar(signals.wait.blocked, true);
            }
        }
        if !self.spread.is_empty() {
            vcd.set_time(self.tick.picoseconds())?;
            vcd.change_vector(self.signals.tick, self.tick.0)?;
        }
        Ok(self.spread.write(self.tick, vcd)?)
    }

    fn show(&mut self, transaction: &Transaction) -> Result<(), WaveError> {
        let core = transaction.agent.core();
        let signals = self.signals.cores.get(&core).ok_or(WaveError::Core(core))?;
        let spread = &mut self.spread;
        spread.take_place(transaction.agent);
        match &transaction.effect {
            Effect::Fetch { pc, word } => fetch(spread, &signals.seq, *pc, word),
            Effect::WaitBegin {
                mode,
                index,
                threshold,
                value,
            } => {
                self.waits[core.index()] = Wait::Begun;
                enter(spread, &signals.seq, SequencerState::Wait);
                spread.vector(signals.wait.mode, *mode);
                spread.vector(signals.wait.index, *index);
                spread.vector(signals.wait.threshold, *threshold);
                spread.vector(signals.wait.value, *value);
            }
            Effect::WaitSatisfied { mode, index, value } => {
                self.waits[core.index()] = Wait::Over;
                spread.vector(signals.wait.mode, *mode);
                spread.vector(signals.wait.index, *index);
                spread.vector(signals.wait.value, *value);
                spread.scalar(signals.wait.blocked, false);
            }
            Effect::Dispatch { pc, opcode } => {
                enter(spread, &signals.seq, SequencerState::Dispatch);
                spread.vector(signals.seq.pc, *pc);
                spread.vector(signals.seq.opcode, *opcode);
            }
            Effect::LegBegin {
                destination,
                channels,
                bytes_per_channel,
                engine_mask,
            } => {
                enter(spread, &signals.seq, SequencerState::Copy);
                let leg = &signals.leg;
                spread.scalar(leg.active, true);
                spread.vector(leg.destination, destination.number());
                spread.vector(leg.channels, *channels);
                spread.vector(leg.bytes_per_channel, *bytes_per_channel);
                spread.vector(leg.engine_mask, *engine_mask);
            }
            Effect::DataRead {
                core,
                partition,
                offset,
                data,
            } => {
                let place = StateBufferPlace {
                    core: *core,
                    partition: *partition,
                    offset: *offset,
                };
                access(spread, &signals.leg.read, place, self.generation, data);
            }
            Effect::DataWritten {
                core,
                partition,
                offset,
                data,
            } => {
                let place = StateBufferPlace {
                    core: *core,
                    partition: *partition,
                    offset: *offset,
                };
                access(spread, &signals.leg.write, place, self.generation, data);
            }
            Effect::Semaphore {
                index,
                operation,
                operand,
                old,
                new,
                by,
            } => {
                let block = &signals.evt_sem;
                let handle = block.semaphores.get(index);
                let handle = handle.ok_or(WaveError::Semaphore {
                    core,
                    index: *index,
                })?;
                spread.vector(*handle, *new);
                spread.vector(
                    block.last_operation,
                    EvtSemOperation::Semaphore(*operation).number(),
                );
                spread.vector(block.last_index, *index);
                spread.vector(block.last_operand, *operand);
                spread.vector(block.last_by, master_number(*by));
                spread.strobe(block.access);
                if let Some(strobe) = wrapped(block, *operation, *old, *operand) {
                    spread.strobe(strobe);
                    spread.scalar(block.error, true);
                }
            }
            Effect::Event {
                index,
                old,
                new,
                by,
            } => {
                let block = &signals.evt_sem;
                let handle = block.events.get(index);
                let handle = handle.ok_or(WaveError::Event {
                    core,
                    index: *index,
                })?;
                spread.scalar(*handle, *new);
                spread.vector(block.last_operation, EvtSemOperation::event(*new).number());
                spread.vector(block.last_index, *index);
                spread.vector(block.last_operand, u32::from(*new));
                spread.vector(block.last_by, master_number(*by));
                spread.strobe(block.access);
                if old == new {
                    spread.strobe(block.event_error);
                    spread.scalar(block.error, true);
                }
            }
            Effect::Notification {
                record_type, value, ..
            } => {
                let block = &signals.evt_sem;
                spread.strobe(block.notification);
                spread.vector(block.notification_source, *record_type);
                spread.vector(block.notification_value, *value);
            }
            Effect::AddressFault {
                class,
                address,
                window,
            } => {
                let port = &signals.port;
                spread.strobe(port.fault);
                spread.vector(port.fault_class, address_fault_number(*class));
                spread.vector(port.fault_address, *address);
                if let Some(window) = window {
                    spread.vector(port.fault_window, *window);
                }
            }
            Effect::ReadDone { pc } => {
                spread.vector(signals.seq.pc, *pc);
                spread.strobe(signals.seq.read_done);
            }
            Effect::Complete { pc } => {
                enter(spread, &signals.seq, SequencerState::Update);
                spread.vector(signals.seq.pc, *pc);
                spread.strobe(signals.seq.complete);
                spread.scalar(signals.leg.active, false);
                spread.scalar_next(signals.seq.busy, false);
                spread.vector_next(signals.seq.state, SequencerState::Idle.number());
            }
            // The scopes of a core show no engines.
            Effect::Doorbell { .. }
            | Effect::DescriptorFetch { .. }
            | Effect::DmaRead { .. }
            | Effect::DmaWrite { .. }
            | Effect::CompletionWrite { .. }
            | Effect::PacketDone { .. }
            | Effect::DmaError { .. } => {}
            Effect::Fault(fault) => {
                self.waits[core.index()] = Wait::Over;
                enter(spread, &signals.seq, SequencerState::Faulted);
                spread.scalar(signals.seq.busy, false);
                spread.scalar(signals.leg.active, false);
                spread.scalar(signals.wait.blocked, false);
                spread.vector(signals.fault.class, fault_number(fault.class));
                spread.vector(signals.fault.pc, fault.pc);
                spread.text(signals.fault.detail, &fault.detail);
            }
            Effect::Log { line } => {
                let count = &mut self.log_lines[core.index()];
                *count = count.wrapping_add(1);
                spread.text(signals.log.line, &line.to_string());
                spread.vector(signals.log.count, *count);
            }
        }
        Ok(())
    }

    fn halt(&mut self, core: CoreId) -> Result<(), WaveError> {
        let signals = self.signals.cores.get(&core).ok_or(WaveError::Core(core))?;
        self.spread.take_place(Agent::Sequencer(core));
        enter(&mut self.spread, &signals.seq, SequencerState::Halted);
        self.spread.scalar(signals.seq.busy, false);
        Ok(())
    }
}

fn enter(spread: &mut Spread, seq: &SeqSignals, state: SequencerState) {
    spread.cancel_next(seq.state);
    spread.vector(seq.state, state.number());
}

fn fetch(spread: &mut Spread, seq: &SeqSignals, pc: u32, word: &[u8; WORD_BYTES]) {
    enter(spread, seq, SequencerState::Fetch);
    spread.cancel_next_scalar(seq.busy);
    spread.scalar(seq.busy, true);
    spread.vector(seq.pc, pc);
    spread.vector(seq.opcode, word[0]);
    spread.text(seq.text, &disassemble(&Word::decode(word)));
    spread.wide(seq.bytes, word);
    for field in &seq.fields {
        let bytes = &word[field.offset..field.offset + field.width];
        match field.handle {
            FieldHandle::Number(vector) => {
                let number = bytes
                    .iter()
                    .rev()
                    .fold(0_u64, |high, byte| high << 8 | u64::from(*byte));
                spread.vector(vector, number);
            }
            FieldHandle::Bytes(wide) => spread.wide(wide, bytes),
        }
    }
}

fn access(
    spread: &mut Spread,
    signals: &AccessSignals,
    place: StateBufferPlace,
    generation: Generation,
    data: &[u8],
) {
    let mut shown = [0; DATA_BYTES];
    let length = data.len().min(DATA_BYTES);
    shown[..length].copy_from_slice(&data[..length]);
    spread.strobe(signals.strobe);
    spread.vector(signals.core, place.core.number());
    spread.vector(signals.partition, place.partition);
    spread.vector(signals.offset, place.offset);
    spread.vector(signals.address, place.address(generation).0);
    spread.vector(signals.bytes, data.len() as u64);
    spread.wide(signals.data, &shown);
}

/// The strobe of an operation that passes 2^32 or 0. [decisions D-14]
fn wrapped(
    block: &EvtSemSignals,
    operation: SemaphoreOp,
    old: u32,
    operand: u32,
) -> Option<Scalar> {
    match operation {
        SemaphoreOp::Add if old.checked_add(operand).is_none() => Some(block.overflow),
        SemaphoreOp::Sub if old.checked_sub(operand).is_none() => Some(block.underflow),
        SemaphoreOp::Add | SemaphoreOp::Sub | SemaphoreOp::Set => None,
    }
}

/// 0 is no fault; a class is one more than its position in [`FaultClass::ALL`].
pub(in crate::trace) fn fault_number(class: FaultClass) -> u8 {
    let position = FaultClass::ALL.iter().position(|other| *other == class);
    position.map_or(u8::MAX, |position| position as u8 + 1)
}
