// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The memory side of a stepping engine: every access of its ports, by what its addresses lead to.

use std::ops::Range;

use super::places::{Block, ON_CHIP};
use super::{Cores, Dma};
use crate::evt_sem::{BUS_UPDATE_MODE, Change};
use crate::idma::injection::PortName;
use crate::idma::{Engine, EngineName, FaultKind, MemoryPort, Out, PortFault};
use crate::isa::Geometry;
use crate::soc::sdma::ENGINES_PER_CORE;
use crate::system::{control_offset, window_offset};
use crate::time::Tick;
use crate::transaction::{Agent, CoreId, Direction, Effect, Master, NullSink, Transaction};

/// What the engine that steps sees.
pub(super) struct Fabric<'a> {
    pub own: u8,
    pub name: EngineName,
    pub dma: &'a mut Dma,
    pub cores: &'a mut Cores,
    pub tick: Tick,
    pub records: bool,
    /// Writes to the engine's own registers; they act when the step is over.
    pub deferred: Vec<(u32, u32)>,
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
                if let Some(offset) = control_offset(u64::from(offset)) {
                    return it.evt_sem.control_write(offset, value).map_err(|_| ());
                }
                if let Some(offset) = window_offset(u64::from(offset), generation) {
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
    pub fn notify(&mut self, engine: &Engine) {
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
pub(in crate::system) fn sbuf_pieces(
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
