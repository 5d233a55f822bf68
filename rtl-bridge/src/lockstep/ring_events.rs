// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the engines did, agent by agent, and where two sides part.

use crate::udma::{ENGINES, QUEUES, RingEvent, RingEventKind};

/// Events with their bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct RingLog {
    pub events: Vec<RingEvent>,
    pub bytes: Vec<u8>,
}

impl RingLog {
    pub fn clear(&mut self) {
        self.events.clear();
        self.bytes.clear();
    }

    pub fn push(&mut self, mut event: RingEvent, bytes: &[u8]) {
        event.start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        self.events.push(event);
    }

    pub fn view(&self) -> View<'_> {
        View {
            events: &self.events,
            bytes: &self.bytes,
        }
    }
}

/// Borrowed events with their bytes.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub events: &'a [RingEvent],
    pub bytes: &'a [u8],
}

impl<'a> View<'a> {
    pub fn data(&self, event: &RingEvent) -> &'a [u8] {
        let length = match event.kind {
            RingEventKind::Read | RingEventKind::Write | RingEventKind::Completion => event.length,
            _ => 0,
        };
        let start = event.start as usize;
        self.bytes
            .get(start..start + length as usize)
            .unwrap_or_default()
    }
}

/// How the events of a stretch of a run are held against each other. `docs/idma-contract.md`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Registers were written while the engine was settled: the order of its queues counts, and its bursts.
    Exact,
    /// They were not: each queue for itself, descriptor by descriptor.
    PerQueue,
    /// And something was taken away in flight: the RTL did a part of what the model would have done.
    Part,
}

/// Agents whose events are in order, in the comparison of an engine.
const KINDS: usize = 8;

fn agent(event: &RingEvent, manner: Manner) -> usize {
    // Errors come first: the others often follow from them.
    let kind = match event.kind {
        RingEventKind::Violation => 0,
        RingEventKind::Error => 1,
        kind => kind.repr as usize + 2,
    };
    let directed = match (event.kind, manner) {
        (RingEventKind::Fetch | RingEventKind::Completion, Manner::Exact) => false,
        _ => event.s2m,
    };
    let queue = match manner {
        Manner::Exact => 0,
        Manner::PerQueue | Manner::Part => usize::from(event.queue.min(QUEUES)),
    };
    (kind * 2 + usize::from(directed)) * (usize::from(QUEUES) + 1) + queue
}

const AGENTS: usize = KINDS * 2 * (QUEUES as usize + 1);

/// Two events of one agent that should be one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parting {
    pub model: Option<RingEvent>,
    pub rtl: Option<RingEvent>,
}

/// Compares the events of engines, and finds the first two that differ.
#[derive(Default)]
pub(super) struct Comparison {
    lists: [Vec<Vec<RingEvent>>; 2],
}

impl Comparison {
    pub fn part(
        &mut self,
        engine: u8,
        manner: Manner,
        model: View<'_>,
        rtl: View<'_>,
    ) -> Option<Parting> {
        for (lists, view) in self.lists.iter_mut().zip([model, rtl]) {
            lists.resize_with(AGENTS, Vec::new);
            lists.iter_mut().for_each(Vec::clear);
            for event in view.events.iter().filter(|event| event.engine == engine) {
                let list = &mut lists[agent(event, manner)];
                if event.kind == RingEventKind::Fetch && manner != Manner::Exact {
                    list.extend((0..event.length).map(|beat| RingEvent {
                        address: event.address.wrapping_add(16 * u64::from(beat)),
                        length: 1,
                        ..*event
                    }));
                } else {
                    list.push(*event);
                }
            }
        }
        let [models, rtls] = &self.lists;
        for (ours, theirs) in models.iter().zip(rtls) {
            let any = ours.first().or(theirs.first());
            // What was injected, or raised by one side only because of what was taken away, is in the registers.
            if manner == Manner::Part && any.is_some_and(|it| it.kind == RingEventKind::Error) {
                continue;
            }
            let longest = ours.len().max(theirs.len());
            for at in 0..longest {
                let (a, b) = (ours.get(at), theirs.get(at));
                let equal = match (a, b) {
                    (Some(a), Some(b)) if manner == Manner::Part && b.cut => {
                        a.address == b.address && model.data(a).starts_with(rtl.data(b))
                    }
                    (Some(a), Some(b)) => same(a, b) && model.data(a) == rtl.data(b),
                    (Some(_), None) => manner == Manner::Part,
                    _ => false,
                };
                if !equal {
                    return Some(Parting {
                        model: a.copied(),
                        rtl: b.copied(),
                    });
                }
            }
        }
        None
    }
}

fn same(a: &RingEvent, b: &RingEvent) -> bool {
    (a.kind, a.s2m, a.queue, a.address, a.length, a.cut)
        == (b.kind, b.s2m, b.queue, b.address, b.length, b.cut)
}

/// The events of an agent, as its history: those of the same kind, direction and queue.
pub(super) fn history<'a>(
    view: View<'a>,
    like: &RingEvent,
) -> impl DoubleEndedIterator<Item = &'a RingEvent> {
    let RingEvent {
        kind,
        engine,
        s2m,
        queue,
        ..
    } = *like;
    view.events.iter().filter(move |it| {
        (it.kind, it.engine, it.s2m, it.queue) == (kind, engine, s2m, queue) && it.engine < ENGINES
    })
}
