// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The mutator and the decoding of `validate_lockstep` with nothing behind them: its executions
//! per second are what the lock-step is measured against.
#![no_main]

use std::cell::RefCell;
use std::hint::black_box;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use sb2sb_fuzz::input::{Format, Input};
use sb2sb_fuzz::mutator::mutate;
use sb2sb_fuzz::stats::Stats;

const FORMAT: Format = Format::Words;

thread_local! {
    static STATS: RefCell<Stats> = RefCell::new(Stats::from_environment());
}

fuzz_target!(|data: &[u8]| {
    let input = Input::decode(data, FORMAT);
    if let Some(line) = STATS.with_borrow_mut(|stats| stats.count(&input)) {
        eprintln!("{line}");
    }
    black_box(&input);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(data, size, max_size, seed, FORMAT, &mut fuzzer_mutate)
});
