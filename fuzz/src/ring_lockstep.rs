// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Target: scripts for the DMA engines through the model and the RTL, in one process.
//!
//! The first byte of an input chooses the generation, the others are the decisions of the generator that the
//! co-simulation uses. A new input begins with a reset, not with a new instance.

use std::fmt;

use pool_model::generation::Generation;
use rtl_bridge::lockstep::{
    BlockCase, BlockDivergence, BlockLockstep, Design, Outcome, RingLockstep,
};
use rtl_bridge::stimulus::ring::script_of_bytes;
use rtl_bridge::{RtlError, Suite, Watchdog};

/// Most steps of a script; further bytes are ignored.
const STEPS: usize = 600;
/// An instrumented RTL is slow, and libFuzzer has a time-out of its own.
const WATCHDOG: Watchdog = Watchdog {
    quiet: 20_000,
    longest: 200_000,
};

/// What ended an input.
#[derive(Debug)]
pub enum Finding {
    /// The sides disagree.
    Mismatch(Box<BlockDivergence>),
    /// The RTL faulted, or nobody could move any more.
    Device(Box<Outcome>),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch(divergence) => write!(f, "model and RTL disagree: {divergence}"),
            Self::Device(outcome) => write!(f, "{outcome}"),
        }
    }
}

/// Both sides; made once, used for every input of a run.
pub struct RingTarget {
    design: Design,
    lockstep: RingLockstep,
}

impl RingTarget {
    /// Holds the model against a copy of the RTL.
    ///
    /// # Errors
    /// If there is no RTL instance to be had.
    pub fn new(design: Design) -> Result<Self, RtlError> {
        Ok(Self {
            design,
            lockstep: make(design)?,
        })
    }

    /// Runs an input through both sides.
    ///
    /// # Errors
    /// The first step on which they disagree, looked at again on a fresh instance, or what became of the RTL.
    pub fn run(&mut self, data: &[u8]) -> Result<(), Finding> {
        let (first, decisions) = data.split_first().unwrap_or((&0, &[]));
        let generation = Generation::ALL[usize::from(*first) % Generation::ALL.len()];
        let script = script_of_bytes(generation, STEPS, decisions);
        let case = |position: u64| BlockCase {
            suite: Suite::Ring,
            generation: Some(generation),
            seed: 0,
            index: None,
            position,
            mutant: match self.design {
                Design::Plain => None,
                Design::Instrumented(mutant) => mutant,
            },
            operation: RingLockstep::describe(&script, position as usize),
        };
        let failed = |error: &RtlError, position| {
            let case = rtl_bridge::lockstep::Case::Block(case(position));
            Finding::Device(Box::new(Outcome::from_error(error, Some(case))))
        };
        let found = match self.lockstep.run(&script) {
            Ok(run) => match run.difference {
                None => return Ok(()),
                Some(found) => found,
            },
            Err(error) => {
                let position = match &error {
                    RtlError::Device(fault) => fault.item,
                    RtlError::Hang(hang) => hang.item,
                    RtlError::Refused(_) | RtlError::BatchSize { .. } => 0,
                };
                return Err(failed(&error, position));
            }
        };
        let position = found.position as u64;
        let again = make(self.design)
            .and_then(|mut fresh| fresh.run(&script))
            .map_err(|error| failed(&error, position))?;
        Err(Finding::Mismatch(Box::new(BlockDivergence {
            case: case(position),
            reproduced: again.difference.as_ref() == Some(&found),
            pairs: found.pairs,
            history: found.history,
        })))
    }
}

fn make(design: Design) -> Result<RingLockstep, RtlError> {
    let mut lockstep = RingLockstep::new(design)?;
    lockstep.set_watchdog(WATCHDOG);
    Ok(lockstep)
}
