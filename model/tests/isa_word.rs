// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Layout of the word: isa-word §1 row by row, and the worked words of §9 field by field.

mod isa_support;

use isa_support::{W1, W2, W3, any_word, bytes_of, cases};
use pool_model::isa::{Addr4, FIELDS, Field, FieldError, Tensor3d, WORD_BYTES, Word, WordBytes};
use proptest::prelude::*;

/// First byte, last byte, path with index where isa-word §1 gives one row per entry.
#[rustfmt::skip]
const LAYOUT: &[(usize, usize, &str)] = &[
    (0, 0, "header.opcode"), (1, 1, "header.inst_word_len"),
    (2, 2, "header.debug_cmd"), (3, 3, "header.debug_hint"),
    (4, 4, "events.wait_mode"), (5, 5, "events.wait_idx"),
    (6, 6, "events.update_mode"), (7, 7, "events.update_idx"),
    (8, 11, "events.semaphore_value"), (12, 12, "in_dtype"), (13, 13, "out_dtype"),
    (14, 15, "reserved0"), (16, 19, "src.start_addr"),
    (20, 21, "src.step_elem[0]"), (22, 23, "src.step_elem[1]"), (24, 25, "src.step_elem[2]"),
    (26, 27, "src.num_elem[0]"), (28, 29, "src.num_elem[1]"), (30, 31, "src.num_elem[2]"),
    (32, 32, "lnc_size_fmt"), (33, 33, "num_active_channels"), (34, 47, "reserved1"),
    (48, 51, "dst.start_addr"),
    (52, 53, "dst.step_elem[0]"), (54, 55, "dst.step_elem[1]"), (56, 57, "dst.step_elem[2]"),
    (58, 59, "dst.num_elem[0]"), (60, 61, "dst.num_elem[1]"), (62, 63, "dst.num_elem[2]"),
];

#[test]
fn field_table_is_the_layout_table() {
    for &(first, last, path) in LAYOUT {
        let (name, index) = match path.split_once('[') {
            Some((name, index)) => (name, index.trim_end_matches(']').parse::<usize>().ok()),
            None => (path, None),
        };
        let field = Field::by_path(name).unwrap_or_else(|| panic!("no field {name}"));
        let bytes = match index {
            Some(index) => {
                let start = field.offset + index * field.width;
                start..start + field.width
            }
            None => field.bytes(),
        };
        assert_eq!(bytes, first..last + 1, "{path}");
        assert_eq!(field.signed, name.ends_with("step_elem"), "{path}");
    }
    assert_eq!(Field::by_path("src"), None);
}

#[test]
fn fields_cover_every_byte_once() {
    let mut next = 0;
    for field in &FIELDS {
        assert_eq!(field.bytes().start, next, "{}", field.path);
        next = field.bytes().end;
    }
    assert_eq!(next, WORD_BYTES);
}

/// The value of a field as the struct has it.
fn by_struct(word: &Word, path: &str) -> Vec<i64> {
    let tensor = |tensor: &Tensor3d, name: &str| -> Vec<i64> {
        match name {
            "start_addr" => vec![tensor.start_addr.0.into()],
            "step_elem" => tensor.step_elem.map(i64::from).to_vec(),
            "num_elem" => tensor.num_elem.map(i64::from).to_vec(),
            other => panic!("{other}"),
        }
    };
    match path {
        "header.opcode" => vec![word.header.opcode.into()],
        "header.inst_word_len" => vec![word.header.inst_word_len.into()],
        "header.debug_cmd" => vec![word.header.debug_cmd.into()],
        "header.debug_hint" => vec![word.header.debug_hint.into()],
        "events.wait_mode" => vec![word.events.wait_mode.into()],
        "events.wait_idx" => vec![word.events.wait_idx.into()],
        "events.update_mode" => vec![word.events.update_mode.into()],
        "events.update_idx" => vec![word.events.update_idx.into()],
        "events.semaphore_value" => vec![word.events.semaphore_value.into()],
        "in_dtype" => vec![word.in_dtype.into()],
        "out_dtype" => vec![word.out_dtype.into()],
        "reserved0" => word.reserved0.map(i64::from).to_vec(),
        "reserved1" => word.reserved1.map(i64::from).to_vec(),
        "lnc_size_fmt" => vec![word.lnc_size_fmt.into()],
        "num_active_channels" => vec![word.num_active_channels.into()],
        _ => match path.split_once('.') {
            Some(("src", name)) => tensor(&word.src, name),
            Some(("dst", name)) => tensor(&word.dst, name),
            _ => panic!("{path}"),
        },
    }
}

#[test]
fn worked_words_decode_to_what_they_say() {
    let w1 = Word::decode(&bytes_of(W1));
    assert_eq!((w1.header.opcode, w1.header.inst_word_len), (0xBF, 16));
    assert_eq!(u16::from_le_bytes([0xBF, 0x10]), 0x10BF);
    assert_eq!((w1.in_dtype, w1.out_dtype, w1.lnc_size_fmt), (6, 6, 1));
    assert_eq!(w1.num_active_channels, 128);
    assert_eq!((w1.events.update_mode, w1.events.update_idx), (0x13, 5));
    assert_eq!(w1.src.start_addr, Addr4(0));
    assert_eq!(w1.dst.start_addr, Addr4(0x1000));
    assert_eq!((w1.src.num_elem, w1.src.step_elem), ([64, 1, 1], [1, 0, 0]));

    let w2 = Word::decode(&bytes_of(W2));
    assert_eq!((w2.events.wait_mode, w2.events.wait_idx), (5, 3));
    assert_eq!(w2.events.semaphore_value, 7);
    assert_eq!(w2.src.start_addr, Addr4(32 * 0x40000 + 0x400));
    assert_eq!(w2.src.step_elem, [1, 64, -256]);
    assert_eq!(w2.src.num_elem, [16, 4, 4]);
    assert_eq!(w2.src.stored_elements(), 256);
    assert_eq!(w2.dst.start_addr, Addr4(0x8000_0005));
    assert_eq!(w2.num_active_channels, 32);
    assert_eq!((w2.events.update_mode, w2.events.update_idx), (0x13, 16));

    let w3 = Word::decode(&bytes_of(W3));
    assert_eq!((w3.events.wait_mode, w3.events.wait_idx), (0x85, 255));
    assert_eq!((w3.events.update_mode, w3.events.update_idx), (0x15, 254));
    assert_eq!(w3.events.semaphore_value, 9);
    assert_eq!(w3.src.start_addr, Addr4(127 * 0x40000 + 0x37FFF));
    assert_eq!(w3.dst.start_addr, Addr4(96 * 0x40000));
    assert_eq!((w3.lnc_size_fmt, w3.num_active_channels), (0, 1));
}

#[test]
fn events_as_one_number() {
    let word = Word::decode(&bytes_of(W3));
    let events = word.events;
    let number = u64::from(events.semaphore_value) << 32
        | u64::from(events.update_idx) << 24
        | u64::from(events.update_mode) << 16
        | u64::from(events.wait_idx) << 8
        | u64::from(events.wait_mode);
    let bytes: [u8; 8] = bytes_of(W3)[4..12].try_into().expect("eight bytes");
    assert_eq!(number, u64::from_le_bytes(bytes));
}

#[test]
fn product_of_counts_does_not_wrap() {
    let tensor = Tensor3d {
        num_elem: [0x8000, 0x8000, 4],
        ..Tensor3d::default()
    };
    assert_eq!(tensor.stored_elements(), 1 << 32);
}

#[test]
fn set_refuses_what_does_not_fit() {
    let mut bytes: WordBytes = [0xA5; WORD_BYTES];
    for field in &FIELDS {
        let range = field.range();
        for index in 0..field.count {
            for value in [*range.start(), *range.end()] {
                assert_eq!(field.set(&mut bytes, index, value), Ok(()));
                assert_eq!(field.get(&bytes, index), Some(value), "{}", field.path);
            }
            for value in [*range.start() - 1, *range.end() + 1] {
                let error = field.set(&mut bytes, index, value);
                assert!(
                    matches!(error, Err(FieldError::Range { .. })),
                    "{}",
                    field.path
                );
            }
        }
        assert_eq!(field.get(&bytes, field.count), None);
        let error = field.set(&mut bytes, field.count, 0);
        assert!(matches!(error, Err(FieldError::Index { .. })));
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn encode_undoes_decode(bytes in any_word()) {
        prop_assert_eq!(Word::decode(&bytes).encode(), bytes);
    }

    #[test]
    fn field_table_reads_what_the_struct_has(bytes in any_word()) {
        let word = Word::decode(&bytes);
        for field in &FIELDS {
            let values: Vec<i64> = field.values(&bytes).collect();
            prop_assert_eq!(values, by_struct(&word, field.path), "{}", field.path);
        }
    }

    #[test]
    fn fields_rebuild_the_word(bytes in any_word()) {
        let mut built: WordBytes = [0; WORD_BYTES];
        for field in &FIELDS {
            for (index, value) in field.values(&bytes).enumerate() {
                prop_assert_eq!(field.set(&mut built, index, value), Ok(()));
            }
        }
        prop_assert_eq!(built, bytes);
    }
}
