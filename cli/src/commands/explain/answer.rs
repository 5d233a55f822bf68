// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is known of one word, and its JSON form. Keys and their order are a promise to scripts.

use pool_model::isa::{
    ExtendedOpcode, Opcode, Predicate, RdmaDescGen, Word, WordBytes, disassemble, validate,
};
use pool_model::pool::q7::{
    Destination, DoorbellWrite, LegFault, LegPlan, LegWindows, Pair, PairKind, Rings, Role, Store,
    Surroundings, doorbells,
};
use pool_model::soc::SocAddr;
use pool_model::soc::sdma::Udma;
use serde::Serialize;

use super::Setting;
use crate::failure::Failure;

/// A leg that runs.
pub struct Leg {
    pub plan: LegPlan,
    pub windows: LegWindows,
    /// RX before TX.
    pub doorbells: Vec<DoorbellWrite>,
    pub descriptors: bool,
}

/// What a word comes to.
pub enum Outcome {
    /// The validator rejects it.
    Invalid(Vec<&'static str>),
    /// No leg: what it is.
    Other(String),
    /// A check fails.
    Fault(LegFault),
    /// It runs.
    Leg(Box<Leg>),
}

/// A word with its outcome.
pub struct Answer {
    pub text: String,
    pub outcome: Outcome,
}

impl Answer {
    pub fn of(bytes: &WordBytes, setting: &Setting, descriptors: bool) -> Self {
        let word = Word::decode(bytes);
        Self {
            text: disassemble(&word),
            outcome: outcome(bytes, &word, setting, descriptors),
        }
    }

    /// Whether the word is a leg, and nothing stops it.
    pub const fn runs(&self) -> bool {
        matches!(self.outcome, Outcome::Leg(_))
    }

    /// One line.
    pub fn json(&self, index: u64, hex: &str) -> Result<String, Failure> {
        let mut record = Record {
            index,
            word: hex.to_owned(),
            text: self.text.clone(),
            outcome: "leg",
            failures: Vec::new(),
            fault: None,
            leg: None,
        };
        match &self.outcome {
            Outcome::Invalid(failures) => {
                record.outcome = "invalid";
                record.failures.clone_from(failures);
            }
            Outcome::Other(_) => record.outcome = "no_leg",
            Outcome::Fault(fault) => {
                record.outcome = "fault";
                record.fault = Some(FaultRecord {
                    class: fault.class.name(),
                    detail: fault.detail.clone(),
                });
            }
            Outcome::Leg(leg) => record.leg = Some(LegRecord::of(leg)),
        }
        let mut line = serde_json::to_string(&record)
            .map_err(|error| Failure::Output(std::io::Error::other(error)))?;
        line.push('\n');
        Ok(line)
    }
}

fn outcome(bytes: &WordBytes, word: &Word, setting: &Setting, descriptors: bool) -> Outcome {
    let rings = Rings::default();
    let around = Surroundings {
        site: setting.site,
        registers: &setting.registers,
        context: &setting.context,
        rings: &rings,
        choices: &setting.choices,
    };
    let opcode = Opcode(word.header.opcode);
    let generation = setting.site.generation;
    let planned = if opcode == Opcode::SB2SB_COLLECTIVE {
        let failing = validate(bytes, generation, generation.nc_version());
        if failing.first().is_some() {
            return Outcome::Invalid(failing.iter().map(Predicate::name).collect());
        }
        Destination::of_word(word, setting.site, &setting.context)
            .and_then(|destination| LegPlan::of_word(word, destination, &around))
    } else if ExtendedOpcode::of(bytes) == Some(ExtendedOpcode::RdmaDescGen) {
        LegPlan::of_gen(&RdmaDescGen::decode(bytes), &around)
    } else {
        let name = ExtendedOpcode::of(bytes)
            .map(ExtendedOpcode::name)
            .or(opcode.name());
        return Outcome::Other(format!(
            "opcode 0x{:02x} ({}); SB2SB_COLLECTIVE and RDMA_DESC_GEN describe legs",
            opcode.0,
            name.unwrap_or("no name")
        ));
    };
    let completed = planned.and_then(|plan| {
        let windows = LegWindows::of_leg(&plan)?;
        let counts: Vec<_> = plan.counts().collect();
        let doorbells = Role::ALL
            .into_iter()
            .flat_map(|role| doorbells(plan.site.core, plan.layout.queue, role.udma(), &counts))
            .collect();
        Ok(Leg {
            plan,
            windows,
            doorbells,
            descriptors,
        })
    });
    match completed {
        Ok(leg) => Outcome::Leg(Box::new(leg)),
        Err(fault) => Outcome::Fault(fault),
    }
}

/// `M2S` or `S2M`.
pub const fn half(udma: Udma) -> &'static str {
    match udma {
        Udma::M2s => "M2S",
        Udma::S2m => "S2M",
    }
}

impl Leg {
    /// 32-bit address of a register or slot of the leg.
    pub fn through(&self, address: SocAddr) -> String {
        self.windows
            .xt_address(address)
            .map_or_else(|fault| fault.to_string(), |xt| format!("0x{xt:08x}"))
    }

    /// Every pair, engine after engine.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        let slots = if self.descriptors {
            self.plan.engines().len()
        } else {
            0
        };
        (0..slots).flat_map(|slot| self.plan.pairs(slot))
    }
}

/// What a pair does, in a word.
pub const fn kind_name(kind: PairKind) -> &'static str {
    match kind {
        PairKind::Data { .. } => "data",
        PairKind::LocalSemaphore => "local_sem",
        PairKind::RemoteSemaphore => "remote_sem",
    }
}

#[derive(Serialize)]
struct Record {
    index: u64,
    word: String,
    text: String,
    outcome: &'static str,
    failures: Vec<&'static str>,
    fault: Option<FaultRecord>,
    leg: Option<LegRecord>,
}

#[derive(Serialize)]
struct FaultRecord {
    class: &'static str,
    detail: String,
}

#[derive(Serialize)]
struct LegRecord {
    core: u8,
    destination_core: u8,
    destination_chip: u8,
    source_partition: u32,
    destination_partition: u32,
    partitions: u32,
    bytes_per_partition: u64,
    pieces: Vec<[u32; 3]>,
    num_indices: u32,
    engines: Vec<EngineRecord>,
    addresses: Vec<AddressRecord>,
    increments: Vec<IncrementRecord>,
    doorbells: Vec<DoorbellRecord>,
    windows: Vec<WindowRecord>,
    descriptors: Vec<PairRecord>,
}

#[derive(Serialize)]
struct EngineRecord {
    engine: u8,
    partitions: u32,
    pairs: u32,
    m2s_slot: String,
    s2m_slot: String,
}

#[derive(Serialize)]
struct AddressRecord {
    name: &'static str,
    before: String,
    folded: String,
}

#[derive(Serialize)]
struct IncrementRecord {
    core: u8,
    semaphore: u8,
    by: usize,
}

#[derive(Serialize)]
struct DoorbellRecord {
    half: &'static str,
    address: String,
    xt_address: String,
    value: String,
    engines: String,
    descriptors: u32,
}

#[derive(Serialize)]
struct WindowRecord {
    window: u8,
    xt_base: String,
    soc_base: String,
    bytes: u64,
}

#[derive(Serialize)]
struct PairRecord {
    engine: u8,
    kind: &'static str,
    m2s_slot: String,
    m2s: String,
    s2m_slot: String,
    s2m: String,
}

/// A descriptor as 32 digits in memory order, which `sb2sb bd` reads.
pub fn digits(pair: &Store) -> String {
    // The first byte in memory comes first.
    format!("{:032x}", u128::from_be_bytes(pair.descriptor.pack()))
}

/// Name, address before the fold and in the descriptor.
pub fn addresses(plan: &LegPlan) -> [(&'static str, SocAddr, SocAddr); 5] {
    [
        ("source", plan.source, plan.source),
        (
            "destination",
            plan.destination_before,
            plan.destination_after.address,
        ),
        ("local semaphore", plan.local.address, plan.local.folded),
        ("remote semaphore", plan.remote.address, plan.remote.folded),
        ("constant 1", plan.accelerator, plan.accelerator),
    ]
}

impl LegRecord {
    fn of(leg: &Leg) -> Self {
        let plan = &leg.plan;
        let transfer = &plan.transfer;
        let engines = plan.engines();
        let increment = |core, semaphore| IncrementRecord {
            core,
            semaphore,
            by: engines.len(),
        };
        Self {
            core: plan.site.core.number(),
            destination_core: plan.destination.core.number(),
            destination_chip: plan.destination.chip(plan.site).number(),
            source_partition: transfer.source_partition,
            destination_partition: transfer.destination_partition,
            partitions: transfer.partitions,
            bytes_per_partition: transfer.bytes_per_partition(),
            pieces: transfer
                .pieces
                .iter()
                .map(|piece| [piece.source, piece.destination, piece.bytes])
                .collect(),
            num_indices: plan.num_indices(),
            engines: engines
                .iter()
                .map(|engine| EngineRecord {
                    engine: engine.number,
                    partitions: engine.partitions,
                    pairs: engine.pairs,
                    m2s_slot: plan.slot(engine, Udma::M2s, 0).to_string(),
                    s2m_slot: plan.slot(engine, Udma::S2m, 0).to_string(),
                })
                .collect(),
            addresses: addresses(plan)
                .map(|(name, before, folded)| AddressRecord {
                    name,
                    before: before.to_string(),
                    folded: folded.to_string(),
                })
                .into(),
            increments: vec![
                increment(plan.site.core.number(), plan.local.index),
                increment(plan.destination.core.number(), plan.remote.index),
            ],
            doorbells: leg
                .doorbells
                .iter()
                .map(|write| DoorbellRecord {
                    half: half(write.udma),
                    address: write.address.to_string(),
                    xt_address: leg.through(write.address),
                    value: format!("0x{:08x}", write.value),
                    engines: format!("0x{:x}", write.engines),
                    descriptors: write.descriptors,
                })
                .collect(),
            windows: leg
                .windows
                .mapped()
                .map(|(window, spec)| WindowRecord {
                    window,
                    xt_base: format!("0x{:08x}", spec.nx_base),
                    soc_base: spec.soc_base.to_string(),
                    bytes: 1 << spec.log2_size,
                })
                .collect(),
            descriptors: leg
                .pairs()
                .map(|pair| PairRecord {
                    engine: pair.tx.engine,
                    kind: kind_name(pair.kind),
                    m2s_slot: pair.tx.slot.to_string(),
                    m2s: digits(&pair.tx),
                    s2m_slot: pair.rx.slot.to_string(),
                    s2m: digits(&pair.rx),
                })
                .collect(),
        }
    }
}
