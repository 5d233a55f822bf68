// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Readings of the shared `semaphore_value` field. [isa-word §6.3, MC-9]

/// Number of address and operand registers of an engine. [isa-word §2.5 `NUM_ADDR_REGISTERS`]
pub const NUM_ADDR_REGISTERS: u8 = 64;

/// Largest offset of the `REG_OFFSET` reading: 24 bits. [isa-word §6.1]
pub const MAX_REGISTER_OFFSET: u32 = 0x00FF_FFFF;

/// How a mode reads the `semaphore_value` field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueSource {
    /// The field is the number.
    Immediate,
    /// Bits 0..7 are a register number, the upper 24 bits are ignored.
    Register,
    /// Bits 0..7 are a register number, bits 8..31 an unsigned offset (v5).
    RegisterOffset,
}

impl ValueSource {
    /// The register number that the field names, 0..=255; `None` for an immediate. A number of 64 or
    /// more is the execution fault `BadRegister`. [isa-word MC-9, decisions D-16]
    #[must_use]
    pub const fn register(self, semaphore_value: u32) -> Option<u8> {
        match self {
            Self::Immediate => None,
            Self::Register | Self::RegisterOffset => Some(register_number(semaphore_value)),
        }
    }

    /// The 32-bit operand, given the live content of the register that [`ValueSource::register`]
    /// names (ignored for an immediate). [isa-word MC-9]
    #[must_use]
    pub const fn operand(self, semaphore_value: u32, register_content: u32) -> u32 {
        match self {
            Self::Immediate => semaphore_value,
            Self::Register => register_content,
            Self::RegisterOffset => register_content.wrapping_add(register_offset(semaphore_value)),
        }
    }
}

/// Bits 0..7: the register number of the REG and `REG_OFFSET` readings. [isa-word MC-9]
#[must_use]
pub const fn register_number(semaphore_value: u32) -> u8 {
    semaphore_value.to_le_bytes()[0]
}

/// Bits 8..31: the offset of the `REG_OFFSET` reading. [isa-word MC-9]
#[must_use]
pub const fn register_offset(semaphore_value: u32) -> u32 {
    semaphore_value >> 8
}

/// The field of a `REG_OFFSET` mode; `None` if `offset` has more than 24 bits. With offset 0 it is
/// the field of a REG mode. [isa-word MC-9]
#[must_use]
pub const fn register_with_offset(register: u8, offset: u32) -> Option<u32> {
    if offset > MAX_REGISTER_OFFSET {
        return None;
    }
    Some(offset << 8 | register as u32)
}
