// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the scripts for the DMA engines do, one action after the other.

use super::Choices;
use super::ring::{GEN, S2M, SINK_BYTES, SINKS, SOURCES, Writer, general, queue, side};
use super::ring_traffic::{Health, Shape};
use crate::udma::{ENGINES, QUEUES};

/// Registers that a script writes any value to and reads back: they keep it, or do not exist.
const ANY_VALUE: [u32; 34] = [
    0x1060, 0x1064, 0x1068, 0x106C, 0x1084, 0x1088, 0x10D0, 0x1034, 0x103C, 0x1040, 0x104C, 0x1050,
    0x10C0, 0x10E4, 0x1024, 0x2_1058, 0x2_105C, 0x2_1060, 0x2_1034, 0x2_104C, 0x2_1068, 0x200,
    0x214, 0x504, 0x600, 0x604, 0x20C, 0x2_020C, 0x2_0504, 0x2_0200, 0x3_8010, 0x3_8050, 0x3_A010,
    0x3_A028,
];
/// Registers with an effect, and values that a script may leave them with for a while.
const WITH_EFFECT: [(u32, u32); 15] = [
    (0x1074, 0xF),
    (0x2074, 0x5),
    (0x1080, 1 << 25),
    (0x2060, 1 << 25),
    (0x1060, 1 << 25),
    (0x25C, 1),
    (0x258, 3),
    (0x2_0254, 2),
    (0x2_0250, 1),
    (0x2_0250, 0x100),
    (0x1020, 0x0001_0000),
    (0x2_1020, 0x0003_0000),
    (0x2020, 0x0302_0000),
    (0x2_0250, 0x100),
    (0x1000, 0x2),
];
/// Status, pointers, counters, logs, causes of an engine.
const SHOWN: [u32; 44] = [
    0x1024, 0x1034, 0x103C, 0x1040, 0x104C, 0x10C0, 0x10E4, 0x2024, 0x203C, 0x204C, 0x20C0, 0x200,
    0x214, 0x218, 0x21C, 0x220, 0x504, 0x508, 0x50C, 0x510, 0x514, 0x518, 0x51C, 0x2_1024,
    0x2_1034, 0x2_104C, 0x2_1068, 0x2_2024, 0x2_204C, 0x2_0200, 0x2_0214, 0x2_0218, 0x2_021C,
    0x2_0504, 0x2_0508, 0x2_0510, 0x2_0514, 0x2_051C, 0x3_8040, 0x3_8080, 0x3_80C0, 0x3_A000,
    0x3_A040, 0x3_A080,
];

impl<C: Choices> Writer<'_, C> {
    fn engine(&mut self) -> u8 {
        // Few engines, so that they get far.
        let engine = self.choices.pick(&[0, 1, 0, 1, 0, 1, 0, 1, 2, 3]);
        if !self.soft[usize::from(engine)].is_armed {
            self.arm(engine);
        }
        engine
    }

    fn queue(&mut self) -> u8 {
        self.choices.below(u32::from(QUEUES)) as u8
    }

    /// One action while the engines are settled.
    pub fn action(&mut self) {
        let engine = self.engine();
        match self.choices.below(42) {
            0..8 => self.copy(engine, Health::Any),
            8 => self.copy(engine, Health::Sound),
            10..14 => {
                self.faults(engine);
                self.copy(engine, Health::Sound);
                self.logs(engine);
            }
            14 => self.stall(engine),
            15 => self.arm(engine),
            17 | 18 => self.registers(engine),
            19 => self.show(engine),
            20..24 => self.paused(engine),
            24 => self.odd_doorbell(engine),
            25 => self.starve(engine),
            26 | 27 => self.broadcast(),
            28 | 35 => self.injection(engine),
            9 | 29 => self.command(engine),
            30 | 31 => self.strobes(engine),
            32 => self.many_laps(engine),
            33 => self.big_doorbell(),
            34 => self.interrupted(engine),
            36 => self.groups(engine),
            37 => self.overfill(engine),
            38 => self.without_time_out(engine),
            16 | 39 | 40 => self.held(engine),
            _ => self.large(engine),
        }
    }

    /// Packets through a queue, and mostly what unblocks it.
    fn copy(&mut self, engine: u8, health: Health) {
        let queue = self.queue();
        self.copy_through(engine, queue, health);
    }

    fn copy_through(&mut self, engine: u8, queue: u8, health: Health) {
        let (mut tx, mut rx) = (Vec::new(), Vec::new());
        for _ in 0..=self.choices.below(4) {
            self.packet(health, &mut tx, &mut rx);
        }
        let late = health == Health::Any && self.choices.one_in(10);
        if late {
            // The doorbell comes before the descriptors are there.
            self.ring(engine, queue, 1, 1, true);
            self.ring(engine, queue, 0, 1, true);
            self.settle();
        }
        let [sent, received] = [&tx, &rx]
            .into_iter()
            .enumerate()
            .map(|(part, shapes)| self.place(engine, queue, part, shapes))
            .collect::<Vec<_>>()[..]
        else {
            return;
        };
        if self.choices.one_in(5) {
            self.ring(engine, queue, 0, sent, true);
            self.ring(engine, queue, 1, received, true);
        } else {
            self.ring(engine, queue, 1, received, true);
            self.ring(engine, queue, 0, sent, true);
        }
        self.release(engine, queue, sent);
        self.settle();
        if health == Health::Any {
            self.relieve(engine, queue);
        }
    }

    /// Moves the data tail, where it counts.
    fn release(&mut self, engine: u8, queue: u8, count: u32) {
        if self.soft[usize::from(engine)].data_tails >> queue & 1 == 0 {
            return;
        }
        self.settle();
        let offset = Self::queue_register(queue, 0, queue::DATA_TAIL_INC);
        let half = self.choices.below(count + 1);
        self.write(engine, offset, half);
        if self.choices.one_in(2) {
            self.settle();
        }
        self.write(engine, offset, count - half);
    }

    /// Unblocks a queue, or an engine that was aborted, most of the time.
    fn relieve(&mut self, engine: u8, queue: u8) {
        match self.choices.below(5) {
            0 => self.recover(engine),
            1 | 2 => {
                let mut rx = Vec::new();
                for _ in 0..=self.choices.below(3) {
                    let place = SINKS + self.choices.below(0x4000);
                    let length = 100 + self.choices.below(400);
                    rx.push(Shape {
                        word0: length,
                        word1: 0,
                        place,
                        wrong_id: 0,
                    });
                }
                let count = self.place(engine, queue, 1, &rx);
                self.ring(engine, queue, 1, count, true);
                self.settle();
            }
            3 => self.show(engine),
            _ => {}
        }
    }

    fn faults(&mut self, engine: u8) {
        for _ in 0..=self.choices.below(2) {
            let port = self.choices.below(4) as u8;
            let after = self.choices.below(12);
            let is_silent = self.choices.one_in(3);
            self.fault(engine, port, after, is_silent);
        }
    }

    /// Both error logs.
    fn logs(&mut self, engine: u8) {
        for part in [0, S2M] {
            for register in [0x214, 0x218, 0x21C, 0x220] {
                self.read_at(u32::from(engine) << 20 | part | register);
            }
        }
    }

    /// More receivers than a prefetch slice holds. [idma-ring §8]
    fn overfill(&mut self, engine: u8) {
        let queue = self.queue();
        let length = 64;
        let register = Self::queue_register(queue, 1, queue::LENGTH);
        self.write(engine, register, length);
        self.soft[usize::from(engine)].rings[usize::from(queue)][1].length = length;
        self.recover(engine);
        let depth = Self::queue_register(queue, 1, queue::PREF_CFG);
        self.write(engine, depth, 0xFFF);
        for _ in 0..3 {
            self.ring(engine, queue, 1, length, true);
        }
        self.settle();
        self.recover(engine);
        // Rings of the length that they had hold descriptors; behind them is noise.
        self.arm(engine);
    }

    /// Slow responses that are waited for, however long they take.
    fn without_time_out(&mut self, engine: u8) {
        self.forget_faults(engine);
        self.stall(engine);
        self.write(engine, GEN + general::AXI_TIMEOUT, 0);
        self.copy(engine, Health::Sound);
        self.settle();
        self.timers(engine);
    }

    fn registers(&mut self, engine: u8) {
        let base = u32::from(engine) << 20;
        for _ in 0..=self.choices.below(5) {
            let address = match self.choices.below(9) {
                0..4 => {
                    base | self.choices.pick(&ANY_VALUE) | u32::from(self.choices.one_in(4)) << 13
                }
                // Holes, unaligned offsets, queues and engines that do not exist, the broadcast aperture.
                4 => base | 0x5000 | self.choices.below(0x1000),
                5 => {
                    let odd = [
                        0x1035, 0x1036, 0x2_0201, 0x3_8041, 0x1_1034, 0x3_4000, 0x3_C000,
                    ];
                    base | self.choices.pick(&odd)
                }
                6 => (4 + self.choices.below(12)) << 20 | self.choices.pick(&ANY_VALUE),
                7 => 1 << 19 | self.choices.pick(&ANY_VALUE),
                // The aperture of the broadcasts is engine 0's alone.
                _ => {
                    let other = 1 + self.choices.below(15);
                    other << 20 | 1 << 19 | self.choices.pick(&[0x1038, 0x2_2038, 0x10B0])
                }
            };
            let value = self.choices.word();
            self.write_at(address, value, true);
            self.read_at(address);
        }
        if self.choices.one_in(2) {
            self.groups(engine);
        }
    }

    /// An interrupt group: causes and masks set and cleared. [idma-ring §5.7]
    fn groups(&mut self, engine: u8) {
        let group = self
            .choices
            .pick(&[0, 0x40, 0x80, 0xC0, 0x2000, 0x2040, 0x2080]);
        let base = u32::from(engine) << 20 | GEN | group;
        for register in [0x8, 0x0, 0x10, 0x18, 0x20, 0x28] {
            let value = self.choices.word();
            self.write_at(base | register, value, true);
            for shown in [0, 0x10, 0x20] {
                self.read_at(base | shown);
            }
        }
        self.read_at(base | 0x28);
        // The summary. [idma-ring §5.7]
        let summary = u32::from(engine) << 20 | GEN | 0xC0;
        self.read_at(summary);
        self.read_at(summary | 0x20);
    }

    fn show(&mut self, engine: u8) {
        let base = u32::from(engine) << 20;
        for _ in 0..4 + self.choices.below(16) {
            let address = base | self.choices.pick(&SHOWN);
            self.read_at(address);
        }
    }

    /// Work under a setting that holds it up, and then without.
    fn paused(&mut self, engine: u8) {
        let (register, value) = match self.choices.below(4) {
            0 => (GEN + general::SPARE, self.choices.pick(&[1, 0xFFFF_FFFE])),
            _ => self.choices.pick(&WITH_EFFECT),
        };
        let address = u32::from(engine) << 20 | register;
        self.write_at(address, value, true);
        for queue in 0..QUEUES {
            self.copy_through(engine, queue, Health::Sound);
        }
        self.show(engine);
        let normal = match register {
            0x1074 | 0x2074 => 7,
            0x25C | 0x2_0254 => 0xFFFF,
            0x258 => 0x100,
            0x1020 | 0x2020 | 0x2_1020 => 0x0310_0000 | queue::ENABLED,
            0x1000 => 0x80,
            _ => 0,
        };
        self.write_at(address, normal, true);
        self.settle();
    }

    /// Doorbells of 0, N-1, N, N+1, whatever is in the ring.
    fn odd_doorbell(&mut self, engine: u8) {
        let queue = self.queue();
        let part = self.choices.below(2) as usize;
        let length = self.soft[usize::from(engine)].rings[usize::from(queue)][part].length;
        let count = match self.choices.below(4) {
            0 => 0,
            1 => length - 1,
            2 => length,
            _ => length + 1,
        };
        self.ring(engine, queue, part, count, true);
        if self.choices.one_in(2) {
            self.ring(engine, queue, 1 - part, count, true);
        }
        self.settle();
        self.relieve(engine, queue);
    }

    /// A packet without receivers; they come later, or not.
    fn starve(&mut self, engine: u8) {
        let queue = self.queue();
        let (mut tx, mut rx) = (Vec::new(), Vec::new());
        self.packet(Health::Sound, &mut tx, &mut rx);
        let sent = self.place(engine, queue, 0, &tx);
        self.ring(engine, queue, 0, sent, true);
        self.release(engine, queue, sent);
        self.settle();
        let count = self.place(engine, queue, 1, &rx);
        self.ring(engine, queue, 1, count, true);
        self.settle();
    }

    /// The same queue of several engines, rung together. [idma-ring §3.11, MC-27]
    fn broadcast(&mut self) {
        let queue = self.queue();
        let excluded = self.choices.below(16);
        let (mut tx, mut rx) = (Vec::new(), Vec::new());
        self.packet(Health::Sound, &mut tx, &mut rx);
        let mut counts = [tx.len() as u32, rx.len() as u32];
        for engine in 0..ENGINES {
            let soft = self.soft[usize::from(engine)];
            if excluded >> engine & 1 == 0 && soft.is_armed {
                for (part, shapes) in [&tx, &rx].into_iter().enumerate() {
                    let fit = self.place(engine, queue, part, shapes);
                    counts[part] = counts[part].min(fit);
                }
            }
        }
        if self.choices.one_in(2) {
            // Some engines have to divide, others not.
            counts = [1, 1].map(|least| least + self.choices.below(24));
        }
        for part in [1, 0] {
            let offset = 1 << 19 | Self::queue_register(queue, part, queue::DOORBELL);
            self.write_at(offset, 0xFFF0_0000 | excluded << 16 | counts[part], true);
            for engine in (0..ENGINES).filter(|engine| excluded >> engine & 1 == 0) {
                if self.soft[usize::from(engine)].is_armed {
                    self.rung(engine, queue, part, counts[part]);
                }
            }
        }
        self.settle();
        if self.choices.one_in(4) {
            // Soft control and data tails can be broadcast, too.
            let (part, register) = self.choices.pick(&[(0, 0xB0), (1, 0x64), (0, 0xE0)]);
            let value = if register == 0xE0 {
                self.choices.below(9)
            } else {
                queue::RESET
            };
            let offset = 1 << 19 | Self::queue_register(queue, part, register);
            self.write_at(offset, excluded << 16 | value, true);
            if register != 0xE0 {
                for engine in (0..ENGINES).filter(|engine| excluded >> engine & 1 == 0) {
                    let ring = &mut self.soft[usize::from(engine)].rings[usize::from(queue)][part];
                    (ring.offset, ring.id) = (0, 1);
                }
            }
        }
    }

    fn injection(&mut self, engine: u8) {
        let mut group = self.choices.below(4) as u8;
        let mut bit = self.choices.below(32) as u8;
        if self.choices.one_in(2) {
            // Bits of both directions that abort. [idma-ring §7.2]
            self.write(engine, GEN + general::SECONDARY[2] + general::ABORT_MASK, 0);
            (group, bit) = (2, self.choices.below(13) as u8);
        }
        self.inject(engine, group, bit, true);
        self.settle();
        self.show(engine);
        if self.choices.one_in(2) {
            self.copy(engine, Health::Sound);
            self.recover(engine);
        }
    }

    /// State commands with work before and behind them.
    fn command(&mut self, engine: u8) {
        if self.choices.one_in(2) {
            // Leaves something in the log.
            let queue = self.queue();
            let mut shape = Shape::copy(0, 8);
            shape.wrong_id = 1;
            self.place(engine, queue, 0, &[shape]);
            self.ring(engine, queue, 0, 1, true);
            self.settle();
        }
        let part = self.choices.pick(&[0, S2M]);
        let command = self.choices.pick(&[side::DISABLE, side::ABORT, 6, 3, 0]);
        self.write(engine, part + side::CHANGE_STATE, command);
        self.copy(engine, Health::Sound);
        self.show(engine);
        self.write(engine, part + side::CHANGE_STATE, side::NORMAL);
        self.settle();
        self.logs(engine);
        if command & side::ABORT != 0 {
            self.recover(engine);
        }
    }

    /// A packet that waits for its data tail with an RX descriptor in use, and loses it there, or goes on.
    fn held(&mut self, engine: u8) {
        let queue = self.queue();
        self.recover(engine);
        self.write(engine, side::CFG_PREFETCH, 0x1_0000 << queue | 0xFFFF);
        let lengths = [1 + self.choices.below(40), 1 + self.choices.below(40)];
        let tx = [
            Shape::copy(0, lengths[0]).opening(),
            Shape::copy(0, lengths[1]).closing(),
        ];
        let sent = self.place(engine, queue, 0, &tx);
        let received = self.place(engine, queue, 1, &[Shape::copy(1, 100)]);
        self.ring(engine, queue, 1, received, true);
        self.ring(engine, queue, 0, sent, true);
        let release = Self::queue_register(queue, 0, queue::DATA_TAIL_INC);
        self.write(engine, release, 1);
        self.settle();
        let part = usize::from(!self.choices.one_in(3));
        match self.choices.below(4) {
            0 => {}
            1 => {
                let register = [0, S2M][part] | side::CHANGE_STATE;
                self.write(engine, register, side::ABORT);
            }
            _ => {
                let register = queue::SOFT_CONTROL[part];
                let register = Self::queue_register(queue, part, register);
                self.write(engine, register, queue::RESET);
            }
        }
        self.settle();
        self.write(engine, release, 1);
        self.settle();
        self.write(engine, side::CFG_PREFETCH, 0xFFFF);
        self.soft[usize::from(engine)].data_tails = 0;
        self.recover(engine);
    }

    /// Soft control of single pointers, and of a queue. [idma-ring MC-28]
    fn strobes(&mut self, engine: u8) {
        let queue = self.queue();
        let part = self.choices.below(2) as usize;
        let strobe = 1 << self.choices.pick(&[8, 1, 2, 3, 4, 4, 0, 5]);
        self.copy_through(engine, queue, Health::Sound);
        // Something that has not been taken.
        let more = 1 + self.choices.below(4);
        self.ring(engine, queue, 1, more, true);
        self.settle();
        let offset = Self::queue_register(queue, part, queue::SOFT_CONTROL[part]);
        self.write(engine, offset, strobe);
        self.settle();
        self.show(engine);
        if self.choices.one_in(2) {
            self.copy(engine, Health::Sound);
        }
        self.recover(engine);
    }

    /// Laps of a ring; descriptors are written for some of them only.
    fn many_laps(&mut self, engine: u8) {
        let queue = self.queue();
        let mut length = 0;
        for part in 0..2 {
            length = self.choices.pick(&[1, 2, 3, 4, 5, 7]);
            let offset = Self::queue_register(queue, part, queue::LENGTH);
            self.write(engine, offset, length);
            self.soft[usize::from(engine)].rings[usize::from(queue)][part].length = length;
        }
        self.recover(engine);
        for _ in 0..5 * length {
            let (mut tx, mut rx) = (Vec::new(), Vec::new());
            self.packet(Health::Sound, &mut tx, &mut rx);
            let stale = self.choices.one_in(12);
            if !stale {
                let [tx, rx] = [tx.get(..1), rx.get(..1)].map(Option::unwrap_or_default);
                self.place(engine, queue, 1, rx);
                self.place(engine, queue, 0, tx);
            }
            self.ring(engine, queue, 1, 1, true);
            self.ring(engine, queue, 0, 1, true);
            self.release(engine, queue, 1);
            if self.choices.one_in(4) {
                self.settle();
            }
        }
        self.settle();
        self.recover(engine);
    }

    /// Increments of more than 16 bits, on an engine that does nothing.
    fn big_doorbell(&mut self) {
        let engine = self.choices.pick(&[3, 2]);
        let queue = self.queue();
        let part = self.choices.below(2) as usize;
        let register = |register| Self::queue_register(queue, part, register);
        self.write(engine, register(queue::CFG), 0);
        self.write(engine, register(queue::SOFT_CONTROL[part]), queue::RESET);
        let length = self
            .choices
            .pick(&[0x00FF_FFFF, 0x0012_3457, 0x0002_0001, 3, 1]);
        self.write(engine, register(queue::LENGTH), length);
        // Three of the largest reach the end of the count. [idma-ring MC-10]
        let saturates = self.choices.one_in(2);
        for _ in 0..if saturates {
            3
        } else {
            1 + self.choices.below(3)
        } {
            let count = self
                .choices
                .pick(&[0x00FF_FFFF, 0x00FF_FFFF, 0x0001_0000, 0x0080_0001]);
            let count = if saturates { 0x00FF_FFFF } else { count };
            self.write(engine, register(queue::DOORBELL), count);
            if part == 0 {
                self.write(engine, register(queue::DATA_TAIL_INC), count);
            }
            self.settle();
        }
        self.read_at(u32::from(engine) << 20 | register(0x3C));
        self.read_at(u32::from(engine) << 20 | register(0x24));
        self.write(engine, register(queue::SOFT_CONTROL[part]), queue::RESET);
        self.arm(engine);
    }

    /// Everything is reset while it is at work.
    fn interrupted(&mut self, engine: u8) {
        self.is_loose = true;
        self.arm(engine);
        self.sound_work(engine);
        let cycles = self.choices.below(300);
        self.idle(cycles);
        self.reset();
        self.is_loose = false;
    }

    /// A buffer of 64 KiB, now and then.
    fn large(&mut self, engine: u8) {
        let soft = self.soft[usize::from(engine)];
        if !self.choices.one_in(6) || soft.stall > 0 {
            return self.copy(engine, Health::Any);
        }
        self.recover(engine);
        self.write(engine, side::CFG_LEN, 0x010F_FFFF);
        let queue = self.queue();
        let tx = Shape {
            word0: 0x0C00_0000,
            word1: 0x0108_0003,
            place: SOURCES + self.choices.below(64),
            wrong_id: 0,
        };
        let rx = Shape {
            word0: 0,
            word1: 0,
            place: SINKS + self.choices.below(64),
            wrong_id: 0,
        };
        let sent = self.place(engine, queue, 0, &[tx]);
        let received = self.place(engine, queue, 1, &[rx]);
        self.ring(engine, queue, 1, received, true);
        self.ring(engine, queue, 0, sent, true);
        self.release(engine, queue, sent);
        self.settle();
        self.write(engine, side::CFG_LEN, 0x000F_FFFF);
        self.soft[usize::from(engine)].encodes_64k = false;
    }

    /// Descriptors of both queues, receivers rung for, senders rung for at any time.
    fn sound_work(&mut self, engine: u8) {
        let mut sent = [0; QUEUES as usize];
        for queue in 0..QUEUES {
            let (mut tx, mut rx) = (Vec::new(), Vec::new());
            self.sinks = u32::from(queue) * (SINK_BYTES / 2);
            for _ in 0..=self.choices.below(3) {
                self.packet(Health::Sound, &mut tx, &mut rx);
            }
            self.sinks = 0;
            let rings = self.soft[usize::from(engine)].rings[usize::from(queue)];
            // Whole packets only, each descriptor with its receiver.
            let room = rings[0].length.min(rings[1].length) as usize;
            while tx.len() > room {
                tx.pop();
                while tx.last().is_some_and(|shape| shape.word0 >> 27 & 1 == 0) {
                    tx.pop();
                }
            }
            rx.truncate(tx.len());
            sent[usize::from(queue)] = self.place(engine, queue, 0, &tx);
            let received = self.place(engine, queue, 1, &rx);
            self.ring(engine, queue, 1, received, true);
        }
        self.settle();
        for (queue, count) in (0..).zip(sent) {
            self.ring(engine, queue, 0, count, false);
            let cycles = self.choices.below(40);
            self.idle(cycles);
        }
    }

    /// A round of a script in which doorbells come at any time.
    pub fn loose_round(&mut self) {
        let first = self.engine();
        let second = self.engine();
        if self.choices.one_in(4) {
            self.stall(first);
        }
        self.sound_work(first);
        if second != first {
            // Its descriptors wait for the first engine to settle, its doorbells do not.
            self.sound_work(second);
        }
        if self.choices.one_in(2) {
            self.disturb(second);
            self.settle();
            self.arm(second);
            return;
        }
        if self.choices.one_in(4) {
            let part = self.choices.pick(&[0, S2M]);
            let address = u32::from(second) << 20 | part | side::CHANGE_STATE;
            self.pause_and_go_on(address);
        }
        self.settle();
        if self.choices.one_in(2) {
            self.show(first);
        }
        if self.choices.one_in(6) {
            self.interrupted(first);
            self.is_loose = true;
        }
    }

    /// A direction is disabled and enabled again while it is at work: nothing is lost.
    fn pause_and_go_on(&mut self, address: u32) {
        let cycles = self.choices.below(60);
        self.idle(cycles);
        let enable = address & !0xFFF | side::PREF_QUEUE_EN[usize::from(address & S2M != 0)];
        self.write_at(enable, 0, false);
        self.idle(cycles);
        self.write_at(enable, 0xFFFF, false);
    }

    /// Work is taken away in flight.
    fn disturb(&mut self, engine: u8) {
        let cycles = self.choices.below(250);
        self.idle(cycles);
        let base = u32::from(engine) << 20;
        let part = self.choices.below(2) as usize;
        match self.choices.below(5) {
            0 => {
                let address = base | [0, S2M][part] | side::CHANGE_STATE;
                self.write_at(address, side::ABORT, false);
            }
            1..4 => {
                let queue = self.queue();
                let register = queue::SOFT_CONTROL[part];
                let offset = Self::queue_register(queue, part, register);
                self.write_at(base | offset, queue::RESET, false);
            }
            _ => {
                let bit = self.choices.below(32) as u8;
                self.inject(engine, part as u8, bit, false);
            }
        }
    }
}
