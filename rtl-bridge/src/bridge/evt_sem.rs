// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `hdl/rtl/evt_sem.sv`.
#![allow(unsafe_code)] // See the note at `Send`; the foreign functions take values and slices only.

#[cxx::bridge(namespace = "sb2sb")]
pub(crate) mod ffi {
    /// All inputs of the semaphore block for one cycle but the straps; the port of each
    /// field has its name and `_i`. Byte k of a `u64` is engine port k.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct EvtSemStimulus {
        /// Data from bit 0 up.
        bus_wdata: u64,
        /// Five bytes.
        eng_wait_mode: u64,
        /// Five bytes.
        eng_wait_idx: u64,
        /// Five bytes.
        eng_update_mode: u64,
        /// Five bytes.
        eng_update_idx: u64,
        /// Five bytes.
        nb_code: u64,
        /// Five bytes.
        nb_idx: u64,
        /// One an engine.
        eng_wait_value: [u32; 5],
        /// One an engine.
        eng_update_value: [u32; 5],
        /// One an engine.
        nb_value: [u32; 5],
        /// 20 bits.
        bus_addr: u32,
        /// Data of a write.
        ctl_wdata: u32,
        /// 12 bits.
        ctl_addr: u16,
        /// 0 byte, 1 half word, 2 word, 3 double word.
        bus_size: u8,
        /// One bit an engine.
        eng_valid: u8,
        /// One bit an engine.
        nb_valid: u8,
        /// An access.
        bus_valid: bool,
        /// It writes.
        bus_write: bool,
        /// An access.
        ctl_valid: bool,
        /// It writes.
        ctl_write: bool,
    }

    /// All outputs of the semaphore block for one cycle; the port of each field has its name and `_o`, the
    /// engine outputs `eng_` before it. Registered ones as they are after the edge that ends the cycle.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct EvtSemResponse {
        /// All semaphores.
        probe_sem: [u32; 256],
        /// All events, 32 a word.
        probe_evt: [u32; 8],
        /// Word 0 of each slot.
        ntf_word0: [u32; 16],
        /// Word 1 of each slot.
        ntf_word1: [u32; 16],
        /// One an engine.
        nb_result: [u32; 5],
        /// What a read found.
        bus_rdata: u32,
        /// What a read found.
        ctl_rdata: u32,
        /// Wraps.
        sem_error_count: u32,
        /// Double sets and clears.
        event_error_count: u32,
        /// Accesses in the wrong direction.
        access_violation_count: u32,
        /// Accesses to the reserved leaves.
        decode_hole_count: u32,
        /// One bit a slot.
        ntf_valid: u16,
        /// One bit an engine.
        grant: u8,
        /// One bit an engine.
        error: u8,
        /// One bit an engine.
        nb_error: u8,
        /// The access ends with this cycle.
        bus_ready: bool,
        /// Answer to a beat.
        bus_rvalid: bool,
        /// The beat was refused.
        bus_error: bool,
        /// Answer to an access.
        ctl_rvalid: bool,
        /// The access was refused.
        ctl_error: bool,
        /// Sticky summary.
        sem_error: bool,
        /// Sticky summary.
        event_error: bool,
    }

    unsafe extern "C++" {
        include!("rtl-bridge/shim/evt_sem.h");

        /// Owns a verilated model and its context.
        type EvtSem;

        /// Created on the heap; the `UniquePtr` is the only owner.
        fn new_evt_sem(instrumented: bool) -> Result<UniquePtr<EvtSem>>;

        /// Chooses a mutant, 0 for none. Throws if the model is not the instrumented one and `id` is not 0.
        fn set_mutant(self: Pin<&mut EvtSem>, id: u16) -> Result<()>;

        /// Resets the block with these straps; what it shows then, with idle inputs.
        fn reset(
            self: Pin<&mut EvtSem>,
            generation: u8,
            signed_compare: bool,
            response: &mut EvtSemResponse,
        ) -> Result<()>;

        /// Puts the error counters to values that only a very long run would reach.
        fn preset_counters(
            self: Pin<&mut EvtSem>,
            semaphore: u32,
            event: u32,
            access_violation: u32,
            decode_hole: u32,
        ) -> Result<()>;

        /// One clock cycle for each of `stimuli`; `responses` has as many entries. Both are borrowed during the
        /// call only.
        fn run(
            self: Pin<&mut EvtSem>,
            stimuli: &[EvtSemStimulus],
            responses: &mut [EvtSemResponse],
        ) -> Result<()>;

        /// The same cycles with the responses thrown away, without leaving C++: the yardstick of the
        /// benchmarks. Returns how many records were granted.
        fn pure_loop(self: Pin<&mut EvtSem>, stimuli: &[EvtSemStimulus]) -> Result<u64>;

        /// Whether a fault has ended this instance for good.
        fn is_dead(self: &EvtSem) -> bool;
    }
}

// SAFETY: the C++ object owns its model and its context, makes the context current on the calling
// thread on every entry, takes it away again, and keeps no other thread-bound state. Moving it is sound;
// sharing it is not, so there is no `Sync`.
unsafe impl Send for ffi::EvtSem {}
