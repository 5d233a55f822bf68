// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Targets: the address, window and semaphore blocks of the model against those of the RTL, in one process.
//!
//! Byte 0 of an input selects the generation, byte 1 the number of operations, bytes 2 and 3 where the sweep
//! over the edges of the address map begins. The rest are the decisions of the generator that the co-simulation
//! uses, so every byte string is a legal run. A run begins with a reset: inputs do not depend on each other.

use std::fmt;

use pool_model::generation::Generation;
use rtl_bridge::RtlError;
use rtl_bridge::lockstep::{BlockCase, BlockDivergence, BlockLockstep, Design};
use rtl_bridge::stimulus::Bytes;

/// Most operations of an input.
pub const MAX_OPERATIONS: u8 = 64;

/// What ended an input.
#[derive(Debug)]
pub enum Finding {
    /// The sides disagree on an operation.
    Mismatch(Box<BlockDivergence>),
    /// The RTL faulted, or took no more operations.
    Device(RtlError),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch(divergence) => write!(f, "model and RTL disagree: {divergence}"),
            Self::Device(error) => write!(f, "the RTL failed: {error}"),
        }
    }
}

impl From<RtlError> for Finding {
    fn from(error: RtlError) -> Self {
        Self::Device(error)
    }
}

/// Both sides of a block; made once, used for every input of a run.
pub struct BlockTarget<L> {
    design: Design,
    lockstep: L,
}

impl<L: BlockLockstep> BlockTarget<L> {
    /// Holds the model against a copy of the RTL.
    ///
    /// # Errors
    /// If there is no RTL instance to be had.
    pub fn new(design: Design) -> Result<Self, RtlError> {
        let lockstep = L::new(design)?;
        Ok(Self { design, lockstep })
    }

    /// Runs an input through both sides.
    ///
    /// # Errors
    /// The first operation on which they disagree, looked at again on a fresh instance, or what became of the
    /// RTL.
    pub fn run(&mut self, data: &[u8]) -> Result<(), Finding> {
        let (header, choices) = data.split_at(data.len().min(4));
        let byte = |at: usize| header.get(at).copied().unwrap_or(0);
        let generation = L::GENERATIONS[usize::from(byte(0)) % L::GENERATIONS.len()];
        let length = usize::from(byte(1) % MAX_OPERATIONS) + 1;
        let first = u64::from(u16::from_le_bytes([byte(2), byte(3)]));
        let mut choices = Bytes::new(choices);
        let episode = self
            .lockstep
            .episode(generation, first, length, &mut choices);
        let Some(found) = self.lockstep.run(&episode)?.difference else {
            return Ok(());
        };
        let again = L::new(self.design)?.run(&episode)?.difference;
        let reproduced = again.as_ref() == Some(&found);
        let case = BlockCase {
            suite: L::SUITE,
            generation: named(L::GENERATIONS, generation),
            seed: 0,
            index: None,
            position: found.position as u64,
            mutant: match self.design {
                Design::Plain => None,
                Design::Instrumented(mutant) => mutant,
            },
            operation: L::describe(&episode, found.position),
        };
        Err(Finding::Mismatch(Box::new(BlockDivergence {
            case,
            pairs: found.pairs,
            history: found.history,
            reproduced,
        })))
    }
}

fn named(all: &[Generation], generation: Generation) -> Option<Generation> {
    (all.len() > 1).then_some(generation)
}
