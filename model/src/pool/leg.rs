// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One leg: its execution checks and the bytes that it moves. [decisions D-1..D-9, D-44]

use crate::choices::{Choices, Overlap};
use crate::generation::Generation;
use crate::isa::{
    Addr4, PARTITION_ADDR_MASK, Pattern, Tensor3d, Word, check_address, element_bytes_of_tag,
};
use crate::transaction::FaultClass;

/// Largest number of DMA engines of a core; bits above are not engines. [idma-ring §3.1]
const MASK_BITS: u32 = 0xFFFF;
/// Engines that v5 has. [decisions D-13, D-44]
const MASK_BITS_V5: u32 = 0x00FF;

/// One operand of a leg, resolved: which bytes of each partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Partition of channel 0.
    pub start_partition: u32,
    /// Byte offset of the pattern's start in the partition.
    pub start_offset: u32,
    /// Byte offset in the partition of every element, in element order.
    pub elements: Vec<u32>,
}

/// A leg that has passed its checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// Source, on the core that executes the word.
    pub source: Operand,
    /// Destination, on the peer.
    pub destination: Operand,
    /// Partitions that take part.
    pub channels: u32,
    /// Bytes of one element.
    pub element_bytes: u32,
    /// One bit an engine.
    pub engine_mask: u16,
}

/// A failed check. [decisions D-44]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegFault {
    /// Class of the fault.
    pub class: FaultClass,
    /// What was found and what would have been legal.
    pub detail: String,
}

fn fault<T>(class: FaultClass, detail: String) -> Result<T, LegFault> {
    Err(LegFault { class, detail })
}

impl Leg {
    /// Bytes that each channel reads and writes.
    #[must_use]
    pub fn bytes_per_channel(&self) -> u64 {
        self.source.elements.len() as u64 * u64::from(self.element_bytes)
    }

    /// Checks a word that the validator accepts, in the order of D-44, and resolves its operands.
    ///
    /// `registers` is the register file of the executing core, `same_core` says whether source
    /// and destination are in one State Buffer.
    ///
    /// # Errors
    /// The first check that fails. Nothing has moved then.
    pub fn plan(
        word: &Word,
        generation: Generation,
        registers: &[u32],
        dma_engine_mask: u32,
        same_core: bool,
        choices: &Choices,
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
        let source_start = resolve("src", &word.src, word.in_dtype, generation, registers)?;
        let destination_start = resolve("dst", &word.dst, word.out_dtype, generation, registers)?;
        for (name, operand) in [("src", &word.src), ("dst", &word.dst)] {
            if operand.start_addr.shape_from_register() {
                return fault(
                    FaultClass::ShapeRegister,
                    format!(
                        "{name}.start_addr takes its shape from a register; only stored counts execute"
                    ),
                );
            }
        }
        let engine_mask = check_mask(dma_engine_mask, generation)?;
        let (source_total, destination_total) =
            (word.src.stored_elements(), word.dst.stored_elements());
        if source_total != destination_total {
            return fault(
                FaultClass::NelemMismatch,
                format!("src has {source_total} element(s) per partition, dst {destination_total}"),
            );
        }
        let channels = u32::from(word.num_active_channels);
        let source = locate(
            "src",
            source_start,
            &word.src,
            element_bytes,
            channels,
            generation,
        )?;
        let destination = locate(
            "dst",
            destination_start,
            &word.dst,
            element_bytes,
            channels,
            generation,
        )?;
        let leg = Self {
            source,
            destination,
            channels,
            element_bytes,
            engine_mask,
        };
        if same_core && choices.overlap == Overlap::Fault {
            leg.check_overlap()?;
        }
        Ok(leg)
    }

    /// [decisions D-2]
    fn check_overlap(&self) -> Result<(), LegFault> {
        let distance = self
            .source
            .start_partition
            .abs_diff(self.destination.start_partition);
        if distance >= self.channels {
            return Ok(());
        }
        let size = self.element_bytes;
        let mut starts = self.source.elements.clone();
        starts.sort_unstable();
        for &element in &self.destination.elements {
            // The nearest source elements below and above are the only ones that can share a byte.
            let above = starts.partition_point(|&start| start < element);
            let shared = [above.checked_sub(1), Some(above)]
                .into_iter()
                .flatten()
                .filter_map(|i| starts.get(i))
                .find(|start| start.abs_diff(element) < size);
            if let Some(start) = shared {
                return fault(
                    FaultClass::Overlap,
                    format!(
                        "src element at byte 0x{start:x} and dst element at byte 0x{element:x} share bytes \
                         in partition {}",
                        self.source
                            .start_partition
                            .max(self.destination.start_partition)
                    ),
                );
            }
        }
        Ok(())
    }
}

/// The start address: the immediate one, or the content of the register. [isa-word MC-21]
fn resolve(
    name: &str,
    operand: &Tensor3d,
    dtype: u8,
    generation: Generation,
    registers: &[u32],
) -> Result<u32, LegFault> {
    let address: Addr4 = operand.start_addr;
    let Some(number) = address.valid_register() else {
        return Ok(address.immediate());
    };
    let content = registers.get(usize::from(number)).copied().unwrap_or(0);
    let legal = if content & !PARTITION_ADDR_MASK == 0 {
        check_address(content, dtype, generation).map_err(|rule| format!("{rule:?}"))
    } else {
        Err("bits 29 to 31 must be 0".to_owned())
    };
    match legal {
        Ok(()) => Ok(content),
        Err(rule) => fault(
            FaultClass::RegisterAddress,
            format!("{name}: register {number} holds 0x{content:08x}: {rule}"),
        ),
    }
}

/// [idma-ring MC-17, decisions D-44]
fn check_mask(mask: u32, generation: Generation) -> Result<u16, LegFault> {
    let low = mask & MASK_BITS;
    let allowed = match generation {
        Generation::V5 => MASK_BITS_V5,
        Generation::V2 | Generation::V3 | Generation::V4 | Generation::V4Plus => MASK_BITS,
    };
    if low.count_ones().is_power_of_two() && low & !allowed == 0 {
        return Ok(low as u16);
    }
    let engines = allowed.count_ones();
    fault(
        FaultClass::BadMask,
        format!(
            "leg_dma_engine_mask 0x{mask:08x} names {} engine(s); expected 1, 2, 4, 8 or 16 of engines 0 to {}",
            low.count_ones(),
            engines - 1
        ),
    )
}

/// Every byte must lie in the active bytes of the partition that its channel owns. [decisions D-3]
fn locate(
    name: &str,
    start: u32,
    tensor: &Tensor3d,
    element_bytes: u32,
    channels: u32,
    generation: Generation,
) -> Result<Operand, LegFault> {
    let pattern = Pattern::new(tensor, start, element_bytes, generation);
    if let Err(error) = pattern.check(channels) {
        return fault(FaultClass::SbufRange, format!("{name}: {error}"));
    }
    Ok(Operand {
        start_partition: pattern.start_partition,
        start_offset: pattern.start_offset,
        // The check above keeps every offset below the active bytes of a partition.
        elements: pattern
            .offsets()
            .filter_map(|offset| u32::try_from(offset).ok())
            .collect(),
    })
}
