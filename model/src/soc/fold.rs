// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the descriptor generator turns a destination offset and a peer into an address.
//! [soc-address §1.7, MC-5 to MC-7]

use super::SocAddr;
use super::id::{ChipId, Die};
use super::route::Origin;
use super::view::{Field, NEIGHBOR_FOLD_FLAGS};

/// The core that is to receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Peer {
    /// Routing id as given, before it is cut to six bits; none means the own chip. [decisions D-47]
    pub routing_id: Option<u32>,
    /// Die of the core.
    pub die: Die,
}

/// What else decides the fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FoldOptions {
    /// The strap of the neighbor fold. [soc-address MC-1]
    pub nbr_en: bool,
    /// `leg_flags[0]`: plain die select for a peer of the own chip; the strap stays as it is. [decisions D-50]
    pub plain_die_select: bool,
}

impl Default for FoldOptions {
    fn default() -> Self {
        Self {
            nbr_en: true,
            plain_die_select: false,
        }
    }
}

/// Which form a fold took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoldKind {
    /// Own die: VALID = 0, DIE = own.
    NoRewrite,
    /// Other die of the package, neighbor flags.
    Neighbor,
    /// Other die of the package, DIE alone.
    PlainDieSelect,
    /// By chip id.
    ChipId,
}

/// A folded address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Folded {
    /// The address to put into the descriptor.
    pub address: SocAddr,
    /// The form that it has.
    pub kind: FoldKind,
    /// The routing id had bits above `[5:0]`, which were dropped: the event `RoutingIdTruncated`. [soc-address MC-7]
    pub routing_id_truncated: bool,
}

/// A destination that cannot be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// The chip's id is the alias of the neighbor fold. [decisions D-32]
    #[error(
        "ChipIdReserved: routing id {found:#x} selects chip 24, which the neighbor fold occupies while nbr_en = 1; \
         expected another id, or nbr_en = 0"
    )]
    ChipIdReserved {
        /// Routing id as given.
        found: u32,
    },
    /// The offset is more than a LOCAL offset. [soc-address MC-6]
    #[error("offset {found:#x} does not fit LOCAL; expected at most {last:#x}", last = Field::LOCAL.mask())]
    OffsetTooWide {
        /// Offset as given.
        found: u64,
    },
}

/// Folds a full LOCAL offset (aperture base + byte offset) for a peer. [soc-address MC-5, MC-6]
///
/// # Errors
/// [`FoldError::ChipIdReserved`] for chip 24 while the neighbor fold is on; [`FoldError::OffsetTooWide`].
pub fn fold(
    offset: u64,
    peer: Peer,
    origin: Origin,
    options: FoldOptions,
) -> Result<Folded, FoldError> {
    if offset > Field::LOCAL.mask() {
        return Err(FoldError::OffsetTooWide { found: offset });
    }
    let mut routing_id_truncated = false;
    let (address, kind) = match peer.routing_id {
        Some(routing_id) => {
            let id = ChipId::truncated(routing_id);
            if options.nbr_en && u64::from(id.number()) == NEIGHBOR_FOLD_FLAGS {
                return Err(FoldError::ChipIdReserved { found: routing_id });
            }
            routing_id_truncated = u32::from(id.number()) != routing_id;
            (chip_id_fold(offset, peer.die, id), FoldKind::ChipId)
        }
        None if peer.die == origin.die => (plain_die_select(offset, peer.die), FoldKind::NoRewrite),
        None if options.nbr_en && !options.plain_die_select => {
            (neighbor_fold(offset, peer.die), FoldKind::Neighbor)
        }
        None => (plain_die_select(offset, peer.die), FoldKind::PlainDieSelect),
    };
    Ok(Folded {
        address,
        kind,
        routing_id_truncated,
    })
}

/// The chip-id fold: LOCAL, DIE, CAYMAN_ID, VALID = 1. [soc-address §1.7, HIGH/INFERRED]
#[must_use]
pub const fn chip_id_fold(offset: u64, die: Die, id: ChipId) -> SocAddr {
    let address = plain_die_select(offset, die);
    let address = Field::CAYMAN_ID.set(address, id.number() as u64);
    Field::CAYMAN_ID_VALID.set(address, 1)
}

/// The neighbor fold: LOCAL, DIE, EXIT_DIE, NEIGHBOR_ROUTE, `ID_VALID` = 1. [soc-address §1.7, HIGH/INFERRED]
#[must_use]
pub const fn neighbor_fold(offset: u64, die: Die) -> SocAddr {
    let address = plain_die_select(offset, die);
    let address = Field::EXIT_DIE.set(address, 1);
    let address = Field::NEIGHBOR_ROUTE.set(address, 1);
    Field::ID_VALID.set(address, 1)
}

/// Plain die select: LOCAL and DIE, VALID = 0. [soc-address §1.7, HIGH/OBSERVED]
#[must_use]
pub const fn plain_die_select(offset: u64, die: Die) -> SocAddr {
    Field::DIE.set(Field::LOCAL.set(SocAddr(0), offset), die.number() as u64)
}
