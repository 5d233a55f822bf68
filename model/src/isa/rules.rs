// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The eleven predicates in plain form on the decoded word, one function each. [isa-word §4.1, §4.5]
//!
//! [`validate`](super::validate) answers the same questions from tables; tests hold the two together.

use super::geometry::{Geometry, active_channel_range_valid};
use super::lnc::LncSizeFmt;
use super::opcode::Opcode;
use super::operand::check_operand;
use super::predicate::Predicate;
use super::update_mode::UpdateMode;
use super::wait_mode::WaitMode;
use super::word::{INST_WORD_LEN, Word};
use crate::generation::{Generation, NcVersion};

/// Most elements of the source pattern. [isa-word §4.1 #10, HIGH/OBSERVED]
pub const MAX_SRC_ELEMENTS: u64 = 256;

/// The lowest version that predicate 4 accepts. [isa-word §4.1 #4, HIGH/OBSERVED]
pub const FIRST_NC_VERSION: NcVersion = NcVersion::V3;

/// Whether a wait mode byte is legal on `generation`. [isa-word §1.2, MC-3]
#[must_use]
pub const fn wait_mode_legal(raw: u8, generation: Generation) -> bool {
    match WaitMode::from_raw(raw) {
        Some(mode) => mode.legal_in(generation),
        None => false,
    }
}

/// Whether an update mode byte is legal on `generation`. [isa-word §1.2, MC-3]
#[must_use]
pub const fn update_mode_legal(raw: u8, generation: Generation) -> bool {
    match UpdateMode::from_raw(raw) {
        Some(mode) => mode.legal_in(generation),
        None => false,
    }
}

/// Whether a peer format byte is one that 0xBF accepts. [isa-word §4.1 #5, HIGH/OBSERVED]
#[must_use]
pub const fn lnc_size_fmt_legal(raw: u8) -> bool {
    match LncSizeFmt::from_raw(raw) {
        Some(format) => format.accepted(),
        None => false,
    }
}

/// Whether a channel count is 1..=`POOLING_NUM_CHANNELS`. [isa-word §4.1 #6, HIGH/OBSERVED]
#[must_use]
pub const fn num_active_channels_legal(raw: u8, generation: Generation) -> bool {
    active_channel_range_valid(raw as u32, Geometry::of(generation).pooling_channels)
}

impl Predicate {
    /// Whether the predicate, looked at on its own, holds for the word. `version` is the separate
    /// version argument. [isa-word §4.1; decisions D-12]
    #[must_use]
    pub fn holds(self, word: &Word, generation: Generation, version: NcVersion) -> bool {
        match self {
            Self::HasValidNeuronHeader => {
                Opcode(word.header.opcode).member_of(generation)
                    && word.header.inst_word_len == INST_WORD_LEN
            }
            Self::HasValidNeuronEvents => {
                wait_mode_legal(word.events.wait_mode, generation)
                    && update_mode_legal(word.events.update_mode, generation)
            }
            Self::HasSb2sbcollectiveOpcode => word.header.opcode == Opcode::SB2SB_COLLECTIVE.0,
            Self::HasValidNcSb2sbCollective => version >= FIRST_NC_VERSION,
            Self::HasValidLncSizefmt => lnc_size_fmt_legal(word.lnc_size_fmt),
            Self::CheckActivePorts => {
                num_active_channels_legal(word.num_active_channels, generation)
            }
            Self::S3d3CollectiveReservedZero => word
                .reserved0
                .iter()
                .chain(&word.reserved1)
                .all(|&b| b == 0),
            Self::Tensor3dValidSrc => check_operand(&word.src, word.in_dtype, generation).is_ok(),
            Self::Tensor3dValidDst => check_operand(&word.dst, word.out_dtype, generation).is_ok(),
            Self::SizeCheckSrc => word.src.stored_elements() <= MAX_SRC_ELEMENTS,
            Self::DtypeEqualityCheck => word.in_dtype == word.out_dtype,
        }
    }
}
