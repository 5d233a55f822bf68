// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The fields of a word as a JSON object, written and read.

use std::fmt::{self, Write as _};

use pool_model::isa::{
    Field, FieldError, WORD_BYTES, WORD_LAYOUTS, Word, WordBytes, WordLayout, disassemble,
};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::input::LineProblem;

/// Appends the object of one word, with its line end.
///
/// Writing to a `String` cannot fail, so the results of `write!` carry nothing.
pub fn write_fields(text: &mut String, index: u64, word: &WordBytes, layout: &WordLayout) {
    let _ = write!(text, r#"{{"index":{index},"layout":"{}""#, layout.name);
    for field in layout.fields {
        let _ = write!(text, r#","{}":"#, field.path);
        if field.array {
            text.push('[');
        }
        for (entry, value) in field.values(word).enumerate() {
            let separator = if entry == 0 { "" } else { "," };
            let _ = write!(text, "{separator}{value}");
        }
        if field.array {
            text.push(']');
        }
    }
    // The assembly text is plain ASCII without quotes or backslashes.
    let _ = writeln!(text, r#","text":"{}"}}"#, disassemble(&Word::decode(word)));
}

/// A word read from its fields.
#[derive(Debug, PartialEq, Eq)]
pub struct Fields {
    /// The word.
    pub word: WordBytes,
    /// Keys that mean nothing.
    pub unknown: Vec<String>,
}

/// Reads one object. `index` and `text` are ignored; without `layout` the fields are those of 0xBF.
pub fn parse_fields(line: &[u8]) -> Result<Fields, LineProblem> {
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let entries = deserializer
        .deserialize_map(Entries)
        .and_then(|entries| deserializer.end().map(|()| entries))
        .map_err(|error| LineProblem {
            column: error.column().max(1),
            message: format!(
                "expected a JSON object with the fields of a word: {}",
                in_plain_words(without_place(&error.to_string()))
            ),
        })?;
    let at = |key: &str, message: String| LineProblem {
        column: column_of_key(line, key),
        message,
    };
    let mut layout = &WORD_LAYOUTS[0];
    if let Some((key, value)) = entries.iter().find(|(key, _)| key == "layout") {
        layout = value
            .as_str()
            .and_then(WordLayout::by_name)
            .ok_or_else(|| {
                let names = WORD_LAYOUTS
                    .iter()
                    .map(|known| format!("\"{}\"", known.name));
                let names = names.collect::<Vec<_>>().join(", ");
                at(key, format!("layout is {value}; expected one of {names}"))
            })?;
    }
    let mut word = [0; WORD_BYTES];
    let mut unknown = Vec::new();
    let mut seen = vec![false; layout.fields.len()];
    for (key, value) in entries {
        match key.as_str() {
            "index" | "text" | "layout" => {}
            _ => match layout.fields.iter().position(|field| field.path == key) {
                Some(position) => {
                    if std::mem::replace(&mut seen[position], true) {
                        return Err(at(&key, format!("`{key}` is given twice")));
                    }
                    store(&layout.fields[position], &value, &mut word)
                        .map_err(|message| at(&key, message))?;
                }
                None => unknown.push(key),
            },
        }
    }
    let missing: Vec<&str> = layout
        .fields
        .iter()
        .zip(seen)
        .filter(|(_, seen)| !seen)
        .map(|(field, _)| field.path)
        .collect();
    if let [first, others @ ..] = missing.as_slice() {
        let others = match others.len() {
            0 => " is".to_owned(),
            1 => " and 1 other field are".to_owned(),
            count => format!(" and {count} other fields are"),
        };
        let message = format!(
            "`{first}`{others} missing; `sb2sb decode --format json` prints a complete object"
        );
        return Err(LineProblem { column: 1, message });
    }
    Ok(Fields { word, unknown })
}

fn store(field: &Field, value: &Value, word: &mut WordBytes) -> Result<(), String> {
    let path = field.path;
    if !field.array {
        return store_entry(field, 0, value, word);
    }
    let Value::Array(entries) = value else {
        return Err(format!(
            "{path} is {}; expected an array of {} integers",
            shown(value),
            field.count
        ));
    };
    if entries.len() != field.count {
        return Err(format!(
            "{path} has {} entries; expected {}",
            entries.len(),
            field.count
        ));
    }
    entries
        .iter()
        .enumerate()
        .try_for_each(|(index, entry)| store_entry(field, index, entry, word))
}

fn store_entry(
    field: &Field,
    index: usize,
    value: &Value,
    word: &mut WordBytes,
) -> Result<(), String> {
    let name = if field.array {
        format!("{}[{index}]", field.path)
    } else {
        field.path.to_owned()
    };
    let range = field.range();
    let expected = format!("expected {} to {}", range.start(), range.end());
    let Value::Number(number) = value else {
        return Err(format!("{name} is {}; {expected}", shown(value)));
    };
    let refused = || format!("{name} is {number}; {expected}");
    let number = number.as_i64().ok_or_else(refused)?;
    field
        .set(word, index, number)
        .map_err(|error: FieldError| match error {
            FieldError::Range { .. } => refused(),
            FieldError::Index { .. } => error.to_string(),
        })
}

/// A value as a message shows it.
pub fn shown(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The column of a key, in characters from 1; 1 if it is spelt with escapes.
pub fn column_of_key(line: &[u8], key: &str) -> usize {
    let quoted = format!("\"{key}\"");
    let Ok(text) = str::from_utf8(line) else {
        return 1;
    };
    text.rfind(&quoted)
        .map_or(1, |start| text[..start].chars().count() + 1)
}

/// The parser's message without its own line and column: the line is always its first.
pub fn without_place(message: &str) -> &str {
    message
        .rfind(" at line ")
        .map_or(message, |place| &message[..place])
}

/// The parser's message by the names that JSON has for its things.
fn in_plain_words(message: &str) -> String {
    let Some(found) = message
        .strip_prefix("invalid type: ")
        .and_then(|rest| rest.strip_suffix(", expected an object"))
    else {
        return message.replace("EOF while parsing", "the line ends inside");
    };
    let found = match found {
        "sequence" => "an array",
        other => other,
    };
    format!("found {found}")
}

/// Collects the members of an object in order, doubled keys included.
pub struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}
