// SPDX-License-Identifier: Apache-2.0 OR MIT
//! TPBs and the memories in them: bases, SBUF geometry, addresses that instructions carry.
//! [soc-address §§2.1, 2.5, 2.11, 2.14]

use super::SocAddr;
use super::id::{OutOfRange, Q7Core};
use super::map::{evt_sem as evt_sem_map, local_reg as local_reg_map, tpb};
use super::view::Field;
use crate::generation::Generation;
use crate::transaction::CoreId;

/// SEngine select inside a die, TPB rather than HBM or APB, TPB select inside an SEngine. [soc-address §2.1]
const SENGINE_BIT: u32 = 38;
const TPB_BIT: u32 = 37;
const TPB_IN_SENGINE_BIT: u32 = 36;

/// Base address of a core's TPB: `die<<47 | s<<38 | 1<<37 | t<<36`. [soc-address §2.1, HIGH/OBSERVED]
#[must_use]
pub const fn tpb_base(core: CoreId) -> SocAddr {
    let number = core.number() as u64;
    let (die, sengine, tpb) = (number >> 2, (number >> 1) & 1, number & 1);
    let local = (sengine << SENGINE_BIT) | (1 << TPB_BIT) | (tpb << TPB_IN_SENGINE_BIT);
    Field::DIE.set(SocAddr(local), die)
}

/// Address of a byte of a core's State Buffer window; `offset` is partition · stride + byte.
#[must_use]
pub const fn sbuf(core: CoreId, offset: u64) -> SocAddr {
    SocAddr(tpb_base(core).0 + offset)
}

/// Address of a byte of a core's EVT_SEM container. [soc-address §2.6]
#[must_use]
pub const fn evt_sem(core: CoreId, offset: u32) -> SocAddr {
    SocAddr(tpb_base(core).0 + tpb::EVT_SEM + offset as u64)
}

/// Address of a byte of a core's POOL LOCAL_REG block. [soc-address §2.4]
#[must_use]
pub const fn local_reg(core: CoreId, offset: u32) -> SocAddr {
    SocAddr(tpb_base(core).0 + tpb::POOL + tpb::LOCAL_REG + offset as u64)
}

/// TPB that bits `[47:0]` lead to, and the offset in it. [soc-address §2.11]
#[must_use]
pub const fn tpb_of(address: SocAddr) -> Option<(CoreId, u64)> {
    let bits = address.0;
    // Bits [46:39] are 0 and bit 37 is 1 in every TPB.
    if (bits >> 39) & 0xFF != 0 || (bits >> TPB_BIT) & 1 == 0 {
        return None;
    }
    let offset = bits & ((1 << TPB_IN_SENGINE_BIT) - 1);
    if offset >= tpb::SIZE {
        return None;
    }
    let number = 4 * Field::DIE.get(address)
        + 2 * ((bits >> SENGINE_BIT) & 1)
        + ((bits >> TPB_IN_SENGINE_BIT) & 1);
    match CoreId::new(number as u8) {
        Ok(core) => Some((core, offset)),
        Err(_) => None,
    }
}

/// Size of the SBUF window. [soc-address §2.3], v5 [decisions D-13]
#[must_use]
pub const fn sbuf_size(generation: Generation) -> u64 {
    match generation {
        Generation::V5 => tpb::SBUF_SIZE_V5,
        Generation::V2 | Generation::V3 | Generation::V4 | Generation::V4Plus => tpb::SBUF_SIZE,
    }
}

/// Bytes from one SBUF partition to the next. [soc-address §2.5], v5 [decisions D-13]
#[must_use]
pub const fn sbuf_stride(generation: Generation) -> u64 {
    sbuf_size(generation) / tpb::PARTITIONS as u64
}

/// Whether bits `[47:0]` are in the SBUF window of a TPB. [soc-address §2.11]
#[must_use]
pub const fn is_sbuf(address: SocAddr, generation: Generation) -> bool {
    matches!(tpb_of(address), Some((_, offset)) if offset < sbuf_size(generation))
}

/// A byte of a State Buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SbufByte {
    /// Owner.
    pub core: CoreId,
    /// Partition, 0..=127.
    pub partition: u8,
    /// Byte in the partition.
    pub byte: u32,
    /// Beyond the valid bytes: reads 0, writes are dropped. [soc-address MC-10]
    pub hole: bool,
}

/// Splits an SBUF address into core, partition and byte; `None` outside the SBUF windows. [soc-address §2.5]
#[must_use]
pub const fn sbuf_byte(address: SocAddr, generation: Generation) -> Option<SbufByte> {
    match tpb_of(address) {
        Some((core, offset)) if offset < sbuf_size(generation) => {
            let stride = sbuf_stride(generation);
            let byte = offset % stride;
            Some(SbufByte {
                core,
                partition: (offset / stride) as u8,
                byte: byte as u32,
                hole: byte >= tpb::valid_bytes(generation),
            })
        }
        _ => None,
    }
}

/// An address of an instruction that means no byte of SBUF or PSUM. [soc-address MC-11]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstructionAddressError {
    /// Bits `[28:26]`, or bits above the 29, are not 0.
    #[error("instruction address {found:#x}: bits [31:26] must be 0")]
    HighBits {
        /// As given.
        found: u32,
    },
    /// PSUM with bits `[24:22]` not 0.
    #[error("instruction address {found:#x} is in PSUM: bits [24:22] must be 0")]
    PsumBits {
        /// As given.
        found: u32,
    },
}

/// SoC address of a start address in an instruction: bit 25 tells PSUM from SBUF. [soc-address MC-11]
///
/// # Errors
/// [`InstructionAddressError`] when bits that must be 0 are not.
pub const fn instruction_address(
    core: CoreId,
    found: u32,
) -> Result<SocAddr, InstructionAddressError> {
    const PSUM: u32 = 1 << 25;
    const SBUF_BITS: u32 = PSUM - 1;
    const PSUM_BITS: u32 = (1 << 22) - 1;
    if found & !(PSUM | SBUF_BITS) != 0 {
        return Err(InstructionAddressError::HighBits { found });
    }
    if found & PSUM == 0 {
        return Ok(sbuf(core, found as u64));
    }
    if found & SBUF_BITS & !PSUM_BITS != 0 {
        return Err(InstructionAddressError::PsumBits { found });
    }
    Ok(SocAddr(
        tpb_base(core).0 + tpb::PSUM_BUF + (found & PSUM_BITS) as u64,
    ))
}

/// First byte after the private data RAM of a Q7 core, as the core sees it, and its start. [soc-address §2.14]
const DATA_RAM: (u32, u32) = (0x8_0000, 0x9_0000);

/// SoC address of a pointer into a Q7 core's private data RAM. [soc-address MC-15]
///
/// # Errors
/// [`OutOfRange`] for a pointer outside `[0x8_0000, 0x9_0000)`.
pub const fn q7_data_ram(core: CoreId, q7: Q7Core, pointer: u32) -> Result<SocAddr, OutOfRange> {
    if pointer < DATA_RAM.0 || pointer >= DATA_RAM.1 {
        return Err(OutOfRange {
            what: "data RAM offset",
            found: pointer.wrapping_sub(DATA_RAM.0) as u64,
            last: (DATA_RAM.1 - DATA_RAM.0 - 1) as u64,
        });
    }
    let (first, pitch) = tpb::Q7_DRAM;
    Ok(SocAddr(
        tpb_base(core).0
            + tpb::POOL
            + first
            + pitch * q7.number() as u64
            + (pointer - DATA_RAM.0) as u64,
    ))
}

/// A region of a TPB that the model decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TpbRegion {
    /// The State Buffer window, holes included.
    Sbuf,
    /// The EVT_SEM container.
    EvtSem,
    /// LOCAL_REG of the POOL block.
    LocalReg,
}

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Core that owns the region.
    pub core: CoreId,
    /// The region.
    pub region: TpbRegion,
    /// Byte offset from the start of the region.
    pub offset: u64,
}

/// Finds the block that an address of the own chip leads to; `None` outside the decoded regions, and for
/// every address with bits above DIE.
#[must_use]
pub fn locate(address: SocAddr, generation: Generation) -> Option<Place> {
    if address.0 > Field::LOCAL.mask() | Field::DIE.mask() {
        return None;
    }
    let (core, offset) = tpb_of(address)?;
    let regions = [
        (TpbRegion::Sbuf, 0, sbuf_size(generation)),
        (TpbRegion::EvtSem, tpb::EVT_SEM, evt_sem_map::SIZE),
        (
            TpbRegion::LocalReg,
            tpb::POOL + tpb::LOCAL_REG,
            local_reg_map::SIZE,
        ),
    ];
    regions.into_iter().find_map(|(region, base, size)| {
        let offset = offset.checked_sub(base)?;
        (offset < size).then_some(Place {
            core,
            region,
            offset,
        })
    })
}
