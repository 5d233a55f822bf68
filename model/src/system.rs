// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The model of a chip: its cores, stepped in a fixed order.

mod dma;

use thiserror::Error;

use crate::choices::Choices;
use crate::device::{Device, DeviceError, EnginePort, EngineStatus, Status};
use crate::evt_sem::BUS_UPDATE_MODE;
use crate::generation::Generation;
use crate::idma::injection::Injection;
use crate::idma::{Engine, EngineName, Scratch};
use crate::isa::{Geometry, Opcode, WordBytes};
use crate::pool::core::Core;
use crate::pool::seq::{Sequencer, Step, Surroundings};
use crate::soc::map::local_reg::WINDOW;
use crate::soc::nx_map::{NxRange, nx_range};
use crate::soc::route::{Origin, Route, route};
use crate::soc::view::Field;
use crate::soc::window::{FILE_SIZE, Requester};
use crate::soc::{self, Place, SocAddr, TpbRegion, Viewed, locate};
use crate::time::Tick;
use crate::transaction::{AddressFault, Agent, CoreId, Effect, Master, Sink, Transaction};
use dma::Dma;

/// Which cores run programs, on which generation, under which choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// The hardware generation.
    pub generation: Generation,
    /// Cores that have a sequencer. Every core of the chip has memory and semaphores.
    pub cores: Vec<CoreId>,
    /// The choices in force.
    pub choices: Choices,
}

/// A topology that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TopologyError {
    /// No core at all.
    #[error("a topology needs at least one core")]
    NoCores,
    /// A core is listed twice.
    #[error("{0} is listed twice")]
    Twice(CoreId),
}

/// The model.
#[derive(Clone, Debug)]
pub struct System {
    topology: Topology,
    cores: Box<[Core; CoreId::PER_CHIP as usize]>,
    /// In ascending order of the cores.
    sequencers: Vec<Sequencer>,
    dma: Dma,
    scratch: Scratch,
    tick: Tick,
}

const LEGAL: &str = "State Buffer windows, EVT_SEM containers, DMA engines and the modelled LOCAL_REG registers of cores 0 to 7 answer";

/// Offset in the EVT_SEM control block of a LOCAL_REG offset that lies in it: 4 KiB from 0x7000 on.
/// [decisions D-18]
fn control_offset(local_reg_offset: u64) -> Option<u32> {
    let offset = local_reg_offset.checked_sub(0x7000)?;
    (offset < 0x1000).then_some(offset as u32)
}

/// Offset in the window file of a LOCAL_REG offset that lies in it; v2 has other windows.
/// [soc-address §3.1, decisions D-29]
fn window_offset(local_reg_offset: u64, generation: Generation) -> Option<u32> {
    let offset = local_reg_offset.checked_sub(WINDOW.0)?;
    (generation != Generation::V2 && offset < u64::from(FILE_SIZE)).then_some(offset as u32)
}

impl System {
    /// A chip after power-on.
    ///
    /// # Errors
    /// [`TopologyError`] for no core or the same core twice.
    pub fn new(mut topology: Topology) -> Result<Self, TopologyError> {
        topology.cores.sort_unstable();
        if topology.cores.is_empty() {
            return Err(TopologyError::NoCores);
        }
        if let Some(pair) = topology.cores.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(TopologyError::Twice(pair[0]));
        }
        let sequencers = topology.cores.iter().copied().map(Sequencer::new).collect();
        let generation = topology.generation;
        let nbr_en = topology.choices.neighbor_fold.nbr_en();
        Ok(Self {
            topology,
            cores: Core::all(),
            sequencers,
            dma: Dma::new(generation, nbr_en),
            scratch: Scratch::default(),
            tick: Tick::default(),
        })
    }

    /// The topology.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The memories and registers of a core.
    #[must_use]
    pub fn core(&self, core: CoreId) -> &Core {
        &self.cores[core.index()]
    }

    /// A DMA engine, if one of its registers has been accessed since reset.
    #[must_use]
    pub fn engine(&self, name: EngineName) -> Option<&Engine> {
        self.dma.engine(name)
    }

    /// Bytes of memory that all State Buffers and other memories of the chip occupy.
    #[must_use]
    pub fn resident_bytes(&self) -> usize {
        let buffers = self.cores.iter().map(|core| core.sbuf.resident_bytes());
        buffers.sum::<usize>() + self.dma.resident_bytes()
    }

    /// The block that an access from die 0 of the chip leads to. [soc-address §1.7, MC-4]
    fn place(
        &self,
        access: &'static str,
        address: SocAddr,
        bytes: usize,
    ) -> Result<Place, DeviceError> {
        let viewed = Viewed::recover(address, self.topology.choices.neighbor_fold.nbr_en());
        let inside = match route(viewed, Origin::default()) {
            Route::SameDie(_) | Route::OtherDie(_) => {
                let local = Field::LOCAL.mask() | Field::DIE.mask();
                locate(SocAddr(address.0 & local), self.topology.generation)
            }
            Route::OtherChip { .. }
            | Route::PebAlias(_)
            | Route::AttachedChip { .. }
            | Route::PcieM0(_)
            | Route::Illegal(_) => None,
        };
        inside.ok_or(DeviceError::DecodeError {
            access,
            address,
            bytes,
            legal: LEGAL,
        })
    }

    /// The State Buffer window that holds every byte of an access.
    fn window(
        &self,
        access: &'static str,
        address: SocAddr,
        bytes: usize,
    ) -> Result<Place, DeviceError> {
        let refused = DeviceError::DecodeError {
            access,
            address,
            bytes,
            legal: "memory accesses must lie inside one State Buffer window or another memory",
        };
        let size = u64::from(Geometry::of(self.topology.generation).sbuf_size);
        let place = self.place(access, address, bytes)?;
        let end = place.offset.checked_add(bytes as u64);
        if place.region == TpbRegion::Sbuf && end.is_some_and(|end| end <= size) {
            Ok(place)
        } else {
            Err(refused)
        }
    }

    /// Pieces of a State Buffer access: offset, range in the buffer, active. [soc-address §2.5, MC-10]
    fn pieces(
        &self,
        offset: u64,
        bytes: usize,
    ) -> impl Iterator<Item = (u64, std::ops::Range<usize>, bool)> + use<> {
        let geometry = Geometry::of(self.topology.generation);
        let (stride, active) = (
            u64::from(geometry.sbuf_stride),
            u64::from(geometry.sbuf_active),
        );
        dma::sbuf_pieces(offset, bytes, stride, active)
    }

    fn step<S: Sink>(&mut self, sink: &mut S) -> Step {
        let mut moved = Step::Stuck;
        for sequencer in &mut self.sequencers {
            let mut env = Surroundings {
                cores: &mut self.cores,
                generation: self.topology.generation,
                choices: &self.topology.choices,
                tick: self.tick,
                sink,
            };
            if sequencer.step(&mut env) == Step::Moved {
                moved = Step::Moved;
            }
        }
        let engines = &mut self.dma;
        if engines.is_awake() && engines.step(&mut self.cores, &mut self.scratch, self.tick, sink) {
            moved = Step::Moved;
        }
        moved
    }

    fn status(&self, stuck: bool) -> Status {
        Status {
            cores: self
                .sequencers
                .iter()
                .map(|sequencer| (sequencer.core(), sequencer.status(&self.cores, stuck)))
                .collect(),
            engines: if stuck {
                let blocked = self.dma.blocked();
                blocked
                    .map(|(name, blocked)| EngineStatus {
                        agent: dma::agent(name, blocked),
                        waits_for: Some(blocked.to_string()),
                    })
                    .collect()
            } else {
                self.dma
                    .awake()
                    .map(|agent| EngineStatus {
                        agent,
                        waits_for: None,
                    })
                    .collect()
            },
        }
    }

    fn write<S: Sink>(
        &mut self,
        address: SocAddr,
        value: u32,
        by: Master,
        sink: &mut S,
    ) -> Result<(), DeviceError> {
        let refused = DeviceError::DecodeError {
            access: "write",
            address,
            bytes: 4,
            legal: LEGAL,
        };
        let tick = self.tick;
        if self
            .dma
            .write_register(address, value, tick, sink)
            .is_some()
        {
            return Ok(());
        }
        let place = self.place("write", address, 4)?;
        let generation = self.topology.generation;
        let core = &mut self.cores[place.core.index()];
        match place.region {
            TpbRegion::EvtSem => {
                let done = core
                    .evt_sem
                    .bus_write(place.offset as u32, value)
                    .map_err(|_| refused)?;
                let Some(change) = done else { return Ok(()) };
                let record = core
                    .evt_sem
                    .notification(by.into(), change, BUS_UPDATE_MODE);
                let agent = Agent::EvtSem(place.core);
                self.emit(sink, agent, || change.effect(by));
                if let Some(record) = record {
                    self.emit(sink, agent, || record.into());
                }
                Ok(())
            }
            TpbRegion::LocalReg => {
                if let Some(offset) = control_offset(place.offset) {
                    let written = core.evt_sem.control_write(offset, value);
                    return written.map_err(|_| refused);
                }
                if let Some(offset) = window_offset(place.offset, generation) {
                    return core.windows.write(offset, value).map_err(|_| refused);
                }
                *core.local_register(place.offset as u32).ok_or(refused)? = value;
                Ok(())
            }
            TpbRegion::Sbuf => {
                let before = core.hole_accesses;
                self.load(address, &value.to_le_bytes())?;
                if self.core(place.core).hole_accesses != before {
                    self.emit(sink, Agent::Sbuf(place.core), || Effect::AddressFault {
                        class: AddressFault::SbufHole,
                        address: address.0,
                        window: None,
                    });
                }
                Ok(())
            }
        }
    }

    fn emit<S: Sink>(&self, sink: &mut S, agent: Agent, effect: impl FnOnce() -> Effect) {
        if S::ENABLED {
            sink.accept(&Transaction {
                tick: self.tick,
                agent,
                effect: effect(),
            });
        }
    }
}

impl Device for System {
    fn reset(&mut self) {
        self.cores = Core::all();
        self.sequencers = self
            .topology
            .cores
            .iter()
            .copied()
            .map(Sequencer::new)
            .collect();
        self.dma = Dma::new(
            self.topology.generation,
            self.topology.choices.neighbor_fold.nbr_en(),
        );
        self.tick = Tick::default();
    }

    fn now(&self) -> Tick {
        self.tick
    }

    fn read32(&mut self, address: SocAddr) -> Result<u32, DeviceError> {
        let refused = DeviceError::DecodeError {
            access: "read",
            address,
            bytes: 4,
            legal: LEGAL,
        };
        if let Some(value) = self.dma.read_register(address) {
            return Ok(value);
        }
        let place = self.place("read", address, 4)?;
        match place.region {
            TpbRegion::EvtSem => self.cores[place.core.index()]
                .evt_sem
                .bus_read(place.offset as u32)
                .map_err(|_| refused),
            TpbRegion::LocalReg => {
                let generation = self.topology.generation;
                let core = &mut self.cores[place.core.index()];
                if let Some(offset) = control_offset(place.offset) {
                    return core.evt_sem.control_read(offset).map_err(|_| refused);
                }
                if let Some(offset) = window_offset(place.offset, generation) {
                    return core.windows.read(offset).map_err(|_| refused);
                }
                core.local_register(place.offset as u32)
                    .map(|register| *register)
                    .ok_or(refused)
            }
            TpbRegion::Sbuf => {
                let mut bytes = [0; 4];
                self.dump(address, &mut bytes)?;
                Ok(u32::from_le_bytes(bytes))
            }
        }
    }

    fn write32<S: Sink>(
        &mut self,
        address: SocAddr,
        value: u32,
        sink: &mut S,
    ) -> Result<(), DeviceError> {
        self.write(address, value, Master::Bus, sink)
    }

    fn write32_through<S: Sink>(
        &mut self,
        port: EnginePort,
        address: u32,
        value: u32,
        sink: &mut S,
    ) -> Result<(), DeviceError> {
        let EnginePort { core, who } = port;
        let by = match who {
            Requester::Nx => Master::Nx,
            Requester::Q7(_) => Master::Q7,
        };
        match nx_range(address, self.topology.generation) {
            NxRange::LocalReg(offset) => self.write(soc::local_reg(core, offset), value, by, sink),
            NxRange::Windows => {
                let policy = self.topology.choices.window_miss;
                let found = self.cores[core.index()]
                    .windows
                    .lookup(address, who, policy);
                let mut fault = |class| {
                    self.emit(sink, Agent::Port(core), || Effect::AddressFault {
                        class,
                        address: u64::from(address),
                        window: found.window,
                    });
                };
                if found.multi_hit {
                    fault(AddressFault::MultiHit);
                }
                let Some(address) = found.address else {
                    fault(AddressFault::WindowMiss);
                    return Ok(());
                };
                self.write(address, value, by, sink)
            }
            NxRange::InstructionRam
            | NxRange::DataRam
            | NxRange::Hole
            | NxRange::V2Registers(_) => Err(DeviceError::DecodeError {
                access: "write",
                address: SocAddr(u64::from(address)),
                bytes: 4,
                legal: "of the directly served ranges of an engine only LOCAL_REG answers; other addresses go to the windows",
            }),
        }
    }

    fn load(&mut self, address: SocAddr, bytes: &[u8]) -> Result<(), DeviceError> {
        if self.dma.load(address, bytes).is_some() {
            return Ok(());
        }
        let place = self.window("write", address, bytes.len())?;
        for (offset, range, active) in self.pieces(place.offset, bytes.len()) {
            let core = &mut self.cores[place.core.index()];
            if active {
                core.sbuf.write(offset, &bytes[range]);
            } else {
                core.hole_accesses += 1;
            }
        }
        Ok(())
    }

    fn dump(&self, address: SocAddr, buffer: &mut [u8]) -> Result<(), DeviceError> {
        if self.dma.dump(address, buffer).is_some() {
            return Ok(());
        }
        let place = self.window("read", address, buffer.len())?;
        for (offset, range, active) in self.pieces(place.offset, buffer.len()) {
            if active {
                self.core(place.core).sbuf.read(offset, &mut buffer[range]);
            } else {
                buffer[range].fill(0);
            }
        }
        Ok(())
    }

    fn inject<S: Sink>(&mut self, injection: Injection, sink: &mut S) -> Result<(), DeviceError> {
        self.dma.inject(injection, self.tick, sink);
        Ok(())
    }

    fn issue(&mut self, core: CoreId, word: &WordBytes) -> Result<(), DeviceError> {
        let opcode = Opcode(word[0]);
        if !Sequencer::executes(opcode) && opcode.pool_device_gate(self.topology.generation) {
            return Err(DeviceError::NotExecuted {
                opcode: opcode.0,
                name: opcode.name().unwrap_or("unnamed"),
            });
        }
        let sequencer = self
            .sequencers
            .iter_mut()
            .find(|sequencer| sequencer.core() == core)
            .ok_or_else(|| DeviceError::NoCore {
                core,
                present: self
                    .topology
                    .cores
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(", "),
            })?;
        sequencer.push(*word);
        Ok(())
    }

    fn advance<S: Sink>(&mut self, budget: u64, sink: &mut S) -> Result<Status, DeviceError> {
        for _ in 0..budget {
            if self.step(sink) == Step::Stuck {
                return Ok(self.status(true));
            }
            self.tick = self.tick + 1;
        }
        Ok(self.status(false))
    }
}
