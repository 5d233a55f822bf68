// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who executes a leg, and who receives its data.

use super::fault::{LegFault, fault};
use crate::generation::Generation;
use crate::isa::{LncSizeFmt, Word};
use crate::pool::context::{LegContext, NOT_GIVEN, flags};
use crate::soc::cores::die_of;
use crate::soc::fold::{FoldError, FoldOptions, Folded, Peer, fold};
use crate::soc::route::Origin;
use crate::soc::view::Field;
use crate::soc::{ChipId, SocAddr};
use crate::transaction::{CoreId, FaultClass};

/// The core that executes, and what it is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The hardware generation.
    pub generation: Generation,
    /// The initiating core.
    pub core: CoreId,
    /// Its chip.
    pub chip: ChipId,
    /// The strap of the neighbor fold. [soc-address MC-1]
    pub nbr_en: bool,
}

impl Site {
    /// A core of chip 0 with the neighbor fold on.
    #[must_use]
    pub const fn new(generation: Generation, core: CoreId) -> Self {
        Self {
            generation,
            core,
            chip: ChipId::wrapping(0),
            nbr_en: true,
        }
    }

    /// Where its accesses come from.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        Origin {
            chip: self.chip,
            die: die_of(self.core),
        }
    }
}

/// The core that receives. [decisions D-6, D-47]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    /// Physical number on its chip.
    pub core: CoreId,
    /// Chip as given, before it is cut to six bits; none means the own one.
    pub routing_id: Option<u32>,
}

impl Destination {
    /// The destination of a 0xBF word: from the context, or the peer that `lnc_size_fmt` names.
    /// These are the checks between wait and pre-sync. [decisions D-6, D-58]
    ///
    /// # Errors
    /// `BadPeer`, `ChipIdReserved`.
    pub fn of_word(word: &Word, site: Site, context: &LegContext) -> Result<Self, LegFault> {
        if context.remote_core_id != NOT_GIVEN {
            return Self::given(
                "leg_remote_core_id",
                context.remote_core_id,
                context.remote_routing_id,
                site,
            );
        }
        // Formats without a peer rule are the validator's business. [isa-word §5.2]
        let core = LncSizeFmt::from_raw(word.lnc_size_fmt)
            .and_then(|format| format.peer(site.core.number()))
            .and_then(|number| CoreId::new(number).ok())
            .unwrap_or(site.core);
        Self::on_chip(core, context.remote_routing_id, site)
    }

    /// The destination that numbers name. [decisions D-44, D-59]
    ///
    /// # Errors
    /// `BadPeer`, `ChipIdReserved`.
    pub fn given(name: &str, core_id: u32, routing_id: u32, site: Site) -> Result<Self, LegFault> {
        let core = u8::try_from(core_id)
            .ok()
            .and_then(|number| CoreId::new(number).ok());
        match core {
            Some(core) => Self::on_chip(core, routing_id, site),
            None => fault(
                FaultClass::BadPeer,
                format!(
                    "{name} is 0x{core_id:x}; a chip has cores 0 to {}",
                    CoreId::PER_CHIP - 1
                ),
            ),
        }
    }

    fn on_chip(core: CoreId, routing_id: u32, site: Site) -> Result<Self, LegFault> {
        let found = Self {
            core,
            routing_id: (routing_id != NOT_GIVEN).then_some(routing_id),
        };
        let options = FoldOptions {
            nbr_en: site.nbr_en,
            plain_die_select: false,
        };
        match fold(0, found.peer(), site.origin(), options) {
            Err(error @ FoldError::ChipIdReserved { .. }) => {
                fault(FaultClass::ChipIdReserved, error.to_string())
            }
            Ok(_) | Err(FoldError::OffsetTooWide { .. }) => Ok(found),
        }
    }

    const fn peer(&self) -> Peer {
        Peer {
            routing_id: self.routing_id,
            die: die_of(self.core),
        }
    }

    /// The chip as the routing id names it, or the own one.
    #[must_use]
    pub fn chip(&self, site: Site) -> ChipId {
        self.routing_id.map_or(site.chip, ChipId::truncated)
    }

    /// Whether the destination is a core of the own chip.
    #[must_use]
    pub fn is_on_chip(&self, site: Site) -> bool {
        self.chip(site) == site.chip
    }

    /// Whether source and destination are one State Buffer.
    #[must_use]
    pub fn is_self(&self, site: Site) -> bool {
        self.core == site.core && self.is_on_chip(site)
    }

    /// The address that reaches a byte of this core from the site. [idma-ring §3.7, soc-address MC-5]
    ///
    /// # Errors
    /// `ChipIdReserved`, which [`Destination::of_word`] and [`Destination::given`] have refused before.
    pub fn fold(
        &self,
        address: SocAddr,
        site: Site,
        context: &LegContext,
    ) -> Result<Folded, LegFault> {
        let options = FoldOptions {
            nbr_en: site.nbr_en,
            plain_die_select: context.has(flags::PLAIN_DIE_SELECT),
        };
        fold(
            Field::LOCAL.get(address),
            self.peer(),
            site.origin(),
            options,
        )
        .or_else(|error| fault(FaultClass::ChipIdReserved, error.to_string()))
    }
}
