// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The layout of an input: one header byte, then 64-byte words or assembly text.
//!
//! The low seven bits of the header select the generation and the version argument, modulo their
//! 40 combinations; bit 7 says text, in the targets that take any. Every byte string is an input:
//! what is left over after the last whole word is ignored, and so are words after the fourth.

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::{WORD_BYTES, WordBytes};

/// Most words of an input. Few, because words do not depend on each other; several, because a call
/// into the RTL costs as much as a word.
pub const MAX_WORDS: usize = 4;

/// Longest useful input in bytes, for libFuzzer's `-max_len`.
pub const MAX_LEN: usize = 1 + MAX_WORDS * WORD_BYTES;

const TEXT_BIT: u8 = 0x80;
const GENERATIONS: u8 = Generation::ALL.len() as u8;
/// The first four of eight choices mean the generation's own version.
const VERSION_CHOICES: u8 = 8;
const OWN_VERSION: u8 = 4;

/// What a target takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Words only; bit 7 of the header means nothing.
    Words,
    /// Words, or text where bit 7 of the header is set.
    WordsOrText,
}

/// What follows the header byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload<'a> {
    /// Whole words.
    Words(&'a [WordBytes]),
    /// Text, not necessarily UTF-8.
    Text(&'a [u8]),
}

/// A decoded input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input<'a> {
    /// The generation that the words are for.
    pub generation: Generation,
    /// The validator's version argument. [decisions D-12]
    pub nc: NcVersion,
    /// Words or text.
    pub payload: Payload<'a>,
}

impl<'a> Input<'a> {
    /// Reads any byte string; the empty one is an input without words.
    #[must_use]
    pub fn decode(data: &'a [u8], format: Format) -> Self {
        let (header, rest) = data.split_first().unwrap_or((&0, &[]));
        let (generation, nc) = selection(*header);
        let payload = if is_text(*header, format) {
            Payload::Text(rest)
        } else {
            let (words, _) = rest.as_chunks::<WORD_BYTES>();
            Payload::Words(&words[..words.len().min(MAX_WORDS)])
        };
        Self {
            generation,
            nc,
            payload,
        }
    }

    /// The words; none where the payload is text.
    #[must_use]
    pub const fn words(&self) -> &'a [WordBytes] {
        match self.payload {
            Payload::Words(words) => words,
            Payload::Text(_) => &[],
        }
    }
}

/// Whether a header byte announces text.
#[must_use]
pub const fn is_text(header: u8, format: Format) -> bool {
    matches!(format, Format::WordsOrText) && header & TEXT_BIT != 0
}

/// Generation and version argument of a header byte.
#[must_use]
pub fn selection(header: u8) -> (Generation, NcVersion) {
    let choice = (header & !TEXT_BIT) % (GENERATIONS * VERSION_CHOICES);
    let generation = Generation::ALL[usize::from(choice % GENERATIONS)];
    let nc = match (choice / GENERATIONS).checked_sub(OWN_VERSION) {
        None => generation.nc_version(),
        Some(explicit) => NcVersion::ALL[usize::from(explicit)],
    };
    (generation, nc)
}

/// A header byte for words with this selection.
#[must_use]
pub fn words_header(generation: Generation, nc: NcVersion) -> u8 {
    let explicit = NcVersion::ALL.iter().position(|&version| version == nc);
    let version = match explicit {
        Some(position) if nc != generation.nc_version() => OWN_VERSION + position as u8,
        _ => 0,
    };
    version * GENERATIONS + generation.index() as u8
}

/// A header byte for text.
#[must_use]
pub const fn text_header() -> u8 {
    TEXT_BIT
}

/// The bytes of an input of words.
#[must_use]
pub fn encode_words(generation: Generation, nc: NcVersion, words: &[WordBytes]) -> Vec<u8> {
    let mut data = vec![words_header(generation, nc)];
    data.extend_from_slice(words.as_flattened());
    data
}

/// The bytes of an input of text.
#[must_use]
pub fn encode_text(text: &str) -> Vec<u8> {
    let mut data = vec![text_header()];
    data.extend_from_slice(text.as_bytes());
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_selects_and_is_found_again() {
        for header in 0..=u8::MAX {
            let (generation, nc) = selection(header);
            assert_eq!(selection(words_header(generation, nc)), (generation, nc));
        }
        for generation in Generation::ALL {
            for nc in NcVersion::ALL {
                let header = words_header(generation, nc);
                assert_eq!(selection(header), (generation, nc));
                assert!(!is_text(header, Format::WordsOrText));
            }
        }
    }

    #[test]
    fn words_come_back_and_the_rest_is_ignored() {
        let words: Vec<WordBytes> = (0..10).map(|n| [n; WORD_BYTES]).collect();
        let mut data = encode_words(Generation::V5, NcVersion::V2, &words[..3]);
        data.extend([1, 2, 3]);
        let input = Input::decode(&data, Format::WordsOrText);
        assert_eq!(
            (input.generation, input.nc),
            (Generation::V5, NcVersion::V2)
        );
        assert_eq!(input.words(), &words[..3]);
        let data = encode_words(Generation::V3, NcVersion::V3, &words);
        assert_eq!(
            Input::decode(&data, Format::Words).words(),
            &words[..MAX_WORDS]
        );
    }

    #[test]
    fn text_is_text_only_where_the_format_has_it() {
        let data = encode_text("sb2sb");
        assert_eq!(
            Input::decode(&data, Format::WordsOrText).payload,
            Payload::Text(b"sb2sb")
        );
        assert_eq!(
            Input::decode(&data, Format::Words).payload,
            Payload::Words(&[])
        );
    }

    #[test]
    fn the_empty_input_has_no_words() {
        let input = Input::decode(&[], Format::WordsOrText);
        assert_eq!(input.words(), &[] as &[WordBytes]);
    }
}
