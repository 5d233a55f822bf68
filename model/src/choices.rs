// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Model choices: what the model does where the hardware's behaviour is not known.
//!
//! A choice with alternatives is a field of [`Choices`]; one without is a rule that the code
//! follows, listed so that a reader finds it. Keys are spelt by file and number.

use serde::Serialize;
use thiserror::Error;

/// The settable choices, with the specification's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    /// `d2`: what an LNC1 leg does whose source and destination share bytes. [decisions D-2]
    pub overlap: Overlap,
    /// `evt.mce9`: signedness of the ordering compares of waits. [evt-sem MC-E9, isa-word MC-14]
    pub compare: Signedness,
    /// `soc.mc1`: the strap `nbr_en` of the neighbor fold. [soc-address MC-1]
    pub neighbor_fold: NeighborFold,
    /// `soc.mc19`: what an engine's address without a window does. [soc-address MC-19]
    pub window_miss: WindowMissPolicy,
    /// `soc.mc26`: what a remap of the fabric puts into bits `[45:0]`. [soc-address MC-26]
    pub remap: RemapForm,
}

/// Alternatives of `d2`. [decisions D-2]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// The leg faults with `Overlap` before anything moves.
    #[default]
    Fault,
    /// The leg copies as if the source were read completely first. Not co-simulated.
    ReadFirst,
}

/// Alternatives of `evt.mce9`. [evt-sem MC-E9]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Signedness {
    /// Counts are unsigned 32-bit numbers.
    #[default]
    Unsigned,
    /// Counts are signed 32-bit numbers.
    Signed,
}

/// Alternatives of `soc.mc1`, the strap `nbr_en`. [soc-address MC-1, decisions D-36]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NeighborFold {
    /// 1: chip 24 with VALID is the other die of the package.
    #[default]
    On,
    /// 0: chip 24 is a chip.
    Off,
}

impl NeighborFold {
    /// The strap.
    #[must_use]
    pub const fn nbr_en(self) -> bool {
        matches!(self, Self::On)
    }
}

/// Alternatives of `soc.mc19`: what an address without a window does. [soc-address MC-19]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WindowMissPolicy {
    /// `WindowMiss`: no bus access, a read returns the poison word.
    #[default]
    Miss,
    /// The address, zero-extended, is the SoC address.
    Pass,
}

/// Alternatives of `soc.mc26`: what a remap puts into bits `[45:0]`. [soc-address MC-26]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RemapForm {
    /// The don't-care bits of the address pass through.
    #[default]
    Relocate,
    /// `literal_remap`: all 46 bits come from the entry.
    Literal,
}

/// A setting that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChoiceError {
    /// No choice has this key.
    #[error("no choice has the key `{0}`; `sb2sb choices` lists them")]
    UnknownKey(String),
    /// The choice cannot be set to this value.
    #[error("choice `{key}` cannot be `{value}`; expected {}", legal.join(" or "))]
    UnknownValue {
        /// Key of the choice.
        key: String,
        /// The value asked for.
        value: String,
        /// The values that exist.
        legal: Vec<&'static str>,
    },
}

/// One line of the list of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ChoiceInfo {
    /// Key: file and number.
    pub key: &'static str,
    /// The value in force.
    pub value: &'static str,
    /// Every value that it can be set to; only one for a fixed rule.
    pub values: &'static [&'static str],
    /// What is decided, in a sentence.
    pub about: &'static str,
    /// Section of the specification.
    pub section: &'static str,
    /// Confidence of what the sources say about it.
    pub confidence: &'static str,
}

const OVERLAP: [(&str, Overlap); 2] = [
    ("fault", Overlap::Fault),
    ("read_first", Overlap::ReadFirst),
];
const SIGNEDNESS: [(&str, Signedness); 2] = [
    ("unsigned", Signedness::Unsigned),
    ("signed", Signedness::Signed),
];

const NEIGHBOR_FOLD: [(&str, NeighborFold); 2] =
    [("1", NeighborFold::On), ("0", NeighborFold::Off)];
const WINDOW_MISS: [(&str, WindowMissPolicy); 2] = [
    ("miss", WindowMissPolicy::Miss),
    ("pass", WindowMissPolicy::Pass),
];
const REMAP: [(&str, RemapForm); 2] = [
    ("relocate", RemapForm::Relocate),
    ("literal", RemapForm::Literal),
];

fn pick<T: Copy>(key: &str, value: &str, table: &[(&'static str, T)]) -> Result<T, ChoiceError> {
    table
        .iter()
        .find(|(name, _)| *name == value)
        .map(|(_, choice)| *choice)
        .ok_or_else(|| ChoiceError::UnknownValue {
            key: key.to_owned(),
            value: value.to_owned(),
            legal: table.iter().map(|(name, _)| *name).collect(),
        })
}

fn name<T: PartialEq>(choice: &T, table: &[(&'static str, T)]) -> &'static str {
    table
        .iter()
        .find(|(_, value)| value == choice)
        .map_or("", |(name, _)| *name)
}

impl Choices {
    /// Sets a choice by key and value.
    ///
    /// # Errors
    /// [`ChoiceError`] for a key that does not exist, or a value that the choice cannot have; a
    /// fixed rule accepts only the value that it has.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ChoiceError> {
        match key {
            "d2" | "isa.mc19" => self.overlap = pick(key, value, &OVERLAP)?,
            "evt.mce9" | "isa.mc14" => self.compare = pick(key, value, &SIGNEDNESS)?,
            "soc.mc1" => self.neighbor_fold = pick(key, value, &NEIGHBOR_FOLD)?,
            "soc.mc19" => self.window_miss = pick(key, value, &WINDOW_MISS)?,
            "soc.mc26" => self.remap = pick(key, value, &REMAP)?,
            _ => {
                let fixed = FIXED
                    .iter()
                    .find(|info| info.key == key)
                    .ok_or_else(|| ChoiceError::UnknownKey(key.to_owned()))?;
                if fixed.value != value {
                    return Err(ChoiceError::UnknownValue {
                        key: key.to_owned(),
                        value: value.to_owned(),
                        legal: fixed.values.to_vec(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Every choice with the value in force, settable ones first, then the fixed rules.
    pub fn list(&self) -> impl Iterator<Item = ChoiceInfo> {
        let overlap = ChoiceInfo {
            key: "d2",
            value: name(&self.overlap, &OVERLAP),
            values: &["fault", "read_first"],
            about: "an LNC1 leg whose source and destination share bytes (also isa.mc19)",
            section: "decisions D-2, isa-word MC-19",
            confidence: "choice",
        };
        let compare = ChoiceInfo {
            key: "evt.mce9",
            value: name(&self.compare, &SIGNEDNESS),
            values: &["unsigned", "signed"],
            about: "ordering compares of semaphore waits (also isa.mc14)",
            section: "evt-sem MC-E9, isa-word MC-14",
            confidence: "MED/INFERRED",
        };
        // Two files number each of them; either key sets it.
        let settable = [
            overlap,
            compare,
            ChoiceInfo {
                key: "isa.mc14",
                about: "the same choice as evt.mce9",
                ..compare
            },
            ChoiceInfo {
                key: "isa.mc19",
                about: "the same choice as d2",
                ..overlap
            },
            ChoiceInfo {
                key: "soc.mc1",
                value: name(&self.neighbor_fold, &NEIGHBOR_FOLD),
                values: &["1", "0"],
                about: "strap nbr_en: with 1, chip 24 with VALID means the other die of the package",
                section: "soc-address MC-1, decisions D-36",
                confidence: "HIGH/INFERRED",
            },
            ChoiceInfo {
                key: "soc.mc19",
                value: name(&self.window_miss, &WINDOW_MISS),
                values: &["miss", "pass"],
                about: "an engine's 32-bit address without a window: no access, or the SoC address itself",
                section: "soc-address MC-19",
                confidence: "MED/OBSERVED absence",
            },
            ChoiceInfo {
                key: "soc.mc26",
                value: name(&self.remap, &REMAP),
                values: &["relocate", "literal"],
                about: "a remap of the fabric keeps the bits that its entry does not compare, or replaces all 46",
                section: "soc-address MC-26",
                confidence: "MED/INFERRED",
            },
        ];
        settable.into_iter().chain(FIXED.iter().copied())
    }
}

macro_rules! fixed {
    ($($key:literal = $value:literal, $section:literal, $confidence:literal: $about:literal;)*) => {
        &[$(ChoiceInfo {
            key: $key,
            value: $value,
            values: &[$value],
            about: $about,
            section: $section,
            confidence: $confidence,
        }),*]
    };
}

/// The rules without alternatives that the code follows.
const FIXED: &[ChoiceInfo] = fixed! {
    "isa.mc1" = "opaque", "isa-word MC-1", "HIGH/OBSERVED": "header bytes 2 and 3 are kept and never checked";
    "isa.mc2" = "accept", "isa-word MC-2", "unknown rule": "every combination of legal wait and update modes passes; a mixed reading of the value is noted";
    "isa.mc3" = "reject", "isa-word MC-3", "choice": "0xFF in a mode byte fails predicate 2";
    "isa.mc4" = "waive", "isa-word MC-4", "choice": "a shape register waives the count tests; predicate 10 uses the stored counts";
    "isa.mc5" = "strict", "isa-word MC-5", "choice": "register form needs marker 0x80 or 0xC0, zero middle bytes, regnum < 64; indirect is rejected";
    "isa.mc6" = "byte", "isa-word MC-6", "choice": "on v5 tags 0x10 to 0x16 have alignment 1; CPTC and unknown tags none";
    "isa.mc7" = "64bit", "isa-word MC-7", "choice": "the product of the counts does not wrap";
    "isa.mc8" = "container", "isa-word MC-8, decisions D-11", "choice": "FP4_EXP2 elements are 2 bytes, INT4 pairs 1 byte, CPTC never executes";
    "isa.mc9" = "low8", "isa-word MC-9", "choice": "register number in bits 0..7 of the value, v5 offset unsigned in bits 8..31";
    "isa.mc10" = "last_read", "isa-word MC-10, decisions D-7", "MED/INFERRED": "READ updates fire after the last source byte, COMPLETE after all data is written";
    "isa.mc11" = "v5", "isa-word MC-11", "HIGH/OBSERVED for v5": "EVT_SEM_NONBLOCKING_CMD exists on v5";
    "isa.mc12" = "partitions", "isa-word MC-12", "MED/INFERRED": "num_active_channels counts consecutive partitions from each operand's own start";
    "isa.mc13" = "inner_first", "isa-word MC-13", "MED/INFERRED": "index 0 is innermost; addresses are signed and must stay in the channel's partition";
    "isa.mc15" = "defined", "isa-word MC-15", "MED/INFERRED": "the pseudo list holds every defined opcode in 0xC1..0xDF";
    "isa.mc16" = "v3_slots", "isa-word MC-16", "HIGH/OBSERVED for v3": "the device gate is the v3 dispatch table restricted to the generation's opcodes";
    "isa.mc17" = "fault", "isa-word MC-17, decisions D-3", "choice": "partitions and bytes beyond the active State Buffer are an execution fault";
    "isa.mc18" = "fault", "isa-word MC-18, decisions D-9", "choice": "different element totals are an execution fault and move nothing";
    "isa.mc20" = "fault", "isa-word MC-20", "choice": "an undefined element size faults before data moves";
    "isa.mc21" = "fault", "isa-word MC-21", "choice": "the content of an address register passes the tests of an immediate address";
    "isa.mc22" = "same", "isa-word MC-22", "choice": "the predicate order of v5 is that of v3 and v4";
    "isa.mc23" = "newline", "isa-word MC-23", "HIGH/INFERRED": "one newline a log line; comparisons ignore it";
    "evt.mce1" = "count", "evt-sem MC-E1", "choice": "write-only words read 0, read-only words ignore writes; both are counted";
    "evt.mce2" = "bit0", "evt-sem MC-E2", "choice": "only bit 0 of an event word exists";
    "evt.mce3" = "error", "evt-sem MC-E3", "choice": "narrow and unaligned accesses are errors, 64-bit ones two beats";
    "evt.mce4" = "zero", "evt-sem MC-E4", "choice": "reserved leaves read 0 and drop writes; both are counted";
    "evt.mce5" = "constants", "evt-sem MC-E5, decisions D-20", "MED/INFERRED": "EVT_ACCEL SET reads 1, CLR reads 0; v4 answers at both SET addresses";
    "evt.mce6" = "range", "evt-sem MC-E6", "choice": "a new count is notified when low <= count <= high, unsigned";
    "evt.mce7" = "sticky", "evt-sem MC-E7, decisions D-18", "choice": "error summaries stay until they are read";
    "evt.mce8" = "wrap", "evt-sem MC-E8, decisions D-14", "MED": "counts wrap modulo 2^32 and the wrap is counted";
    "evt.mce10" = "silent", "evt-sem MC-E10", "choice": "adding or subtracting 0 has no effect and no notification";
    "evt.mce11" = "take", "evt-sem MC-E11", "choice": "a doubly set or cleared event takes the value and the case is counted";
    "evt.mce12" = "fused", "evt-sem MC-E12", "choice": "check and update of a record are one step";
    "evt.mce13" = "fixed", "evt-sem MC-E13", "choice": "order in a cycle: bus, PE, ACT, POOL, DVE, SP";
    "evt.mce14" = "one", "evt-sem MC-E14", "HIGH/OBSERVED": "at most one update an instruction, at the read-done or the completion point";
    "evt.mce15" = "low8", "evt-sem MC-E15", "choice": "REG_OFFSET: register in bits 0..7, unsigned offset in bits 8..31";
    "evt.mce16" = "v5", "evt-sem MC-E16", "choice": "non-blocking commands execute on v5 only";
    "evt.mce18" = "advisory", "evt-sem MC-E18", "choice": "indices that the runtime keeps are named, not enforced";
    "idma.mc1" = "lsb", "idma-ring MC-1", "HIGH/OBSERVED": "descriptor fields are LSB-first; the mirrored table is for dumps only";
    "idma.mc2" = "in_order", "idma-ring MC-2", "choice": "each queue runs one descriptor at a time, which satisfies every ordering mode";
    "idma.mc3" = "4", "idma-ring MC-3", "MED/OBSERVED": "an M2S completion is word 0 alone";
    "idma.mc4" = "0x03000000", "idma-ring MC-4", "MED/INFERRED": "M2S cfg resets to 3 in bits 27..24";
    "idma.mc5" = "zero", "idma-ring MC-5", "choice": "both doorbells read 0";
    "idma.mc6" = "always", "idma-ring MC-6", "MED/INFERRED": "completion heads advance with or without an entry, frozen while spare bit 0 is 1";
    "idma.mc7" = "add1mod4", "idma-ring MC-7", "HIGH/OBSERVED": "ring ids count modulo 4 on every lap";
    "idma.mc8" = "64k", "idma-ring MC-8", "HIGH/OBSERVED": "length 0 is 65536 bytes on the write side, and on the read side while encode_64k is 1";
    "idma.mc9" = "ignore", "idma-ring MC-9", "choice": "a doorbell of 0 has no effect";
    "idma.mc10" = "add", "idma-ring MC-10", "choice": "doorbells beyond the ring are added; posted saturates at 25 bits";
    "idma.mc11" = "idle", "idma-ring MC-11, decisions D-22", "choice": "a ring of length 0 never fetches, doorbells count";
    "idma.mc12" = "accumulate", "idma-ring MC-12", "choice": "doorbells add up while a queue is disarmed";
    "idma.mc13" = "beat", "idma-ring MC-13", "choice": "a failing transfer stops at the failing 32-byte line";
    "idma.mc14" = "reset", "idma-ring MC-14", "choice": "an abort freezes the pointers; rst_q and change_state.normal recover";
    "idma.mc15" = "first", "idma-ring MC-15, decisions D-21", "MED/INFERRED": "the first error that is not masked is logged until clear_err_log";
    "idma.mc27" = "exclude", "idma-ring MC-27", "LOW/INFERRED": "a broadcast write carries an exclusion mask in bits 31..16 and the data in 15..0";
    "idma.mc28" = "own", "idma-ring MC-28", "choice": "a pointer strobe resets its own pointer, rst_q the whole queue";
    "idma.mc29" = "drop", "idma-ring MC-29, decisions D-24, D-46", "choice": "operation 0 passes through; a packet with an illegal operation is dropped and raises illegal_op";
    "idma.mc33" = "entry", "idma-ring MC-33, decisions D-23", "MED/INFERRED": "S2M writes its completion entries to RCRBP";
    "idma.mc34" = "error", "idma-ring MC-34", "choice": "bit 31 of an RX descriptor is an error";
    "idma.mc37" = "untimed", "idma-ring MC-37", "choice": "a step is one round of the loop; a wait for descriptors times out when nothing else can happen";
    "idma.mc38" = "literal", "idma-ring MC-38", "choice": "one burst a direction, then one packet; round robin over queues";
    "soc.mc2" = "table", "soc-address MC-2", "choice": "the legality table; every failing row is reported, the first is the verdict";
    "soc.mc3" = "0xdeadbeef", "soc-address MC-3", "choice": "dropped reads return 0xDEADBEEF words";
    "soc.mc4" = "own_is_local", "soc-address MC-4", "choice": "the own chip id with VALID is local; the die of a neighbor address is bit 47";
    "soc.mc5" = "by_relation", "soc-address MC-5", "choice": "the fold follows from where the peer is; plain die select only where a leg asks for it";
    "soc.mc6" = "base_and_offset", "soc-address MC-6", "choice": "a fold takes aperture base and byte offset";
    "soc.mc7" = "truncate", "soc-address MC-7, decisions D-32", "choice": "routing ids are cut to six bits, and the cut is reported";
    "soc.mc10" = "drop", "soc-address MC-10", "choice": "bytes beyond the valid partition size read 0, drop writes and are counted";
    "soc.mc11" = "zero_bits", "soc-address MC-11", "choice": "unused bits of an instruction's address must be 0";
    "soc.mc12" = "constants", "soc-address MC-12, decisions D-27", "choice": "the classifier's constants; TOP_SP is looked for first";
    "soc.mc13" = "physical", "soc-address MC-13", "choice": "cores are numbered physically";
    "soc.mc14" = "xor", "soc-address MC-14", "choice": "the peer function returns the SEngine; the pod variant adds 8";
    "soc.mc15" = "pool_map", "soc-address MC-15, decisions D-33", "choice": "data RAM of a Q7 core lies where the POOL map has it";
    "soc.mc16" = "storage", "soc-address MC-16", "choice": "bits 31 to 7 of a window's control hold what is written, other unused bits read 0";
    "soc.mc17" = "masked", "soc-address MC-17", "MED/INFERRED": "a window replaces the bits that it compares; all gates must let the requester through";
    "soc.mc18" = "lowest", "soc-address MC-18", "choice": "of several windows that hit the lowest serves, and MultiHit is reported";
    "soc.mc20" = "two_writes", "soc-address MC-20", "choice": "between the two writes of update_window the mixed target is visible";
    "soc.mc21" = "natural", "soc-address MC-21", "choice": "an abstract window becomes registers by its size, a power of two";
    "soc.mc22" = "0_first", "soc-address MC-22", "choice": "the free list starts with windows 0 to 14, of which 0 is taken first";
    "soc.mc23" = "64bit", "soc-address MC-23, decisions D-28", "choice": "tags of the software TLB have 64 bits";
    "soc.mc24" = "16", "soc-address MC-24", "choice": "a remap table has 16 entries";
    "soc.mc25" = "lowest", "soc-address MC-25", "choice": "of several entries that match the lowest decides";
    "idma.mc17" = "fault", "idma-ring MC-17, decisions D-44", "choice": "an engine mask with another population than 1, 2, 4, 8 or 16 is BadMask";
    "idma.mc18" = "identity", "idma-ring MC-18, decisions D-5", "LOW/INFERRED": "engine k owns partitions k, k + E and so on; the swizzle table is the identity";
    "idma.mc20" = "slots", "idma-ring MC-20", "LOW/INFERRED": "the logged xt_addrs are the ring slots of the active engines";
    "idma.mc21" = "fault", "idma-ring MC-21, decisions D-6, D-55", "choice": "a leg with more descriptors than a ring takes is RingTooSmall";
    "idma.mc22" = "masked", "idma-ring MC-22", "MED/INFERRED": "each active engine increments each leg semaphore once";
    "idma.mc23" = "runs", "idma-ring MC-23", "choice": "a descriptor moves a stretch that is contiguous on both sides, at most 65536 bytes";
    "idma.mc24" = "prid0", "idma-ring MC-24, decisions D-10", "MED/INFERRED": "an even Q7 core receives, an odd one transmits";
    "idma.mc39" = "one_pair", "idma-ring MC-39", "choice": "one RX and one TX actor serve all engines of a leg";
    "d1" = "any", "decisions D-1", "choice": "0xBF may start at any partition";
    "d3" = "active", "decisions D-3", "choice": "every byte must lie in the active bytes of the channel's partition";
    "d5" = "per_engine", "decisions D-5", "choice": "descriptor counts may differ between engines; equal counts are rung by broadcast";
    "d6" = "general_48", "decisions D-6", "choice": "the leg context is a register file in the general bundle, indices 48 to 58";
    "d7" = "both", "decisions D-7", "choice": "the leg's own semaphores and the word's EVENTS update both happen";
    "d12" = "own", "decisions D-12", "choice": "the validator's version argument defaults to the generation's own";
    "d13" = "v3_map", "decisions D-13", "choice": "v5 runs on the v3 address map with the State Buffer widened to 128 MiB";
    "d14" = "wrap", "decisions D-14", "choice": "a wrap sets flag and counter and is no error of the instruction";
    "d15" = "tables", "decisions D-15", "choice": "mode bytes decode by the tables, never by bit fields";
    "d16" = "0xa000", "decisions D-16", "choice": "64 engine registers at LOCAL_REG + 0xA000; a number of 64 or more is BadRegister";
    "d18" = "0x7000", "decisions D-18", "choice": "the control block sits at LOCAL_REG + 0x7000, error summaries at its 0x80C";
    "d19" = "0xff", "decisions D-19", "choice": "notifications of bus masters carry update_mode 0xFF; a bus error precedes the counters";
    "d21" = "per_direction", "decisions D-21", "choice": "an error logs, sets its cause and aborts its own direction where the abort mask lets it";
    "d22" = "posted", "decisions D-22", "choice": "with DRL 0 a doorbell adds to posted only";
    "d23" = "as_written", "decisions D-23", "choice": "completions go where the registers say, also with base 0";
    "d24" = "complete", "decisions D-24", "choice": "a zero-length packet uses no RX descriptor and completes";
    "d25" = "taken", "decisions D-25", "choice": "a descriptor that waits for RX has left TDCP; bytes that fit are written";
    "d40" = "causes", "decisions D-40", "choice": "interrupts are cause bits; DRE, GCE, EXT, CRC and embedded semaphores are illegal operations";
    "d41" = "forced", "decisions D-41", "choice": "parity and the like are raised by injection only";
    "d46" = "bit31", "decisions D-46", "choice": "illegal_op is bit 31 of the M2S errors; the dropped packet's descriptors count as completed";
    "d52" = "word0", "decisions D-52", "choice": "an M2S completion has ring id, FIRST and LAST only";
    "d53" = "groups_b_c", "decisions D-53", "choice": "INT_EN sets bit q of primary group B (S2M) or C (M2S)";
    "d59" = "silent", "decisions D-59", "choice": "a packet dropped for its operation writes no completion and sets no cause";
    "d20" = "own_die", "decisions D-20", "choice": "semaphore descriptors read the event accelerator of the engine's own die";
    "d44" = "listed", "decisions D-44, D-58", "choice": "the checks of a leg come in one order and the first that fails wins";
    "d45" = "d16", "decisions D-45", "choice": "address registers are the file of d16";
    "d47" = "given", "decisions D-47", "choice": "a routing id that is given folds with that id, also the own chip's";
    "d48" = "add_up", "decisions D-48", "choice": "generated descriptors add up until START rings them";
    "d50" = "same_chip", "decisions D-50", "choice": "leg_flags bit 0 picks the plain die select for peers of the own chip only";
    "d55" = "reset_credit", "decisions D-26, D-55", "choice": "with credits on, a leg may have as many descriptors as the credit counter's reset value";
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_listed_value_can_be_set_and_no_other() {
        for info in Choices::default().list() {
            assert!(info.values.contains(&info.value), "{}", info.key);
            for value in info.values {
                let mut choices = Choices::default();
                choices
                    .set(info.key, value)
                    .expect("a listed value is legal");
                let now = choices.list().find(|i| i.key == info.key).map(|i| i.value);
                assert_eq!(now, Some(*value), "{}", info.key);
            }
            assert!(Choices::default().set(info.key, "no such value").is_err());
        }
        assert_eq!(
            Choices::default().set("isa.mc99", "x"),
            Err(ChoiceError::UnknownKey("isa.mc99".to_owned()))
        );
    }

    #[test]
    fn keys_are_unique() {
        let keys: Vec<_> = Choices::default().list().map(|info| info.key).collect();
        let unique: BTreeSet<_> = keys.iter().collect();
        assert_eq!(unique.len(), keys.len());
    }
}
