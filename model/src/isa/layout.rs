// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the 64 bytes of a word are divided, by opcode. [isa-word §1], [evt-sem §2.6], [idma-ring §3.1]

use super::extended::ExtendedOpcode;
use super::field::{FIELDS, Field, array, plain};
use super::opcode::Opcode;
use super::word::WordBytes;

/// A division of the 64 bytes into fields that cover each exactly once.
#[derive(Debug, PartialEq, Eq)]
pub struct WordLayout {
    /// Name in JSON and on the command line.
    pub name: &'static str,
    /// The fields, ascending.
    pub fields: &'static [Field],
}

const OPCODE: Field = plain("header.opcode", 0, 1);
const LENGTH: Field = plain("header.inst_word_len", 1, 1);
const DEBUG_CMD: Field = plain("header.debug_cmd", 2, 1);
const DEBUG_HINT: Field = plain("header.debug_hint", 3, 1);
const WAIT_MODE: Field = plain("events.wait_mode", 4, 1);
const WAIT_IDX: Field = plain("events.wait_idx", 5, 1);
const UPDATE_MODE: Field = plain("events.update_mode", 6, 1);
const UPDATE_IDX: Field = plain("events.update_idx", 7, 1);
const VALUE: Field = plain("events.semaphore_value", 8, 4);

macro_rules! behind_events {
    ($($field:expr),* $(,)?) => {
        &[
            OPCODE, LENGTH, DEBUG_CMD, DEBUG_HINT, WAIT_MODE, WAIT_IDX, UPDATE_MODE, UPDATE_IDX, VALUE,
            $($field),*
        ]
    };
}

/// Every layout; the first is taken for opcodes without one of their own.
pub static WORD_LAYOUTS: [WordLayout; 7] = [
    WordLayout {
        name: "s3d3",
        fields: &FIELDS,
    },
    WordLayout {
        name: "event_semaphore",
        fields: behind_events![
            array("reserved0", 12, 1, 20),
            plain("wait1.mode", 0x20, 1),
            plain("wait1.idx", 0x21, 1),
            plain("update.mode", 0x22, 1),
            plain("update.idx", 0x23, 1),
            plain("wait1.value", 0x24, 4),
            plain("update.value", 0x28, 4),
            array("reserved1", 0x2C, 1, 20),
        ],
    },
    WordLayout {
        name: "events",
        fields: behind_events![array("reserved0", 12, 1, 52)],
    },
    WordLayout {
        name: "drain",
        fields: behind_events![
            array("reserved0", 12, 1, 28),
            plain("count", 0x28, 4),
            array("reserved1", 0x2C, 1, 20),
        ],
    },
    WordLayout {
        name: "range_clear",
        fields: behind_events![
            plain("clear_mode", 12, 1),
            plain("first", 13, 1),
            plain("last", 14, 1),
            array("reserved0", 15, 1, 17),
            array("mask", 0x20, 1, 32),
        ],
    },
    WordLayout {
        name: "rdma_desc_gen",
        fields: behind_events![
            plain("extended_opcode", 12, 1),
            plain("completion_info", 13, 1),
            plain("local_sem", 14, 1),
            plain("remote_sem", 15, 1),
            plain("remote_core_id", 16, 4),
            plain("remote_routing_id", 20, 4),
            plain("dma_engine_mask", 24, 4),
            plain("src_addr", 28, 4),
            plain("dst_addr", 32, 4),
            plain("free_dim_bytes", 36, 4),
            plain("is_bidirectional", 40, 1),
            plain("remote_sem_prev", 41, 1),
            array("reserved", 42, 1, 22),
        ],
    },
    WordLayout {
        name: "rdma_desc_start",
        fields: behind_events![
            plain("extended_opcode", 12, 1),
            array("reserved", 13, 1, 51)
        ],
    },
];

impl WordLayout {
    /// The layout with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        WORD_LAYOUTS.iter().find(|layout| layout.name == name)
    }

    /// The layout of a word by its opcode; that of 0xBF where nothing else is known.
    #[must_use]
    pub fn of(word: &WordBytes) -> &'static Self {
        let name = match (Opcode(word[0]), ExtendedOpcode::of(word)) {
            (Opcode::EVENT_SEMAPHORE, _) => "event_semaphore",
            (Opcode::HALT | Opcode::NOP, _) => "events",
            (Opcode::DRAIN, _) => "drain",
            (Opcode::EVENT_SEMAPHORE_RANGE_CLEAR, _) => "range_clear",
            (_, Some(ExtendedOpcode::RdmaDescGen)) => "rdma_desc_gen",
            (_, Some(ExtendedOpcode::RdmaDescStart)) => "rdma_desc_start",
            _ => "s3d3",
        };
        Self::by_name(name).unwrap_or(&WORD_LAYOUTS[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::WORD_BYTES;

    #[test]
    fn every_layout_covers_the_word_once() {
        for layout in &WORD_LAYOUTS {
            let mut next = 0;
            for field in layout.fields {
                assert_eq!(field.bytes().start, next, "{}: {}", layout.name, field.path);
                next = field.bytes().end;
            }
            assert_eq!(next, WORD_BYTES, "{}", layout.name);
        }
    }

    #[test]
    fn layouts_go_by_opcode() {
        let of = |opcode, extended| {
            let mut word = [0; WORD_BYTES];
            (word[0], word[12]) = (opcode, extended);
            WordLayout::of(&word).name
        };
        assert_eq!(of(0xBF, 8), "s3d3");
        assert_eq!(of(0xA0, 0), "event_semaphore");
        assert_eq!(of(0xA1, 0), "events");
        assert_eq!(of(0xA2, 0), "drain");
        assert_eq!(of(0xA3, 0), "s3d3");
        assert_eq!(of(0xA4, 0), "events");
        assert_eq!(of(0xB0, 0), "range_clear");
        assert_eq!(of(0xF0, 8), "rdma_desc_gen");
        assert_eq!(of(0xF0, 9), "rdma_desc_start");
        assert_eq!(of(0xF0, 5), "s3d3");
    }
}
