// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The 16-byte descriptor: envelope, flags, canonical words. [idma-ring §§1.1–1.8]

use thiserror::Error;

use super::bits::{LAYOUTS, Layout};
use crate::soc::SocAddr;

/// Bytes of a descriptor. [idma-ring §1.1]
pub const DESCRIPTOR_BYTES: usize = 16;
/// Most bytes that one descriptor moves. [idma-ring §1.3]
pub const MAX_BYTES: u32 = 65_536;

/// Word 1 of a plain copy. [idma-ring §1.7, HIGH/OBSERVED]
pub const COPY_WORD1: u32 = 0x0108_0003;
/// Bits of word 0 that survive a rebuild by the firmware. [idma-ring §1.7]
pub const REBUILD_MASK: u32 = 0xFCFF_0000;

/// Flags of word 0 of a TX descriptor. [idma-ring §1.3]
pub mod tx {
    /// Parameter descriptor.
    pub const META: u32 = 1 << 23;
    /// First of a packet.
    pub const FIRST: u32 = 1 << 26;
    /// Last of a packet.
    pub const LAST: u32 = 1 << 27;
    /// Completion sets the interrupt cause.
    pub const INT_EN: u32 = 1 << 28;
    /// Snoop hint.
    pub const NO_SNOOP: u32 = 1 << 29;
    /// Data memory barrier.
    pub const DMB: u32 = 1 << 30;
    /// Concatenated with its neighbour.
    pub const CONCAT: u32 = 1 << 31;
    /// In word 1: writes so far complete before later ones. [idma-ring §1.5]
    pub const WRITE_BARRIER: u32 = 1 << 26;
    /// In word 1: no notifications, v4 only. [idma-ring §1.5]
    pub const NOTIFICATION_MASK: u32 = 1 << 28;
}

/// Flags of word 0 of an RX descriptor. [idma-ring §1.4]
pub mod rx {
    /// Completion sets the interrupt cause.
    pub const INT_EN: u32 = 1 << 28;
    /// Strong-ordered write, v3 and later.
    pub const SOW: u32 = 1 << 29;
    /// Word 1 is a second buffer.
    pub const DUAL_BUF: u32 = 1 << 31;
}

/// Generation tag of ring entries: 2 bits, 1 on the first lap. [idma-ring §§1.2, 2.6, MC-7]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RingId(u8);

impl Default for RingId {
    fn default() -> Self {
        Self::FIRST_LAP
    }
}

impl RingId {
    /// The id after a reset.
    pub const FIRST_LAP: Self = Self(1);

    /// The id in the low two bits.
    #[must_use]
    pub const fn wrapping(bits: u32) -> Self {
        Self((bits & 3) as u8)
    }

    /// The id of the next lap: plus one modulo 4. [idma-ring MC-7]
    #[must_use]
    pub const fn next_lap(self) -> Self {
        Self::wrapping(self.0 as u32 + 1)
    }

    /// The id after this many laps.
    #[must_use]
    pub const fn after(self, laps: u32) -> Self {
        Self::wrapping((self.0 as u32).wrapping_add(laps))
    }

    /// 0 to 3.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// In place for descriptor and completion words: bits 25..24. [idma-ring MC-1]
    #[must_use]
    pub const fn in_descriptor(self) -> u32 {
        (self.0 as u32) << 24
    }

    /// In place for pointer registers: bits 31..30. [idma-ring §2.3]
    #[must_use]
    pub const fn in_register(self) -> u32 {
        (self.0 as u32) << 30
    }
}

/// SDMAOP, bits 25..23 of word 1. [idma-ring §4.1, MC-29]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Operation 0 of the inline firmware copy: passes bytes through.
    PassThrough,
    /// DRE 1.
    Dre,
    /// CME 2.
    Cme,
    /// CCE 4.
    Cce,
    /// 3, 5, 6 and 7.
    Undefined(u8),
}

impl Operation {
    /// The operation of a word 1.
    #[must_use]
    pub const fn of(word1: u32) -> Self {
        match (word1 >> 23 & 7) as u8 {
            0 => Self::PassThrough,
            1 => Self::Dre,
            2 => Self::Cme,
            4 => Self::Cce,
            other => Self::Undefined(other),
        }
    }

    /// The wire value.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::PassThrough => 0,
            Self::Dre => 1,
            Self::Cme => 2,
            Self::Cce => 4,
            Self::Undefined(number) => number,
        }
    }

    /// The name in text; none for undefined ones and 0.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Dre => Some("dre"),
            Self::Cme => Some("cme"),
            Self::Cce => Some("cce"),
            Self::PassThrough | Self::Undefined(_) => None,
        }
    }

    /// The wire value of a name.
    #[must_use]
    pub fn number_of(name: &str) -> Option<u8> {
        [Self::Dre, Self::Cme, Self::Cce]
            .into_iter()
            .find(|operation| operation.name() == Some(name))
            .map(Self::number)
    }
}

/// Which kind of entry sixteen bytes are; the bytes themselves do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Read side, M2S.
    Tx,
    /// Write side, S2M.
    Rx,
    /// Written by the engine.
    Completion,
}

/// Sixteen bytes of a ring, whatever they mean. [idma-ring §1.1]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Descriptor {
    /// `len_ctrl`.
    pub word0: u32,
    /// `meta_ctrl` or `buf2_ptr_lo`.
    pub word1: u32,
    /// SoC address, or the two words `meta1` and `meta2`.
    pub buf_ptr: u64,
}

impl Descriptor {
    /// From the bytes in memory order.
    #[must_use]
    pub const fn unpack(bytes: &[u8; DESCRIPTOR_BYTES]) -> Self {
        Self::from_bits(u128::from_le_bytes(*bytes))
    }

    /// The bytes in memory order.
    #[must_use]
    pub const fn pack(&self) -> [u8; DESCRIPTOR_BYTES] {
        self.bits().to_le_bytes()
    }

    /// From 128 bits, word 0 lowest.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self {
            word0: bits as u32,
            word1: (bits >> 32) as u32,
            buf_ptr: (bits >> 64) as u64,
        }
    }

    /// All 128 bits, word 0 lowest.
    #[must_use]
    pub const fn bits(&self) -> u128 {
        self.word0 as u128 | (self.word1 as u128) << 32 | (self.buf_ptr as u128) << 64
    }

    /// The four words.
    #[must_use]
    pub const fn words(&self) -> [u32; 4] {
        [
            self.word0,
            self.word1,
            self.buf_ptr as u32,
            (self.buf_ptr >> 32) as u32,
        ]
    }

    /// Tag of the entry. [idma-ring §1.3]
    #[must_use]
    pub const fn ring_id(&self) -> RingId {
        RingId::wrapping(self.word0 >> 24)
    }

    /// The same entry with another tag.
    #[must_use]
    pub const fn with_ring_id(mut self, id: RingId) -> Self {
        self.word0 = self.word0 & !(3 << 24) | id.in_descriptor();
        self
    }

    /// The length field as it stands.
    #[must_use]
    pub const fn length_field(&self) -> u16 {
        self.word0 as u16
    }

    /// Whether word 0 has a flag of [`tx`] or [`rx`].
    #[must_use]
    pub const fn has(&self, flag: u32) -> bool {
        self.word0 & flag != 0
    }

    /// The operation of a TX descriptor. [idma-ring §1.5]
    #[must_use]
    pub const fn operation(&self) -> Operation {
        Operation::of(self.word1)
    }

    /// The predicate "is a CME descriptor" of the drivers. [idma-ring §1.7]
    #[must_use]
    pub const fn is_cme(&self) -> bool {
        matches!(self.operation(), Operation::Cme)
    }

    /// Word 0 as the firmware rebuilds it: new length and tag, everything else kept. [idma-ring §1.7]
    #[must_use]
    pub const fn rebuild(word0: u32, length: u16, id: RingId) -> u32 {
        word0 & REBUILD_MASK | length as u32 | id.in_descriptor()
    }

    /// The layout that shows these bits best as an entry of this kind.
    #[must_use]
    pub fn layout(&self, kind: Kind) -> &'static Layout {
        let optype = self.word1 >> 20 & 7;
        let name = match kind {
            Kind::Completion => "completion",
            Kind::Rx if self.has(rx::DUAL_BUF) => "rx_dual",
            Kind::Rx => "rx",
            Kind::Tx if self.has(tx::META) => match self.operation() {
                Operation::Cme => "meta_cme",
                _ => "meta",
            },
            Kind::Tx if self.word1 & !tx::WRITE_BARRIER == COPY_WORD1 => "tx_copy",
            Kind::Tx => match (self.operation(), optype) {
                (Operation::Cce, 0) => "tx_add",
                (Operation::Cce, 1) => "tx_fma",
                (Operation::Cce, 2) => "tx_max",
                (Operation::Cce, 3) => "tx_min",
                (Operation::Cce, 4) => "tx_ext",
                (Operation::Cce, 5) => "tx_gce",
                (Operation::Dre, 0) => "tx_split",
                (Operation::Dre, 1) => "tx_transpose",
                (Operation::Dre, 2) => "tx_replication",
                _ => "tx",
            },
        };
        Layout::by_name(name).unwrap_or(&LAYOUTS[0])
    }
}

/// How a descriptor is ordered against the others of its queue. [idma-ring §1.8]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Barrier {
    /// Not at all.
    #[default]
    None,
    /// TX word 0, bit 30.
    Dmb,
    /// TX word 1, bit 26.
    WriteBarrier,
    /// RX word 0, bit 29; not on v2.
    Sow,
}

/// Why a builder refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// [idma-ring §1.7]
    #[error("invalid size: {0}; a descriptor moves 1 to {MAX_BYTES} bytes")]
    InvalidSize(u64),
    /// [idma-ring §1.8]
    #[error("invalid m2m barrier {0}; expected 0 (none), 1 (DMB) or 2 (write barrier)")]
    InvalidBarrier(u32),
}

impl Barrier {
    /// The mode of a driver's code: 0 none, 1 DMB, 2 write barrier. [idma-ring §1.8]
    ///
    /// # Errors
    /// [`BuildError::InvalidBarrier`] for any other code.
    pub const fn from_driver(code: u32) -> Result<Self, BuildError> {
        match code {
            0 => Ok(Self::None),
            1 => Ok(Self::Dmb),
            2 => Ok(Self::WriteBarrier),
            other => Err(BuildError::InvalidBarrier(other)),
        }
    }
}

/// A checked length, 1 to 65 536. [idma-ring §1.7]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CopyBytes(u32);

impl CopyBytes {
    /// A length.
    ///
    /// # Errors
    /// [`BuildError::InvalidSize`] for 0 and for more than 65 536.
    pub const fn new(bytes: u64) -> Result<Self, BuildError> {
        if bytes == 0 || bytes > MAX_BYTES as u64 {
            Err(BuildError::InvalidSize(bytes))
        } else {
            Ok(Self(bytes as u32))
        }
    }

    /// The field: 65 536 is written as 0. [idma-ring §1.3]
    #[must_use]
    pub const fn field(self) -> u32 {
        self.0 & 0xFFFF
    }

    /// The number of bytes.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        self.0
    }
}

/// The two descriptors of a copy: the same engine and queue reads and writes. [idma-ring §0.3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CopyPair {
    /// Read side.
    pub tx: Descriptor,
    /// Write side.
    pub rx: Descriptor,
}

impl CopyPair {
    /// A copy in a packet of its own; both entries carry the same tag. [idma-ring §1.7]
    #[must_use]
    pub const fn new(
        source: SocAddr,
        destination: SocAddr,
        length: CopyBytes,
        id: RingId,
        barrier: Barrier,
    ) -> Self {
        let common = length.field() | id.in_descriptor();
        let mut tx_word0 = common | tx::FIRST | tx::LAST;
        let mut word1 = COPY_WORD1;
        let mut rx_word0 = common;
        match barrier {
            Barrier::None => {}
            Barrier::Dmb => tx_word0 |= tx::DMB,
            Barrier::WriteBarrier => word1 |= tx::WRITE_BARRIER,
            Barrier::Sow => rx_word0 |= rx::SOW,
        }
        Self {
            tx: Descriptor {
                word0: tx_word0,
                word1,
                buf_ptr: source.0,
            },
            rx: Descriptor {
                word0: rx_word0,
                word1: 0,
                buf_ptr: destination.0,
            },
        }
    }

    /// A semaphore increment: four bytes from the event accelerator into an INC window, strongly ordered.
    /// [idma-ring §3.6]
    #[must_use]
    pub const fn semaphore(accelerator: SocAddr, window: SocAddr, id: RingId) -> Self {
        Self::new(accelerator, window, CopyBytes(4), id, Barrier::Sow)
    }

    /// A transfer of any length, cut into pieces of at most 65 536 bytes in packets of their own.
    /// [idma-ring §1.7]
    pub fn pieces(
        source: SocAddr,
        destination: SocAddr,
        bytes: u64,
    ) -> impl Iterator<Item = (SocAddr, SocAddr, CopyBytes)> {
        (0..bytes).step_by(MAX_BYTES as usize).map(move |offset| {
            let length = (bytes - offset).min(u64::from(MAX_BYTES)) as u32;
            (
                SocAddr(source.0.wrapping_add(offset)),
                SocAddr(destination.0.wrapping_add(offset)),
                CopyBytes(length),
            )
        })
    }
}
