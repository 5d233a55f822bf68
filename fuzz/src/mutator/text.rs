// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Changes to assembly text by lines and tokens.

use pool_model::isa::{Word, disassemble};

use super::{Fallback, Random, fresh_word};

/// A changed copy of `old`, at most `limit` bytes.
pub(super) fn mutate(
    random: &mut Random,
    old: &[u8],
    limit: usize,
    fallback: Fallback<'_>,
) -> Vec<u8> {
    let action = random.below(8);
    let mut new = if old.is_empty() {
        statement(random).into_bytes()
    } else {
        match action {
            0..3 => default_mutation(old, limit, fallback),
            3 => {
                let mut new = old.to_vec();
                new.push(b'\n');
                new.extend(statement(random).into_bytes());
                new
            }
            4 => statement(random).into_bytes(),
            _ => change_token(random, old),
        }
    };
    new.truncate(limit);
    new
}

/// A near-valid word as one line.
fn statement(random: &mut Random) -> String {
    let generation = random.generation();
    let word = fresh_word(random, generation);
    disassemble(&Word::decode(&word.bytes))
}

fn default_mutation(old: &[u8], limit: usize, fallback: Fallback<'_>) -> Vec<u8> {
    let mut buffer = old.to_vec();
    buffer.resize(limit.max(old.len()), 0);
    let size = fallback(&mut buffer, old.len(), limit);
    buffer.truncate(size);
    buffer
}

/// Drops, doubles or replaces one token; tokens end at blanks, line ends and the grammar's signs.
fn change_token(random: &mut Random, old: &[u8]) -> Vec<u8> {
    let tokens: Vec<&[u8]> = old.split_inclusive(|byte| is_delimiter(*byte)).collect();
    let chosen = random.below(tokens.len());
    let statement = statement(random);
    let donors: Vec<&[u8]> = statement
        .as_bytes()
        .split_inclusive(|byte| is_delimiter(*byte))
        .collect();
    let donor = donors
        .get(random.below(donors.len()))
        .copied()
        .unwrap_or_default();
    let replacement: &[&[u8]] = match random.below(6) {
        0 => &[],
        1 => &[tokens[chosen], tokens[chosen]],
        2 => &[tokens[chosen], donor],
        _ => &[donor],
    };
    let mut new = Vec::with_capacity(old.len() + donor.len());
    for token in &tokens[..chosen] {
        new.extend_from_slice(token);
    }
    for token in replacement {
        new.extend_from_slice(token);
    }
    for token in &tokens[chosen + 1..] {
        new.extend_from_slice(token);
    }
    new
}

fn is_delimiter(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\n' | b'=' | b'[' | b']' | b',' | b'@' | b'+' | b'.'
    )
}
