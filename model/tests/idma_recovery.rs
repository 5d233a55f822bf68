// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits, drops, aborts, logs and resets, as `docs/idma-contract.md` has them.

mod idma_support;

use idma_support::*;
use pool_model::generation::Generation;
use pool_model::idma::descriptor::tx;
use pool_model::idma::errors::{m2s, s2m};
use pool_model::idma::{Blocked, Descriptor, RingId};

const SOURCE: u64 = 0x1000;
const DESTINATION: u64 = 0x90_0000;
const WHOLE: u32 = tx::FIRST | tx::LAST;

/// The write side aborted with a descriptor in use: the packet is dead; without one it waits.
#[test]
fn write_side_aborts_under_a_packet() {
    for (first_rx, in_use) in [(150, true), (60, false)] {
        let mut bench = Bench::armed(8);
        bench.post(M2s, 0, tx_entry(SOURCE, 100, tx::FIRST));
        bench.post(M2s, 0, tx_entry(SOURCE, 10, tx::LAST));
        bench.write(half(M2s) + 0x004, 0x0001_FFFF);
        bench.write(queue(M2s, 0, 0xE0), 1);
        bench.post(S2m, 0, rx_entry(DESTINATION, first_rx));
        bench.settle();
        bench.write(half(S2m) + 0x204, 4);
        let expected = if in_use {
            Blocked::Dead { queue: 0 }
        } else {
            Blocked::Receiver { queue: 0 }
        };
        assert_eq!(bench.engine.blocked(), Some(expected));
    }
}

/// No RX descriptor: hint, time-out, drop. [idma-ring §2.9, §2.5 `data_cfg_2`]
#[test]
fn no_descriptor() {
    const DROP: u32 = 1 << 27;
    const HINT: u32 = 1 << 28;
    let run = |settings: u32| {
        let mut bench = Bench::armed(8);
        bench.write(half(S2m) + 0x344, settings);
        bench.post(M2s, 0, tx_entry(SOURCE, 100, tx::FIRST));
        bench.post(M2s, 0, tx_entry(SOURCE, 100, tx::LAST));
        bench.settle();
        bench
    };
    let waits = run(HINT | 0x2710);
    assert_eq!(
        waits.raised(),
        [
            (S2m, s2m::NO_DESCRIPTOR_HINT),
            (S2m, s2m::NO_DESCRIPTOR_TIMEOUT)
        ]
    );
    assert_eq!(waits.engine.blocked(), Some(Blocked::Receiver { queue: 0 }));
    assert_eq!(waits.log(S2m), [0; 4]);
    let drops = run(DROP | 0xA);
    assert_eq!(drops.raised(), [(S2m, s2m::NO_DESCRIPTOR_TIMEOUT)]);
    assert_eq!(drops.read(half(S2m) + 0x504), 1, "drop_pkt");
    assert_eq!(
        drops.pointers(M2s, 0),
        [pointer(1, 2); 4],
        "its descriptors complete"
    );
    assert_eq!(drops.read(queue(S2m, 0, 0x68)), 0);
    assert_eq!(drops.count("dma_read"), 2);
    assert_eq!(drops.count("dma_write"), 0);
    // A later descriptor serves the next packet.
    let mut again = drops;
    let bytes = again.fill(SOURCE, 20, 8);
    again.copy(0, SOURCE, DESTINATION, 20);
    again.settle();
    assert_eq!(again.bytes(DESTINATION, 20), bytes);
    // The wait can end before the drop.
    let mut served = run(HINT | 0x2710);
    served.post(S2m, 0, rx_entry(DESTINATION, 200));
    served.settle();
    assert_eq!(served.engine.blocked(), None);
    assert_eq!(served.raised().len(), 2);
}

/// A hint that aborts drops nothing.
#[test]
fn an_aborting_hint_drops_nothing() {
    let mut bench = Bench::armed(8);
    bench.abort_on_all();
    bench.write(half(S2m) + 0x344, 0x3800_0010);
    bench.post(M2s, 0, tx_entry(SOURCE, 100, WHOLE));
    bench.settle();
    assert_eq!(bench.raised(), [(S2m, s2m::NO_DESCRIPTOR_HINT)]);
    assert_eq!(bench.state(S2m), 2);
    assert_eq!(bench.read(half(S2m) + 0x504), 0);
    bench.rearm(S2m, 0, 8);
    bench.post(S2m, 0, rx_entry(DESTINATION, 100));
    bench.settle();
    assert_eq!(bench.pointers(M2s, 0), [pointer(1, 1); 4]);
}

/// [idma-ring MC-29, decisions D-24, D-40, D-46, D-59]
#[test]
fn illegal_operations_are_dropped() {
    let legal = [
        0,
        3,
        0x0007_FFFF,
        0x0108_0003,
        0x0508_0003,
        0x0108_0000,
        0xE108_003F,
        0x1108_0003,
    ];
    let illegal = [
        0x0080_0000,
        0x0090_0000,
        0x0180_0000,
        0x0200_0000,
        0x0280_0000,
        0x0300_0000,
        0x0380_0000,
        0x0100_0003,
        0x0118_0003,
        0x0108_0043,
        0x010C_0003,
        0x0178_0003,
    ];
    for word1 in legal.into_iter().chain(illegal) {
        let is_illegal = illegal.contains(&word1);
        let mut bench = Bench::armed(8);
        bench.write(queue(M2s, 0, 0xA0), 1);
        bench.post(S2m, 0, rx_entry(DESTINATION, 8));
        let entry = tx_entry(SOURCE, 4, tx::FIRST | tx::INT_EN);
        bench.post(M2s, 0, entry);
        let bad = Descriptor {
            word1,
            ..tx_entry(SOURCE, 4, tx::LAST | tx::INT_EN)
        };
        bench.post(M2s, 0, bad);
        bench.settle();
        if is_illegal {
            assert_eq!(bench.raised(), [(M2s, m2s::ILLEGAL_OP)], "{word1:#x}");
            assert_eq!(bench.log(M2s), bad.with_ring_id(RingId::FIRST_LAP).words());
            assert_eq!(bench.count("dma_read") + bench.count("completion_write"), 0);
            assert_eq!(bench.read(0x3_8080), 0, "no interrupt");
            assert_eq!(
                bench.pointers(S2m, 0)[2],
                pointer(1, 0),
                "the RX descriptor stays"
            );
            assert_eq!(bench.read(queue(S2m, 0, 0x68)), 0);
        } else {
            assert_eq!(bench.raised(), [], "{word1:#x}");
            assert_eq!(bench.count("completion_write"), 2);
        }
        assert_eq!(bench.pointers(M2s, 0), [pointer(1, 2); 4], "{word1:#x}");
        assert_eq!(bench.read(half(M2s) + 0x518), 2);
        let mut stopped = Bench::armed(8);
        stopped.abort_on_all();
        stopped.post(S2m, 0, rx_entry(DESTINATION, 8));
        stopped.post(
            M2s,
            0,
            Descriptor {
                word1,
                ..tx_entry(SOURCE, 4, WHOLE)
            },
        );
        stopped.settle();
        assert_eq!(
            stopped.state(M2s),
            if is_illegal { 2 } else { 1 },
            "{word1:#x}"
        );
        assert_eq!(
            stopped.pointers(M2s, 0)[2],
            pointer(1, u32::from(!is_illegal))
        );
    }
}

/// [idma-ring MC-34]
#[test]
fn two_buffers_are_an_error() {
    let mut bench = Bench::armed(8);
    let entry = rx_entry(DESTINATION, 4);
    bench.post(
        S2m,
        0,
        Descriptor {
            word0: entry.word0 | 1 << 31,
            ..entry
        },
    );
    bench.settle();
    assert_eq!(bench.raised(), [(S2m, s2m::DUAL_BUF)]);
}

/// [idma-ring MC-15, decisions D-21]: the first error that the mask lets through stays until it is cleared
#[test]
fn the_first_error_is_logged() {
    let mut bench = Bench::armed(16);
    bench.write(half(M2s) + 0x20C, m2s::FIRST);
    for _ in 0..4 {
        bench.post(S2m, 0, rx_entry(DESTINATION, 64));
    }
    bench.post(M2s, 0, tx_entry(0x111, 4, 0));
    bench.post(M2s, 0, tx_entry(0x222, 4, tx::LAST));
    bench.settle();
    assert_eq!(bench.log(M2s), [0; 4], "FIRST is masked");
    assert_eq!(bench.cause(M2s), m2s::FIRST, "and counted all the same");
    let wrong = tx_entry(0x333, 4, WHOLE).with_ring_id(RingId::wrapping(3));
    let other = tx_entry(0x444, 4, WHOLE).with_ring_id(RingId::wrapping(2));
    for (slot, entry) in [(2, wrong), (3, other)] {
        bench
            .memory
            .bytes
            .write(ring(M2s, 0) + 16 * slot, &entry.pack());
        bench.ring(M2s, 0, 1);
        bench.settle();
        assert_eq!(bench.log(M2s), wrong.words());
    }
    bench.write(half(M2s) + 0x224, 2);
    assert_eq!(bench.log(M2s), wrong.words());
    bench.write(half(M2s) + 0x224, 1);
    assert_eq!(bench.log(M2s), [0; 4]);
    assert_eq!(bench.read(half(M2s) + 0x224), 0);
}

/// An abort keeps the log. [decisions D-21]
#[test]
fn aborts_keep_the_log() {
    let mut bench = Bench::armed(8);
    bench.abort_on_all();
    let wrong = tx_entry(0x333, 4, WHOLE).with_ring_id(RingId::wrapping(3));
    bench.memory.bytes.write(ring(M2s, 0), &wrong.pack());
    bench.ring(M2s, 0, 1);
    bench.settle();
    bench.rearm(M2s, 0, 8);
    assert_eq!(bench.log(M2s), wrong.words());
}

/// [idma-ring MC-28]: a strobe sets its own pointer only
#[test]
fn reset_strobes() {
    for (direction, strobes) in [
        (M2s, [(1, 1), (2, 0), (3, 2)]),
        (S2m, [(1, 1), (2, 0), (3, 2)]),
    ] {
        let control = if direction == M2s { 0xB0 } else { 0x64 };
        for (bit, which) in strobes {
            let mut bench = Bench::armed(3);
            (0..4).for_each(|_| bench.copy(0, SOURCE, DESTINATION, 4));
            bench.settle();
            bench.write(queue(direction, 0, control), 1 << bit);
            let mut expected = [pointer(2, 1); 4];
            expected[which] = pointer(1, 0);
            assert_eq!(
                bench.pointers(direction, 0),
                expected,
                "{direction:?} bit {bit}"
            );
            assert_eq!(bench.read(queue(direction, 0, control)), 0);
        }
    }
    // The write side's prefetch slice.
    let mut bench = Bench::armed(8);
    bench.post(S2m, 0, rx_entry(DESTINATION, 4));
    bench.settle();
    assert_eq!(bench.used(S2m, 0), 1);
    bench.write(queue(S2m, 0, 0x64), 1 << 4);
    assert_eq!(bench.used(S2m, 0), 0);
    assert_eq!(bench.pointers(S2m, 0)[0], pointer(1, 1));
    // The data tail of the read side.
    bench.write(queue(M2s, 0, 0xE0), 3);
    bench.write(queue(M2s, 0, 0xB0), 1 << 4);
    assert_eq!(bench.read(queue(M2s, 0, 0xE4)), pointer(1, 0));
}

/// `rst_q` in mid-flight: the packet of the queue leaves the stream, others are served.
#[test]
fn queues_are_reset_in_flight() {
    let mut bench = Bench::new(Generation::V3);
    bench.arm(0, 8);
    bench.arm(1, 8);
    bench.post(M2s, 0, tx_entry(SOURCE, 100, WHOLE));
    bench.settle();
    let bytes = bench.fill(SOURCE, 10, 5);
    bench.copy(1, SOURCE, DESTINATION, 10);
    bench.settle();
    bench.write(queue(M2s, 0, 0xB0), 0x100);
    bench.settle();
    assert_eq!(bench.bytes(DESTINATION, 10), bytes);
    assert_eq!(bench.pointers(M2s, 0), [pointer(1, 0); 4]);
}
