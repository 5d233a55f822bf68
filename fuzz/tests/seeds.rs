// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `seeds/` and `dict/` hold what `make_seeds` makes, and the seeds are what they claim to be.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pool_model::isa::validate;
use sb2sb_fuzz::input::{Format, Input, MAX_LEN, Payload};
use sb2sb_fuzz::{dictionary, seeds};

/// All files below a folder of this package, by their path from it.
fn files(folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn assert_same(found: &BTreeMap<PathBuf, Vec<u8>>, made: &BTreeMap<PathBuf, Vec<u8>>) {
    let names = |map: &BTreeMap<PathBuf, _>| map.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(made));
    for (name, data) in made {
        assert_eq!(&found[name], data, "{}: run make_seeds", name.display());
    }
}

#[test]
fn the_seeds_are_what_the_generator_makes() {
    let made = seeds::all()
        .into_iter()
        .map(|seed| (Path::new(seed.target).join(seed.name), seed.data))
        .collect();
    assert_same(&files("seeds"), &made);
}

#[test]
fn the_dictionaries_are_what_the_generator_makes() {
    let made = dictionary::all()
        .into_iter()
        .map(|(name, text)| (PathBuf::from(name), text.into_bytes()))
        .collect();
    assert_same(&files("dict"), &made);
}

#[test]
fn the_worked_words_are_valid_on_every_generation_that_has_them() {
    let mut words = 0;
    for seed in seeds::all() {
        let input = Input::decode(&seed.data, Format::WordsOrText);
        if seed.name.ends_with("worked") && matches!(input.payload, Payload::Words(_)) {
            for word in input.words() {
                let valid = validate(word, input.generation, input.nc).is_empty();
                assert_eq!(valid, !seed.name.starts_with("v2-"), "{}", seed.name);
                words += 1;
            }
        }
    }
    assert_eq!(words, 3 * 5 * 2);
}

#[test]
fn seeds_are_small_and_cover_words_and_text() {
    let mut texts = 0;
    for seed in seeds::all() {
        if seed.target == "word_roundtrip" {
            let input = Input::decode(&seed.data, Format::WordsOrText);
            texts += usize::from(matches!(input.payload, Payload::Text(_)));
        }
        assert!(seed.data.len() <= 2 * MAX_LEN, "{}", seed.name);
    }
    assert_eq!(texts, 5);
}
