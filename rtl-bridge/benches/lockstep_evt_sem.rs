// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Speed of the lock-step of the semaphore block against a pure C++ loop over the verilated block, on the same
//! cycles: bus, control port, engines and commands of all generations.
//!
//! `SB2SB_BENCH_CYCLES` sets the number of cycles (default 400000), `SB2SB_BENCH_ROUNDS` the rounds (default 7).

#[path = "../../model/benches/measure/mod.rs"]
mod measure;

use std::hint::black_box;

use measure::{Variant, compare, is_test_run, promise, setting};
use pool_model::choices::Signedness;
use pool_model::evt_sem::Block;
use pool_model::generation::Generation;
use rtl_bridge::lockstep::evt_sem::stimulus;
use rtl_bridge::lockstep::{BlockLockstep, Design, EvtSemLockstep};
use rtl_bridge::stimulus::Seeded;
use rtl_bridge::{EvtSemBlock, EvtSemStimulus, RtlError};

const SEED: u64 = 0x5B25_5E3A;

/// Lock-step must reach this share of the pure C++ loop.
const REQUIRED: f64 = 0.75;

fn main() -> Result<(), RtlError> {
    // `cargo test --benches` starts this program, too, but wants no measurement.
    if is_test_run() {
        return Ok(());
    }
    let cycles = setting("SB2SB_BENCH_CYCLES", 400_000);
    let mut lockstep = EvtSemLockstep::new(Design::Plain)?;
    let mut choices = Seeded::new(SEED);
    let length = cycles / Generation::ALL.len();
    let episodes: Vec<_> = Generation::ALL
        .into_iter()
        .map(|generation| lockstep.episode(generation, 0, length, &mut choices))
        .collect();
    let stimuli: Vec<Vec<EvtSemStimulus>> = episodes
        .iter()
        .map(|episode| episode.cycles.iter().map(stimulus).collect())
        .collect();
    let mut rtl = EvtSemBlock::new()?;
    let count = (length * episodes.len()) as u64;
    let rates = compare(
        "cycles",
        count,
        &mut [
            Variant::new("rtl_pure_cpp_loop", || {
                for (episode, stimuli) in episodes.iter().zip(&stimuli) {
                    let signed = episode.compare_as == Signedness::Signed;
                    let granted = rtl
                        .reset(episode.generation.index() as u8, signed)
                        .and_then(|_| rtl.pure_loop(stimuli));
                    assert!(granted.is_ok_and(|granted| granted > 0), "the RTL runs");
                }
            }),
            Variant::new("lockstep_evt_sem", || {
                for episode in &episodes {
                    let run = lockstep.run(episode);
                    assert!(
                        run.is_ok_and(|run| run.difference.is_none()),
                        "the benchmark compares equal things"
                    );
                }
            }),
            Variant::new("model_evt_sem", || {
                for episode in &episodes {
                    let mut block = Block::new(episode.generation, episode.compare_as);
                    for inputs in &episode.cycles {
                        black_box(block.cycle(inputs));
                    }
                }
            }),
        ],
    );
    promise("lock-step of EVT_SEM", rates[1] / rates[0], REQUIRED);
    Ok(())
}
