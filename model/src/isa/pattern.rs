// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which bytes an operand touches: order, addresses, totals, bounds. [isa-word §2.1, MC-12, MC-13]

use std::iter::FusedIterator;

use super::geometry::Geometry;
use super::word::Tensor3d;
use crate::generation::Generation;

/// An operand whose start address and element size are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// Partition of channel 0.
    pub start_partition: u32,
    /// Byte offset of the first element in its partition.
    pub start_offset: u32,
    /// Signed distances in elements, innermost first.
    pub step_elem: [i16; 3],
    /// Iteration counts, innermost first.
    pub num_elem: [u16; 3],
    /// Bytes of one element.
    pub element_bytes: u32,
    /// Bytes from partition to partition.
    pub partition_stride: u32,
    /// Bytes of a partition that exist.
    pub partition_active: u32,
    /// Partitions that exist.
    pub partitions: u32,
}

/// The bytes of a partition that a pattern touches lie in `first..end`, relative to the partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Lowest byte offset.
    pub first: i64,
    /// One past the highest byte offset.
    pub end: i64,
}

/// The partition that a channel owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    /// 0..`num_active_channels`
    pub index: u32,
    /// `start_partition + index`; beyond the existing partitions it is out of range.
    pub partition: u32,
    /// On-chip byte address of the partition's first byte.
    pub base: i64,
}

/// A pattern that leaves the active bytes of the partitions that its channels own. [decisions D-3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// A channel has no partition.
    #[error("channel {channel} would own partition {partition}; the last partition is {last}")]
    Partition {
        /// The first such channel.
        channel: u32,
        /// The partition it would own.
        partition: u32,
        /// Highest partition.
        last: u32,
    },
    /// Bytes before or behind the active part of the partition.
    #[error(
        "the pattern touches bytes {first} to {last} of each partition; \
         the active bytes are 0 to {active_last}"
    )]
    Bytes {
        /// Lowest byte offset touched.
        first: i64,
        /// Highest byte offset touched.
        last: i64,
        /// Highest active byte offset.
        active_last: u32,
    },
}

impl Pattern {
    /// The pattern of `tensor` from on-chip address `address` (the word's immediate, or the content
    /// of its address register), for elements of `element_bytes` bytes.
    #[must_use]
    pub const fn new(
        tensor: &Tensor3d,
        address: u32,
        element_bytes: u32,
        generation: Generation,
    ) -> Self {
        let geometry = Geometry::of(generation);
        Self {
            start_partition: geometry.partition(address),
            start_offset: geometry.byte_offset(address),
            step_elem: tensor.step_elem,
            num_elem: tensor.num_elem,
            element_bytes,
            partition_stride: geometry.sbuf_stride,
            partition_active: geometry.sbuf_active,
            partitions: geometry.sbuf_partitions,
        }
    }

    /// Elements of one channel: the product of the counts.
    #[must_use]
    pub fn elements(&self) -> u64 {
        self.num_elem.iter().map(|&n| u64::from(n)).product()
    }

    /// Bytes of one channel.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.elements() * u64::from(self.element_bytes)
    }

    /// Byte offset of element `(i0, i1, i2)` relative to its partition.
    #[must_use]
    pub fn offset_of(&self, index: [u16; 3]) -> i64 {
        let elements: i64 = (0..3)
            .map(|d| i64::from(index[d]) * i64::from(self.step_elem[d]))
            .sum();
        i64::from(self.start_offset) + elements * i64::from(self.element_bytes)
    }

    /// On-chip byte address of an element of a channel: the formula of isa-word §2.1.
    #[must_use]
    pub fn address_of(&self, channel: u32, index: [u16; 3]) -> i64 {
        self.channel(channel).base + self.offset_of(index)
    }

    /// The partition that channel `index` owns. [isa-word MC-12]
    #[must_use]
    pub fn channel(&self, index: u32) -> Channel {
        let partition = self.start_partition.saturating_add(index);
        Channel {
            index,
            partition,
            base: i64::from(partition) * i64::from(self.partition_stride),
        }
    }

    /// Byte offsets of the elements relative to the partition, the same for each channel; dimension 2
    /// is the outermost. Offsets may lie outside the partition: see [`Pattern::check`].
    #[must_use]
    pub fn offsets(&self) -> Offsets {
        Offsets {
            pattern: *self,
            index: [0; 3],
            done: self.elements() == 0,
        }
    }

    /// Channel and on-chip byte address of every element, channel by channel.
    pub fn addresses(&self, channels: u32) -> impl Iterator<Item = (Channel, i64)> {
        let pattern = *self;
        (0..channels).flat_map(move |index| {
            let channel = pattern.channel(index);
            pattern
                .offsets()
                .map(move |offset| (channel, channel.base + offset))
        })
    }

    /// The span of bytes touched in each partition; `None` for a pattern without elements.
    #[must_use]
    pub fn extent(&self) -> Option<Extent> {
        if self.elements() == 0 {
            return None;
        }
        let element = i64::from(self.element_bytes);
        let start = i64::from(self.start_offset);
        let mut extent = Extent {
            first: start,
            end: start + element,
        };
        for d in 0..3 {
            let reach = (i64::from(self.num_elem[d]) - 1) * i64::from(self.step_elem[d]) * element;
            if reach < 0 {
                extent.first += reach;
            } else {
                extent.end += reach;
            }
        }
        Some(extent)
    }

    /// Whether every byte of every channel lies in the active bytes of an existing partition.
    /// [decisions D-3]
    pub fn check(&self, channels: u32) -> Result<(), RangeError> {
        let Some(extent) = self.extent() else {
            return Ok(());
        };
        if extent.first < 0 || extent.end > i64::from(self.partition_active) {
            return Err(RangeError::Bytes {
                first: extent.first,
                last: extent.end - 1,
                active_last: self.partition_active - 1,
            });
        }
        let available = self.partitions.saturating_sub(self.start_partition);
        if channels > available {
            return Err(RangeError::Partition {
                channel: available,
                partition: self.channel(available).partition,
                last: self.partitions - 1,
            });
        }
        Ok(())
    }
}

/// Iterator over the byte offsets of a pattern's elements: see [`Pattern::offsets`].
#[derive(Clone, Debug)]
pub struct Offsets {
    pattern: Pattern,
    index: [u16; 3],
    done: bool,
}

impl Iterator for Offsets {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        if self.done {
            return None;
        }
        let offset = self.pattern.offset_of(self.index);
        self.done = true;
        for (i, &count) in self.index.iter_mut().zip(&self.pattern.num_elem) {
            if *i + 1 < count {
                *i += 1;
                self.done = false;
                break;
            }
            *i = 0;
        }
        Some(offset)
    }
}

impl FusedIterator for Offsets {}
