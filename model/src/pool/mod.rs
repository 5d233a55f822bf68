// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The POOL engine of a core.
//!
//! [`seq`] is the sequencer; [`leg`] checks a leg and says which bytes it moves; [`core`] holds
//! what the core owns. A leg moves its data in one functional step between the sequencer's
//! dispatch and its completion: the Q7 stages, the translation windows and the descriptor rings
//! belong between the two and keep this interface.

pub mod context;
pub mod core;
pub mod leg;
pub mod seq;
