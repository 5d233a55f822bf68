// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A byte of a State Buffer, by its parts and by its address.

use std::fmt;

use crate::generation::Generation;
use crate::isa::Geometry;
use crate::soc::{self, SocAddr};
use crate::transaction::CoreId;

/// Where an access to a State Buffer begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateBufferPlace {
    /// Core that owns the memory.
    pub core: CoreId,
    /// Partition, 0..=127.
    pub partition: u8,
    /// Byte offset in the partition.
    pub offset: u32,
}

impl StateBufferPlace {
    /// Absolute byte address: partition · stride + offset from the TPB base.
    /// [isa-word §2.5, soc-address §2.5]
    #[must_use]
    pub fn address(self, generation: Generation) -> SocAddr {
        let stride = u64::from(Geometry::of(generation).sbuf_stride);
        soc::sbuf(
            self.core,
            u64::from(self.partition) * stride + u64::from(self.offset),
        )
    }
}

/// `core1.sbuf p34 +0x2040`
impl fmt::Display for StateBufferPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            core,
            partition,
            offset,
        } = self;
        write!(f, "{core}.sbuf p{partition} +{offset:#x}")
    }
}
