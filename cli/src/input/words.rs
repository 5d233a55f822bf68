// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams of words, in batches, from files of every format.

use std::io::Read;

use pool_model::isa::input::{Format, InputError, Position, Reader};
use pool_model::isa::{WORD_BYTES, WordBytes};

use super::lines::{Line, Stopped, read_lines};
use super::{Bounded, CHUNK, Problem, Source, read_some};
use crate::args::InputFormat;
use crate::failure::Failure;

/// Words that stand one after the other in one file.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The words; never empty.
    pub words: &'a [WordBytes],
    /// Number of the first word in the whole stream, from 0.
    pub first_index: u64,
    file: &'a str,
    places: Places<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Places<'a> {
    /// Offset of the first word.
    Records(usize),
    /// The line of each word.
    Lines(&'a [usize]),
}

impl Batch<'_> {
    /// Where word `position` of the batch stands: `file:line`, or `file:byte offset`.
    pub fn place(&self, position: usize) -> String {
        match self.places {
            Places::Records(first) => {
                format!("{}:byte {}", self.file, first + position * WORD_BYTES)
            }
            Places::Lines(lines) => format!("{}:{}", self.file, lines[position]),
        }
    }
}

/// What a stream of words consists of.
#[derive(Debug)]
pub enum Event<'a> {
    /// Words.
    Words(Batch<'a>),
    /// A line, record or file that is no word. Reading goes on.
    Bad(Problem),
}

type Handler<'h> = dyn FnMut(Event<'_>) -> Result<(), Failure> + 'h;

/// Reads all sources as one stream; memory does not grow with the input. A source of more than `limit`
/// bytes is a problem.
pub fn read_words(
    sources: &[Source],
    input: InputFormat,
    limit: u64,
    stdin: &mut dyn Read,
    handle: &mut Handler<'_>,
) -> Result<(), Failure> {
    let mut first_index = 0;
    for source in sources {
        let mut stream = Stream {
            file: source.name(),
            next_index: first_index,
            handle,
        };
        let Some(format) = format_of(source, input) else {
            let file = stream.file.clone();
            stream.bad(Problem::UnknownFormat { file })?;
            continue;
        };
        let opened = source.with_reader(stdin, |reader| {
            let reader = &mut Bounded::new(reader, limit);
            match format {
                Format::Bin => stream.records(reader),
                Format::Hex | Format::Asm => stream.lines(reader, format),
            }
        });
        match opened {
            Ok(result) => result?,
            Err(problem) => stream.bad(problem)?,
        }
        first_index = stream.next_index;
    }
    Ok(())
}

fn format_of(source: &Source, input: InputFormat) -> Option<Format> {
    match (input, source) {
        (InputFormat::Hex, _) | (InputFormat::Auto, Source::Stdin) => Some(Format::Hex),
        (InputFormat::Bin, _) => Some(Format::Bin),
        (InputFormat::Asm, _) => Some(Format::Asm),
        (InputFormat::Auto, Source::File(path)) => {
            let ending = path.extension()?.to_str()?.to_ascii_lowercase();
            Format::from_extension(&ending)
        }
    }
}

struct Stream<'s, 'h> {
    file: String,
    next_index: u64,
    handle: &'s mut Handler<'h>,
}

impl Stream<'_, '_> {
    fn bad(&mut self, problem: Problem) -> Result<(), Failure> {
        (self.handle)(Event::Bad(problem))
    }

    fn deliver(&mut self, words: &[WordBytes], places: Places<'_>) -> Result<(), Failure> {
        if words.is_empty() {
            return Ok(());
        }
        let batch = Batch {
            words,
            first_index: self.next_index,
            file: &self.file,
            places,
        };
        self.next_index += words.len() as u64;
        (self.handle)(Event::Words(batch))
    }

    fn read_failed(&mut self, error: std::io::Error) -> Result<(), Failure> {
        let file = self.file.clone();
        self.bad(Problem::Read { file, error })
    }

    fn records(&mut self, reader: &mut dyn Read) -> Result<(), Failure> {
        let mut buffer = vec![0; CHUNK];
        let (mut filled, mut offset) = (0, 0);
        loop {
            match read_some(reader, &mut buffer[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) => return self.read_failed(error),
            }
            let (words, rest) = buffer[..filled].as_chunks::<WORD_BYTES>();
            let (whole, left) = (filled - rest.len(), rest.len());
            self.deliver(words, Places::Records(offset))?;
            buffer.copy_within(whole..filled, 0);
            filled = left;
            offset += whole;
        }
        // The library says what is wrong with a short record.
        match Reader::new(Format::Bin, &buffer[..filled]).next() {
            Some(Err(InputError { kind, .. })) => {
                let file = self.file.clone();
                self.bad(Problem::Record { file, offset, kind })
            }
            Some(Ok(_)) | None => Ok(()),
        }
    }

    fn lines(&mut self, reader: &mut dyn Read, format: Format) -> Result<(), Failure> {
        let mut words = Vec::new();
        let mut numbers = Vec::new();
        let read = read_lines(reader, &mut |number, line| {
            let problem = match line {
                Line::Bytes(bytes) => match Reader::new(format, bytes).next() {
                    None => return Ok(()),
                    Some(Ok(word)) => {
                        words.push(word.bytes);
                        numbers.push(number);
                        return Ok(());
                    }
                    Some(Err(error)) => Some(self.bad_line(number, error)),
                },
                Line::TooLong => Some(Problem::LongLine {
                    file: self.file.clone(),
                    line: number,
                }),
                Line::Pause => None,
            };
            self.deliver(&words, Places::Lines(&numbers))?;
            words.clear();
            numbers.clear();
            problem.map_or(Ok(()), |problem| self.bad(problem))
        });
        match read {
            Ok(()) => self.deliver(&words, Places::Lines(&numbers)),
            Err(Stopped::Read(error)) => {
                self.deliver(&words, Places::Lines(&numbers))?;
                self.read_failed(error)
            }
            Err(Stopped::Consumer(failure)) => Err(failure),
        }
    }

    fn bad_line(&self, line: usize, error: InputError) -> Problem {
        let column = match error.position {
            Position::Text { column, .. } => column,
            Position::Byte(offset) => offset + 1,
        };
        Problem::Line {
            file: self.file.clone(),
            line,
            column,
            kind: error.kind,
        }
    }
}
