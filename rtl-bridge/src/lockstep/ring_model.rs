// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The model's side of a script: four engines with their memories behind one register port.

use pool_model::generation::Generation;
use pool_model::idma::engine::{Engine, EngineName, Out, Scratch};
use pool_model::idma::port::FaultKind;
use pool_model::time::Tick;
use pool_model::transaction::{Agent, CoreId, Direction, Effect, Sink, Transaction};

use super::ring_events::RingLog;
use super::ring_memory::EnginePort;
use crate::udma::{
    ENGINES, QUEUES, RingEngineState, RingEvent, RingEventKind, RingOp, RingOpKind, RingQueueState,
    RingScript,
};

/// Offsets of a queue's block that a broadcast reaches, of M2S and of S2M. [idma-ring §3.11, MC-27]
const BROADCAST: [&[u32]; 2] = [&[0x38, 0xE0, 0xB0], &[0x38, 0x64]];
/// The block of the write side, and what follows it. [idma-ring §2.1]
pub(super) const S2M: u32 = 0x2_0000;
pub(super) const GEN: u32 = 0x3_8000;
const QUEUE_BLOCK: u32 = 0x1000;
/// Aperture of the broadcast doorbells. [idma-ring §3.11]
pub(super) const BROADCAST_BIT: u32 = 1 << 19;
/// Rounds of the loop of one engine between two inputs, beyond which it is taken for hung. A doorbell of a
/// script publishes far fewer descriptors.
const PATIENCE: u32 = 200_000;

/// What a register access of the group reaches.
pub(super) struct Target {
    /// Bit e: engine e.
    pub engines: u8,
    pub offset: u32,
    /// It is a broadcast.
    pub broadcast: bool,
}

/// Decodes a register access. `data` is that of a write.
pub(super) fn target(address: u32, data: Option<u32>) -> Target {
    let engine = address >> 20 & 0xF;
    let offset = address & 0xF_FFFF;
    if engine == 0 && offset & BROADCAST_BIT != 0 {
        let offset = offset & !BROADCAST_BIT;
        let direction = usize::from(offset >= S2M);
        let in_queue = offset < GEN && offset % S2M >= QUEUE_BLOCK;
        let reached = in_queue && BROADCAST[direction].contains(&(offset % QUEUE_BLOCK));
        let engines = data
            .filter(|_| reached)
            .map_or(0, |data| !(data >> 16) as u8 & 0xF);
        return Target {
            engines,
            offset,
            broadcast: true,
        };
    }
    Target {
        engines: if engine < u32::from(ENGINES) {
            1 << engine
        } else {
            0
        },
        offset,
        broadcast: false,
    }
}

/// Turns the model's transactions into events.
struct Recorder<'a> {
    log: &'a mut RingLog,
    op: u32,
}

impl Sink for Recorder<'_> {
    fn accept(&mut self, transaction: &Transaction) {
        let Agent::Dma(agent) = transaction.agent else {
            return;
        };
        let mut event = RingEvent {
            address: 0,
            op: self.op,
            length: 0,
            start: 0,
            kind: RingEventKind::Packet,
            engine: agent.engine,
            queue: agent.queue,
            s2m: agent.direction == Direction::S2m,
            cut: false,
        };
        let bytes: &[u8] = match &transaction.effect {
            Effect::DescriptorFetch {
                address,
                count,
                data,
            } => {
                event.kind = RingEventKind::Fetch;
                event.address = *address;
                event.length = *count;
                data
            }
            Effect::DmaRead { address, data } => {
                event.kind = RingEventKind::Read;
                event.address = *address;
                event.length = data.len() as u32;
                data
            }
            Effect::DmaWrite { address, data } => {
                event.kind = RingEventKind::Write;
                event.address = *address;
                event.length = data.len() as u32;
                data
            }
            Effect::CompletionWrite { address, data } => {
                event.kind = RingEventKind::Completion;
                event.address = *address;
                event.length = data.len() as u32;
                data
            }
            Effect::DmaError { bits, .. } => {
                event.kind = RingEventKind::Error;
                event.length = *bits;
                // Errors are in order within a direction, whatever the queue.
                event.queue = 0;
                &[]
            }
            Effect::PacketDone { .. } => &[],
            _ => return,
        };
        self.log.push(event, bytes);
    }
}

/// The four engines of the model.
pub(super) struct GroupModel {
    pub generation: Generation,
    pub engines: Vec<Engine>,
    pub ports: Vec<EnginePort>,
    scratch: Scratch,
}

impl GroupModel {
    pub fn new() -> Self {
        let generation = Generation::default();
        Self {
            generation,
            engines: engines(generation),
            ports: vec![EnginePort::default(); usize::from(ENGINES)],
            scratch: Scratch::default(),
        }
    }

    pub fn reset(&mut self, generation: Generation) {
        self.generation = generation;
        self.engines = engines(generation);
        self.ports.iter_mut().for_each(EnginePort::reset);
    }

    /// Settles one engine; false if it does not.
    pub fn settle_engine(&mut self, engine: usize, op: u32, log: &mut RingLog) -> bool {
        let mut sink = Recorder { log, op };
        let mut out = Out {
            sink: &mut sink,
            tick: Tick::default(),
        };
        let (engine, port) = (&mut self.engines[engine], &mut self.ports[engine]);
        (0..PATIENCE).any(|_| !engine.step(port, &mut self.scratch, &mut out))
    }

    /// Settles all; the first engine that does not.
    pub fn settle(&mut self, op: u32, log: &mut RingLog) -> Result<(), usize> {
        for engine in 0..usize::from(ENGINES) {
            if !self.settle_engine(engine, op, log) {
                return Err(engine);
            }
        }
        Ok(())
    }

    /// What an engine would still do if nothing else came, on a copy of it.
    pub fn future(&self, engine: usize, op: u32, log: &mut RingLog) {
        let mut ahead = self.engines[engine].clone();
        let mut port = self.ports[engine].clone();
        let mut scratch = Scratch::default();
        let mut sink = Recorder { log, op };
        let mut out = Out {
            sink: &mut sink,
            tick: Tick::default(),
        };
        let _ended = (0..PATIENCE).any(|_| !ahead.step(&mut port, &mut scratch, &mut out));
    }

    /// One step, without the waiting. Says what a read found.
    pub fn apply(
        &mut self,
        script: &RingScript,
        index: u32,
        op: &RingOp,
        log: &mut RingLog,
    ) -> Option<u32> {
        let mut sink = Recorder { log, op: index };
        let mut out = Out {
            sink: &mut sink,
            tick: Tick::default(),
        };
        let engine = usize::from(op.engine % ENGINES);
        match op.kind {
            RingOpKind::Reset => {
                let generation = Generation::ALL
                    .into_iter()
                    .find(|it| crate::udma::generation_code(*it) == op.what);
                self.reset(generation.unwrap_or_default());
            }
            RingOpKind::Write => {
                let target = target(op.address as u32, Some(op.data));
                let data = if target.broadcast {
                    op.data & 0xFFFF
                } else {
                    op.data
                };
                for (number, engine) in self.engines.iter_mut().enumerate() {
                    if target.engines >> number & 1 == 1 {
                        engine.write(target.offset, data, &mut out);
                    }
                }
            }
            RingOpKind::Read => {
                let target = target(op.address as u32, None);
                let mut engines = (0..).zip(&self.engines);
                let found = engines.find(|(number, _)| target.engines >> number & 1 == 1);
                return Some(found.map_or(0, |(_, engine)| engine.read(target.offset)));
            }
            RingOpKind::Poke => {
                let start = op.start as usize;
                let bytes = script.bytes.get(start..start + op.data as usize);
                self.ports[engine]
                    .memory
                    .write(op.address, bytes.unwrap_or_default());
            }
            RingOpKind::Inject => self.engines[engine].inject(op.port, op.what, &mut out),
            RingOpKind::Fault if op.what > 1 => self.ports[engine].forget_faults(),
            RingOpKind::Fault => {
                let kind = if op.what == 0 {
                    FaultKind::Response
                } else {
                    FaultKind::Silence
                };
                self.ports[engine].plan(usize::from(op.port), op.data, kind);
            }
            // A functional model has no cycles.
            _ => {}
        }
        None
    }

    /// The engine as its probe vector shows it, as far as the model has it.
    pub fn state(&self, number: usize) -> RingEngineState {
        let engine = &self.engines[number];
        let mut state = RingEngineState {
            digest: *self.ports[number].memory.digest(),
            settled: true,
            ..RingEngineState::default()
        };
        for direction in Direction::ALL {
            state.state[direction.index()] = engine.state(direction).code() as u8;
            for queue in 0..QUEUES {
                let Some(it) = engine.queue(direction, queue) else {
                    continue;
                };
                let data_tail = 0x1000 * (u32::from(queue) + 1) + 0xE4;
                state.queues[2 * usize::from(queue) + direction.index()] = RingQueueState {
                    head: it.head().register(),
                    tail: it.tail().register(),
                    current: it.current().register(),
                    completed: it.completed().register(),
                    data_tail: match direction {
                        Direction::M2s => engine.read(data_tail),
                        Direction::S2m => 0,
                    },
                    posted: it.posted(),
                    in_flight: it.in_flight() as u16,
                    level: it.level() as u8,
                    halted: it.is_halted(),
                };
            }
        }
        state
    }
}

fn engines(generation: Generation) -> Vec<Engine> {
    let Some(core) = CoreId::all().next() else {
        return Vec::new();
    };
    (0..ENGINES)
        .map(|number| Engine::new(EngineName { core, number }, QUEUES, generation))
        .collect()
}
