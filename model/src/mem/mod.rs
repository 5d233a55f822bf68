// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sparse memory: only pages that were written exist.

use fxhash::FxHashMap;

/// Bytes of one page.
const PAGE: usize = 8192;

/// A byte-addressed memory of up to 2^64 bytes, all zero until written.
#[derive(Clone, Debug, Default)]
pub struct SparseMemory {
    pages: FxHashMap<u64, Box<[u8; PAGE]>>,
}

impl SparseMemory {
    /// An empty memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads `buffer.len()` bytes from `address` on; bytes never written are 0. Addresses wrap at
    /// 2^64.
    pub fn read(&self, address: u64, buffer: &mut [u8]) {
        let mut address = address;
        let mut rest = buffer;
        while !rest.is_empty() {
            let start = (address % PAGE as u64) as usize;
            let (chunk, tail) = rest.split_at_mut(rest.len().min(PAGE - start));
            match self.pages.get(&(address / PAGE as u64)) {
                Some(page) => chunk.copy_from_slice(&page[start..start + chunk.len()]),
                None => chunk.fill(0),
            }
            address = address.wrapping_add(chunk.len() as u64);
            rest = tail;
        }
    }

    /// Writes `bytes` from `address` on. Addresses wrap at 2^64.
    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        let mut address = address;
        let mut rest = bytes;
        while !rest.is_empty() {
            let start = (address % PAGE as u64) as usize;
            let (chunk, tail) = rest.split_at(rest.len().min(PAGE - start));
            let page = self
                .pages
                .entry(address / PAGE as u64)
                .or_insert_with(|| Box::new([0; PAGE]));
            page[start..start + chunk.len()].copy_from_slice(chunk);
            address = address.wrapping_add(chunk.len() as u64);
            rest = tail;
        }
    }

    /// Bytes of memory that pages occupy.
    #[must_use]
    pub fn resident_bytes(&self) -> usize {
        self.pages.len() * PAGE
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a map of single bytes, with accesses that cross pages and the end of memory.
        #[test]
        fn behaves_like_a_map_of_bytes(
            accesses in prop::collection::vec(
                (
                    prop_oneof![0_u64..3 * PAGE as u64, u64::MAX - 2 * PAGE as u64..=u64::MAX],
                    prop::collection::vec(any::<u8>(), 0..2 * PAGE + 3),
                    any::<bool>(),
                ),
                1..8,
            )
        ) {
            let mut memory = SparseMemory::new();
            let mut bytes = BTreeMap::new();
            for (address, data, write) in accesses {
                if write {
                    memory.write(address, &data);
                    for (i, byte) in data.iter().enumerate() {
                        bytes.insert(address.wrapping_add(i as u64), *byte);
                    }
                } else {
                    let mut found = vec![0xAA; data.len()];
                    memory.read(address, &mut found);
                    let expected: Vec<u8> = (0..data.len())
                        .map(|i| bytes.get(&address.wrapping_add(i as u64)).copied().unwrap_or(0))
                        .collect();
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }

    #[test]
    fn only_written_pages_are_resident() {
        let mut memory = SparseMemory::new();
        memory.read(12, &mut [0; 64]);
        assert_eq!(memory.resident_bytes(), 0);
        memory.write(PAGE as u64 - 1, &[1, 2]);
        assert_eq!(memory.resident_bytes(), 2 * PAGE);
    }
}
