// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ring pointers: an offset in descriptors and the tag of the lap. [idma-ring §2.6]

use super::descriptor::RingId;

/// Bits of an offset, a length and an increment. [idma-ring §2.3]
pub const OFFSET_MASK: u32 = 0x00FF_FFFF;

/// A pointer of a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pointer {
    /// Descriptors from the start of the ring.
    pub offset: u32,
    /// Tag of the lap; 1 after a reset.
    pub ring_id: RingId,
}

impl Pointer {
    /// As in a pointer register: the tag at 31..30, the offset at 23..0. [idma-ring §2.3]
    #[must_use]
    pub const fn register(self) -> u32 {
        self.ring_id.in_register() | self.offset
    }

    /// Goes on by one entry of a ring of `length`.
    pub const fn advance(&mut self, length: u32) {
        let next = self.offset + 1;
        if next >= length {
            self.offset = 0;
            self.ring_id = self.ring_id.next_lap();
        } else {
            self.offset = next;
        }
    }

    /// Goes on by a doorbell's increment: one lap for each whole ring length. A ring of length 0 has no
    /// arithmetic. [idma-ring §2.6, decisions D-22]
    pub const fn add(&mut self, increment: u32, length: u32) {
        if length == 0 {
            return;
        }
        let sum = self.offset + increment;
        self.offset = sum % length;
        self.ring_id = self.ring_id.after(sum / length);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Appendix A of idma-ring: ring length 4, start id 1
    #[test]
    fn four_entries() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.register(), 0x4000_0000);
        (0..4).for_each(|_| pointer.advance(4));
        assert_eq!((pointer.ring_id.number(), pointer.offset), (2, 0));
        pointer.advance(4);
        assert_eq!((pointer.ring_id.number(), pointer.offset), (2, 1));
    }

    proptest! {
        /// The loop of [idma-ring §2.6].
        #[test]
        fn addition_is_the_loop(offset in 0_u32..200, id in 0_u32..4, increment in 0_u32..2000, length in 1_u32..70) {
            let start = Pointer { offset, ring_id: RingId::wrapping(id) };
            let (mut off, mut laps) = (offset + increment, id);
            while off >= length {
                off -= length;
                laps = (laps + 1) & 3;
            }
            let mut found = start;
            found.add(increment, length);
            prop_assert_eq!((found.offset, u32::from(found.ring_id.number())), (off, laps));
        }
    }
}
