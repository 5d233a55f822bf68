// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bulk validation against `memcpy` of the same words.

mod measure;

use std::hint::black_box;

use measure::{Variant, compare, is_test_run, promise, working_set};
use pool_model::generation::Generation;
use pool_model::isa::near_valid::Stream;
use pool_model::isa::{PredicateSet, WORD_BYTES, Word, WordBytes, validate, validate_bulk};

/// Near-valid words are made once; the working set repeats them.
const DISTINCT: usize = 1 << 16;

fn main() {
    if is_test_run() {
        return;
    }
    let generation = Generation::V3;
    let version = generation.nc_version();
    let distinct: Vec<WordBytes> = Stream::new(1, generation).take(DISTINCT).collect();
    let count = working_set() / WORD_BYTES;
    let words: Vec<WordBytes> = distinct.iter().copied().cycle().take(count).collect();
    let mut copy = words.clone();
    let mut sets = vec![PredicateSet::EMPTY; count];
    let rates = compare(
        "words",
        count as u64,
        &mut [
            Variant::new("memcpy_words", || {
                copy.copy_from_slice(black_box(&words));
                black_box(&copy);
            }),
            Variant::new("validate_bulk", || {
                validate_bulk(black_box(&words), generation, version, &mut sets);
                black_box(&sets);
            }),
            Variant::new("validate_each", || {
                for word in &words {
                    black_box(validate(black_box(word), generation, version));
                }
            }),
            Variant::new("decode_encode_each", || {
                for word in &words {
                    black_box(Word::decode(black_box(word)).encode());
                }
            }),
        ],
    );
    promise("validate_bulk to memcpy", rates[1] / rates[0], 0.25);
}
