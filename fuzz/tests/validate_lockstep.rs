// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The lock-step target finds deliberate faults of the RTL, and its message says all there is.
#![cfg(feature = "rtl")]

use std::cell::Cell;
use std::rc::Rc;

use pool_model::generation::Generation;
use pool_model::isa::input::format_hex;
use pool_model::isa::near_valid::Stream;
use pool_model::isa::{Word, disassemble};
use rtl_bridge::Decoder;
use rtl_bridge::mutants::{MutantId, table};
use sb2sb_fuzz::input::{Format, Input, MAX_WORDS, encode_words};
use sb2sb_fuzz::validate_lockstep::{Finding, ValidateLockstep};

/// Inputs of four words that a fault may take to show.
const INPUTS: usize = 25_000;

fn faulty(mutant: Option<MutantId>) -> ValidateLockstep {
    ValidateLockstep::against(move || {
        let mut rtl = Decoder::instrumented()?;
        rtl.set_mutant(mutant)?;
        Ok(rtl)
    })
    .unwrap()
}

/// The first finding on near-valid words of every generation in turn.
fn hunt(lockstep: &mut ValidateLockstep) -> Option<Finding> {
    let mut streams = Generation::ALL.map(|generation| Stream::new(1, generation));
    for number in 0..INPUTS {
        let stream = &mut streams[number % Generation::ALL.len()];
        let generation = Generation::ALL[number % Generation::ALL.len()];
        let first = stream.next_word();
        let mut words = vec![first.bytes];
        words.extend(stream.by_ref().take(MAX_WORDS - 1));
        let data = encode_words(generation, first.nc, &words);
        if let Err(finding) = lockstep.run(&Input::decode(&data, Format::Words)) {
            return Some(finding);
        }
    }
    None
}

#[test]
fn the_instrumented_copy_without_a_fault_agrees() {
    assert!(hunt(&mut faulty(None)).is_none());
}

#[test]
fn one_fault_about_each_predicate_is_found() {
    let mut seen = [false; 12];
    for mutant in table() {
        let known = &mut seen[usize::from(mutant.predicate)];
        if mutant.file == "s3d3_decoder.sv" && !*known {
            *known = true;
            let finding = hunt(&mut faulty(Some(mutant.id)));
            let Some(Finding::Mismatch(divergence)) = finding else {
                panic!("mutant {} survives", mutant.name);
            };
            assert!(divergence.reproduced, "{divergence}");
        }
    }
    // Predicate 9 shares its expression with 8.
    let missing: Vec<usize> = (0..seen.len()).filter(|&k| !seen[k] && k != 9).collect();
    assert!(missing.is_empty(), "no mutant is about {missing:?}");
}

#[test]
fn the_message_says_all_there_is() {
    let mutant = table().iter().find(|mutant| mutant.predicate == 6).unwrap();
    // Only the first instance is faulty, as one that an earlier word has spoilt would be.
    let made = Rc::new(Cell::new(0));
    let mut lockstep = {
        let made = Rc::clone(&made);
        ValidateLockstep::against(move || {
            made.set(made.get() + 1);
            let mut rtl = Decoder::instrumented()?;
            rtl.set_mutant((made.get() == 1).then_some(mutant.id))?;
            Ok(rtl)
        })
        .unwrap()
    };
    let finding = hunt(&mut lockstep).unwrap();
    assert_eq!(made.get(), 2);
    let Finding::Mismatch(divergence) = &finding else {
        panic!("{finding}");
    };
    assert!(!divergence.reproduced);
    let message = finding.to_string();
    let hex = format_hex(&divergence.case.word);
    let text = disassemble(&Word::decode(&divergence.case.word));
    let generation = divergence.case.generation.name();
    for part in [
        hex.as_str(),
        &text,
        generation,
        "check_active_ports",
        "  ! ",
        "a fresh RTL",
    ] {
        assert!(message.contains(part), "no {part} in\n{message}");
    }
}
