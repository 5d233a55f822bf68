// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Near-valid 0xBF words: a generator that constructs, and never asks the validator.
//!
//! About half of the words are legal by construction and rich in last-accepted values. Of the
//! others most have exactly one or two fields damaged, so that every predicate of the validator
//! fails alone again and again [isa-word §4.1]; a few are plain noise.
//! [`word`], [`valid_word`] and [`damaged_word`] spend the entropy of an [`Unstructured`];
//! [`Stream`] feeds them from a seed. Without entropy every choice is the simplest one, so an
//! empty input is a small legal word.

mod damage;
mod legal;
mod splice;
mod stream;

use arbitrary::{Arbitrary, Unstructured};

use super::word::{INST_WORD_LEN, SB2SB_OPCODE, WORD_BYTES, WordBytes};
use crate::generation::{Generation, NcVersion};

pub use crate::split_mix::SplitMix64;
pub use damage::Damage;
pub use splice::mutate_field;
pub use stream::Stream;

/// Byte positions of the fields. [isa-word §1, HIGH/OBSERVED]
mod at {
    pub const OPCODE: usize = 0;
    pub const INST_WORD_LEN: usize = 1;
    pub const DEBUG_CMD: usize = 2;
    pub const DEBUG_HINT: usize = 3;
    pub const WAIT_MODE: usize = 4;
    pub const WAIT_IDX: usize = 5;
    pub const UPDATE_MODE: usize = 6;
    pub const UPDATE_IDX: usize = 7;
    pub const SEMAPHORE_VALUE: usize = 8;
    pub const IN_DTYPE: usize = 12;
    pub const OUT_DTYPE: usize = 13;
    pub const RESERVED0: usize = 14;
    pub const SRC: usize = 16;
    pub const LNC_SIZE_FMT: usize = 32;
    pub const NUM_ACTIVE_CHANNELS: usize = 33;
    pub const RESERVED1: usize = 34;
    pub const DST: usize = 48;
}

/// Positions inside a TENSOR3D. [isa-word §2.1, HIGH/OBSERVED]
mod tensor {
    pub const MARKER: usize = 3;
    pub const STEP_ELEM: usize = 4;
    pub const NUM_ELEM: usize = 10;
    pub const BYTES: usize = 16;
}

/// A word together with the two arguments that the validator takes beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearValidWord {
    /// The generation whose rules the word nearly keeps.
    pub generation: Generation,
    /// The separate version argument [decisions D-12]; nearly always the generation's own.
    pub nc: NcVersion,
    /// The word in memory order.
    pub bytes: WordBytes,
}

impl<'a> Arbitrary<'a> for NearValidWord {
    /// v3 for half of the inputs, the other generations for the rest; then [`word`].
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let generation = match Draw(u).below(16) {
            0..=7 => Generation::V3,
            8..=10 => Generation::V4,
            11..=12 => Generation::V4Plus,
            13..=14 => Generation::V5,
            _ => Generation::V2,
        };
        Ok(word(u, generation))
    }

    fn size_hint(_depth: usize) -> (usize, Option<usize>) {
        (0, Some(stream::ENTROPY_BYTES))
    }
}

/// Shares of the kinds of words, of [`ALL_KINDS`]; the rest is noise.
const LEGAL: u32 = 140;
const ONE_DAMAGE: u32 = 80;
const TWO_DAMAGES: u32 = 28;
const ALL_KINDS: u32 = 256;

/// A word of any kind: legal (55 %), damaged once (31 %) or twice (11 %), noise (3 %).
///
/// v2 has no 0xBF [isa-word §0]: there a "legal" word is one that fails nothing but the two
/// predicates about the generation itself.
pub fn word(u: &mut Unstructured<'_>, generation: Generation) -> NearValidWord {
    let kind = Draw(u).below(ALL_KINDS);
    if kind < LEGAL {
        valid_word(u, generation)
    } else if kind < LEGAL + ONE_DAMAGE {
        damaged_word(u, generation, 1)
    } else if kind < LEGAL + ONE_DAMAGE + TWO_DAMAGES {
        damaged_word(u, generation, 2)
    } else {
        noise_word(u, generation)
    }
}

/// A word that keeps every rule of the generation, except that v2 does not have 0xBF at all.
pub fn valid_word(u: &mut Unstructured<'_>, generation: Generation) -> NearValidWord {
    let mut draw = Draw(u);
    NearValidWord {
        generation,
        nc: legal::nc(&mut draw, generation),
        bytes: legal::word(&mut draw, generation),
    }
}

/// A word that keeps every rule but those broken by `damages` random strokes of [`Damage`].
///
/// A later stroke may hit the field of an earlier one; the last always leaves its mark.
pub fn damaged_word(
    u: &mut Unstructured<'_>,
    generation: Generation,
    damages: usize,
) -> NearValidWord {
    let mut result = valid_word(u, generation);
    let mut draw = Draw(u);
    for _ in 0..damages {
        let damage = draw.pick(&Damage::ALL);
        damage.apply(&mut draw, &mut result);
    }
    result
}

/// Random bytes; half of the time with the two constant header bytes, to get past predicate 1.
fn noise_word(u: &mut Unstructured<'_>, generation: Generation) -> NearValidWord {
    let mut draw = Draw(u);
    let nc = draw.pick(&NcVersion::ALL);
    let keep_header = draw.one_in(2);
    let mut bytes = [0; WORD_BYTES];
    for byte in &mut bytes {
        *byte = draw.byte();
    }
    if keep_header {
        bytes[at::OPCODE] = SB2SB_OPCODE;
        bytes[at::INST_WORD_LEN] = INST_WORD_LEN;
    }
    NearValidWord {
        generation,
        nc,
        bytes,
    }
}

/// Infallible choices on an [`Unstructured`]; when it is used up, every answer is the first one.
struct Draw<'u, 'a>(&'u mut Unstructured<'a>);

impl Draw<'_, '_> {
    /// A number below `bound`; 0 if `bound` is 0. Takes no more bytes than `bound` needs.
    fn below(&mut self, bound: u32) -> u32 {
        // Scaling instead of a remainder: no division, and no entropy still means 0.
        match bound {
            0..=0x100 => (u32::from(self.byte()) * bound) >> 8,
            0x101..=0x1_0000 => ((u64::from(self.half()) * u64::from(bound)) >> 16) as u32,
            _ => ((u64::from(self.full()) * u64::from(bound)) >> 32) as u32,
        }
    }

    /// A number from `first` to `last`, both included; `first` if the range is empty.
    fn between(&mut self, first: u32, last: u32) -> u32 {
        first + self.below((last + 1).saturating_sub(first))
    }

    /// True once in `n` draws; false without entropy.
    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) + 1 == n
    }

    fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// A byte from 1 to 255.
    fn nonzero_byte(&mut self) -> u8 {
        self.between(1, 0xFF) as u8
    }

    fn half(&mut self) -> u16 {
        self.0.arbitrary().unwrap_or(0)
    }

    fn full(&mut self) -> u32 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// One entry of a table that is not empty.
    fn pick<T: Copy, const N: usize>(&mut self, table: &[T; N]) -> T {
        const { assert!(N > 0) };
        table[self.index(N)]
    }

    /// One entry of a slice, `fallback` if it is empty.
    fn pick_or<T: Copy>(&mut self, table: &[T], fallback: T) -> T {
        table
            .get(self.index(table.len()))
            .copied()
            .unwrap_or(fallback)
    }

    fn index(&mut self, len: usize) -> usize {
        self.below(len as u32) as usize
    }
}

fn put16(bytes: &mut [u8], offset: usize, value: u16) {
    bytes[offset..offset + 2].copy_from_slice(&value.to_le_bytes());
}

fn put32(bytes: &mut [u8], offset: usize, value: u32) {
    bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
}

fn get32(bytes: &WordBytes, offset: usize) -> u32 {
    u32::from_le_bytes([
        bytes[offset],
        bytes[offset + 1],
        bytes[offset + 2],
        bytes[offset + 3],
    ])
}
