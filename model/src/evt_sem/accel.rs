// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The event accelerator: two words per die that DMA copies from. [evt-sem §1.4, MC-E5]

use crate::generation::Generation;

/// The die select of an address. [soc-address §1.1]
const DIE: u64 = 1 << 47;

/// Address of the CLR word on a die; it reads 0. [evt-sem §1.4, HIGH/OBSERVED]
#[must_use]
pub const fn accel_clear(generation: Generation, die: bool) -> u64 {
    let base = match generation {
        Generation::V2 => 0x20_0000_0000,
        Generation::V3 | Generation::V4 | Generation::V4Plus | Generation::V5 => 0x90_0000_0000,
    };
    base | if die { DIE } else { 0 }
}

/// Address of the SET word that builders use on a die; it reads 1. [evt-sem §1.4, decisions D-20]
#[must_use]
pub const fn accel_set(generation: Generation, die: bool) -> u64 {
    let base = match generation {
        Generation::V2 => 0x20_0000_0004,
        Generation::V3 | Generation::V5 => 0x90_0000_0004,
        Generation::V4 | Generation::V4Plus => 0x94_0000_0000,
    };
    base | if die { DIE } else { 0 }
}

/// What the accelerator answers at an address of the own chip; `None` elsewhere. Both SET
/// addresses of v4 read 1. [evt-sem MC-E5, decisions D-20]
#[must_use]
pub fn accel_read(generation: Generation, address: u64) -> Option<u32> {
    let die = address & DIE != 0;
    if address == accel_clear(generation, die) {
        Some(0)
    } else if address == accel_set(generation, die) || address == accel_clear(generation, die) + 4 {
        Some(1)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [evt-sem §1.4] table, die 0 and die 1
    #[test]
    fn addresses_and_values() {
        for generation in Generation::ALL {
            for die in [false, true] {
                let bit = if die { 0x8000_0000_0000 } else { 0 };
                let base = if generation == Generation::V2 {
                    0x20_0000_0000
                } else {
                    0x90_0000_0000
                };
                let runtime = 0x94_0000_0000 | bit;
                let v4 = matches!(generation, Generation::V4 | Generation::V4Plus);
                assert_eq!(accel_read(generation, base | bit), Some(0));
                assert_eq!(accel_read(generation, (base + 4) | bit), Some(1));
                assert_eq!(accel_read(generation, (base + 8) | bit), None);
                assert_eq!(accel_read(generation, runtime), v4.then_some(1));
                let used = if v4 { runtime } else { (base + 4) | bit };
                assert_eq!(accel_set(generation, die), used);
            }
        }
    }
}
