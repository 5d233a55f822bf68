// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The checks of a leg: each class, both sides of its boundary, and their order. [decisions D-44, D-58, D-59]

mod pool_support;

use pool_model::generation::Generation::{V3, V4Plus};
use pool_model::isa::{Addr4, ExtendedOpcode, RdmaDescGen, RdmaDescStart};
use pool_model::pool::q7::{LegFault, LegPlan};
use pool_model::soc::ChipId;
use pool_support::{Bench, gen_example};
use proptest::prelude::*;

const ONE: &str = "sb2sb dtype=uint8 ch=1 src=0x0[1] dst=0x100[1]";

fn class(found: Result<LegPlan, LegFault>) -> &'static str {
    found.map_or_else(|found| found.class.name(), |_| "none")
}

fn own_chip() -> RdmaDescGen {
    RdmaDescGen {
        remote_routing_id: u32::MAX,
        ..gen_example()
    }
}

/// One word that fails everything; what is failed is repaired from the front, in the order of D-58 and D-44.
#[test]
fn the_order_for_a_collective() {
    let mut bench = Bench::v3();
    bench.context.remote_core_id = 8;
    bench.context.remote_routing_id = 24;
    bench.context.dma_engine_mask = 7;
    bench.context.ring_len = 2;
    bench.registers[3] = 1 << 29;
    let mut text =
        "sb2sb fmt=lnc1 in_dtype=0 out_dtype=0 ch=2 src=r3.shape[4] dst=0x37FFD[5]".to_owned();
    let mut seen = Vec::new();
    for step in 0..11 {
        seen.push(class(bench.plan_text(&text)));
        match step {
            0 => bench.context.remote_core_id = u32::MAX,
            1 => bench.context.remote_routing_id = u32::MAX,
            2 => text = text.replace("in_dtype=0 out_dtype=0", "dtype=uint8"),
            3 => bench.registers[3] = 0x37FFC,
            4 => text = text.replace(".shape", ""),
            5 => bench.context.dma_engine_mask = 3,
            6 => text = text.replace("[5]", "[4]"),
            7 => text = text.replace("0x37FFD", "0x37FFB"),
            8 => bench.registers[3] = 0,
            9 => bench.context.ring_len = 4,
            _ => {}
        }
    }
    assert_eq!(
        seen,
        [
            "BadPeer",
            "ChipIdReserved",
            "Dtype",
            "RegisterAddress",
            "ShapeRegister",
            "BadMask",
            "NelemMismatch",
            "SbufRange",
            "Overlap",
            "RingTooSmall",
            "none"
        ]
    );
}

/// The same for GEN, whose peer is looked at where D-44 lists it.
#[test]
fn the_order_for_a_generator() {
    let mut bench = Bench::v3();
    bench.registers[3] = 0xE000_0000;
    bench.context.ring_len = 2;
    let mut word = own_chip();
    word.completion_info = 1;
    word.src_addr = Addr4(0xC000_0003);
    word.dst_addr = Addr4(0x0004_0000);
    word.dma_engine_mask = 0;
    word.remote_routing_id = 24;
    let mut seen = Vec::new();
    for step in 0..10 {
        seen.push(class(bench.plan_gen(&word)));
        match step {
            0 => word.completion_info = 0,
            1 => bench.registers[3] = 0,
            2 => word.src_addr = Addr4(0x8000_0003),
            3 => word.dma_engine_mask = 1,
            4 => word.dst_addr = Addr4(0x3FFF),
            5 => word.remote_routing_id = u32::MAX,
            6 => word.remote_core_id = u32::MAX,
            7 => word.remote_core_id = 1,
            8 => bench.context.ring_len = 131,
            _ => {}
        }
    }
    assert_eq!(
        seen,
        [
            "BadOperand",
            "RegisterAddress",
            "ShapeRegister",
            "BadMask",
            "SbufRange",
            "ChipIdReserved",
            "Overlap",
            "BadPeer",
            "RingTooSmall",
            "none"
        ]
    );
}

/// `completion_info`, `is_bidirectional` and each reserved byte; `remote_sem_prev` belongs to the bidirectional mode and
/// is not looked at. [decisions D-44]
#[test]
fn bad_operands_of_a_generator() {
    let bench = Bench::v3();
    let good = own_chip().encode();
    for at in [13, 40].into_iter().chain(42..64) {
        for bit in 0..8 {
            let mut bytes = good;
            bytes[at] ^= 1 << bit;
            assert_eq!(
                class(bench.plan_gen(&RdmaDescGen::decode(&bytes))),
                "BadOperand"
            );
        }
    }
    let mut word = own_chip();
    word.remote_core_id = 1;
    word.remote_sem_prev = 9;
    assert_eq!(class(bench.plan_gen(&word)), "none");
    for bad in [
        0x2000_0000,
        0xA000_0000,
        0x6000_0000,
        0x8000_0040,
        0x8000_0100,
        0x9000_0000,
    ] {
        word.src_addr = Addr4(bad);
        assert_eq!(class(bench.plan_gen(&word)), "BadOperand", "{bad:x}");
    }
}

/// All 128 partitions from 0 on, up to the last active byte; without bytes the addresses do not matter.
/// [decisions D-1, D-48]
#[test]
fn the_range_of_a_generator() {
    let bench = Bench::v3();
    let mut word = own_chip();
    word.remote_core_id = 1;
    for (address, bytes, expected) in [
        (0x37FFF, 1, "none"),
        (0x37FFF, 2, "SbufRange"),
        (0x38000, 1, "SbufRange"),
        (0, 0x38000, "none"),
        (0, 0x38001, "SbufRange"),
        (0, u32::MAX, "SbufRange"),
        (0x4_0000, 1, "SbufRange"),
        (0x200_0000, 1, "SbufRange"),
        (0x1FFF_FFFF, 1, "SbufRange"),
        (0x1FFF_FFFF, 0, "none"),
        (0x4_0000, 0, "none"),
    ] {
        word.src_addr = Addr4(address);
        word.free_dim_bytes = bytes;
        assert_eq!(
            class(bench.plan_gen(&word)),
            expected,
            "{address:x} {bytes:x}"
        );
    }
    word.src_addr = Addr4(0);
    word.free_dim_bytes = 0;
    let plan = bench.plan_gen(&word).expect("semaphores only");
    assert!(plan.engines().iter().all(|engine| engine.pairs == 2));
    assert_eq!(plan.num_indices(), 32);
}

/// Source and destination of a generator on one core. [decisions D-2]
#[test]
fn the_overlap_of_a_generator() {
    let mut bench = Bench::v3();
    let mut word = own_chip();
    for (to, expected) in [(0x3FFF, "Overlap"), (0x4000, "none")] {
        word.dst_addr = Addr4(to);
        assert_eq!(class(bench.plan_gen(&word)), expected);
    }
    word.dst_addr = Addr4(0);
    bench.choices.set("d2", "read_first").expect("a choice");
    assert_eq!(class(bench.plan_gen(&word)), "none");
    bench.choices.set("d2", "fault").expect("a choice");
    // The own core of another chip is another core.
    word.remote_routing_id = 5;
    assert_eq!(class(bench.plan_gen(&word)), "none");
    bench.site.chip = ChipId::wrapping(5);
    assert_eq!(class(bench.plan_gen(&word)), "Overlap");
}

/// At most len − 1 descriptors; with credits on, which only v4+ has, len − 16 for rings longer than 16.
/// [decisions D-6, D-26, D-55]
#[test]
fn rings_that_are_too_small() {
    let fits = |generation, flags, ring_len, channels: u32| {
        let mut bench = Bench::new(generation, 0);
        bench.context.dma_engine_mask = 1;
        bench.context.ring_len = ring_len;
        bench.context.flags = flags;
        let text = format!("sb2sb dtype=uint8 ch={channels} src=0x0[1] dst=0x100[1]");
        match class(bench.plan_text(&text)) {
            "none" => true,
            "RingTooSmall" => false,
            other => panic!("{other}"),
        }
    };
    // The leg has channels + 2 descriptors.
    assert!(fits(V3, 0, 4, 1));
    assert!(!fits(V3, 0, 3, 1));
    assert!(!fits(V3, 0, 0, 1));
    assert!(fits(V3, 0, 128, 125));
    assert!(!fits(V3, 0, 128, 126));
    assert!(fits(V4Plus, 0, 128, 125));
    assert!(fits(V4Plus, 2, 128, 110));
    assert!(!fits(V4Plus, 2, 128, 111));
    assert!(fits(V4Plus, 2, 16, 13));
    assert!(!fits(V4Plus, 2, 16, 14));
    assert!(!fits(V4Plus, 2, 17, 1));
    assert!(fits(V3, 2, 128, 125));
    assert!(fits(V3, 0, 0xFF_FFFF, 128));
}

/// A queue that no engine has, a length that no register holds. [idma-ring §7.1]
#[test]
fn channels_that_do_not_exist() {
    let mut bench = Bench::v3();
    bench.context.ring_num = 15;
    assert_eq!(class(bench.plan_text(ONE)), "none");
    bench.context.ring_num = 16;
    assert_eq!(class(bench.plan_text(ONE)), "ChannelInit");
    bench.context.ring_num = 0;
    bench.context.ring_len = 0x100_0000;
    assert_eq!(class(bench.plan_text(ONE)), "ChannelInit");
}

/// Several generators add up until they are started; a collective in between is refused. [decisions D-48, D-59]
#[test]
fn generators_that_wait_for_start() {
    let mut bench = Bench::v3();
    bench.context.ring_len = 69;
    let mut word = own_chip();
    word.remote_core_id = 1;
    let plan = bench.plan_gen(&word).expect("34 fit 68");
    bench.rings.generated(plan.counts(), plan.layout.length);
    assert_eq!(class(bench.plan_text(ONE)), "DescriptorStream");
    let plan = bench.plan_gen(&word).expect("68 fit 68");
    assert_eq!(plan.engines()[0].tx_tail.offset, 34);
    bench.rings.generated(plan.counts(), plan.layout.length);
    word.free_dim_bytes = 0;
    let found = bench.plan_gen(&word).expect_err("70 do not fit");
    assert_eq!(found.class.name(), "RingTooSmall");
    assert!(found.detail.contains("on top of 68"), "{found}");
    bench.rings.started();
    assert_eq!(class(bench.plan_text(ONE)), "none");
}

proptest! {
    /// Decoding loses nothing.
    #[test]
    fn extended_words_round_trip(bytes: [u8; 32], more: [u8; 32]) {
        let mut word = [0; 64];
        word[..32].copy_from_slice(&bytes);
        word[32..].copy_from_slice(&more);
        prop_assert_eq!(RdmaDescGen::decode(&word).encode(), word);
        prop_assert_eq!(RdmaDescStart::decode(&word).encode(), word);
        word[0] = 0xF0;
        let known = [0, 1, 2, 3, 4, 6, 7, 8, 9].contains(&word[12]);
        prop_assert_eq!(ExtendedOpcode::of(&word).is_some(), known);
    }
}
