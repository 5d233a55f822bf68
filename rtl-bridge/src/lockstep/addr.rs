// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lock-step over SoC addresses: every output of the address decoder.

use pool_model::generation::Generation;
use pool_model::soc::classify::EngineIndex;
use pool_model::soc::decode::{Decode, DecodeInputs, classify_outputs, decode};
use pool_model::soc::legality::Illegal;
use pool_model::soc::map::code::RegionCode;
use pool_model::soc::map::lookup::{Block, Hole, Target};
use pool_model::soc::map::sdma::QUEUES;
use pool_model::soc::route::{Origin, Route};
use pool_model::soc::{ChipId, Die, SengineId, SocAddr, View, ViewRequest};

use super::block::{BlockDifference, BlockLockstep, BlockRun, BlockTally, Design, hex_pair, pair};
use super::divergence::FieldPair;
use crate::device::{AddrDecoder, AddrResponse, AddrStimulus};
use crate::error::RtlError;
use crate::mutants::MutantId;
use crate::stimulus::{Choices, addr::Edges};
use crate::suite::Suite;

/// Addresses in one call across the bridge.
const CHUNK: usize = 64;

const COUNTERS: [&str; 21] = [
    "route SameDie",
    "route OtherDie",
    "route OtherChip",
    "route PebAlias",
    "route AttachedChip",
    "route PcieM0",
    "illegal HighBits",
    "illegal ReservedBit",
    "illegal IdWithoutValid",
    "illegal NeighborReserved",
    "illegal ExitWithoutRoute",
    "illegal PebWithRoute",
    "illegal PebWithId",
    "in a region",
    "in a gap",
    "in a hole of a region",
    "in a TPB",
    "in an SBUF window",
    "classified as TPB engine",
    "classified as TOP_SP",
    "refused by the classifier",
];
const ILLEGALS: usize = 6;
const PLACES: usize = ILLEGALS + Illegal::ALL.len();

/// Model and RTL of the address decoder in lock-step.
pub struct AddrLockstep {
    rtl: AddrDecoder,
    responses: Vec<AddrResponse>,
    edges: Vec<Edges>,
}

/// What the model says about an address, in the shape of the RTL's outputs.
#[must_use]
pub fn expected(inputs: &AddrStimulus) -> AddrResponse {
    outputs(inputs, &decoded(inputs))
}

fn decoded(inputs: &AddrStimulus) -> Decode {
    let request = match inputs.view {
        1 => ViewRequest::Force(View::Local),
        2 => ViewRequest::Force(View::Neighbor),
        _ => ViewRequest::Recover,
    };
    let inputs_of_model = DecodeInputs {
        view: request,
        origin: Origin {
            chip: ChipId::truncated(u32::from(inputs.me_chip)),
            die: Die::from_bit(inputs.me_die & 1 == 1),
        },
        nbr_en: inputs.nbr_en,
        generation: strapped(inputs.generation),
    };
    decode(SocAddr(inputs.addr), inputs_of_model)
}

/// Straps beyond the generations have the map of v3. [docs/cycle-contracts.md]
fn strapped(strap: u8) -> Generation {
    let known = Generation::ALL.into_iter();
    known
        .zip(0..)
        .find(|(_, number)| *number == strap)
        .map_or(Generation::V3, |(generation, _)| generation)
}

fn outputs(inputs: &AddrStimulus, found: &Decode) -> AddrResponse {
    let (local, neighbor) = (&found.local, &found.neighbor);
    let die = |route: Route| match route {
        Route::SameDie(_) => 0,
        other => other.die().map_or(0, Die::number),
    };
    let (block, hole) = region(found);
    let (cls_fatal, identity) =
        classify_outputs(SocAddr(inputs.engine_base), SocAddr(inputs.tpb_base));
    AddrResponse {
        local: local.local,
        region_offset: block.2,
        tpb_offset: found.tpb.map_or(0, |(_, offset)| offset),
        cls_fatal,
        view: u8::from(found.view == View::Neighbor),
        die: local.die,
        cayman_id: local.cayman_id,
        high_bits: local.high_bits,
        neighbor_rsvd: neighbor.neighbor_rsvd,
        illegal: found.verdicts.bits(),
        verdict: found.verdicts.code(),
        route: found.route.index(),
        route_die: die(found.route),
        route_id: found.route.chip().map_or(0, ChipId::number),
        route_exit_seng: found.route.exit_seng().map_or(0, SengineId::number),
        region: block.0,
        region_instance: block.1,
        tpb: found.tpb.map_or(0, |(core, _)| core.number()),
        cls_engine_idx: identity.map_or(0, |identity| identity.engine.number()),
        cayman_id_valid: local.cayman_id_valid,
        reserved: local.reserved,
        relaxed_ordering: local.relaxed_ordering,
        ok_to_fail: local.ok_to_fail,
        exit_seng: neighbor.exit_seng,
        exit_die: neighbor.exit_die,
        neighbor_route: neighbor.neighbor_route,
        peb: neighbor.peb,
        region_hole: hole,
        tpb_hit: found.tpb.is_some(),
        is_sbuf: found.is_sbuf,
        cls_is_tpb: identity.is_some_and(|identity| identity.is_tpb),
        cls_is_die_0: identity.is_some_and(|identity| identity.is_die_0),
    }
}

/// Code, instance and offset as the RTL numbers regions, and whether nothing answers there.
/// [docs/cycle-contracts.md]
fn region(found: &Decode) -> ((u8, u8, u64), bool) {
    match &found.target {
        None => ((0, 0, 0), false),
        Some(Target::Reserved(_)) => ((0, 0, 0), true),
        Some(Target::Region(location)) => {
            let hole = matches!(location.hole(), Some(Hole::Hbm | Hole::ReservedSbuf));
            (numbered(location.block()), hole)
        }
    }
}

/// Containers of EVT_SEM are numbered through the TPBs and then the TOP_SPs.
const TPBS: u8 = 8;

fn numbered(block: Block) -> (u8, u8, u64) {
    use RegionCode as Code;
    let Block {
        code,
        instance,
        offset,
    } = block;
    let (first_queue, pitch, _) = QUEUES;
    let plain = |code| (code, instance, offset);
    let top_sp = |code| (code, instance + TPBS, offset);
    // Each queue has a code of its own, but for the broadcast engine, which is not cut into queues.
    let queue = |code: u8| (code | (offset / pitch) as u8, instance, offset % pitch);
    let in_udma = |code| (code, instance, offset + first_queue);
    match code {
        Code::Reserved => (0, 0, 0),
        Code::Hbm => plain(0x01),
        Code::ApbSe => plain(0x02),
        Code::Preproc => plain(0x03),
        Code::ApbIo => plain(0x04),
        Code::Intc => plain(0x05),
        Code::HostMsixDoorbell => plain(0x06),
        Code::Rdm => plain(0x07),
        Code::EvtAccelClr => plain(0x08),
        Code::EvtAccelSet => plain(0x09),
        Code::PcieA0 => plain(0x0A),
        Code::PcieM0 => plain(0x0B),
        Code::TopSpRam => plain(0x0C),
        Code::TopSpSequencer => plain(0x0D),
        Code::SundaTpb => plain(0x0E),
        Code::StateBuf => plain(0x10),
        Code::StateBufScratchRam => plain(0x11),
        Code::DgeMemory => plain(0x12),
        Code::ReservedSbuf => plain(0x13),
        Code::PsumBuf => plain(0x14),
        Code::Act => plain(0x15),
        Code::Pe => plain(0x16),
        Code::Sp => plain(0x17),
        Code::Dve => plain(0x18),
        Code::Pool => plain(0x20),
        Code::PoolIram => plain(0x21),
        Code::NxIram => plain(0x22),
        Code::NxDram => plain(0x23),
        Code::PoolLocalReg => plain(0x24),
        Code::ProfileCam => plain(0x25),
        Code::ProfileTable => plain(0x26),
        Code::Q7Iram => plain(0x27),
        Code::Q7Dram => plain(0x28),
        Code::EvtSemEvent => plain(0x30),
        Code::EvtSemReserved0 => plain(0x31),
        Code::EvtSemRead => plain(0x34),
        Code::EvtSemSet => plain(0x35),
        Code::EvtSemInc => plain(0x36),
        Code::EvtSemDec => plain(0x37),
        Code::EvtSemReserved1 => plain(0x38),
        Code::TopSpEvtSemEvent => top_sp(0x30),
        Code::TopSpEvtSemReserved0 => top_sp(0x31),
        Code::TopSpEvtSemRead => top_sp(0x34),
        Code::TopSpEvtSemSet => top_sp(0x35),
        Code::TopSpEvtSemInc => top_sp(0x36),
        Code::TopSpEvtSemDec => top_sp(0x37),
        Code::TopSpEvtSemReserved1 => top_sp(0x38),
        Code::Sdma => plain(0x40),
        Code::SdmaM2s => plain(0x41),
        Code::SdmaS2m => plain(0x42),
        Code::SdmaGen => plain(0x43),
        Code::SdmaGenEx => plain(0x44),
        Code::SdmaMisc => plain(0x45),
        Code::SdmaNotific => plain(0x46),
        Code::SdmaBroadcastM2s => plain(0x47),
        Code::SdmaBroadcastM2sQueue => in_udma(0x47),
        Code::SdmaBroadcastS2m => plain(0x48),
        Code::SdmaBroadcastS2mQueue => in_udma(0x48),
        Code::SdmaBroadcastGen => plain(0x49),
        Code::SdmaBroadcastGenEx => plain(0x4A),
        Code::SdmaM2sQueue => queue(0x80),
        Code::SdmaS2mQueue => queue(0x90),
    }
}

impl BlockLockstep for AddrLockstep {
    const SUITE: Suite = Suite::Addr;
    const COUNTERS: &'static [&'static str] = &COUNTERS;
    const GENERATIONS: &'static [Generation] = &Generation::ALL;
    const EPISODE: u64 = 4096;
    type Episode = Vec<AddrStimulus>;

    fn new(design: Design) -> Result<Self, RtlError> {
        let rtl = match design {
            Design::Plain => AddrDecoder::new()?,
            Design::Instrumented(mutant) => {
                let mut rtl = AddrDecoder::instrumented()?;
                rtl.set_mutant(mutant)?;
                rtl
            }
        };
        Ok(Self {
            rtl,
            responses: vec![AddrResponse::default(); CHUNK],
            edges: Vec::new(),
        })
    }

    fn set_mutant(&mut self, mutant: Option<MutantId>) -> Result<(), RtlError> {
        self.rtl.set_mutant(mutant)
    }

    fn is_dead(&self) -> bool {
        self.rtl.is_dead()
    }

    /// Every other address is the next edge of the map, as it is; the others are random.
    fn episode(
        &mut self,
        generation: Generation,
        first: u64,
        length: usize,
        choices: &mut impl Choices,
    ) -> Vec<AddrStimulus> {
        let known = |edges: &Edges| edges.generation() == generation;
        let at = self.edges.iter().position(known).unwrap_or_else(|| {
            self.edges.push(Edges::new(generation));
            self.edges.len() - 1
        });
        let edges = &self.edges[at];
        (first..)
            .take(length)
            .map(|number| {
                let edge = (number / 2 % edges.edges().len() as u64) as usize;
                match number % 2 {
                    0 => edges.plain(edges.edges()[edge], choices),
                    _ => edges.stimulus(choices),
                }
            })
            .collect()
    }

    fn run(&mut self, episode: &Vec<AddrStimulus>) -> Result<BlockRun, RtlError> {
        let mut counts = [0; COUNTERS.len()];
        let mut difference = None;
        let mut compared = 0;
        'run: for (number, chunk) in episode.chunks(CHUNK).enumerate() {
            let first = number * CHUNK;
            let responses = &mut self.responses[..chunk.len()];
            self.rtl
                .decode_batch(chunk, responses)
                .map_err(|error| error.after(first as u64))?;
            for (at, (inputs, rtl)) in chunk.iter().zip(responses).enumerate() {
                let model = expected(inputs);
                count(&mut counts, &model);
                compared += 1;
                if model != *rtl {
                    difference = Some(BlockDifference {
                        position: first + at,
                        pairs: pairs(&model, rtl),
                        history: Vec::new(),
                    });
                    break 'run;
                }
            }
        }
        Ok(BlockRun {
            difference,
            tally: BlockTally {
                operations: compared,
                counts: counts.to_vec(),
            },
        })
    }

    fn describe(episode: &Vec<AddrStimulus>, position: usize) -> String {
        episode.get(position).map_or_else(String::new, describe)
    }
}

fn count(counts: &mut [u64; COUNTERS.len()], model: &AddrResponse) {
    let legal = model.verdict == 0;
    let kind = if legal {
        usize::from(model.route)
    } else {
        ILLEGALS + usize::from(model.verdict) - 1
    };
    counts[kind] += 1;
    let happened = [
        legal && model.region != 0,
        legal && model.region == 0,
        model.region != 0 && model.region_hole,
        model.tpb_hit,
        model.is_sbuf,
        model.cls_is_tpb,
        model.cls_engine_idx == EngineIndex::TopSp.number(),
        model.cls_fatal != 0,
    ];
    for (count, happened) in counts[PLACES..].iter_mut().zip(happened) {
        *count += u64::from(happened);
    }
}

/// The name of a region's code.
fn region_name(code: u8) -> String {
    const NAMES: [(u8, &str); 53] = [
        (0x00, "RESERVED"),
        (0x01, "HBM"),
        (0x02, "APB_SE"),
        (0x03, "PREPROC"),
        (0x04, "APB_IO"),
        (0x05, "INTC"),
        (0x06, "HOST_MSIX_DOORBELL"),
        (0x07, "RDM"),
        (0x08, "EVT_ACCEL_CLR"),
        (0x09, "EVT_ACCEL_SET"),
        (0x0A, "PCIE_A0"),
        (0x0B, "PCIE_M0"),
        (0x0C, "TOP_SP_RAM"),
        (0x0D, "TOP_SP_TPB_SP"),
        (0x0E, "SUNDA_TPB"),
        (0x10, "STATE_BUF"),
        (0x11, "STATE_BUF_SCRATCH_RAM"),
        (0x12, "DGE_MEMORY"),
        (0x13, "RESERVED_SBUF"),
        (0x14, "PSUM_BUF"),
        (0x15, "ACT"),
        (0x16, "PE"),
        (0x17, "SP"),
        (0x18, "DVE"),
        (0x20, "POOL"),
        (0x21, "POOL_IRAM"),
        (0x22, "NX_IRAM"),
        (0x23, "NX_DRAM"),
        (0x24, "LOCAL_REG"),
        (0x25, "PROFILE_CAM"),
        (0x26, "PROFILE_TABLE"),
        (0x27, "Q7_IRAM"),
        (0x28, "Q7_DRAM"),
        (0x30, "EVT_SEM_EVENT"),
        (0x31, "EVT_SEM_RESERVED_0"),
        (0x34, "EVT_SEM_READ"),
        (0x35, "EVT_SEM_SET"),
        (0x36, "EVT_SEM_INC"),
        (0x37, "EVT_SEM_DEC"),
        (0x38, "EVT_SEM_RESERVED_1"),
        (0x40, "SDMA"),
        (0x41, "SDMA_M2S"),
        (0x42, "SDMA_S2M"),
        (0x43, "SDMA_GEN"),
        (0x44, "SDMA_GEN_EX"),
        (0x45, "SDMA_MISC"),
        (0x46, "SDMA_NOTIFIC"),
        (0x47, "SDMA_BCAST_M2S"),
        (0x48, "SDMA_BCAST_S2M"),
        (0x49, "SDMA_BCAST_GEN"),
        (0x4A, "SDMA_BCAST_GEN_EX"),
        (0x80, "SDMA_M2S_QUEUE"),
        (0x90, "SDMA_S2M_QUEUE"),
    ];
    let (kind, queue) = if code < 0x80 {
        (code, None)
    } else {
        (code & 0xF0, Some(code & 0x0F))
    };
    let name = NAMES.iter().find(|(known, _)| *known == kind);
    match (name, queue) {
        (Some((_, name)), Some(queue)) => format!("{name} {queue}"),
        (Some((_, name)), None) => (*name).to_owned(),
        (None, _) => format!("{code:#04x} (no region)"),
    }
}

fn verdict_name(code: u8) -> String {
    match code.checked_sub(1) {
        None => "legal".to_owned(),
        Some(row) => Illegal::ALL
            .get(usize::from(row))
            .map_or_else(|| format!("{code} (no verdict)"), ToString::to_string),
    }
}

fn route_name(code: u8) -> String {
    const NAMES: [&str; 7] = [
        "SameDie",
        "OtherDie",
        "OtherChip",
        "PebAlias",
        "AttachedChip",
        "PcieM0",
        "Illegal",
    ];
    NAMES
        .get(usize::from(code))
        .map_or_else(|| format!("{code} (no route)"), |name| (*name).to_owned())
}

#[cold]
fn pairs(model: &AddrResponse, rtl: &AddrResponse) -> Vec<FieldPair> {
    let sides = [model, rtl];
    let text = |name: &str, section: &str, of: &dyn Fn(&AddrResponse) -> String| {
        let [model, rtl] = sides.map(of);
        pair(name, section, &model, &rtl)
    };
    let number = |name: &str, section: &str, of: &dyn Fn(&AddrResponse) -> u64| {
        let [model, rtl] = sides.map(of);
        hex_pair(name, section, model, rtl)
    };
    let view = |side: &AddrResponse| match side.view {
        0 => "local".to_owned(),
        1 => "neighbor".to_owned(),
        other => other.to_string(),
    };
    let (local, neighbor) = ("soc-address §1.1", "soc-address §1.2");
    let (map, legality) = ("soc-address §2, D-31, D-51", "soc-address §1.5");
    let (routes, classifier) = ("soc-address §1.7, MC-4", "soc-address MC-12, D-27");
    let tpb = "soc-address §2.11";
    vec![
        text("view", "soc-address MC-1", &view),
        number("local", local, &|d| d.local),
        number("die", local, &|d| d.die.into()),
        number("cayman_id", local, &|d| d.cayman_id.into()),
        number("cayman_id_valid", local, &|d| d.cayman_id_valid.into()),
        number("reserved", local, &|d| d.reserved.into()),
        number("relaxed_ordering", local, &|d| d.relaxed_ordering.into()),
        number("ok_to_fail", local, &|d| d.ok_to_fail.into()),
        number("high_bits", local, &|d| d.high_bits.into()),
        number("neighbor_rsvd", neighbor, &|d| d.neighbor_rsvd.into()),
        number("exit_seng", neighbor, &|d| d.exit_seng.into()),
        number("exit_die", neighbor, &|d| d.exit_die.into()),
        number("neighbor_route", neighbor, &|d| d.neighbor_route.into()),
        number("peb", neighbor, &|d| d.peb.into()),
        text("illegal", legality, &|d| format!("{:07b}", d.illegal)),
        text("verdict", "soc-address §1.5, D-32", &|d| {
            verdict_name(d.verdict)
        }),
        text("route", routes, &|d| route_name(d.route)),
        number("route_die", routes, &|d| d.route_die.into()),
        number("route_id", routes, &|d| d.route_id.into()),
        number("route_exit_seng", routes, &|d| d.route_exit_seng.into()),
        text("region", map, &|d| region_name(d.region)),
        text("region_instance", map, &|d| d.region_instance.to_string()),
        number("region_offset", map, &|d| d.region_offset),
        text("region_hole", map, &|d| d.region_hole.to_string()),
        text("tpb_hit", tpb, &|d| d.tpb_hit.to_string()),
        number("tpb", tpb, &|d| d.tpb.into()),
        number("tpb_offset", tpb, &|d| d.tpb_offset),
        text("is_sbuf", tpb, &|d| d.is_sbuf.to_string()),
        text("cls_fatal", classifier, &|d| d.cls_fatal.to_string()),
        text("cls_is_tpb", classifier, &|d| d.cls_is_tpb.to_string()),
        text("cls_is_die_0", classifier, &|d| d.cls_is_die_0.to_string()),
        text("cls_engine_idx", classifier, &|d| {
            d.cls_engine_idx.to_string()
        }),
    ]
}

fn describe(inputs: &AddrStimulus) -> String {
    let view = match inputs.view {
        1 => "local",
        2 => "neighbor",
        _ => "recovered",
    };
    format!(
        "address {:#018x}, view {view}, on chip {} die {}, nbr_en {}, strap {}\n\
         engine base {:#018x}, TPB base {:#018x}",
        inputs.addr,
        inputs.me_chip,
        inputs.me_die,
        u8::from(inputs.nbr_en),
        inputs.generation,
        inputs.engine_base,
        inputs.tpb_base,
    )
}
