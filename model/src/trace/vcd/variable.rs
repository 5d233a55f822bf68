// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the writer keeps for each variable.

use vcd::IdCode;

/// The end of a change line: an optional blank, the identifier and the line feed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suffix {
    bytes: [u8; 8],
    length: u8,
}

impl Suffix {
    /// The bytes that [`Suffix::put`] may touch.
    pub(super) const ROOM: usize = 8;

    /// For values that stand directly before the identifier.
    pub(super) fn joined(id: IdCode) -> Self {
        Self::of(&format!("{id}\n"))
    }

    /// For values that are parted from the identifier by a blank.
    pub(super) fn spaced(id: IdCode) -> Self {
        Self::of(&format!(" {id}\n"))
    }

    /// Identifiers have up to five characters for the 32-bit numbers of handles, so the text fits.
    fn of(text: &str) -> Self {
        let mut bytes = [0; Self::ROOM];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Self {
            bytes,
            length: text.len() as u8,
        }
    }

    /// Writes the suffix at the start of `out` and returns its length.
    #[inline]
    pub(super) fn put(self, out: &mut [u8; Self::ROOM]) -> usize {
        *out = self.bytes;
        usize::from(self.length)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// A variable of 1 to 64 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Narrow {
    pub(super) last: u64,
    /// Bits that a value may have.
    pub(super) mask: u64,
    pub(super) suffix: Suffix,
    /// False while the value is x.
    pub(super) known: bool,
    /// Written without `b` and blank.
    pub(super) scalar: bool,
}

/// A variable of more bits than a machine word.
#[derive(Clone, Debug)]
pub(super) struct WideState {
    /// Most significant byte first.
    pub(super) last: Vec<u8>,
    pub(super) known: bool,
    /// Bits of the first byte that a value may have.
    pub(super) first_mask: u8,
    pub(super) suffix: Suffix,
}

/// All variables of a file, by kind; a handle is an index into the list of its kind.
#[derive(Debug, Default)]
pub(super) struct Variables {
    pub(super) narrow: Vec<Narrow>,
    pub(super) wide: Vec<WideState>,
    pub(super) text: Vec<Suffix>,
    pub(super) event: Vec<Suffix>,
    pub(super) narrow_names: Vec<Name>,
    pub(super) wide_names: Vec<Name>,
}

/// Path and width, for messages.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) path: String,
    pub(super) width: u32,
}
