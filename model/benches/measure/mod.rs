// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ratios that hold on a busy machine: all variants run in turn in every round of one process, and
//! the medians are compared.
//!
//! `SB2SB_BENCH_MIB` sets the size of the working set (default 256), `SB2SB_BENCH_ROUNDS` the rounds
//! (default 7, at least 5).

#![allow(dead_code, reason = "each benchmark uses its part")]

use std::env;
use std::time::Instant;

/// One thing to measure.
pub struct Variant<'a> {
    /// Name in the results.
    pub name: &'static str,
    /// Does the work once.
    pub work: Box<dyn FnMut() + 'a>,
}

impl<'a> Variant<'a> {
    /// A variant with a name.
    pub fn new(name: &'static str, work: impl FnMut() + 'a) -> Self {
        Self {
            name,
            work: Box::new(work),
        }
    }
}

/// Whether `cargo test --benches` started the program: that is no benchmark run.
pub fn is_test_run() -> bool {
    env::args().any(|argument| argument == "--test")
}

/// Bytes of the working set.
pub fn working_set() -> usize {
    setting("SB2SB_BENCH_MIB", 256) << 20
}

/// A number from the environment.
pub fn setting(name: &str, default: usize) -> usize {
    env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Measures the variants; each does `count` of `unit` at a time. Prints a line for a reader and a JSON
/// line for each; ratios are to the first variant. Returns the rates in `unit` per second.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
pub fn compare(unit: &str, count: u64, variants: &mut [Variant<'_>]) -> Vec<f64> {
    let rounds = setting("SB2SB_BENCH_ROUNDS", 7).max(5);
    let mut times = vec![Vec::new(); variants.len()];
    for round in 0..=rounds {
        for (variant, times) in variants.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (variant.work)();
            // The first round warms caches and page tables.
            if round > 0 {
                times.push(start.elapsed().as_secs_f64());
            }
        }
    }
    let rates: Vec<f64> = times
        .iter_mut()
        .map(|times| count as f64 / median(times))
        .collect();
    println!("{count} {unit} at a time, medians of {rounds} rounds:");
    for (variant, rate) in variants.iter().zip(&rates) {
        println!(
            "  {:28} {:10.3} M{unit}/s  {:6.1} % of {}",
            variant.name,
            rate / 1e6,
            100.0 * rate / rates[0],
            variants[0].name
        );
    }
    for (variant, rate) in variants.iter().zip(&rates) {
        println!(
            r#"{{"name":"{}","value":{rate:.0},"unit":"{unit}/s","ratio_to":"{}","ratio":{:.4}}}"#,
            variant.name,
            variants[0].name,
            rate / rates[0]
        );
    }
    rates
}

/// Says whether a ratio reaches what is promised.
pub fn promise(what: &str, ratio: f64, required: f64) {
    let verdict = if ratio >= required {
        "reached"
    } else {
        "MISSED"
    };
    println!("{what}: {ratio:.3}, promised {required}: {verdict}");
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
