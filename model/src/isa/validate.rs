// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The validator on raw bytes, table-driven and without data-dependent branches. [isa-word §4]
//!
//! The tables come from the same membership functions as the plain rules of
//! [`Predicate::holds`](super::Predicate::holds); what is compressed here is the operand test:
//! an immediate address passes when none of the bits that its type and generation forbid is set, a
//! register address when all bits besides the register number and the shape marker have their value.

use super::addr4::Addr4;
use super::dtype::alignment_of_tag;
use super::geometry::{Geometry, PARTITION_ADDR_MASK};
use super::opcode::Opcode;
use super::predicate::{Predicate, PredicateSet};
use super::rules::{
    FIRST_NC_VERSION, MAX_SRC_ELEMENTS, lnc_size_fmt_legal, num_active_channels_legal,
    update_mode_legal, wait_mode_legal,
};
use super::semaphore_value::NUM_ADDR_REGISTERS;
use super::word::{INST_WORD_LEN, WordBytes};
use crate::generation::{Generation, NcVersion};

/// What single bytes decide: failures by value, and the forbidden address bits of each dtype tag.
struct Tables {
    opcode: [u16; 256],
    inst_word_len: [u16; 256],
    wait_mode: [u16; 256],
    update_mode: [u16; 256],
    lnc_size_fmt: [u16; 256],
    num_active_channels: [u16; 256],
    forbidden: [u32; 256],
}

static TABLES: [Tables; 5] = [
    Tables::new(Generation::V2),
    Tables::new(Generation::V3),
    Tables::new(Generation::V4),
    Tables::new(Generation::V4Plus),
    Tables::new(Generation::V5),
];

/// Set in every address that is tested, so that a type without an alignment can forbid it.
const ALWAYS_SET: u32 = Addr4::SHAPE_BIT;

/// Bits of a register address that are fixed: all but the register number and the shape marker.
const REGISTER_FIXED_BITS: u32 = !(Addr4::SHAPE_BIT | (NUM_ADDR_REGISTERS as u32 - 1));

impl Tables {
    const fn new(generation: Generation) -> Self {
        let mut tables = Self {
            opcode: [0; 256],
            inst_word_len: [0; 256],
            wait_mode: [0; 256],
            update_mode: [0; 256],
            lnc_size_fmt: [0; 256],
            num_active_channels: [0; 256],
            forbidden: [0; 256],
        };
        let mut i = 0;
        while i < 256 {
            let byte = i as u8;
            if !Opcode(byte).member_of(generation) {
                tables.opcode[i] |= Predicate::HasValidNeuronHeader.bit();
            }
            if byte != Opcode::SB2SB_COLLECTIVE.0 {
                tables.opcode[i] |= Predicate::HasSb2sbcollectiveOpcode.bit();
            }
            if byte != INST_WORD_LEN {
                tables.inst_word_len[i] = Predicate::HasValidNeuronHeader.bit();
            }
            if !wait_mode_legal(byte, generation) {
                tables.wait_mode[i] = Predicate::HasValidNeuronEvents.bit();
            }
            if !update_mode_legal(byte, generation) {
                tables.update_mode[i] = Predicate::HasValidNeuronEvents.bit();
            }
            if !lnc_size_fmt_legal(byte) {
                tables.lnc_size_fmt[i] = Predicate::HasValidLncSizefmt.bit();
            }
            if !num_active_channels_legal(byte, generation) {
                tables.num_active_channels[i] = Predicate::CheckActivePorts.bit();
            }
            tables.forbidden[i] = forbidden_bits(byte, generation);
            i += 1;
        }
        tables
    }
}

/// Bits that an immediate address of the type must not have: below the alignment, beyond the SBUF
/// (whose size is a power of two and which starts at 0), the register marker, the indirect marker.
const fn forbidden_bits(tag: u8, generation: Generation) -> u32 {
    let geometry = Geometry::of(generation);
    assert!(geometry.sbuf_offset == 0 && geometry.sbuf_size.is_power_of_two());
    let beyond = PARTITION_ADDR_MASK & !(geometry.sbuf_size - 1);
    let fixed = beyond | Addr4::REGISTER_BIT | Addr4::INDIRECT_BIT;
    match alignment_of_tag(tag, generation) {
        Some(alignment) => fixed | (alignment - 1),
        None => fixed | ALWAYS_SET,
    }
}

/// An operand as the two halves of its 16 bytes: address and two steps; the third step and the counts.
struct Halves {
    low: u64,
    high: u64,
}

impl Halves {
    fn elements(&self) -> u64 {
        let count = |lane: u32| self.high >> (16 * lane) & 0xFFFF;
        count(1) * count(2) * count(3)
    }

    /// Not 0 exactly when a count is 0: the borrow of a 0 lane reaches its top bit. The lowest lane,
    /// a step, is made odd so that it never counts.
    fn zero_counts(&self) -> u64 {
        const EACH_LANE: u64 = 0x0001_0001_0001_0001;
        let lanes = self.high | 1;
        lanes.wrapping_sub(EACH_LANE) & !lanes & (EACH_LANE << 15)
    }

    /// 1 if the operand breaks a rule, else 0. Numbers instead of conditions keep branches away.
    fn fails(&self, forbidden: u32) -> u16 {
        let addr = self.low as u32;
        let immediate_fails = flag((addr | ALWAYS_SET) & forbidden != 0);
        let register_fails = flag((addr & REGISTER_FIXED_BITS) != Addr4::REGISTER_BIT);
        let own_shape = flag(addr & Addr4::SHAPE_BIT == 0);
        let zero_count = flag(self.zero_counts() != 0);
        (immediate_fails & register_fails) | (zero_count & own_shape)
    }
}

const fn flag(condition: bool) -> u16 {
    condition as u16
}

#[inline]
fn evaluate(word: &WordBytes, tables: &Tables, constant: u16) -> PredicateSet {
    let (lanes, _) = word.as_chunks::<8>();
    let lane = |i: usize| u64::from_le_bytes(lanes[i]);
    let byte = |i: usize| usize::from(word[i]);
    let src = Halves {
        low: lane(2),
        high: lane(3),
    };
    let dst = Halves {
        low: lane(6),
        high: lane(7),
    };
    // Bytes 14, 15; bytes 34..39 beside the two fields of bytes 32, 33; bytes 40..47.
    let reserved = lane(1) >> 48 | lane(4) >> 16 | lane(5);
    let when = |failed: u16, predicate: Predicate| failed * predicate.bit();

    let failed = constant
        | tables.opcode[byte(0)]
        | tables.inst_word_len[byte(1)]
        | tables.wait_mode[byte(4)]
        | tables.update_mode[byte(6)]
        | tables.lnc_size_fmt[byte(32)]
        | tables.num_active_channels[byte(33)]
        | when(flag(reserved != 0), Predicate::S3d3CollectiveReservedZero)
        | when(
            src.fails(tables.forbidden[byte(12)]),
            Predicate::Tensor3dValidSrc,
        )
        | when(
            dst.fails(tables.forbidden[byte(13)]),
            Predicate::Tensor3dValidDst,
        )
        | when(
            flag(src.elements() > MAX_SRC_ELEMENTS),
            Predicate::SizeCheckSrc,
        )
        | when(flag(word[12] != word[13]), Predicate::DtypeEqualityCheck);
    PredicateSet::from_bits(failed)
}

fn constant_failures(version: NcVersion) -> u16 {
    if version >= FIRST_NC_VERSION {
        0
    } else {
        Predicate::HasValidNcSb2sbCollective.bit()
    }
}

/// The predicates that the word fails, each evaluated on its own; empty for a valid word. `version`
/// is the separate version argument, normally `generation.nc_version()`. [isa-word §4; decisions D-12]
#[must_use]
pub fn validate(word: &WordBytes, generation: Generation, version: NcVersion) -> PredicateSet {
    evaluate(
        word,
        &TABLES[generation.index()],
        constant_failures(version),
    )
}

/// [`validate`] for many words: `results[i]` belongs to `words[i]`. Works on as many words as both
/// slices have and returns that number.
pub fn validate_bulk(
    words: &[WordBytes],
    generation: Generation,
    version: NcVersion,
    results: &mut [PredicateSet],
) -> usize {
    let tables = &TABLES[generation.index()];
    let constant = constant_failures(version);
    for (result, word) in results.iter_mut().zip(words) {
        *result = evaluate(word, tables, constant);
    }
    words.len().min(results.len())
}
