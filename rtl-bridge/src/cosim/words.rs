// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The suite `words`: a stream of near-valid words per generation, or one word given by hand.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::WordBytes;

use super::blocks::{Block, Event, count};
use super::options::Options;
use super::report::CaseReport;
use crate::error::RtlError;
use crate::lockstep::{
    Difference, Outcome, Tally, WordCase, WordDivergence, WordFault, WordLockstep,
};

/// Blocks that are handed out before results are gathered; bounds the memory of a long run.
const WAVE: u64 = 256;

/// How a block, or the run up to a block, ended.
struct End {
    tally: Tally,
    outcome: Outcome,
}

/// Runs the stream of every generation.
pub(crate) fn stream(options: &Options, generations: &[Generation]) -> Vec<CaseReport> {
    let jobs = options
        .jobs
        .get()
        .min(count(options.budget) as usize)
        .max(1);
    let instances: Result<Vec<_>, _> = (0..jobs).map(|_| instance(options)).collect();
    let mut instances = match instances {
        Ok(instances) => instances,
        Err(error) => return all_failed(generations, &error),
    };
    generations
        .iter()
        .map(|&generation| {
            let End { tally, outcome } = stream_of(options, generation, &mut instances);
            CaseReport::new(generation, tally, outcome)
        })
        .collect()
}

/// Runs one word on every generation.
pub(crate) fn single(
    options: &Options,
    generations: &[Generation],
    word: WordBytes,
) -> Vec<CaseReport> {
    let mut lockstep = match instance(options) {
        Ok(lockstep) => lockstep,
        Err(error) => return all_failed(generations, &error),
    };
    let mut cases = Vec::new();
    for &generation in generations {
        let nc = options.nc.unwrap_or(generation.nc_version());
        let case = case(options, generation, nc, None, word);
        let mut tally = Tally::default();
        let outcome = guarded(|| match lockstep.run(&[word], generation, nc) {
            Ok(run) => {
                tally = run.tally;
                let found = run.difference;
                found.map_or(Outcome::Match, |found| mismatch(options, case, &found))
            }
            Err(error) => Outcome::from_error(&error, Some(case)),
        });
        cases.push(CaseReport::new(generation, tally, outcome));
    }
    cases
}

fn instance(options: &Options) -> Result<WordLockstep, RtlError> {
    match options.mutant {
        None => WordLockstep::new(),
        mutant => WordLockstep::instrumented(mutant),
    }
}

fn all_failed(generations: &[Generation], error: &RtlError) -> Vec<CaseReport> {
    let failed = |&generation| {
        CaseReport::new(
            generation,
            Tally::default(),
            Outcome::from_error(error, None),
        )
    };
    generations.iter().map(failed).collect()
}

fn case(
    options: &Options,
    generation: Generation,
    nc: NcVersion,
    index: Option<u64>,
    word: WordBytes,
) -> WordCase {
    WordCase {
        index,
        seed: options.seed,
        generation,
        nc,
        mutant: options.mutant,
        word,
    }
}

/// The report of a difference, after a second look on a fresh instance.
fn mismatch(options: &Options, case: WordCase, found: &Difference) -> Outcome {
    let again =
        instance(options).and_then(|mut fresh| fresh.run(&[case.word], case.generation, case.nc));
    match again {
        Err(error) => Outcome::from_error(&error, Some(case)),
        Ok(run) => {
            let reproduced = run
                .difference
                .is_some_and(|again| again.rtl == found.rtl && again.model == found.model);
            Outcome::Mismatch(Box::new(WordDivergence {
                case,
                model: found.model,
                rtl: found.rtl,
                reproduced,
            }))
        }
    }
}

/// A panic of either side is a broken device, not the end of the run.
fn guarded(work: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "without a message".to_owned());
        Outcome::DeviceError(Box::new(WordFault {
            case: None,
            message: format!("panic: {text}"),
        }))
    })
}

/// Blocks are handed out in ascending order, and one is skipped only if an earlier one failed. So every
/// block before the first failing one has run, and the result up to there does not depend on the threads.
fn stream_of(options: &Options, generation: Generation, instances: &mut [WordLockstep]) -> End {
    let blocks = count(options.budget);
    let mut total = Tally::default();
    let mut start = 0;
    while start < blocks {
        let end = blocks.min(start + WAVE);
        let mut wave = run_wave(options, generation, instances, start..end);
        wave.sort_by_key(|(number, _)| *number);
        for (_, End { tally, outcome }) in wave {
            total.add(&tally);
            if outcome != Outcome::Match {
                return End {
                    tally: total,
                    outcome,
                };
            }
        }
        start = end;
    }
    End {
        tally: total,
        outcome: Outcome::Match,
    }
}

fn run_wave(
    options: &Options,
    generation: Generation,
    instances: &mut [WordLockstep],
    numbers: std::ops::Range<u64>,
) -> Vec<(u64, End)> {
    let next = AtomicU64::new(numbers.start);
    let failed = AtomicU64::new(u64::MAX);
    let work = |lockstep: &mut WordLockstep| {
        let mut ends = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end || number > failed.load(Ordering::Relaxed) {
                return ends;
            }
            let end = run_block(options, generation, number, lockstep);
            if end.outcome != Outcome::Match {
                failed.fetch_min(number, Ordering::Relaxed);
            }
            ends.push((number, end));
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = instances
            .iter_mut()
            .map(|lockstep| scope.spawn(|| work(lockstep)))
            .collect();
        let joined = threads.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|payload| std::panic::resume_unwind(payload))
        });
        joined.flatten().collect()
    })
}

fn run_block(
    options: &Options,
    generation: Generation,
    number: u64,
    lockstep: &mut WordLockstep,
) -> End {
    let mut tally = Tally::default();
    let outcome = guarded(|| {
        let (seed, budget) = (options.seed, options.budget);
        let block = Block::new(seed, generation, number, budget, options.nc);
        let (counted, first) = block.run(lockstep);
        tally = counted;
        let Some(found) = first else {
            return Outcome::Match;
        };
        let case = case(options, generation, found.nc, Some(found.index), found.word);
        match &found.event {
            Event::Difference(difference) => mismatch(options, case, difference),
            Event::Error(error) => Outcome::from_error(error, Some(case)),
        }
    });
    End { tally, outcome }
}
