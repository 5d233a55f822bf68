// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Programs, and the checks that a host makes when it loads them.

use std::path::Path;

use thiserror::Error;
use toml::Spanned;

use super::Loader;
use crate::generation::Generation;
use crate::isa::input::{Format, Reader};
use crate::isa::{Predicate, SB2SB_OPCODE, Word, WordBytes, explain, validate};
use crate::scenario::error::ScenarioError;
use crate::scenario::schema;

/// A word that the host's load-time checks refuse.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("word {index}: {why}")]
pub struct ProgramError {
    /// Index of the word in the program.
    pub index: usize,
    /// The rule, what was found and what would be legal.
    pub why: String,
}

/// Checks a whole program.
pub(super) fn check(program: &[WordBytes], generation: Generation) -> Result<(), ProgramError> {
    program.iter().enumerate().try_for_each(|(index, word)| {
        host_check(word, generation).map_err(|why| ProgramError { index, why })
    })
}

/// The host's load-time checks of a word: structure, then the opcode-on-engine gate.
/// [isa-word §4.4, HIGH/OBSERVED]
fn host_check(bytes: &WordBytes, generation: Generation) -> Result<(), String> {
    let word = Word::decode(bytes);
    let version = generation.nc_version();
    let failing = validate(bytes, generation, version);
    let Some(first) = failing.first() else {
        return Ok(());
    };
    let opcode = word.header.opcode;
    if opcode != SB2SB_OPCODE && !failing.contains(Predicate::HasValidNeuronHeader) {
        // Another member of the instruction set: the 0xBF rules do not apply to it.
        return Err(format!(
            "opcode 0x{opcode:02x} is not a 0xBF word; programs hold 0xBF words (`host_check = false` hands it to the core)"
        ));
    }
    let finding = explain(&word, generation, version).into_iter().next();
    let detail = finding.map_or_else(String::new, |finding| {
        format!(
            ": {} is {}, legal is {}",
            finding.field, finding.value, finding.legal
        )
    });
    Err(format!(
        "predicate {} `{}` fails on {generation}{detail}",
        first.number(),
        first.name()
    ))
}

impl Loader<'_> {
    pub(super) fn program(
        &self,
        at: &Spanned<String>,
        core: &schema::Core,
        check: bool,
    ) -> Result<Vec<WordBytes>, ScenarioError> {
        let given = [&core.program, &core.program_hex, &core.program_file];
        if given.iter().filter(|p| p.is_some()).count() > 1 {
            return Err(self.error(
                at.span(),
                "expected only one of program, program_hex and program_file",
            ));
        }
        let (span, format, data) = if let Some(text) = &core.program {
            (
                text.span(),
                Format::Asm,
                text.get_ref().clone().into_bytes(),
            )
        } else if let Some(text) = &core.program_hex {
            (
                text.span(),
                Format::Hex,
                text.get_ref().clone().into_bytes(),
            )
        } else if let Some(path) = &core.program_file {
            let format = Path::new(path.get_ref())
                .extension()
                .and_then(|ending| ending.to_str())
                .and_then(Format::from_extension)
                .ok_or_else(|| {
                    self.error(
                        path.span(),
                        "expected a file name ending in .s, .hex or .bin",
                    )
                })?;
            (path.span(), format, self.read(path)?)
        } else {
            return Ok(Vec::new());
        };
        let mut words = Vec::new();
        for (index, item) in Reader::new(format, &data).enumerate() {
            let word =
                item.map_err(|error| self.error(span.clone(), format!("program, {error}")))?;
            if check {
                host_check(&word.bytes, self.generation).map_err(|why| {
                    self.error(
                        span.clone(),
                        format!("program, word {index} (line {}): {why}", word.position),
                    )
                })?;
            }
            words.push(word.bytes);
        }
        Ok(words)
    }
}
