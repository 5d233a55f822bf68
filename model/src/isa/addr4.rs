// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `ADDR4`, the 4-byte start address of an operand: immediate or register. [isa-word §2.2]

use std::fmt;

use super::geometry::{Geometry, PARTITION_ADDR_MASK, Space};
use super::semaphore_value::NUM_ADDR_REGISTERS;
use super::wire_enum::wire_enum;
use crate::generation::Generation;

wire_enum! {
    /// Named values of the marker byte (byte +3) of an ADDR4. In immediate forms its low bits are
    /// address bits, so forms are told apart by [`Addr4::form`], not by equality with these.
    /// [isa-word §2.2, HIGH/OBSERVED]
    pub enum Marker {
        Imm = 0x00, "IMM", ALL;
        #[doc = "(a different struct, not for 0xBF)"]
        MxTensorV2 = 0x01, "MXTENSOR_V2", V5_ONLY;
        IndirectImm = 0x20, "INDIRECT_IMM", FROM_V3;
        ShapeReg = 0x40, "SHAPE_REG", ALL;
        AddrReg = 0x80, "ADDR_REG", ALL;
        IndirectReg = 0xA0, "INDIRECT_REG", FROM_V3;
        AddrShapeReg = 0xC0, "ADDR_SHAPE_REG", ALL;
    }
}

/// The 32 bits of an ADDR4, as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Addr4(pub u32);

/// Which form the 32 bits have. Every value has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddrForm {
    /// An on-chip byte address in the word.
    Immediate {
        /// The address, bits 0..28.
        address: u32,
        /// The shape comes from a register.
        shape_register: bool,
    },
    /// The address comes from a register; the fields besides `regnum` may still be malformed.
    Register {
        /// Byte 0; legal below 64.
        regnum: u8,
        /// The shape comes from a register too.
        shape_register: bool,
    },
    /// The indirect marker is set: rejected by 0xBF. [isa-word MC-5]
    Indirect {
        /// The indirect address comes from a register.
        register: bool,
    },
    /// Indirect and shape marker together: nothing produces or accepts it.
    Contradictory,
}

impl Addr4 {
    /// Bit 31: address from a register.
    pub const REGISTER_BIT: u32 = 1 << 31;
    /// Bit 30: shape from a register.
    pub const SHAPE_BIT: u32 = 1 << 30;
    /// Bit 29: indirect.
    pub const INDIRECT_BIT: u32 = 1 << 29;

    /// Address register `regnum` (0..=63): `0x80000000 | regnum`. [isa-word §2.2]
    pub const fn register(regnum: u8) -> Result<Self, AddrError> {
        if regnum >= NUM_ADDR_REGISTERS {
            return Err(AddrError::Register { regnum });
        }
        Ok(Self(Self::REGISTER_BIT | regnum as u32))
    }

    /// The immediate address of a byte of an SBUF partition on `generation`. [isa-word §2.5]
    pub const fn sbuf(
        generation: Generation,
        partition: u32,
        offset: u32,
    ) -> Result<Self, AddrError> {
        match Geometry::of(generation).sbuf_address(partition, offset) {
            Some(address) => Ok(Self(address)),
            None => Err(AddrError::Place {
                partition,
                offset,
                stride: Geometry::of(generation).sbuf_stride,
            }),
        }
    }

    /// The same address with the shape taken from a register.
    #[must_use]
    pub const fn with_shape_register(self) -> Self {
        Self(self.0 | Self::SHAPE_BIT)
    }

    /// Byte +3, bits 24..31.
    #[must_use]
    pub const fn marker(self) -> u8 {
        self.0.to_le_bytes()[3]
    }

    /// `(b & 0xA0) == 0x80`. [isa-word §2.2, HIGH/OBSERVED]
    #[must_use]
    pub const fn address_from_register(self) -> bool {
        self.marker() & 0xA0 == 0x80
    }

    /// `(b & 0x60) == 0x20`. [isa-word §2.2, HIGH/OBSERVED]
    #[must_use]
    pub const fn is_indirect(self) -> bool {
        self.marker() & 0x60 == 0x20
    }

    /// `(b & 0xF0) == 0xA0`. [isa-word §2.2, HIGH/OBSERVED]
    #[must_use]
    pub const fn is_indirect_register(self) -> bool {
        self.marker() & 0xF0 == 0xA0
    }

    /// `(b & 0x70) == 0x40`. [isa-word §2.2, HIGH/OBSERVED; reading MED/INFERRED]
    #[must_use]
    pub const fn shape_from_register(self) -> bool {
        self.marker() & 0x70 == 0x40
    }

    /// Indirect and shape marker both set. [isa-word §2.2, HIGH/OBSERVED]
    #[must_use]
    pub const fn is_contradictory(self) -> bool {
        self.marker() & 0x60 == 0x60
    }

    /// Which form the bits have.
    #[must_use]
    pub const fn form(self) -> AddrForm {
        if self.is_contradictory() {
            AddrForm::Contradictory
        } else if self.is_indirect() {
            AddrForm::Indirect {
                register: self.is_indirect_register(),
            }
        } else if self.address_from_register() {
            AddrForm::Register {
                regnum: self.regnum(),
                shape_register: self.shape_from_register(),
            }
        } else {
            AddrForm::Immediate {
                address: self.immediate(),
                shape_register: self.shape_from_register(),
            }
        }
    }

    /// Byte 0, the register number of a register form.
    #[must_use]
    pub const fn regnum(self) -> u8 {
        self.0.to_le_bytes()[0]
    }

    /// The address register that the word names, if it is a well-formed register form: marker exactly
    /// 0x80 or 0xC0, middle bytes 0, number below 64. [isa-word MC-5]
    #[must_use]
    pub const fn valid_register(self) -> Option<u8> {
        let [regnum, middle_low, middle_high, marker] = self.0.to_le_bytes();
        if matches!(marker, 0x80 | 0xC0)
            && middle_low == 0
            && middle_high == 0
            && regnum < NUM_ADDR_REGISTERS
        {
            Some(regnum)
        } else {
            None
        }
    }

    /// Bits 0..28, the on-chip byte address of an immediate form.
    #[must_use]
    pub const fn immediate(self) -> u32 {
        self.0 & PARTITION_ADDR_MASK
    }

    /// The partition field on `generation`; 128 and more lie outside the SBUF.
    #[must_use]
    pub const fn partition(self, generation: Generation) -> u32 {
        Geometry::of(generation).partition(self.0)
    }

    /// The byte offset in the partition on `generation`.
    #[must_use]
    pub const fn byte_offset(self, generation: Generation) -> u32 {
        Geometry::of(generation).byte_offset(self.0)
    }

    /// The quadrant on `generation`; 4 and more lie outside the SBUF.
    #[must_use]
    pub const fn quadrant(self, generation: Generation) -> u32 {
        Geometry::of(generation).quadrant(self.0)
    }

    /// The memory that the immediate address lies in on `generation`.
    #[must_use]
    pub const fn space(self, generation: Generation) -> Option<Space> {
        Geometry::of(generation).space(self.0)
    }
}

impl fmt::LowerHex for Addr4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

/// A start address that cannot be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddrError {
    /// No such register.
    #[error("address register {regnum}; expected 0 to 63")]
    Register {
        /// The number asked for.
        regnum: u8,
    },
    /// No such byte.
    #[error(
        "partition {partition}, byte offset {offset:#x}; \
         expected a partition of 0 to 127 and an offset below {stride:#x}"
    )]
    Place {
        /// Partition asked for.
        partition: u32,
        /// Byte offset asked for.
        offset: u32,
        /// Bytes from partition to partition.
        stride: u32,
    },
}
