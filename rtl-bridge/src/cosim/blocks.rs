// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The words of a run, in blocks that can be made and run in any order.

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::WordBytes;
use pool_model::isa::near_valid::{SplitMix64, Stream};

use crate::error::RtlError;
use crate::lockstep::{Difference, Tally, WordLockstep};

/// Words in a block.
pub(crate) const BLOCK: u64 = 4096;

/// One block of a generation's stream, its words sorted by their version argument, which a batch has in
/// common.
pub(crate) struct Block {
    generation: Generation,
    groups: Vec<Group>,
}

struct Group {
    nc: NcVersion,
    /// Numbers of the words in the stream, ascending.
    indices: Vec<u64>,
    words: Vec<WordBytes>,
}

/// What a word did instead of agreeing.
pub(crate) enum Event {
    Difference(Difference),
    Error(RtlError),
}

/// The earliest word of a block that did not agree.
pub(crate) struct Located {
    pub(crate) index: u64,
    pub(crate) nc: NcVersion,
    pub(crate) word: WordBytes,
    pub(crate) event: Event,
}

impl Block {
    /// Block `number` of a stream of `budget` words.
    pub(crate) fn new(
        seed: u64,
        generation: Generation,
        number: u64,
        budget: u64,
        nc: Option<NcVersion>,
    ) -> Self {
        let first = number * BLOCK;
        let last = budget.min(first.saturating_add(BLOCK));
        let mut groups: Vec<Group> = NcVersion::ALL
            .into_iter()
            .map(|nc| Group {
                nc,
                indices: Vec::new(),
                words: Vec::new(),
            })
            .collect();
        let mut stream = Stream::new(block_seed(seed, generation, number), generation);
        for index in first..last {
            let word = stream.next_word();
            let version = nc.unwrap_or(word.nc);
            if let Some(group) = groups.iter_mut().find(|group| group.nc == version) {
                group.indices.push(index);
                group.words.push(word.bytes);
            }
        }
        Self { generation, groups }
    }

    /// Runs the words; the earliest that did not agree, and the counters of all words up to it.
    pub(crate) fn run(&self, lockstep: &mut WordLockstep) -> (Tally, Option<Located>) {
        let mut tally = Tally::default();
        let mut first: Option<Located> = None;
        for group in self.groups.iter().filter(|group| !group.words.is_empty()) {
            let found = match lockstep.run(&group.words, self.generation, group.nc) {
                Ok(run) => {
                    tally.add(&run.tally);
                    run.difference
                        .map(|found| group.locate(found.position, Event::Difference(found)))
                }
                Err(error) => {
                    let position = match &error {
                        RtlError::Device(fault) => fault.item as usize,
                        RtlError::Hang(hang) => hang.item as usize,
                        RtlError::Refused(_) | RtlError::BatchSize { .. } => 0,
                    };
                    Some(group.locate(position, Event::Error(error)))
                }
            };
            if let Some(found) = found
                && first.as_ref().is_none_or(|first| found.index < first.index)
            {
                first = Some(found);
            }
            if lockstep.is_dead() {
                break;
            }
        }
        match &first {
            None => (tally, None),
            Some(found) => (self.tally_until(found.index), first),
        }
    }

    /// What the words up to number `last` exercise.
    fn tally_until(&self, last: u64) -> Tally {
        let mut tally = Tally::default();
        for group in &self.groups {
            let count = group.indices.partition_point(|&index| index <= last);
            tally.add(&Tally::of(&group.words[..count], self.generation, group.nc));
        }
        tally
    }
}

impl Group {
    fn locate(&self, position: usize, event: Event) -> Located {
        let position = position.min(self.words.len() - 1);
        Located {
            index: self.indices[position],
            nc: self.nc,
            word: self.words[position],
            event,
        }
    }
}

/// Blocks are independent of each other, so that any thread can make any of them.
fn block_seed(seed: u64, generation: Generation, number: u64) -> u64 {
    let mut mixed = seed;
    for part in [generation.index() as u64, number] {
        mixed = SplitMix64::new(mixed ^ part).next_u64();
    }
    mixed
}

/// How many blocks a budget of words takes.
pub(crate) fn count(budget: u64) -> u64 {
    budget.div_ceil(BLOCK)
}
