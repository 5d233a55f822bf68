// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How many of everything a generation has. [soc-address §2.10]

use crate::generation::Generation;

/// Counts of a generation; `None` where no source gives one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counts {
    /// Dies of a chip; v5 has two or more.
    pub dies: Option<u8>,
    /// SEngines of a die.
    pub sengines_per_die: Option<u8>,
    /// SEngines of a chip.
    pub sengines: Option<u8>,
    /// TPBs of an SEngine.
    pub cores_per_sengine: Option<u8>,
    /// TPBs of a die.
    pub cores_per_die: Option<u8>,
    /// TPBs of a chip.
    pub cores: Option<u8>,
    /// DMA engines of a core.
    pub dma_engines_per_core: Option<u8>,
    /// TOP_SPs in the map.
    pub top_sps: Option<u8>,
    /// TOP_SPs that runtime and driver use.
    pub top_sps_used: Option<u8>,
    /// Engines of a core.
    pub engines_per_core: Option<u8>,
    /// Q7 cores of a POOL.
    pub q7_cores: u8,
    /// Bytes of a TPB.
    pub tpb_size: u64,
}

/// The counts of a generation. Those of v5 are of the address database; the model runs v5 on the map of v3.
/// [soc-address §2.10], [decisions D-13]
#[must_use]
pub const fn counts(generation: Generation) -> Counts {
    const V3: Counts = Counts {
        dies: Some(2),
        sengines_per_die: Some(2),
        sengines: Some(4),
        cores_per_sengine: Some(2),
        cores_per_die: Some(4),
        cores: Some(8),
        dma_engines_per_core: Some(16),
        top_sps: Some(20),
        top_sps_used: Some(16),
        engines_per_core: Some(5),
        q7_cores: 8,
        tpb_size: 0x8_0400_0000,
    };
    match generation {
        Generation::V2 => Counts {
            dies: Some(1),
            sengines: Some(2),
            cores_per_sengine: Some(1),
            cores_per_die: Some(2),
            cores: Some(2),
            top_sps: Some(6),
            top_sps_used: Some(6),
            tpb_size: 0x400_0000,
            ..V3
        },
        Generation::V3 | Generation::V4 | Generation::V4Plus => V3,
        Generation::V5 => Counts {
            dies: None,
            sengines_per_die: None,
            sengines: None,
            cores_per_sengine: None,
            cores_per_die: None,
            cores: None,
            dma_engines_per_core: None,
            top_sps: None,
            top_sps_used: None,
            engines_per_core: None,
            q7_cores: 8,
            tpb_size: 256 << 30,
        },
    }
}
