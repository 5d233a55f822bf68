// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Text as lines of bounded length.

use std::io::{self, Read};

use super::{CHUNK, read_some};

/// Longest line, in bytes. A word takes a few hundred; the rest is room for comments.
pub const MAX_LINE: usize = 64 * 1024;

/// Bytes that are read in search of the end of an overlong line. What has no line end in so many is no
/// text at all (`/dev/zero`), and the search would not end either.
pub const MAX_SKIPPED: usize = 64 << 20;

/// Some editors begin a text with this mark, which stands for nothing.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A line without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The bytes.
    Bytes(&'a [u8]),
    /// More than [`MAX_LINE`] bytes, which are skipped.
    TooLong,
    /// Not a line: nothing more is available without waiting, so what was found can be shown.
    Pause,
}

/// What stops [`read_lines`].
#[derive(Debug)]
pub enum Stopped<R, E> {
    /// The reader failed.
    Read(R),
    /// The consumer failed.
    Consumer(E),
}

/// Hands every line with its number, from 1, to `consume`; memory does not grow with the input.
pub fn read_lines<E>(
    reader: &mut dyn Read,
    consume: &mut dyn FnMut(usize, Line<'_>) -> Result<(), E>,
) -> Result<(), Stopped<io::Error, E>> {
    let mut buffer = vec![0; CHUNK];
    let mut filled = 0;
    let mut number = 1;
    // The start of an overlong line has been reported, and its end has not come yet.
    let mut skipping = false;
    let mut skipped = 0;
    loop {
        let read = read_some(reader, &mut buffer[filled..]).map_err(Stopped::Read)?;
        if read == 0 {
            break;
        }
        filled += read;
        let mut start = 0;
        while let Some(length) = buffer[start..filled].iter().position(|&b| b == b'\n') {
            if skipping {
                skipping = false;
                skipped = 0;
            } else {
                let line = bounded(number, &buffer[start..start + length]);
                consume(number, line).map_err(Stopped::Consumer)?;
            }
            start += length + 1;
            number += 1;
        }
        buffer.copy_within(start..filled, 0);
        filled -= start;
        if skipping {
            skipped += filled;
            filled = 0;
            if skipped > MAX_SKIPPED {
                return Err(Stopped::Read(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!(
                        "line {number} has no end in {MAX_SKIPPED} bytes; the rest is not read"
                    ),
                )));
            }
        } else if filled > MAX_LINE {
            consume(number, Line::TooLong).map_err(Stopped::Consumer)?;
            skipping = true;
            filled = 0;
        }
        consume(number, Line::Pause).map_err(Stopped::Consumer)?;
    }
    if filled > 0 {
        consume(number, bounded(number, &buffer[..filled])).map_err(Stopped::Consumer)?;
    }
    Ok(())
}

fn bounded(number: usize, line: &[u8]) -> Line<'_> {
    let mark = if number == 1 { BYTE_ORDER_MARK } else { b"" };
    let line = line.strip_prefix(mark).unwrap_or(line);
    if line.len() > MAX_LINE {
        Line::TooLong
    } else {
        Line::Bytes(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives `step` bytes at a time.
    struct Dribble<'a> {
        rest: &'a [u8],
        step: usize,
    }

    impl Read for Dribble<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.step.min(self.rest.len()).min(buffer.len());
            buffer[..length].copy_from_slice(&self.rest[..length]);
            self.rest = &self.rest[length..];
            Ok(length)
        }
    }

    fn collect(text: &[u8], step: usize) -> Vec<(usize, Option<Vec<u8>>)> {
        let mut found = Vec::new();
        let consume = &mut |number, line: Line<'_>| {
            match line {
                Line::Bytes(bytes) => found.push((number, Some(bytes.to_vec()))),
                Line::TooLong => found.push((number, None)),
                Line::Pause => {}
            }
            Ok::<(), ()>(())
        };
        assert!(read_lines(&mut Dribble { rest: text, step }, consume).is_ok());
        found
    }

    #[test]
    fn lines_are_the_same_however_they_arrive() {
        let longest = vec![b'a'; MAX_LINE];
        let mut text = b"one\n\nthree\r\n".to_vec();
        text.extend_from_slice(&longest);
        text.extend_from_slice(b"\n");
        text.extend_from_slice(&longest);
        text.extend_from_slice(b"b\nsix");
        let expected = vec![
            (1, Some(b"one".to_vec())),
            (2, Some(Vec::new())),
            (3, Some(b"three\r".to_vec())),
            (4, Some(longest)),
            (5, None),
            (6, Some(b"six".to_vec())),
        ];
        for step in [1, 7, 4096, MAX_LINE, MAX_LINE + 1, CHUNK, 2 * CHUNK] {
            assert_eq!(collect(&text, step), expected, "{step} bytes at a time");
        }
    }

    #[test]
    fn a_line_without_end_stops_the_reading() {
        let mut endless = io::repeat(b'0');
        let mut lines = Vec::new();
        let read = read_lines(&mut endless, &mut |number, line| {
            if line != Line::Pause {
                lines.push((number, line == Line::TooLong));
            }
            Ok::<(), ()>(())
        });
        let Err(Stopped::Read(error)) = read else {
            panic!("the reading stops with an error");
        };
        assert_eq!(
            error.to_string(),
            "line 1 has no end in 67108864 bytes; the rest is not read"
        );
        assert_eq!(lines, [(1, true)]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        let text = b"\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo";
        let expected = vec![
            (1, Some(b"one".to_vec())),
            (2, Some(b"\xEF\xBB\xBFtwo".to_vec())),
        ];
        assert_eq!(collect(text, 2), expected);
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_reported_once() {
        let mut text = vec![b'x'; 5 * CHUNK];
        text.extend_from_slice(b"\nnext\n");
        assert_eq!(
            collect(&text, CHUNK),
            vec![(1, None), (2, Some(b"next".to_vec()))]
        );
        assert_eq!(collect(&text[..3 * CHUNK], 999), vec![(1, None)]);
    }
}
