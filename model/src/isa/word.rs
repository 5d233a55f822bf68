// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The 64-byte word and its fields. [isa-word §1, HIGH/OBSERVED]

use super::addr4::Addr4;

/// Bytes of one word; also the stride of an instruction stream (`INST_NBYTES`). [isa-word §0]
pub const WORD_BYTES: usize = 64;

/// A word in memory order.
pub type WordBytes = [u8; WORD_BYTES];

/// The opcode `SB2SB_COLLECTIVE`. [isa-word §1]
pub const SB2SB_OPCODE: u8 = 0xBF;

/// `inst_word_len` of every ordinary word: 16 units of 32 bits. [isa-word §1.1]
pub const INST_WORD_LEN: u8 = 16;

/// Bytes 0..3. [isa-word §1.1]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Header {
    /// Byte 0.
    pub opcode: u8,
    /// Byte 1: length in 32-bit units.
    pub inst_word_len: u8,
    /// Byte 2: profiling marker command, opaque on v5. [isa-word MC-1]
    pub debug_cmd: u8,
    /// Byte 3: profiling hint, opaque on v5. [isa-word MC-1]
    pub debug_hint: u8,
}

/// Bytes 4..11. [isa-word §1.2]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Events {
    /// Byte 4: condition before issue.
    pub wait_mode: u8,
    /// Byte 5: semaphore or event of the wait.
    pub wait_idx: u8,
    /// Byte 6: change to make.
    pub update_mode: u8,
    /// Byte 7: semaphore or event of the update.
    pub update_idx: u8,
    /// Bytes 8..11: shared by the wait's compare and the update's operand.
    pub semaphore_value: u32,
}

/// An operand, 16 bytes: start address, three steps, three counts; index 0 is the innermost
/// dimension. [isa-word §2.1]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tensor3d {
    /// Start of the pattern.
    pub start_addr: Addr4,
    /// Signed distance in elements between successive values of each dimension.
    pub step_elem: [i16; 3],
    /// Iteration counts.
    pub num_elem: [u16; 3],
}

impl Tensor3d {
    /// Product of the stored counts, in 64 bits without wrap. [isa-word MC-7]
    #[must_use]
    pub fn stored_elements(&self) -> u64 {
        self.num_elem.iter().map(|&n| u64::from(n)).product()
    }
}

/// All fields of a word as raw integers: every 64-byte value decodes, and encodes back to itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word {
    /// Bytes 0..3.
    pub header: Header,
    /// Bytes 4..11.
    pub events: Events,
    /// Byte 12: DTYPE of the source.
    pub in_dtype: u8,
    /// Byte 13: DTYPE of the destination.
    pub out_dtype: u8,
    /// Bytes 14..15.
    pub reserved0: [u8; 2],
    /// Bytes 16..31: the source.
    pub src: Tensor3d,
    /// Byte 32: `LNC_SIZE_FMT`.
    pub lnc_size_fmt: u8,
    /// Byte 33: partitions taking part. [isa-word §4.3, MC-12]
    pub num_active_channels: u8,
    /// Bytes 34..47.
    pub reserved1: [u8; 14],
    /// Bytes 48..63: the destination.
    pub dst: Tensor3d,
}

#[inline]
fn read<const N: usize>(bytes: &WordBytes, offset: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[offset + i])
}

#[inline]
fn read_tensor(bytes: &WordBytes, offset: usize) -> Tensor3d {
    Tensor3d {
        start_addr: Addr4(u32::from_le_bytes(read(bytes, offset))),
        step_elem: std::array::from_fn(|d| i16::from_le_bytes(read(bytes, offset + 4 + 2 * d))),
        num_elem: std::array::from_fn(|d| u16::from_le_bytes(read(bytes, offset + 10 + 2 * d))),
    }
}

fn write(bytes: &mut WordBytes, offset: usize, value: &[u8]) {
    bytes[offset..offset + value.len()].copy_from_slice(value);
}

fn write_tensor(bytes: &mut WordBytes, offset: usize, tensor: &Tensor3d) {
    write(bytes, offset, &tensor.start_addr.0.to_le_bytes());
    for d in 0..3 {
        write(
            bytes,
            offset + 4 + 2 * d,
            &tensor.step_elem[d].to_le_bytes(),
        );
        write(
            bytes,
            offset + 10 + 2 * d,
            &tensor.num_elem[d].to_le_bytes(),
        );
    }
}

impl Word {
    /// Reads the fields. Never fails and loses nothing.
    #[must_use]
    #[inline]
    pub fn decode(bytes: &WordBytes) -> Self {
        Self {
            header: Header {
                opcode: bytes[0],
                inst_word_len: bytes[1],
                debug_cmd: bytes[2],
                debug_hint: bytes[3],
            },
            events: Events {
                wait_mode: bytes[4],
                wait_idx: bytes[5],
                update_mode: bytes[6],
                update_idx: bytes[7],
                semaphore_value: u32::from_le_bytes(read(bytes, 8)),
            },
            in_dtype: bytes[12],
            out_dtype: bytes[13],
            reserved0: read(bytes, 14),
            src: read_tensor(bytes, 16),
            lnc_size_fmt: bytes[32],
            num_active_channels: bytes[33],
            reserved1: read(bytes, 34),
            dst: read_tensor(bytes, 48),
        }
    }

    /// Writes the fields in memory order: the inverse of [`Word::decode`].
    #[must_use]
    pub fn encode(&self) -> WordBytes {
        let mut bytes = [0; WORD_BYTES];
        let (header, events) = (&self.header, &self.events);
        bytes[0] = header.opcode;
        bytes[1] = header.inst_word_len;
        bytes[2] = header.debug_cmd;
        bytes[3] = header.debug_hint;
        bytes[4] = events.wait_mode;
        bytes[5] = events.wait_idx;
        bytes[6] = events.update_mode;
        bytes[7] = events.update_idx;
        write(&mut bytes, 8, &events.semaphore_value.to_le_bytes());
        bytes[12] = self.in_dtype;
        bytes[13] = self.out_dtype;
        write(&mut bytes, 14, &self.reserved0);
        write_tensor(&mut bytes, 16, &self.src);
        bytes[32] = self.lnc_size_fmt;
        bytes[33] = self.num_active_channels;
        write(&mut bytes, 34, &self.reserved1);
        write_tensor(&mut bytes, 48, &self.dst);
        bytes
    }
}
