// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The packet in the stream: reading, landing, completing. [idma-ring §2.9, MC-38], `docs/idma-contract.md`
//!
//! A packet ends in one of these ways:
//!
//! | end | when |
//! |---|---|
//! | complete | its LAST descriptor is written and reported |
//! | gone | the read side aborted, or its queue was reset |
//! | dead | the write side aborted while a descriptor of it was in use; until the read side's queue is reset |

use super::descriptor::{Descriptor, MAX_BYTES, Operation, tx};
use super::engine::{Cause, Engine, Out, QUEUES, Scratch, State, round_robin};
use super::errors::{m2s, s2m};
use super::port::{MemoryPort, bytes_before};
use super::registers;
use crate::transaction::{Direction, Effect, Sink};

/// A descriptor of the read side whose bytes are in the stream.
#[derive(Clone, Debug)]
struct Source {
    descriptor: Descriptor,
    /// Bytes written so far, bytes read, and bytes that there would be without a read error.
    written: usize,
    end: usize,
    length: usize,
    /// The read failed and aborted the read side.
    is_aborted: bool,
    /// What is still to be written, from `written` on, while the packet waits.
    held: Vec<u8>,
}

/// A descriptor of the write side in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Receiver {
    pub descriptor: Descriptor,
    capacity: u32,
    /// Bytes of the stream that it took.
    used: u32,
    /// Bytes that reached memory.
    pub written: u32,
    /// A write failed: the rest is discarded.
    pub has_failed: bool,
    pub is_first: bool,
}

/// The wait for a descriptor of the write side.
#[derive(Clone, Copy, Debug, Default)]
struct Wait {
    has_begun: bool,
    timer_runs: bool,
}

/// The packet in the stream of an engine.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    queue: u8,
    source: Option<Source>,
    pub receiver: Option<Receiver>,
    /// A descriptor of the write side has been taken for it.
    has_landed: bool,
    /// Dropped for an illegal operation, or because no descriptor came.
    pub is_illegal: bool,
    pub is_dropped: bool,
    pub is_dead: bool,
    wait: Wait,
}

/// How far a packet came.
enum Progress {
    /// It is out of the stream.
    Over,
    /// It stays, with this answer to whether anything happened.
    Stays(bool),
}

/// What hinders a packet from taking a descriptor of the write side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hindrance {
    /// Nothing but an empty slice.
    EmptySlice,
    /// State, enables, a halt.
    Other,
}

impl Packet {
    pub fn queue(&self) -> u8 {
        self.queue
    }

    /// The write side lost the descriptor in use, if there is one.
    pub fn lose_receiver(&mut self) {
        if self.receiver.is_some() {
            self.is_dead = true;
        }
    }

    /// Whether it waits for the write side, rather than for the data tail.
    pub fn waits_for_receiver(&self) -> bool {
        self.source.is_some() && self.receiver.is_none()
    }
}

/// What a legal descriptor may ask for: nothing, a plain pass-through, or a plain copy. [idma-ring MC-29,
/// decisions D-40]
const fn is_legal(descriptor: &Descriptor) -> bool {
    /// Everything of CME but the block attributes: `word1[18:6]` and optype.
    const NOT_COPY: u32 = 0x0007_FFC0 | 7 << 20;
    const COPY_SOURCE: u32 = 1 << 19;
    if descriptor.has(tx::META) {
        return true;
    }
    match descriptor.operation() {
        Operation::PassThrough => true,
        Operation::Cme => descriptor.word1 & NOT_COPY == 0 && descriptor.word1 & COPY_SOURCE != 0,
        Operation::Dre | Operation::Cce | Operation::Undefined(_) => false,
    }
}

impl Engine {
    /// `data_tail_pointer_enable`, where there is a data tail. [idma-ring §§2.3, 2.5]
    fn follows_data_tail(&self, queue: u8) -> bool {
        let half = self.half(Direction::M2s);
        half.kept[registers::CFG_PREFETCH] >> (16 + u32::from(queue)) & 1 == 1
            && half.queues[usize::from(queue)].has_data_tail()
    }

    /// Takes the next packet, if one can be scheduled, and moves it as far as it goes.
    pub(super) fn schedule<P: MemoryPort, S: Sink>(
        &mut self,
        port: &mut P,
        scratch: &mut Scratch,
        out: &mut Out<'_, S>,
    ) -> bool {
        let half = self.half(Direction::M2s);
        if half.state != State::Normal || half.packets == 0 || self.stream_disabled(Direction::M2s)
        {
            return false;
        }
        let found = round_robin(half.packets, self.schedule_next).find(|queue| {
            let it = &half.queues[usize::from(*queue)];
            !it.is_halted()
                && it.moves()
                && !it.is_paused()
                && (it.released() > 0 || !self.follows_data_tail(*queue))
        });
        let Some(queue) = found else { return false };
        self.schedule_next = (queue + 1) % QUEUES;
        let illegal = self.half(Direction::M2s).queues[usize::from(queue)]
            .oldest_packet()
            .find(|descriptor| !is_legal(descriptor))
            .copied();
        if let Some(descriptor) = illegal
            && self.raise(
                Direction::M2s,
                queue,
                m2s::ILLEGAL_OP,
                descriptor.words(),
                Cause::Stream,
                out,
            )
        {
            return true;
        }
        let packet = Packet {
            queue,
            source: None,
            receiver: None,
            has_landed: false,
            is_illegal: illegal.is_some(),
            is_dropped: false,
            is_dead: false,
            wait: Wait::default(),
        };
        self.move_packet(packet, false, port, scratch, out);
        true
    }

    /// Moves a packet on; it stays in the engine unless it is over. `may_expire` lets the timer of a wait run
    /// out: the functional model has no clock, so it does when nothing else can happen. [idma-ring MC-37]
    pub(super) fn move_packet<P: MemoryPort, S: Sink>(
        &mut self,
        mut packet: Packet,
        may_expire: bool,
        port: &mut P,
        scratch: &mut Scratch,
        out: &mut Out<'_, S>,
    ) -> bool {
        match self.go_on(&mut packet, may_expire, port, scratch, out) {
            Progress::Over => true,
            Progress::Stays(moved) => {
                self.packet = Some(packet);
                moved
            }
        }
    }

    fn go_on<P: MemoryPort, S: Sink>(
        &mut self,
        packet: &mut Packet,
        may_expire: bool,
        port: &mut P,
        scratch: &mut Scratch,
        out: &mut Out<'_, S>,
    ) -> Progress {
        let mut moved = false;
        loop {
            if packet.source.is_none() {
                let Some(descriptor) = self.take_source(packet) else {
                    return Progress::Stays(moved);
                };
                moved = true;
                packet.source = Some(self.read_source(packet, descriptor, port, scratch, out));
                if self.is_stuck {
                    return Progress::Stays(true);
                }
            }
            match self.land(packet, may_expire && !moved, port, scratch, out) {
                Landed::All => {}
                Landed::Waits(happened) => {
                    hold(packet, scratch);
                    return Progress::Stays(moved || happened);
                }
            }
            let Some(source) = packet.source.take() else {
                return Progress::Stays(moved);
            };
            if source.is_aborted {
                return Progress::Over;
            }
            let is_last = source.descriptor.has(tx::LAST);
            if is_last && !self.end_landing(packet, port, out) {
                packet.source = Some(source);
                return Progress::Stays(true);
            }
            if !self.complete_source(packet, &source.descriptor, port, out) {
                return if self.is_stuck {
                    Progress::Stays(true)
                } else {
                    Progress::Over
                };
            }
            moved = true;
            if is_last {
                return Progress::Over;
            }
        }
    }

    /// An illegal packet is dropped at once, without waiting for the data tail.
    fn take_source(&mut self, packet: &Packet) -> Option<Descriptor> {
        let queue = packet.queue;
        let waits = self.follows_data_tail(queue) && !packet.is_illegal;
        let half = self.half_mut(Direction::M2s);
        let it = &mut half.queues[usize::from(queue)];
        if waits && it.released() == 0 {
            return None;
        }
        let descriptor = it.take();
        half.summarize(queue);
        descriptor
    }

    /// Reads the whole buffer of a descriptor. [idma-ring MC-13]
    fn read_source<P: MemoryPort, S: Sink>(
        &mut self,
        packet: &Packet,
        descriptor: Descriptor,
        port: &mut P,
        scratch: &mut Scratch,
        out: &mut Out<'_, S>,
    ) -> Source {
        let mut source = Source {
            descriptor,
            written: 0,
            end: 0,
            length: 0,
            is_aborted: false,
            held: Vec::new(),
        };
        let length = self.read_length(&descriptor) as usize;
        if packet.is_illegal || descriptor.has(tx::META) || length == 0 {
            return source;
        }
        let address = descriptor.buf_ptr;
        let result = port.read(address, &mut scratch.0[..length]);
        source.end = match result {
            Ok(()) => length,
            Err(fault) => bytes_before(address, fault.at.min(length)),
        };
        source.length = length;
        self.emit(Direction::M2s, packet.queue, out, || Effect::DmaRead {
            address,
            data: scratch.0[..source.end].to_vec(),
        });
        let statistics = &mut self.half_mut(Direction::M2s).statistics;
        statistics.bytes = statistics.bytes.wrapping_add(source.end as u64);
        if let Err(fault) = result {
            match self.fault_bit(fault.kind, [m2s::DATA_RESPONSE, m2s::DATA_TIMEOUT]) {
                None => self.is_stuck = true,
                Some(bit) => {
                    source.is_aborted = self.raise(
                        Direction::M2s,
                        packet.queue,
                        bit,
                        descriptor.words(),
                        Cause::Stream,
                        out,
                    );
                }
            }
        }
        source
    }

    /// Writes what was read, as far as descriptors of the write side are there.
    fn land<P: MemoryPort, S: Sink>(
        &mut self,
        packet: &mut Packet,
        may_expire: bool,
        port: &mut P,
        scratch: &mut Scratch,
        out: &mut Out<'_, S>,
    ) -> Landed {
        let mut happened = false;
        loop {
            let Some(source) = &packet.source else {
                return Landed::All;
            };
            let left = source.end - source.written;
            if left == 0 || packet.is_dropped && packet.receiver.is_none() {
                return Landed::All;
            }
            let mut receiver = match packet.receiver {
                Some(receiver) => receiver,
                None => match self.take_receiver(packet.queue) {
                    Ok(descriptor) => {
                        packet.wait = Wait::default();
                        Receiver {
                            descriptor,
                            capacity: match descriptor.length_field() {
                                0 => MAX_BYTES,
                                length => u32::from(length),
                            },
                            used: 0,
                            written: 0,
                            has_failed: false,
                            is_first: !std::mem::replace(&mut packet.has_landed, true),
                        }
                    }
                    Err(hindrance) => {
                        let drops_before = packet.is_dropped;
                        happened |= self.wait(packet, hindrance, may_expire, out);
                        if packet.is_dropped && !drops_before {
                            continue;
                        }
                        return Landed::Waits(happened);
                    }
                },
            };
            happened = true;
            let Some(source) = &mut packet.source else {
                return Landed::All;
            };
            restore(source, scratch);
            let count = left.min((receiver.capacity - receiver.used) as usize);
            let bytes = &scratch.0[source.written..source.written + count];
            source.written += count;
            // Whether a read that fails behind these bytes is known when they are written is a matter of cycles.
            let is_end = source.written == source.length && source.descriptor.has(tx::LAST);
            let lost = self.write_part(packet.queue, &mut receiver, bytes, port, out);
            packet.receiver = Some(receiver);
            if lost {
                packet.is_dead = true;
            } else if receiver.used == receiver.capacity
                && !self.close_receiver(packet, is_end, port, out)
            {
                packet.is_dead = !self.is_stuck;
            }
            if packet.is_dead || self.is_stuck {
                return Landed::Waits(true);
            }
        }
    }

    /// The next descriptor of the write side. [idma-ring §2.9]
    fn take_receiver(&mut self, queue: u8) -> Result<Descriptor, Hindrance> {
        let disabled = self.stream_disabled(Direction::S2m);
        let half = self.half_mut(Direction::S2m);
        let it = &mut half.queues[usize::from(queue)];
        if half.state != State::Normal || disabled || it.is_halted() || !it.moves() {
            return Err(Hindrance::Other);
        }
        it.take().ok_or(Hindrance::EmptySlice)
    }

    /// The packet finds no descriptor: hint, then time-out, then drop. Says whether anything happened.
    /// [idma-ring §§2.5 `data_cfg_2`, 2.9]
    fn wait<S: Sink>(
        &mut self,
        packet: &mut Packet,
        hindrance: Hindrance,
        may_expire: bool,
        out: &mut Out<'_, S>,
    ) -> bool {
        const DROP_IF_NO_DESC: u32 = 1 << 27;
        const HINT_IF_NO_DESC: u32 = 1 << 28;
        const WAIT_FOR_PREF: u32 = 1 << 29;
        let half = self.half(Direction::S2m);
        let settings = half.kept[registers::DATA_CFG_2];
        let posted = half.queues[usize::from(packet.queue)].posted();
        let is_short =
            hindrance == Hindrance::EmptySlice && (posted == 0 || settings & WAIT_FOR_PREF == 0);
        if !is_short {
            return false;
        }
        let queue = packet.queue;
        if !packet.wait.has_begun {
            packet.wait = Wait {
                has_begun: true,
                timer_runs: true,
            };
            if settings & HINT_IF_NO_DESC != 0 {
                self.raise(
                    Direction::S2m,
                    queue,
                    s2m::NO_DESCRIPTOR_HINT,
                    [0; 4],
                    Cause::Stream,
                    out,
                );
            }
            return true;
        }
        if !(packet.wait.timer_runs && may_expire) {
            return false;
        }
        packet.wait.timer_runs = false;
        let aborted = self.raise(
            Direction::S2m,
            queue,
            s2m::NO_DESCRIPTOR_TIMEOUT,
            [0; 4],
            Cause::Stream,
            out,
        );
        if !aborted && settings & DROP_IF_NO_DESC != 0 {
            packet.is_dropped = true;
            let statistics = &mut self.half_mut(Direction::S2m).statistics;
            statistics.packets = statistics.packets.wrapping_add(1);
        }
        true
    }

    /// Writes bytes into a descriptor of the write side; true if the write side was aborted.
    fn write_part<P: MemoryPort, S: Sink>(
        &mut self,
        queue: u8,
        receiver: &mut Receiver,
        bytes: &[u8],
        port: &mut P,
        out: &mut Out<'_, S>,
    ) -> bool {
        let address = receiver
            .descriptor
            .buf_ptr
            .wrapping_add(u64::from(receiver.used));
        receiver.used += bytes.len() as u32;
        if receiver.has_failed {
            return false;
        }
        let result = port.write(address, bytes);
        let stored = match result {
            Ok(()) => bytes.len(),
            Err(fault) => bytes_before(address, fault.at.min(bytes.len())),
        };
        receiver.written += stored as u32;
        let statistics = &mut self.half_mut(Direction::S2m).statistics;
        statistics.bytes = statistics.bytes.wrapping_add(stored as u64);
        self.emit(Direction::S2m, queue, out, || Effect::DmaWrite {
            address,
            data: bytes[..stored].to_vec(),
        });
        let Err(fault) = result else { return false };
        let Some(bit) = self.fault_bit(fault.kind, [s2m::DATA_RESPONSE, s2m::DATA_TIMEOUT]) else {
            self.is_stuck = true;
            return false;
        };
        receiver.has_failed = true;
        let words = receiver.descriptor.words();
        self.raise(Direction::S2m, queue, bit, words, Cause::Stream, out)
    }
}

/// How far the bytes of a descriptor came.
enum Landed {
    All,
    /// With the answer to whether anything happened.
    Waits(bool),
}

/// Moves what is left of the stream out of the shared buffer.
fn hold(packet: &mut Packet, scratch: &Scratch) {
    if packet.is_dead {
        return;
    }
    if let Some(source) = &mut packet.source
        && source.held.is_empty()
        && source.written < source.end
    {
        source.held = scratch.0[source.written..source.end].to_vec();
    }
}

/// Moves it back.
fn restore(source: &mut Source, scratch: &mut Scratch) {
    if !source.held.is_empty() {
        scratch.0[source.written..source.end].copy_from_slice(&source.held);
        source.held.clear();
    }
}
