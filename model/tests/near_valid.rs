// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The near-valid generator against a validator written here from the compact form.
//! [isa-word §4.5]
#![cfg(feature = "arbitrary")]

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::near_valid::{self, NearValidWord, SplitMix64, Stream};

const WORDS: usize = 60_000;

/// Bit n set: predicate n of isa-word §4.1 fails.
type Failures = u16;

fn le16(w: &[u8; 64], o: usize) -> u64 {
    u64::from(w[o]) + 256 * u64::from(w[o + 1])
}

/// [isa-word §7.1]: first and last opcode of each run, and the generations that have it.
fn opcode_defined(op: u8, g: Generation) -> bool {
    let all = [
        (0x01, 0x05),
        (0x21, 0x24),
        (0x30, 0x30),
        (0x41, 0x4F),
        (0x51, 0x54),
        (0x58, 0x58),
        (0x5E, 0x74),
        (0x76, 0x7F),
        (0x82, 0x86),
        (0x8E, 0x8E),
        (0x92, 0x96),
        (0x98, 0x9F),
        (0xA0, 0xAB),
        (0xB0, 0xB3),
        (0xB5, 0xB5),
        (0xB8, 0xB8),
        (0xBB, 0xBB),
        (0xC1, 0xD6),
        (0xD8, 0xDF),
        (0xE5, 0xE8),
        (0xEA, 0xEA),
        (0xF0, 0xF0),
        (0xFF, 0xFF),
    ];
    let only_v2 = [0x87, 0x88, 0x8A, 0x8B, 0x8C, 0x8D, 0x8F];
    let from_v3 = [
        0x06, 0x07, 0x81, 0xBC, 0xBD, 0xBE, 0xBF, 0xD7, 0xE4, 0xE9, 0xF1, 0xF2,
    ];
    let from_v4 = [0x08, 0x09, 0x0A, 0x25, 0xB4, 0xE0, 0xE1, 0xE2, 0xE3];
    let from_v5 = [0x26, 0xB6, 0xB9, 0xBA, 0xF3, 0xF4];
    all.iter()
        .any(|&(first, last)| (first..=last).contains(&op))
        || (g == Generation::V2 && only_v2.contains(&op))
        || (g >= Generation::V3 && from_v3.contains(&op))
        || (g >= Generation::V4 && from_v4.contains(&op))
        || (g >= Generation::V5 && from_v5.contains(&op))
}

fn wait_defined(mode: u8, g: Generation) -> bool {
    match mode {
        0x00..=0x05 | 0x81..=0x85 => true,
        0x06 | 0x07 | 0x0E | 0x0F => g != Generation::V5,
        0x91..=0x95 | 0xFE => g == Generation::V5,
        _ => false,
    }
}

fn update_defined(mode: u8, g: Generation) -> bool {
    match mode {
        0x00
        | 0x03..=0x05
        | 0x07
        | 0x09
        | 0x13..=0x15
        | 0x17
        | 0x19
        | 0x85
        | 0x87
        | 0x89
        | 0x95
        | 0x97
        | 0x99 => true,
        0x01 | 0x02 | 0x11 | 0x12 => g != Generation::V5,
        _ => false,
    }
}

/// 0 where no alignment is enough. [isa-word §2.4, MC-6]
fn alignment(tag: u8, g: Generation) -> u32 {
    match tag {
        2 | 3 | 13 | 14 | 15 => 1,
        4..=7 => 2,
        8..=11 => 4,
        1 | 12 => 8,
        16 if g >= Generation::V4 => 1,
        17..=22 if g == Generation::V5 => 1,
        _ => 0,
    }
}

fn operand_accepted(w: &[u8; 64], o: usize, tag: u8, g: Generation) -> bool {
    let marker = w[o + 3];
    let shape_reg = marker & 0x70 == 0x40;
    if !shape_reg && (0..3).any(|d| le16(w, o + 10 + 2 * d) == 0) {
        return false;
    }
    if marker & 0x60 == 0x20 || marker & 0x60 == 0x60 {
        return false;
    }
    if marker & 0x80 != 0 {
        return (marker == 0x80 || marker == 0xC0) && w[o + 1] == 0 && w[o + 2] == 0 && w[o] < 64;
    }
    let address = u32::from_le_bytes([w[o], w[o + 1], w[o + 2], marker]) & 0x1FFF_FFFF;
    let size = if g == Generation::V5 {
        0x800_0000
    } else {
        0x200_0000
    };
    let needed = alignment(tag, g);
    needed != 0 && address.is_multiple_of(needed) && address < size
}

/// All failing predicates of isa-word §4.1, each looked at on its own.
fn failures(word: &NearValidWord) -> Failures {
    let NearValidWord {
        generation: g,
        nc,
        bytes: w,
    } = word;
    let g = *g;
    let product = u128::from(le16(w, 26)) * u128::from(le16(w, 28)) * u128::from(le16(w, 30));
    let checks = [
        opcode_defined(w[0], g) && w[1] == 16,
        wait_defined(w[4], g) && update_defined(w[6], g),
        w[0] == 0xBF,
        *nc != NcVersion::V2,
        w[32] <= 1,
        (1..=128).contains(&w[33]),
        w[14..16].iter().chain(&w[34..48]).all(|&byte| byte == 0),
        operand_accepted(w, 16, w[12], g),
        operand_accepted(w, 48, w[13], g),
        product <= 256,
        w[12] == w[13],
    ];
    checks
        .iter()
        .enumerate()
        .filter(|(_, holds)| !**holds)
        .fold(0, |set, (index, _)| set | 1 << (index + 1))
}

fn words(seed: u64, generation: Generation) -> Vec<NearValidWord> {
    let mut stream = Stream::new(seed, generation);
    (0..WORDS).map(|_| stream.next_word()).collect()
}

/// W1, W2 and W3 and some single changes of isa-word §9 hold the oracle itself.
#[test]
fn the_oracle_of_this_file_agrees_with_the_acceptance_table() {
    let parse = |text: &str| -> [u8; 64] {
        let bytes: Vec<u8> = text
            .split_whitespace()
            .map(|pair| u8::from_str_radix(pair, 16).unwrap())
            .collect();
        bytes.try_into().unwrap()
    };
    let w1 = parse(
        "bf 10 00 00 00 00 13 05 00 00 00 00 06 06 00 00 00 00 00 00 01 00 00 00 00 00 40 00 01 00 \
         01 00 01 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 10 00 00 01 00 00 00 00 00 40 00 \
         01 00 01 00",
    );
    let w2 = parse(
        "bf 10 00 00 05 03 13 10 07 00 00 00 0a 0a 00 00 00 04 80 00 01 00 40 00 00 ff 10 00 04 00 \
         04 00 01 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00 05 00 00 80 01 00 10 00 40 00 10 00 \
         04 00 04 00",
    );
    let w3 = parse(
        "bf 10 00 00 85 ff 15 fe 09 00 00 00 0e 0e 00 00 ff 7f ff 01 00 00 00 00 00 00 01 00 01 00 \
         01 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 01 01 00 01 00 01 00 01 00 \
         01 00 01 00",
    );
    let first = |bytes: [u8; 64], generation: Generation| {
        let nc = generation.nc_version();
        match failures(&NearValidWord {
            generation,
            nc,
            bytes,
        }) {
            0 => 0,
            set => set.trailing_zeros(),
        }
    };
    for word in [w1, w2, w3] {
        assert_eq!(first(word, Generation::V2), 1);
        for generation in [
            Generation::V3,
            Generation::V4,
            Generation::V4Plus,
            Generation::V5,
        ] {
            assert_eq!(first(word, generation), 0);
        }
    }
    // Position, new value, first failure on v3, v4, v5.
    for (position, value, expected) in [
        (0, 0xC0, [1, 1, 1]),
        (0, 0xBE, [3, 3, 3]),
        (0, 0xFF, [3, 3, 3]),
        (1, 17, [1, 1, 1]),
        (3, 0xFF, [0, 0, 0]),
        (4, 0x06, [0, 0, 2]),
        (4, 0x91, [2, 2, 0]),
        (4, 0xFE, [2, 2, 0]),
        (6, 0x11, [0, 0, 2]),
        (6, 0x99, [0, 0, 0]),
        (6, 0xFF, [2, 2, 2]),
        (32, 2, [5, 5, 5]),
        (33, 129, [6, 6, 6]),
        (34, 1, [7, 7, 7]),
        (26, 0, [8, 8, 8]),
        (16, 1, [8, 8, 8]),
        (19, 2, [8, 8, 0]),
        (19, 8, [8, 8, 8]),
        (27, 1, [10, 10, 10]),
        (13, 7, [11, 11, 11]),
        (12, 0, [8, 8, 8]),
        (51, 0x20, [9, 9, 9]),
    ] {
        let mut word = w1;
        word[position] = value;
        let measured = [Generation::V3, Generation::V4, Generation::V5].map(|g| first(word, g));
        assert_eq!(measured, expected, "byte {position} = {value:#04x}");
    }
}

#[test]
fn between_45_and_60_percent_of_the_words_are_legal() {
    for generation in Generation::ALL {
        // v2 lacks 0xBF: there its two predicates about the generation fail at best.
        let unavoidable = if generation == Generation::V2 {
            1 << 1 | 1 << 4
        } else {
            0
        };
        let legal = words(1, generation)
            .iter()
            .filter(|word| failures(word) == unavoidable)
            .count();
        println!("{generation}: {legal} of {WORDS} legal");
        assert!(
            legal * 100 >= WORDS * 45,
            "{generation}: {legal} of {WORDS}"
        );
        assert!(
            legal * 100 <= WORDS * 60,
            "{generation}: {legal} of {WORDS}"
        );
    }
}

#[test]
fn valid_word_is_legal_and_damaged_word_is_not() {
    let mut random = SplitMix64::new(2);
    for round in 0..WORDS {
        let generation = Generation::ALL[round % 5];
        let unavoidable = if generation == Generation::V2 {
            1 << 1 | 1 << 4
        } else {
            0
        };
        let mut entropy = [0; 256];
        random.fill(&mut entropy);
        let legal = near_valid::valid_word(&mut Unstructured::new(&entropy), generation);
        assert_eq!(failures(&legal), unavoidable, "{legal:02x?}");
        for damages in [1, 2] {
            let mut u = Unstructured::new(&entropy);
            let broken = near_valid::damaged_word(&mut u, generation, damages);
            if generation != Generation::V2 {
                assert_ne!(failures(&broken), 0, "{broken:02x?}");
            }
        }
    }
}

#[test]
fn every_predicate_is_often_the_only_one_that_fails() {
    for generation in [
        Generation::V3,
        Generation::V4,
        Generation::V4Plus,
        Generation::V5,
    ] {
        let sets: Vec<Failures> = words(3, generation).iter().map(failures).collect();
        for predicate in 1..=11 {
            let alone = sets.iter().filter(|&&set| set == 1 << predicate).count();
            println!("{generation}: predicate {predicate} alone {alone} of {WORDS}");
            assert!(
                alone * 1000 >= WORDS * 3,
                "{generation}: predicate {predicate} fails alone in {alone} of {WORDS} words"
            );
        }
    }
}

/// Both sides of every row: (byte, values that must be seen in otherwise legal words).
#[test]
fn boundary_values_of_single_bytes_appear_in_otherwise_legal_words() {
    let mut rows: Vec<(usize, Failures, Vec<u8>)> = vec![
        (0, 1 << 3, vec![0xBE, 0xFF]),
        (0, 1 << 1 | 1 << 3, vec![0xC0, 0x00, 0x87, 0xF3, 0xB4, 0xEB]),
        (1, 1 << 1, vec![15, 17, 64, 0, 0xFF]),
        (2, 0, vec![0, 0xFF]),
        (3, 0, vec![0, 0xFF]),
        (5, 0, vec![0, 0xFF]),
        (7, 0, vec![0, 0xFF]),
        (32, 0, vec![0, 1]),
        (32, 1 << 5, vec![2, 3, 4, 0xFF]),
        (33, 0, vec![1, 128]),
        (33, 1 << 6, vec![0, 129, 0xFF]),
        (19, 0, vec![0x00, 0x01, 0x40, 0x41, 0x80, 0xC0]),
        (
            19,
            1 << 8,
            vec![0x02, 0x08, 0x20, 0x60, 0xA0, 0xE0, 0x81, 0xC1],
        ),
        (51, 0, vec![0x00, 0x01, 0x40, 0x41, 0x80, 0xC0]),
        (
            51,
            1 << 9,
            vec![0x02, 0x08, 0x20, 0x60, 0xA0, 0xE0, 0x81, 0xC1],
        ),
        (12, 0, (0..=0xFF).collect()),
        (13, 1 << 11, vec![0x00, 0x07, 0x05, 0x16, 0x86]),
    ];
    for reserved in [14, 15].into_iter().chain(34..48) {
        rows.push((reserved, 1 << 7, vec![1, 0x80, 0xFF]));
    }
    // Every member of both enums, and every value next to a member.
    for (byte, defined) in [
        (4, wait_defined as fn(u8, Generation) -> bool),
        (6, update_defined as fn(u8, Generation) -> bool),
    ] {
        let member = |value: u8| defined(value, Generation::V3);
        let members: Vec<u8> = (0..=0xFF).filter(|&v| member(v)).collect();
        let neighbours = (0..=0xFF_u8)
            .filter(|&v| !member(v))
            .filter(|&v| v == 0xFF || member(v.wrapping_add(1)) || member(v.wrapping_sub(1)))
            .collect();
        rows.push((byte, 0, members));
        rows.push((byte, 1 << 2, neighbours));
    }
    let words = words(4, Generation::V3);
    let seen: BTreeSet<(usize, Failures, u8)> = words
        .iter()
        .map(|word| (word, failures(word)))
        .flat_map(|(word, set)| (0..64).map(move |byte| (byte, set, word.bytes[byte])))
        .collect();
    for (byte, set, values) in rows {
        for value in values {
            assert!(
                seen.contains(&(byte, set, value)),
                "byte {byte} = {value:#04x} with failures {set:#b} never made"
            );
        }
    }
}

#[test]
fn boundary_addresses_and_counts_appear_on_both_sides() {
    let address = |w: &[u8; 64], o: usize| u32::from_le_bytes([w[o], w[o + 1], w[o + 2], w[o + 3]]);
    let words: Vec<_> = [Generation::V3, Generation::V4, Generation::V5]
        .map(|g| words(5, g))
        .concat();
    let seen: BTreeSet<(Generation, usize, bool, u32)> = words
        .iter()
        .flat_map(|word| {
            let set = failures(word);
            [(16, 8), (48, 9)].map(|(offset, predicate)| {
                let accepted = set & 1 << predicate == 0;
                (
                    word.generation,
                    offset,
                    accepted,
                    address(&word.bytes, offset),
                )
            })
        })
        .collect();
    for (generation, accepted, value) in [
        (Generation::V3, true, 0),
        (Generation::V3, true, 0x1FF_FFFF),
        (Generation::V3, true, 0x1FF_FFFE),
        (Generation::V3, true, 0x1FF_FFF8),
        (Generation::V3, true, 0x3_7FFF),
        (Generation::V3, true, 0x3_8000),
        (Generation::V3, true, 0x8000_003F),
        (Generation::V3, true, 0xC000_003F),
        (Generation::V3, false, 0x8000_0040),
        (Generation::V3, false, 0xC000_0040),
        (Generation::V3, false, 0x8000_0100),
        (Generation::V3, false, 0x200_0000),
        (Generation::V3, false, 0x23F_FFFF),
        (Generation::V3, false, 0x240_0000),
        (Generation::V3, false, 0x800_0000),
        (Generation::V3, false, 0x2000_0000),
        (Generation::V4, true, 0x3_FFFF),
        (Generation::V4, false, 0x1FFF_FFFF),
        (Generation::V5, true, 0x200_0000),
        (Generation::V5, true, 0x240_0000),
        (Generation::V5, true, 0x7FF_FFFF),
        (Generation::V5, false, 0x800_0000),
    ] {
        for offset in [16, 48] {
            assert!(
                seen.contains(&(generation, offset, accepted, value)),
                "{generation}: {value:#x} at byte {offset}, accepted {accepted}"
            );
        }
    }
    let counts: BTreeSet<[u64; 3]> = words
        .iter()
        .map(|word| [26, 28, 30].map(|offset| le16(&word.bytes, offset)))
        .collect();
    let products: BTreeSet<u64> = counts.iter().map(|c| c.iter().product()).collect();
    for expected in [0, 1, 255, 256, 257, 258, 1 << 32] {
        assert!(products.contains(&expected), "product {expected}");
    }
    for large in [255, 256, 257] {
        for expected in [[large, 1, 1], [1, large, 1], [1, 1, large]] {
            assert!(counts.contains(&expected), "counts {expected:?}");
        }
    }
    assert!(counts.contains(&[0x8000, 0x8000, 4]));
    assert!(counts.contains(&[0, 0, 0]));
    // Misses by 1, 2 and 4, each with a dtype that needs more.
    for (tag, miss) in [(6, 1), (10, 1), (10, 2), (1, 1), (1, 2), (1, 4)] {
        assert!(
            words.iter().any(|word| {
                failures(word) == 1 << 8
                    && word.bytes[12] == tag
                    && word.bytes[19] & 0xA0 == 0
                    && u32::from(word.bytes[16]) & (alignment(tag, word.generation) - 1) == miss
            }),
            "dtype {tag} misaligned by {miss}"
        );
    }
}

#[test]
fn the_version_argument_is_damaged_and_varied() {
    let words = words(6, Generation::V3);
    for nc in NcVersion::ALL {
        let expected = if nc == NcVersion::V2 { 1 << 4 } else { 0 };
        assert!(
            words
                .iter()
                .any(|word| word.nc == nc && failures(word) == expected),
            "{nc:?}"
        );
    }
}

fn fnv1a(words: impl Iterator<Item = [u8; 64]>) -> u64 {
    words.flatten().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Recorded co-simulation seeds must keep their meaning: a change here is a semantic change.
#[test]
fn the_streams_are_pinned() {
    let digests = Generation::ALL.map(|g| fnv1a(Stream::new(0x5B25B, g).take(1_000)));
    assert_eq!(
        digests.map(|d| format!("{d:016x}")),
        [
            "31c565c57cdee35c",
            "47302f9002abcf3a",
            "4cc2113f3403a4ed",
            "4cc2113f3403a4ed",
            "d4f17c359f20f4bb"
        ]
    );
}

#[test]
fn a_stream_follows_from_its_seed_and_differs_between_seeds() {
    let take = |seed| {
        Stream::new(seed, Generation::V3)
            .take(100)
            .collect::<Vec<_>>()
    };
    assert_eq!(take(9), take(9));
    assert_ne!(take(9), take(10));
    let mut stream = Stream::new(9, Generation::V3);
    let with_nc: Vec<_> = (0..100).map(|_| stream.next_word().bytes).collect();
    assert_eq!(take(9), with_nc);
}

#[test]
fn every_input_gives_a_word() {
    let mut random = SplitMix64::new(11);
    for length in 0..200 {
        let mut input = vec![0; length];
        random.fill(&mut input);
        let word = NearValidWord::arbitrary(&mut Unstructured::new(&input)).unwrap();
        assert!(Generation::ALL.contains(&word.generation));
    }
    for constant in [vec![], vec![0; 64], vec![0xFF; 300]] {
        NearValidWord::arbitrary(&mut Unstructured::new(&constant)).unwrap();
    }
}

#[test]
fn an_empty_input_gives_a_small_legal_word() {
    let word = NearValidWord::arbitrary(&mut Unstructured::new(&[])).unwrap();
    assert_eq!(word.generation, Generation::V3);
    assert_eq!(failures(&word), 0);
    let nonzero = word.bytes.iter().filter(|&&byte| byte != 0).count();
    assert!(nonzero <= 20, "{:02x?}", word.bytes);
}

#[test]
fn arbitrary_reaches_every_generation() {
    let mut random = SplitMix64::new(12);
    let reached: BTreeSet<Generation> = (0..1_000)
        .map(|_| {
            let mut input = [0; 160];
            random.fill(&mut input);
            NearValidWord::arbitrary(&mut Unstructured::new(&input))
                .unwrap()
                .generation
        })
        .collect();
    assert_eq!(reached.into_iter().collect::<Vec<_>>(), Generation::ALL);
}

/// From any start, including noise, mutation must come back to legal words.
#[test]
fn mutation_heals_and_breaks() {
    for generation in [
        Generation::V3,
        Generation::V4,
        Generation::V4Plus,
        Generation::V5,
    ] {
        let mut random = SplitMix64::new(13);
        let mut word = NearValidWord {
            generation,
            nc: NcVersion::V2,
            bytes: [0xA5; 64],
        };
        let mut legal = 0;
        for _ in 0..WORDS {
            let mut entropy = [0; 192];
            random.fill(&mut entropy);
            near_valid::mutate_field(&mut Unstructured::new(&entropy), &mut word);
            assert_eq!(word.generation, generation);
            legal += usize::from(failures(&word) == 0);
        }
        println!("{generation}: {legal} of {WORDS} legal on the way");
        assert!(
            legal * 3 > WORDS && legal * 5 < WORDS * 4,
            "{generation}: {legal}"
        );
    }
}
