// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The table of one word.

use std::fmt::Write as _;

use pool_model::generation::Generation;
use pool_model::isa::{
    Field, Finding, Note, Opcode, WORD_LAYOUTS, Word, WordBytes, WordLayout, disassemble, explain,
    notes, validate,
};

use super::meaning::meaning;

/// Appends the table, the findings and the notes; the latter two for words in the layout of 0xBF only.
///
/// Writing to a `String` cannot fail, so the results of `write!` carry nothing.
pub fn write_table(
    text: &mut String,
    index: u64,
    place: &str,
    bytes: &WordBytes,
    generation: Generation,
    layout: &WordLayout,
) {
    let word = Word::decode(bytes);
    let version = generation.nc_version();
    let is_collective = layout == &WORD_LAYOUTS[0];
    let verdict = if !is_collective {
        Opcode(word.header.opcode).name().unwrap_or(layout.name)
    } else if validate(bytes, generation, version).is_empty() {
        "valid"
    } else {
        "invalid"
    };
    let _ = writeln!(text, "word {index} ({place}): {verdict} on {generation}");
    let _ = writeln!(text, "  {}", disassemble(&word));
    let _ = writeln!(text, "   bytes  {:<23}  {:<10}  meaning", "field", "raw");
    for field in layout.fields {
        let row = format!(
            "  {:>6}  {:<23}  {:<10}  {}",
            byte_range(field),
            field.path,
            raw(field, bytes),
            meaning(field.path, &word, generation)
        );
        let _ = writeln!(text, "{}", row.trim_end());
    }
    if !is_collective {
        return;
    }
    for finding in explain(&word, generation, version) {
        write_finding(text, &finding);
    }
    for note in notes(&word, generation) {
        write_note(text, &note);
    }
}

fn byte_range(field: &Field) -> String {
    let bytes = field.bytes();
    if bytes.len() == 1 {
        bytes.start.to_string()
    } else {
        format!("{}..{}", bytes.start, bytes.end - 1)
    }
}

/// Numbers that are counts or distances in decimal, all others in hexadecimal of their width.
fn raw(field: &Field, bytes: &WordBytes) -> String {
    let decimal = field.signed || field.path.ends_with("num_elem");
    let entries: Vec<String> = field
        .values(bytes)
        .map(|value| match (decimal, field.width) {
            (true, _) => value.to_string(),
            (false, 1) if field.array => format!("{value:02x}"),
            (false, width) => format!("{value:#0digits$x}", digits = 2 + 2 * width),
        })
        .collect();
    if entries.len() > 4 && entries.iter().all(|entry| entry == &entries[0]) {
        return format!("{} * {}", entries.len(), entries[0]);
    }
    entries.join(" ")
}

fn write_finding(text: &mut String, finding: &Finding) {
    let Finding {
        predicate,
        rule,
        field,
        bytes,
        value,
        legal,
        section,
    } = finding;
    let bytes = match bytes {
        Some(bytes) if bytes.len() == 1 => format!(" (byte {})", bytes.start),
        Some(bytes) => format!(" (bytes {}..{})", bytes.start, bytes.end - 1),
        None => String::new(),
    };
    let _ = writeln!(
        text,
        "  fails {} {predicate}: {rule}\n    {field}{bytes} is {value}; first legal: {legal}  [{section}]",
        predicate.number()
    );
}

fn write_note(text: &mut String, note: &Note) {
    let fault = note
        .kind
        .fault()
        .map_or_else(String::new, |fault| format!("execution fault {fault}: "));
    let _ = writeln!(
        text,
        "  note: {fault}{}  [{}]",
        note.text,
        note.kind.section()
    );
}
