// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Encoder rules of isa-word §3.

mod isa_support;

use isa_support::{W2, W3, bytes_of};
use pool_model::generation::Generation;
use pool_model::isa::{
    Addr4, DType, DebugCmd, Dimension, EncodeError, LncSizeFmt, Tensor3d, UpdateMode, WaitMode,
    Word, WordBuilder, register_with_offset, validate,
};

fn small() -> WordBuilder {
    let operand = |offset| Tensor3d::contiguous(Addr4(offset), 64);
    WordBuilder::new(DType::Bfloat16, operand(0), operand(0x1000))
}

fn built(builder: &WordBuilder) -> Word {
    builder.build().expect("encodable")
}

#[test]
fn plain_word_is_what_a_compiler_writes() {
    let bytes = built(&small().channels(128)).encode();
    assert_eq!(bytes[..4], [0xBF, 0x10, 0, 0]);
    assert_eq!(bytes[4..12], [0; 8]);
    assert_eq!(bytes[12..16], [6, 6, 0, 0]);
    assert_eq!(
        bytes[16..32],
        [0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 64, 0, 1, 0, 1, 0]
    );
    assert_eq!(bytes[32..34], [1, 128]);
    assert_eq!(bytes[34..48], [0; 14]);
    assert_eq!(
        bytes[48..64],
        [0, 0x10, 0, 0, 1, 0, 1, 0, 1, 0, 64, 0, 1, 0, 1, 0]
    );
    for generation in [Generation::V3, Generation::V4, Generation::V5] {
        assert!(validate(&bytes, generation, generation.nc_version()).is_empty());
    }
}

#[test]
fn worked_word_2() {
    let src = Tensor3d::new(
        Addr4::sbuf(Generation::V3, 32, 0x400).expect("exists"),
        &[
            Dimension::new(1, 16),
            Dimension::new(64, 4),
            Dimension::new(-256, 4),
        ],
    );
    let dst = Tensor3d::new(
        Addr4::register(5).expect("exists"),
        &[
            Dimension::new(1, 16),
            Dimension::new(16, 4),
            Dimension::new(64, 4),
        ],
    );
    let word = WordBuilder::new(DType::Fp32, src.expect("fits"), dst.expect("fits"))
        .channels(32)
        .wait(WaitMode::SemGeImm, 3, 7)
        .update(UpdateMode::SemIncComplete, 16, 999);
    assert_eq!(built(&word).encode(), bytes_of(W2));
}

#[test]
fn worked_word_3_shares_the_value() {
    let one = |partition, offset| {
        Tensor3d::contiguous(
            Addr4::sbuf(Generation::V3, partition, offset).expect("exists"),
            1,
        )
    };
    let builder = WordBuilder::new(DType::Fp8Exp4, one(127, 0x37FFF), one(96, 0))
        .channels(1)
        .lnc(LncSizeFmt::Lnc1)
        .update(UpdateMode::SemAddImmComplete, 254, 9)
        .wait(WaitMode::SemGeReg, 255, 9);
    let mut word = built(&builder);
    // The worked word leaves the unused steps of its source at 0, and has 1 at the destination.
    assert_eq!(word.src.step_elem, [1; 3]);
    word.src.step_elem = [0; 3];
    assert_eq!(word.encode(), bytes_of(W3));
}

#[test]
fn update_operand_wins_except_for_inc_dec_and_modes_without_operand() {
    for (update, value) in [
        (UpdateMode::SemAddImmComplete, 20),
        (UpdateMode::SemSubImmRead, 20),
        (UpdateMode::SemWrRegComplete, 20),
        (UpdateMode::SemIncComplete, 10),
        (UpdateMode::SemDecRead, 10),
        (UpdateMode::EvtSetComplete, 10),
        (UpdateMode::None, 10),
    ] {
        // Wait first, then update, in whatever order the builder is told.
        for builder in [
            small()
                .wait(WaitMode::SemGeImm, 1, 10)
                .update(update, 2, 20),
            small()
                .update(update, 2, 20)
                .wait(WaitMode::SemGeImm, 1, 10),
        ] {
            let events = built(&builder).events;
            assert_eq!(events.semaphore_value, value, "{update}");
            assert_eq!((events.wait_idx, events.update_idx), (1, 2));
        }
    }
    let events = built(&small().wait(WaitMode::EvtSet, 7, 55)).events;
    assert_eq!((events.wait_mode, events.semaphore_value), (0x06, 0));
}

#[test]
fn limits_on_both_sides() {
    assert!(small().wait(WaitMode::EvtSet, 255, 0).build().is_ok());
    assert_eq!(
        small().wait(WaitMode::EvtSet, 256, 0).build(),
        Err(EncodeError::Byte {
            what: "wait index",
            value: 256
        })
    );
    assert!(
        small()
            .update(UpdateMode::SemIncRead, 255, 0)
            .build()
            .is_ok()
    );
    assert!(
        small()
            .update(UpdateMode::SemIncRead, 256, 0)
            .build()
            .is_err()
    );
    assert!(small().channels(255).build().is_ok());
    assert!(small().channels(256).build().is_err());
    assert!(small().wait(WaitMode::SemGeReg, 0, 63).build().is_ok());
    assert_eq!(
        small().wait(WaitMode::SemGeReg, 0, 64).build(),
        Err(EncodeError::Register {
            half: "wait",
            operand: 64
        })
    );
    assert!(
        small()
            .update(UpdateMode::SemAddRegRead, 0, 64)
            .build()
            .is_err()
    );
    let packed = register_with_offset(63, 0x1234).expect("24 bits");
    let word = built(&small().wait(WaitMode::SemGeRegOffset, 0, packed));
    assert_eq!(word.events.semaphore_value, 0x0012_343F);
    assert!(
        small()
            .wait(WaitMode::SemGeRegOffset, 0, 0x40)
            .build()
            .is_err()
    );
}

#[test]
fn debug_bytes_are_carried() {
    let word = built(&small().debug(DebugCmd::StartEnd, 0xA5));
    assert_eq!((word.header.debug_cmd, word.header.debug_hint), (7, 0xA5));
}
