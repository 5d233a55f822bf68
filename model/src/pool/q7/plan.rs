// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `rdma_desc_gen` as a pure function: from a word and its context to every descriptor, or to the fault.
//! [idma-ring §3.5, §3.6], [decisions D-5, D-44]

use std::cmp::Ordering;

use super::fault::{LegFault, fault};
use super::ring::{RingLayout, Rings, after};
use super::site::{Destination, Site};
use super::transfer::{GenOperands, Piece, Transfer, WordOperands, check_gen_operands};
use crate::choices::Choices;
use crate::generation::Generation;
use crate::idma::Descriptor;
use crate::idma::descriptor::{COPY_WORD1, rx, tx};
use crate::idma::pointer::Pointer;
use crate::isa::{Geometry, RdmaDescGen, Word};
use crate::pool::context::LegContext;
use crate::soc::cores::die_of;
use crate::soc::fold::Folded;
use crate::soc::sdma::{ENGINES_PER_CORE, Udma};
use crate::soc::semaphore::{EvtAccel, SemaOp, evt_accel, sema_addr};
use crate::soc::{SocAddr, sbuf};
use crate::transaction::FaultClass;

/// Engines of a core; mask bits above are none. [idma-ring §3.1]
const ENGINES: usize = ENGINES_PER_CORE as usize;
/// Engines that v5 has. [decisions D-13, D-44]
const MASK_BITS_V5: u16 = 0x00FF;
/// `shuffled_sbuf_swizzle`: the partition of an iteration that each engine slot takes. Its real content is unknown.
/// [idma-ring §3.5, MC-18]
pub const SWIZZLE: [u8; ENGINES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// Semaphore pairs that follow the data of every engine. [idma-ring MC-22]
const SEMAPHORE_PAIRS: u32 = 2;
/// Bytes of a semaphore increment. [idma-ring §3.6]
const SEMAPHORE_BYTES: u32 = 4;

/// Which half of the rings an actor fills: even PRID receives, odd PRID transmits. [idma-ring MC-24, decisions D-10]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// S2M rings, Q7 core 0.
    Rx,
    /// M2S rings, Q7 core 1.
    Tx,
}

impl Role {
    /// Both, in the order of their doorbells.
    pub const ALL: [Self; 2] = [Self::Rx, Self::Tx];

    /// Half of the engines.
    #[must_use]
    pub const fn udma(self) -> Udma {
        match self {
            Self::Rx => Udma::S2m,
            Self::Tx => Udma::M2s,
        }
    }

    /// PRID of the Q7 core. [decisions D-10]
    #[must_use]
    pub const fn prid(self) -> u8 {
        match self {
            Self::Rx => 0,
            Self::Tx => 1,
        }
    }
}

/// A semaphore that every active engine increments once. [idma-ring §3.6]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SemaphoreTarget {
    /// Index in the core's EVT_SEM.
    pub index: u8,
    /// INC word of that core.
    pub address: SocAddr,
    /// The address that the descriptor carries.
    pub folded: SocAddr,
}

/// An engine that takes part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Engine {
    /// Number in the core, 0..=15.
    pub number: u8,
    /// Partitions that it owns.
    pub partitions: u32,
    /// Pairs of descriptors, n of D-5. [decisions D-5]
    pub pairs: u32,
    /// Where its first TX descriptor goes.
    pub tx_tail: Pointer,
    /// Where its first RX descriptor goes.
    pub rx_tail: Pointer,
}

impl Engine {
    const fn tail(&self, udma: Udma) -> Pointer {
        match udma {
            Udma::M2s => self.tx_tail,
            Udma::S2m => self.rx_tail,
        }
    }
}

/// What a pair does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairKind {
    /// Moves a piece of a channel's partition.
    Data {
        /// Channel, from 0.
        channel: u32,
        /// The piece.
        piece: Piece,
    },
    /// Increments the semaphore of the source's side.
    LocalSemaphore,
    /// Increments the semaphore of the destination's side.
    RemoteSemaphore,
}

/// A descriptor and the slot that it is stored in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Store {
    /// Engine in the core.
    pub engine: u8,
    /// First byte of the slot.
    pub slot: SocAddr,
    /// The sixteen bytes.
    pub descriptor: Descriptor,
    /// What its pair does.
    pub kind: PairKind,
}

/// A pair of descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// What it does.
    pub kind: PairKind,
    /// Read side.
    pub tx: Store,
    /// Write side.
    pub rx: Store,
}

/// A leg that has passed its checks, down to the last descriptor; nothing of it is stored but its shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegPlan {
    /// Who executes.
    pub site: Site,
    /// Who receives.
    pub destination: Destination,
    /// Queue, place and size of the rings.
    pub layout: RingLayout,
    /// The mask as given.
    pub raw_mask: u32,
    /// Its low 16 bits.
    pub engine_mask: u16,
    /// What is moved.
    pub transfer: Transfer,
    /// First byte of the source: State Buffer plus operand address.
    pub source: SocAddr,
    /// First byte of the destination before the fold.
    pub destination_before: SocAddr,
    /// The same after the fold.
    pub destination_after: Folded,
    /// Incremented when the source is free.
    pub local: SemaphoreTarget,
    /// Incremented when the data is there.
    pub remote: SemaphoreTarget,
    /// What semaphore pairs read: a 1. [idma-ring §3.6, decisions D-20]
    pub accelerator: SocAddr,
    engines: [Engine; ENGINES],
    active: usize,
}

/// What else a plan depends on.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Who executes.
    pub site: Site,
    /// The engine's register file. [decisions D-16, D-45]
    pub registers: &'a [u32],
    /// The leg context of the core.
    pub context: &'a LegContext,
    /// How far the rings are filled.
    pub rings: &'a Rings,
    /// The choices in force.
    pub choices: &'a Choices,
}

impl LegPlan {
    /// Plans a 0xBF word that the validator accepts, from step 4 of D-43 on; `destination` is what
    /// [`Destination::of_word`] found before the pre-sync.
    ///
    /// # Errors
    /// The first failing check of D-44. Nothing is to be stored then.
    pub fn of_word(
        word: &Word,
        destination: Destination,
        around: &Surroundings<'_>,
    ) -> Result<Self, LegFault> {
        let Surroundings { site, context, .. } = *around;
        if around.rings.pending().next().is_some() {
            // [decisions D-59]
            return fault(
                FaultClass::DescriptorStream,
                "descriptors of RDMA_DESC_GEN are in the rings and not started".to_owned(),
            );
        }
        let operands = WordOperands::resolve(word, site.generation, around.registers)?;
        let mask = check_mask(context.dma_engine_mask, site.generation)?;
        let transfer = operands.transfer(destination.is_self(site), *around.choices)?;
        Self::build(
            destination,
            mask,
            context.dma_engine_mask,
            transfer,
            (context.local_sem as u8, context.remote_sem as u8),
            around,
        )
    }

    /// Plans a GEN word. Its fields replace the context, but for the rings. [decisions D-6, D-48]
    ///
    /// # Errors
    /// `BadOperand`, then the first failing check of D-44.
    pub fn of_gen(word: &RdmaDescGen, around: &Surroundings<'_>) -> Result<Self, LegFault> {
        let site = around.site;
        check_gen_operands(word)?;
        let operands = GenOperands::resolve(word, site.generation, around.registers)?;
        let mask = check_mask(word.dma_engine_mask, site.generation)?;
        let given = Destination::given(
            "remote_core_id",
            word.remote_core_id,
            word.remote_routing_id,
            site,
        );
        let same_core = given.as_ref().is_ok_and(|peer| peer.is_self(site));
        let transfer = operands.transfer(same_core, *around.choices)?;
        Self::build(
            given?,
            mask,
            word.dma_engine_mask,
            transfer,
            (word.local_sem, word.remote_sem),
            around,
        )
    }

    fn build(
        destination: Destination,
        engine_mask: u16,
        raw_mask: u32,
        transfer: Transfer,
        (local, remote): (u8, u8),
        around: &Surroundings<'_>,
    ) -> Result<Self, LegFault> {
        let Surroundings { site, context, .. } = *around;
        let layout = RingLayout::of(context, site.generation)?;
        let fold = |address| destination.fold(address, site, context);
        let destination_before = sbuf(destination.core, u64::from(transfer.destination_address));
        let local_address = sema_addr(site.core, SemaOp::Inc, local);
        let remote_address = sema_addr(destination.core, SemaOp::Inc, remote);
        let mut plan = Self {
            site,
            destination,
            layout,
            raw_mask,
            engine_mask,
            source: sbuf(site.core, u64::from(transfer.source_address)),
            destination_before,
            destination_after: fold(destination_before)?,
            local: SemaphoreTarget {
                index: local,
                address: local_address,
                folded: local_address,
            },
            remote: SemaphoreTarget {
                index: remote,
                address: remote_address,
                folded: fold(remote_address)?.address,
            },
            accelerator: accelerator(site)?,
            transfer,
            engines: [Engine::default(); ENGINES],
            active: engine_mask.count_ones() as usize,
        };
        plan.share_out(around.rings)?;
        Ok(plan)
    }

    /// Partitions and counts of each engine, and whether they fit. [decisions D-5, D-6, D-55, D-59]
    fn share_out(&mut self, rings: &Rings) -> Result<(), LegFault> {
        let pieces = self.transfer.pieces.len() as u32;
        let numbers = (0..ENGINES_PER_CORE).filter(|number| self.engine_mask >> number & 1 != 0);
        for (slot, number) in (0..).zip(numbers) {
            let partitions = self.rounds_of(slot);
            let pairs = partitions * pieces + SEMAPHORE_PAIRS;
            let book = rings.engines[usize::from(number)];
            let total = u64::from(book.pending) + u64::from(pairs);
            if total > u64::from(self.layout.capacity) {
                let earlier = match book.pending {
                    0 => String::new(),
                    pending => format!(" on top of {pending} that are not started"),
                };
                return fault(
                    FaultClass::RingTooSmall,
                    format!(
                        "engine {number} gets {pairs} descriptors{earlier}; a ring of {} takes at most {}",
                        self.layout.length, self.layout.capacity
                    ),
                );
            }
            self.engines[slot] = Engine {
                number,
                partitions,
                pairs,
                tx_tail: book.tail(Udma::M2s),
                rx_tail: book.tail(Udma::S2m),
            };
        }
        Ok(())
    }

    /// Iterations in which the engine of a slot has a partition.
    const fn rounds_of(&self, slot: usize) -> u32 {
        let first = SWIZZLE[slot] as u32;
        self.transfer
            .partitions
            .saturating_sub(first)
            .div_ceil(self.active as u32)
    }

    /// The engines that take part, ascending.
    #[must_use]
    pub fn engines(&self) -> &[Engine] {
        &self.engines[..self.active]
    }

    /// `num_indices`: iterations of the descriptor loop. [decisions D-5]
    #[must_use]
    pub const fn num_indices(&self) -> u32 {
        self.transfer.partitions.div_ceil(self.active as u32)
    }

    /// Engines and their numbers of pairs.
    pub fn counts(&self) -> impl Iterator<Item = (u8, u32)> {
        self.engines()
            .iter()
            .map(|engine| (engine.number, engine.pairs))
    }

    /// Pairs of all engines.
    #[must_use]
    pub fn total_pairs(&self) -> u64 {
        self.engines()
            .iter()
            .map(|engine| u64::from(engine.pairs))
            .sum()
    }

    /// The pairs of the engine in a slot of [`LegPlan::engines`], in ring order; none beyond the slots.
    pub fn pairs(&self, slot: usize) -> impl Iterator<Item = Pair> {
        let count = self.engines().get(slot).map_or(0, |engine| engine.pairs);
        (0..count).map(move |index| self.pair(slot, index))
    }

    /// The stores of an actor in the order of its loop: iteration after iteration, then engine after engine its two
    /// semaphores. [idma-ring §3.5 steps 7 and 8]
    pub fn stores(&self, role: Role) -> impl Iterator<Item = Store> {
        let pieces = self.transfer.pieces.len() as u32;
        let data = (0..self.num_indices()).flat_map(move |round| {
            (0..self.active)
                .filter(move |slot| round < self.engines[*slot].partitions)
                .flat_map(move |slot| {
                    (0..pieces).map(move |piece| self.pair(slot, round * pieces + piece))
                })
        });
        let semaphores = (0..self.active).flat_map(move |slot| {
            let end = self.engines[slot].pairs;
            (end - SEMAPHORE_PAIRS..end).map(move |index| self.pair(slot, index))
        });
        data.chain(semaphores).map(move |pair| match role {
            Role::Rx => pair.rx,
            Role::Tx => pair.tx,
        })
    }

    /// The slot of an engine's descriptor by its number in the leg.
    #[must_use]
    pub fn slot(&self, engine: &Engine, udma: Udma, index: u32) -> SocAddr {
        let tail = after(engine.tail(udma), index, self.layout.length);
        self.layout.slot(engine.number, udma, tail.offset)
    }

    /// Where a direction's tail is once the leg is rung; with the completion head there on both sides of every
    /// engine the leg is complete. [decisions D-7]
    #[must_use]
    pub const fn tail_after(&self, engine: &Engine, udma: Udma) -> Pointer {
        after(engine.tail(udma), engine.pairs, self.layout.length)
    }

    /// Data pairs of an engine: once they have been read on all engines, READ updates fire. [decisions D-7]
    #[must_use]
    pub const fn data_pairs(&self, engine: &Engine) -> u32 {
        engine.pairs - SEMAPHORE_PAIRS
    }

    /// Address of a byte of a channel's source partition.
    fn source_byte(&self, channel: u32, byte: u32) -> SocAddr {
        let partition = self.transfer.source_partition + channel;
        sbuf(self.site.core, self.in_buffer(partition, byte))
    }

    /// Folded address of a byte of a channel's destination partition.
    fn destination_byte(&self, channel: u32, byte: u32) -> SocAddr {
        // The start address lies in the State Buffer, so sums stay below the routing bits.
        let partition = self.transfer.destination_partition + channel;
        let start = self.destination_after.address.0 - u64::from(self.transfer.destination_address);
        SocAddr(start + self.in_buffer(partition, byte))
    }

    fn in_buffer(&self, partition: u32, byte: u32) -> u64 {
        let stride = Geometry::of(self.site.generation).sbuf_stride;
        u64::from(partition) * u64::from(stride) + u64::from(byte)
    }

    fn pair(&self, slot: usize, index: u32) -> Pair {
        let engine = &self.engines[slot];
        let pieces = self.transfer.pieces.len() as u32;
        let data = self.data_pairs(engine);
        let kind = match index.cmp(&data) {
            Ordering::Less => {
                let channel = index / pieces * self.active as u32 + u32::from(SWIZZLE[slot]);
                PairKind::Data {
                    channel,
                    piece: self.transfer.pieces[(index % pieces) as usize],
                }
            }
            Ordering::Equal => PairKind::LocalSemaphore,
            Ordering::Greater => PairKind::RemoteSemaphore,
        };
        let (tx, rx) = self.words(kind, index + 1 == data);
        let store = |udma, mut descriptor: Descriptor| {
            let tail = after(engine.tail(udma), index, self.layout.length);
            descriptor.word0 |= tail.ring_id.in_descriptor();
            Store {
                engine: engine.number,
                slot: self.layout.slot(engine.number, udma, tail.offset),
                descriptor,
                kind,
            }
        };
        Pair {
            kind,
            tx: store(Udma::M2s, tx),
            rx: store(Udma::S2m, rx),
        }
    }

    /// The two descriptors without their ring ids. [idma-ring §3.5, §3.6, M/I]
    fn words(&self, kind: PairKind, last_data: bool) -> (Descriptor, Descriptor) {
        let (source, destination, bytes, ordered) = match kind {
            PairKind::Data { channel, piece } => (
                self.source_byte(channel, piece.source),
                self.destination_byte(channel, piece.destination),
                piece.bytes,
                0,
            ),
            PairKind::LocalSemaphore => (
                self.accelerator,
                self.local.folded,
                SEMAPHORE_BYTES,
                self.strong_order(),
            ),
            PairKind::RemoteSemaphore => (
                self.accelerator,
                self.remote.folded,
                SEMAPHORE_BYTES,
                self.strong_order(),
            ),
        };
        let barrier = if last_data { tx::WRITE_BARRIER } else { 0 };
        // 65 536 is written as 0. [idma-ring §1.3]
        let length = bytes & 0xFFFF;
        (
            Descriptor {
                word0: length | tx::FIRST | tx::LAST,
                word1: COPY_WORD1 | barrier,
                buf_ptr: source.0,
            },
            Descriptor {
                word0: length | ordered,
                word1: 0,
                buf_ptr: destination.0,
            },
        )
    }

    /// Strong-ordered writes, which v2 does not have. [idma-ring §1.4, §3.6]
    const fn strong_order(&self) -> u32 {
        match self.site.generation {
            Generation::V2 => 0,
            Generation::V3 | Generation::V4 | Generation::V4Plus | Generation::V5 => rx::SOW,
        }
    }
}

/// Source of the constant 1 for the engines of a core. [decisions D-20]
fn accelerator(site: Site) -> Result<SocAddr, LegFault> {
    evt_accel(EvtAccel::Set, die_of(site.core), site.generation)
        .or_else(|error| fault(FaultClass::DecodeError, error.to_string()))
}

/// [idma-ring MC-17, decisions D-44]
fn check_mask(mask: u32, generation: Generation) -> Result<u16, LegFault> {
    let low = mask as u16;
    let allowed = match generation {
        Generation::V5 => MASK_BITS_V5,
        Generation::V2 | Generation::V3 | Generation::V4 | Generation::V4Plus => u16::MAX,
    };
    if low.count_ones().is_power_of_two() && low & !allowed == 0 {
        return Ok(low);
    }
    fault(
        FaultClass::BadMask,
        format!(
            "the DMA engine mask 0x{mask:08x} names {} engine(s); expected 1, 2, 4, 8 or 16 of engines 0 to {}",
            low.count_ones(),
            allowed.count_ones() - 1
        ),
    )
}
