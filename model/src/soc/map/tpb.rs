// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Inside a TPB. [soc-address §§2.3, 2.4]

use super::code::RegionCode;
use super::evt_sem;
use super::local_reg;
use super::region::{Access, Generations, HoleRule, Region};
use crate::generation::Generation;

/// Size of a TPB. [soc-address §2.2]
pub const SIZE: u64 = 0x8_0400_0000;
/// SBUF window of v2 to v4. [soc-address §2.3]
pub const SBUF_SIZE: u64 = 0x200_0000;
/// SBUF window of v5: 128 partitions of 1 MiB. [decisions D-13]
pub const SBUF_SIZE_V5: u64 = 0x800_0000;
/// `DGE_MEMORY`. [soc-address §2.3]
pub const DGE_MEMORY: u64 = 0x4000_0000;
/// `RESERVED_SBUF`, which starts the upper half of a TPB. [soc-address §2.3]
pub const RESERVED_SBUF: u64 = 0x8_0000_0000;
/// `PSUM_BUF`. [soc-address §2.3]
pub const PSUM_BUF: u64 = 0x8_0200_0000;
/// ACT block. [soc-address §2.3]
pub const ACT: u64 = 0x8_0240_0000;
/// PE block. [soc-address §2.3]
pub const PE: u64 = 0x8_0260_0000;
/// EVT_SEM container. [soc-address §2.3]
pub const EVT_SEM: u64 = 0x8_0270_0000;
/// SP block. [soc-address §2.3]
pub const SP: u64 = 0x8_0280_0000;
/// DVE block. [soc-address §2.3]
pub const DVE: u64 = 0x8_02B0_0000;
/// POOL block. [soc-address §2.3]
pub const POOL: u64 = 0x8_0300_0000;
/// LOCAL_REG inside an engine's block. [soc-address §§2.3, 2.4]
pub const LOCAL_REG: u64 = 0x6_0000;
/// Data RAM of Q7 core 0 inside POOL, and the distance between cores. [soc-address §2.4]
pub const Q7_DRAM: (u64, u64) = (0x18_0000, 0x10_0000);

/// Partitions of SBUF and PSUM. [soc-address §2.5]
pub const PARTITIONS: u32 = 128;
/// Bytes from one SBUF partition to the next. [soc-address §2.5]
pub const SBUF_STRIDE: u64 = 0x4_0000;
/// The same on v5. [decisions D-13]
pub const SBUF_STRIDE_V5: u64 = 0x10_0000;
/// Bytes from one PSUM partition to the next. [soc-address §2.5]
pub const PSUM_STRIDE: u64 = 0x8000;

/// Bytes of an SBUF partition behind which there is memory. [soc-address §2.5], v5 [decisions D-13]
#[must_use]
pub const fn valid_bytes(generation: Generation) -> u64 {
    match generation {
        Generation::V2 => 0x3_0000,
        Generation::V3 => 0x3_8000,
        Generation::V4 | Generation::V4Plus => 0x4_0000,
        Generation::V5 => SBUF_STRIDE_V5,
    }
}

const fn state_buf(size: u64, stride: u64, valid: u64) -> Region {
    Region::new(
        "STATE_BUF",
        0,
        size,
        "State Buffer; the index is the partition",
    )
    .code(RegionCode::StateBuf)
    .elements(stride, PARTITIONS)
    .hole(HoleRule::From(valid))
}

const fn engine_local_reg() -> Region {
    Region::new(
        "LOCAL_REG",
        LOCAL_REG,
        local_reg::SIZE,
        "registers of the engine",
    )
    .parts(&local_reg::ENGINE_BUNDLES)
    .access(Access::OPAQUE)
}

static ENGINE: [Region; 1] = [engine_local_reg()];

static Q7: [Region; 2] = [
    Region::new("IRAM", 0, 0x2_0000, "instruction RAM of a Q7 core").code(RegionCode::Q7Iram),
    Region::new("DRAM", 0x8_0000, 0x4_0000, "data RAM of a Q7 core").code(RegionCode::Q7Dram),
];

const fn nx_dram(size: u64) -> Region {
    Region::new("NX_DRAM", 0x4_0000, size, "data RAM of the NX core").code(RegionCode::NxDram)
}

static POOL_PARTS: [Region; 8] = [
    Region::new("POOL_IRAM", 0x0_0000, 0x8000, "instruction RAM of POOL")
        .code(RegionCode::PoolIram),
    Region::new(
        "NX_IRAM",
        0x2_0000,
        0x2_0000,
        "instruction RAM of the NX core",
    )
    .code(RegionCode::NxIram),
    nx_dram(0x1_0000).only(Generations::V3_V5),
    nx_dram(0x2_0000).only(Generations::V4),
    Region::new(
        "LOCAL_REG",
        LOCAL_REG,
        local_reg::SIZE,
        "registers of the engine",
    )
    .code(RegionCode::PoolLocalReg)
    .parts(&local_reg::POOL_BUNDLES)
    .access(Access::OPAQUE),
    Region::new("PROFILE_CAM", 0x7_0000, 0x1000, "profiler match").code(RegionCode::ProfileCam),
    Region::new("PROFILE_TABLE", 0x7_1000, 0x2000, "profiler table").code(RegionCode::ProfileTable),
    Region::new("Q7_CORE", 0x10_0000, 0xC_0000, "one Q7 core")
        .copies(0, 8, 0x10_0000, 0)
        .numbering(8, 0)
        .parts(&Q7),
];

/// Children of a TPB on v3 and later. Between them everything is RESERVED.
pub static PARTS: [Region; 13] = [
    state_buf(SBUF_SIZE, SBUF_STRIDE, valid_bytes(Generation::V3))
        .only(Generations::of(&[Generation::V3])),
    state_buf(SBUF_SIZE, SBUF_STRIDE, valid_bytes(Generation::V4)).only(Generations::V4),
    state_buf(SBUF_SIZE_V5, SBUF_STRIDE_V5, valid_bytes(Generation::V5))
        .only(Generations::of(&[Generation::V5])),
    Region::new(
        "STATE_BUF_SCRATCH_RAM",
        0x400_0000,
        0x200_0000,
        "scratch RAM of SBUF",
    )
    .code(RegionCode::StateBufScratchRam)
    .only(Generations::V3_V4),
    // v5's own map has a stub of 512 KiB here, but v5 runs on the map of v3. [decisions D-13]
    Region::new(
        "DGE_MEMORY",
        DGE_MEMORY,
        0x4000_0000,
        "memory of the descriptor generator",
    )
    .code(RegionCode::DgeMemory),
    Region::new(
        "RESERVED_SBUF",
        RESERVED_SBUF,
        0x200_0000,
        "decode alias, cluster pseudo-base",
    )
    .code(RegionCode::ReservedSbuf)
    .hole(HoleRule::All),
    Region::new(
        "PSUM_BUF",
        PSUM_BUF,
        0x40_0000,
        "PSUM; the index is the partition",
    )
    .code(RegionCode::PsumBuf)
    .elements(PSUM_STRIDE, PARTITIONS)
    .only(Generations::V3_V4),
    Region::new("ACT", ACT, 0x20_0000, "ACT engine")
        .code(RegionCode::Act)
        .parts(&ENGINE)
        .access(Access::OPAQUE),
    Region::new("PE", PE, 0x10_0000, "PE engine")
        .code(RegionCode::Pe)
        .access(Access::OPAQUE),
    Region::new("EVT_SEM", EVT_SEM, evt_sem::SIZE, "events and semaphores")
        .container(&evt_sem::TPB_LEAVES),
    Region::new("SP", SP, 0x10_0000, "SP engine")
        .code(RegionCode::Sp)
        .parts(&ENGINE)
        .access(Access::OPAQUE),
    Region::new("DVE", DVE, 0x50_0000, "DVE engine")
        .code(RegionCode::Dve)
        .access(Access::OPAQUE),
    Region::new("POOL", POOL, 0x8C_0000, "POOL engine with its Q7 cores")
        .code(RegionCode::Pool)
        .parts(&POOL_PARTS)
        .access(Access::OPAQUE),
];

/// Children of a v2 TPB that are known. [soc-address §2.10]
pub static SUNDA_PARTS: [Region; 3] = [
    state_buf(SBUF_SIZE, SBUF_STRIDE, valid_bytes(Generation::V2)),
    Region::new(
        "PSUM_BUF",
        0x200_0000,
        0x40_0000,
        "PSUM; the index is the partition",
    )
    .code(RegionCode::PsumBuf)
    .elements(PSUM_STRIDE, PARTITIONS),
    Region::new(
        "EVT_SEM",
        0x270_0000,
        evt_sem::SIZE,
        "events and semaphores",
    )
    .container(&evt_sem::TPB_LEAVES),
];
