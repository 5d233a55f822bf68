// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Text for people: messages without the names of types, and without characters that do not show.

use std::fmt::Write as _;

/// Characters that move the cursor, change colours or reverse the direction of what follows.
pub(super) fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with every unprintable character as `\u001b`.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) {
            write!(shown, "\\u{:04x}", u32::from(c)).expect("writing to a String cannot fail");
        } else {
            shown.push(c);
        }
    }
    shown
}

/// What the parser expected by the name of a type, in the words of the file.
const EXPECTED: [(&str, &str); 6] = [
    ("i64", "a whole number"),
    ("a boolean", "true or false"),
    ("a bool", "true or false"),
    ("a string", "text in quotes"),
    ("a sequence", "a list in brackets, such as [0, 1]"),
    ("a map", "a table"),
];

/// A message of the parser in plain words.
pub(super) fn message(text: &str) -> String {
    let text = text.replace('\n', ", ");
    for (start, found) in [("invalid type: ", "found "), ("invalid value: ", "found ")] {
        if let Some(rest) = text.strip_prefix(start)
            && let Some((unexpected, expected)) = rest.rsplit_once(", expected ")
        {
            let expected = EXPECTED
                .iter()
                .find(|(name, _)| *name == expected)
                .map_or(expected, |(_, plain)| *plain);
            let expected = if expected.starts_with("struct ") {
                "a table"
            } else {
                expected
            };
            return format!("{found}{}; expected {expected}", thing(unexpected));
        }
    }
    text.replacen("unknown field ", "unknown key ", 1)
        .replacen("missing field ", "missing key ", 1)
        .replacen("duplicate field ", "duplicate key ", 1)
}

/// What was found, in the words of the file.
fn thing(unexpected: &str) -> String {
    for (name, plain) in [
        ("integer `", "the number `"),
        ("floating point `", "the number `"),
        ("string \"", "the text \""),
        ("boolean `", "`"),
    ] {
        if let Some(value) = unexpected.strip_prefix(name) {
            return format!("{plain}{value}");
        }
    }
    match unexpected {
        "sequence" => "a list",
        "map" => "a table",
        other => other,
    }
    .to_owned()
}
