// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One line to one descriptor: text, JSON or hex, told apart by how the line begins.

use pool_model::idma::bits::{Layout, Radix};
use pool_model::idma::descriptor::DESCRIPTOR_BYTES;
use pool_model::idma::text;
use pool_model::idma::{Descriptor, Kind, Operation};
use serde::Deserializer as _;
use serde_json::Value;

use crate::fields::{Entries, column_of_key, shown, without_place};
use crate::input::LineProblem;

/// A descriptor with the way in which it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The sixteen bytes.
    pub descriptor: Descriptor,
    /// The layout that the line named; hex names none.
    pub layout: Option<&'static Layout>,
}

/// Reads a line; none for an empty one.
pub fn read_line(line: &str) -> Result<Option<Read>, LineProblem> {
    if line.trim_start().starts_with('{') {
        return read_json(line).map(Some);
    }
    let content = line.split_once('#').map_or(line, |(before, _)| before);
    let Some(first) = content.split_ascii_whitespace().next() else {
        return Ok(None);
    };
    // Layout names begin with a letter and are no hex number.
    let is_name = first.starts_with(|c: char| c.is_ascii_alphabetic())
        && !first.bytes().all(|b| b.is_ascii_hexdigit() || b == b'_');
    if is_name {
        return match text::parse(content) {
            Ok((descriptor, layout)) => Ok(Some(Read {
                descriptor,
                layout: Some(layout),
            })),
            Err(error) => Err(LineProblem {
                column: content[..error.offset].chars().count() + 1,
                message: error.message,
            }),
        };
    }
    let descriptor = if first.starts_with("0x") {
        read_words(content)?
    } else {
        read_hex(content)?
    };
    Ok(Some(Read {
        descriptor,
        layout: None,
    }))
}

/// 32 digits in memory order.
fn read_hex(content: &str) -> Result<Descriptor, LineProblem> {
    let mut bytes = [0; DESCRIPTOR_BYTES];
    let mut digits = 0;
    for (position, c) in content.chars().enumerate() {
        if c.is_ascii_whitespace() || c == '_' {
            continue;
        }
        let Some(digit) = c.to_digit(16) else {
            return Err(LineProblem {
                column: position + 1,
                message: format!("expected a hex digit, found `{}`", c.escape_debug()),
            });
        };
        if let Some(byte) = bytes.get_mut(digits / 2) {
            *byte = *byte << 4 | digit as u8;
        }
        digits += 1;
    }
    if digits != 2 * DESCRIPTOR_BYTES {
        return Err(LineProblem {
            column: 1,
            message: format!(
                "expected {} hex digits, found {digits}",
                2 * DESCRIPTOR_BYTES
            ),
        });
    }
    Ok(Descriptor::unpack(&bytes))
}

/// Four words as numbers, word 0 first.
fn read_words(content: &str) -> Result<Descriptor, LineProblem> {
    let wrong = |offset: usize, message| LineProblem {
        column: content[..offset].chars().count() + 1,
        message,
    };
    let mut words = [0; 4];
    let mut count = 0;
    let base = content.as_ptr() as usize;
    for word in content.split_ascii_whitespace() {
        let offset = word.as_ptr() as usize - base;
        let value = text::number(word).and_then(|value| u32::try_from(value).ok());
        let value = value.ok_or_else(|| {
            let message = format!("`{word}` is no 32-bit word; expected 0x0 to 0xffffffff");
            wrong(offset, message)
        })?;
        if let Some(slot) = words.get_mut(count) {
            *slot = value;
        }
        count += 1;
    }
    if count != words.len() {
        return Err(wrong(0, format!("expected 4 words, found {count}")));
    }
    let bits = words
        .iter()
        .rev()
        .fold(0_u128, |high, &word| high << 32 | u128::from(word));
    Ok(Descriptor::from_bits(bits))
}

/// The object that `--to json` writes.
fn read_json(line: &str) -> Result<Read, LineProblem> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let entries = deserializer
        .deserialize_map(Entries)
        .and_then(|entries| deserializer.end().map(|()| entries))
        .map_err(|error| LineProblem {
            column: error.column().max(1),
            message: format!(
                "expected a JSON object with a descriptor: {}",
                without_place(&error.to_string())
            ),
        })?;
    let at = |key: &str, message: String| LineProblem {
        column: column_of_key(line.as_bytes(), key),
        message,
    };
    let name = entries.iter().find(|(key, _)| key == "layout");
    let layout = match name {
        Some((key, value)) => value.as_str().and_then(Layout::by_name).ok_or_else(|| {
            let message = format!("layout is {value}; expected tx, rx, completion or another name that `sb2sb bd --to json` prints");
            at(key, message)
        })?,
        None => {
            return Err(LineProblem {
                column: 1,
                message: "`layout` is missing; `sb2sb bd --to json` prints a complete object".to_owned(),
            });
        }
    };
    let mut bits = 0;
    let mut seen = 0_u128;
    for (key, value) in &entries {
        if matches!(key.as_str(), "index" | "kind" | "layout" | "hex" | "text") {
            continue;
        }
        let field = layout
            .field(key)
            .ok_or_else(|| at(key, format!("`{key}` is no field of {}", layout.name)))?;
        if seen & field.mask() != 0 {
            return Err(at(key, format!("`{key}` is given twice")));
        }
        seen |= field.mask();
        let number = match value {
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text::number(text).or_else(|| {
                (field.radix == Radix::Operation)
                    .then(|| Operation::number_of(text).map(u64::from))
                    .flatten()
            }),
            _ => None,
        };
        let number = number.filter(|number| *number <= field.max());
        let number = number.ok_or_else(|| {
            let found = match value {
                Value::Number(number) => number.to_string(),
                other => shown(other).to_owned(),
            };
            at(
                key,
                format!("{key} is {found}; expected 0 to {}", field.max()),
            )
        })?;
        bits = field.set(bits, number);
    }
    if let Some(missing) = layout.fields.iter().find(|field| seen & field.mask() == 0) {
        return Err(LineProblem {
            column: 1,
            message: format!(
                "`{}` is missing; `sb2sb bd --to json` prints a complete object",
                missing.name
            ),
        });
    }
    Ok(Read {
        descriptor: Descriptor::from_bits(bits),
        layout: Some(layout),
    })
}

/// The kind that a layout belongs to.
pub fn kind_of(layout: &Layout) -> Kind {
    match layout.name {
        "rx" | "rx_dual" => Kind::Rx,
        "completion" => Kind::Completion,
        _ => Kind::Tx,
    }
}
