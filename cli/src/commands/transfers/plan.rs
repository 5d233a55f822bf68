// SPDX-License-Identifier: Apache-2.0 OR MIT
//! From a job list to a scenario: random source bytes, rings, register writes.

use std::collections::BTreeMap;

use pool_model::choices::Choices;
use pool_model::generation::Generation;
use pool_model::idma::{CopyBytes, CopyPair, RingId};
use pool_model::scenario::{Expect, Fill, Preset, Scenario, Target};
use pool_model::soc::id::QueueId;
use pool_model::soc::sdma::{Udma, core_engine, queue_base, sdma_base};
use pool_model::soc::{SocAddr, tpb_base};
use pool_model::split_mix::SplitMix64;
use pool_model::system::Topology;
use pool_model::transaction::CoreId;

use super::job::{Carrier, Job, key};

/// DGE memory inside a TPB, and its size. [soc-address §2.3]
const DGE_MEMORY: u64 = 0x4000_0000;
/// Rings begin at multiples of this. [idma-ring §2.7]
const RING_ALIGNMENT: u64 = 256;
/// Bytes of a descriptor.
const ENTRY: u64 = 16;

/// A scenario with what it needs beside.
pub struct Plan {
    /// Ready to run.
    pub scenario: Scenario,
    /// Descriptors on each side.
    pub descriptors: usize,
}

/// The rings of one queue.
struct Rings {
    tx: Vec<u8>,
    rx: Vec<u8>,
    count: u32,
}

/// Bytes of DGE memory. [soc-address §2.3]
fn dge_size(generation: Generation) -> u64 {
    match generation {
        Generation::V5 => 0x8_0000,
        _ => 0x4000_0000,
    }
}

/// Makes the scenario. Sources get bytes from the seed, in the order of the jobs.
///
/// # Errors
/// What cannot be carried out, in a sentence.
pub fn plan(name: &str, jobs: &[Job], generation: Generation, seed: u64) -> Result<Plan, String> {
    let mut random = SplitMix64::new(seed);
    let mut fills = Vec::new();
    let mut queues: BTreeMap<Carrier, Rings> = BTreeMap::new();
    let mut descriptors = 0;
    for job in jobs {
        fills.push(Fill {
            address: job.source,
            bytes: (0..job.length.div_ceil(8))
                .flat_map(|_| random.next_u64().to_le_bytes())
                .take(job.length as usize)
                .collect(),
        });
        let rings = queues.entry(job.queue).or_insert_with(|| Rings {
            tx: Vec::new(),
            rx: Vec::new(),
            count: 0,
        });
        for (offset, bytes) in pieces(job) {
            let length = CopyBytes::new(bytes).map_err(|error| error.to_string())?;
            // One lap is enough for every ring, so all tags are those of the first.
            let pair = CopyPair::new(
                SocAddr(job.source.0.wrapping_add(offset)),
                SocAddr(job.destination.0.wrapping_add(offset)),
                length,
                RingId::FIRST_LAP,
                job.barrier,
            );
            rings.tx.extend_from_slice(&pair.tx.pack());
            rings.rx.extend_from_slice(&pair.rx.pack());
            rings.count += 1;
            descriptors += 1;
        }
    }
    let mut presets = Vec::new();
    let mut doorbells = Vec::new();
    let mut next: BTreeMap<CoreId, u64> = BTreeMap::new();
    for (queue, rings) in queues {
        for (direction, bytes) in [(Udma::S2m, rings.rx), (Udma::M2s, rings.tx)] {
            let offset = next.entry(queue.core).or_default();
            let base = tpb_base(queue.core).0 + DGE_MEMORY + *offset;
            let size = (bytes.len() as u64 + ENTRY).next_multiple_of(RING_ALIGNMENT);
            *offset += size;
            if *offset > dge_size(generation) {
                return Err(format!(
                    "the rings of {} need more than the {} bytes of its descriptor memory",
                    queue.core,
                    dge_size(generation)
                ));
            }
            fills.push(Fill {
                address: SocAddr(base),
                bytes,
            });
            arm(&mut presets, queue, direction, base, size / ENTRY)?;
            doorbells.push(register(queue, direction, 0x38, rings.count)?);
        }
    }
    // The rings of a queue come RX first, and so do its doorbells. [idma-ring §2.6]
    presets.extend(doorbells);
    refuse_ring_memory(jobs, &next)?;
    Ok(Plan {
        scenario: Scenario {
            name: name.to_owned(),
            about: String::new(),
            requires: Vec::new(),
            topology: Topology {
                generation,
                cores: CoreId::all().take(1).collect(),
                choices: Choices::default(),
            },
            programs: Vec::new(),
            fills,
            presets,
            injections: Vec::new(),
            expect: Expect::default(),
            inputs: Vec::new(),
        },
        descriptors,
    })
}

/// Offset and bytes of each descriptor of a job.
pub fn pieces(job: &Job) -> impl Iterator<Item = (u64, u64)> {
    let (length, piece) = (job.length, u64::from(job.piece));
    (0..length.div_ceil(piece)).map(move |i| (i * piece, piece.min(length - i * piece)))
}

fn refuse_ring_memory(jobs: &[Job], used: &BTreeMap<CoreId, u64>) -> Result<(), String> {
    for job in jobs {
        for (core, size) in used {
            let start = tpb_base(*core).0 + DGE_MEMORY;
            for (what, address) in [("source", job.source), ("destination", job.destination)] {
                let first = key(address);
                if first < start + size && start < first.saturating_add(job.length) {
                    return Err(format!(
                        "line {}: the {what} touches {start:#x} to {:#x}, where the rings of {core} are",
                        job.line,
                        start + size - 1
                    ));
                }
            }
        }
    }
    Ok(())
}

/// [idma-ring §2.8]
fn arm(
    presets: &mut Vec<Preset>,
    queue: Carrier,
    direction: Udma,
    base: u64,
    length: u64,
) -> Result<(), String> {
    let comp_cfg = match direction {
        Udma::M2s => 0xA0,
        Udma::S2m => 0x54,
    };
    for (offset, value) in [
        (0x28, base as u32),
        (0x2C, (base >> 32) as u32),
        (0x30, length as u32),
        (comp_cfg, 0),
        (0x20, 0x0303_0000),
    ] {
        presets.push(register(queue, direction, offset, value)?);
    }
    let half = match direction {
        Udma::M2s => 0,
        Udma::S2m => 0x2_0000,
    };
    let engine = core_engine(queue.core, queue.engine).map_err(|error| error.to_string())?;
    presets.push(Preset {
        target: Target::Soc(SocAddr(sdma_base(engine).0 + half + 0x204)),
        value: 1,
        place: "arming".to_owned(),
    });
    Ok(())
}

fn register(queue: Carrier, direction: Udma, offset: u64, value: u32) -> Result<Preset, String> {
    let engine = core_engine(queue.core, queue.engine).map_err(|error| error.to_string())?;
    let number = QueueId::new(queue.queue).map_err(|error| error.to_string())?;
    Ok(Preset {
        target: Target::Soc(SocAddr(queue_base(engine, direction, number).0 + offset)),
        value,
        place: "arming".to_owned(),
    })
}
