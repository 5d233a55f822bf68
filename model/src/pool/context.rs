// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The leg context: what a word does not carry. [decisions D-6]

use thiserror::Error;

/// Registers of the leg context that a functional leg uses, with their reset values.
/// [decisions D-6]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegContext {
    /// Low 16 bits: one bit a DMA engine.
    pub dma_engine_mask: u32,
    /// Index in the own EVT_SEM that every engine increments when the source is free.
    pub local_sem: u32,
    /// Index in the peer's EVT_SEM that every engine increments when the data is there.
    pub remote_sem: u32,
}

impl Default for LegContext {
    fn default() -> Self {
        Self {
            dma_engine_mask: 0x0000_000F,
            local_sem: 252,
            remote_sem: 253,
        }
    }
}

/// First byte of the `general` bundle in LOCAL_REG. [soc-address §2.4]
const GENERAL: u32 = 0x1000;
/// Distance of two registers of the bundle. [soc-address §2.4]
const STRIDE: u32 = 0x20;

/// Name and index of the registers in the `general` bundle. [decisions D-6]
const REGISTERS: [(&str, u32); 3] = [
    ("leg_dma_engine_mask", 48),
    ("leg_local_sem", 53),
    ("leg_remote_sem", 54),
];

/// A context register that the functional leg does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "leg context register `{name}` is not used by this device; it has {known}",
    name = .0,
    known = REGISTERS.map(|(name, _)| name).join(", ")
)]
pub struct UnknownContextRegister(pub String);

/// Offset in LOCAL_REG of the context register with this name. [decisions D-6]
///
/// # Errors
/// [`UnknownContextRegister`] for any other name.
pub fn offset_of(name: &str) -> Result<u32, UnknownContextRegister> {
    REGISTERS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, index)| GENERAL + STRIDE * index)
        .ok_or_else(|| UnknownContextRegister(name.to_owned()))
}

impl LegContext {
    /// The register at an offset of LOCAL_REG; `None` if no context register is there.
    pub fn register(&mut self, offset: u32) -> Option<&mut u32> {
        let (name, _) = REGISTERS
            .iter()
            .find(|(_, index)| GENERAL + STRIDE * index == offset)?;
        Some(match *name {
            "leg_dma_engine_mask" => &mut self.dma_engine_mask,
            "leg_local_sem" => &mut self.local_sem,
            _ => &mut self.remote_sem,
        })
    }
}
