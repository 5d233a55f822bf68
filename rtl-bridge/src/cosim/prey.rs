// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a hunt for mutants runs: the streams of a suite on the instrumented copy of its block.

use pool_model::generation::Generation;

use super::blocks::{BLOCK, Block, Event, Located, count};
use super::mutants::{Detection, Evidence, MutantOptions};
use super::streams::{Origin, case, confirmed, episode, steps};
use crate::error::{DeviceFault, Hang, RtlError};
use crate::lockstep::{
    BlockDifference, BlockLockstep, Case, Design, Divergence, Outcome, WordCase, WordDivergence,
    WordLockstep,
};
use crate::mutants::MutantId;

/// The streams of one suite, cut into pieces, and an instance to run them on.
pub(crate) trait Prey {
    /// What gave a mutant away.
    type Found;

    /// Chooses a mutant, on a fresh instance if the one at hand is dead.
    fn set_mutant(&mut self, mutant: Option<MutantId>) -> Result<(), RtlError>;

    /// One stream for each.
    fn generations(&self) -> &'static [Generation];

    /// Pieces of a stream, and the number of the first operation of a piece.
    fn pieces(&self) -> u64;
    fn first(&self, piece: u64) -> u64;

    /// The first operation of a piece that does not agree, and what it did.
    fn run(
        &mut self,
        generation: Generation,
        piece: u64,
    ) -> Result<Option<(u64, Self::Found)>, Outcome>;

    /// Looks again on a fresh instance: the mutants before this one must have no part in it.
    fn confirm(
        &mut self,
        mutant: Option<MutantId>,
        generation: Generation,
        index: u64,
        found: Self::Found,
    ) -> Result<Detection, Outcome>;
}

/// The earliest operation over all generations that does not agree; of equally early ones that of the oldest.
pub(crate) fn earliest<P: Prey>(
    prey: &mut P,
    mutant: Option<MutantId>,
) -> Result<Option<Detection>, Outcome> {
    prey.set_mutant(mutant)
        .map_err(|e| Outcome::from_error(&e, None))?;
    let mut best: Option<(Generation, u64, P::Found)> = None;
    for &generation in prey.generations() {
        for piece in 0..prey.pieces() {
            let first = prey.first(piece);
            if best.as_ref().is_some_and(|(_, index, _)| *index <= first) {
                break;
            }
            if let Some((index, found)) = prey.run(generation, piece)? {
                if best.as_ref().is_none_or(|(_, best, _)| index < *best) {
                    best = Some((generation, index, found));
                }
                // A fault may have ended the instance.
                prey.set_mutant(mutant)
                    .map_err(|e| Outcome::from_error(&e, None))?;
                break;
            }
        }
    }
    match best {
        Some((generation, index, found)) => {
            prey.confirm(mutant, generation, index, found).map(Some)
        }
        None => Ok(None),
    }
}

/// The words.
pub(crate) struct WordPrey {
    seed: u64,
    budget: u64,
    streams: Vec<Vec<Block>>,
    lockstep: WordLockstep,
}

impl WordPrey {
    pub(crate) fn new(options: &MutantOptions) -> Result<Self, RtlError> {
        let streams = Generation::ALL.into_iter().map(|generation| {
            let block = |number| Block::new(options.seed, generation, number, options.budget, None);
            (0..count(options.budget)).map(block).collect()
        });
        Ok(Self {
            seed: options.seed,
            budget: options.budget,
            streams: streams.collect(),
            lockstep: WordLockstep::instrumented(None)?,
        })
    }
}

impl Prey for WordPrey {
    type Found = Located;

    fn set_mutant(&mut self, mutant: Option<MutantId>) -> Result<(), RtlError> {
        if self.lockstep.is_dead() {
            self.lockstep = WordLockstep::instrumented(None)?;
        }
        self.lockstep.set_mutant(mutant)
    }

    fn generations(&self) -> &'static [Generation] {
        &Generation::ALL
    }

    fn pieces(&self) -> u64 {
        count(self.budget)
    }

    fn first(&self, piece: u64) -> u64 {
        piece * BLOCK
    }

    fn run(
        &mut self,
        generation: Generation,
        piece: u64,
    ) -> Result<Option<(u64, Located)>, Outcome> {
        let block = &self.streams[generation.index()][piece as usize];
        let (_, found) = block.run(&mut self.lockstep);
        Ok(found.map(|found| (found.index, found)))
    }

    fn confirm(
        &mut self,
        mutant: Option<MutantId>,
        generation: Generation,
        index: u64,
        found: Located,
    ) -> Result<Detection, Outcome> {
        let case = WordCase {
            index: Some(index),
            seed: self.seed,
            generation,
            nc: found.nc,
            mutant,
            word: found.word,
        };
        let again = WordLockstep::instrumented(mutant)
            .map_err(|e| Outcome::from_error(&e, None))?
            .run(&[case.word], case.generation, case.nc);
        let (evidence, reproduced) = match found.event {
            Event::Difference(found) => {
                let difference = again.ok().and_then(|run| run.difference);
                let reproduced = difference.is_some_and(|again| again.rtl == found.rtl);
                let divergence = Divergence::Word(WordDivergence {
                    case,
                    model: found.model,
                    rtl: found.rtl,
                    reproduced,
                });
                (Evidence::Difference(Box::new(divergence)), reproduced)
            }
            Event::Error(RtlError::Device(fault)) => {
                let reproduced = same_fault(again.err(), &fault);
                (Evidence::Fault(fault), reproduced)
            }
            Event::Error(error) => {
                return Err(Outcome::from_error(&error, Some(Case::Word(case))));
            }
        };
        Ok(Detection {
            operations: index + 1,
            generation: Some(generation),
            case: Case::Word(case),
            evidence,
            reproduced,
        })
    }
}

fn same_fault(again: Option<RtlError>, fault: &DeviceFault) -> bool {
    matches!(again, Some(RtlError::Device(again))
        if (again.kind, again.line) == (fault.kind, fault.line))
}

/// The runs of another suite, made when they are first needed.
pub(crate) struct BlockPrey<L: BlockLockstep> {
    seed: u64,
    budget: u64,
    episodes: Vec<(Generation, Vec<L::Episode>)>,
    lockstep: L,
}

/// What a run did instead of agreeing.
pub(crate) enum BlockFound {
    Difference(BlockDifference),
    Fault(Box<DeviceFault>),
    Hang(Box<Hang>),
}

impl<L: BlockLockstep> BlockPrey<L> {
    pub(crate) fn new(options: &MutantOptions) -> Result<Self, RtlError> {
        Ok(Self {
            seed: options.seed,
            budget: steps::<L>(options.budget),
            episodes: L::GENERATIONS.iter().map(|&g| (g, Vec::new())).collect(),
            lockstep: L::new(Design::Instrumented(None))?,
        })
    }

    fn origin(&self, generation: Generation, mutant: Option<MutantId>) -> Origin {
        Origin {
            seed: self.seed,
            generation,
            mutant,
        }
    }

    fn length(&self, piece: u64) -> u64 {
        L::EPISODE.min(self.budget - piece * L::EPISODE)
    }
}

impl<L: BlockLockstep> Prey for BlockPrey<L> {
    type Found = BlockFound;

    fn set_mutant(&mut self, mutant: Option<MutantId>) -> Result<(), RtlError> {
        if self.lockstep.is_dead() {
            self.lockstep = L::new(Design::Instrumented(None))?;
        }
        self.lockstep.set_mutant(mutant)
    }

    fn generations(&self) -> &'static [Generation] {
        L::GENERATIONS
    }

    fn pieces(&self) -> u64 {
        self.budget.div_ceil(L::EPISODE)
    }

    fn first(&self, piece: u64) -> u64 {
        piece * L::EPISODE
    }

    fn run(
        &mut self,
        generation: Generation,
        piece: u64,
    ) -> Result<Option<(u64, BlockFound)>, Outcome> {
        let (origin, length) = (self.origin(generation, None), self.length(piece));
        let Some((_, known)) = self.episodes.iter_mut().find(|(g, _)| *g == generation) else {
            return Ok(None);
        };
        // Pieces are asked for in order, so a new one is the next.
        if known.len() as u64 <= piece {
            known.push(episode(&mut self.lockstep, origin, piece, length));
        }
        match self.lockstep.run(&known[piece as usize]) {
            Ok(run) => Ok(run.difference.map(|found| {
                let index = self.first(piece) + found.position as u64;
                (index, BlockFound::Difference(found))
            })),
            Err(RtlError::Device(fault)) => {
                let index = self.first(piece) + fault.item;
                Ok(Some((index, BlockFound::Fault(fault))))
            }
            Err(RtlError::Hang(hang)) => {
                let index = self.first(piece) + hang.item;
                Ok(Some((index, BlockFound::Hang(hang))))
            }
            Err(error) => Err(Outcome::from_error(&error, None)),
        }
    }

    fn confirm(
        &mut self,
        mutant: Option<MutantId>,
        generation: Generation,
        index: u64,
        found: BlockFound,
    ) -> Result<Detection, Outcome> {
        let (piece, position) = (index / L::EPISODE, index % L::EPISODE);
        let origin = self.origin(generation, mutant);
        let run = episode(&mut self.lockstep, origin, piece, position + 1);
        let case = case::<L>(origin, piece, &run, position);
        let design = Design::Instrumented(mutant);
        let failed = |error: &RtlError| Outcome::from_error(error, Some(Case::Block(case.clone())));
        let (evidence, reproduced) = match found {
            BlockFound::Difference(found) => {
                let divergence = confirmed::<L>(design, case.clone(), &run, found)
                    .map_err(|error| failed(&error))?;
                let reproduced = divergence.reproduced;
                let divergence = Divergence::Block(divergence);
                (Evidence::Difference(Box::new(divergence)), reproduced)
            }
            BlockFound::Fault(fault) => {
                let again = L::new(design).and_then(|mut fresh| fresh.run(&run));
                let reproduced = same_fault(again.err(), &fault);
                (Evidence::Fault(fault), reproduced)
            }
            BlockFound::Hang(hang) => {
                let again = L::new(design).and_then(|mut fresh| fresh.run(&run));
                let reproduced =
                    matches!(again, Err(RtlError::Hang(again)) if again.item == position);
                (Evidence::Hang(hang), reproduced)
            }
        };
        Ok(Detection {
            operations: index + 1,
            generation: case.generation,
            case: Case::Block(case),
            evidence,
            reproduced,
        })
    }
}
