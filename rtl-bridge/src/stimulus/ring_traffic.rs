// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Descriptors, packets and doorbells of the scripts for the DMA engines.

use super::Choices;
use super::ring::{SINK_BYTES, SINKS, SOURCE_BYTES, SOURCES, Writer, queue};

/// Bits of word 0. [idma-ring §§1.3, 1.4]
pub(super) const META: u32 = 1 << 23;
const FIRST: u32 = 1 << 26;
const LAST: u32 = 1 << 27;
const INT: u32 = 1 << 28;
const DUAL_BUF: u32 = 1 << 31;
/// Words 1 of a plain copy. [idma-ring §§1.7, 4.1, MC-29]
const COPIES: [u32; 4] = [0x0108_0003, 0, 0x0108_0000, 0x0508_0003];

/// A descriptor before it has a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Word 0 without the tag.
    pub word0: u32,
    pub word1: u32,
    /// Place of its buffer.
    pub place: u32,
    /// What is added to the tag.
    pub wrong_id: u32,
}

impl Shape {
    /// What a ring holds before software wrote to it.
    pub const fn stale(part: usize, slot: u32) -> Self {
        let flags = [FIRST | LAST, 0][part];
        let area = [SOURCES, SINKS][part];
        Self {
            word0: flags | (8 + slot % 40),
            word1: [COPIES[0], 0][part],
            place: area + 64 * slot,
            wrong_id: 0,
        }
    }

    /// A plain copy of so many bytes.
    pub const fn copy(part: usize, bytes: u32) -> Self {
        Self {
            word0: [FIRST | LAST, 0][part] | bytes & 0xFFFF,
            word1: [COPIES[0], 0][part],
            place: [SOURCES, SINKS][part],
            wrong_id: 0,
        }
    }

    /// The first descriptor of a packet that goes on.
    pub const fn opening(mut self) -> Self {
        self.word0 &= !LAST;
        self
    }

    /// The last descriptor of a packet that began before.
    pub const fn closing(mut self) -> Self {
        self.word0 &= !FIRST;
        self
    }

    pub const fn length(self) -> u32 {
        self.word0 & 0xFFFF
    }

    pub fn pack(self, id: u32, address: u64) -> [u8; 16] {
        let word0 = self.word0 & !(3 << 24) | ((id + self.wrong_id) & 3) << 24;
        let low = u64::from(word0) | u64::from(self.word1) << 32;
        (u128::from(low) | u128::from(address) << 64).to_le_bytes()
    }
}

/// What a copy is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Health {
    /// Nothing is wrong with it.
    Sound,
    /// Descriptors may be malformed, and the sides need not fit.
    Any,
}

impl<C: Choices> Writer<'_, C> {
    fn buffer_length(&mut self) -> u32 {
        match self.choices.below(16) {
            0..8 => 1 + self.choices.below(64),
            8..12 => 1 + self.choices.below(200),
            12 => self.choices.pick(&[32, 64, 31, 33, 96]),
            13 => 1 + self.choices.below(900),
            14 => 1,
            _ => 32 * (1 + self.choices.below(8)),
        }
    }

    fn source(&mut self, length: u32) -> u32 {
        SOURCES + self.choices.below((SOURCE_BYTES - length).min(0x1_0000))
    }

    fn sink(&mut self, length: u32) -> u32 {
        self.sinks
            + match self.choices.below(8) {
                // Overlaps others, and crosses a 4 KiB border.
                0 => SINKS + 0xFF0 + self.choices.below(32),
                _ => SINKS + self.choices.below((SINK_BYTES / 2 - length).min(0x1_0000)),
            }
    }

    /// Descriptors of one packet, and those that receive it.
    pub fn packet(&mut self, health: Health, tx: &mut Vec<Shape>, rx: &mut Vec<Shape>) {
        let count = match self.choices.below(8) {
            0..4 => 1,
            4..6 => 2,
            6 => 3,
            _ => 1 + self.choices.below(9),
        };
        let first = tx.len();
        let mut total = 0;
        for at in 0..count {
            let mut length = self.buffer_length();
            // As long as a packet may be.
            let limit = self
                .soft
                .iter()
                .map(|it| it.limit)
                .find(|limit| (1..=300).contains(limit));
            if let Some(limit) = limit.filter(|_| count == 1 && !self.is_loose)
                && self.choices.one_in(6)
            {
                length = limit;
            }
            let edges = (u32::from(at == 0) * FIRST) | (u32::from(at + 1 == count) * LAST);
            let int = u32::from(self.choices.one_in(5)) * INT;
            // Moves nothing, whatever its length.
            let meta = u32::from(!self.is_loose && count > 1 && self.choices.one_in(16)) * META;
            let shape = Shape {
                word0: edges | int | meta | length,
                word1: self.choices.pick(&COPIES),
                place: self.source(length),
                wrong_id: 0,
            };
            total += if meta == 0 { length } else { 0 };
            tx.push(shape);
        }
        let shortage = match health {
            Health::Sound => 0,
            Health::Any => self.choices.below(8),
        };
        self.receivers(total, shortage, &tx[first..], rx);
        if health == Health::Any && self.choices.one_in(3) {
            self.spoil(&mut tx[first..], rx);
        }
    }

    /// Receivers of `total` bytes: as many, fewer or more.
    fn receivers(&mut self, total: u32, shortage: u32, tx: &[Shape], rx: &mut Vec<Shape>) {
        let target = match shortage {
            6 => total / 2,
            7 => total + 70,
            _ => total,
        };
        // One for each, which overlap their sources now and then: behind them, so that what is read is known.
        if self.is_loose || self.choices.one_in(3) {
            let near = !self.is_loose && tx.len() == 1 && self.choices.one_in(3);
            for shape in tx {
                let place = if near {
                    shape.place - self.choices.below(24)
                } else {
                    self.sink(shape.length())
                };
                rx.push(self.receiver(shape.length(), place));
            }
            return;
        }
        let mut left = target;
        while left > 0 {
            let part = match self.choices.below(4) {
                0 | 1 => left,
                _ => left.min(1 + self.choices.below(100)),
            };
            // The last may have room to spare.
            let spare = if part == left && self.choices.one_in(4) {
                25
            } else {
                0
            };
            let place = self.sink(part + spare);
            rx.push(self.receiver(part + spare, place));
            left -= part;
        }
    }

    fn receiver(&mut self, length: u32, place: u32) -> Shape {
        let int = u32::from(self.choices.one_in(5)) * INT;
        Shape {
            word0: int | length.min(0xFFFF),
            word1: 0,
            place,
            wrong_id: 0,
        }
    }

    /// One thing that software must not do. [idma-ring §2.10]
    fn spoil(&mut self, tx: &mut [Shape], rx: &mut [Shape]) {
        let at = self.choices.below(tx.len() as u32) as usize;
        let other = rx.len().checked_sub(1);
        let other = other.map(|last| self.choices.below(last as u32 + 1) as usize);
        match self.choices.below(16) {
            12 | 13 => tx[at].word1 = 1 << (6 + self.choices.below(17)) | COPIES[0],
            0 => tx[at].word0 &= !FIRST,
            1 => tx[at].word0 |= FIRST,
            2 => tx[at].word0 &= !LAST,
            3 => tx[at].word0 |= LAST,
            4 => tx[at].wrong_id = 1 + self.choices.below(3),
            5 | 14 => tx[at].word0 &= !0xFFFF,
            6 => tx[at].word0 |= META,
            7 => tx[at].word1 = self.choices.word(),
            8 => {
                tx[at].word1 =
                    self.choices
                        .pick(&[0x0100_0003, 0x0108_0040, 0x0118_0003, 0x0188_0003]);
            }
            9 => {
                if let Some(other) = other {
                    rx[other].wrong_id = 1 + self.choices.below(3);
                }
            }
            10 => {
                if let Some(other) = other {
                    rx[other].word0 |= DUAL_BUF;
                }
            }
            _ => {
                // 64 KiB for the write side. [idma-ring MC-8]
                if let Some(other) = other {
                    rx[other].word0 &= !0xFFFF;
                }
            }
        }
        // A read of 64 KiB takes tens of thousands of cycles; it has an action of its own.
        for shape in tx.iter_mut() {
            if shape.length() == 0 && self.soft.iter().any(|it| it.is_armed && it.encodes_64k) {
                shape.word0 |= 1;
            }
        }
    }

    /// Writes descriptors to where the next ones go; a ring takes no more than it has room for.
    pub fn place(&mut self, engine: u8, queue: u8, part: usize, shapes: &[Shape]) -> u32 {
        let base = self.ring_address(engine, queue, part);
        let mut ring = self.soft[usize::from(engine)].rings[usize::from(queue)][part];
        let fit = shapes.len().min(ring.length as usize);
        // A run of slots up to the end of the ring is one write.
        let mut from = base + 16 * u64::from(ring.offset);
        let mut bytes = Vec::new();
        for shape in &shapes[..fit] {
            let address = self.address(engine, shape.place);
            bytes.extend_from_slice(&shape.pack(ring.id, address));
            ring.advance();
            if ring.offset == 0 {
                self.poke(engine, from, &bytes);
                bytes.clear();
                from = base;
            }
        }
        if !bytes.is_empty() {
            self.poke(engine, from, &bytes);
        }
        fit as u32
    }

    /// Moves the software's pointer over descriptors that were or will be rung.
    pub fn rung(&mut self, engine: u8, queue: u8, part: usize, count: u32) {
        let ring = &mut self.soft[usize::from(engine)].rings[usize::from(queue)][part];
        (0..count).for_each(|_| ring.advance());
    }

    /// Rings for `count` descriptors, in one call or several.
    pub fn ring(&mut self, engine: u8, queue: u8, part: usize, count: u32, settled: bool) {
        let offset = Self::queue_register(queue, part, queue::DOORBELL);
        let address = u32::from(engine) << 20 | offset;
        let calls = match self.choices.below(4) {
            0 | 1 => 1,
            calls => calls,
        };
        let mut left = count;
        for call in 1..=calls {
            let now = if call == calls {
                left
            } else {
                self.choices.below(left + 1)
            };
            if now == 0 && count != 0 {
                continue;
            }
            // The increment has 24 bits. [idma-ring §2.3]
            let above = if self.choices.one_in(8) {
                0xFF00_0000
            } else {
                0
            };
            self.write_at(address, above | now, settled);
            left -= now;
        }
        self.rung(engine, queue, part, count);
    }
}
