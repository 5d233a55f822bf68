// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The table of fields, for everything that names, prints or stores them. [isa-word §1]

use std::ops::{Range, RangeInclusive};

use super::word::WordBytes;

/// One field of the word: a single number or an array of equal numbers, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Path as in isa-word §1, without an index: `src.step_elem`.
    pub path: &'static str,
    /// First byte.
    pub offset: usize,
    /// Bytes of one number: 1, 2 or 4.
    pub width: usize,
    /// Numbers in the field; 1 for a plain one.
    pub count: usize,
    /// Two's complement.
    pub signed: bool,
    /// The field is an array, also in listings.
    pub array: bool,
}

pub(super) const fn plain(path: &'static str, offset: usize, width: usize) -> Field {
    Field {
        path,
        offset,
        width,
        count: 1,
        signed: false,
        array: false,
    }
}

pub(super) const fn array(path: &'static str, offset: usize, width: usize, count: usize) -> Field {
    Field {
        path,
        offset,
        width,
        count,
        signed: false,
        array: true,
    }
}

const fn signed_array(path: &'static str, offset: usize, width: usize, count: usize) -> Field {
    Field {
        signed: true,
        ..array(path, offset, width, count)
    }
}

/// Every field, by ascending offset; together they cover the 64 bytes exactly once.
pub const FIELDS: [Field; 21] = [
    plain("header.opcode", 0, 1),
    plain("header.inst_word_len", 1, 1),
    plain("header.debug_cmd", 2, 1),
    plain("header.debug_hint", 3, 1),
    plain("events.wait_mode", 4, 1),
    plain("events.wait_idx", 5, 1),
    plain("events.update_mode", 6, 1),
    plain("events.update_idx", 7, 1),
    plain("events.semaphore_value", 8, 4),
    plain("in_dtype", 12, 1),
    plain("out_dtype", 13, 1),
    array("reserved0", 14, 1, 2),
    plain("src.start_addr", 16, 4),
    signed_array("src.step_elem", 20, 2, 3),
    array("src.num_elem", 26, 2, 3),
    plain("lnc_size_fmt", 32, 1),
    plain("num_active_channels", 33, 1),
    array("reserved1", 34, 1, 14),
    plain("dst.start_addr", 48, 4),
    signed_array("dst.step_elem", 52, 2, 3),
    array("dst.num_elem", 58, 2, 3),
];

impl Field {
    /// The field with this path.
    #[must_use]
    pub fn by_path(path: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.path == path)
    }

    /// Bytes that the whole field covers.
    #[must_use]
    pub const fn bytes(&self) -> Range<usize> {
        self.offset..self.offset + self.width * self.count
    }

    /// The numbers that one entry can hold.
    #[must_use]
    pub const fn range(&self) -> RangeInclusive<i64> {
        let span = 1_i64 << (8 * self.width);
        if self.signed {
            -span / 2..=span / 2 - 1
        } else {
            0..=span - 1
        }
    }

    /// Entry `index` of the field; `None` beyond its count.
    #[must_use]
    pub fn get(&self, word: &WordBytes, index: usize) -> Option<i64> {
        if index >= self.count {
            return None;
        }
        let first = self.offset + index * self.width;
        let raw = word[first..first + self.width]
            .iter()
            .rev()
            .fold(0_i64, |high, &byte| high << 8 | i64::from(byte));
        let sign_bit = 1_i64 << (8 * self.width - 1);
        Some(if self.signed && raw & sign_bit != 0 {
            raw - 2 * sign_bit
        } else {
            raw
        })
    }

    /// All entries of the field, in order.
    pub fn values(&self, word: &WordBytes) -> impl Iterator<Item = i64> {
        (0..self.count).filter_map(|index| self.get(word, index))
    }

    /// Stores `value` as entry `index`.
    pub fn set(&self, word: &mut WordBytes, index: usize, value: i64) -> Result<(), FieldError> {
        if index >= self.count {
            return Err(FieldError::Index {
                path: self.path,
                index,
                count: self.count,
            });
        }
        let range = self.range();
        if !range.contains(&value) {
            return Err(FieldError::Range {
                path: self.path,
                value,
                min: *range.start(),
                max: *range.end(),
            });
        }
        let first = self.offset + index * self.width;
        word[first..first + self.width].copy_from_slice(&value.to_le_bytes()[..self.width]);
        Ok(())
    }
}

/// A number that does not go into a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The field has fewer entries.
    #[error("{path}[{index}]; the field has {count} entries")]
    Index {
        /// The field.
        path: &'static str,
        /// The entry asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The number does not fit.
    #[error("{path} = {value}; expected {min} to {max}")]
    Range {
        /// The field.
        path: &'static str,
        /// The number given.
        value: i64,
        /// Smallest number that fits.
        min: i64,
        /// Largest number that fits.
        max: i64,
    },
}
