// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `DTYPE`, the element type of an operand. [isa-word §5.1, HIGH/OBSERVED]

use super::wire_enum::wire_enum;
use crate::generation::Generation;

wire_enum! {
    /// Element type tag of `in_dtype` and `out_dtype`: one whole byte. [isa-word §5.1, HIGH/OBSERVED]
    pub enum DType {
        Invalid = 0x00, "INVALID", ALL;
        Uint64 = 0x01, "UINT64", ALL;
        Int8 = 0x02, "INT8", ALL;
        Uint8 = 0x03, "UINT8", ALL;
        Int16 = 0x04, "INT16", ALL;
        Uint16 = 0x05, "UINT16", ALL;
        Bfloat16 = 0x06, "BFLOAT16", ALL;
        Fp16 = 0x07, "FP16", ALL;
        Int32 = 0x08, "INT32", ALL;
        Uint32 = 0x09, "UINT32", ALL;
        Fp32 = 0x0A, "FP32", ALL;
        #[doc = "(rounded FP32 in a 32-bit container)"]
        Fp32r = 0x0B, "FP32R", ALL;
        Int64 = 0x0C, "INT64", ALL;
        #[doc = "(E3M4)"]
        Fp8Exp3 = 0x0D, "FP8_EXP3", ALL;
        #[doc = "(E4M3)"]
        Fp8Exp4 = 0x0E, "FP8_EXP4", ALL;
        #[doc = "(E5M2)"]
        Fp8Exp5 = 0x0F, "FP8_EXP5", ALL;
        #[doc = "(E2M1)"]
        Fp4Exp2 = 0x10, "FP4_EXP2", FROM_V4;
        #[doc = "(E2M5)"]
        Fp8Exp2 = 0x11, "FP8_EXP2", V5_ONLY;
        Int4 = 0x12, "INT4", V5_ONLY;
        #[doc = "(E8M0 scale)"]
        Sfp8E8 = 0x13, "SFP8_E8", V5_ONLY;
        #[doc = "(scale)"]
        Sfp8E7 = 0x14, "SFP8_E7", V5_ONLY;
        #[doc = "(scale)"]
        Sfp8E6 = 0x15, "SFP8_E6", V5_ONLY;
        #[doc = "(scale)"]
        Sfp8E5 = 0x16, "SFP8_E5", V5_ONLY;
        Cptc1 = 0x19, "CPTC1", FROM_V4;
        Cptc2 = 0x1A, "CPTC2", FROM_V4;
        Cptc3 = 0x1B, "CPTC3", FROM_V4;
        Cptc4 = 0x1C, "CPTC4", FROM_V4;
        Cptc5 = 0x1D, "CPTC5", FROM_V4;
        Cptc6 = 0x1E, "CPTC6", FROM_V4;
        Cptc7 = 0x1F, "CPTC7", FROM_V4;
    }
}

impl DType {
    /// Width of one value in bits; `None` for `INVALID`. [isa-word §5.1, HIGH/OBSERVED]
    #[must_use]
    pub const fn bits(self) -> Option<u32> {
        match self {
            Self::Invalid => None,
            Self::Int4 | Self::Fp4Exp2 | Self::Cptc4 => Some(4),
            Self::Int8
            | Self::Uint8
            | Self::Fp8Exp3
            | Self::Fp8Exp4
            | Self::Fp8Exp5
            | Self::Fp8Exp2
            | Self::Sfp8E8
            | Self::Sfp8E7
            | Self::Sfp8E6
            | Self::Sfp8E5 => Some(8),
            Self::Int16 | Self::Uint16 | Self::Bfloat16 | Self::Fp16 => Some(16),
            Self::Int32 | Self::Uint32 | Self::Fp32 | Self::Fp32r => Some(32),
            Self::Uint64 | Self::Int64 => Some(64),
            Self::Cptc1 => Some(1),
            Self::Cptc2 => Some(2),
            Self::Cptc3 => Some(3),
            Self::Cptc5 => Some(5),
            Self::Cptc6 => Some(6),
            Self::Cptc7 => Some(7),
        }
    }

    /// Size in bytes of one element of a pattern when the word executes; `None` where execution
    /// faults (`INVALID`, CPTC). `FP4_EXP2` is a 2-byte container of four values, `INT4` one byte
    /// for two. [isa-word MC-8, MC-20; decisions D-11]
    #[must_use]
    pub const fn element_bytes(self) -> Option<u32> {
        match self {
            Self::Fp4Exp2 => Some(2),
            Self::Int4 => Some(1),
            other if other.is_cptc() => None,
            other => match other.bits() {
                Some(bits) => Some(bits / 8),
                None => None,
            },
        }
    }

    /// CPTC1..CPTC7: `(tag & 0xF8) == 0x18 && (tag & 7) != 0`. [isa-word §5.1, HIGH/OBSERVED]
    #[must_use]
    pub const fn is_cptc(self) -> bool {
        is_cptc_tag(self.raw())
    }

    /// Address alignment in bytes that `addr_aligned_dtype` asks for on `generation`.
    #[must_use]
    pub const fn alignment(self, generation: Generation) -> Option<u32> {
        alignment_of_tag(self.raw(), generation)
    }

    /// Whether an immediate-address 0xBF with this type can pass on `generation`.
    /// [isa-word §5.1 column "0xBF imm."]
    #[must_use]
    pub const fn sb2sb_capable(self, generation: Generation) -> bool {
        self.alignment(generation).is_some()
    }

    /// A type that DMA can reduce. [isa-word §5.1, HIGH/OBSERVED; completeness MED]
    #[must_use]
    pub const fn dma_reduce_capable(self) -> bool {
        matches!(
            self,
            Self::Bfloat16
                | Self::Fp16
                | Self::Fp32r
                | Self::Fp8Exp3
                | Self::Fp8Exp4
                | Self::Fp8Exp5
        )
    }

    /// Member of `DTYPE_BASIC`, the first 16 tags. [isa-word §5.1]
    #[must_use]
    pub const fn is_basic(self) -> bool {
        self.raw() < 16
    }
}

/// The CPTC test on a raw tag. [isa-word §5.1, HIGH/OBSERVED]
#[must_use]
pub const fn is_cptc_tag(tag: u8) -> bool {
    tag & 0xF8 == 0x18 && tag & 7 != 0
}

/// The alignment in bytes of `addr_aligned_dtype(a, tag)`; `None` where the test is false for every
/// address. [isa-word §2.4, HIGH/OBSERVED; v5 tags 16..22 MC-6]
#[must_use]
pub const fn alignment_of_tag(tag: u8, generation: Generation) -> Option<u32> {
    match (tag, generation) {
        (2 | 3 | 13..=15, _)
        | (16, Generation::V4 | Generation::V4Plus | Generation::V5)
        | (17..=22, Generation::V5) => Some(1),
        (4..=7, _) => Some(2),
        (8..=11, _) => Some(4),
        (1 | 12, _) => Some(8),
        _ => None,
    }
}

/// Element size in bytes of a raw tag at execution; `None` is the fault `Dtype`: the tag is no
/// member on `generation`, or has no element size. [isa-word MC-20, decisions D-44]
#[must_use]
pub const fn element_bytes_of_tag(tag: u8, generation: Generation) -> Option<u32> {
    match DType::from_raw_in(tag, generation) {
        Some(dtype) => dtype.element_bytes(),
        None => None,
    }
}
