// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The descriptor generator against the numbers, vectors and tables of the specification. [idma-ring §3]

mod pool_support;

use pool_model::generation::Generation;
use pool_model::idma::RingId;
use pool_model::idma::pointer::Pointer;
use pool_model::isa::Addr4;
use pool_model::pool::q7::{DoorbellWrite, LegPlan, PairKind, Piece, Role, doorbells};
use pool_model::soc::SocAddr;
use pool_model::soc::id::QueueId;
use pool_model::soc::sdma::Udma;
use pool_support::{Bench, core, gen_example, word};

const W1: &str = "sb2sb dtype=bfloat16 src=0x0[64] dst=0x1000[64] update=sem_inc_complete[5]";

fn queue(number: u8) -> QueueId {
    QueueId::new(number).expect("a queue")
}

fn counts(plan: &LegPlan) -> Vec<(u8, u32)> {
    plan.counts().collect()
}

/// [idma-ring §3.13], the operand address replaced by a legal one
#[test]
fn the_end_to_end_numbers() {
    let bench = Bench::v3();
    let plan = bench.plan_gen(&gen_example()).expect("a legal word");
    assert_eq!(plan.num_indices(), 32);
    assert_eq!(counts(&plan), [(0, 34), (1, 34), (2, 34), (3, 34)]);
    assert_eq!(plan.total_pairs(), 136);
    assert_eq!(plan.local.address, SocAddr(0x28_0270_1830));
    assert_eq!(plan.local.folded, SocAddr(0x28_0270_1830));
    assert_eq!(plan.remote.address, SocAddr(0x28_0270_1850));
    assert_eq!(plan.remote.folded, SocAddr(0x0052_0028_0270_1850));
    assert_eq!(plan.destination_before, SocAddr(0x20_0000_0000));
    assert_eq!(
        plan.destination_after.address,
        SocAddr(0x0052_0020_0000_0000)
    );
    let data = plan
        .stores(Role::Rx)
        .filter(|s| matches!(s.kind, PairKind::Data { .. }));
    assert_eq!(data.count(), 128);
}

/// [evt-sem §3.5, sequence D]: core 0 to core 4 on the other die
#[test]
fn the_other_die_is_folded() {
    let mut bench = Bench::v3();
    let mut word = gen_example();
    word.remote_core_id = 4;
    word.remote_routing_id = u32::MAX;
    let plan = bench.plan_gen(&word).expect("legal");
    assert_eq!(plan.remote.folded, SocAddr(0x0058_8028_0270_1850));
    assert_eq!(plan.local.folded, SocAddr(0x28_0270_1830));
    assert_eq!(plan.destination_before, SocAddr(0x8020_0000_0000));
    assert_eq!(
        plan.destination_after.address,
        SocAddr(0x0058_8020_0000_0000)
    );
    // [decisions D-50]
    bench.context.flags = 1;
    let plan = bench.plan_gen(&word).expect("legal");
    assert_eq!(plan.remote.folded, SocAddr(0x8028_0270_1850));
    // [soc-address MC-5], nbr_en = 0
    bench.context.flags = 0;
    bench.site.nbr_en = false;
    let plan = bench.plan_gen(&word).expect("legal");
    assert_eq!(plan.remote.folded, SocAddr(0x8028_0270_1850));
    // [decisions D-47]: the own chip's id, given explicitly
    word.remote_routing_id = 0;
    let plan = bench.plan_gen(&word).expect("legal");
    assert_eq!(plan.remote.folded, SocAddr(0x0040_8028_0270_1850));
}

/// The two worked examples of [idma-ring §3.9].
#[test]
fn runs_of_the_worked_examples() {
    let bench = Bench::v3();
    let pieces = |text| {
        let plan = bench.plan_text(text).expect("legal");
        plan.transfer
            .pieces
            .iter()
            .map(|p| (p.source, p.destination, p.bytes))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        pieces("sb2sb dtype=bfloat16 src=0x100[4, 2@16] dst=0x200[8]"),
        [(0x100, 0x200, 8), (0x120, 0x208, 8)]
    );
    assert_eq!(
        pieces("sb2sb dtype=bfloat16 src=0x104[3@-1] dst=0x200[3]"),
        [(0x104, 0x200, 2), (0x102, 0x202, 2), (0x100, 0x204, 2)]
    );
    // s1 = n0: the boundary of dimension 1 is crossed; a count of 1 makes a stride irrelevant.
    assert_eq!(
        pieces("sb2sb dtype=fp32 src=0x0[4, 4@4, 1@-9] dst=0x400[16]"),
        [(0, 0x400, 64)]
    );
    // Stride 0: runs of one element, and the cuts of both sides.
    assert_eq!(
        pieces("sb2sb dtype=fp32r src=0x8[2@0, 2] dst=0x100[2, 2@4]"),
        [(8, 0x100, 4), (8, 0x104, 4), (12, 0x110, 4), (12, 0x114, 4)]
    );
    // [decisions D-8]: the executable variant of W2 has runs of 16 elements on the source side.
    let w2 = bench
        .plan_text(
            "sb2sb dtype=fp32 ch=32 src=0x800C00[16, 4@64, 4@-256] dst=0x4000[16, 4@16, 4@64]",
        )
        .expect("legal");
    assert_eq!(w2.transfer.pieces.len(), 16);
    assert!(w2.transfer.pieces.iter().all(|p| p.bytes == 64));
    assert_eq!(w2.transfer.source_partition, 32);
}

/// [decisions D-8]: the pattern of W2 itself leaves the partition.
#[test]
fn the_pattern_of_w2_is_out_of_range() {
    let mut bench = Bench::v3();
    bench.registers[5] = 0x4000;
    let found = bench
        .plan_text("sb2sb dtype=fp32 ch=32 src=0x800400[16, 4@64, 4@-256] dst=r5[16, 4@16, 4@64]")
        .expect_err("out of range");
    assert_eq!(found.class.name(), "SbufRange");
}

/// Word values of [idma-ring §3.5, §3.6 and Appendix A].
#[test]
fn descriptor_words() {
    let bench = Bench::v3();
    let plan = bench
        .plan_text("sb2sb dtype=fp32 ch=4 src=0xC0040[64] dst=0x1000[64]")
        .expect("legal");
    let pairs: Vec<_> = plan.pairs(0).collect();
    assert_eq!(pairs.len(), 3);
    let (data, local, remote) = (pairs[0], pairs[1], pairs[2]);
    // Partition 3, byte 0x40 of TPB_0; the only data pair is the last of its engine.
    assert_eq!(
        data.tx.descriptor.words(),
        [0x0D00_0100, 0x0508_0003, 0x000C_0040, 0x20]
    );
    assert_eq!(
        data.rx.descriptor.words(),
        [0x0100_0100, 0, 0x0000_1000, 0x30]
    );
    assert_eq!(
        local.tx.descriptor.words(),
        [0x0D00_0004, 0x0108_0003, 4, 0x90]
    );
    assert_eq!(
        local.rx.descriptor.words(),
        [0x2100_0004, 0, 0x0270_1800 + 4 * 252, 0x28]
    );
    assert_eq!(
        remote.tx.descriptor.words(),
        [0x0D00_0004, 0x0108_0003, 4, 0x90]
    );
    assert_eq!(
        remote.rx.descriptor.words(),
        [0x2100_0004, 0, 0x0270_1800 + 4 * 253, 0x38]
    );
    assert_eq!(local.kind, PairKind::LocalSemaphore);
    assert_eq!(remote.kind, PairKind::RemoteSemaphore);
}

/// Only the last data pair of an engine has the write barrier; 65 536 bytes are written as 0.
#[test]
fn long_stretches_are_cut_and_the_last_has_the_barrier() {
    let bench = Bench::v3();
    let mut word = gen_example();
    word.free_dim_bytes = 0x1_8001;
    word.dma_engine_mask = 0xFFFF;
    let plan = bench.plan_gen(&word).expect("legal");
    assert_eq!(
        plan.transfer.pieces,
        [
            Piece {
                source: 0,
                destination: 0,
                bytes: 0x1_0000
            },
            Piece {
                source: 0x1_0000,
                destination: 0x1_0000,
                bytes: 0x8001
            },
        ]
    );
    let words: Vec<_> = plan
        .pairs(15)
        .map(|pair| (pair.tx.descriptor.word0, pair.tx.descriptor.word1))
        .collect();
    assert_eq!(words.len(), 8 * 2 + 2);
    assert_eq!(words[0], (0x0D00_0000, 0x0108_0003));
    assert_eq!(words[14], (0x0D00_0000, 0x0108_0003));
    assert_eq!(words[15], (0x0D00_8001, 0x0508_0003));
    assert!(words[16..].iter().all(|w| *w == (0x0D00_0004, 0x0108_0003)));
}

/// [decisions D-5]: engine k owns k, k + E, …; the order of each role's stores is the loop's.
#[test]
fn partitions_that_do_not_divide_evenly() {
    let bench = Bench::v3();
    let plan = bench
        .plan_text("sb2sb dtype=uint8 ch=5 src=0x0[2, 2@4] dst=0x100[4]")
        .expect("legal");
    assert_eq!(plan.num_indices(), 2);
    assert_eq!(counts(&plan), [(0, 6), (1, 4), (2, 4), (3, 4)]);
    let owned: Vec<Vec<u32>> = (0..4)
        .map(|slot| {
            plan.pairs(slot)
                .filter_map(|pair| match pair.kind {
                    PairKind::Data { channel, .. } => Some(channel),
                    _ => None,
                })
                .collect()
        })
        .collect();
    assert_eq!(
        owned,
        [vec![0, 0, 4, 4], vec![1, 1], vec![2, 2], vec![3, 3]]
    );
    let order: Vec<(u8, Option<u32>)> = plan
        .stores(Role::Tx)
        .map(|store| match store.kind {
            PairKind::Data { channel, .. } => (store.engine, Some(channel)),
            _ => (store.engine, None),
        })
        .collect();
    let data = [
        (0, 0),
        (0, 0),
        (1, 1),
        (1, 1),
        (2, 2),
        (2, 2),
        (3, 3),
        (3, 3),
        (0, 4),
        (0, 4),
    ];
    let mut expected: Vec<_> = data.iter().map(|(e, c)| (*e, Some(*c))).collect();
    expected.extend((0..4).flat_map(|engine| [(engine, None); 2]));
    assert_eq!(order, expected);
    // The stores of a role are those of the pairs, engine by engine.
    for role in Role::ALL {
        for slot in 0..4 {
            let engine = plan.engines()[slot].number;
            let stores: Vec<_> = plan.stores(role).filter(|s| s.engine == engine).collect();
            let pairs: Vec<_> = plan
                .pairs(slot)
                .map(|pair| match role {
                    Role::Rx => pair.rx,
                    Role::Tx => pair.tx,
                })
                .collect();
            assert_eq!(stores, pairs);
        }
    }
}

/// More engines than partitions: those without work still get their semaphore pairs. [decisions D-5]
#[test]
fn one_partition_on_sixteen_engines() {
    let mut bench = Bench::v3();
    bench.context.dma_engine_mask = 0xFFFF;
    let plan = bench
        .plan_text("sb2sb dtype=uint8 ch=1 src=0x0[1] dst=0x100[1]")
        .expect("legal");
    assert_eq!(plan.engines()[0].pairs, 3);
    assert!(plan.engines()[1..].iter().all(|engine| engine.pairs == 2));
    // Without a data pair there is no barrier.
    let barrier = |slot: usize| {
        plan.pairs(slot)
            .any(|p| p.tx.descriptor.word1 & 1 << 26 != 0)
    };
    assert!(barrier(0));
    assert!((1..16).all(|slot| !barrier(slot)));
}

/// Addresses of [decisions D-6]: base + (2·e + d) · (len · 16 rounded up to 256).
#[test]
fn ring_addresses() {
    let mut bench = Bench::new(Generation::V3, 5);
    bench.context.dma_engine_mask = 0x8002;
    let plan = bench.plan_text(W1).expect("legal");
    let base = 0x8030_4000_0000_u64;
    assert_eq!(plan.layout.base, SocAddr(base));
    let first = |slot: usize| plan.pairs(slot).next().expect("a pair");
    assert_eq!(first(0).tx.slot, SocAddr(base + 2 * 8192));
    assert_eq!(first(0).rx.slot, SocAddr(base + 3 * 8192));
    assert_eq!(first(1).tx.slot, SocAddr(base + 30 * 8192));
    assert_eq!(first(1).rx.slot, SocAddr(base + 31 * 8192));
    // 70 descriptors are 1120 bytes, rounded up to 1280.
    bench.context.ring_len = 70;
    bench.context.ring_base_hi = 0x12;
    bench.context.ring_base_lo = 0x100;
    let plan = bench.plan_text(W1).expect("64 + 2 fit 69");
    let rx = plan.pairs(1).nth(3).expect("a pair").rx;
    assert_eq!(rx.slot, SocAddr(0x12_0000_0100 + 31 * 1280 + 3 * 16));
}

/// Slots and tags wrap on each ring of its own. [idma-ring §2.6, §3.5]
#[test]
fn rings_wrap_independently() {
    let mut bench = Bench::v3();
    bench.context.dma_engine_mask = 1;
    bench.context.ring_len = 8;
    let tail = |offset, id| Pointer {
        offset,
        ring_id: RingId::wrapping(id),
    };
    bench.rings.engines[0].set_tail(Udma::M2s, tail(6, 3));
    bench.rings.engines[0].set_tail(Udma::S2m, tail(7, 1));
    let plan = bench
        .plan_text("sb2sb dtype=uint8 ch=2 src=0x0[1] dst=0x100[1]")
        .expect("legal");
    let base = plan.layout.base.0;
    let tx: Vec<_> = plan
        .pairs(0)
        .map(|p| {
            (
                (p.tx.slot.0 - base) / 16,
                p.tx.descriptor.ring_id().number(),
            )
        })
        .collect();
    assert_eq!(tx, [(6, 3), (7, 3), (0, 0), (1, 0)]);
    let rx: Vec<_> = plan
        .pairs(0)
        .map(|p| {
            (
                (p.rx.slot.0 - base - 256) / 16,
                p.rx.descriptor.ring_id().number(),
            )
        })
        .collect();
    // A ring of 8 is 128 bytes, but starts at multiples of 256.
    assert_eq!(rx, [(7, 1), (0, 2), (1, 2), (2, 2)]);
    let engine = &plan.engines()[0];
    assert_eq!(plan.tail_after(engine, Udma::M2s), tail(2, 0));
    assert_eq!(plan.tail_after(engine, Udma::S2m), tail(3, 2));
    bench.rings.generated(plan.counts(), 8);
    assert_eq!(bench.rings.engines[0].tail(Udma::M2s), tail(2, 0));
    assert_eq!(bench.rings.engines[0].tail(Udma::S2m), tail(3, 2));
    assert_eq!(bench.rings.pending().collect::<Vec<_>>(), [(0, 4)]);
    bench.rings.started();
    assert_eq!(bench.rings.pending().count(), 0);
}

/// Every mask: legal exactly with 1, 2, 4, 8 or 16 engines of the low 16 bits, on v5 of the low 8. [idma-ring MC-17,
/// decisions D-44]
#[test]
fn every_mask() {
    for generation in [Generation::V3, Generation::V5] {
        let mut bench = Bench::new(generation, 0);
        let word = word("sb2sb dtype=uint8 ch=1 src=0x0[1] dst=0x100[1]");
        for mask in 0..=u32::from(u16::MAX) {
            bench.context.dma_engine_mask = mask | 0xABCD_0000;
            let legal = [1, 2, 4, 8, 16].contains(&mask.count_ones())
                && (generation != Generation::V5 || mask < 0x100);
            match bench.plan(&word) {
                Ok(plan) => {
                    assert!(legal, "{mask:x}");
                    let engines = plan
                        .engines()
                        .iter()
                        .fold(0, |bits, engine| bits | 1 << engine.number);
                    assert_eq!(mask, engines);
                    assert!(plan.engines().is_sorted_by_key(|engine| engine.number));
                }
                Err(found) => {
                    assert!(!legal, "{mask:x}");
                    assert_eq!(found.class.name(), "BadMask");
                }
            }
        }
    }
}

/// Doorbell addresses and the broadcast word. [idma-ring Appendix A, MC-27, decisions D-5]
#[test]
fn doorbell_writes() {
    let write = |udma, address, value, engines, descriptors| DoorbellWrite {
        udma,
        address: SocAddr(address),
        value,
        engines,
        descriptors,
    };
    assert_eq!(
        doorbells(core(0), queue(5), Udma::M2s, &[(5, 7)]),
        [write(Udma::M2s, 0x10_0250_6038, 7, 1 << 5, 7)]
    );
    assert_eq!(
        doorbells(core(0), queue(5), Udma::S2m, &[(5, 7)]),
        [write(Udma::S2m, 0x10_0252_6038, 7, 1 << 5, 7)]
    );
    let four: Vec<_> = (0..4).map(|engine| (engine, 34)).collect();
    assert_eq!(
        doorbells(core(0), queue(5), Udma::M2s, &four),
        [write(Udma::M2s, 0x10_0208_6038, 0xFFF0_0022, 0xF, 34)]
    );
    // Core 7: SE_3, channels 16 to 31; its broadcast aperture is that of SDMA_16.
    assert_eq!(
        doorbells(core(7), queue(0), Udma::S2m, &[(1, 3), (3, 3)]),
        [write(Udma::S2m, 0x8050_050A_1038, 0xFFF5_0003, 0xA, 3)]
    );
    assert_eq!(
        doorbells(core(1), queue(0), Udma::S2m, &[(0, 6), (1, 4)]),
        [
            write(Udma::S2m, 0x10_0302_1038, 6, 1, 6),
            write(Udma::S2m, 0x10_0312_1038, 4, 2, 4),
        ]
    );
    // A broadcast carries 16 bits.
    let at = |n| doorbells(core(0), queue(0), Udma::M2s, &[(0, n), (1, n)]).len();
    assert_eq!((at(0xFFFF), at(0x1_0000)), (1, 2));
    assert_eq!(doorbells(core(0), queue(0), Udma::M2s, &[]), []);
}

/// Source of the constant 1, strong order and stride by generation. [idma-ring §3.6, §1.4, decisions D-20]
#[test]
fn generations() {
    let remote = |generation, number| {
        let bench = Bench::new(generation, number);
        let mut word = gen_example();
        word.remote_routing_id = u32::MAX;
        word.free_dim_bytes = 4;
        word.dst_addr = Addr4(0x100);
        let plan = bench.plan_gen(&word).expect("legal");
        let pair = plan.pairs(0).last().expect("a pair");
        let data = plan.pairs(0).nth(1).expect("partition 4");
        (
            pair.tx.descriptor.buf_ptr,
            pair.rx.descriptor.word0,
            data.tx.descriptor.buf_ptr & 0xFFF_FFFF,
        )
    };
    let strong = 0x2100_0004;
    let stride = 4 << 18;
    assert_eq!(
        remote(Generation::V2, 0),
        (0x20_0000_0004, 0x0100_0004, stride)
    );
    assert_eq!(remote(Generation::V3, 0), (0x90_0000_0004, strong, stride));
    assert_eq!(
        remote(Generation::V3, 4),
        (0x8090_0000_0004, strong, stride)
    );
    assert_eq!(remote(Generation::V4, 0), (0x94_0000_0000, strong, stride));
    assert_eq!(
        remote(Generation::V4Plus, 4),
        (0x8094_0000_0000, strong, stride)
    );
    assert_eq!(remote(Generation::V5, 0), (0x90_0000_0004, strong, 4 << 20));
}

/// The peer is n ^ 1 for LNC2 and n for LNC1, unless the context names one. [isa-word §5.2, decisions D-6]
#[test]
fn destinations() {
    for number in 0..8 {
        let mut bench = Bench::new(Generation::V3, number);
        let to = |bench: &Bench, text| {
            bench
                .plan_text(text)
                .expect("legal")
                .destination
                .core
                .number()
        };
        assert_eq!(to(&bench, W1), number ^ 1);
        assert_eq!(
            to(&bench, "sb2sb fmt=lnc1 dtype=uint8 src=0[4] dst=4[4]"),
            number
        );
        bench.context.remote_core_id = 6;
        assert_eq!(to(&bench, W1), 6);
    }
}
