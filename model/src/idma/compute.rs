// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words of compute packets. The engine does not execute them yet; builders and tools use them.
//! [idma-ring §§4.1–4.5, decisions D-40]

use super::descriptor::{Descriptor, RingId, tx};
use crate::isa::DType;

/// Base words of DRE and CCE. [idma-ring §4.2, HIGH/OBSERVED]
mod base {
    pub const ADD: u32 = 0x0200_0000;
    pub const FMA: u32 = 0x0210_0000;
    pub const MAX: u32 = 0x0220_0000;
    pub const MIN: u32 = 0x0230_0000;
    /// Word 1 of a parameter that holds a seed or a constant.
    pub const PARAMETER: u32 = 0x0600_0000;
    pub const REPLICATION_PARAMETER: u32 = 0x04A0_0000;
}

/// Reductions that the engine selects by optype alone. [idma-ring §4.1, MC-30]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CceOp {
    /// 0
    Add,
    /// 1
    Fma,
    /// 2
    Max,
    /// 3
    Min,
}

impl CceOp {
    /// All of them, by ascending optype.
    pub const ALL: [Self; 4] = [Self::Add, Self::Fma, Self::Max, Self::Min];

    /// Bits 22..20 of word 1.
    #[must_use]
    pub const fn optype(self) -> u8 {
        match self {
            Self::Add => 0,
            Self::Fma => 1,
            Self::Max => 2,
            Self::Min => 3,
        }
    }

    /// The reduction that an optype selects; `None` for EXT, GCE and the undefined ones.
    #[must_use]
    pub fn from_optype(optype: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.optype() == optype)
    }

    /// The reduction of the host's descriptor op 1..=4. COPY and TRANSPOSE are none. [idma-ring §4.1]
    #[must_use]
    pub const fn from_kbin(op: u8) -> Option<Self> {
        match op {
            1 => Some(Self::Fma),
            2 => Some(Self::Add),
            3 => Some(Self::Min),
            4 => Some(Self::Max),
            _ => None,
        }
    }
}

/// Word 1 of a data descriptor. [idma-ring §4.5]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataWord {
    /// Source of a sum.
    Add {
        /// Written.
        out: DType,
        /// Accumulated.
        accum: DType,
        /// The last source, which writes the result.
        last: bool,
    },
    /// Source of a scaled sum.
    Fma {
        /// Read.
        input: DType,
        /// Of the scale.
        scale: DType,
        /// Accumulated.
        accum: DType,
        /// The last source, which writes the result.
        last: bool,
    },
    /// Source of a maximum or minimum.
    MinMax {
        /// Minimum rather than maximum.
        minimum: bool,
        /// Read.
        input: DType,
        /// Written, where a constant takes part; 0 otherwise.
        constant: Option<DType>,
        /// Accumulated.
        accum: DType,
        /// The last source, which writes the result.
        last: bool,
    },
}

/// Bits 7 and 4 of word 1: "last", by encoder. [idma-ring §4.5]
const LAST: u32 = 1 << 7;
const LAST_MIN_MAX: u32 = 1 << 4;
const USE_CONST: u32 = 1 << 5;

const fn nibble(dtype: DType, low: u32) -> u32 {
    (dtype.raw() as u32 & 0xF) << low
}

impl DataWord {
    /// The word.
    #[must_use]
    pub const fn word1(self) -> u32 {
        match self {
            Self::Add { out, accum, last } => {
                base::ADD | nibble(out, 12) | nibble(accum, 16) | if last { LAST } else { 0 }
            }
            Self::Fma {
                input,
                scale,
                accum,
                last,
            } => {
                base::FMA
                    | nibble(input, 8)
                    | nibble(scale, 12)
                    | nibble(accum, 16)
                    | if last { LAST } else { 0 }
            }
            Self::MinMax {
                minimum,
                input,
                constant,
                accum,
                last,
            } => {
                let out = match constant {
                    Some(dtype) => nibble(dtype, 12) | USE_CONST,
                    None => 0,
                };
                (if minimum { base::MIN } else { base::MAX })
                    | nibble(input, 8)
                    | out
                    | nibble(accum, 16)
                    | if last { LAST_MIN_MAX } else { 0 }
            }
        }
    }
}

/// Operands of an FMA by their codes. [idma-ring §4.6]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FmaOperand {
    /// 0: the accumulator.
    StoredBuffer,
    /// 1: the source stream.
    InputBuffer,
    /// 2: the scale in word 3.
    Scale,
}

impl FmaOperand {
    const fn code(self) -> u32 {
        match self {
            Self::StoredBuffer => 0,
            Self::InputBuffer => 1,
            Self::Scale => 2,
        }
    }
}

/// Which operand takes which part: in × scale + accumulator by default. [idma-ring §4.6]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FmaSelectors {
    /// Bits 25..24.
    pub a: FmaOperand,
    /// Bits 27..26.
    pub b: FmaOperand,
    /// Bits 29..28.
    pub c: FmaOperand,
}

impl Default for FmaSelectors {
    fn default() -> Self {
        Self {
            a: FmaOperand::InputBuffer,
            b: FmaOperand::Scale,
            c: FmaOperand::StoredBuffer,
        }
    }
}

/// A parameter descriptor, without FIRST and LAST. [idma-ring §4.4]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Scale of one FMA source.
    Fma {
        /// Elements or bytes, 24 bits.
        length: u32,
        /// Operands.
        selectors: FmaSelectors,
        /// FP32 bits.
        scale: u32,
    },
    /// A minimum or maximum, with the constant that takes part, if any: selector and bits.
    MinMax {
        /// Elements or bytes, 24 bits.
        length: u32,
        /// Low three bits of the selector, and the constant.
        constant: Option<(u8, u32)>,
    },
    /// Seed of the stochastic rounding.
    SeedInit {
        /// The seed.
        seed: u32,
    },
    /// Mode of a replication.
    Replication {
        /// Bits 31..29 of word 1.
        mode: u8,
    },
    /// CRC and CME parameters: word 0 is FIRST and META. [idma-ring §1.7]
    Cme {
        /// Word 1.
        word1: u32,
        /// `meta1` and `meta2`.
        meta: [u32; 2],
    },
}

/// Length field of word 2. [idma-ring §4.4]
const LENGTH: u32 = 0x00FF_FFFF;
/// Word 2 of a minimum or maximum. [idma-ring §4.4]
const MIN_MAX_WORD2: u32 = 0x0200_0000;

impl Parameter {
    /// The descriptor with its tag.
    #[must_use]
    pub const fn descriptor(self, id: RingId) -> Descriptor {
        let (flags, word1, tail) = match self {
            Self::Fma {
                length,
                selectors,
                scale,
            } => {
                let selected =
                    selectors.a.code() << 24 | selectors.b.code() << 26 | selectors.c.code() << 28;
                (0, base::FMA, [length & LENGTH | selected, scale])
            }
            Self::MinMax { length, constant } => {
                let (word1, value) = match constant {
                    Some((selector, value)) => {
                        (((selector & 7) as u32) << 20 | base::PARAMETER, value)
                    }
                    None => (0, 0),
                };
                (0, word1, [length & LENGTH | MIN_MAX_WORD2, value])
            }
            Self::SeedInit { seed } => (0, base::PARAMETER, [0, seed]),
            Self::Replication { mode } => (
                0,
                base::REPLICATION_PARAMETER | ((mode & 7) as u32) << 29,
                [0, 0],
            ),
            Self::Cme { word1, meta } => (tx::FIRST, word1, meta),
        };
        Descriptor {
            word0: tx::META | flags | id.in_descriptor(),
            word1,
            buf_ptr: tail[0] as u64 | (tail[1] as u64) << 32,
        }
    }
}
