// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Prefetch of descriptors, and the checks that each passes. [idma-ring §§2.6, 2.10]

use super::descriptor::{Descriptor, rx, tx};
use super::engine::{Cause, Engine, Out, QUEUES, State, round_robin};
use super::errors::{m2s, s2m};
use super::port::MemoryPort;
use super::queue::{BURST, BurstRule};
use super::registers;
use crate::transaction::{Direction, Effect, Sink};

/// Where a descriptor leaves the packet that is being fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Framing {
    open: bool,
    descriptors: u32,
    bytes: u32,
}

impl Engine {
    /// Fetches one burst for the next queue that can. [idma-ring §§2.6, 2.9]
    pub(super) fn fetch_next_burst<P: MemoryPort, S: Sink>(
        &mut self,
        direction: Direction,
        port: &mut P,
        out: &mut Out<'_, S>,
    ) -> bool {
        /// S2M `stream_cfg.stop_prefetch`. [idma-ring §2.5]
        const STOP_PREFETCH: u32 = 1 << 8;
        let half = self.half(direction);
        let stopped =
            direction == Direction::S2m && half.kept[registers::STREAM_CFG] & STOP_PREFETCH != 0;
        if half.state != State::Normal || half.posted == 0 || stopped {
            return false;
        }
        let rule = BurstRule {
            register: half.kept[registers::PREF_CFG_3],
        };
        let candidates = half.posted & half.kept[registers::PREF_QUEUE_EN] as u16;
        let found = round_robin(candidates, half.fetch_next).find_map(|queue| {
            let (address, count) = half.queues[usize::from(queue)].burst(rule)?;
            Some((queue, address, count))
        });
        let Some((queue, address, count)) = found else {
            return false;
        };
        self.half_mut(direction).fetch_next = (queue + 1) % QUEUES;
        self.fetch(direction, queue, address, count, port, out);
        self.half_mut(direction).summarize(queue);
        true
    }

    fn fetch<P: MemoryPort, S: Sink>(
        &mut self,
        direction: Direction,
        queue: u8,
        address: u64,
        count: u32,
        port: &mut P,
        out: &mut Out<'_, S>,
    ) {
        let mut bytes = [0; 16 * BURST as usize];
        let bytes = &mut bytes[..16 * count as usize];
        let result = port.fetch(address, bytes);
        let arrived = match result {
            Ok(()) => count as usize,
            Err(fault) => (fault.at / 16).min(count as usize),
        };
        self.emit(direction, queue, out, || Effect::DescriptorFetch {
            address,
            count,
            data: bytes[..16 * arrived].to_vec(),
        });
        for beat in bytes.as_chunks::<16>().0.iter().take(arrived) {
            let descriptor = Descriptor::unpack(beat);
            let (errors, place) = self.check(direction, queue, &descriptor);
            if errors != 0
                && self.raise(
                    direction,
                    queue,
                    errors,
                    descriptor.words(),
                    Cause::Elsewhere,
                    out,
                )
            {
                return;
            }
            let half = self.half_mut(direction);
            let it = &mut half.queues[usize::from(queue)];
            it.put(descriptor);
            it.open = place.open;
            it.packet_descriptors = place.descriptors;
            it.packet_bytes = place.bytes;
            half.statistics.prefetched = half.statistics.prefetched.wrapping_add(1);
        }
        let Err(fault) = result else { return };
        let failing = address.wrapping_add(16 * arrived as u64);
        let words = [0, 0, failing as u32, (failing >> 32) as u32];
        let Some(bit) = self.fault_bit(fault.kind, registers::prefetch_bits(direction)) else {
            self.is_stuck = true;
            return;
        };
        if !self.raise(direction, queue, bit, words, Cause::Elsewhere, out) {
            self.half_mut(direction).queues[usize::from(queue)].halt();
        }
    }

    /// The errors of a fetched descriptor, and the framing after it. [idma-ring §2.10]
    fn check(&self, direction: Direction, queue: u8, descriptor: &Descriptor) -> (u32, Framing) {
        let half = self.half(direction);
        let it = &half.queues[usize::from(queue)];
        let wrong_id = descriptor.ring_id() != it.head().ring_id;
        if direction == Direction::S2m {
            let errors = if wrong_id { s2m::RING_ID } else { 0 }
                | if descriptor.has(rx::DUAL_BUF) {
                    s2m::DUAL_BUF
                } else {
                    0
                };
            return (errors, Framing::default());
        }
        let (first, last) = (descriptor.has(tx::FIRST), descriptor.has(tx::LAST));
        let length = if descriptor.has(tx::META) {
            0
        } else {
            self.read_length(descriptor)
        };
        let (before, bytes_before) = if it.open {
            (it.packet_descriptors, it.packet_bytes)
        } else {
            (0, 0)
        };
        let framing = Framing {
            open: !last,
            descriptors: before.saturating_add(1),
            bytes: bytes_before.saturating_add(length),
        };
        let mut errors = 0;
        if wrong_id {
            errors |= m2s::RING_ID;
        }
        if first == it.open {
            errors |= m2s::FIRST;
        }
        if last && !first && !it.open {
            errors |= m2s::LAST;
        }
        if framing.descriptors > half.kept[registers::PREF_CFG_2] & 0xFFF {
            errors |= m2s::MAX_DESCRIPTORS;
        }
        if framing.bytes > half.kept[registers::CFG_LEN] & 0xF_FFFF {
            errors |= m2s::PACKET_LENGTH;
        }
        (errors, framing)
    }
}
