// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `hdl/rtl/xt_window.sv`.
#![allow(unsafe_code)] // See the note at `Send`; the foreign functions take values and slices only.

#[cxx::bridge(namespace = "sb2sb")]
pub(crate) mod ffi {
    /// All inputs of the window block for one cycle; the port of each field has its name and `_i`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct WindowStimulus {
        /// Data of a write.
        reg_wdata: u32,
        /// The address to be rewritten.
        lookup_addr: u32,
        /// 11 bits.
        reg_addr: u16,
        /// Number of the Q7 core.
        lookup_q7: u8,
        /// A register access.
        reg_valid: bool,
        /// It writes.
        reg_write: bool,
        /// The requester is NX.
        lookup_nx: bool,
        /// Option `window_miss = Pass`. [soc-address MC-19]
        miss_pass: bool,
    }

    /// All outputs of the window block for one cycle; the port of each field has its name and `_o`. Registered
    /// ones as they are after the edge that ends the cycle.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct WindowResponse {
        /// The rewritten address.
        out_addr: u64,
        /// What a read found.
        reg_rdata: u32,
        /// The window that won.
        index: u8,
        /// A window hits.
        hit: bool,
        /// More than one does.
        multi_hit: bool,
        /// Answer to an access.
        reg_rvalid: bool,
        /// The access was refused.
        reg_error: bool,
    }

    unsafe extern "C++" {
        include!("rtl-bridge/shim/window.h");

        /// Owns a verilated model and its context.
        type Windows;

        /// Created on the heap; the `UniquePtr` is the only owner.
        fn new_windows(instrumented: bool) -> Result<UniquePtr<Windows>>;

        /// Chooses a mutant, 0 for none. Throws if the model is not the instrumented one and `id` is not 0.
        fn set_mutant(self: Pin<&mut Windows>, id: u16) -> Result<()>;

        /// Resets the block; what it shows then, with idle inputs.
        fn reset(self: Pin<&mut Windows>, response: &mut WindowResponse) -> Result<()>;

        /// One clock cycle for each of `stimuli`; `responses` has as many entries. Both are borrowed during the
        /// call only.
        fn run(
            self: Pin<&mut Windows>,
            stimuli: &[WindowStimulus],
            responses: &mut [WindowResponse],
        ) -> Result<()>;

        /// Whether a fault has ended this instance for good.
        fn is_dead(self: &Windows) -> bool;
    }
}

// SAFETY: the C++ object owns its model and its context, makes the context current on the calling
// thread on every entry, takes it away again, and keeps no other thread-bound state. Moving it is sound;
// sharing it is not, so there is no `Sync`.
unsafe impl Send for ffi::Windows {}
