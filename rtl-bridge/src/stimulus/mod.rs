// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stimuli of the address, window and semaphore blocks.
//!
//! A generator asks a [`Choices`] for every decision. Seeded, that makes the streams of the co-simulation; reading
//! the bytes of a fuzzer's input, the same generator makes that input structured.

pub mod addr;
pub mod evt_sem;
pub mod ring;
mod ring_actions;
mod ring_traffic;
pub mod window;

use pool_model::isa::near_valid::SplitMix64;

/// A source of decisions. 0 should stand for the plain case: a source that has run dry gives nothing else.
pub trait Choices {
    /// The next byte.
    fn byte(&mut self) -> u8;

    /// A number below `count`, which is 1 to 65536.
    fn below(&mut self, count: u32) -> u32 {
        let high = u32::from(self.byte());
        if count <= 256 {
            (high * count) >> 8
        } else {
            let both = high << 8 | u32::from(self.byte());
            ((u64::from(both) * u64::from(count)) >> 16) as u32
        }
    }

    /// True about once in `count` times, which is 1 to 256.
    fn one_in(&mut self, count: u32) -> bool {
        self.below(count) + 1 == count
    }

    /// 32 bits.
    fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// 64 bits.
    fn double(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// One of several.
    fn pick<T: Copy>(&mut self, from: &[T]) -> T
    where
        Self: Sized,
    {
        from[self.below(from.len() as u32) as usize]
    }
}

/// Decisions from a seed: the same for the same seed, everywhere.
#[derive(Clone, Debug)]
pub struct Seeded {
    generator: SplitMix64,
    bytes: u64,
    left: u32,
}

impl Seeded {
    /// Decisions that follow from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            generator: SplitMix64::new(seed),
            bytes: 0,
            left: 0,
        }
    }
}

impl Choices for Seeded {
    fn byte(&mut self) -> u8 {
        if self.left == 0 {
            self.bytes = self.generator.next_u64();
            self.left = 8;
        }
        let byte = self.bytes as u8;
        self.bytes >>= 8;
        self.left -= 1;
        byte
    }
}

/// Decisions read from bytes; zeros after the last.
#[derive(Clone, Debug)]
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// Decisions read from `data`.
    #[must_use]
    pub const fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// Whether no byte is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Choices for Bytes<'_> {
    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((byte, rest)) => {
                self.0 = rest;
                *byte
            }
            None => 0,
        }
    }
}

/// Passes decisions on and keeps their bytes, which [`Bytes`] gives again.
#[derive(Clone, Debug)]
pub struct Recorded<C> {
    choices: C,
    bytes: Vec<u8>,
}

impl<C> Recorded<C> {
    /// Nothing kept yet.
    #[must_use]
    pub const fn new(choices: C) -> Self {
        Self {
            choices,
            bytes: Vec::new(),
        }
    }

    /// What was decided.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl<C: Choices> Choices for Recorded<C> {
    fn byte(&mut self) -> u8 {
        let byte = self.choices.byte();
        self.bytes.push(byte);
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_decisions_are_made_again() {
        let mut recorded = Recorded::new(Seeded::new(7));
        let first: Vec<u32> = (1..400).map(|count| recorded.below(count)).collect();
        assert!((1..400).zip(&first).all(|(count, &value)| value < count));
        let data = recorded.into_bytes();
        let mut again = Bytes::new(&data);
        assert!((1..400).map(|count| again.below(count)).eq(first));
        assert!(again.is_empty());
        assert_eq!((again.byte(), again.below(70_000)), (0, 0));
    }

    #[test]
    fn every_number_below_a_count_comes_up() {
        let mut seeded = Seeded::new(1);
        for count in [1, 2, 3, 255, 256] {
            let mut seen = vec![false; count as usize];
            (0..20_000).for_each(|_| seen[seeded.below(count) as usize] = true);
            assert!(seen.into_iter().all(|seen| seen), "{count}");
        }
        let rare = (0..64_000).filter(|_| seeded.one_in(64)).count();
        assert!((500..1500).contains(&rare), "{rare}");
    }
}
