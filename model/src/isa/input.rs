// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams of words: hex lines, binary records, assembly text. A bad line is reported with its place
//! and reading goes on.

use std::fmt::Write as _;

use super::asm::{AsmErrorKind, assemble_line};
use super::word::{WORD_BYTES, WordBytes};

/// Hex digits of one word.
pub const HEX_DIGITS: usize = 2 * WORD_BYTES;

/// How words are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// One word a line, 128 hex digits in memory order; blanks and `_` ignored, `#` comments.
    Hex,
    /// 64-byte records.
    Bin,
    /// Assembly text.
    Asm,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Hex, Self::Bin, Self::Asm];

    /// `hex`, `bin` or `asm`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hex => "hex",
            Self::Bin => "bin",
            Self::Asm => "asm",
        }
    }

    /// The format that a file name's ending (`bin`, `hex`, `s`) stands for.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension {
            "hex" => Some(Self::Hex),
            "bin" => Some(Self::Bin),
            "s" => Some(Self::Asm),
            _ => None,
        }
    }
}

/// A place in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// In text.
    Text {
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// In binary data: offset in bytes, from 0.
    Byte(usize),
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text { line, column } => write!(f, "{line}:{column}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

/// A word and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputWord {
    /// Its line (column 1) or byte offset.
    pub position: Position,
    /// The word.
    pub bytes: WordBytes,
}

/// A line or record that is no word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {kind}")]
pub struct InputError {
    /// Where it is wrong.
    pub position: Position,
    /// What is wrong.
    pub kind: InputErrorKind,
}

/// What is wrong with a line or record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputErrorKind {
    /// A character that is no hex digit.
    #[error("expected a hex digit, found `{}`", found.escape_debug())]
    HexDigit {
        /// The character.
        found: char,
    },
    /// Too few or too many digits.
    #[error("expected {HEX_DIGITS} hex digits, found {found}")]
    HexLength {
        /// How many there are.
        found: usize,
    },
    /// A short last record.
    #[error("expected a record of {WORD_BYTES} bytes, found {found}")]
    ShortRecord {
        /// Bytes left.
        found: usize,
    },
    /// Text that is not UTF-8.
    #[error("expected UTF-8 text")]
    Encoding,
    /// Assembly that is wrong.
    #[error(transparent)]
    Asm(#[from] AsmErrorKind),
}

/// A hex line that is no word: the column, from 1 in characters, and what is wrong.
pub type HexError = (usize, InputErrorKind);

/// Reads one hex line; `None` for a line that is empty or a comment.
pub fn parse_hex_line(line: &str) -> Result<Option<WordBytes>, HexError> {
    let mut bytes = [0; WORD_BYTES];
    let mut digits = 0_usize;
    let mut first_extra = None;
    let mut end = 1;
    for (index, c) in line.chars().enumerate() {
        let column = index + 1;
        match c {
            '#' => break,
            ' ' | '\t' | '\r' | '_' => continue,
            _ => {}
        }
        let digit = c
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
            .ok_or((column, InputErrorKind::HexDigit { found: c }))?;
        match bytes.get_mut(digits / 2) {
            Some(byte) => *byte = *byte << 4 | digit,
            None => first_extra = first_extra.or(Some(column)),
        }
        digits += 1;
        end = column + 1;
    }
    match digits {
        0 => Ok(None),
        HEX_DIGITS => Ok(Some(bytes)),
        found => Err((
            first_extra.unwrap_or(end),
            InputErrorKind::HexLength { found },
        )),
    }
}

/// The word as 128 lower-case hex digits in memory order.
#[must_use]
pub fn format_hex(word: &WordBytes) -> String {
    word.iter()
        .fold(String::with_capacity(HEX_DIGITS), |mut text, byte| {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// Reads the words of a stream one after the other.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    format: Format,
    rest: &'a [u8],
    /// Lines or bytes read.
    done: usize,
}

impl<'a> Reader<'a> {
    /// The words in `data`.
    #[must_use]
    pub const fn new(format: Format, data: &'a [u8]) -> Self {
        Self {
            format,
            rest: data,
            done: 0,
        }
    }

    fn next_record(&mut self) -> Option<Result<InputWord, InputError>> {
        if self.rest.is_empty() {
            return None;
        }
        let position = Position::Byte(self.done);
        let Some((record, rest)) = self.rest.split_first_chunk::<WORD_BYTES>() else {
            let found = self.rest.len();
            self.rest = &[];
            return Some(Err(InputError {
                position,
                kind: InputErrorKind::ShortRecord { found },
            }));
        };
        self.rest = rest;
        self.done += WORD_BYTES;
        Some(Ok(InputWord {
            position,
            bytes: *record,
        }))
    }

    fn next_line(&mut self) -> Option<Result<InputWord, InputError>> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|&b| b == b'\n');
            let line = &self.rest[..end.unwrap_or(self.rest.len())];
            self.rest = end.map_or(&[], |end| &self.rest[end + 1..]);
            self.done += 1;
            let at = |column| Position::Text {
                line: self.done,
                column,
            };
            let result = match text_of(line) {
                Ok(text) => self.parse_text(text),
                Err(column) => Err((column, InputErrorKind::Encoding)),
            };
            match result {
                Ok(Some(bytes)) => {
                    return Some(Ok(InputWord {
                        position: at(1),
                        bytes,
                    }));
                }
                Ok(None) => {}
                Err((column, kind)) => {
                    return Some(Err(InputError {
                        position: at(column),
                        kind,
                    }));
                }
            }
        }
        None
    }

    fn parse_text(&self, line: &str) -> Result<Option<WordBytes>, (usize, InputErrorKind)> {
        if self.format == Format::Hex {
            return parse_hex_line(line);
        }
        match assemble_line(line) {
            Ok(word) => Ok(word.map(|word| word.encode())),
            Err(error) => Err((error.column, error.kind.into())),
        }
    }
}

/// The line as text, or the column of the first byte that is not UTF-8.
fn text_of(line: &[u8]) -> Result<&str, usize> {
    str::from_utf8(line).map_err(|error| {
        let valid = &line[..error.valid_up_to()];
        String::from_utf8_lossy(valid).chars().count() + 1
    })
}

impl Iterator for Reader<'_> {
    type Item = Result<InputWord, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.format {
            Format::Bin => self.next_record(),
            Format::Hex | Format::Asm => self.next_line(),
        }
    }
}
