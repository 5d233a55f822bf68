// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cycles of bus, control port, engines and commands through the semaphore blocks of the model and of the RTL.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use rtl_bridge::lockstep::{Design, EvtSemLockstep};
use sb2sb_fuzz::block_lockstep::BlockTarget;

thread_local! {
    static TARGET: RefCell<BlockTarget<EvtSemLockstep>> = RefCell::new(
        BlockTarget::new(Design::Plain).unwrap_or_else(|error| panic!("no RTL instance: {error}")),
    );
}

fuzz_target!(|data: &[u8]| {
    if let Err(finding) = TARGET.with_borrow_mut(|target| target.run(data)) {
        panic!("{finding}");
    }
});
