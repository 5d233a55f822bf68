// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Speed of the lock-step of the DMA engines against the RTL alone on the same scripts, and of the RTL alone on
//! descriptors of 512 bytes.
//!
//! All variants run in turn in every round, so that a busy machine slows all of them; what counts is the ratio of
//! the medians. `SB2SB_BENCH_ROUNDS` sets the rounds (default 7).

use std::env;
use std::time::Instant;

use pool_model::generation::Generation;
use rtl_bridge::lockstep::{BlockLockstep, Design, RingLockstep};
use rtl_bridge::stimulus::Seeded;
use rtl_bridge::stimulus::ring::{copies, script};
use rtl_bridge::{RingScript, RtlError, UdmaGroup, Watchdog};

const GENERATION: Generation = Generation::V3;
const SEED: u64 = 0x5B25_0D4A;
/// Scripts of the mixed traffic, and steps of each.
const SCRIPTS: u64 = 12;
const STEPS: usize = 512;
/// Descriptors that an engine moves in a round.
const DESCRIPTORS: u32 = 64;
const BYTES: u32 = 512;

/// Lock-step must reach this share of the RTL alone.
const REQUIRED: f64 = 0.75;

fn main() -> Result<(), RtlError> {
    // `cargo test --benches` starts this program, too, but wants no measurement.
    if !env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let rounds = env::var("SB2SB_BENCH_ROUNDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(7_u32)
        .max(5);
    let mixed: Vec<RingScript> = (0..SCRIPTS)
        .map(|number| script(GENERATION, STEPS, &mut Seeded::new(SEED + number)))
        .collect();
    let plain = copies(GENERATION, DESCRIPTORS, BYTES);
    let mut rtl = UdmaGroup::new()?;
    let mut lockstep = RingLockstep::new(Design::Plain)?;
    let mut cycles = 0;
    let mut moved = 0;
    let mut times: [Vec<f64>; 4] = Default::default();
    for round in 0..=rounds {
        let measured = [
            seconds(|| {
                cycles = 0;
                for script in &mixed {
                    cycles += rtl.run_bare(script, Watchdog::default())?.cycles;
                }
                Ok(())
            })?,
            seconds(|| {
                for script in &mixed {
                    let run = lockstep.run_script(script)?;
                    assert_eq!(run.difference, None, "the benchmark compares equal things");
                }
                Ok(())
            })?,
            seconds(|| {
                moved = rtl.run_bare(&plain, Watchdog::default())?.packets;
                Ok(())
            })?,
            seconds(|| {
                let run = lockstep.run_script(&plain)?;
                assert_eq!(run.difference, None, "the benchmark compares equal things");
                Ok(())
            })?,
        ];
        // The first round warms caches and page tables.
        if round > 0 {
            for (times, seconds) in times.iter_mut().zip(measured) {
                times.push(seconds);
            }
        }
    }

    let times = times.map(median);
    // Both are far below 2^32.
    let [cycles, moved] =
        [cycles, moved].map(|count| f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    println!("{SCRIPTS} scripts of {STEPS} steps on {GENERATION}, medians of {rounds} rounds:");
    let rows = [
        ("ring_rtl_alone", cycles / times[0], "cycles/s", 0),
        ("ring_lockstep", cycles / times[1], "cycles/s", 0),
        (
            "ring_rtl_512_byte_descriptors",
            moved / times[2],
            "descriptors/s",
            2,
        ),
        (
            "ring_lockstep_512_byte_descriptors",
            moved / times[3],
            "descriptors/s",
            2,
        ),
    ];
    for (name, rate, unit, base) in rows {
        let ratio = rate / rows[base].1;
        println!("  {name:36} {rate:12.0} {unit:14} {:6.1} %", ratio * 100.0);
    }
    for (name, rate, unit, base) in rows {
        println!(
            r#"{{"name":"{name}","value":{rate:.0},"unit":"{unit}","ratio_to":"{}","ratio":{:.4}}}"#,
            rows[base].0,
            rate / rows[base].1,
        );
    }
    let ratio = times[0] / times[1];
    let verdict = if ratio >= REQUIRED {
        "reached"
    } else {
        "MISSED"
    };
    println!(
        "ring lock-step at {:.1} %, required {:.0} %: {verdict}",
        ratio * 100.0,
        REQUIRED * 100.0
    );
    Ok(())
}

fn seconds(work: impl FnOnce() -> Result<(), RtlError>) -> Result<f64, RtlError> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    if times.len() % 2 == 1 {
        times[middle]
    } else {
        f64::midpoint(times[middle - 1], times[middle])
    }
}
