// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scripts for the DMA engines through the model and the RTL.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use rtl_bridge::lockstep::Design;
use sb2sb_fuzz::ring_lockstep::RingTarget;

thread_local! {
    static TARGET: RefCell<RingTarget> = RefCell::new(
        RingTarget::new(Design::Plain).unwrap_or_else(|error| panic!("no RTL instance: {error}")),
    );
}

fuzz_target!(|data: &[u8]| {
    if let Err(finding) = TARGET.with_borrow_mut(|target| target.run(data)) {
        panic!("{finding}");
    }
});
