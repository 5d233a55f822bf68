// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Executable reference of the SB2SB collective (opcode 0xBF).
//!
//! The modules stand on floors; each uses only what lies below it:
//!
//! | floor | modules |
//! |---|---|
//! | 0 | [`generation`], [`time`], [`transaction`] |
//! | 1 | [`isa`] |
//! | 2 | [`soc`] |
//! | 3 | [`mem`] |
#![forbid(unsafe_code)]

pub mod generation;
pub mod isa;
pub mod mem;
pub mod soc;
pub mod time;
pub mod transaction;
