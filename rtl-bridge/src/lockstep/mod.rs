// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Model and RTL side by side: what is compared, and what a difference looks like.

mod divergence;
mod outcome;
mod words;

pub(crate) use divergence::nc_name;
pub use divergence::{FieldPair, WordCase, WordDivergence};
pub use outcome::{Outcome, WordFault};
pub use words::{Difference, Run, Tally, WordLockstep, expected};
