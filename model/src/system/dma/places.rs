// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What an address of the own chip leads to, for whoever comes by the fabric.

use std::ops::Range;

use crate::evt_sem::accel_read;
use crate::generation::Generation;
use crate::isa::Geometry;
use crate::soc::map::code::RegionCode;
use crate::soc::map::lookup::{Target, target};
use crate::soc::map::sdma;
use crate::soc::route::{Origin, Route, route};
use crate::soc::sdma::{ENGINES_PER_CORE, ENGINES_PER_SENGINE};
use crate::soc::view::Field;
use crate::soc::{SocAddr, TpbRegion, Viewed, locate};
use crate::transaction::CoreId;

/// What an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// The State Buffer of a core, by its offset.
    Sbuf(CoreId, u64),
    /// EVT_SEM of a core.
    EvtSem(CoreId, u32),
    /// LOCAL_REG of a core's POOL.
    LocalReg(CoreId, u32),
    /// A register of an engine, by device number and offset.
    Engine(u8, u32),
    /// A broadcast register of the sixteen engines from this one on.
    Broadcast(u8, u32),
    /// The event accelerator, with what it reads.
    Accelerator(u32),
    /// Plain memory.
    Storage,
    /// A hole, or a block that is not modelled: reads 0, drops writes. [soc-address MC-9, MC-10]
    Zero,
}

/// A block and the bytes from the address to its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub block: Block,
    pub left: u64,
}

/// Bits of an address that name a byte of the chip.
pub(super) const ON_CHIP: u64 = Field::LOCAL.mask() | Field::DIE.mask();

/// The engine or broadcast block that holds a byte of the chip. [idma-ring §2.1, soc-address §2.8]
fn engine_at(address: u64) -> Option<Block> {
    const APB_BIT: u64 = 1 << 36;
    const SENGINE_BIT: u64 = 1 << 38;
    const BROADCAST: u64 = 0x8_0000;
    const BROADCAST_END: u64 = 0xC_0000;
    let local = address & Field::LOCAL.mask();
    let upper = local & SENGINE_BIT != 0;
    let first = if upper {
        sdma::FIRST_ENGINE_UPPER
    } else {
        sdma::FIRST_ENGINE_LOWER
    };
    let base = APB_BIT + if upper { SENGINE_BIT } else { 0 } + first;
    let offset = local.checked_sub(base)?;
    let channel = offset / sdma::PITCH;
    if channel >= u64::from(ENGINES_PER_SENGINE) {
        return None;
    }
    let sengine = 2 * u8::from(address & Field::DIE.mask() != 0) + u8::from(upper);
    let number = sengine * ENGINES_PER_SENGINE + channel as u8;
    let inside = offset % sdma::PITCH;
    match inside {
        0..BROADCAST => Some(Block::Engine(number, inside as u32)),
        BROADCAST..BROADCAST_END if number.is_multiple_of(ENGINES_PER_CORE) => {
            Some(Block::Broadcast(number, (inside - BROADCAST) as u32))
        }
        _ => None,
    }
}

/// What an address of the own chip leads to; `None` for gaps, other chips and illegal addresses.
pub(super) fn resolve(address: u64, generation: Generation, nbr_en: bool) -> Option<Span> {
    let viewed = Viewed::recover(SocAddr(address), nbr_en);
    match route(viewed, Origin::default()) {
        Route::SameDie(_) | Route::OtherDie(_) => {}
        Route::OtherChip { .. }
        | Route::PebAlias(_)
        | Route::AttachedChip { .. }
        | Route::PcieM0(_)
        | Route::Illegal(_) => return None,
    }
    let on_chip = address & ON_CHIP;
    if let Some(place) = locate(SocAddr(on_chip), generation) {
        let (block, size) = match place.region {
            TpbRegion::Sbuf => (
                Block::Sbuf(place.core, place.offset),
                u64::from(Geometry::of(generation).sbuf_size),
            ),
            TpbRegion::EvtSem => (
                Block::EvtSem(place.core, place.offset as u32),
                crate::soc::map::evt_sem::SIZE,
            ),
            TpbRegion::LocalReg => (
                Block::LocalReg(place.core, place.offset as u32),
                crate::soc::map::local_reg::SIZE,
            ),
        };
        return Some(Span {
            block,
            left: size - place.offset,
        });
    }
    if generation != Generation::V2
        && let Some(block) = engine_at(on_chip)
    {
        let left = 4 - on_chip % 4;
        return Some(Span { block, left });
    }
    if let Some(value) = accel_read(generation, on_chip & !3) {
        return Some(Span {
            block: Block::Accelerator(value),
            left: 4 - on_chip % 4,
        });
    }
    let Ok(Target::Region(location)) = target(viewed, generation) else {
        return None;
    };
    let end = location.innermost().region.size;
    let offset = location.offset();
    let populated = crate::soc::map::root::hbm_populated(generation);
    let (block, end) = match location.block().code {
        RegionCode::Hbm if offset < populated => (Block::Storage, populated),
        RegionCode::PcieA0
        | RegionCode::StateBufScratchRam
        | RegionCode::DgeMemory
        | RegionCode::PsumBuf
        | RegionCode::PoolIram
        | RegionCode::NxIram
        | RegionCode::NxDram
        | RegionCode::Q7Iram
        | RegionCode::Q7Dram
        | RegionCode::ProfileCam
        | RegionCode::ProfileTable
        | RegionCode::TopSpRam => (Block::Storage, end),
        RegionCode::Reserved
        | RegionCode::TopSpEvtSemEvent
        | RegionCode::TopSpEvtSemRead
        | RegionCode::TopSpEvtSemSet
        | RegionCode::TopSpEvtSemInc
        | RegionCode::TopSpEvtSemDec => return None,
        _ => (Block::Zero, end),
    };
    Some(Span {
        block,
        left: end - offset,
    })
}

/// Ranges that lately led to plain memory: walking the map again for each descriptor would cost more than the copy.
/// As many as the streams of two queues, each of which reads two rings and has a source and a target.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    ranges: [Range<u64>; 8],
    next: usize,
}

impl Recent {
    /// Bytes from the address to the end of a known range.
    pub fn left(&self, address: u64) -> Option<u64> {
        let known = self.ranges.iter().find(|range| range.contains(&address))?;
        Some(known.end - address)
    }

    /// Takes the place of the oldest.
    pub fn add(&mut self, range: Range<u64>) {
        self.ranges[self.next] = range;
        self.next = (self.next + 1) % self.ranges.len();
    }
}
