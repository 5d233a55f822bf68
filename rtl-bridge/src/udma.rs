// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The verilated DMA engines with a memory behind each, driven by scripts.

use cxx::UniquePtr;
use pool_model::generation::Generation;

use crate::bridge::error_of;
use crate::bridge::udma::ffi;
use crate::error::RtlError;
use crate::mutants::MutantId;

pub use ffi::{
    RingEnd, RingEngineState, RingEvent, RingEventKind, RingOp, RingOpKind, RingQueueState,
};

/// Engines of the verilated group. `docs/idma-contract.md`
pub const ENGINES: u8 = 4;
/// Queues of each.
pub const QUEUES: u8 = 2;
/// Bytes of the memory behind an engine; addresses fold into it.
pub const MEMORY_BYTES: usize = 1 << 20;
/// Bytes of a part of that memory with a digest of its own.
pub const REGION_BYTES: usize = MEMORY_BYTES / 16;

/// When a run is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watchdog {
    /// Cycles without any traffic on a memory port.
    pub quiet: u32,
    /// Cycles of one step of a script.
    pub longest: u32,
}

impl Default for Watchdog {
    /// Longer than any timer that a script of the suite sets, and than the largest descriptor takes.
    fn default() -> Self {
        Self {
            quiet: 40_000,
            longest: 4_000_000,
        }
    }
}

/// A script: its steps, and the bytes that they write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RingScript {
    /// The steps.
    pub ops: Vec<RingOp>,
    /// What the steps write to memory.
    pub bytes: Vec<u8>,
}

/// The code of a generation at `generation_i`. `docs/idma-contract.md`
#[must_use]
pub const fn generation_code(generation: Generation) -> u8 {
    match generation {
        Generation::V2 => 0,
        Generation::V3 => 1,
        Generation::V4 => 2,
        Generation::V4Plus => 3,
        Generation::V5 => 4,
    }
}

/// An instance of `hdl/rtl/udma_group.sv`.
///
/// Creating one is expensive, using it again is not: a script begins with a reset.
pub struct UdmaGroup {
    inner: UniquePtr<ffi::UdmaGroup>,
}

impl UdmaGroup {
    /// The design as it is.
    pub fn new() -> Result<Self, RtlError> {
        Self::create(false)
    }

    /// The instrumented copy, with no mutant chosen.
    pub fn instrumented() -> Result<Self, RtlError> {
        Self::create(true)
    }

    fn create(instrumented: bool) -> Result<Self, RtlError> {
        let inner = ffi::new_udma_group(instrumented).map_err(|e| error_of(&e))?;
        Ok(Self { inner })
    }

    /// Chooses a mutant, or none. Only the instrumented copy has any.
    pub fn set_mutant(&mut self, mutant: Option<MutantId>) -> Result<(), RtlError> {
        let id = mutant.map_or(0, MutantId::get);
        self.inner
            .pin_mut()
            .set_mutant(id)
            .map_err(|e| error_of(&e))
    }

    /// Whether a fault has ended this instance for good.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.inner.is_dead()
    }

    /// Runs a script in one call across the bridge. A device fault names the step in its `item`.
    pub fn run(&mut self, script: &RingScript, watchdog: Watchdog) -> Result<RingEnd, RtlError> {
        self.call(script, watchdog, true)
    }

    /// The yardstick of the benchmarks: the same cycles and the same memory, observing nothing.
    pub fn run_bare(
        &mut self,
        script: &RingScript,
        watchdog: Watchdog,
    ) -> Result<RingEnd, RtlError> {
        self.call(script, watchdog, false)
    }

    fn call(
        &mut self,
        script: &RingScript,
        watchdog: Watchdog,
        record: bool,
    ) -> Result<RingEnd, RtlError> {
        let Watchdog { quiet, longest } = watchdog;
        self.inner
            .pin_mut()
            .run(&script.ops, &script.bytes, quiet, longest, record)
            .map_err(|e| error_of(&e))
    }

    /// What the engines did in the last run, in the order in which it ended.
    #[must_use]
    pub fn events(&self) -> &[RingEvent] {
        self.inner.events()
    }

    /// The bytes of these events.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.inner.bytes()
    }

    /// What the reads of the last run found, in order.
    #[must_use]
    pub fn values(&self) -> &[u32] {
        self.inner.values()
    }

    /// The engines at each `Settle` of the last run, [`ENGINES`] entries for each, and when the watchdog struck.
    #[must_use]
    pub fn states(&self) -> &[RingEngineState] {
        self.inner.states()
    }

    /// The memory of an engine, 0 to 3, as the last run left it.
    #[must_use]
    pub fn memory(&self, engine: u8) -> &[u8] {
        self.inner.memory(engine & 3)
    }
}
