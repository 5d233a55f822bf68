// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The DMA engine of the SoC: descriptors, rings, queues, engines. [idma-ring]
//!
//! | question | module |
//! |---|---|
//! | which bits of a descriptor are which field | [`bits`] |
//! | how are the descriptors of a copy built | [`descriptor`], [`compute`] |
//! | what does the engine report | [`completion`] |
//! | how is a descriptor written as text | [`text`], [`notes`], [`printed`] |

pub mod bits;
pub mod completion;
pub mod compute;
pub mod descriptor;
pub mod notes;
pub mod printed;
pub mod text;

pub use descriptor::{
    Barrier, BuildError, CopyBytes, CopyPair, Descriptor, Kind, Operation, RingId,
};
