// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Differences and steps of the DMA engines in words.

use std::fmt::Write as _;

use pool_model::idma::Descriptor;
use pool_model::idma::descriptor::Kind;
use pool_model::idma::text;

use super::block::{BlockDifference, hex_pair, pair};
use super::divergence::FieldPair;
use super::ring_events::{Parting, View, history};
use super::ring_model::{GEN, GroupModel, S2M, Target, target};
use crate::udma::{
    REGION_BYTES, RingEngineState, RingEvent, RingEventKind, RingOp, RingOpKind, RingScript,
};

/// Events and steps that a report shows of each side.
const HISTORY: usize = 6;
/// Bytes of an event that a report shows.
const SHOWN: usize = 32;

/// Where a difference was found.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub model: View<'a>,
    pub rtl: View<'a>,
    pub engines: &'a GroupModel,
}

const DIRECTIONS: [&str; 2] = ["M2S", "S2M"];

fn agent(event: &RingEvent) -> String {
    let direction = DIRECTIONS[usize::from(event.s2m)];
    let queue = match event.kind {
        RingEventKind::Error => direction.to_owned(),
        RingEventKind::Violation => "ports".to_owned(),
        _ => format!("{direction} queue {}", event.queue),
    };
    format!("engine {} {queue} {}", event.engine, kind(event.kind))
}

const fn kind(kind: RingEventKind) -> &'static str {
    match kind {
        RingEventKind::Fetch => "BD read",
        RingEventKind::Read => "data read",
        RingEventKind::Write => "data write",
        RingEventKind::Completion => "completion write",
        RingEventKind::Error => "error",
        RingEventKind::Packet => "packet",
        _ => "protocol",
    }
}

const fn section(kind: RingEventKind) -> &'static str {
    match kind {
        RingEventKind::Fetch => "idma-ring §2.6, contract Fetch",
        RingEventKind::Read | RingEventKind::Write => "idma-ring §2.9, MC-13, contract Move",
        RingEventKind::Completion => "idma-ring §1.9, MC-3, MC-6, D-23, D-52",
        RingEventKind::Error => "idma-ring §§2.10, 7.2, D-21",
        RingEventKind::Packet => "idma-ring §5.6",
        _ => "contract Ports",
    }
}

/// Rules of the ports, by the number in `shim/udma.cpp`.
const RULES: [&str; 10] = [
    "",
    "a request changed before it was taken",
    "a second access was started",
    "the id did not count up by one",
    "count or length out of range",
    "a data access left its line",
    "strobes do not fit the bytes, or a lane without strobe is not 0",
    "a completion entry is unaligned, or an unused bit is not 0",
    "no answer in the cycle after a register access, or data for a write",
    "accesses of one descriptor do not follow each other",
];

/// `from`: the first byte that is shown.
fn event_text(event: &RingEvent, view: View<'_>, from: usize) -> String {
    let mut text = match event.kind {
        RingEventKind::Fetch => format!("{} BDs at {:#x}", event.length, event.address),
        RingEventKind::Error => {
            let bits: Vec<_> = (0..32)
                .filter(|bit| event.length >> bit & 1 == 1)
                .map(|bit| bit.to_string())
                .collect();
            format!("bits {}", bits.join(" "))
        }
        RingEventKind::Packet => "complete".to_owned(),
        RingEventKind::Read | RingEventKind::Write | RingEventKind::Completion => {
            format!("{} bytes at {:#x}", event.length, event.address)
        }
        _ => RULES
            .get(event.length as usize)
            .copied()
            .unwrap_or_default()
            .to_owned(),
    };
    let data = view.data(event);
    if !data.is_empty() {
        text.push_str(": ");
        if from > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "from byte {from}: ");
        }
        let shown = data.get(from..).unwrap_or_default();
        for byte in &shown[..shown.len().min(SHOWN)] {
            let _ = write!(text, "{byte:02x}");
        }
        if shown.len() > SHOWN {
            text.push_str("...");
        }
    }
    if event.cut {
        text.push_str(", unfinished");
    }
    text
}

/// Where to begin to show the bytes of two events so that their difference is seen.
fn first_shown(parting: &Parting, place: Place<'_>) -> usize {
    let (Some(model), Some(rtl)) = (parting.model, parting.rtl) else {
        return 0;
    };
    let bytes = place.model.data(&model).iter().zip(place.rtl.data(&rtl));
    let same = bytes.take_while(|(model, rtl)| model == rtl).count();
    if same < SHOWN { 0 } else { same - same % 16 }
}

/// Descriptors of a burst, from the model's memory.
fn burst(event: &RingEvent, engines: &GroupModel) -> Vec<String> {
    let Some(port) = engines.ports.get(usize::from(event.engine)) else {
        return Vec::new();
    };
    let one = |beat: u32| {
        let address = event.address.wrapping_add(16 * u64::from(beat));
        let mut bytes = [0; 16];
        port.memory.read(address, &mut bytes);
        let descriptor = Descriptor::unpack(&bytes);
        let kind = if event.s2m { Kind::Rx } else { Kind::Tx };
        let words = descriptor
            .words()
            .map(|word| format!("{word:08x}"))
            .join(" ");
        let fields = text::format(&descriptor, descriptor.layout(kind));
        format!("  BD at {address:#x}: {words}: {fields}")
    };
    (0..event.length.min(8)).map(one).collect()
}

fn last_events(view: View<'_>, side: &str, like: &RingEvent, engines: &GroupModel) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut last: Vec<_> = history(view, like).rev().take(HISTORY).collect();
    last.reverse();
    for event in last {
        lines.push(format!(
            "{side}: step {}: {}",
            event.op,
            event_text(event, view, 0)
        ));
    }
    // The descriptors around it are those that this side read last.
    let fetched = RingEvent {
        kind: RingEventKind::Fetch,
        ..*like
    };
    if let Some(event) = history(view, &fetched).next_back() {
        lines.push(format!(
            "{side}: last {}: {}",
            agent(event),
            event_text(event, view, 0)
        ));
        lines.extend(burst(event, engines));
    }
    lines
}

pub(super) fn events(position: usize, parting: Parting, place: Place<'_>) -> BlockDifference {
    let from = first_shown(&parting, place);
    let Parting { model, rtl } = parting;
    let shown = |event: Option<RingEvent>, view| {
        event.map_or_else(
            || "nothing".to_owned(),
            |event| {
                // In an exact comparison, queues and directions share a list.
                format!("{}: {}", agent(&event), event_text(&event, view, from))
            },
        )
    };
    let Some(like) = model.or(rtl) else {
        return BlockDifference {
            position,
            pairs: Vec::new(),
            history: Vec::new(),
        };
    };
    let pairs = vec![FieldPair {
        name: agent(&like),
        section: section(like.kind).to_owned(),
        model: shown(model, place.model),
        rtl: shown(rtl, place.rtl),
    }];
    let mut history = last_events(place.model, "model", &like, place.engines);
    history.extend(last_events(place.rtl, "rtl", &like, place.engines));
    let engine = place.engines.engines.get(usize::from(like.engine));
    if let Some(reason) = engine.and_then(pool_model::idma::engine::Engine::blocked) {
        history.push(format!("model: blocked on {reason}"));
    }
    BlockDifference {
        position,
        pairs,
        history,
    }
}

pub(super) fn register(
    position: usize,
    op: &RingOp,
    reached: &Target,
    model: u32,
    rtl: u32,
    place: Place<'_>,
) -> BlockDifference {
    let engine = reached.engines.trailing_zeros();
    let name = format!("engine {engine} {}", register_name(reached.offset));
    let mut history = Vec::new();
    for s2m in [false, true] {
        for queue in 0..2 {
            let like = RingEvent {
                address: 0,
                op: 0,
                length: 0,
                start: 0,
                kind: RingEventKind::Fetch,
                engine: (op.address >> 20 & 3) as u8,
                queue,
                s2m,
                cut: false,
            };
            history.extend(last_events(place.rtl, "rtl", &like, place.engines));
        }
    }
    BlockDifference {
        position,
        pairs: vec![hex_pair(name, "idma-ring §§2.3, 2.4, 2.5, 5.7", model, rtl)],
        history,
    }
}

pub(super) fn state(
    position: usize,
    engine: usize,
    model: &RingEngineState,
    rtl: &RingEngineState,
    place: Place<'_>,
) -> BlockDifference {
    let mut pairs: Vec<FieldPair> = Vec::new();
    let mut like = None;
    for (slot, (ours, theirs)) in model.queues.iter().zip(&rtl.queues).enumerate() {
        if ours == theirs {
            continue;
        }
        let (queue, s2m) = (slot / 2, slot % 2);
        like = like.or(Some((queue as u8, s2m == 1)));
        let name = |what: &str| format!("engine {engine} {} queue {queue} {what}", DIRECTIONS[s2m]);
        let pointers = "idma-ring §2.6, MC-9, MC-28";
        pairs.extend([
            hex_pair(name("head"), pointers, ours.head, theirs.head),
            hex_pair(name("tail"), pointers, ours.tail, theirs.tail),
            hex_pair(name("current"), pointers, ours.current, theirs.current),
            hex_pair(
                name("completed"),
                "idma-ring MC-6",
                ours.completed,
                theirs.completed,
            ),
            hex_pair(
                name("data tail"),
                pointers,
                ours.data_tail,
                theirs.data_tail,
            ),
            pair(
                name("posted"),
                "idma-ring MC-10",
                ours.posted,
                theirs.posted,
            ),
            pair(
                name("in flight"),
                "idma-ring MC-10",
                ours.in_flight,
                theirs.in_flight,
            ),
            pair(name("level"), "idma-ring §2.6", ours.level, theirs.level),
            pair(
                name("halted"),
                "idma-ring MC-14, D-21",
                ours.halted,
                theirs.halted,
            ),
        ]);
    }
    for (direction, name) in DIRECTIONS.iter().enumerate() {
        pairs.push(pair(
            format!("engine {engine} {name} state"),
            "idma-ring §2.5, MC-14, D-21",
            model.state[direction],
            rtl.state[direction],
        ));
    }
    for (region, (ours, theirs)) in model.digest.iter().zip(&rtl.digest).enumerate() {
        if ours != theirs {
            let first = region * REGION_BYTES;
            let name = format!(
                "engine {engine} memory {first:#x}..{:#x}",
                first + REGION_BYTES
            );
            pairs.push(hex_pair(name, "contract What is compared", *ours, *theirs));
            like = like.or(Some((0, true)));
        }
    }
    let mut history = Vec::new();
    if let Some((queue, s2m)) = like {
        for kind in [RingEventKind::Completion, RingEventKind::Write] {
            let like = RingEvent {
                address: 0,
                op: 0,
                length: 0,
                start: 0,
                kind,
                engine: engine as u8,
                queue,
                s2m,
                cut: false,
            };
            history.extend(last_events(place.model, "model", &like, place.engines));
            history.extend(last_events(place.rtl, "rtl", &like, place.engines));
        }
    }
    BlockDifference {
        position,
        pairs,
        history,
    }
}

/// What the RTL waits for, by its probe vector.
pub(super) fn rtl_reason(state: &RingEngineState) -> String {
    let step = match state.step {
        0 => "an S2M BD read",
        1 => "an M2S BD read",
        2 => "nothing to schedule",
        3 => "the look through a packet",
        4 => "the move of a packet",
        5 => "an RX BD, or the data tail",
        6 => "the reset of the queue of a dead packet",
        _ => "an unknown step",
    };
    format!(
        "{step}, queue {}, M2S in state {}, S2M in state {}",
        state.packet_queue, state.state[0], state.state[1]
    )
}

/// What a register is. [idma-ring §§2.1, 2.3, 2.4, 2.5, 5.7]
fn register_name(offset: u32) -> String {
    if offset >= GEN {
        return format!("GEN {:#06x}", offset - GEN);
    }
    let s2m = offset >= S2M;
    let direction = DIRECTIONS[usize::from(s2m)];
    let inside = offset % S2M;
    let Some(queue) = (inside / 0x1000).checked_sub(1) else {
        let name = match inside {
            0x200 => " state",
            0x204 => " change_state",
            0x214..=0x220 => " log",
            0x224 => " clear_err_log",
            0x504..=0x51C => " statistics",
            _ => "",
        };
        return format!("{direction}{name} {inside:#05x}");
    };
    let register = inside % 0x1000;
    let name = match (register, s2m) {
        (0x20, _) => "cfg",
        (0x24, _) => "status",
        (0x28 | 0x2C, _) => "DRBP",
        (0x30, _) => "DRL",
        (0x34, _) => "DRHP",
        (0x38, _) => "DRTP_inc",
        (0x3C, _) => "DRTP",
        (0x40, _) => "DCP",
        (0x44 | 0x48, _) => "CRBP",
        (0x4C | 0x50, _) => "CRHP",
        (0xA0, false) | (0x54, true) => "comp_cfg",
        (0xB0, false) | (0x64, true) => "q_sw_ctrl",
        (0xC0, false) => "q_tx_pkt",
        (0x68, true) => "q_rx_pkt",
        (0xE0, false) => "TDRDTP_inc",
        (0xE4, false) => "TDRDTP",
        _ => "register",
    };
    format!("{direction} queue {queue} {name} ({register:#x})")
}

/// The step at a position, and those before it.
pub(super) fn describe(script: &RingScript, position: usize) -> String {
    let end = script.ops.len().min(position + 1);
    let start = end.saturating_sub(HISTORY);
    let lines = (start..end).map(|at| format!("step {at}: {}", op_text(&script.ops[at])));
    let lines: Vec<_> = lines.collect();
    if lines.is_empty() {
        "after reset".to_owned()
    } else {
        lines.join("\n")
    }
}

fn op_text(op: &RingOp) -> String {
    const PORTS: [&str; 4] = ["BD read", "data read", "data write", "completion write"];
    let port = PORTS[usize::from(op.port % 4)];
    let engine = op.engine;
    let whose = |reached: &Target| {
        let who = if reached.broadcast {
            format!("engines {:#06b} broadcast", reached.engines)
        } else {
            format!("engine {}", op.address >> 20)
        };
        format!("{who} {}", register_name(reached.offset))
    };
    let text = match op.kind {
        RingOpKind::Reset => format!("reset, generation code {}", op.what),
        RingOpKind::Write => {
            let reached = target(op.address as u32, Some(op.data));
            format!("write {} = {:#x}", whose(&reached), op.data)
        }
        RingOpKind::Read => format!("read {}", whose(&target(op.address as u32, None))),
        RingOpKind::Settle => "settle".to_owned(),
        RingOpKind::Poke => format!(
            "memory of engine {engine}: {} bytes at {:#x}",
            op.data, op.address
        ),
        RingOpKind::Inject => format!(
            "inject bit {} of group {} of engine {engine}",
            op.what, op.port
        ),
        RingOpKind::Fault if op.what > 1 => format!("engine {engine}: no access fails any more"),
        RingOpKind::Fault => {
            let how = if op.what == 0 {
                "fails"
            } else {
                "gets no response"
            };
            format!("{port} {} from now of engine {engine} {how}", op.data)
        }
        RingOpKind::Stall => format!(
            "engine {engine}: requests wait up to {} cycles, responses {}{}",
            op.what,
            op.port,
            if op.address & 1 == 1 {
                ", stray responses"
            } else {
                ""
            }
        ),
        RingOpKind::Idle => format!("{} cycles pass", op.data),
        _ => String::new(),
    };
    match op.kind {
        RingOpKind::Write | RingOpKind::Inject | RingOpKind::Reset if !op.settled => {
            format!("{text}, at once")
        }
        _ => text,
    }
}
