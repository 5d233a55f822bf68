// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Element addresses against the formula of isa-word §2.1, and the range rule of decisions D-3 against
//! a byte-by-byte check.

mod isa_support;

use isa_support::{W1, W2, W3, bytes_of, cases};
use pool_model::generation::Generation;
use pool_model::isa::{Addr4, Extent, Pattern, RangeError, Tensor3d, Word};
use proptest::prelude::*;

fn pattern(tensor: &Tensor3d, element_bytes: u32, generation: Generation) -> Pattern {
    Pattern::new(
        tensor,
        tensor.start_addr.immediate(),
        element_bytes,
        generation,
    )
}

/// The formula, term by term, i2 outermost.
fn by_formula(tensor: &Tensor3d, e: i64, stride: i64, channels: i64) -> Vec<i64> {
    let address = i64::from(tensor.start_addr.0);
    let (start_partition, start_byte_offset) = (address / stride, address % stride);
    let [s0, s1, s2] = tensor.step_elem.map(i64::from);
    let [n0, n1, n2] = tensor.num_elem.map(i64::from);
    let mut bytes = Vec::new();
    for p in 0..channels {
        for i2 in 0..n2 {
            for i1 in 0..n1 {
                for i0 in 0..n0 {
                    bytes.push(
                        (start_partition + p) * stride
                            + start_byte_offset
                            + (i0 * s0 + i1 * s1 + i2 * s2) * e,
                    );
                }
            }
        }
    }
    bytes
}

#[test]
fn worked_words() {
    let w1 = Word::decode(&bytes_of(W1));
    let src = pattern(&w1.src, 2, Generation::V3);
    assert_eq!((src.elements(), src.bytes()), (64, 128));
    assert_eq!(src.extent(), Some(Extent { first: 0, end: 128 }));
    assert_eq!(src.check(128), Ok(()));
    let dst = pattern(&w1.dst, 2, Generation::V3);
    assert_eq!(dst.offsets().next(), Some(0x1000));

    // The negative step of W2 leaves the partition; offset 0xC00 makes it executable. [decisions D-8]
    let mut w2 = Word::decode(&bytes_of(W2));
    let src = pattern(&w2.src, 4, Generation::V3);
    assert_eq!(src.start_partition, 32);
    assert_eq!(
        src.check(32),
        Err(RangeError::Bytes {
            first: 0x400 - 3 * 256 * 4,
            last: 0x400 + (15 + 3 * 64) * 4 + 3,
            active_last: 0x37FFF,
        })
    );
    w2.src.start_addr = Addr4(32 * 0x40000 + 0xC00);
    assert_eq!(pattern(&w2.src, 4, Generation::V3).check(32), Ok(()));
    assert_eq!(pattern(&w2.src, 4, Generation::V3).check(96), Ok(()));
    assert_eq!(
        pattern(&w2.src, 4, Generation::V3).check(97),
        Err(RangeError::Partition {
            channel: 96,
            partition: 128,
            last: 127
        })
    );

    let w3 = Word::decode(&bytes_of(W3));
    assert_eq!(pattern(&w3.src, 1, Generation::V3).check(1), Ok(()));
    assert!(pattern(&w3.src, 1, Generation::V2).check(1).is_err());
    assert!(pattern(&w3.src, 2, Generation::V3).check(1).is_err());
    assert!(pattern(&w3.src, 1, Generation::V3).check(2).is_err());
}

#[test]
fn step_zero_repeats_the_element() {
    let tensor = Tensor3d {
        start_addr: Addr4(0x10),
        step_elem: [0, 2, 0],
        num_elem: [2, 2, 1],
    };
    let offsets: Vec<i64> = pattern(&tensor, 4, Generation::V3).offsets().collect();
    assert_eq!(offsets, [0x10, 0x10, 0x18, 0x18]);
}

#[test]
fn extremes_do_not_overflow() {
    for step in [i16::MIN, i16::MAX] {
        let tensor = Tensor3d {
            start_addr: Addr4(0x1FFF_FFF8),
            step_elem: [step; 3],
            num_elem: [u16::MAX; 3],
        };
        let pattern = pattern(&tensor, 8, Generation::V3);
        assert_eq!(pattern.elements(), 65_535 * 65_535 * 65_535);
        let reach = 3 * 65_534 * i64::from(step) * 8;
        assert_eq!(
            pattern.offset_of([65_534; 3]) - i64::from(pattern.start_offset),
            reach
        );
        assert!(pattern.check(1).is_err());
        assert_eq!(pattern.channel(u32::MAX).partition, u32::MAX);
    }
}

#[test]
fn empty_pattern_touches_nothing() {
    let tensor = Tensor3d {
        num_elem: [3, 0, 3],
        ..Tensor3d::default()
    };
    let pattern = pattern(&tensor, 2, Generation::V3);
    assert_eq!(pattern.offsets().next(), None);
    assert_eq!(pattern.extent(), None);
    assert_eq!(pattern.check(128), Ok(()));
}

prop_compose! {
    fn tensors()(
        address in 0_u32..0x200_0000,
        steps in prop::array::uniform3(prop_oneof![-70_i16..70, any::<i16>()]),
        counts in prop::array::uniform3(1_u16..6),
    ) -> Tensor3d {
        Tensor3d { start_addr: Addr4(address), step_elem: steps, num_elem: counts }
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn addresses_follow_the_formula(
        tensor in tensors(), e in prop::sample::select(vec![1_u32, 2, 4, 8]), channels in 1_u32..4
    ) {
        for (generation, stride) in [(Generation::V3, 0x40000), (Generation::V5, 0x10_0000)] {
            let expected = by_formula(&tensor, e.into(), stride, channels.into());
            let pattern = pattern(&tensor, e, generation);
            let found: Vec<i64> = pattern.addresses(channels).map(|(_, a)| a).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(found.len() as u64, pattern.elements() * u64::from(channels));
            let single = pattern.address_of(channels - 1, tensor.num_elem.map(|n| n - 1));
            prop_assert_eq!(Some(&single), expected.last());
            for (channel, address) in pattern.addresses(channels) {
                let partition = pattern.start_partition + channel.index;
                prop_assert_eq!(channel.partition, partition);
                prop_assert_eq!(channel.base, i64::from(partition) * stride);
                prop_assert!(pattern.offsets().any(|offset| channel.base + offset == address));
            }
        }
    }

    #[test]
    fn check_agrees_with_every_byte(
        mut tensor in tensors(), near_end in any::<bool>(), e in prop::sample::select(vec![1_u32, 2, 4, 8]),
        channels in 1_u32..=128
    ) {
        let generation = Generation::V3;
        if near_end {
            tensor.start_addr = Addr4(tensor.start_addr.0 / 0x40000 * 0x40000 + 0x37FC0);
        }
        let pattern = pattern(&tensor, e, generation);
        let owned = (0..channels).all(|p| pattern.start_partition + p <= 127);
        let bytes = pattern
            .offsets()
            .flat_map(|offset| (0..i64::from(e)).map(move |byte| offset + byte))
            .all(|byte| (0..0x38000).contains(&byte));
        prop_assert_eq!(pattern.check(channels).is_ok(), owned && bytes);
    }
}
