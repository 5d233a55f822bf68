// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Text to word.

use super::super::addr4::Addr4;
use super::super::geometry::Geometry;
use super::super::lnc::LncSizeFmt;
use super::super::opcode::Opcode;
use super::super::semaphore_value::{
    MAX_REGISTER_OFFSET, NUM_ADDR_REGISTERS, register_with_offset,
};
use super::super::word::{Events, Header, INST_WORD_LEN, SB2SB_OPCODE, Tensor3d, Word};
use super::error::{AsmError, AsmErrorKind, shortened};
use super::lexer::{Kind, Lexer, Token};
use super::names::{
    DEBUG_COMMANDS, DTYPES, LNC_FORMATS, NameTable, OPCODES, UPDATE_MODES, WAIT_MODES,
};
use super::similar::similar_names;
use crate::generation::Generation;

/// A 0xBF word.
pub(super) const MNEMONIC_SB2SB: &str = "sb2sb";
/// A word of any opcode, its bytes spelt by the 0xBF layout (S3D3).
pub(super) const MNEMONIC_S3D3: &str = "s3d3";

const UNUSED_OPERAND: Tensor3d = Tensor3d {
    start_addr: Addr4(0),
    step_elem: [1; 3],
    num_elem: [1; 3],
};

/// What fields have that a line does not give. `dtype`, `src` and `dst` must be given.
pub(super) const DEFAULTS: Word = Word {
    header: Header {
        opcode: SB2SB_OPCODE,
        inst_word_len: INST_WORD_LEN,
        debug_cmd: 0,
        debug_hint: 0,
    },
    events: Events {
        wait_mode: 0,
        wait_idx: 0,
        update_mode: 0,
        update_idx: 0,
        semaphore_value: 0,
    },
    in_dtype: 0,
    out_dtype: 0,
    reserved0: [0; 2],
    src: UNUSED_OPERAND,
    lnc_size_fmt: LncSizeFmt::Lnc2.raw(),
    num_active_channels: 128,
    reserved1: [0; 14],
    dst: UNUSED_OPERAND,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Op,
    Len,
    DebugCmd,
    DebugHint,
    Fmt,
    Dtype,
    InDtype,
    OutDtype,
    Channels,
    Reserved0,
    Reserved1,
    Src,
    Dst,
    Wait,
    Update,
    Value,
}

/// Canonical spelling, the specification's name where it differs, and the field.
const KEYS: [(&str, &str, Key); 16] = [
    ("op", "opcode", Key::Op),
    ("len", "inst_word_len", Key::Len),
    ("debug_cmd", "debug_cmd", Key::DebugCmd),
    ("debug_hint", "debug_hint", Key::DebugHint),
    ("fmt", "lnc_size_fmt", Key::Fmt),
    ("dtype", "dtype", Key::Dtype),
    ("in_dtype", "in_dtype", Key::InDtype),
    ("out_dtype", "out_dtype", Key::OutDtype),
    ("ch", "num_active_channels", Key::Channels),
    ("reserved0", "reserved0", Key::Reserved0),
    ("reserved1", "reserved1", Key::Reserved1),
    ("src", "src", Key::Src),
    ("dst", "dst", Key::Dst),
    ("wait", "wait", Key::Wait),
    ("update", "update", Key::Update),
    ("value", "semaphore_value", Key::Value),
];

/// The columns in which fields were given, 0 where they were not.
#[derive(Default)]
struct Given([usize; KEYS.len()]);

impl Given {
    fn first(&self, keys: &[Key]) -> Option<(&'static str, usize)> {
        KEYS.iter()
            .zip(&self.0)
            .find(|((_, _, key), column)| keys.contains(key) && **column != 0)
            .map(|((name, _, _), column)| (*name, *column))
    }

    fn mark(&mut self, index: usize, column: usize) -> Result<(), AsmError> {
        let key = KEYS[index].2;
        let rivals: &[Key] = match key {
            Key::Dtype => &[Key::Dtype, Key::InDtype, Key::OutDtype],
            Key::InDtype => &[Key::Dtype, Key::InDtype],
            Key::OutDtype => &[Key::Dtype, Key::OutDtype],
            _ => &[key],
        };
        if let Some((field, first)) = self.first(rivals) {
            return Err(AsmError {
                column,
                kind: AsmErrorKind::Duplicate { field, first },
            });
        }
        self.0[index] = column;
        Ok(())
    }

    fn check_complete(&self, end: usize, opcode_needed: bool) -> Result<(), AsmError> {
        let missing = |field: &'static str| AsmError {
            column: end,
            kind: AsmErrorKind::Missing { field },
        };
        let has = |key| self.first(&[key]).is_some();
        if opcode_needed && !has(Key::Op) {
            return Err(missing("op"));
        }
        if !has(Key::Dtype) {
            match (has(Key::InDtype), has(Key::OutDtype)) {
                (true, true) => {}
                (true, false) => return Err(missing("out_dtype")),
                (false, true) => return Err(missing("in_dtype")),
                (false, false) => return Err(missing("dtype")),
            }
        }
        if !has(Key::Src) {
            return Err(missing("src"));
        }
        if !has(Key::Dst) {
            return Err(missing("dst"));
        }
        Ok(())
    }
}

/// One line: nothing, or a statement.
pub(super) fn line(text: &str) -> Result<Option<Word>, AsmError> {
    let mut lexer = Lexer::new(text);
    let first = lexer.take();
    let mnemonic = match first.kind {
        Kind::End => return Ok(None),
        Kind::Word(mnemonic) => mnemonic,
        _ => return Err(first.expected("a mnemonic (sb2sb or s3d3)")),
    };
    let any_opcode = if mnemonic.eq_ignore_ascii_case(MNEMONIC_SB2SB) {
        false
    } else if mnemonic.eq_ignore_ascii_case(MNEMONIC_S3D3) {
        true
    } else {
        let known = [MNEMONIC_SB2SB, MNEMONIC_S3D3].map(str::to_owned);
        return Err(unknown(
            first.column,
            "mnemonic",
            mnemonic,
            similar_names(mnemonic, known.into_iter()),
            "sb2sb, or s3d3 for other opcodes",
        ));
    };
    let mut word = DEFAULTS;
    let mut given = Given::default();
    while lexer.peek().kind != Kind::End {
        field(&mut lexer, &mut word, &mut given, any_opcode)?;
    }
    given.check_complete(lexer.peek().column, any_opcode)?;
    Ok(Some(word))
}

fn field(
    lexer: &mut Lexer<'_>,
    word: &mut Word,
    given: &mut Given,
    any_opcode: bool,
) -> Result<(), AsmError> {
    let token = lexer.take();
    let Kind::Word(text) = token.kind else {
        return Err(token.expected("a field"));
    };
    let index = KEYS.iter().position(|(name, alias, key)| {
        (any_opcode || *key != Key::Op)
            && (name.eq_ignore_ascii_case(text) || alias.eq_ignore_ascii_case(text))
    });
    let Some(index) = index else {
        let known = KEYS
            .iter()
            .filter(|(_, _, key)| any_opcode || *key != Key::Op)
            .flat_map(|(name, alias, _)| [*name, *alias]);
        let mut suggestions = similar_names(text, known.map(str::to_owned));
        suggestions.dedup();
        return Err(unknown(
            token.column,
            "field",
            text,
            suggestions,
            "one of fmt, dtype, in_dtype, out_dtype, ch, src, dst, wait, update, value, len, \
             debug_cmd, debug_hint, reserved0, reserved1 (and op after s3d3)",
        ));
    };
    given.mark(index, token.column)?;
    lexer.require('=', "`=` after the field")?;
    match KEYS[index].2 {
        Key::Op => word.header.opcode = Opcode(named_byte(lexer, &OPCODES)?).0,
        Key::Len => word.header.inst_word_len = byte(lexer, "the word length")?,
        Key::DebugCmd => word.header.debug_cmd = named_byte(lexer, &DEBUG_COMMANDS)?,
        Key::DebugHint => word.header.debug_hint = byte(lexer, "the debug hint")?,
        Key::Fmt => word.lnc_size_fmt = named_byte(lexer, &LNC_FORMATS)?,
        Key::Dtype => {
            word.in_dtype = named_byte(lexer, &DTYPES)?;
            word.out_dtype = word.in_dtype;
        }
        Key::InDtype => word.in_dtype = named_byte(lexer, &DTYPES)?,
        Key::OutDtype => word.out_dtype = named_byte(lexer, &DTYPES)?,
        Key::Channels => word.num_active_channels = byte(lexer, "the channel count")?,
        Key::Reserved0 => byte_list(lexer, "reserved0", &mut word.reserved0)?,
        Key::Reserved1 => byte_list(lexer, "reserved1", &mut word.reserved1)?,
        Key::Src => word.src = tensor(lexer)?,
        Key::Dst => word.dst = tensor(lexer)?,
        Key::Wait => {
            (word.events.wait_mode, word.events.wait_idx) = mode_and_index(lexer, &WAIT_MODES)?;
        }
        Key::Update => {
            (word.events.update_mode, word.events.update_idx) =
                mode_and_index(lexer, &UPDATE_MODES)?;
        }
        Key::Value => word.events.semaphore_value = value(lexer)?,
    }
    Ok(())
}

fn unknown(
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

fn mode_and_index(lexer: &mut Lexer<'_>, names: &NameTable) -> Result<(u8, u8), AsmError> {
    let mode = named_byte(lexer, names)?;
    if !lexer.take_if('[') {
        return Ok((mode, 0));
    }
    let index = byte(lexer, "the semaphore or event index")?;
    lexer.require(']', "`]` after the index")?;
    Ok((mode, index))
}

fn value(lexer: &mut Lexer<'_>) -> Result<u32, AsmError> {
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

fn tensor(lexer: &mut Lexer<'_>) -> Result<Tensor3d, AsmError> {
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

fn byte_list(lexer: &mut Lexer<'_>, what: &'static str, bytes: &mut [u8]) -> Result<(), AsmError> {
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

fn named_byte(lexer: &mut Lexer<'_>, names: &NameTable) -> Result<u8, AsmError> {
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

fn byte(lexer: &mut Lexer<'_>, what: &'static str) -> Result<u8, AsmError> {
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
