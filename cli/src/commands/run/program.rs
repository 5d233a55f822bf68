// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is run: a scenario file, or words for core 0.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use pool_model::choices::Choices;
use pool_model::generation::Generation;
use pool_model::isa::WordBytes;
use pool_model::scenario::Scenario;

use crate::args::InputFormat;
use crate::commands::each_batch_within;
use crate::console::Console;
use crate::failure::Failure;

/// Longest scenario file, in bytes.
const MAX_SCENARIO: u64 = 16 << 20;

/// Longest program, in words; as much as a file that a scenario may name.
const MAX_PROGRAM: usize = 1 << 20;

/// Longest file with words, in bytes: the longest program in hex, with room for comments.
const MAX_WORDS: u64 = 256 << 20;

/// Reads the file; `None` when what is wrong with its words has been reported.
pub fn load(
    path: &Path,
    generation: Option<Generation>,
    console: &mut Console<'_>,
) -> Result<Option<Scenario>, Failure> {
    let is_scenario = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if !is_scenario {
        return words(path, generation.unwrap_or_default(), console);
    }
    if generation.is_some() {
        return Err(Failure::Usage(
            "--generation is for files with words; a scenario names its own".to_owned(),
        ));
    }
    scenario(path).map(Some)
}

fn scenario(path: &Path) -> Result<Scenario, Failure> {
    let read = |error| Failure::Read {
        path: path.to_owned(),
        error,
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(read)?;
    file.take(MAX_SCENARIO + 1)
        .read_to_end(&mut bytes)
        .map_err(read)?;
    let name = path.display().to_string();
    if bytes.len() as u64 > MAX_SCENARIO {
        return Err(Failure::Usage(format!(
            "{name}: expected a scenario of at most {MAX_SCENARIO} bytes"
        )));
    }
    let text = match str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let line = before.matches('\n').count() + 1;
            let last_line = before.rsplit('\n').next().unwrap_or_default();
            let column = last_line.chars().count() + 1;
            return Err(Failure::Usage(format!(
                "{name}:{line}:{column}: expected UTF-8 text"
            )));
        }
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    Scenario::parse(text, &name, folder).map_err(|error| Failure::Usage(error.to_string()))
}

fn words(
    path: &Path,
    generation: Generation,
    console: &mut Console<'_>,
) -> Result<Option<Scenario>, Failure> {
    if path != Path::new("-")
        && !path.extension().is_some_and(|extension| {
            ["hex", "bin", "s"]
                .iter()
                .any(|known| extension.eq_ignore_ascii_case(known))
        })
    {
        return Err(Failure::Usage(format!(
            "cannot tell what `{}` is; expected a scenario (.toml) or words (.hex, .bin, .s)",
            path.display()
        )));
    }
    let mut program: Vec<WordBytes> = Vec::new();
    let mut places: Vec<String> = Vec::new();
    let malformed = each_batch_within(
        MAX_WORDS,
        &[path.to_owned()],
        InputFormat::Auto,
        console,
        |batch, _| {
            if program.len() + batch.words.len() > MAX_PROGRAM {
                return Err(Failure::Usage(format!(
                    "`{}` has more words than a program may have, {MAX_PROGRAM}",
                    path.display()
                )));
            }
            program.extend_from_slice(batch.words);
            places.extend((0..batch.words.len()).map(|position| batch.place(position)));
            Ok(())
        },
    )?;
    if malformed {
        return Ok(None);
    }
    let name = path.file_stem().map_or_else(
        || "program".to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    );
    let name = if name == "-" {
        "program".to_owned()
    } else {
        name
    };
    Scenario::of_program(&name, generation, Choices::default(), program)
        .map(Some)
        .map_err(|error| {
            let place = places.get(error.index).map_or("", String::as_str);
            Failure::Usage(format!("{place}: {error}"))
        })
}
