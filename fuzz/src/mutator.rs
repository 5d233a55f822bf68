// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Changes to an input that know its fields, for libFuzzer's custom-mutator hook.
//!
//! Left alone, libFuzzer would almost never keep a word valid: one wrong byte of 64 is enough.
//! Here most changes replace one field by a legal or a just-illegal value, and the rest is left to
//! libFuzzer's own mutations (with its dictionary and its recorded comparisons), on one word, on
//! the text, or on everything.

mod text;

use arbitrary::Unstructured;
use pool_model::generation::Generation;
use pool_model::isa::near_valid::{self, NearValidWord, SplitMix64};
use pool_model::isa::{WORD_BYTES, WordBytes};

use crate::input::{Format, MAX_WORDS, is_text, selection, text_header, words_header};

/// libFuzzer's own mutation: buffer, size of the data in it, largest size; returns the new size.
pub type Fallback<'f> = &'f mut dyn FnMut(&mut [u8], usize, usize) -> usize;

/// Bytes of entropy for one field mutation or one fresh word.
const ENTROPY_BYTES: usize = 256;

/// Changes the input in `data[..size]`, and returns its new size, at most `max_size`.
///
/// The result follows from the arguments alone, if that of `fallback` does. `data` must have room
/// for `max_size` bytes, and for `size`.
pub fn mutate(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    format: Format,
    fallback: Fallback<'_>,
) -> usize {
    let size = size.min(data.len());
    let max_size = max_size.min(data.len());
    // Too small for a word: nothing here knows how to help.
    if max_size < 1 + WORD_BYTES {
        return fallback(data, size, max_size).min(max_size);
    }
    let mut random = Random(SplitMix64::new(u64::from(seed)));
    let text = size > 0 && is_text(data[0], format);
    // Now and then from words to text and back, so that a run reaches both from either.
    let turn = format == Format::WordsOrText && random.one_in(64);
    if text != turn {
        let old = if text { &data[1..size] } else { &[] };
        let new = text::mutate(&mut random, old, max_size - 1, fallback);
        data[0] = text_header();
        data[1..=new.len()].copy_from_slice(&new);
        return 1 + new.len();
    }
    if text {
        data[0] = words_header(Generation::V3, Generation::V3.nc_version());
        return mutate_words(&mut random, data, 1, max_size, fallback);
    }
    mutate_words(&mut random, data, size, max_size, fallback)
}

fn mutate_words(
    random: &mut Random,
    data: &mut [u8],
    size: usize,
    max_size: usize,
    fallback: Fallback<'_>,
) -> usize {
    let capacity = ((max_size - 1) / WORD_BYTES).min(MAX_WORDS);
    let (words, _) = data
        .get(1..size)
        .unwrap_or_default()
        .as_chunks::<WORD_BYTES>();
    let mut words: Vec<WordBytes> = words.iter().take(capacity).copied().collect();
    let mut header = if size == 0 { 0 } else { data[0] };
    let (generation, nc) = selection(header);

    // No word is valid on v2, so that its share must not grow with what libFuzzer keeps.
    let generation = if generation == Generation::V2 && random.one_in(3) {
        random.generation()
    } else {
        generation
    };
    let action = random.below(100);
    if words.is_empty() {
        let fresh = fresh_word(random, generation);
        header = words_header(generation, fresh.nc);
        words.push(fresh.bytes);
    } else {
        let chosen = random.below(words.len());
        match action {
            0..36 => {
                let mut word = NearValidWord {
                    generation,
                    nc,
                    bytes: words[chosen],
                };
                random.with_entropy(|u| near_valid::mutate_field(u, &mut word));
                header = words_header(generation, word.nc);
                words[chosen] = word.bytes;
            }
            36..46 => {
                let fresh = fresh_word(random, generation);
                header = words_header(generation, fresh.nc);
                words[chosen] = fresh.bytes;
            }
            // What libFuzzer keeps is mostly broken: here an input begins anew, as long as it was.
            46..64 => {
                for word in &mut words {
                    let fresh = random.with_entropy(|u| near_valid::valid_word(u, generation));
                    header = words_header(generation, fresh.nc);
                    *word = fresh.bytes;
                }
            }
            64..70 if words.len() < capacity => words.push(fresh_word(random, generation).bytes),
            70..73 if words.len() < capacity => words.push(words[chosen]),
            64..80 => {
                words.swap_remove(chosen);
            }
            80..88 => {
                let generation = random.generation();
                header = words_header(generation, generation.nc_version());
            }
            88..96 => {
                fallback(&mut words[chosen], WORD_BYTES, WORD_BYTES);
            }
            _ => return fallback(data, size, max_size).min(max_size),
        }
    }
    data[0] = header;
    let end = 1 + words.len() * WORD_BYTES;
    data[1..end].copy_from_slice(words.as_flattened());
    end
}

fn fresh_word(random: &mut Random, generation: Generation) -> NearValidWord {
    random.with_entropy(|u| near_valid::word(u, generation))
}

/// Small decisions from the seed that libFuzzer gives.
struct Random(SplitMix64);

impl Random {
    /// A number below `bound`; 0 if that is 0.
    fn below(&mut self, bound: usize) -> usize {
        let scaled = (u128::from(self.0.next_u64()) * bound as u128) >> u64::BITS;
        scaled as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// v3 half of the time, v2 seldom: it has no valid words.
    fn generation(&mut self) -> Generation {
        match self.below(16) {
            0..8 => Generation::V3,
            8..10 => Generation::V4,
            10..12 => Generation::V4Plus,
            12..15 => Generation::V5,
            _ => Generation::V2,
        }
    }

    fn with_entropy<T>(&mut self, make: impl FnOnce(&mut Unstructured<'_>) -> T) -> T {
        let mut entropy = [0; ENTROPY_BYTES];
        self.0.fill(&mut entropy);
        make(&mut Unstructured::new(&entropy))
    }
}
