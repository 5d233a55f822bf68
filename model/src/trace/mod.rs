// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Traces of a run: consumers of the transaction stream, used by nothing else in the model.

pub mod gtkw;
pub mod vcd;
pub mod wave;
