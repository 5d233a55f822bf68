// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An engine with a memory that can fail, and the writes that drivers make.

#![allow(dead_code, reason = "each test program uses its part")]

use pool_model::generation::Generation;
use pool_model::idma::descriptor::{COPY_WORD1, tx};
use pool_model::idma::port::bytes_before;
use pool_model::idma::{
    Descriptor, Engine, EngineName, FaultKind, MemoryPort, Out, PortFault, RingId, Scratch,
};
use pool_model::mem::SparseMemory;
use pool_model::time::Tick;
use pool_model::transaction::{CoreId, Direction, Effect, Transaction};

pub use pool_model::transaction::Direction::{M2s, S2m};

/// Which accesses a fault hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    Fetch,
    Read,
    Write,
    Complete,
}

/// Memory in which bytes can fail.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub bytes: SparseMemory,
    /// Port, first failing byte, bytes, how.
    pub faults: Vec<(Port, u64, u64, FaultKind)>,
}

impl Memory {
    fn fault(&self, port: Port, address: u64, length: usize) -> Result<(), PortFault> {
        let hit = (0..length).find_map(|at| {
            let byte = address.wrapping_add(at as u64);
            self.faults
                .iter()
                .find(|(of, first, count, _)| *of == port && byte.wrapping_sub(*first) < *count)
                .map(|fault| (at, fault.3))
        });
        match hit {
            None => Ok(()),
            Some((at, kind)) => Err(PortFault { at, kind }),
        }
    }
}

impl MemoryPort for Memory {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        self.bytes.read(address, buffer);
        self.fault(Port::Read, address, buffer.len())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), PortFault> {
        let result = self.fault(Port::Write, address, bytes.len());
        let stored = result.map_or_else(|fault| bytes_before(address, fault.at), |()| bytes.len());
        self.bytes.write(address, &bytes[..stored]);
        result
    }

    fn fetch(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        self.bytes.read(address, buffer);
        self.fault(Port::Fetch, address, buffer.len())
    }

    fn complete(&mut self, address: u64, entry: &[u8]) -> Result<(), PortFault> {
        self.fault(Port::Complete, address, entry.len())?;
        self.bytes.write(address, entry);
        Ok(())
    }
}

/// Start of a queue's ring, a 256-byte aligned address.
pub fn ring(direction: Direction, queue: u8) -> u64 {
    0x1_0000_0000 + 0x100_0000 * (2 * u64::from(queue) + direction.index() as u64)
}

/// Start of a queue's completion ring.
pub fn completion_ring(direction: Direction, queue: u8) -> u64 {
    0x2_0000_0000 + 0x100_0000 * (2 * u64::from(queue) + direction.index() as u64)
}

/// Offset of a direction in an engine. [idma-ring §2.1]
pub fn half(direction: Direction) -> u32 {
    match direction {
        M2s => 0,
        S2m => 0x2_0000,
    }
}

/// Offset of a queue's register. [idma-ring §2.2]
pub fn queue(direction: Direction, queue: u8, register: u32) -> u32 {
    half(direction) + 0x1000 * (u32::from(queue) + 1) + register
}

/// Secondary interrupt group of a direction. [decisions D-21]
pub fn secondary(direction: Direction, register: u32) -> u32 {
    0x3_A000 + 0x40 * direction.index() as u32 + register
}

/// One engine with its memory.
pub struct Bench {
    pub engine: Engine,
    pub memory: Memory,
    pub scratch: Scratch,
    pub seen: Vec<Transaction>,
    /// Next slot of each ring, and its tag, for [`Bench::post`].
    slots: std::collections::BTreeMap<(usize, u8), (u32, RingId)>,
    lengths: std::collections::BTreeMap<(usize, u8), u32>,
}

impl Bench {
    /// After reset.
    pub fn new(generation: Generation) -> Self {
        let core = CoreId::new(0).expect("core 0 exists");
        Self {
            engine: Engine::new(EngineName { core, number: 3 }, 16, generation),
            memory: Memory::default(),
            scratch: Scratch::default(),
            seen: Vec::new(),
            slots: std::collections::BTreeMap::new(),
            lengths: std::collections::BTreeMap::new(),
        }
    }

    /// Queue 0 armed with rings of this length.
    pub fn armed(length: u32) -> Self {
        let mut bench = Self::new(Generation::V3);
        bench.arm(0, length);
        bench
    }

    pub fn write(&mut self, offset: u32, value: u32) {
        let mut out = Out {
            sink: &mut self.seen,
            tick: Tick(0),
        };
        self.engine.write(offset, value, &mut out);
    }

    pub fn read(&self, offset: u32) -> u32 {
        self.engine.read(offset)
    }

    pub fn inject(&mut self, group: u8, bit: u8) {
        let mut out = Out {
            sink: &mut self.seen,
            tick: Tick(0),
        };
        self.engine.inject(group, bit, &mut out);
    }

    pub fn settle(&mut self) {
        let mut out = Out {
            sink: &mut self.seen,
            tick: Tick(0),
        };
        self.engine
            .settle(&mut self.memory, &mut self.scratch, &mut out);
    }

    /// The driver's order for both directions of a queue, without completion rings. [idma-ring §2.8]
    pub fn arm(&mut self, number: u8, length: u32) {
        for direction in Direction::ALL {
            self.rearm(direction, number, length);
        }
    }

    pub fn rearm(&mut self, direction: Direction, number: u8, length: u32) {
        let (control, comp_cfg) = match direction {
            M2s => (0xB0, 0xA0),
            S2m => (0x64, 0x54),
        };
        let base = ring(direction, number);
        let completions = completion_ring(direction, number);
        for (register, value) in [
            (0x20, 0x0300_0000),
            (control, 0x100),
            (0x28, base as u32),
            (0x2C, (base >> 32) as u32),
            (0x30, length),
            (0x44, completions as u32),
            (0x48, (completions >> 32) as u32),
            (comp_cfg, 0),
            (0x20, 0x0303_0000),
        ] {
            self.write(queue(direction, number, register), value);
        }
        self.write(half(direction) + 0x204, 1);
        self.slots
            .insert((direction.index(), number), (0, RingId::FIRST_LAP));
        self.lengths.insert((direction.index(), number), length);
    }

    /// Everything aborts. [decisions D-21]
    pub fn abort_on_all(&mut self) {
        for direction in Direction::ALL {
            self.write(secondary(direction, 0x30), 0);
        }
    }

    /// Writes a descriptor into the next slot of a ring, with the tag of the lap, and rings the doorbell.
    pub fn post(&mut self, direction: Direction, number: u8, descriptor: Descriptor) {
        self.place(direction, number, descriptor);
        self.ring(direction, number, 1);
    }

    /// Writes a descriptor into the next slot of a ring.
    pub fn place(&mut self, direction: Direction, number: u8, descriptor: Descriptor) {
        let length = self.lengths[&(direction.index(), number)];
        let slot = self
            .slots
            .get_mut(&(direction.index(), number))
            .expect("the queue is armed");
        let entry = descriptor.with_ring_id(slot.1);
        let address = ring(direction, number) + 16 * u64::from(slot.0);
        slot.0 += 1;
        if slot.0 == length {
            *slot = (0, slot.1.next_lap());
        }
        self.memory.bytes.write(address, &entry.pack());
    }

    pub fn ring(&mut self, direction: Direction, number: u8, count: u32) {
        self.write(queue(direction, number, 0x38), count);
    }

    /// Posts a copy in a packet of its own, RX first. [idma-ring §2.6]
    pub fn copy(&mut self, number: u8, source: u64, destination: u64, length: u32) {
        self.post(S2m, number, rx_entry(destination, length));
        self.post(M2s, number, tx_entry(source, length, tx::FIRST | tx::LAST));
    }

    pub fn fill(&mut self, address: u64, length: usize, seed: u8) -> Vec<u8> {
        let bytes: Vec<u8> = (0..length)
            .map(|i| (i as u8).wrapping_mul(37).wrapping_add(seed) ^ (i >> 8) as u8)
            .collect();
        self.memory.bytes.write(address, &bytes);
        bytes
    }

    pub fn bytes(&self, address: u64, length: usize) -> Vec<u8> {
        let mut found = vec![0; length];
        self.memory.bytes.read(address, &mut found);
        found
    }

    pub fn word(&self, address: u64) -> u32 {
        let bytes: [u8; 4] = self.bytes(address, 4).try_into().expect("four bytes");
        u32::from_le_bytes(bytes)
    }

    /// Causes raised so far.
    pub fn cause(&self, direction: Direction) -> u32 {
        self.read(secondary(direction, 0))
    }

    pub fn log(&self, direction: Direction) -> [u32; 4] {
        [0x214, 0x218, 0x21C, 0x220].map(|offset| self.read(half(direction) + offset))
    }

    /// 0 idle, 1 normal, 2 abort; all fields agree.
    pub fn state(&self, direction: Direction) -> u32 {
        let value = self.read(half(direction) + 0x200);
        let state = value & 3;
        let fields = match direction {
            M2s => 0x1111,
            S2m => 0x1_1111,
        };
        assert_eq!(value, state * fields);
        state
    }

    /// Head, tail, current, completion head of a queue.
    pub fn pointers(&self, direction: Direction, number: u8) -> [u32; 4] {
        [0x34, 0x3C, 0x40, 0x4C].map(|register| self.read(queue(direction, number, register)))
    }

    pub fn used(&self, direction: Direction, number: u8) -> u32 {
        self.read(queue(direction, number, 0x24)) & 0x1FF_FFFF
    }

    pub fn count(&self, kind: &str) -> usize {
        self.seen.iter().filter(|t| t.effect.kind() == kind).count()
    }

    /// Bits of every raise, in order.
    pub fn raised(&self) -> Vec<(Direction, u32)> {
        self.seen
            .iter()
            .filter_map(|t| match (&t.agent, &t.effect) {
                (pool_model::transaction::Agent::Dma(queue), Effect::DmaError { bits, .. }) => {
                    Some((queue.direction, *bits))
                }
                _ => None,
            })
            .collect()
    }
}

/// A read-side descriptor without tag.
pub fn tx_entry(source: u64, length: u32, flags: u32) -> Descriptor {
    Descriptor {
        word0: length & 0xFFFF | flags,
        word1: COPY_WORD1,
        buf_ptr: source,
    }
}

/// A write-side descriptor without tag.
pub fn rx_entry(destination: u64, length: u32) -> Descriptor {
    Descriptor {
        word0: length & 0xFFFF,
        word1: 0,
        buf_ptr: destination,
    }
}

/// A pointer register.
pub fn pointer(ring_id: u32, offset: u32) -> u32 {
    ring_id << 30 | offset
}
