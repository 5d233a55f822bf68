// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The DMA engines of a chip and the fabric that they see: every aperture by its SoC address.
//!
//! Engines come into being with the first access to one of their registers, so that a chip whose engines are not
//! used costs nothing.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::evt_sem::{BUS_UPDATE_MODE, Change, accel_read};
use crate::generation::Generation;
use crate::idma::injection::{Injection, PortName};
use crate::idma::notify::Notifier;
use crate::idma::{Blocked, Engine, EngineName, FaultKind, MemoryPort, Out, PortFault, Scratch};
use crate::isa::Geometry;
use crate::mem::SparseMemory;
use crate::pool::core::Core;
use crate::soc::map::code::RegionCode;
use crate::soc::map::lookup::{Target, target};
use crate::soc::map::sdma;
use crate::soc::route::{Origin, Route, route};
use crate::soc::sdma::{ENGINES_PER_CORE, ENGINES_PER_SENGINE};
use crate::soc::view::Field;
use crate::soc::{SocAddr, TpbRegion, Viewed, locate};
use crate::time::Tick;
use crate::transaction::{
    Agent, CoreId, Direction, DmaQueue, Effect, Master, NullSink, Sink, Transaction,
};

/// Cores of a chip.
type Cores = [Core; CoreId::PER_CHIP as usize];

/// Engines of a chip that belong to cores.
const ENGINES: usize = (CoreId::PER_CHIP * ENGINES_PER_CORE) as usize;

/// What an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    /// The State Buffer of a core, by its offset.
    Sbuf(CoreId, u64),
    /// EVT_SEM of a core.
    EvtSem(CoreId, u32),
    /// LOCAL_REG of a core's POOL.
    LocalReg(CoreId, u32),
    /// A register of an engine, by device number and offset.
    Engine(u8, u32),
    /// A broadcast register of the sixteen engines from this one on.
    Broadcast(u8, u32),
    /// The event accelerator, with what it reads.
    Accelerator(u32),
    /// Plain memory.
    Storage,
    /// A hole, or a block that is not modelled: reads 0, drops writes. [soc-address MC-9, MC-10]
    Zero,
}

/// A block and the bytes from the address to its end.
#[derive(Clone, Copy, Debug)]
struct Span {
    block: Block,
    left: u64,
}

/// Bits of an address that name a byte of the chip.
const ON_CHIP: u64 = Field::LOCAL.mask() | Field::DIE.mask();

/// The engine or broadcast block that holds a byte of the chip. [idma-ring §2.1, soc-address §2.8]
fn engine_at(address: u64) -> Option<Block> {
    const APB_BIT: u64 = 1 << 36;
    const SENGINE_BIT: u64 = 1 << 38;
    const BROADCAST: u64 = 0x8_0000;
    const BROADCAST_END: u64 = 0xC_0000;
    let local = address & Field::LOCAL.mask();
    let upper = local & SENGINE_BIT != 0;
    let first = if upper {
        sdma::FIRST_ENGINE_UPPER
    } else {
        sdma::FIRST_ENGINE_LOWER
    };
    let base = APB_BIT + if upper { SENGINE_BIT } else { 0 } + first;
    let offset = local.checked_sub(base)?;
    let channel = offset / sdma::PITCH;
    if channel >= u64::from(ENGINES_PER_SENGINE) {
        return None;
    }
    let sengine = 2 * u8::from(address & Field::DIE.mask() != 0) + u8::from(upper);
    let number = sengine * ENGINES_PER_SENGINE + channel as u8;
    let inside = offset % sdma::PITCH;
    match inside {
        0..BROADCAST => Some(Block::Engine(number, inside as u32)),
        BROADCAST..BROADCAST_END if number.is_multiple_of(ENGINES_PER_CORE) => {
            Some(Block::Broadcast(number, (inside - BROADCAST) as u32))
        }
        _ => None,
    }
}

/// What an address of the own chip leads to; `None` for gaps, other chips and illegal addresses.
fn resolve(address: u64, generation: Generation, nbr_en: bool) -> Option<Span> {
    let viewed = Viewed::recover(SocAddr(address), nbr_en);
    match route(viewed, Origin::default()) {
        Route::SameDie(_) | Route::OtherDie(_) => {}
        Route::OtherChip { .. }
        | Route::PebAlias(_)
        | Route::AttachedChip { .. }
        | Route::PcieM0(_)
        | Route::Illegal(_) => return None,
    }
    let on_chip = address & ON_CHIP;
    if let Some(place) = locate(SocAddr(on_chip), generation) {
        let (block, size) = match place.region {
            TpbRegion::Sbuf => (
                Block::Sbuf(place.core, place.offset),
                u64::from(Geometry::of(generation).sbuf_size),
            ),
            TpbRegion::EvtSem => (
                Block::EvtSem(place.core, place.offset as u32),
                crate::soc::map::evt_sem::SIZE,
            ),
            TpbRegion::LocalReg => (
                Block::LocalReg(place.core, place.offset as u32),
                crate::soc::map::local_reg::SIZE,
            ),
        };
        return Some(Span {
            block,
            left: size - place.offset,
        });
    }
    if generation != Generation::V2
        && let Some(block) = engine_at(on_chip)
    {
        let left = 4 - on_chip % 4;
        return Some(Span { block, left });
    }
    if let Some(value) = accel_read(generation, on_chip & !3) {
        return Some(Span {
            block: Block::Accelerator(value),
            left: 4 - on_chip % 4,
        });
    }
    let Ok(Target::Region(location)) = target(viewed, generation) else {
        return None;
    };
    let end = location.innermost().region.size;
    let offset = location.offset();
    let populated = crate::soc::map::root::hbm_populated(generation);
    let (block, end) = match location.block().code {
        RegionCode::Hbm if offset < populated => (Block::Storage, populated),
        RegionCode::PcieA0
        | RegionCode::StateBufScratchRam
        | RegionCode::DgeMemory
        | RegionCode::PsumBuf
        | RegionCode::PoolIram
        | RegionCode::NxIram
        | RegionCode::NxDram
        | RegionCode::Q7Iram
        | RegionCode::Q7Dram
        | RegionCode::ProfileCam
        | RegionCode::ProfileTable
        | RegionCode::TopSpRam => (Block::Storage, end),
        RegionCode::Reserved
        | RegionCode::TopSpEvtSemEvent
        | RegionCode::TopSpEvtSemRead
        | RegionCode::TopSpEvtSemSet
        | RegionCode::TopSpEvtSemInc
        | RegionCode::TopSpEvtSemDec => return None,
        _ => (Block::Zero, end),
    };
    Some(Span {
        block,
        left: end - offset,
    })
}

/// Ranges that lately led to plain memory: walking the map again for each descriptor would cost more than the copy.
/// As many as the streams of two queues, each of which reads two rings and has a source and a target.
#[derive(Clone, Debug, Default)]
struct Recent {
    ranges: [Range<u64>; 8],
    next: usize,
}

impl Recent {
    /// Bytes from the address to the end of a known range.
    fn left(&self, address: u64) -> Option<u64> {
        let known = self.ranges.iter().find(|range| range.contains(&address))?;
        Some(known.end - address)
    }

    /// Takes the place of the oldest.
    fn add(&mut self, range: Range<u64>) {
        self.ranges[self.next] = range;
        self.next = (self.next + 1) % self.ranges.len();
    }
}

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

/// What the engine that steps sees.
struct Fabric<'a> {
    own: u8,
    name: EngineName,
    dma: &'a mut Dma,
    cores: &'a mut Cores,
    tick: Tick,
    records: bool,
    /// Writes to the engine's own registers; they act when the step is over.
    deferred: Vec<(u32, u32)>,
}

/// The access fails at this byte.
const fn refused(at: usize) -> PortFault {
    PortFault {
        at,
        kind: FaultKind::Response,
    }
}

impl Fabric<'_> {
    fn injected(&self, port: PortName, address: u64, length: usize) -> Option<PortFault> {
        if self.dma.injections.is_empty() {
            return None;
        }
        self.dma
            .injections
            .iter()
            .filter_map(|injection| injection.fault(self.name, port, address, length))
            .min_by_key(|fault| fault.at)
    }

    /// Runs `access` over the pieces of a range that lie in one block each.
    fn pieces(
        &mut self,
        address: u64,
        length: usize,
        mut access: impl FnMut(&mut Self, Block, u64, Range<usize>) -> Result<(), ()>,
    ) -> Result<(), PortFault> {
        let mut done = 0;
        while done < length {
            let at = address.wrapping_add(done as u64);
            let span = self.dma.span(at).ok_or(refused(done))?;
            let is_registers = matches!(
                span.block,
                Block::EvtSem(..) | Block::LocalReg(..) | Block::Engine(..) | Block::Broadcast(..)
            );
            // Registers take whole aligned words. [evt-sem MC-E3]
            let most = if is_registers { 4 } else { usize::MAX };
            let left = usize::try_from(span.left).unwrap_or(usize::MAX);
            let count = left.min(length - done).min(most);
            if is_registers && (!at.is_multiple_of(4) || count < 4) {
                return Err(refused(done));
            }
            access(self, span.block, at, done..done + count).map_err(|()| refused(done))?;
            done += count;
        }
        Ok(())
    }

    fn read_pieces(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        self.pieces(address, buffer.len(), |fabric, block, at, range| {
            let chunk = &mut buffer[range];
            let word = match block {
                Block::Storage => {
                    fabric.dma.storage.read(at & ON_CHIP, chunk);
                    return Ok(());
                }
                Block::Sbuf(core, offset) => {
                    fabric.read_sbuf(core, offset, chunk);
                    return Ok(());
                }
                Block::Zero => {
                    chunk.fill(0);
                    return Ok(());
                }
                Block::Accelerator(value) => {
                    let first = (at % 4) as usize;
                    chunk.copy_from_slice(&value.to_le_bytes()[first..first + chunk.len()]);
                    return Ok(());
                }
                Block::EvtSem(core, offset) => fabric.cores[core.index()]
                    .evt_sem
                    .bus_read(offset)
                    .map_err(|_| ())?,
                Block::LocalReg(core, offset) => *fabric.cores[core.index()]
                    .local_register(offset)
                    .ok_or(())?,
                // An engine cannot look at itself in the middle of an access.
                Block::Engine(number, _) if number == fabric.own => return Err(()),
                Block::Engine(number, offset) => fabric.dma.read_engine(number, offset).ok_or(())?,
                Block::Broadcast(..) => 0,
            };
            chunk.copy_from_slice(&word.to_le_bytes());
            Ok(())
        })
    }

    fn write_pieces(&mut self, address: u64, bytes: &[u8]) -> Result<(), PortFault> {
        self.pieces(address, bytes.len(), |fabric, block, at, range| {
            let chunk = &bytes[range];
            let word = match block {
                Block::Storage => {
                    fabric.dma.storage.write(at & ON_CHIP, chunk);
                    return Ok(());
                }
                Block::Sbuf(core, offset) => {
                    fabric.write_sbuf(core, offset, chunk);
                    return Ok(());
                }
                Block::Zero | Block::Accelerator(_) => return Ok(()),
                Block::EvtSem(..)
                | Block::LocalReg(..)
                | Block::Engine(..)
                | Block::Broadcast(..) => chunk.first_chunk().ok_or(()).copied()?,
            };
            fabric.write_word(block, u32::from_le_bytes(word))
        })
    }

    fn write_word(&mut self, block: Block, value: u32) -> Result<(), ()> {
        match block {
            Block::EvtSem(core, offset) => {
                let block = &mut self.cores[core.index()].evt_sem;
                if let Some(change) = block.bus_write(offset, value).map_err(|_| ())? {
                    self.record(core, change);
                }
            }
            Block::LocalReg(core, offset) => {
                let generation = self.dma.generation;
                let it = &mut self.cores[core.index()];
                if let Some(offset) = super::control_offset(u64::from(offset)) {
                    return it.evt_sem.control_write(offset, value).map_err(|_| ());
                }
                if let Some(offset) = super::window_offset(u64::from(offset), generation) {
                    return it.windows.write(offset, value).map_err(|_| ());
                }
                *it.local_register(offset).ok_or(())? = value;
            }
            Block::Engine(number, offset) => self.write_engine(number, offset, value),
            Block::Broadcast(first, offset) if Engine::has_broadcast_form(offset) => {
                for i in 0..ENGINES_PER_CORE {
                    if value >> (16 + i) & 1 == 0 {
                        self.write_engine(first + i, offset, value & 0xFFFF);
                    }
                }
            }
            Block::Sbuf(..)
            | Block::Broadcast(..)
            | Block::Accelerator(_)
            | Block::Storage
            | Block::Zero => {}
        }
        Ok(())
    }

    fn write_engine(&mut self, number: u8, offset: u32, value: u32) {
        if number == self.own {
            self.deferred.push((offset, value));
            return;
        }
        let tick = self.tick;
        // Every number that an address leads to exists.
        if self.records {
            let mut pending = std::mem::take(&mut self.dma.pending);
            let sink = &mut pending;
            let _ = self
                .dma
                .write_engine(number, offset, value, &mut Out { sink, tick });
            self.dma.pending = pending;
        } else {
            let sink = &mut NullSink;
            let _ = self
                .dma
                .write_engine(number, offset, value, &mut Out { sink, tick });
        }
    }

    /// Writes the records that the step made due. A record that no memory takes is lost.
    fn notify(&mut self, engine: &Engine) {
        if self.dma.notifiers.is_empty() {
            return;
        }
        for direction in Direction::ALL {
            let due = engine.finished(direction).and_then(|queue| {
                let notifier = self.dma.notifiers.get_mut(&self.own)?;
                notifier.packet(direction, queue, self.tick)
            });
            if let Some(record) = due {
                let _ = self.write_pieces(record.address, &record.bytes);
            }
        }
    }

    /// The effect of a bus write on a core's semaphores and events, and the record that it causes.
    fn record(&mut self, core: CoreId, change: Change) {
        if !self.records {
            return;
        }
        let block = &mut self.cores[core.index()].evt_sem;
        let record = block.notification(Master::Dma.into(), change, BUS_UPDATE_MODE);
        let effects = [Some(change.effect(Master::Dma)), record.map(Effect::from)];
        for effect in effects.into_iter().flatten() {
            self.dma.pending.push(Transaction {
                tick: self.tick,
                agent: Agent::EvtSem(core),
                effect,
            });
        }
    }

    fn read_sbuf(&mut self, core: CoreId, offset: u64, buffer: &mut [u8]) {
        let geometry = Geometry::of(self.dma.generation);
        let (stride, active) = (
            u64::from(geometry.sbuf_stride),
            u64::from(geometry.sbuf_active),
        );
        let core = &mut self.cores[core.index()];
        for (at, range, is_active) in sbuf_pieces(offset, buffer.len(), stride, active) {
            if is_active {
                core.sbuf.read(at, &mut buffer[range]);
            } else {
                buffer[range].fill(0);
                core.hole_accesses += 1;
            }
        }
    }

    fn write_sbuf(&mut self, core: CoreId, offset: u64, bytes: &[u8]) {
        let geometry = Geometry::of(self.dma.generation);
        let (stride, active) = (
            u64::from(geometry.sbuf_stride),
            u64::from(geometry.sbuf_active),
        );
        let core = &mut self.cores[core.index()];
        for (at, range, is_active) in sbuf_pieces(offset, bytes.len(), stride, active) {
            if is_active {
                core.sbuf.write(at, &bytes[range]);
            } else {
                core.hole_accesses += 1;
            }
        }
    }
}

/// Cuts a range of a State Buffer into pieces that are wholly active or wholly hole: offset, range, active.
/// [soc-address §2.5, MC-10]
pub(super) fn sbuf_pieces(
    offset: u64,
    bytes: usize,
    stride: u64,
    active: u64,
) -> impl Iterator<Item = (u64, Range<usize>, bool)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done >= bytes {
            return None;
        }
        let at = offset + done as u64;
        let inside = at % stride;
        let is_active = inside < active;
        let border = if is_active { active } else { stride };
        let length = (border - inside).min((bytes - done) as u64) as usize;
        let range = done..done + length;
        done += length;
        Some((at, range, is_active))
    })
}

impl MemoryPort for Fabric<'_> {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        match self.injected(PortName::Read, address, buffer.len()) {
            None => self.read_pieces(address, buffer),
            Some(fault) => {
                self.read_pieces(address, &mut buffer[..fault.at])?;
                Err(fault)
            }
        }
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), PortFault> {
        match self.injected(PortName::Write, address, bytes.len()) {
            None => self.write_pieces(address, bytes),
            Some(fault) => {
                let stored = crate::idma::port::bytes_before(address, fault.at);
                self.write_pieces(address, &bytes[..stored])?;
                Err(fault)
            }
        }
    }

    fn fetch(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        match self.injected(PortName::Fetch, address, buffer.len()) {
            None => self.read_pieces(address, buffer),
            Some(fault) => {
                self.read_pieces(address, &mut buffer[..fault.at])?;
                Err(fault)
            }
        }
    }

    fn complete(&mut self, address: u64, entry: &[u8]) -> Result<(), PortFault> {
        match self.injected(PortName::Completion, address, entry.len()) {
            None => self.write_pieces(address, entry),
            Some(fault) => Err(fault),
        }
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
