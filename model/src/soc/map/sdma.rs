// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Inside a DMA engine. [soc-address §2.8], [idma-ring §§2.1–2.4]

use super::code::RegionCode;
use super::region::{Access, Region, Register};

/// Engine container. [soc-address §2.8]
pub const CONTAINER: u64 = 0x8_0000;
/// Bytes from one engine to the next. [soc-address §2.8]
pub const PITCH: u64 = 0x10_0000;
/// Start of the receive UDMA. [soc-address §2.8]
pub const S2M: u64 = 0x2_0000;
/// Queue 0 inside a UDMA, distance and number of queues. [soc-address §2.8]
pub const QUEUES: (u64, u64, u32) = (0x1000, 0x1000, 16);
/// Tail-increment register inside a queue. [soc-address §2.8]
pub const TAIL_INC: u64 = 0x38;
/// The broadcast UDMA, from the start of its engine. [soc-address §2.8]
const BROADCAST: u64 = 0x8_0000;

static M2S_REGISTERS: [Register; 8] = [
    Register::new(
        "TDRBP_low",
        0x28,
        "returns base bits [31:6]",
        "sets base bits [31:6]",
    ),
    Register::new(
        "TDRBP_high",
        0x2C,
        "returns base bits [63:32]",
        "sets base bits [63:32]",
    ),
    Register::new(
        "TDRL",
        0x30,
        "returns the ring length in descriptors",
        "sets the ring length",
    ),
    Register::new(
        "TDRHP",
        0x34,
        "returns the head and the ring id",
        "ignored (read-only)",
    ),
    Register::new(
        "TDRTP_inc",
        TAIL_INC,
        "returns 0",
        "doorbell: adds [23:0] descriptors to the tail",
    ),
    Register::new(
        "TDRTP",
        0x3C,
        "returns the tail and the ring id",
        "ignored (read-only)",
    ),
    Register::new(
        "q_sw_ctrl",
        0xB0,
        "returns 0 (write-only)",
        "resets the parts of the queue whose bits are 1",
    ),
    Register::new(
        "TDRDTP_inc",
        0xE0,
        "returns 0 (write-only)",
        "adds [23:0] descriptors to the data tail",
    ),
];

static S2M_REGISTERS: [Register; 7] = [
    Register::new(
        "RDRBP_low",
        0x28,
        "returns base bits [31:6]",
        "sets base bits [31:6]",
    ),
    Register::new(
        "RDRBP_high",
        0x2C,
        "returns base bits [63:32]",
        "sets base bits [63:32]",
    ),
    Register::new(
        "RDRL",
        0x30,
        "returns the ring length in descriptors",
        "sets the ring length",
    ),
    Register::new(
        "RDRHP",
        0x34,
        "returns the head and the ring id",
        "ignored (read-only)",
    ),
    Register::new(
        "RDRTP_inc",
        TAIL_INC,
        "returns 0 (write-only)",
        "doorbell: adds [23:0] descriptors to the tail",
    ),
    Register::new(
        "RDRTP",
        0x3C,
        "returns the tail and the ring id",
        "ignored (read-only)",
    ),
    Register::new(
        "q_sw_ctrl",
        0x64,
        "returns 0 (write-only)",
        "resets the parts of the queue whose bits are 1",
    ),
];

static MISC_REGISTERS: [Register; 1] = [Register::new(
    "broadcast_group",
    0x100,
    "returns what was written",
    "configures the broadcast group",
)];

const fn queues(code: RegionCode, registers: &'static [Register]) -> Region {
    Region::new(
        "QUEUE",
        QUEUES.0,
        QUEUES.1 * QUEUES.2 as u64,
        "queue blocks",
    )
    .code(code)
    .elements(QUEUES.1, QUEUES.2)
    .registers(registers)
}

static M2S_PARTS: [Region; 1] = [queues(RegionCode::SdmaM2sQueue, &M2S_REGISTERS)];
static S2M_PARTS: [Region; 1] = [queues(RegionCode::SdmaS2mQueue, &S2M_REGISTERS)];
static BROADCAST_M2S_PARTS: [Region; 1] =
    [queues(RegionCode::SdmaBroadcastM2sQueue, &M2S_REGISTERS)];
static BROADCAST_S2M_PARTS: [Region; 1] =
    [queues(RegionCode::SdmaBroadcastS2mQueue, &S2M_REGISTERS)];

/// Parts of an engine.
pub static ENGINE_PARTS: [Region; 6] = [
    Region::new("M2S", 0, 0x2_0000, "transmit UDMA")
        .code(RegionCode::SdmaM2s)
        .parts(&M2S_PARTS),
    Region::new("S2M", S2M, 0x1_8000, "receive UDMA")
        .code(RegionCode::SdmaS2m)
        .parts(&S2M_PARTS),
    Region::new("GEN", 0x3_8000, 0x4000, "interrupts and general registers")
        .code(RegionCode::SdmaGen),
    Region::new("GEN_EX", 0x3_C000, 0x4000, "address selectors").code(RegionCode::SdmaGenEx),
    Region::new("MISC", 0x4_0000, 0x1000, "tdma model registers")
        .code(RegionCode::SdmaMisc)
        .registers(&MISC_REGISTERS),
    // Its size is not stated; one page, like MISC before it. [docs/cycle-contracts.md]
    Region::new("NOTIFIC", 0x4_1000, 0x1000, "notification engine")
        .code(RegionCode::SdmaNotific)
        .access(Access::OPAQUE),
];

/// Parts of the broadcast UDMA, laid out like those of an engine.
static BROADCAST_PARTS: [Region; 4] = [
    Region::new("M2S", 0, 0x2_0000, "broadcast transmit UDMA")
        .code(RegionCode::SdmaBroadcastM2s)
        .parts(&BROADCAST_M2S_PARTS),
    Region::new("S2M", S2M, 0x1_8000, "broadcast receive UDMA")
        .code(RegionCode::SdmaBroadcastS2m)
        .parts(&BROADCAST_S2M_PARTS),
    Region::new("GEN", 0x3_8000, 0x4000, "broadcast interrupts").code(RegionCode::SdmaBroadcastGen),
    Region::new("GEN_EX", 0x3_C000, 0x4000, "broadcast address selectors")
        .code(RegionCode::SdmaBroadcastGenEx),
];

const fn engines(first: u64) -> Region {
    Region::new("SDMA", first, CONTAINER, "DMA engine")
        .copies(0, 32, PITCH, 0)
        .numbering(32, 0)
        .code(RegionCode::Sdma)
        .parts(&ENGINE_PARTS)
}

/// The broadcast UDMAs sit behind engines 0 and 16 of an SEngine, beyond their containers.
const fn broadcast(first: u64, engine: u16) -> Region {
    Region::new(
        "SDMA_BCAST",
        first + engine as u64 * PITCH + BROADCAST,
        0x4_0000,
        "broadcast UDMA, reaches all engines of a group",
    )
    .copies(engine, 1, PITCH, 0)
    .numbering(32, 0)
    .parts(&BROADCAST_PARTS)
}

/// First engine inside APB_SE of the lower SEngine of a die. [soc-address §2.1]
pub const FIRST_ENGINE_LOWER: u64 = 0x200_0000;
/// First engine inside APB_SE of the upper SEngine of a die. [soc-address §2.1]
pub const FIRST_ENGINE_UPPER: u64 = 0x400_0000;

/// Known parts of the lower APB_SE of a die.
pub static LOWER_APB_SE: [Region; 3] = [
    engines(FIRST_ENGINE_LOWER),
    broadcast(FIRST_ENGINE_LOWER, 0),
    broadcast(FIRST_ENGINE_LOWER, 16),
];
/// Known parts of the upper APB_SE of a die.
pub static UPPER_APB_SE: [Region; 3] = [
    engines(FIRST_ENGINE_UPPER),
    broadcast(FIRST_ENGINE_UPPER, 0),
    broadcast(FIRST_ENGINE_UPPER, 16),
];

/// D2H engine inside APB_IO. [soc-address §2.8]
pub const D2H: u64 = 0x680_0000;
/// H2D engine inside APB_IO. [soc-address §2.8]
pub const H2D: u64 = 0x690_0000;
/// Number of D2H0; H2D0, D2H1 and H2D1 follow. [soc-address §2.8]
pub const FIRST_IO_ENGINE: u8 = 128;

/// Known parts of APB_IO.
pub static APB_IO: [Region; 2] = [
    Region::new("D2H", D2H, CONTAINER, "device-to-host DMA engine")
        .numbering(2, FIRST_IO_ENGINE as u16)
        .code(RegionCode::Sdma)
        .parts(&ENGINE_PARTS),
    Region::new("H2D", H2D, CONTAINER, "host-to-device DMA engine")
        .numbering(2, FIRST_IO_ENGINE as u16 + 1)
        .code(RegionCode::Sdma)
        .parts(&ENGINE_PARTS),
];
