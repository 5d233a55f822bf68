// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Completion entries, written by the engine. [idma-ring §1.9, decisions D-23, D-52]

use super::descriptor::{Descriptor, RingId};

/// Bytes of an M2S completion: word 0 alone. [idma-ring MC-3]
pub const M2S_COMPLETION_BYTES: usize = 4;

const FIRST: u32 = 1 << 26;
const LAST: u32 = 1 << 27;
const BUF1_USED: u32 = 1 << 30;

/// Place of a descriptor in its packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PacketPlace {
    /// First of the packet.
    pub first: bool,
    /// Last of the packet.
    pub last: bool,
}

impl PacketPlace {
    const fn bits(self) -> u32 {
        (if self.first { FIRST } else { 0 }) | (if self.last { LAST } else { 0 })
    }
}

/// The completion word of a TX descriptor: tag, FIRST and LAST, nothing else. [decisions D-52]
#[must_use]
pub const fn m2s_completion(id: RingId, place: PacketPlace) -> u32 {
    id.in_descriptor() | place.bits()
}

/// The completion entry of an RX descriptor that received `bytes`. [decisions D-23]
#[must_use]
pub const fn s2m_completion(id: RingId, place: PacketPlace, bytes: u32) -> Descriptor {
    Descriptor {
        word0: id.in_descriptor() | place.bits() | BUF1_USED,
        word1: bytes,
        buf_ptr: 0,
    }
}

/// What a driver looks at: the tag of a completion word. Bits 31..30, which one page names, are the tag's place in
/// pointer registers only. [idma-ring §1.9]
#[must_use]
pub const fn completion_ring_id(word0: u32) -> RingId {
    RingId::wrapping(word0 >> 24)
}
