// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Register bundles of a LOCAL_REG block. [soc-address §2.4]

use super::region::{Access, Generations, NamedElement, Region, Register};

/// Size of the block. [soc-address §2.4]
pub const SIZE: u64 = 0x1_0000;
/// Where the device's own firmware sees the block on v3 and later. [soc-address §2.4]
pub const DEVICE_BASE: u32 = 0x0400_0000;
/// Where the device's own firmware sees it on v2. [soc-address §2.4]
pub const DEVICE_BASE_V2: u32 = 0x0010_0000;

/// First register of the `general` bundle, their distance and number. [soc-address §2.4]
pub const GENERAL: (u64, u64, u32) = (0x1000, 0x20, 60);
/// First window, distance and number of windows. [soc-address §3.1]
pub const WINDOW: (u64, u64, u32) = (0x2000, 0x1C, 40);
/// The register file of the engine, model-private. [decisions D-16]
pub const REGISTER_FILE: (u64, u64, u32) = (0xA000, 4, 64);
/// The token register, model-private. [decisions D-42]
pub const TOKEN: u64 = 0xB000;
/// The control block of EVT_SEM, model-private. [decisions D-18]
pub const CONTROL: u64 = 0x7000;

static WINDOW_REGISTERS: [Register; 7] = [
    Register::new(
        "control",
        0x00,
        "returns all 32 bits",
        "sets valid, the gates and the Q7 choice",
    ),
    Register::new(
        "mask_lo",
        0x04,
        "returns [31:20]",
        "sets mask bits [31:20]; 1 is compared",
    ),
    Register::new(
        "mask_hi",
        0x08,
        "returns [7:0]",
        "sets mask bits [39:32]; 1 is compared",
    ),
    Register::new(
        "match_lo",
        0x0C,
        "returns [31:20]",
        "sets match bits [31:20]",
    ),
    Register::new("match_hi", 0x10, "returns [7:0]", "sets match bits [39:32]"),
    Register::new(
        "replace_lo",
        0x14,
        "returns [31:20]",
        "sets replace bits [31:20]",
    ),
    Register::new(
        "replace_hi",
        0x18,
        "returns [25:0]",
        "sets replace bits [57:32]",
    ),
];

static Q7_REGISTERS: [Register; 10] = {
    const RUN: &str = "returns the run state of one Q7 core";
    const NONE: &str = "not described";
    [
        Register::new(
            "release_run_stall",
            0x00,
            "returns one bit a core, 0xFF after reset; 1 is stalled",
            "a 0 releases the core",
        ),
        Register::new("start_ctrl", 0x04, "returns what was written", "stores"),
        Register::new("run_state_0", 0x08, RUN, NONE),
        Register::new("run_state_1", 0x0C, RUN, NONE),
        Register::new("run_state_2", 0x10, RUN, NONE),
        Register::new("run_state_3", 0x14, RUN, NONE),
        Register::new("run_state_4", 0x18, RUN, NONE),
        Register::new("run_state_5", 0x1C, RUN, NONE),
        Register::new("run_state_6", 0x20, RUN, NONE),
        Register::new("run_state_7", 0x24, RUN, NONE),
    ]
};

/// [evt-sem §1.5], [decisions D-18]
static CONTROL_REGISTERS: [Register; 5] = [
    Register::new(
        "sem_threshold_ctrl0",
        0x800,
        "returns the low threshold",
        "sets the lowest count that notifies",
    ),
    Register::new(
        "sem_threshold_ctrl1",
        0x804,
        "returns the high threshold",
        "sets the highest count that notifies",
    ),
    Register::new(
        "notific_ctrl",
        0x808,
        "returns the enable in bit 0",
        "bit 0 turns notifications on",
    ),
    Register::new(
        "error_summary",
        0x80C,
        "returns event_error [0] and sem_error [1] and clears both",
        "ignored",
    ),
    Register::new(
        "sw_queue_num2",
        0xA08,
        "returns the software queue in [19:16]",
        "sets the software queue of notifications",
    ),
];

const fn element(index: u32, name: &'static str, access: Access) -> NamedElement {
    NamedElement {
        index,
        name,
        access,
    }
}

const fn setting(index: u32, name: &'static str, write: &'static str) -> NamedElement {
    element(index, name, Access::new("returns what was written", write))
}

/// Registers of the `general` bundle that firmware uses. [soc-address §2.11]
const TPB_BASE: NamedElement = setting(1, "tpb_base", "sets the base of the own TPB");
const ENGINE_BASE: NamedElement = setting(2, "engine_base", "sets the base of the own engine");
const CLASSIFICATION: NamedElement = setting(
    17,
    "classification",
    "firmware stores is_tpb << 16 | is_die_0 << 8 | engine_idx",
);

static GENERAL_NAMES: [NamedElement; 3] = [TPB_BASE, ENGINE_BASE, CLASSIFICATION];

/// Those of POOL, with the leg context. [decisions D-6]
static POOL_GENERAL_NAMES: [NamedElement; 14] = [
    TPB_BASE,
    ENGINE_BASE,
    CLASSIFICATION,
    setting(
        48,
        "leg_dma_engine_mask",
        "chooses the DMA engines of a leg, 1, 2, 4, 8 or 16 of them",
    ),
    setting(49, "leg_ring_num", "chooses the queue of both rings"),
    setting(50, "leg_ring_len", "sets the descriptors per ring"),
    setting(
        51,
        "leg_ring_base_lo",
        "sets bits [31:0] of the rings' base",
    ),
    setting(
        52,
        "leg_ring_base_hi",
        "sets bits [63:32] of the rings' base",
    ),
    setting(
        53,
        "leg_local_sem",
        "names the semaphore in the own EVT_SEM",
    ),
    setting(
        54,
        "leg_remote_sem",
        "names the semaphore in the peer's EVT_SEM",
    ),
    setting(
        55,
        "leg_ready_sem",
        "names the semaphore in the sender's EVT_SEM",
    ),
    setting(
        56,
        "leg_remote_core_id",
        "names the peer's core; all ones: from lnc_size_fmt",
    ),
    setting(
        57,
        "leg_remote_routing_id",
        "names the peer's chip; all ones: the own",
    ),
    setting(58, "leg_flags", "[0] plain die select, [1] credits"),
];

/// Registers of a TOP_SP that the runtime uses; the offsets of [soc-address §2.7] are elements of the `general` bundle.
static SP_GENERAL_NAMES: [NamedElement; 8] = [
    TPB_BASE,
    ENGINE_BASE,
    CLASSIFICATION,
    setting(42, "init", "runtime initialisation"),
    setting(43, "tsync", "time synchronisation"),
    setting(45, "host_trigger", "starts the sequencer from the host"),
    setting(46, "stop", "stops the sequencer"),
    setting(47, "basic_block_switch", "switches the basic block"),
];

const fn general(named: &'static [NamedElement]) -> Region {
    Region::new(
        "GENERAL",
        GENERAL.0,
        GENERAL.1 * GENERAL.2 as u64,
        "general registers",
    )
    .elements(GENERAL.1, GENERAL.2)
    .named(named)
}

const NX: Region =
    Region::new("NX", 0x0000, 0x1000, "registers of the NX core").access(Access::OPAQUE);
const WINDOWS: Region = Region::new(
    "WINDOW",
    WINDOW.0,
    WINDOW.1 * WINDOW.2 as u64,
    "translation windows",
)
.elements(WINDOW.1, WINDOW.2)
.registers(&WINDOW_REGISTERS);
const Q7: Region = Region::new("Q7", 0x3000, 0x1000, "control of the Q7 cores")
    .registers(&Q7_REGISTERS)
    .access(Access::OPAQUE);
const HW_DECODE: Region =
    Region::new("HW_DECODE", 0x4000, 0x1000, "hardware decoder").access(Access::OPAQUE);
const TENSOR_REPLACE: Region = Region::new("TENSOR_REPLACE", 0x5000, 0x400, "tensor replacement")
    .elements(0x20, 32)
    .access(Access::OPAQUE);
/// Its size is not stated; the next block of the model bounds it.
const NOTIFIC: Region =
    Region::new("NOTIFIC", 0x6000, 0x1000, "notifications").access(Access::OPAQUE);

const fn atomic(name: &'static str, offset: u64, about: &'static str) -> Region {
    Region::new(name, offset, 0x400, about)
        .elements(0x10, 64)
        .only(Generations::FROM_V4)
        .access(Access::OPAQUE)
}
const ATOMIC_RDWR: Region = atomic("ATOMIC_RDWR", 0x8000, "atomic registers, read and write");
const ATOMIC_INC: Region = atomic("ATOMIC_INC", 0x8400, "atomic registers, increment");
const ATOMIC_DEC: Region = atomic("ATOMIC_DEC", 0x8800, "atomic registers, decrement");
const ATOMIC_ADDIFF0: Region = atomic("ATOMIC_ADDIFF0", 0x8C00, "atomic registers, add if 0");
const REGISTERS: Region = Region::new(
    "REGISTER_FILE",
    REGISTER_FILE.0,
    REGISTER_FILE.1 * REGISTER_FILE.2 as u64,
    "operands of the REG modes (model-private)",
)
.elements(REGISTER_FILE.1, REGISTER_FILE.2);

/// Bundles of an engine other than POOL, and of a TPB's SP.
pub static ENGINE_BUNDLES: [Region; 12] = bundles(&GENERAL_NAMES);
/// Bundles of a TOP_SP.
pub static TOP_SP_BUNDLES: [Region; 12] = bundles(&SP_GENERAL_NAMES);

const fn bundles(named: &'static [NamedElement]) -> [Region; 12] {
    [
        NX,
        general(named),
        WINDOWS,
        Q7,
        HW_DECODE,
        TENSOR_REPLACE,
        NOTIFIC,
        ATOMIC_RDWR,
        ATOMIC_INC,
        ATOMIC_DEC,
        ATOMIC_ADDIFF0,
        REGISTERS,
    ]
}

/// Bundles of POOL: those of the other engines, the EVT_SEM control block and the token register.
pub static POOL_BUNDLES: [Region; 14] = [
    NX,
    general(&POOL_GENERAL_NAMES),
    WINDOWS,
    Q7,
    HW_DECODE,
    TENSOR_REPLACE,
    NOTIFIC,
    Region::new(
        "EVT_SEM_CONTROL",
        CONTROL,
        0x1000,
        "thresholds and notifications of EVT_SEM (model-private)",
    )
    .registers(&CONTROL_REGISTERS)
    .access(Access::new("returns 0", "dropped")),
    ATOMIC_RDWR,
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_ADDIFF0,
    REGISTERS,
    Region::new(
        "TOKEN",
        TOKEN,
        4,
        "token FIFO of the TX actor, depth 4 (model-private)",
    )
    .access(Access::new("returns 0", "pushes one token")),
];
