// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Completion of descriptors and packets: entries, heads, causes, counters. [idma-ring §§1.9, 2.9, MC-6]

use super::completion::{M2S_COMPLETION_BYTES, PacketPlace, m2s_completion, s2m_completion};
use super::descriptor::{Descriptor, rx, tx};
use super::engine::{Cause, Engine, Out};
use super::errors::{m2s, s2m};
use super::port::MemoryPort;
use super::registers;
use super::stream::Packet;
use crate::generation::Generation;
use crate::transaction::{Direction, Effect, Sink};

impl Engine {
    /// Closes the descriptor in use; false if the write side was aborted by it. [decisions D-23]
    pub(super) fn close_receiver<P: MemoryPort, S: Sink>(
        &mut self,
        packet: &mut Packet,
        is_last: bool,
        port: &mut P,
        out: &mut Out<'_, S>,
    ) -> bool {
        const ERROR: u32 = 1 << 31;
        let Some(receiver) = packet.receiver else {
            return true;
        };
        let queue = packet.queue();
        let half = self.half(Direction::S2m);
        let it = &half.queues[usize::from(queue)];
        let desc_size = half.kept[registers::COMP_CFG_1C] & 0xF;
        if it.reports_completions() && desc_size != 0 {
            let head = it.completed();
            let place = PacketPlace {
                first: receiver.is_first,
                last: is_last,
            };
            let mut entry = s2m_completion(head.ring_id, place, receiver.written);
            if receiver.has_failed {
                entry.word0 |= ERROR;
            }
            let address = it
                .completion_base()
                .wrapping_add(4 * u64::from(desc_size) * u64::from(head.offset));
            let bytes = entry.pack();
            let bytes = &bytes[..4 * desc_size.min(4) as usize];
            let words = receiver.descriptor.words();
            if !self.report(Direction::S2m, queue, address, bytes, words, port, out) {
                return false;
            }
        }
        packet.receiver = None;
        let report = self.reports_heads();
        let half = self.half_mut(Direction::S2m);
        half.queues[usize::from(queue)].complete(report);
        let done = &mut half.statistics.completed_descriptors;
        *done = done.wrapping_add(1);
        if receiver.descriptor.has(rx::INT_EN) {
            self.interrupt(Direction::S2m, queue);
        }
        true
    }

    /// Writes a completion entry; false if it failed and aborted the direction, or never ends.
    #[expect(
        clippy::too_many_arguments,
        reason = "an entry, its place and the surroundings"
    )]
    fn report<P: MemoryPort, S: Sink>(
        &mut self,
        direction: Direction,
        queue: u8,
        address: u64,
        entry: &[u8],
        words: [u32; 4],
        port: &mut P,
        out: &mut Out<'_, S>,
    ) -> bool {
        let result = port.complete(address, entry);
        self.emit(direction, queue, out, || Effect::CompletionWrite {
            address,
            data: entry.to_vec(),
        });
        let Err(fault) = result else { return true };
        let bits = match direction {
            Direction::M2s => [m2s::COMPLETION_RESPONSE, m2s::COMPLETION_TIMEOUT],
            Direction::S2m => [s2m::COMPLETION_RESPONSE, s2m::COMPLETION_TIMEOUT],
        };
        let Some(bit) = self.fault_bit(fault.kind, bits) else {
            self.is_stuck = true;
            return false;
        };
        !self.raise(direction, queue, bit, words, Cause::Stream, out)
    }

    /// The end of a packet on the write side; false if the packet cannot end.
    pub(super) fn end_landing<P: MemoryPort, S: Sink>(
        &mut self,
        packet: &mut Packet,
        port: &mut P,
        out: &mut Out<'_, S>,
    ) -> bool {
        if !self.close_receiver(packet, true, port, out) {
            packet.is_dead = !self.is_stuck;
            return false;
        }
        if packet.is_illegal || packet.is_dropped {
            return true;
        }
        let queue = packet.queue();
        let half = self.half_mut(Direction::S2m);
        let statistics = &mut half.statistics;
        statistics.completed_packets = statistics.completed_packets.wrapping_add(1);
        statistics.acknowledged_packets = statistics.acknowledged_packets.wrapping_add(1);
        let count = half.queues[usize::from(queue)].count_packet();
        self.finished[Direction::S2m.index()] = Some(queue);
        self.emit(Direction::S2m, queue, out, || Effect::PacketDone { count });
        true
    }

    /// A descriptor of the read side is complete; false if reporting it aborted the read side, or never ends.
    /// [decisions D-52, D-59]
    pub(super) fn complete_source<P: MemoryPort, S: Sink>(
        &mut self,
        packet: &Packet,
        descriptor: &Descriptor,
        port: &mut P,
        out: &mut Out<'_, S>,
    ) -> bool {
        let queue = packet.queue();
        let it = &self.half(Direction::M2s).queues[usize::from(queue)];
        let place = PacketPlace {
            first: descriptor.has(tx::FIRST),
            last: descriptor.has(tx::LAST),
        };
        if it.reports_completions() && !packet.is_illegal {
            let head = it.completed();
            let address = it
                .completion_base()
                .wrapping_add(M2S_COMPLETION_BYTES as u64 * u64::from(head.offset));
            let entry = m2s_completion(head.ring_id, place).to_le_bytes();
            let words = descriptor.words();
            if !self.report(Direction::M2s, queue, address, &entry, words, port, out) {
                return false;
            }
        }
        let report = self.reports_heads();
        let half = self.half_mut(Direction::M2s);
        let it = &mut half.queues[usize::from(queue)];
        it.complete(report);
        let statistics = &mut half.statistics;
        statistics.completed_descriptors = statistics.completed_descriptors.wrapping_add(1);
        let mut count = None;
        if place.first {
            statistics.packets = statistics.packets.wrapping_add(1);
            it.count_packet();
        }
        if place.last {
            statistics.completed_packets = statistics.completed_packets.wrapping_add(1);
            statistics.acknowledged_packets = statistics.acknowledged_packets.wrapping_add(1);
            count = Some(statistics.completed_packets);
        }
        if descriptor.has(tx::INT_EN) && !packet.is_illegal {
            self.interrupt(Direction::M2s, queue);
        }
        if let Some(count) = count {
            // v4 lets a descriptor suppress its notification. [idma-ring §1.5]
            let v4 = matches!(self.generation(), Generation::V4 | Generation::V4Plus);
            if !(v4 && descriptor.word1 & tx::NOTIFICATION_MASK != 0) {
                self.finished[Direction::M2s.index()] = Some(queue);
            }
            self.emit(Direction::M2s, queue, out, || Effect::PacketDone { count });
        }
        true
    }
}
