// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The aperture map against the tables of the specification, and its own consistency.
//! [soc-address §§2.2–2.8]

use pool_model::generation::Generation;
use pool_model::soc::bulk::{BulkDecoder, Decoded};
use pool_model::soc::map::code::RegionCode;
use pool_model::soc::map::lookup::{Block, Hole, Plane, Target, lookup, target};
use pool_model::soc::map::path;
use pool_model::soc::map::region::{Between, Region};
use pool_model::soc::route::Origin;
use pool_model::soc::{ChipId, DecodeInputs, Die, SocAddr, Viewed, decode};
use proptest::prelude::*;

/// The root apertures of die 0 as [soc-address §2.2] lists them: base, size, die 0, die 1.
const ROOTS: &str = "\
0x00_0000_0000 0x10_0000_0000 HBM_0 HBM_2
0x10_0000_0000 0xC80_0000 APB_SE_0 APB_SE_2
0x12_0000_0000 0x4000_0000 PREPROC_0 PREPROC_2
0x20_0000_0000 0x8_0400_0000 TPB_0 TPB_4
0x30_0000_0000 0x8_0400_0000 TPB_1 TPB_5
0x40_0000_0000 0x10_0000_0000 HBM_1 HBM_3
0x50_0000_0000 0xC80_0000 APB_SE_1 APB_SE_3
0x52_0000_0000 0x4000_0000 PREPROC_1 PREPROC_3
0x60_0000_0000 0x8_0400_0000 TPB_2 TPB_6
0x70_0000_0000 0x8_0400_0000 TPB_3 TPB_7
0x80_0000_0000 0x2000_0000 APB_IO_0 APB_IO_1
0x82_8000_0000 0x40_0000 TOP_SP_0 TOP_SP_10
0x82_C000_0000 0x40_0000 TOP_SP_1 TOP_SP_11
0x83_0000_0000 0x40_0000 TOP_SP_2 TOP_SP_12
0x83_4000_0000 0x40_0000 TOP_SP_3 TOP_SP_13
0x83_8000_0000 0x40_0000 TOP_SP_4 TOP_SP_14
0x83_C000_0000 0x40_0000 TOP_SP_5 TOP_SP_15
0x84_0000_0000 0x40_0000 TOP_SP_6 TOP_SP_16
0x84_4000_0000 0x40_0000 TOP_SP_7 TOP_SP_17
0x84_8000_0000 0x40_0000 TOP_SP_8 TOP_SP_18
0x84_C000_0000 0x40_0000 TOP_SP_9 TOP_SP_19
0x85_8000_0000 0x2000 INTC_0 INTC_1
0x85_8010_0000 0x10_0000 HOST_MSIX_DOORBELL_0 HOST_MSIX_DOORBELL_1
0x85_8020_0000 0x10_0000 RDM_0 RDM_1
0x90_0000_0000 0x4 EVT_ACCEL_CLR_0 EVT_ACCEL_CLR_1
0x90_0000_0004 0x4 EVT_ACCEL_SET_0 EVT_ACCEL_SET_1
0x4000_0000_0000 0x4000_0000_0000 PCIE_A0_0 PCIE_A0_1
";

/// Parts of a TPB as [soc-address §2.3] lists them; `-` is reserved.
const TPB: &str = "\
0x0_0000_0000 0x200_0000 STATE_BUF
0x0_0200_0000 0x200_0000 -
0x0_0400_0000 0x200_0000 STATE_BUF_SCRATCH_RAM
0x0_0600_0000 0x3A00_0000 -
0x0_4000_0000 0x4000_0000 DGE_MEMORY
0x0_8000_0000 0x7_8000_0000 -
0x8_0000_0000 0x200_0000 RESERVED_SBUF
0x8_0200_0000 0x40_0000 PSUM_BUF
0x8_0240_0000 0x20_0000 ACT
0x8_0260_0000 0x10_0000 PE
0x8_0270_0000 0x10_0000 EVT_SEM
0x8_0280_0000 0x10_0000 SP
0x8_0290_0000 0x20_0000 -
0x8_02B0_0000 0x50_0000 DVE
0x8_0300_0000 0x8C_0000 POOL
0x8_038C_0000 0x74_0000 -
";

/// Parts of POOL and of its LOCAL_REG as [soc-address §2.4] lists them, v3.
const POOL: &str = "\
0x00_0000 0x8000 POOL_IRAM
0x02_0000 0x2_0000 NX_IRAM
0x04_0000 0x1_0000 NX_DRAM
0x06_0000 0x1_0000 LOCAL_REG
0x07_0000 0x1000 PROFILE_CAM
0x07_1000 0x2000 PROFILE_TABLE
0x10_0000 0x2_0000 Q7_CORE_0.IRAM
0x18_0000 0x4_0000 Q7_CORE_0.DRAM
0x40_0000 0x2_0000 Q7_CORE_3.IRAM
0x80_0000 0x2_0000 Q7_CORE_7.IRAM
0x88_0000 0x4_0000 Q7_CORE_7.DRAM
0x06_1000 0x780 LOCAL_REG.GENERAL
0x06_2000 0x460 LOCAL_REG.WINDOW
0x06_3000 0x1000 LOCAL_REG.Q7
0x06_5000 0x400 LOCAL_REG.TENSOR_REPLACE
0x06_7000 0x1000 LOCAL_REG.EVT_SEM_CONTROL
0x06_A000 0x100 LOCAL_REG.REGISTER_FILE
0x06_B000 0x4 LOCAL_REG.TOKEN
";

/// Leaves of EVT_SEM as [evt-sem §1.1] lists them.
const EVT_SEM: &str = "\
0x0_0000 0x400 EVENT
0x0_0400 0xC00 RESERVED_0
0x0_1000 0x400 SEMAPHORE_READ
0x0_1400 0x400 SEMAPHORE_SET
0x0_1800 0x400 SEMAPHORE_INC
0x0_1C00 0x400 SEMAPHORE_DEC
0x0_2000 0xF_E000 RESERVED_1
";

/// Parts of a DMA engine as [soc-address §2.8] lists them.
const SDMA: &str = "\
0x0_0000 0x2_0000 M2S
0x2_0000 0x1_8000 S2M
0x3_8000 0x4000 GEN
0x3_C000 0x4000 GEN_EX
0x4_0000 0x1000 MISC
0x0_1000 0x1_0000 M2S.QUEUE
0x2_1000 0x1_0000 S2M.QUEUE
";

/// Parts of a TOP_SP as [soc-address §2.7] lists them.
const TOP_SP: &str = "\
0x00_0000 0x10_0000 EVT_SEM
0x10_0000 0x10_0000 RAM
0x20_0000 0x10_0000 TPB_SP
0x30_0000 0x10_0000 -
";

fn hex(text: &str) -> u64 {
    let digits = text.trim_start_matches("0x").replace('_', "");
    u64::from_str_radix(&digits, 16).unwrap_or_else(|_| panic!("{text} is hexadecimal"))
}

fn rows(table: &str) -> impl Iterator<Item = (u64, u64, Vec<&str>)> {
    table.lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (hex(words[0]), hex(words[1]), words[2..].to_vec())
    })
}

fn find(address: u64, generation: Generation) -> Target {
    target(Viewed::recover(SocAddr(address), true), generation).expect("a legal address")
}

/// Path of the regions around an address; a gap is written `-`.
fn path_at(address: u64, generation: Generation) -> String {
    match find(address, generation) {
        Target::Region(location) => location.path(),
        Target::Reserved(gap) => gap
            .inside
            .map_or_else(|| "-".to_owned(), |inside| format!("{}.-", inside.path())),
    }
}

fn is_or_is_inside(path: &str, region: &str) -> bool {
    path == region || path.starts_with(&format!("{region}."))
}

/// First and last byte are in the region, the bytes around it are not.
fn check_extent(base: u64, size: u64, region: &str, generation: Generation) {
    for inside in [base, base + size - 1] {
        let path = path_at(inside, generation);
        assert!(
            is_or_is_inside(&path, region),
            "{inside:#x} is in {path}, not in {region}"
        );
    }
    for outside in [base.wrapping_sub(1), base + size] {
        if outside < 1 << 48 {
            let path = path_at(outside, generation);
            assert!(
                !is_or_is_inside(&path, region),
                "{outside:#x} is in {region}"
            );
        }
    }
    // The base is where the name leads.
    assert_eq!(path::parse(region, generation), Ok(SocAddr(base)));
}

#[test]
fn root_apertures_have_their_places_on_both_dies() {
    let mut checked = 0;
    for (base, size, names) in rows(ROOTS) {
        for (die, name) in (0..).zip(names) {
            for generation in [Generation::V3, Generation::V4, Generation::V4Plus] {
                check_extent(base | die << 47, size, name, generation);
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 54);
}

#[test]
fn parts_of_every_container_have_their_places() {
    let tpbs = [0x20_u64, 0x30, 0x60, 0x70, 0x8020, 0x8030, 0x8060, 0x8070];
    for (n, tpb) in (0..).zip(tpbs.map(|base| base << 32)) {
        let mut end = tpb;
        for (offset, size, name) in rows(TPB) {
            assert_eq!(tpb + offset, end, "the table tiles the TPB");
            end += size;
            if name[0] == "-" {
                for byte in [tpb + offset, end - 1] {
                    assert_eq!(
                        path_at(byte, Generation::V3),
                        format!("TPB_{n}.-"),
                        "{byte:#x}"
                    );
                }
            } else {
                check_extent(
                    tpb + offset,
                    size,
                    &format!("TPB_{n}.{}", name[0]),
                    Generation::V3,
                );
            }
        }
        assert_eq!(end, tpb + 0x8_0400_0000);
        for (offset, size, name) in rows(POOL) {
            let name = format!("TPB_{n}.POOL.{}", name[0]);
            check_extent(tpb + 0x8_0300_0000 + offset, size, &name, Generation::V3);
        }
        for (offset, size, name) in rows(EVT_SEM) {
            let name = format!("TPB_{n}.EVT_SEM.{}", name[0]);
            check_extent(tpb + 0x8_0270_0000 + offset, size, &name, Generation::V3);
        }
        for (block, at) in [("ACT", 0x8_0240_0000), ("SP", 0x8_0280_0000)] {
            check_extent(
                tpb + at + 0x6_0000,
                0x1_0000,
                &format!("TPB_{n}.{block}.LOCAL_REG"),
                Generation::V3,
            );
        }
    }
    for k in 0..20_u64 {
        let base = (k / 10) << 47 | (0x82_8000_0000 + k % 10 * 0x4000_0000);
        for (plane, name) in [(0, "TOP_SP"), (1 << 53, "PEB_SP")] {
            for (offset, size, part) in rows(TOP_SP) {
                if part[0] == "-" {
                    assert_eq!(
                        path_at(plane | (base + offset), Generation::V3),
                        format!("{name}_{k}.-")
                    );
                    continue;
                }
                let region = format!("{name}_{k}.{}", part[0]);
                let at = plane | (base + offset);
                for inside in [at, at + size - 1] {
                    assert!(is_or_is_inside(&path_at(inside, Generation::V3), &region));
                }
                assert_eq!(path::parse(&region, Generation::V3), Ok(SocAddr(at)));
            }
        }
    }
}

#[test]
fn dma_engines_have_their_places() {
    for e in 0..128_u64 {
        let (sengine, channel) = (e / 32, e % 32);
        let base = (sengine >> 1) << 47
            | ((sengine & 1) << 38)
            | (1 << 36)
            | if sengine & 1 == 0 {
                0x200_0000
            } else {
                0x400_0000
            };
        let base = base + channel * 0x10_0000;
        let name = format!("APB_SE_{sengine}.SDMA_{channel}");
        for (offset, size, part) in rows(SDMA) {
            check_extent(
                base + offset,
                size,
                &format!("{name}.{}", part[0]),
                Generation::V3,
            );
        }
        assert_eq!(
            find(base, Generation::V3).block(),
            Block {
                code: RegionCode::SdmaM2s,
                instance: e as u8,
                offset: 0
            }
        );
        // The broadcast UDMAs are behind engines 0 and 16; behind the others there is only APB.
        let behind = path_at(base + 0x8_0000, Generation::V3);
        if channel == 0 || channel == 16 {
            assert_eq!(behind, format!("APB_SE_{sengine}.SDMA_BCAST_{channel}.M2S"));
        } else {
            assert_eq!(behind, format!("APB_SE_{sengine}"));
        }
    }
    for (local, name, number) in [
        (0x80_0680_0000_u64, "D2H", 128),
        (0x80_0690_0000, "H2D", 129),
    ] {
        for die in 0..2 {
            let base = local | die << 47;
            check_extent(
                base,
                0x8_0000,
                &format!("APB_IO_{die}.{name}"),
                Generation::V3,
            );
            assert_eq!(
                u64::from(find(base, Generation::V3).block().instance),
                number + 2 * die
            );
        }
    }
}

/// [soc-address §§2.3–2.5, 2.9], [decisions D-13, D-20, D-51]
#[test]
fn generations_differ_where_the_specification_says() {
    let v4 = [Generation::V4, Generation::V4Plus];
    for generation in Generation::ALL.into_iter().skip(1) {
        let dram = if v4.contains(&generation) {
            0x2_0000
        } else {
            0x1_0000
        };
        check_extent(0x28_0304_0000, dram, "TPB_0.POOL.NX_DRAM", generation);
        let atomic = path_at(0x28_0306_8800, generation);
        assert_eq!(
            atomic.ends_with(".ATOMIC_DEC"),
            generation >= Generation::V4,
            "{generation}: {atomic}"
        );
        let second_set = path_at(0x94_0000_0000, generation);
        assert_eq!(
            second_set != "-",
            v4.contains(&generation),
            "{generation}: {second_set}"
        );
        assert_eq!(path_at(0x90_0000_0004, generation), "EVT_ACCEL_SET_0");
        let populated = if v4.contains(&generation) {
            0x9_0000_0000
        } else {
            0x6_0000_0000
        };
        for (address, hole) in [(populated - 1, None), (populated, Some(Hole::Hbm))] {
            let found = find(address, generation);
            assert_eq!(found.location().expect("HBM_0").hole(), hole);
        }
    }
    let v5 = Generation::V5;
    check_extent(0x20_0000_0000, 0x800_0000, "TPB_0.STATE_BUF", v5);
    assert_eq!(path_at(0x20_0800_0000, v5), "TPB_0.-");
    assert_eq!(path_at(0x28_0200_0000, v5), "TPB_0.-", "no PSUM");
    // The stub of v5's own map does not count: v5 runs on the map of v3. [decisions D-13]
    check_extent(0x20_4000_0000, 0x4000_0000, "TPB_0.DGE_MEMORY", v5);
    // A part of a container without a name of its own belongs to the container.
    for (address, code) in [
        (0x28_0301_0000, RegionCode::Pool),
        (0x28_0314_0000, RegionCode::Pool),
        (0x10_0204_1FFF, RegionCode::SdmaNotific),
        (0x10_0204_2000, RegionCode::Sdma),
    ] {
        let found = find(address, Generation::V3);
        let block = found.block();
        assert_eq!((block.code, block.instance), (code, 0), "{address:#x}");
        assert_eq!(found.location().expect("no gap").hole(), None);
    }
    let found = find(0x20_0010_0001, v5);
    let byte = found.location().expect("SBUF");
    assert_eq!((byte.index(), byte.within()), (Some(1), 1));
}

/// [soc-address MC-10], [evt-sem MC-E4], [decisions D-51]
#[test]
fn holes_start_where_storage_ends() {
    for (generation, valid) in [
        (Generation::V3, 0x3_8000_u64),
        (Generation::V4, 0x4_0000),
        (Generation::V5, 0x10_0000),
    ] {
        let stride = if generation == Generation::V5 {
            0x10_0000
        } else {
            0x4_0000
        };
        for partition in [0, 1, 127] {
            for byte in [0, valid - 1, valid.min(stride - 1), stride - 1] {
                let found = find(0x20_0000_0000 + partition * stride + byte, generation);
                let expected = (byte >= valid).then_some(Hole::Sbuf);
                assert_eq!(found.location().expect("SBUF").hole(), expected);
            }
        }
    }
    for (address, hole) in [
        (0x28_0000_0000, Hole::ReservedSbuf),
        (0x28_0270_0400, Hole::EvtSem),
        (0x28_0270_2000, Hole::EvtSem),
        (0x82_8000_2000, Hole::EvtSem),
    ] {
        let found = find(address, Generation::V3);
        assert_eq!(found.location().expect("a region").hole(), Some(hole));
    }
}

/// [decisions D-31, D-51], [soc-address §1.6]
#[test]
fn gaps_and_planes() {
    let gap = |address| match find(address, Generation::V3) {
        Target::Reserved(gap) => gap,
        Target::Region(location) => panic!("{address:#x} is {location}"),
    };
    let second = gap(0x12_4000_0000);
    assert_eq!(
        (second.start, second.end),
        (0x12_4000_0000, 0x20_0000_0000),
        "RESERVED_0 of the map"
    );
    let behind_tpb = gap(0x28_0400_0000);
    assert_eq!(
        behind_tpb.end - behind_tpb.start,
        0x7_FC00_0000,
        "RESERVED_1 of the map"
    );
    let inside = gap(0x20_0200_0000);
    assert_eq!(inside.inside.expect("in TPB_0").path(), "TPB_0");
    assert_eq!((inside.start, inside.end), (0x20_0200_0000, 0x20_0400_0000));

    // Only APB_IO and TOP_SP have privileged aliases.
    for (address, path) in [
        (0x0020_0080_0000_0000, "PEB_APB_IO_0"),
        (0x0020_8082_8000_0000, "PEB_SP_10.EVT_SEM.EVENT"),
        (0x0020_0020_0000_0000, "-"),
        (0x0020_0000_0000_0000, "-"),
        (0x0020_4000_0000_0000, "PCIE_M0_0"),
        (0x0020_40FF_FFFF_FFFF, "PCIE_M0_0"),
        (0x0020_4100_0000_0000, "-"),
        (0x0020_C000_0000_0000, "PCIE_M0_1"),
        (0x0000_7FFF_FFFF_FFFF, "PCIE_A0_0"),
        (0x0000_C000_0000_0000, "PCIE_A0_1"),
        (0x0000_3FFF_FFFF_FFFF, "-"),
    ] {
        assert_eq!(path_at(address, Generation::V3), path, "{address:#x}");
    }
    // Other chips have the same map; attributes do not matter.
    assert_eq!(
        path_at(0x0352_8028_0270_1850, Generation::V3),
        "TPB_4.EVT_SEM.SEMAPHORE_INC"
    );
}

/// [soc-address §2.10], [evt-sem §1.4]
#[test]
fn the_few_known_places_of_v2() {
    for (address, path) in [
        (0xFFF_C000_0000, "TPB_0.STATE_BUF[0]"),
        (0xFFF_C600_0000, "TPB_1.PSUM_BUF[0]"),
        (0xFFF_C270_1830, "TPB_0.EVT_SEM.SEMAPHORE_INC[12]"),
        (0xFFF_D040_1818, "TOP_SP_1.EVT_SEM.SEMAPHORE_INC[6]"),
        (0x20_0000_0000, "EVT_ACCEL_CLR_0"),
        (0x20_0000_0004, "EVT_ACCEL_SET_0"),
    ] {
        let found = find(address, Generation::V2);
        assert_eq!(found.location().expect(path).to_string(), path);
        assert_eq!(path::parse(path, Generation::V2), Ok(SocAddr(address)));
    }
    assert_eq!(path_at(0x8FFF_C000_0000, Generation::V2), "-", "one die");
    assert_eq!(path_at(0xFFF_C800_0000, Generation::V2), "-", "two TPBs");
}

/// Children do not overlap, lie inside their containers, and fill those that the specification says are filled.
#[test]
fn tables_are_consistent() {
    fn check(regions: &'static [Region], size: u64, generation: Generation, path: &str) -> usize {
        let mut extents: Vec<(u64, u64, &str)> = regions
            .iter()
            .filter(|region| region.generations.contains(generation))
            .flat_map(|region| {
                (0..region.count()).map(|copy| {
                    let start = region.start(copy);
                    (start, start + region.size, region.name)
                })
            })
            .collect();
        extents.sort_unstable();
        for pair in extents.windows(2) {
            assert!(pair[0].1 <= pair[1].0, "{path}: {pair:?} overlap");
        }
        if let Some(last) = extents.last() {
            assert!(last.1 <= size, "{path}: {last:?} leaves its container");
        }
        if path.ends_with("EVT_SEM") {
            let filled: u64 = extents.iter().map(|(start, end, _)| end - start).sum();
            assert_eq!(filled, size, "{path} is tiled");
        }
        let inner = regions.iter().map(|region| {
            assert!(!region.about.is_empty(), "{}", region.name);
            assert!(
                region.between == Between::Container || !region.children.is_empty(),
                "{}",
                region.name
            );
            if let Some(elements) = region.elements {
                assert_eq!(
                    elements.stride * u64::from(elements.count),
                    region.size,
                    "{}",
                    region.name
                );
            }
            for register in region.registers {
                let room = region.elements.map_or(region.size, |e| e.stride);
                assert!(register.offset + 4 <= room, "{}", register.name);
            }
            check(
                region.children,
                region.size,
                generation,
                &format!("{path}.{}", region.name),
            )
        });
        extents.len() + inner.sum::<usize>()
    }
    for generation in Generation::ALL {
        for plane in [Plane::Main, Plane::Peb] {
            let regions = plane.regions(generation);
            let count = check(regions, 1 << 47, generation, "");
            assert!(count > 3 || regions.is_empty());
        }
    }
}

/// All named regions, with the start and the size of each copy.
fn all_regions(
    regions: &'static [Region],
    generation: Generation,
    base: u64,
    out: &mut Vec<(u64, u64)>,
) {
    for region in regions {
        if !region.generations.contains(generation) {
            continue;
        }
        for copy in 0..region.count() {
            let start = base + region.start(copy);
            out.push((start, region.size));
            all_regions(region.children, generation, start, out);
        }
    }
}

/// Every region of every generation: address → path → address, at its edges and at scattered offsets.
#[test]
fn paths_lead_back_to_their_addresses() {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut checked = 0;
    for generation in Generation::ALL {
        for plane in [Plane::Main, Plane::Peb] {
            let mut regions = Vec::new();
            all_regions(plane.regions(generation), generation, 0, &mut regions);
            for (start, size) in regions {
                for die in Die::ALL {
                    for step in 0..6 {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let offset = match step {
                            0 => 0,
                            1 => size - 1,
                            _ => (seed >> 16) % size,
                        };
                        let found = lookup(plane, die, start + offset, generation);
                        let Some(location) = found.location() else {
                            continue;
                        };
                        let text = location.to_string();
                        assert_eq!(
                            path::parse(&text, generation),
                            Ok(location.address()),
                            "{text}"
                        );
                        assert_eq!(location.address().0 & ((1 << 47) - 1), start + offset);
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > 50_000, "{checked}");
}

/// What single decode says, from its parts.
fn single(address: SocAddr, origin: Origin, generation: Generation, nbr_en: bool) -> Decoded {
    let found = decode(
        address,
        DecodeInputs {
            origin,
            nbr_en,
            generation,
            ..DecodeInputs::default()
        },
    );
    let block = found.block();
    Decoded {
        offset: block.offset,
        region: block.code,
        instance: block.instance,
        route: found.route,
    }
}

#[test]
fn bulk_is_single_at_every_boundary() {
    for generation in Generation::ALL {
        let origin = Origin {
            chip: ChipId::new(18).expect("below 64"),
            die: Die::One,
        };
        let decoder = BulkDecoder::new(origin, generation, true);
        for plane in [Plane::Main, Plane::Peb] {
            let mut regions = Vec::new();
            all_regions(plane.regions(generation), generation, 0, &mut regions);
            let planes: &[u64] = match plane {
                Plane::Main => &[0, 0x52 << 48, 0x58 << 48, 0x10 << 48, 0x45 << 48, 3 << 56],
                Plane::Peb => &[0x20 << 48],
            };
            let mut addresses = Vec::new();
            for (start, size) in regions {
                for edge in [start, start + size] {
                    for at in [edge.wrapping_sub(1), edge, edge + 5] {
                        for high in planes.iter().flat_map(|p| [*p, *p | 1 << 47]) {
                            addresses.push(SocAddr(at & ((1 << 47) - 1) | high));
                        }
                    }
                }
            }
            let mut out = vec![Decoded::EMPTY; addresses.len()];
            assert_eq!(decoder.decode(&addresses, &mut out), addresses.len());
            for (address, found) in addresses.iter().zip(out) {
                assert_eq!(
                    found,
                    single(*address, origin, generation, true),
                    "{address} on {generation}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn bulk_is_single(
        high in any::<u64>(),
        calm in 0_u8..4,
        granule in 0_u64..0x98,
        low in any::<u64>(),
        chip in 0_u8..64,
        die in any::<bool>(),
        nbr_en in any::<bool>(),
    ) {
        // Mostly legal high bits and apertures, sometimes anything.
        let high = match calm {
            0 => high,
            1 => high & !(0xFC80 << 48),
            2 => high & (0x8000 << 32),
            _ => high & (0x007F_C000 << 32),
        };
        let address = SocAddr(high & !((1 << 46) - 1) | granule << 32 | low & 0xFFFF_FFFF);
        let origin = Origin {
            chip: ChipId::new(chip).expect("below 64"),
            die: Die::from_bit(die),
        };
        for generation in [Generation::V3, Generation::V5] {
            let found = decoders(generation, origin, nbr_en).decode_one(address);
            prop_assert_eq!(found, single(address, origin, generation, nbr_en), "{}", address);
        }
    }
}

/// Building a decoder takes far longer than a case, so only the straps that the case has are rebuilt.
fn decoders(generation: Generation, origin: Origin, nbr_en: bool) -> BulkDecoder {
    thread_local! {
        static BASE: std::cell::RefCell<Vec<(Generation, BulkDecoder)>> =
            const { std::cell::RefCell::new(Vec::new()) };
    }
    BASE.with_borrow_mut(|known| {
        if !known.iter().any(|(g, _)| *g == generation) {
            known.push((
                generation,
                BulkDecoder::new(Origin::default(), generation, true),
            ));
        }
        known
            .iter()
            .find(|(g, _)| *g == generation)
            .map(|(_, decoder)| decoder.for_origin(origin, nbr_en))
            .expect("it was added above")
    })
}
