// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Hardware generations and the version numbers that go with them. [isa-word §0, HIGH/OBSERVED]

use std::fmt;
use std::str::FromStr;

/// A hardware generation. Selects constants and enum membership everywhere. [isa-word §0]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// NC-v2, code name SUNDA. Has no 0xBF.
    V2,
    /// NC-v3, code name CAYMAN: the reference generation and the default.
    #[default]
    V3,
    /// NC-v4, code name MARIANA.
    V4,
    /// NC-v4 with other firmware, code name `MARIANA_PLUS`; the instruction set is that of v4.
    V4Plus,
    /// NC-v5, code name MAVERICK.
    V5,
}

impl Generation {
    /// All generations, oldest first.
    pub const ALL: [Self; 5] = [Self::V2, Self::V3, Self::V4, Self::V4Plus, Self::V5];

    /// The name that commands and files use: `v2 v3 v4 v4+ v5`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::V4 => "v4",
            Self::V4Plus => "v4+",
            Self::V5 => "v5",
        }
    }

    /// The code name in lower case, accepted as an alias.
    #[must_use]
    pub const fn code_name(self) -> &'static str {
        match self {
            Self::V2 => "sunda",
            Self::V3 => "cayman",
            Self::V4 => "mariana",
            Self::V4Plus => "mariana_plus",
            Self::V5 => "maverick",
        }
    }

    /// `NeuronCoreVersion` of the generation; v4+ has no number of its own.
    #[must_use]
    pub const fn nc_version(self) -> NcVersion {
        match self {
            Self::V2 => NcVersion::V2,
            Self::V3 => NcVersion::V3,
            Self::V4 | Self::V4Plus => NcVersion::V4,
            Self::V5 => NcVersion::V5,
        }
    }

    /// `arch_id` of the generation. [isa-word §0, HIGH/OBSERVED; v5 INFERRED]
    #[must_use]
    pub const fn arch_id(self) -> u8 {
        match self {
            Self::V2 => 0x05,
            Self::V3 => 0x0C,
            Self::V4 => 0x14,
            Self::V4Plus => 0x1C,
            Self::V5 => 0x24,
        }
    }

    /// `coretype` of the generation. [isa-word §0, HIGH/OBSERVED]
    #[must_use]
    pub const fn coretype(self) -> u8 {
        match self {
            Self::V2 => 6,
            Self::V3 => 13,
            Self::V4 => 21,
            Self::V4Plus => 29,
            Self::V5 => 37,
        }
    }

    /// Position in [`Generation::ALL`]; also the value of the RTL's generation strap.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::V2 => 0,
            Self::V3 => 1,
            Self::V4 => 2,
            Self::V4Plus => 3,
            Self::V5 => 4,
        }
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A generation name that is not one of [`Generation::ALL`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown generation `{0}`; expected v2, v3, v4, v4+, v5 \
     (or sunda, cayman, mariana, mariana_plus, maverick)"
)]
pub struct UnknownGeneration(pub String);

impl FromStr for Generation {
    type Err = UnknownGeneration;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|g| g.name() == text || g.code_name() == text)
            .ok_or_else(|| UnknownGeneration(text.to_owned()))
    }
}

/// The `NeuronCoreVersion` argument of the validator, separate from the generation. [decisions D-12]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NcVersion {
    /// `V2` = 2
    V2,
    /// `V3` = 3
    V3,
    /// `V4` = 4
    V4,
    /// `V5` = 5
    V5,
}

impl NcVersion {
    /// All versions, oldest first.
    pub const ALL: [Self; 4] = [Self::V2, Self::V3, Self::V4, Self::V5];

    /// The enum value, 2..=5.
    #[must_use]
    pub const fn value(self) -> u8 {
        match self {
            Self::V2 => 2,
            Self::V3 => 3,
            Self::V4 => 4,
            Self::V5 => 5,
        }
    }
}

/// A version name that is not `V2`, `V3`, `V4` or `V5`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown NeuronCoreVersion `{0}`; expected V2, V3, V4 or V5")]
pub struct UnknownNcVersion(pub String);

impl FromStr for NcVersion {
    type Err = UnknownNcVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "V2" | "v2" => Ok(Self::V2),
            "V3" | "v3" => Ok(Self::V3),
            "V4" | "v4" => Ok(Self::V4),
            "V5" | "v5" => Ok(Self::V5),
            other => Err(UnknownNcVersion(other.to_owned())),
        }
    }
}
