// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The answer for people: prose, then tables.

use std::fmt::Write as _;

use pool_model::isa::{
    Compare, Events, UpdateEffect, UpdateMode, UpdatePoint, ValueSource, WaitCondition, WaitMode,
    Word, WordBytes, register_number, register_offset,
};
use pool_model::soc::sdma::Udma;

use super::Setting;
use super::answer::{Answer, Leg, Outcome, addresses, digits, half, kind_name};

/// Pieces that are listed one by one.
const LISTED_PIECES: usize = 8;

/// The whole answer, with its line end.
///
/// Writing to a `String` cannot fail, so the results of `write!` carry nothing.
pub fn text(
    index: u64,
    place: &str,
    bytes: &WordBytes,
    answer: &Answer,
    setting: &Setting,
) -> String {
    let word = Word::decode(bytes);
    let site = setting.site;
    let mut out = format!(
        "word {index} ({place}) on {}, core {}\n  {}\n",
        site.generation,
        site.core.number(),
        answer.text
    );
    match &answer.outcome {
        Outcome::Invalid(failures) => line(
            &mut out,
            "invalid",
            &format!("{}; `sb2sb decode` explains", failures.join(", ")),
        ),
        Outcome::Other(what) => line(&mut out, "no leg", what),
        Outcome::Fault(fault) => {
            line(&mut out, "waits", &waits(word.events));
            line(&mut out, "faults", &fault.to_string());
        }
        Outcome::Leg(leg) => {
            prose(&mut out, &word, leg, setting);
            tables(&mut out, leg);
        }
    }
    out
}

fn line(out: &mut String, key: &str, text: &str) {
    let _ = writeln!(out, "  {key:<9}  {text}");
}

fn prose(out: &mut String, word: &Word, leg: &Leg, setting: &Setting) {
    let plan = &leg.plan;
    let transfer = &plan.transfer;
    let (own, peer) = (plan.site.core.number(), plan.destination.core.number());
    let target = if plan.destination.is_on_chip(plan.site) {
        format!("core {peer}")
    } else {
        format!(
            "core {peer} of chip {}",
            plan.destination.chip(plan.site).number()
        )
    };
    line(out, "waits", &waits(word.events));
    let is_collective = word.header.opcode == pool_model::isa::SB2SB_OPCODE;
    if is_collective {
        let ready = setting.context.ready_sem as u8;
        line(
            out,
            "pre-sync",
            &format!(
                "tells {target} by +1 on its semaphore {ready}, waits for semaphore {ready} >= 1 and takes 1; \
                 each only if {target} runs a program"
            ),
        );
    }
    let bytes = transfer.bytes_per_partition();
    line(
        out,
        "moves",
        &format!(
            "{bytes} bytes of each of {} partitions, from partition {} of core {own} to partition {} of {target}: {} bytes",
            transfer.partitions,
            transfer.source_partition,
            transfer.destination_partition,
            bytes * u64::from(transfer.partitions)
        ),
    );
    line(out, "pieces", &pieces(leg));
    let engines = plan.engines().len();
    let by = match engines {
        1 => "+1 by its engine".to_owned(),
        _ => format!("+1 by each of {engines} engines"),
    };
    line(
        out,
        "reads",
        &format!(
            "semaphore {} of core {own}: {by} when its reads are done",
            plan.local.index
        ),
    );
    line(
        out,
        "writes",
        &format!(
            "semaphore {} of {target}: {by} when its writes are done",
            plan.remote.index
        ),
    );
    line(out, "updates", &updates(word.events, is_collective));
}

fn pieces(leg: &Leg) -> String {
    let pieces = &leg.plan.transfer.pieces;
    let listed: Vec<String> = pieces
        .iter()
        .take(LISTED_PIECES)
        .map(|piece| {
            format!(
                "0x{:x} -> 0x{:x}, {} bytes",
                piece.source, piece.destination, piece.bytes
            )
        })
        .collect();
    let more = match pieces.len().saturating_sub(LISTED_PIECES) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    if pieces.is_empty() {
        "none: semaphores only".to_owned()
    } else {
        format!(
            "{} of each partition: {}{more}",
            pieces.len(),
            listed.join("; ")
        )
    }
}

fn tables(out: &mut String, leg: &Leg) {
    let plan = &leg.plan;
    let _ = writeln!(
        out,
        "  engine  partitions  pairs  first M2S slot  first S2M slot"
    );
    for engine in plan.engines() {
        let slot = |udma| format!("0x{:x}", plan.slot(engine, udma, 0).0);
        let _ = writeln!(
            out,
            "  {:>6}  {:>10}  {:>5}  {:<14}  {}",
            engine.number,
            engine.partitions,
            engine.pairs,
            slot(Udma::M2s),
            slot(Udma::S2m)
        );
    }
    let _ = writeln!(
        out,
        "  {:<17}  {:<18}  in the descriptor",
        "address", "before the fold"
    );
    for (name, before, folded) in addresses(plan) {
        let _ = writeln!(out, "  {name:<17}  {before}  {folded}");
    }
    let _ = writeln!(
        out,
        "  doorbell  {:<18}  through     value       engines",
        "address"
    );
    for write in &leg.doorbells {
        let _ = writeln!(
            out,
            "  {:<8}  {}  {:<10}  0x{:08x}  0x{:x}",
            half(write.udma),
            write.address,
            leg.through(write.address),
            write.value,
            write.engines
        );
    }
    let _ = writeln!(out, "  window  32-bit      {:<18}  bytes", "SoC");
    for (window, spec) in leg.windows.mapped() {
        let _ = writeln!(
            out,
            "  {window:>6}  0x{:08x}  {}  0x{:x}",
            spec.nx_base,
            spec.soc_base,
            1_u64 << spec.log2_size
        );
    }
    if leg.descriptors {
        let _ = writeln!(
            out,
            "  engine  does        {:<18}  {:<32}  {:<18}  S2M descriptor",
            "M2S slot", "M2S descriptor", "S2M slot"
        );
    }
    for pair in leg.pairs() {
        let _ = writeln!(
            out,
            "  {:>6}  {:<10}  {}  {}  {}  {}",
            pair.tx.engine,
            kind_name(pair.kind),
            pair.tx.slot,
            digits(&pair.tx),
            pair.rx.slot,
            digits(&pair.rx)
        );
    }
}

fn waits(events: Events) -> String {
    let index = events.wait_idx;
    match WaitMode::from_raw(events.wait_mode).and_then(WaitMode::condition) {
        None => format!("by mode 0x{:02x}, which is none", events.wait_mode),
        Some(WaitCondition::Always) => "for nothing".to_owned(),
        Some(WaitCondition::Unordered) => "for nothing, nor for earlier waits".to_owned(),
        Some(WaitCondition::Semaphore { compare, operand }) => format!(
            "for semaphore {index} {} {}",
            symbol(compare),
            operand_text(operand, events.semaphore_value)
        ),
        Some(WaitCondition::Event { level, then }) => {
            let state = |set| if set { "set" } else { "clear" };
            let and =
                then.map_or_else(String::new, |new| format!(", then makes it {}", state(new)));
            format!("for event {index} to be {}{and}", state(level))
        }
    }
}

const fn symbol(compare: Compare) -> &'static str {
    match compare {
        Compare::Eq => "==",
        Compare::Lt => "<",
        Compare::Le => "<=",
        Compare::Gt => ">",
        Compare::Ge => ">=",
    }
}

fn operand_text(source: ValueSource, raw: u32) -> String {
    match source {
        ValueSource::Immediate => raw.to_string(),
        ValueSource::Register => format!("register {}", register_number(raw)),
        ValueSource::RegisterOffset => {
            format!(
                "register {} + {}",
                register_number(raw),
                register_offset(raw)
            )
        }
    }
}

fn updates(events: Events, is_collective: bool) -> String {
    let index = events.update_idx;
    let Some(action) = UpdateMode::from_raw(events.update_mode).and_then(UpdateMode::action) else {
        return "nothing".to_owned();
    };
    let operand = |source| operand_text(source, events.semaphore_value);
    let what = match action.effect {
        UpdateEffect::Event(true) => format!("event {index}: set"),
        UpdateEffect::Event(false) => format!("event {index}: cleared"),
        UpdateEffect::Increment => format!("semaphore {index}: +1"),
        UpdateEffect::Decrement => format!("semaphore {index}: -1"),
        UpdateEffect::Add(source) => format!("semaphore {index}: + {}", operand(source)),
        UpdateEffect::Subtract(source) => format!("semaphore {index}: - {}", operand(source)),
        UpdateEffect::Write(source) => format!("semaphore {index}: becomes {}", operand(source)),
    };
    let when = match (is_collective, action.point) {
        (false, _) => "when the descriptors are written; RDMA_DESC_START moves the data",
        (true, UpdatePoint::Read) => "at READ, when every engine has read its last source byte",
        (true, UpdatePoint::Complete) => {
            "at COMPLETE, when every engine has completed all its descriptors"
        }
    };
    format!("{what} {when}")
}
