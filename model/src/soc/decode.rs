// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Everything about one address at once: what a combinational decoder puts on its outputs.

use super::SocAddr;
use super::classify::{Identity, classify};
use super::legality::{Verdicts, verdicts};
use super::map::lookup::{Block, Target, target};
use super::route::{Origin, Route, route};
use super::tpb::{is_sbuf, tpb_of};
use super::view::{
    LocalFields, NeighborFields, View, ViewRequest, Viewed, decode_local, decode_neighbor,
};
use crate::generation::Generation;
use crate::transaction::CoreId;

/// Inputs beside the address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DecodeInputs {
    /// How the view is found.
    pub view: ViewRequest,
    /// Who asks.
    pub origin: Origin,
    /// Strap of the neighbor fold.
    pub nbr_en: bool,
    /// Which map.
    pub generation: Generation,
}

/// Everything about one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decode {
    /// The view in force.
    pub view: View,
    /// The bits as fields of the local view, whatever the view in force.
    pub local: LocalFields,
    /// The bits as fields of the neighbor view, whatever the view in force.
    pub neighbor: NeighborFields,
    /// Every row of the legality table on its own.
    pub verdicts: Verdicts,
    /// Target decision.
    pub route: Route,
    /// Region or gap; none for an illegal address.
    pub target: Option<Target>,
    /// TPB and offset in it, by bits `[47:0]` alone. [soc-address §2.11]
    pub tpb: Option<(CoreId, u64)>,
    /// Whether bits `[47:0]` are in an SBUF window. [soc-address §2.11]
    pub is_sbuf: bool,
}

impl Decode {
    /// The block around the address; [`Block::default`] in gaps and for illegal addresses.
    #[must_use]
    pub fn block(&self) -> Block {
        self.target
            .as_ref()
            .map_or_else(Block::default, Target::block)
    }
}

/// Decodes one address.
#[must_use]
pub fn decode(address: SocAddr, inputs: DecodeInputs) -> Decode {
    let viewed = Viewed {
        address,
        view: inputs.view.resolve(address, inputs.nbr_en),
    };
    Decode {
        view: viewed.view,
        local: decode_local(address),
        neighbor: decode_neighbor(address),
        verdicts: verdicts(viewed),
        route: route(viewed, inputs.origin),
        target: target(viewed, inputs.generation).ok(),
        tpb: tpb_of(address),
        is_sbuf: is_sbuf(address, inputs.generation),
    }
}

/// The classifier's outputs as a decoder shows them: (assert line or 0, identity).
#[must_use]
pub fn classify_outputs(engine_base: SocAddr, tpb_base: SocAddr) -> (u16, Option<Identity>) {
    match classify(engine_base, tpb_base) {
        Ok(identity) => (0, Some(identity)),
        Err(error) => (error.line(), None),
    }
}
