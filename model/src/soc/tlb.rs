// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The device's software TLB, `neuron_translate`. [soc-address §3.6], [decisions D-28]

use super::SocAddr;
use super::tpb::tpb_base;
use crate::transaction::CoreId;

/// Records of a context. [soc-address §3.6]
pub const RECORDS: usize = 5;
/// Records that are replaced in turn. [soc-address §3.6]
pub const DYNAMIC: usize = 3;
/// Bytes of a context. [soc-address §3.6]
pub const CONTEXT_SIZE: usize = 168;

const DYNAMIC_MASK: u64 = 0xFFFF_FFFF_FF00_0000;
const PINNED_MASK: u64 = 0xFFFF_FFFF_FC00_0000;

/// NX base, mask and register of each record. [soc-address §3.6]
const LAYOUT: [(u32, u64, u32); RECORDS] = [
    (0x0700_0000, DYNAMIC_MASK, 0x10_0218),
    (0x0900_0000, DYNAMIC_MASK, 0x10_0228),
    (0x0A00_0000, DYNAMIC_MASK, 0x10_0230),
    (0x8000_0000, PINNED_MASK, 0),
    (0x8400_0000, PINNED_MASK, 0),
];
/// From the v2 POOL engine's base down to the SBUF of its TPB. [soc-address §3.6]
const V2_POOL_OFFSET: u64 = 0x290_0000;

/// One register write of a miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TlbWrite {
    /// NX address of the v2 register.
    pub register: u32,
    /// Value.
    pub value: u32,
}

/// What a miss does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TlbMiss {
    /// Record that was replaced.
    pub record: usize,
    /// Tag that it has now.
    pub tag: u64,
    /// The high word, then the low word, between two barriers; v2 only. [decisions D-28]
    pub writes: Option<[TlbWrite; 2]>,
}

/// A translated address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Translation {
    /// NX address.
    pub nx: u32,
    /// What happened, if no record held the address.
    pub miss: Option<TlbMiss>,
}

/// The context of one processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoftwareTlb {
    tags: [Option<u64>; RECORDS],
    next_alloc: usize,
    writes_registers: bool,
}

impl SoftwareTlb {
    /// The context of a v2 engine: record 3 from the engine's base, record 4 from the scratch memory's.
    #[must_use]
    pub const fn v2(engine_base: SocAddr, scratch_base: SocAddr) -> Self {
        let sbuf = engine_base.0.wrapping_sub(V2_POOL_OFFSET);
        Self::with_pinned(sbuf, scratch_base, true)
    }

    /// The context of a core on v3 and later: record 3 is the own State Buffer. [decisions D-28]
    #[must_use]
    pub const fn v3(core: CoreId, scratch_base: SocAddr) -> Self {
        Self::with_pinned(tpb_base(core).0, scratch_base, false)
    }

    const fn with_pinned(sbuf: u64, scratch: SocAddr, writes_registers: bool) -> Self {
        Self {
            tags: [None, None, None, Some(sbuf), Some(scratch.0 & PINNED_MASK)],
            next_alloc: 0,
            writes_registers,
        }
    }

    /// Tag of a record; none while it is empty.
    #[must_use]
    pub fn tag(&self, record: usize) -> Option<u64> {
        self.tags.get(record).copied().flatten()
    }

    /// Record that the next miss replaces.
    #[must_use]
    pub const fn next_alloc(&self) -> usize {
        self.next_alloc
    }

    fn find(&self, address: SocAddr) -> Option<usize> {
        (0..RECORDS).find(|&i| self.tags[i] == Some(address.0 & LAYOUT[i].1))
    }

    /// NX address of a SoC address; a miss replaces one of the three dynamic records. [soc-address §3.6, MC-23]
    pub fn translate(&mut self, address: SocAddr) -> Translation {
        if let Some(record) = self.find(address) {
            let (nx_base, mask, _) = LAYOUT[record];
            return Translation {
                nx: nx_base.wrapping_add((address.0 & !mask) as u32),
                miss: None,
            };
        }
        let record = self.next_alloc;
        let (nx_base, mask, register) = LAYOUT[record];
        let tag = address.0 & mask;
        self.tags[record] = Some(tag);
        self.next_alloc = (record + 1) % DYNAMIC;
        Translation {
            nx: nx_base.wrapping_add((address.0 & !mask) as u32),
            miss: Some(TlbMiss {
                record,
                tag,
                writes: self.writes_registers.then_some([
                    TlbWrite {
                        register: register + 4,
                        value: (address.0 >> 32) as u32,
                    },
                    TlbWrite {
                        register,
                        value: tag as u32,
                    },
                ]),
            }),
        }
    }

    /// `mapping_lookup`: first and last NX address of the window that holds an address, without changing anything.
    /// `None` stands for −1. [soc-address §§3.6, 7]
    #[must_use]
    pub fn mapping_lookup(&self, address: SocAddr) -> Option<(u32, u32)> {
        let (nx_base, mask, _) = LAYOUT[self.find(address)?];
        Some((nx_base, nx_base.wrapping_add(!mask as u32)))
    }

    /// The context as it lies in memory. An empty record has a tag that no address can match. [soc-address §3.6]
    #[must_use]
    pub fn to_bytes(&self) -> [u8; CONTEXT_SIZE] {
        const RECORD: usize = 32;
        let mut bytes = [0; CONTEXT_SIZE];
        for (i, (nx_base, mask, register)) in LAYOUT.into_iter().enumerate() {
            let record = &mut bytes[RECORD * i..RECORD * (i + 1)];
            record[0..8].copy_from_slice(&self.tags[i].unwrap_or(u64::MAX).to_le_bytes());
            record[8..12].copy_from_slice(&nx_base.to_le_bytes());
            record[16..24].copy_from_slice(&mask.to_le_bytes());
            record[24..28].copy_from_slice(&register.to_le_bytes());
        }
        bytes[RECORD * RECORDS] = self.next_alloc as u8;
        bytes
    }
}
