// SPDX-License-Identifier: Apache-2.0 OR MIT
//! On-chip memory geometry per generation, and the rules on partitions. [isa-word §2.5, §2.6]

use super::addr4::Addr4;
use crate::generation::Generation;

/// Mask of the on-chip byte address in an immediate ADDR4. [isa-word §2.5 `TPB_PARTITION_ADDR_MASK`]
pub const PARTITION_ADDR_MASK: u32 = 0x1FFF_FFFF;

/// Partitions in one quadrant. [isa-word §2.5]
pub const PARTITIONS_PER_QUADRANT: u32 = 32;

/// Partitions that one of the 8 GPSIMD cores owns. [isa-word §2.5]
pub const PARTITIONS_PER_GPSIMD_CORE: u32 = 16;

const KIB: u32 = 1024;

/// An on-chip memory that an ADDR4 can point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// State buffer.
    Sbuf,
    /// Partial-sum buffer.
    Psum,
}

impl Space {
    /// `SBUF` or `PSUM`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sbuf => "SBUF",
            Self::Psum => "PSUM",
        }
    }
}

/// Constants of one generation, all sizes in bytes. [isa-word §2.5, HIGH/OBSERVED; v5 header only]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// `STATE_BUF_NUM_PARTITIONS`
    pub sbuf_partitions: u32,
    /// `STATE_BUF_WORD_SIZE`
    pub sbuf_word_size: u32,
    /// `STATE_BUF_PARTITION_SIZE`: the address stride from partition to partition.
    pub sbuf_stride: u32,
    /// `STATE_BUF_PARTITION_ACTIVE_SIZE`: bytes of a partition that exist.
    pub sbuf_active: u32,
    /// `STATE_BUF_OFFSET`
    pub sbuf_offset: u32,
    /// `STATE_BUF_SZ`
    pub sbuf_size: u32,
    /// `PSUM_BUF_NUM_PARTITIONS`
    pub psum_partitions: u32,
    /// `PSUM_BUF_PARTITION_SIZE`: the stride.
    pub psum_stride: u32,
    /// `PSUM_BUF_PARTITION_ACTIVE_SIZE`
    pub psum_active: u32,
    /// Banks in the active part of a PSUM partition.
    pub psum_banks: u32,
    /// `PSUM_BUF_OFFSET`
    pub psum_offset: u32,
    /// `PSUM_BUF_SZ`; 0 means that no address is PSUM.
    pub psum_size: u32,
    /// `POOLING_NUM_CHANNELS`
    pub pooling_channels: u32,
    /// `DVE_NUM_CHANNELS`
    pub dve_channels: u32,
    /// `NUM_ADDR_REGISTERS`
    pub addr_registers: u32,
    /// `DMA_ENGINE_COUNT_PER_TPB`
    pub dma_engines: u32,
    /// `DMA_ENGINE_DATA_WIDTH_BYTES`
    pub dma_data_width: u32,
}

const V2: Geometry = Geometry {
    sbuf_partitions: 128,
    sbuf_word_size: 8,
    sbuf_stride: 256 * KIB,
    sbuf_active: 192 * KIB,
    sbuf_offset: 0,
    sbuf_size: 0x0200_0000,
    psum_partitions: 128,
    psum_stride: 32 * KIB,
    psum_active: 16 * KIB,
    psum_banks: 16,
    psum_offset: 0x0200_0000,
    psum_size: 0x0040_0000,
    pooling_channels: 128,
    dve_channels: 128,
    addr_registers: 64,
    dma_engines: 16,
    dma_data_width: 32,
};

const V3: Geometry = Geometry {
    sbuf_active: 224 * KIB,
    psum_banks: 8,
    ..V2
};

const V4: Geometry = Geometry {
    sbuf_active: 256 * KIB,
    ..V3
};

const V5: Geometry = Geometry {
    sbuf_stride: 1024 * KIB,
    sbuf_active: 512 * KIB,
    sbuf_size: 0x0800_0000,
    psum_size: 0,
    dma_engines: 8,
    dma_data_width: 256,
    ..V3
};

/// Where in a memory an address lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which memory.
    pub space: Space,
    /// Partition, 0..=127.
    pub partition: u32,
    /// Byte offset in the partition.
    pub offset: u32,
}

impl Geometry {
    /// The constants of `generation`.
    #[must_use]
    pub const fn of(generation: Generation) -> &'static Self {
        match generation {
            Generation::V2 => &V2,
            Generation::V3 => &V3,
            Generation::V4 | Generation::V4Plus => &V4,
            Generation::V5 => &V5,
        }
    }

    /// `a < STATE_BUF_OFFSET + STATE_BUF_SZ` on the masked address. [isa-word §2.5]
    #[must_use]
    pub const fn in_sbuf(&self, address: u32) -> bool {
        let address = address & PARTITION_ADDR_MASK;
        address >= self.sbuf_offset && address < self.sbuf_offset + self.sbuf_size
    }

    /// `PSUM_BUF_OFFSET <= a < PSUM_BUF_OFFSET + PSUM_BUF_SZ` on the masked address. [isa-word §2.5]
    #[must_use]
    pub const fn in_psum(&self, address: u32) -> bool {
        let address = address & PARTITION_ADDR_MASK;
        address >= self.psum_offset && address < self.psum_offset + self.psum_size
    }

    /// The memory that an address lies in, if any.
    #[must_use]
    pub const fn space(&self, address: u32) -> Option<Space> {
        if self.in_psum(address) {
            Some(Space::Psum)
        } else if self.in_sbuf(address) {
            Some(Space::Sbuf)
        } else {
            None
        }
    }

    /// Memory, partition and byte offset of an address; `None` where there is no memory.
    #[must_use]
    pub const fn place(&self, address: u32) -> Option<Place> {
        let address = address & PARTITION_ADDR_MASK;
        let Some(space) = self.space(address) else {
            return None;
        };
        let (base, stride) = match space {
            Space::Sbuf => (self.sbuf_offset, self.sbuf_stride),
            Space::Psum => (self.psum_offset, self.psum_stride),
        };
        Some(Place {
            space,
            partition: (address - base) / stride,
            offset: (address - base) % stride,
        })
    }

    /// `a / stride` of the SBUF, on the masked address: the partition field of an immediate ADDR4.
    /// Numbers of 128 and more are not partitions. [isa-word §2.5]
    #[must_use]
    pub const fn partition(&self, address: u32) -> u32 {
        (address & PARTITION_ADDR_MASK) / self.sbuf_stride
    }

    /// `a % stride` of the SBUF: the byte offset in the partition. [isa-word §2.5]
    #[must_use]
    pub const fn byte_offset(&self, address: u32) -> u32 {
        (address & PARTITION_ADDR_MASK) % self.sbuf_stride
    }

    /// `a / (stride * 32)`; 0..=3 inside the SBUF. [isa-word §2.5]
    #[must_use]
    pub const fn quadrant(&self, address: u32) -> u32 {
        self.partition(address) / PARTITIONS_PER_QUADRANT
    }

    /// `partition * stride + offset`, or `None` if the partition is above 127 or the offset reaches
    /// beyond the stride. [isa-word §2.5]
    #[must_use]
    pub const fn sbuf_address(&self, partition: u32, offset: u32) -> Option<u32> {
        if partition >= self.sbuf_partitions || offset >= self.sbuf_stride {
            return None;
        }
        Some(self.sbuf_offset + partition * self.sbuf_stride + offset)
    }

    /// Active bytes of all SBUF partitions. [isa-word §2.5]
    #[must_use]
    pub const fn sbuf_active_total(&self) -> u32 {
        self.sbuf_partitions * self.sbuf_active
    }

    /// `addr_in_sbuf_partition(p, a)`: in that partition, and in its active part. [isa-word §2.6]
    #[must_use]
    pub const fn addr_in_sbuf_partition(&self, partition: u32, address: u32) -> bool {
        self.in_sbuf(address)
            && self.partition(address) == partition
            && self.byte_offset(address) < self.sbuf_active
    }

    /// Both addresses lie in the active part of the same one of the partitions 0, 32, 64, 96.
    /// [isa-word §2.6]
    #[must_use]
    pub fn same_quadrant_start(&self, first: u32, second: u32) -> bool {
        quadrant_bases().any(|base| {
            self.addr_in_sbuf_partition(base, first) && self.addr_in_sbuf_partition(base, second)
        })
    }

    /// `start_addr_active_channels(addr, n)`: the start is a quadrant base with room for `n` channels;
    /// a register passes. Not a rule of 0xBF; its exact body is not published. [isa-word §2.6]
    #[must_use]
    pub fn start_addr_active_channels(&self, addr: Addr4, channels: u32) -> bool {
        addr.address_from_register()
            || quadrant_bases().any(|base| {
                self.addr_in_sbuf_partition(base, addr.immediate())
                    && channels <= self.sbuf_partitions - base
            })
    }
}

/// First partitions of the quadrants: 0, 32, 64, 96. [isa-word §2.5]
fn quadrant_bases() -> impl Iterator<Item = u32> {
    (0..4).map(|quadrant| quadrant * PARTITIONS_PER_QUADRANT)
}

/// `has_valid_active_channel_range(n, max)`: `1 <= n <= max`. [isa-word §2.6, HIGH/OBSERVED]
#[must_use]
pub const fn active_channel_range_valid(channels: u32, max: u32) -> bool {
    1 <= channels && channels <= max
}

/// The GPSIMD core, 0..=7, that owns a partition. [isa-word §2.5]
#[must_use]
pub const fn gpsimd_core_of(partition: u32) -> u32 {
    partition / PARTITIONS_PER_GPSIMD_CORE
}
