// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lock-step over the semaphore block: every output in every cycle, all semaphores and events among them.

use pool_model::choices::Signedness;
use pool_model::evt_sem::{Block, BusRequest, BusSize, CycleInputs, CycleOutputs, Errors, EvtSem};
use pool_model::generation::Generation;

use super::block::{BlockDifference, BlockLockstep, BlockRun, BlockTally, Design};
use super::evt_sem_report::{describe, history, pairs};
use crate::device::{EvtSemBlock, EvtSemResponse, EvtSemStimulus};
use crate::error::RtlError;
use crate::mutants::MutantId;
use crate::stimulus::Choices;
use crate::stimulus::evt_sem::{Episode, Generator};
use crate::suite::Suite;

/// Cycles in one call across the bridge: enough to make the call cheap, few enough that their responses, a kibibyte
/// and a quarter each, leave the rest of the first-level cache to the block.
const CHUNK: usize = 4;

const COUNTERS: [&str; 17] = [
    "bus beats",
    "bus errors",
    "first beats of two",
    "access violations",
    "decode holes",
    "control accesses",
    "control errors",
    "records granted",
    "records blocked",
    "records illegal",
    "commands done",
    "commands refused",
    "notifications",
    "wraps",
    "double sets and clears",
    "counters at their end",
    "all engines and the bus",
];

/// Model and RTL of the semaphore block in lock-step.
pub struct EvtSemLockstep {
    rtl: EvtSemBlock,
    stimuli: Vec<EvtSemStimulus>,
    responses: Vec<EvtSemResponse>,
    generators: Vec<Generator>,
}

/// The inputs of a cycle in the shape of the RTL's ports.
#[must_use]
#[inline]
pub fn stimulus(inputs: &CycleInputs) -> EvtSemStimulus {
    let mut to = EvtSemStimulus::default();
    if let Some(BusRequest {
        write,
        address,
        size,
        data,
    }) = inputs.bus
    {
        to.bus_valid = true;
        to.bus_write = write;
        to.bus_addr = address;
        to.bus_size = match size {
            BusSize::Byte => 0,
            BusSize::Half => 1,
            BusSize::Word => 2,
            BusSize::Double => 3,
        };
        to.bus_wdata = data;
    }
    if let Some(request) = inputs.control {
        to.ctl_valid = true;
        to.ctl_write = request.write;
        to.ctl_addr = request.address as u16;
        to.ctl_wdata = request.data;
    }
    for (port, record) in inputs.records.iter().enumerate() {
        if let Some(record) = record {
            let at = |byte: u8| u64::from(byte) << (8 * port);
            to.eng_valid |= 1 << port;
            to.eng_wait_mode |= at(record.wait.mode);
            to.eng_wait_idx |= at(record.wait.index);
            to.eng_wait_value[port] = record.wait.value;
            to.eng_update_mode |= at(record.update.mode);
            to.eng_update_idx |= at(record.update.index);
            to.eng_update_value[port] = record.update.value;
        }
    }
    for (port, command) in inputs.commands.iter().enumerate() {
        if let Some(command) = command {
            to.nb_valid |= 1 << port;
            to.nb_code |= u64::from(command.code) << (8 * port);
            to.nb_idx |= u64::from(command.index) << (8 * port);
            to.nb_value[port] = command.value;
        }
    }
    to
}

/// The outputs of a cycle in the shape of the RTL's ports.
#[must_use]
#[inline]
pub fn expected(outputs: &CycleOutputs, state: &EvtSem) -> EvtSemResponse {
    let shown = &outputs.registered;
    let bus = shown.bus.unwrap_or_default();
    let control = shown.control.unwrap_or_default();
    EvtSemResponse {
        probe_sem: *state.semaphores(),
        probe_evt: *state.event_bits(),
        ntf_word0: shown.notification_word0,
        ntf_word1: shown.notification_word1,
        nb_result: outputs.command_result,
        bus_rdata: bus.data,
        ctl_rdata: control.data,
        sem_error_count: shown.errors.semaphore,
        event_error_count: shown.errors.event,
        access_violation_count: shown.errors.access_violation,
        decode_hole_count: shown.errors.decode_hole,
        ntf_valid: shown.notification_valid,
        grant: outputs.grant,
        error: outputs.error,
        nb_error: outputs.command_error,
        bus_ready: outputs.bus_ready,
        bus_rvalid: shown.bus.is_some(),
        bus_error: bus.error,
        ctl_rvalid: shown.control.is_some(),
        ctl_error: control.error,
        sem_error: shown.summaries.semaphore,
        event_error: shown.summaries.event,
    }
}

/// `expected(outputs, state) == *rtl`, without making the left side first: nearly every cycle agrees, and its
/// semaphores are a kibibyte.
#[inline]
fn agree(outputs: &CycleOutputs, state: &EvtSem, rtl: &EvtSemResponse) -> bool {
    // Taken apart in full, so that a new output cannot be forgotten.
    let EvtSemResponse {
        probe_sem,
        probe_evt,
        ntf_word0,
        ntf_word1,
        nb_result,
        bus_rdata,
        ctl_rdata,
        sem_error_count,
        event_error_count,
        access_violation_count,
        decode_hole_count,
        ntf_valid,
        grant,
        error,
        nb_error,
        bus_ready,
        bus_rvalid,
        bus_error,
        ctl_rvalid,
        ctl_error,
        sem_error,
        event_error,
    } = rtl;
    let shown = &outputs.registered;
    let bus = shown.bus.unwrap_or_default();
    let control = shown.control.unwrap_or_default();
    *probe_sem == *state.semaphores()
        && *probe_evt == *state.event_bits()
        && *ntf_word0 == shown.notification_word0
        && *ntf_word1 == shown.notification_word1
        && *nb_result == outputs.command_result
        && *bus_rvalid == shown.bus.is_some()
        && *bus_rdata == bus.data
        && *bus_error == bus.error
        && *ctl_rvalid == shown.control.is_some()
        && *ctl_rdata == control.data
        && *ctl_error == control.error
        && *sem_error_count == shown.errors.semaphore
        && *event_error_count == shown.errors.event
        && *access_violation_count == shown.errors.access_violation
        && *decode_hole_count == shown.errors.decode_hole
        && *ntf_valid == shown.notification_valid
        && *grant == outputs.grant
        && *error == outputs.error
        && *nb_error == outputs.command_error
        && *bus_ready == outputs.bus_ready
        && *sem_error == shown.summaries.semaphore
        && *event_error == shown.summaries.event
}

impl EvtSemLockstep {
    fn generator(&mut self, generation: Generation) -> &mut Generator {
        let known = |generator: &Generator| generator.generation() == generation;
        let at = self.generators.iter().position(known).unwrap_or_else(|| {
            self.generators.push(Generator::new(generation));
            self.generators.len() - 1
        });
        &mut self.generators[at]
    }
}

impl BlockLockstep for EvtSemLockstep {
    const SUITE: Suite = Suite::EvtSem;
    const COUNTERS: &'static [&'static str] = &COUNTERS;
    const GENERATIONS: &'static [Generation] = &Generation::ALL;
    const EPISODE: u64 = 256;
    type Episode = Episode;

    fn new(design: Design) -> Result<Self, RtlError> {
        let rtl = match design {
            Design::Plain => EvtSemBlock::new()?,
            Design::Instrumented(mutant) => {
                let mut rtl = EvtSemBlock::instrumented()?;
                rtl.set_mutant(mutant)?;
                rtl
            }
        };
        Ok(Self {
            rtl,
            stimuli: vec![EvtSemStimulus::default(); CHUNK],
            responses: vec![EvtSemResponse::default(); CHUNK],
            generators: Vec::new(),
        })
    }

    fn set_mutant(&mut self, mutant: Option<MutantId>) -> Result<(), RtlError> {
        self.rtl.set_mutant(mutant)
    }

    fn is_dead(&self) -> bool {
        self.rtl.is_dead()
    }

    fn episode(
        &mut self,
        generation: Generation,
        _: u64,
        length: usize,
        choices: &mut impl Choices,
    ) -> Episode {
        let generator = self.generator(generation);
        let mut episode = generator.begin(choices);
        episode.cycles = (0..length).map(|_| generator.cycle(choices)).collect();
        episode
    }

    fn run(&mut self, episode: &Episode) -> Result<BlockRun, RtlError> {
        let strap = episode.generation.index() as u8;
        let signed = episode.compare_as == Signedness::Signed;
        let mut model = Block::new(episode.generation, episode.compare_as);
        let shown = self.rtl.reset(strap, signed)?;
        let reset = EvtSemResponse::default();
        let mut counts = Counts::default();
        if shown != reset {
            return Ok(end(episode, 0, Some((&reset, &shown)), &counts));
        }
        if episode.errors != Errors::default() {
            self.rtl.preset_counters(episode.errors)?;
            model.preset_errors(episode.errors);
        }
        let mut errors = episode.errors;
        for (number, chunk) in episode.cycles.chunks(CHUNK).enumerate() {
            let first = number * CHUNK;
            let stimuli = &mut self.stimuli[..chunk.len()];
            for (to, inputs) in stimuli.iter_mut().zip(chunk) {
                *to = stimulus(inputs);
            }
            let responses = &mut self.responses[..chunk.len()];
            self.rtl
                .run_batch(stimuli, responses)
                .map_err(|error| error.after(first as u64))?;
            for (at, ((inputs, stimulus), rtl)) in
                chunk.iter().zip(stimuli).zip(responses).enumerate()
            {
                let outputs = model.cycle(inputs);
                counts.count(stimulus, &outputs, &mut errors);
                if !agree(&outputs, model.state(), rtl) {
                    let expected = expected(&outputs, model.state());
                    let sides = Some((&expected, &*rtl));
                    return Ok(end(episode, first + at, sides, &counts));
                }
            }
        }
        Ok(end(episode, episode.cycles.len(), None, &counts))
    }

    fn describe(episode: &Episode, position: usize) -> String {
        describe(episode, position)
    }
}

#[derive(Default)]
struct Counts([u64; COUNTERS.len()]);

impl Counts {
    #[inline]
    fn count(&mut self, inputs: &EvtSemStimulus, outputs: &CycleOutputs, before: &mut Errors) {
        let shown = &outputs.registered;
        let errors = shown.errors;
        let bits = |bits: u8| u64::from(bits.count_ones());
        let failed = |answer: Option<pool_model::evt_sem::BusResponse>| {
            u64::from(answer.is_some_and(|answer| answer.error))
        };
        let more = |now: u32, before: u32| u64::from(now.wrapping_sub(before));
        let full = [
            errors.semaphore,
            errors.event,
            errors.access_violation,
            errors.decode_hole,
        ];
        let happened = [
            u64::from(inputs.bus_valid),
            failed(shown.bus),
            u64::from(!outputs.bus_ready),
            more(errors.access_violation, before.access_violation),
            more(errors.decode_hole, before.decode_hole),
            u64::from(inputs.ctl_valid),
            failed(shown.control),
            bits(outputs.grant),
            bits(inputs.eng_valid & !outputs.grant & !outputs.error),
            bits(outputs.error),
            bits(inputs.nb_valid & !outputs.command_error),
            bits(outputs.command_error),
            u64::from(shown.notification_valid.count_ones()),
            more(errors.semaphore, before.semaphore),
            more(errors.event, before.event),
            u64::from(full.contains(&u32::MAX)),
            u64::from(inputs.eng_valid == 0x1F && inputs.bus_valid),
        ];
        for (count, happened) in self.0.iter_mut().zip(happened) {
            *count += happened;
        }
        *before = errors;
    }
}

fn end(
    episode: &Episode,
    position: usize,
    sides: Option<(&EvtSemResponse, &EvtSemResponse)>,
    counts: &Counts,
) -> BlockRun {
    let compared = episode
        .cycles
        .len()
        .min(position + usize::from(sides.is_some()));
    let difference = sides.map(|(model, rtl)| {
        let (pairs, whose) = pairs(model, rtl);
        BlockDifference {
            position,
            pairs,
            history: history(episode, position, whose),
        }
    });
    BlockRun {
        difference,
        tally: BlockTally {
            operations: compared as u64,
            counts: counts.0.to_vec(),
        },
    }
}

#[cfg(test)]
mod tests {
    use pool_model::evt_sem::BusResponse;

    use super::*;

    /// Every bit of every output, turned over alone, is a difference; nothing else is.
    #[test]
    fn agreement_is_equality() {
        let state = EvtSem::new();
        let mut outputs = CycleOutputs::default();
        outputs.registered.bus = Some(BusResponse {
            data: 5,
            error: false,
        });
        let model = expected(&outputs, &state);
        assert!(agree(&outputs, &state, &model));
        let flips: [fn(&mut EvtSemResponse, usize); 22] = [
            |r, bit| r.probe_sem[bit % 256] ^= 1 << (bit % 32),
            |r, bit| r.probe_evt[bit % 8] ^= 1 << (bit % 32),
            |r, bit| r.ntf_word0[bit % 16] ^= 1 << (bit % 32),
            |r, bit| r.ntf_word1[bit % 16] ^= 1 << (bit % 32),
            |r, bit| r.nb_result[bit % 5] ^= 1 << (bit % 32),
            |r, bit| r.bus_rdata ^= 1 << (bit % 32),
            |r, bit| r.ctl_rdata ^= 1 << (bit % 32),
            |r, bit| r.sem_error_count ^= 1 << (bit % 32),
            |r, bit| r.event_error_count ^= 1 << (bit % 32),
            |r, bit| r.access_violation_count ^= 1 << (bit % 32),
            |r, bit| r.decode_hole_count ^= 1 << (bit % 32),
            |r, bit| r.ntf_valid ^= 1 << (bit % 16),
            |r, bit| r.grant ^= 1 << (bit % 8),
            |r, bit| r.error ^= 1 << (bit % 8),
            |r, bit| r.nb_error ^= 1 << (bit % 8),
            |r, _| r.bus_ready = !r.bus_ready,
            |r, _| r.bus_rvalid = !r.bus_rvalid,
            |r, _| r.bus_error = !r.bus_error,
            |r, _| r.ctl_rvalid = !r.ctl_rvalid,
            |r, _| r.ctl_error = !r.ctl_error,
            |r, _| r.sem_error = !r.sem_error,
            |r, _| r.event_error = !r.event_error,
        ];
        for (number, flip) in flips.into_iter().enumerate() {
            for bit in 0..256 {
                let mut rtl = model;
                flip(&mut rtl, bit);
                assert_ne!(rtl, model, "flip {number} does nothing");
                assert!(!agree(&outputs, &state, &rtl), "flip {number}, bit {bit}");
            }
        }
    }
}
