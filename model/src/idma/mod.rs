// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The DMA engine of the SoC: descriptors, rings, queues, engines. [idma-ring]
//!
//! | question | module |
//! |---|---|
//! | which bits of a descriptor are which field | [`bits`] |
//! | how are the descriptors of a copy built | [`descriptor`], [`compute`] |
//! | what does the engine report | [`completion`] |
//! | how is a descriptor written as text | [`text`], [`notes`], [`printed`] |
//! | what does one direction of a queue hold | [`queue`], [`mod@pointer`] |
//! | what does an engine do with it | [`engine`], [`errors`], [`notify`] |
//! | what does it need of memory, and how does that fail | [`port`], [`injection`] |

pub mod bits;
mod blocked;
pub mod completion;
pub mod compute;
pub mod descriptor;
pub mod engine;
pub mod errors;
mod fetch;
pub mod injection;
pub mod notes;
pub mod notify;
pub mod pointer;
pub mod port;
pub mod printed;
pub mod queue;
mod registers;
mod report;
mod stream;
pub mod text;

pub use blocked::Blocked;
pub use descriptor::{
    Barrier, BuildError, CopyBytes, CopyPair, Descriptor, Kind, Operation, RingId,
};
pub use engine::{Engine, EngineName, Out, Scratch, State};
pub use port::{FaultKind, MemoryPort, PortFault};
