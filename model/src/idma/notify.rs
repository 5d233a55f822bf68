// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notification queues of an engine: a record in memory for every so many packets of a queue. Beside the engine, which
//! only says that a packet was completed. [idma-ring §5.6, decisions D-40]

use crate::time::Tick;
use crate::transaction::Direction;

/// Offset of the block in the engine's container: the triggers, then the queues. [idma-ring §2.1]
pub const TRIGGERS: u32 = 0x4_0200;
/// First notification queue. [idma-ring §§2.1, 5.6]
pub const NOTIFICATION_QUEUES: u32 = 0x4_1100;
/// Bytes of a queue's triggers, and of a notification queue. [idma-ring §5.6]
const TRIGGER_STRIDE: u32 = 0x18;
const QUEUE_STRIDE: u32 = 0x28;
/// Queues of an engine, and notification queues. [idma-ring §§2.2, 5.6]
const DMA_QUEUES: usize = 16;
const QUEUES: usize = 10;

/// Bytes of a record. [idma-ring §5.6]
pub const RECORD_BYTES: usize = 16;
/// Type of a DMA record. [idma-ring §5.6]
const DMA_RECORD: u32 = 0x02;

/// When a direction of a queue notifies. [idma-ring §5.6]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Trigger {
    /// `cnt[15:0]`, `trigger_en[16]`.
    register: u32,
    /// Notification queue that takes the records.
    sw_queue: u32,
    /// Packets since the last record.
    packets: u32,
}

impl Trigger {
    const fn is_enabled(self) -> bool {
        self.register >> 16 & 1 == 1
    }

    /// Packets of a record; 0 counts as 1.
    fn period(self) -> u32 {
        (self.register & 0xFFFF).max(1)
    }
}

/// A ring of records. The places of the registers in their block are not known: base low and high, size, head, tail,
/// threshold stand in this order. Size, head and tail count records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ring {
    base: u64,
    size: u32,
    /// Moved by software.
    head: u32,
    tail: u32,
    threshold: u32,
    /// Laps modulo 2: the phase bit is 1 in the first.
    lap: bool,
    has_overflowed: bool,
}

/// A record and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Address of the record.
    pub address: u64,
    /// Its bytes.
    pub bytes: [u8; RECORD_BYTES],
}

/// The notification side of an engine.
#[derive(Clone, Debug, Default)]
pub struct Notifier {
    triggers: [[Trigger; 2]; DMA_QUEUES],
    rings: [Ring; QUEUES],
}

/// A register of the block.
enum Place {
    Trigger(usize, usize),
    SwQueue(usize, usize),
    Ring(usize, u32),
}

fn place(offset: u32) -> Option<Place> {
    let triggers = offset.checked_sub(TRIGGERS).filter(|o| o.is_multiple_of(4));
    if let Some(inside) = triggers {
        let queue = (inside / TRIGGER_STRIDE) as usize;
        if queue < DMA_QUEUES {
            return match inside % TRIGGER_STRIDE {
                0x00 => Some(Place::Trigger(queue, 0)),
                0x08 => Some(Place::SwQueue(queue, 0)),
                0x0C => Some(Place::Trigger(queue, 1)),
                0x14 => Some(Place::SwQueue(queue, 1)),
                _ => None,
            };
        }
    }
    let inside = offset.checked_sub(NOTIFICATION_QUEUES)?;
    let queue = (inside / QUEUE_STRIDE) as usize;
    (queue < QUEUES && inside.is_multiple_of(4))
        .then_some(Place::Ring(queue, inside % QUEUE_STRIDE))
}

impl Notifier {
    /// Whether an offset of the engine's container belongs here.
    #[must_use]
    pub fn has(offset: u32) -> bool {
        place(offset).is_some()
    }

    /// Reads a register; 0 where none is.
    #[must_use]
    pub fn read(&self, offset: u32) -> u32 {
        match place(offset) {
            Some(Place::Trigger(queue, side)) => self.triggers[queue][side].register,
            Some(Place::SwQueue(queue, side)) => self.triggers[queue][side].sw_queue,
            Some(Place::Ring(queue, register)) => {
                let ring = &self.rings[queue];
                match register {
                    0x00 => ring.base as u32,
                    0x04 => (ring.base >> 32) as u32,
                    0x08 => ring.size,
                    0x0C => ring.head,
                    0x10 => ring.tail,
                    0x14 => ring.threshold,
                    _ => 0,
                }
            }
            None => 0,
        }
    }

    /// Writes a register; the tail is read-only.
    pub fn write(&mut self, offset: u32, value: u32) {
        match place(offset) {
            Some(Place::Trigger(queue, side)) => {
                self.triggers[queue][side].register = value & 0x0001_FFFF;
            }
            Some(Place::SwQueue(queue, side)) => self.triggers[queue][side].sw_queue = value,
            Some(Place::Ring(queue, register)) => {
                let ring = &mut self.rings[queue];
                match register {
                    0x00 => ring.base = ring.base & !0xFFFF_FFFF | u64::from(value),
                    0x04 => ring.base = ring.base & 0xFFFF_FFFF | u64::from(value) << 32,
                    0x08 => ring.size = value,
                    0x0C => ring.head = value,
                    0x14 => ring.threshold = value,
                    _ => {}
                }
            }
            None => {}
        }
    }

    /// Takes note of a completed packet; gives the record that this one makes due.
    pub fn packet(&mut self, direction: Direction, queue: u8, now: Tick) -> Option<Notification> {
        let trigger = self
            .triggers
            .get_mut(usize::from(queue))?
            .get_mut(direction.index())?;
        if !trigger.is_enabled() {
            return None;
        }
        trigger.packets += 1;
        if trigger.packets < trigger.period() {
            return None;
        }
        let packets = std::mem::take(&mut trigger.packets);
        let ring = self.rings.get_mut(trigger.sw_queue as usize)?;
        ring.push(direction, queue, packets, now)
    }
}

impl Ring {
    /// A full ring takes no record; the next one that fits says so.
    fn push(
        &mut self,
        direction: Direction,
        queue: u8,
        packets: u32,
        now: Tick,
    ) -> Option<Notification> {
        if self.size == 0 {
            return None;
        }
        let next = if self.tail + 1 >= self.size {
            0
        } else {
            self.tail + 1
        };
        if next == self.head {
            self.has_overflowed = true;
            return None;
        }
        // dma_map, then the header byte in bits 31 to 24: type, software overflow, hardware overflow, phase.
        let overflow = u32::from(std::mem::take(&mut self.has_overflowed));
        let word0 = 1 << queue | DMA_RECORD << 24 | overflow << 29 | u32::from(!self.lap) << 31;
        // num_packets, 4096 as 0; the group is the direction, which is a choice.
        let word1 = packets & 0xFFF | (direction.index() as u32) << 12;
        let mut bytes = [0; RECORD_BYTES];
        bytes[..4].copy_from_slice(&word0.to_le_bytes());
        bytes[4..8].copy_from_slice(&word1.to_le_bytes());
        bytes[8..].copy_from_slice(&now.picoseconds().to_le_bytes());
        let address = self
            .base
            .wrapping_add(RECORD_BYTES as u64 * u64::from(self.tail));
        if next == 0 {
            self.lap = !self.lap;
        }
        self.tail = next;
        Some(Notification { address, bytes })
    }
}
