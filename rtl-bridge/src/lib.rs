// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The open SystemVerilog of the SB2SB engine (`hdl/`), verilated and held against the model.
#![deny(unsafe_code)]

mod bridge;
pub mod cosim;
mod decoder;
mod device;
mod error;
pub mod fault_probe;
pub mod lockstep;
pub mod mutants;
pub mod stimulus;
mod suite;
mod udma;

pub use decoder::{Decoder, RtlDecoded};
pub use device::{
    AddrDecoder, AddrResponse, AddrStimulus, EvtSemBlock, EvtSemResponse, EvtSemStimulus,
    WindowBlock, WindowResponse, WindowStimulus,
};
pub use error::{DeviceFault, FaultKind, Hang, RtlError};
pub use suite::{Suite, UnknownSuite};
pub use udma::{
    ENGINES, MEMORY_BYTES, QUEUES, REGION_BYTES, RingEnd, RingEngineState, RingEvent,
    RingEventKind, RingOp, RingOpKind, RingQueueState, RingScript, UdmaGroup, Watchdog,
    generation_code,
};

/// Release and date of the Verilator whose runtime is linked, as `5.006 2023-01-22`.
#[must_use]
pub fn simulator_version() -> String {
    bridge::runtime::ffi::simulator_version()
}
