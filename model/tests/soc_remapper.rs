// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The fabric remapper against rules written here a second time, bit by bit. [soc-address §3.8]

use pool_model::soc::SocAddr;
use pool_model::soc::cam::{
    Cam, CamAccessError, CamEntry, Direction, ENTRIES, Instance, RemapForm, Remapper, Verdict,
    register,
};
use proptest::prelude::*;

/// One entry of the remapper as the test reads it from its six words. [soc-address §3.8]
fn cam_oracle(
    words: &[[u32; 6]],
    pass_on_miss: bool,
    address: u64,
    id: u16,
    write: bool,
    swap: Option<(u32, u32)>,
    literal: bool,
) -> Option<u64> {
    let bit = |word: u64, n: u32| word >> n & 1;
    'entry: for w in words {
        let cmp = u64::from(w[0]) | u64::from(w[1] & 0x03FF_FFFF) << 32;
        let dont_care = u64::from(w[2]) | u64::from(w[3] & 0x03FF_FFFF) << 32;
        let remap = u64::from(w[4]) | u64::from(w[5] & 0x3FFF) << 32;
        let flag = |n: u32| w[1] >> n & 1 == 1;
        if !flag(31) || !flag(28) && u32::from(id) != w[5] >> 16 & 0x3FF {
            continue;
        }
        for n in 0..58 {
            if bit(dont_care, n) == 0 && bit(cmp, n) != bit(address, n) {
                continue 'entry;
            }
        }
        if !flag(if write { 30 } else { 29 }) {
            return None;
        }
        let mut bits = [0; 58];
        for (n, out) in (0..).zip(&mut bits) {
            let kept = n >= 46 || !flag(26) || !literal && bit(dont_care, n) == 1;
            *out = if kept { bit(address, n) } else { bit(remap, n) };
        }
        if let (true, Some((a, b))) = (flag(27), swap) {
            bits.swap(a as usize, b as usize);
        }
        return Some((0..).zip(bits).map(|(n, bit)| bit << n).sum());
    }
    pass_on_miss.then_some(address & ((1 << 58) - 1))
}

fn cam_entry() -> impl Strategy<Value = (CamEntry, u8)> {
    (
        any::<[u64; 2]>(),
        any::<[u64; 2]>(),
        any::<u64>(),
        0_u16..4,
        any::<u8>(),
        0_u8..ENTRIES as u8,
    )
        .prop_map(|(cmp, mask, remap, id, flags, index)| {
            let entry = CamEntry {
                cmp_addr: cmp[0] & cmp[1] & ((1 << 58) - 1),
                cmp_mask: (mask[0] | mask[1] | 0xFFFF_FF00_FFFF) & ((1 << 58) - 1),
                remap_addr: remap & ((1 << 46) - 1),
                id,
                valid: flags & 3 != 0,
                wr_pass: flags & 4 != 0,
                rd_pass: flags & 8 != 0,
                id_cmp_dis: flags & 16 != 0,
                intlv_en: flags & 32 != 0,
                remap_en: flags & 64 != 0,
            };
            (entry, index)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn remapper_is_the_rule_bit_by_bit(
        entries in proptest::collection::vec(cam_entry(), 0..6),
        address in any::<[u64; 3]>(),
        id in 0_u16..4,
        (write, pass, literal) in any::<(bool, bool, bool)>(),
        (a, b) in (0_u32..58, 0_u32..58),
    ) {
        let form = if literal { RemapForm::Literal } else { RemapForm::Relocate };
        let mut cam = Cam::new(Instance::User, form);
        for (entry, index) in entries {
            for (word, value) in entry.write_words(index).into_iter().enumerate() {
                prop_assert_eq!(cam.write_buffer(word, value), Ok(()));
            }
            cam.select(u32::from(index));
            for (word, value) in entry.words().into_iter().enumerate() {
                prop_assert_eq!(cam.read_buffer(word), Ok(value), "read view of entry {}", index);
            }
        }
        let miss = if pass { 0x11 } else { 0 };
        prop_assert_eq!(cam.write_control(register::PASS_ON_MISS, miss), Ok(()));
        prop_assert_eq!(cam.write_control(register::INTERLEAVE_SWAP, a | b << 8), Ok(()));
        let words: Vec<[u32; 6]> = cam.entries().iter().map(CamEntry::words).collect();
        let address = address[0] & address[1] & address[2];
        let direction = if write { Direction::Write } else { Direction::Read };
        let found = match cam.decide(SocAddr(address), id, direction) {
            Verdict::Pass { address, .. } => Some(address.0),
            Verdict::Deny { .. } => None,
        };
        let expected = cam_oracle(&words, pass, address, id, write, Some((a, b)), literal);
        prop_assert_eq!(found, expected);
    }
}

/// [soc-address §3.8]
#[test]
fn remapper_registers() {
    let amzn = Cam::new(Instance::Amzn, RemapForm::default());
    let user = Cam::new(Instance::User, RemapForm::default());
    for (offset, of_amzn, of_user) in [
        (0x00, Some(0), Some(0x11)),
        (0x10, Some(0x22), None),
        (0x20, Some(0), None),
        (0x30, Some(0x8000_0000), None),
        (0x34, Some(0x8000_0000), None),
        (0x40, None, Some(0)),
        (0x60, Some(0), None),
        (0x64, Some(0), None),
        (0x04, None, None),
    ] {
        assert_eq!(amzn.read_control(offset).ok(), of_amzn, "{offset:#x}");
        assert_eq!(user.read_control(offset).ok(), of_user, "{offset:#x}");
    }
    assert!(amzn.entries().iter().all(|e| !e.valid && !e.id_cmp_dis));
    assert!(user.entries().iter().all(|e| !e.valid && e.id_cmp_dis));

    let mut cam = amzn;
    assert_eq!(
        cam.write_buffer(6, 0),
        Err(CamAccessError::UnknownWord { found: 6 })
    );
    assert_eq!(
        cam.write_buffer(5, 16 << 24),
        Err(CamAccessError::UnknownEntry { found: 16 })
    );
    assert_eq!(cam.write_buffer(5, 15 << 24), Ok(()));
    cam.select(127);
    assert_eq!(cam.read_buffer(0), Ok(0), "beyond the table");
    assert!(cam.read_buffer(6).is_err());
}

/// [soc-address §3.8, MC-25]
#[test]
fn remapper_in_series() {
    let mut remapper = Remapper::new(RemapForm::Relocate);
    let entry = CamEntry {
        cmp_addr: 0x20_0000_0000,
        cmp_mask: 0x1FF_FFFF,
        remap_addr: 0x30_0000_0000,
        valid: true,
        wr_pass: true,
        id_cmp_dis: true,
        remap_en: true,
        ..CamEntry::default()
    };
    let put = |cam: &mut Cam, index, entry: CamEntry| {
        for (word, value) in entry.write_words(index).into_iter().enumerate() {
            cam.write_buffer(word, value).expect("an existing entry");
        }
    };
    // Entry 3 loses to entry 2.
    put(&mut remapper.amzn, 3, entry);
    put(
        &mut remapper.amzn,
        2,
        CamEntry {
            remap_addr: 0x60_0000_0000,
            ..entry
        },
    );
    put(
        &mut remapper.user,
        0,
        CamEntry {
            cmp_addr: 0x60_0000_0000,
            remap_addr: 0x70_0000_0000,
            ..entry
        },
    );
    let address = SocAddr(0x20_0000_1234);
    assert_eq!(
        remapper.access(address, 0, Direction::Write),
        Verdict::Pass {
            address: SocAddr(0x70_0000_1234),
            entry: Some(0)
        }
    );
    // Reads are not allowed by the entry; the address is kept.
    assert_eq!(
        remapper.access(address, 0, Direction::Read),
        Verdict::Deny { entry: Some(2) }
    );
    assert_eq!(remapper.amzn.read_control(register::DENIED_LO), Ok(0x1234));
    assert_eq!(remapper.amzn.read_control(register::DENIED_HI), Ok(0x20));
    // The guest's table can be cleared from the privileged side only.
    assert!(
        remapper
            .write_control(Instance::User, register::GUEST_CAM_CLEAR, 1)
            .is_err()
    );
    remapper
        .write_control(Instance::Amzn, register::GUEST_CAM_CLEAR, 0)
        .expect("a register");
    assert!(remapper.user.entries()[0].valid);
    remapper
        .write_control(Instance::Amzn, register::GUEST_CAM_CLEAR, 1)
        .expect("a register");
    assert!(!remapper.user.entries()[0].valid);
    assert_eq!(
        remapper.access(address, 0, Direction::Write),
        Verdict::Pass {
            address: SocAddr(0x60_0000_1234),
            entry: None
        }
    );
    // Attributes, chip id and bit 46 come through; bits above [57:0] do not.
    remapper
        .write_control(Instance::Amzn, register::PASS_ON_MISS, 0x10)
        .expect("a register");
    let high = SocAddr(0xFF40_4000_0000_0000);
    assert_eq!(
        remapper.access(high, 0, Direction::Read),
        Verdict::Pass {
            address: SocAddr(0x0340_4000_0000_0000),
            entry: None
        }
    );
    assert_eq!(
        remapper.access(high, 0, Direction::Write),
        Verdict::Deny { entry: None }
    );
}
