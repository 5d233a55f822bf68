// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Descriptors against the vectors of the specification. [idma-ring §1, §4], appendix A

use pool_model::generation::Generation;
use pool_model::idma::bits::{LAYOUTS, Layout};
use pool_model::idma::completion::{
    M2S_COMPLETION_BYTES, PacketPlace, completion_ring_id, m2s_completion, s2m_completion,
};
use pool_model::idma::compute::{CceOp, DataWord, FmaSelectors, Parameter};
use pool_model::idma::descriptor::{rx, tx};
use pool_model::idma::notes::notes;
use pool_model::idma::printed::{word0_as_printed, word1_as_printed};
use pool_model::idma::text::{format, parse};
use pool_model::idma::{
    Barrier, BuildError, CopyBytes, CopyPair, Descriptor, Kind, Operation, RingId,
};
use pool_model::isa::DType;
use pool_model::soc::SocAddr;
use proptest::prelude::*;

const SOURCE: SocAddr = SocAddr(0x20_0000_0000);
const DESTINATION: SocAddr = SocAddr(0x30_0000_0040);

fn pair(bytes: u64, id: u32, barrier: Barrier) -> CopyPair {
    let length = CopyBytes::new(bytes).expect("a legal length");
    CopyPair::new(SOURCE, DESTINATION, length, RingId::wrapping(id), barrier)
}

/// Appendix A of idma-ring, the rows about descriptors
#[test]
fn appendix_a_copies() {
    let rows = [
        (
            256,
            1,
            Barrier::None,
            [0x0D00_0100, 0x0108_0003, 0x0100_0100],
        ),
        (
            65_536,
            1,
            Barrier::None,
            [0x0D00_0000, 0x0108_0003, 0x0100_0000],
        ),
        (1, 2, Barrier::None, [0x0E00_0001, 0x0108_0003, 0x0200_0001]),
        (1, 3, Barrier::None, [0x0F00_0001, 0x0108_0003, 0x0300_0001]),
        (1, 0, Barrier::None, [0x0C00_0001, 0x0108_0003, 0x0000_0001]),
        (
            256,
            1,
            Barrier::Dmb,
            [0x4D00_0100, 0x0108_0003, 0x0100_0100],
        ),
        (
            256,
            1,
            Barrier::WriteBarrier,
            [0x0D00_0100, 0x0508_0003, 0x0100_0100],
        ),
        (
            256,
            1,
            Barrier::Sow,
            [0x0D00_0100, 0x0108_0003, 0x2100_0100],
        ),
    ];
    for (bytes, id, barrier, [tx0, tx1, rx0]) in rows {
        let CopyPair { tx, rx } = pair(bytes, id, barrier);
        assert_eq!([tx.word0, tx.word1], [tx0, tx1], "{bytes} {id} {barrier:?}");
        assert_eq!([rx.word0, rx.word1], [rx0, 0], "{bytes} {id} {barrier:?}");
        assert_eq!((tx.buf_ptr, rx.buf_ptr), (SOURCE.0, DESTINATION.0));
    }
    let interrupting = pair(256, 1, Barrier::None).rx.word0 | rx::INT_EN;
    assert_eq!(interrupting, 0x1100_0100);
}

/// Appendix A of idma-ring
#[test]
fn appendix_a_other_words() {
    let one = RingId::FIRST_LAP;
    let CopyPair { tx, rx } =
        CopyPair::semaphore(SocAddr(0x90_0000_0004), SocAddr(0x28_0270_1850), one);
    assert_eq!(
        [tx.word0, tx.word1, rx.word0, rx.word1],
        [0x0D00_0004, 0x0108_0003, 0x2100_0004, 0]
    );
    assert_eq!(
        Descriptor::rebuild(0xFFFF_FFFF, 0x1234, RingId::wrapping(2)),
        0xFEFF_1234
    );
    let meta = Parameter::Cme {
        word1: 0,
        meta: [0; 2],
    };
    assert_eq!(meta.descriptor(one).word0, 0x0580_0000);
    let fma = DataWord::Fma {
        input: DType::Bfloat16,
        scale: DType::Fp32,
        accum: DType::Fp32,
        last: true,
    };
    assert_eq!(fma.word1(), 0x021A_A680);
    let add = DataWord::Add {
        out: DType::Fp16,
        accum: DType::Fp32,
        last: true,
    };
    assert_eq!(add.word1(), 0x020A_7080);
}

/// [idma-ring §2.6]: 1, 2, 3, 0, 1
#[test]
fn ring_ids_count_modulo_four() {
    let ids: Vec<u8> = std::iter::successors(Some(RingId::FIRST_LAP), |id| Some(id.next_lap()))
        .take(6)
        .map(RingId::number)
        .collect();
    assert_eq!(ids, [1, 2, 3, 0, 1, 2]);
    for laps in 0..9 {
        let stepped = (0..laps).fold(RingId::FIRST_LAP, |id, _| id.next_lap());
        assert_eq!(RingId::FIRST_LAP.after(laps), stepped);
    }
    assert_eq!(RingId::wrapping(2).in_register(), 0x8000_0000);
    assert_eq!(RingId::wrapping(2).in_descriptor(), 0x0200_0000);
}

/// [idma-ring §1.7]
#[test]
fn sizes_outside_one_descriptor_are_refused() {
    for size in [0, 65_537, u64::MAX] {
        assert_eq!(CopyBytes::new(size), Err(BuildError::InvalidSize(size)));
    }
    for size in [1, 65_535, 65_536] {
        assert_eq!(CopyBytes::new(size).map(|s| u64::from(s.bytes())), Ok(size));
    }
    let pieces: Vec<_> = CopyPair::pieces(SOURCE, DESTINATION, 3 * 65_536 + 5).collect();
    let lengths: Vec<u32> = pieces.iter().map(|(_, _, length)| length.bytes()).collect();
    assert_eq!(lengths, [65_536, 65_536, 65_536, 5]);
    assert_eq!(pieces[3].0, SocAddr(SOURCE.0 + 3 * 65_536));
    assert_eq!(pieces[3].1, SocAddr(DESTINATION.0 + 3 * 65_536));
    assert_eq!(CopyPair::pieces(SOURCE, DESTINATION, 0).count(), 0);
}

/// [idma-ring §1.8]
#[test]
fn driver_barrier_codes() {
    assert_eq!(Barrier::from_driver(0), Ok(Barrier::None));
    assert_eq!(Barrier::from_driver(1), Ok(Barrier::Dmb));
    assert_eq!(Barrier::from_driver(2), Ok(Barrier::WriteBarrier));
    for code in [3, 4, u32::MAX] {
        assert_eq!(
            Barrier::from_driver(code),
            Err(BuildError::InvalidBarrier(code))
        );
    }
}

/// [idma-ring §1.2]: the checks of the mirrored print, as printed positions and real ones
#[test]
fn mirrored_print() {
    let word0 = [
        (31, 24),
        (30, 25),
        (29, 26),
        (28, 27),
        (27, 28),
        (26, 29),
        (25, 30),
        (24, 31),
        (16, 23),
    ];
    for (printed, real) in word0 {
        assert_eq!(
            word0_as_printed(1 << real),
            1 << printed,
            "bit {real} of word 0"
        );
    }
    assert_eq!(
        word0_as_printed(0xABCD),
        0xABCD,
        "the length is printed as it is"
    );
    for (printed, real) in [
        (9, 22),
        (11, 20),
        (6, 25),
        (8, 23),
        (5, 26),
        (31, 0),
        (0, 31),
    ] {
        assert_eq!(
            word1_as_printed(1 << real),
            1 << printed,
            "bit {real} of word 1"
        );
    }
}

/// [idma-ring §4.2]: every constant is op and optype
#[test]
fn operation_constants() {
    let rows = [
        (0x0100_0000, Operation::Cme, 0),
        (0x0108_0003, Operation::Cme, 0),
        (0x0080_0000, Operation::Dre, 0),
        (0x0090_0000, Operation::Dre, 1),
        (0x00A0_0000, Operation::Dre, 2),
        (0x0200_0000, Operation::Cce, 0),
        (0x0210_0000, Operation::Cce, 1),
        (0x0220_0000, Operation::Cce, 2),
        (0x0230_0000, Operation::Cce, 3),
        (0x0240_0000, Operation::Cce, 4),
        (0x0250_0000, Operation::Cce, 5),
        (3, Operation::PassThrough, 0),
        (0x0180_0000, Operation::Undefined(3), 0),
        (0x0280_0000, Operation::Undefined(5), 0),
        (0x0300_0000, Operation::Undefined(6), 0),
        (0x0380_0000, Operation::Undefined(7), 0),
    ];
    for (word1, operation, optype) in rows {
        assert_eq!(Operation::of(word1), operation, "{word1:#x}");
        assert_eq!(word1 >> 20 & 7, optype, "{word1:#x}");
        assert_eq!(
            Descriptor {
                word1,
                ..Descriptor::default()
            }
            .is_cme(),
            operation == Operation::Cme
        );
    }
    let kbin = [
        None,
        Some(CceOp::Fma),
        Some(CceOp::Add),
        Some(CceOp::Min),
        Some(CceOp::Max),
        None,
    ];
    for (op, expected) in kbin.into_iter().enumerate() {
        assert_eq!(CceOp::from_kbin(op as u8), expected, "host op {op}");
    }
    for (optype, op) in [
        (0, CceOp::Add),
        (1, CceOp::Fma),
        (2, CceOp::Max),
        (3, CceOp::Min),
    ] {
        assert_eq!(CceOp::from_optype(optype), Some(op));
    }
    assert_eq!(CceOp::from_optype(4), None);
}

/// [idma-ring §4.4]
#[test]
fn parameter_descriptors() {
    let id = RingId::wrapping(2);
    let fma = Parameter::Fma {
        length: 0xFF12_3456,
        selectors: FmaSelectors::default(),
        scale: 0x3F80_0000,
    };
    assert_eq!(
        fma.descriptor(id).words(),
        [0x0280_0000, 0x0210_0000, 0x0912_3456, 0x3F80_0000]
    );
    let plain = Parameter::MinMax {
        length: 16,
        constant: None,
    };
    assert_eq!(
        plain.descriptor(id).words(),
        [0x0280_0000, 0, 0x0200_0010, 0]
    );
    let constant = Parameter::MinMax {
        length: 16,
        constant: Some((3, 0xC000_0000)),
    };
    assert_eq!(
        constant.descriptor(id).words(),
        [0x0280_0000, 0x0630_0000, 0x0200_0010, 0xC000_0000]
    );
    assert_eq!(
        Parameter::SeedInit { seed: 7 }.descriptor(id).words(),
        [0x0280_0000, 0x0600_0000, 0, 7]
    );
    assert_eq!(
        Parameter::Replication { mode: 5 }.descriptor(id).words()[1],
        0xA4A0_0000
    );
    let maximum = DataWord::MinMax {
        minimum: false,
        input: DType::Bfloat16,
        constant: Some(DType::Fp16),
        accum: DType::Fp32,
        last: true,
    };
    assert_eq!(
        maximum.word1(),
        0x0220_0000 | 0xA << 16 | 7 << 12 | 6 << 8 | 1 << 5 | 1 << 4
    );
}

/// [idma-ring §1.9, MC-3, decisions D-23, D-52]
#[test]
fn completion_entries() {
    let whole = PacketPlace {
        first: true,
        last: true,
    };
    let id = RingId::wrapping(3);
    assert_eq!(m2s_completion(id, whole), 0x0F00_0000);
    assert_eq!(m2s_completion(id, PacketPlace::default()), 0x0300_0000);
    assert_eq!(M2S_COMPLETION_BYTES, 4);
    assert_eq!(
        s2m_completion(id, whole, 65_536).words(),
        [0x4F00_0000, 0x1_0000, 0, 0]
    );
    let inner = PacketPlace {
        first: false,
        last: true,
    };
    assert_eq!(s2m_completion(id, inner, 5).words(), [0x4B00_0000, 5, 0, 0]);
    assert_eq!(completion_ring_id(0x4E00_0000).number(), 2);
}

#[test]
fn remarks() {
    let said = |descriptor: Descriptor, kind, generation| -> Vec<&'static str> {
        notes(&descriptor, kind, generation)
            .iter()
            .map(|note| note.section)
            .collect()
    };
    let CopyPair { tx, rx } = pair(65_536, 1, Barrier::Sow);
    assert_eq!(said(tx, Kind::Tx, Generation::V3), ["idma-ring §1.3, MC-8"]);
    assert_eq!(
        said(rx, Kind::Rx, Generation::V2),
        ["idma-ring §1.3, MC-8", "idma-ring §1.4"]
    );
    let dual = Descriptor {
        word0: rx::DUAL_BUF | 4,
        ..rx
    };
    assert_eq!(
        said(dual, Kind::Rx, Generation::V4),
        ["idma-ring §1.4, MC-34"]
    );
    let masked = Descriptor {
        word1: tx.word1 | tx::NOTIFICATION_MASK,
        word0: tx.word0 | 1,
        ..tx
    };
    assert_eq!(said(masked, Kind::Tx, Generation::V3), ["idma-ring §1.5"]);
    assert!(said(masked, Kind::Tx, Generation::V4Plus).is_empty());
    let illegal = Descriptor {
        word1: 3 << 23,
        ..masked
    };
    assert_eq!(
        said(illegal, Kind::Tx, Generation::V3),
        ["idma-ring MC-29, decisions D-46"]
    );
}

/// The layout in which a descriptor shows itself depends on its kind and operation.
#[test]
fn layouts_by_operation() {
    let rows = [
        (Kind::Tx, 0, 0x0108_0003, "tx_copy"),
        (Kind::Tx, 0, 0x0508_0003, "tx_copy"),
        (Kind::Tx, 0, 3, "tx"),
        (Kind::Tx, 0, 0x0200_0000, "tx_add"),
        (Kind::Tx, 0, 0x021A_A680, "tx_fma"),
        (Kind::Tx, 0, 0x0220_0000, "tx_max"),
        (Kind::Tx, 0, 0x0230_0000, "tx_min"),
        (Kind::Tx, 0, 0x0240_0000, "tx_ext"),
        (Kind::Tx, 0, 0x0250_0000, "tx_gce"),
        (Kind::Tx, 0, 0x0260_0000, "tx"),
        (Kind::Tx, 0, 0x0080_0000, "tx_split"),
        (Kind::Tx, 0, 0x0090_0000, "tx_transpose"),
        (Kind::Tx, 0, 0x00A0_0000, "tx_replication"),
        (Kind::Tx, tx::META, 0x0210_0000, "meta"),
        (Kind::Tx, tx::META, 0x0100_0000, "meta_cme"),
        (Kind::Rx, 0, 0, "rx"),
        (Kind::Rx, rx::DUAL_BUF, 0, "rx_dual"),
        (Kind::Completion, 0, 0, "completion"),
    ];
    for (kind, word0, word1, expected) in rows {
        let descriptor = Descriptor {
            word0,
            word1,
            buf_ptr: 0,
        };
        assert_eq!(
            descriptor.layout(kind).name,
            expected,
            "{word0:#x} {word1:#x}"
        );
    }
}

#[test]
fn text_of_a_copy() {
    let CopyPair { tx, rx } = pair(256, 1, Barrier::WriteBarrier);
    let tx_text = "tx_copy len=256 ring_id=1 first last write_barrier buf_ptr=0x2000000000";
    assert_eq!(format(&tx, tx.layout(Kind::Tx)), tx_text);
    let rx_text = "rx len=256 ring_id=1 buf1_ptr=0x3000000040";
    assert_eq!(format(&rx, rx.layout(Kind::Rx)), rx_text);
    let long = "tx len=0x100 ring_id=1 first=1 last is_first_block is_last_block copy_src_data op=cme write_barrier buf_ptr=0x20_0000_0000";
    assert_eq!(parse(long).map(|(descriptor, _)| descriptor), Ok(tx));
}

#[test]
fn text_errors_name_the_word() {
    let rows = [
        ("", 0, "expected tx_copy"),
        ("  ty len=3", 2, "`ty` is no kind"),
        ("tx len", 3, "`len` has no value"),
        (
            "tx len=65536",
            3,
            "65536 is too large for `len`; expected 0 to 65535",
        ),
        ("tx  len=3 len=4", 10, "`len` is given twice"),
        ("rx first", 3, "`first` is no field of rx"),
        ("tx ring_id=+1", 3, "`+1` is no number"),
        ("tx len=cme", 3, "`cme` is no number"),
        ("tx op=copy", 3, "`copy` is no number"),
    ];
    for (text, offset, message) in rows {
        let error = parse(text).expect_err(text);
        assert_eq!(error.offset, offset, "{text}");
        assert!(error.message.contains(message), "{text}: {error}");
    }
}

fn entries() -> impl Strategy<Value = Descriptor> {
    // Sparse words reach the layouts that random ones miss.
    (any::<u128>(), any::<u128>(), any::<u128>())
        .prop_flat_map(|(a, b, c)| prop_oneof![Just(a), Just(a & b & c)])
        .prop_map(Descriptor::from_bits)
}

proptest! {
    #[test]
    fn bytes_and_bits_are_lossless(descriptor in entries()) {
        prop_assert_eq!(Descriptor::unpack(&descriptor.pack()), descriptor);
        prop_assert_eq!(Descriptor::from_bits(descriptor.bits()), descriptor);
        let words = descriptor.words();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        prop_assert_eq!(&descriptor.pack()[..], &bytes[..]);
    }

    #[test]
    fn text_is_lossless_in_every_layout(descriptor in entries()) {
        for layout in LAYOUTS {
            let text = format(&descriptor, layout);
            prop_assert_eq!(parse(&text), Ok((descriptor, layout)), "{}", text);
        }
        for kind in [Kind::Tx, Kind::Rx, Kind::Completion] {
            let layout = descriptor.layout(kind);
            prop_assert!(Layout::by_name(layout.name).is_some());
        }
    }

    #[test]
    fn text_of_any_kind_never_panics(text in "\\PC{0,40}") {
        let _ = parse(&text);
        let _ = parse(&format!("tx {text}"));
    }

    /// [idma-ring §1.7]: the mask clears exactly the length and the tag.
    #[test]
    fn rebuild_replaces_length_and_tag(word0 in any::<u32>(), length in any::<u16>(), id in 0_u32..4) {
        let rebuilt = Descriptor::rebuild(word0, length, RingId::wrapping(id));
        for bit in 0..32 {
            let expected = match bit {
                0..=15 => u32::from(length) >> bit & 1,
                24..=25 => id >> (bit - 24) & 1,
                _ => word0 >> bit & 1,
            };
            prop_assert_eq!(rebuilt >> bit & 1, expected);
        }
    }
}
