// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The POOL engine of a core: what a word's execution consists of.
//!
//! | question | module |
//! |---|---|
//! | what a core owns | [`mod@core`], [`context`] |
//! | what its sequencer does with a program | [`seq`] |
//! | what a leg consists of, store by store | [`q7`] |

pub mod context;
pub mod core;
mod job;
pub mod q7;
pub mod seq;
