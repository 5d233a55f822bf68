// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers that address arithmetic works with, each with its own type and range.

/// A number beyond the things that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {found} does not exist; expected 0 to {last}")]
pub struct OutOfRange {
    /// What was numbered.
    pub what: &'static str,
    /// The number asked for.
    pub found: u64,
    /// The highest number that exists.
    pub last: u64,
}

macro_rules! bounded {
    ($(#[$meta:meta])* $name:ident, $what:literal, $count:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u8);

        impl $name {
            /// How many there are.
            pub const COUNT: u8 = $count;

            /// The one with this number.
            ///
            /// # Errors
            /// [`OutOfRange`] when `number` is not below [`Self::COUNT`].
            pub const fn new(number: u8) -> Result<Self, OutOfRange> {
                if number < $count {
                    Ok(Self(number))
                } else {
                    Err(OutOfRange {
                        what: $what,
                        found: number as u64,
                        last: $count - 1,
                    })
                }
            }

            /// The one with this number modulo [`Self::COUNT`].
            #[must_use]
            pub const fn wrapping(number: u8) -> Self {
                Self(number % $count)
            }

            /// The number, from 0.
            #[must_use]
            pub const fn number(self) -> u8 {
                self.0
            }

            /// All of them, ascending.
            pub fn all() -> impl Iterator<Item = Self> {
                (0..$count).map(Self)
            }
        }
    };
}

bounded!(
    /// Number of a chip in the mesh: the six bits of `CAYMAN_ID`. [soc-address §1.1]
    ChipId, "chip", 64
);
bounded!(
    /// Chip-relative number of an SEngine: 2·die + position. [soc-address §2.12]
    SengineId, "SEngine", 4
);
bounded!(
    /// Hardware number of a TOP_SP: 10·die + j. [soc-address §2.1]
    TopSpId, "TOP_SP", 20
);
bounded!(
    /// Number that the runtime gives the sixteen TOP_SPs that it uses. [soc-address §2.7]
    TopSpRuntimeId, "runtime TOP_SP", 16
);
bounded!(
    /// Chip-relative number of a DMA engine; 128 to 131 are D2H0, H2D0, D2H1, H2D1. [soc-address §2.8]
    SdmaEngine, "DMA engine", 132
);
bounded!(
    /// Queue of a DMA engine. [soc-address §2.8]
    QueueId, "queue", 16
);
bounded!(
    /// One of the eight Q7 cores of a POOL engine. [soc-address §2.4]
    Q7Core, "Q7 core", 8
);
bounded!(
    /// Number of an HBM stack of a chip: 2·die + position. [soc-address §2.1]
    HbmId, "HBM", 4
);

/// One of the two dies of a package: bit 47. [soc-address §1.1]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Die {
    /// Bit 47 clear.
    #[default]
    Zero,
    /// Bit 47 set.
    One,
}

impl Die {
    /// Both, ascending.
    pub const ALL: [Self; 2] = [Self::Zero, Self::One];

    /// The die with this number.
    ///
    /// # Errors
    /// [`OutOfRange`] when `number` is 2 or more.
    pub const fn new(number: u8) -> Result<Self, OutOfRange> {
        match number {
            0 => Ok(Self::Zero),
            1 => Ok(Self::One),
            _ => Err(OutOfRange {
                what: "die",
                found: number as u64,
                last: 1,
            }),
        }
    }

    /// The die that a flag names.
    #[must_use]
    pub const fn from_bit(bit: bool) -> Self {
        if bit { Self::One } else { Self::Zero }
    }

    /// 0 or 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Zero => 0,
            Self::One => 1,
        }
    }
}

impl SengineId {
    /// Die that holds the SEngine. [soc-address §2.12]
    #[must_use]
    pub const fn die(self) -> Die {
        Die::from_bit(self.0 & 2 != 0)
    }
}

impl ChipId {
    /// The chip that the low six bits name. [soc-address MC-7]
    #[must_use]
    pub const fn truncated(bits: u32) -> Self {
        Self((bits & 0x3F) as u8)
    }
}
