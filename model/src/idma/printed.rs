// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The bit order in which one source prints the words: mirrored. For reading that source only. [idma-ring §1.2]

/// Word 0 with bytes 2 and 3 mirrored inside the byte.
#[must_use]
pub const fn word0_as_printed(word0: u32) -> u32 {
    let [low, high, byte2, byte3] = word0.to_le_bytes();
    u32::from_le_bytes([low, high, byte2.reverse_bits(), byte3.reverse_bits()])
}

/// Word 1 mirrored as a whole.
#[must_use]
pub const fn word1_as_printed(word1: u32) -> u32 {
    word1.reverse_bits()
}
