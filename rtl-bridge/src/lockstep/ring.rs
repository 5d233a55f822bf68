// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lock-step over the DMA engines: a script runs on the RTL in one call, then step by step on the model, and
//! whatever the engines did is compared where both are settled. `docs/idma-contract.md`, "What is compared"

use pool_model::generation::Generation;

use super::block::{BlockDifference, BlockLockstep, BlockRun, BlockTally, Design};
use super::ring_events::{Comparison, Manner, Parting, RingLog, View};
use super::ring_model::{GEN, GroupModel, S2M, Target, target};
use super::ring_report::{self, Place};
use super::ring_tally::{COUNTERS, RingTally};
use crate::error::{Hang, RtlError};
use crate::mutants::MutantId;
use crate::stimulus::{Choices, ring::script};
use crate::suite::Suite;
use crate::udma::{
    ENGINES, RingEnd, RingEngineState, RingEvent, RingEventKind, RingOp, RingOpKind, RingScript,
    UdmaGroup, Watchdog,
};

/// Regions of a memory that only writes of engines reach: completion rings and sinks of the scripts. After
/// something was taken away in flight they are not compared.
const WRITTEN_REGIONS: [usize; 9] = [2, 8, 9, 10, 11, 12, 13, 14, 15];

/// Model and RTL of the DMA engines in lock-step.
pub struct RingLockstep {
    rtl: UdmaGroup,
    model: GroupModel,
    log: RingLog,
    comparison: Comparison,
    watchdog: Watchdog,
}

/// What is known about an engine beyond its state.
#[derive(Clone, Default)]
struct Knowledge {
    /// A register was written while it may have been at work.
    is_loose: bool,
    /// Something was taken away in flight: statistics, log and causes differ until the next reset.
    is_stale: bool,
    /// The pointers of these directions of queues differ until `rst_q`.
    unknown: [bool; 4],
    /// What it would have done in this stretch if nothing had been taken away.
    future: Option<RingLog>,
    /// Of what this covers, no completion may begin any more in this stretch.
    ended: Option<Ended>,
}

/// Work that a command has ended.
#[derive(Clone, Copy)]
struct Ended {
    /// The step of the command.
    op: u32,
    s2m: bool,
    /// One queue, or all.
    queue: Option<u32>,
}

impl Ended {
    fn by(op: u32, offset: u32, data: u32) -> Option<Self> {
        let s2m = offset >= S2M;
        match soft_control(offset) {
            Some((queue, _)) if data >> 8 & 1 == 1 => Some(Self {
                op,
                s2m,
                queue: Some(queue),
            }),
            None if data & 4 != 0 => Some(Self {
                op,
                s2m,
                queue: None,
            }),
            _ => None,
        }
    }

    fn covers(self, event: &RingEvent) -> bool {
        event.kind == RingEventKind::Completion
            && event.op > self.op
            && event.s2m == self.s2m
            && self
                .queue
                .is_none_or(|queue| queue == u32::from(event.queue))
    }
}

/// How far a run has been compared.
struct Walk {
    knowledge: Vec<Knowledge>,
    tally: RingTally,
    /// Where the present stretch begins in either log.
    model_from: usize,
    rtl_from: usize,
    values: usize,
    states: usize,
}

enum Step {
    Agrees,
    Differs(Box<BlockDifference>),
    /// Nothing behind this step can be compared.
    Ends,
}

impl RingLockstep {
    /// Chooses when a run is taken for hung.
    pub const fn set_watchdog(&mut self, watchdog: Watchdog) {
        self.watchdog = watchdog;
    }

    /// Runs a script on both sides and compares them.
    pub fn run_script(&mut self, script: &RingScript) -> Result<BlockRun, RtlError> {
        let end = self.rtl.run(script, self.watchdog)?;
        self.compare(script, end)
    }

    fn compare(&mut self, script: &RingScript, end: RingEnd) -> Result<BlockRun, RtlError> {
        self.log.clear();
        self.model.reset(Generation::default());
        let mut walk = Walk {
            knowledge: vec![Knowledge::default(); usize::from(ENGINES)],
            tally: RingTally::default(),
            model_from: 0,
            rtl_from: 0,
            values: 0,
            states: 0,
        };
        let mut position = 0;
        for (index, op) in (0..end.done).zip(&script.ops) {
            position = index as usize + 1;
            match self.step(script, index, op, &mut walk)? {
                Step::Agrees => {}
                Step::Differs(found) => {
                    return Ok(BlockRun {
                        difference: Some(*found),
                        tally: walk.tally.finish(position as u64),
                    });
                }
                Step::Ends => {
                    return Ok(BlockRun {
                        difference: None,
                        tally: walk.tally.finish(position as u64),
                    });
                }
            }
        }
        if end.hung {
            return self.hang(end.done, script, &walk);
        }
        Ok(BlockRun {
            difference: None,
            tally: walk.tally.finish(position as u64),
        })
    }

    fn settle(&mut self, index: u32, walk: &Walk) -> Result<(), RtlError> {
        self.model.settle(index, &mut self.log).map_err(|engine| {
            let state = self
                .rtl
                .states()
                .get(walk.states * usize::from(ENGINES) + engine);
            RtlError::Hang(Box::new(Hang {
                item: u64::from(index),
                model: format!("engine {engine}: works without end"),
                rtl: state.map_or_else(|| "nothing".to_owned(), ring_report::rtl_reason),
            }))
        })
    }

    fn step(
        &mut self,
        script: &RingScript,
        index: u32,
        op: &RingOp,
        walk: &mut Walk,
    ) -> Result<Step, RtlError> {
        if op.settled || op.kind == RingOpKind::Settle {
            self.settle(index, walk)?;
        }
        let reached = Self::reached(op);
        if !op.settled {
            self.unsettled(index, op, &reached, walk);
        }
        if op.kind == RingOpKind::Settle {
            let end = self.rtl.events();
            let until =
                walk.rtl_from + end[walk.rtl_from..].partition_point(|event| event.op <= index);
            let step = self.compare_stretch(index, until, walk);
            return Ok(match step {
                Step::Agrees => self.compare_states(index, walk),
                other => other,
            });
        }
        if op.kind == RingOpKind::Reset {
            let events = self.rtl.events();
            let until =
                walk.rtl_from + events[walk.rtl_from..].partition_point(|event| event.op <= index);
            let step = self.compare_stretch(index, until, walk);
            if !matches!(step, Step::Agrees) {
                return Ok(step);
            }
            walk.knowledge.fill(Knowledge::default());
            walk.tally.reset();
        }
        walk.tally.count(op, &reached, &self.model);
        let found = self.model.apply(script, index, op, &mut self.log);
        if op.kind == RingOpKind::Write {
            Self::forget(op, &reached, walk);
        }
        let Some(model) = found else {
            return Ok(Step::Agrees);
        };
        let rtl = self.rtl.values().get(walk.values).copied().unwrap_or(0);
        walk.values += 1;
        let is_stale = (0..)
            .zip(&walk.knowledge)
            .any(|(engine, it)| it.is_stale && reached.engines >> engine & 1 == 1);
        if model == rtl || is_stale || !op.settled {
            return Ok(Step::Agrees);
        }
        Ok(Step::Differs(Box::new(ring_report::register(
            index as usize,
            op,
            &reached,
            model,
            rtl,
            self.place(index),
        ))))
    }

    /// Engines that a step reaches.
    fn reached(op: &RingOp) -> Target {
        match op.kind {
            RingOpKind::Write => target(op.address as u32, Some(op.data)),
            RingOpKind::Read => target(op.address as u32, None),
            RingOpKind::Reset => Target {
                engines: 0xF,
                offset: 0,
                broadcast: false,
            },
            RingOpKind::Inject => Target {
                engines: 1 << op.engine,
                offset: 0,
                broadcast: false,
            },
            _ => Target {
                engines: 0,
                offset: 0,
                broadcast: false,
            },
        }
    }

    /// What a step means that does not wait until the engines are settled.
    fn unsettled(&mut self, index: u32, op: &RingOp, reached: &Target, walk: &mut Walk) {
        let takes_away = match op.kind {
            RingOpKind::Reset | RingOpKind::Inject => true,
            RingOpKind::Write => is_command(reached.offset),
            _ => false,
        };
        let is_input = takes_away || op.kind == RingOpKind::Write;
        for engine in 0..usize::from(ENGINES) {
            if !is_input || reached.engines >> engine & 1 == 0 {
                continue;
            }
            let known = &mut walk.knowledge[engine];
            known.is_loose = true;
            if takes_away && known.future.is_none() {
                let mut future = RingLog::default();
                let view = self.log.view();
                for event in &view.events[walk.model_from..] {
                    if usize::from(event.engine) == engine {
                        future.push(*event, view.data(event));
                    }
                }
                let before = future.events.len();
                self.model.future(engine, index, &mut future);
                walk.tally.taken_away(op, future.events.len() > before);
                known.future = Some(future);
                if op.kind == RingOpKind::Write {
                    known.ended = Ended::by(index, reached.offset, op.data);
                }
                known.is_stale = true;
                known.unknown = [true; 4];
            }
        }
    }

    /// A queue that is reset is known again.
    fn forget(op: &RingOp, reached: &Target, walk: &mut Walk) {
        let Some((queue, part)) = soft_control(reached.offset) else {
            return;
        };
        if op.data >> 8 & 1 == 0 || !op.settled {
            return;
        }
        for (engine, known) in walk.knowledge.iter_mut().enumerate() {
            if reached.engines >> engine & 1 == 1 && queue < 2 {
                known.unknown[2 * queue as usize + part] = false;
            }
        }
    }

    /// What both sides did up to a step.
    fn place(&self, index: u32) -> Place<'_> {
        let events = self.rtl.events();
        let until = events.partition_point(|event| event.op <= index);
        Place {
            model: self.log.view(),
            rtl: View {
                events: &events[..until],
                bytes: self.rtl.bytes(),
            },
            engines: &self.model,
        }
    }

    /// Compares what was done since the last time, up to event `until` of the RTL.
    fn compare_stretch(&mut self, index: u32, until: usize, walk: &mut Walk) -> Step {
        let (from, to) = (walk.model_from, self.log.events.len());
        for number in 0..ENGINES {
            let known = &mut walk.knowledge[usize::from(number)];
            if self.model.ports[usize::from(number)].is_ambiguous {
                walk.tally.ambiguous();
                return Step::Ends;
            }
            let rtl = View {
                events: &self.rtl.events()[walk.rtl_from..until],
                bytes: self.rtl.bytes(),
            };
            let future = known.future.take();
            let ended = known.ended.take();
            let (manner, model) = match &future {
                Some(future) => (Manner::Part, future.view()),
                None => (
                    if known.is_loose {
                        Manner::PerQueue
                    } else {
                        Manner::Exact
                    },
                    View {
                        events: &self.log.events[from..to],
                        bytes: &self.log.bytes,
                    },
                ),
            };
            let mut parting = self.comparison.part(number, manner, model, rtl);
            if let Some(ended) = ended.filter(|_| parting.is_none()) {
                let own = rtl.events.iter().filter(|event| event.engine == number);
                // A request that was already there is still taken.
                let beyond = own.copied().filter(|event| ended.covers(event)).nth(1);
                parting = beyond.map(|event| Parting {
                    model: None,
                    rtl: Some(event),
                });
            }
            if let Some(parting) = parting {
                let place = Place {
                    model,
                    rtl: View {
                        events: &self.rtl.events()[..until],
                        bytes: self.rtl.bytes(),
                    },
                    engines: &self.model,
                };
                return Step::Differs(Box::new(ring_report::events(
                    index as usize,
                    parting,
                    place,
                )));
            }
        }
        walk.tally.events(&self.log.events[from..to], &self.model);
        walk.model_from = to;
        walk.rtl_from = until;
        Step::Agrees
    }

    fn compare_states(&mut self, index: u32, walk: &mut Walk) -> Step {
        let first = walk.states * usize::from(ENGINES);
        walk.states += 1;
        for number in 0..usize::from(ENGINES) {
            let Some(rtl) = self.rtl.states().get(first + number).copied() else {
                return Step::Ends;
            };
            let model = self.model.state(number);
            let known = &walk.knowledge[number];
            let [model, rtl] = [model, rtl].map(|state| compared(state, known, &self.model));
            walk.tally.state(number, &model, &self.model);
            if model != rtl {
                let found =
                    ring_report::state(index as usize, number, &model, &rtl, self.place(index));
                return Step::Differs(Box::new(found));
            }
        }
        Step::Agrees
    }

    /// The watchdog struck in the step `index`.
    fn hang(&mut self, index: u32, script: &RingScript, walk: &Walk) -> Result<BlockRun, RtlError> {
        let op = script.ops.get(index as usize);
        if op.is_some_and(|op| op.settled || op.kind == RingOpKind::Settle) {
            self.settle(index, walk)?;
        }
        // A broken rule of a port explains a hang better than what it led to.
        let events = &self.rtl.events()[walk.rtl_from..];
        if let Some(broken) = events.iter().find(|it| it.kind == RingEventKind::Violation) {
            let parting = Parting {
                model: None,
                rtl: Some(*broken),
            };
            let found = ring_report::events(index as usize, parting, self.place(index));
            return Ok(BlockRun {
                difference: Some(found),
                tally: walk.tally.clone().finish(u64::from(index) + 1),
            });
        }
        let states = self.rtl.states();
        let last = states.len().saturating_sub(usize::from(ENGINES));
        let stuck = (0..).zip(&states[last..]).find(|(_, state)| !state.settled);
        let engine = stuck.map_or(0, |(engine, _)| engine);
        let rtl = stuck.map_or_else(
            || "a register access that is never taken".to_owned(),
            |(engine, state)| format!("engine {engine}: {}", ring_report::rtl_reason(state)),
        );
        let blocked = self.model.engines[engine].blocked();
        let model = blocked.map_or_else(
            || format!("engine {engine}: nothing, it is idle"),
            |reason| format!("engine {engine}: {reason}"),
        );
        Err(RtlError::Hang(Box::new(Hang {
            item: u64::from(index),
            model,
            rtl,
        })))
    }
}

/// What of a state is compared: what the model has, and is known.
fn compared(mut state: RingEngineState, known: &Knowledge, model: &GroupModel) -> RingEngineState {
    state.step = 0;
    state.packet_queue = 0;
    state.settled = true;
    let has_data_tail = !matches!(model.generation, Generation::V2 | Generation::V5);
    for (queue, unknown) in state.queues.iter_mut().zip(known.unknown) {
        if unknown {
            *queue = crate::udma::RingQueueState::default();
        }
        if !has_data_tail {
            queue.data_tail = 0;
        }
    }
    if known.unknown.contains(&true) {
        state.state = [0; 2];
    }
    if known.is_stale {
        for region in WRITTEN_REGIONS {
            state.digest[region] = 0;
        }
    }
    state
}

/// Whether writing the register can take work away: state commands and soft control.
fn is_command(offset: u32) -> bool {
    /// `change_state`. [idma-ring §2.5]
    const CHANGE_STATE: u32 = 0x204;
    offset == CHANGE_STATE || offset == S2M + CHANGE_STATE || soft_control(offset).is_some()
}

/// Queue and direction of a soft control register. [idma-ring §§2.3, 2.4]
fn soft_control(offset: u32) -> Option<(u32, usize)> {
    if offset >= GEN {
        return None;
    }
    let part = usize::from(offset >= S2M);
    let register = [0xB0, 0x64][part];
    let inside = offset % S2M;
    (inside % 0x1000 == register && inside >= 0x1000).then(|| (inside / 0x1000 - 1, part))
}

impl BlockLockstep for RingLockstep {
    const SUITE: Suite = Suite::Ring;
    const COUNTERS: &'static [&'static str] = &COUNTERS;
    const GENERATIONS: &'static [Generation] = &Generation::ALL;
    const EPISODE: u64 = 1024;
    const COST: u64 = 3;
    type Episode = RingScript;

    fn new(design: Design) -> Result<Self, RtlError> {
        let rtl = match design {
            Design::Plain => UdmaGroup::new()?,
            Design::Instrumented(mutant) => {
                let mut rtl = UdmaGroup::instrumented()?;
                rtl.set_mutant(mutant)?;
                rtl
            }
        };
        Ok(Self {
            rtl,
            model: GroupModel::new(),
            log: RingLog::default(),
            comparison: Comparison::default(),
            watchdog: Watchdog::default(),
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
    ) -> RingScript {
        script(generation, length, choices)
    }

    fn run(&mut self, episode: &RingScript) -> Result<BlockRun, RtlError> {
        self.run_script(episode)
    }

    fn describe(episode: &RingScript, position: usize) -> String {
        ring_report::describe(episode, position)
    }
}

/// What a run exercised.
impl RingTally {
    fn finish(self, operations: u64) -> BlockTally {
        BlockTally {
            operations,
            counts: self.counts.to_vec(),
        }
    }
}
