// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Target: decoder and validator of the model against those of the RTL, in one process.

use std::fmt;

use rtl_bridge::lockstep::{WordCase, WordDivergence, expected};
use rtl_bridge::{Decoder, RtlDecoded, RtlError};

use crate::input::{Input, MAX_WORDS};

/// What ended an input.
#[derive(Debug)]
pub enum Finding {
    /// The sides disagree on a word.
    Mismatch(Box<WordDivergence>),
    /// The RTL faulted, or took no more words.
    Device(RtlError),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch(divergence) => write!(f, "model and RTL disagree: {divergence}"),
            Self::Device(error) => write!(f, "the RTL failed: {error}"),
        }
    }
}

impl From<RtlError> for Finding {
    fn from(error: RtlError) -> Self {
        Self::Device(error)
    }
}

/// How to get an RTL instance.
type Make = dyn Fn() -> Result<Decoder, RtlError>;

/// Both sides; made once, used for every input of a run.
pub struct ValidateLockstep {
    make: Box<Make>,
    rtl: Decoder,
}

impl ValidateLockstep {
    /// Holds the model against the design as it is.
    ///
    /// # Errors
    /// If there is no RTL instance to be had.
    pub fn new() -> Result<Self, RtlError> {
        Self::against(Decoder::new)
    }

    /// Holds the model against what `make` makes, which is expensive: once now, and once for every
    /// difference.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn against(
        make: impl Fn() -> Result<Decoder, RtlError> + 'static,
    ) -> Result<Self, RtlError> {
        let rtl = make()?;
        Ok(Self {
            make: Box::new(make),
            rtl,
        })
    }

    /// Runs the words of an input through both sides.
    ///
    /// # Errors
    /// The first word on which they disagree, looked at again on a fresh instance, or what became
    /// of the RTL.
    pub fn run(&mut self, input: &Input<'_>) -> Result<(), Finding> {
        let (generation, nc) = (input.generation, input.nc);
        let mut room = [RtlDecoded::default(); MAX_WORDS];
        for words in input.words().chunks(MAX_WORDS) {
            let results = &mut room[..words.len()];
            self.rtl.decode_batch(words, generation, nc, results)?;
            for (word, rtl) in words.iter().zip(results) {
                let model = expected(word, generation, nc);
                if model != *rtl {
                    let case = WordCase {
                        index: None,
                        seed: 0,
                        generation,
                        nc,
                        mutant: None,
                        word: *word,
                    };
                    return Err(self.confirmed(case, model, *rtl)?);
                }
            }
        }
        Ok(())
    }

    /// A difference, with the verdict of a fresh instance: the words before this one must have no
    /// part in it.
    fn confirmed(
        &self,
        case: WordCase,
        model: RtlDecoded,
        rtl: RtlDecoded,
    ) -> Result<Finding, RtlError> {
        let again = (self.make)()?.decode(&case.word, case.generation, case.nc)?;
        Ok(Finding::Mismatch(Box::new(WordDivergence {
            case,
            model,
            rtl,
            reproduced: again == rtl,
        })))
    }
}
