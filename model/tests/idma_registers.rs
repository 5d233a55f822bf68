// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every register of an engine: reset value, bits that exist, read-only and write-only ones, per generation.
//! [idma-ring §§2.3–2.5], widths as in `docs/idma-contract.md`

mod idma_support;

use std::collections::BTreeMap;

use idma_support::*;
use pool_model::generation::Generation;

/// Offset, reset value, bits that keep what is written.
type Row = (u32, u32, u32);

const RO: u32 = 0;
const ALL: u32 = u32::MAX;

/// [idma-ring §2.3]
const M2S_QUEUE: [Row; 30] = [
    (0x00, 0x80, 0x07FF_0FFF),
    (0x20, 0x0300_0000, 0xFF13_FFFF),
    (0x24, 0, RO),
    (0x28, 0x40, 0xFFFF_FFC0),
    (0x2C, 0, ALL),
    (0x30, 0, 0x00FF_FFFF),
    (0x34, 0x4000_0000, RO),
    (0x38, 0, RO),
    (0x3C, 0x4000_0000, RO),
    (0x40, 0x4000_0000, RO),
    (0x44, 0, 0xFFFF_FFC0),
    (0x48, 0, ALL),
    (0x4C, 0x4000_0000, RO),
    (0x50, 0x4000_0000, RO),
    (0x60, 0x00FF_FFFF, 0x03FF_FFFF),
    (0x64, 0, ALL),
    (0x68, 0, ALL),
    (0x6C, 0, ALL),
    (0x70, 0, RO),
    (0x74, 0x7, 0xF),
    (0x80, 0, 0x03FF_FFFF),
    (0x84, 0, 0xFF),
    (0x88, 0, 0xFF),
    (0x8C, 0, RO),
    (0xA0, 0, 0x3),
    (0xB0, 0, RO),
    (0xC0, 0, RO),
    (0xD0, 0x2, 0x3),
    (0xE0, 0, RO),
    (0xE4, 0x4000_0000, RO),
];

/// [idma-ring §2.4]
const S2M_QUEUE: [Row; 20] = [
    (0x00, 0x80, 0x07FF_0FFF),
    (0x20, 0x0300_0033, 0xFF93_00FF),
    (0x24, 0, RO),
    (0x28, 0x40, 0xFFFF_FFC0),
    (0x2C, 0, ALL),
    (0x30, 0, 0x00FF_FFFF),
    (0x34, 0x4000_0000, RO),
    (0x38, 0, RO),
    (0x3C, 0x4000_0000, RO),
    (0x40, 0x4000_0000, RO),
    (0x44, 0, 0xFFFF_FFC0),
    (0x48, 0, ALL),
    (0x4C, 0x4000_0000, RO),
    (0x50, 0x4000_0000, RO),
    (0x54, 0xF, 0xF),
    (0x58, 0x0001_86A0, ALL),
    (0x5C, 0x40, 0x0003_FFFF),
    (0x60, 0, 0xFF),
    (0x64, 0, RO),
    (0x68, 0, RO),
];

/// [idma-ring §2.5]
const M2S: [Row; 23] = [
    (0x004, 0x0000_FFFF, ALL),
    (0x200, 0, RO),
    (0x204, 0, RO),
    (0x20C, 0, ALL),
    (0x214, 0, RO),
    (0x218, 0, RO),
    (0x21C, 0, RO),
    (0x220, 0, RO),
    (0x224, 0, RO),
    (0x254, 0x0101_0000, 0x010F_FFFF),
    (0x258, 0x100, 0x001F_FF03),
    (0x25C, 0xFFFF, 0xFFFF),
    (0x304, 0x0001_0040, 0x0001_0FFF),
    (0x308, 0x1041, 0xFFFF),
    (0x504, 0, RO),
    (0x508, 0, RO),
    (0x50C, 0, RO),
    (0x510, 0, RO),
    (0x514, 0, RO),
    (0x518, 0, RO),
    (0x51C, 0, RO),
    (0x600, 0x400, RO),
    (0x604, 4, RO),
];
const S2M: [Row; 20] = [
    (0x200, 0, RO),
    (0x204, 0, RO),
    (0x20C, 0, ALL),
    (0x214, 0, RO),
    (0x218, 0, RO),
    (0x21C, 0, RO),
    (0x220, 0, RO),
    (0x224, 0, RO),
    (0x250, 0, 0x111),
    (0x254, 0xFFFF, 0xFFFF),
    (0x308, 0x1041, 0xFFFF),
    (0x344, 0x3000_2710, 0xF8FF_FFFF),
    (0x380, 0x0000_1004, 0xF001_110F),
    (0x504, 0, RO),
    (0x508, 0, RO),
    (0x50C, 0, RO),
    (0x510, 0, RO),
    (0x514, 0, RO),
    (0x518, 0, RO),
    (0x51C, 0, RO),
];

/// Every register of a generation by its offset in the engine, interrupt groups aside.
fn map(generation: Generation) -> BTreeMap<u32, (u32, u32)> {
    let v5 = generation == Generation::V5;
    let mut map = BTreeMap::new();
    for number in 0..16 {
        for (offset, reset, writable) in M2S_QUEUE {
            let row = match offset {
                0xE0 | 0xE4 if matches!(generation, Generation::V2 | Generation::V5) => continue,
                0x20 if v5 => (0xE364_0000, ALL),
                _ => (reset, writable),
            };
            map.insert(queue(M2s, number, offset), row);
        }
        for (offset, reset, writable) in S2M_QUEUE {
            let row = match offset {
                0x20 if v5 => (0xE304_0033, 0xFF97_00FF),
                _ => (reset, writable),
            };
            map.insert(queue(S2m, number, offset), row);
        }
    }
    for (offset, reset, writable) in M2S {
        let row = match offset {
            0x004 if generation == Generation::V2 => continue,
            0x254 if v5 => (0x0104_0000, writable),
            0x604 if v5 => (0x1000_1880, RO),
            _ => (reset, writable),
        };
        map.insert(offset, row);
    }
    for (offset, reset, writable) in S2M {
        map.insert(0x2_0000 + offset, (reset, writable));
    }
    map.insert(0x3_A300, (0x2710, ALL));
    map.insert(0x3_B460, (0, ALL));
    map
}

/// Whether an offset belongs to an interrupt group, which has a test of its own.
fn is_interrupt_group(offset: u32) -> bool {
    (0x3_8000..0x3_8100).contains(&offset) || (0x3_A000..0x3_A0C0).contains(&offset)
}

#[test]
fn reset_values_of_all_offsets() {
    for generation in Generation::ALL {
        let map = map(generation);
        let bench = Bench::new(generation);
        for offset in (0..0x8_0000).filter(|offset| !is_interrupt_group(*offset)) {
            let expected = map.get(&offset).map_or(0, |(reset, _)| *reset);
            assert_eq!(bench.read(offset), expected, "{generation} {offset:#x}");
        }
    }
}

#[test]
fn bits_that_keep_what_is_written() {
    for generation in Generation::ALL {
        let map = map(generation);
        for (offset, (reset, writable)) in &map {
            // Commands act; their own tests show how.
            let acts = matches!(offset & 0xFFF, 0x38 | 0xE0) && *offset >= 0x1000
                || matches!(offset & 0x1_FFFF, 0x204);
            if acts {
                continue;
            }
            for value in [u32::MAX, 0, 0xA5A5_5A5A] {
                let mut bench = Bench::new(generation);
                bench.write(*offset, value);
                let expected = if *writable == RO {
                    *reset
                } else {
                    value & writable
                };
                assert_eq!(
                    bench.read(*offset),
                    expected,
                    "{generation} {offset:#x} {value:#x}"
                );
                if value == u32::MAX {
                    // Nothing else has changed.
                    for (other, (reset, _)) in &map {
                        let shadow = *offset & 0xFFF == 0x20 || *offset & 0xFFF == 0x30;
                        let status = other & 0xFFF == 0x24 && *other >= 0x1000;
                        if other != offset && !(shadow && status) && other >> 12 == offset >> 12 {
                            assert_eq!(
                                bench.read(*other),
                                *reset,
                                "{offset:#x} changed {other:#x}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Neither reads nor writes between registers do anything.
#[test]
fn unaligned_and_unnamed_offsets() {
    let map = map(Generation::V3);
    let mut bench = Bench::new(Generation::V3);
    for offset in 0..0x8_0000 {
        if !map.contains_key(&offset) && !is_interrupt_group(offset) {
            bench.write(offset, u32::MAX);
        }
    }
    bench.write(u32::MAX, 1);
    assert_eq!(bench.read(u32::MAX), 0);
    for (offset, (reset, _)) in &map {
        assert_eq!(bench.read(*offset), *reset, "{offset:#x}");
    }
    assert!(bench.seen.is_empty());
}

/// `status`: enables, halts, fill. [idma-ring §§2.3, 2.4]
#[test]
fn status() {
    let mut bench = Bench::new(Generation::V3);
    let status = |bench: &Bench| [M2s, S2m].map(|direction| bench.read(queue(direction, 2, 0x24)));
    bench.arm(2, 4);
    assert_eq!(status(&bench), [0x3000_0000; 2]);
    bench.write(queue(M2s, 2, 0x20), 0x0001_0000);
    bench.write(queue(S2m, 2, 0x20), 0x0002_0000);
    assert_eq!(status(&bench), [0x1000_0000, 0x2000_0000]);
    bench.arm(2, 4);
    bench.write(0x25C, 0xFFFB);
    bench.write(0x2_0254, 0xFFFB);
    assert_eq!(status(&bench), [0x2000_0000; 2]);
    bench.ring(M2s, 2, 3);
    bench.ring(S2m, 2, 4);
    assert_eq!(status(&bench), [0x2000_0003, 0xA000_0004]);
    bench.write(0x204, 4);
    bench.write(0x2_0204, 2);
    assert_eq!(status(&bench), [0x0000_0003, 0x8000_0004]);
}

/// Builds with fewer queues have no registers for the others.
#[test]
fn smaller_engines() {
    use pool_model::idma::{Engine, EngineName, Out};
    use pool_model::time::Tick;
    use pool_model::transaction::{CoreId, NullSink};
    let core = CoreId::new(0).expect("core 0 exists");
    let mut engine = Engine::new(EngineName { core, number: 0 }, 2, Generation::V3);
    assert_eq!(engine.read(queue(M2s, 1, 0x34)), 0x4000_0000);
    assert_eq!(engine.read(queue(M2s, 2, 0x34)), 0);
    let mut out = Out {
        sink: &mut NullSink,
        tick: Tick(0),
    };
    engine.write(queue(S2m, 2, 0x30), 5, &mut out);
    engine.write(queue(S2m, 15, 0x38), 5, &mut out);
    assert_eq!(engine.read(queue(S2m, 2, 0x30)), 0);
    assert!(engine.queue(S2m, 2).is_none());
}
