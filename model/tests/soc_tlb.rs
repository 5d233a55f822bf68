// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The software TLB and the fixed ranges of the cores against rules written here a second time.
//! [soc-address §§3.6, 3.7]

use pool_model::generation::Generation;
use pool_model::soc::nx_map::{NxRange, V2Window, V2Windows, nx_range};
use pool_model::soc::tlb::SoftwareTlb;
use pool_model::soc::{SocAddr, tpb_base};
use pool_model::transaction::CoreId;

/// [soc-address §3.6], [decisions D-28]
#[test]
fn software_tlb_replaces_in_turn_and_keeps_its_pins() {
    let core = CoreId::new(4).expect("below 8");
    let mut tlb = SoftwareTlb::v3(core, SocAddr(0x8_1234_5678));
    let sbuf = tpb_base(core).0;
    assert_eq!(tlb.tag(3), Some(sbuf));
    assert_eq!(tlb.tag(4), Some(0x8_1000_0000));
    // An empty record is no tag 0.
    assert_eq!(tlb.tag(0), None);
    assert_eq!(tlb.mapping_lookup(SocAddr(0)), None);
    let first = tlb.translate(SocAddr(0x42));
    assert_eq!(
        (first.nx, first.miss.map(|m| m.record)),
        (0x0700_0042, Some(0))
    );
    assert_eq!(
        tlb.mapping_lookup(SocAddr(0)),
        Some((0x0700_0000, 0x07FF_FFFF))
    );

    // Four regions in turn: always a miss, records 1, 2, 0, 1, …
    let mut replaced = Vec::new();
    for i in 0..8_u64 {
        let address = SocAddr(0x0052_8000_0000_0000 + (1 + i % 4) * 0x100_0000);
        replaced.push(tlb.translate(address).miss.expect("thrashing").record);
    }
    assert_eq!(replaced, [1, 2, 0, 1, 2, 0, 1, 2]);

    for (address, nx) in [
        (sbuf, 0x8000_0000_u32),
        (sbuf + 0x3FF_FFFF, 0x83FF_FFFF),
        (0x8_1000_0000, 0x8400_0000),
        (0x8_13FF_FFFF, 0x87FF_FFFF),
    ] {
        let found = tlb.translate(SocAddr(address));
        assert_eq!((found.nx, found.miss), (nx, None), "{address:#x}");
    }
    assert_eq!(
        tlb.mapping_lookup(SocAddr(sbuf + 5)),
        Some((0x8000_0000, 0x83FF_FFFF))
    );
    for address in [sbuf - 1, sbuf + 0x400_0000] {
        assert!(tlb.clone().translate(SocAddr(address)).miss.is_some());
    }
}

/// [soc-address §3.6]
#[test]
fn software_tlb_in_memory() {
    let engine = SocAddr(0xFFF_C290_0000);
    let mut tlb = SoftwareTlb::v2(engine, SocAddr(0x1234_5678));
    assert_eq!(tlb.tag(3), Some(0xFFF_C000_0000));
    tlb.translate(SocAddr(0x28_0201_2345));
    let bytes = tlb.to_bytes();
    assert_eq!(bytes.len(), 168);
    let u64_at = |o: usize| u64::from_le_bytes(bytes[o..o + 8].try_into().expect("eight bytes"));
    let u32_at = |o: usize| u32::from_le_bytes(bytes[o..o + 4].try_into().expect("four bytes"));
    assert_eq!(u64_at(0), 0x28_0200_0000);
    for (i, (base, mask, register)) in [
        (0x0700_0000, 0xFFFF_FFFF_FF00_0000, 0x10_0218),
        (0x0900_0000, 0xFFFF_FFFF_FF00_0000, 0x10_0228),
        (0x0A00_0000, 0xFFFF_FFFF_FF00_0000, 0x10_0230),
        (0x8000_0000, 0xFFFF_FFFF_FC00_0000, 0),
        (0x8400_0000, 0xFFFF_FFFF_FC00_0000, 0),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(u32_at(32 * i + 8), base);
        assert_eq!(u64_at(32 * i + 16), mask);
        assert_eq!(u32_at(32 * i + 24), register);
    }
    assert_ne!(u64_at(32), 0, "an empty record is not tag 0");
    assert_eq!(u64_at(96), 0xFFF_C000_0000);
    assert_eq!(u64_at(128), 0x1000_0000);
    assert_eq!(bytes[160], 1);
}

/// [soc-address §3.7, MC-19], [decisions D-29]
#[test]
fn ranges_of_the_cores() {
    for (address, v2, v3) in [
        (0, NxRange::InstructionRam, NxRange::InstructionRam),
        (0x7_FFFF, NxRange::InstructionRam, NxRange::InstructionRam),
        (0x8_0000, NxRange::DataRam, NxRange::DataRam),
        (0x8_FFFF, NxRange::DataRam, NxRange::DataRam),
        (0x9_0000, NxRange::Hole, NxRange::Windows),
        (0xF_FFFF, NxRange::Hole, NxRange::Windows),
        (0x10_0000, NxRange::V2Registers(0), NxRange::Windows),
        (0x10_083F, NxRange::V2Registers(0x83F), NxRange::Windows),
        (0x10_0840, NxRange::Windows, NxRange::Windows),
        (0x03FF_FFFF, NxRange::Windows, NxRange::Windows),
        (0x0400_0000, NxRange::Windows, NxRange::LocalReg(0)),
        (0x0400_FFFF, NxRange::Windows, NxRange::LocalReg(0xFFFF)),
        (0x0401_0000, NxRange::Windows, NxRange::Windows),
        (u32::MAX, NxRange::Windows, NxRange::Windows),
    ] {
        assert_eq!(nx_range(address, Generation::V2), v2, "{address:#x}");
        for generation in [Generation::V3, Generation::V4, Generation::V5] {
            assert_eq!(nx_range(address, generation), v3, "{address:#x}");
        }
    }
}

/// [soc-address §3.7]
#[test]
fn windows_of_v2() {
    assert_eq!(V2Window::all().count(), 11);
    let mut windows = V2Windows::default();
    // MEM_WINDOW3, 5 and 6 are where the software TLB's records are. [soc-address §3.6]
    for (i, register, nx) in [
        (3, 0x218, 0x0700_0000_u32),
        (5, 0x228, 0x0900_0000),
        (6, 0x230, 0x0A00_0000),
    ] {
        assert!(windows.write(register, 0x0200_0000));
        assert!(windows.write(register + 4, 0x28));
        assert_eq!(windows.base(V2Window::Mem(i)), SocAddr(0x28_0200_0000));
        for (offset, inside) in [(0, true), (0xFF_FFFF, true), (0x100_0000, false)] {
            let found = windows.translate(nx + offset);
            let expected = SocAddr(0x28_0200_0000 + u64::from(offset));
            assert_eq!(found == Some(expected), inside, "{i} {offset:#x}");
        }
    }
    assert!(windows.write(0x308, 0x0400_0000));
    assert_eq!(
        windows.translate(0x87FF_FFFF),
        Some(SocAddr(0x0400_0000 + 0x3FF_FFFF))
    );
    assert_eq!(windows.translate(0x8800_0000), None);
    assert_eq!(windows.translate(0), None);
    assert!(!windows.write(0x110, 0) && !windows.write(0x240, 0));
    assert!(!windows.dma_queue_init_ok());
    assert!(windows.write(0x200, 0xF000_0000));
    assert!(windows.dma_queue_init_ok());
}
