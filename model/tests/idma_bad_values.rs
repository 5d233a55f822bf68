// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the engine does with bad values: the table of [idma-ring §2.10], row by row.

mod idma_support;

use idma_support::*;
use pool_model::generation::Generation;
use pool_model::idma::descriptor::tx;
use pool_model::idma::errors::{m2s, s2m};
use pool_model::idma::{Blocked, CopyBytes, FaultKind, RingId};

const SOURCE: u64 = 0x1000;
const DESTINATION: u64 = 0x90_0000;
const WHOLE: u32 = tx::FIRST | tx::LAST;

/// Row "len = 0" [idma-ring MC-8]
#[test]
fn row_length_zero() {
    let mut bench = Bench::armed(8);
    let bytes = bench.fill(SOURCE, 65_536, 1);
    bench.copy(0, SOURCE, DESTINATION, 0);
    bench.settle();
    assert_eq!(bench.bytes(DESTINATION, 65_536), bytes);
    // RX stays 64 KiB although the read side reads 0 as nothing.
    bench.write(half(M2s) + 0x254, 0x1_0000);
    bench.post(S2m, 0, rx_entry(DESTINATION, 0));
    bench.post(M2s, 0, tx_entry(SOURCE, 65_535, WHOLE));
    bench.settle();
    assert_eq!(bench.used(S2m, 0), 0);
    assert_eq!(bench.raised(), []);
}

/// Row "size > 65 536 at build time"
#[test]
fn row_size_at_build_time() {
    assert!(CopyBytes::new(65_537).is_err());
    assert!(CopyBytes::new(65_536).is_ok());
}

/// Row "doorbell 0" [idma-ring MC-9]
#[test]
fn row_doorbell_zero() {
    let mut bench = Bench::armed(8);
    let before = [bench.pointers(M2s, 0), bench.pointers(S2m, 0)];
    bench.ring(M2s, 0, 0);
    bench.ring(S2m, 0, 0xFF00_0000);
    bench.settle();
    assert_eq!([bench.pointers(M2s, 0), bench.pointers(S2m, 0)], before);
    assert_eq!((bench.used(M2s, 0), bench.used(S2m, 0)), (0, 0));
    assert_eq!(bench.raised(), []);
}

/// Row "doorbell > free slots" [idma-ring MC-10]: stale entries are caught by the ring id, or executed as found
#[test]
fn row_doorbell_beyond_the_ring() {
    for aborts in [true, false] {
        let mut bench = Bench::armed(4);
        if aborts {
            bench.abort_on_all();
        }
        for i in 0..4 {
            bench.place(S2m, 0, rx_entry(DESTINATION + 16 * i, 16));
        }
        bench.write(queue(S2m, 0, 0x20), 0);
        bench.ring(S2m, 0, 5);
        assert_eq!(
            bench.read(queue(S2m, 0, 0x24)),
            5 | 1 << 31,
            "full from 4 on"
        );
        assert_eq!(bench.pointers(S2m, 0)[1], pointer(2, 1));
        bench.write(queue(S2m, 0, 0x20), 0x0303_0000);
        bench.settle();
        assert_eq!(bench.raised(), [(S2m, s2m::RING_ID)]);
        let head = if aborts { pointer(2, 0) } else { pointer(2, 1) };
        assert_eq!(bench.pointers(S2m, 0)[0], head);
        assert_eq!(bench.state(S2m), if aborts { 2 } else { 1 });
        assert_eq!(bench.state(M2s), 1);
    }
    // 25 bits saturate.
    let mut bench = Bench::new(Generation::V3);
    for _ in 0..5 {
        bench.ring(M2s, 0, 0xFF_FFFF);
    }
    assert_eq!(bench.used(M2s, 0), (1 << 25) - 1);
}

/// Row "DRL = 0" [idma-ring MC-11, decisions D-22]
#[test]
fn row_ring_of_length_zero() {
    let mut bench = Bench::armed(0);
    bench.ring(M2s, 0, 7);
    bench.settle();
    assert_eq!(bench.pointers(M2s, 0), [pointer(1, 0); 4]);
    assert_eq!(
        bench.read(queue(M2s, 0, 0x24)),
        7 | 1 << 28 | 1 << 29,
        "counted, not full"
    );
    assert_eq!(bench.count("descriptor_fetch"), 0);
}

/// Row "base misaligned"
#[test]
fn row_misaligned_base() {
    let mut bench = Bench::armed(8);
    for direction in [M2s, S2m] {
        bench.write(queue(direction, 0, 0x28), ring(direction, 0) as u32 | 0x3F);
        assert_eq!(
            bench.read(queue(direction, 0, 0x28)),
            ring(direction, 0) as u32
        );
    }
    let bytes = bench.fill(SOURCE, 40, 4);
    bench.copy(0, SOURCE, DESTINATION, 40);
    bench.settle();
    assert_eq!(bench.bytes(DESTINATION, 40), bytes);
}

/// Row "engine not NORMAL or queue disabled" [idma-ring MC-12]
#[test]
fn row_disarmed_doorbell() {
    let mut bench = Bench::armed(8);
    for direction in [M2s, S2m] {
        bench.write(half(direction) + 0x204, 2);
        assert_eq!(bench.state(direction), 0);
    }
    let bytes = bench.fill(SOURCE, 40, 4);
    for _ in 0..3 {
        bench.copy(0, SOURCE, DESTINATION, 40);
    }
    bench.settle();
    assert_eq!(bench.used(M2s, 0), 3, "doorbells add up");
    assert_eq!(bench.count("descriptor_fetch"), 0);
    for direction in [S2m, M2s] {
        bench.write(half(direction) + 0x204, 1);
    }
    bench.settle();
    assert_eq!(bench.bytes(DESTINATION, 40), bytes);
    assert_eq!(bench.pointers(M2s, 0), [pointer(1, 3); 4]);
}

fn framing(entries: &[(u32, u32)], limit: u32, aborts: bool) -> Bench {
    let mut bench = Bench::armed(16);
    if aborts {
        bench.abort_on_all();
    }
    bench.write(half(M2s) + 0x304, limit);
    for _ in 0..8 {
        bench.post(S2m, 0, rx_entry(DESTINATION, 256));
    }
    for (length, flags) in entries {
        bench.post(M2s, 0, tx_entry(SOURCE, *length, *flags));
    }
    bench.settle();
    bench
}

/// Row "FIRST missing at packet start, or set inside a packet"
#[test]
fn row_first() {
    for entries in [[(4, 0), (4, tx::LAST)], [(4, tx::FIRST), (4, WHOLE)]] {
        let go_on = framing(&entries, 64, false);
        assert_eq!(go_on.raised(), [(M2s, m2s::FIRST)]);
        assert_eq!(
            go_on.pointers(M2s, 0),
            [pointer(1, 2); 4],
            "executed as found"
        );
        assert_eq!(
            go_on.read(queue(S2m, 0, 0x68)),
            1,
            "LAST alone closes a packet"
        );
        let stopped = framing(&entries, 64, true);
        assert_eq!(stopped.raised(), [(M2s, m2s::FIRST)]);
        assert_eq!(stopped.state(M2s), 2);
        assert_eq!(stopped.state(S2m), 1);
        let at = u32::from(entries[0].1 != 0);
        assert_eq!(
            stopped.pointers(M2s, 0)[0],
            pointer(1, at),
            "the head stays"
        );
        assert_eq!(stopped.pointers(M2s, 0)[3], pointer(1, 0));
    }
}

/// Row "LAST outside a packet"; FIRST is missing, too
#[test]
fn row_last() {
    let go_on = framing(&[(4, tx::LAST)], 64, false);
    assert_eq!(go_on.raised(), [(M2s, m2s::FIRST | m2s::LAST)]);
    assert_eq!(go_on.pointers(M2s, 0), [pointer(1, 1); 4]);
    let mut masked = Bench::armed(16);
    masked.write(secondary(M2s, 0x30), !m2s::LAST);
    masked.post(M2s, 0, tx_entry(SOURCE, 4, tx::LAST));
    masked.settle();
    assert_eq!(masked.state(M2s), 2, "one of the bits aborts");
}

/// Row "too many BDs"
#[test]
fn row_too_many_descriptors() {
    let entries = [(4, tx::FIRST), (4, 0), (4, 0), (4, tx::LAST)];
    assert_eq!(framing(&entries, 4, false).raised(), []);
    let raised = framing(&entries, 2, false).raised();
    assert_eq!(
        raised,
        [(M2s, m2s::MAX_DESCRIPTORS); 2],
        "for each further one"
    );
    let stopped = framing(&entries, 2, true);
    assert_eq!(stopped.pointers(M2s, 0)[0], pointer(1, 2));
}

/// Row "packet too long"
#[test]
fn row_packet_too_long() {
    for (limit, expected) in [(300, 0), (299, 1)] {
        let mut bench = Bench::armed(16);
        bench.write(half(M2s) + 0x254, 1 << 24 | limit);
        bench.post(S2m, 0, rx_entry(DESTINATION, 0));
        bench.post(M2s, 0, tx_entry(SOURCE, 100, tx::FIRST));
        bench.post(M2s, 0, tx_entry(SOURCE, 5000, tx::META));
        bench.post(M2s, 0, tx_entry(SOURCE, 200, tx::LAST));
        bench.settle();
        assert_eq!(bench.raised(), vec![(M2s, m2s::PACKET_LENGTH); expected]);
    }
}

/// Row "ring id wrong": raised, BD not executed
#[test]
fn row_ring_id() {
    for (direction, bit) in [(M2s, m2s::RING_ID), (S2m, s2m::RING_ID)] {
        for id in [0, 2, 3] {
            let mut bench = Bench::armed(8);
            bench.abort_on_all();
            bench.copy(0, SOURCE, DESTINATION, 8);
            let wrong = tx_entry(SOURCE, 8, WHOLE).with_ring_id(RingId::wrapping(id));
            let address = ring(direction, 0);
            let entry = if direction == M2s {
                wrong
            } else {
                rx_entry(DESTINATION, 8).with_ring_id(RingId::wrapping(id))
            };
            bench.memory.bytes.write(address, &entry.pack());
            bench.settle();
            assert_eq!(bench.raised()[0], (direction, bit));
            assert_eq!(bench.log(direction), entry.words());
            assert_eq!(bench.state(direction), 2);
            assert_eq!(bench.pointers(direction, 0)[0], pointer(1, 0));
            assert_eq!(bench.count("dma_write"), 0);
        }
    }
}

/// Row "address does not decode": the transfer stops at the failing beat [idma-ring MC-13]
#[test]
fn row_data_read_errors() {
    for (kind, bit) in [
        (FaultKind::Response, m2s::DATA_RESPONSE),
        (FaultKind::Silence, m2s::DATA_TIMEOUT),
    ] {
        for (source, failing) in [
            (SOURCE, 100),
            (SOURCE + 5, 100),
            (SOURCE, 0),
            (SOURCE + 31, 299),
        ] {
            let mut bench = Bench::armed(8);
            let bytes = bench.fill(source, 300, 3);
            bench
                .memory
                .faults
                .push((Port::Read, source + failing, 1, kind));
            bench.post(S2m, 0, rx_entry(DESTINATION, 300));
            bench.post(M2s, 0, tx_entry(source, 300, WHOLE));
            bench.settle();
            // Accesses are the 32-byte lines; walk them.
            let moved = (0..failing)
                .filter(|byte| (source + byte) / 32 < (source + failing) / 32)
                .count();
            assert_eq!(bench.raised(), [(M2s, bit)]);
            assert_eq!(
                bench.bytes(DESTINATION, 300),
                [&bytes[..moved], &vec![0; 300 - moved]].concat()
            );
            assert_eq!(
                bench.pointers(M2s, 0),
                [pointer(1, 1); 4],
                "ends there and completes"
            );
            assert_eq!(bench.read(queue(S2m, 0, 0x68)), 1);
            assert_eq!(bench.log(M2s)[0], 0x0D00_012C);
        }
    }
}

#[test]
fn row_data_read_error_that_aborts() {
    let mut bench = Bench::armed(8);
    bench.abort_on_all();
    let bytes = bench.fill(SOURCE, 300, 3);
    bench
        .memory
        .faults
        .push((Port::Read, SOURCE + 100, 1, FaultKind::Response));
    bench.post(S2m, 0, rx_entry(DESTINATION, 300));
    bench.post(M2s, 0, tx_entry(SOURCE, 300, WHOLE));
    bench.post(M2s, 0, tx_entry(SOURCE, 4, WHOLE));
    bench.settle();
    assert_eq!(
        bench.bytes(DESTINATION, 300),
        [&bytes[..96], &[0; 204]].concat()
    );
    assert_eq!((bench.state(M2s), bench.state(S2m)), (2, 1));
    assert_eq!(
        bench.pointers(M2s, 0)[3],
        pointer(1, 0),
        "it does not complete"
    );
    assert_eq!(
        bench.pointers(S2m, 0)[2..],
        [pointer(1, 1), pointer(1, 0)],
        "taken, never closed"
    );
    assert_eq!(
        bench.engine.blocked(),
        None,
        "the packet has left the stream"
    );
    // Only rst_q and normal recover. [idma-ring MC-14]
    bench.memory.faults.clear();
    bench.write(half(M2s) + 0x204, 1);
    bench.settle();
    assert_eq!(
        bench.pointers(M2s, 0)[3],
        pointer(1, 0),
        "the queue is halted"
    );
    bench.rearm(M2s, 0, 8);
    bench.rearm(S2m, 0, 8);
    bench.copy(0, SOURCE, DESTINATION, 300);
    bench.settle();
    assert_eq!(bench.bytes(DESTINATION, 300), bytes);
}

#[test]
fn row_data_write_errors() {
    for (kind, bit) in [
        (FaultKind::Response, s2m::DATA_RESPONSE),
        (FaultKind::Silence, s2m::DATA_TIMEOUT),
    ] {
        let mut bench = Bench::armed(8);
        bench.write(queue(S2m, 0, 0x54), 0xF);
        let bytes = bench.fill(SOURCE, 300, 3);
        bench
            .memory
            .faults
            .push((Port::Write, DESTINATION + 70, 1, kind));
        bench.post(S2m, 0, rx_entry(DESTINATION, 200));
        bench.post(S2m, 0, rx_entry(DESTINATION + 0x1000, 200));
        bench.post(M2s, 0, tx_entry(SOURCE, 300, WHOLE));
        bench.settle();
        assert_eq!(bench.raised(), [(S2m, bit)]);
        assert_eq!(
            bench.bytes(DESTINATION, 200),
            [&bytes[..64], &[0; 136]].concat()
        );
        assert_eq!(bench.bytes(DESTINATION + 0x1000, 100), bytes[200..]);
        assert_eq!(
            bench.word(completion_ring(S2m, 0)),
            0xC500_0000,
            "ERROR, BUF1_USED, FIRST"
        );
        assert_eq!(bench.word(completion_ring(S2m, 0) + 4), 64);
        assert_eq!(bench.word(completion_ring(S2m, 0) + 16), 0x4900_0000);
        assert_eq!(bench.pointers(M2s, 0), [pointer(1, 1); 4]);
        assert_eq!(bench.read(half(S2m) + 0x508), 164);
    }
}

#[test]
fn row_data_write_error_that_aborts() {
    let mut bench = Bench::armed(8);
    bench.abort_on_all();
    bench.fill(SOURCE, 300, 3);
    bench
        .memory
        .faults
        .push((Port::Write, DESTINATION + 70, 1, FaultKind::Response));
    bench.copy(0, SOURCE, DESTINATION, 300);
    bench.settle();
    assert_eq!(
        (bench.state(M2s), bench.state(S2m)),
        (1, 2),
        "the other direction stays"
    );
    assert_eq!(bench.engine.blocked(), Some(Blocked::Dead { queue: 0 }));
    assert_eq!(bench.pointers(M2s, 0)[2..], [pointer(1, 1), pointer(1, 0)]);
    bench.memory.faults.clear();
    bench.rearm(S2m, 0, 8);
    bench.settle();
    assert_eq!(
        bench.engine.blocked(),
        Some(Blocked::Dead { queue: 0 }),
        "until rst_q of the read side"
    );
    bench.rearm(M2s, 0, 8);
    bench.copy(0, SOURCE, DESTINATION, 300);
    bench.settle();
    assert_eq!(bench.engine.blocked(), None);
    assert_eq!(bench.pointers(M2s, 0), [pointer(1, 1); 4]);
}

#[test]
fn row_prefetch_errors() {
    for (direction, kind, bit) in [
        (M2s, FaultKind::Response, m2s::PREFETCH_RESPONSE),
        (M2s, FaultKind::Silence, m2s::PREFETCH_TIMEOUT),
        (S2m, FaultKind::Response, s2m::PREFETCH_RESPONSE),
        (S2m, FaultKind::Silence, s2m::PREFETCH_TIMEOUT),
    ] {
        for aborts in [false, true] {
            let mut bench = Bench::armed(8);
            if aborts {
                bench.abort_on_all();
            }
            for _ in 0..3 {
                bench.place(S2m, 0, rx_entry(DESTINATION, 4));
                bench.place(M2s, 0, tx_entry(SOURCE, 4, WHOLE));
            }
            let failing = ring(direction, 0) + 32;
            bench.memory.faults.push((Port::Fetch, failing, 16, kind));
            bench.ring(S2m, 0, 3);
            bench.ring(M2s, 0, 3);
            bench.settle();
            assert_eq!(bench.raised()[0], (direction, bit));
            assert_eq!(
                bench.log(direction),
                [0, 0, failing as u32, (failing >> 32) as u32]
            );
            assert_eq!(
                bench.pointers(direction, 0)[0],
                pointer(1, 2),
                "beats before it arrived"
            );
            assert_eq!(bench.state(direction), if aborts { 2 } else { 1 });
            assert!(
                bench
                    .engine
                    .queue(direction, 0)
                    .is_some_and(pool_model::idma::queue::Queue::is_halted)
            );
        }
    }
}

#[test]
fn row_completion_errors() {
    for (direction, kind, bit) in [
        (M2s, FaultKind::Response, m2s::COMPLETION_RESPONSE),
        (M2s, FaultKind::Silence, m2s::COMPLETION_TIMEOUT),
        (S2m, FaultKind::Response, s2m::COMPLETION_RESPONSE),
        (S2m, FaultKind::Silence, s2m::COMPLETION_TIMEOUT),
    ] {
        for aborts in [false, true] {
            let mut bench = Bench::armed(8);
            if aborts {
                bench.abort_on_all();
            }
            bench.write(queue(M2s, 0, 0xA0), 1);
            bench.write(queue(S2m, 0, 0x54), 1);
            let failing = completion_ring(direction, 0);
            bench.memory.faults.push((Port::Complete, failing, 4, kind));
            bench.copy(0, SOURCE, DESTINATION, 4);
            bench.settle();
            assert_eq!(bench.raised(), [(direction, bit)]);
            let head = if aborts { pointer(1, 0) } else { pointer(1, 1) };
            assert_eq!(
                bench.pointers(direction, 0)[3],
                head,
                "{direction:?} {aborts}"
            );
            assert_eq!(bench.used(direction, 0), u32::from(aborts));
            let dead = aborts && direction == S2m;
            assert_eq!(
                bench.engine.blocked(),
                dead.then_some(Blocked::Dead { queue: 0 })
            );
        }
    }
}

/// Time-outs can be switched off; then the engine waits for ever, and says so. [idma-ring §2.5 `AXI.cfg_1`]
#[test]
fn silence_without_a_time_out() {
    let mut bench = Bench::armed(8);
    bench.write(0x3_8000 + 0x2300, 0);
    bench
        .memory
        .faults
        .push((Port::Read, SOURCE, 4, FaultKind::Silence));
    bench.copy(0, SOURCE, DESTINATION, 4);
    bench.settle();
    assert_eq!(bench.raised(), []);
    assert_eq!(bench.engine.blocked(), Some(Blocked::Memory));
}

/// Row "ABORT" [idma-ring MC-14]: pointers frozen; only `rst_q` and normal recover
#[test]
fn row_abort_command() {
    let mut bench = Bench::armed(8);
    bench.post(M2s, 0, tx_entry(SOURCE, 100, WHOLE));
    bench.post(S2m, 0, rx_entry(DESTINATION, 60));
    bench.settle();
    bench.write(half(M2s) + 0x204, 4);
    assert_eq!((bench.state(M2s), bench.state(S2m)), (2, 1));
    assert_eq!(bench.engine.blocked(), None, "the packet is gone");
    let frozen = bench.pointers(M2s, 0);
    bench.ring(M2s, 0, 1);
    bench.write(half(M2s) + 0x204, 1);
    bench.settle();
    let [head, _, current, completed] = bench.pointers(M2s, 0);
    assert_eq!(
        [head, current, completed],
        [frozen[0], frozen[2], frozen[3]]
    );
    bench.write(queue(M2s, 0, 0xB0), 0x100);
    assert_eq!(bench.pointers(M2s, 0), [pointer(1, 0); 4]);
    assert_eq!(bench.used(M2s, 0), 0);
    // abort wins over dis, dis over normal
    for (command, state) in [(7, 2), (3, 0), (1, 1), (0, 1), (8, 1), (6, 2), (2, 0)] {
        bench.write(half(M2s) + 0x204, command);
        assert_eq!(bench.state(M2s), state, "command {command}");
        assert_eq!(bench.read(half(M2s) + 0x204), 0);
    }
}
