// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lock-step over instruction words: verdict, first failure, every predicate, every field.

use pool_model::generation::{Generation, NcVersion};
use pool_model::isa::{Predicate, PredicateSet, Word, WordBytes, validate, validate_bulk};

use crate::decoder::{Decoder, RtlDecoded};
use crate::error::RtlError;
use crate::mutants::MutantId;

/// Words in one call across the bridge: enough to make the call cheap, few enough that their results stay
/// in the first-level cache until they are compared.
const CHUNK: usize = 64;

/// What the model says about a word, in the shape of the RTL's outputs.
#[must_use]
#[inline]
pub fn expected(word: &WordBytes, generation: Generation, nc: NcVersion) -> RtlDecoded {
    outputs(&Word::decode(word), validate(word, generation, nc))
}

#[inline]
fn outputs(word: &Word, failing: PredicateSet) -> RtlDecoded {
    let Word {
        header,
        events,
        src,
        dst,
        ..
    } = word;
    RtlDecoded {
        src_nelem: src.stored_elements(),
        events_semaphore_value: events.semaphore_value,
        src_start_addr: src.start_addr.0,
        dst_start_addr: dst.start_addr.0,
        src_step_elem: src.step_elem,
        src_num_elem: src.num_elem,
        dst_step_elem: dst.step_elem,
        dst_num_elem: dst.num_elem,
        fail: failing.bits(),
        header_opcode: header.opcode,
        header_inst_word_len: header.inst_word_len,
        header_debug_cmd: header.debug_cmd,
        header_debug_hint: header.debug_hint,
        events_wait_mode: events.wait_mode,
        events_wait_idx: events.wait_idx,
        events_update_mode: events.update_mode,
        events_update_idx: events.update_idx,
        in_dtype: word.in_dtype,
        out_dtype: word.out_dtype,
        reserved0: word.reserved0,
        lnc_size_fmt: word.lnc_size_fmt,
        num_active_channels: word.num_active_channels,
        reserved1: word.reserved1,
        first_failure: failing.first().map_or(0, Predicate::number),
        valid: failing.is_empty(),
    }
}

/// What a run of words exercised, by the model's verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Words compared.
    pub words: u64,
    /// Of these, valid ones.
    pub valid: u64,
    failing: [u64; Predicate::ALL.len()],
    alone: [u64; Predicate::ALL.len()],
    versions: [u64; NcVersion::ALL.len()],
}

impl Tally {
    /// What these words exercise, by the model alone.
    #[must_use]
    pub fn of(words: &[WordBytes], generation: Generation, nc: NcVersion) -> Self {
        let mut histogram = Histogram::new();
        for word in words {
            histogram.count(validate(word, generation, nc));
        }
        histogram.tally(nc)
    }

    /// Words that fail this predicate.
    #[must_use]
    pub fn failing(&self, predicate: Predicate) -> u64 {
        self.failing[index(predicate)]
    }

    /// Words that fail this predicate and no other: only they show that the predicate itself decides.
    #[must_use]
    pub fn alone(&self, predicate: Predicate) -> u64 {
        self.alone[index(predicate)]
    }

    /// Words that were given this version argument.
    #[must_use]
    pub fn with_version(&self, nc: NcVersion) -> u64 {
        self.versions[version_index(nc)]
    }

    /// Predicates that no word failed: nothing is known about their rejecting side.
    pub fn never_failing(&self) -> impl Iterator<Item = Predicate> {
        Predicate::ALL
            .into_iter()
            .filter(|&predicate| self.failing(predicate) == 0)
    }

    /// Adds another run.
    pub fn add(&mut self, other: &Self) {
        self.words += other.words;
        self.valid += other.valid;
        let sides = [
            (&mut self.failing[..], &other.failing[..]),
            (&mut self.alone[..], &other.alone[..]),
            (&mut self.versions[..], &other.versions[..]),
        ];
        for (to, from) in sides {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from;
            }
        }
    }
}

fn index(predicate: Predicate) -> usize {
    usize::from(predicate.number()) - 1
}

fn version_index(nc: NcVersion) -> usize {
    usize::from(nc.value() - NcVersion::ALL[0].value())
}

/// How often each set of failing predicates occurred: one addition a word, the sums are made at the end.
struct Histogram(Vec<u64>);

/// Sets of failing predicates.
const SETS: usize = 1 << Predicate::ALL.len();

impl Histogram {
    fn new() -> Self {
        Self(vec![0; SETS])
    }

    #[inline]
    fn count(&mut self, failing: PredicateSet) {
        self.0[usize::from(failing.bits())] += 1;
    }

    fn tally(&self, nc: NcVersion) -> Tally {
        let mut tally = Tally::default();
        for (bits, &count) in self.0.iter().enumerate().filter(|(_, count)| **count != 0) {
            let set = PredicateSet::from_bits(bits as u16);
            tally.words += count;
            tally.valid += if set.is_empty() { count } else { 0 };
            for predicate in set.iter() {
                tally.failing[index(predicate)] += count;
                tally.alone[index(predicate)] += if set.len() == 1 { count } else { 0 };
            }
        }
        tally.versions[version_index(nc)] = tally.words;
        tally
    }
}

/// The first word of a run on which model and RTL disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its position in the run.
    pub position: usize,
    /// The model's side.
    pub model: RtlDecoded,
    /// The RTL's side.
    pub rtl: RtlDecoded,
}

/// How a run ended, with what it exercised up to its end, a differing word included.
pub struct Run {
    /// The first difference, if there is one.
    pub difference: Option<Difference>,
    /// Counters of the words compared.
    pub tally: Tally,
}

/// Model and RTL decoder in lock-step. Creating one is expensive, using it again is not.
pub struct WordLockstep {
    rtl: Decoder,
    results: Vec<RtlDecoded>,
    verdicts: Vec<PredicateSet>,
    histogram: Histogram,
}

impl WordLockstep {
    /// Holds the model against the design as it is.
    pub fn new() -> Result<Self, RtlError> {
        Ok(Self::with(Decoder::new()?))
    }

    /// Holds the model against the instrumented copy with a mutant chosen, or none.
    pub fn instrumented(mutant: Option<MutantId>) -> Result<Self, RtlError> {
        let mut rtl = Decoder::instrumented()?;
        rtl.set_mutant(mutant)?;
        Ok(Self::with(rtl))
    }

    fn with(rtl: Decoder) -> Self {
        Self {
            rtl,
            results: vec![RtlDecoded::default(); CHUNK],
            verdicts: vec![PredicateSet::EMPTY; CHUNK],
            histogram: Histogram::new(),
        }
    }

    /// Chooses another mutant. Fails on the design as it is.
    pub fn set_mutant(&mut self, mutant: Option<MutantId>) -> Result<(), RtlError> {
        self.rtl.set_mutant(mutant)
    }

    /// Whether a fault has ended the RTL instance for good.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.rtl.is_dead()
    }

    /// Compares words in order until the first difference. A device fault names the word of the run in
    /// its `item`.
    pub fn run(
        &mut self,
        words: &[WordBytes],
        generation: Generation,
        nc: NcVersion,
    ) -> Result<Run, RtlError> {
        self.histogram.0.fill(0);
        let mut difference = None;
        for (number, chunk) in words.chunks(CHUNK).enumerate() {
            let first = number * CHUNK;
            let results = &mut self.results[..chunk.len()];
            self.rtl
                .decode_batch(chunk, generation, nc, results)
                .map_err(|error| error.after(first as u64))?;
            let verdicts = &mut self.verdicts[..chunk.len()];
            validate_bulk(chunk, generation, nc, verdicts);
            difference = compare(chunk, results, verdicts, &mut self.histogram);
            if let Some(found) = &mut difference {
                found.position += first;
                break;
            }
        }
        let tally = self.histogram.tally(nc);
        Ok(Run { difference, tally })
    }
}

fn compare(
    words: &[WordBytes],
    results: &[RtlDecoded],
    verdicts: &[PredicateSet],
    histogram: &mut Histogram,
) -> Option<Difference> {
    for (position, ((bytes, rtl), &failing)) in words.iter().zip(results).zip(verdicts).enumerate()
    {
        histogram.count(failing);
        if !agree(&outputs(&Word::decode(bytes), failing), rtl) {
            return Some(difference(position, bytes, failing, rtl));
        }
    }
    None
}

/// Apart from the loop, which otherwise would keep every field of every word ready for it.
#[cold]
#[inline(never)]
fn difference(
    position: usize,
    bytes: &WordBytes,
    failing: PredicateSet,
    rtl: &RtlDecoded,
) -> Difference {
    Difference {
        position,
        model: outputs(&Word::decode(bytes), failing),
        rtl: *rtl,
    }
}

/// `model == rtl` without a branch for each field: nearly every word agrees, and beside the RTL itself
/// this is what a long run spends its time on.
#[inline]
fn agree(model: &RtlDecoded, rtl: &RtlDecoded) -> bool {
    let (model, rtl) = (lanes(model), lanes(rtl));
    (0..LANES).fold(0, |all, i| all | (model[i] ^ rtl[i])) == 0
}

const LANES: usize = 10;

/// All outputs, packed. Neighbours in memory are neighbours here, so that this becomes wide loads.
#[inline]
fn lanes(outputs: &RtlDecoded) -> [u64; LANES] {
    // Taken apart in full, so that a new output cannot be forgotten.
    let RtlDecoded {
        header_opcode,
        header_inst_word_len,
        header_debug_cmd,
        header_debug_hint,
        events_wait_mode,
        events_wait_idx,
        events_update_mode,
        events_update_idx,
        events_semaphore_value,
        in_dtype,
        out_dtype,
        reserved0: [r0, r1],
        src_start_addr,
        src_step_elem,
        src_num_elem,
        lnc_size_fmt,
        num_active_channels,
        reserved1: [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13],
        dst_start_addr,
        dst_step_elem,
        dst_num_elem,
        src_nelem,
        fail,
        first_failure,
        valid,
    } = *outputs;
    let [s0, s1, s2, s3] = events_semaphore_value.to_le_bytes();
    let [src_low, src_high] = tensor(src_start_addr, src_step_elem, src_num_elem);
    let [dst_low, dst_high] = tensor(dst_start_addr, dst_step_elem, dst_num_elem);
    [
        u64::from_le_bytes([
            header_opcode,
            header_inst_word_len,
            header_debug_cmd,
            header_debug_hint,
            events_wait_mode,
            events_wait_idx,
            events_update_mode,
            events_update_idx,
        ]),
        u64::from_le_bytes([s0, s1, s2, s3, in_dtype, out_dtype, r0, r1]),
        src_low,
        src_high,
        u64::from_le_bytes([lnc_size_fmt, num_active_channels, z0, z1, z2, z3, z4, z5]),
        u64::from_le_bytes([z6, z7, z8, z9, z10, z11, z12, z13]),
        dst_low,
        dst_high,
        src_nelem,
        u64::from(fail) | u64::from(first_failure) << 16 | u64::from(valid) << 24,
    ]
}

#[inline]
fn tensor(start_addr: u32, step: [i16; 3], num: [u16; 3]) -> [u64; 2] {
    let step = step.map(|step| u64::from(step.cast_unsigned()));
    let num = num.map(u64::from);
    [
        u64::from(start_addr) | step[0] << 32 | step[1] << 48,
        step[2] | num[0] << 16 | num[1] << 32 | num[2] << 48,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bit of every output, turned over alone, is a difference; nothing else is.
    #[test]
    fn agreement_is_equality() {
        let bytes: WordBytes = std::array::from_fn(|i| (i as u8).wrapping_mul(37) ^ 0x5A);
        let failing = validate(&bytes, Generation::V3, NcVersion::V3);
        let model = outputs(&Word::decode(&bytes), failing);
        assert!(agree(&model, &model));
        let flips: [fn(&mut RtlDecoded, u32); 25] = [
            |d, bit| d.src_nelem ^= 1 << bit,
            |d, bit| d.events_semaphore_value ^= 1 << (bit % 32),
            |d, bit| d.src_start_addr ^= 1 << (bit % 32),
            |d, bit| d.dst_start_addr ^= 1 << (bit % 32),
            |d, bit| d.src_step_elem[bit as usize % 3] ^= 1 << (bit % 16),
            |d, bit| d.src_num_elem[bit as usize % 3] ^= 1 << (bit % 16),
            |d, bit| d.dst_step_elem[bit as usize % 3] ^= 1 << (bit % 16),
            |d, bit| d.dst_num_elem[bit as usize % 3] ^= 1 << (bit % 16),
            |d, bit| d.fail ^= 1 << (bit % 16),
            |d, bit| d.header_opcode ^= 1 << (bit % 8),
            |d, bit| d.header_inst_word_len ^= 1 << (bit % 8),
            |d, bit| d.header_debug_cmd ^= 1 << (bit % 8),
            |d, bit| d.header_debug_hint ^= 1 << (bit % 8),
            |d, bit| d.events_wait_mode ^= 1 << (bit % 8),
            |d, bit| d.events_wait_idx ^= 1 << (bit % 8),
            |d, bit| d.events_update_mode ^= 1 << (bit % 8),
            |d, bit| d.events_update_idx ^= 1 << (bit % 8),
            |d, bit| d.in_dtype ^= 1 << (bit % 8),
            |d, bit| d.out_dtype ^= 1 << (bit % 8),
            |d, bit| d.reserved0[bit as usize % 2] ^= 1 << (bit / 2 % 8),
            |d, bit| d.lnc_size_fmt ^= 1 << (bit % 8),
            |d, bit| d.num_active_channels ^= 1 << (bit % 8),
            |d, bit| d.reserved1[bit as usize % 14] ^= 1 << (bit % 8),
            |d, bit| d.first_failure ^= 1 << (bit % 8),
            |d, _| d.valid = !d.valid,
        ];
        for (number, flip) in flips.into_iter().enumerate() {
            for bit in 0..64 {
                let mut rtl = model;
                flip(&mut rtl, bit);
                assert_ne!(rtl, model, "flip {number} does nothing");
                assert!(!agree(&model, &rtl), "flip {number}, bit {bit}");
            }
        }
    }
}
