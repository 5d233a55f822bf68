// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The validator: the acceptance table of isa-word §9 row by row, and four implementations against
//! each other.

mod isa_support;

use isa_support::{W1, W2, W3, any_word, bytes_of, cases, near_valid, oracle};
use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::{Predicate, PredicateSet, Word, WordBytes, explain, validate, validate_bulk};
use proptest::prelude::*;

fn first(word: &WordBytes, generation: Generation) -> u8 {
    validate(word, generation, generation.nc_version())
        .first()
        .map_or(0, Predicate::number)
}

#[test]
fn worked_words_pass_from_v3_and_fail_the_header_on_v2() {
    for drawn in [W1, W2, W3] {
        let word = bytes_of(drawn);
        assert_eq!(first(&word, Generation::V2), 1);
        for generation in [
            Generation::V3,
            Generation::V4,
            Generation::V4Plus,
            Generation::V5,
        ] {
            assert_eq!(first(&word, generation), 0, "{generation}\n{drawn}");
        }
    }
}

/// Bytes to store: offset and bytes.
type Change = (usize, &'static [u8]);

/// A row of the acceptance table: changes to W1, and the first failures on v3, v4, v5 (0 is OK).
type Row = (&'static str, &'static [Change], [u8; 3]);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("opcode 0xC0", &[(0, &[0xC0])], [1, 1, 1]),
    ("opcode 0xBE", &[(0, &[0xBE])], [3, 3, 3]),
    ("opcode 0xFF", &[(0, &[0xFF])], [3, 3, 3]),
    ("inst_word_len 15", &[(1, &[15])], [1, 1, 1]),
    ("inst_word_len 17", &[(1, &[17])], [1, 1, 1]),
    ("inst_word_len 64", &[(1, &[64])], [1, 1, 1]),
    ("debug_cmd 0xFF", &[(2, &[0xFF])], [0, 0, 0]),
    ("debug_hint 0xFF", &[(3, &[0xFF])], [0, 0, 0]),
    ("wait_mode 0x06", &[(4, &[0x06])], [0, 0, 2]),
    ("wait_mode 0x08", &[(4, &[0x08])], [2, 2, 2]),
    ("wait_mode 0x91", &[(4, &[0x91])], [2, 2, 0]),
    ("wait_mode 0xFE", &[(4, &[0xFE])], [2, 2, 0]),
    ("wait_mode 0xFF", &[(4, &[0xFF])], [2, 2, 2]),
    ("update_mode 0xFF", &[(6, &[0xFF])], [2, 2, 2]),
    ("update_mode 0x06", &[(6, &[0x06])], [2, 2, 2]),
    ("update_mode 0x11", &[(6, &[0x11])], [0, 0, 2]),
    ("update_mode 0x99", &[(6, &[0x99])], [0, 0, 0]),
    ("lnc_size_fmt 0", &[(32, &[0])], [0, 0, 0]),
    ("lnc_size_fmt 2", &[(32, &[2])], [5, 5, 5]),
    ("lnc_size_fmt 3", &[(32, &[3])], [5, 5, 5]),
    ("lnc_size_fmt 4", &[(32, &[4])], [5, 5, 5]),
    ("lnc_size_fmt 255", &[(32, &[255])], [5, 5, 5]),
    ("num_active_channels 1", &[(33, &[1])], [0, 0, 0]),
    ("num_active_channels 128", &[(33, &[128])], [0, 0, 0]),
    ("num_active_channels 0", &[(33, &[0])], [6, 6, 6]),
    ("num_active_channels 129", &[(33, &[129])], [6, 6, 6]),
    ("num_active_channels 255", &[(33, &[255])], [6, 6, 6]),
    ("source count (0,1,1)", &[(26, &[0, 0, 1, 0, 1, 0])], [8, 8, 8]),
    ("source counts (16,16,1)", &[(26, &[16, 0, 16, 0, 1, 0])], [0, 0, 0]),
    ("source counts (257,1,1)", &[(26, &[1, 1, 1, 0, 1, 0])], [10, 10, 10]),
    ("source counts (0x8000,0x8000,4)", &[(26, &[0, 0x80, 0, 0x80, 4, 0])], [10, 10, 10]),
    ("destination counts (65535,65535,65535)", &[(58, &[0xFF; 6])], [0, 0, 0]),
    ("source address 1", &[(16, &[1, 0, 0, 0])], [8, 8, 8]),
    ("source address 0x1FFFFFE", &[(16, &[0xFE, 0xFF, 0xFF, 0x01])], [0, 0, 0]),
    ("source address 0x2000000", &[(16, &[0, 0, 0, 0x02])], [8, 8, 0]),
    ("source address 0x2400000", &[(16, &[0, 0, 0x40, 0x02])], [8, 8, 0]),
    ("source address 0x7FFFFFE", &[(16, &[0xFE, 0xFF, 0xFF, 0x07])], [8, 8, 0]),
    ("source address 0x8000000", &[(16, &[0, 0, 0, 0x08])], [8, 8, 8]),
    ("destination register 63", &[(48, &[63, 0, 0, 0x80])], [0, 0, 0]),
    ("destination register 64", &[(48, &[64, 0, 0, 0x80])], [9, 9, 9]),
    ("destination word 0x80000100", &[(48, &[0, 1, 0, 0x80])], [9, 9, 9]),
    ("source word 0x40000000, counts 0,0,0", &[(16, &[0, 0, 0, 0x40]), (26, &[0; 6])], [0, 0, 0]),
    ("source word 0x20000000", &[(16, &[0, 0, 0, 0x20])], [8, 8, 8]),
    ("out_dtype 7 with in_dtype 6", &[(13, &[7])], [11, 11, 11]),
    ("both dtypes 0", &[(12, &[0, 0])], [8, 8, 8]),
    ("both dtypes 0, both addresses registers",
        &[(12, &[0, 0]), (16, &[1, 0, 0, 0x80]), (48, &[2, 0, 0, 0x80])], [0, 0, 0]),
    ("both dtypes 16 (FP4_EXP2)", &[(12, &[16, 16])], [8, 0, 0]),
    ("both dtypes 11 (FP32R)", &[(12, &[11, 11])], [0, 0, 0]),
];

#[test]
fn acceptance_table() {
    for (name, changes, expected) in ROWS {
        let mut word = bytes_of(W1);
        for (offset, bytes) in *changes {
            word[*offset..offset + bytes.len()].copy_from_slice(bytes);
        }
        let [v3, v4, v5] = *expected;
        for (generation, expected) in [
            (Generation::V3, v3),
            (Generation::V4, v4),
            (Generation::V4Plus, v4),
            (Generation::V5, v5),
        ] {
            assert_eq!(first(&word, generation), expected, "{name} on {generation}");
        }
    }
}

#[test]
fn every_reserved_byte_counts_and_no_other_does() {
    for index in (14..16).chain(34..48) {
        for bit in 0..8 {
            let mut word = bytes_of(W1);
            word[index] = 1 << bit;
            assert_eq!(first(&word, Generation::V3), 7, "byte {index} bit {bit}");
        }
    }
    for index in (0..14).chain(16..34).chain(48..64) {
        let mut word = bytes_of(W1);
        word[index] ^= 0xFF;
        let failures = validate(&word, Generation::V3, NcVersion::V3);
        assert!(
            !failures.contains(Predicate::S3d3CollectiveReservedZero),
            "byte {index}"
        );
    }
}

#[test]
fn version_argument_is_separate() {
    let word = bytes_of(W1);
    for generation in [Generation::V3, Generation::V4, Generation::V5] {
        let failures = validate(&word, generation, NcVersion::V2);
        assert_eq!(failures.first(), Some(Predicate::HasValidNcSb2sbCollective));
        assert_eq!(failures.len(), 1);
        assert!(validate(&word, generation, NcVersion::V3).is_empty());
        assert!(validate(&word, generation, NcVersion::V5).is_empty());
    }
    let on_v2 = validate(&word, Generation::V2, NcVersion::V3);
    assert_eq!(on_v2.first(), Some(Predicate::HasValidNeuronHeader));
    assert!(!on_v2.contains(Predicate::HasValidNcSb2sbCollective));
}

#[test]
fn source_element_limit_on_both_sides() {
    for (counts, legal) in [
        ([256, 1, 1], true),
        ([257, 1, 1], false),
        ([1, 256, 1], true),
        ([1, 1, 257], false),
        ([8, 8, 4], true),
        ([8, 8, 5], false),
        ([16, 4, 4], true),
        ([65535, 65535, 65535], false),
    ] {
        let mut word = Word::decode(&bytes_of(W1));
        word.src.num_elem = counts;
        let failures = validate(&word.encode(), Generation::V3, NcVersion::V3);
        assert_eq!(
            !failures.contains(Predicate::SizeCheckSrc),
            legal,
            "{counts:?}"
        );
        word.src.num_elem = [1; 3];
        word.dst.num_elem = counts;
        assert!(validate(&word.encode(), Generation::V3, NcVersion::V3).is_empty());
    }
}

/// Every value of every one-byte field, on every generation, against the oracle.
#[test]
fn every_value_of_every_byte() {
    for generation in Generation::ALL {
        for drawn in [W1, W2, W3] {
            for index in 0..64 {
                for value in 0..=u8::MAX {
                    let mut word = bytes_of(drawn);
                    word[index] = value;
                    let version = generation.nc_version();
                    assert_eq!(
                        validate(&word, generation, version).bits(),
                        oracle::failures(&word, generation, version),
                        "{generation}, byte {index} = {value:#x}\n{drawn}"
                    );
                }
            }
        }
    }
}

/// Every marker byte with both shapes of counts and every dtype.
#[test]
fn every_marker_with_every_dtype() {
    for generation in Generation::ALL {
        for marker in 0..=u8::MAX {
            for tag in 0..=u8::MAX {
                for counts in [[4_u8, 1, 1], [0, 1, 1], [1, 1, 0]] {
                    let mut word = bytes_of(W1);
                    word[19] = marker;
                    word[51] = marker;
                    word[12] = tag;
                    word[13] = tag;
                    for d in 0..3 {
                        word[26 + 2 * d] = counts[d];
                        word[58 + 2 * d] = counts[d];
                    }
                    let version = generation.nc_version();
                    assert_eq!(
                        validate(&word, generation, version).bits(),
                        oracle::failures(&word, generation, version),
                        "{generation}, marker {marker:#x}, tag {tag:#x}, counts {counts:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn predicate_numbers_and_names() {
    let names = [
        "has_valid_neuron_header",
        "has_valid_neuron_events",
        "has_sb2sbcollective_opcode",
        "has_valid_nc_sb2sb_collective",
        "has_valid_LncSizefmt",
        "check_active_ports",
        "s3d3_collective_reserved_zero",
        "tensor3d_valid_src",
        "tensor3d_valid_dst",
        "size_check_src",
        "dtype_equality_check",
    ];
    for (index, name) in names.into_iter().enumerate() {
        let predicate = Predicate::ALL[index];
        assert_eq!(predicate.name(), name);
        assert_eq!(usize::from(predicate.number()), index + 1);
        assert_eq!(predicate.bit(), 1 << index);
        assert_eq!(Predicate::from_number(predicate.number()), Some(predicate));
    }
    assert_eq!(Predicate::from_number(0), None);
    assert_eq!(Predicate::from_number(12), None);
}

#[test]
fn predicate_set_operations() {
    let set = PredicateSet::from_bits(0b10_0001_0000 | 1 << 15);
    assert_eq!(set.bits(), 0b10_0001_0000);
    assert_eq!(set.len(), 2);
    assert_eq!(set.first(), Some(Predicate::HasValidLncSizefmt));
    let members: Vec<_> = set.iter().collect();
    assert_eq!(
        members,
        [Predicate::HasValidLncSizefmt, Predicate::SizeCheckSrc]
    );
    assert_eq!(members.into_iter().collect::<PredicateSet>(), set);
    assert!(PredicateSet::EMPTY.is_empty());
    assert_eq!(PredicateSet::EMPTY.first(), None);
}

#[test]
fn bulk_stops_at_the_shorter_slice() {
    let words = [bytes_of(W1), bytes_of(W2), [0; 64]];
    let mut results = [PredicateSet::EMPTY; 2];
    let n = validate_bulk(&words, Generation::V3, NcVersion::V3, &mut results);
    assert_eq!((n, results), (2, [PredicateSet::EMPTY; 2]));
    let untouched = PredicateSet::from_bits(5);
    let mut results = [untouched; 4];
    let n = validate_bulk(&words, Generation::V3, NcVersion::V3, &mut results);
    assert_eq!(n, 3);
    assert!(!results[2].is_empty());
    assert_eq!(results[3], untouched);
}

fn generations() -> impl Strategy<Value = Generation> {
    prop::sample::select(Generation::ALL.to_vec())
}

fn versions() -> impl Strategy<Value = NcVersion> {
    prop::sample::select(NcVersion::ALL.to_vec())
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn table_plain_rules_findings_and_oracle_agree(
        word in any_word(), generation in generations(), version in versions()
    ) {
        let expected = PredicateSet::from_bits(oracle::failures(&word, generation, version));
        prop_assert_eq!(validate(&word, generation, version), expected);
        let decoded = Word::decode(&word);
        let plain: PredicateSet = Predicate::ALL
            .into_iter()
            .filter(|p| !p.holds(&decoded, generation, version))
            .collect();
        prop_assert_eq!(plain, expected);
        let found: PredicateSet = explain(&decoded, generation, version)
            .iter()
            .map(|finding| finding.predicate)
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn bulk_equals_single(
        words in prop::collection::vec(near_valid(), 0..40),
        generation in generations(), version in versions()
    ) {
        let mut results = vec![PredicateSet::EMPTY; words.len()];
        prop_assert_eq!(validate_bulk(&words, generation, version, &mut results), words.len());
        for (word, result) in words.iter().zip(results) {
            prop_assert_eq!(result, validate(word, generation, version));
        }
    }
}
