// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error bits and the interrupt groups that collect them. [idma-ring §§5.7, 7.2, decisions D-21, D-41, D-53]

/// Bits of the read side that traffic can raise. [decisions D-41]
pub mod m2s {
    /// Completion write: error response.
    pub const COMPLETION_RESPONSE: u32 = 1 << 5;
    /// Completion write: no response.
    pub const COMPLETION_TIMEOUT: u32 = 1 << 6;
    /// Data read: error response.
    pub const DATA_RESPONSE: u32 = 1 << 8;
    /// Data read: no response.
    pub const DATA_TIMEOUT: u32 = 1 << 9;
    /// Descriptor read: error response.
    pub const PREFETCH_RESPONSE: u32 = 1 << 11;
    /// Descriptor read: no response.
    pub const PREFETCH_TIMEOUT: u32 = 1 << 12;
    /// The packet has more bytes than `max_pkt_size`.
    pub const PACKET_LENGTH: u32 = 1 << 13;
    /// The packet has more descriptors than `max_desc_per_pkt`.
    pub const MAX_DESCRIPTORS: u32 = 1 << 14;
    /// FIRST is missing, or inside a packet.
    pub const FIRST: u32 = 1 << 15;
    /// LAST outside a packet.
    pub const LAST: u32 = 1 << 16;
    /// The tag is not that of the lap.
    pub const RING_ID: u32 = 1 << 17;
    /// Model-private: the operation does not exist. [decisions D-46]
    pub const ILLEGAL_OP: u32 = 1 << 31;
}

/// Bits of the write side that traffic can raise. [decisions D-41]
pub mod s2m {
    /// Data write: error response.
    pub const DATA_RESPONSE: u32 = 1 << 1;
    /// Data write: no response.
    pub const DATA_TIMEOUT: u32 = 1 << 2;
    /// No descriptor came in time.
    pub const NO_DESCRIPTOR_TIMEOUT: u32 = 1 << 6;
    /// No descriptor is there.
    pub const NO_DESCRIPTOR_HINT: u32 = 1 << 7;
    /// Descriptor read: error response.
    pub const PREFETCH_RESPONSE: u32 = 1 << 9;
    /// Descriptor read: no response.
    pub const PREFETCH_TIMEOUT: u32 = 1 << 10;
    /// The tag is not that of the lap.
    pub const RING_ID: u32 = 1 << 11;
    /// Completion write: error response.
    pub const COMPLETION_RESPONSE: u32 = 1 << 14;
    /// Completion write: no response.
    pub const COMPLETION_TIMEOUT: u32 = 1 << 15;
    /// Model-private beside its hardware meaning: bit 31 of a descriptor is set. [idma-ring MC-34]
    pub const DUAL_BUF: u32 = 1 << 31;
}

/// What the bits mean, by number; empty where none is defined. [idma-ring §7.2, HIGH/OBSERVED]
pub const M2S_NAMES: [&str; 32] = [
    "completion packet serial mismatch",
    "stream parity",
    "stream response",
    "stream timeout",
    "completion AXI parity",
    "completion AXI response",
    "completion AXI timeout",
    "data AXI parity",
    "data AXI response",
    "data AXI timeout",
    "prefetch AXI parity",
    "prefetch AXI response",
    "prefetch AXI timeout",
    "packet length overflow",
    "max descriptors per packet",
    "FIRST error",
    "LAST error",
    "ring id mismatch",
    "data buffer parity",
    "ack packet parity",
    "un-ack parity",
    "completion coalescing parity",
    "header buffer parity",
    "data parity",
    "prefetch descriptor parity",
    "prefetch header parity",
    "MSI-X timeout",
    "MSI-X response",
    "",
    "",
    "",
    "illegal operation (model-private)",
];

/// What the bits mean, by number. [idma-ring §7.2, HIGH/OBSERVED]
pub const S2M_NAMES: [&str; 32] = [
    "data AXI parity",
    "data AXI response",
    "data AXI timeout",
    "header-split length",
    "header split ignored",
    "promotion",
    "no-descriptor timeout",
    "no-descriptor hint",
    "prefetch AXI parity",
    "prefetch AXI response",
    "prefetch AXI timeout",
    "ring id mismatch",
    "prefetch saturation",
    "completion AXI parity",
    "completion AXI response",
    "completion AXI timeout",
    "completion write un-ack timeout, stream-ACK FIFO back-pressure",
    "completion write un-ack timeout, completion FIFO back-pressure",
    "stream header parity",
    "stream header error",
    "stream data parity",
    "stream data error",
    "stream FIRST",
    "stream LAST",
    "packet length vs metadata",
    "data header parity",
    "data parity",
    "un-ack parity",
    "pre-un-ack parity",
    "coalescing parity",
    "prefetch descriptor parity",
    "transaction table parity, or bit 31 of a descriptor (model-private)",
];

/// Bits of group C that belong to the read side, and to the write side. [idma-ring §7.2]
pub const GROUP_C: [u32; 2] = [0x03F, 0xFC0];

/// One group of an interrupt controller. [idma-ring §5.7]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterruptGroup {
    /// Raised causes; cleared by writing 0 to them. [decisions D-53]
    pub cause: u32,
    /// 1 hides a cause from `status`.
    pub mask: u32,
    /// Kept, without effect.
    pub control: u32,
    /// 0 lets a cause abort the engine. [decisions D-21]
    pub abort_mask: u32,
}

impl Default for InterruptGroup {
    fn default() -> Self {
        Self {
            cause: 0,
            mask: u32::MAX,
            control: 0,
            abort_mask: u32::MAX,
        }
    }
}

impl InterruptGroup {
    /// Bytes from one group to the next. [idma-ring §5.7]
    pub const STRIDE: u32 = 0x40;

    /// Causes that are not masked.
    #[must_use]
    pub const fn status(&self) -> u32 {
        self.cause & !self.mask
    }

    /// Reads the register at an offset of the group; 0 where none is.
    #[must_use]
    pub const fn read(&self, offset: u32) -> u32 {
        match offset {
            0x00 => self.cause,
            0x10 => self.mask,
            0x20 => self.status(),
            0x28 => self.control,
            0x30 => self.abort_mask,
            _ => 0,
        }
    }

    /// Writes the register at an offset of the group.
    pub const fn write(&mut self, offset: u32, value: u32) {
        match offset {
            0x00 => self.cause &= value,
            0x08 => self.cause |= value,
            0x10 => self.mask = value,
            0x18 => self.mask &= value,
            0x28 => self.control = value,
            0x30 => self.abort_mask = value,
            _ => {}
        }
    }
}
