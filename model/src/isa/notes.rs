// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Remarks on a 0xBF word that the validator does not make: doubtful use of the shared value, and
//! execution faults that can be seen from the word alone. [isa-word MC-2, §10; decisions D-7, D-44]

use super::addr4::AddrForm;
use super::dtype::{DType, element_bytes_of_tag};
use super::lnc::LncSizeFmt;
use super::pattern::Pattern;
use super::semaphore_value::{NUM_ADDR_REGISTERS, ValueSource};
use super::update_mode::UpdateMode;
use super::wait_mode::WaitMode;
use super::word::{SB2SB_OPCODE, Tensor3d, Word};
use crate::generation::Generation;

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// One half of EVENTS reads the value as a number, the other as a register number. [isa-word MC-2]
    SharedValue,
    /// The word makes no update, so nothing in it signals its completion. [decisions D-7]
    NoCompletionSignal,
    /// A REG mode names a register above 63: execution fault. [decisions D-16]
    BadRegister,
    /// The element size is undefined: execution fault. [isa-word MC-20]
    Dtype,
    /// The shape comes from a register: execution fault. [decisions D-44]
    ShapeRegister,
    /// Source and destination totals differ: execution fault. [isa-word MC-18]
    NelemMismatch,
    /// An operand leaves its partitions: execution fault. [isa-word MC-17, decisions D-3]
    SbufRange,
    /// Source and destination of an LNC1 word share bytes: execution fault. [decisions D-2]
    Overlap,
}

impl NoteKind {
    /// The name of the execution fault that the word runs into (decisions D-44); `None` for a mere
    /// remark.
    #[must_use]
    pub const fn fault(self) -> Option<&'static str> {
        match self {
            Self::SharedValue | Self::NoCompletionSignal => None,
            Self::BadRegister => Some("BadRegister"),
            Self::Dtype => Some("Dtype"),
            Self::ShapeRegister => Some("ShapeRegister"),
            Self::NelemMismatch => Some("NelemMismatch"),
            Self::SbufRange => Some("SbufRange"),
            Self::Overlap => Some("Overlap"),
        }
    }

    /// The source of the rule.
    #[must_use]
    pub const fn section(self) -> &'static str {
        match self {
            Self::SharedValue => "isa-word MC-2",
            Self::NoCompletionSignal => "decisions D-7",
            Self::BadRegister => "decisions D-16",
            Self::Dtype => "isa-word MC-20",
            Self::ShapeRegister => "decisions D-44",
            Self::NelemMismatch => "isa-word MC-18",
            Self::SbufRange => "decisions D-3",
            Self::Overlap => "decisions D-2",
        }
    }
}

/// A remark that does not make the word invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The remark, one sentence.
    pub text: String,
}

/// The remarks on a word, in the order in which execution would come to them. Words with another
/// opcode have another layout and get none.
#[must_use]
pub fn notes(word: &Word, generation: Generation) -> Vec<Note> {
    let mut notes = Vec::new();
    if word.header.opcode == SB2SB_OPCODE {
        note_events(word, generation, &mut notes);
        note_operands(word, generation, &mut notes);
    }
    notes
}

fn push(notes: &mut Vec<Note>, kind: NoteKind, text: String) {
    notes.push(Note { kind, text });
}

fn note_events(word: &Word, generation: Generation, notes: &mut Vec<Note>) {
    let events = &word.events;
    let value = events.semaphore_value;
    let wait = WaitMode::from_raw_in(events.wait_mode, generation).and_then(WaitMode::value_source);
    let update_mode = UpdateMode::from_raw_in(events.update_mode, generation);
    let update = update_mode.and_then(UpdateMode::value_source);
    if let (Some(wait), Some(update)) = (wait, update)
        && (wait == ValueSource::Immediate) != (update == ValueSource::Immediate)
    {
        let reading = |source| match source {
            ValueSource::Immediate => "a number",
            ValueSource::Register | ValueSource::RegisterOffset => "a register number",
        };
        push(
            notes,
            NoteKind::SharedValue,
            format!(
                "semaphore_value {value:#x} is {} for the wait and {} for the update",
                reading(wait),
                reading(update)
            ),
        );
    }
    if update_mode == Some(UpdateMode::None) {
        push(
            notes,
            NoteKind::NoCompletionSignal,
            "the word makes no update: nothing signals its completion".into(),
        );
    }
    for (half, source) in [("wait", wait), ("update", update)] {
        if let Some(register) = source.and_then(|source| source.register(value))
            && register >= NUM_ADDR_REGISTERS
        {
            push(
                notes,
                NoteKind::BadRegister,
                format!("the {half} reads register {register}; the last one is 63"),
            );
        }
    }
}

fn note_operands(word: &Word, generation: Generation, notes: &mut Vec<Note>) {
    let operands = [
        ("source", word.src, word.in_dtype),
        ("destination", word.dst, word.out_dtype),
    ];
    for (name, _, tag) in operands {
        if element_bytes_of_tag(tag, generation).is_none() {
            let type_name = DType::from_raw(tag).map_or("no type", DType::name);
            push(
                notes,
                NoteKind::Dtype,
                format!(
                    "the {name} type {tag:#04x} ({type_name}) has no element size on {generation}"
                ),
            );
        }
    }
    for (name, tensor, _) in operands {
        if tensor.start_addr.shape_from_register() {
            push(
                notes,
                NoteKind::ShapeRegister,
                format!("the {name} takes its shape from a register, whose layout is unknown"),
            );
        }
    }
    let shapes_known = !operands
        .iter()
        .any(|(_, t, _)| t.start_addr.shape_from_register());
    let (from, to) = (word.src.stored_elements(), word.dst.stored_elements());
    if shapes_known && from != to {
        push(
            notes,
            NoteKind::NelemMismatch,
            format!("the source has {from} elements in each partition, the destination {to}"),
        );
    }
    let channels = u32::from(word.num_active_channels);
    let patterns = operands.map(|(_, tensor, tag)| immediate_pattern(&tensor, tag, generation));
    for ((name, _, _), pattern) in operands.iter().zip(&patterns) {
        if let Some(Err(error)) = pattern.map(|pattern| pattern.check(channels)) {
            push(notes, NoteKind::SbufRange, format!("{name}: {error}"));
        }
    }
    if let [Some(src), Some(dst)] = patterns
        && LncSizeFmt::from_raw(word.lnc_size_fmt) == Some(LncSizeFmt::Lnc1)
        && overlap(&src, &dst, channels)
    {
        push(
            notes,
            NoteKind::Overlap,
            "source and destination share bytes on the same core".into(),
        );
    }
}

/// The pattern of an operand that the word describes completely.
fn immediate_pattern(tensor: &Tensor3d, tag: u8, generation: Generation) -> Option<Pattern> {
    let AddrForm::Immediate {
        address,
        shape_register: false,
    } = tensor.start_addr.form()
    else {
        return None;
    };
    let element_bytes = element_bytes_of_tag(tag, generation)?;
    Some(Pattern::new(tensor, address, element_bytes, generation))
}

/// Patterns with more elements than a valid source has are not looked at element by element.
const OVERLAP_ELEMENTS: u64 = super::rules::MAX_SRC_ELEMENTS;

fn overlap(src: &Pattern, dst: &Pattern, channels: u32) -> bool {
    if src.start_partition.abs_diff(dst.start_partition) >= channels
        || src.elements() > OVERLAP_ELEMENTS
        || dst.elements() > OVERLAP_ELEMENTS
    {
        return false;
    }
    let sorted = |pattern: &Pattern| {
        let mut offsets: Vec<i64> = pattern.offsets().collect();
        offsets.sort_unstable();
        offsets
    };
    let (reads, writes) = (sorted(src), sorted(dst));
    let (read_bytes, write_bytes) = (i64::from(src.element_bytes), i64::from(dst.element_bytes));
    let (mut r, mut w) = (0, 0);
    while r < reads.len() && w < writes.len() {
        if reads[r] + read_bytes <= writes[w] {
            r += 1;
        } else if writes[w] + write_bytes <= reads[r] {
            w += 1;
        } else {
            return true;
        }
    }
    false
}
