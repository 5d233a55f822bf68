// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who does things: cores and the blocks inside them.

use std::fmt;

use serde::Serialize;

/// Physical, chip-relative number of a NeuronCore. [soc-address §2.12, MC-13]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct CoreId(u8);

impl CoreId {
    /// Cores on one chip. [soc-address §2.1]
    pub const PER_CHIP: u8 = 8;

    /// The core with this number.
    ///
    /// # Errors
    /// [`UnknownCore`] when `number` is 8 or more.
    pub const fn new(number: u8) -> Result<Self, UnknownCore> {
        if number < Self::PER_CHIP {
            Ok(Self(number))
        } else {
            Err(UnknownCore(number))
        }
    }

    /// All cores of a chip, ascending.
    pub const ALL: [Self; Self::PER_CHIP as usize] = [
        Self(0),
        Self(1),
        Self(2),
        Self(3),
        Self(4),
        Self(5),
        Self(6),
        Self(7),
    ];

    /// All cores of a chip, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::PER_CHIP).map(Self)
    }

    /// The number, 0..=7.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The number as an index into per-core arrays.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Die that holds the core: 0 for cores 0..=3, 1 for 4..=7. [soc-address §2.1]
    #[must_use]
    pub const fn die(self) -> u8 {
        self.0 / 4
    }
}

impl fmt::Display for CoreId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "core{}", self.0)
    }
}

/// A core number beyond the eight cores of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("core {0} does not exist; a chip has cores 0 to 7")]
pub struct UnknownCore(pub u8);

/// Read or write side of a DMA engine. [idma-ring §0.3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Memory to stream: TX.
    M2s,
    /// Stream to memory: RX.
    S2m,
}

impl Direction {
    /// Read side first.
    pub const ALL: [Self; 2] = [Self::M2s, Self::S2m];

    /// `m2s` or `s2m`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::M2s => "m2s",
            Self::S2m => "s2m",
        }
    }

    /// 0 for M2S, 1 for S2M.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::M2s => 0,
            Self::S2m => 1,
        }
    }
}

/// One direction of one queue of a core's DMA engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DmaQueue {
    /// Core that the engine belongs to.
    pub core: CoreId,
    /// Engine of the core, 0..=15.
    pub engine: u8,
    /// Side of the engine.
    pub direction: Direction,
    /// Queue, 0..=15.
    pub queue: u8,
}

impl fmt::Display for DmaQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            core,
            engine,
            direction,
            queue,
        } = self;
        write!(f, "{core}.dma{engine}.{}.q{queue}", direction.name())
    }
}

/// The block that caused a transaction. Lock-step compares streams agent by agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    /// The sequencer of a core.
    Sequencer(CoreId),
    /// The data movement of a core's legs, as one functional step.
    Leg(CoreId),
    /// The EVT_SEM block of a core.
    EvtSem(CoreId),
    /// A queue of a DMA engine.
    Dma(DmaQueue),
    /// The bus port of a core's POOL engine, with its windows. [soc-address §3]
    Port(CoreId),
    /// The State Buffer of a core, seen from the bus.
    Sbuf(CoreId),
}

impl Agent {
    /// Core that the agent belongs to.
    #[must_use]
    pub const fn core(self) -> CoreId {
        match self {
            Self::Sequencer(core)
            | Self::Leg(core)
            | Self::EvtSem(core)
            | Self::Port(core)
            | Self::Sbuf(core) => core,
            Self::Dma(queue) => queue.core,
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sequencer(core) => write!(f, "{core}.seq"),
            Self::Leg(core) => write!(f, "{core}.leg"),
            Self::EvtSem(core) => write!(f, "{core}.evt_sem"),
            Self::Dma(queue) => queue.fmt(f),
            Self::Port(core) => write!(f, "{core}.port"),
            Self::Sbuf(core) => write!(f, "{core}.sbuf"),
        }
    }
}

/// Who makes an access to an EVT_SEM block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Master {
    /// The sequencer of the block's own core.
    Sequencer,
    /// The NX core of an engine, through its port.
    Nx,
    /// A Q7 core of an engine, through its port.
    Q7,
    /// The DMA engines of a leg.
    Dma,
    /// Any other bus master, such as the host.
    Bus,
}

impl Master {
    /// All masters, in the order of their numbers in a waveform.
    pub const ALL: [Self; 5] = [Self::Sequencer, Self::Nx, Self::Q7, Self::Dma, Self::Bus];

    /// Lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sequencer => "sequencer",
            Self::Nx => "nx",
            Self::Q7 => "q7",
            Self::Dma => "dma",
            Self::Bus => "bus",
        }
    }
}
