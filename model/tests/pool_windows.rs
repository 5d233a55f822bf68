// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The windows of a leg: every store of it comes out of the window block where the plan says.
//! [soc-address §§3.2, 3.4, 3.5]

mod pool_support;

use pool_model::generation::Generation;
use pool_model::pool::q7::doorbell::broadcast_base;
use pool_model::pool::q7::{Destination, LegPlan, LegWindows, Role, doorbells};
use pool_model::soc::SocAddr;
use pool_model::soc::id::Q7Core;
use pool_model::soc::window::{Requester, WindowFile, WindowMissPolicy};
use pool_support::{Bench, gen_example, word};

/// The window block after the writes of the firmware.
fn block(windows: &LegWindows) -> WindowFile {
    let mut file = WindowFile::default();
    for step in &windows.steps {
        step.apply(&mut file).expect("a register");
    }
    file
}

fn reached(file: &WindowFile, role: Role, xt: u32) -> Option<SocAddr> {
    let who = Requester::Q7(Q7Core::wrapping(role.prid()));
    let found = file.peek(xt, who, WindowMissPolicy::Miss);
    assert!(!found.multi_hit);
    found.address
}

fn check(plan: &LegPlan) {
    let windows = LegWindows::of_leg(plan).expect("windows");
    let file = block(&windows);
    let counts: Vec<_> = plan.counts().collect();
    for role in Role::ALL {
        let slots = plan.stores(role).map(|store| store.slot);
        let writes = doorbells(plan.site.core, plan.layout.queue, role.udma(), &counts);
        let registers = writes.iter().map(|write| write.address);
        for address in slots
            .chain(registers)
            .chain([broadcast_base(plan.site.core)])
        {
            let xt = windows.xt_address(address).expect("mapped");
            assert_eq!(reached(&file, role, xt), Some(address));
        }
    }
}

#[test]
fn every_store_of_a_leg_goes_through_a_window() {
    for number in 0..8 {
        let mut bench = Bench::new(Generation::V3, number);
        for (mask, queue) in [(0xF, 0), (0xFFFF, 15), (0x8001, 3)] {
            bench.context.dma_engine_mask = mask;
            bench.context.ring_num = queue;
            let plan = bench.plan_text("sb2sb dtype=uint8 ch=9 src=0x0[4] dst=0x100[4]");
            check(&plan.expect("a leg"));
        }
    }
}

/// 16 MiB windows: one for the registers, six for rings. [soc-address §3.5]
#[test]
fn rings_that_no_window_reaches() {
    let mut bench = Bench::v3();
    bench.context.dma_engine_mask = 1;
    let plan = |bench: &Bench| {
        bench
            .plan_text("sb2sb dtype=uint8 ch=1 src=0x0[1] dst=0x100[1]")
            .expect("a leg")
    };
    // Two rings of 48 MiB are exactly six windows.
    bench.context.ring_len = 3 << 20;
    check(&plan(&bench));
    bench.context.ring_base_lo += 256;
    let found = LegWindows::of_leg(&plan(&bench)).expect_err("a seventh window");
    assert_eq!(found.class.name(), "NoWindow");
    // A base with bits that no window can carry.
    bench.context.ring_len = 512;
    bench.context.ring_base_hi = 1 << 26;
    let found = LegWindows::of_leg(&plan(&bench)).expect_err("bit 58");
    assert_eq!(found.class.name(), "NoWindow");
    // The end of the address space.
    bench.context.ring_base_hi = u32::MAX;
    bench.context.ring_base_lo = u32::MAX;
    assert!(LegWindows::of_leg(&plan(&bench)).is_err());
}

/// The pre-sync reaches the sender's INC word through the folded address. [evt-sem §3.5, sequence D]
#[test]
fn the_pre_sync_reaches_the_other_die() {
    let mut bench = Bench::v3();
    bench.context.ready_sem = 5;
    bench.context.remote_core_id = 4;
    let word = word("sb2sb dtype=uint8 ch=1 src=0x0[1] dst=0x100[1]");
    let destination = Destination::of_word(&word, bench.site, &bench.context).expect("a peer");
    let (windows, found) =
        LegWindows::of_presync(&destination, bench.site, &bench.context).expect("a window");
    assert_eq!(found.ready, SocAddr(0x0058_8028_0270_1814));
    let file = block(&windows);
    assert_eq!(
        reached(&file, Role::Rx, found.ready_xt_addr),
        Some(found.ready)
    );
    assert_eq!(
        reached(&file, Role::Rx, found.remote_pool_xt_addr),
        Some(SocAddr(0x0058_8028_0300_0000))
    );
    assert_eq!(
        reached(&file, Role::Rx, found.remote_q7_xt_addr),
        Some(SocAddr(0x0058_8028_0318_0000))
    );
    assert_eq!(
        windows
            .xt_address(SocAddr(0))
            .expect_err("no window")
            .class
            .name(),
        "WindowMiss"
    );
}

/// Another chip's destination changes no window: only descriptors carry the routing bits.
#[test]
fn remote_chips_need_no_further_window() {
    let bench = Bench::v3();
    let plan = bench.plan_gen(&gen_example()).expect("a leg");
    let windows = LegWindows::of_leg(&plan).expect("windows");
    assert_eq!(windows.mapped().count(), 2);
    check(&plan);
}
