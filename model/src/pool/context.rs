// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The leg context: what a word does not carry. [decisions D-6]

use thiserror::Error;

use crate::soc::map::tpb::DGE_MEMORY;
use crate::soc::{SocAddr, tpb_base};
use crate::transaction::CoreId;

/// A register of the context that means "not given". [decisions D-6]
pub const NOT_GIVEN: u32 = u32::MAX;

/// Bits of `leg_flags`. [decisions D-6, D-50]
pub mod flags {
    /// Plain die select instead of the neighbor fold.
    pub const PLAIN_DIE_SELECT: u32 = 1 << 0;
    /// Credits on; v4+ only.
    pub const CREDITS: u32 = 1 << 1;
}

/// The registers of the leg context, as host software leaves them. [decisions D-6]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegContext {
    /// Low 16 bits: one bit a DMA engine.
    pub dma_engine_mask: u32,
    /// Queue of both rings.
    pub ring_num: u32,
    /// Descriptors in each ring.
    pub ring_len: u32,
    /// Address of the first ring, low half.
    pub ring_base_lo: u32,
    /// Address of the first ring, high half.
    pub ring_base_hi: u32,
    /// Index in the own EVT_SEM that every engine increments when the source is free.
    pub local_sem: u32,
    /// Index in the peer's EVT_SEM that every engine increments when the data is there.
    pub remote_sem: u32,
    /// Index in the sender's EVT_SEM that the receiver increments when it is ready.
    pub ready_sem: u32,
    /// Peer's physical core, or [`NOT_GIVEN`]: from `lnc_size_fmt`.
    pub remote_core_id: u32,
    /// Chip of the peer, or [`NOT_GIVEN`]: the own one.
    pub remote_routing_id: u32,
    /// See [`flags`].
    pub flags: u32,
}

/// First byte of the `general` bundle in LOCAL_REG. [soc-address §2.4]
const GENERAL: u32 = 0x1000;
/// Distance of two registers of the bundle. [soc-address §2.4]
const STRIDE: u32 = 0x20;

/// Name, index in the `general` bundle, and field of a register. [decisions D-6]
type Row = (&'static str, u32, fn(&mut LegContext) -> &mut u32);

const REGISTERS: [Row; 11] = [
    ("leg_dma_engine_mask", 48, |c| &mut c.dma_engine_mask),
    ("leg_ring_num", 49, |c| &mut c.ring_num),
    ("leg_ring_len", 50, |c| &mut c.ring_len),
    ("leg_ring_base_lo", 51, |c| &mut c.ring_base_lo),
    ("leg_ring_base_hi", 52, |c| &mut c.ring_base_hi),
    ("leg_local_sem", 53, |c| &mut c.local_sem),
    ("leg_remote_sem", 54, |c| &mut c.remote_sem),
    ("leg_ready_sem", 55, |c| &mut c.ready_sem),
    ("leg_remote_core_id", 56, |c| &mut c.remote_core_id),
    ("leg_remote_routing_id", 57, |c| &mut c.remote_routing_id),
    ("leg_flags", 58, |c| &mut c.flags),
];

/// A name that no context register has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no leg context register is called `{name}`; expected one of {known}",
    name = .0,
    known = REGISTERS.map(|(name, _, _)| name).join(", ")
)]
pub struct UnknownContextRegister(pub String);

/// Offset in LOCAL_REG of the context register with this name. [decisions D-6]
///
/// # Errors
/// [`UnknownContextRegister`] for any other name.
pub fn offset_of(name: &str) -> Result<u32, UnknownContextRegister> {
    REGISTERS
        .iter()
        .find(|(known, _, _)| *known == name)
        .map(|(_, index, _)| GENERAL + STRIDE * index)
        .ok_or_else(|| UnknownContextRegister(name.to_owned()))
}

impl LegContext {
    /// The registers of a core after a reset: rings at the start of its tile's DGE memory.
    /// [decisions D-6]
    #[must_use]
    pub const fn reset(core: CoreId) -> Self {
        let base = tpb_base(core).0 + DGE_MEMORY;
        Self {
            dma_engine_mask: 0x0000_000F,
            ring_num: 0,
            ring_len: 512,
            ring_base_lo: base as u32,
            ring_base_hi: (base >> 32) as u32,
            local_sem: 252,
            remote_sem: 253,
            ready_sem: 254,
            remote_core_id: NOT_GIVEN,
            remote_routing_id: NOT_GIVEN,
            flags: 0,
        }
    }

    /// Names of the registers, in the order of their indices.
    pub fn names() -> impl Iterator<Item = &'static str> {
        REGISTERS.iter().map(|(name, _, _)| *name)
    }

    /// The register at an offset of LOCAL_REG; `None` if no context register is there.
    pub fn register(&mut self, offset: u32) -> Option<&mut u32> {
        let (_, _, field) = REGISTERS
            .iter()
            .find(|(_, index, _)| GENERAL + STRIDE * index == offset)?;
        Some(field(self))
    }

    /// The register with this name.
    ///
    /// # Errors
    /// [`UnknownContextRegister`] for any other name.
    pub fn named(&mut self, name: &str) -> Result<&mut u32, UnknownContextRegister> {
        let (_, _, field) = REGISTERS
            .iter()
            .find(|(known, _, _)| *known == name)
            .ok_or_else(|| UnknownContextRegister(name.to_owned()))?;
        Ok(field(self))
    }

    /// Address of the first ring.
    #[must_use]
    pub const fn ring_base(&self) -> SocAddr {
        SocAddr((self.ring_base_hi as u64) << 32 | self.ring_base_lo as u64)
    }

    /// Whether a flag of [`flags`] is set.
    #[must_use]
    pub const fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}
