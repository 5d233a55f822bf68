// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One direction of a queue: registers, pointers, prefetch slice. [idma-ring §§2.3, 2.4, 2.6]

use std::collections::VecDeque;

use super::descriptor::{Descriptor, tx};
use super::pointer::{OFFSET_MASK, Pointer};
use crate::generation::Generation;
use crate::transaction::Direction;

/// Largest number that `posted`, `q_used` and `released` hold: 25 bits. [idma-ring MC-10]
pub const MAX_POSTED: u32 = (1 << 25) - 1;
/// Descriptors that the prefetch slice of a queue holds at most. [idma-ring §8]
pub const SLICE: usize = 128;
/// Most descriptors of a burst. [idma-ring §2.6]
pub const BURST: u32 = 8;

/// A register that keeps what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    /// Offset in its block.
    pub offset: u32,
    /// Bits that exist.
    pub writable: u32,
    /// Value after reset.
    pub reset: u32,
}

pub(super) const fn kept(offset: u32, writable: u32, reset: u32) -> Kept {
    Kept {
        offset,
        writable,
        reset,
    }
}

/// Positions in the tables of kept registers that both directions share.
const PREF_CFG: usize = 0;
const CFG: usize = 1;
const BASE_LOW: usize = 2;
const BASE_HIGH: usize = 3;
const LENGTH: usize = 4;
const COMPLETION_LOW: usize = 5;
const COMPLETION_HIGH: usize = 6;
const COMP_CFG: usize = 7;
/// Positions in the table of the read side.
const RATE_LIMIT_1: usize = 8;
const MASK: usize = 12;
const DWRR_1: usize = 13;

/// Number of kept registers of the larger table.
const KEPT: usize = 17;

/// [idma-ring §2.3, MC-4]; widths as in `docs/idma-contract.md`
const M2S_KEPT: [Kept; KEPT] = [
    kept(0x00, 0x07FF_0FFF, 0x80),
    kept(0x20, 0xFF13_FFFF, 0x0300_0000),
    kept(0x28, 0xFFFF_FFC0, 0x40),
    kept(0x2C, u32::MAX, 0),
    kept(0x30, OFFSET_MASK, 0),
    kept(0x44, 0xFFFF_FFC0, 0),
    kept(0x48, u32::MAX, 0),
    kept(0xA0, 0x3, 0),
    kept(0x60, 0x03FF_FFFF, 0x00FF_FFFF),
    kept(0x64, u32::MAX, 0),
    kept(0x68, u32::MAX, 0),
    kept(0x6C, u32::MAX, 0),
    kept(0x74, 0xF, 0x7),
    kept(0x80, 0x03FF_FFFF, 0),
    kept(0x84, 0xFF, 0),
    kept(0x88, 0xFF, 0),
    kept(0xD0, 0x3, 0x2),
];

/// [idma-ring §2.4]
const S2M_KEPT: [Kept; 11] = [
    kept(0x00, 0x07FF_0FFF, 0x80),
    kept(0x20, 0xFF93_00FF, 0x0300_0033),
    kept(0x28, 0xFFFF_FFC0, 0x40),
    kept(0x2C, u32::MAX, 0),
    kept(0x30, OFFSET_MASK, 0),
    kept(0x44, 0xFFFF_FFC0, 0),
    kept(0x48, u32::MAX, 0),
    kept(0x54, 0xF, 0xF),
    kept(0x58, u32::MAX, 0x0001_86A0),
    kept(0x5C, 0x0003_FFFF, 0x40),
    kept(0x60, 0xFF, 0),
];

/// `cfg` of v5. [idma-ring §§2.3, 2.4]
const M2S_CFG_V5: Kept = kept(0x20, u32::MAX, 0xE364_0000);
const S2M_CFG_V5: Kept = kept(0x20, 0xFF97_00FF, 0xE304_0033);

fn kept_register(direction: Direction, generation: Generation, index: usize) -> Option<Kept> {
    let v5 = generation == Generation::V5;
    match (direction, index) {
        (Direction::M2s, CFG) if v5 => Some(M2S_CFG_V5),
        (Direction::S2m, CFG) if v5 => Some(S2M_CFG_V5),
        (Direction::M2s, _) => M2S_KEPT.get(index).copied(),
        (Direction::S2m, _) => S2M_KEPT.get(index).copied(),
    }
}

/// What a write to a queue's block asks of the engine, beyond what the queue did itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Nothing.
    Done,
    /// A doorbell of this many descriptors.
    Doorbell(u32),
    /// The queue was reset.
    Reset,
}

/// Bits of `q_sw_ctrl`. [idma-ring §§2.3, 2.4, MC-28]
mod strobe {
    pub const TAIL: u32 = 1 << 1;
    pub const HEAD: u32 = 1 << 2;
    pub const CURRENT: u32 = 1 << 3;
    /// M2S: data tail. S2M: prefetch slice.
    pub const BIT4: u32 = 1 << 4;
    pub const QUEUE: u32 = 1 << 8;
}

/// Bits of `cfg`. [idma-ring §§2.3, 2.4]
mod cfg {
    pub const EN_PREF: u32 = 1 << 16;
    pub const EN_MOVE: u32 = 1 << 17;
    pub const ALLOW_LT_MIN_PREF: u32 = 1 << 20;
}

/// Engine settings that decide about bursts. [idma-ring §2.5]
#[derive(Clone, Copy, Debug)]
pub(super) struct BurstRule {
    /// `desc_pref_cfg_3`.
    pub register: u32,
}

impl BurstRule {
    fn minimum(self, level: u32) -> u32 {
        let (below, above) = (self.register & 0xF, self.register >> 4 & 0xF);
        let threshold = self.register >> 8 & 0xFF;
        (if level < threshold { below } else { above }).min(BURST)
    }
}

/// One direction of a queue.
#[derive(Clone, Debug)]
pub struct Queue {
    direction: Direction,
    generation: Generation,
    kept: [u32; KEPT],
    head: Pointer,
    tail: Pointer,
    current: Pointer,
    completed: Pointer,
    data_tail: Pointer,
    posted: u32,
    released: u32,
    in_flight: u32,
    halted: bool,
    slice: VecDeque<Descriptor>,
    /// LAST descriptors in the slice.
    complete_packets: u32,
    /// A packet of which LAST has not been fetched.
    pub(super) open: bool,
    /// Descriptors and bytes of the open packet.
    pub(super) packet_descriptors: u32,
    pub(super) packet_bytes: u32,
    /// `q_tx_pkt` or `q_rx_pkt`.
    packets: u32,
}

impl Queue {
    pub(super) fn new(direction: Direction, generation: Generation) -> Self {
        let mut values = [0; KEPT];
        for (index, value) in values.iter_mut().enumerate() {
            *value = kept_register(direction, generation, index).map_or(0, |kept| kept.reset);
        }
        Self {
            direction,
            generation,
            kept: values,
            head: Pointer::default(),
            tail: Pointer::default(),
            current: Pointer::default(),
            completed: Pointer::default(),
            data_tail: Pointer::default(),
            posted: 0,
            released: 0,
            in_flight: 0,
            halted: false,
            slice: VecDeque::new(),
            complete_packets: 0,
            open: false,
            packet_descriptors: 0,
            packet_bytes: 0,
            packets: 0,
        }
    }

    /// Next descriptor to prefetch.
    #[must_use]
    pub const fn head(&self) -> Pointer {
        self.head
    }

    /// Next free slot.
    #[must_use]
    pub const fn tail(&self) -> Pointer {
        self.tail
    }

    /// Oldest descriptor in the slice.
    #[must_use]
    pub const fn current(&self) -> Pointer {
        self.current
    }

    /// Next completion slot.
    #[must_use]
    pub const fn completed(&self) -> Pointer {
        self.completed
    }

    /// Published and not yet fetched.
    #[must_use]
    pub const fn posted(&self) -> u32 {
        self.posted
    }

    /// Fetched and not yet completed.
    #[must_use]
    pub const fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Stopped by an abort until `rst_q`. [idma-ring MC-14]
    #[must_use]
    pub const fn is_halted(&self) -> bool {
        self.halted
    }

    /// Fetched and not yet taken.
    #[must_use]
    pub fn level(&self) -> usize {
        self.slice.len()
    }

    pub(super) const fn length(&self) -> u32 {
        self.kept[LENGTH]
    }

    fn base(&self) -> u64 {
        u64::from(self.kept[BASE_HIGH]) << 32 | u64::from(self.kept[BASE_LOW])
    }

    pub(super) fn completion_base(&self) -> u64 {
        u64::from(self.kept[COMPLETION_HIGH]) << 32 | u64::from(self.kept[COMPLETION_LOW])
    }

    /// `en_comp_ring_update`. [idma-ring §§2.3, 2.4]
    pub(super) const fn reports_completions(&self) -> bool {
        self.kept[COMP_CFG] & 1 == 1
    }

    pub(super) const fn prefetches(&self) -> bool {
        self.kept[CFG] & cfg::EN_PREF != 0
    }

    /// `en_scheduling` or `en_stream`.
    pub(super) const fn moves(&self) -> bool {
        self.kept[CFG] & cfg::EN_MOVE != 0
    }

    /// The DWRR arbiter's pause, or the rate limiter's where it is not masked.
    pub(super) const fn is_paused(&self) -> bool {
        const PAUSE: u32 = 1 << 25;
        const INTERNAL: u32 = 1 << 1;
        self.kept[DWRR_1] & PAUSE != 0
            || self.kept[RATE_LIMIT_1] & PAUSE != 0 && self.kept[MASK] & INTERNAL == 0
    }

    pub(super) const fn has_packet(&self) -> bool {
        self.complete_packets > 0
    }

    pub(super) const fn released(&self) -> u32 {
        self.released
    }

    /// v2 and v5 have no data tail. [idma-ring §§2.3, 6]
    pub(super) const fn has_data_tail(&self) -> bool {
        matches!(self.direction, Direction::M2s)
            && !matches!(self.generation, Generation::V2 | Generation::V5)
    }

    /// Address and size of the burst that the queue may fetch now. [idma-ring §2.6]
    pub(super) fn burst(&self, rule: BurstRule) -> Option<(u64, u32)> {
        let level = self.slice.len() as u32;
        let depth = (self.kept[PREF_CFG] & 0xFFF).min(SLICE as u32);
        let length = self.length();
        if self.halted || !self.prefetches() || length == 0 || self.posted == 0 || level >= depth {
            return None;
        }
        let to_end = length.saturating_sub(self.head.offset).max(1);
        let count = BURST.min(self.posted).min(depth - level).min(to_end);
        let unlimited = self.kept[CFG] & cfg::ALLOW_LT_MIN_PREF != 0
            || self.direction == Direction::M2s && self.complete_packets == 0;
        if count < rule.minimum(level) && !unlimited {
            return None;
        }
        let address = self.base().wrapping_add(16 * u64::from(self.head.offset));
        Some((address, count))
    }

    /// Puts a fetched descriptor into the slice.
    pub(super) fn put(&mut self, descriptor: Descriptor) {
        if self.direction == Direction::M2s && descriptor.has(tx::LAST) {
            self.complete_packets += 1;
        }
        self.slice.push_back(descriptor);
        self.head.advance(self.length());
        self.posted -= 1;
        self.in_flight += 1;
    }

    /// Takes the oldest descriptor out of the slice.
    pub(super) fn take(&mut self) -> Option<Descriptor> {
        let descriptor = self.slice.pop_front()?;
        if self.direction == Direction::M2s && descriptor.has(tx::LAST) {
            self.complete_packets = self.complete_packets.saturating_sub(1);
        }
        self.released = self.released.saturating_sub(1);
        self.current.advance(self.length());
        Some(descriptor)
    }

    /// The descriptors of the oldest packet in the slice.
    pub(super) fn oldest_packet(&self) -> impl Iterator<Item = &Descriptor> {
        let mut ended = false;
        self.slice.iter().take_while(move |descriptor| {
            let inside = !ended;
            ended |= descriptor.has(tx::LAST);
            inside
        })
    }

    /// A descriptor is complete; `report` moves the completion head. [idma-ring MC-6]
    pub(super) fn complete(&mut self, report: bool) {
        if report {
            let length = self.length();
            self.completed.advance(length);
        }
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    pub(super) fn count_packet(&mut self) -> u32 {
        self.packets = self.packets.wrapping_add(1);
        self.packets
    }

    pub(super) fn halt(&mut self) {
        self.halted = true;
    }

    /// [idma-ring MC-28]; the packet counter stays.
    fn reset_queue(&mut self) {
        self.head = Pointer::default();
        self.tail = Pointer::default();
        self.current = Pointer::default();
        self.completed = Pointer::default();
        self.data_tail = Pointer::default();
        self.empty_slice();
        self.posted = 0;
        self.in_flight = 0;
        self.released = 0;
        self.halted = false;
        self.open = false;
        self.packet_descriptors = 0;
        self.packet_bytes = 0;
    }

    fn empty_slice(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(self.slice.len() as u32);
        self.slice.clear();
        self.complete_packets = 0;
    }

    /// `q_used`. [idma-ring MC-10]
    fn used(&self) -> u32 {
        (self.posted + self.in_flight).min(MAX_POSTED)
    }

    /// `status`; the engine says whether fetching and moving are allowed by it. [idma-ring §§2.3, 2.4]
    fn status(&self, may_fetch: bool, may_move: bool) -> u32 {
        let used = self.used();
        let length = self.length();
        let full = length != 0 && used >= length;
        let fetches = may_fetch && !self.halted && self.prefetches();
        let moves = may_move && !self.halted && self.moves();
        used | u32::from(fetches) << 28 | u32::from(moves) << 29 | u32::from(full) << 31
    }

    /// Reads a register of the block; 0 where none is.
    pub(super) fn read(&self, offset: u32, may_fetch: bool, may_move: bool) -> u32 {
        let m2s = self.direction == Direction::M2s;
        match offset {
            0x24 => self.status(may_fetch, may_move),
            0x34 => self.head.register(),
            0x3C => self.tail.register(),
            0x40 => self.current.register(),
            0x4C | 0x50 => self.completed.register(),
            0xC0 if m2s => self.packets,
            0x68 if !m2s => self.packets,
            0xE4 if self.has_data_tail() => self.data_tail.register(),
            _ => self
                .kept_at(offset)
                .map_or(0, |(index, _)| self.kept[index]),
        }
    }

    fn kept_at(&self, offset: u32) -> Option<(usize, Kept)> {
        (0..KEPT)
            .filter_map(|index| {
                kept_register(self.direction, self.generation, index).map(|kept| (index, kept))
            })
            .find(|(_, kept)| kept.offset == offset)
    }

    /// Writes a register of the block.
    pub(super) fn write(&mut self, offset: u32, value: u32) -> Written {
        let m2s = self.direction == Direction::M2s;
        match offset {
            0x38 => {
                let increment = value & OFFSET_MASK;
                self.doorbell(increment);
                return Written::Doorbell(increment);
            }
            0xB0 if m2s => return self.strobe(value),
            0x64 if !m2s => return self.strobe(value),
            0xE0 if self.has_data_tail() => {
                let increment = value & OFFSET_MASK;
                self.data_tail.add(increment, self.length());
                self.released = (self.released + increment).min(MAX_POSTED);
            }
            _ => {
                if let Some((index, kept)) = self.kept_at(offset) {
                    self.kept[index] = value & kept.writable;
                }
            }
        }
        Written::Done
    }

    /// [idma-ring §2.6, MC-9, MC-10, decisions D-22]
    fn doorbell(&mut self, increment: u32) {
        if increment == 0 {
            return;
        }
        self.tail.add(increment, self.length());
        self.posted = (self.posted + increment).min(MAX_POSTED);
    }

    /// [idma-ring MC-28]
    fn strobe(&mut self, bits: u32) -> Written {
        if bits & strobe::TAIL != 0 {
            self.tail = Pointer::default();
        }
        if bits & strobe::HEAD != 0 {
            self.head = Pointer::default();
        }
        if bits & strobe::CURRENT != 0 {
            self.current = Pointer::default();
        }
        if bits & strobe::BIT4 != 0 {
            match self.direction {
                Direction::M2s if self.has_data_tail() => self.data_tail = Pointer::default(),
                Direction::M2s => {}
                Direction::S2m => self.empty_slice(),
            }
        }
        if bits & strobe::QUEUE != 0 {
            self.reset_queue();
            return Written::Reset;
        }
        Written::Done
    }
}
