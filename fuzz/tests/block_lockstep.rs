// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The targets of the address, window and semaphore blocks find deliberate faults of the RTL, and say which
//! output differs.
#![cfg(feature = "rtl")]

use pool_model::isa::near_valid::SplitMix64;
use rtl_bridge::lockstep::{AddrLockstep, BlockLockstep, Design, EvtSemLockstep, WindowLockstep};
use rtl_bridge::mutants::{MutantId, table};
use sb2sb_fuzz::block_lockstep::{BlockTarget, Finding};

/// Inputs that a fault may take to show.
const INPUTS: usize = 4000;

/// The first finding on noise.
fn hunt<L: BlockLockstep>(mutant: Option<MutantId>) -> Option<Finding> {
    let mut target = BlockTarget::<L>::new(Design::Instrumented(mutant)).unwrap();
    let mut noise = SplitMix64::new(7);
    let mut data = [0; 512];
    for _ in 0..INPUTS {
        noise.fill(&mut data);
        if let Err(finding) = target.run(&data) {
            return Some(finding);
        }
    }
    None
}

fn finds<L: BlockLockstep>(name: &str, shows: &[&str]) {
    assert!(hunt::<L>(None).is_none(), "without a fault they agree");
    let row = table().iter().find(|row| row.name == name).unwrap();
    let Some(finding @ Finding::Mismatch(_)) = hunt::<L>(Some(row.id)) else {
        panic!("mutant {name} survives");
    };
    let message = finding.to_string();
    for part in shows.iter().copied().chain(["  ! ", name, L::SUITE.name()]) {
        assert!(message.contains(part), "no {part} in\n{message}");
    }
    assert!(!message.contains("a fresh RTL instance"), "{message}");
    // There is no stream, so the fuzzer's own command is the one that repeats it.
    assert!(!message.contains("replay:"), "{message}");
}

#[test]
fn faults_of_every_block_are_found() {
    finds::<AddrLockstep>("die_from_bit_46", &["address 0x", "die"]);
    finds::<WindowLockstep>("mask_polarity_inverted", &["lookup 0x", "hit"]);
    finds::<EvtSemLockstep>("arbitration_order_reversed", &["since reset", "waits"]);
}
