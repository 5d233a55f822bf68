// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Physical and logical cores, groups, and who is whose peer. [soc-address §§2.12, 2.13]

use super::id::{Die, HbmId, OutOfRange, SengineId};
use crate::transaction::CoreId;

/// SEngine of a physical core. [soc-address §2.12]
#[must_use]
pub const fn sengine_of(core: CoreId) -> SengineId {
    SengineId::wrapping(core.number() >> 1)
}

/// Die of a physical core. [soc-address §2.12]
#[must_use]
pub const fn die_of(core: CoreId) -> Die {
    Die::from_bit(core.number() >> 2 == 1)
}

/// Position of an SEngine inside its die. [soc-address §2.12]
#[must_use]
pub const fn sengine_in_die(sengine: SengineId) -> u8 {
    sengine.number() & 1
}

/// Position of a core inside its SEngine. [soc-address §2.12]
#[must_use]
pub const fn tpb_in_sengine(core: CoreId) -> u8 {
    core.number() & 1
}

/// How two SEngines of a chip lie to each other; also the direction codes of the peer function.
/// [soc-address §§2.12, 2.13]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PeerCode {
    /// Itself.
    Own,
    /// The other SEngine of the die.
    SameDie,
    /// The same position on the other die.
    OtherDie,
    /// The other position on the other die.
    Diagonal,
}

impl PeerCode {
    /// All codes, ascending.
    pub const ALL: [Self; 4] = [Self::Own, Self::SameDie, Self::OtherDie, Self::Diagonal];

    /// The code, 0..=3.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Own => 0,
            Self::SameDie => 1,
            Self::OtherDie => 2,
            Self::Diagonal => 3,
        }
    }

    /// The code with this number.
    ///
    /// # Errors
    /// [`OutOfRange`] when `number` is 4 or more.
    pub const fn new(number: u8) -> Result<Self, OutOfRange> {
        match number {
            0 => Ok(Self::Own),
            1 => Ok(Self::SameDie),
            2 => Ok(Self::OtherDie),
            3 => Ok(Self::Diagonal),
            _ => Err(OutOfRange {
                what: "direction code",
                found: number as u64,
                last: 3,
            }),
        }
    }
}

/// SEngine in a direction. [soc-address §2.12]
#[must_use]
pub const fn sengine_peer(sengine: SengineId, code: PeerCode) -> SengineId {
    SengineId::wrapping(sengine.number() ^ code.number())
}

/// The peer function of a core: the SEngine in a direction of its own. [soc-address §2.13, MC-14]
#[must_use]
pub const fn peer(core: CoreId, direction: PeerCode) -> SengineId {
    sengine_peer(sengine_of(core), direction)
}

/// What the pod variant adds to the peer's node. [soc-address §2.13]
const POD_OFFSET: u8 = 8;

/// The peer function in its pod variant: a node number of the pod. [soc-address MC-14]
#[must_use]
pub const fn pod_peer(core: CoreId, direction: PeerCode) -> u8 {
    peer(core, direction).number() + POD_OFFSET
}

/// Remote-V partner of an HBM. [soc-address §2.12, HIGH/CARRIED]
#[must_use]
pub const fn hbm_remote_v(hbm: HbmId) -> HbmId {
    HbmId::wrapping(hbm.number() ^ 1)
}

/// Size of a logical core in physical ones; LNC4 and LNC8 exist in the format only. [soc-address §2.12]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LncSize {
    /// One physical core.
    One,
    /// Two.
    Two,
    /// Four.
    Four,
    /// Eight.
    Eight,
}

impl LncSize {
    /// Number of physical cores.
    #[must_use]
    pub const fn cores(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

/// Cores of the group that a core belongs to: consecutive physical numbers. [soc-address §2.12]
pub fn lnc_group(core: CoreId, size: LncSize) -> impl Iterator<Item = CoreId> {
    let group = core.number() / size.cores();
    CoreId::all().filter(move |other| other.number() / size.cores() == group)
}

/// LNC2 partner: the other TPB of the same SEngine. [soc-address §2.12, HIGH/OBSERVED]
#[must_use]
pub fn lnc2_partner(core: CoreId) -> CoreId {
    lnc_group(core, LncSize::Two)
        .find(|other| *other != core)
        .unwrap_or(core)
}

/// Physical core of logical 0..=7, by group of devices. [soc-address §2.12]
const PHYSICAL: [[u8; 8]; 4] = [
    [4, 5, 6, 7, 2, 3, 0, 1],
    [2, 3, 0, 1, 4, 5, 6, 7],
    [0, 1, 2, 3, 6, 7, 4, 5],
    [6, 7, 4, 5, 0, 1, 2, 3],
];
/// Row of [`PHYSICAL`] for each device of a node. [soc-address §2.12]
const ROW_OF_DEVICE: [u8; 16] = [0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3];
/// What die flip does to the table index. [soc-address §2.12]
const DIE_FLIP: u8 = 6;

/// Cores of a device by table index. [soc-address §2.12]
fn physical_row(device: u8) -> Result<[u8; 8], OutOfRange> {
    ROW_OF_DEVICE
        .get(usize::from(device))
        .map(|row| PHYSICAL[usize::from(*row)])
        .ok_or(OutOfRange {
            what: "device",
            found: u64::from(device),
            last: ROW_OF_DEVICE.len() as u64 - 1,
        })
}

const fn table_index(logical: u8, die_flip: bool) -> u8 {
    if die_flip {
        logical ^ DIE_FLIP
    } else {
        logical
    }
}

/// Physical core of a logical one on a device of the v3 driver's map. [soc-address §2.12, MC-13]
///
/// # Errors
/// [`OutOfRange`] for a device beyond 15 or a logical core beyond 7.
pub fn physical_core(device: u8, logical: u8, die_flip: bool) -> Result<CoreId, OutOfRange> {
    let row = physical_row(device)?;
    row.get(usize::from(table_index(logical, die_flip)))
        .and_then(|physical| CoreId::new(*physical).ok())
        .ok_or(OutOfRange {
            what: "logical core",
            found: u64::from(logical),
            last: u64::from(CoreId::PER_CHIP) - 1,
        })
}

/// Logical core of a physical one: the inverse of [`physical_core`].
///
/// # Errors
/// [`OutOfRange`] for a device beyond 15.
pub fn logical_core(device: u8, physical: CoreId, die_flip: bool) -> Result<u8, OutOfRange> {
    let row = physical_row(device)?;
    (0..CoreId::PER_CHIP)
        .find(|logical| row[usize::from(table_index(*logical, die_flip))] == physical.number())
        .ok_or(OutOfRange {
            what: "physical core",
            found: u64::from(physical.number()),
            last: u64::from(CoreId::PER_CHIP) - 1,
        })
}

/// Neighbors as the host's encoder names them. [soc-address §2.13, HIGH/OBSERVED]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Neighbor {
    /// LOCAL = 0.
    Local,
    /// NEXT = 1.
    Next,
    /// PREV = 2.
    Prev,
    /// GATEWAY = 3.
    Gateway,
    /// `PEER_RMTV` = 4.
    PeerRmtv,
    /// `PEER_RMTV2` = 5.
    PeerRmtv2,
    /// `PEER_LOCAL` = 6.
    PeerLocal,
    /// `NEXT_PEER_RMTV` = 7.
    NextPeerRmtv,
    /// INVALID = 8.
    Invalid,
}

impl Neighbor {
    /// All values, ascending from 0.
    pub const ALL: [Self; 9] = [
        Self::Local,
        Self::Next,
        Self::Prev,
        Self::Gateway,
        Self::PeerRmtv,
        Self::PeerRmtv2,
        Self::PeerLocal,
        Self::NextPeerRmtv,
        Self::Invalid,
    ];
}

impl TryFrom<u8> for Neighbor {
    type Error = OutOfRange;

    fn try_from(value: u8) -> Result<Self, OutOfRange> {
        Self::ALL
            .get(usize::from(value))
            .copied()
            .ok_or(OutOfRange {
                what: "neighbor",
                found: u64::from(value),
                last: Self::ALL.len() as u64 - 1,
            })
    }
}
