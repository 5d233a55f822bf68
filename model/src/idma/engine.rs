// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One DMA engine: two directions with their queues, error logs and interrupt groups. [idma-ring §2]
//!
//! A direction is in one of three states:
//!
//! | state | leaves when | to |
//! |---|---|---|
//! | idle | `change_state.normal` | normal |
//! | normal | `change_state.dis` | idle |
//! | normal, idle | an error whose abort-mask bit is 0, or `change_state.abort` | abort |
//! | abort | `change_state.normal`, `.dis` | normal, idle; its queues stay halted until their `rst_q` |

use super::descriptor::{Descriptor, MAX_BYTES};
use super::errors::{GROUP_C, InterruptGroup};
use super::port::{FaultKind, MemoryPort};
use super::queue::{Queue, Written};
use super::registers;
use super::stream::Packet;
use crate::generation::Generation;
use crate::time::Tick;
use crate::transaction::{Agent, CoreId, Direction, DmaQueue, Effect, Sink, Transaction};

/// Queues of an engine in each direction. [idma-ring §2.2]
pub const QUEUES: u8 = 16;

/// Which engine of which core. [idma-ring §0.3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineName {
    /// Core that the engine belongs to.
    pub core: CoreId,
    /// Engine of the core, 0..=15.
    pub number: u8,
}

/// Where an engine's transactions go.
#[derive(Debug)]
pub struct Out<'a, S: Sink> {
    /// The sink.
    pub sink: &'a mut S,
    /// The present tick.
    pub tick: Tick,
}

/// Room for the bytes of one descriptor, shared by engines that step one after the other.
#[derive(Clone, Debug)]
pub struct Scratch(pub(super) Box<[u8]>);

impl Default for Scratch {
    fn default() -> Self {
        Self(vec![0; MAX_BYTES as usize].into_boxed_slice())
    }
}

/// State codes of a direction. [idma-ring §2.5]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// 0: nothing pending.
    #[default]
    Idle,
    /// 1
    Normal,
    /// 2
    Abort,
}

impl State {
    /// The code in the `state` register.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::Idle => 0,
            Self::Normal => 1,
            Self::Abort => 2,
        }
    }
}

/// The first logged error of a direction. [idma-ring MC-15]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorLog {
    /// Words of the descriptor.
    pub words: [u32; 4],
    /// Taken until it is cleared.
    pub taken: bool,
}

/// Counters of a direction, from 0x504 on. [idma-ring §2.5]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// `tx_pkt`: FIRST descriptors completed. `drop_pkt` on the write side.
    pub packets: u32,
    /// Bytes read or written.
    pub bytes: u64,
    /// Descriptors fetched.
    pub prefetched: u32,
    /// Packets completed.
    pub completed_packets: u32,
    /// Descriptors completed.
    pub completed_descriptors: u32,
    /// Packets acknowledged.
    pub acknowledged_packets: u32,
}

/// One direction of the engine.
#[derive(Clone, Debug)]
pub(super) struct Half {
    pub state: State,
    pub queues: Vec<Queue>,
    /// Queues with published descriptors, and (read side) with a complete packet.
    pub posted: u16,
    pub packets: u16,
    /// Where the search for a queue to fetch begins.
    pub fetch_next: u8,
    pub kept: [u32; registers::KEPT],
    pub log: ErrorLog,
    pub statistics: Statistics,
}

impl Half {
    fn new(direction: Direction, queues: u8, generation: Generation) -> Self {
        Self {
            state: State::default(),
            queues: (0..queues)
                .map(|_| Queue::new(direction, generation))
                .collect(),
            posted: 0,
            packets: 0,
            fetch_next: 0,
            kept: registers::reset_values(direction, generation),
            log: ErrorLog::default(),
            statistics: Statistics::default(),
        }
    }

    /// Brings the summaries of a queue up to date.
    pub fn summarize(&mut self, queue: u8) {
        let Some(it) = self.queues.get(usize::from(queue)) else {
            return;
        };
        let bit = 1_u16 << queue;
        set_bit(&mut self.posted, bit, it.posted() > 0);
        set_bit(&mut self.packets, bit, it.has_packet());
    }
}

fn set_bit(bits: &mut u16, bit: u16, value: bool) {
    if value {
        *bits |= bit;
    } else {
        *bits &= !bit;
    }
}

/// The set bits of a mask from position `first` on, then those below it.
pub(super) fn round_robin(mask: u16, first: u8) -> impl Iterator<Item = u8> {
    let low = mask & ((1_u16 << (first & 15)) - 1);
    let mut parts = [mask & !low, low];
    std::iter::from_fn(move || {
        let part = parts.iter_mut().find(|part| **part != 0)?;
        let position = part.trailing_zeros() as u8;
        *part &= *part - 1;
        Some(position)
    })
}

/// Whether an error arises in the packet that is being moved, which then sees to its own end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Stream,
    Elsewhere,
}

/// A DMA engine.
#[derive(Clone, Debug)]
pub struct Engine {
    name: EngineName,
    generation: Generation,
    pub(super) halves: [Half; 2],
    /// Primary groups A to D and secondary groups A to C. [decisions D-21, D-53]
    primary: [InterruptGroup; 4],
    secondary: [InterruptGroup; 3],
    /// `AXI.cfg_1` and `spare.zeroes0`. [idma-ring §2.5]
    axi_timeout: u32,
    spare: u32,
    pub(super) schedule_next: u8,
    pub(super) packet: Option<Packet>,
    /// An access that never gets a response and never times out.
    pub(super) is_stuck: bool,
    /// Queues whose packet was completed in the last step, by direction.
    pub(super) finished: [Option<u8>; 2],
}

impl Engine {
    /// An engine after reset, with 1 to 16 queues in each direction.
    #[must_use]
    pub fn new(name: EngineName, queues: u8, generation: Generation) -> Self {
        let queues = queues.clamp(1, QUEUES);
        Self {
            name,
            generation,
            halves: Direction::ALL.map(|direction| Half::new(direction, queues, generation)),
            primary: [InterruptGroup::default(); 4],
            secondary: [InterruptGroup::default(); 3],
            axi_timeout: registers::AXI_TIMEOUT_RESET,
            spare: 0,
            schedule_next: 0,
            packet: None,
            is_stuck: false,
            finished: [None; 2],
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> EngineName {
        self.name
    }

    /// The queue whose packet was completed in the last step on a side, if it wants to be noticed.
    /// [idma-ring §5.6]
    #[must_use]
    pub const fn finished(&self, direction: Direction) -> Option<u8> {
        self.finished[direction.index()]
    }

    /// Hardware generation of the engine.
    pub(super) const fn generation(&self) -> Generation {
        self.generation
    }

    /// State of a direction.
    #[must_use]
    pub const fn state(&self, direction: Direction) -> State {
        self.halves[direction.index()].state
    }

    /// A queue; `None` beyond the number that the engine has.
    #[must_use]
    pub fn queue(&self, direction: Direction, queue: u8) -> Option<&Queue> {
        self.halves[direction.index()]
            .queues
            .get(usize::from(queue))
    }

    /// Counters of a direction.
    #[must_use]
    pub const fn statistics(&self, direction: Direction) -> Statistics {
        self.halves[direction.index()].statistics
    }

    /// Error log of a direction.
    #[must_use]
    pub const fn error_log(&self, direction: Direction) -> ErrorLog {
        self.halves[direction.index()].log
    }

    pub(super) const fn half(&self, direction: Direction) -> &Half {
        &self.halves[direction.index()]
    }

    pub(super) const fn half_mut(&mut self, direction: Direction) -> &mut Half {
        &mut self.halves[direction.index()]
    }

    pub(super) fn emit<S: Sink>(
        &self,
        direction: Direction,
        queue: u8,
        out: &mut Out<'_, S>,
        effect: impl FnOnce() -> Effect,
    ) {
        if S::ENABLED {
            out.sink.accept(&Transaction {
                tick: out.tick,
                agent: Agent::Dma(DmaQueue {
                    core: self.name.core,
                    engine: self.name.number,
                    direction,
                    queue,
                }),
                effect: effect(),
            });
        }
    }

    /// Bits of `stream_cfg`. [idma-ring §2.5]
    pub(super) const fn stream_disabled(&self, direction: Direction) -> bool {
        self.half(direction).kept[registers::STREAM_CFG] & 1 != 0
    }

    /// Whether completion heads are reported. [idma-ring MC-6]
    pub(super) const fn reports_heads(&self) -> bool {
        self.spare & 1 == 0
    }

    /// Does one round of the loop of [idma-ring MC-38]: a burst of write-side descriptors, a burst of read-side
    /// ones, and one packet as far as it goes. Says whether anything happened; if not, nothing ever will without
    /// a register write or an injected error.
    pub fn step<P: MemoryPort, S: Sink>(
        &mut self,
        port: &mut P,
        scratch: &mut Scratch,
        out: &mut Out<'_, S>,
    ) -> bool {
        if self.is_stuck {
            return false;
        }
        self.finished = [None; 2];
        let fetched = [Direction::S2m, Direction::M2s]
            .map(|direction| self.fetch_next_burst(direction, port, out));
        let fetched = fetched.contains(&true);
        if self.is_stuck {
            return true;
        }
        let moved = match self.packet.take() {
            Some(packet) if packet.is_dead => {
                self.packet = Some(packet);
                false
            }
            Some(packet) => self.move_packet(packet, !fetched, port, scratch, out),
            None => self.schedule(port, scratch, out),
        };
        fetched || moved
    }

    /// Steps until nothing can happen any more; the work is bounded by the descriptors that were published.
    pub fn settle<P: MemoryPort, S: Sink>(
        &mut self,
        port: &mut P,
        scratch: &mut Scratch,
        out: &mut Out<'_, S>,
    ) {
        while self.step(port, scratch, out) {}
    }

    /// The bit of a failed access; none if it is never given up. [idma-ring §2.5 `AXI.cfg_1`]
    pub(super) const fn fault_bit(&self, kind: FaultKind, bits: [u32; 2]) -> Option<u32> {
        match kind {
            FaultKind::Response => Some(bits[0]),
            FaultKind::Silence if self.axi_timeout == 0 => None,
            FaultKind::Silence => Some(bits[1]),
        }
    }

    /// Bytes that a descriptor of the read side reads. [idma-ring §1.3, MC-8]
    pub(super) const fn read_length(&self, descriptor: &Descriptor) -> u32 {
        const ENCODE_64K: u32 = 1 << 24;
        let field = descriptor.length_field() as u32;
        let cfg_len = self.half(Direction::M2s).kept[registers::CFG_LEN];
        if field == 0 && cfg_len & ENCODE_64K != 0 {
            MAX_BYTES
        } else {
            field
        }
    }

    /// Reports errors of one descriptor, and says whether the direction was aborted. [decisions D-21]
    pub(super) fn raise<S: Sink>(
        &mut self,
        direction: Direction,
        queue: u8,
        bits: u32,
        words: [u32; 4],
        cause: Cause,
        out: &mut Out<'_, S>,
    ) -> bool {
        let group = &mut self.secondary[direction.index()];
        group.cause |= bits;
        let aborted = bits & !group.abort_mask != 0;
        let half = self.half_mut(direction);
        if bits & !half.kept[registers::ERR_LOG_MASK] != 0 && !half.log.taken {
            half.log = ErrorLog { words, taken: true };
        }
        self.emit(direction, queue, out, || Effect::DmaError {
            bits,
            words,
            aborted,
        });
        if aborted {
            self.abort(direction, cause);
        }
        aborted
    }

    /// [idma-ring MC-14]
    fn abort(&mut self, direction: Direction, cause: Cause) {
        let half = self.half_mut(direction);
        half.state = State::Abort;
        for queue in &mut half.queues {
            queue.halt();
        }
        if cause == Cause::Elsewhere {
            match direction {
                Direction::M2s => self.packet = None,
                Direction::S2m => self.lose_receiver(None),
            }
        }
    }

    /// A packet whose RX descriptor is lost can neither go on nor complete; `queue` limits it to that queue.
    fn lose_receiver(&mut self, queue: Option<u8>) {
        if let Some(packet) = &mut self.packet
            && queue.is_none_or(|queue| queue == packet.queue())
        {
            packet.lose_receiver();
        }
    }

    /// A descriptor with `INT_EN` completed: group B for the write side, C for the read side. [decisions D-53]
    pub(super) const fn interrupt(&mut self, direction: Direction, queue: u8) {
        let group = match direction {
            Direction::S2m => 1,
            Direction::M2s => 2,
        };
        self.primary[group].cause |= 1 << queue;
    }

    /// Forces an error bit: group 0 is A (read side), 1 B (write side), 2 C. Other groups and bits beyond 31 do
    /// nothing. [decisions D-41]
    pub fn inject<S: Sink>(&mut self, group: u8, bit: u8, out: &mut Out<'_, S>) {
        let Some(bits) = 1_u32.checked_shl(u32::from(bit)) else {
            return;
        };
        match group {
            0 | 1 => {
                let direction = Direction::ALL[usize::from(group)];
                self.raise(direction, 0, bits, [0; 4], Cause::Elsewhere, out);
            }
            2 => {
                let it = &mut self.secondary[2];
                it.cause |= bits;
                let aborting = bits & !it.abort_mask;
                for (direction, own) in Direction::ALL.into_iter().zip(GROUP_C) {
                    if aborting & own != 0 {
                        self.abort(direction, Cause::Elsewhere);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether the register at an offset has a broadcast form: doorbell, data tail, soft control. [idma-ring §3.11]
    #[must_use]
    pub const fn has_broadcast_form(offset: u32) -> bool {
        match registers::Place::at(offset) {
            registers::Place::Queue(Direction::M2s, _, register) => {
                matches!(register, 0x38 | 0xE0 | 0xB0)
            }
            registers::Place::Queue(Direction::S2m, _, register) => matches!(register, 0x38 | 0x64),
            registers::Place::Half(..) | registers::Place::Gen(_) | registers::Place::Nothing => {
                false
            }
        }
    }

    /// Reads a register by its byte offset in the engine; 0 where none is. [idma-ring §2.1]
    #[must_use]
    pub fn read(&self, offset: u32) -> u32 {
        match registers::Place::at(offset) {
            registers::Place::Queue(direction, queue, offset) => {
                let half = self.half(direction);
                let normal = half.state == State::Normal;
                let may_fetch = normal && half.kept[registers::PREF_QUEUE_EN] >> queue & 1 == 1;
                self.queue(direction, queue)
                    .map_or(0, |it| it.read(offset, may_fetch, normal))
            }
            registers::Place::Half(direction, offset) => {
                registers::read_half(self.half(direction), direction, offset, self.generation)
            }
            registers::Place::Gen(offset) => self.read_gen(offset),
            registers::Place::Nothing => 0,
        }
    }

    fn read_gen(&self, offset: u32) -> u32 {
        /// Summaries of the secondary groups in primary D. [idma-ring §5.7]
        const SUMMARY: u32 = 8;
        match registers::GenPlace::at(offset) {
            registers::GenPlace::Primary(group, offset) => {
                let mut it = self.primary[group];
                if group == 3 {
                    for (bit, secondary) in (SUMMARY..).zip(&self.secondary) {
                        it.cause |= u32::from(secondary.status() != 0) << bit;
                    }
                }
                it.read(offset)
            }
            registers::GenPlace::Secondary(group, offset) => self.secondary[group].read(offset),
            registers::GenPlace::AxiTimeout => self.axi_timeout,
            registers::GenPlace::Spare => self.spare,
            registers::GenPlace::Nothing => 0,
        }
    }

    /// Writes a register by its byte offset in the engine; nothing happens where none is.
    pub fn write<S: Sink>(&mut self, offset: u32, value: u32, out: &mut Out<'_, S>) {
        match registers::Place::at(offset) {
            registers::Place::Queue(direction, queue, offset) => {
                self.write_queue(direction, queue, offset, value, out);
            }
            registers::Place::Half(direction, offset) => {
                self.write_half(direction, offset, value);
            }
            registers::Place::Gen(offset) => match registers::GenPlace::at(offset) {
                registers::GenPlace::Primary(group, offset) => {
                    self.primary[group].write(offset, value);
                }
                registers::GenPlace::Secondary(group, offset) => {
                    self.secondary[group].write(offset, value);
                }
                registers::GenPlace::AxiTimeout => self.axi_timeout = value,
                registers::GenPlace::Spare => self.spare = value,
                registers::GenPlace::Nothing => {}
            },
            registers::Place::Nothing => {}
        }
    }

    fn write_queue<S: Sink>(
        &mut self,
        direction: Direction,
        queue: u8,
        offset: u32,
        value: u32,
        out: &mut Out<'_, S>,
    ) {
        let half = self.half_mut(direction);
        let Some(it) = half.queues.get_mut(usize::from(queue)) else {
            return;
        };
        let written = it.write(offset, value);
        let tail = it.tail();
        half.summarize(queue);
        match written {
            Written::Done => {}
            Written::Doorbell(increment) => {
                self.emit(direction, queue, out, || Effect::Doorbell {
                    increment,
                    tail: tail.offset,
                    ring_id: tail.ring_id.number(),
                });
            }
            Written::Reset => match direction {
                Direction::M2s => {
                    if self
                        .packet
                        .as_ref()
                        .is_some_and(|packet| packet.queue() == queue)
                    {
                        self.packet = None;
                    }
                }
                Direction::S2m => self.lose_receiver(Some(queue)),
            },
        }
    }

    fn write_half(&mut self, direction: Direction, offset: u32, value: u32) {
        match offset {
            registers::CHANGE_STATE => match value & 7 {
                0 => {}
                // [idma-ring §2.5]: abort wins over dis, dis over normal.
                bits if bits & 4 != 0 => self.abort(direction, Cause::Elsewhere),
                bits if bits & 2 != 0 => self.half_mut(direction).state = State::Idle,
                _ => self.half_mut(direction).state = State::Normal,
            },
            registers::CLEAR_ERR_LOG => {
                if value & 1 == 1 {
                    self.half_mut(direction).log = ErrorLog::default();
                }
            }
            _ => {
                let generation = self.generation;
                registers::write_half(
                    self.half_mut(direction),
                    direction,
                    offset,
                    value,
                    generation,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_visits_every_set_bit_once_from_the_start() {
        for mask in [0_u16, 1, 0x8000, 0xFFFF, 0x8421, 0x0FF0] {
            for first in 0..16 {
                let expected: Vec<u8> = (0..16)
                    .map(|i| (first + i) % 16)
                    .filter(|bit| mask >> bit & 1 == 1)
                    .collect();
                let found: Vec<u8> = round_robin(mask, first).collect();
                assert_eq!(found, expected, "{mask:#x} from {first}");
            }
        }
    }
}
