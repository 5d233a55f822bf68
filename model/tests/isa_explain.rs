// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Explanations and notes: which field, which bytes, what would be legal. [isa-word §4; decisions D-44]

mod isa_support;

use isa_support::{W1, W2, W3, any_word, bytes_of, cases};
use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::{NoteKind, Predicate, Word, explain, notes};
use proptest::prelude::*;

fn w1() -> Word {
    Word::decode(&bytes_of(W1))
}

/// Predicate, field, bytes, value, legal value.
type Found = (u8, String, Option<(usize, usize)>, String, String);

fn findings(word: &Word, generation: Generation) -> Vec<Found> {
    explain(word, generation, generation.nc_version())
        .into_iter()
        .map(|f| {
            let bytes = f.bytes.map(|b| (b.start, b.end));
            (f.predicate.number(), f.field, bytes, f.value, f.legal)
        })
        .collect()
}

/// One broken field: predicate, field, bytes, value, legal value.
#[test]
fn every_predicate_names_its_field() {
    type Row = (
        fn(&mut Word),
        u8,
        &'static str,
        (usize, usize),
        &'static str,
        &'static str,
    );
    #[rustfmt::skip]
    let rows: &[Row] = &[
        (|w| w.header.inst_word_len = 17, 1, "header.inst_word_len", (1, 2), "17", "16"),
        (|w| w.events.wait_mode = 0x91, 2, "events.wait_mode", (4, 5), "0x91 WAIT_FOR_SEM_EQ_REG_OFFSET", "0x00 NONE"),
        (|w| w.events.update_mode = 0x06, 2, "events.update_mode", (6, 7), "0x06", "0x00 NONE"),
        (|w| w.header.opcode = 0xBE, 3, "header.opcode", (0, 1), "0xbe GET_SEQUENCE_BOUNDS", "0xbf SB2SB_COLLECTIVE"),
        (|w| w.lnc_size_fmt = 2, 5, "lnc_size_fmt", (32, 33), "0x02 LNC4", "0x00 LNC1 or 0x01 LNC2"),
        (|w| w.num_active_channels = 0, 6, "num_active_channels", (33, 34), "0", "1"),
        (|w| w.num_active_channels = 129, 6, "num_active_channels", (33, 34), "129", "128"),
        (|w| w.reserved0[1] = 3, 7, "reserved0[1]", (15, 16), "0x03", "0x00"),
        (|w| w.reserved1[13] = 3, 7, "reserved1[13]", (47, 48), "0x03", "0x00"),
        (|w| w.src.num_elem[1] = 0, 8, "src.num_elem[1]", (28, 30), "0", "1"),
        (|w| w.src.start_addr.0 = 3, 8, "src.start_addr", (16, 20), "0x3, 0x06 BFLOAT16 wants 2", "0x2"),
        (|w| w.src.start_addr.0 = 0x2000_0000, 8, "src.start_addr", (16, 20), "0x20000000", "0x00000000"),
        (|w| w.src.start_addr.0 = 0x0200_0000, 8, "src.start_addr", (16, 20), "0x2000000 (PSUM)", "0x0 to 0x1ffffff"),
        (|w| w.dst.start_addr.0 = 0x0800_0000, 9, "dst.start_addr", (48, 52), "0x8000000 (no memory)", "0x0 to 0x1ffffff"),
        (|w| w.dst.start_addr.0 = 0x8000_0040, 9, "dst.start_addr", (48, 52), "r64", "r63"),
        (|w| w.dst.start_addr.0 = 0x8000_0102, 9, "dst.start_addr", (48, 52), "0x80000102", "0x80000002"),
        (|w| w.dst.start_addr.0 = 0x9000_0001, 9, "dst.start_addr", (48, 52), "0x90000001", "0x80000001"),
        (|w| w.src.num_elem = [257, 1, 1], 10, "src.num_elem", (26, 32), "257 * 1 * 1 = 257", "a product of at most 256"),
        (|w| w.out_dtype = 7, 11, "out_dtype", (13, 14), "0x07 FP16", "0x06 BFLOAT16"),
    ];
    for (damage, predicate, field, bytes, value, legal) in rows {
        let mut word = w1();
        damage(&mut word);
        assert_eq!(
            findings(&word, Generation::V3),
            [(
                *predicate,
                (*field).into(),
                Some(*bytes),
                (*value).into(),
                (*legal).into()
            )]
        );
    }
}

#[test]
fn several_reasons_for_one_predicate() {
    let mut word = w1();
    word.header.opcode = 0xC0;
    word.header.inst_word_len = 64;
    word.in_dtype = 0;
    word.out_dtype = 0;
    let fields: Vec<_> = findings(&word, Generation::V3)
        .into_iter()
        .map(|(predicate, field, ..)| (predicate, field))
        .collect();
    let expected = [
        (1, "header.opcode"),
        (1, "header.inst_word_len"),
        (3, "header.opcode"),
        (8, "in_dtype"),
        (9, "out_dtype"),
    ];
    assert_eq!(fields, expected.map(|(p, f)| (p, f.to_owned())));
}

#[test]
fn generation_without_the_instruction() {
    let found = findings(&w1(), Generation::V2);
    assert_eq!(found[0].0, 1);
    assert_eq!(found[0].4, "none: v2 has no 0xbf");
    assert_eq!(found[1], (4, "nc".into(), None, "V2".into(), "V3".into()));
}

/// The value that a finding calls legal makes it go away, where it is a plain number.
#[test]
fn legal_values_are_legal() {
    let mut word = w1();
    word.num_active_channels = 200;
    let legal = explain(&word, Generation::V3, NcVersion::V3)[0]
        .legal
        .clone();
    word.num_active_channels = legal.parse().expect("a number");
    assert!(explain(&word, Generation::V3, NcVersion::V3).is_empty());
    word.dst.start_addr.0 = 0x0123_4567;
    let legal = explain(&word, Generation::V3, NcVersion::V3)[0]
        .legal
        .clone();
    word.dst.start_addr.0 = u32::from_str_radix(&legal[2..], 16).expect("hex");
    assert!(explain(&word, Generation::V3, NcVersion::V3).is_empty());
}

fn kinds(word: &Word, generation: Generation) -> Vec<NoteKind> {
    notes(word, generation)
        .into_iter()
        .map(|n| n.kind)
        .collect()
}

#[test]
fn notes_on_the_worked_words() {
    assert_eq!(kinds(&w1(), Generation::V3), []);
    let w2 = Word::decode(&bytes_of(W2));
    assert_eq!(kinds(&w2, Generation::V3), [NoteKind::SbufRange]);
    let w3 = Word::decode(&bytes_of(W3));
    assert_eq!(kinds(&w3, Generation::V3), [NoteKind::SharedValue]);
    assert_eq!(
        notes(&w3, Generation::V3)[0].text,
        "semaphore_value 0x9 is a register number for the wait and a number for the update"
    );
}

#[test]
fn notes_one_by_one() {
    type Change = fn(&mut Word);
    let rows: &[(Change, &[NoteKind])] = &[
        (
            |w| w.events.update_mode = 0,
            &[NoteKind::NoCompletionSignal],
        ),
        (
            |w| {
                w.events.wait_mode = 0x85;
                w.events.semaphore_value = 64;
            },
            &[NoteKind::BadRegister],
        ),
        (
            |w| {
                w.events.wait_mode = 0x85;
                w.events.semaphore_value = 0xFFFF_FF3F;
            },
            &[],
        ),
        (
            |w| w.dst.start_addr.0 = 0xC000_0001,
            &[NoteKind::ShapeRegister],
        ),
        (|w| w.dst.num_elem = [63, 1, 1], &[NoteKind::NelemMismatch]),
        (|w| w.dst.num_elem = [8, 8, 1], &[]),
        (|w| w.dst.start_addr.0 = 0x37F80, &[]),
        (|w| w.dst.start_addr.0 = 0x37F82, &[NoteKind::SbufRange]),
        (|w| w.dst.start_addr.0 = 0x40000, &[NoteKind::SbufRange]),
        (
            |w| {
                w.dst.start_addr.0 = 0x40000;
                w.num_active_channels = 127;
            },
            &[],
        ),
        (|w| w.dst.start_addr.0 = 0x7E, &[]),
        (
            |w| {
                w.dst.start_addr.0 = 0x7E;
                w.lnc_size_fmt = 0;
            },
            &[NoteKind::Overlap],
        ),
        (
            |w| {
                w.dst.start_addr.0 = 0x80;
                w.lnc_size_fmt = 0;
            },
            &[],
        ),
        (
            // Interleaved: even elements are read, odd ones written.
            |w| {
                w.src.step_elem[0] = 2;
                w.dst.step_elem[0] = 2;
                w.dst.start_addr.0 = 2;
                w.lnc_size_fmt = 0;
            },
            &[],
        ),
        (
            |w| {
                w.in_dtype = 0;
                w.out_dtype = 0;
                w.src.start_addr.0 = 0x8000_0000;
                w.dst.start_addr.0 = 0x8000_0001;
            },
            &[NoteKind::Dtype, NoteKind::Dtype],
        ),
        (|w| w.header.opcode = 0xA0, &[]),
    ];
    for (index, (change, expected)) in rows.iter().enumerate() {
        let mut word = w1();
        change(&mut word);
        assert_eq!(kinds(&word, Generation::V3), *expected, "row {index}");
    }
}

#[test]
fn lnc1_overlap_needs_a_common_partition() {
    let mut word = w1();
    word.lnc_size_fmt = 0;
    word.num_active_channels = 32;
    word.dst.start_addr.0 = 32 * 0x40000;
    assert_eq!(kinds(&word, Generation::V3), []);
    word.dst.start_addr.0 = 31 * 0x40000;
    assert_eq!(kinds(&word, Generation::V3), [NoteKind::Overlap]);
}

#[test]
fn kinds_that_fault_are_named_as_decided() {
    for (kind, fault) in [
        (NoteKind::SharedValue, None),
        (NoteKind::NoCompletionSignal, None),
        (NoteKind::BadRegister, Some("BadRegister")),
        (NoteKind::Dtype, Some("Dtype")),
        (NoteKind::ShapeRegister, Some("ShapeRegister")),
        (NoteKind::NelemMismatch, Some("NelemMismatch")),
        (NoteKind::SbufRange, Some("SbufRange")),
        (NoteKind::Overlap, Some("Overlap")),
    ] {
        assert_eq!(kind.fault(), fault);
        assert!(!kind.section().is_empty());
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn findings_lie_inside_the_word_and_in_order(
        bytes in any_word(), generation in prop::sample::select(Generation::ALL.to_vec())
    ) {
        let word = Word::decode(&bytes);
        let found = explain(&word, generation, generation.nc_version());
        prop_assert!(found.is_sorted_by_key(|f| f.predicate));
        for finding in found {
            let inside = finding.bytes.is_none_or(|b| b.start < b.end && b.end <= 64);
            prop_assert!(inside);
            prop_assert_ne!(finding.value, finding.legal);
            prop_assert!(finding.section.starts_with("isa-word §"));
            let version = finding.predicate == Predicate::HasValidNcSb2sbCollective;
            prop_assert_eq!(finding.field == "nc", version);
        }
    }

    #[test]
    fn notes_never_panic(
        bytes in any_word(), generation in prop::sample::select(Generation::ALL.to_vec())
    ) {
        let found = notes(&Word::decode(&bytes), generation);
        prop_assert!(bytes[0] == 0xBF || found.is_empty());
    }
}
