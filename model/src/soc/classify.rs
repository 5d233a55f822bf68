// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which engine a pair of base registers names. [soc-address §2.11, MC-12], [decisions D-27]

use super::SocAddr;
use super::id::Die;
use super::map::{root, tpb};
use super::view::Field;

/// The engines, with the numbers of the ISA. [soc-address §2.11, HIGH/OBSERVED]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EngineIndex {
    /// PE = 0.
    Pe,
    /// ACT = 1.
    Act,
    /// POOL = 2.
    Pool,
    /// DVE = 3.
    Dve,
    /// TPB_SP = 4.
    TpbSp,
    /// TOP_SP = 5.
    TopSp,
}

impl EngineIndex {
    /// All engines, ascending.
    pub const ALL: [Self; 6] = [
        Self::Pe,
        Self::Act,
        Self::Pool,
        Self::Dve,
        Self::TpbSp,
        Self::TopSp,
    ];

    /// The ISA number.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Pe => 0,
            Self::Act => 1,
            Self::Pool => 2,
            Self::Dve => 3,
            Self::TpbSp => 4,
            Self::TopSp => 5,
        }
    }

    /// Start of the engine's block inside a TPB; none for TOP_SP.
    #[must_use]
    pub const fn tpb_offset(self) -> Option<u64> {
        match self {
            Self::Pe => Some(tpb::PE),
            Self::Act => Some(tpb::ACT),
            Self::Pool => Some(tpb::POOL),
            Self::Dve => Some(tpb::DVE),
            Self::TpbSp => Some(tpb::SP),
            Self::TopSp => None,
        }
    }
}

/// What the classifier finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// An engine of a TPB, not a TOP_SP.
    pub is_tpb: bool,
    /// Die 0.
    pub is_die_0: bool,
    /// Which engine.
    pub engine: EngineIndex,
}

impl Identity {
    /// The word that firmware stores in `general[17]`. [soc-address §2.11]
    #[must_use]
    pub const fn packed(self) -> u32 {
        (self.is_tpb as u32) << 16 | (self.is_die_0 as u32) << 8 | self.engine.number() as u32
    }
}

/// A pair of bases that is no engine: firmware stops. [decisions D-27]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassifyError {
    /// Line 257: a TPB of the own die, but no engine of it.
    #[error("fatal at line 257: {offset:#x} is no engine's place in the TPB at {tpb_base}")]
    UnknownEngine {
        /// TPB base as given.
        tpb_base: SocAddr,
        /// Engine base minus TPB base.
        offset: u64,
    },
    /// Line 223: neither a TOP_SP nor, on the engine's die, a TPB.
    #[error("fatal at line 223: {engine_base} is no TOP_SP, and {tpb_base} no TPB of its die")]
    UnknownBase {
        /// Engine base as given.
        engine_base: SocAddr,
        /// TPB base as given.
        tpb_base: SocAddr,
    },
}

impl ClassifyError {
    /// Line of the firmware's assertion.
    #[must_use]
    pub const fn line(self) -> u16 {
        match self {
            Self::UnknownEngine { .. } => 257,
            Self::UnknownBase { .. } => 223,
        }
    }
}

/// Bits `[57:55]`, which do not take part. [soc-address §1.1]
const ATTRIBUTES: u64 =
    Field::RESERVED.mask() | Field::RELAXED_ORDERING.mask() | Field::OK_TO_FAIL.mask();

/// Classifies an engine by the registers `general[2]` (engine base) and `general[1]` (TPB base).
///
/// # Errors
/// [`ClassifyError`], with the line at which firmware stops.
pub fn classify(engine_base: SocAddr, tpb_base: SocAddr) -> Result<Identity, ClassifyError> {
    let engine = SocAddr(engine_base.0 & !ATTRIBUTES);
    let tile = SocAddr(tpb_base.0 & !ATTRIBUTES);
    let die = Die::from_bit(Field::DIE.get(engine) == 1);
    let is_die_0 = die == Die::Zero;
    if is_top_sp(Field::LOCAL.get(engine)) {
        return Ok(Identity {
            is_tpb: false,
            is_die_0,
            engine: EngineIndex::TopSp,
        });
    }
    // Bit 37 set, bits 38 and 36 free, nothing else: the four TPB bases of a die. [soc-address §2.1]
    let is_tpb_base = Field::LOCAL.get(tile) & !(1 << 38 | 1 << 36) == 1 << 37;
    if Field::DIE.get(tile) != u64::from(die.number()) || !is_tpb_base {
        return Err(ClassifyError::UnknownBase {
            engine_base,
            tpb_base,
        });
    }
    let offset = engine.0.wrapping_sub(tile.0);
    EngineIndex::ALL
        .into_iter()
        .find(|engine| engine.tpb_offset() == Some(offset))
        .map(|engine| Identity {
            is_tpb: true,
            is_die_0,
            engine,
        })
        .ok_or(ClassifyError::UnknownEngine { tpb_base, offset })
}

/// Base of a TOP_SP container or of its sequencer.
const fn is_top_sp(local: u64) -> bool {
    let (first, pitch, count) = root::TOP_SP;
    let Some(offset) = local.checked_sub(first) else {
        return false;
    };
    let rest = offset % pitch;
    offset / pitch < count as u64 && (rest == 0 || rest == root::TOP_SP_SEQUENCER)
}
