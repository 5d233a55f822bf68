// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What can be wrong with a line of assembly, and where.

use std::fmt::Write as _;

/// A line that is not assembly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct AsmError {
    /// Column of the first character concerned, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub kind: AsmErrorKind,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AsmErrorKind {
    /// Something else must stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the grammar wants.
        expected: &'static str,
        /// What stands there, shortened.
        found: String,
    },
    /// A name that is not in the table of its kind.
    #[error("unknown {what} `{found}`{}", hint(suggestions, choices))]
    UnknownName {
        /// The kind of name.
        what: &'static str,
        /// The name given, shortened.
        found: String,
        /// Names that look like it.
        suggestions: Vec<String>,
        /// How to spell the thing otherwise.
        choices: &'static str,
    },
    /// Digits that are not a number.
    #[error("`{found}` is not a number; expected decimal, 0x hexadecimal or 0b binary digits")]
    Number {
        /// The text given, shortened.
        found: String,
    },
    /// A number that does not go into its place.
    #[error("{what} is {found}; expected {min} to {max}")]
    Range {
        /// What the number is.
        what: &'static str,
        /// The number given, shortened.
        found: String,
        /// Smallest legal number.
        min: i64,
        /// Largest legal number.
        max: i64,
    },
    /// A field that was given before.
    #[error("`{field}` was given before, in column {first}")]
    Duplicate {
        /// The field.
        field: &'static str,
        /// Where it was given first.
        first: usize,
    },
    /// A field without a default that was not given.
    #[error("`{field}=` is missing")]
    Missing {
        /// The field.
        field: &'static str,
    },
    /// A list with too many entries.
    #[error("{what} has more than {limit} entries")]
    TooMany {
        /// The list.
        what: &'static str,
        /// How many it can have.
        limit: usize,
    },
}

fn hint(suggestions: &[String], choices: &str) -> String {
    let Some((first, others)) = suggestions.split_first() else {
        return format!("; expected {choices}");
    };
    let mut text = format!("; did you mean `{first}`");
    for other in others {
        let _ = write!(text, " or `{other}`");
    }
    text.push('?');
    text
}

/// Longest piece of the input that a message repeats, in characters.
const SHOWN: usize = 40;

/// The text as a message shows it.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
