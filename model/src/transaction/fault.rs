// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Execution faults.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// Why a core stopped. The order is the order of the tests: the first that applies wins.
/// [decisions D-43, D-44]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum FaultClass {
    /// The sequencer has no handler for the opcode. [isa-word §7.4]
    BadOpcode,
    /// A pseudo opcode reached the device; the host should have lowered it. [isa-word §7.3]
    PseudoOpcode,
    /// A register number in EVENTS is 64 or more. [decisions D-16]
    BadRegister,
    /// A 0xBF word that the validator rejects reached the core. [idma-ring §7.1, `BadOperand`]
    BadOperand,
    /// The element size is undefined. [isa-word MC-20]
    Dtype,
    /// The content of an address register is no legal operand address. [isa-word MC-21]
    RegisterAddress,
    /// The shape comes from a register, whose layout is unknown. [decisions D-44]
    ShapeRegister,
    /// The DMA engine mask has an illegal population. [idma-ring MC-17]
    BadMask,
    /// Source and destination have different element counts. [isa-word MC-18]
    NelemMismatch,
    /// An operand leaves the active bytes of a partition. [decisions D-3]
    SbufRange,
    /// Source and destination share bytes on one core. [decisions D-2]
    Overlap,
    /// The peer's core number is none of a chip's. [decisions D-44, D-58]
    BadPeer,
    /// The peer's chip id is the alias of the neighbor fold. [decisions D-32, D-58]
    ChipIdReserved,
    /// An engine gets more descriptors than its ring takes. [idma-ring MC-21, decisions D-6, D-55]
    RingTooSmall,
    /// The windows of a leg do not suffice for its addresses. [soc-address MC-22]
    NoWindow,
    /// The queue of the rings does not exist or cannot hold them. [idma-ring §7.1]
    ChannelInit,
    /// A ring received another number of descriptors than its leg has, or the role is wrong.
    /// [idma-ring §7.1, decisions D-5]
    DescriptorStream,
    /// A Q7 core's access matches no window. [soc-address MC-19]
    WindowMiss,
    /// Nothing answers at an address that the leg uses. [soc-address §1.5]
    DecodeError,
    /// A DMA engine met a packet with an illegal operation. [idma-ring MC-29, decisions D-46]
    IllegalOp,
}

impl FaultClass {
    /// All classes, in test order.
    pub const ALL: [Self; 20] = [
        Self::BadOpcode,
        Self::PseudoOpcode,
        Self::BadRegister,
        Self::BadOperand,
        Self::Dtype,
        Self::RegisterAddress,
        Self::ShapeRegister,
        Self::BadMask,
        Self::NelemMismatch,
        Self::SbufRange,
        Self::Overlap,
        Self::BadPeer,
        Self::ChipIdReserved,
        Self::RingTooSmall,
        Self::NoWindow,
        Self::ChannelInit,
        Self::DescriptorStream,
        Self::WindowMiss,
        Self::DecodeError,
        Self::IllegalOp,
    ];

    /// The name used in logs, scenarios and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BadOpcode => "BadOpcode",
            Self::PseudoOpcode => "PseudoOpcode",
            Self::BadRegister => "BadRegister",
            Self::BadOperand => "BadOperand",
            Self::Dtype => "Dtype",
            Self::RegisterAddress => "RegisterAddress",
            Self::ShapeRegister => "ShapeRegister",
            Self::BadMask => "BadMask",
            Self::NelemMismatch => "NelemMismatch",
            Self::SbufRange => "SbufRange",
            Self::Overlap => "Overlap",
            Self::BadPeer => "BadPeer",
            Self::ChipIdReserved => "ChipIdReserved",
            Self::RingTooSmall => "RingTooSmall",
            Self::NoWindow => "NoWindow",
            Self::ChannelInit => "ChannelInit",
            Self::DescriptorStream => "DescriptorStream",
            Self::WindowMiss => "WindowMiss",
            Self::DecodeError => "DecodeError",
            Self::IllegalOp => "IllegalOp",
        }
    }
}

impl fmt::Display for FaultClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why an access did not do what its address says. Execution goes on. [soc-address §§2.5, 3.3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum AddressFault {
    /// No window of the engine's port covers the 32-bit address; there is no bus access. [soc-address MC-19]
    WindowMiss,
    /// Several windows cover the 32-bit address; the lowest serves it. [soc-address MC-18]
    MultiHit,
    /// A write beyond the valid bytes of a State Buffer partition, which is dropped. [soc-address MC-10]
    SbufHole,
}

impl AddressFault {
    /// All of them, in the order of their numbers in a waveform.
    pub const ALL: [Self; 3] = [Self::WindowMiss, Self::MultiHit, Self::SbufHole];

    /// The name used in logs and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WindowMiss => "WindowMiss",
            Self::MultiHit => "MultiHit",
            Self::SbufHole => "SbufHole",
        }
    }
}

/// A fault name that is none of [`FaultClass::ALL`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown fault class `{name}`; expected one of {known}", name = .0, known = FaultClass::ALL.map(FaultClass::name).join(", "))]
pub struct UnknownFaultClass(pub String);

impl FromStr for FaultClass {
    type Err = UnknownFaultClass;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|class| class.name() == text)
            .ok_or_else(|| UnknownFaultClass(text.to_owned()))
    }
}

/// A fault with the place and the offending value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Index of the word in the core's program.
    pub pc: u32,
    /// Class of the fault.
    pub class: FaultClass,
    /// What was found and what would have been legal.
    pub detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at word {}: {}", self.class, self.pc, self.detail)
    }
}
