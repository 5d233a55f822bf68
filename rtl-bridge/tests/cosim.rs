// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Co-simulation runs as a user sees them: agreement, the report of a forced mismatch, determinism, and the
//! hunt for mutants.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::OnceLock;

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::input::parse_hex_line;
use pool_model::isa::{Predicate, WordBytes, validate};
use rtl_bridge::Suite;
use rtl_bridge::cosim::{
    DEFAULT_BUDGET, Evidence, MUTANT_BUDGET, MutantOptions, MutantReport, Options, UsageError,
    hunt_mutants, run,
};
use rtl_bridge::lockstep::{Case, Divergence, Outcome, WordDivergence, WordLockstep, expected};
use rtl_bridge::mutants::{MutantId, table};

fn jobs(jobs: usize) -> NonZeroUsize {
    NonZeroUsize::new(jobs).unwrap()
}

fn mutant(name: &str) -> MutantId {
    table().iter().find(|row| row.name == name).unwrap().id
}

/// W1 of [isa-word §9].
fn w1() -> WordBytes {
    let hex = "bf100000 00001305 00000000 06060000 00000000 01000000 00004000 01000100 \
               01800000 00000000 00000000 00000000 00100000 01000000 00004000 01000100";
    parse_hex_line(hex).unwrap().unwrap()
}

fn word(divergence: &Divergence) -> &WordDivergence {
    match divergence {
        Divergence::Word(divergence) => divergence,
        Divergence::Block(divergence) => panic!("no word: {divergence}"),
    }
}

/// Options of a run of words alone.
fn words() -> Options {
    Options {
        suites: vec![Suite::Words],
        ..Options::default()
    }
}

#[test]
fn the_default_run_agrees_on_every_generation_and_reaches_both_sides_of_every_predicate() {
    let report = run(&words()).unwrap();
    assert_eq!(report.outcome(), &Outcome::Match, "{report}");
    assert_eq!(report.exit_code(), 0);
    let generations: Vec<_> = report.cases.iter().map(|case| case.generation).collect();
    assert_eq!(generations, Generation::ALL);
    for case in &report.cases {
        assert_eq!(case.tally.words, DEFAULT_BUDGET, "{report}");
        assert_eq!(case.tally.never_failing().count(), 0, "{report}");
        let versions = NcVersion::ALL.map(|nc| case.tally.with_version(nc));
        assert!(versions.iter().all(|&words| words > 0), "{report}");
        assert_eq!(versions.iter().sum::<u64>(), DEFAULT_BUDGET);
        if case.generation == Generation::V2 {
            // v2 has no 0xBF [isa-word §0]: predicate 1 or 3 always fails.
            assert_eq!(case.tally.valid, 0);
        } else {
            assert!(case.tally.valid > DEFAULT_BUDGET / 3, "{report}");
            for predicate in Predicate::ALL {
                assert!(
                    case.tally.alone(predicate) > 0,
                    "{predicate} never alone\n{report}"
                );
            }
        }
    }
}

#[test]
fn the_counters_are_those_of_the_words() {
    let words: Vec<WordBytes> = (0..64_u8)
        .map(|at| {
            let mut word = w1();
            word[usize::from(at)] ^= 0x81;
            word
        })
        .collect();
    let mut lockstep = WordLockstep::new().unwrap();
    let run = lockstep.run(&words, Generation::V4, NcVersion::V2).unwrap();
    assert_eq!(run.difference, None);
    assert_eq!(run.tally.words, 64);
    assert_eq!(run.tally.valid, 0, "the version argument is too old");
    assert_eq!(run.tally.with_version(NcVersion::V2), 64);
    for predicate in Predicate::ALL {
        let sets = words
            .iter()
            .map(|word| validate(word, Generation::V4, NcVersion::V2));
        let (mut failing, mut alone) = (0, 0);
        for set in sets.filter(|set| set.contains(predicate)) {
            failing += 1;
            alone += u64::from(set.len() == 1);
        }
        assert_eq!(run.tally.failing(predicate), failing, "{predicate}");
        assert_eq!(run.tally.alone(predicate), alone, "{predicate}");
    }
}

/// All single-byte values of a valid word, on every generation and version: small enough to be complete.
#[test]
fn every_value_of_every_byte_of_a_valid_word_agrees() {
    let mut words = Vec::new();
    for at in 0..64 {
        for value in 0..=255 {
            let mut word = w1();
            word[at] = value;
            words.push(word);
        }
    }
    let mut lockstep = WordLockstep::new().unwrap();
    for generation in Generation::ALL {
        for nc in NcVersion::ALL {
            let run = lockstep.run(&words, generation, nc).unwrap();
            assert_eq!(run.difference, None, "{generation} {nc:?}");
            assert_eq!(run.tally.words, 64 * 256);
        }
    }
}

#[test]
fn the_first_difference_of_a_run_is_the_first_word_that_differs() {
    let mut last_accepted = w1();
    last_accepted[26..28].copy_from_slice(&256_u16.to_le_bytes());
    let mut words = vec![w1(); 1000];
    words[700] = last_accepted;
    words[900] = last_accepted;
    let mut lockstep = WordLockstep::instrumented(Some(mutant("nelem_256_rejected"))).unwrap();
    let run = lockstep.run(&words, Generation::V3, NcVersion::V3).unwrap();
    let found = run.difference.unwrap();
    assert_eq!(found.position, 700);
    assert_eq!(run.tally.words, 701);
    assert_eq!(
        found.model,
        expected(&last_accepted, Generation::V3, NcVersion::V3)
    );
    assert!(found.model.valid && !found.rtl.valid);
    assert_eq!(found.rtl.first_failure, 10);
    lockstep.set_mutant(None).unwrap();
    let run = lockstep.run(&words, Generation::V3, NcVersion::V3).unwrap();
    assert_eq!(run.difference, None);
}

fn mismatch() -> Options {
    Options {
        budget: 20_000,
        generations: vec![Generation::V4, Generation::V3],
        mutant: Some(mutant("nelem_256_rejected")),
        ..words()
    }
}

/// The text of a mismatch is what people read and scripts search: it changes on purpose only.
#[test]
fn the_report_of_a_forced_mismatch() {
    let mut last_accepted = w1();
    last_accepted[26..28].copy_from_slice(&256_u16.to_le_bytes());
    let report = run(&Options {
        word: Some(last_accepted),
        ..mismatch()
    })
    .unwrap();
    assert_eq!(report.exit_code(), 1);
    let text = report.to_string();
    assert_eq!(
        text,
        include_str!("pinned/mismatch.txt"),
        "the text is now:\n{text}"
    );
    let lines = report.json_lines();
    assert_eq!(
        lines,
        include_str!("pinned/mismatch.jsonl"),
        "the lines are now:\n{lines}"
    );
}

/// The design's own assertion notices this mutant before the comparison does.
#[test]
fn a_failing_assertion_is_a_device_error_and_names_no_place_of_this_machine() {
    let options = Options {
        generations: vec![Generation::V3],
        mutant: Some(mutant("first_failure_from_zero")),
        ..words()
    };
    let report = run(&options).unwrap();
    assert_eq!(
        (report.exit_code(), report.outcome().name()),
        (4, "device_error")
    );
    let Outcome::DeviceError(fault) = report.outcome() else {
        panic!("{report}");
    };
    // Verilator 5.006 calls the assertion's `$fatal` an error.
    let place = " in s3d3_decoder at s3d3_decoder.sv:";
    assert!(fault.message.contains(place), "{report}");
    assert!(!fault.message.contains('/'), "{report}");
    let Some(Case::Word(case)) = fault.case else {
        panic!("{report}");
    };
    let again = run(&Options {
        word: Some(case.word),
        nc: Some(case.nc),
        ..options
    })
    .unwrap();
    assert_eq!(again.exit_code(), 4, "{again}");
    assert!(
        report
            .to_string()
            .contains(&format!("replay: {}", case.replay())),
        "{report}"
    );
}

#[test]
fn the_replay_of_a_mismatch_shows_it_again() {
    let report = run(&mismatch()).unwrap();
    for case in &report.cases {
        let Outcome::Mismatch(found) = &case.outcome else {
            panic!("{report}");
        };
        let found = word(found);
        assert!(found.reproduced);
        let replay = run(&Options {
            generations: vec![found.case.generation],
            nc: Some(found.case.nc),
            seed: found.case.seed,
            mutant: found.case.mutant,
            word: Some(found.case.word),
            ..Options::default()
        })
        .unwrap();
        let [case] = &replay.cases[..] else {
            panic!("{replay}");
        };
        let Outcome::Mismatch(again) = &case.outcome else {
            panic!("{replay}");
        };
        let again = word(again);
        assert_eq!((again.model, again.rtl), (found.model, found.rtl));
        assert_eq!(again.case.index, None);
        assert_eq!(again.case.replay(), found.case.replay());
        assert_eq!(case.tally.words, 1);
    }
}

#[test]
fn the_number_of_jobs_does_not_show() {
    for options in [
        Options {
            budget: 30_001,
            ..words()
        },
        mismatch(),
    ] {
        let of = |n| {
            let options = Options {
                jobs: jobs(n),
                ..options.clone()
            };
            let report = run(&options).unwrap();
            (report.to_string(), report.json_lines())
        };
        let one = of(1);
        for n in [2, 3, 16] {
            assert_eq!(of(n), one, "{n} jobs");
        }
    }
}

#[test]
fn another_seed_is_another_run_and_a_longer_run_begins_like_a_shorter_one() {
    let first = |seed, budget| {
        let options = Options {
            seed,
            budget,
            ..mismatch()
        };
        let report = run(&options).unwrap();
        let Outcome::Mismatch(found) = &report.cases[0].outcome else {
            panic!("{report}");
        };
        word(found).case
    };
    assert_eq!(first(1, 20_000), first(1, 40_000));
    assert_ne!(first(1, 20_000).word, first(2, 20_000).word);
}

#[test]
fn filters_and_version_choose() {
    let options = Options {
        budget: 5000,
        filter: Some("v4".to_owned()),
        nc: Some(NcVersion::V2),
        ..words()
    };
    let report = run(&options).unwrap();
    let names: Vec<_> = report
        .cases
        .iter()
        .map(rtl_bridge::cosim::CaseReport::name)
        .collect();
    assert_eq!(names, ["words/v4", "words/v4+"]);
    for case in &report.cases {
        assert_eq!(case.tally.with_version(NcVersion::V2), 5000);
        assert_eq!(
            case.tally.failing(Predicate::HasValidNcSb2sbCollective),
            5000
        );
        assert_eq!(case.tally.valid, 0);
    }
    assert!(
        report
            .to_string()
            .contains("words/v4: no valid word was seen"),
        "{report}"
    );
}

#[test]
fn a_run_that_checks_nothing_is_bad_usage() {
    let nothing = run(&Options {
        filter: Some("v9".to_owned()),
        ..Options::default()
    });
    let Err(error @ UsageError::NothingChosen { .. }) = nothing else {
        panic!("{nothing:?}");
    };
    assert_eq!(error.exit_code(), 2);
    assert_eq!(
        error.to_string(),
        "no case is chosen: the filter `v9` fits none of words/v2, words/v3, words/v4, words/v4+, words/v5, \
         addr/v2, addr/v3, addr/v4, addr/v4+, addr/v5, window, \
         evt_sem/v2, evt_sem/v3, evt_sem/v4, evt_sem/v4+, evt_sem/v5, \
         ring/v2, ring/v3, ring/v4, ring/v4+, ring/v5"
    );
    for options in [
        Options {
            generations: Vec::new(),
            ..Options::default()
        },
        Options {
            suites: Vec::new(),
            ..Options::default()
        },
    ] {
        assert!(matches!(
            run(&options),
            Err(UsageError::NothingChosen { .. })
        ));
    }
    let no_budget = Options {
        budget: 0,
        ..Options::default()
    };
    assert_eq!(run(&no_budget), Err(UsageError::NoBudget));
    let hunt = |filter: &str, budget| {
        hunt_mutants(&MutantOptions {
            filter: Some(filter.to_owned()),
            budget,
            ..MutantOptions::default()
        })
    };
    assert!(matches!(
        hunt("no such name", 1),
        Err(UsageError::NothingChosen { .. })
    ));
    assert_eq!(hunt("", 0), Err(UsageError::NoBudget));
}

#[test]
fn suites_have_names() {
    for suite in Suite::ALL {
        assert_eq!(suite.name().parse(), Ok(suite));
    }
    let unknown = "wörds".parse::<Suite>().unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "unknown suite `wörds`; expected words, addr, window, evt_sem, ring"
    );
}

/// The hunt with the default options: it takes long, and several tests look at it.
fn hunted() -> &'static MutantReport {
    static REPORT: OnceLock<MutantReport> = OnceLock::new();
    REPORT.get_or_init(|| hunt_mutants(&MutantOptions::default()).unwrap())
}

#[test]
fn the_default_seed_finds_every_mutant_in_time() {
    let report = hunted();
    assert_eq!(report.failure, None, "{report}");
    assert_eq!(report.exit_code(), 0, "{report}");
    assert_eq!(report.results.len(), table().len());
    for result in &report.results {
        let detection = result.detection.as_ref().unwrap();
        assert!(detection.operations <= MUTANT_BUDGET, "{report}");
        let (suite, mutant) = match &detection.case {
            Case::Word(case) => (Suite::Words, case.mutant),
            Case::Block(case) => (case.suite, case.mutant),
        };
        assert_eq!((suite, mutant), (result.id.row().suite, Some(result.id)));
        assert!(result.found() && !detection.evidence.summary().is_empty());
    }
}

/// "At least one row per predicate of the RTL validator"; and a row about a predicate shows in its bit.
#[test]
fn every_predicate_has_a_mutant_that_shows_in_it() {
    let mut missing: BTreeSet<u8> = Predicate::ALL.map(Predicate::number).into();
    let report = hunted();
    assert_eq!(report.results.len(), table().len());
    for result in &report.results {
        let row = result.id.row();
        if row.suite != Suite::Words {
            continue;
        }
        let Some(predicate) = Predicate::from_number(row.predicate) else {
            assert_eq!(row.predicate, 0);
            continue;
        };
        let evidence = &result.detection.as_ref().unwrap().evidence;
        let Evidence::Difference(found) = evidence else {
            panic!("{}: {evidence:?}", row.name);
        };
        let found = word(found);
        let shows = found.model.fail ^ found.rtl.fail;
        let either = match predicate {
            // An expression that both operands share may show in the destination first.
            Predicate::Tensor3dValidSrc => predicate.bit() | Predicate::Tensor3dValidDst.bit(),
            _ => predicate.bit(),
        };
        // A fault in the element count shows in the count before the limit is reached.
        let in_count =
            predicate == Predicate::SizeCheckSrc && found.model.src_nelem != found.rtl.src_nelem;
        assert!(shows & either != 0 || in_count, "{}: {found}", row.name);
        missing.remove(&row.predicate);
    }
    assert!(missing.is_empty(), "no mutant for predicates {missing:?}");
}

#[test]
fn a_mutant_that_is_not_found_survives_loudly() {
    let report = hunt_mutants(&MutantOptions {
        budget: 1,
        filter: Some("nelem_wraps".to_owned()),
        ..MutantOptions::default()
    })
    .unwrap();
    assert_eq!(report.results.len(), 2);
    assert_eq!(report.exit_code(), 1);
    assert_eq!(report.survivors().count(), 2);
    let text = report.to_string();
    assert!(
        text.contains("SURVIVED: the product kept in 16 bits"),
        "{text}"
    );
    assert!(
        text.ends_with("0 of 2 mutants found, 2 survived\n"),
        "{text}"
    );
    assert!(report.json_lines().contains(r#""survived":[74,75]"#));
}

#[test]
fn the_hunt_is_the_same_every_time() {
    let hunt = || {
        let report = hunt_mutants(&MutantOptions {
            filter: Some("er_".to_owned()),
            ..MutantOptions::default()
        })
        .unwrap();
        (report.to_string(), report.json_lines())
    };
    assert_eq!(hunt(), hunt());
}

#[test]
fn outcomes_have_the_exit_codes_of_the_contract() {
    let hang = Outcome::Hang {
        case: None,
        model: "semaphore 3".to_owned(),
        rtl: "idle".to_owned(),
    };
    assert_eq!((Outcome::Match.exit_code(), hang.exit_code()), (0, 3));
    assert_eq!(Outcome::Infrastructure(String::new()).exit_code(), 5);
    let error = rtl_bridge::fault_probe::FaultProbe::new()
        .and_then(|mut probe| probe.step(rtl_bridge::fault_probe::Command::Stop, &[1]))
        .unwrap_err();
    let outcome = Outcome::from_error(&error, None);
    assert_eq!((outcome.exit_code(), outcome.name()), (4, "device_error"));
    assert!(
        outcome
            .to_string()
            .starts_with("device error: $stop in fault_probe at fault_probe.sv:"),
        "{outcome}"
    );
}
