// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The extended words of opcode 0xF0 that generate and start descriptors. [idma-ring §3.1, HIGH/OBSERVED]

use super::addr4::Addr4;
use super::opcode::Opcode;
use super::word::{Events, Header, WORD_BYTES, Word, WordBytes};

/// Byte 12 of a word of opcode 0xF0. [idma-ring §3.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExtendedOpcode {
    /// NOP 0.
    Nop,
    /// COPY 1.
    Copy,
    /// `TENSOR_TENSOR_ARITH_OP` 2.
    TensorTensorArithOp,
    /// `RAND_SET_STATE` 3.
    RandSetState,
    /// `RAND_GET_STATE` 4.
    RandGetState,
    /// `SBUF_TO_SBUF` 6.
    SbufToSbuf,
    /// `CPTC_DECODE` 7.
    CptcDecode,
    /// `RDMA_DESC_GEN` 8.
    RdmaDescGen,
    /// `RDMA_DESC_START` 9.
    RdmaDescStart,
}

impl ExtendedOpcode {
    /// All members, ascending.
    pub const ALL: [Self; 9] = [
        Self::Nop,
        Self::Copy,
        Self::TensorTensorArithOp,
        Self::RandSetState,
        Self::RandGetState,
        Self::SbufToSbuf,
        Self::CptcDecode,
        Self::RdmaDescGen,
        Self::RdmaDescStart,
    ];

    /// The wire value.
    #[must_use]
    pub const fn raw(self) -> u8 {
        match self {
            Self::Nop => 0,
            Self::Copy => 1,
            Self::TensorTensorArithOp => 2,
            Self::RandSetState => 3,
            Self::RandGetState => 4,
            Self::SbufToSbuf => 6,
            Self::CptcDecode => 7,
            Self::RdmaDescGen => 8,
            Self::RdmaDescStart => 9,
        }
    }

    /// The name in the specification.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nop => "NOP",
            Self::Copy => "COPY",
            Self::TensorTensorArithOp => "TENSOR_TENSOR_ARITH",
            Self::RandSetState => "RAND_SET_STATE",
            Self::RandGetState => "RAND_GET_STATE",
            Self::SbufToSbuf => "SBUF_TO_SBUF",
            Self::CptcDecode => "CPTC_DECODE",
            Self::RdmaDescGen => "RDMA_DESC_GEN",
            Self::RdmaDescStart => "RDMA_DESC_START",
        }
    }

    /// The member with a wire value; 5 and everything from 10 on are none.
    #[must_use]
    pub fn from_raw(raw: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|member| member.raw() == raw)
    }

    /// The member that a word of opcode 0xF0 names; none for other opcodes.
    #[must_use]
    pub fn of(word: &WordBytes) -> Option<Self> {
        (word[0] == Opcode::EXTENDED_INST.0)
            .then(|| Self::from_raw(word[EXTENDED_OPCODE]))
            .flatten()
    }
}

/// Place of the extended opcode.
const EXTENDED_OPCODE: usize = 12;
/// First reserved byte of a GEN word.
const GEN_RESERVED: usize = 42;
/// First byte of a START word behind its extended opcode.
const START_RESERVED: usize = 13;

/// The GEN word: every field as it stands; the same on v2 to v5. [idma-ring §3.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RdmaDescGen {
    /// Bytes 0..3.
    pub header: Header,
    /// Bytes 4..11.
    pub events: Events,
    /// Byte 12.
    pub extended_opcode: u8,
    /// Byte 13: all zero for GEN.
    pub completion_info: u8,
    /// Byte 14: index on this core.
    pub local_sem: u8,
    /// Byte 15: index on the peer.
    pub remote_sem: u8,
    /// Bytes 16..19: physical id of the peer.
    pub remote_core_id: u32,
    /// Bytes 20..23: routing id of the peer.
    pub remote_routing_id: u32,
    /// Bytes 24..27: the low 16 bits name engines.
    pub dma_engine_mask: u32,
    /// Bytes 28..31: in the local State Buffer.
    pub src_addr: Addr4,
    /// Bytes 32..35: in the peer's State Buffer.
    pub dst_addr: Addr4,
    /// Bytes 36..39: bytes per partition; 0 means semaphores only.
    pub free_dim_bytes: u32,
    /// Byte 40: not supported.
    pub is_bidirectional: u8,
    /// Byte 41: used in bidirectional mode only.
    pub remote_sem_prev: u8,
    /// Bytes 42..63.
    pub reserved: [u8; WORD_BYTES - GEN_RESERVED],
}

/// The START word: its EVENTS carry the wait that gates the launch. [idma-ring §3.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RdmaDescStart {
    /// Bytes 0..3.
    pub header: Header,
    /// Bytes 4..11.
    pub events: Events,
    /// Byte 12.
    pub extended_opcode: u8,
    /// Bytes 13..63: no operands.
    pub reserved: [u8; WORD_BYTES - START_RESERVED],
}

fn number(bytes: &WordBytes, at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// Header and EVENTS stand in the same places in every word.
fn front(bytes: &WordBytes) -> (Header, Events) {
    let word = Word::decode(bytes);
    (word.header, word.events)
}

fn encode_front(header: Header, events: Events) -> WordBytes {
    Word {
        header,
        events,
        ..Word::default()
    }
    .encode()
}

impl RdmaDescGen {
    /// Reads the fields. Never fails and loses nothing.
    #[must_use]
    pub fn decode(bytes: &WordBytes) -> Self {
        let (header, events) = front(bytes);
        Self {
            header,
            events,
            extended_opcode: bytes[EXTENDED_OPCODE],
            completion_info: bytes[13],
            local_sem: bytes[14],
            remote_sem: bytes[15],
            remote_core_id: number(bytes, 16),
            remote_routing_id: number(bytes, 20),
            dma_engine_mask: number(bytes, 24),
            src_addr: Addr4(number(bytes, 28)),
            dst_addr: Addr4(number(bytes, 32)),
            free_dim_bytes: number(bytes, 36),
            is_bidirectional: bytes[40],
            remote_sem_prev: bytes[41],
            reserved: std::array::from_fn(|i| bytes[GEN_RESERVED + i]),
        }
    }

    /// Writes the fields: the inverse of [`RdmaDescGen::decode`].
    #[must_use]
    pub fn encode(&self) -> WordBytes {
        let mut bytes = encode_front(self.header, self.events);
        bytes[EXTENDED_OPCODE] = self.extended_opcode;
        bytes[13] = self.completion_info;
        bytes[14] = self.local_sem;
        bytes[15] = self.remote_sem;
        for (at, value) in [
            (16, self.remote_core_id),
            (20, self.remote_routing_id),
            (24, self.dma_engine_mask),
            (28, self.src_addr.0),
            (32, self.dst_addr.0),
            (36, self.free_dim_bytes),
        ] {
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        bytes[40] = self.is_bidirectional;
        bytes[41] = self.remote_sem_prev;
        bytes[GEN_RESERVED..].copy_from_slice(&self.reserved);
        bytes
    }
}

impl RdmaDescStart {
    /// Reads the fields. Never fails and loses nothing.
    #[must_use]
    pub fn decode(bytes: &WordBytes) -> Self {
        let (header, events) = front(bytes);
        Self {
            header,
            events,
            extended_opcode: bytes[EXTENDED_OPCODE],
            reserved: std::array::from_fn(|i| bytes[START_RESERVED + i]),
        }
    }

    /// Writes the fields: the inverse of [`RdmaDescStart::decode`].
    #[must_use]
    pub fn encode(&self) -> WordBytes {
        let mut bytes = encode_front(self.header, self.events);
        bytes[EXTENDED_OPCODE] = self.extended_opcode;
        bytes[START_RESERVED..].copy_from_slice(&self.reserved);
        bytes
    }
}
