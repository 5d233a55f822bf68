// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lines of the firmware log, kept as format and arguments. [isa-word §8]

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// A firmware log line. [isa-word §8.2, HIGH/OBSERVED]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogLine {
    /// `S: Dispatch opcode=0x%x`
    Dispatch {
        /// First byte of the word.
        opcode: u8,
    },
    /// `S: SB2SB_Collective`
    Sb2sbCollective,
    /// `S: ErrorHandler : Bad Opcode(0x%x)`
    BadOpcode {
        /// First byte of the word.
        opcode: u8,
    },
}

impl LogLine {
    /// The format string as it stands in the firmware image.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        match self {
            Self::Dispatch { .. } => "S: Dispatch opcode=0x%x",
            Self::Sb2sbCollective => "S: SB2SB_Collective",
            Self::BadOpcode { .. } => "S: ErrorHandler : Bad Opcode(0x%x)",
        }
    }
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dispatch { opcode } => write!(f, "S: Dispatch opcode=0x{opcode:x}"),
            Self::Sb2sbCollective => f.write_str("S: SB2SB_Collective"),
            Self::BadOpcode { opcode } => {
                write!(f, "S: ErrorHandler : Bad Opcode(0x{opcode:x})")
            }
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
