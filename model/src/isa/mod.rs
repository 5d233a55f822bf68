// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The 0xBF instruction word: fields, enums, validator, assembly text. [isa-word §§1–7]
//!
//! * [`Word`] is the 64 bytes as raw fields, lossless; [`FIELDS`] is the same as a table.
//! * [`validate`] and [`validate_bulk`] answer from raw bytes which of the eleven [`Predicate`]s fail;
//!   [`explain`] says why, [`notes`] says what else is remarkable about a word.
//! * [`Addr4`], [`Geometry`] and [`Pattern`] turn operands into addresses.
//! * The enums know their values, names and the generations that have them; [`WaitMode`] and
//!   [`UpdateMode`] also know what to do.
//! * [`RdmaDescGen`] and [`RdmaDescStart`] are the extended words of 0xF0 that use the same data plane.
//! * [`WordBuilder`] writes words as a compiler does; [`asm`] reads and writes them as text, [`input`]
//!   reads hex, binary and assembly streams.

mod addr4;
pub mod asm;
mod builder;
mod dtype;
mod explain;
mod extended;
mod field;
mod geometry;
pub mod input;
mod layout;
mod lnc;
#[cfg(feature = "arbitrary")]
pub mod near_valid;
mod notes;
mod opcode;
mod opcode_names;
mod operand;
mod ordinary;
mod pattern;
mod predicate;
mod rules;
mod semaphore_value;
mod side_enums;
mod update_mode;
mod validate;
mod wait_mode;
mod wire_enum;
mod word;

pub use addr4::{Addr4, AddrError, AddrForm, Marker};
pub use asm::{assemble_line, assemble_text, disassemble};
pub use builder::{Dimension, EncodeError, WordBuilder};
pub use dtype::{DType, alignment_of_tag, element_bytes_of_tag, is_cptc_tag};
pub use explain::{Finding, explain};
pub use extended::{ExtendedOpcode, RdmaDescGen, RdmaDescStart};
pub use field::{FIELDS, Field, FieldError};
pub use geometry::{
    Geometry, PARTITION_ADDR_MASK, PARTITIONS_PER_GPSIMD_CORE, PARTITIONS_PER_QUADRANT, Place,
    Space, active_channel_range_valid, gpsimd_core_of,
};
pub use layout::{WORD_LAYOUTS, WordLayout};
pub use lnc::LncSizeFmt;
pub use notes::{Note, NoteKind, notes};
pub use opcode::{Opcode, OpcodeClass};
pub use operand::{OperandFault, check_address, check_operand};
pub use ordinary::{EventSemaphore, RangeClear};
pub use pattern::{Channel, Extent, Offsets, Pattern, RangeError};
pub use predicate::{Predicate, PredicateSet};
pub use rules::{
    FIRST_NC_VERSION, MAX_SRC_ELEMENTS, lnc_size_fmt_legal, num_active_channels_legal,
    update_mode_legal, wait_mode_legal,
};
pub use semaphore_value::{
    MAX_REGISTER_OFFSET, NUM_ADDR_REGISTERS, ValueSource, register_number, register_offset,
    register_with_offset,
};
pub use side_enums::{DebugCmd, EngineNumber, EvtSemNonblockingCmd, nc_version_member_of};
pub use update_mode::{UpdateAction, UpdateEffect, UpdateMode, UpdatePoint};
pub use validate::{validate, validate_bulk};
pub use wait_mode::{Compare, WaitCondition, WaitMode};
pub use wire_enum::GenerationSet;
pub use word::{
    Events, Header, INST_WORD_LEN, SB2SB_OPCODE, Tensor3d, WORD_BYTES, Word, WordBytes,
};
