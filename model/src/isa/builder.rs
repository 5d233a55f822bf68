// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a correct producer writes. [isa-word §3, HIGH/OBSERVED]

use super::addr4::Addr4;
use super::dtype::DType;
use super::lnc::LncSizeFmt;
use super::semaphore_value::{NUM_ADDR_REGISTERS, ValueSource};
use super::side_enums::DebugCmd;
use super::update_mode::UpdateMode;
use super::wait_mode::WaitMode;
use super::word::{Events, Header, INST_WORD_LEN, SB2SB_OPCODE, Tensor3d, Word};

/// One dimension of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// Signed distance in elements.
    pub step: i16,
    /// Iteration count.
    pub count: u16,
}

impl Dimension {
    /// What unused dimensions get. [isa-word §3 rule 8]
    pub const UNUSED: Self = Self { step: 1, count: 1 };

    /// `count` elements, `step` apart.
    #[must_use]
    pub const fn new(step: i16, count: u16) -> Self {
        Self { step, count }
    }
}

impl Tensor3d {
    /// A pattern with the given dimensions, innermost first; the unused ones get step 1, count 1. When
    /// the shape comes from a register, all counts are stored as 0. [isa-word §3 rule 8, MC-4]
    pub fn new(start_addr: Addr4, dimensions: &[Dimension]) -> Result<Self, EncodeError> {
        if dimensions.len() > 3 {
            return Err(EncodeError::Dimensions {
                given: dimensions.len(),
            });
        }
        let shape_register = start_addr.shape_from_register();
        let used = |d: usize| dimensions.get(d).copied().unwrap_or(Dimension::UNUSED);
        Ok(Self {
            start_addr,
            step_elem: std::array::from_fn(|d| used(d).step),
            num_elem: std::array::from_fn(|d| if shape_register { 0 } else { used(d).count }),
        })
    }

    /// `count` consecutive elements.
    #[must_use]
    pub const fn contiguous(start_addr: Addr4, count: u16) -> Self {
        Self {
            start_addr,
            step_elem: [1; 3],
            num_elem: [count, 1, 1],
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Half<M> {
    mode: M,
    index: u32,
    operand: u32,
}

/// Builds 0xBF words the way compilers and the host do: LNC2, reserved bytes 0, wait part first.
#[derive(Clone, Debug)]
pub struct WordBuilder {
    dtype: DType,
    src: Tensor3d,
    dst: Tensor3d,
    channels: u32,
    lnc: LncSizeFmt,
    debug: (DebugCmd, u8),
    wait: Half<WaitMode>,
    update: Half<UpdateMode>,
}

impl WordBuilder {
    /// A word that copies `src` to `dst` on one channel, LNC2, without wait or update.
    #[must_use]
    pub const fn new(dtype: DType, src: Tensor3d, dst: Tensor3d) -> Self {
        Self {
            dtype,
            src,
            dst,
            channels: 1,
            lnc: LncSizeFmt::Lnc2,
            debug: (DebugCmd::None, 0),
            wait: Half {
                mode: WaitMode::None,
                index: 0,
                operand: 0,
            },
            update: Half {
                mode: UpdateMode::None,
                index: 0,
                operand: 0,
            },
        }
    }

    /// Number of partitions. [isa-word §3 rule 7]
    #[must_use]
    pub const fn channels(mut self, channels: u32) -> Self {
        self.channels = channels;
        self
    }

    /// Peer format; compilers write LNC2. [isa-word §3 rule 6]
    #[must_use]
    pub const fn lnc(mut self, lnc: LncSizeFmt) -> Self {
        self.lnc = lnc;
        self
    }

    /// Profiling bytes. [isa-word §1.1]
    #[must_use]
    pub const fn debug(mut self, cmd: DebugCmd, hint: u8) -> Self {
        self.debug = (cmd, hint);
        self
    }

    /// The wait: mode, semaphore or event, and the threshold or register number (or the packed
    /// register and offset, see [`register_with_offset`](super::register_with_offset)).
    #[must_use]
    pub const fn wait(mut self, mode: WaitMode, index: u32, operand: u32) -> Self {
        self.wait = Half {
            mode,
            index,
            operand,
        };
        self
    }

    /// The update: mode, semaphore or event, and the operand or register number.
    #[must_use]
    pub const fn update(mut self, mode: UpdateMode, index: u32, operand: u32) -> Self {
        self.update = Half {
            mode,
            index,
            operand,
        };
        self
    }

    /// The word. The wait operand is written to the shared value field first, then the update operand
    /// over it; modes that do not read the field leave it alone, INC and DEC among them. The result is
    /// not validated. [isa-word §3 rule 3]
    ///
    /// # Errors
    /// An index or channel count that needs more than 8 bits, a register number above 63.
    pub fn build(&self) -> Result<Word, EncodeError> {
        let mut semaphore_value = 0;
        if let Some(source) = self.wait.mode.value_source() {
            semaphore_value = operand_field("wait", source, self.wait.operand)?;
        }
        if let Some(source) = self.update.mode.value_source() {
            semaphore_value = operand_field("update", source, self.update.operand)?;
        }
        Ok(Word {
            header: Header {
                opcode: SB2SB_OPCODE,
                inst_word_len: INST_WORD_LEN,
                debug_cmd: self.debug.0.raw(),
                debug_hint: self.debug.1,
            },
            events: Events {
                wait_mode: self.wait.mode.raw(),
                wait_idx: byte("wait index", self.wait.index)?,
                update_mode: self.update.mode.raw(),
                update_idx: byte("update index", self.update.index)?,
                semaphore_value,
            },
            in_dtype: self.dtype.raw(),
            out_dtype: self.dtype.raw(),
            reserved0: [0; 2],
            src: self.src,
            lnc_size_fmt: self.lnc.raw(),
            num_active_channels: byte("channel count", self.channels)?,
            reserved1: [0; 14],
            dst: self.dst,
        })
    }
}

fn byte(what: &'static str, value: u32) -> Result<u8, EncodeError> {
    u8::try_from(value).map_err(|_| EncodeError::Byte { what, value })
}

fn operand_field(
    half: &'static str,
    source: ValueSource,
    operand: u32,
) -> Result<u32, EncodeError> {
    let legal = match source {
        ValueSource::Immediate => true,
        ValueSource::Register => operand < u32::from(NUM_ADDR_REGISTERS),
        ValueSource::RegisterOffset => operand & 0xFF < u32::from(NUM_ADDR_REGISTERS),
    };
    if legal {
        Ok(operand)
    } else {
        Err(EncodeError::Register { half, operand })
    }
}

/// Something that the word cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A number for an 8-bit field. [isa-word §3 rule 4]
    #[error("{what} {value}; expected 0 to 255")]
    Byte {
        /// What the number is.
        what: &'static str,
        /// The number.
        value: u32,
    },
    /// A register number.
    #[error("{half} operand {operand:#x} names a register above 63")]
    Register {
        /// `wait` or `update`.
        half: &'static str,
        /// The operand given.
        operand: u32,
    },
    /// More dimensions than a TENSOR3D has.
    #[error("{given} dimensions; expected at most 3")]
    Dimensions {
        /// How many were given.
        given: usize,
    },
}
