// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Executable reference of the SB2SB collective (opcode 0xBF).
//!
//! The modules stand on floors; each uses only what lies below it:
//!
//! | floor | modules |
//! |---|---|
//! | 7 | [`scenario`] |
//! | 5 | [`system`] |
//! | 4 | [`pool`] |
//! | 3 | [`mem`], [`evt_sem`], [`idma`], [`device`] |
//! | 2 | [`soc`] |
//! | 1 | [`isa`] |
//! | 0 | [`generation`], [`choices`], [`time`], [`transaction`], [`split_mix`] |
//! | beside | [`trace`]: consumes transactions, is used by none of the others |
#![forbid(unsafe_code)]

pub mod choices;
pub mod device;
pub mod evt_sem;
pub mod generation;
pub mod idma;
pub mod isa;
pub mod mem;
pub mod pool;
pub mod scenario;
pub mod soc;
pub mod split_mix;
pub mod system;
pub mod time;
pub mod trace;
pub mod transaction;
