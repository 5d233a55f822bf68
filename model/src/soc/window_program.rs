// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How firmware programs a window: `program_window` and `update_window`, write by write.
//! [soc-address §3.4]

use std::fmt;

use super::SocAddr;
use super::window::{
    STRIDE, WINDOWS, Window, WindowAccessError, WindowFile, WindowRegister, control,
};

/// A window's number, 0..=39.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WindowId(u8);

impl WindowId {
    /// The window with this number.
    ///
    /// # Errors
    /// [`WindowProgramError::UnknownWindow`] when the block has no such window.
    pub const fn new(number: u8) -> Result<Self, WindowProgramError> {
        if number < WINDOWS {
            Ok(Self(number))
        } else {
            Err(WindowProgramError::UnknownWindow { found: number })
        }
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// A window that cannot be described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowProgramError {
    /// No such window.
    #[error("window {found} does not exist; expected 0 to {}", WINDOWS - 1)]
    UnknownWindow {
        /// Number asked for.
        found: u8,
    },
    /// Smaller than the granule or larger than the 32-bit space.
    #[error("a window of 2^{found} bytes does not exist; expected 2^20 to 2^32")]
    Size {
        /// Binary logarithm of the size.
        found: u32,
    },
    /// A base that is not aligned to the size.
    #[error("base {found:#x} is not aligned to the window's size {size:#x}")]
    Unaligned {
        /// The base.
        found: u64,
        /// The size.
        size: u64,
    },
    /// A target with bits that replace does not have.
    #[error("target {found} has bits [63:58]; a window keeps bits [57:20]")]
    HighBits {
        /// The target.
        found: SocAddr,
    },
}

/// Who may use a window. [soc-address §3.1]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gates {
    /// Only NX.
    pub nx_dedicated: bool,
    /// Only Q7 cores.
    pub q7_dedicated: bool,
    /// Only this Q7 core.
    pub single_q7: Option<super::id::Q7Core>,
}

impl Gates {
    /// Bits of the control register.
    #[must_use]
    pub const fn bits(self) -> u32 {
        let mut bits = 0;
        if self.nx_dedicated {
            bits |= control::NX_DEDICATED;
        }
        if self.q7_dedicated {
            bits |= control::Q7_DEDICATED;
        }
        if let Some(q7) = self.single_q7 {
            bits |= control::SINGLE_Q7_ENABLE | (q7.number() as u32) << control::SINGLE_Q7_SHIFT;
        }
        bits
    }
}

/// A window of 2^`log2_size` bytes at an NX address, onto a SoC address. [soc-address MC-21]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowSpec {
    /// First NX address.
    pub nx_base: u32,
    /// Address that it stands for.
    pub soc_base: SocAddr,
    /// Binary logarithm of the size, 20..=32.
    pub log2_size: u32,
}

/// What `program_window` is given. [soc-address §3.4]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowDescriptor {
    /// Window number, descriptor + 0x28.
    pub window: WindowId,
    /// Gate bits, descriptor + 0x2C.
    pub gates: u32,
    /// Valid, descriptor + 0x30 bit 0.
    pub valid: bool,
    /// The six field words in register order, `mask_lo` to `replace_hi`.
    pub fields: [u32; 6],
}

impl WindowSpec {
    /// The register values for a window. [soc-address MC-21]
    ///
    /// # Errors
    /// [`WindowProgramError`] for a size, an alignment or a target that the registers cannot hold.
    pub fn descriptor(
        self,
        window: WindowId,
        gates: Gates,
    ) -> Result<WindowDescriptor, WindowProgramError> {
        const COMPARED: u64 = 1 << 40;
        const REPLACED: u64 = 1 << 58;
        if !(20..=32).contains(&self.log2_size) {
            return Err(WindowProgramError::Size {
                found: self.log2_size,
            });
        }
        let size = 1_u64 << self.log2_size;
        for base in [u64::from(self.nx_base), self.soc_base.0] {
            if !base.is_multiple_of(size) {
                return Err(WindowProgramError::Unaligned { found: base, size });
            }
        }
        if self.soc_base.0 >= REPLACED {
            return Err(WindowProgramError::HighBits {
                found: self.soc_base,
            });
        }
        let mask = COMPARED - size;
        Ok(WindowDescriptor {
            window,
            gates: gates.bits(),
            valid: true,
            fields: [
                mask as u32 & WindowRegister::MaskLo.storage(),
                (mask >> 32) as u32 & WindowRegister::MaskHi.storage(),
                self.nx_base & WindowRegister::MatchLo.storage(),
                0,
                self.soc_base.0 as u32 & WindowRegister::ReplaceLo.storage(),
                (self.soc_base.0 >> 32) as u32 & WindowRegister::ReplaceHi.storage(),
            ],
        })
    }
}

/// One step that can be seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowStep {
    /// A register is written.
    Write {
        /// Window.
        window: WindowId,
        /// Register.
        register: WindowRegister,
        /// Value.
        value: u32,
    },
    /// A memory barrier.
    Barrier,
}

impl WindowStep {
    /// Byte offset from window 0's control and value of a write.
    #[must_use]
    pub const fn write(self) -> Option<(u32, u32)> {
        match self {
            Self::Write {
                window,
                register,
                value,
            } => Some((STRIDE * window.0 as u32 + register.offset(), value)),
            Self::Barrier => None,
        }
    }

    /// Performs the step.
    ///
    /// # Errors
    /// None for steps of this module; the type is that of the register port.
    pub fn apply(self, file: &mut WindowFile) -> Result<(), WindowAccessError> {
        match self.write() {
            Some((offset, value)) => file.write(offset, value),
            None => Ok(()),
        }
    }
}

/// The steps of `program_window`: control is 0 from the first to the last write, so the window is never seen half
/// programmed. `barrier` is the frame flag. [soc-address §3.4, HIGH/OBSERVED]
pub fn program_window(
    descriptor: WindowDescriptor,
    barrier: bool,
) -> impl Iterator<Item = WindowStep> {
    let window = descriptor.window;
    let write = move |register, value| WindowStep::Write {
        window,
        register,
        value,
    };
    let last = descriptor.gates | (u32::from(descriptor.valid) * control::WINDOW_VALID);
    let fields = WindowRegister::ALL
        .into_iter()
        .skip(1)
        .zip(descriptor.fields)
        .map(move |(register, value)| write(register, value));
    std::iter::once(write(WindowRegister::Control, 0))
        .chain(fields)
        .chain([write(WindowRegister::Control, last)])
        .chain(barrier.then_some(WindowStep::Barrier))
}

/// The steps of `update_window`: a new target for the same addresses. Valid stays set, so between the two writes the
/// window leads to a mixture of both targets. [soc-address §3.4, MC-20]
#[must_use]
pub fn update_window(window: WindowId, target: SocAddr) -> [WindowStep; 2] {
    let write = |register, value| WindowStep::Write {
        window,
        register,
        value,
    };
    [
        write(
            WindowRegister::ReplaceLo,
            target.0 as u32 & WindowRegister::ReplaceLo.storage(),
        ),
        write(
            WindowRegister::ReplaceHi,
            (target.0 >> 32) as u32 & WindowRegister::ReplaceHi.storage(),
        ),
    ]
}

/// The abstract view of a window in the firmware log. [soc-address §3.4], [isa-word §8.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AbstractLog {
    /// Window number.
    pub num: u8,
    /// Valid.
    pub vld: bool,
    /// NX base.
    pub xt_addr: u64,
    /// SoC base.
    pub soc_addr: u64,
    /// High word of the mask.
    pub u_mask: u32,
    /// Low word of the mask.
    pub l_mask: u32,
}

impl AbstractLog {
    /// The log line's content for a window.
    #[must_use]
    pub fn of(number: WindowId, window: &Window) -> Self {
        let mask = window.mask();
        Self {
            num: number.0,
            vld: window.get(WindowRegister::Control) & control::WINDOW_VALID != 0,
            xt_addr: window.match_value(),
            soc_addr: window.replace(),
            u_mask: (mask >> 32) as u32,
            l_mask: mask as u32,
        }
    }
}

impl fmt::Display for AbstractLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "num={}, vld={}, xt_addr={:#x}, soc_addr={:#x}, u_mask={:#x}, l_mask={:#x}",
            self.num,
            u8::from(self.vld),
            self.xt_addr,
            self.soc_addr,
            self.u_mask,
            self.l_mask
        )
    }
}
