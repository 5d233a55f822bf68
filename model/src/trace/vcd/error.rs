// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the writer refuses.

use std::io;

/// A declaration or change that would give a file which viewers misread, or a failed write.
#[derive(Debug, thiserror::Error)]
pub enum VcdError {
    /// The name is not a plain identifier.
    #[error(
        "name `{name}` in `{scope}`: expected a letter or `_`, then letters, digits and `_` only"
    )]
    Name {
        /// Path of the enclosing scope.
        scope: String,
        /// The refused name.
        name: String,
    },
    /// The scope already has an item of this name.
    #[error("name `{name}` is declared twice in `{scope}`")]
    Duplicate {
        /// Path of the enclosing scope.
        scope: String,
        /// The repeated name.
        name: String,
    },
    /// A variable outside of all scopes.
    #[error("variable `{name}` is declared outside of any scope")]
    NoScope {
        /// Name of the variable.
        name: String,
    },
    /// More scopes were closed than opened, or some are still open at the end.
    #[error("scopes are unbalanced: {open} open where {expected}")]
    Unbalanced {
        /// Scopes open at that point.
        open: usize,
        /// What would have been right.
        expected: &'static str,
    },
    /// A vector of a width that cannot be declared.
    #[error("`{name}` is declared {width} bits wide; expected 1 to {maximum}")]
    Width {
        /// Path of the variable.
        name: String,
        /// Asked for, in bits.
        width: u32,
        /// Widest for this kind of variable, in bits.
        maximum: u32,
    },
    /// The value needs more bits than the variable has.
    #[error("`{name}` is {width} bits wide and cannot hold {value}")]
    Value {
        /// Path of the variable.
        name: String,
        /// Width of the variable, in bits.
        width: u32,
        /// The value in hexadecimal, or its size.
        value: String,
    },
    /// Time went back.
    #[error("time goes back from {now} ps to {asked} ps")]
    TimeGoesBack {
        /// Current time, in ps.
        now: u64,
        /// The earlier time asked for, in ps.
        asked: u64,
    },
    /// The handle was given out by other declarations than those of this file.
    #[error("variable number {number} is not one of the {declared} variables of this file")]
    ForeignHandle {
        /// Number inside the handle.
        number: usize,
        /// Variables of this file.
        declared: usize,
    },
    /// The destination refused the bytes.
    #[error("cannot write the waveform")]
    Io(#[from] io::Error),
}
