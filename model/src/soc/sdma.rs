// SPDX-License-Identifier: Apache-2.0 OR MIT
//! DMA engines, their queues and doorbells. [soc-address §2.8]

use super::SocAddr;
use super::id::{Die, OutOfRange, QueueId, SdmaEngine, SengineId};
use super::map::{root, sdma};
use super::view::Field;
use crate::transaction::CoreId;

/// Transmit or receive half of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Udma {
    /// M2S, transmit.
    M2s,
    /// S2M, receive.
    S2m,
}

/// Engines of a core, of an SEngine and of a die. [soc-address §2.8]
pub const ENGINES_PER_CORE: u8 = 16;
/// Engines of an SEngine.
pub const ENGINES_PER_SENGINE: u8 = 32;
/// Engines of a die.
pub const ENGINES_PER_DIE: u8 = 64;

/// Base of an SEngine's APB aperture. [soc-address §2.1]
#[must_use]
pub const fn apb_se_base(sengine: SengineId) -> SocAddr {
    let position = (sengine.number() & 1) as u64;
    Field::DIE.set(
        SocAddr(1 << 36 | position << 38),
        sengine.die().number() as u64,
    )
}

/// Base of an engine; 128 to 131 are the host engines in APB_IO. [soc-address §§2.1, 2.8]
#[must_use]
pub const fn sdma_base(engine: SdmaEngine) -> SocAddr {
    let number = engine.number();
    if number >= sdma::FIRST_IO_ENGINE {
        let host = number - sdma::FIRST_IO_ENGINE;
        let local = root::APB_IO.0 + if host & 1 == 0 { sdma::D2H } else { sdma::H2D };
        return Field::DIE.set(SocAddr(local), (host >> 1) as u64);
    }
    let sengine = SengineId::wrapping(number / ENGINES_PER_SENGINE);
    let first = if sengine.number() & 1 == 0 {
        sdma::FIRST_ENGINE_LOWER
    } else {
        sdma::FIRST_ENGINE_UPPER
    };
    let channel = (number % ENGINES_PER_SENGINE) as u64;
    SocAddr(apb_se_base(sengine).0 + first + channel * sdma::PITCH)
}

/// Base of a queue's registers. [soc-address §2.8]
#[must_use]
pub const fn queue_base(engine: SdmaEngine, udma: Udma, queue: QueueId) -> SocAddr {
    let half = match udma {
        Udma::M2s => 0,
        Udma::S2m => sdma::S2M,
    };
    let (first, stride, _) = sdma::QUEUES;
    SocAddr(sdma_base(engine).0 + half + first + stride * queue.number() as u64)
}

/// Address of a queue's doorbell. [soc-address §2.8]
#[must_use]
pub const fn doorbell(engine: SdmaEngine, udma: Udma, queue: QueueId) -> SocAddr {
    SocAddr(queue_base(engine, udma, queue).0 + sdma::TAIL_INC)
}

/// What a doorbell address names; `None` for every other address of the own chip. [soc-address §2.8]
#[must_use]
pub fn doorbell_of(address: SocAddr) -> Option<(SdmaEngine, Udma, QueueId)> {
    SdmaEngine::all()
        .filter(|engine| {
            address
                .0
                .checked_sub(sdma_base(*engine).0)
                .is_some_and(|offset| offset < sdma::CONTAINER)
        })
        .flat_map(|engine| [Udma::M2s, Udma::S2m].map(|udma| (engine, udma)))
        .flat_map(|(engine, udma)| QueueId::all().map(move |queue| (engine, udma, queue)))
        .find(|(engine, udma, queue)| doorbell(*engine, *udma, *queue) == address)
}

/// Device number of engine `i` of a core: 16·core + i. [soc-address §2.8]
///
/// # Errors
/// [`OutOfRange`] when `i` is not below 16.
pub const fn core_engine(core: CoreId, i: u8) -> Result<SdmaEngine, OutOfRange> {
    if i >= ENGINES_PER_CORE {
        return Err(OutOfRange {
            what: "engine of a core",
            found: i as u64,
            last: ENGINES_PER_CORE as u64 - 1,
        });
    }
    SdmaEngine::new(ENGINES_PER_CORE * core.number() + i)
}

/// SEngine and channel of an engine; `None` for the host engines. [soc-address §2.8]
#[must_use]
pub const fn sengine_channel(engine: SdmaEngine) -> Option<(SengineId, u8)> {
    if engine.number() >= sdma::FIRST_IO_ENGINE {
        return None;
    }
    Some((
        SengineId::wrapping(engine.number() / ENGINES_PER_SENGINE),
        engine.number() % ENGINES_PER_SENGINE,
    ))
}

/// Die of an engine.
#[must_use]
pub const fn engine_die(engine: SdmaEngine) -> Die {
    Die::from_bit(Field::DIE.get(sdma_base(engine)) == 1)
}
