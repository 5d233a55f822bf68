// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks that programs and hosts use, who is who, and how many there are.
//! [soc-address §§2.1, 2.5–2.14]

use pool_model::generation::Generation;
use pool_model::soc::classify::{ClassifyError, EngineIndex, classify};
use pool_model::soc::cores::{
    LncSize, Neighbor, PeerCode, die_of, hbm_remote_v, lnc_group, lnc2_partner, logical_core, peer,
    physical_core, pod_peer, sengine_in_die, sengine_of, sengine_peer, tpb_in_sengine,
};
use pool_model::soc::counts::counts;
use pool_model::soc::decode::classify_outputs;
use pool_model::soc::host::{
    attached_chip, bar0_to_soc, bar4_to_soc, exit_of_engine, hbm_base, hbm_of, host_memory,
    pcie_m0, soc_to_bar0, soc_to_bar4,
};
use pool_model::soc::id::{HbmId, Q7Core, QueueId, SdmaEngine, TopSpId, TopSpRuntimeId};
use pool_model::soc::sdma::{
    Udma, apb_se_base, core_engine, doorbell, doorbell_of, engine_die, queue_base, sdma_base,
    sengine_channel,
};
use pool_model::soc::semaphore::{
    EvtAccel, SemaOp, evt_accel, peb_alias, sema_addr, sunda_top_sp_base, sunda_tpb_base,
    top_sp_base, top_sp_of_runtime, top_sps_of,
};
use pool_model::soc::tpb::{
    InstructionAddressError, instruction_address, is_sbuf, q7_data_ram, sbuf_byte, tpb_of,
};
use pool_model::soc::{
    Die, OutOfRange, SengineId, SocAddr, TpbRegion, evt_sem, local_reg, locate, sbuf, tpb_base,
};
use pool_model::transaction::CoreId;
use proptest::prelude::*;

const TPB_BASES: [u64; 8] = [
    0x20_0000_0000,
    0x30_0000_0000,
    0x60_0000_0000,
    0x70_0000_0000,
    0x8020_0000_0000,
    0x8030_0000_0000,
    0x8060_0000_0000,
    0x8070_0000_0000,
];

fn core(number: u8) -> CoreId {
    CoreId::new(number).expect("a test names an existing core")
}

/// [soc-address §§2.2, 2.6]
#[test]
fn bases_are_those_of_the_map() {
    for (number, base) in (0..).zip(TPB_BASES) {
        assert_eq!(tpb_base(core(number)), SocAddr(base), "core {number}");
        let container = evt_sem(core(number), 0);
        assert_eq!(container, SocAddr(base + 0x8_0270_0000));
        assert_eq!(
            local_reg(core(number), 0x3000),
            SocAddr(base + 0x8_0306_3000)
        );
    }
    for h in HbmId::all() {
        let bases = [0, 0x40_0000_0000, 0x8000_0000_0000, 0x8040_0000_0000];
        assert_eq!(hbm_base(h), SocAddr(bases[usize::from(h.number())]));
    }
    for e in SengineId::all() {
        let bases = [
            0x10_0000_0000,
            0x50_0000_0000,
            0x8010_0000_0000,
            0x8050_0000_0000,
        ];
        assert_eq!(apb_se_base(e), SocAddr(bases[usize::from(e.number())]));
    }
}

/// [soc-address §2.11]
#[test]
fn tpb_of_ends_where_tpbs_end() {
    for (number, base) in (0..).zip(TPB_BASES) {
        let last = 0x8_03FF_FFFF;
        for offset in [0, 1, 0x1FF_FFFF, 0x200_0000, last] {
            for attributes in [0, 0x0300 << 48, 0x7F << 48] {
                assert_eq!(
                    tpb_of(SocAddr((base + offset) | attributes)),
                    Some((core(number), offset))
                );
            }
        }
        assert_eq!(tpb_of(SocAddr(base + last + 1)), None);
        assert_eq!(tpb_of(SocAddr(base - 1)), None, "core {number}");
        for (offset, inside) in [(0x1FF_FFFF, true), (0x200_0000, false)] {
            assert_eq!(is_sbuf(SocAddr(base + offset), Generation::V3), inside);
        }
        for (offset, inside) in [(0x7FF_FFFF, true), (0x800_0000, false)] {
            assert_eq!(is_sbuf(SocAddr(base + offset), Generation::V5), inside);
        }
    }
    assert_eq!(tpb_of(SocAddr(0x40_2000_0000_0000)), None);
    assert_eq!(tpb_of(SocAddr(0x80_2000_0000)), None);
}

/// [soc-address §2.5, MC-10], [decisions D-13]
#[test]
fn sbuf_coordinates() {
    for (generation, stride, valid) in [
        (Generation::V2, 0x4_0000, 0x3_0000),
        (Generation::V3, 0x4_0000, 0x3_8000),
        (Generation::V4, 0x4_0000, 0x4_0000),
        (Generation::V4Plus, 0x4_0000, 0x4_0000),
        (Generation::V5, 0x10_0000, 0x10_0000),
    ] {
        for partition in [0_u8, 1, 127] {
            for byte in [0, valid - 1, valid, stride - 1] {
                if byte >= stride {
                    continue;
                }
                let address = sbuf(core(6), u64::from(partition) * stride + byte);
                let found = sbuf_byte(address, generation).expect("inside the window");
                assert_eq!(found.core, core(6));
                assert_eq!((found.partition, u64::from(found.byte)), (partition, byte));
                assert_eq!(found.hole, byte >= valid, "{generation} {byte:#x}");
            }
        }
        assert_eq!(sbuf_byte(sbuf(core(6), 128 * stride), generation), None);
    }
}

/// [soc-address MC-11]
#[test]
fn instruction_addresses() {
    for (found, expected) in [
        (0, Ok(0x60_0000_0000)),
        (0x1FF_FFFF, Ok(0x60_01FF_FFFF)),
        (0x200_0000, Ok(0x68_0200_0000)),
        (0x23F_FFFF, Ok(0x68_023F_FFFF)),
        (
            0x240_0000,
            Err(InstructionAddressError::PsumBits { found: 0x240_0000 }),
        ),
        (
            0x300_0000,
            Err(InstructionAddressError::PsumBits { found: 0x300_0000 }),
        ),
        (
            0x400_0000,
            Err(InstructionAddressError::HighBits { found: 0x400_0000 }),
        ),
        (
            0x8000_0000,
            Err(InstructionAddressError::HighBits { found: 0x8000_0000 }),
        ),
    ] {
        assert_eq!(
            instruction_address(core(2), found),
            expected.map(SocAddr),
            "{found:#x}"
        );
    }
}

/// [soc-address §2.14, MC-15]
#[test]
fn private_data_ram() {
    let q7 = |n| Q7Core::new(n).expect("below 8");
    assert_eq!(
        q7_data_ram(core(0), q7(0), 0x8_0000),
        Ok(SocAddr(0x28_0318_0000))
    );
    assert_eq!(
        q7_data_ram(core(4), q7(7), 0x8_FFFF),
        Ok(SocAddr(0x8028_0388_FFFF))
    );
    assert!(q7_data_ram(core(0), q7(0), 0x7_FFFF).is_err());
    assert!(q7_data_ram(core(0), q7(0), 0x9_0000).is_err());
}

#[test]
fn locate_finds_first_and_last_byte_of_each_region_and_nothing_beyond() {
    for number in 0..CoreId::PER_CHIP {
        let core = core(number);
        for (region, first, last) in [
            (TpbRegion::Sbuf, sbuf(core, 0), sbuf(core, 0x1FF_FFFF)),
            (TpbRegion::EvtSem, evt_sem(core, 0), evt_sem(core, 0xF_FFFF)),
            (
                TpbRegion::LocalReg,
                local_reg(core, 0),
                local_reg(core, 0xFFFF),
            ),
        ] {
            for (address, offset) in [(first, 0), (last, last.0 - first.0)] {
                let found = locate(address, Generation::V3).expect("inside");
                assert_eq!(
                    (found.core, found.region, found.offset),
                    (core, region, offset)
                );
            }
            let after = locate(SocAddr(last.0 + 1), Generation::V3);
            assert!(
                after.is_none_or(|place| place.region != region),
                "{region:?}"
            );
        }
    }
    assert_eq!(locate(SocAddr(0), Generation::V3), None);
    assert_eq!(locate(SocAddr(u64::MAX), Generation::V3), None);
    assert_eq!(locate(SocAddr(0x52_0020_0000_0000), Generation::V3), None);
    let last = sbuf(core(0), 0x7FF_FFFF);
    assert_eq!(locate(last, Generation::V4), None);
    assert_eq!(
        locate(last, Generation::V5).map(|place| place.region),
        Some(TpbRegion::Sbuf)
    );
    assert_eq!(locate(SocAddr(last.0 + 1), Generation::V5), None);
}

/// [soc-address §2.7], [evt-sem §1.4]
#[test]
fn top_sps() {
    for k in TopSpId::all() {
        let n = u64::from(k.number());
        let expected = (n / 10) << 47 | (0x82_8000_0000 + n % 10 * 0x4000_0000);
        assert_eq!(top_sp_base(k), SocAddr(expected));
    }
    for (rt, hardware) in (0..8).zip(0..8).chain((8..16).zip(10..18)) {
        let rt = TopSpRuntimeId::new(rt).expect("below 16");
        assert_eq!(top_sp_of_runtime(rt).number(), hardware);
    }
    assert_eq!(top_sps_of(core(7)).map(TopSpRuntimeId::number), [14, 15]);
    assert_eq!(
        peb_alias(SocAddr(0x82_8000_1000)),
        SocAddr(0x0020_0082_8000_1000)
    );
    assert_eq!(TopSpId::new(20).map_err(|e| e.last), Err(19));

    assert_eq!(sunda_tpb_base(1), Ok(SocAddr(0xFFF_C400_0000)));
    assert!(sunda_tpb_base(2).is_err());
    assert_eq!(sunda_top_sp_base(5), Ok(SocAddr(0xFFF_D140_0000)));
    assert!(sunda_top_sp_base(6).is_err());
}

/// [evt-sem §1.4], [decisions D-20]
#[test]
fn event_accelerators() {
    let both = |generation, die| {
        (
            evt_accel(EvtAccel::Clr, die, generation).map(|a| a.0),
            evt_accel(EvtAccel::Set, die, generation).map(|a| a.0),
        )
    };
    assert_eq!(
        both(Generation::V3, Die::Zero),
        (Ok(0x90_0000_0000), Ok(0x90_0000_0004))
    );
    for v4 in [Generation::V4, Generation::V4Plus] {
        assert_eq!(
            both(v4, Die::One),
            (Ok(0x8090_0000_0000), Ok(0x8094_0000_0000))
        );
    }
    assert_eq!(
        both(Generation::V2, Die::Zero),
        (Ok(0x20_0000_0000), Ok(0x20_0000_0004))
    );
    let no_die = OutOfRange {
        what: "die",
        found: 1,
        last: 0,
    };
    assert_eq!(both(Generation::V2, Die::One), (Err(no_die), Err(no_die)));
}

/// [soc-address §2.8]
#[test]
fn dma_engines() {
    let engine = |n| SdmaEngine::new(n).expect("below 132");
    let queue = |n| QueueId::new(n).expect("below 16");
    for (e, base) in [
        (0, 0x10_0200_0000),
        (31, 0x10_03F0_0000),
        (32, 0x50_0400_0000),
        (63, 0x50_05F0_0000),
        (64, 0x8010_0200_0000),
        (96, 0x8050_0400_0000),
        (127, 0x8050_05F0_0000),
        (128, 0x80_0680_0000),
        (129, 0x80_0690_0000),
        (130, 0x8080_0680_0000),
        (131, 0x8080_0690_0000),
    ] {
        assert_eq!(sdma_base(engine(e)), SocAddr(base), "engine {e}");
        assert_eq!(u64::from(engine_die(engine(e)).number()), base >> 47);
    }
    assert!(SdmaEngine::new(132).is_err());
    // The S2M twin of Ex 9. [idma-ring §2.1]
    assert_eq!(
        doorbell(engine(5), Udma::S2m, queue(5)),
        SocAddr(0x10_0252_6038)
    );
    assert_eq!(
        queue_base(engine(0), Udma::M2s, queue(0)),
        SocAddr(0x10_0200_1000)
    );
    for e in [0, 31, 32, 127, 128, 131] {
        for udma in [Udma::M2s, Udma::S2m] {
            for q in [0, 7, 15] {
                let address = doorbell(engine(e), udma, queue(q));
                assert_eq!(doorbell_of(address), Some((engine(e), udma, queue(q))));
                assert_eq!(doorbell_of(SocAddr(address.0 + 4)), None);
            }
        }
    }
    for n in 0..8 {
        for i in 0..16 {
            let e = core_engine(core(n), i).expect("below 16");
            assert_eq!(e.number(), 16 * n + i);
            let expected = SengineId::new(n / 2).expect("below 4");
            assert_eq!(sengine_channel(e), Some((expected, n % 2 * 16 + i)));
            assert_eq!(exit_of_engine(e).number(), e.number() / 32);
        }
        assert!(core_engine(core(n), 16).is_err());
    }
    assert_eq!(sengine_channel(engine(128)), None);
    assert_eq!(exit_of_engine(engine(131)).number(), 2);
}

/// [soc-address §§1.6, 2.9]
#[test]
fn host_windows() {
    for (bar, soc) in [
        (0, 0x80_0000_0000),
        (0x1FFF_FFFF, 0x80_1FFF_FFFF),
        (0x4000_0000, 0x8080_0000_0000),
        (0x8000_0000, 0x10_0000_0000),
        (0x8C7F_FFFF, 0x10_0C7F_FFFF),
        (0x9000_0000, 0x50_0000_0000),
        (0xB000_0000, 0x8050_0000_0000),
        (0xD000_0000, 0x20_0000_0000),
        (0xD1FF_FFFF, 0x20_01FF_FFFF),
        (0xD200_0000, 0x28_0200_0000),
        (0xD270_0000, 0x28_0270_0000),
        (0xEC00_0000 + 0x270_1830, 0x8078_0270_1830),
        (0xF000_0000, 0x82_8000_0000),
        (0xF280_0000, 0x8082_8000_0000),
        (0xF4FF_FFFF, 0x8084_C03F_FFFF),
    ] {
        assert_eq!(bar0_to_soc(bar), Some(SocAddr(soc)), "{bar:#x}");
        assert_eq!(soc_to_bar0(SocAddr(soc)), Some(bar), "{soc:#x}");
    }
    for bar in [0x2000_0000, 0x8C80_0000, 0xC000_0000, 0xF500_0000, 1 << 40] {
        assert_eq!(bar0_to_soc(bar), None, "{bar:#x}");
    }
    // The second half of a slot is not the cluster pseudo-base.
    assert_eq!(soc_to_bar0(SocAddr(0x28_0000_0000)), None);

    assert_eq!(bar4_to_soc(0x30_0000_0001), Some(SocAddr(0x8040_0000_0001)));
    assert_eq!(bar4_to_soc(0x3F_FFFF_FFFF), Some(SocAddr(0x804F_FFFF_FFFF)));
    assert_eq!(bar4_to_soc(0x40_0000_0000), None);
    assert_eq!(bar4_to_soc(u64::MAX), None);
    assert_eq!(soc_to_bar4(SocAddr(0x8040_0000_0001)), Some(0x30_0000_0001));
    assert_eq!(soc_to_bar4(SocAddr(0x10_0000_0000)), None);

    assert_eq!(host_memory(0x1234, Die::Zero), SocAddr(0x4000_0000_1234));
    assert_eq!(host_memory(0x1234, Die::One), SocAddr(0xC000_0000_1234));
    for n in SengineId::all() {
        let expected = 0x0010_0000_0000_0000 + u64::from(n.number()) * 0x0004_0000_0000_0000;
        assert_eq!(attached_chip(n), SocAddr(expected));
    }
    assert_eq!(pcie_m0(Die::Zero), SocAddr(0x0020_4000_0000_0000));
    assert_eq!(pcie_m0(Die::One), SocAddr(0x0020_C000_0000_0000));
    for (address, expected) in [
        (0xF_FFFF_FFFF, Some((0, true))),
        (0x5_FFFF_FFFF, Some((0, false))),
        (0x10_0000_0000, None),
        (0x8040_0000_0000, Some((3, false))),
        (0x4000_0000_0000, None),
    ] {
        let found = hbm_of(SocAddr(address), Generation::V3).map(|b| (b.hbm.number(), b.hole));
        assert_eq!(found, expected, "{address:#x}");
    }
}

/// [soc-address §2.10]
#[test]
fn counts_per_generation() {
    let v3 = counts(Generation::V3);
    assert_eq!(v3, counts(Generation::V4));
    assert_eq!(v3, counts(Generation::V4Plus));
    assert_eq!(
        [v3.dies, v3.sengines_per_die, v3.sengines],
        [Some(2), Some(2), Some(4)]
    );
    assert_eq!(
        [v3.cores_per_sengine, v3.cores_per_die, v3.cores],
        [Some(2), Some(4), Some(8)]
    );
    assert_eq!([v3.top_sps, v3.top_sps_used], [Some(20), Some(16)]);
    let v2 = counts(Generation::V2);
    assert_eq!(
        [v2.dies, v2.sengines_per_die, v2.sengines],
        [Some(1), Some(2), Some(2)]
    );
    assert_eq!(
        [v2.cores_per_sengine, v2.cores_per_die, v2.cores],
        [Some(1), Some(2), Some(2)]
    );
    assert_eq!([v2.top_sps, v2.top_sps_used], [Some(6), Some(6)]);
    for counts in [v2, v3] {
        assert_eq!(counts.dma_engines_per_core, Some(16));
        assert_eq!(counts.engines_per_core, Some(5));
        assert_eq!(counts.q7_cores, 8);
    }
    assert_eq!((v2.tpb_size, v3.tpb_size), (64 << 20, 0x8_0400_0000));
    let v5 = counts(Generation::V5);
    assert_eq!(
        (v5.dies, v5.cores, v5.q7_cores, v5.tpb_size),
        (None, None, 8, 256 << 30)
    );
}

/// [soc-address §2.11, MC-12], [decisions D-27]
#[test]
fn classification_of_every_engine() {
    let engines = [
        (EngineIndex::Pe, 0x8_0260_0000, 0),
        (EngineIndex::Act, 0x8_0240_0000, 1),
        (EngineIndex::Pool, 0x8_0300_0000, 2),
        (EngineIndex::Dve, 0x8_02B0_0000, 3),
        (EngineIndex::TpbSp, 0x8_0280_0000, 4),
    ];
    for (number, base) in (0..8_u32).zip(TPB_BASES) {
        for (engine, offset, index) in engines {
            for attributes in [0, 0x0380 << 48] {
                let found = classify(SocAddr((base + offset) | attributes), SocAddr(base))
                    .expect("an engine");
                assert_eq!(
                    (found.engine, found.is_tpb, found.is_die_0),
                    (engine, true, number < 4)
                );
                assert_eq!(
                    classify_outputs(SocAddr(base + offset), SocAddr(base)),
                    (0, Some(found))
                );
                assert_eq!(found.packed(), 1 << 16 | u32::from(number < 4) << 8 | index);
            }
        }
        // The base is known, the engine is not.
        for offset in [0_u64, 0x8_0270_0000, 0x8_0300_0001] {
            let error = classify(SocAddr(base + offset), SocAddr(base));
            assert_eq!(error.map_err(ClassifyError::line), Err(257));
            assert_eq!(
                classify_outputs(SocAddr(base + offset), SocAddr(base)),
                (257, None)
            );
        }
        // The TPB of the other die does not count.
        let other = base ^ 1 << 47;
        let error = classify(SocAddr(base + 0x8_0300_0000), SocAddr(other));
        assert_eq!(error.map_err(ClassifyError::line), Err(223));
    }
    for k in TopSpId::all() {
        for offset in [0, 0x20_0000] {
            let address = SocAddr(top_sp_base(k).0 + offset);
            let found = classify(address, SocAddr(0)).expect("a TOP_SP");
            assert_eq!(
                (found.engine, found.is_tpb, found.is_die_0),
                (EngineIndex::TopSp, false, k.number() < 10)
            );
            assert_eq!(found.packed(), u32::from(k.number() < 10) << 8 | 5);
        }
        for offset in [4, 0x10_0000, 0x20_0004] {
            let address = SocAddr(top_sp_base(k).0 + offset);
            let error = classify(address, SocAddr(0));
            assert_eq!(error.map_err(ClassifyError::line), Err(223));
        }
    }
    for beyond in [0x85_0000_0000, 0x82_4000_0000] {
        let error = classify(SocAddr(beyond), SocAddr(0x1000));
        assert_eq!(error.map_err(ClassifyError::line), Err(223));
    }
    for not_a_tpb in [0x10_0000_0000_u64, 0x28_0000_0000, 0x4020_0000_0000] {
        let error = classify(SocAddr(0x28_0300_0000), SocAddr(not_a_tpb));
        assert_eq!(error.map_err(ClassifyError::line), Err(223));
    }
}

/// [soc-address §§2.12, 2.13]
#[test]
fn cores_and_peers() {
    let truth = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];
    for n in 0..8_u8 {
        let c = core(n);
        assert_eq!(sengine_of(c).number(), n >> 1);
        assert_eq!(die_of(c).number(), n >> 2);
        assert_eq!(tpb_in_sengine(c), n & 1);
        assert_eq!(sengine_in_die(sengine_of(c)), n >> 1 & 1);
        for code in PeerCode::ALL {
            let expected = truth[usize::from(n >> 1)][usize::from(code.number())];
            assert_eq!(peer(c, code).number(), expected);
            assert_eq!(pod_peer(c, code), expected + 8);
            let twice = sengine_peer(sengine_peer(sengine_of(c), code), code);
            assert_eq!(twice, sengine_of(c));
        }
        assert_eq!(lnc2_partner(c).number(), n ^ 1);
        assert_eq!(sengine_of(lnc2_partner(c)), sengine_of(c));
        for (size, first) in [
            (LncSize::One, n),
            (LncSize::Two, n & !1),
            (LncSize::Four, n & !3),
            (LncSize::Eight, 0),
        ] {
            let group: Vec<u8> = lnc_group(c, size).map(CoreId::number).collect();
            let expected: Vec<u8> = (first..first + size.cores()).collect();
            assert_eq!(group, expected);
        }
    }
    for h in HbmId::all() {
        assert_eq!(hbm_remote_v(h).number(), h.number() ^ 1);
    }
    for (value, neighbor) in (0..).zip(Neighbor::ALL) {
        assert_eq!(Neighbor::try_from(value), Ok(neighbor));
    }
    assert!(Neighbor::try_from(9).is_err());
    assert!(PeerCode::new(4).is_err());
}

/// [soc-address §2.12]
#[test]
fn logical_cores_of_the_driver() {
    let rows: [(&[u8], [u8; 8]); 4] = [
        (&[0, 2, 8, 10], [4, 5, 6, 7, 2, 3, 0, 1]),
        (&[1, 3, 9, 11], [2, 3, 0, 1, 4, 5, 6, 7]),
        (&[4, 6, 12, 14], [0, 1, 2, 3, 6, 7, 4, 5]),
        (&[5, 7, 13, 15], [6, 7, 4, 5, 0, 1, 2, 3]),
    ];
    let mut devices = 0;
    for (group, row) in rows {
        for device in group {
            for logical in 0..8_u8 {
                let straight = physical_core(*device, logical, false).expect("exists");
                assert_eq!(straight.number(), row[usize::from(logical)]);
                let flipped = physical_core(*device, logical, true).expect("exists");
                assert_eq!(flipped.number(), row[usize::from(logical ^ 6)]);
                for flip in [false, true] {
                    let there = physical_core(*device, logical, flip).expect("exists");
                    assert_eq!(logical_core(*device, there, flip), Ok(logical));
                }
            }
            devices += 1;
        }
    }
    assert_eq!(devices, 16);
    assert!(physical_core(16, 0, false).is_err());
    assert!(physical_core(0, 8, false).is_err());
    assert!(physical_core(0, 8, true).is_err());
    assert!(logical_core(16, core(0), false).is_err());
}

proptest! {
    /// Every semaphore word is where the map's path says. [evt-sem §1.2]
    #[test]
    fn semaphore_addresses(n in 0_u8..8, op in 0_usize..5, index in any::<u8>()) {
        let op = SemaOp::ALL[op];
        let window = [0, 0x1000, 0x1400, 0x1800, 0x1C00][usize::from(op as u8)];
        let expected = TPB_BASES[usize::from(n)] + 0x8_0270_0000 + window + 4 * u64::from(index);
        prop_assert_eq!(sema_addr(core(n), op, index), SocAddr(expected));
    }

    /// A window of the host leads to the same byte in both directions.
    #[test]
    fn bar0_goes_both_ways(offset in 0_u64..0xF500_0000) {
        if let Some(soc) = bar0_to_soc(offset) {
            prop_assert_eq!(soc_to_bar0(soc), Some(offset));
        }
    }
}
