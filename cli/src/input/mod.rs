// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reading input: several files as one stream, in bounded memory.

mod lines;
mod words;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pool_model::isa::input::InputErrorKind;

pub use lines::{Line, MAX_LINE, Stopped};
pub use words::{Batch, Event, read_words};

/// Bytes asked for at once.
const CHUNK: usize = 256 * 1024;

/// How messages call standard input.
const STDIN_NAME: &str = "<stdin>";

/// Something in the input that cannot be read, with its place.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The file does not open.
    #[error("cannot open `{file}`")]
    Open {
        /// The file.
        file: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// Reading stopped in the middle.
    #[error("cannot read `{file}`")]
    Read {
        /// The file.
        file: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// `--input auto` has nothing to go by.
    #[error(
        "cannot tell how words are written down in `{file}`; \
         expected a name ending in .hex, .bin or .s, or --input hex, bin or asm"
    )]
    UnknownFormat {
        /// The file.
        file: String,
    },
    /// A line that nobody would write.
    #[error("{file}:{line}:{}: expected a line of at most {MAX_LINE} bytes", MAX_LINE + 1)]
    LongLine {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
    },
    /// A line that is no word.
    #[error("{file}:{line}:{column}: {kind}")]
    Line {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1, in characters.
        column: usize,
        /// What is wrong.
        kind: InputErrorKind,
    },
    /// A line that is not what it should be.
    #[error("{file}:{line}:{column}: {message}")]
    Fields {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1, in characters.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A line that is no address.
    #[error("{file}:{line}:{column}: {message}")]
    Address {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1, in characters.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A record that is no word.
    #[error("{file}:byte {offset}: {kind}")]
    Record {
        /// The file.
        file: String,
        /// Offset of the record, from 0.
        offset: usize,
        /// What is wrong.
        kind: InputErrorKind,
    },
}

/// One file of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file by its path.
    File(PathBuf),
}

impl Source {
    /// The sources that FILE arguments name.
    pub fn of_arguments(files: &[PathBuf]) -> Vec<Self> {
        if files.is_empty() {
            return vec![Self::Stdin];
        }
        files
            .iter()
            .map(|path| {
                if path == Path::new("-") {
                    Self::Stdin
                } else {
                    Self::File(path.clone())
                }
            })
            .collect()
    }

    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => STDIN_NAME.to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Opens the source and hands it to `reader`.
    fn with_reader<T>(
        &self,
        stdin: &mut dyn Read,
        reader: impl FnOnce(&mut dyn Read) -> T,
    ) -> Result<T, Problem> {
        match self {
            Self::Stdin => Ok(reader(stdin)),
            Self::File(path) => {
                let mut file = File::open(path).map_err(|error| Problem::Open {
                    file: self.name(),
                    error,
                })?;
                Ok(reader(&mut file))
            }
        }
    }
}

/// What is wrong inside a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineProblem {
    /// Column, from 1, in characters.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

/// Hands every line of a source to `consume`. A source that cannot be read stops it with the problem.
pub fn read_lines_of<E>(
    source: &Source,
    stdin: &mut dyn Read,
    consume: &mut dyn FnMut(usize, Line<'_>) -> Result<(), E>,
) -> Result<(), Stopped<Problem, E>> {
    let read = source
        .with_reader(stdin, |reader| lines::read_lines(reader, consume))
        .map_err(Stopped::Read)?;
    read.map_err(|stopped| match stopped {
        Stopped::Read(error) => Stopped::Read(Problem::Read {
            file: source.name(),
            error,
        }),
        Stopped::Consumer(error) => Stopped::Consumer(error),
    })
}

/// A reader that fails after so many bytes, for what has to fit into memory.
struct Bounded<'r> {
    inner: &'r mut dyn Read,
    limit: u64,
    left: u64,
}

impl<'r> Bounded<'r> {
    fn new(inner: &'r mut dyn Read, limit: u64) -> Self {
        Self {
            inner,
            limit,
            left: limit,
        }
    }
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let message = format!("expected at most {} bytes", self.limit);
            io::Error::new(io::ErrorKind::FileTooLarge, message)
        })?;
        Ok(read)
    }
}

/// Reads some bytes, trying again when a signal came in between; 0 at the end.
fn read_some(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
