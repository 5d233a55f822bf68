// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Model and RTL side by side: what is compared, and what a difference looks like.

pub mod addr;
mod block;
mod divergence;
pub mod evt_sem;
mod evt_sem_report;
mod outcome;
pub mod ring;
mod ring_events;
mod ring_memory;
mod ring_model;
mod ring_report;
mod ring_tally;
pub mod window;
mod words;

pub use addr::AddrLockstep;
pub use block::{
    BlockCase, BlockDifference, BlockDivergence, BlockLockstep, BlockRun, BlockTally, Design,
    block_case_name,
};
pub(crate) use divergence::nc_name;
pub use divergence::{FieldPair, WordCase, WordDivergence};
pub use evt_sem::EvtSemLockstep;
pub use outcome::{BrokenDevice, Case, Divergence, Outcome};
pub use ring::RingLockstep;
pub use window::WindowLockstep;
pub use words::{Difference, Run, Tally, WordLockstep, expected};
