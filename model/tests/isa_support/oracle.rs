// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The validator in the compact form of isa-word §4.5, each line on its own, with membership lists
//! transcribed from the tables of §5 to §7.

use std::sync::LazyLock;

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::WordBytes;

/// Opcodes from isa-word §7.1: the list of each line, as printed there.
fn opcode_lists(generation: Generation) -> Vec<&'static str> {
    let mut lists = vec![
        "01-05 21-24 30 41-4F 51-54 58 5E-74 76-7F 82-86 8E 92-96 98-9F A0-AB B0-B3 B5 B8 BB \
         C1-D6 D8-DF E5-E8 EA F0 FF",
    ];
    let from_v3 = "06 07 81 BC BD BE BF D7 E4 E9 F1 F2";
    let from_v4 = "08 09 0A 25 B4 E0-E3";
    let from_v5 = "26 B6 B9 BA F3 F4";
    match generation {
        Generation::V2 => lists.push("87 88 8A-8D 8F"),
        Generation::V3 => lists.push(from_v3),
        Generation::V4 | Generation::V4Plus => lists.extend([from_v3, from_v4]),
        Generation::V5 => lists.extend([from_v3, from_v4, from_v5]),
    }
    lists
}

static OPCODES: LazyLock<[Vec<u8>; 5]> = LazyLock::new(|| Generation::ALL.map(expand));

/// The opcodes of a generation, ascending.
pub fn opcodes(generation: Generation) -> &'static [u8] {
    &OPCODES[generation.index()]
}

fn expand(generation: Generation) -> Vec<u8> {
    let mut opcodes = Vec::new();
    for item in opcode_lists(generation)
        .iter()
        .flat_map(|l| l.split_whitespace())
    {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let hex = |text| u8::from_str_radix(text, 16).expect("hex");
        opcodes.extend(hex(first)..=hex(last));
    }
    opcodes.sort_unstable();
    opcodes
}

/// Legal wait modes. [isa-word §6.1, MC-3]
pub fn waits(generation: Generation) -> &'static [u8] {
    match generation {
        Generation::V5 => &[
            0, 1, 2, 3, 4, 5, 0x81, 0x82, 0x83, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0xFE,
        ],
        _ => &[
            0, 1, 2, 3, 4, 5, 6, 7, 0x0E, 0x0F, 0x81, 0x82, 0x83, 0x84, 0x85,
        ],
    }
}

/// Legal update modes. [isa-word §6.2, MC-3]
pub fn updates(generation: Generation) -> &'static [u8] {
    match generation {
        Generation::V5 => &[
            0, 3, 4, 5, 7, 9, 0x13, 0x14, 0x15, 0x17, 0x19, 0x85, 0x87, 0x89, 0x95, 0x97, 0x99,
        ],
        _ => &[
            0, 1, 2, 3, 4, 5, 7, 9, 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x19, 0x85, 0x87, 0x89,
            0x95, 0x97, 0x99,
        ],
    }
}

/// [isa-word §2.4, MC-6]
pub fn alignment(tag: u8, generation: Generation) -> Option<u32> {
    let v5 = generation == Generation::V5;
    let v4_or_later = v5 || generation == Generation::V4 || generation == Generation::V4Plus;
    match tag {
        2 | 3 | 13 | 14 | 15 => Some(1),
        4..=7 => Some(2),
        8..=11 => Some(4),
        1 | 12 => Some(8),
        16 if v4_or_later => Some(1),
        17..=22 if v5 => Some(1),
        _ => None,
    }
}

fn le16(w: &WordBytes, at: usize) -> u64 {
    u64::from(w[at]) + 256 * u64::from(w[at + 1])
}

fn operand(w: &WordBytes, o: usize, tag: u8, generation: Generation) -> bool {
    let b = w[o + 3];
    let shape_reg = (b & 0x70) == 0x40;
    if !shape_reg && [10, 12, 14].iter().any(|i| le16(w, o + i) == 0) {
        return false;
    }
    if (b & 0x60) == 0x20 || (b & 0x60) == 0x60 {
        return false;
    }
    if (b & 0x80) != 0 {
        return (b == 0x80 || b == 0xC0) && w[o + 1] == 0 && w[o + 2] == 0 && w[o] < 64;
    }
    let a = (le16(w, o) + 0x1_0000 * le16(w, o + 2)) & 0x1FFF_FFFF;
    let state_buf_sz = match generation {
        Generation::V5 => 0x800_0000,
        _ => 0x200_0000,
    };
    alignment(tag, generation).is_some_and(|n| a.is_multiple_of(u64::from(n))) && a < state_buf_sz
}

/// The failing predicates as bits, predicate k as bit k - 1.
pub fn failures(w: &WordBytes, generation: Generation, version: NcVersion) -> u16 {
    let failed = [
        !opcodes(generation).contains(&w[0]) || w[1] != 16,
        !waits(generation).contains(&w[4]) || !updates(generation).contains(&w[6]),
        w[0] != 0xBF,
        version.value() < 3,
        w[32] > 1,
        w[33] == 0 || w[33] > 128,
        w[14..16].iter().chain(&w[34..48]).any(|&b| b != 0),
        !operand(w, 16, w[12], generation),
        !operand(w, 48, w[13], generation),
        le16(w, 26) * le16(w, 28) * le16(w, 30) > 256,
        w[12] != w[13],
    ];
    failed
        .iter()
        .enumerate()
        .map(|(k, &failed)| u16::from(failed) << k)
        .sum()
}
