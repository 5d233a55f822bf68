// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Why a word is invalid: the field, its value, and what would be legal. [isa-word §4]

use std::fmt::Write as _;
use std::ops::Range;

use super::dtype::DType;
use super::field::Field;
use super::geometry::Geometry;
use super::lnc::LncSizeFmt;
use super::opcode::Opcode;
use super::operand::{OperandFault, check_operand};
use super::predicate::Predicate;
use super::rules::{MAX_SRC_ELEMENTS, update_mode_legal, wait_mode_legal};
use super::update_mode::UpdateMode;
use super::wait_mode::WaitMode;
use super::word::{INST_WORD_LEN, Tensor3d, Word};
use crate::generation::{Generation, NcVersion};

/// One reason why a predicate fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The failing predicate.
    pub predicate: Predicate,
    /// The rule that is broken, in words.
    pub rule: &'static str,
    /// Path of the offending field, with an index where only one entry offends; `nc` for the version
    /// argument.
    pub field: String,
    /// Bytes of that field or entry; `None` for the version argument.
    pub bytes: Option<Range<usize>>,
    /// The value found, with its name if it has one.
    pub value: String,
    /// The first legal value, or the nearest one.
    pub legal: String,
    /// Section and strength of the source.
    pub section: &'static str,
}

/// The reasons why the word fails, by ascending predicate; every failing predicate has at least one.
/// Empty exactly when [`validate`](super::validate) says that the word is valid.
#[must_use]
pub fn explain(word: &Word, generation: Generation, version: NcVersion) -> Vec<Finding> {
    let mut explanation = Explanation {
        word,
        generation,
        findings: Vec::new(),
    };
    for predicate in Predicate::ALL {
        if !predicate.holds(word, generation, version) {
            explanation.predicate(predicate, version);
        }
    }
    explanation.findings
}

struct Explanation<'a> {
    word: &'a Word,
    generation: Generation,
    findings: Vec<Finding>,
}

impl Explanation<'_> {
    fn push(
        &mut self,
        predicate: Predicate,
        place: Place,
        rule: &'static str,
        (value, legal): (String, String),
        section: &'static str,
    ) {
        let (field, bytes) = place.resolve();
        self.findings.push(Finding {
            predicate,
            rule,
            field,
            bytes,
            value,
            legal,
            section,
        });
    }

    fn predicate(&mut self, predicate: Predicate, version: NcVersion) {
        let word = self.word;
        match predicate {
            Predicate::HasValidNeuronHeader => self.header(),
            Predicate::HasValidNeuronEvents => self.events(),
            Predicate::HasSb2sbcollectiveOpcode => self.push(
                predicate,
                Place::field("header.opcode"),
                "the opcode is SB2SB_COLLECTIVE",
                (
                    opcode_text(word.header.opcode),
                    "0xbf SB2SB_COLLECTIVE".into(),
                ),
                "isa-word §4.1 #3, HIGH/OBSERVED",
            ),
            Predicate::HasValidNcSb2sbCollective => self.push(
                predicate,
                Place::Argument,
                "the NeuronCoreVersion is at least V3",
                (format!("V{}", version.value()), "V3".into()),
                "isa-word §4.1 #4, HIGH/OBSERVED",
            ),
            Predicate::HasValidLncSizefmt => self.push(
                predicate,
                Place::field("lnc_size_fmt"),
                "the format is LNC1 or LNC2",
                (
                    named(
                        word.lnc_size_fmt,
                        LncSizeFmt::from_raw(word.lnc_size_fmt).map(LncSizeFmt::name),
                    ),
                    "0x00 LNC1 or 0x01 LNC2".into(),
                ),
                "isa-word §4.1 #5, HIGH/OBSERVED",
            ),
            Predicate::CheckActivePorts => {
                let last = Geometry::of(self.generation).pooling_channels;
                let nearest = if word.num_active_channels == 0 {
                    1
                } else {
                    last
                };
                self.push(
                    predicate,
                    Place::field("num_active_channels"),
                    "1 to 128 channels take part",
                    (word.num_active_channels.to_string(), nearest.to_string()),
                    "isa-word §4.1 #6, HIGH/OBSERVED",
                );
            }
            Predicate::S3d3CollectiveReservedZero => self.reserved(),
            Predicate::Tensor3dValidSrc => self.operand(predicate, &word.src, OperandPaths::SRC),
            Predicate::Tensor3dValidDst => self.operand(predicate, &word.dst, OperandPaths::DST),
            Predicate::SizeCheckSrc => {
                let [inner, middle, outer] = word.src.num_elem;
                let total = word.src.stored_elements();
                self.push(
                    predicate,
                    Place::field("src.num_elem"),
                    "the source has at most 256 elements in each partition",
                    (
                        format!("{inner} * {middle} * {outer} = {total}"),
                        format!("a product of at most {MAX_SRC_ELEMENTS}"),
                    ),
                    "isa-word §4.1 #10, HIGH/OBSERVED; MC-7",
                );
            }
            Predicate::DtypeEqualityCheck => self.push(
                predicate,
                Place::field("out_dtype"),
                "source and destination have the same type",
                (dtype_text(word.out_dtype), dtype_text(word.in_dtype)),
                "isa-word §4.1 #11, HIGH/OBSERVED",
            ),
        }
    }

    fn header(&mut self) {
        let header = self.word.header;
        if !Opcode(header.opcode).member_of(self.generation) {
            let legal = if Opcode::SB2SB_COLLECTIVE.member_of(self.generation) {
                "0xbf SB2SB_COLLECTIVE".into()
            } else {
                format!("none: {} has no 0xbf", self.generation)
            };
            self.push(
                Predicate::HasValidNeuronHeader,
                Place::field("header.opcode"),
                "the opcode is a member of the generation's OPCODE enum",
                (opcode_text(header.opcode), legal),
                "isa-word §1.1, §7.1, HIGH/OBSERVED",
            );
        }
        if header.inst_word_len != INST_WORD_LEN {
            self.push(
                Predicate::HasValidNeuronHeader,
                Place::field("header.inst_word_len"),
                "the length is 16 units of 32 bits",
                (header.inst_word_len.to_string(), INST_WORD_LEN.to_string()),
                "isa-word §1.1, HIGH/OBSERVED",
            );
        }
    }

    fn events(&mut self) {
        let events = self.word.events;
        if !wait_mode_legal(events.wait_mode, self.generation) {
            let mode = WaitMode::from_raw(events.wait_mode);
            self.push(
                Predicate::HasValidNeuronEvents,
                Place::field("events.wait_mode"),
                match mode {
                    Some(WaitMode::Invalid) => "the wait mode is not INVALID",
                    _ => "the wait mode is a member of the generation's WAIT_MODE enum",
                },
                (
                    named(events.wait_mode, mode.map(WaitMode::name)),
                    "0x00 NONE".into(),
                ),
                "isa-word §1.2, §6.1, HIGH/OBSERVED; MC-3",
            );
        }
        if !update_mode_legal(events.update_mode, self.generation) {
            let mode = UpdateMode::from_raw(events.update_mode);
            self.push(
                Predicate::HasValidNeuronEvents,
                Place::field("events.update_mode"),
                match mode {
                    Some(UpdateMode::Invalid) => "the update mode is not INVALID",
                    _ => "the update mode is a member of the generation's UPDATE_MODE enum",
                },
                (
                    named(events.update_mode, mode.map(UpdateMode::name)),
                    "0x00 NONE".into(),
                ),
                "isa-word §1.2, §6.2, HIGH/OBSERVED; MC-3",
            );
        }
    }

    fn reserved(&mut self) {
        let word = self.word;
        for (path, bytes) in [
            ("reserved0", word.reserved0.as_slice()),
            ("reserved1", word.reserved1.as_slice()),
        ] {
            for (index, &byte) in bytes.iter().enumerate() {
                if byte != 0 {
                    self.push(
                        Predicate::S3d3CollectiveReservedZero,
                        Place::Entry(path, index),
                        "reserved bytes are 0",
                        (format!("{byte:#04x}"), "0x00".into()),
                        "isa-word §4.1 #7, HIGH/OBSERVED",
                    );
                }
            }
        }
    }

    fn operand(&mut self, predicate: Predicate, tensor: &Tensor3d, paths: OperandPaths) {
        let tag = match predicate {
            Predicate::Tensor3dValidSrc => self.word.in_dtype,
            _ => self.word.out_dtype,
        };
        let Err(fault) = check_operand(tensor, tag, self.generation) else {
            return;
        };
        let geometry = Geometry::of(self.generation);
        let address = tensor.start_addr.immediate();
        let raw = format!("{:#010x}", tensor.start_addr);
        let at_address = Place::field(paths.start_addr);
        let last_sbuf = geometry.sbuf_offset + geometry.sbuf_size - 1;
        match fault {
            OperandFault::ZeroCount { dimension } => self.push(
                predicate,
                Place::Entry(paths.num_elem, dimension),
                "each count is at least 1 unless the shape comes from a register",
                ("0".into(), "1".into()),
                "isa-word §4.2, HIGH/OBSERVED; MC-4",
            ),
            OperandFault::Indirect => self.push(
                predicate,
                at_address,
                "the address is not indirect (bit 29 clear)",
                (raw, format!("{:#010x}", tensor.start_addr.0 & !(1 << 29))),
                "isa-word §2.2, §4.2; MC-5",
            ),
            OperandFault::RegisterMarker => self.push(
                predicate,
                at_address,
                "the marker byte of a register address is 0x80 or 0xC0",
                (raw, format!("{:#010x}", tensor.start_addr.0 & 0xC0FF_FFFF)),
                "isa-word §2.3; MC-5",
            ),
            OperandFault::RegisterReserved => self.push(
                predicate,
                at_address,
                "bits 8 to 23 of a register address are 0",
                (raw, format!("{:#010x}", tensor.start_addr.0 & 0xFF00_00FF)),
                "isa-word §2.2, §2.3, HIGH/OBSERVED; MC-5",
            ),
            OperandFault::RegisterNumber => self.push(
                predicate,
                at_address,
                "the address register is 0 to 63",
                (format!("r{}", tensor.start_addr.regnum()), "r63".into()),
                "isa-word §2.2, HIGH/OBSERVED",
            ),
            OperandFault::NoAlignment => self.push(
                predicate,
                Place::field(paths.dtype),
                "an immediate address needs a type with an alignment on this generation",
                (dtype_text(tag), "0x01 UINT64".into()),
                "isa-word §2.4, HIGH/OBSERVED; MC-6",
            ),
            OperandFault::Misaligned { alignment } => self.push(
                predicate,
                at_address,
                "the address is aligned to its type",
                (
                    format!("{address:#x}, {} wants {alignment}", dtype_text(tag)),
                    format!("{:#x}", address - address % alignment),
                ),
                "isa-word §2.4, HIGH/OBSERVED",
            ),
            OperandFault::Psum => self.push(
                predicate,
                at_address,
                "the address lies in SBUF, not in PSUM",
                (
                    format!("{address:#x} (PSUM)"),
                    format!("0x0 to {last_sbuf:#x}"),
                ),
                "isa-word §2.3, §2.5, HIGH/OBSERVED",
            ),
            OperandFault::Nowhere => self.push(
                predicate,
                at_address,
                "the address lies in SBUF",
                (
                    format!("{address:#x} (no memory)"),
                    format!("0x0 to {last_sbuf:#x}"),
                ),
                "isa-word §2.5, HIGH/OBSERVED",
            ),
        }
    }
}

#[derive(Clone, Copy)]
struct OperandPaths {
    start_addr: &'static str,
    num_elem: &'static str,
    dtype: &'static str,
}

impl OperandPaths {
    const SRC: Self = Self {
        start_addr: "src.start_addr",
        num_elem: "src.num_elem",
        dtype: "in_dtype",
    };
    const DST: Self = Self {
        start_addr: "dst.start_addr",
        num_elem: "dst.num_elem",
        dtype: "out_dtype",
    };
}

#[derive(Clone, Copy)]
enum Place {
    Argument,
    Whole(&'static str),
    Entry(&'static str, usize),
}

impl Place {
    const fn field(path: &'static str) -> Self {
        Self::Whole(path)
    }

    fn resolve(self) -> (String, Option<Range<usize>>) {
        match self {
            Self::Argument => ("nc".into(), None),
            Self::Whole(path) => (path.into(), Field::by_path(path).map(Field::bytes)),
            Self::Entry(path, index) => (
                format!("{path}[{index}]"),
                Field::by_path(path).map(|field| {
                    let first = field.offset + index * field.width;
                    first..first + field.width
                }),
            ),
        }
    }
}

fn named(raw: u8, name: Option<&'static str>) -> String {
    let mut text = format!("{raw:#04x}");
    if let Some(name) = name {
        let _ = write!(text, " {name}");
    }
    text
}

fn opcode_text(raw: u8) -> String {
    named(raw, Opcode(raw).name())
}

fn dtype_text(raw: u8) -> String {
    named(raw, DType::from_raw(raw).map(DType::name))
}
