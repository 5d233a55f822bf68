// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Descriptors as text: a layout's name, then the fields that differ from what the name stands for.

use std::fmt::Write as _;
use std::str::FromStr;

use thiserror::Error;

use super::bits::{BitField, LAYOUTS, Layout, Radix};
use super::descriptor::{Descriptor, Operation};

/// A text that is no descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct TextError {
    /// Byte of the text at which the offending word begins.
    pub offset: usize,
    /// What was found and what was expected.
    pub message: String,
}

/// Writes a descriptor in a layout. [`parse`] reads it back.
///
/// Writing to a `String` cannot fail, so the results of `write!` carry nothing.
#[must_use]
pub fn format(descriptor: &Descriptor, layout: &Layout) -> String {
    let bits = descriptor.bits();
    let mut text = layout.name.to_owned();
    for field in layout.fields {
        let value = field.get(bits);
        if value == field.get(layout.implied) {
            continue;
        }
        let _ = match (field.radix, field.width, value) {
            (_, 1, 1) => write!(text, " {}", field.name),
            (Radix::Hexadecimal, ..) => write!(text, " {}={value:#x}", field.name),
            (Radix::Decimal, ..) => write!(text, " {}={value}", field.name),
            (Radix::Operation, ..) => write!(text, " {}={}", field.name, operation(value)),
        };
    }
    text
}

/// Name of an operation, or its number.
fn operation(value: u64) -> String {
    let operation = Operation::of((value as u32 & 7) << 23);
    operation
        .name()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Reads a number: decimal, or hexadecimal after `0x`; `_` between digits is ignored.
#[must_use]
pub fn number(text: &str) -> Option<u64> {
    let digits = text.replace('_', "");
    match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hex) if !hex.starts_with('+') => u64::from_str_radix(hex, 16).ok(),
        Some(_) => None,
        None if digits.starts_with('+') => None,
        None => u64::from_str(&digits).ok(),
    }
}

/// Puts a value into a field.
///
/// # Errors
/// What would be legal, if the value does not fit.
pub fn set_field(bits: u128, field: &BitField, value: u64) -> Result<u128, String> {
    if value > field.max() {
        return Err(format!(
            "{} is too large for `{}`; expected 0 to {}",
            value,
            field.name,
            field.max()
        ));
    }
    Ok(field.set(bits, value))
}

/// Reads a descriptor and the layout that it is written in.
///
/// # Errors
/// [`TextError`] at the first word that is not understood.
pub fn parse(text: &str) -> Result<(Descriptor, &'static Layout), TextError> {
    let mut words = words(text);
    let Some((offset, name)) = words.next() else {
        return Err(TextError {
            offset: 0,
            message: format!("expected {}", layout_names()),
        });
    };
    let layout = Layout::by_name(name).ok_or_else(|| TextError {
        offset,
        message: format!(
            "`{name}` is no kind of descriptor; expected {}",
            layout_names()
        ),
    })?;
    let mut bits = layout.implied;
    let mut seen = 0_u128;
    for (offset, word) in words {
        let refuse = |message| TextError { offset, message };
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let field = layout.field(name).ok_or_else(|| {
            refuse(format!(
                "`{name}` is no field of {}; expected {}",
                layout.name,
                field_names(layout)
            ))
        })?;
        if seen & field.mask() != 0 {
            return Err(refuse(format!("`{name}` is given twice")));
        }
        seen |= field.mask();
        let number = match value {
            None if field.width == 1 => 1,
            None => {
                return Err(refuse(format!(
                    "`{name}` has no value; expected {name}=0 to {}",
                    field.max()
                )));
            }
            Some(value) => number(value)
                .or_else(|| {
                    (field.radix == Radix::Operation)
                        .then(|| Operation::number_of(value).map(u64::from))
                        .flatten()
                })
                .ok_or_else(|| {
                    refuse(format!(
                        "`{value}` is no number for `{name}`; expected decimal digits, or 0x and hexadecimal ones"
                    ))
                })?,
        };
        bits = set_field(bits, field, number).map_err(refuse)?;
    }
    Ok((Descriptor::from_bits(bits), layout))
}

/// Words with the byte at which they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.split_ascii_whitespace()
        .map(move |word| (word.as_ptr() as usize - base, word))
}

fn layout_names() -> String {
    LAYOUTS
        .iter()
        .map(|layout| layout.name)
        .collect::<Vec<_>>()
        .join(", ")
}

fn field_names(layout: &Layout) -> String {
    layout
        .fields
        .iter()
        .filter(|field| !field.is_reserved())
        .map(|field| field.name)
        .collect::<Vec<_>>()
        .join(", ")
}
