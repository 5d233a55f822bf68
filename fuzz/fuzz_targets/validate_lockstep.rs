// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Near-valid words through the decoders and validators of the model and of the RTL.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use sb2sb_fuzz::input::{Format, Input};
use sb2sb_fuzz::mutator::mutate;
use sb2sb_fuzz::stats::Stats;
use sb2sb_fuzz::validate_lockstep::ValidateLockstep;

const FORMAT: Format = Format::Words;

thread_local! {
    static STATS: RefCell<Stats> = RefCell::new(Stats::from_environment());
    static LOCKSTEP: RefCell<ValidateLockstep> = RefCell::new(
        ValidateLockstep::new().unwrap_or_else(|error| panic!("no RTL instance: {error}")),
    );
}

fuzz_target!(|data: &[u8]| {
    let input = Input::decode(data, FORMAT);
    if let Some(line) = STATS.with_borrow_mut(|stats| stats.count(&input)) {
        eprintln!("{line}");
    }
    if let Err(finding) = LOCKSTEP.with_borrow_mut(|lockstep| lockstep.run(&input)) {
        panic!("{finding}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(data, size, max_size, seed, FORMAT, &mut fuzzer_mutate)
});
