// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The aperture map: which region an address falls into, and back. [soc-address §2]
//!
//! The map is constant data, one table per container ([`region::Region`]). [`lookup`] walks it from an address,
//! [`path`] from a name, and [`tree`] from end to end.

pub mod code;
pub mod evt_sem;
pub mod local_reg;
pub mod lookup;
pub mod path;
pub mod region;
pub mod root;
pub mod sdma;
pub mod tpb;
pub mod tree;
