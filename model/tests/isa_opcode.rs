// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Opcodes: membership, bitmaps, names, pseudo rules, the two gates of POOL. [isa-word §7]

mod isa_support;

use isa_support::oracle;
use pool_model::generation::Generation;
use pool_model::isa::{Opcode, OpcodeClass};

#[test]
fn member_counts_with_invalid() {
    let count = |g| Opcode::all().filter(|o| o.member_of(g)).count();
    assert_eq!(Generation::ALL.map(count), [145, 150, 159, 159, 165]);
}

#[test]
fn members_are_the_printed_lists() {
    for g in Generation::ALL {
        let members: Vec<u8> = Opcode::all()
            .filter(|o| o.member_of(g))
            .map(|o| o.0)
            .collect();
        assert_eq!(members, oracle::opcodes(g), "{g}");
    }
}

#[test]
fn v2_bitmaps_of_the_host() {
    for (base, bitmap) in [
        (0x00_u8, 0x0001_001E_0000_003E_u64),
        (0x41, 0x7FEF_FFFF_E08F_7FFF),
        (0x82, 0x024B_C3FF_FFDF_3F7F),
        (0xC1, 0x4000_82F0_7FBF_FFFF),
    ] {
        for bit in 0..64_u8 {
            let Some(opcode) = base.checked_add(bit) else {
                continue;
            };
            // The maps overlap or leave gaps only where the next base takes over.
            let next = [0x41_u8, 0x82, 0xC1].into_iter().find(|&next| next > base);
            if next.is_some_and(|next| opcode >= next) {
                continue;
            }
            assert_eq!(
                Opcode(opcode).member_of(Generation::V2),
                bitmap >> bit & 1 == 1,
                "{opcode:#x}"
            );
        }
    }
}

#[rustfmt::skip]
const PSEUDO: [&str; 31] = [
    "DMATRIGGER", "DMAREARM", "DMABARRIER", "DMAMEMCPY_FULL_IND", "SEMAPHORE_SET",
    "LOAD_ACT_FUNC_SET", "TRIGGER_ALL_REDUCE", "TRIGGER_COLLECTIVE", "READ_VAR_ADDR",
    "EMBEDDING_UPDATE", "SEND_RECV", "BRANCH_LABEL", "TENSOR_STORE", "TENSOR_LOAD",
    "DMASWAP_QUEUE_SET", "SET_RNG_SEED", "FUNCTION_BEGIN", "FUNCTION_RETURN", "FUNCTION_CALL",
    "DMA_DIRECT2D", "SYNC_BARRIER", "RANGE_CHECK", "JPEG_DECODE", "CORE_BARRIER",
    "TRIGGER_COLLECTIVE2", "EXTENSION", "CUR_PROCESSING_RANK_ID", "GID_LOAD",
    "BRANCH_PREFETCH_HINT", "TENSOR_COMPLETION", "INST",
];

#[test]
fn pseudo_names_and_both_rules() {
    for (opcode, name) in (0xC1..=0xDF).map(Opcode).zip(PSEUDO) {
        assert_eq!(opcode.name(), Some(format!("PSEUDO_{name}").as_str()));
        assert_eq!(Opcode::from_name(&format!("pseudo_{name}")), Some(opcode));
    }
    for g in Generation::ALL {
        for opcode in Opcode::all() {
            let by_bits = (0xC0..=0xDF).contains(&opcode.0);
            assert_eq!(opcode.is_pseudo_by_bits(), by_bits);
            let differs = opcode.0 == 0xC0 || (opcode.0 == 0xD7 && g == Generation::V2);
            assert_eq!(
                opcode.is_pseudo_by_list(g),
                by_bits && !differs,
                "{opcode:?} {g}"
            );
        }
        let listed = Opcode::all().filter(|o| o.is_pseudo_by_list(g)).count();
        assert_eq!(listed, if g == Generation::V2 { 30 } else { 31 });
        assert!(!Opcode::SB2SB_COLLECTIVE.is_pseudo_by_list(g));
    }
}

#[test]
fn classes_of_the_family() {
    let v3 = Generation::V3;
    for (opcode, name, class) in [
        (0x7C, Some("CROSS_LANE_REDUCE_ARITH"), OpcodeClass::Hardware),
        (
            0x7D,
            Some("CROSS_LANE_REDUCE_BITVEC"),
            OpcodeClass::Hardware,
        ),
        (0x9F, Some("ENGINE_NOP"), OpcodeClass::Hardware),
        (0xA0, Some("EVENT_SEMAPHORE"), OpcodeClass::Hardware),
        (0xA4, Some("NOP"), OpcodeClass::Hardware),
        (
            0xB0,
            Some("EVENT_SEMAPHORE_RANGE_CLEAR"),
            OpcodeClass::Hardware,
        ),
        (0xB3, Some("POLL_SEM"), OpcodeClass::Hardware),
        (0xB4, Some("TEST_EVENT_SEM"), OpcodeClass::Undefined),
        (0xBE, Some("GET_SEQUENCE_BOUNDS"), OpcodeClass::Hardware),
        (0xBF, Some("SB2SB_COLLECTIVE"), OpcodeClass::Hardware),
        (0xC0, None, OpcodeClass::Undefined),
        (0xC1, Some("PSEUDO_DMATRIGGER"), OpcodeClass::Pseudo),
        (0xDF, Some("PSEUDO_INST"), OpcodeClass::Pseudo),
        (0xEB, None, OpcodeClass::Undefined),
        (0xF0, Some("EXTENDED_INST"), OpcodeClass::Hardware),
        (0xFF, Some("INVALID"), OpcodeClass::Sentinel),
    ] {
        assert_eq!(Opcode(opcode).name(), name);
        assert_eq!(Opcode(opcode).class(v3), class, "{opcode:#x}");
    }
    assert_eq!(Opcode(0xB4).class(Generation::V4), OpcodeClass::Hardware);
    assert_eq!(Opcode(0xBF).class(Generation::V2), OpcodeClass::Undefined);
    assert_eq!(Opcode(0xD7).class(Generation::V2), OpcodeClass::Undefined);
    assert_eq!(Opcode(0xEB).class(Generation::V4), OpcodeClass::Undefined);
}

#[test]
fn names_are_unique_and_belong_to_members() {
    let mut names: Vec<&str> = Opcode::all().filter_map(Opcode::name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for opcode in Opcode::all().filter(|o| o.name().is_some()) {
        assert!(
            Generation::ALL.iter().any(|&g| opcode.member_of(g)),
            "{opcode:?}"
        );
        assert_eq!(
            Opcode::from_name(opcode.name().unwrap_or_default()),
            Some(opcode)
        );
    }
    assert_eq!(Opcode::from_name("SB2SB"), None);
}

/// The real slots of the v3 dispatch table, as printed in isa-word §7.4.
const SLOTS: &str = "41 43 44 45 46 47 49 4D 51 52 53 54 58 67 68 74 77 78 79 7A 7B 7C 7D 7E 92 95 \
    96 9F A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 AA AB B0 B1 B2 B3 B5 B8 BB BD BE BF E4 E7 F0 F1 F2";

/// The default slots "include" these, as printed there.
const DEFAULT_SLOTS: &str = "42 48 4A-4C 4E-50 55-57 59-66 69-73 75 76 7F-91 93 94 97-9E AC-AF B4 B6 \
    B7 B9 BA BC C0-E3 E5 E6 E8-EF";

/// Opcodes of the rows of the evidence table, with its generations.
const ROWS: &[(&str, Generation)] = &[
    (
        "41-4F 51-54 58 5E 5F 67-6B 70-74 77-7F 83-86 92 93 95 96 98-9F A0-AB B0-B3 B5 B8 BB \
         E5-E8 EA F0",
        Generation::V2,
    ),
    ("81 BE BF E4 E9 F1 F2", Generation::V3),
    ("F3 F4", Generation::V5),
];

fn expand(list: &str) -> Vec<u8> {
    let hex = |text| u8::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text}"));
    list.split_whitespace()
        .flat_map(|item| {
            let (low, high) = item.split_once('-').unwrap_or((item, item));
            hex(low)..=hex(high)
        })
        .collect()
}

#[test]
fn device_gate_is_the_slot_list() {
    let slots = expand(SLOTS);
    assert_eq!(slots.len(), 55);
    for g in [
        Generation::V3,
        Generation::V4,
        Generation::V4Plus,
        Generation::V5,
    ] {
        let accepted: Vec<u8> = Opcode::all()
            .filter(|o| o.pool_device_gate(g))
            .map(|o| o.0)
            .collect();
        assert_eq!(accepted, slots, "{g}");
    }
    for opcode in expand(DEFAULT_SLOTS) {
        assert!(
            !Opcode(opcode).pool_device_gate(Generation::V3),
            "{opcode:#x}"
        );
    }
    assert_eq!(slots.len() + expand(DEFAULT_SLOTS).len(), 178);
    let v2: Vec<u8> = Opcode::all()
        .filter(|o| o.pool_device_gate(Generation::V2))
        .map(|o| o.0)
        .collect();
    let minus_v3: Vec<u8> = slots
        .into_iter()
        .filter(|o| ![0xBD, 0xBE, 0xBF, 0xE4, 0xF1, 0xF2].contains(o))
        .collect();
    assert_eq!(v2, minus_v3);
}

#[test]
fn host_gate_is_the_evidence_table() {
    let v2_only = expand("87 88 8A-8D 8F");
    for g in Generation::ALL {
        let mut expected: Vec<u8> = ROWS
            .iter()
            .filter(|(_, since)| g >= *since)
            .flat_map(|(list, _)| expand(list))
            .collect();
        if g == Generation::V2 {
            expected.extend(&v2_only);
        }
        expected.sort_unstable();
        let accepted: Vec<u8> = Opcode::all()
            .filter(|o| o.pool_host_gate(g))
            .map(|o| o.0)
            .collect();
        assert_eq!(accepted, expected, "{g}");
    }
    for opcode in [0x41, 0x46, 0x47, 0x68, 0xBF] {
        assert!(Opcode(opcode).pool_host_gate(Generation::V3));
    }
}

#[test]
fn evidence_table_names() {
    for (opcode, name) in [
        (0x42, "TENSOR_REDUCE_ARITH_OP"),
        (0x45, "POOL"),
        (0x4C, "REG_SHUFFLE"),
        (0x54, "TENSOR_SCALAR_PTR_BITVEC_OP"),
        (0x5F, "TENSOR_SCALAR_PTR_MULTI_BITVEC"),
        (0x6B, "STREAM_TRANSPOSE"),
        (0x71, "TENSOR_SCALAR_IMM_LD_BITVEC"),
        (0x84, "TRANSPOSE_TENSOR_REDUCE_BITVEC_OP"),
        (0x98, "TENSOR_SCALAR_SELECT"),
        (0x9E, "SCALAR_TENSOR_TENSOR_BITVEC"),
        (0xA2, "DRAIN"),
        (0xAB, "TENSOR_STORE"),
        (0xB2, "MOVE_SHAPE"),
        (0xBB, "DMA_INDIRECT"),
        (0xE3, "QUANTIZE_MX"),
        (0xEA, "SELECT_REDUCE"),
        (0xF4, "TENSOR_SCALAR_INT_WIDE"),
    ] {
        assert_eq!(Opcode(opcode).name(), Some(name));
    }
}
