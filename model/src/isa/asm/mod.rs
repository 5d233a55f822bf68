// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Assembly text: one line a word, every bit of it expressible. The grammar is in `docs/assembly.md`.
//!
//! `assemble_line(&disassemble(&word))` gives the word back, whatever its 64 bytes are. The text means
//! the same on every generation.

mod disassemble;
mod error;
mod lexer;
mod names;
mod parse;
mod similar;
mod values;

pub use disassemble::disassemble;
pub use error::{AsmError, AsmErrorKind};

use super::word::Word;

/// A word and the line that it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceWord {
    /// Line, from 1.
    pub line: usize,
    /// The word.
    pub word: Word,
}

/// A line that is not assembly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{}: {}", error.column, error.kind)]
pub struct TextError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong in it.
    pub error: AsmError,
}

/// What [`assemble_text`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembly {
    /// The words of the good lines, in order.
    pub words: Vec<SourceWord>,
    /// The bad lines, in order.
    pub errors: Vec<TextError>,
}

/// Assembles one line; `None` for a line that is empty or a comment.
///
/// # Errors
/// The first thing in the line that is not the grammar's.
pub fn assemble_line(line: &str) -> Result<Option<Word>, AsmError> {
    parse::line(line)
}

/// Assembles many lines. A bad line is reported and skipped.
#[must_use]
pub fn assemble_text(text: &str) -> Assembly {
    let mut assembly = Assembly::default();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        match assemble_line(line) {
            Ok(Some(word)) => assembly.words.push(SourceWord {
                line: line_number,
                word,
            }),
            Ok(None) => {}
            Err(error) => assembly.errors.push(TextError {
                line: line_number,
                error,
            }),
        }
    }
    assembly
}
