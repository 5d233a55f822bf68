// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The value changes: formatted into one buffer, which leaves in whole lines.

use std::io::{self, Write};

use super::declare::{Event, MAX_WIDTH, Scalar, Text, Vector, Wide};
use super::digits::{self, BINARY_DIGITS, DECIMAL_DIGITS};
use super::error::VcdError;
use super::text::{self, MAX_TEXT};
use super::variable::{Suffix, Variables};

/// Bytes that are collected before they are handed on.
const BUFFER: usize = 64 * 1024;

/// Room for a change of 64 bits: `b`, the digits and the suffix.
const NARROW_LINE: usize = 1 + BINARY_DIGITS + Suffix::ROOM;

/// Room for a time stamp: `#`, the digits and the line feed.
const TIME_LINE: usize = 1 + DECIMAL_DIGITS + 1;

/// Room for the longest line: a string of which every byte is escaped, or the widest vector.
const LONGEST_LINE: usize = {
    let text = 1 + 4 * MAX_TEXT + Suffix::ROOM;
    let wide = 1 + MAX_WIDTH as usize + Suffix::ROOM;
    if text > wide { text } else { wide }
};

/// Writes value changes of declared variables under a time that never goes back.
///
/// Values that do not change are not written, except strings and events. When the writer is dropped,
/// also in a panic, what it holds is written, with the time that was set last.
#[derive(Debug)]
pub struct VcdWriter<W: Write> {
    /// `None` after [`VcdWriter::finish`].
    out: Option<W>,
    buffer: Box<[u8]>,
    filled: usize,
    now: u64,
    /// `now` is not in the file yet.
    time_due: bool,
    failed: bool,
    variables: Variables,
}

impl<W: Write> VcdWriter<W> {
    pub(super) fn begin(out: W, head: &[u8], variables: Variables) -> Result<Self, VcdError> {
        let mut writer = Self {
            out: Some(out),
            buffer: vec![0; BUFFER].into_boxed_slice(),
            filled: 0,
            now: 0,
            time_due: false,
            failed: false,
            variables,
        };
        writer.hand_on(head)?;
        Ok(writer)
    }

    /// Current time, in ps.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// Sets the time of the changes that follow, in ps.
    ///
    /// # Errors
    /// [`VcdError::TimeGoesBack`].
    #[inline]
    pub fn set_time(&mut self, picoseconds: u64) -> Result<(), VcdError> {
        if picoseconds < self.now {
            return Err(VcdError::TimeGoesBack {
                now: self.now,
                asked: picoseconds,
            });
        }
        self.time_due |= picoseconds > self.now;
        self.now = picoseconds;
        Ok(())
    }

    /// Changes one bit.
    ///
    /// # Errors
    /// [`VcdError::ForeignHandle`], [`VcdError::Io`].
    #[inline]
    pub fn change_scalar(&mut self, scalar: Scalar, value: bool) -> Result<(), VcdError> {
        self.change_narrow(scalar.0, u64::from(value))
    }

    /// Changes a vector of up to 64 bits.
    ///
    /// # Errors
    /// [`VcdError::Value`], [`VcdError::ForeignHandle`], [`VcdError::Io`].
    #[inline]
    pub fn change_vector(&mut self, vector: Vector, value: u64) -> Result<(), VcdError> {
        self.change_narrow(vector.0, value)
    }

    /// Sets all bits of a vector to x.
    ///
    /// # Errors
    /// [`VcdError::ForeignHandle`], [`VcdError::Io`].
    pub fn change_vector_unknown(&mut self, vector: Vector) -> Result<(), VcdError> {
        self.narrow_unknown(vector.0)
    }

    /// Sets a bit to x.
    ///
    /// # Errors
    /// [`VcdError::ForeignHandle`], [`VcdError::Io`].
    pub fn change_scalar_unknown(&mut self, scalar: Scalar) -> Result<(), VcdError> {
        self.narrow_unknown(scalar.0)
    }

    /// Changes a vector that is given as bytes, most significant first: as many as hold its width.
    ///
    /// # Errors
    /// [`VcdError::Value`] for another number of bytes or bits above the width,
    /// [`VcdError::ForeignHandle`], [`VcdError::Io`].
    pub fn change_wide(&mut self, wide: Wide, bytes: &[u8]) -> Result<(), VcdError> {
        let declared = self.variables.wide.len();
        let Some(state) = self.variables.wide.get_mut(wide.0 as usize) else {
            return Err(foreign(wide.0, declared));
        };
        let fits = bytes.len() == state.last.len()
            && bytes
                .first()
                .is_some_and(|first| first & !state.first_mask == 0);
        if !fits {
            let name = &self.variables.wide_names[wide.0 as usize];
            return Err(VcdError::Value {
                name: name.path.clone(),
                width: name.width,
                value: format!("this value of {} bytes", bytes.len()),
            });
        }
        if state.known && state.last == bytes {
            return Ok(());
        }
        state.last.copy_from_slice(bytes);
        state.known = true;
        let suffix = state.suffix;
        self.stamp()?;
        self.make_room(LONGEST_LINE)?;
        let line = &mut self.buffer[self.filled..];
        line[0] = b'b';
        let end = 1 + digits::binary_wide(bytes, &mut line[1..]);
        let suffix = suffix.as_bytes();
        line[end..end + suffix.len()].copy_from_slice(suffix);
        self.filled += end + suffix.len();
        Ok(())
    }

    /// Shows a string, also when it is the one that is shown already.
    ///
    /// # Errors
    /// [`VcdError::ForeignHandle`], [`VcdError::Io`].
    pub fn change_text(&mut self, text: Text, value: &str) -> Result<(), VcdError> {
        let Some(&suffix) = self.variables.text.get(text.0 as usize) else {
            return Err(foreign(text.0, self.variables.text.len()));
        };
        let mut line = vec![b's'];
        text::escape(value, &mut line);
        line.extend_from_slice(suffix.as_bytes());
        self.put_line(&line)
    }

    /// Lets an event happen.
    ///
    /// # Errors
    /// [`VcdError::ForeignHandle`], [`VcdError::Io`].
    pub fn fire(&mut self, event: Event) -> Result<(), VcdError> {
        let Some(&suffix) = self.variables.event.get(event.0 as usize) else {
            return Err(foreign(event.0, self.variables.event.len()));
        };
        let mut line = vec![b'1'];
        line.extend_from_slice(suffix.as_bytes());
        self.put_line(&line)
    }

    /// Hands everything on, with the current time, so that the file can be loaded as it is.
    ///
    /// # Errors
    /// [`VcdError::Io`].
    pub fn flush(&mut self) -> Result<(), VcdError> {
        self.stamp()?;
        self.spill()?;
        match &mut self.out {
            Some(out) => Ok(out.flush()?),
            None => Ok(()),
        }
    }

    /// Ends the file at a time, in ps, and gives the destination back.
    ///
    /// # Errors
    /// [`VcdError::TimeGoesBack`], [`VcdError::Io`].
    pub fn finish(mut self, picoseconds: u64) -> Result<W, VcdError> {
        self.set_time(picoseconds)?;
        self.flush()?;
        self.out
            .take()
            .ok_or_else(|| VcdError::Io(io::Error::other("this file has ended")))
    }

    #[inline]
    fn change_narrow(&mut self, index: u32, value: u64) -> Result<(), VcdError> {
        let Some(state) = self.variables.narrow.get_mut(index as usize) else {
            return Err(foreign(index, self.variables.narrow.len()));
        };
        if value & !state.mask != 0 {
            return Err(self.too_big(index, value));
        }
        if state.known && state.last == value {
            return Ok(());
        }
        state.last = value;
        state.known = true;
        let (suffix, digits_at) = (state.suffix, usize::from(!state.scalar));
        if self.time_due || self.buffer.len() - self.filled < NARROW_LINE {
            self.stamp()?;
            self.make_room(NARROW_LINE)?;
        }
        let line = line_at::<NARROW_LINE>(&mut self.buffer, self.filled);
        // The digit of a scalar takes the place of the `b`.
        line[0] = b'b';
        let end = digits_at + digits::binary(value, line_at::<BINARY_DIGITS>(line, digits_at));
        let length = end + suffix.put(line_at::<{ Suffix::ROOM }>(line, end));
        self.filled += length;
        Ok(())
    }

    fn narrow_unknown(&mut self, index: u32) -> Result<(), VcdError> {
        let Some(state) = self.variables.narrow.get_mut(index as usize) else {
            return Err(foreign(index, self.variables.narrow.len()));
        };
        if !state.known {
            return Ok(());
        }
        state.known = false;
        let mut line = if state.scalar {
            b"x".to_vec()
        } else {
            b"bx".to_vec()
        };
        line.extend_from_slice(state.suffix.as_bytes());
        self.put_line(&line)
    }

    /// Writes the time if it is not in the file yet.
    fn stamp(&mut self) -> Result<(), VcdError> {
        if !self.time_due {
            return Ok(());
        }
        self.make_room(TIME_LINE)?;
        let mut decimal = [0; DECIMAL_DIGITS];
        let start = digits::decimal(self.now, &mut decimal);
        let number = &decimal[start..];
        let line = &mut self.buffer[self.filled..self.filled + number.len() + 2];
        line[0] = b'#';
        line[1..=number.len()].copy_from_slice(number);
        line[number.len() + 1] = b'\n';
        self.filled += number.len() + 2;
        self.time_due = false;
        Ok(())
    }

    fn put_line(&mut self, line: &[u8]) -> Result<(), VcdError> {
        self.stamp()?;
        self.make_room(line.len())?;
        self.buffer[self.filled..self.filled + line.len()].copy_from_slice(line);
        self.filled += line.len();
        Ok(())
    }

    fn make_room(&mut self, bytes: usize) -> Result<(), VcdError> {
        if self.buffer.len() - self.filled < bytes {
            self.spill()?;
        }
        Ok(())
    }

    #[cold]
    fn spill(&mut self) -> Result<(), VcdError> {
        let filled = std::mem::take(&mut self.filled);
        let buffer = std::mem::take(&mut self.buffer);
        let outcome = self.hand_on(&buffer[..filled]);
        self.buffer = buffer;
        outcome
    }

    fn hand_on(&mut self, bytes: &[u8]) -> Result<(), VcdError> {
        if self.failed {
            return Err(VcdError::Io(io::Error::other(
                "an earlier write to this file failed",
            )));
        }
        let Some(out) = &mut self.out else {
            return Ok(());
        };
        // Cleared only after success: a destination that panics is not asked again by `drop`.
        self.failed = true;
        out.write_all(bytes)?;
        self.failed = false;
        Ok(())
    }

    #[cold]
    fn too_big(&self, index: u32, value: u64) -> VcdError {
        let name = &self.variables.narrow_names[index as usize];
        VcdError::Value {
            name: name.path.clone(),
            width: name.width,
            value: format!("{value:#x}"),
        }
    }
}

impl<W: Write> Drop for VcdWriter<W> {
    fn drop(&mut self) {
        if !self.failed && self.out.is_some() {
            // Nobody is left to take an error; `finish` is the way to hear of it.
            let _ = self.flush();
        }
    }
}

/// The `N` bytes of `buffer` from `start`.
#[inline]
fn line_at<const N: usize>(buffer: &mut [u8], start: usize) -> &mut [u8; N] {
    buffer[start..]
        .first_chunk_mut()
        .expect("room for a line was made before")
}

#[cold]
fn foreign(number: u32, declared: usize) -> VcdError {
    VcdError::ForeignHandle {
        number: number as usize,
        declared,
    }
}
