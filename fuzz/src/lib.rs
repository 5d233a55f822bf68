// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The bodies of the fuzz targets, their mutator and their seeds, as an ordinary library: the
//! binaries in `fuzz_targets/` only tie them to libFuzzer, and the tests run them without it.
//!
//! | module | what it is |
//! |---|---|
//! | `block_lockstep` | targets: addresses, windows, semaphores, feature `rtl` |
//! | [`dictionary`] | tokens for libFuzzer's own mutations |
//! | [`input`] | what the bytes of an input mean |
//! | [`mutator`] | changes to an input that know what they change |
//! | [`word_roundtrip`] | target: bytes → fields → text and back |
//! | `ring_lockstep` | target: DMA engines of the model against those of the RTL, feature `rtl` |
//! | `validate_lockstep` | target: the model against the RTL, feature `rtl` |
//! | [`stats`] | what a run was fed, on request |
//! | [`seeds`] | the first inputs, made from a fixed seed |

#[cfg(feature = "rtl")]
pub mod block_lockstep;
pub mod dictionary;
pub mod input;
pub mod mutator;
#[cfg(feature = "rtl")]
pub mod ring_lockstep;
pub mod seeds;
pub mod stats;
#[cfg(feature = "rtl")]
pub mod validate_lockstep;
pub mod word_roundtrip;
