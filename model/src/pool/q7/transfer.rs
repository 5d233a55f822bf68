// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The bytes that a leg moves: operands resolved and checked, runs cut into pieces.
//! [idma-ring §3.9, MC-23], [decisions D-1, D-2, D-3]

use super::fault::{LegFault, fault};
use crate::choices::{Choices, Overlap};
use crate::generation::Generation;
use crate::idma::descriptor::MAX_BYTES;
use crate::isa::{
    Addr4, AddrForm, Geometry, MAX_SRC_ELEMENTS, PARTITION_ADDR_MASK, Pattern, RdmaDescGen,
    Tensor3d, Word, check_address, element_bytes_of_tag,
};
use crate::transaction::FaultClass;

/// A stretch of bytes of a partition that one pair of descriptors moves; the same in every partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// First byte in the source partition.
    pub source: u32,
    /// First byte in the destination partition.
    pub destination: u32,
    /// 1 to 65 536.
    pub bytes: u32,
}

/// What a leg moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// On-chip start address of the source.
    pub source_address: u32,
    /// On-chip start address of the destination.
    pub destination_address: u32,
    /// Partition that the first channel reads.
    pub source_partition: u32,
    /// Partition that the first channel writes.
    pub destination_partition: u32,
    /// Partitions that take part.
    pub partitions: u32,
    /// Elements of each partition: those of the pattern, or bytes.
    pub elements: u64,
    /// Bytes of one element.
    pub element_bytes: u32,
    /// The pieces of each partition, in the order of their descriptors.
    pub pieces: Vec<Piece>,
}

impl Transfer {
    /// Bytes that each partition gives and takes.
    #[must_use]
    pub fn bytes_per_partition(&self) -> u64 {
        self.elements * u64::from(self.element_bytes)
    }
}

/// The start address of an operand: immediate, or the content of a register. [decisions D-45]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Start {
    address: u32,
    register: Option<u8>,
}

impl Start {
    fn of(address: Addr4, registers: &[u32]) -> Self {
        match address.valid_register() {
            None => Self {
                address: address.immediate(),
                register: None,
            },
            Some(number) => Self {
                address: registers.get(usize::from(number)).copied().unwrap_or(0),
                register: Some(number),
            },
        }
    }

    /// The tests of an immediate address, on the content of a register. [isa-word MC-21]
    fn check(self, name: &str, legal: impl Fn(u32) -> Result<(), String>) -> Result<u32, LegFault> {
        let Some(number) = self.register else {
            return Ok(self.address);
        };
        let found = if self.address & !PARTITION_ADDR_MASK == 0 {
            legal(self.address)
        } else {
            Err("bits 29 to 31 must be 0".to_owned())
        };
        match found {
            Ok(()) => Ok(self.address),
            Err(rule) => fault(
                FaultClass::RegisterAddress,
                format!(
                    "{name}: register {number} holds 0x{:08x}: {rule}",
                    self.address
                ),
            ),
        }
    }
}

/// An operand whose shape comes from a register. [decisions D-44]
fn check_shape(name: &str, address: Addr4) -> Result<(), LegFault> {
    if address.shape_from_register() {
        return fault(
            FaultClass::ShapeRegister,
            format!(
                "{name}.start_addr takes its shape from a register; only stored counts execute"
            ),
        );
    }
    Ok(())
}

/// The operands of a 0xBF word on the way through the checks of D-44.
pub(super) struct WordOperands<'a> {
    word: &'a Word,
    generation: Generation,
    element_bytes: u32,
    source: u32,
    destination: u32,
}

impl<'a> WordOperands<'a> {
    /// `Dtype`, `RegisterAddress`, `ShapeRegister`. [decisions D-44]
    pub(super) fn resolve(
        word: &'a Word,
        generation: Generation,
        registers: &[u32],
    ) -> Result<Self, LegFault> {
        let Some(element_bytes) = element_bytes_of_tag(word.in_dtype, generation) else {
            return fault(
                FaultClass::Dtype,
                format!(
                    "in_dtype 0x{:02x} has no element size on {generation}",
                    word.in_dtype
                ),
            );
        };
        let start = |name, operand: &Tensor3d, dtype| {
            Start::of(operand.start_addr, registers).check(name, |content| {
                check_address(content, dtype, generation).map_err(|rule| format!("{rule:?}"))
            })
        };
        let source = start("src", &word.src, word.in_dtype)?;
        let destination = start("dst", &word.dst, word.out_dtype)?;
        check_shape("src", word.src.start_addr)?;
        check_shape("dst", word.dst.start_addr)?;
        Ok(Self {
            word,
            generation,
            element_bytes,
            source,
            destination,
        })
    }

    /// `NelemMismatch`, `SbufRange`, `Overlap`. [decisions D-44]
    pub(super) fn transfer(self, same_core: bool, choices: Choices) -> Result<Transfer, LegFault> {
        let Self { word, .. } = self;
        let (from, to) = (word.src.stored_elements(), word.dst.stored_elements());
        if from != to {
            return fault(
                FaultClass::NelemMismatch,
                format!("src has {from} element(s) per partition, dst {to}"),
            );
        }
        if from > MAX_SRC_ELEMENTS {
            return fault(
                FaultClass::BadOperand,
                format!(
                    "src has {from} elements per partition; expected at most {MAX_SRC_ELEMENTS}"
                ),
            );
        }
        let partitions = u32::from(word.num_active_channels);
        let locate = |name, address, tensor| {
            let pattern = Pattern::new(tensor, address, self.element_bytes, self.generation);
            match pattern.check(partitions) {
                Ok(()) => Ok(pattern),
                Err(error) => fault(FaultClass::SbufRange, format!("{name}: {error}")),
            }
        };
        let source = locate("src", self.source, &word.src)?;
        let destination = locate("dst", self.destination, &word.dst)?;
        if same_core && choices.overlap == Overlap::Fault {
            check_overlap(&source, &destination, partitions)?;
        }
        Ok(Transfer {
            source_address: self.source,
            destination_address: self.destination,
            source_partition: source.start_partition,
            destination_partition: destination.start_partition,
            partitions,
            elements: from,
            element_bytes: self.element_bytes,
            pieces: pieces_of(&source, &destination),
        })
    }
}

/// Walks the runs of both patterns in lock-step. An element joins the piece before it when it follows it directly
/// on both sides and a descriptor has room. [idma-ring MC-23]
fn pieces_of(source: &Pattern, destination: &Pattern) -> Vec<Piece> {
    let size = source.element_bytes;
    let mut pieces: Vec<Piece> = Vec::new();
    for (from, to) in source.offsets().zip(destination.offsets()) {
        // The range check keeps every offset below the active bytes of a partition.
        let (Ok(from), Ok(to)) = (u32::try_from(from), u32::try_from(to)) else {
            break;
        };
        match pieces.last_mut() {
            Some(piece)
                if piece.source + piece.bytes == from
                    && piece.destination + piece.bytes == to
                    && piece.bytes + size <= MAX_BYTES =>
            {
                piece.bytes += size;
            }
            _ => pieces.push(Piece {
                source: from,
                destination: to,
                bytes: size,
            }),
        }
    }
    pieces
}

/// The operands of a leg must not share a byte on one core. [decisions D-2]
fn check_overlap(source: &Pattern, destination: &Pattern, partitions: u32) -> Result<(), LegFault> {
    let distance = source.start_partition.abs_diff(destination.start_partition);
    if distance >= partitions {
        return Ok(());
    }
    let size = i64::from(source.element_bytes);
    let mut starts: Vec<i64> = source.offsets().collect();
    starts.sort_unstable();
    for element in destination.offsets() {
        // The nearest source elements below and above are the only ones that can share a byte.
        let above = starts.partition_point(|&start| start < element);
        let shared = [above.checked_sub(1), Some(above)]
            .into_iter()
            .flatten()
            .filter_map(|i| starts.get(i))
            .find(|start| (**start - element).abs() < size);
        if let Some(start) = shared {
            return fault(
                FaultClass::Overlap,
                format!(
                    "src element at byte 0x{start:x} and dst element at byte 0x{element:x} share bytes \
                     in partition {}",
                    source.start_partition.max(destination.start_partition)
                ),
            );
        }
    }
    Ok(())
}

/// The fields of a GEN word that must be 0. [decisions D-44, D-58]
pub(super) fn check_gen_operands(word: &RdmaDescGen) -> Result<(), LegFault> {
    let reserved = word.reserved.iter().copied().find(|byte| *byte != 0);
    for (name, found) in [
        ("completion_info", Some(word.completion_info)),
        ("is_bidirectional", Some(word.is_bidirectional)),
        ("a reserved byte", reserved),
    ] {
        if let Some(found) = found.filter(|found| *found != 0) {
            return fault(
                FaultClass::BadOperand,
                format!("{name} of RDMA_DESC_GEN is 0x{found:02x}; expected 0"),
            );
        }
    }
    for (name, address) in [("src_addr", word.src_addr), ("dst_addr", word.dst_addr)] {
        let well_formed = match address.form() {
            AddrForm::Immediate { .. } => true,
            AddrForm::Register { .. } => address.valid_register().is_some(),
            AddrForm::Indirect { .. } | AddrForm::Contradictory => false,
        };
        if !well_formed {
            return fault(
                FaultClass::BadOperand,
                format!(
                    "{name} of RDMA_DESC_GEN is 0x{address:08x}; expected an immediate or a register"
                ),
            );
        }
    }
    Ok(())
}

/// The operands of a GEN word on the way through the checks of D-44.
pub(super) struct GenOperands {
    generation: Generation,
    bytes: u32,
    source: u32,
    destination: u32,
}

impl GenOperands {
    /// `RegisterAddress`, `ShapeRegister`. [decisions D-44, D-48]
    pub(super) fn resolve(
        word: &RdmaDescGen,
        generation: Generation,
        registers: &[u32],
    ) -> Result<Self, LegFault> {
        let geometry = Geometry::of(generation);
        let start = |name, address| {
            Start::of(address, registers).check(name, |content| {
                if geometry.in_sbuf(content) && !geometry.in_psum(content) {
                    Ok(())
                } else {
                    Err("no address of the State Buffer".to_owned())
                }
            })
        };
        let source = start("src_addr", word.src_addr)?;
        let destination = start("dst_addr", word.dst_addr)?;
        for (name, address) in [("src_addr", word.src_addr), ("dst_addr", word.dst_addr)] {
            check_shape(name, address)?;
        }
        Ok(Self {
            generation,
            bytes: word.free_dim_bytes,
            source,
            destination,
        })
    }

    /// `SbufRange`, `Overlap`: all partitions from 0 on, one stretch of bytes each; without bytes the addresses are
    /// not looked at. [decisions D-1, D-48], [idma-ring §3.1]
    pub(super) fn transfer(self, same_core: bool, choices: Choices) -> Result<Transfer, LegFault> {
        let geometry = Geometry::of(self.generation);
        let locate = |name: &str, address: u32| {
            let (partition, offset) = (geometry.partition(address), geometry.byte_offset(address));
            if partition != 0 {
                return fault(
                    FaultClass::SbufRange,
                    format!(
                        "{name} starts in partition {partition}; all partitions take part, from 0 on"
                    ),
                );
            }
            let end = u64::from(offset) + u64::from(self.bytes);
            if end > u64::from(geometry.sbuf_active) {
                return fault(
                    FaultClass::SbufRange,
                    format!(
                        "{name}: bytes 0x{offset:x} to 0x{:x} of each partition; the active bytes are 0 to 0x{:x}",
                        end - 1,
                        geometry.sbuf_active - 1
                    ),
                );
            }
            Ok(offset)
        };
        let mut pieces = Vec::new();
        if self.bytes > 0 {
            let from = locate("src_addr", self.source)?;
            let to = locate("dst_addr", self.destination)?;
            if same_core && choices.overlap == Overlap::Fault && from.abs_diff(to) < self.bytes {
                return fault(
                    FaultClass::Overlap,
                    format!(
                        "{} bytes from byte 0x{from:x} and from byte 0x{to:x} share bytes in partition 0",
                        self.bytes
                    ),
                );
            }
            pieces.extend((0..self.bytes).step_by(MAX_BYTES as usize).map(|at| Piece {
                source: from + at,
                destination: to + at,
                bytes: (self.bytes - at).min(MAX_BYTES),
            }));
        }
        Ok(Transfer {
            source_address: self.source,
            destination_address: self.destination,
            source_partition: 0,
            destination_partition: 0,
            partitions: geometry.sbuf_partitions,
            elements: u64::from(self.bytes),
            element_bytes: 1,
            pieces,
        })
    }
}
