// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Holds the constants of `hdl/rtl/pool_pkg.sv` against those of the model. Both were written from the
//! specification; a slip in either shows here by its name, before any word does.

use std::collections::{BTreeMap, BTreeSet};

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::{
    Addr4, Geometry, INST_WORD_LEN, LncSizeFmt, MAX_SRC_ELEMENTS, Marker, NUM_ADDR_REGISTERS,
    Opcode, PARTITION_ADDR_MASK, UpdateMode, WaitMode, alignment_of_tag,
};

/// A localparam's value: a number, or a set of byte values written with `span` and `one`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Constant {
    Number(u64),
    Set(BTreeSet<u8>),
}

struct Package(BTreeMap<String, Constant>);

impl Package {
    fn read() -> Self {
        let text = include_str!("../../hdl/rtl/pool_pkg.sv");
        let code: Vec<_> = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default())
            .collect();
        let mut constants = BTreeMap::new();
        for declaration in code.join(" ").split("localparam").skip(1) {
            let (head, _) = declaration
                .split_once(';')
                .expect("a declaration ends with a semicolon");
            let (left, right) = head.split_once('=').expect("a localparam has a value");
            let name = left
                .split_whitespace()
                .last()
                .expect("a localparam has a name");
            let value = evaluate(right, &constants)
                .unwrap_or_else(|| panic!("{name}: cannot read `{right}`"));
            assert_eq!(
                constants.insert(name.to_owned(), value),
                None,
                "{name} is declared twice"
            );
        }
        Self(constants)
    }

    fn number(&self, name: &str) -> u64 {
        match self.0.get(name) {
            Some(Constant::Number(value)) => *value,
            other => panic!("pool_pkg::{name} is {other:?}, expected a number"),
        }
    }

    fn set(&self, name: &str) -> &BTreeSet<u8> {
        match self.0.get(name) {
            Some(Constant::Set(values)) => values,
            other => panic!("pool_pkg::{name} is {other:?}, expected a set"),
        }
    }
}

/// `a | b | …` of `span(x, y)`, `one(x)` and names of sets; or one number or name.
fn evaluate(text: &str, known: &BTreeMap<String, Constant>) -> Option<Constant> {
    let number = |text: &str| match known.get(text.trim()) {
        Some(Constant::Number(value)) => Some(*value),
        Some(Constant::Set(_)) => None,
        None => literal(text.trim()),
    };
    if let Some(value) = number(text) {
        return Some(Constant::Number(value));
    }
    let mut values = BTreeSet::new();
    for term in text.split('|').map(str::trim) {
        let call = |name: &str| {
            term.strip_prefix(name)?
                .strip_prefix('(')?
                .strip_suffix(')')
        };
        if let Some(arguments) = call("span") {
            let (first, last) = arguments.split_once(',')?;
            values.extend(u8::try_from(number(first)?).ok()?..=u8::try_from(number(last)?).ok()?);
        } else if let Some(argument) = call("one") {
            values.insert(u8::try_from(number(argument)?).ok()?);
        } else if let Some(Constant::Set(others)) = known.get(term) {
            values.extend(others);
        } else {
            return None;
        }
    }
    Some(Constant::Set(values))
}

/// A sized literal such as `32'h1FFF_FFFF`, or a plain decimal one.
fn literal(text: &str) -> Option<u64> {
    let digits = text.replace('_', "");
    let Some((width, rest)) = digits.split_once('\'') else {
        return digits.parse().ok();
    };
    let radix = match rest.get(..1)? {
        "h" => 16,
        "d" => 10,
        "b" => 2,
        _ => return None,
    };
    let value = u64::from_str_radix(rest.get(1..)?, radix).ok()?;
    let width: u32 = width.parse().ok()?;
    (width >= 64 || value >> width == 0).then_some(value)
}

fn bytes_where(holds: impl Fn(u8) -> bool) -> BTreeSet<u8> {
    (0..=255).filter(|&byte| holds(byte)).collect()
}

#[test]
fn literals_are_read_with_their_width() {
    assert_eq!(literal("32'h1FFF_FFFF"), Some(0x1FFF_FFFF));
    assert_eq!(literal("8'd128"), Some(128));
    assert_eq!(literal("3'b101"), Some(5));
    assert_eq!(literal("7"), Some(7));
    for refused in ["3'd8", "8'hxx", "8'q1", "NAME", ""] {
        assert_eq!(literal(refused), None, "{refused}");
    }
}

#[test]
fn straps_and_versions() {
    let package = Package::read();
    let straps = ["GEN_V2", "GEN_V3", "GEN_V4", "GEN_V4PLUS", "GEN_V5"];
    for (name, generation) in straps.into_iter().zip(Generation::ALL) {
        assert_eq!(package.number(name), generation.index() as u64, "{name}");
    }
    for (name, nc) in ["NC_V2", "NC_V3", "NC_V4", "NC_V5"]
        .into_iter()
        .zip(NcVersion::ALL)
    {
        assert_eq!(package.number(name), u64::from(nc.value()), "{name}");
    }
}

#[test]
fn scalars_of_the_word() {
    let package = Package::read();
    let invalid = |raw: Option<u8>| u64::from(raw.expect("the enum has INVALID"));
    let rows: [(&str, u64); 12] = [
        ("OPCODE_SB2SB_COLLECTIVE", Opcode::SB2SB_COLLECTIVE.0.into()),
        ("INST_WORD_LEN", INST_WORD_LEN.into()),
        (
            "WAIT_MODE_INVALID",
            invalid(WaitMode::from_raw(0xFF).map(WaitMode::raw)),
        ),
        (
            "UPDATE_MODE_INVALID",
            invalid(UpdateMode::from_raw(0xFF).map(UpdateMode::raw)),
        ),
        ("LNC_SIZE_FMT_LNC2", LncSizeFmt::Lnc2.raw().into()),
        ("NUM_ADDR_REGISTERS", NUM_ADDR_REGISTERS.into()),
        ("TPB_PARTITION_ADDR_MASK", PARTITION_ADDR_MASK.into()),
        ("SRC_NELEM_MAX", MAX_SRC_ELEMENTS),
        ("MARKER_ADDR_REG", Marker::AddrReg.raw().into()),
        ("MARKER_ADDR_SHAPE_REG", Marker::AddrShapeReg.raw().into()),
        // v2 has its own header, but the numbers of the state buffer are those of v3.
        (
            "STATE_BUF_SZ_V2",
            Geometry::of(Generation::V2).sbuf_size.into(),
        ),
        (
            "STATE_BUF_SZ_V3",
            Geometry::of(Generation::V3).sbuf_size.into(),
        ),
    ];
    for (name, expected) in rows {
        assert_eq!(package.number(name), expected, "{name}");
    }
    for (name, generations) in [
        ("STATE_BUF_SZ_V4", &[Generation::V4, Generation::V4Plus][..]),
        ("STATE_BUF_SZ_V5", &[Generation::V5]),
    ] {
        for &generation in generations {
            let size = Geometry::of(generation).sbuf_size;
            assert_eq!(
                package.number(name),
                u64::from(size),
                "{name} on {generation}"
            );
        }
    }
    for generation in Generation::ALL {
        let geometry = Geometry::of(generation);
        assert_eq!(
            package.number("POOLING_NUM_CHANNELS"),
            u64::from(geometry.pooling_channels)
        );
        assert_eq!(
            geometry.sbuf_offset, 0,
            "the RTL takes an address below the size for SBUF"
        );
    }
}

#[test]
fn marker_tests_answer_alike_for_every_marker() {
    let package = Package::read();
    let test = |mask: &str, value: &str, byte: u8| {
        u64::from(byte) & package.number(mask) == package.number(value)
    };
    for byte in 0..=255 {
        let address = Addr4(u32::from(byte) << 24);
        let rtl = [
            test("MARKER_REG_TEST_MASK", "MARKER_REG_TEST_VALUE", byte),
            test("MARKER_SHAPE_TEST_MASK", "MARKER_SHAPE_TEST_VALUE", byte),
            test(
                "MARKER_INDIRECT_TEST_MASK",
                "MARKER_INDIRECT_TEST_VALUE",
                byte,
            ),
            test(
                "MARKER_INDIRECT_TEST_MASK",
                "MARKER_CONFLICT_TEST_VALUE",
                byte,
            ),
        ];
        let model = [
            address.address_from_register(),
            address.shape_from_register(),
            address.is_indirect(),
            address.is_contradictory(),
        ];
        assert_eq!(rtl, model, "marker {byte:#04x}");
    }
}

#[test]
fn enum_members_of_every_generation() {
    use Generation::{V2, V3, V4, V4Plus, V5};
    let package = Package::read();
    let opcodes: [(&str, &[Generation]); 4] = [
        ("OPCODES_V2", &[V2]),
        ("OPCODES_V3", &[V3]),
        ("OPCODES_V4", &[V4, V4Plus]),
        ("OPCODES_V5", &[V5]),
    ];
    let waits: [(&str, &[Generation]); 2] = [
        ("WAIT_MODES_V2_V4", &[V2, V3, V4, V4Plus]),
        ("WAIT_MODES_V5", &[V5]),
    ];
    let updates: [(&str, &[Generation]); 2] = [
        ("UPDATE_MODES_V2_V4", &[V2, V3, V4, V4Plus]),
        ("UPDATE_MODES_V5", &[V5]),
    ];
    let dtypes: [(&str, &[Generation]); 3] = [
        ("ALIGNABLE_DTYPES_V2_V3", &[V2, V3]),
        ("ALIGNABLE_DTYPES_V4", &[V4, V4Plus]),
        ("ALIGNABLE_DTYPES_V5", &[V5]),
    ];
    let check = |rows: &[(&str, &[Generation])], member: fn(u8, Generation) -> bool| {
        for (name, generations) in rows {
            for &generation in *generations {
                let expected = bytes_where(|byte| member(byte, generation));
                assert_eq!(package.set(name), &expected, "{name} on {generation}");
            }
        }
    };
    check(&opcodes, |byte, generation| {
        Opcode(byte).member_of(generation)
    });
    check(&waits, |byte, generation| {
        WaitMode::from_raw_in(byte, generation).is_some()
    });
    check(&updates, |byte, generation| {
        UpdateMode::from_raw_in(byte, generation).is_some()
    });
    check(&dtypes, |byte, generation| {
        alignment_of_tag(byte, generation).is_some()
    });
}

/// The evaluator must not take a wrong package for a right one.
#[test]
fn a_missing_or_unreadable_constant_is_noticed() {
    let package = Package::read();
    assert!(std::panic::catch_unwind(|| package.number("NO_SUCH_CONSTANT")).is_err());
    let known = BTreeMap::from([("A".to_owned(), Constant::Number(3))]);
    assert_eq!(evaluate(" A ", &known), Some(Constant::Number(3)));
    assert_eq!(
        evaluate("span(A, 8'd5) | one(8'd9)", &known),
        Some(Constant::Set([3, 4, 5, 9].into()))
    );
    for unreadable in ["A + 1", "one(9'd256)", "span(8'd1)", "B"] {
        assert_eq!(evaluate(unreadable, &known), None, "{unreadable}");
    }
}
