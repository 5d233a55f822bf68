// SPDX-License-Identifier: Apache-2.0 OR MIT
//! SoC physical addresses: what their bits mean, where they lead, and how they come about. [soc-address]
//!
//! | question | module |
//! |---|---|
//! | which bits are which field, in which view | [`view`] |
//! | is this address legal | [`legality`] |
//! | where does it lead from here | [`mod@route`] |
//! | how is a peer addressed | [`mod@fold`], [`routing_id`] |
//! | which region is it in, and back | [`map`] |
//! | everything about one address, or about many | [`mod@decode`], [`bulk`] |
//! | blocks that programs use | [`tpb`], [`semaphore`], [`sdma`], [`host`] |
//! | who is it | [`mod@classify`], [`cores`], [`mod@counts`] |
//! | what a 32-bit address of a core becomes | [`nx_map`], [`window`], [`window_program`], [`window_manager`], [`tlb`] |
//! | what the fabric makes of it | [`cam`] |

use std::fmt;

use serde::Serialize;

pub mod bulk;
pub mod cam;
pub mod classify;
pub mod cores;
pub mod counts;
pub mod decode;
pub mod fold;
pub mod host;
pub mod id;
pub mod legality;
pub mod map;
pub mod nx_map;
pub mod route;
pub mod routing_id;
pub mod sdma;
pub mod semaphore;
pub mod tlb;
pub mod tpb;
pub mod view;
pub mod window;
pub mod window_manager;
pub mod window_program;

pub use decode::{Decode, DecodeInputs, decode};
pub use id::{ChipId, Die, OutOfRange, SengineId};
pub use tpb::{Place, TpbRegion, evt_sem, local_reg, locate, sbuf, tpb_base};
pub use view::{View, ViewRequest, Viewed};

/// The 64 bits of a SoC physical address, in bytes. Which view they are meant in is recovered where it matters
/// ([`Viewed`]). [soc-address §1.1, MC-1]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SocAddr(pub u64);

impl fmt::Display for SocAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:016x}", self.0)
    }
}
