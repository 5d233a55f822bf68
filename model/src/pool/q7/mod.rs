// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The data plane of a leg: what the Q7 cores make of a word. [idma-ring §3]
//!
//! | question | module |
//! |---|---|
//! | who executes, who receives, how is that core addressed | [`site`] |
//! | which bytes move, in which pieces | [`transfer`] |
//! | which descriptors go where | [`plan`], [`ring`] |
//! | what starts them | [`doorbell`] |
//! | through which windows | [`windows`] |
//! | what the firmware log says about it | [`log`] |
//!
//! Everything here is a function of its arguments: nothing is stored, nothing is executed.

pub mod doorbell;
pub mod fault;
pub mod log;
pub mod plan;
pub mod ring;
pub mod site;
pub mod transfer;
pub mod windows;

pub use doorbell::{DoorbellWrite, doorbells};
pub use fault::LegFault;
pub use plan::{Engine, LegPlan, Pair, PairKind, Role, Store, Surroundings};
pub use ring::{RingLayout, Rings};
pub use site::{Destination, Site};
pub use transfer::{Piece, Transfer};
pub use windows::{LegWindows, PreSync};
