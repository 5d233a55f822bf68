// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `hdl/rtl/soc_addr_decode.sv`.
#![allow(unsafe_code)] // See the note at `Send`; the foreign functions take values and slices only.

#[cxx::bridge(namespace = "sb2sb")]
pub(crate) mod ffi {
    /// All inputs of the address decoder; the port of each field has its name and `_i`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct AddrStimulus {
        /// The address.
        addr: u64,
        /// Of the classifier.
        engine_base: u64,
        /// Of the classifier.
        tpb_base: u64,
        /// 1 forces local, 2 forces neighbor, else recovered.
        view: u8,
        /// Own chip.
        me_chip: u8,
        /// Own die.
        me_die: u8,
        /// The strap.
        generation: u8,
        /// Strap of the neighbor fold.
        nbr_en: bool,
    }

    /// All outputs of the address decoder; the port of each field has its name and `_o`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct AddrResponse {
        /// Bits `[46:0]`.
        local: u64,
        /// From the start of the region.
        region_offset: u64,
        /// From the start of the TPB.
        tpb_offset: u64,
        /// Line of the fatal stop, or 0.
        cls_fatal: u16,
        /// 0 local, 1 neighbor.
        view: u8,
        /// Bit 47.
        die: u8,
        /// Bits `[53:48]`.
        cayman_id: u8,
        /// Bits `[63:58]`.
        high_bits: u8,
        /// Bits `[49:48]`.
        neighbor_rsvd: u8,
        /// One bit a condition.
        illegal: u8,
        /// 0, or 1 + the first condition.
        verdict: u8,
        /// Code of the route.
        route: u8,
        /// Target die.
        route_die: u8,
        /// Target chip.
        route_id: u8,
        /// SEngine of the exit link.
        route_exit_seng: u8,
        /// Code of the region.
        region: u8,
        /// Its number.
        region_instance: u8,
        /// Number of the TPB.
        tpb: u8,
        /// Number of the engine.
        cls_engine_idx: u8,
        /// Bit 54.
        cayman_id_valid: bool,
        /// Bit 55.
        reserved: bool,
        /// Bit 56.
        relaxed_ordering: bool,
        /// Bit 57.
        ok_to_fail: bool,
        /// Bit 50.
        exit_seng: bool,
        /// Bit 51.
        exit_die: bool,
        /// Bit 52.
        neighbor_route: bool,
        /// Bit 53.
        peb: bool,
        /// Nothing answers there.
        region_hole: bool,
        /// In a TPB.
        tpb_hit: bool,
        /// In an SBUF window.
        is_sbuf: bool,
        /// An engine of a TPB.
        cls_is_tpb: bool,
        /// On die 0.
        cls_is_die_0: bool,
    }

    unsafe extern "C++" {
        include!("rtl-bridge/shim/addr.h");

        /// Owns a verilated model and its context.
        type AddrDecoder;

        /// Created on the heap; the `UniquePtr` is the only owner.
        fn new_addr_decoder(instrumented: bool) -> Result<UniquePtr<AddrDecoder>>;

        /// Chooses a mutant, 0 for none. Throws if the model is not the instrumented one and `id` is not 0.
        fn set_mutant(self: Pin<&mut AddrDecoder>, id: u16) -> Result<()>;

        /// Decodes every one of `stimuli` into `responses`, which has as many entries. Both are borrowed during
        /// the call only.
        fn decode(
            self: Pin<&mut AddrDecoder>,
            stimuli: &[AddrStimulus],
            responses: &mut [AddrResponse],
        ) -> Result<()>;

        /// Whether a fault has ended this instance for good.
        fn is_dead(self: &AddrDecoder) -> bool;
    }
}

// SAFETY: the C++ object owns its model and its context, makes the context current on the calling
// thread on every entry, takes it away again, and keeps no other thread-bound state. Moving it is sound;
// sharing it is not, so there is no `Sync`.
unsafe impl Send for ffi::AddrDecoder {}
