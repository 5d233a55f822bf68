// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers of a scenario, each with what it counts and how far it goes.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;

use super::Loader;
use crate::isa::Geometry;
use crate::scenario::error::ScenarioError;
use crate::soc::{self, SocAddr};
use crate::transaction::CoreId;

impl Loader<'_> {
    pub(super) fn core(&self, number: &Spanned<i64>) -> Result<CoreId, ScenarioError> {
        self.core_at(*number.get_ref(), number.span())
    }

    pub(super) fn core_at(&self, number: i64, span: Range<usize>) -> Result<CoreId, ScenarioError> {
        u8::try_from(number)
            .ok()
            .and_then(|number| CoreId::new(number).ok())
            .ok_or_else(|| {
                self.error(
                    span,
                    format!("core {number} does not exist; a chip has cores 0 to 7"),
                )
            })
    }

    /// A number from 0 to `last`.
    pub(super) fn up_to<T: TryFrom<i64>>(
        &self,
        number: &Spanned<i64>,
        what: &str,
        last: u64,
    ) -> Result<T, ScenarioError> {
        let value = *number.get_ref();
        u64::try_from(value)
            .ok()
            .filter(|value| *value <= last)
            .and_then(|_| T::try_from(value).ok())
            .ok_or_else(|| {
                self.error(
                    number.span(),
                    format!("{value} is no {what}; expected a number from 0 to {last}"),
                )
            })
    }

    /// Index of a semaphore or event. [evt-sem §1.2]
    pub(super) fn index(&self, number: &Spanned<i64>, what: &str) -> Result<u8, ScenarioError> {
        self.up_to(number, what, u8::MAX.into())
    }

    /// The content of a 32-bit register.
    pub(super) fn word(&self, value: &Spanned<i64>) -> Result<u32, ScenarioError> {
        u32::try_from(*value.get_ref()).map_err(|_| {
            self.error(
                value.span(),
                format!(
                    "{} does not fit 32 bits; expected 0 to 0xffffffff",
                    value.get_ref()
                ),
            )
        })
    }

    /// A table with numbers as keys, ascending. Different spellings of a number are the same key.
    pub(super) fn numbered<'e, V>(
        &self,
        entries: &'e BTreeMap<Spanned<String>, V>,
        what: &str,
        last: u8,
    ) -> Result<BTreeMap<u8, &'e V>, ScenarioError> {
        let mut numbered = BTreeMap::new();
        for (key, value) in entries {
            let digits = key.get_ref();
            let number = Some(digits)
                .filter(|digits| !digits.starts_with('+'))
                .and_then(|digits| digits.parse::<u8>().ok())
                .filter(|number| *number <= last)
                .ok_or_else(|| {
                    self.error(
                        key.span(),
                        format!("`{digits}` is no {what}; expected 0 to {last}"),
                    )
                })?;
            if numbered.insert(number, value).is_some() {
                return Err(self.error(key.span(), format!("{what} {number} is given twice")));
            }
        }
        Ok(numbered)
    }

    /// Bytes as hex digits; at least one byte.
    pub(super) fn hex(&self, text: &Spanned<String>) -> Result<Vec<u8>, ScenarioError> {
        let mut digits = Vec::new();
        for c in text.get_ref().chars() {
            if c.is_whitespace() || c == '_' {
                continue;
            }
            let digit = c.to_digit(16).ok_or_else(|| {
                self.error(
                    text.span(),
                    format!("expected hex digits, found `{}`", c.escape_debug()),
                )
            })?;
            digits.push(digit as u8);
        }
        if digits.is_empty() {
            return Err(self.error(text.span(), "expected at least one byte, as two hex digits"));
        }
        let (pairs, rest) = digits.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(self.error(
                text.span(),
                format!(
                    "expected an even number of hex digits, found {}",
                    digits.len()
                ),
            ));
        }
        Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect())
    }

    /// Address of a byte of a partition, on the core's own State Buffer.
    pub(super) fn sbuf(&self, core: CoreId, partition: u32, offset: u32) -> SocAddr {
        let stride = u64::from(Geometry::of(self.generation).sbuf_stride);
        soc::sbuf(core, u64::from(partition) * stride + u64::from(offset))
    }
}
