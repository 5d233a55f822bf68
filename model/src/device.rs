// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What every implementation of the engine can do, whoever built it.
//!
//! Scenarios, regressions and tests are written against [`Device`] and name an implementation
//! only where they create one.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::idma::injection::Injection;
use crate::isa::WordBytes;
use crate::soc::SocAddr;
use crate::soc::id::Q7Core;
use crate::soc::window::Requester;
use crate::time::Tick;
use crate::transaction::{Agent, CoreId, Fault, Sink};

/// An implementation of the engine: cores, their memories and semaphores.
pub trait Device {
    /// Returns everything to the state after power-on, memories included.
    fn reset(&mut self);

    /// The present tick.
    fn now(&self) -> Tick;

    /// Reads a 32-bit register.
    ///
    /// # Errors
    /// [`DeviceError::DecodeError`] where no register answers.
    fn read32(&mut self, address: SocAddr) -> Result<u32, DeviceError>;

    /// Writes a 32-bit register; visible effects go to the sink.
    ///
    /// # Errors
    /// [`DeviceError::DecodeError`] where no register answers.
    fn write32<S: Sink>(
        &mut self,
        address: SocAddr,
        value: u32,
        sink: &mut S,
    ) -> Result<(), DeviceError>;

    /// Writes a 32-bit register as a core of a POOL engine does: by its own 32-bit address, through the windows of the
    /// engine's port. An address without a window is no error of the device. [soc-address §3]
    ///
    /// # Errors
    /// [`DeviceError::DecodeError`] where no register answers, [`DeviceError::NoPort`] from a device without such ports.
    fn write32_through<S: Sink>(
        &mut self,
        port: EnginePort,
        address: u32,
        value: u32,
        sink: &mut S,
    ) -> Result<(), DeviceError> {
        let _ = (address, value, sink);
        Err(DeviceError::NoPort(port))
    }

    /// Writes memory from outside, without any transaction.
    ///
    /// # Errors
    /// [`DeviceError::DecodeError`] where no memory answers for every byte.
    fn load(&mut self, address: SocAddr, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Reads memory from outside, without any transaction.
    ///
    /// # Errors
    /// [`DeviceError::DecodeError`] where no memory answers for every byte.
    fn dump(&self, address: SocAddr, buffer: &mut [u8]) -> Result<(), DeviceError>;

    /// Makes something go wrong on purpose, from now on. [decisions D-41]
    ///
    /// # Errors
    /// [`DeviceError::NoInjection`] from a device that cannot.
    fn inject<S: Sink>(&mut self, injection: Injection, sink: &mut S) -> Result<(), DeviceError> {
        let _ = (injection, sink);
        Err(DeviceError::NoInjection)
    }

    /// Appends a word to the program of a core.
    ///
    /// # Errors
    /// [`DeviceError::NoCore`] when the topology has no such core, [`DeviceError::NotExecuted`]
    /// for a word that the device has no handler for although hardware has one.
    fn issue(&mut self, core: CoreId, word: &WordBytes) -> Result<(), DeviceError>;

    /// Goes on for at most `budget` ticks; stops early when no core can move any more.
    ///
    /// # Errors
    /// [`DeviceError::Stopped`] when the implementation itself failed.
    fn advance<S: Sink>(&mut self, budget: u64, sink: &mut S) -> Result<Status, DeviceError>;
}

/// A core of the POOL engine of a core, as the one who makes an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EnginePort {
    /// The NeuronCore.
    pub core: CoreId,
    /// NX or one of the Q7 cores.
    pub who: Requester,
}

impl fmt::Display for EnginePort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.who {
            Requester::Nx => write!(f, "{}.nx", self.core),
            Requester::Q7(q7) => write!(f, "{}.q7.{}", self.core, q7.number()),
        }
    }
}

/// A name that is no [`EnginePort`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{}` is no port; expected coreN.nx or coreN.q7.K with N and K from 0 to 7", .0.escape_debug())]
pub struct UnknownPort(pub String);

impl FromStr for EnginePort {
    type Err = UnknownPort;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digit = |text: &str| match text.as_bytes() {
            [digit @ b'0'..=b'7'] => Some(digit - b'0'),
            _ => None,
        };
        let parse = || {
            let (core, who) = text.strip_prefix("core")?.split_once('.')?;
            let who = match who.strip_prefix("q7.") {
                Some(number) => Requester::Q7(Q7Core::new(digit(number)?).ok()?),
                None if who == "nx" => Requester::Nx,
                None => return None,
            };
            Some(Self {
                core: CoreId::new(digit(core)?).ok()?,
                who,
            })
        };
        parse().ok_or_else(|| UnknownPort(text.to_owned()))
    }
}

/// Why a device refused or failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// Nothing answers at this address.
    #[error("nothing answers a {access} of {bytes} byte(s) at {address}; {legal}")]
    DecodeError {
        /// `read` or `write`.
        access: &'static str,
        /// First byte of the access.
        address: SocAddr,
        /// Length of the access.
        bytes: usize,
        /// What would have been legal.
        legal: &'static str,
    },
    /// The topology has no such core.
    #[error("{core} is not part of the topology; it has {present}")]
    NoCore {
        /// The core asked for.
        core: CoreId,
        /// The cores that exist.
        present: String,
    },
    /// The device has no engine ports.
    #[error("this device has no port {0}; the model has the ports of cores 0 to 7")]
    NoPort(EnginePort),
    /// The device has no injection port.
    #[error("this device cannot fail on purpose; the model can")]
    NoInjection,
    /// A word that hardware executes and this device does not.
    #[error(
        "opcode 0x{opcode:02x} ({name}) is a POOL instruction that this device does not execute; \
         it executes 0xbf (SB2SB_COLLECTIVE), 0xa0, 0xa1, 0xa2, 0xa4 and 0xb0"
    )]
    NotExecuted {
        /// First byte of the word.
        opcode: u8,
        /// Name of the opcode.
        name: &'static str,
    },
    /// The implementation stopped by itself (`$stop`, an assertion, a fatal error).
    #[error("the device stopped: {0}")]
    Stopped(String),
}

/// What one core is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreStatus {
    /// Its program is finished.
    Idle,
    /// It can move.
    Running,
    /// It waits for a condition that only somebody else can bring about.
    Blocked(Blocked),
    /// It stopped with a fault.
    Faulted(Fault),
}

/// What a blocked core waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Who waits.
    pub agent: Agent,
    /// Index of the waiting word in the program.
    pub pc: u32,
    /// The condition and what is found instead, such as `semaphore 3 >= 7, found 4`.
    pub condition: String,
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} waits at word {} for {}",
            self.agent, self.pc, self.condition
        )
    }
}

/// The state of all cores after an advance, in ascending order of the cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// One entry a core of the topology.
    pub cores: Vec<(CoreId, CoreStatus)>,
    /// DMA engines that have work, in ascending order.
    pub engines: Vec<EngineStatus>,
}

/// A DMA engine that has work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineStatus {
    /// The engine, and the queue that has to move.
    pub agent: Agent,
    /// What it waits for; `None` while it can go on.
    pub waits_for: Option<String>,
}

impl fmt::Display for EngineStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.waits_for {
            Some(what) => write!(f, "{} waits for {what}", self.agent),
            None => write!(f, "{} goes on", self.agent),
        }
    }
}

/// The state of a device in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Progress {
    /// Every program is finished.
    Idle,
    /// Somebody can still move.
    Running,
    /// Nobody can move and at least one core waits.
    Blocked,
    /// Nobody can move, nobody waits, at least one core faulted.
    Faulted,
}

impl Status {
    /// Sums up cores and engines. One that waits while another can move counts as running.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let any = |test: fn(&CoreStatus) -> bool| self.cores.iter().any(|(_, core)| test(core));
        let any_engine = |waits: bool| {
            let mut engines = self.engines.iter();
            engines.any(|engine| engine.waits_for.is_some() == waits)
        };
        if any(|core| matches!(core, CoreStatus::Running)) || any_engine(false) {
            Progress::Running
        } else if any(|core| matches!(core, CoreStatus::Blocked(_))) || any_engine(true) {
            Progress::Blocked
        } else if any(|core| matches!(core, CoreStatus::Faulted(_))) {
            Progress::Faulted
        } else {
            Progress::Idle
        }
    }

    /// Faults, in ascending order of the cores.
    pub fn faults(&self) -> impl Iterator<Item = (CoreId, &Fault)> {
        self.cores.iter().filter_map(|(core, status)| match status {
            CoreStatus::Faulted(fault) => Some((*core, fault)),
            CoreStatus::Idle | CoreStatus::Running | CoreStatus::Blocked(_) => None,
        })
    }

    /// What blocked cores wait for, in ascending order of the cores.
    pub fn blocked(&self) -> impl Iterator<Item = &Blocked> {
        self.cores.iter().filter_map(|(_, status)| match status {
            CoreStatus::Blocked(blocked) => Some(blocked),
            CoreStatus::Idle | CoreStatus::Running | CoreStatus::Faulted(_) => None,
        })
    }
}
