// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A cycle of the semaphore block for a reader: both sides' outputs, and what each agent asked.

use pool_model::choices::Signedness;
use pool_model::evt_sem::{BusSize, Command, CycleInputs, ENGINE_PORTS, Errors, Leaf, Record};
use pool_model::isa::{EvtSemNonblockingCmd, UpdateMode, WaitMode};

use super::block::{hex_pair, pair};
use super::divergence::FieldPair;
use crate::device::EvtSemResponse;
use crate::stimulus::evt_sem::Episode;

/// Cycles in which a report shows an agent at work.
const HISTORY: usize = 8;

/// Who can ask something: one bit each. Engine k has bit `ENGINE + k`.
type Agents = u8;
const BUS: Agents = 1 << 0;
const CONTROL: Agents = 1 << 1;
const ENGINE: usize = 2;
const EVERYBODY: Agents = 0x7F;
const NAMES: [&str; 5] = ["PE", "ACT", "POOL", "DVE", "SP"];

const fn engine(port: usize) -> Agents {
    1 << (ENGINE + port)
}

/// A counter, its section, and where it is.
type CounterRow = (&'static str, &'static str, fn(&EvtSemResponse) -> u32);

/// All outputs worth a line, and the agents whose outputs differ.
#[cold]
pub(super) fn pairs(model: &EvtSemResponse, rtl: &EvtSemResponse) -> (Vec<FieldPair>, Agents) {
    let mut pairs = Vec::new();
    let mut whose = 0;
    let mut add = |agents: Agents, pair: FieldPair| {
        if pair.differs() {
            whose |= agents;
        }
        pairs.push(pair);
    };
    let bus = "evt-sem §1.3, D-19";
    add(
        BUS,
        pair(
            "bus_ready",
            "evt-sem MC-E3, D-19",
            model.bus_ready,
            rtl.bus_ready,
        ),
    );
    add(
        BUS,
        pair("bus_rvalid", bus, model.bus_rvalid, rtl.bus_rvalid),
    );
    add(
        BUS,
        hex_pair("bus_rdata", bus, model.bus_rdata, rtl.bus_rdata),
    );
    add(
        BUS,
        pair("bus_error", "evt-sem MC-E3", model.bus_error, rtl.bus_error),
    );
    let control = "evt-sem §1.5, D-18";
    add(
        CONTROL,
        pair("ctl_rvalid", control, model.ctl_rvalid, rtl.ctl_rvalid),
    );
    add(
        CONTROL,
        hex_pair("ctl_rdata", control, model.ctl_rdata, rtl.ctl_rdata),
    );
    add(
        CONTROL,
        pair("ctl_error", control, model.ctl_error, rtl.ctl_error),
    );
    for (port, name) in NAMES.into_iter().enumerate() {
        let bit = |bits: u8| bits >> port & 1;
        let flag = |what: &str, section: &str, of: fn(&EvtSemResponse) -> u8| {
            pair(
                format!("{what} {name}"),
                section,
                bit(of(model)),
                bit(of(rtl)),
            )
        };
        add(
            engine(port),
            flag("eng_grant", "evt-sem §2.4, MC-E12, MC-E13", |r| r.grant),
        );
        add(
            engine(port),
            flag("eng_error", "evt-sem §2.4, D-15", |r| r.error),
        );
        add(
            engine(port),
            flag("nb_error", "evt-sem MC-E16", |r| r.nb_error),
        );
        let [results, others] = [model, rtl].map(|r| r.nb_result[port]);
        if results | others != 0 {
            let name = format!("nb_result {name}");
            add(
                engine(port),
                hex_pair(name, "evt-sem §2.4", results, others),
            );
        }
    }
    for slot in 0..model.ntf_word0.len() {
        let shown = |r: &EvtSemResponse| {
            let (word0, word1) = (r.ntf_word0[slot], r.ntf_word1[slot]);
            if r.ntf_valid >> slot & 1 == 1 {
                format!("{word0:#010x} {word1:#010x}")
            } else if word0 | word1 == 0 {
                "none".to_owned()
            } else {
                format!("none, words {word0:#010x} {word1:#010x}")
            }
        };
        let both = [shown(model), shown(rtl)];
        if both.iter().any(|text| text != "none") {
            let agent = if slot == 0 {
                BUS
            } else {
                engine((slot - 1) / 3)
            };
            let [model, rtl] = &both;
            let name = format!("ntf {slot} ({})", slot_name(slot));
            add(agent, pair(name, "evt-sem §1.6, MC-E6, D-19", model, rtl));
        }
    }
    let counters: [CounterRow; 6] = [
        ("sem_error_count", "evt-sem MC-E8, D-14", |r| {
            r.sem_error_count
        }),
        ("event_error_count", "evt-sem MC-E11", |r| {
            r.event_error_count
        }),
        ("access_violation_count", "evt-sem MC-E1", |r| {
            r.access_violation_count
        }),
        ("decode_hole_count", "evt-sem MC-E4", |r| {
            r.decode_hole_count
        }),
        ("sem_error", "evt-sem MC-E7, D-18", |r| r.sem_error.into()),
        ("event_error", "evt-sem MC-E7, D-18", |r| {
            r.event_error.into()
        }),
    ];
    for (name, section, of) in counters {
        add(0, hex_pair(name, section, of(model), of(rtl)));
    }
    for (index, (left, right)) in model.probe_sem.iter().zip(&rtl.probe_sem).enumerate() {
        if left != right {
            let name = format!("semaphore {index}");
            add(0, hex_pair(name, "evt-sem §2.1", *left, *right));
        }
    }
    for index in 0..8 * 32 {
        let state = |r: &EvtSemResponse| r.probe_evt[index / 32] >> (index % 32) & 1;
        if state(model) != state(rtl) {
            let name = format!("event {index}");
            add(
                EVERYBODY,
                pair(name, "evt-sem §2.2", state(model), state(rtl)),
            );
        }
    }
    // What all share says nothing about who is behind it.
    (pairs, if whose == 0 { EVERYBODY } else { whose })
}

fn slot_name(slot: usize) -> String {
    match slot.checked_sub(1) {
        None => "bus".to_owned(),
        Some(number) => {
            let part = ["_THEN_ effect", "update", "command"][number % 3];
            format!("{part} of {}", NAMES[number / 3])
        }
    }
}

/// The last operations of some agents up to a cycle, oldest first.
pub(super) fn history(episode: &Episode, position: usize, whose: Agents) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let last = episode.cycles.len().min(position + 1);
    let mut shown = 0;
    for (at, inputs) in episode.cycles[..last].iter().enumerate().rev() {
        let asked = requests(inputs, whose);
        if !asked.is_empty() {
            lines.extend(asked.iter().rev().map(|line| format!("cycle {at}: {line}")));
            shown += 1;
        }
        if shown == HISTORY {
            break;
        }
    }
    lines.reverse();
    lines
}

/// What a cycle asks, one line a request, in the order in which they act.
pub(super) fn describe(episode: &Episode, position: usize) -> String {
    let mut lines = Vec::new();
    if episode.compare_as == Signedness::Signed {
        lines.push("counts are compared as signed numbers".to_owned());
    }
    if episode.errors != Errors::default() {
        lines.push("the error counters started near their end".to_owned());
    }
    match episode.cycles.get(position) {
        Some(inputs) => lines.extend(requests(inputs, EVERYBODY)),
        None => lines.push("after reset".to_owned()),
    }
    if lines.is_empty() {
        lines.push("nothing is asked".to_owned());
    }
    lines.join("\n")
}

fn requests(inputs: &CycleInputs, whose: Agents) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(request) = inputs.bus.filter(|_| whose & BUS != 0) {
        let size = match request.size {
            BusSize::Byte => "byte",
            BusSize::Half => "half word",
            BusSize::Word => "word",
            BusSize::Double => "double word",
        };
        let leaf = match Leaf::at(request.address) {
            Ok(Leaf::Event(index)) => format!("EVENT[{index}]"),
            Ok(Leaf::Read(index)) => format!("READ[{index}]"),
            Ok(Leaf::Write(operation, index)) => format!("{operation:?}[{index}]"),
            Ok(Leaf::Reserved) => "reserved".to_owned(),
            Err(_) => "unaligned".to_owned(),
        };
        let access = if request.write {
            format!("writes {:#x} to", request.data)
        } else {
            "reads".to_owned()
        };
        lines.push(format!(
            "bus {access} {:#07x} {leaf}, {size}",
            request.address
        ));
    }
    if let Some(request) = inputs.control.filter(|_| whose & CONTROL != 0) {
        let access = if request.write {
            format!("writes {:#x} to", request.data)
        } else {
            "reads".to_owned()
        };
        lines.push(format!("control port {access} {:#05x}", request.address));
    }
    for port in (0..ENGINE_PORTS.len()).filter(|&port| whose & engine(port) != 0) {
        if let Some(record) = &inputs.records[port] {
            lines.push(format!("{} {}", NAMES[port], record_text(record)));
        }
        if let Some(command) = inputs.commands[port] {
            lines.push(format!("{} {}", NAMES[port], command_text(command)));
        }
    }
    lines
}

fn record_text(Record { wait, update }: &Record) -> String {
    let name = |name: Option<&'static str>| name.unwrap_or("no mode");
    format!(
        "waits {:#04x} {} [{}] {:#x}, updates {:#04x} {} [{}] {:#x}",
        wait.mode,
        name(WaitMode::from_raw(wait.mode).map(WaitMode::name)),
        wait.index,
        wait.value,
        update.mode,
        name(UpdateMode::from_raw(update.mode).map(UpdateMode::name)),
        update.index,
        update.value,
    )
}

fn command_text(command: Command) -> String {
    let name = EvtSemNonblockingCmd::from_raw(command.code)
        .map_or("no command", EvtSemNonblockingCmd::name);
    format!(
        "commands {:#04x} {name} [{}] {:#x}",
        command.code, command.index, command.value
    )
}
