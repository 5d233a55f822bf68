// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The plan moves exactly the bytes that the element formula of [isa-word §2.1, MC-13] names, in its order, and no
//! descriptor could have been longer. [idma-ring MC-23]

mod pool_support;

use pool_model::generation::Generation;
use pool_model::isa::{Addr4, SB2SB_OPCODE, Tensor3d, Word};
use pool_model::pool::q7::{LegPlan, PairKind, Role};
use pool_support::Bench;
use proptest::prelude::*;

/// Stride and active bytes of a partition. [isa-word §2.5]
fn partition_bytes(generation: Generation) -> (u64, i64) {
    match generation {
        Generation::V3 => (0x4_0000, 0x3_8000),
        Generation::V4 | Generation::V4Plus => (0x4_0000, 0x4_0000),
        Generation::V5 => (0x10_0000, 0x8_0000),
        Generation::V2 => unreachable!("v2 has no 0xBF"),
    }
}

/// The offsets of an operand's elements: three nested loops, written out.
fn elements(tensor: &Tensor3d, start: i64, size: i64) -> Vec<i64> {
    let mut found = Vec::new();
    for i2 in 0..i64::from(tensor.num_elem[2]) {
        for i1 in 0..i64::from(tensor.num_elem[1]) {
            for i0 in 0..i64::from(tensor.num_elem[0]) {
                let [s0, s1, s2] = tensor.step_elem.map(i64::from);
                found.push(start + size * (i0 * s0 + i1 * s1 + i2 * s2));
            }
        }
    }
    found
}

/// Source and destination SoC address of every byte, channel by channel, in element order.
fn oracle(
    word: &Word,
    size: i64,
    generation: Generation,
    bases: (u64, u64),
) -> Option<Vec<(u64, u64)>> {
    let (stride, active) = partition_bytes(generation);
    let split = |addr: Addr4| {
        (
            u64::from(addr.0) / stride,
            (u64::from(addr.0) % stride).cast_signed(),
        )
    };
    let ((from_partition, from), (to_partition, to)) =
        (split(word.src.start_addr), split(word.dst.start_addr));
    let source = elements(&word.src, from, size);
    let destination = elements(&word.dst, to, size);
    let inside = |offset: &i64| *offset >= 0 && offset + size <= active;
    let channels = u64::from(word.num_active_channels);
    if !source.iter().chain(&destination).all(inside)
        || from_partition.max(to_partition) + channels > 128
    {
        return None;
    }
    let mut bytes = Vec::new();
    for channel in 0..channels {
        for (s, d) in source.iter().zip(&destination) {
            for byte in 0..size {
                bytes.push((
                    bases.0 + (from_partition + channel) * stride + (s + byte).cast_unsigned(),
                    bases.1 + (to_partition + channel) * stride + (d + byte).cast_unsigned(),
                ));
            }
        }
    }
    Some(bytes)
}

/// What the descriptors of a plan do, read from their sixteen bytes: source, destination, length, in the order of
/// channels.
fn moves(plan: &LegPlan) -> Vec<(u32, u64, u64, u64)> {
    let mut found = Vec::new();
    for slot in 0..plan.engines().len() {
        for pair in plan.pairs(slot) {
            let PairKind::Data { channel, .. } = pair.kind else {
                continue;
            };
            let length = match pair.tx.descriptor.word0 & 0xFFFF {
                0 => 0x1_0000,
                length => u64::from(length),
            };
            assert_eq!(
                pair.rx.descriptor.word0 & 0xFFFF,
                pair.tx.descriptor.word0 & 0xFFFF
            );
            found.push((
                channel,
                pair.tx.descriptor.buf_ptr,
                pair.rx.descriptor.buf_ptr,
                length,
            ));
        }
    }
    // Within a channel the order of the ring stays.
    found.sort_by_key(|entry| entry.0);
    found
}

fn counts() -> impl Strategy<Value = [u16; 3]> {
    prop_oneof![
        [1_u16..=6, 1_u16..=6, 1_u16..=7],
        (1_u16..=256).prop_map(|n| [n, 1, 1]),
        (1_u16..=16, 1_u16..=16).prop_map(|(a, b)| [a, b, 1]),
        (1_u16..=16, 1_u16..=16).prop_map(|(a, b)| [1, a, b]),
    ]
}

/// Counts of the destination with the same product: a rotation, or everything in one dimension.
fn same_product(counts: [u16; 3], way: u8) -> [u16; 3] {
    let [a, b, c] = counts;
    match way {
        0 => counts,
        1 => [b, c, a],
        2 => [c, a, b],
        3 => [a * b * c, 1, 1],
        _ => [1, 1, a * b * c],
    }
}

fn step() -> impl Strategy<Value = i16> {
    prop_oneof![4 => Just(1_i16), 4 => -20_i16..=20, 1 => -400_i16..=400, 1 => Just(0)]
}

/// Steps that walk without a gap where the counts let them.
fn steps(counts: [u16; 3]) -> impl Strategy<Value = [i16; 3]> {
    let dense = [
        1,
        counts[0].cast_signed(),
        (counts[0] * counts[1]).cast_signed(),
    ];
    prop_oneof![
        Just(dense),
        (step(), step()).prop_map(|(middle, outer)| [1, middle, outer]),
        [step(), step(), step()],
    ]
}

prop_compose! {
    fn words()(num in counts(), way in 0_u8..5, dtype in prop::sample::select(vec![(3_u8, 1_i64), (6, 2), (11, 4), (1, 8)]))
        (src_steps in steps(num), dst_steps in steps(same_product(num, way)), num in Just(num), way in Just(way),
         dtype in Just(dtype), channels in 1_u8..=20, mask in prop::sample::select(vec![1_u32, 0x80, 3, 0x5A, 0xFF]),
         from in (0_u32..110, 0_u32..0x7000), to in (0_u32..110, 0_u32..0x7000))
        -> (Word, i64, u32, (u32, u32), (u32, u32)) {
        let mut word = Word::default();
        word.header.opcode = SB2SB_OPCODE;
        (word.in_dtype, word.out_dtype) = (dtype.0, dtype.0);
        word.lnc_size_fmt = 1;
        word.num_active_channels = channels;
        (word.src.num_elem, word.src.step_elem) = (num, src_steps);
        (word.dst.num_elem, word.dst.step_elem) = (same_product(num, way), dst_steps);
        (word, dtype.1, mask, from, to)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_byte_moves_as_the_formula_says(
        (mut word, size, mask, from, to) in words(),
        generation in prop::sample::select(vec![Generation::V3, Generation::V4, Generation::V5]),
    ) {
        let (stride, _) = partition_bytes(generation);
        let unit = u32::try_from(size).expect("a few bytes");
        let align = |offset: u32| offset / unit * unit;
        word.src.start_addr = Addr4(from.0 * stride as u32 + align(from.1));
        word.dst.start_addr = Addr4(to.0 * stride as u32 + align(to.1));
        let mut bench = Bench::new(generation, 2);
        bench.context.dma_engine_mask = mask;
        bench.context.ring_len = 0x10_0000;
        let bases = (0x60_0000_0000, 0x70_0000_0000);
        match (bench.plan(&word), oracle(&word, size, generation, bases)) {
            (Err(found), None) => prop_assert_eq!(found.class.name(), "SbufRange"),
            (Err(found), Some(_)) => prop_assert!(false, "{}", found),
            (Ok(_), None) => prop_assert!(false, "the pattern leaves its partition"),
            (Ok(plan), Some(expected)) => {
                let moves = moves(&plan);
                let bytes: Vec<_> = moves
                    .iter()
                    .flat_map(|(_, s, d, n)| (0..*n).map(move |i| (s + i, d + i)))
                    .collect();
                prop_assert_eq!(&bytes, &expected);
                // A descriptor that goes on where the one before it ends could have been part of it.
                for two in moves.windows(2) {
                    let ((c0, s0, d0, n0), (c1, s1, d1, _)) = (two[0], two[1]);
                    prop_assert!(c0 != c1 || s0 + n0 != s1 || d0 + n0 != d1);
                }
                // Each role stores every descriptor of every engine once.
                let total: u64 = plan.counts().map(|(_, n)| u64::from(n)).sum();
                for role in Role::ALL {
                    prop_assert_eq!(plan.stores(role).count() as u64, total);
                }
                let data = moves.len() as u64;
                prop_assert_eq!(total, data + 2 * u64::from(mask.count_ones()));
            }
        }
    }
}
