// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every enum of the word, row by row: value, name, generations, meaning. [isa-word §1.1, §5, §6]

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::{
    Compare, DType, DebugCmd, EngineNumber, EvtSemNonblockingCmd, LncSizeFmt, MAX_REGISTER_OFFSET,
    UpdateEffect, UpdateMode, UpdatePoint, ValueSource, WaitCondition, WaitMode, alignment_of_tag,
    element_bytes_of_tag, is_cptc_tag, nc_version_member_of, register_number, register_offset,
    register_with_offset, update_mode_legal, wait_mode_legal,
};

const GENERATIONS: [Generation; 5] = Generation::ALL;

/// Membership on v2, v3, v4 (and v4+), v5 as the tables of the specification print it.
fn on(generation: Generation, [v2, v3, v4, v5]: [bool; 4]) -> bool {
    match generation {
        Generation::V2 => v2,
        Generation::V3 => v3,
        Generation::V4 | Generation::V4Plus => v4,
        Generation::V5 => v5,
    }
}

const ALL: [bool; 4] = [true; 4];
const TO_V4: [bool; 4] = [true, true, true, false];
const FROM_V4: [bool; 4] = [false, false, true, true];
const V5: [bool; 4] = [false, false, false, true];

/// Tag, name, bits, element bytes, generations, "0xBF imm." on v2, v3, v4, v5.
type DTypeRow = (
    u8,
    &'static str,
    Option<u32>,
    Option<u32>,
    [bool; 4],
    [bool; 4],
);

#[rustfmt::skip]
const DTYPES: &[DTypeRow] = &[
    (0x00, "INVALID", None, None, ALL, [false; 4]),
    (0x01, "UINT64", Some(64), Some(8), ALL, ALL),
    (0x02, "INT8", Some(8), Some(1), ALL, ALL),
    (0x03, "UINT8", Some(8), Some(1), ALL, ALL),
    (0x04, "INT16", Some(16), Some(2), ALL, ALL),
    (0x05, "UINT16", Some(16), Some(2), ALL, ALL),
    (0x06, "BFLOAT16", Some(16), Some(2), ALL, ALL),
    (0x07, "FP16", Some(16), Some(2), ALL, ALL),
    (0x08, "INT32", Some(32), Some(4), ALL, ALL),
    (0x09, "UINT32", Some(32), Some(4), ALL, ALL),
    (0x0A, "FP32", Some(32), Some(4), ALL, ALL),
    (0x0B, "FP32R", Some(32), Some(4), ALL, ALL),
    (0x0C, "INT64", Some(64), Some(8), ALL, ALL),
    (0x0D, "FP8_EXP3", Some(8), Some(1), ALL, ALL),
    (0x0E, "FP8_EXP4", Some(8), Some(1), ALL, ALL),
    (0x0F, "FP8_EXP5", Some(8), Some(1), ALL, ALL),
    (0x10, "FP4_EXP2", Some(4), Some(2), FROM_V4, FROM_V4),
    (0x11, "FP8_EXP2", Some(8), Some(1), V5, V5),
    (0x12, "INT4", Some(4), Some(1), V5, V5),
    (0x13, "SFP8_E8", Some(8), Some(1), V5, V5),
    (0x14, "SFP8_E7", Some(8), Some(1), V5, V5),
    (0x15, "SFP8_E6", Some(8), Some(1), V5, V5),
    (0x16, "SFP8_E5", Some(8), Some(1), V5, V5),
    (0x19, "CPTC1", Some(1), None, FROM_V4, [false; 4]),
    (0x1A, "CPTC2", Some(2), None, FROM_V4, [false; 4]),
    (0x1B, "CPTC3", Some(3), None, FROM_V4, [false; 4]),
    (0x1C, "CPTC4", Some(4), None, FROM_V4, [false; 4]),
    (0x1D, "CPTC5", Some(5), None, FROM_V4, [false; 4]),
    (0x1E, "CPTC6", Some(6), None, FROM_V4, [false; 4]),
    (0x1F, "CPTC7", Some(7), None, FROM_V4, [false; 4]),
];

#[test]
fn dtype_rows() {
    for &(tag, name, bits, element_bytes, members, capable) in DTYPES {
        let dtype = DType::from_raw(tag).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((dtype.raw(), dtype.name()), (tag, name));
        assert_eq!(dtype.to_string(), name);
        assert_eq!(dtype.bits(), bits, "{name}");
        assert_eq!(dtype.element_bytes(), element_bytes, "{name}");
        assert_eq!(dtype.is_cptc(), name.starts_with("CPTC"), "{name}");
        assert_eq!(dtype.is_basic(), tag < 16, "{name}");
        for g in GENERATIONS {
            let member = on(g, members);
            assert_eq!(dtype.member_of(g), member, "{name} {g}");
            assert_eq!(DType::from_raw_in(tag, g), member.then_some(dtype));
            assert_eq!(dtype.sb2sb_capable(g), on(g, capable), "{name} {g}");
            let executable = if member { element_bytes } else { None };
            assert_eq!(element_bytes_of_tag(tag, g), executable, "{name} {g}");
        }
    }
    let tags: Vec<u8> = DType::ALL.iter().map(|d| d.raw()).collect();
    let rows: Vec<u8> = DTYPES.iter().map(|row| row.0).collect();
    assert_eq!(tags, rows);
}

#[test]
fn dtype_member_counts() {
    for (g, count) in [
        (Generation::V2, 16),
        (Generation::V3, 16),
        (Generation::V4, 24),
        (Generation::V4Plus, 24),
        (Generation::V5, 30),
    ] {
        assert_eq!(DType::ALL.iter().filter(|d| d.member_of(g)).count(), count);
    }
    for tag in [0x17, 0x18].into_iter().chain(0x20..=0xFF) {
        assert_eq!(DType::from_raw(tag), None);
    }
    let cptc: Vec<u8> = (0..=255).filter(|&tag| is_cptc_tag(tag)).collect();
    assert_eq!(cptc, (0x19..=0x1F).collect::<Vec<u8>>());
}

#[test]
fn alignment_rows() {
    for g in GENERATIONS {
        for tag in 0..=u8::MAX {
            let expected = match tag {
                2 | 3 | 13..=15 => Some(1),
                4..=7 => Some(2),
                8..=11 => Some(4),
                1 | 12 => Some(8),
                16 if on(g, FROM_V4) => Some(1),
                17..=22 if g == Generation::V5 => Some(1),
                _ => None,
            };
            assert_eq!(alignment_of_tag(tag, g), expected, "{tag:#x} {g}");
        }
    }
}

#[test]
fn dma_reduce_set() {
    let names: Vec<&str> = DType::ALL
        .iter()
        .filter(|d| d.dma_reduce_capable())
        .map(|d| d.name())
        .collect();
    assert_eq!(
        names,
        [
            "BFLOAT16", "FP16", "FP32R", "FP8_EXP3", "FP8_EXP4", "FP8_EXP5"
        ]
    );
}

#[test]
fn lnc_rows() {
    let rows = [
        (0, "LNC1", true, 1_u8),
        (1, "LNC2", true, 2),
        (2, "LNC4", false, 4),
        (3, "LNC8", false, 8),
    ];
    for (raw, name, accepted, cores) in rows {
        let format = LncSizeFmt::from_raw(raw).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((format.raw(), format.name()), (raw, name));
        assert_eq!(format.accepted(), accepted);
        assert_eq!(format.cores(), cores);
        assert!(GENERATIONS.iter().all(|&g| format.member_of(g)));
        for core in 0..8 {
            let peer = match name {
                "LNC1" => Some(core),
                "LNC2" => Some([1, 0, 3, 2, 5, 4, 7, 6][usize::from(core)]),
                _ => None,
            };
            assert_eq!(format.peer(core), peer);
            let group = format.group(core).unwrap_or_else(|| panic!("{name}"));
            assert!(group.contains(&core) && group.len() == usize::from(cores));
            assert_eq!(group.start % cores, 0);
        }
        assert_eq!(format.group(8), None);
    }
    assert!((4..=255).all(|raw| LncSizeFmt::from_raw(raw).is_none()));
}

/// The side enums: value and name of each row.
#[test]
fn side_enum_rows() {
    let commands: Vec<_> = EvtSemNonblockingCmd::ALL
        .iter()
        .map(|c| (c.raw(), c.name()))
        .collect();
    assert_eq!(
        commands,
        [
            (0x40, "NOP"),
            (0x43, "SEM_INC"),
            (0x44, "SEM_DEC"),
            (0x45, "SEM_ADD"),
            (0x47, "SEM_SUB"),
            (0x49, "SEM_WRITE"),
            (0x60, "READ_SEMAPHORE"),
            (0x61, "READ_EVENT"),
        ]
    );
    for command in EvtSemNonblockingCmd::ALL {
        for g in GENERATIONS {
            assert_eq!(command.member_of(g), g == Generation::V5);
        }
    }
    let engines: Vec<_> = EngineNumber::ALL
        .iter()
        .map(|e| (e.raw(), e.name()))
        .collect();
    assert_eq!(
        engines,
        [
            (0, "PE"),
            (1, "ACT"),
            (2, "POOL"),
            (3, "DVE"),
            (4, "TPB_SP"),
            (5, "TOP_SP")
        ]
    );
    let debug: Vec<_> = DebugCmd::ALL.iter().map(|c| (c.raw(), c.name())).collect();
    assert_eq!(
        debug,
        [
            (0, "NONE"),
            (1, "NOTIFY"),
            (3, "START"),
            (5, "END"),
            (7, "START_END"),
            (9, "INS_FIELD")
        ]
    );
}

#[test]
fn nc_version_trees() {
    let members = |g| {
        NcVersion::ALL
            .into_iter()
            .filter(|&v| nc_version_member_of(v, g))
            .map(NcVersion::value)
            .collect::<Vec<u8>>()
    };
    assert_eq!(members(Generation::V2), [2]);
    assert_eq!(members(Generation::V3), [2, 3]);
    assert_eq!(members(Generation::V4), [2, 3, 4]);
    assert_eq!(members(Generation::V4Plus), [2, 3, 4]);
    assert_eq!(members(Generation::V5), [2, 3, 4, 5]);
}

/// Value, name, generations, and the condition with S = 5, V or register = operand, as text.
#[rustfmt::skip]
const WAITS: &[(u8, &str, [bool; 4], &str)] = &[
    (0x00, "NONE", ALL, "true"),
    (0x01, "WAIT_FOR_SEM_EQ_IMM", ALL, "S == V"),
    (0x02, "WAIT_FOR_SEM_LT_IMM", ALL, "S < V"),
    (0x03, "WAIT_FOR_SEM_LE_IMM", ALL, "S <= V"),
    (0x04, "WAIT_FOR_SEM_GT_IMM", ALL, "S > V"),
    (0x05, "WAIT_FOR_SEM_GE_IMM", ALL, "S >= V"),
    (0x06, "WAIT_FOR_EVT_SET", TO_V4, "E == 1"),
    (0x07, "WAIT_FOR_EVT_SET_THEN_CLEAR", TO_V4, "E == 1, E = 0"),
    (0x0E, "WAIT_FOR_EVT_CLEAR", TO_V4, "E == 0"),
    (0x0F, "WAIT_FOR_EVT_CLEAR_THEN_SET", TO_V4, "E == 0, E = 1"),
    (0x81, "WAIT_FOR_SEM_EQ_REG", ALL, "S == register"),
    (0x82, "WAIT_FOR_SEM_LT_REG", ALL, "S < register"),
    (0x83, "WAIT_FOR_SEM_LE_REG", ALL, "S <= register"),
    (0x84, "WAIT_FOR_SEM_GT_REG", ALL, "S > register"),
    (0x85, "WAIT_FOR_SEM_GE_REG", ALL, "S >= register"),
    (0x91, "WAIT_FOR_SEM_EQ_REG_OFFSET", V5, "S == register + offset"),
    (0x92, "WAIT_FOR_SEM_LT_REG_OFFSET", V5, "S < register + offset"),
    (0x93, "WAIT_FOR_SEM_LE_REG_OFFSET", V5, "S <= register + offset"),
    (0x94, "WAIT_FOR_SEM_GT_REG_OFFSET", V5, "S > register + offset"),
    (0x95, "WAIT_FOR_SEM_GE_REG_OFFSET", V5, "S >= register + offset"),
    (0xFE, "UNORDERED", V5, "unordered"),
    (0xFF, "INVALID", ALL, "never"),
];

fn condition_text(mode: WaitMode) -> String {
    match mode.condition() {
        None => "never".into(),
        Some(WaitCondition::Always) => "true".into(),
        Some(WaitCondition::Unordered) => "unordered".into(),
        Some(WaitCondition::Event { level, then }) => {
            let then = then.map_or(String::new(), |t| format!(", E = {}", u8::from(t)));
            format!("E == {}{then}", u8::from(level))
        }
        Some(WaitCondition::Semaphore { compare, operand }) => {
            let sign = match compare {
                Compare::Eq => "==",
                Compare::Lt => "<",
                Compare::Le => "<=",
                Compare::Gt => ">",
                Compare::Ge => ">=",
            };
            format!("S {sign} {}", source_text(operand))
        }
    }
}

fn source_text(source: ValueSource) -> &'static str {
    match source {
        ValueSource::Immediate => "V",
        ValueSource::Register => "register",
        ValueSource::RegisterOffset => "register + offset",
    }
}

#[test]
fn wait_mode_rows() {
    for &(raw, name, members, condition) in WAITS {
        let mode = WaitMode::from_raw(raw).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((mode.raw(), mode.name()), (raw, name));
        assert_eq!(condition_text(mode), condition, "{name}");
        for g in GENERATIONS {
            assert_eq!(mode.member_of(g), on(g, members), "{name} {g}");
            let legal = on(g, members) && raw != 0xFF;
            assert_eq!(mode.legal_in(g), legal, "{name} {g}");
            assert_eq!(wait_mode_legal(raw, g), legal, "{name} {g}");
        }
        let reads = mode.value_source().map(source_text);
        let expected = condition
            .split_once("S ")
            .map(|(_, right)| right.split_once(' ').map_or("", |(_, operand)| operand));
        assert_eq!(reads, expected, "{name}");
    }
    for raw in 0..=u8::MAX {
        let listed = WAITS.iter().any(|row| row.0 == raw);
        assert_eq!(WaitMode::from_raw(raw).is_some(), listed, "{raw:#x}");
    }
    let count = |g| WaitMode::ALL.iter().filter(|m| m.member_of(g)).count();
    assert_eq!(GENERATIONS.map(count), [16, 16, 16, 16, 18]);
}

/// Value, name, generations, effect.
#[rustfmt::skip]
const UPDATES: &[(u8, &str, [bool; 4], &str)] = &[
    (0x00, "NONE", ALL, "nothing"),
    (0x01, "EVT_SET_READ", TO_V4, "E = 1"),
    (0x02, "EVT_CLR_READ", TO_V4, "E = 0"),
    (0x03, "SEM_INC_READ", ALL, "S += 1"),
    (0x04, "SEM_DEC_READ", ALL, "S -= 1"),
    (0x05, "SEM_ADD_IMM_READ", ALL, "S += V"),
    (0x07, "SEM_SUB_IMM_READ", ALL, "S -= V"),
    (0x09, "SEM_WR_IMM_READ", ALL, "S = V"),
    (0x11, "EVT_SET_COMPLETE", TO_V4, "E = 1"),
    (0x12, "EVT_CLR_COMPLETE", TO_V4, "E = 0"),
    (0x13, "SEM_INC_COMPLETE", ALL, "S += 1"),
    (0x14, "SEM_DEC_COMPLETE", ALL, "S -= 1"),
    (0x15, "SEM_ADD_IMM_COMPLETE", ALL, "S += V"),
    (0x17, "SEM_SUB_IMM_COMPLETE", ALL, "S -= V"),
    (0x19, "SEM_WR_IMM_COMPLETE", ALL, "S = V"),
    (0x85, "SEM_ADD_REG_READ", ALL, "S += register"),
    (0x87, "SEM_SUB_REG_READ", ALL, "S -= register"),
    (0x89, "SEM_WR_REG_READ", ALL, "S = register"),
    (0x95, "SEM_ADD_REG_COMPLETE", ALL, "S += register"),
    (0x97, "SEM_SUB_REG_COMPLETE", ALL, "S -= register"),
    (0x99, "SEM_WR_REG_COMPLETE", ALL, "S = register"),
    (0xFF, "INVALID", ALL, "nothing"),
];

fn effect_text(effect: UpdateEffect) -> String {
    match effect {
        UpdateEffect::Event(level) => format!("E = {}", u8::from(level)),
        UpdateEffect::Increment => "S += 1".into(),
        UpdateEffect::Decrement => "S -= 1".into(),
        UpdateEffect::Add(source) => format!("S += {}", source_text(source)),
        UpdateEffect::Subtract(source) => format!("S -= {}", source_text(source)),
        UpdateEffect::Write(source) => format!("S = {}", source_text(source)),
    }
}

#[test]
fn update_mode_rows() {
    for &(raw, name, members, effect) in UPDATES {
        let mode = UpdateMode::from_raw(raw).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((mode.raw(), mode.name()), (raw, name));
        let action = mode.action();
        let text = action.map_or("nothing".into(), |a| effect_text(a.effect));
        assert_eq!(text, effect, "{name}");
        if let Some(action) = action {
            let complete = name.ends_with("_COMPLETE");
            assert!(complete || name.ends_with("_READ"), "{name}");
            assert_eq!(action.point == UpdatePoint::Complete, complete, "{name}");
            assert_eq!(raw & 0x10 != 0, complete, "{name}");
            assert_eq!(raw & 0x80 != 0, effect.ends_with("register"), "{name}");
            assert_eq!(mode.value_source(), action.effect.value_source());
        }
        for g in GENERATIONS {
            assert_eq!(mode.member_of(g), on(g, members), "{name} {g}");
            let legal = on(g, members) && raw != 0xFF;
            assert_eq!(mode.legal_in(g), legal, "{name} {g}");
            assert_eq!(update_mode_legal(raw, g), legal, "{name} {g}");
        }
    }
    for raw in 0..=u8::MAX {
        let listed = UPDATES.iter().any(|row| row.0 == raw);
        assert_eq!(UpdateMode::from_raw(raw).is_some(), listed, "{raw:#x}");
    }
    let count = |g| UpdateMode::ALL.iter().filter(|m| m.member_of(g)).count();
    assert_eq!(GENERATIONS.map(count), [22, 22, 22, 22, 18]);
}

#[test]
fn compares_are_unsigned_with_the_signed_reading_beside() {
    use Compare::{Eq, Ge, Gt, Le, Lt};
    for (s, v, unsigned) in [
        (5, 5, [true, false, true, false, true]),
        (4, 5, [false, true, true, false, false]),
        (5, 4, [false, false, false, true, true]),
        (0x7FFF_FFFF, 0x8000_0000, [false, true, true, false, false]),
    ] {
        assert_eq!([Eq, Lt, Le, Gt, Ge].map(|c| c.holds(s, v)), unsigned);
    }
    let across = [Eq, Lt, Le, Gt, Ge].map(|c| c.holds_signed(0x7FFF_FFFF, 0x8000_0000));
    assert_eq!(across, [false, false, false, true, true]);
}

#[test]
fn semaphore_arithmetic_wraps() {
    let apply = |mode: UpdateMode, s, v| mode.action().and_then(|action| action.effect.apply(s, v));
    assert_eq!(apply(UpdateMode::SemIncRead, u32::MAX, 9), Some(0));
    assert_eq!(apply(UpdateMode::SemDecComplete, 0, 9), Some(u32::MAX));
    assert_eq!(
        apply(UpdateMode::SemAddImmRead, 0xFFFF_FFF0, 0x20),
        Some(0x10)
    );
    assert_eq!(apply(UpdateMode::SemSubRegRead, 1, 2), Some(u32::MAX));
    assert_eq!(
        apply(UpdateMode::SemWrImmComplete, 1, 0x8000_0001),
        Some(0x8000_0001)
    );
    assert_eq!(apply(UpdateMode::EvtSetRead, 1, 1), None);
}

#[test]
fn register_and_offset_split() {
    let value = 0xABCD_EF09;
    assert_eq!(register_number(value), 9);
    assert_eq!(register_offset(value), 0x00AB_CDEF);
    assert_eq!(register_with_offset(9, 0x00AB_CDEF), Some(value));
    assert_eq!(
        register_with_offset(63, MAX_REGISTER_OFFSET),
        Some(0xFFFF_FF3F)
    );
    assert_eq!(register_with_offset(63, MAX_REGISTER_OFFSET + 1), None);
    for (source, register, operand) in [
        (ValueSource::Immediate, None, value),
        (ValueSource::Register, Some(9), 0xFFFF_FFFF),
        (ValueSource::RegisterOffset, Some(9), 0x00AB_CDEE),
    ] {
        assert_eq!(source.register(value), register);
        assert_eq!(source.operand(value, 0xFFFF_FFFF), operand);
    }
}
