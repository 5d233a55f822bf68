// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scripts for the DMA engines: rings of all sizes driven as software drives them, and as it must not.
//!
//! A script keeps to what `docs/idma-contract.md` makes comparable: registers are written while the engines are
//! settled, or, in a script of the other kind, doorbells come at any time and work is taken away in flight, with
//! nothing else going wrong there.

use pool_model::generation::Generation;

use super::ring_traffic::Shape;
use super::{Bytes, Choices};
use crate::udma::{ENGINES, QUEUES, RingOp, RingOpKind, RingScript, generation_code};

/// Blocks of an engine. [idma-ring §2.1]
pub(super) const S2M: u32 = 0x2_0000;
pub(super) const GEN: u32 = 0x3_8000;
/// Where a script puts things in the memory of an engine, whose addresses fold at 1 MiB.
const TX_RINGS: u32 = 0x0_0000;
const RX_RINGS: u32 = 0x1_0000;
const COMPLETIONS: u32 = 0x2_0000;
pub(super) const SOURCES: u32 = 0x3_0000;
pub(super) const SINKS: u32 = 0x8_0000;
/// Bytes of either area.
pub(super) const SOURCE_BYTES: u32 = 0x4_0000;
pub(super) const SINK_BYTES: u32 = 0x7_0000;
/// From the ring of one queue to the next.
const RING_STRIDE: u32 = 0x4000;
/// Ring lengths: 1 to 64, powers of two and others. [idma-ring §2.7]
const LENGTHS: [u32; 16] = [8, 4, 16, 1, 2, 3, 5, 6, 7, 12, 31, 32, 33, 60, 63, 64];

/// Registers of both directions' queues. [idma-ring §§2.3, 2.4]
pub(super) mod queue {
    pub const PREF_CFG: u32 = 0x00;
    pub const CFG: u32 = 0x20;
    pub const BASE_LOW: u32 = 0x28;
    pub const BASE_HIGH: u32 = 0x2C;
    pub const LENGTH: u32 = 0x30;
    pub const DOORBELL: u32 = 0x38;
    pub const COMPLETION_LOW: u32 = 0x44;
    pub const COMPLETION_HIGH: u32 = 0x48;
    pub const DATA_TAIL_INC: u32 = 0xE0;
    /// `comp_cfg` of M2S and S2M.
    pub const COMP_CFG: [u32; 2] = [0xA0, 0x54];
    /// `q_sw_ctrl` of M2S and S2M.
    pub const SOFT_CONTROL: [u32; 2] = [0xB0, 0x64];
    /// `en_pref` and `en_scheduling` or `en_stream`.
    pub const ENABLED: u32 = 3 << 16;
    pub const ALLOW_SHORT_BURST: u32 = 1 << 20;
    /// `rst_q`
    pub const RESET: u32 = 1 << 8;
}

/// Registers of a direction. [idma-ring §2.5]
pub(super) mod side {
    pub const CHANGE_STATE: u32 = 0x204;
    pub const ERR_LOG_MASK: u32 = 0x20C;
    pub const CLEAR_ERR_LOG: u32 = 0x224;
    pub const PREF_CFG_3: u32 = 0x308;
    /// M2S
    pub const CFG_PREFETCH: u32 = 0x004;
    pub const CFG_LEN: u32 = 0x254;
    pub const PREF_CFG_2: u32 = 0x304;
    /// S2M, from its block.
    pub const DATA_CFG_2: u32 = 0x344;
    pub const COMP_CFG_1C: u32 = 0x380;
    /// `pref_queue_en` of M2S and S2M.
    pub const PREF_QUEUE_EN: [u32; 2] = [0x25C, 0x254];
    pub const NORMAL: u32 = 1;
    pub const DISABLE: u32 = 2;
    pub const ABORT: u32 = 4;
}

/// Registers of the GEN block. [idma-ring §§2.5, 5.7]
pub(super) mod general {
    pub const SPARE: u32 = 0x3460;
    pub const SECONDARY: [u32; 3] = [0x2000, 0x2040, 0x2080];
    pub const ABORT_MASK: u32 = 0x30;
    pub const AXI_TIMEOUT: u32 = 0x2300;
}

/// What software knows about one direction of a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct SoftRing {
    pub length: u32,
    /// Where the next descriptor goes, and its tag.
    pub offset: u32,
    pub id: u32,
}

impl SoftRing {
    const fn start(length: u32) -> Self {
        Self {
            length,
            offset: 0,
            id: 1,
        }
    }

    pub const fn advance(&mut self) {
        self.offset += 1;
        if self.offset >= self.length {
            self.offset = 0;
            self.id = (self.id + 1) & 3;
        }
    }
}

/// What software knows about an engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct SoftEngine {
    pub is_armed: bool,
    /// Queue, then direction.
    pub rings: [[SoftRing; 2]; 2],
    /// Bits 63:20 of its addresses.
    pub high: u64,
    /// Cycles that its ports may wait in total.
    pub stall: u32,
    /// Cycles that a response may take.
    pub response: u32,
    /// `max_pkt_size`
    pub limit: u32,
    /// `encode_64k`
    pub encodes_64k: bool,
    /// `data_tail_pointer_enable`, bit q.
    pub data_tails: u32,
}

/// Writes a script.
pub(super) struct Writer<'a, C> {
    pub choices: &'a mut C,
    pub script: RingScript,
    pub generation: Generation,
    pub soft: [SoftEngine; ENGINES as usize],
    /// Where the sinks of the packets begin: apart for each queue where their order is not known.
    pub sinks: u32,
    /// Only doorbells of this script come at any time; see the module.
    pub is_loose: bool,
}

const NOTHING: RingOp = RingOp {
    address: 0,
    data: 0,
    start: 0,
    kind: RingOpKind::Settle,
    engine: 0,
    port: 0,
    what: 0,
    settled: true,
};

/// A script of `length` steps, beginning with a reset. A shorter one is the beginning of a longer one.
pub fn script(generation: Generation, length: usize, choices: &mut impl Choices) -> RingScript {
    let mut writer = Writer::new(generation, choices);
    writer.is_loose = writer.choices.one_in(3);
    writer.reset();
    while writer.script.ops.len() < length {
        if writer.is_loose {
            writer.loose_round();
        } else {
            writer.action();
        }
    }
    let mut script = writer.script;
    script.ops.truncate(length);
    script
}

/// A script of at most `length` steps that ends with the last of the bytes, which are its decisions.
#[must_use]
pub fn script_of_bytes(generation: Generation, length: usize, decisions: &[u8]) -> RingScript {
    let mut choices = Bytes::new(decisions);
    let mut writer = Writer::new(generation, &mut choices);
    writer.is_loose = writer.choices.one_in(3);
    writer.reset();
    while writer.script.ops.len() < length && !writer.choices.is_empty() {
        if writer.is_loose {
            writer.loose_round();
        } else {
            writer.action();
        }
    }
    let mut script = writer.script;
    script.ops.truncate(length.saturating_sub(1));
    script.ops.push(NOTHING);
    script
}

/// A script that copies descriptors of `bytes` bytes through queue 0 of every engine, `count` on each, one a
/// packet: the traffic of the benchmarks.
#[must_use]
pub fn copies(generation: Generation, count: u32, bytes: u32) -> RingScript {
    let mut choices = Bytes::new(&[]);
    let mut writer = Writer::new(generation, &mut choices);
    writer.is_loose = true;
    writer.reset();
    for engine in 0..ENGINES {
        writer.arm(engine);
        for ring in &mut writer.soft[usize::from(engine)].rings[0] {
            ring.length = count.clamp(8, 64);
        }
        for part in 0..2 {
            let length = count.clamp(8, 64);
            let offset = Writer::<Bytes<'_>>::queue_register(0, part, queue::LENGTH);
            writer.write(engine, offset, length);
            let shape = Shape::copy(part, bytes);
            writer.place(engine, 0, part, &vec![shape; count.min(64) as usize]);
        }
    }
    writer.settle();
    for part in [1, 0] {
        for engine in 0..ENGINES {
            let offset = Writer::<Bytes<'_>>::queue_register(0, part, queue::DOORBELL);
            let address = u32::from(engine) << 20 | offset;
            writer.write_at(address, count.min(64), false);
        }
    }
    writer.settle();
    writer.script
}

impl<'a, C: Choices> Writer<'a, C> {
    pub fn new(generation: Generation, choices: &'a mut C) -> Self {
        let engine = SoftEngine {
            is_armed: false,
            rings: [[SoftRing::start(0); 2]; 2],
            high: 0,
            stall: 0,
            response: 0,
            limit: 0,
            encodes_64k: true,
            data_tails: 0,
        };
        Self {
            choices,
            script: RingScript::default(),
            generation,
            soft: [engine; ENGINES as usize],
            sinks: 0,
            is_loose: false,
        }
    }

    pub fn push(&mut self, op: RingOp) {
        self.script.ops.push(op);
    }

    pub fn settle(&mut self) {
        self.push(NOTHING);
    }

    pub fn reset(&mut self) {
        self.push(RingOp {
            kind: RingOpKind::Reset,
            what: generation_code(self.generation),
            settled: false,
            ..NOTHING
        });
        for engine in &mut self.soft {
            engine.is_armed = false;
            engine.stall = 0;
            engine.response = 0;
            engine.encodes_64k = true;
            engine.data_tails = 0;
        }
    }

    /// Writes a register of an engine, or of whatever is at the address of the group.
    pub fn write_at(&mut self, address: u32, data: u32, settled: bool) {
        self.push(RingOp {
            kind: RingOpKind::Write,
            address: u64::from(address),
            data,
            settled,
            ..NOTHING
        });
    }

    pub fn write(&mut self, engine: u8, offset: u32, data: u32) {
        self.write_at(u32::from(engine) << 20 | offset, data, true);
    }

    pub fn read_at(&mut self, address: u32) {
        self.push(RingOp {
            kind: RingOpKind::Read,
            address: u64::from(address),
            ..NOTHING
        });
    }

    pub fn poke(&mut self, engine: u8, address: u64, bytes: &[u8]) {
        let start = self.script.bytes.len() as u32;
        self.script.bytes.extend_from_slice(bytes);
        self.push(RingOp {
            kind: RingOpKind::Poke,
            engine,
            address,
            start,
            data: bytes.len() as u32,
            ..NOTHING
        });
    }

    pub fn idle(&mut self, cycles: u32) {
        self.push(RingOp {
            kind: RingOpKind::Idle,
            data: cycles,
            settled: false,
            ..NOTHING
        });
    }

    pub fn inject(&mut self, engine: u8, group: u8, bit: u8, settled: bool) {
        self.push(RingOp {
            kind: RingOpKind::Inject,
            engine,
            port: group,
            what: bit,
            settled,
            ..NOTHING
        });
    }

    pub fn fault(&mut self, engine: u8, port: u8, after: u32, is_silent: bool) {
        self.push(RingOp {
            kind: RingOpKind::Fault,
            engine,
            port,
            what: u8::from(is_silent),
            data: after,
            ..NOTHING
        });
    }

    pub fn forget_faults(&mut self, engine: u8) {
        self.push(RingOp {
            kind: RingOpKind::Fault,
            engine,
            what: 2,
            ..NOTHING
        });
    }

    pub fn stall(&mut self, engine: u8) {
        let ready = self.choices.pick(&[0, 1, 0, 3, 6]);
        let response = self.choices.pick(&[0, 1, 0, 3, 9]);
        let strangers = self.choices.one_in(3);
        let seed = self.choices.word();
        let soft = &mut self.soft[usize::from(engine)];
        soft.stall = u32::from(ready) + u32::from(response);
        soft.response = u32::from(response);
        self.push(RingOp {
            kind: RingOpKind::Stall,
            engine,
            port: response,
            what: ready,
            address: u64::from(strangers),
            data: seed,
            ..NOTHING
        });
        self.timers(engine);
    }

    /// Time-outs that no stall of the memory reaches, and a wait for descriptors that outlasts every fetch: which
    /// comes first must not depend on cycles.
    pub fn timers(&mut self, engine: u8) {
        let stall = self.soft[usize::from(engine)].stall;
        let response = self.soft[usize::from(engine)].response;
        let patience = response + 4 + self.choices.below(8);
        self.write(engine, GEN + general::AXI_TIMEOUT, patience);
        let flags = match self.choices.below(4) {
            0 => 0x3000_0000,
            1 => 0x1000_0000,
            2 => 0x3800_0000,
            _ => self
                .choices
                .pick(&[0x2000_0000, 0x0800_0000, 0x1800_0000, 0]),
        };
        let flags = if self.is_loose { 0x2000_0000 } else { flags };
        let timer = 700 + 400 * stall;
        self.write(engine, S2M + side::DATA_CFG_2, flags | timer);
    }

    /// Address of something in the memory of an engine.
    pub fn address(&self, engine: u8, place: u32) -> u64 {
        self.soft[usize::from(engine)].high << 20 | u64::from(place)
    }

    pub fn ring_address(&self, engine: u8, queue: u8, part: usize) -> u64 {
        let rings = [TX_RINGS, RX_RINGS][part];
        self.address(engine, rings + RING_STRIDE * u32::from(queue))
    }

    /// Offset of a register of a queue.
    pub fn queue_register(queue: u8, part: usize, register: u32) -> u32 {
        [0, S2M][part] + 0x1000 * (u32::from(queue) + 1) + register
    }

    /// Resets all queues of an engine and enables it again.
    pub fn recover(&mut self, engine: u8) {
        for queue in 0..QUEUES {
            for part in 0..2 {
                let register = queue::SOFT_CONTROL[part];
                let offset = Self::queue_register(queue, part, register);
                self.write(engine, offset, queue::RESET);
                let ring = &mut self.soft[usize::from(engine)].rings[usize::from(queue)][part];
                *ring = SoftRing::start(ring.length);
            }
        }
        self.write(engine, side::CLEAR_ERR_LOG, 1);
        self.write(engine, S2M + side::CLEAR_ERR_LOG, 1);
        self.write(engine, side::CHANGE_STATE, side::NORMAL);
        self.write(engine, S2M + side::CHANGE_STATE, side::NORMAL);
    }

    /// Gives an engine rings and settings, and enables it.
    pub fn arm(&mut self, engine: u8) {
        let plain = self.is_loose;
        let number = usize::from(engine);
        self.soft[number].high = match self.choices.below(3) {
            0 => 0,
            _ => self.choices.double() >> 20,
        };
        if self.soft[number].is_armed {
            self.write(engine, side::CHANGE_STATE, side::DISABLE);
            self.write(engine, S2M + side::CHANGE_STATE, side::DISABLE);
        }
        self.globals(engine, plain);
        for queue in 0..QUEUES {
            for part in 0..2 {
                self.arm_queue(engine, queue, part, plain);
            }
        }
        self.soft[number].is_armed = true;
        self.recover(engine);
        self.settle();
    }

    fn globals(&mut self, engine: u8, plain: bool) {
        let number = usize::from(engine);
        self.timers(engine);
        let encodes = !plain && self.choices.one_in(6);
        self.soft[number].encodes_64k = encodes;
        let limit = if plain { 0 } else { self.choices.below(6) };
        let most = [0xF_FFFF, 0x1_0000, 0xF_FFFF, 0x1_0000, 300, 64][limit as usize];
        self.soft[number].limit = most;
        self.write(engine, side::CFG_LEN, u32::from(encodes) << 24 | most);
        if plain {
            self.sound_globals(engine);
            return;
        }
        if self.choices.one_in(3) {
            let most = self.choices.pick(&[64, 4, 2, 1, 0]);
            self.write(engine, side::PREF_CFG_2, 1 << 16 | most);
        }
        for part in [0, S2M] {
            let burst = self
                .choices
                .pick(&[0x1041, 0x1041, 0x0000, 0x0281, 0x0488, 0xFF33, 0x0018]);
            self.write(engine, part + side::PREF_CFG_3, burst);
        }
        let size = self.choices.pick(&[4, 4, 2, 1, 3, 0, 7, 15]);
        self.write(engine, S2M + side::COMP_CFG_1C, 0x1000 | size);
        for group in general::SECONDARY {
            let mask = self
                .choices
                .pick(&[u32::MAX, u32::MAX, 0, 0xFFFD_FFFF, 0x7FFF_FF7F]);
            self.write(engine, GEN + group + general::ABORT_MASK, mask);
        }
        if self.choices.one_in(6) {
            let part = self.choices.pick(&[0, S2M]);
            let mask = self.choices.word();
            self.write(engine, part + side::ERR_LOG_MASK, mask);
        }
        let tails = if self.choices.one_in(4) {
            self.choices.below(4)
        } else {
            0
        };
        // v2 does not have it. [idma-ring §6]
        let has_tails = self.generation != Generation::V2;
        self.soft[number].data_tails = if has_tails { tails } else { 0 };
        self.write(engine, side::CFG_PREFETCH, tails << 16 | 0xFFFF);
    }

    /// Settings with which nothing goes wrong, whatever they were before.
    fn sound_globals(&mut self, engine: u8) {
        self.soft[usize::from(engine)].data_tails = 0;
        self.forget_faults(engine);
        let settings = [
            (side::PREF_CFG_2, 0x0001_0040),
            (side::PREF_CFG_3, 0x1041),
            (S2M + side::PREF_CFG_3, 0x1041),
            (S2M + side::COMP_CFG_1C, 0x1004),
            (side::CFG_PREFETCH, 0xFFFF),
            (GEN + general::SECONDARY[0] + general::ABORT_MASK, u32::MAX),
            (GEN + general::SECONDARY[1] + general::ABORT_MASK, u32::MAX),
            (GEN + general::SECONDARY[2] + general::ABORT_MASK, u32::MAX),
        ];
        for (register, value) in settings {
            self.write(engine, register, value);
        }
    }

    fn arm_queue(&mut self, engine: u8, queue: u8, part: usize, plain: bool) {
        let length = self.choices.pick(&LENGTHS);
        let length = if plain { length.max(8) } else { length };
        self.soft[usize::from(engine)].rings[usize::from(queue)][part] = SoftRing::start(length);
        let base = self.ring_address(engine, queue, part);
        let entries = self.address(
            engine,
            COMPLETIONS + RING_STRIDE * (2 * u32::from(queue) + part as u32),
        );
        let depth = self.choices.pick(&[128, 16, 8, 4, 1, 3, 0xFFF]);
        let depth = if plain { 128 } else { depth };
        let short = u32::from(!self.choices.one_in(3)) * queue::ALLOW_SHORT_BURST;
        let short = if plain {
            queue::ALLOW_SHORT_BURST
        } else {
            short
        };
        let reports = u32::from(!self.choices.one_in(6));
        let settings = [
            (queue::BASE_LOW, base as u32),
            (queue::BASE_HIGH, (base >> 32) as u32),
            (queue::LENGTH, length),
            (queue::COMPLETION_LOW, entries as u32),
            (queue::COMPLETION_HIGH, (entries >> 32) as u32),
            (queue::PREF_CFG, depth),
            (queue::CFG, 0x0300_0000 | queue::ENABLED | short),
            (queue::COMP_CFG[part], 0xE & [0, 0xE][part] | reports),
        ];
        for (register, value) in settings {
            self.write(engine, Self::queue_register(queue, part, register), value);
        }
        // Whatever is rung without a descriptor finds a small one of an old lap.
        let mut stale = Vec::new();
        for slot in 0..length {
            let shape = Shape::stale(part, slot);
            stale.extend_from_slice(&shape.pack(1, self.address(engine, shape.place)));
        }
        self.poke(engine, base, &stale);
    }
}
