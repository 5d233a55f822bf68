// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Errors of scenario files, with their place.

use std::ops::Range;

use thiserror::Error;

/// Something in a scenario file that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ScenarioError {
    /// The file, as it was named.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found and what would be legal.
    pub message: String,
}

/// The text that errors point into.
pub(super) struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    /// `file:line:column` of the start of a byte range.
    pub fn place(&self, span: Range<usize>) -> String {
        let (line, column) = self.line_and_column(span);
        format!("{}:{line}:{column}", self.file)
    }

    /// An error at the start of a byte range.
    pub fn error(&self, span: Range<usize>, message: impl Into<String>) -> ScenarioError {
        let (line, column) = self.line_and_column(span);
        ScenarioError {
            file: self.file.to_owned(),
            line,
            column,
            message: message.into(),
        }
    }

    fn line_and_column(&self, span: Range<usize>) -> (usize, usize) {
        let mut start = span.start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }
}
