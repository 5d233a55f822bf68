// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Leaves of an EVT_SEM container. [evt-sem §§1.1–1.3]

use super::code::RegionCode;
use super::region::{Access, HoleRule, Region};

/// Size of a container: 1 MiB. [evt-sem §1.1]
pub const SIZE: u64 = 0x10_0000;
/// Entries of each array. [evt-sem §1.2]
pub const ENTRIES: u32 = 256;
/// Bytes of an entry. [evt-sem §1.2]
pub const STRIDE: u64 = 4;
/// Bytes of an array. [evt-sem §1.1]
const ARRAY: u64 = STRIDE * ENTRIES as u64;

const EVENT: Access = Access::new(
    "returns the event in bit 0, bits [31:1] are 0",
    "sets the event to bit 0; setting a set event or clearing a cleared one is counted",
);
const READ: Access = Access::new(
    "returns the semaphore's count",
    "ignored, AccessViolation + 1 (read-only)",
);
const SET: Access = Access::new(
    "returns 0, AccessViolation + 1 (write-only)",
    "replaces the semaphore's count by the written value",
);
const INC: Access = Access::new(
    "returns 0, AccessViolation + 1 (write-only)",
    "adds the written value to the semaphore, modulo 2^32",
);
const DEC: Access = Access::new(
    "returns 0, AccessViolation + 1 (write-only)",
    "subtracts the written value from the semaphore, modulo 2^32",
);

const fn array(name: &'static str, offset: u64, about: &'static str, access: Access) -> Region {
    Region::new(name, offset, ARRAY, about)
        .elements(STRIDE, ENTRIES)
        .access(access)
}

/// The seven leaves, which tile the container; the codes tell a TPB's container from a TOP_SP's.
const fn leaves(codes: [RegionCode; 7]) -> [Region; 7] {
    [
        array("EVENT", 0, "256 event bits", EVENT).code(codes[0]),
        Region::new("RESERVED_0", 0x400, 0xC00, "nothing")
            .code(codes[1])
            .hole(HoleRule::All),
        array("SEMAPHORE_READ", 0x1000, "256 counts", READ).code(codes[2]),
        array("SEMAPHORE_SET", 0x1400, "256 counts, written", SET).code(codes[3]),
        array("SEMAPHORE_INC", 0x1800, "256 counts, added to", INC).code(codes[4]),
        array("SEMAPHORE_DEC", 0x1C00, "256 counts, subtracted from", DEC).code(codes[5]),
        Region::new("RESERVED_1", 0x2000, 0xF_E000, "nothing")
            .code(codes[6])
            .hole(HoleRule::All),
    ]
}

/// Leaves of the container of a TPB.
pub static TPB_LEAVES: [Region; 7] = leaves([
    RegionCode::EvtSemEvent,
    RegionCode::EvtSemReserved0,
    RegionCode::EvtSemRead,
    RegionCode::EvtSemSet,
    RegionCode::EvtSemInc,
    RegionCode::EvtSemDec,
    RegionCode::EvtSemReserved1,
]);

/// Leaves of the container of a TOP_SP.
pub static TOP_SP_LEAVES: [Region; 7] = leaves([
    RegionCode::TopSpEvtSemEvent,
    RegionCode::TopSpEvtSemReserved0,
    RegionCode::TopSpEvtSemRead,
    RegionCode::TopSpEvtSemSet,
    RegionCode::TopSpEvtSemInc,
    RegionCode::TopSpEvtSemDec,
    RegionCode::TopSpEvtSemReserved1,
]);
