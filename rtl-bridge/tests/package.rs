// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Holds the constants of `hdl/rtl/pool_pkg.sv` and of its parts against those of the model. Both were written from the
//! specification; a slip in either shows here by its name, before any word does.

use std::collections::{BTreeMap, BTreeSet};

use pool_model::evt_sem::{Control, ControlRegister, ENGINE_PORTS, Leaf, Source};
use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::{
    Addr4, Geometry, INST_WORD_LEN, LncSizeFmt, MAX_SRC_ELEMENTS, Marker, NUM_ADDR_REGISTERS,
    Opcode, PARTITION_ADDR_MASK, UpdateMode, WaitMode, alignment_of_tag,
};
use pool_model::soc::classify::EngineIndex;
use pool_model::soc::map::tree::nodes;
use pool_model::soc::map::{root, sdma};
use pool_model::soc::view::NEIGHBOR_FOLD_FLAGS;
use pool_model::soc::window::{FILE_SIZE, REGISTERS, WindowRegister};
use pool_model::transaction::SemaphoreOp;

/// A localparam's value: a number, or a set of byte values written with `span` and `one`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Constant {
    Number(u64),
    Set(BTreeSet<u8>),
}

struct Package(BTreeMap<String, Constant>);

impl Package {
    fn read() -> Self {
        Self::of(include_str!("../../hdl/rtl/pool_pkg.sv"))
    }

    /// The constants of some files of the package; functions are passed over.
    fn of(text: &str) -> Self {
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
            let value = concatenation(right)
                .map(Constant::Number)
                .or_else(|| evaluate(right, &constants))
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

/// `{8'h17, 8'h13, …}`: literals side by side, the first in the highest bits.
fn concatenation(text: &str) -> Option<u64> {
    let parts = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    parts
        .split(',')
        .map(str::trim)
        .try_fold(0_u64, |sum, part| {
            let width: u32 = part.split_once('\'')?.0.parse().ok()?;
            Some(sum << width | literal(part)?)
        })
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

/// First byte and size of the region at a path, on die 0 of v3.
fn place(path: &str) -> (u64, u64) {
    let node = nodes(Generation::V3).find(|node| node.path == path);
    let node = node.unwrap_or_else(|| panic!("the map has no {path}"));
    (node.step.base, node.step.region.size)
}

#[test]
fn the_address_map() {
    let package = Package::of(include_str!("../../hdl/rtl/pool_addr.svh"));
    // Constant, region, and the region from whose start it counts.
    let bases = [
        ("PREPROC_BASE", "PREPROC_0", "APB_SE_0"),
        ("SDMA_0_BASE", "APB_SE_0.SDMA_0", "APB_SE_0"),
        ("SDMA_1_BASE", "APB_SE_1.SDMA_0", "APB_SE_1"),
        ("TOP_SP_BASE", "TOP_SP_0", "APB_IO_0"),
        ("INTC_BASE", "INTC_0", "APB_IO_0"),
        (
            "HOST_MSIX_DOORBELL_BASE",
            "HOST_MSIX_DOORBELL_0",
            "APB_IO_0",
        ),
        ("RDM_BASE", "RDM_0", "APB_IO_0"),
        ("EVT_ACCEL_CLR_BASE", "EVT_ACCEL_CLR_0", "APB_IO_0"),
        ("EVT_ACCEL_SET_BASE", "EVT_ACCEL_SET_0", "APB_IO_0"),
        ("SDMA_D2H_BASE", "APB_IO_0.D2H", "APB_IO_0"),
        ("SDMA_H2D_BASE", "APB_IO_0.H2D", "APB_IO_0"),
        (
            "TPB_SCRATCH_RAM_BASE",
            "TPB_0.STATE_BUF_SCRATCH_RAM",
            "TPB_0",
        ),
        ("TPB_DGE_MEMORY_BASE", "TPB_0.DGE_MEMORY", "TPB_0"),
        ("TPB_RESERVED_SBUF_BASE", "TPB_0.RESERVED_SBUF", "TPB_0"),
        ("TPB_PSUM_BUF_BASE", "TPB_0.PSUM_BUF", "TPB_0"),
        ("TPB_ACT_BASE", "TPB_0.ACT", "TPB_0"),
        ("TPB_PE_BASE", "TPB_0.PE", "TPB_0"),
        ("TPB_EVT_SEM_BASE", "TPB_0.EVT_SEM", "TPB_0"),
        ("TPB_SP_BASE", "TPB_0.SP", "TPB_0"),
        ("TPB_DVE_BASE", "TPB_0.DVE", "TPB_0"),
        ("TPB_POOL_BASE", "TPB_0.POOL", "TPB_0"),
        ("POOL_NX_IRAM_BASE", "TPB_0.POOL.NX_IRAM", "TPB_0.POOL"),
        ("POOL_NX_DRAM_BASE", "TPB_0.POOL.NX_DRAM", "TPB_0.POOL"),
        ("POOL_LOCAL_REG_BASE", "TPB_0.POOL.LOCAL_REG", "TPB_0.POOL"),
        (
            "POOL_PROFILE_CAM_BASE",
            "TPB_0.POOL.PROFILE_CAM",
            "TPB_0.POOL",
        ),
        (
            "POOL_PROFILE_TABLE_BASE",
            "TPB_0.POOL.PROFILE_TABLE",
            "TPB_0.POOL",
        ),
        ("SDMA_S2M_BASE", "APB_SE_0.SDMA_0.S2M", "APB_SE_0.SDMA_0"),
        ("SDMA_GEN_BASE", "APB_SE_0.SDMA_0.GEN", "APB_SE_0.SDMA_0"),
        (
            "SDMA_GEN_EX_BASE",
            "APB_SE_0.SDMA_0.GEN_EX",
            "APB_SE_0.SDMA_0",
        ),
        ("SDMA_MISC_BASE", "APB_SE_0.SDMA_0.MISC", "APB_SE_0.SDMA_0"),
        (
            "SDMA_NOTIFIC_BASE",
            "APB_SE_0.SDMA_0.NOTIFIC",
            "APB_SE_0.SDMA_0",
        ),
        (
            "SDMA_QUEUES_BASE",
            "APB_SE_0.SDMA_0.M2S.QUEUE",
            "APB_SE_0.SDMA_0",
        ),
        (
            "SDMA_BCAST_S2M_BASE",
            "APB_SE_0.SDMA_BCAST_0.S2M",
            "APB_SE_0.SDMA_0",
        ),
        (
            "SDMA_BCAST_GEN_BASE",
            "APB_SE_0.SDMA_BCAST_0.GEN",
            "APB_SE_0.SDMA_0",
        ),
        (
            "SDMA_BCAST_GEN_EX_BASE",
            "APB_SE_0.SDMA_BCAST_0.GEN_EX",
            "APB_SE_0.SDMA_0",
        ),
    ];
    for (name, path, from) in bases {
        let ((base, size), (start, _)) = (place(path), place(from));
        assert_eq!(package.number(name), base - start, "{name}");
        // Where the package says where it ends, too.
        let end = name.replace("_BASE", "_END");
        if package.0.contains_key(&end) && !["TOP_SP_END", "SDMA_H2D_END"].contains(&&end[..]) {
            assert_eq!(package.number(&end), base + size - start, "{end}");
        }
    }
    let sizes = [
        ("APB_SE_SIZE", "APB_SE_0"),
        ("APB_IO_SIZE", "APB_IO_0"),
        ("TPB_SIZE", "TPB_0"),
        ("SDMA_END", "APB_SE_0.SDMA_0"),
        ("POOL_IRAM_END", "TPB_0.POOL.POOL_IRAM"),
    ];
    for (name, path) in sizes {
        assert_eq!(package.number(name), place(path).1, "{name}");
    }
    let io = place("APB_IO_0").0;
    let v2 = |(base, _, count): (u64, u64, u16)| (base, u64::from(count));
    let numbers = [
        ("TOP_SP_END", place("TOP_SP_9").0 + root::TOP_SP.1 - io),
        ("SDMA_H2D_END", place("APB_IO_0.H2D").0 + sdma::PITCH - io),
        ("SDMA_ENGINES_SIZE", 32 * sdma::PITCH),
        ("SDMA_D2H_0_ID", sdma::FIRST_IO_ENGINE.into()),
        ("EVT_ACCEL_SET_V4_BASE", root::EVT_ACCEL_SET_RUNTIME - io),
        ("SUNDA_TPB_BASE", v2(root::SUNDA_TPB).0),
        ("SUNDA_TOP_SP_BASE", v2(root::SUNDA_TOP_SP).0),
        ("SUNDA_TOP_SPS", v2(root::SUNDA_TOP_SP).1),
        ("SUNDA_EVT_ACCEL_BASE", root::SUNDA_EVT_ACCEL),
        ("NEIGHBOR_FOLD_ID", NEIGHBOR_FOLD_FLAGS),
        ("CLASSIFY_TOP_SP_BASE", root::TOP_SP.0),
        ("CLASSIFY_TOP_SPS", root::TOP_SP.2.into()),
        ("CLASSIFY_TOP_SP_ENGINE", root::TOP_SP_SEQUENCER),
        ("WINDOW_REGISTERS", REGISTERS as u64),
        ("WINDOW_WORDS", u64::from(FILE_SIZE / 4)),
    ];
    for (name, expected) in numbers {
        assert_eq!(package.number(name), expected, "{name}");
    }
    let engines = ["PE", "ACT", "POOL", "DVE", "TPB_SP", "TOP_SP"];
    for (name, engine) in engines.into_iter().zip(EngineIndex::ALL) {
        let number = package.number(&format!("ENGINE_{name}"));
        assert_eq!(number, u64::from(engine.number()), "{name}");
        if let Some(offset) = engine.tpb_offset() {
            let short = name.trim_start_matches("TPB_");
            assert_eq!(package.number(&format!("CLASSIFY_{short}_OFFSET")), offset);
        }
    }
    let windows = [
        "CONTROL",
        "MASK_LO",
        "MASK_HI",
        "MATCH_LO",
        "MATCH_HI",
        "REPLACE_LO",
        "REPLACE_HI",
    ];
    for (name, register) in windows.into_iter().zip(WindowRegister::ALL) {
        let number = package.number(&format!("WINDOW_{name}"));
        assert_eq!(number, u64::from(register.offset() / 4), "{name}");
    }
}

#[test]
fn the_semaphore_block() {
    let package = Package::of(include_str!("../../hdl/rtl/pool_evt.svh"));
    let leaf = |name: &str| Leaf::at((package.number(name) << 10) as u32);
    let leaves = [
        ("LEAF_EVENT", Leaf::Event(0)),
        ("LEAF_READ", Leaf::Read(0)),
        ("LEAF_SET", Leaf::Write(SemaphoreOp::Set, 0)),
        ("LEAF_INC", Leaf::Write(SemaphoreOp::Add, 0)),
        ("LEAF_DEC", Leaf::Write(SemaphoreOp::Sub, 0)),
    ];
    for (name, expected) in leaves {
        assert_eq!(leaf(name), Ok(expected), "{name}");
    }
    let registers = [
        ("CTL_THRESHOLD_LOW", ControlRegister::ThresholdLow),
        ("CTL_THRESHOLD_HIGH", ControlRegister::ThresholdHigh),
        ("CTL_NOTIFIC", ControlRegister::NotificationsEnable),
        ("CTL_ERROR_SUMMARY", ControlRegister::ErrorSummary),
        ("CTL_SW_QUEUE", ControlRegister::SwQueue),
    ];
    for (name, register) in registers {
        let offset = package.number(name) as u32;
        assert_eq!(ControlRegister::at(offset), Some(register), "{name}");
    }
    let reset = Control::default().threshold_high;
    assert_eq!(package.number("THRESHOLD_HIGH_RESET"), u64::from(reset));
    assert_eq!(
        package.number("NOTIFICATION_AXI"),
        u64::from(Source::Bus.record_type())
    );
    for (port, engine) in ENGINE_PORTS.into_iter().enumerate() {
        let kind = package.number("NOTIFICATION_ENGINES") >> (8 * port) & 0xFF;
        assert_eq!(
            kind,
            u64::from(Source::Engine(engine).record_type()),
            "{engine:?}"
        );
        assert_eq!(
            package.number("ENGINE_ORDER") >> (3 * port) & 7,
            port as u64
        );
    }
}
