// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What memory holds afterwards, worked out without an engine.

use pool_model::generation::Generation;
use pool_model::mem::SparseMemory;
use pool_model::scenario::Fill;
use pool_model::soc::SocAddr;
use pool_model::soc::tpb::sbuf_byte;

use super::job::{Job, key};
use super::plan::pieces;

/// Holes begin and end at multiples of this. [soc-address §2.5]
const GRAIN: u64 = 1 << 10;

/// Memory of the chip with the holes of its State Buffers.
pub struct Oracle {
    generation: Generation,
    memory: SparseMemory,
}

impl Oracle {
    /// Memory after the fills and the jobs, one after the other.
    pub fn after(fills: &[Fill], jobs: &[Job], generation: Generation) -> Self {
        let mut oracle = Self {
            generation,
            memory: SparseMemory::new(),
        };
        for fill in fills {
            oracle.write(fill.address, &fill.bytes);
        }
        for job in jobs {
            for (offset, bytes) in pieces(job) {
                let mut data = vec![0; bytes as usize];
                oracle.read(SocAddr(job.source.0.wrapping_add(offset)), &mut data);
                oracle.write(SocAddr(job.destination.0.wrapping_add(offset)), &data);
            }
        }
        oracle
    }

    /// Reads bytes; holes read 0.
    pub fn read(&self, address: SocAddr, buffer: &mut [u8]) {
        let mut at = key(address);
        let mut rest = buffer;
        while !rest.is_empty() {
            let count = rest.len().min((GRAIN - at % GRAIN) as usize);
            let (chunk, tail) = rest.split_at_mut(count);
            if self.is_hole(at) {
                chunk.fill(0);
            } else {
                self.memory.read(at, chunk);
            }
            at += count as u64;
            rest = tail;
        }
    }

    fn write(&mut self, address: SocAddr, bytes: &[u8]) {
        let mut at = key(address);
        let mut rest = bytes;
        while !rest.is_empty() {
            let count = rest.len().min((GRAIN - at % GRAIN) as usize);
            let (chunk, tail) = rest.split_at(count);
            if !self.is_hole(at) {
                self.memory.write(at, chunk);
            }
            at += count as u64;
            rest = tail;
        }
    }

    fn is_hole(&self, at: u64) -> bool {
        sbuf_byte(SocAddr(at), self.generation).is_some_and(|byte| byte.hole)
    }
}
