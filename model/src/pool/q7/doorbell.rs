// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The doorbell writes of `rdma_desc_start`. [idma-ring §3.10, §3.11], [decisions D-5]

use crate::soc::SocAddr;
use crate::soc::id::{QueueId, SdmaEngine};
use crate::soc::map::sdma::PITCH;
use crate::soc::sdma::{ENGINES_PER_CORE, Udma, doorbell};
use crate::transaction::CoreId;

/// Broadcast aperture, from the base of the first engine of its group. [idma-ring §2.1]
pub const BROADCAST: u64 = 0x8_0000;
/// Largest increment that a broadcast carries. [idma-ring MC-27]
const BROADCAST_DATA: u32 = 0xFFFF;

/// One store to a doorbell register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoorbellWrite {
    /// Half of the engines.
    pub udma: Udma,
    /// Register or broadcast register.
    pub address: SocAddr,
    /// The 32 bits.
    pub value: u32,
    /// Engines that take it, one bit each.
    pub engines: u16,
    /// Descriptors that it publishes on each of them.
    pub descriptors: u32,
}

/// Device number of an engine of a core: 16·core + i. [soc-address §2.8]
const fn device_engine(core: CoreId, engine: u8) -> SdmaEngine {
    SdmaEngine::wrapping(ENGINES_PER_CORE * core.number() + engine % ENGINES_PER_CORE)
}

/// The doorbell of an engine of a core.
#[must_use]
pub const fn engine_doorbell(core: CoreId, engine: u8, udma: Udma, queue: QueueId) -> SocAddr {
    doorbell(device_engine(core, engine), udma, queue)
}

/// `sdma_bcast_base` of a core: the aperture at its first engine. [idma-ring §3.11]
#[must_use]
pub const fn broadcast_base(core: CoreId) -> SocAddr {
    SocAddr(crate::soc::sdma::sdma_base(device_engine(core, 0)).0 + BROADCAST)
}

/// Bytes that the engines of a core and their broadcast aperture lie in.
#[must_use]
pub const fn engines_extent() -> u64 {
    PITCH * ENGINES_PER_CORE as u64
}

/// The writes of one half: one broadcast if all counts are equal and more than one engine takes part, otherwise one
/// write an engine, ascending. [decisions D-5]
#[must_use]
pub fn doorbells(
    core: CoreId,
    queue: QueueId,
    udma: Udma,
    counts: &[(u8, u32)],
) -> Vec<DoorbellWrite> {
    let engines = counts.iter().fold(0_u16, |mask, (engine, _)| {
        mask | 1 << (engine % ENGINES_PER_CORE)
    });
    if let [(_, first), rest @ ..] = counts
        && !rest.is_empty()
        && *first <= BROADCAST_DATA
        && rest.iter().all(|(_, count)| count == first)
    {
        let own = engine_doorbell(core, 0, udma, queue);
        return vec![DoorbellWrite {
            udma,
            address: SocAddr(own.0 + BROADCAST),
            value: u32::from(!engines) << 16 | first,
            engines,
            descriptors: *first,
        }];
    }
    counts
        .iter()
        .map(|&(engine, count)| DoorbellWrite {
            udma,
            address: engine_doorbell(core, engine, udma, queue),
            value: count,
            engines: 1 << (engine % ENGINES_PER_CORE),
            descriptors: count,
        })
        .collect()
}
