// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The suite `words`: a stream of near-valid words per generation, or one word given by hand.

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::WordBytes;

use super::blocks::{Block, Event, count};
use super::options::Options;
use super::report::CaseReport;
use super::waves::{End, guarded, run_blocks};
use crate::error::RtlError;
use crate::lockstep::{
    Case, Difference, Divergence, Outcome, Tally, WordCase, WordDivergence, WordLockstep,
};

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
            let End { tally, outcome } =
                run_blocks(count(options.budget), &mut instances, |lockstep, number| {
                    run_block(options, generation, number, lockstep)
                });
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
            Err(error) => Outcome::from_error(&error, Some(Case::Word(case))),
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
        Err(error) => Outcome::from_error(&error, Some(Case::Word(case))),
        Ok(run) => {
            let reproduced = run
                .difference
                .is_some_and(|again| again.rtl == found.rtl && again.model == found.model);
            Outcome::Mismatch(Box::new(Divergence::Word(WordDivergence {
                case,
                model: found.model,
                rtl: found.rtl,
                reproduced,
            })))
        }
    }
}

fn run_block(
    options: &Options,
    generation: Generation,
    number: u64,
    lockstep: &mut WordLockstep,
) -> End<Tally> {
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
            Event::Error(error) => Outcome::from_error(error, Some(Case::Word(case))),
        }
    });
    End { tally, outcome }
}
