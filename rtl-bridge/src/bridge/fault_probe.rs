// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `tests/hdl/fault_probe.sv`.
#![allow(unsafe_code)] // See the note at `Send`; the foreign functions take values and slices only.

#[cxx::bridge(namespace = "sb2sb")]
pub(crate) mod ffi {
    unsafe extern "C++" {
        include!("rtl-bridge/shim/fault_probe.h");

        /// Owns a verilated model and its context.
        type FaultProbe;

        /// Created on the heap; the `UniquePtr` is the only owner.
        fn new_fault_probe() -> Result<UniquePtr<FaultProbe>>;

        /// One clock cycle for each value; `values` is read during the call only.
        fn step(self: Pin<&mut FaultProbe>, command: u8, values: &[u32]) -> Result<u32>;

        /// The value register.
        fn value(self: &FaultProbe) -> u32;

        /// Whether a fault has ended this instance for good.
        fn is_dead(self: &FaultProbe) -> bool;
    }
}

// SAFETY: the C++ object owns its model and its context, makes the context current on the calling
// thread on every entry, takes it away again, and keeps no other thread-bound state. Moving it is sound;
// sharing it is not, so there is no `Sync`.
unsafe impl Send for ffi::FaultProbe {}
