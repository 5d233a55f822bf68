// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks of a stream on several threads, with a result that does not depend on them.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::lockstep::{BlockTally, BrokenDevice, Outcome, Tally};

/// Blocks that are handed out before results are gathered; bounds the memory of a long run.
const WAVE: u64 = 256;

/// How a block, or the run up to a block, ended.
pub(crate) struct End<T> {
    pub(crate) tally: T,
    pub(crate) outcome: Outcome,
}

/// Counters that add up.
pub(crate) trait Sum: Default + Send {
    fn add(&mut self, other: &Self);
}

impl Sum for Tally {
    fn add(&mut self, other: &Self) {
        self.add(other);
    }
}

impl Sum for BlockTally {
    fn add(&mut self, other: &Self) {
        self.add(other);
    }
}

/// Runs the blocks `0..blocks` until one does not match. Blocks are handed out in ascending order, and one is
/// skipped only if an earlier one failed. So every block before the first failing one has run, and the result up
/// to there does not depend on the threads, of which there is one for each instance.
pub(crate) fn run_blocks<I: Send, T: Sum>(
    blocks: u64,
    instances: &mut [I],
    run: impl Fn(&mut I, u64) -> End<T> + Sync,
) -> End<T> {
    let mut total = T::default();
    let mut start = 0;
    while start < blocks {
        let end = blocks.min(start + WAVE);
        let mut wave = run_wave(start..end, instances, &run);
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

fn run_wave<I: Send, T: Sum>(
    numbers: Range<u64>,
    instances: &mut [I],
    run: &(impl Fn(&mut I, u64) -> End<T> + Sync),
) -> Vec<(u64, End<T>)> {
    let next = AtomicU64::new(numbers.start);
    let failed = AtomicU64::new(u64::MAX);
    let work = |instance: &mut I| {
        let mut ends = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end || number > failed.load(Ordering::Relaxed) {
                return ends;
            }
            let end = run(instance, number);
            if end.outcome != Outcome::Match {
                failed.fetch_min(number, Ordering::Relaxed);
            }
            ends.push((number, end));
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = instances
            .iter_mut()
            .map(|instance| scope.spawn(|| work(instance)))
            .collect();
        let joined = threads.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|payload| std::panic::resume_unwind(payload))
        });
        joined.flatten().collect()
    })
}

/// A panic of either side is a broken device, not the end of the run.
pub(crate) fn guarded(work: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "without a message".to_owned());
        Outcome::DeviceError(Box::new(BrokenDevice {
            case: None,
            message: format!("panic: {text}"),
        }))
    })
}
