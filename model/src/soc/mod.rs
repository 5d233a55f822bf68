// SPDX-License-Identifier: Apache-2.0 OR MIT
//! SoC physical addresses. [soc-address]

mod tpb;

use std::fmt;

use serde::Serialize;

pub use tpb::{Place, TpbRegion, evt_sem, local_reg, locate, sbuf, tpb_base};

/// A 64-bit SoC physical address, in bytes. [soc-address §1.1]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SocAddr(pub u64);

impl fmt::Display for SocAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:016x}", self.0)
    }
}
