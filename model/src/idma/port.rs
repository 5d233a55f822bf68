// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What an engine needs of the memory around it.

/// Bytes of a bus line; a data access of the engine stays inside one. [idma-ring §8], `docs/idma-contract.md`
pub const LINE_BYTES: u64 = 32;

/// How an access failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An error response.
    Response,
    /// No response at all.
    Silence,
}

/// An access that failed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PortFault {
    /// First byte that fails, from the start of the access. A write has stored what lies before its line, and
    /// nothing else: [`bytes_before`].
    pub at: usize,
    /// How.
    pub kind: FaultKind,
}

/// Bytes of an access at `address` that lie before the line of its byte `at`: what the bus accesses before the
/// failing one have moved. [idma-ring MC-13]
#[must_use]
pub const fn bytes_before(address: u64, at: usize) -> usize {
    let inside_line = (address.wrapping_add(at as u64) % LINE_BYTES) as usize;
    at.saturating_sub(inside_line)
}

/// The memory side of an engine. Addresses are SoC addresses and wrap at 2^64.
pub trait MemoryPort {
    /// Reads bytes of a buffer.
    ///
    /// # Errors
    /// [`PortFault`] with the first byte that cannot be read; the bytes before it are in the buffer.
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault>;

    /// Writes bytes of a buffer.
    ///
    /// # Errors
    /// [`PortFault`] with the first byte that cannot be written.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), PortFault>;

    /// Reads descriptors, 16 bytes each.
    ///
    /// # Errors
    /// As for [`MemoryPort::read`]; the descriptor that holds the byte, and all behind it, are lost.
    fn fetch(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), PortFault> {
        self.read(address, buffer)
    }

    /// Writes a completion entry.
    ///
    /// # Errors
    /// [`PortFault`]: nothing has been written.
    fn complete(&mut self, address: u64, entry: &[u8]) -> Result<(), PortFault> {
        self.write(address, entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a walk over the lines.
    #[test]
    fn failing_lines_are_not_moved() {
        for address in 0..70 {
            for at in 0..100 {
                let failing_line = (address + at as u64) / LINE_BYTES;
                let expected = (0..at)
                    .filter(|byte| (address + *byte as u64) / LINE_BYTES < failing_line)
                    .count();
                assert_eq!(bytes_before(address, at), expected, "{address} {at}");
            }
        }
    }
}
