// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Where an address leads, seen from one die of one chip. [soc-address §1.7, MC-4]

use super::id::{ChipId, Die, SengineId};
use super::legality::{Illegal, verdicts};
use super::view::{Field, View, Viewed};

/// The chip and die that make the access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Own chip id.
    pub chip: ChipId,
    /// Own die.
    pub die: Die,
}

/// The target decision. [soc-address §1.7]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Route {
    /// The die that makes the access.
    SameDie(Die),
    /// The other die of the own package.
    OtherDie(Die),
    /// Another chip, by its id.
    OtherChip {
        /// Chip id.
        id: ChipId,
        /// Die of that chip.
        die: Die,
    },
    /// The privileged alias of APB_IO and TOP_SP.
    PebAlias(Die),
    /// A directly attached chip, through the link of an SEngine.
    AttachedChip {
        /// SEngine that the access leaves through.
        exit_seng: SengineId,
        /// Die of the attached chip.
        die: Die,
    },
    /// The `PCIE_M0` window.
    PcieM0(Die),
    /// No target.
    Illegal(Illegal),
}

impl Route {
    /// The name that commands use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SameDie(_) => "SameDie",
            Self::OtherDie(_) => "OtherDie",
            Self::OtherChip { .. } => "OtherChip",
            Self::PebAlias(_) => "PebAlias",
            Self::AttachedChip { .. } => "AttachedChip",
            Self::PcieM0(_) => "PcieM0",
            Self::Illegal(_) => "Illegal",
        }
    }

    /// Position in the list of routes, from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        match self {
            Self::SameDie(_) => 0,
            Self::OtherDie(_) => 1,
            Self::OtherChip { .. } => 2,
            Self::PebAlias(_) => 3,
            Self::AttachedChip { .. } => 4,
            Self::PcieM0(_) => 5,
            Self::Illegal(_) => 6,
        }
    }

    /// Target die; none for an illegal address.
    #[must_use]
    pub const fn die(self) -> Option<Die> {
        match self {
            Self::SameDie(die)
            | Self::OtherDie(die)
            | Self::OtherChip { die, .. }
            | Self::PebAlias(die)
            | Self::AttachedChip { die, .. }
            | Self::PcieM0(die) => Some(die),
            Self::Illegal(_) => None,
        }
    }

    /// Target chip, where it is named by id.
    #[must_use]
    pub const fn chip(self) -> Option<ChipId> {
        match self {
            Self::OtherChip { id, .. } => Some(id),
            _ => None,
        }
    }

    /// SEngine of the exit link, where the route has one.
    #[must_use]
    pub const fn exit_seng(self) -> Option<SengineId> {
        match self {
            Self::AttachedChip { exit_seng, .. } => Some(exit_seng),
            _ => None,
        }
    }
}

/// Decides the target of an access. [soc-address §1.7, MC-4]
#[must_use]
pub fn route(viewed: Viewed, origin: Origin) -> Route {
    if let Some(reason) = verdicts(viewed).first() {
        return Route::Illegal(reason);
    }
    let address = viewed.address;
    let die = Die::from_bit(Field::DIE.get(address) == 1);
    let inside_package = if die == origin.die {
        Route::SameDie(die)
    } else {
        Route::OtherDie(die)
    };
    let valid = Field::CAYMAN_ID_VALID.get(address) == 1;
    match viewed.view {
        View::Local => {
            let id = ChipId::truncated(Field::CAYMAN_ID.get(address) as u32);
            if valid && id != origin.chip {
                Route::OtherChip { id, die }
            } else {
                inside_package
            }
        }
        View::Neighbor if Field::PEB.get(address) == 1 => {
            if is_upper_half(address) {
                Route::PcieM0(die)
            } else {
                Route::PebAlias(die)
            }
        }
        View::Neighbor if Field::NEIGHBOR_ROUTE.get(address) == 0 || valid => inside_package,
        View::Neighbor => Route::AttachedChip {
            exit_seng: SengineId::wrapping(
                (Field::EXIT_DIE.get(address) << 1 | Field::EXIT_SENG.get(address)) as u8,
            ),
            die,
        },
    }
}

/// Bit 46: host memory, and with PEB the `PCIE_M0` window. [soc-address §1.6]
const fn is_upper_half(address: super::SocAddr) -> bool {
    address.0 >> 46 & 1 == 1
}
