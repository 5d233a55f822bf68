// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Simulated time. There is no other clock anywhere in the model.

use std::fmt;
use std::ops::Add;

use serde::Serialize;

/// A point in simulated time, counted in steps of the whole system from reset.
///
/// A waveform shows one tick as [`Tick::PICOSECONDS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Tick(pub u64);

impl Tick {
    /// Nominal length of one tick in a waveform; silicon timing is unknown. [idma-ring §8, MC-37]
    pub const PICOSECONDS: u64 = 1_000;

    /// The waveform time stamp of this tick, saturating at the end of the time line.
    #[must_use]
    pub const fn picoseconds(self) -> u64 {
        self.0.saturating_mul(Self::PICOSECONDS)
    }
}

impl Add<u64> for Tick {
    type Output = Self;

    fn add(self, ticks: u64) -> Self {
        Self(self.0.saturating_add(ticks))
    }
}

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
