// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The RTL decoder and validator of the 0xBF word, driven in batches.

use cxx::UniquePtr;
use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::WordBytes;

use crate::bridge::decoder::ffi;
use crate::bridge::error_of;
use crate::error::RtlError;
use crate::mutants::MutantId;

pub use ffi::RtlDecoded;

/// An instance of `hdl/rtl/s3d3_decoder.sv`. Creating one is expensive, using it again is not.
pub struct Decoder {
    inner: UniquePtr<ffi::Decoder>,
}

impl Decoder {
    /// The design as it is.
    pub fn new() -> Result<Self, RtlError> {
        Self::create(false)
    }

    /// The instrumented copy, with no mutant chosen.
    pub fn instrumented() -> Result<Self, RtlError> {
        Self::create(true)
    }

    fn create(instrumented: bool) -> Result<Self, RtlError> {
        let inner = ffi::new_decoder(instrumented).map_err(|e| error_of(&e))?;
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

    /// Decodes and validates every word in one call across the bridge. The validator's version argument
    /// is separate from the generation. [decisions D-12]
    ///
    /// On an error the results before the faulting word are written.
    pub fn decode_batch(
        &mut self,
        words: &[WordBytes],
        generation: Generation,
        nc: NcVersion,
        results: &mut [RtlDecoded],
    ) -> Result<(), RtlError> {
        if words.len() != results.len() {
            return Err(RtlError::BatchSize {
                operations: words.len(),
                results: results.len(),
            });
        }
        let strap = strap(generation);
        self.inner
            .pin_mut()
            .decode(words.as_flattened(), strap, nc.value(), results)
            .map_err(|e| error_of(&e))
    }

    /// Decodes and validates one word.
    pub fn decode(
        &mut self,
        word: &WordBytes,
        generation: Generation,
        nc: NcVersion,
    ) -> Result<RtlDecoded, RtlError> {
        let mut result = [RtlDecoded::default()];
        self.decode_batch(std::slice::from_ref(word), generation, nc, &mut result)?;
        let [result] = result;
        Ok(result)
    }

    /// The yardstick of the benchmarks: the same evaluations, reading the same outputs, in a C++ loop that
    /// throws them away. Returns how many words are valid.
    pub fn pure_loop(
        &mut self,
        words: &[WordBytes],
        generation: Generation,
        nc: NcVersion,
    ) -> Result<u64, RtlError> {
        self.inner
            .pin_mut()
            .pure_loop(words.as_flattened(), strap(generation), nc.value())
            .map_err(|e| error_of(&e))
    }

    /// Whether a fault has ended this instance for good.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.inner.is_dead()
    }
}

/// The value of the design's generation strap.
fn strap(generation: Generation) -> u8 {
    generation.index() as u8
}
