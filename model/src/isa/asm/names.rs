// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symbolic names of the assembly: those of the specification in lower case.

use std::fmt;

use super::super::dtype::DType;
use super::super::lnc::LncSizeFmt;
use super::super::opcode::Opcode;
use super::super::side_enums::DebugCmd;
use super::super::update_mode::UpdateMode;
use super::super::wait_mode::WaitMode;

/// The names of one kind of byte.
pub(super) struct NameTable {
    /// How messages call the kind.
    pub(super) what: &'static str,
    /// What messages offer.
    pub(super) choices: &'static str,
    /// The specification's name of a byte, if it has one.
    full_name: fn(u8) -> Option<&'static str>,
    /// Front part of the specification's names that the assembly leaves out.
    prefix: &'static str,
}

pub(super) const OPCODES: NameTable = NameTable {
    what: "opcode",
    choices: "an opcode name or a number from 0 to 255",
    full_name: |raw| Opcode(raw).name(),
    prefix: "",
};

pub(super) const DEBUG_COMMANDS: NameTable = NameTable {
    what: "debug command",
    choices: "none, notify, start, end, start_end, ins_field or a number from 0 to 255",
    full_name: |raw| DebugCmd::from_raw(raw).map(DebugCmd::name),
    prefix: "",
};

pub(super) const WAIT_MODES: NameTable = NameTable {
    what: "wait mode",
    choices: "a name such as none, sem_ge_imm, evt_set, or a number from 0 to 255",
    full_name: |raw| WaitMode::from_raw(raw).map(WaitMode::name),
    prefix: "WAIT_FOR_",
};

pub(super) const UPDATE_MODES: NameTable = NameTable {
    what: "update mode",
    choices: "a name such as none, sem_inc_complete, evt_set_read, or a number from 0 to 255",
    full_name: |raw| UpdateMode::from_raw(raw).map(UpdateMode::name),
    prefix: "",
};

pub(super) const DTYPES: NameTable = NameTable {
    what: "dtype",
    choices: "a name such as uint8, bfloat16, fp32, or a number from 0 to 255",
    full_name: |raw| DType::from_raw(raw).map(DType::name),
    prefix: "",
};

pub(super) const LNC_FORMATS: NameTable = NameTable {
    what: "LNC format",
    choices: "lnc1, lnc2, lnc4, lnc8 or a number from 0 to 255",
    full_name: |raw| LncSizeFmt::from_raw(raw).map(LncSizeFmt::name),
    prefix: "",
};

impl NameTable {
    fn short_name(&self, raw: u8) -> Option<&'static str> {
        (self.full_name)(raw).map(|name| name.strip_prefix(self.prefix).unwrap_or(name))
    }

    /// The byte that `text` names, in upper or lower case, with or without the prefix.
    pub(super) fn find(&self, text: &str) -> Option<u8> {
        let matches = |name: Option<&str>| name.is_some_and(|n| n.eq_ignore_ascii_case(text));
        (0..=u8::MAX).find(|&raw| matches(self.short_name(raw)) || matches((self.full_name)(raw)))
    }

    /// All names as the assembly spells them, by ascending byte.
    pub(super) fn all(&self) -> impl Iterator<Item = String> {
        (0..=u8::MAX).filter_map(|raw| self.short_name(raw).map(str::to_ascii_lowercase))
    }

    /// The name of a byte, or its number.
    pub(super) const fn spell(&self, raw: u8) -> Spelling<'_> {
        Spelling { table: self, raw }
    }
}

/// Displays a byte by its name, or as a number.
pub(super) struct Spelling<'a> {
    table: &'a NameTable,
    raw: u8,
}

impl fmt::Display for Spelling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        match self.table.short_name(self.raw) {
            Some(name) => name
                .chars()
                .try_for_each(|c| f.write_char(c.to_ascii_lowercase())),
            None => write!(f, "{:#04x}", self.raw),
        }
    }
}
