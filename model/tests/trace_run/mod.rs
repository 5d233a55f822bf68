// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A run written down by hand: core 0 waits, copies to core 1 and signals; core 1 waits for an
//! event, copies back and faults on its second word.
#![allow(dead_code, reason = "each test program uses its own part")]

use pool_model::generation::Generation;
use pool_model::isa::{
    Addr4, DType, LncSizeFmt, Tensor3d, UpdateMode, WORD_BYTES, WaitMode, Word, WordBuilder,
};
use pool_model::time::Tick;
use pool_model::trace::wave::{WaveLayout, WaveSink};
use pool_model::transaction::{
    Agent, CoreId, Effect, Fault, FaultClass, LogLine, Master, SemaphoreOp, Sink, Transaction,
};

/// First channel's partition on both sides.
pub const SRC_PARTITION: u8 = 2;
/// See [`SRC_PARTITION`].
pub const DST_PARTITION: u8 = 34;
/// Byte offsets in the partitions.
pub const SRC_OFFSET: u32 = 0x1000;
/// See [`SRC_OFFSET`].
pub const DST_OFFSET: u32 = 0x2040;
/// Partitions that take part.
pub const CHANNELS: u8 = 4;
/// Elements of 4 bytes in each partition.
pub const ELEMENTS: u16 = 16;
/// What the second word of core 1 is refused with.
pub const DETAIL: &str = "dst element (4, 0, 0) covers bytes 229376 to 229379 of its partition; bytes 0 to 229375 are active on v3";

/// Core number `number`.
pub fn core(number: u8) -> CoreId {
    CoreId::new(number).expect("a core of the chip")
}

/// The word of core 0: wait for semaphore 3 >= 1, copy, add 1 to semaphore 5.
pub fn leg_word() -> Word {
    let address = |partition: u8, offset: u32| {
        Addr4::sbuf(Generation::V3, u32::from(partition), offset).expect("inside the State Buffer")
    };
    WordBuilder::new(
        DType::Fp32,
        Tensor3d::contiguous(address(SRC_PARTITION, SRC_OFFSET), ELEMENTS),
        Tensor3d {
            step_elem: [-1, 1, 1],
            ..Tensor3d::contiguous(address(DST_PARTITION, DST_OFFSET), ELEMENTS)
        },
    )
    .channels(u32::from(CHANNELS))
    .lnc(LncSizeFmt::Lnc2)
    .wait(WaitMode::SemGeImm, 3, 1)
    .update(UpdateMode::SemIncComplete, 5, 0)
    .build()
    .expect("a legal word")
}

/// The first word of core 1: as core 0's, but it waits for event 9 and clears it.
pub fn event_word() -> Word {
    let mut word = leg_word();
    word.events.wait_mode = WaitMode::EvtSetThenClear.raw();
    word.events.wait_idx = 9;
    word.events.semaphore_value = 0;
    word
}

/// The layout that a scout finds; cores 0 and 1 are there in any case.
pub fn layout_of(run: &[Transaction]) -> WaveLayout {
    let mut scout = WaveLayout::scout(Generation::V3, [core(0), core(1)]);
    feed(&mut scout, run);
    scout.into_layout()
}

/// Gives a run to a sink.
pub fn feed(sink: &mut impl Sink, run: &[Transaction]) {
    for transaction in run {
        sink.accept(transaction);
    }
}

/// The waveform of a run, which ends one tick after its last transaction.
pub fn file_of(run: &[Transaction], layout: &WaveLayout) -> Vec<u8> {
    let mut sink = WaveSink::new(Vec::new(), layout).expect("header");
    feed(&mut sink, run);
    sink.finish(Tick(0)).expect("the whole run")
}

/// One transaction.
pub fn transaction(tick: u64, agent: Agent, effect: Effect) -> Transaction {
    Transaction {
        tick: Tick(tick),
        agent,
        effect,
    }
}

/// The whole run, in order.
pub fn transactions() -> Vec<Transaction> {
    let mut run = Run {
        list: Vec::new(),
        core: core(0),
    };
    run.leg(1, 0, &leg_word(), |run| {
        run.seq(1, wait(WaitMode::SemGeImm, 3, 1, 0));
        run.semaphore(6, 0, 3, SemaphoreOp::Add, 1, 0);
        run.seq(6, satisfied(WaitMode::SemGeImm, 3, 1));
        6
    });
    run.semaphore(12, 0, 5, SemaphoreOp::Add, 1, 0);
    run.semaphore(12, 1, 253, SemaphoreOp::Add, 4, 0);
    run.leg(2, 1, &event_word(), |run| {
        run.seq(2, wait(WaitMode::EvtSetThenClear, 9, 0, 0));
        run.event(15, 1, 9, false, true);
        run.event(16, 1, 9, true, false);
        run.seq(16, satisfied(WaitMode::EvtSetThenClear, 9, 1));
        16
    });
    run.semaphore(22, 1, 5, SemaphoreOp::Sub, 1, 0);
    run.semaphore(22, 0, 253, SemaphoreOp::Set, 8, 0);
    let word = leg_word();
    run.core = core(1);
    run.seq(25, fetch(1, &word));
    run.seq(26, dispatch(1, &word));
    run.seq(
        26,
        log(LogLine::Dispatch {
            opcode: word.header.opcode,
        }),
    );
    run.seq(
        27,
        Effect::Fault(Fault {
            pc: 1,
            class: FaultClass::SbufRange,
            detail: DETAIL.to_owned(),
        }),
    );
    // Stable: the order within a tick is the order above.
    run.list.sort_by_key(|transaction| transaction.tick);
    run.list
}

struct Run {
    list: Vec<Transaction>,
    core: CoreId,
}

impl Run {
    fn push(&mut self, tick: u64, agent: Agent, effect: Effect) {
        self.list.push(transaction(tick, agent, effect));
    }

    fn seq(&mut self, tick: u64, effect: Effect) {
        self.push(tick, Agent::Sequencer(self.core), effect);
    }

    fn semaphore(
        &mut self,
        tick: u64,
        on: u8,
        index: u8,
        operation: SemaphoreOp,
        operand: u32,
        old: u32,
    ) {
        let new = match operation {
            SemaphoreOp::Add => old.wrapping_add(operand),
            SemaphoreOp::Sub => old.wrapping_sub(operand),
            SemaphoreOp::Set => operand,
        };
        let effect = Effect::Semaphore {
            index,
            operation,
            operand,
            old,
            new,
            by: Master::Dma,
        };
        self.push(tick, Agent::EvtSem(core(on)), effect);
    }

    fn event(&mut self, tick: u64, on: u8, index: u8, old: bool, new: bool) {
        self.push(
            tick,
            Agent::EvtSem(core(on)),
            Effect::Event {
                index,
                old,
                new,
                by: Master::Sequencer,
            },
        );
    }

    /// A whole leg: fetched at `start`, dispatched when `waits` says, data from two ticks later,
    /// complete after six.
    fn leg(&mut self, start: u64, on: u8, word: &Word, waits: impl FnOnce(&mut Self) -> u64) {
        let (source, destination) = (core(on), core(on ^ 1));
        self.core = source;
        self.seq(start, fetch(0, word));
        let at = waits(self);
        self.seq(at, dispatch(0, word));
        self.seq(
            at,
            log(LogLine::Dispatch {
                opcode: word.header.opcode,
            }),
        );
        self.seq(at, log(LogLine::Sb2sbCollective));
        let bytes = u64::from(ELEMENTS) * 4;
        self.push(
            at + 1,
            Agent::Leg(source),
            Effect::LegBegin {
                destination,
                channels: u32::from(CHANNELS),
                bytes_per_channel: bytes,
                engine_mask: 0x000F,
            },
        );
        for channel in 0..CHANNELS {
            // Two channels a tick, so that several accesses share one.
            let tick = at + 2 + u64::from(channel / 2);
            let data: Vec<u8> = (0..bytes as u8).map(|byte| byte ^ (channel << 6)).collect();
            self.push(
                tick,
                Agent::Leg(source),
                Effect::DataRead {
                    core: source,
                    partition: SRC_PARTITION + channel,
                    offset: SRC_OFFSET,
                    data: data.clone(),
                },
            );
            self.push(
                tick + 1,
                Agent::Leg(source),
                Effect::DataWritten {
                    core: destination,
                    partition: DST_PARTITION + channel,
                    offset: DST_OFFSET,
                    data,
                },
            );
        }
        self.seq(at + 4, Effect::ReadDone { pc: 0 });
        self.seq(at + 6, Effect::Complete { pc: 0 });
    }
}

fn fetch(pc: u32, word: &Word) -> Effect {
    let word: [u8; WORD_BYTES] = word.encode();
    Effect::Fetch {
        pc,
        word: Box::new(word),
    }
}

fn dispatch(pc: u32, word: &Word) -> Effect {
    Effect::Dispatch {
        pc,
        opcode: word.header.opcode,
    }
}

fn log(line: LogLine) -> Effect {
    Effect::Log { line }
}

fn wait(mode: WaitMode, index: u8, threshold: u32, value: u32) -> Effect {
    Effect::WaitBegin {
        mode: mode.raw(),
        index,
        threshold,
        value,
    }
}

fn satisfied(mode: WaitMode, index: u8, value: u32) -> Effect {
    Effect::WaitSatisfied {
        mode: mode.raw(),
        index,
        value,
    }
}
