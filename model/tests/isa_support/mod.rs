// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The worked words of isa-word §9, words near to valid ones, and an oracle for the validator.
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod grammar;
pub mod oracle;

use pool_model::isa::WordBytes;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// LNC2, BFLOAT16, 128 channels. [isa-word §9 W1]
pub const W1: &str = "
    bf 10 00 00 00 00 13 05 00 00 00 00 06 06 00 00
    00 00 00 00 01 00 00 00 00 00 40 00 01 00 01 00
    01 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 10 00 00 01 00 00 00 00 00 40 00 01 00 01 00";

/// Semaphore wait, FP32, negative step, destination register. [isa-word §9 W2]
pub const W2: &str = "
    bf 10 00 00 05 03 13 10 07 00 00 00 0a 0a 00 00
    00 04 80 00 01 00 40 00 00 ff 10 00 04 00 04 00
    01 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    05 00 00 80 01 00 10 00 40 00 10 00 04 00 04 00";

/// The shared value field, LNC1, one element. [isa-word §9 W3]
pub const W3: &str = "
    bf 10 00 00 85 ff 15 fe 09 00 00 00 0e 0e 00 00
    ff 7f ff 01 00 00 00 00 00 00 01 00 01 00 01 00
    00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 80 01 01 00 01 00 01 00 01 00 01 00 01 00";

/// So many cases, the same ones in every run.
pub fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(0xBF),
        failure_persistence: None,
        ..ProptestConfig::with_cases(count)
    }
}

/// The bytes of a drawn word.
pub fn bytes_of(drawn: &str) -> WordBytes {
    let bytes: Vec<u8> = drawn
        .split_whitespace()
        .map(|pair| u8::from_str_radix(pair, 16).expect("two hex digits"))
        .collect();
    bytes.try_into().expect("64 bytes")
}

/// A worked word with up to six bytes replaced by bytes that matter somewhere, or by anything.
pub fn near_valid() -> impl Strategy<Value = WordBytes> {
    let telling = prop_oneof![
        Just(0_u8),
        Just(1),
        Just(0x10),
        Just(0x40),
        Just(0x80),
        Just(0xC0),
        Just(0xFF),
        0_u8..0x20,
        any::<u8>(),
    ];
    (
        prop_oneof![Just(W1), Just(W2), Just(W3)],
        prop::collection::vec((0_usize..64, telling), 0..6),
    )
        .prop_map(|(base, changes)| {
            let mut word = bytes_of(base);
            for (index, byte) in changes {
                word[index] = byte;
            }
            word
        })
}

/// Any 64 bytes, or a word near to a valid one.
pub fn any_word() -> impl Strategy<Value = WordBytes> {
    prop_oneof![
        prop::array::uniform32(any::<[u8; 2]>())
            .prop_map(|pairs| std::array::from_fn(|i| pairs[i / 2][i % 2])),
        near_valid(),
    ]
}
