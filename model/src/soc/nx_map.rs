// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The 32-bit address space of the NX and Q7 cores, and the window registers of v2. [soc-address §3.7]

use super::SocAddr;
use super::map::local_reg;
use crate::generation::Generation;

/// What serves a 32-bit address. [soc-address §3.7], [decisions D-29]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NxRange {
    /// Instruction RAM.
    InstructionRam,
    /// Private data RAM.
    DataRam,
    /// Nothing (v2).
    Hole,
    /// The v2 register block; offset in it.
    V2Registers(u32),
    /// LOCAL_REG, offset in it.
    LocalReg(u32),
    /// The windows.
    Windows,
}

/// Ends of instruction and data RAM, and the v2 register block. [soc-address §3.7]
const INSTRUCTION_RAM_END: u32 = 0x8_0000;
const DATA_RAM_END: u32 = 0x9_0000;
const V2_REGISTERS: u32 = local_reg::DEVICE_BASE_V2;
const V2_REGISTERS_SIZE: u32 = 0x840;

/// What serves a 32-bit address of an engine. [soc-address MC-19], [decisions D-29]
#[must_use]
pub const fn nx_range(address: u32, generation: Generation) -> NxRange {
    let is_v2 = matches!(generation, Generation::V2);
    match address {
        0..INSTRUCTION_RAM_END => NxRange::InstructionRam,
        INSTRUCTION_RAM_END..DATA_RAM_END => NxRange::DataRam,
        DATA_RAM_END..V2_REGISTERS if is_v2 => NxRange::Hole,
        _ if is_v2 && address - V2_REGISTERS < V2_REGISTERS_SIZE => {
            NxRange::V2Registers(address - V2_REGISTERS)
        }
        _ if !is_v2 && address.wrapping_sub(local_reg::DEVICE_BASE) < local_reg::SIZE as u32 => {
            NxRange::LocalReg(address - local_reg::DEVICE_BASE)
        }
        _ => NxRange::Windows,
    }
}

/// A window of v2: a 64-bit base without match logic. [soc-address §3.7]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum V2Window {
    /// `SEQUENCER_WINDOW`; its slice of the NX space is not known.
    Sequencer,
    /// `MEM_WINDOW0` to 7, 16 MiB each.
    Mem(u8),
    /// `TPB_WINDOW0` and 1, 64 MiB each.
    Tpb(u8),
}

impl V2Window {
    /// The eleven windows, by register address.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Sequencer)
            .chain((0..8).map(Self::Mem))
            .chain((0..2).map(Self::Tpb))
    }

    /// Offset of the low word in the v2 register block; the high word follows.
    #[must_use]
    pub const fn register(self) -> u32 {
        match self {
            Self::Sequencer => 0x100,
            Self::Mem(i) => 0x200 + 8 * i as u32,
            Self::Tpb(i) => 0x300 + 8 * i as u32,
        }
    }

    /// First NX address and size of the slice. The places of `MEM_WINDOW3`, 5 and 6 and of both `TPB_WINDOW`s are
    /// observed; the other memory windows follow from the distance of 16 MiB.
    #[must_use]
    pub const fn slice(self) -> Option<(u32, u32)> {
        match self {
            Self::Sequencer => None,
            Self::Mem(i) => Some((0x0400_0000 + i as u32 * 0x100_0000, 0x100_0000)),
            Self::Tpb(i) => Some((0x8000_0000 + i as u32 * 0x400_0000, 0x400_0000)),
        }
    }
}

/// Low word that `MEM_WINDOW0` must hold when the DMA queues are initialised. [soc-address §3.7]
pub const V2_MEM_WINDOW0_LOW: u32 = 0xF000_0000;

/// The windows of a v2 engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct V2Windows {
    bases: [u64; 11],
}

impl V2Windows {
    /// Writes a word of a base at an offset in the v2 register block; false if no window has a register there.
    pub fn write(&mut self, offset: u32, value: u32) -> bool {
        for (base, window) in self.bases.iter_mut().zip(V2Window::all()) {
            if offset == window.register() {
                *base = *base & !0xFFFF_FFFF | u64::from(value);
                return true;
            }
            if offset == window.register() + 4 {
                *base = *base & 0xFFFF_FFFF | u64::from(value) << 32;
                return true;
            }
        }
        false
    }

    /// Base of a window.
    #[must_use]
    pub fn base(&self, window: V2Window) -> SocAddr {
        V2Window::all()
            .zip(self.bases)
            .find(|(candidate, _)| *candidate == window)
            .map_or(SocAddr(0), |(_, base)| SocAddr(base))
    }

    /// `base + offset` for a request in a window's slice; `None` elsewhere. [soc-address §3.7]
    #[must_use]
    pub fn translate(&self, address: u32) -> Option<SocAddr> {
        V2Window::all().zip(self.bases).find_map(|(window, base)| {
            let (first, size) = window.slice()?;
            let offset = address.checked_sub(first)?;
            (offset < size).then(|| SocAddr(base.wrapping_add(u64::from(offset))))
        })
    }

    /// The check of the DMA-queue initialisation. [soc-address §3.7]
    #[must_use]
    pub fn dma_queue_init_ok(&self) -> bool {
        self.base(V2Window::Mem(0)).0 as u32 == V2_MEM_WINDOW0_LOW
    }
}
