// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Makes the instrumented copy of the design: every module gets the input `mutant_sel_i`, and each
//! mutated expression becomes a choice between the faulty and the original text.

use std::collections::{BTreeMap, BTreeSet};

use crate::mutant_table::Row;

const PORT: &str = "mutant_sel_i";

/// Instruments a whole source tree, given as file name → text. Fails with a message that names the
/// row or the place that cannot be done.
pub fn instrument(
    tree: &BTreeMap<String, String>,
    rows: &[Row],
) -> Result<BTreeMap<String, String>, String> {
    let mut modules = BTreeSet::new();
    for text in tree.values() {
        modules.extend(module_names(&mask(text)));
    }
    if let Some(row) = rows.iter().find(|row| !tree.contains_key(&row.file)) {
        return Err(format!(
            "mutant {} `{}`: there is no file {}",
            row.id, row.name, row.file
        ));
    }
    let mut copy = BTreeMap::new();
    for (file, text) in tree {
        let own: Vec<&Row> = rows.iter().filter(|row| row.file == *file).collect();
        let edited = edit_file(text, &own, &modules).map_err(|e| format!("{file}: {e}"))?;
        copy.insert(file.clone(), edited);
    }
    Ok(copy)
}

/// A replacement of the bytes `start..end`.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

fn edit_file(text: &str, rows: &[&Row], modules: &BTreeSet<String>) -> Result<String, String> {
    let masked = mask(text);
    let tokens = tokens(&masked);
    let bodies = module_bodies(&masked, &tokens)?;
    let mut edits = choices(text, &masked, rows, &bodies)?;
    edits.extend(ports(&masked, &tokens)?);
    edits.extend(connections(&masked, &tokens, modules)?);
    edits.sort_by_key(|edit| edit.start);
    let mut result = String::with_capacity(text.len() + 64 * edits.len());
    let mut done = 0;
    for edit in &edits {
        if edit.start < done {
            let line = line_of(text, edit.start);
            return Err(format!(
                "line {line}: two mutated expressions overlap without being equal"
            ));
        }
        result.push_str(&text[done..edit.start]);
        result.push_str(&edit.text);
        done = edit.end;
    }
    result.push_str(&text[done..]);
    Ok(result)
}

/// One edit for each distinct original; rows that share it nest in the order of their ids.
fn choices(
    text: &str,
    masked: &str,
    rows: &[&Row],
    bodies: &[(usize, usize)],
) -> Result<Vec<Edit>, String> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut seen = BTreeSet::new();
    for row in rows {
        if !seen.insert(&row.original) {
            continue;
        }
        let what = format!("mutant {} `{}`", row.id, row.name);
        let mut places = masked
            .match_indices(row.original.as_str())
            .map(|(at, _)| at);
        let start = places
            .next()
            .ok_or_else(|| format!("{what}: `{}` does not occur", row.original))?;
        if places.next().is_some() {
            let count = masked.matches(row.original.as_str()).count();
            return Err(format!(
                "{what}: `{}` occurs {count} times, expected once",
                row.original
            ));
        }
        let end = start + row.original.len();
        if !bodies
            .iter()
            .any(|&(first, last)| first <= start && end <= last)
        {
            let line = line_of(text, start);
            return Err(format!(
                "{what}: line {line} is not in a module's body, where {PORT} can be seen"
            ));
        }
        let mut choice = format!("({})", row.original);
        let same: Vec<_> = rows.iter().filter(|r| r.original == row.original).collect();
        for other in same.iter().rev() {
            choice = format!(
                "(({PORT} == 16'd{}) ? ({}) : {choice})",
                other.id, other.faulty
            );
        }
        edits.push(Edit {
            start,
            end,
            text: choice,
        });
    }
    Ok(edits)
}

/// The new first port of every module.
fn ports(masked: &str, tokens: &[Token]) -> Result<Vec<Edit>, String> {
    let mut edits = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.text(masked) != "module" {
            continue;
        }
        let header = header(masked, tokens, i)?;
        let declaration = format!("input logic [15:0] {PORT}");
        edits.push(match header.ports {
            None => {
                let at = tokens[header.end].start;
                Edit {
                    start: at,
                    end: at,
                    text: format!(" ({declaration})"),
                }
            }
            Some((open, close)) => {
                let at = tokens[open].end;
                let first = tokens[open + 1].text(masked);
                if open + 1 != close && !["input", "output", "inout"].contains(&first) {
                    let line = line_of(masked, at);
                    return Err(format!(
                        "line {line}: the first port starts with `{first}`, expected a direction"
                    ));
                }
                let comma = if open + 1 == close { "" } else { ", " };
                Edit {
                    start: at,
                    end: at,
                    text: format!("{declaration}{comma}"),
                }
            }
        });
    }
    Ok(edits)
}

/// The new first connection of every instance of a module of the tree.
fn connections(
    masked: &str,
    tokens: &[Token],
    modules: &BTreeSet<String>,
) -> Result<Vec<Edit>, String> {
    let mut edits = Vec::new();
    let text = |i: usize| tokens.get(i).map_or("", |t| t.text(masked));
    for i in 0..tokens.len() {
        let before = if i == 0 { "" } else { text(i - 1) };
        if !modules.contains(text(i)) || ["module", ":", "."].contains(&before) {
            continue;
        }
        let mut at = i + 1;
        if text(at) == "#" {
            at = closing(masked, tokens, at + 1)? + 1;
        }
        loop {
            // An instance: its name, perhaps array ranges, then the connections.
            at += 1;
            while text(at) == "[" {
                at = closing(masked, tokens, at)? + 1;
            }
            let line = line_of(masked, tokens[i].start);
            if text(at) != "(" {
                return Err(format!(
                    "line {line}: cannot read this use of module `{}`",
                    text(i)
                ));
            }
            let close = closing(masked, tokens, at)?;
            let first = text(at + 1);
            if first != "." && at + 1 != close {
                return Err(format!(
                    "line {line}: instance of `{}` is not connected by port names",
                    text(i)
                ));
            }
            let comma = if at + 1 == close { "" } else { ", " };
            let place = tokens[at].end;
            edits.push(Edit {
                start: place,
                end: place,
                text: format!(".{PORT}({PORT}){comma}"),
            });
            at = close + 1;
            if text(at) != "," {
                break;
            }
            at += 1;
        }
    }
    Ok(edits)
}

/// What stands between `module` and the `;` that ends its header, as token numbers.
struct Header {
    ports: Option<(usize, usize)>,
    end: usize,
}

fn header(masked: &str, tokens: &[Token], module: usize) -> Result<Header, String> {
    let text = |i: usize| tokens.get(i).map_or("", |t| t.text(masked));
    let mut at = module + 1;
    if text(at) == "automatic" || text(at) == "static" {
        at += 1;
    }
    at += 1;
    if text(at) == "#" {
        at = closing(masked, tokens, at + 1)? + 1;
    }
    let mut ports = None;
    if text(at) == "(" {
        let close = closing(masked, tokens, at)?;
        ports = Some((at, close));
        at = close + 1;
    }
    if text(at) != ";" {
        let line = line_of(masked, tokens[module].start);
        return Err(format!(
            "line {line}: the header of this module is not of the form `module NAME #(…) (…);`"
        ));
    }
    Ok(Header { ports, end: at })
}

/// The byte ranges between a module's header and its `endmodule`.
fn module_bodies(masked: &str, tokens: &[Token]) -> Result<Vec<(usize, usize)>, String> {
    let mut bodies = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.text(masked) != "module" {
            continue;
        }
        let start = tokens[header(masked, tokens, i)?.end].end;
        let end = tokens[i..].iter().find(|t| t.text(masked) == "endmodule");
        let line = line_of(masked, token.start);
        bodies.push((
            start,
            end.ok_or_else(|| format!("line {line}: module without endmodule"))?
                .start,
        ));
    }
    Ok(bodies)
}

fn module_names(masked: &str) -> Vec<String> {
    let tokens = tokens(masked);
    let is_module = |pair: &&[Token]| pair[0].text(masked) == "module";
    tokens
        .windows(2)
        .filter(is_module)
        .map(|pair| pair[1].text(masked).to_owned())
        .collect()
}

/// The token that closes the bracket at `open`.
fn closing(masked: &str, tokens: &[Token], open: usize) -> Result<usize, String> {
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text(masked) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Ok(i);
        }
    }
    let line = tokens.get(open).map_or(0, |t| line_of(masked, t.start));
    Err(format!("line {line}: bracket is not closed"))
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[derive(Clone, Copy)]
struct Token {
    start: usize,
    end: usize,
}

impl Token {
    fn text<'a>(&self, masked: &'a str) -> &'a str {
        &masked[self.start..self.end]
    }
}

/// Words (identifiers, keywords, numbers) and single punctuation characters.
fn tokens(masked: &str) -> Vec<Token> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut tokens = Vec::new();
    let mut rest = masked.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        let mut end = start + c.len_utf8();
        if c.is_whitespace() {
            continue;
        }
        if is_word(c) {
            while let Some((at, _)) = rest.next_if(|&(_, next)| is_word(next)) {
                end = at + 1;
            }
        }
        tokens.push(Token { start, end });
    }
    tokens
}

/// The text with comments and strings blanked out byte by byte, so that positions stay.
fn mask(text: &str) -> String {
    let mut masked: Vec<u8> = text.as_bytes().to_vec();
    let blank = |masked: &mut [u8]| {
        for byte in masked.iter_mut().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let end = if rest.starts_with(b"//") {
            at + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            at + rest
                .windows(2)
                .skip(2)
                .position(|w| w == b"*/")
                .map_or(rest.len(), |p| p + 4)
        } else if rest[0] == b'"' {
            at + end_of_string(rest)
        } else {
            at += 1;
            continue;
        };
        blank(&mut masked[at..end]);
        at = end;
    }
    String::from_utf8(masked).expect("comments and strings start and end at ASCII characters")
}

fn end_of_string(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'"' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}
