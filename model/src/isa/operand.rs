// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `tensor3d_valid` and `tensor_start_addr_valid` as 0xBF uses them, rule by rule. [isa-word §2.3, §4.2]

use super::dtype::alignment_of_tag;
use super::geometry::{Geometry, PARTITION_ADDR_MASK, Space};
use super::semaphore_value::NUM_ADDR_REGISTERS;
use super::word::Tensor3d;
use crate::generation::Generation;

/// The first rule that an operand breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandFault {
    /// `num_elem[dimension]` is 0 and the shape is the word's own. [isa-word §4.2]
    ZeroCount {
        /// 0..=2
        dimension: usize,
    },
    /// The indirect marker, alone or with the shape marker. [isa-word MC-5]
    Indirect,
    /// A register form whose marker is neither 0x80 nor 0xC0. [isa-word MC-5]
    RegisterMarker,
    /// A register form with a reserved byte that is not 0. [isa-word §2.2]
    RegisterReserved,
    /// A register form with a register number above 63. [isa-word §2.2]
    RegisterNumber,
    /// The type has no alignment on the generation, so no immediate address passes. [isa-word §2.4]
    NoAlignment,
    /// The address is not a multiple of the type's alignment. [isa-word §2.4]
    Misaligned {
        /// Bytes.
        alignment: u32,
    },
    /// The address lies in PSUM, which 0xBF does not allow. [isa-word §2.3]
    Psum,
    /// The address lies in no memory. [isa-word §2.5]
    Nowhere,
}

/// Checks an operand as predicates 8 and 9 do. `tag` is the raw dtype byte that belongs to it.
pub fn check_operand(
    tensor: &Tensor3d,
    tag: u8,
    generation: Generation,
) -> Result<(), OperandFault> {
    let addr = tensor.start_addr;
    if !addr.shape_from_register()
        && let Some(dimension) = tensor.num_elem.iter().position(|&count| count == 0)
    {
        return Err(OperandFault::ZeroCount { dimension });
    }
    if addr.is_indirect() || addr.is_contradictory() {
        return Err(OperandFault::Indirect);
    }
    if !addr.address_from_register() {
        return check_address(addr.immediate(), tag, generation);
    }
    let [regnum, middle_low, middle_high, marker] = addr.0.to_le_bytes();
    if !matches!(marker, 0x80 | 0xC0) {
        Err(OperandFault::RegisterMarker)
    } else if middle_low != 0 || middle_high != 0 {
        Err(OperandFault::RegisterReserved)
    } else if regnum >= NUM_ADDR_REGISTERS {
        Err(OperandFault::RegisterNumber)
    } else {
        Ok(())
    }
}

/// Alignment and range of an on-chip byte address; bits above 28 are ignored. The same tests apply to
/// the content of an address register when the word executes. [isa-word §2.3 steps 2–6, MC-21]
pub fn check_address(address: u32, tag: u8, generation: Generation) -> Result<(), OperandFault> {
    let address = address & PARTITION_ADDR_MASK;
    let alignment = alignment_of_tag(tag, generation).ok_or(OperandFault::NoAlignment)?;
    if !address.is_multiple_of(alignment) {
        return Err(OperandFault::Misaligned { alignment });
    }
    match Geometry::of(generation).space(address) {
        Some(Space::Sbuf) => Ok(()),
        Some(Space::Psum) => Err(OperandFault::Psum),
        None => Err(OperandFault::Nowhere),
    }
}
