// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the scripts of the DMA engines exercise, by the model.

use pool_model::transaction::Direction;

use super::ring_model::{GEN, GroupModel, S2M, Target};
use crate::udma::{RingEngineState, RingEvent, RingEventKind, RingOp, RingOpKind};

macro_rules! counters {
    ($($name:ident $text:literal,)*) => {
        #[derive(Clone, Copy)]
        enum Counter { $($name,)* }
        pub(super) const COUNTERS: [&str; [$($text),*].len()] = [$($text),*];
    };
}

counters! {
    Writes "register writes",
    Reads "register reads",
    DoorbellZero "doorbells of 0",
    DoorbellBelow "doorbells of N-1",
    DoorbellFull "doorbells of N",
    DoorbellAbove "doorbells of N+1",
    DoorbellMore "doorbells while BDs are posted",
    Broadcasts "broadcast doorbells",
    BigDoorbells "doorbells beyond 16 bits",
    Descriptors "BDs fetched",
    Laps "laps",
    FourLaps "rings of four laps and more",
    OddRings "rings that are no power of two",
    DataReads "BDs read",
    EmptyReads "reads cut at their first byte",
    LargeReads "reads of 64 KiB",
    DataWrites "parts written",
    Completions "completion entries",
    Packets "packets",
    Stalls "stalls set",
    Strangers "stalls with stray responses",
    FaultFetch "failing BD reads",
    FaultRead "failing data reads",
    FaultWrite "failing data writes",
    FaultComplete "failing completion writes",
    Injected "errors injected",
    AbortedM2s "M2S aborted",
    AbortedS2m "S2M aborted",
    QueueResets "queues reset",
    ResetFlight "resets in flight",
    AbortFlight "aborts in flight",
    QueueFlight "queues reset in flight",
    Unsettled "writes while at work",
    Drops "packets dropped",
    Waiting "packets that wait for an RX BD",
    DataTail "packets that wait for the data tail",
    Dead "dead packets",
    Unfinished "packets without LAST",
    Ambiguous "runs ended by overlapping buffers",
    M2s5 "M2S 5 completion response",
    M2s6 "M2S 6 completion time-out",
    M2s8 "M2S 8 data response",
    M2s9 "M2S 9 data time-out",
    M2s11 "M2S 11 prefetch response",
    M2s12 "M2S 12 prefetch time-out",
    M2s13 "M2S 13 packet length",
    M2s14 "M2S 14 BDs of a packet",
    M2s15 "M2S 15 FIRST",
    M2s16 "M2S 16 LAST",
    M2s17 "M2S 17 ring id",
    M2s31 "M2S 31 illegal operation",
    S2m1 "S2M 1 data response",
    S2m2 "S2M 2 data time-out",
    S2m6 "S2M 6 no BD in time",
    S2m7 "S2M 7 no BD, hint",
    S2m9 "S2M 9 prefetch response",
    S2m10 "S2M 10 prefetch time-out",
    S2m11 "S2M 11 ring id",
    S2m14 "S2M 14 completion response",
    S2m15 "S2M 15 completion time-out",
    S2m31 "S2M 31 bit 31 of a BD",
}

/// The counter of each error bit that traffic raises. [decisions D-41]
const ERRORS: [&[(u32, Counter)]; 2] = [
    &[
        (5, Counter::M2s5),
        (6, Counter::M2s6),
        (8, Counter::M2s8),
        (9, Counter::M2s9),
        (11, Counter::M2s11),
        (12, Counter::M2s12),
        (13, Counter::M2s13),
        (14, Counter::M2s14),
        (15, Counter::M2s15),
        (16, Counter::M2s16),
        (17, Counter::M2s17),
        (31, Counter::M2s31),
    ],
    &[
        (1, Counter::S2m1),
        (2, Counter::S2m2),
        (6, Counter::S2m6),
        (7, Counter::S2m7),
        (9, Counter::S2m9),
        (10, Counter::S2m10),
        (11, Counter::S2m11),
        (14, Counter::S2m14),
        (15, Counter::S2m15),
        (31, Counter::S2m31),
    ],
];

/// A ring since it was reset.
#[derive(Clone, Copy, Default)]
struct Ring {
    fetched: u64,
    laps: u64,
}

#[derive(Clone)]
pub(super) struct RingTally {
    pub counts: [u64; COUNTERS.len()],
    rings: [[Ring; 4]; 4],
    failed: [[u64; 4]; 4],
    states: [[u8; 2]; 4],
    /// `drop_pkt` of each engine.
    dropped: [u32; 4],
    /// The next error of this engine and direction is an injected one.
    injects: Option<(u8, bool)>,
}

impl Default for RingTally {
    fn default() -> Self {
        Self {
            counts: [0; COUNTERS.len()],
            rings: Default::default(),
            failed: Default::default(),
            states: Default::default(),
            dropped: [0; 4],
            injects: None,
        }
    }
}

impl RingTally {
    fn add(&mut self, counter: Counter, more: u64) {
        self.counts[counter as usize] += more;
    }

    fn happened(&mut self, counter: Counter) {
        self.add(counter, 1);
    }

    pub fn reset(&mut self) {
        self.rings = Default::default();
        self.states = Default::default();
        self.dropped = [0; 4];
        self.failed = Default::default();
    }

    pub fn ambiguous(&mut self) {
        self.happened(Counter::Ambiguous);
    }

    /// A step took something away; `at_work` if there was something.
    pub fn taken_away(&mut self, op: &RingOp, at_work: bool) {
        if !at_work {
            return;
        }
        self.happened(match op.kind {
            RingOpKind::Reset => Counter::ResetFlight,
            RingOpKind::Write if op.address & 0xFFF != 0x204 => Counter::QueueFlight,
            _ => Counter::AbortFlight,
        });
    }

    /// A step, before it acts.
    pub fn count(&mut self, op: &RingOp, reached: &Target, model: &GroupModel) {
        match op.kind {
            RingOpKind::Write => {
                self.happened(Counter::Writes);
                if !op.settled {
                    self.happened(Counter::Unsettled);
                }
                self.queue_write(op, reached, model);
            }
            RingOpKind::Read => self.happened(Counter::Reads),
            RingOpKind::Stall => {
                self.happened(Counter::Stalls);
                if op.address & 1 == 1 {
                    self.happened(Counter::Strangers);
                }
            }
            RingOpKind::Inject => {
                self.happened(Counter::Injected);
                self.injects = (op.port < 2).then_some((op.engine, op.port == 1));
            }
            _ => {}
        }
    }

    fn queue_write(&mut self, op: &RingOp, reached: &Target, model: &GroupModel) {
        let inside = reached.offset % S2M;
        if reached.offset >= GEN || inside < 0x1000 {
            return;
        }
        let (queue, register) = (inside / 0x1000 - 1, inside % 0x1000);
        let part = usize::from(reached.offset >= S2M);
        let slot = 2 * queue as usize + part;
        if register == [0xB0, 0x64][part] && op.data >> 8 & 1 == 1 && slot < 4 {
            for engine in (0..4).filter(|engine| reached.engines >> engine & 1 == 1) {
                self.rings[engine][slot] = Ring::default();
                self.happened(Counter::QueueResets);
            }
        }
        if register != 0x38 || queue > 1 {
            return;
        }
        if reached.broadcast {
            self.happened(Counter::Broadcasts);
        }
        let count = op.data & if reached.broadcast { 0xFFFF } else { 0xFF_FFFF };
        if count > 0xFFFF {
            self.happened(Counter::BigDoorbells);
        }
        for engine in (0..4).filter(|engine| reached.engines >> engine & 1 == 1) {
            let block = reached.offset - register;
            let length = model.engines[engine].read(block + 0x30);
            let kind = match count {
                0 => Some(Counter::DoorbellZero),
                _ if length > 0 && count + 1 == length => Some(Counter::DoorbellBelow),
                _ if count == length => Some(Counter::DoorbellFull),
                _ if length > 0 && count == length + 1 => Some(Counter::DoorbellAbove),
                _ => None,
            };
            if let Some(kind) = kind {
                self.happened(kind);
            }
            let direction = Direction::ALL[part];
            let it = model.engines[engine].queue(direction, queue as u8);
            if it.is_some_and(|it| it.posted() > 0) {
                self.happened(Counter::DoorbellMore);
            }
        }
    }

    /// What the model did in a stretch.
    pub fn events(&mut self, events: &[RingEvent], model: &GroupModel) {
        for event in events {
            match event.kind {
                RingEventKind::Fetch => {
                    self.add(Counter::Descriptors, u64::from(event.length));
                    self.fetched(event, model);
                }
                RingEventKind::Read => {
                    self.happened(Counter::DataReads);
                    match event.length {
                        0 => self.happened(Counter::EmptyReads),
                        0x1_0000 => self.happened(Counter::LargeReads),
                        _ => {}
                    }
                }
                RingEventKind::Write => self.happened(Counter::DataWrites),
                RingEventKind::Completion => self.happened(Counter::Completions),
                RingEventKind::Packet => self.happened(Counter::Packets),
                RingEventKind::Error => {
                    if self.injects == Some((event.engine, event.s2m)) {
                        self.injects = None;
                        continue;
                    }
                    for (bit, counter) in ERRORS[usize::from(event.s2m)] {
                        self.add(*counter, u64::from(event.length >> bit & 1));
                    }
                }
                _ => {}
            }
        }
        for (engine, port) in model.ports.iter().enumerate() {
            let counters = [
                Counter::FaultFetch,
                Counter::FaultRead,
                Counter::FaultWrite,
                Counter::FaultComplete,
            ];
            for (at, counter) in counters.into_iter().enumerate() {
                let before = std::mem::replace(&mut self.failed[engine][at], port.failed[at]);
                self.add(counter, port.failed[at].saturating_sub(before));
            }
        }
    }

    fn fetched(&mut self, event: &RingEvent, model: &GroupModel) {
        let part = usize::from(event.s2m);
        let slot = 2 * usize::from(event.queue) + part;
        let Some(ring) = self.rings[usize::from(event.engine)].get_mut(slot) else {
            return;
        };
        let base = if event.s2m { S2M } else { 0 } + 0x1000 * (u32::from(event.queue) + 1);
        let length = u64::from(model.engines[usize::from(event.engine)].read(base + 0x30)).max(1);
        let before = *ring;
        ring.fetched += u64::from(event.length);
        ring.laps = ring.fetched / length;
        let after = *ring;
        self.add(Counter::Laps, after.laps.saturating_sub(before.laps));
        if before.laps < 4 && after.laps >= 4 {
            self.happened(Counter::FourLaps);
        }
        if before.laps == 0 && after.laps == 1 && !length.is_power_of_two() {
            self.happened(Counter::OddRings);
        }
    }

    /// An engine where it is settled.
    pub fn state(&mut self, engine: usize, state: &RingEngineState, model: &GroupModel) {
        use pool_model::idma::Blocked;
        let before = std::mem::replace(&mut self.states[engine], state.state);
        for (part, counter) in [Counter::AbortedM2s, Counter::AbortedS2m]
            .into_iter()
            .enumerate()
        {
            if before[part] != 2 && state.state[part] == 2 {
                self.happened(counter);
            }
        }
        let it = &model.engines[engine];
        let dropped = it.statistics(Direction::S2m).packets;
        let before = std::mem::replace(&mut self.dropped[engine], dropped);
        self.add(Counter::Drops, u64::from(dropped.saturating_sub(before)));
        match it.blocked() {
            Some(Blocked::Receiver { .. }) => self.happened(Counter::Waiting),
            Some(Blocked::DataTail { .. }) => self.happened(Counter::DataTail),
            Some(Blocked::Dead { .. }) => self.happened(Counter::Dead),
            Some(Blocked::Unscheduled { .. }) => self.happened(Counter::Unfinished),
            Some(Blocked::Memory) | None => {}
        }
    }
}
