// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `LNC_SIZE_FMT`, which names the peer. [isa-word §5.2, HIGH/OBSERVED]

use std::ops::Range;

use super::wire_enum::wire_enum;

wire_enum! {
    /// How many physical cores form the logical core. [isa-word §5.2, HIGH/OBSERVED]
    pub enum LncSizeFmt {
        #[doc = "(the core itself)"]
        Lnc1 = 0, "LNC1", ALL;
        #[doc = "(pairs of cores)"]
        Lnc2 = 1, "LNC2", ALL;
        #[doc = "(rejected by 0xBF)"]
        Lnc4 = 2, "LNC4", ALL;
        #[doc = "(rejected by 0xBF)"]
        Lnc8 = 3, "LNC8", ALL;
    }
}

impl LncSizeFmt {
    /// Cores in one group: 1, 2, 4 or 8.
    #[must_use]
    pub const fn cores(self) -> u8 {
        match self {
            Self::Lnc1 => 1,
            Self::Lnc2 => 2,
            Self::Lnc4 => 4,
            Self::Lnc8 => 8,
        }
    }

    /// Whether 0xBF accepts the format. [isa-word §4.1 #5, HIGH/OBSERVED]
    #[must_use]
    pub const fn accepted(self) -> bool {
        matches!(self, Self::Lnc1 | Self::Lnc2)
    }

    /// The peer of physical core `core`: itself for LNC1, `core ^ 1` for LNC2, none for the formats
    /// that 0xBF rejects. [isa-word §5.2, HIGH/INFERRED]
    #[must_use]
    pub const fn peer(self, core: u8) -> Option<u8> {
        match self {
            Self::Lnc1 => Some(core),
            Self::Lnc2 => Some(core ^ 1),
            Self::Lnc4 | Self::Lnc8 => None,
        }
    }

    /// The cores of the group that `core` (0..=7) belongs to; `None` for other core numbers.
    /// [isa-word §5.2]
    #[must_use]
    pub const fn group(self, core: u8) -> Option<Range<u8>> {
        if core > 7 {
            return None;
        }
        let first = core - core % self.cores();
        Some(first..first + self.cores())
    }
}
