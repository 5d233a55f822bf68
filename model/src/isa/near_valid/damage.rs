// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Single strokes that break exactly one rule of a legal word where the rules allow it.

use super::legal::{self, ADDR_REG, ADDR_SHAPE_REG, MAX_CHANNELS, MAX_SRC_ELEMENTS, SHAPE_REG};
use super::{Draw, NearValidWord, at, get32, put16, put32, tensor};
use crate::generation::{Generation, NcVersion};
use crate::isa::geometry::{Geometry, PARTITION_ADDR_MASK};
use crate::isa::semaphore_value::NUM_ADDR_REGISTERS;
use crate::isa::word::{INST_WORD_LEN, SB2SB_OPCODE};

/// A way to break a word. Each leaves the word illegal, whatever it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// `inst_word_len` is not 16. [isa-word §1.1]
    InstWordLen,
    /// Another opcode, defined in the generation or not. [isa-word §7.1]
    Opcode,
    /// A wait mode that the generation does not have, or 0xFF. [isa-word §6.1]
    WaitMode,
    /// An update mode that the generation does not have, or 0xFF. [isa-word §6.2]
    UpdateMode,
    /// The version argument is V2. [isa-word §4.1 #4]
    Nc,
    /// LNC4, LNC8 or no member. [isa-word §5.2]
    LncSizeFmt,
    /// 0 or more than 128 channels. [isa-word §4.1 #6]
    NumActiveChannels,
    /// One of the 16 reserved bytes is not 0. [isa-word §4.1 #7]
    Reserved,
    /// A source count of 0 that no shape register excuses. [isa-word §4.2]
    SrcCount,
    /// A destination count of 0 that no shape register excuses. [isa-word §4.2]
    DstCount,
    /// A source start address out of range, misaligned, or of no legal form. [isa-word §2.3]
    SrcAddress,
    /// The same on the destination.
    DstAddress,
    /// More than 256 source elements. [isa-word §4.1 #10]
    SrcProduct,
    /// Different dtypes, each legal for its own operand. [isa-word §4.1 #11]
    DtypePair,
    /// A dtype that no immediate address can have, with an immediate address. [isa-word §2.4]
    Dtype,
}

/// Opcodes worth trying: the neighbours of 0xBF in number and in single bits, the pseudo range,
/// the sentinel, every opcode that only some generations have, and a compiler-only one.
/// [isa-word §7.1]
const OPCODES: [u8; 47] = [
    0xBE, 0xC0, 0xFF, 0xBE, 0xC0, 0xFF, 0x00, 0x3F, 0x9F, 0xAF, 0xB7, 0xBB, 0xBD, 0xBC, 0xA0, 0xC8,
    0xF0, 0xEB, 0x87, 0x88, 0x8A, 0x8D, 0x8F, 0x06, 0x07, 0x81, 0xD7, 0xE4, 0xE9, 0xF1, 0xF2, 0x08,
    0x09, 0x0A, 0x25, 0xB4, 0xE0, 0xE1, 0xE2, 0xE3, 0x26, 0xB6, 0xB9, 0xBA, 0xF3, 0xF4, 0xC1,
];

/// Source counts with a product just above 256, at powers of two that a narrow multiplication
/// wraps to 0 or 1, and at the top. [isa-word §4.1 #10, MC-7]
const LARGE_COUNTS: [[u16; 3]; 14] = [
    [257, 1, 1],
    [129, 2, 1],
    [86, 3, 1],
    [65, 4, 1],
    [37, 7, 1],
    [16, 17, 1],
    [255, 2, 1],
    [256, 256, 1],
    [0x8000, 0x8000, 4],
    [0x8000, 2, 1],
    [0x100, 0x100, 0x100],
    [0xFFFF, 0xFFFF, 0xFFFF],
    [0xFFFF, 1, 1],
    [0x5555, 3, 1],
];

impl Damage {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::InstWordLen,
        Self::Opcode,
        Self::WaitMode,
        Self::UpdateMode,
        Self::Nc,
        Self::LncSizeFmt,
        Self::NumActiveChannels,
        Self::Reserved,
        Self::SrcCount,
        Self::DstCount,
        Self::SrcAddress,
        Self::DstAddress,
        Self::SrcProduct,
        Self::DtypePair,
        Self::Dtype,
    ];

    pub(super) fn apply(self, draw: &mut Draw<'_, '_>, word: &mut NearValidWord) {
        let generation = word.generation;
        let bytes = &mut word.bytes;
        match self {
            Self::InstWordLen => {
                bytes[at::INST_WORD_LEN] = match draw.below(8) {
                    0 | 1 => 15,
                    2 | 3 => 17,
                    4 => 64,
                    5 => draw.pick(&[0, 8, 32, 0x90, 0xFF]),
                    _ => other_than(INST_WORD_LEN, draw.byte()),
                };
            }
            Self::Opcode => {
                bytes[at::OPCODE] = if draw.one_in(4) {
                    other_than(SB2SB_OPCODE, draw.byte())
                } else {
                    draw.pick(&OPCODES)
                };
            }
            Self::WaitMode => {
                bytes[at::WAIT_MODE] = outside(draw, legal::wait_modes(generation));
            }
            Self::UpdateMode => {
                bytes[at::UPDATE_MODE] = outside(draw, legal::update_modes(generation));
            }
            Self::Nc => word.nc = NcVersion::V2,
            Self::LncSizeFmt => {
                bytes[at::LNC_SIZE_FMT] = match draw.below(8) {
                    0 | 1 => 2,
                    2 | 3 => 3,
                    4 => 4,
                    5 => draw.pick(&[0x80, 0x81, 0xFF]),
                    _ => draw.between(2, 0xFF) as u8,
                };
            }
            Self::NumActiveChannels => {
                bytes[at::NUM_ACTIVE_CHANNELS] = match draw.below(4) {
                    0 => 0,
                    1 => MAX_CHANNELS + 1,
                    2 => 0xFF,
                    _ => draw.between(u32::from(MAX_CHANNELS) + 1, 0xFF) as u8,
                };
            }
            Self::Reserved => {
                let value = match draw.below(4) {
                    0 => 1,
                    1 => 0x80,
                    2 => 0xFF,
                    _ => draw.nonzero_byte(),
                };
                bytes[reserved_position(draw)] = value;
            }
            Self::SrcCount => zero_count(draw, word, Side::Src),
            Self::DstCount => zero_count(draw, word, Side::Dst),
            Self::SrcAddress => bad_address(draw, word, Side::Src),
            Self::DstAddress => bad_address(draw, word, Side::Dst),
            Self::SrcProduct => {
                let counts = large_counts(draw);
                put_counts(word, Side::Src, counts);
            }
            Self::DtypePair => dtype_pair(draw, word),
            Self::Dtype => bad_dtype(draw, word),
        }
    }
}

#[derive(Clone, Copy)]
enum Side {
    Src,
    Dst,
}

impl Side {
    const fn offset(self) -> usize {
        match self {
            Self::Src => at::SRC,
            Self::Dst => at::DST,
        }
    }

    const fn dtype(self) -> usize {
        match self {
            Self::Src => at::IN_DTYPE,
            Self::Dst => at::OUT_DTYPE,
        }
    }
}

/// `value`, unless it is the legal one.
const fn other_than(legal: u8, value: u8) -> u8 {
    if value == legal { !legal } else { value }
}

/// A byte that is no entry of `members`: next to one, 0xFF, or anywhere.
fn outside(draw: &mut Draw<'_, '_>, members: &[u8]) -> u8 {
    let member = draw.pick_or(members, 0);
    let candidate = match draw.below(8) {
        0 | 1 => member.wrapping_add(1),
        2 | 3 => member.wrapping_sub(1),
        // The register and COMPLETE bits of the regular encoding [isa-word §6].
        4 => member ^ 0x80,
        5 => member ^ 0x10,
        6 => draw.byte(),
        _ => 0xFF,
    };
    if members.contains(&candidate) {
        0xFF
    } else {
        candidate
    }
}

/// Bytes 14, 15 and 34..47, the outermost ones most often.
fn reserved_position(draw: &mut Draw<'_, '_>) -> usize {
    if draw.one_in(2) {
        draw.pick(&[at::RESERVED0, at::RESERVED0 + 1, at::RESERVED1, at::DST - 1])
    } else {
        at::RESERVED1 + draw.index(at::DST - at::RESERVED1)
    }
}

fn put_counts(word: &mut NearValidWord, side: Side, counts: [u16; 3]) {
    let first = side.offset() + tensor::NUM_ELEM;
    for (dimension, count) in counts.into_iter().enumerate() {
        put16(&mut word.bytes, first + 2 * dimension, count);
    }
}

fn put_operand(word: &mut NearValidWord, side: Side, operand: [u8; tensor::BYTES]) {
    word.bytes[side.offset()..side.offset() + tensor::BYTES].copy_from_slice(&operand);
}

fn zero_count(draw: &mut Draw<'_, '_>, word: &mut NearValidWord, side: Side) {
    // Only a shape register excuses a zero; clearing its bit keeps the form of the address.
    word.bytes[side.offset() + tensor::MARKER] &= !SHAPE_REG;
    let mut counts = match side {
        Side::Src => legal::src_counts(draw),
        Side::Dst => {
            let model = legal::src_counts(draw);
            legal::dst_counts(draw, model)
        }
    };
    match draw.below(4) {
        0..=2 => counts[draw.index(3)] = 0,
        _ => counts = [0; 3],
    }
    put_counts(word, side, counts);
}

fn large_counts(draw: &mut Draw<'_, '_>) -> [u16; 3] {
    let counts = if draw.one_in(3) {
        // A factor above 256 keeps the product above 256 whatever the others are.
        [
            draw.between(MAX_SRC_ELEMENTS + 1, 0xFFFF) as u16,
            draw.between(1, 0xFFFF) as u16,
            draw.between(1, 4) as u16,
        ]
    } else {
        draw.pick(&LARGE_COUNTS)
    };
    legal::shuffled(draw, counts)
}

/// Replaces a start address by one that is rejected, and leaves steps and counts alone.
fn bad_address(draw: &mut Draw<'_, '_>, word: &mut NearValidWord, side: Side) {
    let generation = word.generation;
    let align = legal::alignment(generation, word.bytes[side.dtype()]).unwrap_or(1);
    let address = match draw.below(8) {
        0 | 1 if align > 1 => {
            let aligned = legal::immediate_address(draw, generation, align);
            // 1, 2 and 4 are the misses by one size; any of 1..align is a miss.
            let miss = if draw.one_in(2) {
                draw.between(1, align - 1)
            } else {
                draw.pick(&[1, 2, 4]) & (align - 1)
            };
            aligned | miss.max(1)
        }
        0..=3 => {
            let shape = if draw.one_in(4) { SHAPE_REG } else { 0 };
            let address = outside_sbuf(draw, generation) & !(align - 1);
            address | (u32::from(shape) << 24)
        }
        4 => {
            let register = match draw.below(4) {
                0 | 1 => NUM_ADDR_REGISTERS,
                2 => draw.pick(&[65, 0x7F, 0x80, 0xFF]),
                _ => draw.between(u32::from(NUM_ADDR_REGISTERS), 0xFF) as u8,
            };
            u32::from_le_bytes([register, 0, 0, register_marker(draw)])
        }
        5 => {
            let (low, high) = draw.pick(&[(1, 0), (0, 1), (0x80, 0), (0, 0x80), (0xFF, 0xFF)]);
            u32::from_le_bytes([some_register(draw), low, high, register_marker(draw)])
        }
        6 => {
            // Bit 31 set, neither marker exactly; 0x8F and 0xCF are all address bits set.
            let marker = draw.pick(&[
                0x81, 0x82, 0x84, 0x88, 0x90, 0x8F, 0xC1, 0xC2, 0xC8, 0xD0, 0xCF,
            ]);
            u32::from_le_bytes([some_register(draw), 0, 0, marker])
        }
        _ => {
            // Indirect forms and the combination that nothing produces, on a legal address.
            let marker = draw.pick(&[0x20_u32, 0xA0, 0x60, 0xE0]);
            let low = if draw.one_in(2) {
                legal::immediate_address(draw, generation, align)
            } else {
                u32::from(some_register(draw)) & !(align - 1)
            };
            low | (marker << 24)
        }
    };
    let in_place = side.offset();
    put32(&mut word.bytes, in_place, address);
}

/// An address of no more than 29 bits that is not in SBUF: PSUM or nowhere. [isa-word §2.5]
fn outside_sbuf(draw: &mut Draw<'_, '_>, generation: Generation) -> u32 {
    let size = Geometry::of(generation).sbuf_size;
    let address = match draw.below(4) {
        0 => size,
        1 => draw.pick(&[0x200_0000, 0x23F_FFFF, 0x240_0000, 0x7FF_FFFF]),
        2 => draw.pick(&[0x800_0000, 0x1000_0000, 0x17FF_FFFF, 0x1FFF_FFFF]),
        _ => draw.between(size, PARTITION_ADDR_MASK),
    };
    // A window of an older generation that v5 fills with SBUF becomes the first byte after it.
    address.max(size)
}

fn some_register(draw: &mut Draw<'_, '_>) -> u8 {
    draw.pick(&[0, 5, NUM_ADDR_REGISTERS - 1])
}

fn register_marker(draw: &mut Draw<'_, '_>) -> u8 {
    draw.pick(&[ADDR_REG, ADDR_REG, ADDR_SHAPE_REG])
}

/// Makes the dtypes differ while each operand stays legal with its own.
fn dtype_pair(draw: &mut Draw<'_, '_>, word: &mut NearValidWord) {
    let generation = word.generation;
    let tag = word.bytes[at::IN_DTYPE];
    if draw.one_in(2) {
        // A register destination takes any tag, also one with the same low nibble.
        let other = match draw.below(4) {
            0 => tag ^ 0x10,
            1 => tag ^ 0x80,
            2 => tag ^ (1 << draw.below(8)),
            _ => other_than(tag, draw.byte()),
        };
        let counts = legal::src_counts(draw);
        let counts = legal::dst_counts(draw, counts);
        let operand = legal::register_operand(draw, counts);
        put_operand(word, Side::Dst, operand);
        word.bytes[at::OUT_DTYPE] = other;
        return;
    }
    let other = other_addressable(draw, generation, tag);
    word.bytes[at::OUT_DTYPE] = other;
    // Aligned for the new tag; register forms have bit 31 and do not care.
    let align = legal::alignment(generation, other).unwrap_or(1);
    let address = get32(&word.bytes, at::DST);
    if word.bytes[at::DST + tensor::MARKER] & ADDR_REG == 0 {
        put32(&mut word.bytes, at::DST, address & !(align - 1));
    }
}

/// An addressable tag other than `tag`: a neighbour, or any.
fn other_addressable(draw: &mut Draw<'_, '_>, generation: Generation, tag: u8) -> u8 {
    let candidate = match draw.below(3) {
        0 => tag.wrapping_add(1),
        1 => tag.wrapping_sub(1),
        _ => legal::addressable_tag(draw, generation),
    };
    let usable = candidate != tag && legal::alignment(generation, candidate).is_some();
    if usable {
        candidate
    } else if tag == 6 {
        7
    } else {
        6
    }
}

/// One or both dtypes without an alignment, where an immediate address makes it matter.
fn bad_dtype(draw: &mut Draw<'_, '_>, word: &mut NearValidWord) {
    let generation = word.generation;
    let first = legal::first_unaddressable(generation);
    let tag = match draw.below(8) {
        0 | 1 => 0,
        2 | 3 => first,
        4 => draw.pick(&[0x17, 0x18, 0x19, 0x1F, 0x20]),
        5 => 0xFF,
        // The tag before with something above its five bits: only whole bytes compare equal.
        6 => word.bytes[at::IN_DTYPE] | 0x20,
        _ => draw.between(u32::from(first), 0xFF) as u8,
    };
    word.bytes[at::IN_DTYPE] = tag;
    word.bytes[at::OUT_DTYPE] = tag;
    let src = legal::src_counts(draw);
    let dst = legal::dst_counts(draw, src);
    // One immediate operand is enough; the other one then keeps its own predicate quiet.
    let (src_immediate, dst_immediate) = draw.pick(&[(true, true), (true, false), (false, true)]);
    for (side, immediate, counts) in [
        (Side::Src, src_immediate, src),
        (Side::Dst, dst_immediate, dst),
    ] {
        let operand = if immediate {
            legal::immediate_operand(draw, generation, tag, counts)
        } else {
            legal::register_operand(draw, counts)
        };
        put_operand(word, side, operand);
    }
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;

    use super::*;
    use crate::isa::near_valid::{SplitMix64, valid_word};

    #[test]
    fn all_lists_every_damage_once() {
        for (position, damage) in Damage::ALL.into_iter().enumerate() {
            assert_eq!(damage as usize, position);
        }
    }

    #[test]
    fn a_damage_touches_only_its_own_fields() {
        let mut random = SplitMix64::new(7);
        for round in 0..2_000 {
            let mut entropy = [0; 256];
            random.fill(&mut entropy);
            let mut u = Unstructured::new(&entropy);
            let before = valid_word(&mut u, Generation::ALL[round % 5]);
            for (damage, allowed) in [
                (Damage::InstWordLen, 1..=1),
                (Damage::Opcode, 0..=0),
                (Damage::WaitMode, 4..=4),
                (Damage::UpdateMode, 6..=6),
                (Damage::LncSizeFmt, 32..=32),
                (Damage::NumActiveChannels, 33..=33),
                (Damage::SrcCount, 19..=31),
                (Damage::DstCount, 51..=63),
                (Damage::SrcAddress, 16..=19),
                (Damage::DstAddress, 48..=51),
                (Damage::SrcProduct, 26..=31),
            ] {
                let mut after = before;
                damage.apply(&mut Draw(&mut u), &mut after);
                assert_eq!(after.nc, before.nc, "{damage:?}");
                for byte in (0..64).filter(|byte| !allowed.contains(byte)) {
                    assert_eq!(after.bytes[byte], before.bytes[byte], "{damage:?}");
                }
            }
        }
    }
}
