// SPDX-License-Identifier: Apache-2.0 OR MIT
//! ADDR4, geometry and operand rules: the tables of isa-word §2, both sides of every boundary.

mod isa_support;

use isa_support::cases;
use pool_model::generation::Generation;
use pool_model::isa::{
    Addr4, AddrError, AddrForm, DType, Dimension, Geometry, Marker, OperandFault, Space, Tensor3d,
    active_channel_range_valid, check_address, check_operand, gpsimd_core_of,
};
use proptest::prelude::*;

const BF16: u8 = 6;
const INT8: u8 = 2;

/// The columns of the geometry table: v2, v3, v4 (and v4+), v5.
fn columns() -> [(Generation, usize); 5] {
    [
        (Generation::V2, 0),
        (Generation::V3, 1),
        (Generation::V4, 2),
        (Generation::V4Plus, 2),
        (Generation::V5, 3),
    ]
}

#[test]
fn geometry_rows() {
    type Row = (&'static str, fn(&Geometry) -> u32, [u32; 4]);
    #[rustfmt::skip]
    let rows: &[Row] = &[
        ("STATE_BUF_NUM_PARTITIONS", |g| g.sbuf_partitions, [128; 4]),
        ("STATE_BUF_WORD_SIZE", |g| g.sbuf_word_size, [8; 4]),
        ("STATE_BUF_PARTITION_SIZE", |g| g.sbuf_stride, [0x40000, 0x40000, 0x40000, 0x10_0000]),
        ("STATE_BUF_PARTITION_ACTIVE_SIZE", |g| g.sbuf_active, [0x30000, 0x38000, 0x40000, 0x80000]),
        ("active bytes in all", Geometry::sbuf_active_total, [24 << 20, 28 << 20, 32 << 20, 64 << 20]),
        ("STATE_BUF_OFFSET", |g| g.sbuf_offset, [0; 4]),
        ("STATE_BUF_SZ", |g| g.sbuf_size, [0x200_0000, 0x200_0000, 0x200_0000, 0x800_0000]),
        ("PSUM_BUF_NUM_PARTITIONS", |g| g.psum_partitions, [128; 4]),
        ("PSUM_BUF_PARTITION_SIZE", |g| g.psum_stride, [0x8000; 4]),
        ("PSUM_BUF_PARTITION_ACTIVE_SIZE", |g| g.psum_active, [16 << 10; 4]),
        ("PSUM banks", |g| g.psum_banks, [16, 8, 8, 8]),
        ("PSUM_BUF_OFFSET", |g| g.psum_offset, [0x200_0000; 4]),
        ("PSUM_BUF_SZ", |g| g.psum_size, [0x40_0000, 0x40_0000, 0x40_0000, 0]),
        ("POOLING_NUM_CHANNELS", |g| g.pooling_channels, [128; 4]),
        ("DVE_NUM_CHANNELS", |g| g.dve_channels, [128; 4]),
        ("NUM_ADDR_REGISTERS", |g| g.addr_registers, [64; 4]),
        ("DMA_ENGINE_COUNT_PER_TPB", |g| g.dma_engines, [16, 16, 16, 8]),
        ("DMA_ENGINE_DATA_WIDTH_BYTES", |g| g.dma_data_width, [32, 32, 32, 256]),
    ];
    for (name, value, expected) in rows {
        for (generation, column) in columns() {
            let found = value(Geometry::of(generation));
            assert_eq!(found, expected[column], "{name} on {generation}");
        }
    }
    assert_eq!(pool_model::isa::PARTITION_ADDR_MASK, 0x1FFF_FFFF);
}

#[test]
fn spaces_at_every_boundary() {
    use Space::{Psum, Sbuf};
    for (address, to_v4, v5) in [
        (0, Some(Sbuf), Some(Sbuf)),
        (0x01FF_FFFF, Some(Sbuf), Some(Sbuf)),
        (0x0200_0000, Some(Psum), Some(Sbuf)),
        (0x023F_FFFF, Some(Psum), Some(Sbuf)),
        (0x0240_0000, None, Some(Sbuf)),
        (0x07FF_FFFF, None, Some(Sbuf)),
        (0x0800_0000, None, None),
        (0x1FFF_FFFF, None, None),
    ] {
        for generation in Generation::ALL {
            let expected = if generation == Generation::V5 {
                v5
            } else {
                to_v4
            };
            assert_eq!(
                Addr4(address).space(generation),
                expected,
                "{address:#x} {generation}"
            );
            let verdict = match expected {
                Some(Sbuf) => Ok(()),
                Some(Psum) => Err(OperandFault::Psum),
                None => Err(OperandFault::Nowhere),
            };
            assert_eq!(
                check_address(address, INT8, generation),
                verdict,
                "{address:#x}"
            );
        }
    }
}

#[test]
fn partition_offset_quadrant() {
    for (address, generation, partition, offset, quadrant) in [
        (0x0080_0400, Generation::V3, 32, 0x400, 1),
        (0x0080_0400, Generation::V5, 8, 0x400, 0),
        (0x01FF_FFFF, Generation::V4, 127, 0x3FFFF, 3),
        (0x007F_FFFF, Generation::V4, 31, 0x3FFFF, 0),
        (0x07FF_FFFF, Generation::V5, 127, 0xFFFFF, 3),
        (0x0200_0000, Generation::V5, 32, 0, 1),
    ] {
        let addr = Addr4(address);
        assert_eq!(addr.partition(generation), partition, "{address:#x}");
        assert_eq!(addr.byte_offset(generation), offset, "{address:#x}");
        assert_eq!(addr.quadrant(generation), quadrant, "{address:#x}");
        assert_eq!(Addr4::sbuf(generation, partition, offset), Ok(addr));
        let place = Geometry::of(generation).place(address).expect("in SBUF");
        assert_eq!(
            (place.space, place.partition, place.offset),
            (Space::Sbuf, partition, offset)
        );
    }
    let psum = Geometry::of(Generation::V3)
        .place(0x0200_8004)
        .expect("in PSUM");
    assert_eq!(
        (psum.space, psum.partition, psum.offset),
        (Space::Psum, 1, 4)
    );
    assert_eq!(Geometry::of(Generation::V3).place(0x0240_0000), None);
    assert_eq!(gpsimd_core_of(0), 0);
    assert_eq!(gpsimd_core_of(15), 0);
    assert_eq!(gpsimd_core_of(16), 1);
    assert_eq!(gpsimd_core_of(127), 7);
}

#[test]
fn constructors_refuse_what_does_not_exist() {
    assert_eq!(Addr4::register(63), Ok(Addr4(0x8000_003F)));
    assert_eq!(Addr4::register(64), Err(AddrError::Register { regnum: 64 }));
    let register = Addr4::register(5).expect("exists");
    assert_eq!(register.with_shape_register(), Addr4(0xC000_0005));
    assert!(Addr4::sbuf(Generation::V3, 127, 0x3FFFF).is_ok());
    assert!(Addr4::sbuf(Generation::V3, 128, 0).is_err());
    assert!(Addr4::sbuf(Generation::V3, 0, 0x40000).is_err());
    assert!(Addr4::sbuf(Generation::V5, 0, 0xFFFFF).is_ok());
    assert!(Addr4::sbuf(Generation::V5, 0, 0x10_0000).is_err());
}

#[test]
fn marker_rows() {
    for (raw, name, since) in [
        (0x00, "IMM", Generation::V2),
        (0x01, "MXTENSOR_V2", Generation::V5),
        (0x20, "INDIRECT_IMM", Generation::V3),
        (0x40, "SHAPE_REG", Generation::V2),
        (0x80, "ADDR_REG", Generation::V2),
        (0xA0, "INDIRECT_REG", Generation::V3),
        (0xC0, "ADDR_SHAPE_REG", Generation::V2),
    ] {
        let marker = Marker::from_raw(raw).expect(name);
        assert_eq!((marker.raw(), marker.name()), (raw, name));
        for generation in Generation::ALL {
            assert_eq!(
                marker.member_of(generation),
                generation >= since,
                "{name} {generation}"
            );
        }
    }
    assert_eq!(Marker::ALL.len(), 7);
}

#[test]
fn the_four_tests_on_every_marker_byte() {
    for b in 0..=u8::MAX {
        let addr = Addr4(u32::from(b) << 24 | 0x0000_0007);
        assert_eq!(addr.marker(), b);
        assert_eq!(addr.address_from_register(), b & 0xA0 == 0x80, "{b:#x}");
        assert_eq!(addr.is_indirect(), b & 0x60 == 0x20, "{b:#x}");
        assert_eq!(addr.is_indirect_register(), b & 0xF0 == 0xA0, "{b:#x}");
        assert_eq!(addr.shape_from_register(), b & 0x70 == 0x40, "{b:#x}");
        assert_eq!(addr.is_contradictory(), b & 0x60 == 0x60, "{b:#x}");
        let form = if b & 0x60 == 0x60 {
            AddrForm::Contradictory
        } else if b & 0x20 != 0 {
            AddrForm::Indirect {
                register: b & 0xF0 == 0xA0,
            }
        } else if b & 0x80 != 0 {
            AddrForm::Register {
                regnum: 7,
                shape_register: b & 0x70 == 0x40,
            }
        } else {
            AddrForm::Immediate {
                address: u32::from(b & 0x1F) << 24 | 7,
                shape_register: b & 0x70 == 0x40,
            }
        };
        assert_eq!(addr.form(), form, "{b:#x}");
        let register = (b == 0x80 || b == 0xC0).then_some(7);
        assert_eq!(addr.valid_register(), register, "{b:#x}");
    }
    assert_eq!(Addr4(0x8000_0040).valid_register(), None);
    assert_eq!(Addr4(0x8000_0101).valid_register(), None);
    assert_eq!(Addr4(0x8001_0001).valid_register(), None);
}

#[test]
fn alignment_on_both_sides() {
    for dtype in DType::ALL {
        for generation in Generation::ALL {
            let Some(n) = dtype.alignment(generation) else {
                for address in [0, 8, 64] {
                    assert_eq!(
                        check_address(address, dtype.raw(), generation),
                        Err(OperandFault::NoAlignment)
                    );
                }
                continue;
            };
            for address in 0..32_u32 {
                let expected = if address.is_multiple_of(n) {
                    Ok(())
                } else {
                    Err(OperandFault::Misaligned { alignment: n })
                };
                assert_eq!(check_address(address, dtype.raw(), generation), expected);
            }
        }
    }
}

fn operand(start_addr: u32, num_elem: [u16; 3]) -> Tensor3d {
    Tensor3d {
        start_addr: Addr4(start_addr),
        step_elem: [1; 3],
        num_elem,
    }
}

#[test]
fn operand_rules_one_by_one() {
    use OperandFault::{Indirect, RegisterMarker, RegisterNumber, RegisterReserved, ZeroCount};
    let ones = [1; 3];
    for (tensor, expected) in [
        (operand(0, ones), Ok(())),
        (operand(0, [0, 1, 1]), Err(ZeroCount { dimension: 0 })),
        (operand(0, [1, 0, 1]), Err(ZeroCount { dimension: 1 })),
        (operand(0, [1, 1, 0]), Err(ZeroCount { dimension: 2 })),
        (operand(0x4000_0000, [0; 3]), Ok(())),
        (operand(0xC000_0000, [0; 3]), Ok(())),
        (
            operand(0x8000_0000, [0; 3]),
            Err(ZeroCount { dimension: 0 }),
        ),
        (
            operand(0x5000_0000, [0; 3]),
            Err(ZeroCount { dimension: 0 }),
        ),
        (operand(0x5000_0000, ones), Err(OperandFault::Nowhere)),
        (operand(0x2000_0000, ones), Err(Indirect)),
        (operand(0xA000_0005, ones), Err(Indirect)),
        (operand(0x6000_0000, ones), Err(Indirect)),
        (operand(0xE000_0005, ones), Err(Indirect)),
        (operand(0x8000_003F, ones), Ok(())),
        (operand(0x8000_0040, ones), Err(RegisterNumber)),
        (operand(0x8000_0100, ones), Err(RegisterReserved)),
        (operand(0x8080_0000, ones), Err(RegisterReserved)),
        (operand(0x8100_0000, ones), Err(RegisterMarker)),
        (operand(0xD000_0000, ones), Err(RegisterMarker)),
        (
            operand(1, ones),
            Err(OperandFault::Misaligned { alignment: 2 }),
        ),
    ] {
        let found = check_operand(&tensor, BF16, Generation::V3);
        assert_eq!(
            found, expected,
            "{:#x} {:?}",
            tensor.start_addr, tensor.num_elem
        );
    }
    // A register waives every test of the type. [isa-word §2.3 step 1]
    assert_eq!(
        check_operand(&operand(0x8000_0000, ones), 0, Generation::V3),
        Ok(())
    );
    assert_eq!(
        check_operand(&operand(0, ones), 0, Generation::V3),
        Err(OperandFault::NoAlignment)
    );
}

#[test]
fn rules_on_partitions_elsewhere() {
    let v3 = Geometry::of(Generation::V3);
    assert!(v3.addr_in_sbuf_partition(0, 0x37FFF));
    assert!(!v3.addr_in_sbuf_partition(0, 0x38000));
    assert!(!v3.addr_in_sbuf_partition(1, 0x37FFF));
    assert!(!v3.addr_in_sbuf_partition(128, 0x0200_0000));
    for start in [0, 0x80_0000, 0x100_0000, 0x180_0000] {
        assert!(v3.same_quadrant_start(start, start + 0x37FFF));
        assert!(!v3.same_quadrant_start(start, start + 0x38000));
        assert!(!v3.same_quadrant_start(start, start ^ 0x80_0000));
        assert!(!v3.same_quadrant_start(start + 0x40000, start + 0x40000));
    }
    for (partition, channels, room) in [
        (0, 128, true),
        (0, 129, false),
        (32, 96, true),
        (32, 97, false),
        (64, 64, true),
        (96, 32, true),
        (96, 33, false),
        (16, 1, false),
    ] {
        let addr = Addr4::sbuf(Generation::V3, partition, 0).expect("exists");
        assert_eq!(v3.start_addr_active_channels(addr, channels), room);
    }
    assert!(v3.start_addr_active_channels(Addr4(0x8000_0001), 200));
    for (n, valid) in [(0, false), (1, true), (128, true), (129, false)] {
        assert_eq!(active_channel_range_valid(n, 128), valid);
    }
}

#[test]
fn new_fills_unused_dimensions_and_zeroes_register_shapes() {
    let dimensions = [Dimension::new(1, 16), Dimension::new(-4, 2)];
    let tensor = Tensor3d::new(Addr4(0), &dimensions).expect("fits");
    assert_eq!(
        (tensor.step_elem, tensor.num_elem),
        ([1, -4, 1], [16, 2, 1])
    );
    let shaped = Tensor3d::new(Addr4(0x4000_0000), &dimensions).expect("fits");
    assert_eq!(shaped.num_elem, [0; 3]);
    assert!(Tensor3d::new(Addr4(0), &[Dimension::UNUSED; 4]).is_err());
    assert_eq!(Tensor3d::contiguous(Addr4(8), 9), operand(8, [9, 1, 1]));
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn sbuf_address_and_place_are_inverse(
        generation in prop::sample::select(Generation::ALL.to_vec()),
        partition in 0_u32..128, offset in 0_u32..0x10_0000
    ) {
        let geometry = Geometry::of(generation);
        let offset = offset % geometry.sbuf_stride;
        let address = geometry.sbuf_address(partition, offset).expect("exists");
        let place = geometry.place(address).expect("in SBUF");
        prop_assert_eq!((place.partition, place.offset), (partition, offset));
    }
}
