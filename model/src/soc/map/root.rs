// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The apertures of one die, and the privileged plane. [soc-address §§1.6, 2.1, 2.2]

use super::code::RegionCode;
use super::evt_sem;
use super::local_reg;
use super::region::{Access, Generations, HoleRule, Region};
use super::sdma;
use super::tpb;
use crate::generation::Generation;

/// HBM aperture. [soc-address §2.9]
pub const HBM_SIZE: u64 = 0x10_0000_0000;
/// Distance between the two SEngines of a die: bit 38. [soc-address §2.1]
const SENGINE_PITCH: u64 = 1 << 38;
/// First TOP_SP of a die, distance and number of them. [soc-address §2.1]
pub const TOP_SP: (u64, u64, u16) = (0x82_8000_0000, 0x4000_0000, 10);
/// TOP_SP container. [soc-address §2.7]
pub const TOP_SP_SIZE: u64 = 0x40_0000;
/// TPB_SP, the sequencer, inside a TOP_SP. [soc-address §2.7]
pub const TOP_SP_SEQUENCER: u64 = 0x20_0000;
/// APB_SE aperture. [soc-address §2.2]
pub const APB_SE_SIZE: u64 = 0xC80_0000;
/// APB_IO aperture and its size. [soc-address §2.2]
pub const APB_IO: (u64, u64) = (0x80_0000_0000, 0x2000_0000);
/// `EVT_ACCEL_CLR`. [soc-address §2.2]
pub const EVT_ACCEL_CLR: u64 = 0x90_0000_0000;
/// `EVT_ACCEL_SET` of the map. [soc-address §2.2]
pub const EVT_ACCEL_SET: u64 = 0x90_0000_0004;
/// `EVT_ACCEL_SET` as the runtime of v4 uses it. [soc-address §2.2]
pub const EVT_ACCEL_SET_RUNTIME: u64 = 0x94_0000_0000;
/// Host memory of a die, 64 TiB. [soc-address §1.6]
pub const PCIE_A0: u64 = 1 << 46;
/// `PCIE_M0`, 1 TiB, in the privileged plane. [soc-address §1.6]
pub const PCIE_M0_SIZE: u64 = 1 << 40;

/// Bytes of an HBM behind which there is memory; v5 runs on the map of v3. [soc-address §2.9], [decisions D-13]
#[must_use]
pub const fn hbm_populated(generation: Generation) -> u64 {
    match generation {
        Generation::V2 => 0x4_0000_0000,
        Generation::V3 | Generation::V5 => 0x6_0000_0000,
        Generation::V4 | Generation::V4Plus => 0x9_0000_0000,
    }
}

const fn hbm(populated: u64) -> Region {
    Region::new("HBM", 0, HBM_SIZE, "HBM stack")
        .code(RegionCode::Hbm)
        .copies(0, 2, SENGINE_PITCH, 2)
        .hole(HoleRule::From(populated))
}

const fn apb_se(number: u16, parts: &'static [Region]) -> Region {
    Region::new(
        "APB_SE",
        (1 << 36) | (number as u64 * SENGINE_PITCH),
        APB_SE_SIZE,
        "control of an SEngine, with its DMA engines",
    )
    .code(RegionCode::ApbSe)
    .copies(number, 1, APB_SE_SIZE, 2)
    .parts(parts)
    .access(Access::OPAQUE)
}

const fn tpbs(sengine: u16) -> Region {
    Region::new(
        "TPB",
        (1 << 37) | (sengine as u64 * SENGINE_PITCH),
        tpb::SIZE,
        "one NeuronCore",
    )
    .copies(2 * sengine, 2, 1 << 36, 4)
    .container(&tpb::PARTS)
}

static TOP_SP_SEQUENCER_PARTS: [Region; 1] = [Region::new(
    "LOCAL_REG",
    tpb::LOCAL_REG,
    local_reg::SIZE,
    "registers of the sequencer",
)
.parts(&local_reg::TOP_SP_BUNDLES)
.access(Access::OPAQUE)];

static TOP_SP_PARTS: [Region; 3] = [
    Region::new("EVT_SEM", 0, evt_sem::SIZE, "events and semaphores")
        .container(&evt_sem::TOP_SP_LEAVES),
    Region::new("RAM", 0x10_0000, 0x10_0000, "memory of the sequencer").code(RegionCode::TopSpRam),
    Region::new("TPB_SP", TOP_SP_SEQUENCER, 0x10_0000, "sequencer core")
        .code(RegionCode::TopSpSequencer)
        .parts(&TOP_SP_SEQUENCER_PARTS)
        .access(Access::OPAQUE),
];

const fn top_sps(name: &'static str) -> Region {
    Region::new(name, TOP_SP.0, TOP_SP_SIZE, "chip-level sequencer")
        .copies(0, TOP_SP.2, TOP_SP.1, TOP_SP.2)
        .container(&TOP_SP_PARTS)
}

const fn apb_io(name: &'static str) -> Region {
    Region::new(name, APB_IO.0, APB_IO.1, "control of the IO quadrant")
        .code(RegionCode::ApbIo)
        .copies(0, 1, APB_IO.1, 1)
        .parts(&sdma::APB_IO)
        .access(Access::OPAQUE)
}

/// One per die, numbered by the die.
const fn per_die(
    name: &'static str,
    code: RegionCode,
    offset: u64,
    size: u64,
    about: &'static str,
) -> Region {
    Region::new(name, offset, size, about)
        .code(code)
        .copies(0, 1, size, 1)
        .access(Access::OPAQUE)
}

const fn evt_accel_set(name: &'static str, offset: u64) -> Region {
    per_die(
        name,
        RegionCode::EvtAccelSet,
        offset,
        4,
        "source of the constant 1",
    )
    .access(Access::new("returns 1", "dropped"))
}

const fn evt_accel_clr(offset: u64) -> Region {
    per_die(
        "EVT_ACCEL_CLR",
        RegionCode::EvtAccelClr,
        offset,
        4,
        "source of the constant 0",
    )
    .access(Access::new("returns 0", "dropped"))
}

/// Apertures of a die on v3 and later.
pub static ROOT: [Region; 16] = [
    hbm(hbm_populated(Generation::V3)).only(Generations::V3_V5),
    hbm(hbm_populated(Generation::V4)).only(Generations::V4),
    apb_se(0, &sdma::LOWER_APB_SE),
    apb_se(1, &sdma::UPPER_APB_SE),
    Region::new("PREPROC", 0x12_0000_0000, 0x4000_0000, "preprocessor")
        .code(RegionCode::Preproc)
        .copies(0, 2, SENGINE_PITCH, 2)
        .access(Access::OPAQUE),
    tpbs(0),
    tpbs(1),
    apb_io("APB_IO"),
    top_sps("TOP_SP"),
    per_die(
        "INTC",
        RegionCode::Intc,
        0x85_8000_0000,
        0x2000,
        "interrupt controller",
    ),
    per_die(
        "HOST_MSIX_DOORBELL",
        RegionCode::HostMsixDoorbell,
        0x85_8010_0000,
        0x10_0000,
        "host interrupt doorbells",
    ),
    per_die(
        "RDM",
        RegionCode::Rdm,
        0x85_8020_0000,
        0x10_0000,
        "RDM block",
    ),
    evt_accel_clr(EVT_ACCEL_CLR),
    evt_accel_set("EVT_ACCEL_SET", EVT_ACCEL_SET),
    // The runtime of v4 uses this address, the map lists the one above; both read 1. [decisions D-20]
    evt_accel_set("EVT_ACCEL_SET_RUNTIME", EVT_ACCEL_SET_RUNTIME).only(Generations::V4),
    per_die(
        "PCIE_A0",
        RegionCode::PcieA0,
        PCIE_A0,
        PCIE_A0,
        "host memory",
    )
    .access(Access::new("reads host memory", "writes host memory")),
];

/// What the privileged plane (PEB = 1) decodes. [soc-address §1.6], [decisions D-51]
pub static PEB_ROOT: [Region; 3] = [
    apb_io("PEB_APB_IO"),
    top_sps("PEB_SP"),
    per_die(
        "PCIE_M0",
        RegionCode::PcieM0,
        PCIE_A0,
        PCIE_M0_SIZE,
        "management window",
    )
    .access(Access::OPAQUE),
];

/// First v2 TPB, distance and number. [soc-address §2.10]
pub const SUNDA_TPB: (u64, u64, u16) = (0xFFF_C000_0000, 0x400_0000, 2);
/// First v2 TOP_SP, distance and number. [soc-address §2.7]
pub const SUNDA_TOP_SP: (u64, u64, u16) = (0xFFF_D000_0000, 0x40_0000, 6);
/// `EVT_ACCEL_CLR` of v2; SET follows it. [evt-sem §1.4]
pub const SUNDA_EVT_ACCEL: u64 = 0x20_0000_0000;

static SUNDA_TOP_SP_PARTS: [Region; 1] =
    [
        Region::new("EVT_SEM", 0, evt_sem::SIZE, "events and semaphores")
            .container(&evt_sem::TOP_SP_LEAVES),
    ];

/// The few places of v2 that are known; it has one die. [soc-address §2.10]
pub static SUNDA_ROOT: [Region; 4] = [
    evt_accel_clr(SUNDA_EVT_ACCEL),
    evt_accel_set("EVT_ACCEL_SET", SUNDA_EVT_ACCEL + 4),
    Region::new("TPB", SUNDA_TPB.0, SUNDA_TPB.1, "one NeuronCore")
        .code(RegionCode::SundaTpb)
        .copies(0, SUNDA_TPB.2, SUNDA_TPB.1, 0)
        .parts(&tpb::SUNDA_PARTS)
        .access(Access::OPAQUE),
    Region::new(
        "TOP_SP",
        SUNDA_TOP_SP.0,
        SUNDA_TOP_SP.1,
        "chip-level sequencer",
    )
    .code(RegionCode::TopSpSequencer)
    .copies(0, SUNDA_TOP_SP.2, SUNDA_TOP_SP.1, 0)
    .parts(&SUNDA_TOP_SP_PARTS)
    .access(Access::OPAQUE),
];
