// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Construction of words that keep every rule, with the last accepted values drawn often.

use super::{Draw, at, put16, put32, tensor};
use crate::generation::{Generation, NcVersion};
use crate::isa::geometry::Geometry;
use crate::isa::rules;
use crate::isa::semaphore_value::NUM_ADDR_REGISTERS;
use crate::isa::word::{INST_WORD_LEN, SB2SB_OPCODE, WORD_BYTES, WordBytes};

/// `POOLING_NUM_CHANNELS`. [isa-word §2.5, HIGH/OBSERVED]
pub(super) const MAX_CHANNELS: u8 = 128;

/// Largest product of the source counts. [isa-word §4.1 #10, HIGH/OBSERVED]
pub(super) const MAX_SRC_ELEMENTS: u32 = rules::MAX_SRC_ELEMENTS as u32;

/// Marker bits of ADDR4. [isa-word §2.2, HIGH/OBSERVED]
pub(super) const SHAPE_REG: u8 = 0x40;
pub(super) const ADDR_REG: u8 = 0x80;
pub(super) const ADDR_SHAPE_REG: u8 = 0xC0;

/// Legal `WAIT_MODE` bytes of v2..v4. [isa-word §6.1]
const WAIT_TO_V4: [u8; 15] = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0E, 0x0F, 0x81, 0x82, 0x83, 0x84, 0x85,
];
/// Legal `WAIT_MODE` bytes of v5. [isa-word §6.1]
const WAIT_V5: [u8; 17] = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x81, 0x82, 0x83, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95,
    0xFE,
];
/// Legal `UPDATE_MODE` bytes of v2..v4. [isa-word §6.2]
const UPDATE_TO_V4: [u8; 21] = [
    0x00, 0x13, 0x01, 0x02, 0x03, 0x04, 0x05, 0x07, 0x09, 0x11, 0x12, 0x14, 0x15, 0x17, 0x19, 0x85,
    0x87, 0x89, 0x95, 0x97, 0x99,
];
/// Legal `UPDATE_MODE` bytes of v5. [isa-word §6.2]
const UPDATE_V5: [u8; 17] = [
    0x00, 0x13, 0x03, 0x04, 0x05, 0x07, 0x09, 0x14, 0x15, 0x17, 0x19, 0x85, 0x87, 0x89, 0x95, 0x97,
    0x99,
];

pub(super) const fn wait_modes(generation: Generation) -> &'static [u8] {
    match generation {
        Generation::V5 => &WAIT_V5,
        _ => &WAIT_TO_V4,
    }
}

pub(super) const fn update_modes(generation: Generation) -> &'static [u8] {
    match generation {
        Generation::V5 => &UPDATE_V5,
        _ => &UPDATE_TO_V4,
    }
}

/// Tags that an immediate address can be checked against, in order of the tag.
/// [isa-word §2.4; v5 by isa-word MC-6]
const fn addressable_tags(generation: Generation) -> (u8, u8) {
    match generation {
        Generation::V2 | Generation::V3 => (0x01, 0x0F),
        Generation::V4 | Generation::V4Plus => (0x01, 0x10),
        Generation::V5 => (0x01, 0x16),
    }
}

/// Alignment in bytes that an immediate address needs, `None` where none is enough.
/// [isa-word §2.4, HIGH/OBSERVED; v5 by isa-word MC-6]
pub(super) const fn alignment(generation: Generation, tag: u8) -> Option<u32> {
    let (first, last) = addressable_tags(generation);
    if tag < first || tag > last {
        return None;
    }
    Some(match tag {
        1 | 12 => 8,
        8..=11 => 4,
        4..=7 => 2,
        _ => 1,
    })
}

/// First tag above those that an immediate address can have.
pub(super) const fn first_unaddressable(generation: Generation) -> u8 {
    addressable_tags(generation).1 + 1
}

/// A tag that an immediate address can have.
pub(super) fn addressable_tag(draw: &mut Draw<'_, '_>, generation: Generation) -> u8 {
    let (first, last) = addressable_tags(generation);
    // BFLOAT16, the tag of most programs, is also the choice without entropy.
    match draw.below(8) {
        0 => 6,
        1 => last,
        _ => draw.between(u32::from(first), u32::from(last)) as u8,
    }
}

/// The generation's own version, sometimes another one that predicate 4 accepts.
pub(super) fn nc(draw: &mut Draw<'_, '_>, generation: Generation) -> NcVersion {
    if generation != Generation::V2 && draw.one_in(16) {
        draw.pick(&[NcVersion::V3, NcVersion::V4, NcVersion::V5])
    } else {
        generation.nc_version()
    }
}

/// A whole legal word; on v2 legal but for the opcode's absence.
pub(super) fn word(draw: &mut Draw<'_, '_>, generation: Generation) -> WordBytes {
    let mut bytes = [0; WORD_BYTES];
    bytes[at::OPCODE] = SB2SB_OPCODE;
    bytes[at::INST_WORD_LEN] = INST_WORD_LEN;
    bytes[at::DEBUG_CMD] = debug_byte(draw);
    bytes[at::DEBUG_HINT] = debug_byte(draw);
    events(draw, generation, &mut bytes);

    // A tag without an alignment is never looked at when both addresses are registers.
    let any_tag = draw.one_in(12);
    let tag = if any_tag {
        draw.byte()
    } else {
        addressable_tag(draw, generation)
    };
    bytes[at::IN_DTYPE] = tag;
    bytes[at::OUT_DTYPE] = tag;
    let src_counts = src_counts(draw);
    let dst_counts = dst_counts(draw, src_counts);
    for (offset, counts) in [(at::SRC, src_counts), (at::DST, dst_counts)] {
        let operand = if any_tag {
            register_operand(draw, counts)
        } else {
            operand(draw, generation, tag, counts)
        };
        bytes[offset..offset + tensor::BYTES].copy_from_slice(&operand);
    }
    bytes[at::LNC_SIZE_FMT] = draw.pick(&[1, 0]);
    bytes[at::NUM_ACTIVE_CHANNELS] = channels(draw);
    bytes
}

fn debug_byte(draw: &mut Draw<'_, '_>) -> u8 {
    match draw.below(8) {
        0..=5 => 0,
        6 => 0xFF,
        _ => draw.byte(),
    }
}

fn events(draw: &mut Draw<'_, '_>, generation: Generation, bytes: &mut WordBytes) {
    bytes[at::WAIT_MODE] = draw.pick_or(wait_modes(generation), 0);
    bytes[at::WAIT_IDX] = index(draw);
    bytes[at::UPDATE_MODE] = draw.pick_or(update_modes(generation), 0);
    bytes[at::UPDATE_IDX] = index(draw);
    put32(bytes, at::SEMAPHORE_VALUE, semaphore_value(draw));
}

fn index(draw: &mut Draw<'_, '_>) -> u8 {
    match draw.below(4) {
        0 => 0,
        1 => 0xFF,
        _ => draw.byte(),
    }
}

/// Small counts, register numbers on both sides of 64, and the ends of both signed readings.
fn semaphore_value(draw: &mut Draw<'_, '_>) -> u32 {
    match draw.below(4) {
        0 => draw.below(16),
        1 => draw.pick(&[63, 64, 0xFF, 0x100, 0x13F, 0xFFFF]),
        2 => draw.pick(&[0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF]),
        _ => draw.full(),
    }
}

pub(super) fn channels(draw: &mut Draw<'_, '_>) -> u8 {
    match draw.below(4) {
        0 => 1,
        1 => MAX_CHANNELS,
        _ => draw.between(1, u32::from(MAX_CHANNELS)) as u8,
    }
}

/// Three counts in random order: the position of the large one must not matter.
pub(super) fn shuffled(draw: &mut Draw<'_, '_>, counts: [u16; 3]) -> [u16; 3] {
    let [a, b, c] = counts;
    draw.pick(&[
        [a, b, c],
        [a, c, b],
        [b, a, c],
        [b, c, a],
        [c, a, b],
        [c, b, a],
    ])
}

/// Counts of at least 1 with a product of at most 256.
pub(super) fn src_counts(draw: &mut Draw<'_, '_>) -> [u16; 3] {
    let counts = match draw.below(8) {
        0 => [1, 1, 1],
        1 => [256, 1, 1],
        2 => [255, 1, 1],
        3 => draw.pick(&[
            [15, 17, 1],
            [51, 5, 1],
            [85, 3, 1],
            [3, 5, 17],
            [127, 2, 1],
            [128, 1, 1],
        ]),
        4 | 5 => {
            let first = draw.below(9);
            let second = draw.below(9 - first);
            [1 << first, 1 << second, 1 << (8 - first - second)]
        }
        _ => {
            let first = draw.between(1, MAX_SRC_ELEMENTS);
            let second = draw.between(1, MAX_SRC_ELEMENTS / first);
            let third = draw.between(1, MAX_SRC_ELEMENTS / first / second);
            [first as u16, second as u16, third as u16]
        }
    };
    shuffled(draw, counts)
}

/// Counts of at least 1; no product rule holds for the destination. [isa-word §4.1]
pub(super) fn dst_counts(draw: &mut Draw<'_, '_>, src: [u16; 3]) -> [u16; 3] {
    match draw.below(8) {
        0..=2 => src,
        3 => shuffled(draw, src),
        4 => [u16::MAX; 3],
        5 => shuffled(draw, [257, 1, 1]),
        6 => shuffled(draw, [u16::MAX, 1, 1]),
        _ => [(); 3].map(|()| draw.between(1, u32::from(u16::MAX)) as u16),
    }
}

fn step(draw: &mut Draw<'_, '_>) -> u16 {
    match draw.below(8) {
        0..=2 => 1,
        3 => 0,
        4 => u16::MAX,
        5 => draw.pick(&[0x7FFF, 0x8000]),
        6 => draw.pick(&[2, 16, 64, 256, 0xFF00]),
        _ => draw.half(),
    }
}

/// A TENSOR3D with the start address still 0.
fn pattern(draw: &mut Draw<'_, '_>, counts: [u16; 3]) -> [u8; tensor::BYTES] {
    let mut bytes = [0; tensor::BYTES];
    for (dimension, count) in counts.into_iter().enumerate() {
        put16(&mut bytes, tensor::STEP_ELEM + 2 * dimension, step(draw));
        put16(&mut bytes, tensor::NUM_ELEM + 2 * dimension, count);
    }
    bytes
}

/// An operand in any of the four legal forms; `tag` must have an alignment.
pub(super) fn operand(
    draw: &mut Draw<'_, '_>,
    generation: Generation,
    tag: u8,
    counts: [u16; 3],
) -> [u8; tensor::BYTES] {
    match draw.below(8) {
        0..=4 => immediate_operand(draw, generation, tag, counts),
        5 => {
            let counts = register_shape_counts(draw, counts);
            let mut bytes = immediate_operand(draw, generation, tag, counts);
            bytes[tensor::MARKER] |= SHAPE_REG;
            bytes
        }
        _ => register_operand(draw, counts),
    }
}

/// Start address and shape both in the word.
pub(super) fn immediate_operand(
    draw: &mut Draw<'_, '_>,
    generation: Generation,
    tag: u8,
    counts: [u16; 3],
) -> [u8; tensor::BYTES] {
    let mut bytes = pattern(draw, counts);
    let align = alignment(generation, tag).unwrap_or(1);
    put32(&mut bytes, 0, immediate_address(draw, generation, align));
    bytes
}

/// Start address from a register, the shape from the word or from a register too.
pub(super) fn register_operand(draw: &mut Draw<'_, '_>, counts: [u16; 3]) -> [u8; tensor::BYTES] {
    let shape_too = draw.one_in(3);
    let counts = if shape_too {
        register_shape_counts(draw, counts)
    } else {
        counts
    };
    let mut bytes = pattern(draw, counts);
    bytes[0] = match draw.below(3) {
        0 => 0,
        1 => NUM_ADDR_REGISTERS - 1,
        _ => draw.below(u32::from(NUM_ADDR_REGISTERS)) as u8,
    };
    bytes[tensor::MARKER] = if shape_too { ADDR_SHAPE_REG } else { ADDR_REG };
    bytes
}

/// Counts are waived, not ignored: producers store zeros, and the product still counts.
/// [isa-word MC-4]
fn register_shape_counts(draw: &mut Draw<'_, '_>, counts: [u16; 3]) -> [u16; 3] {
    match draw.below(4) {
        0 | 1 => [0; 3],
        2 => {
            let mut counts = counts;
            counts[draw.index(3)] = 0;
            counts
        }
        _ => counts,
    }
}

/// A byte address in SBUF, a multiple of `align`. [isa-word §2.5]
pub(super) fn immediate_address(
    draw: &mut Draw<'_, '_>,
    generation: Generation,
    align: u32,
) -> u32 {
    let &Geometry {
        sbuf_stride: stride,
        sbuf_active: active,
        sbuf_size,
        sbuf_partitions,
        ..
    } = Geometry::of(generation);
    let partition = match draw.below(4) {
        0 => 0,
        1 => draw.pick(&[31, 32, 63, 64, 96, 127]),
        _ => draw.below(sbuf_partitions),
    } * stride;
    let address = match draw.below(8) {
        0 | 1 => partition,
        2 => sbuf_size - align,
        3 => partition + active - align,
        4 => partition + active % stride,
        5 => partition + stride - align,
        // Where the PSUM window begins and ends on v2..v4, the end of SBUF on v5.
        6 => draw.pick(&[0x1FF_FFFF, 0x200_0000, 0x23F_FFFF, 0x240_0000, 0x7FF_FFFF]) % sbuf_size,
        _ => draw.below(sbuf_size),
    };
    address & !(align - 1)
}
