// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The firmware log and the transactions as files.

use std::io::{self, Write as _};
use std::path::Path;

use pool_model::transaction::{Effect, Sink, Transaction};

use crate::failure::Failure;
use crate::files::PendingFile;

/// Ticks that are recorded, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First tick.
    pub from: u64,
    /// Last tick.
    pub to: u64,
}

impl Window {
    fn holds(self, transaction: &Transaction) -> bool {
        (self.from..=self.to).contains(&transaction.tick.0)
    }
}

/// A sink that sees only the transactions of a window.
#[derive(Debug)]
pub struct Within<S> {
    inner: S,
    window: Window,
}

impl<S: Sink> Within<S> {
    /// Puts the window before a sink.
    pub const fn new(inner: S, window: Window) -> Self {
        Self { inner, window }
    }

    /// The sink.
    pub fn into_inner(self) -> S {
        self.inner
    }

    /// The sink, to be told what is no transaction.
    pub const fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }
}

impl<S: Sink> Sink for Within<S> {
    const ENABLED: bool = S::ENABLED;

    fn accept(&mut self, transaction: &Transaction) {
        if self.window.holds(transaction) {
            self.inner.accept(transaction);
        }
    }
}

/// Writes the files that were asked for. [`Sink::accept`] cannot fail, so the first error of a file
/// is kept until [`Recorder::finish`].
#[derive(Debug)]
pub struct Recorder {
    log: Option<Output>,
    transactions: Option<Output>,
    window: Window,
}

#[derive(Debug)]
struct Output {
    file: PendingFile,
    error: Option<io::Error>,
}

impl Output {
    fn create(path: Option<&Path>) -> Result<Option<Self>, Failure> {
        path.map(|path| {
            Ok(Self {
                file: PendingFile::create(path)?,
                error: None,
            })
        })
        .transpose()
    }

    fn write(&mut self, write: impl FnOnce(&mut PendingFile) -> io::Result<()>) {
        if self.error.is_none() {
            self.error = write(&mut self.file).err();
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self.error {
            Some(error) => Err(self.file.failure(error)),
            None => self.file.finish(),
        }
    }
}

impl Recorder {
    /// Begins the files.
    pub fn create(
        log: Option<&Path>,
        transactions: Option<&Path>,
        window: Window,
    ) -> Result<Self, Failure> {
        Ok(Self {
            log: Output::create(log)?,
            transactions: Output::create(transactions)?,
            window,
        })
    }

    /// Whether any file was asked for.
    pub const fn wanted(&self) -> bool {
        self.log.is_some() || self.transactions.is_some()
    }

    /// Completes the files.
    pub fn finish(self) -> Result<(), Failure> {
        self.log.map_or(Ok(()), Output::finish)?;
        self.transactions.map_or(Ok(()), Output::finish)
    }
}

impl Sink for Recorder {
    fn accept(&mut self, transaction: &Transaction) {
        if !self.window.holds(transaction) {
            return;
        }
        if let (Some(log), Effect::Log { line }) = (&mut self.log, &transaction.effect) {
            let (tick, core) = (transaction.tick, transaction.agent.core());
            log.write(|file| writeln!(file, "{tick} {core} {line}"));
        }
        if let Some(transactions) = &mut self.transactions {
            transactions.write(|file| {
                serde_json::to_writer(&mut *file, transaction)?;
                file.write_all(b"\n")
            });
        }
    }
}
