// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The answer as one line of JSON. Keys and their order are a promise to scripts.

use pool_model::soc::legality::Illegal;
use pool_model::soc::map::lookup::{Location, Target};
use pool_model::soc::route::Route;
use pool_model::soc::{Decode, SocAddr, View};
use serde::Serialize;

use crate::failure::Failure;

#[derive(Serialize)]
struct Record {
    address: String,
    view: &'static str,
    local: String,
    die: u8,
    cayman_id: u8,
    cayman_id_valid: bool,
    reserved: bool,
    relaxed_ordering: bool,
    ok_to_fail: bool,
    neighbor: Option<ExitFlags>,
    verdict: &'static str,
    verdicts: Vec<&'static str>,
    route: &'static str,
    route_args: RouteArgs,
    region: Option<String>,
    index: Option<u32>,
    offset: Option<String>,
}

#[derive(Serialize)]
struct ExitFlags {
    neighbor_rsvd: u8,
    exit_seng: bool,
    exit_die: bool,
    neighbor_route: bool,
    peb: bool,
    id_valid: bool,
    pcie_u_rsvd: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum RouteArgs {
    Die { die: u8 },
    Chip { id: u8, die: u8 },
    Exit { exit_seng: u8, die: u8 },
    Illegal { reason: &'static str },
}

/// Appends the line.
pub fn write(text: &mut String, address: SocAddr, decoded: &Decode) -> Result<(), Failure> {
    let fields = &decoded.local;
    let location = decoded.target.as_ref().and_then(Target::location);
    let record = Record {
        address: address.to_string(),
        view: decoded.view.name(),
        local: format!("{:#x}", fields.local),
        die: fields.die,
        cayman_id: fields.cayman_id,
        cayman_id_valid: fields.cayman_id_valid,
        reserved: fields.reserved,
        relaxed_ordering: fields.relaxed_ordering,
        ok_to_fail: fields.ok_to_fail,
        neighbor: (decoded.view == View::Neighbor).then(|| neighbor(decoded)),
        verdict: decoded.verdicts.first().map_or("legal", Illegal::name),
        verdicts: decoded.verdicts.iter().map(Illegal::name).collect(),
        route: decoded.route.name(),
        route_args: route_args(decoded.route),
        region: decoded.target.as_ref().map(|target| match target {
            Target::Region(location) => location.path(),
            Target::Reserved(_) => "RESERVED".to_owned(),
        }),
        index: location.and_then(Location::index),
        offset: location.map(|location| format!("{:#x}", location.offset())),
    };
    let line = serde_json::to_string(&record).map_err(|error| Failure::Output(error.into()))?;
    text.push_str(&line);
    text.push('\n');
    Ok(())
}

const fn neighbor(decoded: &Decode) -> ExitFlags {
    let fields = &decoded.neighbor;
    ExitFlags {
        neighbor_rsvd: fields.neighbor_rsvd,
        exit_seng: fields.exit_seng,
        exit_die: fields.exit_die,
        neighbor_route: fields.neighbor_route,
        peb: fields.peb,
        id_valid: fields.id_valid,
        pcie_u_rsvd: fields.pcie_u_rsvd,
    }
}

const fn route_args(route: Route) -> RouteArgs {
    match route {
        Route::SameDie(die) | Route::OtherDie(die) | Route::PebAlias(die) | Route::PcieM0(die) => {
            RouteArgs::Die { die: die.number() }
        }
        Route::OtherChip { id, die } => RouteArgs::Chip {
            id: id.number(),
            die: die.number(),
        },
        Route::AttachedChip { exit_seng, die } => RouteArgs::Exit {
            exit_seng: exit_seng.number(),
            die: die.number(),
        },
        Route::Illegal(reason) => RouteArgs::Illegal {
            reason: reason.name(),
        },
    }
}
