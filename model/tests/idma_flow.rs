// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies through an engine: pointers, wrap, packets, landing, completions. [idma-ring §§2.6–2.9]

mod idma_support;

use idma_support::*;
use pool_model::generation::Generation;
use pool_model::idma::descriptor::{rx, tx};
use pool_model::idma::{Blocked, Descriptor};
use pool_model::transaction::Effect;

const SOURCE: u64 = 0x1000;
const DESTINATION: u64 = 0x90_0000;
const WHOLE: u32 = tx::FIRST | tx::LAST;

#[test]
fn a_copy_moves_its_bytes_and_nothing_else() {
    for (source, destination, length) in [
        (SOURCE, DESTINATION, 1),
        (SOURCE + 3, DESTINATION + 5, 255),
        (0xFFF, 0x8F_FFFF, 4099),
        (SOURCE, DESTINATION, 65_536),
    ] {
        let mut bench = Bench::armed(8);
        let bytes = bench.fill(source, length, 9);
        bench.copy(0, source, destination, length as u32);
        bench.settle();
        assert_eq!(bench.bytes(destination, length), bytes);
        assert_eq!(bench.bytes(destination - 1, 1), [0]);
        assert_eq!(bench.bytes(destination + length as u64, 1), [0]);
        assert_eq!(bench.pointers(M2s, 0), [pointer(1, 1); 4]);
        assert_eq!(bench.pointers(S2m, 0), [pointer(1, 1); 4]);
        assert_eq!(bench.raised(), []);
        assert_eq!(bench.engine.blocked(), None);
    }
}

/// [idma-ring §2.6], appendix A: ring length 4, five descriptors
#[test]
fn rings_wrap_with_the_next_id() {
    for length in [1, 2, 3, 4, 7, 16, 64] {
        let mut bench = Bench::armed(length);
        let count = 4 * length + 3;
        for i in 0..count {
            let bytes = bench.fill(SOURCE, 16, i as u8);
            bench.copy(0, SOURCE, DESTINATION, 16);
            bench.settle();
            assert_eq!(
                bench.bytes(DESTINATION, 16),
                bytes,
                "copy {i} of ring {length}"
            );
            let done = i + 1;
            let expected = pointer((1 + done / length) & 3, done % length);
            assert_eq!(bench.pointers(M2s, 0), [expected; 4]);
            assert_eq!(bench.pointers(S2m, 0), [expected; 4]);
        }
        assert_eq!(bench.raised(), []);
        assert_eq!(bench.read(queue(M2s, 0, 0xC0)), count);
        assert_eq!(bench.read(queue(S2m, 0, 0x68)), count);
    }
}

/// A packet of several descriptors lands in several others; the borders differ. [idma-ring §2.9]
#[test]
fn packets_land_across_descriptor_borders() {
    let mut bench = Bench::armed(16);
    let bytes = bench.fill(SOURCE, 600, 1);
    let second = bench.fill(0x7000, 50, 2);
    for (at, length, flags) in [
        (SOURCE, 100, tx::FIRST),
        (SOURCE + 100, 300, 0),
        (SOURCE + 400, 200, tx::LAST),
        (0x7000, 50, WHOLE),
    ] {
        bench.post(M2s, 0, tx_entry(at, length, flags));
    }
    for (at, length) in [(0, 250), (0x1000, 1), (0x2000, 400), (0x3000, 64)] {
        bench.post(S2m, 0, rx_entry(DESTINATION + at, length));
    }
    bench.settle();
    assert_eq!(bench.bytes(DESTINATION, 250), bytes[..250]);
    assert_eq!(bench.bytes(DESTINATION + 0x1000, 1), bytes[250..251]);
    assert_eq!(bench.bytes(DESTINATION + 0x2000, 349), bytes[251..]);
    assert_eq!(
        bench.bytes(DESTINATION + 0x2000 + 349, 51),
        vec![0; 51],
        "closed although not full"
    );
    assert_eq!(bench.bytes(DESTINATION + 0x3000, 50), second);
    assert_eq!(bench.pointers(S2m, 0), [pointer(1, 4); 4]);
    assert_eq!(bench.read(queue(M2s, 0, 0xC0)), 2);
    assert_eq!(bench.read(queue(S2m, 0, 0x68)), 2);
}

/// [idma-ring MC-3, decisions D-23, D-52]
#[test]
fn completions_go_where_the_registers_say() {
    let mut bench = Bench::armed(4);
    bench.write(queue(M2s, 0, 0xA0), 1);
    bench.write(queue(S2m, 0, 0x54), 0xF);
    bench.fill(SOURCE, 300, 1);
    bench.post(S2m, 0, rx_entry(DESTINATION, 100));
    bench.post(S2m, 0, rx_entry(DESTINATION + 100, 100));
    bench.post(S2m, 0, rx_entry(DESTINATION + 200, 200));
    bench.post(M2s, 0, tx_entry(SOURCE, 150, tx::FIRST));
    bench.post(M2s, 0, tx_entry(SOURCE + 150, 100, tx::LAST));
    bench.settle();
    let words = |direction, index: u64, size: u64, count: u64| -> Vec<u32> {
        (0..count)
            .map(|word| bench.word(completion_ring(direction, 0) + size * index + 4 * word))
            .collect()
    };
    assert_eq!(words(M2s, 0, 4, 3), [0x0500_0000, 0x0900_0000, 0]);
    assert_eq!(words(S2m, 0, 16, 4), [0x4500_0000, 100, 0, 0]);
    assert_eq!(words(S2m, 1, 16, 4), [0x4100_0000, 100, 0, 0]);
    assert_eq!(words(S2m, 2, 16, 4), [0x4900_0000, 50, 0, 0]);
    assert_eq!(words(S2m, 3, 16, 1), [0]);
    assert_eq!(bench.count("completion_write"), 5);
}

/// The entry size in words. [idma-ring §2.5 `S2M_comp.cfg_1c`]
#[test]
fn completion_entries_have_the_programmed_size() {
    for (size, written, step) in [(0, 0, 0), (1, 1, 4), (2, 2, 8), (4, 4, 16), (8, 4, 32)] {
        let mut bench = Bench::armed(4);
        bench.write(queue(S2m, 0, 0x54), 0xF);
        bench.write(half(S2m) + 0x380, 0x1000 | size);
        for _ in 0..2 {
            bench.copy(0, SOURCE, DESTINATION, 8);
        }
        bench.settle();
        let lengths: Vec<(u64, usize)> = bench
            .seen
            .iter()
            .filter_map(|t| match &t.effect {
                Effect::CompletionWrite { address, data } => Some((*address, data.len())),
                _ => None,
            })
            .collect();
        let base = completion_ring(S2m, 0);
        let expected = if size == 0 {
            vec![]
        } else {
            vec![(base, 4 * written), (base + step, 4 * written)]
        };
        assert_eq!(lengths, expected, "size {size}");
        assert_eq!(bench.pointers(S2m, 0)[3], pointer(1, 2));
    }
}

/// [decisions D-53]
#[test]
fn int_en_sets_cause_bits() {
    let mut bench = Bench::new(Generation::V3);
    bench.arm(5, 8);
    bench.post(S2m, 5, rx_entry(DESTINATION, 4));
    bench.post(M2s, 5, tx_entry(SOURCE, 4, WHOLE | tx::INT_EN));
    bench.settle();
    let (s2m_group, m2s_group) = (0x3_8040, 0x3_8080);
    assert_eq!((bench.read(s2m_group), bench.read(m2s_group)), (0, 1 << 5));
    let entry = rx_entry(DESTINATION, 4);
    bench.post(
        S2m,
        5,
        Descriptor {
            word0: entry.word0 | rx::INT_EN,
            ..entry
        },
    );
    bench.post(M2s, 5, tx_entry(SOURCE, 4, WHOLE));
    bench.settle();
    assert_eq!(bench.read(s2m_group), 1 << 5);
    bench.write(s2m_group, !(1 << 5));
    bench.write(m2s_group, u32::MAX);
    assert_eq!((bench.read(s2m_group), bench.read(m2s_group)), (0, 1 << 5));
}

/// [idma-ring §2.5 statistics, §2.9]
#[test]
fn statistics() {
    let mut bench = Bench::armed(8);
    bench.copy(0, SOURCE, DESTINATION, 65_536);
    bench.post(S2m, 0, rx_entry(DESTINATION, 100));
    bench.post(M2s, 0, tx_entry(SOURCE, 30, tx::FIRST));
    bench.post(M2s, 0, tx_entry(SOURCE, 40, tx::LAST));
    bench.settle();
    let counters = |direction| -> Vec<u32> {
        (0..7)
            .map(|i| bench.read(half(direction) + 0x504 + 4 * i))
            .collect()
    };
    // packets, bytes low and high, prefetched, completed packets and descriptors, acknowledged
    assert_eq!(counters(M2s), [2, 65_606, 0, 3, 2, 3, 2]);
    assert_eq!(counters(S2m), [0, 65_606, 0, 2, 2, 2, 2]);
}

/// [idma-ring MC-6]: spare bit 0
#[test]
fn completion_heads_can_be_frozen() {
    let mut bench = Bench::armed(8);
    bench.write(0x3_8000 + 0x3460, 1);
    bench.copy(0, SOURCE, DESTINATION, 4);
    bench.settle();
    assert_eq!(bench.pointers(M2s, 0)[3], pointer(1, 0));
    assert_eq!(bench.pointers(S2m, 0)[3], pointer(1, 0));
    bench.write(0x3_8000 + 0x3460, 0);
    bench.copy(0, SOURCE, DESTINATION, 4);
    bench.settle();
    assert_eq!(
        bench.pointers(M2s, 0),
        [pointer(1, 2), pointer(1, 2), pointer(1, 2), pointer(1, 1)]
    );
    assert_eq!(bench.used(M2s, 0), 0);
}

/// A zero-length packet takes no RX descriptor. [decisions D-24]
#[test]
fn nothing_moves_for_length_zero_without_the_encoding() {
    let mut bench = Bench::armed(8);
    bench.write(half(M2s) + 0x254, 0x1_0000);
    bench.post(S2m, 0, rx_entry(DESTINATION, 4));
    bench.post(M2s, 0, tx_entry(SOURCE, 0, WHOLE));
    bench.settle();
    assert_eq!(bench.pointers(M2s, 0), [pointer(1, 1); 4]);
    assert_eq!(
        bench.pointers(S2m, 0)[2..],
        [pointer(1, 0); 2],
        "the RX descriptor is still there"
    );
    assert_eq!(bench.read(queue(S2m, 0, 0x68)), 1, "the packet counts");
    assert_eq!(bench.count("dma_read") + bench.count("dma_write"), 0);
}

/// META descriptors have no data. [idma-ring §1.3]
#[test]
fn parameter_descriptors_move_nothing() {
    let mut bench = Bench::armed(8);
    let bytes = bench.fill(SOURCE, 20, 3);
    bench.post(S2m, 0, rx_entry(DESTINATION, 20));
    let meta = tx_entry(0xDEAD_0000_0000, 99, tx::FIRST | tx::META);
    bench.post(M2s, 0, meta);
    bench.post(M2s, 0, tx_entry(SOURCE, 20, tx::LAST));
    bench.settle();
    assert_eq!(bench.bytes(DESTINATION, 20), bytes);
    assert_eq!(bench.pointers(M2s, 0), [pointer(1, 2); 4]);
    assert_eq!(bench.count("dma_read"), 1);
}

/// The prefetch slice bounds what a queue without partners holds. [idma-ring §8]
#[test]
fn prefetch_stops_at_the_depth_of_the_slice() {
    let mut bench = Bench::armed(1000);
    for _ in 0..500 {
        bench.place(S2m, 0, rx_entry(DESTINATION, 4));
    }
    bench.ring(S2m, 0, 500);
    bench.settle();
    assert_eq!(
        bench.pointers(S2m, 0),
        [
            pointer(1, 128),
            pointer(1, 500),
            pointer(1, 0),
            pointer(1, 0)
        ]
    );
    assert_eq!(bench.used(S2m, 0), 500);
    bench.write(queue(S2m, 0, 0x00), 40);
    for i in 1..=100 {
        bench.post(M2s, 0, tx_entry(SOURCE, 4, WHOLE));
        bench.settle();
        let head = if i <= 88 { 128 } else { 40 + i };
        // Above the threshold of 16, bursts have at least 4 descriptors.
        let found = bench.pointers(S2m, 0)[0] & 0xFF_FFFF;
        assert!(
            found <= head.max(128) && found + 3 >= head,
            "after {i}: {found}"
        );
    }
}

/// [idma-ring §2.6]: at most 8, at least 4 above the threshold, never across the end of the ring
#[test]
fn bursts() {
    let bursts = |length, posted, allow| -> Vec<u32> {
        let mut bench = Bench::armed(length);
        if allow {
            bench.write(queue(S2m, 0, 0x20), 0x0313_0000);
        }
        for _ in 0..posted {
            bench.place(S2m, 0, rx_entry(DESTINATION, 4));
        }
        bench.ring(S2m, 0, posted);
        bench.settle();
        bench
            .seen
            .iter()
            .filter_map(|t| match t.effect {
                Effect::DescriptorFetch { count, .. } => Some(count),
                _ => None,
            })
            .collect()
    };
    assert_eq!(bursts(64, 15, false), [8, 7]);
    assert_eq!(
        bursts(64, 18, false),
        [8, 8],
        "two are fewer than the minimum above the threshold"
    );
    assert_eq!(bursts(64, 18, true), [8, 8, 2]);
    assert_eq!(bursts(64, 20, false), [8, 8, 4]);
    assert_eq!(bursts(5, 10, false), [5, 5]);
    assert_eq!(bursts(10, 12, false), [8, 2, 2]);
}

/// A packet may be longer than what the threshold lets through: completeness comes first.
#[test]
fn long_packets_are_fetched_completely() {
    let mut bench = Bench::armed(64);
    bench.write(half(M2s) + 0x304, 128);
    let bytes = bench.fill(SOURCE, 34, 7);
    bench.post(S2m, 0, rx_entry(DESTINATION, 34));
    for i in 0..17 {
        let flags = match i {
            0 => tx::FIRST,
            16 => tx::LAST,
            _ => 0,
        };
        bench.place(M2s, 0, tx_entry(SOURCE + 2 * i, 2, flags));
    }
    bench.ring(M2s, 0, 17);
    bench.settle();
    assert_eq!(bench.bytes(DESTINATION, 34), bytes);
}

/// Round robin over queues, in the order of service. [idma-ring §2.9]
#[test]
fn queues_take_turns() {
    let mut bench = Bench::new(Generation::V3);
    for number in [1, 4, 9] {
        bench.arm(number, 16);
        for _ in 0..3 {
            bench.place(S2m, number, rx_entry(DESTINATION, 4));
            bench.place(M2s, number, tx_entry(SOURCE, 4, WHOLE));
        }
    }
    for number in [9, 4, 1] {
        bench.ring(S2m, number, 3);
        bench.ring(M2s, number, 3);
    }
    bench.settle();
    let order: Vec<u8> = bench
        .seen
        .iter()
        .filter_map(|t| match (&t.agent, &t.effect) {
            (pool_model::transaction::Agent::Dma(queue), Effect::DmaRead { .. }) => {
                Some(queue.queue)
            }
            _ => None,
        })
        .collect();
    assert_eq!(order, [1, 4, 9, 1, 4, 9, 1, 4, 9]);
}

/// A packet in the stream blocks the engine's other queues. `docs/idma-contract.md`
#[test]
fn a_waiting_packet_blocks_the_others() {
    let mut bench = Bench::new(Generation::V3);
    bench.arm(0, 8);
    bench.arm(1, 8);
    let bytes = bench.fill(SOURCE, 100, 5);
    bench.post(M2s, 0, tx_entry(SOURCE, 100, WHOLE));
    bench.post(S2m, 0, rx_entry(DESTINATION, 60));
    bench.settle();
    bench.copy(1, SOURCE, DESTINATION + 0x1000, 10);
    bench.settle();
    assert_eq!(bench.engine.blocked(), Some(Blocked::Receiver { queue: 0 }));
    assert_eq!(
        bench.bytes(DESTINATION, 100),
        [&bytes[..60], &[0; 40]].concat(),
        "bytes that fit are written"
    );
    assert_eq!(
        bench.pointers(M2s, 0)[2],
        pointer(1, 1),
        "the descriptor has been taken [decisions D-25]"
    );
    assert_eq!(bench.pointers(M2s, 0)[3], pointer(1, 0));
    assert_eq!(bench.bytes(DESTINATION + 0x1000, 1), [0]);
    bench.post(S2m, 0, rx_entry(DESTINATION + 60, 40));
    bench.settle();
    assert_eq!(bench.bytes(DESTINATION, 100), bytes);
    assert_eq!(bench.bytes(DESTINATION + 0x1000, 10), bytes[..10]);
    assert_eq!(bench.engine.blocked(), None);
}

/// The data tail holds descriptors back. [idma-ring §2.3 `TDRDTP_inc`]
#[test]
fn the_data_tail_releases_descriptors() {
    let mut bench = Bench::armed(8);
    bench.write(half(M2s) + 0x004, 0x0001_FFFF);
    bench.copy(0, SOURCE, DESTINATION, 4);
    bench.settle();
    assert_eq!(bench.count("dma_read"), 0);
    bench.write(queue(M2s, 0, 0xE0), 1);
    bench.settle();
    assert_eq!(bench.count("dma_read"), 1);
    assert_eq!(bench.read(queue(M2s, 0, 0xE4)), pointer(1, 1));
    for generation in [Generation::V2, Generation::V5] {
        let mut bench = Bench::new(generation);
        bench.arm(0, 8);
        bench.write(queue(M2s, 0, 0xE0), 1);
        assert_eq!(bench.read(queue(M2s, 0, 0xE4)), 0);
    }
}

/// Overlapping buffers: a descriptor's source is read before its bytes are written.
#[test]
fn overlapping_buffers_copy_as_if_read_first() {
    for (source, destination) in [(SOURCE, SOURCE + 7), (SOURCE + 7, SOURCE)] {
        let mut bench = Bench::armed(8);
        let bytes = bench.fill(source, 5000, 3);
        bench.copy(0, source, destination, 5000);
        bench.settle();
        assert_eq!(bench.bytes(destination, 5000), bytes);
    }
}

/// Paused arbiters take nothing. [idma-ring §2.3]
#[test]
fn pauses_hold_the_scheduler() {
    for (register, value, release) in [
        (0x80, 1 << 25, 0),
        (0x60, 1 << 25, 0),
        (0x20, 0x0301_0000, 0x0303_0000),
    ] {
        let mut bench = Bench::armed(8);
        bench.write(queue(M2s, 0, 0x74), 5);
        bench.write(queue(M2s, 0, register), value);
        bench.copy(0, SOURCE, DESTINATION, 4);
        bench.settle();
        assert_eq!(bench.count("dma_read"), 0, "{register:#x}");
        bench.write(queue(M2s, 0, register), release);
        bench.settle();
        assert_eq!(bench.count("dma_read"), 1, "{register:#x}");
    }
    let mut masked = Bench::armed(8);
    masked.write(queue(M2s, 0, 0x60), 1 << 25);
    masked.copy(0, SOURCE, DESTINATION, 4);
    masked.settle();
    assert_eq!(
        masked.count("dma_read"),
        1,
        "the mask of the rate limiter is set after reset"
    );
}
