// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cuts a line into tokens. Never fails: what is no token is a [`Kind::Bad`] one.

use super::error::{AsmError, AsmErrorKind, shortened};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// Letters, digits and underscores: a name or a number.
    Word(&'a str),
    /// One of `= [ ] , @ + - .`
    Mark(char),
    /// A character that the grammar does not have.
    Bad(char),
    /// The end of the line, or the comment that ends it.
    End,
}

/// A token and its column, from 1, in characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) column: usize,
    pub(super) kind: Kind<'a>,
}

impl Token<'_> {
    /// The error that something else was expected in the place of this token.
    pub(super) fn expected(&self, expected: &'static str) -> AsmError {
        let found = match self.kind {
            Kind::Word(text) => format!("`{}`", shortened(text)),
            Kind::Mark(mark) => format!("`{mark}`"),
            Kind::Bad(c) => format!("`{}`", c.escape_debug()),
            Kind::End => "the end of the line".to_owned(),
        };
        AsmError {
            column: self.column,
            kind: AsmErrorKind::Expected { expected, found },
        }
    }
}

/// The rest of a line, with one token of look-ahead.
pub(super) struct Lexer<'a> {
    rest: &'a str,
    column: usize,
    next: Token<'a>,
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> Lexer<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        let mut lexer = Self {
            rest: line,
            column: 1,
            next: Token {
                column: 1,
                kind: Kind::End,
            },
        };
        lexer.advance();
        lexer
    }

    /// The next token, left where it is.
    pub(super) const fn peek(&self) -> Token<'a> {
        self.next
    }

    /// The next token, taken.
    pub(super) fn take(&mut self) -> Token<'a> {
        let token = self.next;
        self.advance();
        token
    }

    /// Takes the next token if it is this mark.
    pub(super) fn take_if(&mut self, mark: char) -> bool {
        let found = self.next.kind == Kind::Mark(mark);
        if found {
            self.advance();
        }
        found
    }

    /// Takes this mark, or says that `expected` was expected.
    pub(super) fn require(&mut self, mark: char, expected: &'static str) -> Result<(), AsmError> {
        if self.take_if(mark) {
            Ok(())
        } else {
            Err(self.next.expected(expected))
        }
    }

    fn advance(&mut self) {
        let blanks = self.rest.trim_start_matches([' ', '\t', '\r']);
        self.column += self.rest.len() - blanks.len();
        self.rest = blanks;
        let column = self.column;
        let Some(first) = self.rest.chars().next() else {
            self.next = Token {
                column,
                kind: Kind::End,
            };
            return;
        };
        let (length, kind) = match first {
            '#' => (0, Kind::End),
            '=' | '[' | ']' | ',' | '@' | '+' | '-' | '.' => (1, Kind::Mark(first)),
            c if is_word(c) => {
                let length = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
                (length, Kind::Word(&self.rest[..length]))
            }
            c => (c.len_utf8(), Kind::Bad(c)),
        };
        // A word is ASCII, so its bytes are its characters; any other token is one character.
        self.column += if matches!(kind, Kind::Word(_)) {
            length
        } else {
            usize::from(length > 0)
        };
        self.rest = &self.rest[length..];
        self.next = Token { column, kind };
    }
}
