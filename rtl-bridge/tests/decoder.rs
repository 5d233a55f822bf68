// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The RTL decoder against the specification's worked words, and the batch call against itself.

use std::thread;

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::WordBytes;
use rtl_bridge::mutants::{MutantId, table};
use rtl_bridge::{Decoder, RtlDecoded, RtlError};

const W1: &str = "
    bf 10 00 00 00 00 13 05 00 00 00 00 06 06 00 00
    00 00 00 00 01 00 00 00 00 00 40 00 01 00 01 00
    01 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 10 00 00 01 00 00 00 00 00 40 00 01 00 01 00";
const W2: &str = "
    bf 10 00 00 05 03 13 10 07 00 00 00 0a 0a 00 00
    00 04 80 00 01 00 40 00 00 ff 10 00 04 00 04 00
    01 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    05 00 00 80 01 00 10 00 40 00 10 00 04 00 04 00";
const W3: &str = "
    bf 10 00 00 85 ff 15 fe 09 00 00 00 0e 0e 00 00
    ff 7f ff 01 00 00 00 00 00 00 01 00 01 00 01 00
    00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00 80 01 01 00 01 00 01 00 01 00 01 00 01 00";

fn word(text: &str) -> WordBytes {
    let bytes: Vec<u8> = text
        .split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect();
    bytes.try_into().unwrap()
}

fn w1_with(changes: &[(usize, &[u8])]) -> WordBytes {
    let mut bytes = word(W1);
    for (offset, value) in changes {
        bytes[*offset..offset + value.len()].copy_from_slice(value);
    }
    bytes
}

fn first_failure(
    decoder: &mut Decoder,
    bytes: &WordBytes,
    generation: Generation,
    nc: NcVersion,
) -> u8 {
    let result = decoder.decode(bytes, generation, nc).unwrap();
    assert_eq!(result.valid, result.fail == 0);
    let lowest = if result.fail == 0 {
        0
    } else {
        result.fail.trailing_zeros() as u8 + 1
    };
    assert_eq!(result.first_failure, lowest);
    result.first_failure
}

/// The fields of W2 as [isa-word §9] describes them.
#[test]
fn every_field_of_the_second_worked_word() {
    let mut decoder = Decoder::new().unwrap();
    let result = decoder
        .decode(&word(W2), Generation::V3, NcVersion::V3)
        .unwrap();
    let expected = RtlDecoded {
        header_opcode: 0xBF,
        header_inst_word_len: 16,
        header_debug_cmd: 0,
        header_debug_hint: 0,
        events_wait_mode: 5,
        events_wait_idx: 3,
        events_update_mode: 0x13,
        events_update_idx: 16,
        events_semaphore_value: 7,
        in_dtype: 10,
        out_dtype: 10,
        reserved0: [0; 2],
        src_start_addr: 32 * 0x4_0000 + 0x400,
        src_step_elem: [1, 64, -256],
        src_num_elem: [16, 4, 4],
        lnc_size_fmt: 1,
        num_active_channels: 32,
        reserved1: [0; 14],
        dst_start_addr: 0x8000_0005,
        dst_step_elem: [1, 16, 64],
        dst_num_elem: [16, 4, 4],
        fail: 0,
        first_failure: 0,
        valid: true,
        src_nelem: 256,
    };
    assert_eq!(result, expected);
}

/// Each byte of a word comes out in its own place: every byte differs, every field is asymmetric.
#[test]
fn every_byte_lands_in_its_field() {
    let bytes: WordBytes = std::array::from_fn(|i| 0x80 + i as u8);
    let mut decoder = Decoder::new().unwrap();
    let result = decoder
        .decode(&bytes, Generation::V3, NcVersion::V3)
        .unwrap();
    let half = |at: u8| u16::from_le_bytes([0x80 + at, 0x81 + at]);
    let signed = |at: u8| i16::from_le_bytes([0x80 + at, 0x81 + at]);
    assert_eq!(
        [result.header_opcode, result.header_inst_word_len],
        [0x80, 0x81]
    );
    assert_eq!(
        [result.header_debug_cmd, result.header_debug_hint],
        [0x82, 0x83]
    );
    assert_eq!(
        [result.events_wait_mode, result.events_wait_idx],
        [0x84, 0x85]
    );
    assert_eq!(
        [result.events_update_mode, result.events_update_idx],
        [0x86, 0x87]
    );
    assert_eq!(result.events_semaphore_value, 0x8B8A_8988);
    assert_eq!([result.in_dtype, result.out_dtype], [0x8C, 0x8D]);
    assert_eq!(result.reserved0, [0x8E, 0x8F]);
    assert_eq!(result.src_start_addr, 0x9392_9190);
    assert_eq!(result.src_step_elem, [signed(20), signed(22), signed(24)]);
    assert_eq!(result.src_num_elem, [half(26), half(28), half(30)]);
    assert_eq!(
        [result.lnc_size_fmt, result.num_active_channels],
        [0xA0, 0xA1]
    );
    assert_eq!(result.reserved1, std::array::from_fn(|i| 0xA2 + i as u8));
    assert_eq!(result.dst_start_addr, 0xB3B2_B1B0);
    assert_eq!(result.dst_step_elem, [signed(52), signed(54), signed(56)]);
    assert_eq!(result.dst_num_elem, [half(58), half(60), half(62)]);
    let product = [26, 28, 30]
        .map(|at| u64::from(half(at)))
        .iter()
        .product::<u64>();
    assert_eq!(result.src_nelem, product);
}

/// "All three pass on v3, v4 and v5, and fail predicate 1 on v2." [isa-word §9]
#[test]
fn worked_words_on_all_generations() {
    let mut decoder = Decoder::new().unwrap();
    for text in [W1, W2, W3] {
        for generation in Generation::ALL {
            let expected = u8::from(generation == Generation::V2);
            let nc = generation.nc_version();
            assert_eq!(
                first_failure(&mut decoder, &word(text), generation, nc),
                expected,
                "{text} {generation}"
            );
        }
    }
}

/// The acceptance table of [isa-word §9], row by row: first failures on v3, v4 and v5.
#[test]
fn acceptance_table() {
    let source = |addr: u32| w1_with(&[(16, &addr.to_le_bytes())]);
    let destination = |addr: u32| w1_with(&[(48, &addr.to_le_bytes())]);
    let counts = |at: usize, n: [u16; 3]| {
        let halves = n.map(u16::to_le_bytes);
        w1_with(&[(at, halves.as_flattened())])
    };
    let dtypes = |tag: u8| w1_with(&[(12, &[tag, tag])]);
    let byte = |at: usize, value: u8| w1_with(&[(at, &[value])]);
    let registers = [0x05, 0, 0, 0x80];
    let mut rows = vec![
        ("opcode 0xC0", byte(0, 0xC0), [1, 1, 1]),
        ("opcode 0xBE", byte(0, 0xBE), [3, 3, 3]),
        ("opcode 0xFF", byte(0, 0xFF), [3, 3, 3]),
        ("inst_word_len 15", byte(1, 15), [1, 1, 1]),
        ("inst_word_len 17", byte(1, 17), [1, 1, 1]),
        ("inst_word_len 64", byte(1, 64), [1, 1, 1]),
        ("debug_cmd 0xFF", byte(2, 0xFF), [0, 0, 0]),
        ("debug_hint 0xFF", byte(3, 0xFF), [0, 0, 0]),
        ("wait_mode 0x06", byte(4, 0x06), [0, 0, 2]),
        ("wait_mode 0x08", byte(4, 0x08), [2, 2, 2]),
        ("wait_mode 0x91", byte(4, 0x91), [2, 2, 0]),
        ("wait_mode 0xFE", byte(4, 0xFE), [2, 2, 0]),
        ("wait_mode 0xFF", byte(4, 0xFF), [2, 2, 2]),
        ("update_mode 0xFF", byte(6, 0xFF), [2, 2, 2]),
        ("update_mode 0x06", byte(6, 0x06), [2, 2, 2]),
        ("update_mode 0x11", byte(6, 0x11), [0, 0, 2]),
        ("update_mode 0x99", byte(6, 0x99), [0, 0, 0]),
        ("lnc_size_fmt 0", byte(32, 0), [0, 0, 0]),
        ("num_active_channels 1", byte(33, 1), [0, 0, 0]),
        ("num_active_channels 128", byte(33, 128), [0, 0, 0]),
        ("source count (0,1,1)", counts(26, [0, 1, 1]), [8, 8, 8]),
        (
            "source counts (16,16,1)",
            counts(26, [16, 16, 1]),
            [0, 0, 0],
        ),
        (
            "source counts (257,1,1)",
            counts(26, [257, 1, 1]),
            [10, 10, 10],
        ),
        (
            "source counts (0x8000,0x8000,4)",
            counts(26, [0x8000, 0x8000, 4]),
            [10, 10, 10],
        ),
        (
            "destination counts at most",
            counts(58, [65535; 3]),
            [0, 0, 0],
        ),
        ("source address 1", source(1), [8, 8, 8]),
        ("source address 0x1FFFFFE", source(0x01FF_FFFE), [0, 0, 0]),
        ("source address 0x2000000", source(0x0200_0000), [8, 8, 0]),
        ("source address 0x2400000", source(0x0240_0000), [8, 8, 0]),
        ("source address 0x7FFFFFE", source(0x07FF_FFFE), [8, 8, 0]),
        ("source address 0x8000000", source(0x0800_0000), [8, 8, 8]),
        (
            "destination register 63",
            destination(0x8000_003F),
            [0, 0, 0],
        ),
        (
            "destination register 64",
            destination(0x8000_0040),
            [9, 9, 9],
        ),
        (
            "destination word 0x80000100",
            destination(0x8000_0100),
            [9, 9, 9],
        ),
        (
            "source word 0x40000000, counts 0,0,0",
            w1_with(&[(16, &0x4000_0000_u32.to_le_bytes()), (26, &[0; 6])]),
            [0, 0, 0],
        ),
        ("source word 0x20000000", source(0x2000_0000), [8, 8, 8]),
        ("out_dtype 7 with in_dtype 6", byte(13, 7), [11, 11, 11]),
        ("both dtypes 0", dtypes(0), [8, 8, 8]),
        (
            "both dtypes 0, both addresses registers",
            w1_with(&[(12, &[0, 0]), (16, &registers), (48, &registers)]),
            [0, 0, 0],
        ),
        ("both dtypes 16", dtypes(16), [8, 0, 0]),
        ("both dtypes 11", dtypes(11), [0, 0, 0]),
    ];
    rows.extend([2, 3, 4, 255].map(|fmt| ("lnc_size_fmt", byte(32, fmt), [5, 5, 5])));
    rows.extend([0, 129, 255].map(|n| ("num_active_channels", byte(33, n), [6, 6, 6])));
    rows.extend(
        [14, 15]
            .into_iter()
            .chain(34..48)
            .map(|at| ("reserved byte", byte(at, 1), [7, 7, 7])),
    );

    let mut decoder = Decoder::new().unwrap();
    for (change, bytes, expected) in &rows {
        for (generation, expected) in [Generation::V3, Generation::V4, Generation::V5]
            .into_iter()
            .zip(expected)
        {
            let found = first_failure(&mut decoder, bytes, generation, generation.nc_version());
            assert_eq!(found, *expected, "{change} on {generation}");
        }
        let v4 = decoder
            .decode(bytes, Generation::V4, NcVersion::V4)
            .unwrap();
        let v4_plus = decoder
            .decode(bytes, Generation::V4Plus, NcVersion::V4)
            .unwrap();
        assert_eq!(
            v4, v4_plus,
            "{change}: every v4 rule holds for v4+ [isa-word §0]"
        );
    }
    for generation in [Generation::V3, Generation::V4, Generation::V5] {
        let found = first_failure(&mut decoder, &word(W1), generation, NcVersion::V2);
        assert_eq!(found, 4, "nc argument V2 on {generation}");
    }
}

fn many_words() -> Vec<WordBytes> {
    let mut words = Vec::new();
    for text in [W1, W2, W3] {
        for at in 0..64 {
            for value in [0, 1, 0x40, 0x7F, 0x80, 0xFF] {
                let mut bytes = word(text);
                bytes[at] = value;
                words.push(bytes);
            }
        }
    }
    words
}

#[test]
fn a_batch_is_the_same_as_single_words() {
    let words = many_words();
    let mut batch = Decoder::new().unwrap();
    let mut single = Decoder::new().unwrap();
    for generation in Generation::ALL {
        let nc = generation.nc_version();
        let mut results = vec![RtlDecoded::default(); words.len()];
        batch
            .decode_batch(&words, generation, nc, &mut results)
            .unwrap();
        for (bytes, result) in words.iter().zip(&results) {
            assert_eq!(single.decode(bytes, generation, nc).unwrap(), *result);
        }
        let valid = results.iter().filter(|result| result.valid).count() as u64;
        assert_eq!(batch.pure_loop(&words, generation, nc), Ok(valid));
    }
}

#[test]
fn a_batch_with_too_little_room_is_refused() {
    let mut decoder = Decoder::new().unwrap();
    let words = [word(W1); 3];
    let mut results = [RtlDecoded::default(); 2];
    let refused = decoder.decode_batch(&words, Generation::V3, NcVersion::V3, &mut results);
    assert_eq!(
        refused,
        Err(RtlError::BatchSize {
            operations: 3,
            results: 2
        })
    );
    assert_eq!(
        decoder.decode_batch(&[], Generation::V3, NcVersion::V3, &mut []),
        Ok(())
    );
}

#[test]
fn instances_on_many_threads_do_not_disturb_each_other() {
    let words = many_words();
    let reference: Vec<_> = Generation::ALL
        .into_iter()
        .map(|generation| {
            let mut decoder = Decoder::new().unwrap();
            words
                .iter()
                .map(|w| {
                    decoder
                        .decode(w, generation, generation.nc_version())
                        .unwrap()
                })
                .collect::<Vec<_>>()
        })
        .collect();
    thread::scope(|scope| {
        for start in 0..4 {
            let (words, reference) = (&words, &reference);
            scope.spawn(move || {
                let mut decoders = [Decoder::new().unwrap(), Decoder::instrumented().unwrap()];
                for round in 0..20 {
                    let generation = Generation::ALL[(start + round) % 5];
                    let mut results = vec![RtlDecoded::default(); words.len()];
                    let decoder = &mut decoders[round % 2];
                    decoder
                        .decode_batch(words, generation, generation.nc_version(), &mut results)
                        .unwrap();
                    assert_eq!(results, reference[generation.index()]);
                }
            });
        }
    });
}

#[test]
fn only_the_instrumented_copy_has_mutants() {
    let mutant = MutantId::new(1);
    let mut plain = Decoder::new().unwrap();
    assert_eq!(plain.set_mutant(None), Ok(()));
    let Err(RtlError::Refused(why)) = plain.set_mutant(mutant) else {
        panic!("the plain model took a mutant");
    };
    assert!(
        why.contains("mutant 1 needs the instrumented model"),
        "{why}"
    );
    assert!(!plain.is_dead());
    let mut instrumented = Decoder::instrumented().unwrap();
    assert_eq!(instrumented.set_mutant(mutant), Ok(()));
}

/// The mutant rejects the last accepted element count, and nothing else notices.
#[test]
fn a_mutant_shows_only_while_it_is_chosen() {
    let mutant = table()
        .iter()
        .find(|row| row.name == "nelem_256_rejected")
        .unwrap()
        .id;
    let last_accepted = w1_with(&[(26, &[0, 1])]);
    let mut decoder = Decoder::instrumented().unwrap();
    let mut first = |mutant, bytes: &WordBytes| {
        decoder.set_mutant(mutant).unwrap();
        first_failure(&mut decoder, bytes, Generation::V3, NcVersion::V3)
    };
    assert_eq!(first(None, &last_accepted), 0);
    assert_eq!(first(Some(mutant), &last_accepted), 10);
    assert_eq!(first(Some(mutant), &word(W1)), 0);
    assert_eq!(first(None, &last_accepted), 0);
}
