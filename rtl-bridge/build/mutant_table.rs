// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `hdl/mutants.toml` and `hdl/mutants-blocks.toml`: deliberate faults, kept beside the sources and never in
//! them. The second goes on where the first ends, so that the two are one table.

use serde::Deserialize;

/// How many predicates the validator has. [isa-word §4.1]
const PREDICATES: u8 = 11;

/// One row of the table.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// 1 and up without gaps, in file order; 0 selects the design as it is.
    pub id: u16,
    /// Unique, `snake_case`.
    pub name: String,
    /// Source file below `hdl/rtl/`.
    pub file: String,
    /// An expression that occurs once in the file.
    pub original: String,
    /// What stands there instead.
    pub faulty: String,
    /// The predicate of [isa-word §4.1] that the fault is about, 8 also for an expression that both
    /// operands share; 0 for a field or for the report of the verdict. Only for the decoder.
    pub predicate: Option<u8>,
    /// The top whose stimuli are to find the fault, if that is not the decoder.
    pub block: Option<String>,
    /// The mistake that it imitates.
    pub imitates: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    mutant: Vec<Row>,
}

/// Reads the tables, in order, and checks what can be told without the sources. A message names the table at
/// fault.
pub fn parse(tables: &[(&str, &str)]) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (name, text) in tables {
        let table: Table = toml::from_str(text).map_err(|e| format!("{name}: {e}"))?;
        rows.extend(table.mutant);
        check(&rows).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(rows)
}

fn check(rows: &[Row]) -> Result<(), String> {
    let mut expected: u16 = 1;
    for (position, row) in rows.iter().enumerate() {
        if row.id != expected {
            return Err(format!(
                "mutant `{}` has id {}, expected {expected}: ids count from 1 without gaps, in file order",
                row.name, row.id
            ));
        }
        expected = expected.checked_add(1).ok_or("more than 65534 mutants")?;
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if row.name.is_empty() || !row.name.chars().all(is_name) {
            return Err(format!(
                "mutant {}: name `{}` is not snake_case",
                row.id, row.name
            ));
        }
        if let Some(other) = rows[..position].iter().find(|o| o.name == row.name) {
            return Err(format!(
                "mutants {} and {} are both named `{}`",
                other.id, row.id, row.name
            ));
        }
        for (key, value) in [
            ("file", &row.file),
            ("original", &row.original),
            ("faulty", &row.faulty),
            ("imitates", &row.imitates),
        ] {
            if value.trim().is_empty() {
                return Err(format!(
                    "mutant {} `{}`: `{key}` is empty",
                    row.id, row.name
                ));
            }
        }
        match (row.predicate, &row.block) {
            (Some(predicate), None) if predicate > PREDICATES => {
                return Err(format!(
                    "mutant {} `{}`: `predicate` is {predicate}, expected 0 to {PREDICATES}",
                    row.id, row.name
                ));
            }
            (Some(_), None) | (None, Some(_)) => {}
            (Some(_), Some(_)) | (None, None) => {
                return Err(format!(
                    "mutant {} `{}`: expected one of `predicate` and `block`",
                    row.id, row.name
                ));
            }
        }
        if row.original == row.faulty {
            return Err(format!(
                "mutant {} `{}`: `faulty` equals `original`",
                row.id, row.name
            ));
        }
    }
    Ok(())
}
