// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Target: no bit of a word is lost between bytes, fields, hex and text; the validator, its
//! predicates one by one and its explanations agree; and text of any kind is read or refused,
//! nothing else.

use std::fmt;

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::input::{Format, InputWord, Position, Reader, format_hex, parse_hex_line};
use pool_model::isa::{
    FIELDS, Predicate, PredicateSet, WORD_BYTES, Word, WordBytes, assemble_line, disassemble,
    explain, notes, validate,
};

use crate::input::{Input, Payload};

/// A law that an input broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The law.
    pub law: &'static str,
    /// The word or line, and what came out.
    pub details: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "broken: {}\n{}", self.law, self.details)
    }
}

fn hold(law: &'static str, holds: bool, details: impl FnOnce() -> String) -> Result<(), Finding> {
    if holds {
        Ok(())
    } else {
        let details = details();
        Err(Finding { law, details })
    }
}

/// Runs the target on a decoded input.
///
/// # Errors
/// The first law that does not hold.
pub fn run(input: &Input<'_>) -> Result<(), Finding> {
    match input.payload {
        Payload::Words(words) => words
            .iter()
            .try_for_each(|word| check_word(word, input.generation, input.nc)),
        Payload::Text(text) => Format::ALL
            .into_iter()
            .try_for_each(|format| check_stream(format, text)),
    }
}

fn check_word(bytes: &WordBytes, generation: Generation, nc: NcVersion) -> Result<(), Finding> {
    let word = Word::decode(bytes);
    let hex = format_hex(bytes);
    hold(
        "decode, then encode, is the identity",
        word.encode() == *bytes,
        || format!("word    {hex}\nencoded {}", format_hex(&word.encode())),
    )?;
    let by_fields = rebuilt_from_fields(bytes).map_err(|error| Finding {
        law: "a value read from a field goes into the field",
        details: format!("word {hex}\n{error}"),
    })?;
    hold(
        "the table of fields covers every byte once",
        by_fields == *bytes,
        || format!("word    {hex}\nrebuilt {}", format_hex(&by_fields)),
    )?;
    hold(
        "hex lines read back",
        parse_hex_line(&hex) == Ok(Some(*bytes)),
        || format!("word {hex}\nread {:?}", parse_hex_line(&hex)),
    )?;
    check_text_of(&word)?;
    check_verdict(bytes, &word, generation, nc)
}

fn rebuilt_from_fields(bytes: &WordBytes) -> Result<WordBytes, String> {
    let mut rebuilt = [0; WORD_BYTES];
    for field in &FIELDS {
        for (index, value) in field.values(bytes).enumerate() {
            field
                .set(&mut rebuilt, index, value)
                .map_err(|error| format!("{}: {error}", field.path))?;
        }
    }
    Ok(rebuilt)
}

fn check_text_of(word: &Word) -> Result<(), Finding> {
    let text = disassemble(word);
    let back = assemble_line(&text);
    hold(
        "disassemble, then assemble, is the identity",
        back == Ok(Some(*word)),
        || {
            format!(
                "word {}\ntext {text}\nread {back:?}",
                format_hex(&word.encode())
            )
        },
    )?;
    hold("a word is one line", !text.contains(['\n', '\r']), || {
        format!("text {text:?}")
    })
}

fn check_verdict(
    bytes: &WordBytes,
    word: &Word,
    generation: Generation,
    nc: NcVersion,
) -> Result<(), Finding> {
    let verdict = validate(bytes, generation, nc);
    let describe = |other: PredicateSet| {
        format!(
            "word {}\non {generation}, nc {nc:?}\nvalidate fails {verdict:?}\nother    fails {other:?}\n{}",
            format_hex(bytes),
            disassemble(word)
        )
    };
    let one_by_one: PredicateSet = Predicate::ALL
        .into_iter()
        .filter(|predicate| !predicate.holds(word, generation, nc))
        .collect();
    hold(
        "the validator is the conjunction of its predicates",
        one_by_one == verdict,
        || describe(one_by_one),
    )?;
    let findings = explain(word, generation, nc);
    let explained: PredicateSet = findings.iter().map(|finding| finding.predicate).collect();
    hold(
        "every failing predicate is explained, no other is",
        explained == verdict,
        || describe(explained),
    )?;
    let places = findings.iter().filter_map(|finding| finding.bytes.clone());
    hold(
        "an explanation points into the word",
        places
            .clone()
            .all(|place| !place.is_empty() && place.end <= WORD_BYTES),
        || {
            format!(
                "word {}\nplaces {:?}",
                format_hex(bytes),
                places.collect::<Vec<_>>()
            )
        },
    )?;
    // Notes have no law of their own but that they can be written down.
    for note in notes(word, generation) {
        hold(
            "a note has a section",
            !note.kind.section().is_empty(),
            || format!("{note:?}"),
        )?;
    }
    Ok(())
}

/// Reads the text as a stream of the given format, and what was read once more.
fn check_stream(format: Format, data: &[u8]) -> Result<(), Finding> {
    let lines = data.split(|&byte| byte == b'\n').count();
    let mut last = None;
    for item in Reader::new(format, data) {
        let (position, result) = match item {
            Ok(InputWord { position, bytes }) => (position, Ok(bytes)),
            Err(error) => (error.position, Err(error.to_string())),
        };
        let what = || format!("{} at {position}, after {last:?}", format.name());
        hold("places in a stream rise", last < Some(position), what)?;
        let inside = match position {
            Position::Text { line, column } => line <= lines && column > 0,
            Position::Byte(offset) => offset < data.len(),
        };
        hold("a place is inside the stream", inside, what)?;
        last = Some(position);
        match result {
            Ok(bytes) => check_accepted(format, &bytes)?,
            Err(message) => check_message(&message, data)?,
        }
    }
    Ok(())
}

fn check_accepted(format: Format, bytes: &WordBytes) -> Result<(), Finding> {
    let word = Word::decode(bytes);
    hold(
        "an accepted word survives encoding",
        word.encode() == *bytes,
        || format!("{} word {}", format.name(), format_hex(bytes)),
    )?;
    check_text_of(&word)
}

/// Room for the fixed text of a message and its list of choices.
const MESSAGE_LIMIT: usize = 1024;

fn check_message(message: &str, data: &[u8]) -> Result<(), Finding> {
    let readable = !message.is_empty()
        && message.len() <= MESSAGE_LIMIT
        && !message.chars().any(char::is_control);
    hold("a message is one short, printable line", readable, || {
        format!(
            "message {message:?}\ninput {:?}",
            String::from_utf8_lossy(data)
        )
    })
}
