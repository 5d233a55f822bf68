// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The rings of a core's engines: where they are, how far they are filled. [decisions D-5, D-6]

use super::fault::{LegFault, fault};
use crate::generation::Generation;
use crate::idma::descriptor::DESCRIPTOR_BYTES;
use crate::idma::pointer::Pointer;
use crate::pool::context::{LegContext, flags};
use crate::soc::SocAddr;
use crate::soc::id::QueueId;
use crate::soc::sdma::{ENGINES_PER_CORE, Udma};
use crate::transaction::FaultClass;

/// Rings start at multiples of this many bytes from the first. [decisions D-6, idma-ring §2.7]
const ALIGNMENT: u64 = 256;
/// Bits of a ring's length. [idma-ring §2.3]
const LENGTH_BITS: u32 = 24;
/// Slots that the credit counter of a long ring leaves free. [idma-ring MC-36]
const CREDIT_RESERVE: u32 = 16;
/// Slots that stay free without credits. [idma-ring MC-21, decisions D-6]
const RESERVE: u32 = 1;

/// Both directions, M2S first, as ring addresses count them. [decisions D-6]
pub const DIRECTIONS: [Udma; 2] = [Udma::M2s, Udma::S2m];

const fn direction(udma: Udma) -> usize {
    match udma {
        Udma::M2s => 0,
        Udma::S2m => 1,
    }
}

/// Place and size of the rings of all sixteen engines. [decisions D-6]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RingLayout {
    /// First byte of the ring of engine 0, M2S.
    pub base: SocAddr,
    /// Descriptors in each ring.
    pub length: u32,
    /// Queue of every engine.
    pub queue: QueueId,
    /// Descriptors that may be in a ring that have not completed.
    pub capacity: u32,
}

impl RingLayout {
    /// The layout that a context describes.
    ///
    /// # Errors
    /// `ChannelInit` for a queue that no engine has and for a length that no register holds.
    pub fn of(context: &LegContext, generation: Generation) -> Result<Self, LegFault> {
        let queue = u8::try_from(context.ring_num)
            .ok()
            .and_then(|number| QueueId::new(number).ok());
        let Some(queue) = queue else {
            return fault(
                FaultClass::ChannelInit,
                format!(
                    "leg_ring_num is {}; an engine has queues 0 to {}",
                    context.ring_num,
                    QueueId::COUNT - 1
                ),
            );
        };
        let length = context.ring_len;
        if length >> LENGTH_BITS != 0 {
            return fault(
                FaultClass::ChannelInit,
                format!("leg_ring_len is {length}; a ring has at most 16777215 descriptors"),
            );
        }
        let credits = generation == Generation::V4Plus && context.has(flags::CREDITS);
        Ok(Self {
            base: context.ring_base(),
            length,
            queue,
            capacity: if credits {
                reset_credit(length)
            } else {
                length.saturating_sub(RESERVE)
            },
        })
    }

    /// Bytes from one ring to the next.
    #[must_use]
    pub const fn pitch(&self) -> u64 {
        (self.length as u64 * DESCRIPTOR_BYTES as u64).next_multiple_of(ALIGNMENT)
    }

    /// First byte of a ring.
    #[must_use]
    pub const fn ring(&self, engine: u8, udma: Udma) -> SocAddr {
        let number = 2 * engine as u64 + direction(udma) as u64;
        SocAddr(self.base.0.wrapping_add(number * self.pitch()))
    }

    /// First byte of a slot of a ring.
    #[must_use]
    pub const fn slot(&self, engine: u8, udma: Udma, offset: u32) -> SocAddr {
        let ring = self.ring(engine, udma);
        SocAddr(ring.0.wrapping_add(offset as u64 * DESCRIPTOR_BYTES as u64))
    }
}

/// Credits of a queue after its reset. [decisions D-26]
#[must_use]
pub const fn reset_credit(ring_len: u32) -> u32 {
    if ring_len <= CREDIT_RESERVE {
        ring_len.saturating_sub(RESERVE)
    } else {
        ring_len - CREDIT_RESERVE
    }
}

/// A tail after `count` more descriptors of a ring of `length`. [idma-ring §2.6]
#[must_use]
pub(super) const fn after(mut tail: Pointer, count: u32, length: u32) -> Pointer {
    tail.add(count, length);
    tail
}

/// The two rings of an engine, as the firmware keeps book of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EngineRings {
    tails: [Pointer; 2],
    /// Pairs that are generated and not yet rung. [decisions D-48]
    pub pending: u32,
}

impl EngineRings {
    /// The tail of a direction; the two wrap independently. [idma-ring §3.5]
    #[must_use]
    pub const fn tail(&self, udma: Udma) -> Pointer {
        self.tails[direction(udma)]
    }

    /// Puts the tail of a direction.
    pub const fn set_tail(&mut self, udma: Udma, tail: Pointer) {
        self.tails[direction(udma)] = tail;
    }
}

/// The book of all engines of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rings {
    /// By engine number in the core.
    pub engines: [EngineRings; ENGINES_PER_CORE as usize],
}

impl Rings {
    /// Enters the pairs of a leg: tails go on, and they are pending until START rings them.
    pub fn generated(&mut self, counts: impl IntoIterator<Item = (u8, u32)>, length: u32) {
        for (engine, count) in counts {
            let Some(rings) = self.engines.get_mut(usize::from(engine)) else {
                continue;
            };
            for udma in DIRECTIONS {
                rings.set_tail(udma, after(rings.tail(udma), count, length));
            }
            rings.pending = rings.pending.saturating_add(count);
        }
    }

    /// Engines with pairs that wait for START, ascending, with their number of pairs.
    pub fn pending(&self) -> impl Iterator<Item = (u8, u32)> {
        (0..)
            .zip(&self.engines)
            .map(|(engine, rings)| (engine, rings.pending))
            .filter(|(_, pending)| *pending > 0)
    }

    /// Everything pending has been rung.
    pub fn started(&mut self) {
        for rings in &mut self.engines {
            rings.pending = 0;
        }
    }
}
