// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lines of the firmware log, kept as format and arguments. [isa-word §8]

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::q7_line::Q7Line;

/// A firmware log line. [isa-word §8, HIGH/OBSERVED]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LogLine {
    /// `S: Dispatch opcode=0x%x`
    Dispatch {
        /// First byte of the word.
        opcode: u8,
    },
    /// `S: ExtendedInst`
    ExtendedInst,
    /// `S: SB2SB_Collective`
    Sb2sbCollective,
    /// `S: ErrorHandler : Bad Opcode(0x%x)`
    BadOpcode {
        /// First byte of the word.
        opcode: u8,
    },
    /// A line of a Q7 core, `P%i: …`.
    Q7 {
        /// Number of the Q7 core.
        prid: u8,
        /// The rest of the line.
        line: Q7Line,
    },
    /// `R: program_window: num=%d, vld=%d, …`: the abstract view. [soc-address §3.4]
    ProgramWindow {
        /// Window number.
        num: u8,
        /// Valid.
        vld: bool,
        /// First 32-bit address.
        xt_addr: u64,
        /// What it stands for.
        soc_addr: u64,
        /// High word of the mask.
        u_mask: u32,
        /// Low word of the mask.
        l_mask: u32,
    },
    /// `R: program_window: num=%d, mask=0x%llx, …`: the view of the registers. [soc-address §3.4]
    ProgramWindowRegisters {
        /// Window number.
        num: u8,
        /// Compared bits.
        mask: u64,
        /// Their values.
        match_bits: u64,
        /// What replaces them.
        replace: u64,
    },
}

impl LogLine {
    /// The format string as it stands in the firmware image.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        match self {
            Self::Dispatch { .. } => "S: Dispatch opcode=0x%x",
            Self::ExtendedInst => "S: ExtendedInst",
            Self::Sb2sbCollective => "S: SB2SB_Collective",
            Self::BadOpcode { .. } => "S: ErrorHandler : Bad Opcode(0x%x)",
            Self::Q7 { line, .. } => line.format(),
            Self::ProgramWindow { .. } => {
                "R: program_window: num=%d, vld=%d, xt_addr=0x%llx, soc_addr=0x%llx, u_mask=0x%llx, l_mask=0x%llx"
            }
            Self::ProgramWindowRegisters { .. } => {
                "R: program_window: num=%d, mask=0x%llx, match=0x%llx, replace=0x%llx"
            }
        }
    }
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dispatch { opcode } => write!(f, "S: Dispatch opcode=0x{opcode:x}"),
            Self::ExtendedInst => f.write_str("S: ExtendedInst"),
            Self::Sb2sbCollective => f.write_str("S: SB2SB_Collective"),
            Self::BadOpcode { opcode } => {
                write!(f, "S: ErrorHandler : Bad Opcode(0x{opcode:x})")
            }
            Self::Q7 { prid, line } => write!(f, "P{prid}: {line}"),
            Self::ProgramWindow {
                num,
                vld,
                xt_addr,
                soc_addr,
                u_mask,
                l_mask,
            } => write!(
                f,
                "R: program_window: num={num}, vld={}, xt_addr=0x{xt_addr:x}, soc_addr=0x{soc_addr:x}, \
                 u_mask=0x{u_mask:x}, l_mask=0x{l_mask:x}",
                u8::from(*vld)
            ),
            Self::ProgramWindowRegisters {
                num,
                mask,
                match_bits,
                replace,
            } => write!(
                f,
                "R: program_window: num={num}, mask=0x{mask:x}, match=0x{match_bits:x}, replace=0x{replace:x}"
            ),
        }
    }
}

impl Serialize for LogLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_struct("LogLine", 2)?;
        line.serialize_field("format", self.format())?;
        line.serialize_field("text", &self.to_string())?;
        line.end()
    }
}
