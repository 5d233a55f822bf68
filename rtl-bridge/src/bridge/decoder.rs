// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `hdl/rtl/s3d3_decoder.sv`.
#![allow(unsafe_code)] // See the note at `Send`; the foreign functions take values and slices only.

#[cxx::bridge(namespace = "sb2sb")]
pub(crate) mod ffi {
    /// All outputs of the RTL decoder for one word. The fields of the word [isa-word §1] come first and in its
    /// order, which lets a comparison with a word take eight bytes at a time.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct RtlDecoded {
        /// `header.opcode`
        header_opcode: u8,
        /// `header.inst_word_len`, in 32-bit units
        header_inst_word_len: u8,
        /// `header.debug_cmd`
        header_debug_cmd: u8,
        /// `header.debug_hint`
        header_debug_hint: u8,
        /// `events.wait_mode`
        events_wait_mode: u8,
        /// `events.wait_idx`
        events_wait_idx: u8,
        /// `events.update_mode`
        events_update_mode: u8,
        /// `events.update_idx`
        events_update_idx: u8,
        /// `events.semaphore_value`
        events_semaphore_value: u32,
        /// `in_dtype`
        in_dtype: u8,
        /// `out_dtype`
        out_dtype: u8,
        /// `reserved0`, bytes 14 and 15
        reserved0: [u8; 2],
        /// `src.start_addr`
        src_start_addr: u32,
        /// `src.step_elem`, elements, innermost first
        src_step_elem: [i16; 3],
        /// `src.num_elem`, innermost first
        src_num_elem: [u16; 3],
        /// `lnc_size_fmt`
        lnc_size_fmt: u8,
        /// `num_active_channels`
        num_active_channels: u8,
        /// `reserved1`, bytes 34..47
        reserved1: [u8; 14],
        /// `dst.start_addr`
        dst_start_addr: u32,
        /// `dst.step_elem`, elements, innermost first
        dst_step_elem: [i16; 3],
        /// `dst.num_elem`, innermost first
        dst_num_elem: [u16; 3],
        /// Exact product of the three source counts; 48 bits.
        src_nelem: u64,
        /// Bit `k - 1` is set when predicate `k` of [isa-word §4.1] fails.
        fail: u16,
        /// Number of the first failing predicate, 0 if none fails.
        first_failure: u8,
        /// Whether no predicate fails.
        valid: bool,
    }

    unsafe extern "C++" {
        include!("rtl-bridge/shim/decoder.h");

        /// Owns a verilated model and its context.
        type Decoder;

        /// Created on the heap; the `UniquePtr` is the only owner.
        fn new_decoder(instrumented: bool) -> Result<UniquePtr<Decoder>>;

        /// Chooses a mutant, 0 for none. Throws if the model is not the instrumented one and `id` is not 0.
        fn set_mutant(self: Pin<&mut Decoder>, id: u16) -> Result<()>;

        /// Evaluates `words` (64 bytes each) into `results` (one each), borrowed during the call only.
        fn decode(
            self: Pin<&mut Decoder>,
            words: &[u8],
            generation: u8,
            nc: u8,
            results: &mut [RtlDecoded],
        ) -> Result<()>;

        /// The same evaluations with the results thrown away, without leaving C++: the yardstick of the
        /// benchmarks. Returns how many words are valid.
        fn pure_loop(self: Pin<&mut Decoder>, words: &[u8], generation: u8, nc: u8) -> Result<u64>;

        /// Whether a fault has ended this instance for good.
        fn is_dead(self: &Decoder) -> bool;
    }
}

// SAFETY: the C++ object owns its model and its context, makes the context current on the calling
// thread on every entry, takes it away again, and keeps no other thread-bound state. Moving it is sound;
// sharing it is not, so there is no `Sync`.
unsafe impl Send for ffi::Decoder {}
