// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Output files appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::failure::Failure;

/// A file that is written under a temporary name beside its own, and gets its own when it is
/// complete. What is no regular file (a device, a pipe) is written in place.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    /// `None` for what is written in place.
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl PendingFile {
    /// Begins the file.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let failed = |error| write_failure(path, error);
        // A link keeps pointing where it points: the file behind it is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let in_place = fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file());
        let temporary = if in_place {
            None
        } else {
            Some(temporary_name(&target).map_err(failed)?)
        };
        let file = match &temporary {
            Some(temporary) => File::create(temporary),
            None => File::options().write(true).open(&target),
        };
        Ok(Self {
            path: target,
            temporary,
            writer: BufWriter::new(file.map_err(failed)?),
        })
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), Failure> {
        let failed = |error| write_failure(&self.path, error);
        self.writer.flush().map_err(failed)?;
        if let Some(temporary) = self.temporary.take()
            && let Err(error) = fs::rename(&temporary, &self.path)
        {
            // The rename's error is the one to report.
            let _ = fs::remove_file(&temporary);
            return Err(failed(error));
        }
        Ok(())
    }

    /// An error of writing this file.
    pub fn failure(&self, error: io::Error) -> Failure {
        write_failure(&self.path, error)
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A file that is given up leaves nothing behind.
impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a whole file.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = PendingFile::create(path)?;
    file.write_all(bytes).map_err(|error| file.failure(error))?;
    file.finish()
}

fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not a file name"))?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", process::id()));
    Ok(path.with_file_name(temporary))
}

fn write_failure(path: &Path, error: io::Error) -> Failure {
    Failure::Write {
        path: path.to_owned(),
        error,
    }
}
