// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Text to word.

use super::super::addr4::Addr4;
use super::super::lnc::LncSizeFmt;
use super::super::opcode::Opcode;
use super::super::word::{Events, Header, INST_WORD_LEN, SB2SB_OPCODE, Tensor3d, Word};
use super::error::{AsmError, AsmErrorKind};
use super::lexer::{Kind, Lexer};
use super::names::{DEBUG_COMMANDS, DTYPES, LNC_FORMATS, OPCODES, UPDATE_MODES, WAIT_MODES};
use super::similar::similar_names;
use super::values::{byte, byte_list, mode_and_index, named_byte, tensor, unknown, value};

/// A 0xBF word.
pub(super) const MNEMONIC_SB2SB: &str = "sb2sb";
/// A word of any opcode, its bytes spelt by the 0xBF layout (S3D3).
pub(super) const MNEMONIC_S3D3: &str = "s3d3";

/// An operand at address 0 with one element.
pub(super) const UNUSED_OPERAND: Tensor3d = Tensor3d {
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
