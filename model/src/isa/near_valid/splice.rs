// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Changes to one field of a word that already exists, for mutators.

use arbitrary::Unstructured;

use super::{Damage, Draw, NearValidWord, WordBytes, at, legal, tensor};

/// The parts that a mutation replaces as a whole, as (first byte, length). [isa-word §1]
const PARTS: [(usize, usize); 17] = [
    (at::OPCODE, 2),
    (at::DEBUG_CMD, 2),
    (at::WAIT_MODE, 1),
    (at::WAIT_IDX, 1),
    (at::UPDATE_MODE, 1),
    (at::UPDATE_IDX, 1),
    (at::SEMAPHORE_VALUE, 4),
    (at::RESERVED0, 2),
    (at::SRC + tensor::STEP_ELEM, 6),
    (at::SRC + tensor::NUM_ELEM, 6),
    (at::LNC_SIZE_FMT, 1),
    (at::NUM_ACTIVE_CHANNELS, 1),
    (at::RESERVED1, at::DST - at::RESERVED1),
    (at::DST + tensor::STEP_ELEM, 6),
    (at::DST + tensor::NUM_ELEM, 6),
    (at::SRC, tensor::BYTES),
    (at::DST, tensor::BYTES),
];

/// Changes one part of a word and keeps the rest, or keeps one part and renews the rest.
///
/// The new parts come from a legal word, so that damaged words heal as often as they are made;
/// once in eight times one [`Damage`] is done instead.
pub fn mutate_field(u: &mut Unstructured<'_>, word: &mut NearValidWord) {
    let mut draw = Draw(u);
    let way = draw.below(8);
    if way == 7 {
        let damage = draw.pick(&Damage::ALL);
        damage.apply(&mut draw, word);
        return;
    }
    let part = draw.pick(&PARTS);
    word.nc = legal::nc(&mut draw, word.generation);
    let mut fresh = legal::word(&mut draw, word.generation);
    if way < 4 {
        transplant(&fresh, &mut word.bytes, part);
    } else {
        transplant(&word.bytes, &mut fresh, part);
        word.bytes = fresh;
    }
}

/// Copies a part, and with an operand what is tied to it: alignment ties an address to its
/// dtype, and equality ties the dtypes, so the other address, to each other.
fn transplant(from: &WordBytes, to: &mut WordBytes, part: (usize, usize)) {
    let (first, length) = part;
    copy_part(from, to, first, length);
    if length == tensor::BYTES {
        let other = if first == at::SRC { at::DST } else { at::SRC };
        copy_part(from, to, at::IN_DTYPE, 2);
        copy_part(from, to, other, 4);
    }
}

fn copy_part(from: &WordBytes, to: &mut WordBytes, first: usize, length: usize) {
    to[first..first + length].copy_from_slice(&from[first..first + length]);
}
