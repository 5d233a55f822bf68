// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Addresses of events and semaphores. [soc-address §§2.6, 2.7], [evt-sem §§1.1–1.4]

use super::SocAddr;
use super::id::{Die, OutOfRange, TopSpId, TopSpRuntimeId};
use super::map::{evt_sem, root};
use super::tpb;
use super::view::Field;
use crate::generation::Generation;
use crate::transaction::CoreId;

/// The arrays of a container; the address selects the operation. [evt-sem §1.2]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SemaOp {
    /// Event word.
    Event,
    /// Read the count.
    Read,
    /// Replace the count.
    Set,
    /// Add to the count.
    Inc,
    /// Subtract from the count.
    Dec,
}

impl SemaOp {
    /// All arrays, ascending by address.
    pub const ALL: [Self; 5] = [Self::Event, Self::Read, Self::Set, Self::Inc, Self::Dec];

    /// Start of the array in the container. [evt-sem §1.1]
    #[must_use]
    pub const fn offset(self) -> u32 {
        match self {
            Self::Event => 0x0000,
            Self::Read => 0x1000,
            Self::Set => 0x1400,
            Self::Inc => 0x1800,
            Self::Dec => 0x1C00,
        }
    }

    /// Offset of an entry in the container.
    #[must_use]
    pub const fn entry(self, index: u8) -> u32 {
        self.offset() + evt_sem::STRIDE as u32 * index as u32
    }
}

/// What an offset in a container leads to. [evt-sem §4]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvtSemLeaf {
    /// An entry of an array; the two low address bits are not looked at.
    Entry(SemaOp, u8),
    /// The hole behind the events.
    Reserved0,
    /// The hole behind the semaphores.
    Reserved1,
}

/// Decodes an offset in a container; bits above `[19:0]` are ignored. [evt-sem §4]
#[must_use]
pub const fn evt_sem_leaf(offset: u32) -> EvtSemLeaf {
    let index = (offset >> 2) as u8;
    if (offset >> 13) & 0x7F != 0 {
        return EvtSemLeaf::Reserved1;
    }
    match (offset >> 10) & 7 {
        0 => EvtSemLeaf::Entry(SemaOp::Event, index),
        1..=3 => EvtSemLeaf::Reserved0,
        4 => EvtSemLeaf::Entry(SemaOp::Read, index),
        5 => EvtSemLeaf::Entry(SemaOp::Set, index),
        6 => EvtSemLeaf::Entry(SemaOp::Inc, index),
        _ => EvtSemLeaf::Entry(SemaOp::Dec, index),
    }
}

/// Address of an event or semaphore of a core, on the own chip. [soc-address §2.6]
#[must_use]
pub const fn sema_addr(core: CoreId, op: SemaOp, index: u8) -> SocAddr {
    tpb::evt_sem(core, op.entry(index))
}

/// Base of a TOP_SP by hardware number. [soc-address §2.1]
#[must_use]
pub const fn top_sp_base(id: TopSpId) -> SocAddr {
    let (first, pitch, per_die) = root::TOP_SP;
    let (die, position) = (
        id.number() as u64 / per_die as u64,
        id.number() as u64 % per_die as u64,
    );
    Field::DIE.set(SocAddr(first + pitch * position), die)
}

/// Hardware number of a runtime index: eight of the ten per die are used. [soc-address §2.7]
#[must_use]
pub const fn top_sp_of_runtime(index: TopSpRuntimeId) -> TopSpId {
    let (die, position) = (index.number() >> 3, index.number() & 7);
    TopSpId::wrapping(root::TOP_SP.2 as u8 * die + position)
}

/// The two runtime indices of a core. [soc-address §2.7]
#[must_use]
pub fn top_sps_of(core: CoreId) -> [TopSpRuntimeId; 2] {
    [0, 1].map(|i| TopSpRuntimeId::wrapping(2 * core.number() + i))
}

/// Address of a TOP_SP's event or semaphore by runtime index. [soc-address §2.7]
#[must_use]
pub const fn top_sp_sema_addr(index: TopSpRuntimeId, op: SemaOp, entry: u8) -> SocAddr {
    SocAddr(top_sp_base(top_sp_of_runtime(index)).0 + op.entry(entry) as u64)
}

/// The privileged alias of an address of a TOP_SP or APB_IO. [soc-address §1.6]
#[must_use]
pub const fn peb_alias(address: SocAddr) -> SocAddr {
    Field::PEB.set(address, 1)
}

/// Sources of the constants 0 and 1 for DMA-driven updates. [evt-sem §1.4]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvtAccel {
    /// Reads 0.
    Clr,
    /// Reads 1.
    Set,
}

/// Address that builders use for a die; on v4 SET has its own place. [decisions D-20]
///
/// # Errors
/// [`OutOfRange`] for die 1 of v2, which has one die.
pub const fn evt_accel(
    which: EvtAccel,
    die: Die,
    generation: Generation,
) -> Result<SocAddr, OutOfRange> {
    let local = match (generation, which) {
        (Generation::V2, _) if matches!(die, Die::One) => {
            return Err(OutOfRange {
                what: "die",
                found: 1,
                last: 0,
            });
        }
        (Generation::V2, EvtAccel::Clr) => root::SUNDA_EVT_ACCEL,
        (Generation::V2, EvtAccel::Set) => root::SUNDA_EVT_ACCEL + 4,
        (_, EvtAccel::Clr) => root::EVT_ACCEL_CLR,
        (Generation::V4 | Generation::V4Plus, EvtAccel::Set) => root::EVT_ACCEL_SET_RUNTIME,
        (_, EvtAccel::Set) => root::EVT_ACCEL_SET,
    };
    Ok(Field::DIE.set(SocAddr(local), die.number() as u64))
}

/// Base of a TPB of v2. [soc-address §2.10]
///
/// # Errors
/// [`OutOfRange`] for a core beyond the two of v2.
pub const fn sunda_tpb_base(number: u8) -> Result<SocAddr, OutOfRange> {
    sunda(root::SUNDA_TPB, number, "v2 TPB")
}

/// Base of a TOP_SP of v2. [soc-address §2.7]
///
/// # Errors
/// [`OutOfRange`] for a TOP_SP beyond the six of v2.
pub const fn sunda_top_sp_base(number: u8) -> Result<SocAddr, OutOfRange> {
    sunda(root::SUNDA_TOP_SP, number, "v2 TOP_SP")
}

const fn sunda(
    (first, pitch, count): (u64, u64, u16),
    number: u8,
    what: &'static str,
) -> Result<SocAddr, OutOfRange> {
    if number as u16 >= count {
        return Err(OutOfRange {
            what,
            found: number as u64,
            last: count as u64 - 1,
        });
    }
    Ok(SocAddr(first + pitch * number as u64))
}
