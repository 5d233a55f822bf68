// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The window block in front of an engine's bus port: registers, match and rewrite.
//! [soc-address §§3.1–3.3]
//!
//! The granule is 1 MiB: address bits `[19:0]` are never compared and never replaced.

use super::SocAddr;
use super::id::Q7Core;

pub use crate::choices::WindowMissPolicy;

/// Windows of a block. [soc-address §3.1]
pub const WINDOWS: u8 = 40;
/// Registers of a window. [soc-address §3.1]
pub const REGISTERS: usize = 7;
/// Bytes from one window to the next. [soc-address §3.1]
pub const STRIDE: u32 = 4 * REGISTERS as u32;
/// Bytes from the first window to the end of the last.
pub const FILE_SIZE: u32 = STRIDE * WINDOWS as u32;

/// Bits `[31:20]` of a `_lo` register. [soc-address §3.1]
const LO_FIELD: u32 = 0xFFF0_0000;
/// Bits `[7:0]` of `mask_hi` and `match_hi`. [soc-address §3.1]
const HI_FIELD: u32 = 0xFF;
/// Bits `[25:0]` of `replace_hi`. [soc-address §3.1]
const REPLACE_HI_FIELD: u32 = 0x03FF_FFFF;

/// A register of a window, in address order. [soc-address §3.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WindowRegister {
    /// Valid, gates, Q7 choice.
    Control,
    /// Mask bits `[31:20]`.
    MaskLo,
    /// Mask bits `[39:32]`.
    MaskHi,
    /// Match bits `[31:20]`.
    MatchLo,
    /// Match bits `[39:32]`.
    MatchHi,
    /// Replace bits `[31:20]`.
    ReplaceLo,
    /// Replace bits `[57:32]`.
    ReplaceHi,
}

impl WindowRegister {
    /// All registers in address order.
    pub const ALL: [Self; REGISTERS] = [
        Self::Control,
        Self::MaskLo,
        Self::MaskHi,
        Self::MatchLo,
        Self::MatchHi,
        Self::ReplaceLo,
        Self::ReplaceHi,
    ];

    /// Byte offset in the window.
    #[must_use]
    pub const fn offset(self) -> u32 {
        4 * self.index() as u32
    }

    /// Bits that hold what is written; the others read 0. Control holds all 32. [soc-address MC-16]
    #[must_use]
    pub const fn storage(self) -> u32 {
        match self {
            Self::Control => u32::MAX,
            Self::MaskLo | Self::MatchLo | Self::ReplaceLo => LO_FIELD,
            Self::MaskHi | Self::MatchHi => HI_FIELD,
            Self::ReplaceHi => REPLACE_HI_FIELD,
        }
    }

    const fn index(self) -> usize {
        match self {
            Self::Control => 0,
            Self::MaskLo => 1,
            Self::MaskHi => 2,
            Self::MatchLo => 3,
            Self::MatchHi => 4,
            Self::ReplaceLo => 5,
            Self::ReplaceHi => 6,
        }
    }
}

/// Bits of the control register. [soc-address §3.1]
pub mod control {
    /// The window takes part in matching.
    pub const WINDOW_VALID: u32 = 1 << 0;
    /// Only NX requests match.
    pub const NX_DEDICATED: u32 = 1 << 1;
    /// Only Q7 requests match.
    pub const Q7_DEDICATED: u32 = 1 << 2;
    /// Only the named Q7 matches.
    pub const SINGLE_Q7_ENABLE: u32 = 1 << 3;
    /// Lowest bit of the Q7's number.
    pub const SINGLE_Q7_SHIFT: u32 = 4;
    /// The Q7's number.
    pub const SINGLE_Q7_SELECT: u32 = 7 << SINGLE_Q7_SHIFT;
}

/// Who makes a request. [soc-address §3.2]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Requester {
    /// The NX sequencer core.
    Nx,
    /// A Q7 core.
    Q7(Q7Core),
}

/// Registers of one window, as they are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Window {
    registers: [u32; REGISTERS],
}

impl Window {
    /// The stored value of a register.
    #[must_use]
    pub const fn get(&self, register: WindowRegister) -> u32 {
        self.registers[register.index()]
    }

    /// Writes a register; bits without storage are lost. [soc-address MC-16]
    pub const fn set(&mut self, register: WindowRegister, value: u32) {
        self.registers[register.index()] = value & register.storage();
    }

    /// Mask of compared address bits, in place: `[39:20]`. 1 is compared.
    #[must_use]
    pub const fn mask(&self) -> u64 {
        self.pair(WindowRegister::MaskLo, WindowRegister::MaskHi)
    }

    /// Match value, in place: `[39:20]`.
    #[must_use]
    pub const fn match_value(&self) -> u64 {
        self.pair(WindowRegister::MatchLo, WindowRegister::MatchHi)
    }

    /// Replace value, in place: `[57:20]`.
    #[must_use]
    pub const fn replace(&self) -> u64 {
        self.pair(WindowRegister::ReplaceLo, WindowRegister::ReplaceHi)
    }

    const fn pair(&self, lo: WindowRegister, hi: WindowRegister) -> u64 {
        (self.get(hi) as u64) << 32 | self.get(lo) as u64
    }

    /// Whether the window lets a requester through. [soc-address §3.2]
    #[must_use]
    pub const fn gate(&self, who: Requester) -> bool {
        let bits = self.get(WindowRegister::Control);
        let select = (bits & control::SINGLE_Q7_SELECT) >> control::SINGLE_Q7_SHIFT;
        match who {
            Requester::Nx => bits & (control::Q7_DEDICATED | control::SINGLE_Q7_ENABLE) == 0,
            Requester::Q7(q7) => {
                bits & control::NX_DEDICATED == 0
                    && (bits & control::SINGLE_Q7_ENABLE == 0 || select == q7.number() as u32)
            }
        }
    }

    /// Whether a request hits. [soc-address §3.2, MC-17]
    #[must_use]
    pub const fn hits(&self, address: u32, who: Requester) -> bool {
        self.get(WindowRegister::Control) & control::WINDOW_VALID != 0
            && self.gate(who)
            && (address as u64 ^ self.match_value()) & self.mask() == 0
    }

    /// The address that a hit becomes. [soc-address §3.2, MC-17]
    #[must_use]
    pub const fn rewrite(&self, address: u32) -> SocAddr {
        // Below bit 40 the mask chooses between replace and address, above it replace stands alone.
        const BELOW_40: u64 = (1 << 40) - 1;
        let mask = self.mask();
        let below = (self.replace() & mask) | (address as u64 & !mask);
        SocAddr((self.replace() & !BELOW_40) | (below & BELOW_40))
    }
}

/// A register access that the block refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowAccessError {
    /// Not a multiple of 4.
    #[error("window register offset {found:#x} is not a multiple of 4")]
    Unaligned {
        /// The offset.
        found: u32,
    },
    /// Behind the last window.
    #[error("window register offset {found:#x} does not exist; expected at most {:#x}", FILE_SIZE - 4)]
    Beyond {
        /// The offset.
        found: u32,
    },
}

/// What a lookup finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lookup {
    /// The window that won: the lowest that hits. [soc-address MC-18]
    pub window: Option<u8>,
    /// More than one window hits.
    pub multi_hit: bool,
    /// The SoC address; none for `WindowMiss`.
    pub address: Option<SocAddr>,
}

/// The forty windows of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowFile {
    windows: [Window; WINDOWS as usize],
    multi_hits: u64,
}

impl Default for WindowFile {
    fn default() -> Self {
        Self {
            windows: [Window::default(); WINDOWS as usize],
            multi_hits: 0,
        }
    }
}

impl WindowFile {
    /// The windows, in index order.
    #[must_use]
    pub const fn windows(&self) -> &[Window; WINDOWS as usize] {
        &self.windows
    }

    /// Lookups so far in which several windows hit. [soc-address MC-18]
    #[must_use]
    pub const fn multi_hits(&self) -> u64 {
        self.multi_hits
    }

    fn locate(offset: u32) -> Result<(usize, WindowRegister), WindowAccessError> {
        if !offset.is_multiple_of(4) {
            return Err(WindowAccessError::Unaligned { found: offset });
        }
        if offset >= FILE_SIZE {
            return Err(WindowAccessError::Beyond { found: offset });
        }
        let register = WindowRegister::ALL[(offset % STRIDE / 4) as usize];
        Ok(((offset / STRIDE) as usize, register))
    }

    /// Reads a register at a byte offset from window 0's control.
    ///
    /// # Errors
    /// [`WindowAccessError`] for an offset without a register.
    pub fn read(&self, offset: u32) -> Result<u32, WindowAccessError> {
        let (window, register) = Self::locate(offset)?;
        Ok(self.windows[window].get(register))
    }

    /// Writes a register at a byte offset from window 0's control.
    ///
    /// # Errors
    /// [`WindowAccessError`] for an offset without a register; nothing is written.
    pub fn write(&mut self, offset: u32, value: u32) -> Result<(), WindowAccessError> {
        let (window, register) = Self::locate(offset)?;
        self.windows[window].set(register, value);
        Ok(())
    }

    /// Looks an address up without counting. [soc-address §§3.2, 3.3]
    #[must_use]
    pub fn peek(&self, address: u32, who: Requester, policy: WindowMissPolicy) -> Lookup {
        let mut hits = (0..WINDOWS)
            .zip(&self.windows)
            .filter(|(_, window)| window.hits(address, who));
        match hits.next() {
            Some((index, window)) => Lookup {
                window: Some(index),
                multi_hit: hits.next().is_some(),
                address: Some(window.rewrite(address)),
            },
            None => Lookup {
                window: None,
                multi_hit: false,
                address: match policy {
                    WindowMissPolicy::Miss => None,
                    WindowMissPolicy::Pass => Some(SocAddr(u64::from(address))),
                },
            },
        }
    }

    /// Looks an address up and counts a multiple hit. [soc-address MC-18]
    pub fn lookup(&mut self, address: u32, who: Requester, policy: WindowMissPolicy) -> Lookup {
        let found = self.peek(address, who, policy);
        self.multi_hits += u64::from(found.multi_hit);
        found
    }
}
