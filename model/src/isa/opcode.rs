// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Opcodes: membership per generation, class, names, pseudo rules. [isa-word §7.1–§7.3]

use super::opcode_names;
use super::wire_enum::GenerationSet;
use crate::generation::Generation;

/// The opcode byte of a word; any of the 256 values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opcode(pub u8);

/// What an opcode is on a generation. [isa-word §7.2]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpcodeClass {
    /// A member that an engine executes.
    Hardware,
    /// A member that the host lowers before the device sees it.
    Pseudo,
    /// The member `INVALID`.
    Sentinel,
    /// In no enum of the generation.
    Undefined,
}

/// Ranges of members, ends included, with the generations that have them. [isa-word §7.1, HIGH/OBSERVED]
const MEMBERS: &[(u8, u8, GenerationSet)] = &[
    (0x01, 0x05, GenerationSet::ALL),
    (0x21, 0x24, GenerationSet::ALL),
    (0x30, 0x30, GenerationSet::ALL),
    (0x41, 0x4F, GenerationSet::ALL),
    (0x51, 0x54, GenerationSet::ALL),
    (0x58, 0x58, GenerationSet::ALL),
    (0x5E, 0x74, GenerationSet::ALL),
    (0x76, 0x7F, GenerationSet::ALL),
    (0x82, 0x86, GenerationSet::ALL),
    (0x8E, 0x8E, GenerationSet::ALL),
    (0x92, 0x96, GenerationSet::ALL),
    (0x98, 0x9F, GenerationSet::ALL),
    (0xA0, 0xAB, GenerationSet::ALL),
    (0xB0, 0xB3, GenerationSet::ALL),
    (0xB5, 0xB5, GenerationSet::ALL),
    (0xB8, 0xB8, GenerationSet::ALL),
    (0xBB, 0xBB, GenerationSet::ALL),
    (0xC1, 0xD6, GenerationSet::ALL),
    (0xD8, 0xDF, GenerationSet::ALL),
    (0xE5, 0xE8, GenerationSet::ALL),
    (0xEA, 0xEA, GenerationSet::ALL),
    (0xF0, 0xF0, GenerationSet::ALL),
    (0xFF, 0xFF, GenerationSet::ALL),
    (0x87, 0x88, GenerationSet::V2_ONLY),
    (0x8A, 0x8D, GenerationSet::V2_ONLY),
    (0x8F, 0x8F, GenerationSet::V2_ONLY),
    (0x06, 0x07, GenerationSet::FROM_V3),
    (0x81, 0x81, GenerationSet::FROM_V3),
    (0xBC, 0xBF, GenerationSet::FROM_V3),
    (0xD7, 0xD7, GenerationSet::FROM_V3),
    (0xE4, 0xE4, GenerationSet::FROM_V3),
    (0xE9, 0xE9, GenerationSet::FROM_V3),
    (0xF1, 0xF2, GenerationSet::FROM_V3),
    (0x08, 0x0A, GenerationSet::FROM_V4),
    (0x25, 0x25, GenerationSet::FROM_V4),
    (0xB4, 0xB4, GenerationSet::FROM_V4),
    (0xE0, 0xE3, GenerationSet::FROM_V4),
    (0x26, 0x26, GenerationSet::V5_ONLY),
    (0xB6, 0xB6, GenerationSet::V5_ONLY),
    (0xB9, 0xBA, GenerationSet::V5_ONLY),
    (0xF3, 0xF4, GenerationSet::V5_ONLY),
];

const MEMBER_SETS: [GenerationSet; 256] = member_sets();

const fn member_sets() -> [GenerationSet; 256] {
    let mut sets = [GenerationSet::NONE; 256];
    let mut row = 0;
    while row < MEMBERS.len() {
        let (first, last, set) = MEMBERS[row];
        let mut opcode = first as usize;
        while opcode <= last as usize {
            sets[opcode] = set;
            opcode += 1;
        }
        row += 1;
    }
    sets
}

impl Opcode {
    /// The instruction that this model is about.
    pub const SB2SB_COLLECTIVE: Self = Self(0xBF);
    /// Two waits and one update, on every engine.
    pub const EVENT_SEMAPHORE: Self = Self(0xA0);
    /// Extended operations, among them RDMA descriptor generation and start.
    pub const EXTENDED_INST: Self = Self(0xF0);
    /// The sentinel member of every OPCODE enum.
    pub const INVALID: Self = Self(0xFF);

    /// Every byte value, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).map(Self)
    }

    /// Whether the OPCODE enum of `generation` has it, `INVALID` included. [isa-word §7.1]
    #[must_use]
    pub const fn member_of(self, generation: Generation) -> bool {
        MEMBER_SETS[self.0 as usize].contains(generation)
    }

    /// The name in the specification, where one is published.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        opcode_names::name_of(self.0)
    }

    /// The opcode of a published name, in upper or lower case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|opcode| {
            opcode
                .name()
                .is_some_and(|known| known.eq_ignore_ascii_case(name))
        })
    }

    /// The bit rule `(op & 0xE0) == 0xC0`. It also says yes to 0xC0, and to 0xD7 on v2; unknown
    /// opcodes are classified by it. [isa-word §7.3, MC-15]
    #[must_use]
    pub const fn is_pseudo_by_bits(self) -> bool {
        self.0 & 0xE0 == 0xC0
    }

    /// The explicit list: every defined opcode in 0xC1..0xDF. [isa-word §7.3, MC-15]
    #[must_use]
    pub const fn is_pseudo_by_list(self, generation: Generation) -> bool {
        matches!(self.0, 0xC1..=0xDF) && self.member_of(generation)
    }

    /// The class on `generation`. [isa-word §7.2]
    #[must_use]
    pub const fn class(self, generation: Generation) -> OpcodeClass {
        if !self.member_of(generation) {
            OpcodeClass::Undefined
        } else if self.0 == Self::INVALID.0 {
            OpcodeClass::Sentinel
        } else if self.is_pseudo_by_list(generation) {
            OpcodeClass::Pseudo
        } else {
            OpcodeClass::Hardware
        }
    }

    /// Host gate of the POOL engine: a row of isa-word §7.4 that the generation has. [isa-word MC-16]
    #[must_use]
    pub const fn pool_host_gate(self, generation: Generation) -> bool {
        in_ranges(self.0, HOST_ROWS) && self.member_of(generation)
    }

    /// Device gate of the POOL engine: a real slot of the v3 dispatch table whose opcode the generation
    /// has. Everything else goes to the bad-opcode path. [isa-word §7.4 HIGH/OBSERVED for v3, MC-16]
    #[must_use]
    pub const fn pool_device_gate(self, generation: Generation) -> bool {
        in_ranges(self.0, DEVICE_SLOTS) && self.member_of(generation)
    }
}

const fn in_ranges(opcode: u8, ranges: &[(u8, u8)]) -> bool {
    let mut row = 0;
    while row < ranges.len() {
        if ranges[row].0 <= opcode && opcode <= ranges[row].1 {
            return true;
        }
        row += 1;
    }
    false
}

/// Rows of the evidence table of POOL. [isa-word §7.4]
const HOST_ROWS: &[(u8, u8)] = &[
    (0x41, 0x4F),
    (0x51, 0x54),
    (0x58, 0x58),
    (0x5E, 0x5F),
    (0x67, 0x6B),
    (0x70, 0x74),
    (0x77, 0x7F),
    (0x81, 0x81),
    (0x83, 0x88),
    (0x8A, 0x8D),
    (0x8F, 0x8F),
    (0x92, 0x93),
    (0x95, 0x96),
    (0x98, 0x9F),
    (0xA0, 0xAB),
    (0xB0, 0xB3),
    (0xB5, 0xB5),
    (0xB8, 0xB8),
    (0xBB, 0xBB),
    (0xBE, 0xBF),
    (0xE4, 0xEA),
    (0xF0, 0xF4),
];

/// The 55 real slots of the v3 sequencer's dispatch table. [isa-word §7.4, HIGH/OBSERVED]
const DEVICE_SLOTS: &[(u8, u8)] = &[
    (0x41, 0x41),
    (0x43, 0x47),
    (0x49, 0x49),
    (0x4D, 0x4D),
    (0x51, 0x54),
    (0x58, 0x58),
    (0x67, 0x68),
    (0x74, 0x74),
    (0x77, 0x7E),
    (0x92, 0x92),
    (0x95, 0x96),
    (0x9F, 0xAB),
    (0xB0, 0xB3),
    (0xB5, 0xB5),
    (0xB8, 0xB8),
    (0xBB, 0xBB),
    (0xBD, 0xBF),
    (0xE4, 0xE4),
    (0xE7, 0xE7),
    (0xF0, 0xF2),
];
