// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Random traffic: whatever is written, the engine settles, and copies that are set up properly are exact.

mod idma_support;

use idma_support::*;
use pool_model::generation::Generation;
use pool_model::idma::{Descriptor, FaultKind};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Action {
    Write(u32, u32),
    Entry(bool, u8, u32, Descriptor),
    Inject(u8, u8),
    Settle,
}

fn registers() -> impl Strategy<Value = u32> {
    let queue_register =
        (any::<bool>(), 0_u8..3, 0_u32..0x3A).prop_map(|(write_side, number, word)| {
            queue(if write_side { S2m } else { M2s }, number, 4 * word)
        });
    let global = prop::sample::select(vec![
        0x004, 0x204, 0x20C, 0x224, 0x254, 0x258, 0x25C, 0x304, 0x308, 0x2_0204, 0x2_020C,
        0x2_0224, 0x2_0250, 0x2_0254, 0x2_0308, 0x2_0344, 0x2_0380, 0x3_A300, 0x3_B460, 0x3_A030,
        0x3_A070, 0x3_A008,
    ]);
    prop_oneof![3 => queue_register, 2 => global, 1 => any::<u32>()]
}

fn values() -> impl Strategy<Value = u32> {
    prop_oneof![
        0_u32..20,
        any::<u32>(),
        Just(u32::MAX),
        (0_u32..32).prop_map(|bit| 1 << bit),
        Just(0x0303_0000),
    ]
}

fn entries() -> impl Strategy<Value = Descriptor> {
    let word1 = prop_oneof![Just(0x0108_0003), Just(0), any::<u32>()];
    let word0 = (0_u32..300, any::<u8>(), any::<bool>()).prop_map(|(length, high, wild)| {
        let flags = if wild { high } else { 0x0D };
        length | u32::from(flags) << 24
    });
    (word0, word1, 0_u64..0x1000).prop_map(|(word0, word1, buf_ptr)| Descriptor {
        word0,
        word1,
        buf_ptr,
    })
}

fn actions() -> impl Strategy<Value = Action> {
    prop_oneof![
        6 => (registers(), values()).prop_map(|(offset, value)| Action::Write(offset, value)),
        4 => (any::<bool>(), 0_u8..3, 0_u32..70, entries())
            .prop_map(|(write_side, number, slot, entry)| Action::Entry(write_side, number, slot, entry)),
        1 => (0_u8..4, 0_u8..34).prop_map(|(group, bit)| Action::Inject(group, bit)),
        3 => Just(Action::Settle),
    ]
}

fn faults() -> impl Strategy<Value = Vec<(Port, u64, u64, FaultKind)>> {
    let port = prop::sample::select(vec![Port::Fetch, Port::Read, Port::Write, Port::Complete]);
    let place = prop_oneof![
        0_u64..0x1000,
        (0_u64..0x400).prop_map(|at| ring(M2s, 0) + at)
    ];
    let kind = prop::sample::select(vec![FaultKind::Response, FaultKind::Silence]);
    prop::collection::vec((port, place, 1_u64..64, kind), 0..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// No panic, no hang; posted never exceeds 25 bits; a settled engine stays as it is.
    #[test]
    fn any_traffic_settles(
        generation in prop::sample::select(Generation::ALL.to_vec()),
        lengths in prop::collection::vec(0_u32..65, 3),
        faults in faults(),
        aborts in any::<bool>(),
        actions in prop::collection::vec(actions(), 0..60),
    ) {
        let mut bench = Bench::new(generation);
        for (number, length) in lengths.iter().enumerate() {
            bench.arm(number as u8, *length);
        }
        if aborts {
            bench.abort_on_all();
        }
        bench.memory.faults = faults;
        for action in actions {
            match action {
                Action::Write(offset, value) => bench.write(offset, value),
                Action::Entry(write_side, number, slot, entry) => {
                    let direction = if write_side { S2m } else { M2s };
                    let address = ring(direction, number) + 16 * u64::from(slot);
                    bench.memory.bytes.write(address, &entry.pack());
                }
                Action::Inject(group, bit) => bench.inject(group, bit),
                Action::Settle => {
                    // Doorbells of millions would only make the test slow: their descriptors are all the same.
                    for number in 0..16 {
                        for (direction, control) in [(M2s, 0xB0), (S2m, 0x64)] {
                            let posted = bench.engine.queue(direction, number).map_or(0, pool_model::idma::queue::Queue::posted);
                            prop_assert!(posted < 1 << 25);
                            if posted > 2000 {
                                bench.write(queue(direction, number, control), 0x100);
                            }
                        }
                    }
                    bench.settle();
                    let before = format!("{:?}", bench.engine);
                    bench.settle();
                    prop_assert_eq!(before, format!("{:?}", bench.engine));
                }
            }
        }
    }

    /// Rings of any size, doorbells in any grouping, four laps and more: every byte arrives, in order.
    #[test]
    fn proper_copies_are_exact(
        length in 1_u32..=64,
        groups in prop::collection::vec(1_u32..20, 1..40),
        sizes in prop::collection::vec(1_u32..700, 8),
        offsets in prop::collection::vec((0_u64..64, 0_u64..64), 8),
    ) {
        let mut bench = Bench::armed(length);
        let mut expected = Vec::new();
        for (round, group) in groups.iter().enumerate() {
            let count = (*group).min(length);
            for i in 0..count as usize {
                let pick = (round + i) % 8;
                let source = 0x10_0000 * (i as u64 + 1) + offsets[pick].0;
                let destination = 0x4000_0000 + 0x10_0000 * i as u64 + 0x1000 * (round as u64 % 64) + offsets[pick].1;
                let bytes = bench.fill(source, sizes[pick] as usize, (round * 31 + i) as u8);
                bench.place(S2m, 0, rx_entry(destination, sizes[pick]));
                bench.place(M2s, 0, tx_entry(source, sizes[pick], 0x0C00_0000));
                expected.push((destination, bytes));
            }
            bench.ring(S2m, 0, count);
            bench.ring(M2s, 0, count);
            bench.settle();
            for (destination, bytes) in expected.drain(..) {
                prop_assert_eq!(bench.bytes(destination, bytes.len()), bytes);
            }
            prop_assert_eq!(bench.used(M2s, 0) + bench.used(S2m, 0), 0);
        }
        prop_assert_eq!(bench.raised(), []);
    }

    /// How a stream is cut on the two sides does not matter. [idma-ring §2.9]
    #[test]
    fn packets_keep_the_stream(
        reads in prop::collection::vec(1_u32..200, 1..20),
        writes in prop::collection::vec(70_u32..300, 1..20),
    ) {
        let total: u32 = reads.iter().sum();
        let mut bench = Bench::armed(64);
        let bytes = bench.fill(0x1003, total as usize, 1);
        let mut room = 0;
        for length in writes.iter().cycle() {
            if room >= total {
                break;
            }
            bench.post(S2m, 0, rx_entry(0x8000 + u64::from(room), *length));
            room += length;
            bench.settle();
        }
        let mut at = 0;
        for (i, length) in reads.iter().enumerate() {
            let flags = u32::from(i == 0) << 26 | u32::from(i + 1 == reads.len()) << 27;
            bench.post(M2s, 0, tx_entry(0x1003 + u64::from(at), *length, flags));
            at += length;
        }
        bench.settle();
        prop_assert_eq!(bench.bytes(0x8000, total as usize), bytes);
        prop_assert_eq!(bench.bytes(0x8000 + u64::from(total), 64), vec![0; 64]);
        prop_assert_eq!(bench.raised(), []);
    }
}
