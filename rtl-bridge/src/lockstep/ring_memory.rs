// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The memory behind an engine of the model: the same as `shim/udma_memory.h`, access for access.

use pool_model::idma::port::{FaultKind, LINE_BYTES, MemoryPort, PortFault};

use crate::udma::{MEMORY_BYTES, REGION_BYTES};

const LINE: usize = LINE_BYTES as usize;
const PAGE: usize = 4096;
pub(super) const REGIONS: usize = MEMORY_BYTES / REGION_BYTES;

/// Addresses fold: bits above the size do not choose a byte. Untouched bytes hold a fixed pattern.
#[derive(Clone)]
pub(super) struct RingMemory {
    bytes: Box<[u8]>,
    dirty: Box<[bool]>,
    touched: Vec<usize>,
    digest: [u64; REGIONS],
}

const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

impl Default for RingMemory {
    fn default() -> Self {
        let mut this = Self {
            bytes: vec![0; MEMORY_BYTES].into_boxed_slice(),
            dirty: vec![false; MEMORY_BYTES / PAGE].into_boxed_slice(),
            touched: Vec::new(),
            digest: [0; REGIONS],
        };
        (0..MEMORY_BYTES / PAGE).for_each(|page| this.fill(page));
        this
    }
}

impl RingMemory {
    pub fn reset(&mut self) {
        for page in std::mem::take(&mut self.touched) {
            self.fill(page);
            self.dirty[page] = false;
        }
        self.digest = [0; REGIONS];
    }

    fn fill(&mut self, page: usize) {
        let first = page * PAGE / 8;
        let words = self.bytes[page * PAGE..][..PAGE].as_chunks_mut::<8>().0;
        for (index, word) in words.iter_mut().enumerate() {
            *word = mix((first + index + 1) as u64).to_le_bytes();
        }
    }

    pub const fn digest(&self) -> &[u64; REGIONS] {
        &self.digest
    }

    #[cfg(test)]
    pub const fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn read(&self, address: u64, out: &mut [u8]) {
        let mut at = fold(address);
        let mut done = 0;
        while done < out.len() {
            let part = (out.len() - done).min(MEMORY_BYTES - at);
            out[done..done + part].copy_from_slice(&self.bytes[at..at + part]);
            done += part;
            at = 0;
        }
    }

    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        for (offset, length) in pieces(address, bytes.len()) {
            let at = fold(address.wrapping_add(offset as u64));
            self.write_line(at, &bytes[offset..offset + length]);
        }
    }

    fn write_line(&mut self, at: usize, bytes: &[u8]) {
        let page = at / PAGE;
        if !self.dirty[page] {
            self.dirty[page] = true;
            self.touched.push(page);
        }
        let before = self.hash(at / LINE);
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self.digest[at / REGION_BYTES] ^= before ^ self.hash(at / LINE);
    }

    fn hash(&self, line: usize) -> u64 {
        let words = self.bytes[line * LINE..][..LINE].as_chunks::<8>().0;
        words.iter().fold(line as u64 + 1, |x, word| {
            let x = (x ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            x ^ (x >> 32)
        })
    }
}

const fn fold(address: u64) -> usize {
    (address % MEMORY_BYTES as u64) as usize
}

/// The bus accesses of a transfer: offset and length of each. `docs/idma-contract.md`
fn pieces(address: u64, length: usize) -> impl Iterator<Item = (usize, usize)> {
    let lead = (address % LINE_BYTES) as usize;
    let mut offset = 0;
    std::iter::from_fn(move || {
        if offset >= length {
            return None;
        }
        let room = LINE - (lead + offset) % LINE;
        let piece = (offset, room.min(length - offset));
        offset += piece.1;
        Some(piece)
    })
}

/// A planned failure of one access.
#[derive(Clone, Copy)]
struct Fault {
    access: u64,
    kind: FaultKind,
}

/// One memory port.
#[derive(Clone, Default)]
struct Port {
    accesses: u64,
    faults: Vec<Fault>,
}

impl Port {
    /// The first of the next `count` accesses that fails, and how; of several plans the last counts.
    fn failing(&self, count: u64) -> Option<(u64, FaultKind)> {
        let range = self.accesses..self.accesses + count;
        let planned = self.faults.iter().filter(|it| range.contains(&it.access));
        let first = planned.clone().map(|it| it.access).min()?;
        let kind = planned.rev().find(|it| it.access == first)?.kind;
        Some((first - self.accesses, kind))
    }

    fn pass(&mut self, count: u64) {
        self.accesses += count;
        let accesses = self.accesses;
        self.faults.retain(|it| it.access >= accesses);
    }
}

/// Numbers of the ports, as in a script.
pub(super) const FETCH: usize = 0;
pub(super) const READ: usize = 1;
pub(super) const WRITE: usize = 2;
pub(super) const COMPLETE: usize = 3;

/// The buffer of the descriptor that was read last, and how much of it was written since.
#[derive(Clone, Copy, Default)]
struct Source {
    address: u64,
    length: u64,
    written: u64,
}

/// Memory and ports of an engine of the model.
#[derive(Clone, Default)]
pub(super) struct EnginePort {
    pub memory: RingMemory,
    ports: [Port; 4],
    source: Source,
    /// Something was written that the same descriptor may still have to read; what it reads then depends on
    /// how far reading is ahead of writing, which nothing says.
    pub is_ambiguous: bool,
    /// Planned failures that came to pass, by port.
    pub failed: [u64; 4],
}

impl EnginePort {
    pub fn reset(&mut self) {
        self.memory.reset();
        self.ports = Default::default();
        self.source = Source::default();
        self.is_ambiguous = false;
        self.failed = [0; 4];
    }

    /// The `after`-th access from now on fails.
    pub fn plan(&mut self, port: usize, after: u32, kind: FaultKind) {
        let port = &mut self.ports[port];
        let access = port.accesses + u64::from(after);
        port.faults.push(Fault { access, kind });
    }

    /// No planned failure is left.
    pub fn forget_faults(&mut self) {
        self.ports.iter_mut().for_each(|port| port.faults.clear());
    }

    /// The failing byte of a transfer in bus accesses; passes the accesses up to it.
    fn transfer(&mut self, port: usize, address: u64, length: usize) -> Option<PortFault> {
        let accesses = pieces(address, length).count() as u64;
        let port_state = &mut self.ports[port];
        let Some((index, kind)) = port_state.failing(accesses) else {
            port_state.pass(accesses);
            return None;
        };
        port_state.pass(index + 1);
        self.failed[port] += 1;
        let at = pieces(address, length).nth(index as usize)?.0;
        Some(PortFault { at, kind })
    }

    /// What is left to read of the buffer, from its start; `None` if nothing is.
    const fn unread(&self, address: u64) -> Option<(u64, u64, u64)> {
        let Source {
            address: source,
            length,
            written,
        } = self.source;
        if written >= length {
            return None;
        }
        let ahead = address.wrapping_sub(source) % MEMORY_BYTES as u64;
        Some((ahead, written, length))
    }

    /// Byte k of the buffer is read before it is written elsewhere, so only a write ahead of that is at odds
    /// with the reading.
    fn watch_data(&mut self, address: u64) {
        if let Some((ahead, written, length)) = self.unread(address)
            && ahead > written
            && ahead < length
        {
            self.is_ambiguous = true;
        }
    }

    fn watch_entry(&mut self, address: u64, count: u64) {
        if let Some((ahead, written, length)) = self.unread(address)
            && (ahead < length && ahead + count > written
                || ahead + count > MEMORY_BYTES as u64 + written)
        {
            self.is_ambiguous = true;
        }
    }
}

impl MemoryPort for EnginePort {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        self.source = Source {
            address,
            length: buffer.len() as u64,
            written: 0,
        };
        let fault = self.transfer(READ, address, buffer.len());
        let end = fault.map_or(buffer.len(), |fault| fault.at);
        self.memory.read(address, &mut buffer[..end]);
        fault.map_or(Ok(()), Err)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), PortFault> {
        let fault = self.transfer(WRITE, address, bytes.len());
        let end = fault.map_or(bytes.len(), |fault| fault.at);
        if end > 0 {
            self.watch_data(address);
        }
        self.source.written += bytes.len() as u64;
        self.memory.write(address, &bytes[..end]);
        fault.map_or(Ok(()), Err)
    }

    fn fetch(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        self.memory.read(address, buffer);
        let beats = buffer.len() as u64 / 16;
        let port = &mut self.ports[FETCH];
        let failing = port.failing(beats);
        // A burst is asked for at once, so all of it counts.
        port.pass(beats);
        let Some((beat, kind)) = failing else {
            return Ok(());
        };
        self.failed[FETCH] += 1;
        Err(PortFault {
            at: 16 * beat as usize,
            kind,
        })
    }

    fn complete(&mut self, address: u64, entry: &[u8]) -> Result<(), PortFault> {
        let port = &mut self.ports[COMPLETE];
        let failing = port.failing(1);
        port.pass(1);
        if let Some((_, kind)) = failing {
            self.failed[COMPLETE] += 1;
            return Err(PortFault { at: 0, kind });
        }
        self.watch_entry(address, entry.len() as u64);
        self.memory.write(address, entry);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_fails_at_its_line() {
        let mut port = EnginePort::default();
        port.plan(WRITE, 2, FaultKind::Silence);
        // Lines of 2, 32 and 6 bytes.
        let fault = port.write(30, &[7; 40]).unwrap_err();
        assert_eq!((fault.at, fault.kind), (34, FaultKind::Silence));
        let mut found = [0; 41];
        port.memory.read(30, &mut found);
        assert!(found[..34].iter().all(|&byte| byte == 7));
        let mut untouched = [0; 7];
        RingMemory::default().read(64, &mut untouched);
        assert_eq!(found[34..], untouched);
        assert_eq!(port.write(0, &[1; 64]), Ok(()));
    }

    #[test]
    fn bytes_that_are_still_to_be_read_are_noticed() {
        for (to, ambiguous) in [
            (1000, false),
            (999, false),
            (960, false),
            (1001, true),
            (1099, true),
            (1100, false),
        ] {
            let mut port = EnginePort::default();
            assert_eq!(port.read(1000, &mut [0; 100]), Ok(()));
            assert_eq!(port.write(to, &[0; 50]), Ok(()));
            assert_eq!(port.write(to + 50, &[0; 50]), Ok(()));
            assert_eq!(port.is_ambiguous, ambiguous, "{to}");
        }
    }

    #[test]
    fn a_reset_memory_is_a_fresh_one() {
        let mut memory = RingMemory::default();
        memory.write(u64::MAX - 3, &[1; 40]);
        assert_ne!(memory.digest(), RingMemory::default().digest());
        memory.reset();
        assert_eq!(memory.bytes(), RingMemory::default().bytes());
        assert_eq!(memory.digest(), &[0; REGIONS]);
    }
}
