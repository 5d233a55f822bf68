// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The suites of the address, window and semaphore blocks: a stream of operations per generation, cut into runs
//! that begin with a reset, or one of these runs up to one operation.

use pool_model::generation::Generation;
use pool_model::isa::near_valid::SplitMix64;

use super::options::Options;
use super::report::BlockReport;
use super::waves::{End, guarded, run_blocks};
use crate::error::RtlError;
use crate::lockstep::{
    BlockCase, BlockDifference, BlockDivergence, BlockLockstep, BlockTally, Case, Design,
    Divergence, Outcome,
};
use crate::mutants::MutantId;
use crate::stimulus::Seeded;

/// Where a run of a stream comes from.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) seed: u64,
    pub(crate) generation: Generation,
    pub(crate) mutant: Option<MutantId>,
}

/// The generation as reports name it: none where generations do not matter.
pub(crate) fn named<L: BlockLockstep>(generation: Generation) -> Option<Generation> {
    (L::GENERATIONS.len() > 1).then_some(generation)
}

/// Operations of a suite in a budget.
pub(crate) fn steps<L: BlockLockstep>(budget: u64) -> u64 {
    budget.div_ceil(L::COST)
}

/// Run `number` of a stream, with `length` of its operations.
pub(crate) fn episode<L: BlockLockstep>(
    lockstep: &mut L,
    origin: Origin,
    number: u64,
    length: u64,
) -> L::Episode {
    let Origin {
        seed, generation, ..
    } = origin;
    // Runs are independent of each other, so that any thread can make any of them.
    let mut mixed = seed;
    for part in [L::SUITE as u64, generation.index() as u64, number] {
        mixed = SplitMix64::new(mixed ^ part).next_u64();
    }
    let first = number.saturating_mul(L::EPISODE);
    lockstep.episode(generation, first, length as usize, &mut Seeded::new(mixed))
}

/// What is known about operation `position` of run `number`.
pub(crate) fn case<L: BlockLockstep>(
    origin: Origin,
    number: u64,
    episode: &L::Episode,
    position: u64,
) -> BlockCase {
    BlockCase {
        suite: L::SUITE,
        generation: named::<L>(origin.generation),
        seed: origin.seed,
        index: Some(number.saturating_mul(L::EPISODE).saturating_add(position)),
        position,
        mutant: origin.mutant,
        operation: L::describe(episode, position as usize),
    }
}

/// The report of a difference, after a second look on a fresh instance.
pub(crate) fn confirmed<L: BlockLockstep>(
    design: Design,
    case: BlockCase,
    episode: &L::Episode,
    found: BlockDifference,
) -> Result<BlockDivergence, RtlError> {
    let again = L::new(design)?.run(episode)?.difference;
    let reproduced = again.as_ref() == Some(&found);
    let BlockDifference { pairs, history, .. } = found;
    Ok(BlockDivergence {
        case,
        pairs,
        history,
        reproduced,
    })
}

/// Runs a suite on the generations that matter for its block.
pub(crate) fn run<L: BlockLockstep>(
    options: &Options,
    generations: &[Generation],
) -> Vec<BlockReport> {
    let design = options
        .mutant
        .map_or(Design::Plain, |id| Design::Instrumented(Some(id)));
    let runs = match options.operation {
        Some(_) => 1,
        None => steps::<L>(options.budget).div_ceil(L::EPISODE),
    };
    let jobs = (options.jobs.get() as u64).min(runs).max(1);
    let instances: Result<Vec<L>, _> = (0..jobs).map(|_| L::new(design)).collect();
    let mut instances = match instances {
        Ok(instances) => instances,
        Err(error) => {
            let failed = |&generation| {
                let outcome = Outcome::from_error(&error, None);
                BlockReport::new::<L>(generation, BlockTally::default(), outcome, options.budget)
            };
            return generations.iter().map(failed).collect();
        }
    };
    let mut reports = Vec::new();
    for &generation in generations {
        let origin = Origin {
            seed: options.seed,
            generation,
            mutant: options.mutant,
        };
        let End { tally, outcome } = run_blocks(runs, &mut instances, |lockstep, number| {
            let (number, length) = if let Some(operation) = options.operation {
                (operation / L::EPISODE, operation % L::EPISODE + 1)
            } else {
                let before = number * L::EPISODE;
                (number, L::EPISODE.min(steps::<L>(options.budget) - before))
            };
            run_one(lockstep, design, origin, number, length)
        });
        reports.push(BlockReport::new::<L>(
            generation,
            tally,
            outcome,
            options.budget,
        ));
    }
    reports
}

fn run_one<L: BlockLockstep>(
    lockstep: &mut L,
    design: Design,
    origin: Origin,
    number: u64,
    length: u64,
) -> End<BlockTally> {
    let mut tally = BlockTally::default();
    let outcome = guarded(|| {
        let episode = episode(lockstep, origin, number, length);
        let at = |position| case::<L>(origin, number, &episode, position);
        match lockstep.run(&episode) {
            Ok(run) => {
                tally = run.tally;
                let Some(found) = run.difference else {
                    return Outcome::Match;
                };
                let case = at(found.position as u64);
                match confirmed::<L>(design, case.clone(), &episode, found) {
                    Ok(divergence) => Outcome::Mismatch(Box::new(Divergence::Block(divergence))),
                    Err(error) => Outcome::from_error(&error, Some(Case::Block(case))),
                }
            }
            Err(error) => {
                let position = match &error {
                    RtlError::Device(fault) => fault.item,
                    RtlError::Hang(hang) => hang.item,
                    RtlError::Refused(_) | RtlError::BatchSize { .. } => 0,
                };
                Outcome::from_error(&error, Some(Case::Block(at(position))))
            }
        }
    });
    End { tally, outcome }
}
