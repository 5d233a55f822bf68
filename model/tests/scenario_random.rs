// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Programs of near-valid words, handed to the cores without the host's checks: whatever happens, it ends, it is no
//! panic, and it is the same every time.
#![cfg(feature = "arbitrary")]

use std::fmt::Write as _;
use std::path::Path;

use pool_model::device::DeviceError;
use pool_model::generation::Generation;
use pool_model::isa::input::format_hex;
use pool_model::isa::near_valid::Stream;
use pool_model::scenario::{Failed, Outcome, Report, Scenario, run};
use pool_model::system::System;
use pool_model::transaction::Transaction;
use proptest::prelude::*;

/// Ticks that the longest of these programs needs: six words a core, each with at most 128 channels read and written,
/// and four ticks around them. [isa-word §4.1 #6]
const BUDGET: u64 = 2 * 6 * (2 * 128 + 4);

/// A scenario with a program for each of the cores 0 and 1.
fn scenario(generation: Generation, seeds: [u64; 2], words: usize) -> Scenario {
    let mut text = format!("generation = \"{generation}\"\nhost_check = false\n");
    for (core, seed) in seeds.into_iter().enumerate() {
        writeln!(text, "[core.{core}]\nprogram_hex = \"\"\"").expect("a String takes everything");
        for word in Stream::new(seed, generation).take(words) {
            writeln!(text, "{}", format_hex(&word)).expect("a String takes everything");
        }
        text.push_str("\"\"\"\n");
    }
    Scenario::parse(&text, "x.toml", Path::new(".")).expect("a legal file")
}

fn transactions(scenario: &Scenario) -> (Result<Report, Failed>, Vec<Transaction>) {
    let mut device = System::new(scenario.topology.clone()).expect("a legal topology");
    let mut seen = Vec::new();
    let report = run(scenario, &mut device, BUDGET, &mut seen);
    (report, seen)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs_end_and_are_the_same_every_time(
        generation in prop::sample::select(Generation::ALL.to_vec()),
        seeds in any::<[u64; 2]>(),
        words in 1_usize..=6,
    ) {
        let scenario = scenario(generation, seeds, words);
        let (report, seen) = transactions(&scenario);
        let again = transactions(&scenario);
        prop_assert_eq!(&again.0, &report);
        prop_assert_eq!(&again.1, &seen);
        match report {
            Ok(report) => {
                prop_assert!(!report.out_of_budget, "the program goes on after {} ticks", BUDGET);
                // Nobody who waits, faults or ends is forgotten.
                let hangs = report.outcome == Outcome::Hang;
                prop_assert_eq!(hangs, !report.blocked.is_empty());
                prop_assert_eq!(report.counts.total(), seen.len() as u64);
            }
            // Another instruction of the POOL engine, which hardware executes.
            Err(Failed::Device { error: DeviceError::NotExecuted { .. }, .. }) => {}
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

/// The property above is about something: its programs move data, wait and fault.
#[test]
fn the_programs_do_many_things() {
    let (mut fault, mut hang, mut moved) = (0, 0, 0);
    for seed in 0..1000 {
        let (report, _) = transactions(&scenario(Generation::V3, [seed, seed + 1000], 1));
        let Ok(report) = report else { continue };
        fault += u32::from(!report.faults.is_empty());
        hang += u32::from(report.outcome == Outcome::Hang);
        moved += u32::from(report.counts.of("data_written") > Some(0));
    }
    let least = [fault, hang, moved].into_iter().min();
    assert!(
        least >= Some(5),
        "{fault} fault, {hang} hang, {moved} move data"
    );
}
