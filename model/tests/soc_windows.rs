// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Windows and the window manager against rules written here a second time, bit by bit.
//! [soc-address §§3.1–3.5]

use pool_model::generation::Generation;
use pool_model::soc::classify::Identity;
use pool_model::soc::id::Q7Core;
use pool_model::soc::window::{
    FILE_SIZE, Requester, WindowAccessError, WindowFile, WindowMissPolicy, WindowRegister,
};
use pool_model::soc::window_manager::{
    FreeList, HostWindowError, HostWindows, ManagerError, WindowManager,
};
use pool_model::soc::window_program::{
    AbstractLog, Gates, WindowDescriptor, WindowId, WindowProgramError, WindowSpec, WindowStep,
    program_window, update_window,
};
use pool_model::soc::{SocAddr, tpb_base};
use pool_model::transaction::CoreId;
use proptest::prelude::*;

fn window(number: u8) -> WindowId {
    WindowId::new(number).expect("below 40")
}

fn q7(number: u8) -> Requester {
    Requester::Q7(Q7Core::new(number).expect("below 8"))
}

/// [soc-address §3.1, MC-16]
#[test]
fn registers_keep_their_fields_only() {
    let storage = [
        u32::MAX,
        0xFFF0_0000,
        0xFF,
        0xFFF0_0000,
        0xFF,
        0xFFF0_0000,
        0x03FF_FFFF,
    ];
    let mut file = WindowFile::default();
    for i in 0..40_u32 {
        for (j, mask) in (0..).zip(storage) {
            let offset = i * 0x1C + 4 * j;
            assert_eq!(file.read(offset), Ok(0), "reset");
            assert_eq!(file.write(offset, u32::MAX), Ok(()));
            assert_eq!(file.read(offset), Ok(mask), "{offset:#x}");
            assert_eq!(file.write(offset, 0x0120_0043), Ok(()));
            assert_eq!(file.read(offset), Ok(0x0120_0043 & mask));
        }
    }
    assert_eq!(FILE_SIZE, 0x460);
    assert!(file.read(0x45C).is_ok());
    for offset in [0x460, 0x8000_0000, u32::MAX - 3] {
        assert_eq!(
            file.read(offset),
            Err(WindowAccessError::Beyond { found: offset })
        );
        assert_eq!(
            file.write(offset, 0),
            Err(WindowAccessError::Beyond { found: offset })
        );
    }
    for offset in [1, 2, 3, 0x45F] {
        assert_eq!(
            file.read(offset),
            Err(WindowAccessError::Unaligned { found: offset })
        );
    }
}

/// The seven registers of a window as the test sees them.
#[derive(Clone, Copy, Debug)]
struct Raw {
    control: u32,
    mask: u32,
    matched: u32,
    replace: u64,
}

/// Bit by bit, from the text: compare [39:20], then build the result. [soc-address §3.2]
fn oracle(raw: Raw, address: u32, who: Requester) -> Option<u64> {
    let bit = |word: u64, n: u32| word >> n & 1;
    let control = |n| bit(u64::from(raw.control), n) == 1;
    let select = (raw.control >> 4 & 7) as u8;
    if !control(0) || control(1) && who != Requester::Nx {
        return None;
    }
    if control(2) && who == Requester::Nx || control(3) && who != q7(select) {
        return None;
    }
    let mut out = 0;
    for n in 0..58 {
        let a = if n < 32 {
            bit(u64::from(address), n)
        } else {
            0
        };
        let result = match n {
            0..20 => a,
            20..40 => {
                let compared = bit(u64::from(raw.mask), n - 20) == 1;
                if compared && a != bit(u64::from(raw.matched), n - 20) {
                    return None;
                }
                if compared {
                    bit(raw.replace, n - 20)
                } else {
                    a
                }
            }
            _ => bit(raw.replace, n - 20),
        };
        out |= result << n;
    }
    Some(out)
}

fn write_raw(file: &mut WindowFile, i: u32, raw: Raw) {
    let values = [
        raw.control,
        raw.mask << 20,
        raw.mask >> 12,
        raw.matched << 20,
        raw.matched >> 12,
        (raw.replace << 20) as u32,
        (raw.replace >> 12) as u32,
    ];
    for (register, value) in WindowRegister::ALL.into_iter().zip(values) {
        file.write(0x1C * i + register.offset(), value)
            .expect("below 40");
    }
}

fn raw_window() -> impl Strategy<Value = Raw> {
    // Masks with many zeros and controls with valid set, so that hits are common.
    (
        any::<u32>(),
        any::<[u32; 3]>(),
        0_u32..1 << 20,
        0_u64..1 << 38,
    )
        .prop_map(|(control, masks, matched, replace)| Raw {
            control: control | u32::from(control >> 8 & 3 != 0),
            mask: masks[0] & masks[1] & masks[2] & 0xF_FFFF & !0x8_0000,
            matched: matched & 0xF_0FFF,
            replace,
        })
}

fn requester() -> impl Strategy<Value = Requester> {
    (0_u8..9).prop_map(|n| if n == 8 { Requester::Nx } else { q7(n) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn lookup_is_the_rule_bit_by_bit(
        windows in proptest::collection::vec((0_u32..40, raw_window()), 0..6),
        address in any::<u32>(),
        who in requester(),
    ) {
        let mut file = WindowFile::default();
        let mut raws = [None; 40];
        for (i, raw) in windows {
            write_raw(&mut file, i, raw);
            raws[i as usize] = Some(raw);
        }
        let hits: Vec<(u8, u64)> = (0..)
            .zip(raws)
            .filter_map(|(i, raw)| Some((i, oracle(raw?, address, who)?)))
            .collect();
        let found = file.lookup(address, who, WindowMissPolicy::Miss);
        prop_assert_eq!(found.window, hits.first().map(|hit| hit.0));
        prop_assert_eq!(found.address, hits.first().map(|hit| SocAddr(hit.1)));
        prop_assert_eq!(found.multi_hit, hits.len() > 1);
        prop_assert_eq!(file.multi_hits(), u64::from(hits.len() > 1));
        let passed = file.peek(address, who, WindowMissPolicy::Pass);
        let expected = hits.first().map_or(u64::from(address), |hit| hit.1);
        prop_assert_eq!(passed.address, Some(SocAddr(expected)));
    }

    /// A window made from an abstract description moves its range and nothing else.
    #[test]
    fn described_windows_are_contiguous(
        log2_size in 20_u32..=32,
        nx in any::<u32>(),
        soc in 0_u64..1 << 58,
        offset in any::<u32>(),
        outside in any::<u32>(),
    ) {
        let size = 1_u64 << log2_size;
        let spec = WindowSpec {
            nx_base: (u64::from(nx) & !(size - 1)) as u32,
            soc_base: SocAddr(soc & !(size - 1)),
            log2_size,
        };
        let descriptor = spec.descriptor(window(3), Gates::default()).expect("aligned");
        let mut file = WindowFile::default();
        for step in program_window(descriptor, false) {
            step.apply(&mut file).expect("window 3 exists");
        }
        let inside = spec.nx_base | (u64::from(offset) & (size - 1)) as u32;
        let found = file.peek(inside, q7(0), WindowMissPolicy::Miss);
        let expected = spec.soc_base.0 + u64::from(inside - spec.nx_base);
        prop_assert_eq!(found.address, Some(SocAddr(expected)));
        let is_inside = u64::from(outside) & !(size - 1) == u64::from(spec.nx_base);
        let found = file.peek(outside, q7(0), WindowMissPolicy::Miss);
        prop_assert_eq!(found.window.is_some(), is_inside);
    }
}

/// [soc-address §3.2]
#[test]
fn gates() {
    let all = Raw {
        control: 1,
        mask: 0,
        matched: 0,
        replace: 0,
    };
    let mut file = WindowFile::default();
    for (control, nx, third, others) in [
        (0x00, false, false, false),
        (0x01, true, true, true),
        (0x03, true, false, false),
        (0x05, false, true, true),
        (0x07, false, false, false),
        (0x39, false, true, false),
        (0x31, true, true, true),
        (0x3B, false, false, false),
        (0x38, false, false, false),
        (0xFFFF_FF81, true, true, true),
    ] {
        write_raw(&mut file, 0, Raw { control, ..all });
        for (who, expected) in [(Requester::Nx, nx), (q7(3), third), (q7(4), others)] {
            let found = file.peek(0x1234_5678, who, WindowMissPolicy::Miss);
            assert_eq!(found.window.is_some(), expected, "{control:#x} {who:?}");
        }
    }
}

/// [soc-address §3.4, HIGH/OBSERVED]
#[test]
fn program_window_hides_the_window_until_the_end() {
    let old = WindowSpec {
        nx_base: 0x0700_0000,
        soc_base: SocAddr(0x28_0200_0000),
        log2_size: 24,
    };
    let new = WindowSpec {
        nx_base: 0x0900_0000,
        soc_base: SocAddr(0x8028_0200_0000),
        log2_size: 24,
    };
    let gates = Gates {
        single_q7: Some(Q7Core::new(1).expect("below 8")),
        ..Gates::default()
    };
    let mut file = WindowFile::default();
    let descriptor = old.descriptor(window(5), gates).expect("aligned");
    for step in program_window(descriptor, true) {
        step.apply(&mut file).expect("window 5 exists");
    }
    let seen =
        |file: &WindowFile, address| file.peek(address, q7(1), WindowMissPolicy::Miss).address;
    assert_eq!(seen(&file, 0x0700_0010), Some(SocAddr(0x28_0200_0010)));

    let descriptor = new.descriptor(window(5), gates).expect("aligned");
    let steps: Vec<WindowStep> = program_window(descriptor, true).collect();
    let registers: Vec<Option<(u32, u32)>> = steps.iter().map(|step| step.write()).collect();
    let base = 5 * 0x1C;
    assert_eq!(
        registers,
        [
            Some((base, 0)),
            Some((base + 0x04, 0xFF00_0000)),
            Some((base + 0x08, 0xFF)),
            Some((base + 0x0C, 0x0900_0000)),
            Some((base + 0x10, 0)),
            Some((base + 0x14, 0x0200_0000)),
            Some((base + 0x18, 0x8028)),
            Some((base, 0x19)),
            None,
        ]
    );
    for step in &steps[..7] {
        step.apply(&mut file).expect("window 5 exists");
        for address in [0x0700_0010, 0x0900_0010] {
            assert_eq!(seen(&file, address), None, "after {step:?}");
        }
    }
    steps[7].apply(&mut file).expect("window 5 exists");
    assert_eq!(seen(&file, 0x0700_0010), None);
    assert_eq!(seen(&file, 0x0900_0010), Some(SocAddr(0x8028_0200_0010)));
    assert_eq!(program_window(descriptor, false).count(), 8, "no barrier");

    let log = AbstractLog::of(window(5), &file.windows()[5]).to_string();
    assert_eq!(
        log,
        "num=5, vld=1, xt_addr=0x9000000, soc_addr=0x802802000000, u_mask=0xff, l_mask=0xff000000"
    );

    // Without valid the window stays invisible.
    let hidden = WindowDescriptor {
        valid: false,
        ..descriptor
    };
    for step in program_window(hidden, false) {
        step.apply(&mut file).expect("window 5 exists");
    }
    assert_eq!(seen(&file, 0x0900_0010), None);
}

/// [soc-address MC-20]
#[test]
fn update_window_passes_through_a_mixed_target() {
    let spec = WindowSpec {
        nx_base: 0x0900_0000,
        soc_base: SocAddr(0x28_0200_0000),
        log2_size: 20,
    };
    let mut file = WindowFile::default();
    let descriptor = spec
        .descriptor(window(0), Gates::default())
        .expect("aligned");
    for step in program_window(descriptor, false) {
        step.apply(&mut file).expect("window 0 exists");
    }
    let mut seen = Vec::new();
    for step in update_window(window(0), SocAddr(0x0052_8030_0410_0000)) {
        step.apply(&mut file).expect("window 0 exists");
        seen.push(
            file.peek(0x0900_0040, Requester::Nx, WindowMissPolicy::Miss)
                .address,
        );
    }
    assert_eq!(
        seen,
        [
            Some(SocAddr(0x28_0410_0040)),
            Some(SocAddr(0x0052_8030_0410_0040))
        ]
    );
}

#[test]
fn descriptions_that_registers_cannot_hold() {
    let spec = |nx_base, soc_base, log2_size| {
        WindowSpec {
            nx_base,
            soc_base: SocAddr(soc_base),
            log2_size,
        }
        .descriptor(window(0), Gates::default())
    };
    assert!(spec(0, 0, 20).is_ok() && spec(0, 0, 32).is_ok());
    for found in [0, 19, 33, 64, u32::MAX] {
        assert_eq!(spec(0, 0, found), Err(WindowProgramError::Size { found }));
    }
    assert!(matches!(
        spec(0x10_0000, 0, 21),
        Err(WindowProgramError::Unaligned { .. })
    ));
    assert!(matches!(
        spec(0, 0x10_0000, 21),
        Err(WindowProgramError::Unaligned { .. })
    ));
    assert!(spec(0, (1 << 58) - (1 << 20), 20).is_ok());
    assert!(matches!(
        spec(0, 1 << 58, 20),
        Err(WindowProgramError::HighBits { .. })
    ));
    assert!(WindowId::new(39).is_ok() && WindowId::new(40).is_err());
}

/// [soc-address §3.5, MC-22]
#[test]
fn free_list() {
    let mut list = FreeList::default();
    for expected in 0..15 {
        assert_eq!(list.pop().map(WindowId::number), Ok(expected));
    }
    assert!(list.is_empty());
    assert_eq!(list.pop(), Err(ManagerError::NoWindow));
    for id in 20..35 {
        assert_eq!(list.push(window(id)), Ok(()));
    }
    assert_eq!(list.len(), 15);
    assert_eq!(
        list.push(window(3)),
        Err(ManagerError::FreeListFull { found: 3 })
    );
    assert_eq!(
        list.pop().map(WindowId::number),
        Ok(34),
        "last in, first out"
    );
}

/// [soc-address §3.5]
#[test]
fn window_manager() {
    let core = CoreId::new(1).expect("below 8");
    let tpb = tpb_base(core);
    let pool = SocAddr(tpb.0 + 0x8_0300_0000);
    let spec = |i: u32| WindowSpec {
        nx_base: 0x1000_0000 + (i << 24),
        soc_base: SocAddr(tpb.0 + (u64::from(i) << 24)),
        log2_size: 24,
    };
    let specs: Vec<WindowSpec> = (0..8).map(spec).collect();
    let mut manager = WindowManager::default();
    let mut file = WindowFile::default();
    let steps = manager
        .install(pool, tpb, &specs, Gates::default())
        .expect("eight fit");
    assert_eq!(steps.len(), 8 * 9);
    for step in steps {
        step.apply(&mut file).expect("existing windows");
    }
    assert_eq!(manager.records().len(), 8);
    assert_eq!(manager.free().len(), 7);
    assert_eq!(manager.identity().map(Identity::packed), Some(0x1_0102));
    for i in 0..8 {
        let address = SocAddr(tpb.0 + (i << 24) + 0x12_3456);
        let nx = manager.get_window_addr(address).expect("covered");
        let found = file.peek(nx, Requester::Nx, WindowMissPolicy::Miss);
        assert_eq!(found.address, Some(address), "records and registers agree");
    }
    let outside = SocAddr(tpb.0 + (8 << 24));
    assert_eq!(
        manager.get_window_addr(outside),
        Err(ManagerError::RegionUnmapped { found: outside })
    );
    let full = manager.clone();
    assert_eq!(
        manager.install(pool, tpb, &[spec(8)], Gates::default()),
        Err(ManagerError::TooManyWindows { found: 9 })
    );
    assert!(matches!(
        WindowManager::default().install(SocAddr(0), tpb, &[], Gates::default()),
        Err(ManagerError::Classify(error)) if error.line() == 257
    ));
    assert_eq!(manager, full, "a refusal changes nothing");
    let bad = WindowSpec {
        log2_size: 5,
        ..spec(0)
    };
    let mut partial = WindowManager::default();
    assert!(
        partial
            .install(pool, tpb, &[spec(0), bad], Gates::default())
            .is_err()
    );
    assert_eq!(partial, WindowManager::default());
    let last = manager.release_last().expect("room").expect("one");
    assert_eq!(last.window.number(), 7);
    assert_eq!(manager.free().len(), 8);
    assert_eq!(WindowManager::default().release_last(), Ok(None));
}

/// [soc-address §3.5]
#[test]
fn host_budget() {
    for (generation, limit) in [(Generation::V2, 11_usize), (Generation::V3, 40)] {
        let mut windows = HostWindows::new(generation);
        for i in 0..limit - 1 {
            assert_eq!(windows.allocate(SocAddr((i as u64) << 24), None), Ok(i));
        }
        assert_eq!(
            windows.allocate(SocAddr(0), None),
            Err(HostWindowError::MaxAllocated { limit: limit as u8 })
        );
        assert_eq!(windows.used().len(), limit - 1);
    }
    let mut windows = HostWindows::new(Generation::V3);
    for mib in [16, 32, 64] {
        assert!(windows.allocate(SocAddr(1 << 30), Some(mib)).is_ok());
        let odd = SocAddr(1 << 20);
        assert!(matches!(
            windows.allocate(odd, Some(mib)),
            Err(HostWindowError::Invalid { .. })
        ));
    }
    for mib in [0, 1, 15, 48, 128] {
        assert_eq!(
            windows.allocate(SocAddr(0), Some(mib)),
            Err(HostWindowError::Size { found: mib })
        );
    }
}
