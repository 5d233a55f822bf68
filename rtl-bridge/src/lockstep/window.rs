// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lock-step over the window block: the answer of the register port and the lookup, in every cycle.

use pool_model::generation::Generation;
use pool_model::soc::id::Q7Core;
use pool_model::soc::window::{
    REGISTERS, Requester, STRIDE, WindowAccessError, WindowFile, WindowMissPolicy,
};

use super::block::{BlockDifference, BlockLockstep, BlockRun, BlockTally, Design, hex_pair, pair};
use crate::device::{WindowBlock, WindowResponse, WindowStimulus};
use crate::error::RtlError;
use crate::mutants::MutantId;
use crate::stimulus::{Choices, window::stimulus};
use crate::suite::Suite;

/// Cycles in one call across the bridge.
const CHUNK: usize = 64;
/// Operations that a report shows.
const HISTORY: usize = 8;

const COUNTERS: [&str; 8] = [
    "register reads",
    "register writes",
    "refused accesses",
    "hits",
    "several hits",
    "misses",
    "misses that pass",
    "hits by a Q7",
];

/// Model and RTL of the window block in lock-step.
pub struct WindowLockstep {
    rtl: WindowBlock,
    responses: Vec<WindowResponse>,
}

/// What the model answers in a cycle, which changes it.
#[must_use]
pub fn expected(file: &mut WindowFile, inputs: &WindowStimulus) -> WindowResponse {
    let who = if inputs.lookup_nx {
        Requester::Nx
    } else {
        Requester::Q7(Q7Core::wrapping(inputs.lookup_q7))
    };
    let policy = if inputs.miss_pass {
        WindowMissPolicy::Pass
    } else {
        WindowMissPolicy::Miss
    };
    // A write of this cycle acts at its end. [docs/cycle-contracts.md]
    let found = file.peek(inputs.lookup_addr, who, policy);
    let mut outputs = WindowResponse {
        out_addr: found.address.map_or(0, |address| address.0),
        index: found.window.unwrap_or(0),
        hit: found.window.is_some(),
        multi_hit: found.multi_hit,
        ..WindowResponse::default()
    };
    if inputs.reg_valid {
        let offset = u32::from(inputs.reg_addr);
        let answer = if inputs.reg_write {
            file.write(offset, inputs.reg_wdata).map(|()| 0)
        } else {
            file.read(offset)
        };
        outputs.reg_rvalid = true;
        outputs.reg_error = answer.is_err();
        outputs.reg_rdata = answer.unwrap_or(0);
    }
    outputs
}

impl BlockLockstep for WindowLockstep {
    const SUITE: Suite = Suite::Window;
    const COUNTERS: &'static [&'static str] = &COUNTERS;
    const GENERATIONS: &'static [Generation] = &[Generation::V3];
    const EPISODE: u64 = 512;
    type Episode = Vec<WindowStimulus>;

    fn new(design: Design) -> Result<Self, RtlError> {
        let rtl = match design {
            Design::Plain => WindowBlock::new()?,
            Design::Instrumented(mutant) => {
                let mut rtl = WindowBlock::instrumented()?;
                rtl.set_mutant(mutant)?;
                rtl
            }
        };
        Ok(Self {
            rtl,
            responses: vec![WindowResponse::default(); CHUNK],
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
        _: Generation,
        _: u64,
        length: usize,
        choices: &mut impl Choices,
    ) -> Vec<WindowStimulus> {
        (0..length).map(|_| stimulus(choices)).collect()
    }

    fn run(&mut self, episode: &Vec<WindowStimulus>) -> Result<BlockRun, RtlError> {
        let mut counts = [0; COUNTERS.len()];
        let mut file = WindowFile::default();
        let shown = self.rtl.reset()?;
        let idle = expected(&mut file, &WindowStimulus::default());
        if shown != idle {
            return Ok(end(episode, 0, Some((idle, shown)), &counts));
        }
        for (number, chunk) in episode.chunks(CHUNK).enumerate() {
            let first = number * CHUNK;
            let responses = &mut self.responses[..chunk.len()];
            self.rtl
                .run_batch(chunk, responses)
                .map_err(|error| error.after(first as u64))?;
            for (at, (inputs, rtl)) in chunk.iter().zip(responses).enumerate() {
                let model = expected(&mut file, inputs);
                count(&mut counts, inputs, &model);
                if model != *rtl {
                    return Ok(end(episode, first + at, Some((model, *rtl)), &counts));
                }
            }
        }
        Ok(end(episode, episode.len(), None, &counts))
    }

    fn describe(episode: &Vec<WindowStimulus>, position: usize) -> String {
        episode
            .get(position)
            .map_or_else(|| "after reset".to_owned(), describe)
    }
}

fn count(counts: &mut [u64; COUNTERS.len()], inputs: &WindowStimulus, model: &WindowResponse) {
    let happened = [
        inputs.reg_valid && !inputs.reg_write && !model.reg_error,
        inputs.reg_valid && inputs.reg_write && !model.reg_error,
        model.reg_error,
        model.hit,
        model.multi_hit,
        !model.hit,
        !model.hit && inputs.miss_pass,
        model.hit && !inputs.lookup_nx,
    ];
    for (count, happened) in counts.iter_mut().zip(happened) {
        *count += u64::from(happened);
    }
}

fn end(
    episode: &[WindowStimulus],
    position: usize,
    sides: Option<(WindowResponse, WindowResponse)>,
    counts: &[u64; COUNTERS.len()],
) -> BlockRun {
    let compared = episode.len().min(position + usize::from(sides.is_some()));
    BlockRun {
        difference: sides.map(|(model, rtl)| difference(episode, position, &model, &rtl)),
        tally: BlockTally {
            operations: compared as u64,
            counts: counts.to_vec(),
        },
    }
}

#[cold]
fn difference(
    episode: &[WindowStimulus],
    position: usize,
    model: &WindowResponse,
    rtl: &WindowResponse,
) -> BlockDifference {
    let answer = "soc-address §3.1, MC-16";
    let registers = [
        pair("reg_rvalid", answer, model.reg_rvalid, rtl.reg_rvalid),
        hex_pair("reg_rdata", answer, model.reg_rdata, rtl.reg_rdata),
        pair("reg_error", answer, model.reg_error, rtl.reg_error),
    ];
    let lookup = [
        pair("hit", "soc-address §3.2", model.hit, rtl.hit),
        pair("index", "soc-address MC-18", model.index, rtl.index),
        pair(
            "multi_hit",
            "soc-address MC-18",
            model.multi_hit,
            rtl.multi_hit,
        ),
        hex_pair(
            "out_addr",
            "soc-address §3.2, MC-17, MC-19",
            model.out_addr,
            rtl.out_addr,
        ),
    ];
    // A lookup depends on what was written, never on another lookup.
    let window = |inputs: &WindowStimulus| u32::from(inputs.reg_addr) / STRIDE;
    let read = episode.get(position).filter(|inputs| inputs.reg_valid);
    let concerns = |inputs: &WindowStimulus| {
        let same = read.is_some_and(|read| window(read) == window(inputs))
            && registers.iter().any(super::FieldPair::differs);
        let won = [model, rtl].map(|side| u32::from(side.index));
        let looked = won.contains(&window(inputs)) && lookup.iter().any(super::FieldPair::differs);
        inputs.reg_valid && (same || looked)
    };
    let mut history: Vec<String> = episode[..episode.len().min(position + 1)]
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, inputs)| concerns(inputs))
        .take(HISTORY)
        .map(|(at, inputs)| format!("cycle {at}: {}", access(inputs)))
        .collect();
    history.reverse();
    BlockDifference {
        position,
        pairs: registers.into_iter().chain(lookup).collect(),
        history,
    }
}

fn access(inputs: &WindowStimulus) -> String {
    const NAMES: [&str; REGISTERS] = [
        "control",
        "mask_lo",
        "mask_hi",
        "match_lo",
        "match_hi",
        "replace_lo",
        "replace_hi",
    ];
    let offset = u32::from(inputs.reg_addr);
    let place = match WindowFile::default().read(offset) {
        Ok(_) => format!(
            "window {} {}",
            offset / STRIDE,
            NAMES[(offset % STRIDE / 4) as usize]
        ),
        Err(WindowAccessError::Unaligned { .. }) => "no register (unaligned)".to_owned(),
        Err(WindowAccessError::Beyond { .. }) => "no register (beyond the last)".to_owned(),
    };
    if inputs.reg_write {
        format!("write {offset:#05x} {place} = {:#010x}", inputs.reg_wdata)
    } else {
        format!("read  {offset:#05x} {place}")
    }
}

fn describe(inputs: &WindowStimulus) -> String {
    let who = if inputs.lookup_nx {
        "NX".to_owned()
    } else {
        format!("Q7 {}", inputs.lookup_q7)
    };
    let miss = if inputs.miss_pass { "pass" } else { "miss" };
    let lookup = format!(
        "lookup {:#010x} by {who}, window_miss = {miss}",
        inputs.lookup_addr
    );
    if inputs.reg_valid {
        format!("{lookup}\n{}", access(inputs))
    } else {
        lookup
    }
}
