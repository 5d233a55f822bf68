// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A seeded, endless stream of near-valid words: the same on every machine.

use arbitrary::Unstructured;

use super::{NearValidWord, WordBytes, word};
use crate::generation::Generation;
use crate::split_mix::SplitMix64;

/// Entropy for one word. Noise takes most: 64 bytes and the choices before them.
pub(super) const ENTROPY_BYTES: usize = 128;

/// An endless stream of words of one generation, made by [`word`] from a seed.
///
/// As an iterator it gives the bytes alone, for use with the generation's own version number;
/// [`Stream::next_word`] gives the version argument as well.
#[derive(Clone, Debug)]
pub struct Stream {
    random: SplitMix64,
    generation: Generation,
}

impl Stream {
    /// The stream that belongs to `seed` and `generation`.
    #[must_use]
    pub const fn new(seed: u64, generation: Generation) -> Self {
        Self {
            random: SplitMix64::new(seed),
            generation,
        }
    }

    /// The next word with its version argument.
    pub fn next_word(&mut self) -> NearValidWord {
        let mut entropy = [0; ENTROPY_BYTES];
        self.random.fill(&mut entropy);
        word(&mut Unstructured::new(&entropy), self.generation)
    }
}

impl Iterator for Stream {
    type Item = WordBytes;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.next_word().bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::near_valid::{Damage, Draw, damaged_word, noise_word, valid_word};

    /// Published first outputs of the reference implementation.
    #[test]
    fn splitmix64_gives_the_published_numbers() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
        assert_eq!(random.next_u64(), 9_817_491_932_198_370_423);
    }

    /// A word that ran out of entropy would end in choices that are always the first.
    #[test]
    fn the_entropy_of_a_word_is_never_used_up() {
        let mut random = SplitMix64::new(1);
        for round in 0..20_000 {
            let generation = Generation::ALL[round % 5];
            let mut entropy = [0; ENTROPY_BYTES];
            random.fill(&mut entropy);
            for make in [
                valid_word,
                noise_word,
                |u: &mut Unstructured<'_>, g| damaged_word(u, g, 2),
                |u: &mut Unstructured<'_>, g| {
                    let mut word = damaged_word(u, g, 1);
                    Damage::Dtype.apply(&mut Draw(u), &mut word);
                    word
                },
            ] {
                let mut u = Unstructured::new(&entropy);
                // The kind of the word costs one more byte.
                let _ = u.bytes(1);
                make(&mut u, generation);
                assert!(!u.is_empty(), "{generation}");
            }
        }
    }
}
