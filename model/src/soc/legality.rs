// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which combinations of high bits are legal. [soc-address §1.5, MC-2]

use super::view::{Field, View, Viewed};

/// Why an address is illegal, in the order of the table; of several reasons the first is reported.
/// [soc-address §1.5], [decisions D-32]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Illegal {
    /// Bits `[63:58]` are not 0.
    HighBits,
    /// Bit 55 is 1.
    ReservedBit,
    /// Local view: VALID = 0 with a chip id.
    IdWithoutValid,
    /// Neighbor view: bits `[49:48]` are not 0.
    NeighborReserved,
    /// Neighbor view: an exit is named, but NEIGHBOR_ROUTE is 0.
    ExitWithoutRoute,
    /// Neighbor view: PEB with NEIGHBOR_ROUTE.
    PebWithRoute,
    /// Neighbor view: PEB with `ID_VALID`.
    PebWithId,
}

impl Illegal {
    /// All reasons in table order.
    pub const ALL: [Self; 7] = [
        Self::HighBits,
        Self::ReservedBit,
        Self::IdWithoutValid,
        Self::NeighborReserved,
        Self::ExitWithoutRoute,
        Self::PebWithRoute,
        Self::PebWithId,
    ];

    /// The name in the table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HighBits => "HighBits",
            Self::ReservedBit => "ReservedBit",
            Self::IdWithoutValid => "IdWithoutValid",
            Self::NeighborReserved => "NeighborReserved",
            Self::ExitWithoutRoute => "ExitWithoutRoute",
            Self::PebWithRoute => "PebWithRoute",
            Self::PebWithId => "PebWithId",
        }
    }

    /// The condition in words.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::HighBits => "bits [63:58] must be 0",
            Self::ReservedBit => "bit 55 must be 0",
            Self::IdWithoutValid => "in the local view bits [53:48] must be 0 while bit 54 is 0",
            Self::NeighborReserved => "in the neighbor view bits [49:48] must be 0",
            Self::ExitWithoutRoute => {
                "in the neighbor view EXIT_DIE and EXIT_SENG need NEIGHBOR_ROUTE"
            }
            Self::PebWithRoute => "in the neighbor view PEB excludes NEIGHBOR_ROUTE",
            Self::PebWithId => "in the neighbor view PEB excludes ID_VALID",
        }
    }

    /// Position in the table, from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }
}

impl std::fmt::Display for Illegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// The reasons that hold for one address, each judged on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Verdicts(u8);

impl Verdicts {
    /// Bit i stands for row i of the table.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// No reason holds.
    #[must_use]
    pub const fn is_legal(self) -> bool {
        self.0 == 0
    }

    /// The first reason in table order.
    #[must_use]
    pub fn first(self) -> Option<Illegal> {
        self.iter().next()
    }

    /// All reasons in table order.
    pub fn iter(self) -> impl Iterator<Item = Illegal> {
        Illegal::ALL
            .into_iter()
            .filter(move |reason| self.0 >> reason.index() & 1 == 1)
    }

    /// 0 for legal, else 1 + the row of the first reason.
    #[must_use]
    pub fn code(self) -> u8 {
        self.first().map_or(0, |reason| 1 + reason.index())
    }
}

/// Judges an address in the view in which it is meant. [soc-address §1.5]
#[must_use]
pub const fn verdicts(viewed: Viewed) -> Verdicts {
    let Viewed { address, view } = viewed;
    let valid = Field::CAYMAN_ID_VALID.get(address) != 0;
    let route = Field::NEIGHBOR_ROUTE.get(address) != 0;
    let peb = Field::PEB.get(address) != 0;
    let exit = Field::EXIT_DIE.get(address) != 0 || Field::EXIT_SENG.get(address) != 0;
    let local = matches!(view, View::Local);
    let rows = [
        Field::HIGH_BITS.get(address) != 0,
        Field::RESERVED.get(address) != 0,
        local && !valid && Field::CAYMAN_ID.get(address) != 0,
        !local && Field::NEIGHBOR_RSVD.get(address) != 0,
        !local && !route && exit,
        !local && peb && route,
        !local && peb && valid,
    ];
    let mut bits = 0;
    let mut row = 0;
    while row < rows.len() {
        bits |= (rows[row] as u8) << row;
        row += 1;
    }
    Verdicts(bits)
}

/// Word that a tolerated or refused read returns: the fabric's no-target terminator. [soc-address §1.5, MC-3]
pub const POISON: u32 = 0xDEAD_BEEF;

/// What an access to an address without a target does. [soc-address §1.5, MC-3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MissingTarget {
    /// `OK_TO_FAIL` = 0: the access fails with `DecodeError`.
    DecodeError,
    /// `OK_TO_FAIL` = 1: a write is dropped, a read returns [`POISON`] words.
    Dropped,
}

/// The result of an access to a gap, by its attribute. [soc-address §1.5]
#[must_use]
pub const fn missing_target(viewed: Viewed) -> MissingTarget {
    if Field::OK_TO_FAIL.get(viewed.address) == 1 {
        MissingTarget::Dropped
    } else {
        MissingTarget::DecodeError
    }
}
