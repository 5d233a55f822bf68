// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The eleven predicates by number and name, and sets of them. [isa-word §4.1, HIGH/OBSERVED]

use std::fmt;

/// A predicate of `is_valid_sb2sb_collective`, in the order of evaluation. [isa-word §4.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Predicate {
    /// 1: opcode in the generation's enum, `inst_word_len == 16`.
    HasValidNeuronHeader,
    /// 2: both modes legal.
    HasValidNeuronEvents,
    /// 3: opcode 0xBF.
    HasSb2sbcollectiveOpcode,
    /// 4: version argument at least V3.
    HasValidNcSb2sbCollective,
    /// 5: LNC1 or LNC2.
    HasValidLncSizefmt,
    /// 6: 1..=128 channels.
    CheckActivePorts,
    /// 7: all 16 reserved bytes 0.
    S3d3CollectiveReservedZero,
    /// 8: the source operand.
    Tensor3dValidSrc,
    /// 9: the destination operand.
    Tensor3dValidDst,
    /// 10: at most 256 source elements.
    SizeCheckSrc,
    /// 11: equal types.
    DtypeEqualityCheck,
}

impl Predicate {
    /// All, in order of evaluation.
    pub const ALL: [Self; 11] = [
        Self::HasValidNeuronHeader,
        Self::HasValidNeuronEvents,
        Self::HasSb2sbcollectiveOpcode,
        Self::HasValidNcSb2sbCollective,
        Self::HasValidLncSizefmt,
        Self::CheckActivePorts,
        Self::S3d3CollectiveReservedZero,
        Self::Tensor3dValidSrc,
        Self::Tensor3dValidDst,
        Self::SizeCheckSrc,
        Self::DtypeEqualityCheck,
    ];

    /// 1..=11, the row of isa-word §4.1.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::HasValidNeuronHeader => 1,
            Self::HasValidNeuronEvents => 2,
            Self::HasSb2sbcollectiveOpcode => 3,
            Self::HasValidNcSb2sbCollective => 4,
            Self::HasValidLncSizefmt => 5,
            Self::CheckActivePorts => 6,
            Self::S3d3CollectiveReservedZero => 7,
            Self::Tensor3dValidSrc => 8,
            Self::Tensor3dValidDst => 9,
            Self::SizeCheckSrc => 10,
            Self::DtypeEqualityCheck => 11,
        }
    }

    /// The predicate with this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.number() == number)
    }

    /// The name in listings and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HasValidNeuronHeader => "has_valid_neuron_header",
            Self::HasValidNeuronEvents => "has_valid_neuron_events",
            Self::HasSb2sbcollectiveOpcode => "has_sb2sbcollective_opcode",
            Self::HasValidNcSb2sbCollective => "has_valid_nc_sb2sb_collective",
            Self::HasValidLncSizefmt => "has_valid_LncSizefmt",
            Self::CheckActivePorts => "check_active_ports",
            Self::S3d3CollectiveReservedZero => "s3d3_collective_reserved_zero",
            Self::Tensor3dValidSrc => "tensor3d_valid_src",
            Self::Tensor3dValidDst => "tensor3d_valid_dst",
            Self::SizeCheckSrc => "size_check_src",
            Self::DtypeEqualityCheck => "dtype_equality_check",
        }
    }

    /// The bit of a [`PredicateSet`] that stands for the predicate.
    #[must_use]
    pub const fn bit(self) -> u16 {
        1 << (self.number() - 1)
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The predicates that a word fails: bit `k - 1` is predicate `k`. Empty for a valid word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateSet(u16);

impl PredicateSet {
    /// No failure.
    pub const EMPTY: Self = Self(0);

    /// Bits of the eleven predicates.
    const MASK: u16 = (1 << Predicate::ALL.len()) - 1;

    /// The set with these bits; bits above the eleventh are dropped.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::MASK)
    }

    /// Bit `k - 1` is predicate `k`.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// No predicate fails: the word is valid.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of failing predicates.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `predicate` fails.
    #[must_use]
    pub const fn contains(self, predicate: Predicate) -> bool {
        self.0 & predicate.bit() != 0
    }

    /// The set with `predicate` added.
    #[must_use]
    pub const fn with(self, predicate: Predicate) -> Self {
        Self(self.0 | predicate.bit())
    }

    /// The first failing predicate: what the vendor's validator reports.
    #[must_use]
    #[inline]
    pub fn first(self) -> Option<Predicate> {
        // Of the empty set, whose 16 zeros are more than there are predicates, nothing comes.
        Predicate::ALL
            .get(self.0.trailing_zeros() as usize)
            .copied()
    }

    /// The failing predicates in order.
    pub fn iter(self) -> impl Iterator<Item = Predicate> {
        Predicate::ALL
            .into_iter()
            .filter(move |&predicate| self.contains(predicate))
    }
}

impl FromIterator<Predicate> for PredicateSet {
    fn from_iter<I: IntoIterator<Item = Predicate>>(predicates: I) -> Self {
        predicates.into_iter().fold(Self::EMPTY, Self::with)
    }
}
