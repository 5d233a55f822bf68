// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sets of generations, and the form that every one-byte enum of the word has.

use crate::generation::Generation;

/// The generations that have something: an enum member, an opcode, a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GenerationSet(u8);

impl GenerationSet {
    /// Every generation.
    pub const ALL: Self = Self(0b1_1111);
    /// v2 only.
    pub const V2_ONLY: Self = Self(0b0_0001);
    /// v2, v3, v4, v4+: all but v5.
    pub const V2_TO_V4: Self = Self(0b0_1111);
    /// v3 and later.
    pub const FROM_V3: Self = Self(0b1_1110);
    /// v4, v4+ and v5.
    pub const FROM_V4: Self = Self(0b1_1100);
    /// v5 only.
    pub const V5_ONLY: Self = Self(0b1_0000);
    /// No generation.
    pub const NONE: Self = Self(0);

    /// Whether `generation` belongs to the set.
    #[must_use]
    pub const fn contains(self, generation: Generation) -> bool {
        (self.0 >> generation.index()) & 1 == 1
    }
}

/// Defines a one-byte enum by its table: variant, wire value, name in the specification, generations.
macro_rules! wire_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$extra:meta])* $variant:ident = $raw:literal, $text:literal, $set:ident;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(
                #[doc = concat!("`", $text, "` = ", stringify!($raw))]
                $(#[$extra])*
                $variant,
            )+
        }

        impl $name {
            /// Every member of any generation, by ascending wire value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The member with this wire value in any generation.
            #[must_use]
            pub const fn from_raw(raw: u8) -> Option<Self> {
                match raw {
                    $($raw => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The member with this wire value, if `generation` has it.
            #[must_use]
            pub const fn from_raw_in(
                raw: u8,
                generation: $crate::generation::Generation,
            ) -> Option<Self> {
                match Self::from_raw(raw) {
                    Some(member) if member.member_of(generation) => Some(member),
                    _ => None,
                }
            }

            /// The wire value.
            #[must_use]
            pub const fn raw(self) -> u8 {
                match self {
                    $(Self::$variant => $raw,)+
                }
            }

            /// The name in the specification.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// Whether the enum of `generation` has this member.
            #[must_use]
            pub const fn member_of(self, generation: $crate::generation::Generation) -> bool {
                match self {
                    $(Self::$variant => $crate::isa::GenerationSet::$set.contains(generation),)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use wire_enum;
