// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What stands behind a field's `=`: numbers, names, operands, lists.

use super::super::addr4::Addr4;
use super::super::geometry::Geometry;
use super::super::semaphore_value::{
    MAX_REGISTER_OFFSET, NUM_ADDR_REGISTERS, register_with_offset,
};
use super::super::word::Tensor3d;
use super::error::{AsmError, AsmErrorKind, shortened};
use super::lexer::{Kind, Lexer, Token};
use super::names::NameTable;
use super::parse::UNUSED_OPERAND;
use super::similar::similar_names;
use crate::generation::Generation;

/// The error that a name is not known.
pub(super) fn unknown(
    column: usize,
    what: &'static str,
    found: &str,
    suggestions: Vec<String>,
    choices: &'static str,
) -> AsmError {
    AsmError {
        column,
        kind: AsmErrorKind::UnknownName {
            what,
            found: shortened(found),
            suggestions,
            choices,
        },
    }
}

/// A mode, and the index in brackets; the index is 0 if left out.
pub(super) fn mode_and_index(
    lexer: &mut Lexer<'_>,
    names: &NameTable,
) -> Result<(u8, u8), AsmError> {
    let mode = named_byte(lexer, names)?;
    if !lexer.take_if('[') {
        return Ok((mode, 0));
    }
    let index = byte(lexer, "the semaphore or event index")?;
    lexer.require(']', "`]` after the index")?;
    Ok((mode, index))
}

/// The shared value: a number, or a register with or without an offset.
pub(super) fn value(lexer: &mut Lexer<'_>) -> Result<u32, AsmError> {
    let token = lexer.peek();
    let Some(digits) = prefixed(token, "r") else {
        return unsigned(lexer, "the value", u32::MAX);
    };
    lexer.take();
    let register = register_digits(digits, token.column)?;
    let offset = if lexer.take_if('+') {
        unsigned(lexer, "the register offset", MAX_REGISTER_OFFSET)?
    } else {
        0
    };
    // The offset was held to its maximum, so the packing always succeeds.
    Ok(register_with_offset(register, offset).unwrap_or(u32::from(register)))
}

/// An operand: address and dimensions.
pub(super) fn tensor(lexer: &mut Lexer<'_>) -> Result<Tensor3d, AsmError> {
    let mut tensor = Tensor3d {
        start_addr: address(lexer)?,
        ..UNUSED_OPERAND
    };
    if !lexer.take_if('[') {
        return Ok(tensor);
    }
    for d in 0.. {
        let token = lexer.peek();
        if d == tensor.num_elem.len() {
            return Err(AsmError {
                column: token.column,
                kind: AsmErrorKind::TooMany {
                    what: "the pattern",
                    limit: tensor.num_elem.len(),
                },
            });
        }
        let count = number(lexer, "the count", 0, i64::from(u16::MAX))?;
        tensor.num_elem[d] = narrow(count, token.column)?;
        if lexer.take_if('@') {
            let column = lexer.peek().column;
            let step = number(lexer, "the step", i64::from(i16::MIN), i64::from(i16::MAX))?;
            tensor.step_elem[d] = narrow(step, column)?;
        }
        if !lexer.take_if(',') {
            break;
        }
    }
    lexer.require(']', "`,` or `]`")?;
    Ok(tensor)
}

fn address(lexer: &mut Lexer<'_>) -> Result<Addr4, AsmError> {
    let token = lexer.peek();
    let addr = if let Some(digits) = prefixed(token, "r") {
        lexer.take();
        Addr4(Addr4::REGISTER_BIT | u32::from(register_digits(digits, token.column)?))
    } else if let Some(digits) = prefixed(token, "wp") {
        partition_address(lexer, digits, Generation::V5)?
    } else if let Some(digits) = prefixed(token, "p") {
        partition_address(lexer, digits, Generation::V3)?
    } else {
        match token.kind {
            Kind::Word(text) if text.starts_with(|c: char| c.is_ascii_digit()) => {}
            _ => {
                return Err(
                    token.expected("an address: a number, r0 to r63, p0 to p127 or wp0 to wp127")
                );
            }
        }
        Addr4(unsigned(lexer, "the address", u32::MAX)?)
    };
    if !lexer.take_if('.') {
        return Ok(addr);
    }
    let suffix = lexer.take();
    match suffix.kind {
        Kind::Word(text) if text.eq_ignore_ascii_case("shape") => Ok(addr.with_shape_register()),
        _ => Err(suffix.expected("`shape` after the point")),
    }
}

fn partition_address(
    lexer: &mut Lexer<'_>,
    digits: &str,
    generation: Generation,
) -> Result<Addr4, AsmError> {
    let token = lexer.take();
    let geometry = Geometry::of(generation);
    let last = i64::from(geometry.sbuf_partitions) - 1;
    let partition = in_range(digits, false, "the partition", token.column, 0, last)?;
    let offset = if lexer.take_if('+') {
        unsigned(lexer, "the byte offset", geometry.sbuf_stride - 1)?
    } else {
        0
    };
    let partition: u32 = narrow(partition, token.column)?;
    Ok(Addr4(partition * geometry.sbuf_stride + offset))
}

/// The digits behind a letter, as in `r5`.
fn prefixed<'a>(token: Token<'a>, prefix: &str) -> Option<&'a str> {
    let Kind::Word(text) = token.kind else {
        return None;
    };
    let (head, digits) = text.split_at_checked(prefix.len())?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    (head.eq_ignore_ascii_case(prefix) && is_number).then_some(digits)
}

fn register_digits(digits: &str, column: usize) -> Result<u8, AsmError> {
    let last = i64::from(NUM_ADDR_REGISTERS) - 1;
    narrow(
        in_range(digits, false, "the register", column, 0, last)?,
        column,
    )
}

/// Bytes in brackets; those left out stay as they are.
pub(super) fn byte_list(
    lexer: &mut Lexer<'_>,
    what: &'static str,
    bytes: &mut [u8],
) -> Result<(), AsmError> {
    lexer.require('[', "`[` before the bytes")?;
    for index in 0.. {
        let Some(place) = bytes.get_mut(index) else {
            return Err(AsmError {
                column: lexer.peek().column,
                kind: AsmErrorKind::TooMany {
                    what,
                    limit: bytes.len(),
                },
            });
        };
        *place = byte(lexer, "a reserved byte")?;
        if !lexer.take_if(',') {
            break;
        }
    }
    lexer.require(']', "`,` or `]`")
}

/// A byte by name or number.
pub(super) fn named_byte(lexer: &mut Lexer<'_>, names: &NameTable) -> Result<u8, AsmError> {
    let token = lexer.peek();
    match token.kind {
        Kind::Word(text) if text.starts_with(|c: char| c.is_ascii_digit()) => {
            byte(lexer, names.what)
        }
        Kind::Word(text) => {
            lexer.take();
            names.find(text).ok_or_else(|| {
                unknown(
                    token.column,
                    names.what,
                    text,
                    similar_names(text, names.all()),
                    names.choices,
                )
            })
        }
        _ => Err(token.expected(names.choices)),
    }
}

/// A number of 8 bits.
pub(super) fn byte(lexer: &mut Lexer<'_>, what: &'static str) -> Result<u8, AsmError> {
    let column = lexer.peek().column;
    narrow(number(lexer, what, 0, i64::from(u8::MAX))?, column)
}

fn unsigned(lexer: &mut Lexer<'_>, what: &'static str, max: u32) -> Result<u32, AsmError> {
    let column = lexer.peek().column;
    narrow(number(lexer, what, 0, i64::from(max))?, column)
}

fn number(lexer: &mut Lexer<'_>, what: &'static str, min: i64, max: i64) -> Result<i64, AsmError> {
    let first = lexer.peek().column;
    let negative = lexer.take_if('-');
    let token = lexer.take();
    match token.kind {
        Kind::Word(text) => in_range(text, negative, what, first, min, max),
        _ => Err(token.expected("a number")),
    }
}

fn in_range(
    text: &str,
    negative: bool,
    what: &'static str,
    column: usize,
    min: i64,
    max: i64,
) -> Result<i64, AsmError> {
    let error = |kind| AsmError { column, kind };
    let magnitude = digits(text).ok_or_else(|| {
        error(AsmErrorKind::Number {
            found: shortened(text),
        })
    })?;
    let value = if negative { -magnitude } else { magnitude };
    if (min..=max).contains(&value) {
        return Ok(value);
    }
    let sign = if negative { "-" } else { "" };
    Err(error(AsmErrorKind::Range {
        what,
        found: format!("{sign}{}", shortened(text)),
        min,
        max,
    }))
}

/// The number that the text spells; more than fits counts as the largest.
fn digits(text: &str) -> Option<i64> {
    let lower = text.get(..2).map(str::to_ascii_lowercase);
    let (radix, digits) = match lower.as_deref() {
        Some("0x") => (16, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, text),
    };
    let mut value = 0_i64;
    let mut any = false;
    for c in digits.chars().filter(|&c| c != '_') {
        let digit = c.to_digit(radix)?;
        value = value
            .saturating_mul(i64::from(radix))
            .saturating_add(i64::from(digit));
        any = true;
    }
    any.then_some(value)
}

/// A number that was held to the range of its type before.
fn narrow<T: TryFrom<i64>>(value: i64, column: usize) -> Result<T, AsmError> {
    T::try_from(value).map_err(|_| AsmError {
        column,
        kind: AsmErrorKind::Number {
            found: value.to_string(),
        },
    })
}
