// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The sequencer of a core.
//!
//! One step a tick. States and transitions:
//!
//! | state | leaves when | to |
//! |---|---|---|
//! | fetch | a word is there: gates, validity and register numbers pass | wait |
//! | fetch | one of them fails | faulted |
//! | wait | the EVENTS wait holds; of 0xA0 one after the other [decisions D-17] | dispatch |
//! | dispatch | the checks of the leg pass | read |
//! | dispatch | one of them fails | faulted |
//! | dispatch | a word without data: READ and COMPLETE update [evt-sem MC-E14] | fetch, or halted for 0xA1 |
//! | read | one channel a tick; after the last: READ update | write |
//! | write | one channel a tick; after the last: leg semaphores, COMPLETE update | fetch |
//! | faulted, halted | never | |
//!
//! The order of the checks is that of [decisions D-43].

use super::core::Core;
use super::job::{Job, Work};
use super::q7::{self, Destination, LegFault, LegPlan, Site};
use crate::choices::Choices;
use crate::device::{Blocked, CoreStatus};
use crate::evt_sem::{BUS_UPDATE_MODE, Change};
use crate::generation::Generation;
use crate::isa::{
    Compare, Events, Geometry, NUM_ADDR_REGISTERS, Opcode, RangeClear, UpdateMode, UpdatePoint,
    ValueSource, WaitCondition, WaitMode, Word, WordBytes,
};
use crate::time::Tick;
use crate::transaction::{
    Agent, CoreId, Effect, Fault, FaultClass, LogLine, Master, SemaphoreOp, Sink, Transaction,
};

/// What a sequencer sees of the system while it steps.
#[derive(Debug)]
pub struct Surroundings<'a, S: Sink> {
    /// Every core of the chip, by number.
    pub cores: &'a mut [Core; CoreId::PER_CHIP as usize],
    /// The hardware generation.
    pub generation: Generation,
    /// The choices in force.
    pub choices: &'a Choices,
    /// The present tick.
    pub tick: Tick,
    /// Where transactions go.
    pub sink: &'a mut S,
}

impl<S: Sink> Surroundings<'_, S> {
    fn emit(&mut self, agent: Agent, effect: impl FnOnce() -> Effect) {
        if S::ENABLED {
            self.sink.accept(&Transaction {
                tick: self.tick,
                agent,
                effect: effect(),
            });
        }
    }

    /// An operation of the leg's DMA engines.
    fn semaphore(&mut self, core: CoreId, index: u8, operation: SemaphoreOp, operand: u32) {
        let change = self.cores[core.index()]
            .evt_sem
            .operate(index, operation, operand);
        let change = Change::Semaphore {
            index,
            operation,
            operand,
            change,
        };
        self.changed(core, change, Master::Dma, BUS_UPDATE_MODE);
    }

    /// Shows a change, and the notification that it sends; `mode` is the wire byte that asked for it.
    fn changed(&mut self, core: CoreId, change: Change, by: Master, mode: u8) {
        let agent = Agent::EvtSem(core);
        self.emit(agent, || change.effect(by));
        let block = &self.cores[core.index()].evt_sem;
        if let Some(record) = block.notification(by.into(), change, mode) {
            self.emit(agent, || record.into());
        }
    }
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something changed.
    Moved,
    /// Nothing can change until somebody else acts.
    Stuck,
}

#[derive(Clone, Debug)]
enum State {
    Fetch,
    Wait { second: bool, begun: bool },
    Dispatch,
    Read { channel: u32 },
    Write { channel: u32 },
    Halted,
    Faulted(Fault),
}

/// The sequencer: a program, a program counter and the word in flight. [decisions D-49]
#[derive(Clone, Debug)]
pub struct Sequencer {
    core: CoreId,
    program: Vec<WordBytes>,
    pc: u32,
    state: State,
    job: Option<Job>,
    leg: Option<LegPlan>,
    /// Bytes read and not yet written, channel after channel.
    buffer: Vec<u8>,
}

impl Sequencer {
    /// A sequencer without a program.
    #[must_use]
    pub fn new(core: CoreId) -> Self {
        Self {
            core,
            program: Vec::new(),
            pc: 0,
            state: State::Fetch,
            job: None,
            leg: None,
            buffer: Vec::new(),
        }
    }

    /// The core that the sequencer belongs to.
    #[must_use]
    pub const fn core(&self) -> CoreId {
        self.core
    }

    /// Whether words of this opcode are executed; others end in a fault.
    #[must_use]
    pub const fn executes(opcode: Opcode) -> bool {
        Job::exists(opcode)
    }

    /// Appends a word to the program.
    pub fn push(&mut self, word: WordBytes) {
        self.program.push(word);
    }

    const fn agent(&self) -> Agent {
        Agent::Sequencer(self.core)
    }

    /// One tick.
    pub fn step<S: Sink>(&mut self, env: &mut Surroundings<'_, S>) -> Step {
        match self.state {
            State::Fetch => self.fetch(env),
            State::Wait { second, begun } => self.wait(env, second, begun),
            State::Dispatch => self.dispatch(env),
            State::Read { channel } => self.read(env, channel),
            State::Write { channel } => self.write(env, channel),
            State::Halted | State::Faulted(_) => Step::Stuck,
        }
    }

    /// What the core is doing; `stuck` says that the last step of the whole system moved nobody.
    #[must_use]
    pub fn status(&self, cores: &[Core; CoreId::PER_CHIP as usize], stuck: bool) -> CoreStatus {
        match &self.state {
            State::Faulted(fault) => CoreStatus::Faulted(fault.clone()),
            State::Halted => CoreStatus::Idle,
            State::Fetch if self.next_word().is_none() => CoreStatus::Idle,
            State::Wait { second, .. } if stuck => match &self.job {
                Some(job) => CoreStatus::Blocked(Blocked {
                    agent: self.agent(),
                    pc: self.pc,
                    condition: condition_text(job.wait(*second), &cores[self.core.index()]),
                }),
                None => CoreStatus::Running,
            },
            _ => CoreStatus::Running,
        }
    }

    fn next_word(&self) -> Option<&WordBytes> {
        self.program.get(self.pc as usize)
    }

    fn fail<S: Sink>(
        &mut self,
        env: &mut Surroundings<'_, S>,
        class: FaultClass,
        detail: String,
    ) -> Step {
        let fault = Fault {
            pc: self.pc,
            class,
            detail,
        };
        env.emit(self.agent(), || Effect::Fault(fault.clone()));
        self.state = State::Faulted(fault);
        Step::Moved
    }

    fn fetch<S: Sink>(&mut self, env: &mut Surroundings<'_, S>) -> Step {
        let Some(&bytes) = self.next_word() else {
            return Step::Stuck;
        };
        let pc = self.pc;
        env.emit(self.agent(), || Effect::Fetch {
            pc,
            word: Box::new(bytes),
        });
        let opcode = Opcode(bytes[0]);
        if !opcode.pool_device_gate(env.generation) {
            return self.bad_opcode(env, opcode);
        }
        let job = match Job::of(&bytes, env.generation) {
            Ok(job) => job,
            Err(detail) => return self.fail(env, FaultClass::BadOperand, detail),
        };
        if let Some((field, number)) = job.bad_register() {
            return self.fail(
                env,
                FaultClass::BadRegister,
                format!(
                    "semaphore_value 0x{field:08x} names register {number}; expected 0 to {}",
                    NUM_ADDR_REGISTERS - 1
                ),
            );
        }
        self.job = Some(job);
        self.state = State::Wait {
            second: false,
            begun: false,
        };
        Step::Moved
    }

    fn bad_opcode<S: Sink>(&mut self, env: &mut Surroundings<'_, S>, opcode: Opcode) -> Step {
        for line in [
            LogLine::Dispatch { opcode: opcode.0 },
            LogLine::BadOpcode { opcode: opcode.0 },
        ] {
            env.emit(self.agent(), || Effect::Log { line });
        }
        let (class, what) = if opcode.is_pseudo_by_bits() {
            (FaultClass::PseudoOpcode, "is a pseudo opcode")
        } else {
            (
                FaultClass::BadOpcode,
                "has no handler in the POOL sequencer",
            )
        };
        let detail = format!("opcode 0x{:02x} {what} on {}", opcode.0, env.generation);
        self.fail(env, class, detail)
    }

    fn wait<S: Sink>(&mut self, env: &mut Surroundings<'_, S>, second: bool, begun: bool) -> Step {
        let Some(job) = &self.job else {
            return Step::Stuck;
        };
        let events = job.wait(second);
        let behind = if second || job.second.is_none() {
            State::Dispatch
        } else {
            State::Wait {
                second: true,
                begun: false,
            }
        };
        let condition = wait_condition(events);
        let (mode, index) = (events.wait_mode, events.wait_idx);
        let core = &env.cores[self.core.index()];
        let Some(value) = core.evt_sem.looked_at(condition, index) else {
            self.state = behind;
            return Step::Moved;
        };
        let threshold = match condition {
            WaitCondition::Semaphore { operand, .. } => {
                operand_value(operand, events.semaphore_value, core)
            }
            WaitCondition::Always | WaitCondition::Unordered | WaitCondition::Event { .. } => 0,
        };
        let holds = core
            .evt_sem
            .holds(condition, index, threshold, env.choices.compare);
        if !begun {
            env.emit(self.agent(), || Effect::WaitBegin {
                mode,
                index,
                threshold,
                value,
            });
        }
        if holds {
            let then = env.cores[self.core.index()]
                .evt_sem
                .then_effect(condition, index);
            if let Some(change) = then {
                env.changed(self.core, change, Master::Sequencer, mode);
            }
            env.emit(self.agent(), || Effect::WaitSatisfied {
                mode,
                index,
                value,
            });
            self.state = behind;
            return Step::Moved;
        }
        self.state = State::Wait {
            second,
            begun: true,
        };
        if begun { Step::Stuck } else { Step::Moved }
    }

    fn dispatch<S: Sink>(&mut self, env: &mut Surroundings<'_, S>) -> Step {
        let Some(job) = &self.job else {
            return Step::Stuck;
        };
        let Job {
            opcode, work: task, ..
        } = *job;
        let pc = self.pc;
        let agent = self.agent();
        env.emit(agent, || Effect::Log {
            line: LogLine::Dispatch { opcode },
        });
        if let Work::Leg(_) = task {
            env.emit(agent, || Effect::Log {
                line: LogLine::Sb2sbCollective,
            });
        }
        env.emit(agent, || Effect::Dispatch { pc, opcode });
        let word = match task {
            Work::Leg(word) => word,
            Work::Events | Work::Halt => {
                self.without_data(env);
                if let Work::Halt = task {
                    self.state = State::Halted;
                }
                return Step::Moved;
            }
            Work::Clear(indices) => {
                self.clear(env, &indices);
                self.without_data(env);
                return Step::Moved;
            }
        };
        let leg = match self.plan(&word, env) {
            Ok(leg) => leg,
            Err(failed) => return self.fail(env, failed.class, failed.detail),
        };
        env.emit(Agent::Leg(self.core), || Effect::LegBegin {
            destination: leg.destination.core,
            channels: leg.transfer.partitions,
            bytes_per_channel: leg.transfer.bytes_per_partition(),
            engine_mask: leg.engine_mask,
        });
        self.buffer.clear();
        self.leg = Some(leg);
        self.state = State::Read { channel: 0 };
        Step::Moved
    }

    /// The checks of a 0xBF word after its wait. [decisions D-43, D-44, D-58]
    fn plan<S: Sink>(&self, word: &Word, env: &Surroundings<'_, S>) -> Result<LegPlan, LegFault> {
        let own = &env.cores[self.core.index()];
        let site = Site::new(env.generation, self.core);
        let destination = Destination::of_word(word, site, &own.context)?;
        let around = q7::Surroundings {
            site,
            registers: &own.registers,
            context: &own.context,
            rings: &own.rings,
            choices: env.choices,
        };
        let plan = LegPlan::of_word(word, destination, &around)?;
        if destination.is_on_chip(site) {
            Ok(plan)
        } else {
            Err(LegFault {
                class: FaultClass::DecodeError,
                detail: format!(
                    "nothing answers at {}: this device has no other chip",
                    plan.destination_after.address
                ),
            })
        }
    }

    fn read<S: Sink>(&mut self, env: &mut Surroundings<'_, S>, channel: u32) -> Step {
        let Some(leg) = &self.leg else {
            return Step::Stuck;
        };
        let transfer = &leg.transfer;
        let partition = transfer.source_partition + channel;
        let base = partition_base(partition, env.generation);
        let from = self.buffer.len();
        self.buffer
            .resize(from + transfer.bytes_per_partition() as usize, 0);
        let sbuf = &env.cores[self.core.index()].sbuf;
        let mut rest = &mut self.buffer[from..];
        for piece in &transfer.pieces {
            let (bytes, behind) = rest.split_at_mut(piece.bytes as usize);
            sbuf.read(base + u64::from(piece.source), bytes);
            rest = behind;
        }
        let offset = offset_in(transfer.source_address, env.generation);
        let (core, channels) = (self.core, transfer.partitions);
        env.emit(Agent::Leg(core), || Effect::DataRead {
            core,
            partition: partition as u8,
            offset,
            data: self.buffer[from..].to_vec(),
        });
        self.state = if channel + 1 < channels {
            State::Read {
                channel: channel + 1,
            }
        } else {
            self.update(env, UpdatePoint::Read);
            let pc = self.pc;
            env.emit(self.agent(), || Effect::ReadDone { pc });
            State::Write { channel: 0 }
        };
        Step::Moved
    }

    fn write<S: Sink>(&mut self, env: &mut Surroundings<'_, S>, channel: u32) -> Step {
        let Some(leg) = &self.leg else {
            return Step::Stuck;
        };
        let transfer = &leg.transfer;
        let partition = transfer.destination_partition + channel;
        let base = partition_base(partition, env.generation);
        let bytes = transfer.bytes_per_partition() as usize;
        let data = &self.buffer[channel as usize * bytes..][..bytes];
        let core = leg.destination.core;
        let sbuf = &mut env.cores[core.index()].sbuf;
        let mut rest = data;
        for piece in &transfer.pieces {
            let (now, behind) = rest.split_at(piece.bytes as usize);
            sbuf.write(base + u64::from(piece.destination), now);
            rest = behind;
        }
        let offset = offset_in(transfer.destination_address, env.generation);
        let channels = transfer.partitions;
        env.emit(Agent::Leg(self.core), || Effect::DataWritten {
            core,
            partition: partition as u8,
            offset,
            data: data.to_vec(),
        });
        if channel + 1 < channels {
            self.state = State::Write {
                channel: channel + 1,
            };
        } else {
            self.finish(env);
        }
        Step::Moved
    }

    /// A word without source and destination: both points of the update coincide. With one leg in flight a drain has
    /// nothing to wait for. [evt-sem MC-E14, decisions D-49]
    fn without_data<S: Sink>(&mut self, env: &mut Surroundings<'_, S>) {
        self.update(env, UpdatePoint::Read);
        let pc = self.pc;
        env.emit(self.agent(), || Effect::ReadDone { pc });
        self.finish(env);
    }

    /// Events and semaphores become 0, as updates of these modes would make them; those that are 0 are not touched.
    /// [evt-sem §2.6]
    fn clear<S: Sink>(&self, env: &mut Surroundings<'_, S>, indices: &RangeClear) {
        for index in (0..=u8::MAX).filter(|index| indices.contains(*index)) {
            let block = &env.cores[self.core.index()].evt_sem;
            let modes = [
                (block.event(index), UpdateMode::EvtClrComplete),
                (block.semaphore(index) != 0, UpdateMode::SemWrImmComplete),
            ];
            for (_, mode) in modes.into_iter().filter(|(touched, _)| *touched) {
                let Some(action) = mode.action() else {
                    continue;
                };
                let change = env.cores[self.core.index()]
                    .evt_sem
                    .perform(action.effect, index, 0);
                env.changed(self.core, change, Master::Sequencer, mode.raw());
            }
        }
    }

    /// The leg's own semaphores, the COMPLETE update, and on to the next word. [decisions D-7]
    fn finish<S: Sink>(&mut self, env: &mut Surroundings<'_, S>) {
        if let Some(leg) = self.leg.take() {
            for (core, semaphore) in [(self.core, leg.local), (leg.destination.core, leg.remote)] {
                for _ in leg.engines() {
                    env.semaphore(core, semaphore.index, SemaphoreOp::Add, 1);
                }
            }
        }
        self.update(env, UpdatePoint::Complete);
        let pc = self.pc;
        env.emit(self.agent(), || Effect::Complete { pc });
        self.pc += 1;
        self.job = None;
        self.state = State::Fetch;
    }

    /// Performs the word's update if it belongs to this point. [isa-word §6.2]
    fn update<S: Sink>(&self, env: &mut Surroundings<'_, S>, point: UpdatePoint) {
        let Some(job) = &self.job else { return };
        let events = job.update;
        let Some(action) = UpdateMode::from_raw(events.update_mode).and_then(UpdateMode::action)
        else {
            return;
        };
        if action.point != point {
            return;
        }
        let index = events.update_idx;
        let core = &env.cores[self.core.index()];
        let value = |source| operand_value(source, events.semaphore_value, core);
        let operand = action.effect.value_source().map_or(0, value);
        let change = env.cores[self.core.index()]
            .evt_sem
            .perform(action.effect, index, operand);
        env.changed(self.core, change, Master::Sequencer, events.update_mode);
    }
}

fn partition_base(partition: u32, generation: Generation) -> u64 {
    u64::from(partition) * u64::from(Geometry::of(generation).sbuf_stride)
}

/// Byte offset of an on-chip address in its partition.
fn offset_in(address: u32, generation: Generation) -> u32 {
    Geometry::of(generation).byte_offset(address)
}

/// The condition of a wait whose mode is legal.
fn wait_condition(events: Events) -> WaitCondition {
    WaitMode::from_raw(events.wait_mode)
        .and_then(WaitMode::condition)
        .unwrap_or(WaitCondition::Always)
}

fn operand_value(source: ValueSource, field: u32, core: &Core) -> u32 {
    let content = source
        .register(field)
        .and_then(|number| core.registers.get(usize::from(number)))
        .copied()
        .unwrap_or(0);
    source.operand(field, content)
}

const fn symbol(compare: Compare) -> &'static str {
    match compare {
        Compare::Eq => "==",
        Compare::Lt => "<",
        Compare::Le => "<=",
        Compare::Gt => ">",
        Compare::Ge => ">=",
    }
}

fn condition_text(events: Events, core: &Core) -> String {
    let index = events.wait_idx;
    match wait_condition(events) {
        WaitCondition::Semaphore { compare, operand } => format!(
            "semaphore {index} {} {}, found {}",
            symbol(compare),
            operand_value(operand, events.semaphore_value, core),
            core.evt_sem.semaphore(index)
        ),
        WaitCondition::Event { level, .. } => {
            let state = |set| if set { "set" } else { "clear" };
            format!(
                "event {index} to be {}, found {}",
                state(level),
                state(core.evt_sem.event(index))
            )
        }
        WaitCondition::Always | WaitCondition::Unordered => "nothing".to_owned(),
    }
}
