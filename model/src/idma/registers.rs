// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which register is at an offset of the engine, and those that only keep a value. [idma-ring §§2.1, 2.5]

use super::engine::Half;
use super::errors::{InterruptGroup, m2s, s2m};
use super::queue::{Kept, kept};
use crate::generation::Generation;
use crate::transaction::Direction;

/// Blocks of an engine. [idma-ring §2.1]
const S2M: u32 = 0x2_0000;
const GEN: u32 = 0x3_8000;
const GEN_END: u32 = 0x3_C000;
/// Queue blocks inside a direction. [idma-ring §2.2]
const QUEUE_BLOCK: u32 = 0x1000;

/// What an offset of an engine leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A queue's block, with the offset in it.
    Queue(Direction, u8, u32),
    /// The registers of a direction before its queues.
    Half(Direction, u32),
    /// Interrupts and general registers.
    Gen(u32),
    /// No register, or no multiple of 4.
    Nothing,
}

impl Place {
    pub const fn at(offset: u32) -> Self {
        if !offset.is_multiple_of(4) || offset >= GEN_END {
            return Self::Nothing;
        }
        if offset >= GEN {
            return Self::Gen(offset - GEN);
        }
        let (direction, offset) = if offset >= S2M {
            (Direction::S2m, offset - S2M)
        } else {
            (Direction::M2s, offset)
        };
        match (offset / QUEUE_BLOCK).checked_sub(1) {
            None => Self::Half(direction, offset),
            Some(queue) if queue < super::engine::QUEUES as u32 => {
                Self::Queue(direction, queue as u8, offset % QUEUE_BLOCK)
            }
            Some(_) => Self::Nothing,
        }
    }
}

/// Registers of the GEN block. [idma-ring §§2.5, 5.7, decisions D-21, D-53]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GenPlace {
    Primary(usize, u32),
    Secondary(usize, u32),
    AxiTimeout,
    Spare,
    Nothing,
}

impl GenPlace {
    pub const fn at(offset: u32) -> Self {
        const SECONDARY: u32 = 0x2000;
        const STRIDE: u32 = InterruptGroup::STRIDE;
        match offset {
            0..0x100 => Self::Primary((offset / STRIDE) as usize, offset % STRIDE),
            SECONDARY..0x20C0 => {
                Self::Secondary(((offset - SECONDARY) / STRIDE) as usize, offset % STRIDE)
            }
            0x2300 => Self::AxiTimeout,
            0x3460 => Self::Spare,
            _ => Self::Nothing,
        }
    }
}

/// `AXI.cfg_1` after reset. [idma-ring §2.5]
pub(super) const AXI_TIMEOUT_RESET: u32 = 0x2710;

/// Commands of a direction. [idma-ring §2.5]
pub(super) const CHANGE_STATE: u32 = 0x204;
pub(super) const CLEAR_ERR_LOG: u32 = 0x224;

/// Positions in the tables of kept registers.
pub(super) const ERR_LOG_MASK: usize = 0;
pub(super) const STREAM_CFG: usize = 1;
pub(super) const PREF_QUEUE_EN: usize = 2;
pub(super) const PREF_CFG_3: usize = 3;
/// Read side.
pub(super) const CFG_LEN: usize = 4;
pub(super) const PREF_CFG_2: usize = 5;
pub(super) const CFG_PREFETCH: usize = 6;
/// Write side.
pub(super) const DATA_CFG_2: usize = 4;
pub(super) const COMP_CFG_1C: usize = 5;

/// Kept registers of the larger table.
pub(super) const KEPT: usize = 7;

/// [idma-ring §2.5]; widths as in `docs/idma-contract.md`
const M2S_KEPT: [Kept; KEPT] = [
    kept(0x20C, u32::MAX, 0),
    kept(0x258, 0x001F_FF03, 0x100),
    kept(0x25C, 0xFFFF, 0xFFFF),
    kept(0x308, 0xFFFF, 0x1041),
    kept(0x254, 0x010F_FFFF, 0x0101_0000),
    kept(0x304, 0x0001_0FFF, 0x0001_0040),
    kept(0x004, u32::MAX, 0x0000_FFFF),
];
const S2M_KEPT: [Kept; 6] = [
    kept(0x20C, u32::MAX, 0),
    kept(0x250, 0x111, 0),
    kept(0x254, 0xFFFF, 0xFFFF),
    kept(0x308, 0xFFFF, 0x1041),
    kept(0x344, 0xF8FF_FFFF, 0x3000_2710),
    kept(0x380, 0xF001_110F, 0x0000_1004),
];
/// `cfg_len` of v5. [idma-ring §2.5]
const CFG_LEN_V5: Kept = kept(0x254, 0x010F_FFFF, 0x0104_0000);

fn kept_register(direction: Direction, generation: Generation, index: usize) -> Option<Kept> {
    match (direction, index, generation) {
        (Direction::M2s, CFG_LEN, Generation::V5) => Some(CFG_LEN_V5),
        // The data tail came with v3. [idma-ring §6]
        (Direction::M2s, CFG_PREFETCH, Generation::V2) => None,
        (Direction::M2s, ..) => M2S_KEPT.get(index).copied(),
        (Direction::S2m, ..) => S2M_KEPT.get(index).copied(),
    }
}

pub(super) fn reset_values(direction: Direction, generation: Generation) -> [u32; KEPT] {
    std::array::from_fn(|index| {
        kept_register(direction, generation, index).map_or(0, |kept| kept.reset)
    })
}

fn kept_at(direction: Direction, generation: Generation, offset: u32) -> Option<(usize, Kept)> {
    (0..KEPT)
        .filter_map(|index| kept_register(direction, generation, index).map(|kept| (index, kept)))
        .find(|(_, kept)| kept.offset == offset)
}

/// Reads a register of a direction. [idma-ring §2.5]
pub(super) fn read_half(
    half: &Half,
    direction: Direction,
    offset: u32,
    generation: Generation,
) -> u32 {
    let statistics = &half.statistics;
    let m2s = direction == Direction::M2s;
    match offset {
        // Sub-machines at 1:0, 5:4, 9:8 and 13:12; the write side has a fifth at 17:16.
        0x200 => half.state.code() * if m2s { 0x1111 } else { 0x1_1111 },
        0x214 | 0x218 | 0x21C | 0x220 => half.log.words[(offset - 0x214) as usize / 4],
        0x504 => statistics.packets,
        0x508 => statistics.bytes as u32,
        0x50C => (statistics.bytes >> 32) as u32,
        0x510 => statistics.prefetched,
        0x514 => statistics.completed_packets,
        0x518 => statistics.completed_descriptors,
        0x51C => statistics.acknowledged_packets,
        0x600 if m2s => 0x400,
        0x604 if m2s => match generation {
            Generation::V5 => 0x1000_1880,
            _ => 4,
        },
        _ => kept_at(direction, generation, offset).map_or(0, |(index, _)| half.kept[index]),
    }
}

/// Writes a kept register of a direction.
pub(super) fn write_half(
    half: &mut Half,
    direction: Direction,
    offset: u32,
    value: u32,
    generation: Generation,
) {
    if let Some((index, kept)) = kept_at(direction, generation, offset) {
        half.kept[index] = value & kept.writable;
    }
}

/// Error response and silence of a descriptor read.
pub(super) const fn prefetch_bits(direction: Direction) -> [u32; 2] {
    match direction {
        Direction::M2s => [m2s::PREFETCH_RESPONSE, m2s::PREFETCH_TIMEOUT],
        Direction::S2m => [s2m::PREFETCH_RESPONSE, s2m::PREFETCH_TIMEOUT],
    }
}
