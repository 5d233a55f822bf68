// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What ends a command before its answer.

use std::io;
use std::path::PathBuf;

use crate::exit::Exit;

/// Why a command gave up.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Whoever read standard output has gone: nothing is left to do, and nothing to say.
    #[error("the reader of standard output has gone")]
    ReaderGone,
    /// Standard output took no more.
    #[error("cannot write to standard output")]
    Output(#[source] io::Error),
    /// An output file could not be made.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A waveform could not be made.
    #[error("cannot write the waveform `{}`", path.display())]
    Trace {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        #[source]
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An input file could not be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The request cannot be: contradictory options, a bad file, a part that this build lacks.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// The exit code that says so.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        match self {
            Self::ReaderGone => Exit::Success,
            Self::Output(_) | Self::Write { .. } | Self::Trace { .. } => Exit::Infrastructure,
            Self::Read { .. } | Self::Usage(_) => Exit::Usage,
        }
    }
}
