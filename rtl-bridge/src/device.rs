// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The verilated address, window and semaphore blocks, driven in batches.

use cxx::UniquePtr;
use pool_model::evt_sem::Errors;

use crate::bridge::error_of;
use crate::bridge::{addr, evt_sem, window};
use crate::error::RtlError;
use crate::mutants::MutantId;

pub use addr::ffi::{AddrResponse, AddrStimulus};
pub use evt_sem::ffi::{EvtSemResponse, EvtSemStimulus};
pub use window::ffi::{WindowResponse, WindowStimulus};

macro_rules! device {
    ($(#[$meta:meta])* $name:ident, $ffi:path, $make:path) => {
        $(#[$meta])*
        ///
        /// Creating one is expensive, using it again is not.
        pub struct $name {
            inner: UniquePtr<$ffi>,
        }

        impl $name {
            /// The design as it is.
            pub fn new() -> Result<Self, RtlError> {
                Self::create(false)
            }

            /// The instrumented copy, with no mutant chosen.
            pub fn instrumented() -> Result<Self, RtlError> {
                Self::create(true)
            }

            fn create(instrumented: bool) -> Result<Self, RtlError> {
                let inner = $make(instrumented).map_err(|e| error_of(&e))?;
                Ok(Self { inner })
            }

            /// Chooses a mutant, or none. Only the instrumented copy has any.
            pub fn set_mutant(&mut self, mutant: Option<MutantId>) -> Result<(), RtlError> {
                let id = mutant.map_or(0, MutantId::get);
                self.inner
                    .pin_mut()
                    .set_mutant(id)
                    .map_err(|e| error_of(&e))
            }

            /// Whether a fault has ended this instance for good.
            #[must_use]
            pub fn is_dead(&self) -> bool {
                self.inner.is_dead()
            }
        }
    };
}

device!(
    /// An instance of `hdl/rtl/soc_addr_decode.sv`.
    AddrDecoder,
    addr::ffi::AddrDecoder,
    addr::ffi::new_addr_decoder
);
device!(
    /// An instance of `hdl/rtl/xt_window.sv`.
    WindowBlock,
    window::ffi::Windows,
    window::ffi::new_windows
);
device!(
    /// An instance of `hdl/rtl/evt_sem.sv`.
    EvtSemBlock,
    evt_sem::ffi::EvtSem,
    evt_sem::ffi::new_evt_sem
);

fn same_size(operations: usize, results: usize) -> Result<(), RtlError> {
    if operations == results {
        Ok(())
    } else {
        Err(RtlError::BatchSize {
            operations,
            results,
        })
    }
}

impl AddrDecoder {
    /// Decodes every stimulus in one call across the bridge. On an error the responses before the faulting
    /// stimulus are written.
    pub fn decode_batch(
        &mut self,
        stimuli: &[AddrStimulus],
        responses: &mut [AddrResponse],
    ) -> Result<(), RtlError> {
        same_size(stimuli.len(), responses.len())?;
        self.inner
            .pin_mut()
            .decode(stimuli, responses)
            .map_err(|e| error_of(&e))
    }
}

impl WindowBlock {
    /// Resets the block; what it shows then, with idle inputs.
    pub fn reset(&mut self) -> Result<WindowResponse, RtlError> {
        let mut response = WindowResponse::default();
        self.inner
            .pin_mut()
            .reset(&mut response)
            .map_err(|e| error_of(&e))?;
        Ok(response)
    }

    /// One clock cycle for each stimulus, in one call across the bridge. On an error the responses before the
    /// faulting cycle are written.
    pub fn run_batch(
        &mut self,
        stimuli: &[WindowStimulus],
        responses: &mut [WindowResponse],
    ) -> Result<(), RtlError> {
        same_size(stimuli.len(), responses.len())?;
        self.inner
            .pin_mut()
            .run(stimuli, responses)
            .map_err(|e| error_of(&e))
    }
}

/// All zero, but `bus_ready`: the block after reset with nothing asked.
impl Default for EvtSemResponse {
    fn default() -> Self {
        Self {
            probe_sem: [0; 256],
            probe_evt: [0; 8],
            ntf_word0: [0; 16],
            ntf_word1: [0; 16],
            nb_result: [0; 5],
            bus_rdata: 0,
            ctl_rdata: 0,
            sem_error_count: 0,
            event_error_count: 0,
            access_violation_count: 0,
            decode_hole_count: 0,
            ntf_valid: 0,
            grant: 0,
            error: 0,
            nb_error: 0,
            bus_ready: true,
            bus_rvalid: false,
            bus_error: false,
            ctl_rvalid: false,
            ctl_error: false,
            sem_error: false,
            event_error: false,
        }
    }
}

impl EvtSemBlock {
    /// Resets the block with these straps; what it shows then, with idle inputs.
    pub fn reset(
        &mut self,
        generation: u8,
        signed_compare: bool,
    ) -> Result<EvtSemResponse, RtlError> {
        let mut response = EvtSemResponse::default();
        self.inner
            .pin_mut()
            .reset(generation, signed_compare, &mut response)
            .map_err(|e| error_of(&e))?;
        Ok(response)
    }

    /// Puts the error counters to values that only a very long run would reach.
    pub fn preset_counters(&mut self, errors: Errors) -> Result<(), RtlError> {
        let Errors {
            semaphore,
            event,
            access_violation,
            decode_hole,
        } = errors;
        self.inner
            .pin_mut()
            .preset_counters(semaphore, event, access_violation, decode_hole)
            .map_err(|e| error_of(&e))
    }

    /// One clock cycle for each stimulus, in one call across the bridge. On an error the responses before the
    /// faulting cycle are written.
    pub fn run_batch(
        &mut self,
        stimuli: &[EvtSemStimulus],
        responses: &mut [EvtSemResponse],
    ) -> Result<(), RtlError> {
        same_size(stimuli.len(), responses.len())?;
        self.inner
            .pin_mut()
            .run(stimuli, responses)
            .map_err(|e| error_of(&e))
    }

    /// The yardstick of the benchmarks: the same cycles, reading the same outputs, in a C++ loop that throws
    /// them away. Returns how many records were granted.
    pub fn pure_loop(&mut self, stimuli: &[EvtSemStimulus]) -> Result<u64, RtlError> {
        self.inner
            .pin_mut()
            .pure_loop(stimuli)
            .map_err(|e| error_of(&e))
    }
}
