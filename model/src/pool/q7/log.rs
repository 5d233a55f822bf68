// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The firmware's log lines of a leg, in their order. [isa-word §8.1, idma-ring §3.2]
//!
//! Each function gives the lines of one stage of one Q7 core. v5 has none of the strings of `rdma_desc_gen` and
//! `rdma_desc_start`. [idma-ring §6]

use super::doorbell::{DoorbellWrite, broadcast_base};
use super::fault::LegFault;
use super::plan::{LegPlan, Role, SWIZZLE};
use super::site::{Destination, Site};
use super::windows::{LegWindows, PreSync};
use crate::generation::Generation;
use crate::isa::{Geometry, Word};
use crate::soc::classify::classify;
use crate::soc::map::tpb::POOL;
use crate::soc::window_program::{Gates, WindowId};
use crate::soc::{SocAddr, tpb_base};
use crate::transaction::{LOG_TABLE, LogLine, Q7Line, RoleToken};

impl Role {
    /// The token of log lines.
    #[must_use]
    pub const fn token(self) -> RoleToken {
        match self {
            Self::Rx => RoleToken::Rx,
            Self::Tx => RoleToken::Tx,
        }
    }

    /// A line of this role's Q7 core.
    #[must_use]
    pub const fn line(self, line: Q7Line) -> LogLine {
        LogLine::Q7 {
            prid: self.prid(),
            line,
        }
    }
}

/// Keeps what the generation's image has.
fn in_image(generation: Generation, line: &Q7Line) -> bool {
    generation != Generation::V5 || !line.of_gen_or_start()
}

fn said(role: Role, generation: Generation, lines: Vec<Q7Line>) -> Vec<LogLine> {
    lines
        .into_iter()
        .filter(|line| in_image(generation, line))
        .map(|line| role.line(line))
        .collect()
}

/// Decode of a 0xBF word; where the summary falls is MED. [isa-word §8.2]
#[must_use]
pub fn decode(
    role: Role,
    word: &Word,
    destination: &Destination,
    site: Site,
    mask: u32,
) -> Vec<LogLine> {
    said(
        role,
        site.generation,
        vec![
            Q7Line::DecodeCollective,
            Q7Line::Collective {
                total_src_nelem: word.src.stored_elements(),
                total_dst_nelem: word.dst.stored_elements(),
                dtype: word.in_dtype,
                dst_nc: destination.core.number(),
                src_nc: site.core.number(),
                mask,
            },
        ],
    )
}

/// The post of the pre-sync: the receiver's side. [idma-ring §5.5]
#[must_use]
pub fn presync(
    windows: &LegWindows,
    found: &PreSync,
    destination: &Destination,
    site: Site,
) -> Vec<LogLine> {
    let mut lines = vec![Role::Rx.line(Q7Line::PreSyncPost {
        own: site.core.number(),
        other: destination.core.number(),
    })];
    lines.extend(window_lines(Role::Rx, windows, site));
    lines.push(Role::Rx.line(Q7Line::PreSyncAddresses {
        remote_pool: found.remote_pool_xt_addr,
        remote_q7: found.remote_q7_xt_addr,
        ready: found.ready_xt_addr,
    }));
    lines
}

/// The summary before the descriptors of a 0xBF word.
#[must_use]
pub fn channels(role: Role, plan: &LegPlan) -> LogLine {
    role.line(Q7Line::Channels {
        num_chans: plan.transfer.partitions,
        tpb_idx: plan.site.core.number(),
    })
}

/// The classification of the engine and the programming of each window, in both views. [soc-address §§2.11, 3.4]
#[must_use]
pub fn window_lines(role: Role, windows: &LegWindows, site: Site) -> Vec<LogLine> {
    let mut lines = Vec::new();
    let tile = tpb_base(site.core);
    let engine = SocAddr(tile.0 + POOL);
    if let Ok(identity) = classify(engine, tile) {
        lines.push(role.line(Q7Line::Classified {
            engine_base: engine.0,
            tpb_base: tile.0,
            is_tpb: identity.is_tpb,
            is_die_0: identity.is_die_0,
            engine_idx: identity.engine.number(),
        }));
    }
    for (num, spec) in windows.mapped() {
        let registers = WindowId::new(num)
            .ok()
            .and_then(|window| spec.descriptor(window, Gates::default()).ok());
        let Some(registers) = registers else { continue };
        let [mask_lo, mask_hi, match_lo, match_hi, replace_lo, replace_hi] = registers.fields;
        let joined = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        lines.push(LogLine::ProgramWindow {
            num,
            vld: registers.valid,
            xt_addr: u64::from(spec.nx_base),
            soc_addr: spec.soc_base.0,
            u_mask: mask_hi,
            l_mask: mask_lo,
        });
        lines.push(LogLine::ProgramWindowRegisters {
            num,
            mask: joined(mask_hi, mask_lo),
            match_bits: joined(match_hi, match_lo),
            replace: joined(replace_hi, replace_lo),
        });
    }
    lines
}

/// A routing id as `%d` prints it: -1 where none was given.
fn routing_id(plan: &LegPlan) -> i32 {
    plan.destination
        .routing_id
        .unwrap_or(u32::MAX)
        .cast_signed()
}

/// `rdma_desc_gen` of one role. [idma-ring §3.2: call order]
#[must_use]
pub fn generation(role: Role, plan: &LegPlan) -> Vec<LogLine> {
    let token = role.token();
    let (own, peer) = (plan.site.core.number(), plan.destination.core.number());
    let n_active_dmas = plan.engines().len() as u32;
    let bytes_per_p = plan.transfer.bytes_per_partition();
    let num_indices = plan.num_indices();
    let routing_id = routing_id(plan);
    let mut lines = vec![
        Q7Line::GenStart {
            role: token,
            cpu_id: role.prid(),
        },
        Q7Line::GenInputs {
            role: token,
            ring_num: plan.layout.queue.number(),
            tpb_idx: own,
            free_dim_bytes: bytes_per_p,
            remote_tpb_idx: peer,
            routing_id,
            dma_mask: plan.raw_mask,
        },
        Q7Line::GenMask {
            role: token,
            dma_mask: plan.engine_mask,
            n_active_dmas,
        },
        Q7Line::GenAddresses {
            role: token,
            src_addr: plan.source.0,
            dst_addr: plan.destination_before.0,
        },
        Q7Line::GenFold {
            role: token,
            routing_id,
            dst_addr: plan.destination_after.address.0,
            n_active_dmas,
        },
        Q7Line::GenLoop {
            role: token,
            num_indices,
            num_dma_descs: plan.engines().first().map_or(0, |engine| engine.pairs),
        },
    ];
    for iteration in 0..num_indices {
        lines.extend(iteration_lines(role, plan, iteration, bytes_per_p));
    }
    lines.extend([
        Q7Line::GenLocalSemaphore {
            role: token,
            tpb_idx: own,
            sem: plan.local.index,
        },
        Q7Line::GenRemoteSemaphore {
            role: token,
            remote_tpb: peer,
            routing_id,
            sem: plan.remote.index,
        },
        Q7Line::GenEnd { role: token },
    ]);
    said(role, plan.site.generation, lines)
}

fn iteration_lines(role: Role, plan: &LegPlan, iteration: u32, bytes_per_p: u64) -> [Q7Line; 3] {
    let stride = u64::from(Geometry::of(plan.site.generation).sbuf_stride);
    let n_active_dmas = plan.engines().len() as u32;
    let pieces = plan.transfer.pieces.len() as u32;
    // Slots of engines that take no part are 0. [idma-ring MC-20]
    let mut table = Box::new([0; LOG_TABLE]);
    for (entry, engine) in table.iter_mut().zip(plan.engines()) {
        let first = (iteration * pieces).min(plan.data_pairs(engine));
        *entry = plan.slot(engine, role.udma(), first).0;
    }
    [
        Q7Line::GenIteration {
            role: role.token(),
            iteration,
            num_indices: plan.num_indices(),
            base_addr: plan.source.0 + u64::from(iteration * n_active_dmas) * stride,
            n_active_dmas,
            bytes_per_p,
        },
        Q7Line::Swizzle { table: SWIZZLE },
        Q7Line::XtAddresses { table },
    ]
}

/// `rdma_desc_start` of one role up to its doorbells. [idma-ring §3.10 steps 2 to 5]
///
/// # Errors
/// `WindowMiss` for a doorbell that no window leads to.
pub fn start_before(
    role: Role,
    site: Site,
    queue: u8,
    doorbells: &[DoorbellWrite],
    windows: &LegWindows,
) -> Result<Vec<LogLine>, LegFault> {
    let token = role.token();
    let mut lines = vec![
        Q7Line::StartStart {
            role: token,
            cpu_id: role.prid(),
        },
        Q7Line::StartInputs {
            role: token,
            ring_num: queue,
            num_descriptors: doorbells.first().map_or(0, |write| write.descriptors),
            sdma_bcast_base: windows.xt_address(broadcast_base(site.core))?,
        },
    ];
    for write in doorbells {
        lines.push(Q7Line::StartTrigger {
            role: token,
            addr: windows.xt_address(write.address)?,
            mask: write.engines,
            n_desc: write.descriptors,
        });
    }
    lines.extend([
        Q7Line::StartDraining { role: token },
        Q7Line::StartDrained { role: token },
    ]);
    lines.push(match role {
        Role::Rx => Q7Line::StartRxWriting,
        Role::Tx => Q7Line::StartLeftPop,
    });
    Ok(said(role, site.generation, lines))
}

/// TX between the token and its doorbells. [idma-ring §3.10 step 6b]
#[must_use]
pub fn start_popped(site: Site) -> Vec<LogLine> {
    said(Role::Tx, site.generation, vec![Q7Line::StartTxWriting])
}

/// RX between its doorbells and the push. [idma-ring §3.10 step 6a]
#[must_use]
pub fn start_signaling(site: Site) -> Vec<LogLine> {
    said(Role::Rx, site.generation, vec![Q7Line::StartRightPush])
}

/// The end of `rdma_desc_start`. [idma-ring §3.10 step 7]
#[must_use]
pub fn start_after(role: Role, site: Site) -> Vec<LogLine> {
    let done = match role {
        Role::Rx => Q7Line::StartSignaled,
        Role::Tx => Q7Line::StartTxWritten,
    };
    let end = Q7Line::StartEnd { role: role.token() };
    said(role, site.generation, vec![done, end])
}
