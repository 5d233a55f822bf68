// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The DMA engines of a chip and the fabric that they see: every aperture by its SoC address.
//!
//! Engines come into being with the first access to one of their registers, so that a chip whose engines are not
//! used costs nothing.

mod fabric;
mod places;

use std::collections::BTreeMap;

use crate::generation::Generation;
use crate::idma::injection::Injection;
use crate::idma::notify::Notifier;
use crate::idma::{Blocked, Engine, EngineName, Out, Scratch};
use crate::mem::SparseMemory;
use crate::pool::core::Core;
use crate::soc::SocAddr;
use crate::soc::sdma::ENGINES_PER_CORE;
use crate::time::Tick;
use crate::transaction::{Agent, CoreId, Direction, DmaQueue, Sink, Transaction};

use fabric::Fabric;
pub(super) use fabric::sbuf_pieces;
use places::{Block, ON_CHIP, Recent, Span, resolve};

/// Cores of a chip.
type Cores = [Core; CoreId::PER_CHIP as usize];

/// Engines of a chip that belong to cores.
const ENGINES: usize = (CoreId::PER_CHIP * ENGINES_PER_CORE) as usize;

/// The engines of a chip, and the memories that belong to no core.
#[derive(Clone, Debug)]
pub(super) struct Dma {
    generation: Generation,
    /// Strap of the neighbor fold.
    nbr_en: bool,
    engines: Vec<Option<Box<Engine>>>,
    /// Engines that may have something to do, by device number.
    awake: u128,
    storage: SparseMemory,
    recent: Recent,
    injections: Vec<Injection>,
    /// Notification queues of the engines that have some set up, by device number.
    notifiers: BTreeMap<u8, Notifier>,
    /// Effects of the present step on other blocks than the engine.
    pending: Vec<Transaction>,
}

fn name_of(number: u8) -> Option<EngineName> {
    CoreId::new(number / ENGINES_PER_CORE)
        .ok()
        .map(|core| EngineName {
            core,
            number: number % ENGINES_PER_CORE,
        })
}

impl Dma {
    pub fn new(generation: Generation, nbr_en: bool) -> Self {
        Self {
            generation,
            nbr_en,
            engines: vec![None; ENGINES],
            awake: 0,
            storage: SparseMemory::new(),
            recent: Recent::default(),
            injections: Vec::new(),
            notifiers: BTreeMap::new(),
            pending: Vec::new(),
        }
    }

    /// An engine that has been accessed.
    pub fn engine(&self, name: EngineName) -> Option<&Engine> {
        let number = name.core.number() * ENGINES_PER_CORE + name.number;
        self.engines.get(usize::from(number))?.as_deref()
    }

    /// Bytes of memory that pages occupy.
    pub fn resident_bytes(&self) -> usize {
        self.storage.resident_bytes()
    }

    /// What an address leads to.
    fn span(&mut self, address: u64) -> Option<Span> {
        if let Some(left) = self.recent.left(address) {
            let block = Block::Storage;
            return Some(Span { block, left });
        }
        let span = resolve(address, self.generation, self.nbr_en)?;
        if span.block == Block::Storage {
            self.recent.add(address..address.saturating_add(span.left));
        }
        Some(span)
    }

    fn engine_mut(&mut self, number: u8) -> Option<&mut Engine> {
        let generation = self.generation;
        let slot = self.engines.get_mut(usize::from(number))?;
        if slot.is_none() {
            let engine = Engine::new(name_of(number)?, crate::idma::engine::QUEUES, generation);
            *slot = Some(Box::new(engine));
        }
        slot.as_deref_mut()
    }

    /// Lets an injection take effect.
    pub fn inject<S: Sink>(&mut self, injection: Injection, tick: Tick, sink: &mut S) {
        match injection {
            Injection::Force { engine, group, bit } => {
                let number = engine.core.number() * ENGINES_PER_CORE + engine.number;
                if let Some(engine) = self.engine_mut(number) {
                    engine.inject(group, bit, &mut Out { sink, tick });
                    self.awake |= 1 << number;
                }
            }
            Injection::Access { .. } | Injection::Stall { .. } => self.injections.push(injection),
        }
    }

    /// Reads a register of an engine; `None` where no engine is.
    pub fn read_register(&mut self, address: SocAddr) -> Option<u32> {
        match resolve(address.0, self.generation, self.nbr_en)?.block {
            Block::Engine(number, offset) => self.read_engine(number, offset),
            Block::Broadcast(..) => Some(0),
            _ => None,
        }
    }

    /// Writes a register of an engine, or of a group; `None` where no engine is.
    pub fn write_register<S: Sink>(
        &mut self,
        address: SocAddr,
        value: u32,
        tick: Tick,
        sink: &mut S,
    ) -> Option<()> {
        match resolve(address.0, self.generation, self.nbr_en)?.block {
            Block::Engine(number, offset) => {
                self.write_engine(number, offset, value, &mut Out { sink, tick })
            }
            Block::Broadcast(first, offset) => {
                self.broadcast(first, offset, value, &mut Out { sink, tick });
                Some(())
            }
            _ => None,
        }
    }

    fn read_engine(&mut self, number: u8, offset: u32) -> Option<u32> {
        if Notifier::has(offset) {
            let notifier = self.notifiers.get(&number);
            return Some(notifier.map_or(0, |notifier| notifier.read(offset)));
        }
        Some(self.engine_mut(number)?.read(offset))
    }

    fn write_engine<S: Sink>(
        &mut self,
        number: u8,
        offset: u32,
        value: u32,
        out: &mut Out<'_, S>,
    ) -> Option<()> {
        if Notifier::has(offset) {
            let notifier = self.notifiers.entry(number).or_default();
            notifier.write(offset, value);
            return Some(());
        }
        self.engine_mut(number)?.write(offset, value, out);
        self.awake |= 1 << number;
        Some(())
    }

    /// [idma-ring §3.11, MC-27]
    fn broadcast<S: Sink>(&mut self, first: u8, offset: u32, value: u32, out: &mut Out<'_, S>) {
        if !Engine::has_broadcast_form(offset) {
            return;
        }
        for i in 0..ENGINES_PER_CORE {
            if value >> (16 + i) & 1 == 0 {
                // Every engine of the group exists.
                let _ = self.write_engine(first + i, offset, value & 0xFFFF, out);
            }
        }
    }

    /// Reads memory from outside; `None` unless memory answers for every byte.
    pub fn dump(&self, address: SocAddr, buffer: &mut [u8]) -> Option<()> {
        let span = resolve(address.0, self.generation, self.nbr_en)?;
        if span.block != Block::Storage || span.left < buffer.len() as u64 {
            return None;
        }
        self.storage.read(address.0 & ON_CHIP, buffer);
        Some(())
    }

    /// Writes memory from outside; `None` unless memory answers for every byte.
    pub fn load(&mut self, address: SocAddr, bytes: &[u8]) -> Option<()> {
        let span = resolve(address.0, self.generation, self.nbr_en)?;
        if span.block != Block::Storage || span.left < bytes.len() as u64 {
            return None;
        }
        self.storage.write(address.0 & ON_CHIP, bytes);
        Some(())
    }

    /// Steps every engine that may have something to do, in ascending order. Says whether anything happened.
    pub fn step<S: Sink>(
        &mut self,
        cores: &mut Cores,
        scratch: &mut Scratch,
        tick: Tick,
        sink: &mut S,
    ) -> bool {
        let mut round = self.awake;
        let mut moved = false;
        while round != 0 {
            let number = round.trailing_zeros() as u8;
            round &= round - 1;
            let Some(mut engine) = self.engines[usize::from(number)].take() else {
                continue;
            };
            let mut fabric = Fabric {
                own: number,
                name: engine.name(),
                dma: self,
                cores,
                tick,
                records: S::ENABLED,
                deferred: Vec::new(),
            };
            let happened = engine.step(&mut fabric, scratch, &mut Out { sink, tick });
            fabric.notify(&engine);
            let deferred = fabric.deferred;
            if S::ENABLED {
                for transaction in self.pending.drain(..) {
                    sink.accept(&transaction);
                }
            }
            for (offset, value) in &deferred {
                if Notifier::has(*offset) {
                    let notifier = self.notifiers.entry(number).or_default();
                    notifier.write(*offset, *value);
                } else {
                    engine.write(*offset, *value, &mut Out { sink, tick });
                }
            }
            if !happened && deferred.is_empty() {
                self.awake &= !(1 << number);
            }
            moved |= happened;
            self.engines[usize::from(number)] = Some(engine);
        }
        moved
    }

    /// Whether an engine may have something to do.
    pub fn is_awake(&self) -> bool {
        self.awake != 0
    }

    /// One agent for each engine that may have something to do.
    pub fn awake(&self) -> impl Iterator<Item = Agent> {
        let engines = self.engines.iter().enumerate();
        engines.filter_map(|(number, engine)| {
            let engine = engine.as_ref().filter(|_| self.awake >> number & 1 == 1)?;
            Some(agent_of(engine.name(), Direction::M2s, 0))
        })
    }

    /// Engines that have work and cannot go on.
    pub fn blocked(&self) -> impl Iterator<Item = (EngineName, Blocked)> {
        self.engines
            .iter()
            .flatten()
            .filter_map(|engine| Some((engine.name(), engine.blocked()?)))
    }
}

const fn agent_of(name: EngineName, direction: Direction, queue: u8) -> Agent {
    Agent::Dma(DmaQueue {
        core: name.core,
        engine: name.number,
        direction,
        queue,
    })
}

/// The side of the queue that has to move for a blocked engine to go on.
pub(super) const fn agent(name: EngineName, blocked: Blocked) -> Agent {
    match blocked {
        Blocked::Memory => agent_of(name, Direction::M2s, 0),
        Blocked::Receiver { queue } => agent_of(name, Direction::S2m, queue),
        Blocked::DataTail { queue } | Blocked::Dead { queue } | Blocked::Unscheduled { queue } => {
            agent_of(name, Direction::M2s, queue)
        }
    }
}
