// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What all tops share: the record of a fault.
#![allow(unsafe_code)] // The foreign functions below are declared safe: they take and return values only.

#[cxx::bridge(namespace = "sb2sb")]
pub(crate) mod ffi {
    /// What ended an evaluation.
    #[repr(u8)]
    enum FaultKind {
        /// Nothing did.
        None = 0,
        Stop,
        Error,
        Fatal,
        Finish,
        Runtime,
    }

    /// One fault, with all text printed during the entry in which it happened.
    struct Fault {
        kind: FaultKind,
        file: String,
        line: u32,
        hierarchy: String,
        text: String,
        item: u64,
    }

    unsafe extern "C++" {
        include!("rtl-bridge/shim/runtime.h");

        /// The fault behind the exception thrown last on this thread; clears it.
        fn take_fault() -> Fault;

        /// Release and date of the simulator whose runtime is linked.
        fn simulator_version() -> String;
    }
}
