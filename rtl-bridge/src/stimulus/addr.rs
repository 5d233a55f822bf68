// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Addresses: the edges of everything that the map names, decorated with high bits, and noise.

use std::collections::BTreeSet;

use pool_model::generation::Generation;
use pool_model::soc::map::tree::nodes;
use pool_model::soc::view::Field;

use super::Choices;
use crate::device::AddrStimulus;

/// Bases of the TPBs of a die: bit 37, bits 38 and 36 free. [soc-address §2.1]
const TPB: u64 = 1 << 37;
const TPB_SELECT: [u64; 4] = [0, 1 << 36, 1 << 38, 1 << 38 | 1 << 36];
/// First TOP_SP of a die, their distance, and the sequencer in one. [soc-address §§2.1, 2.7]
const TOP_SP: u64 = 0x82_8000_0000;
const TOP_SP_PITCH: u64 = 0x4000_0000;
const TOP_SP_SEQUENCER: u64 = 0x20_0000;
/// Engines of a TPB, and places that are none. [soc-address §2.11]
const ENGINES: [u64; 8] = [
    0x8_0260_0000,
    0x8_0240_0000,
    0x8_0300_0000,
    0x8_02B0_0000,
    0x8_0280_0000,
    0x8_0270_0000,
    0x8_0290_0000,
    0,
];
/// Straps that mean the map of v3.
const V3_STRAPS: [u8; 4] = [1, 5, 6, 7];
/// Bits `[58:47]` with a meaning: plain, PEB, attached chips, neighbor fold, chip 24 without it, other chips.
const HIGH_PARTS: [u64; 12] = [
    0,
    0x0020_0000_0000_0000,
    0x0010_0000_0000_0000,
    0x0014_0000_0000_0000,
    0x0018_0000_0000_0000,
    0x001C_0000_0000_0000,
    0x0058_0000_0000_0000,
    0x0040_0000_0000_0000,
    0x0045_0000_0000_0000,
    0x0060_0000_0000_0000,
    0x007F_0000_0000_0000,
    0x0030_0000_0000_0000,
];

/// Every address at which something of a generation's map begins or ends, with its neighbours.
pub struct Edges {
    generation: Generation,
    edges: Vec<u64>,
}

impl Edges {
    /// Collects the edges of a map, and those of the maps of all other generations: what one has, another
    /// may have to lack.
    #[must_use]
    pub fn new(generation: Generation) -> Self {
        let mut starts = BTreeSet::new();
        for other in Generation::ALL {
            for node in nodes(other) {
                let (base, region) = (node.address().0, node.step.region);
                starts.insert(base);
                starts.insert(base.wrapping_add(region.size));
                if let Some(elements) = region.elements {
                    for element in 0..u64::from(elements.count.min(16)) {
                        starts.insert(base + element * elements.stride);
                    }
                }
            }
        }
        // Powers of two: every field border, the die border, 2^54, 2^58; and the last address of all.
        starts.extend((0..64).map(|bit| 1 << bit));
        starts.extend((0..64).map(|bit| 3_u64 << bit));
        // HBM above its populated size, which differs. [soc-address §2.9]
        for size in [0x4_0000_0000_u64, 0x6_0000_0000, 0x9_0000_0000] {
            for hbm in 0..4 {
                starts.insert((hbm >> 1) << 47 | (hbm & 1) << 38 | size);
            }
        }
        starts.insert(0);
        let mut edges: Vec<u64> = starts
            .into_iter()
            .flat_map(|start| [start.wrapping_sub(1), start, start.wrapping_add(1)])
            .collect();
        edges.dedup();
        Self { generation, edges }
    }

    /// The generation whose map they are for.
    #[must_use]
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// The edges, ascending but for the neighbours of the first and the last address.
    #[must_use]
    pub fn edges(&self) -> &[u64] {
        &self.edges
    }

    /// An address as it is, seen by recovery, with random straps.
    pub fn plain(&self, addr: u64, choices: &mut impl Choices) -> AddrStimulus {
        AddrStimulus {
            addr,
            view: 0,
            ..self.stimulus(choices)
        }
    }

    /// One address with everything beside it.
    pub fn stimulus(&self, choices: &mut impl Choices) -> AddrStimulus {
        let addr = self.address(choices);
        let chip = Field::CAYMAN_ID.get(pool_model::soc::SocAddr(addr)) as u8;
        let me_chip = if choices.one_in(2) {
            chip
        } else {
            choices.byte() % 64
        };
        let generation = if self.generation == Generation::V3 {
            choices.pick(&V3_STRAPS)
        } else {
            self.generation.index() as u8
        };
        let [engine_base, tpb_base] = classifier(choices);
        AddrStimulus {
            addr,
            engine_base,
            tpb_base,
            view: choices.pick(&[0, 0, 0, 0, 0, 1, 2, 3]),
            me_chip,
            me_die: choices.byte() & 1,
            generation,
            nbr_en: !choices.one_in(4),
        }
    }

    fn address(&self, choices: &mut impl Choices) -> u64 {
        let edge = |choices: &mut _| {
            let at = Choices::below(choices, 0x1_0000) as usize;
            self.edges[(at * self.edges.len()) >> 16]
        };
        match choices.below(8) {
            0 => edge(choices),
            // The same place in another plane, on another die, chip or side.
            1..=3 => {
                let high = match choices.below(4) {
                    3 => u64::from(choices.byte() & 0x7F) << 48,
                    _ => choices.pick(&HIGH_PARTS),
                };
                let die = u64::from(choices.one_in(3)) << 47;
                // The apertures end below bit 40, but for host memory and PCIE_M0.
                let above = u64::from(choices.one_in(4)) << (40 + choices.below(7));
                let local = (edge(choices) & Field::LOCAL.mask()) ^ above;
                local | high | die | attributes(choices)
            }
            // Somewhere behind an edge.
            4 | 5 => {
                let distance = choices.double() >> (27 + choices.below(37));
                edge(choices).wrapping_add(distance)
            }
            // Bits [46:0] of an edge below any high bits.
            6 => {
                let high = u64::from(choices.word()) << 32 | u64::from(choices.byte()) << 47;
                (edge(choices) & Field::LOCAL.mask()) ^ (high & !Field::LOCAL.mask())
            }
            _ => choices.double(),
        }
    }
}

/// Bits `[57:55]` and above: mostly none.
fn attributes(choices: &mut impl Choices) -> u64 {
    match choices.below(8) {
        6 => 1 << (55 + choices.below(9)),
        7 => u64::from(choices.byte() & 3) << 56,
        _ => 0,
    }
}

/// Engine base and TPB base of the classifier: mostly right, or wrong in one thing.
fn classifier(choices: &mut impl Choices) -> [u64; 2] {
    let die = u64::from(choices.byte() & 1) << 47;
    let tpb = die | TPB | choices.pick(&TPB_SELECT);
    let mut engine = if choices.one_in(3) {
        let number = u64::from(choices.below(11));
        let part = choices.pick(&[0, TOP_SP_SEQUENCER, TOP_SP_SEQUENCER, 0x10_0000]);
        die | (TOP_SP + number * TOP_SP_PITCH + part)
    } else {
        tpb + choices.pick(&ENGINES)
    };
    let mut base = tpb;
    match choices.below(12) {
        7 => engine ^= 1 << choices.below(64),
        8 => base ^= 1 << choices.below(64),
        9 => {
            // Attributes do not count, on either side.
            engine |= u64::from(choices.byte() & 7) << 55;
            base |= u64::from(choices.byte() & 7) << 55;
        }
        10 => {
            let both = 1 << choices.below(64);
            engine ^= both;
            base ^= both;
        }
        11 => base = choices.double(),
        _ => {}
    }
    [engine, base]
}
