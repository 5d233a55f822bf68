// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The windows through which the Q7 cores reach rings, doorbells and the peer. [soc-address §§3.4, 3.5]
//!
//! No source says which windows a leg uses. The model takes the smallest set that fits the facts: the dynamic windows of
//! 16 MiB for everything that a leg stores to, and one of 64 MiB for the blocks of the peer's tile that the pre-sync
//! logs name. The windows are programmed anew for every leg.

use super::doorbell::engines_extent;
use super::fault::{LegFault, fault};
use super::plan::LegPlan;
use super::ring::DIRECTIONS;
use super::site::{Destination, Site};
use crate::pool::context::LegContext;
use crate::soc::map::tpb::{POOL, Q7_DRAM, RESERVED_SBUF};
use crate::soc::sdma::{ENGINES_PER_CORE, sdma_base};
use crate::soc::semaphore::{SemaOp, sema_addr};
use crate::soc::view::Field;
use crate::soc::window_manager::{ManagerError, WindowManager};
use crate::soc::window_program::{Gates, WindowSpec, WindowStep};
use crate::soc::{SocAddr, tpb_base};
use crate::transaction::FaultClass;

/// Dynamic windows of 16 MiB. [soc-address §3.6], continued upward for rings that need more
const DYNAMIC_BASES: [u32; 7] = [
    0x0700_0000,
    0x0900_0000,
    0x0A00_0000,
    0x0B00_0000,
    0x0C00_0000,
    0x0D00_0000,
    0x0E00_0000,
];
/// Size of a dynamic window. [soc-address §3.6]
const DYNAMIC_LOG2: u32 = 24;
/// The window onto the blocks of the peer's tile, behind the two pinned ones. [soc-address §3.6]
const PEER_BASE: u32 = 0x8800_0000;
/// 64 MiB: from EVT_SEM's neighbourhood to the end of the tile. [soc-address §2.3]
const PEER_LOG2: u32 = 26;

/// Windows of a leg, and the addresses that they give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegWindows {
    manager: WindowManager,
    /// Register writes, in order; the barrier of each window included.
    pub steps: Vec<WindowStep>,
}

/// What the pre-sync lines of the log name. [idma-ring §3.2, §5.5]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PreSync {
    /// The peer's POOL block.
    pub remote_pool_xt_addr: u32,
    /// Data memory of the peer's Q7 core 0.
    pub remote_q7_xt_addr: u32,
    /// INC word of the ready semaphore.
    pub ready_xt_addr: u32,
    /// The same as a SoC address.
    pub ready: SocAddr,
}

fn no_window<T>(error: &ManagerError) -> Result<T, LegFault> {
    fault(FaultClass::NoWindow, error.to_string())
}

fn gates() -> Gates {
    Gates {
        q7_dedicated: true,
        ..Gates::default()
    }
}

/// Base of the POOL engine's block, which the classifier knows. [soc-address §2.11]
fn engine_base(site: Site) -> SocAddr {
    SocAddr(tpb_base(site.core).0 + POOL)
}

impl LegWindows {
    fn install(site: Site, specs: &[WindowSpec]) -> Result<Self, LegFault> {
        let mut manager = WindowManager::default();
        let steps = manager
            .install(engine_base(site), tpb_base(site.core), specs, gates())
            .or_else(|error| no_window(&error))?;
        Ok(Self { manager, steps })
    }

    /// The window of the pre-sync, onto the tile of the core that is told, and the addresses in it.
    ///
    /// # Errors
    /// `NoWindow`, `ChipIdReserved`.
    pub fn of_presync(
        destination: &Destination,
        site: Site,
        context: &LegContext,
    ) -> Result<(Self, PreSync), LegFault> {
        let blocks = SocAddr(tpb_base(destination.core).0 + RESERVED_SBUF);
        let target = destination.fold(blocks, site, context)?.address;
        let windows = Self::install(
            site,
            &[WindowSpec {
                nx_base: PEER_BASE,
                soc_base: target,
                log2_size: PEER_LOG2,
            }],
        )?;
        let ready = sema_addr(destination.core, SemaOp::Inc, context.ready_sem as u8);
        let inside = |address: SocAddr| {
            PEER_BASE.wrapping_add(Field::LOCAL.get(address) as u32 & ((1 << PEER_LOG2) - 1))
        };
        let pool = SocAddr(tpb_base(destination.core).0 + POOL);
        let presync = PreSync {
            remote_pool_xt_addr: inside(pool),
            remote_q7_xt_addr: inside(SocAddr(pool.0 + Q7_DRAM.0)),
            ready_xt_addr: inside(ready),
            ready: destination.fold(ready, site, context)?.address,
        };
        Ok((windows, presync))
    }

    /// The windows that the stores of a leg go through: the engines' registers first, then the rings.
    ///
    /// # Errors
    /// `NoWindow` when the rings spread over more regions than windows are left.
    pub fn of_leg(plan: &LegPlan) -> Result<Self, LegFault> {
        let size = 1_u64 << DYNAMIC_LOG2;
        let mut regions = Vec::new();
        let mut add = |first: u64, last: u64| {
            for region in first / size..=last / size {
                if !regions.contains(&region) {
                    regions.push(region);
                }
                if regions.len() > DYNAMIC_BASES.len() {
                    return false;
                }
            }
            true
        };
        let core = plan.site.core;
        let registers = sdma_base(crate::soc::id::SdmaEngine::wrapping(
            ENGINES_PER_CORE * core.number(),
        ));
        let mut fits = add(registers.0, registers.0 + engines_extent() - 1);
        let ring_bytes = plan.layout.pitch().max(1);
        for engine in plan.engines() {
            for udma in DIRECTIONS {
                let ring = plan.layout.ring(engine.number, udma).0;
                fits = fits && add(ring, ring.saturating_add(ring_bytes - 1));
            }
        }
        if !fits {
            return fault(
                FaultClass::NoWindow,
                format!(
                    "the rings from {} on spread over more than {} windows of 16 MiB",
                    plan.layout.base,
                    DYNAMIC_BASES.len() - 1
                ),
            );
        }
        let specs: Vec<WindowSpec> = regions
            .iter()
            .zip(DYNAMIC_BASES)
            .map(|(region, nx_base)| WindowSpec {
                nx_base,
                soc_base: SocAddr(region * size),
                log2_size: DYNAMIC_LOG2,
            })
            .collect();
        Self::install(plan.site, &specs)
    }

    /// What is mapped: window numbers and their specifications, in the order of programming.
    pub fn mapped(&self) -> impl Iterator<Item = (u8, WindowSpec)> {
        self.manager
            .records()
            .iter()
            .map(|record| (record.window.number(), record.spec))
    }

    /// The 32-bit address that reaches a SoC address.
    ///
    /// # Errors
    /// `WindowMiss` where no window leads.
    pub fn xt_address(&self, address: SocAddr) -> Result<u32, LegFault> {
        self.manager
            .get_window_addr(address)
            .or_else(|error| fault(FaultClass::WindowMiss, error.to_string()))
    }
}
