// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Speed of lock-step validation against a pure C++ loop over the verilated decoder.
//!
//! All variants run in turn in every round, on the same near-valid words, so that a busy machine slows all of
//! them; what counts is the ratio of the medians. `SB2SB_BENCH_MIB` sets the size of the words (default 256),
//! `SB2SB_BENCH_ROUNDS` the rounds (default 7).

use std::env;
use std::hint::black_box;
use std::time::Instant;

use pool_model::generation::Generation;
use pool_model::isa::near_valid::Stream;
use pool_model::isa::{PredicateSet, WORD_BYTES, WordBytes, validate_bulk};
use rtl_bridge::lockstep::WordLockstep;
use rtl_bridge::{Decoder, RtlDecoded, RtlError};

const GENERATION: Generation = Generation::V3;
const SEED: u64 = 0x5B25_BEEF;
/// Words in one call across the bridge, as the lock-step has it.
const CHUNK: usize = 64;

const WORDS_IN_A_MIB: u32 = (1024 * 1024 / WORD_BYTES) as u32;

/// Lock-step must reach this share of the pure C++ loop.
const REQUIRED: f64 = 0.70;

fn main() -> Result<(), RtlError> {
    // `cargo test --benches` starts this program, too, but wants no measurement.
    if !env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let mib = setting("SB2SB_BENCH_MIB", 256);
    let rounds = setting("SB2SB_BENCH_ROUNDS", 7).max(5);
    let count = mib.saturating_mul(WORDS_IN_A_MIB);
    let words: Vec<WordBytes> = Stream::new(SEED, GENERATION).take(count as usize).collect();
    let nc = GENERATION.nc_version();

    let mut decoder = Decoder::new()?;
    let mut lockstep = WordLockstep::new()?;
    let mut results = vec![RtlDecoded::default(); CHUNK];
    let mut sets = vec![PredicateSet::EMPTY; CHUNK];
    let mut times: [Vec<f64>; 4] = Default::default();
    for round in 0..=rounds {
        let measured = [
            seconds(|| decoder.pure_loop(&words, GENERATION, nc).map(|_| ()))?,
            seconds(|| {
                for chunk in words.chunks(CHUNK) {
                    let results = &mut results[..chunk.len()];
                    decoder.decode_batch(chunk, GENERATION, nc, results)?;
                    black_box(results);
                }
                Ok(())
            })?,
            seconds(|| {
                let run = lockstep.run(&words, GENERATION, nc)?;
                assert_eq!(run.difference, None, "the benchmark compares equal things");
                Ok(())
            })?,
            seconds(|| {
                for chunk in words.chunks(CHUNK) {
                    validate_bulk(chunk, GENERATION, nc, &mut sets);
                    black_box(&sets);
                }
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

    let names = [
        "rtl_pure_cpp_loop",
        "rtl_decode_batch",
        "lockstep_validate",
        "model_validate_bulk",
    ];
    let rates = times.map(|times| f64::from(count) / median(times));
    println!("{count} near-valid {GENERATION} words ({mib} MiB), medians of {rounds} rounds:");
    for (name, rate) in names.iter().zip(rates) {
        let ratio = rate / rates[0];
        println!(
            "  {name:20} {:8.3} Mwords/s  {:6.1} % of the pure C++ loop",
            rate / 1e6,
            ratio * 100.0
        );
    }
    for (name, rate) in names.iter().zip(rates) {
        println!(
            r#"{{"name":"{name}","value":{rate:.0},"unit":"words/s","ratio_to":"{}","ratio":{:.4}}}"#,
            names[0],
            rate / rates[0],
        );
    }
    let ratio = rates[2] / rates[0];
    let verdict = if ratio >= REQUIRED {
        "reached"
    } else {
        "MISSED"
    };
    println!(
        "lock-step at {:.1} %, required {:.0} %: {verdict}",
        ratio * 100.0,
        REQUIRED * 100.0
    );
    Ok(())
}

fn setting(name: &str, default: u32) -> u32 {
    env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
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
