// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Names that look like a misspelt one.

/// Longest text that is compared; longer ones are no slip of the pen.
const LONGEST: usize = 48;

/// Most suggestions in a message.
const SUGGESTIONS: usize = 3;

/// The candidates nearest to `text`, at most three, nearest first and in the order given. A candidate
/// is near if about one character in three, at least one, is inserted, left out, changed or swapped.
pub(super) fn similar_names(text: &str, candidates: impl Iterator<Item = String>) -> Vec<String> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let wanted = text.to_ascii_lowercase();
    let limit = (wanted.len() / 3).clamp(1, 4);
    let mut near: Vec<(usize, String)> = candidates
        .map(|candidate| (distance(wanted.as_bytes(), candidate.as_bytes()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    let best = near.first().map_or(0, |(distance, _)| *distance);
    near.into_iter()
        .take_while(|(distance, _)| *distance == best)
        .take(SUGGESTIONS)
        .map(|(_, candidate)| candidate)
        .collect()
}

/// Edit distance with swaps of neighbours, on bytes (the candidates are ASCII).
fn distance(left: &[u8], right: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (i, &l) in left.iter().enumerate() {
        let mut row = Vec::with_capacity(right.len() + 1);
        row.push(i + 1);
        for (j, &r) in right.iter().enumerate() {
            let mut best = (above[j] + usize::from(l != r))
                .min(above[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && l == right[j - 1] && left[i - 1] == r {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[right.len()]
}
