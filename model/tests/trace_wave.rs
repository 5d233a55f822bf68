// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transaction stream as a waveform: what stands where and when.

mod trace_read;
mod trace_run;

use std::collections::BTreeSet;

use pool_model::generation::Generation;
use pool_model::isa::disassemble;
use pool_model::time::Tick;
use pool_model::trace::wave::{EvtSemOperation, SequencerState, WaveLayout, WaveSink};
use pool_model::transaction::{Agent, CoreId, Effect, Master, SemaphoreOp, Transaction};
use vcd::Command;

use trace_read::{Waves, by_vcd, by_wellen, digits, value_at};
use trace_run::{
    CHANNELS, DETAIL, DST_OFFSET, DST_PARTITION, SRC_OFFSET, SRC_PARTITION, core, feed, file_of,
    layout_of, leg_word, transaction, transactions,
};

const CORE0: &str = "sb2sb.chip0.die0.core0";
const CORE1: &str = "sb2sb.chip0.die0.core1";

fn waves_of(run: &[Transaction]) -> Waves {
    by_vcd(&file_of(run, &layout_of(run)))
}

/// The number that a variable shows at the end of a tick.
fn number(waves: &Waves, scope: &str, name: &str, tick: u64) -> u64 {
    let digits = value_at(waves, &format!("{scope}.{name}"), end_of(tick));
    u64::from_str_radix(digits, 2).unwrap_or_else(|_| panic!("{scope}.{name} is {digits}"))
}

fn end_of(tick: u64) -> u64 {
    Tick(tick + 1).picoseconds() - 1
}

/// The values that a variable takes within a tick, in order.
fn within(waves: &Waves, scope: &str, name: &str, tick: u64) -> Vec<u64> {
    let (first, last) = (Tick(tick).picoseconds(), end_of(tick));
    waves[&format!("{scope}.{name}")]
        .iter()
        .filter(|(time, _)| (first..=last).contains(time))
        .map(|(_, digits)| u64::from_str_radix(digits, 2).expect("a number"))
        .collect()
}

fn states(waves: &Waves, scope: &str) -> Vec<(u64, &'static str)> {
    waves[&format!("{scope}.seq.state")]
        .iter()
        .map(|(time, digits)| {
            let number = usize::from_str_radix(digits, 2).expect("a number");
            (time / Tick::PICOSECONDS, SequencerState::ALL[number].name())
        })
        .collect()
}

#[test]
fn both_readers_agree_on_the_whole_run() {
    let run = transactions();
    let file = file_of(&run, &layout_of(&run));
    assert_eq!(by_vcd(&file), by_wellen(&file));
    assert_eq!(file, file_of(&run, &layout_of(&run)), "the same again");
}

#[test]
fn the_sequencer_passes_its_states_in_order() {
    let waves = waves_of(&transactions());
    assert_eq!(
        states(&waves, CORE0),
        [
            (0, "idle"),
            (1, "fetch"),
            (1, "wait"),
            (6, "dispatch"),
            (7, "copy"),
            (12, "update"),
            (13, "idle")
        ]
    );
    assert_eq!(
        states(&waves, CORE1),
        [
            (0, "idle"),
            (2, "fetch"),
            (2, "wait"),
            (16, "dispatch"),
            (17, "copy"),
            (22, "update"),
            (23, "idle"),
            (25, "fetch"),
            (26, "dispatch"),
            (27, "faulted")
        ]
    );
    for (tick, busy) in [(0, 0), (1, 1), (12, 1), (13, 0)] {
        assert_eq!(number(&waves, CORE0, "seq.busy", tick), busy, "tick {tick}");
    }
    assert_eq!(
        number(&waves, CORE1, "seq.busy", 27),
        0,
        "a fault ends the work"
    );
}

#[test]
fn every_field_of_the_word_is_shown() {
    let waves = waves_of(&transactions());
    let start = |partition: u8, offset: u32| (u64::from(partition) << 18) + u64::from(offset);
    for (field, value) in [
        ("header_opcode", 0xBF),
        ("header_inst_word_len", 16),
        ("header_debug_cmd", 0),
        ("header_debug_hint", 0),
        ("events_wait_mode", 0x05),
        ("events_wait_idx", 3),
        ("events_update_mode", 0x13),
        ("events_update_idx", 5),
        ("events_semaphore_value", 1),
        ("in_dtype", 0x0A),
        ("out_dtype", 0x0A),
        ("reserved0", 0),
        ("src_start_addr", start(SRC_PARTITION, SRC_OFFSET)),
        ("src_step_elem0", 1),
        ("src_step_elem1", 1),
        ("src_step_elem2", 1),
        ("src_num_elem0", 16),
        ("src_num_elem1", 1),
        ("src_num_elem2", 1),
        ("lnc_size_fmt", 1),
        ("num_active_channels", 4),
        ("reserved1", 0),
        ("dst_start_addr", start(DST_PARTITION, DST_OFFSET)),
        ("dst_step_elem0", 0xFFFF),
        ("dst_step_elem1", 1),
        ("dst_step_elem2", 1),
        ("dst_num_elem0", 16),
        ("dst_num_elem1", 1),
        ("dst_num_elem2", 1),
    ] {
        assert_eq!(
            number(&waves, CORE0, &format!("seq.word.{field}"), 1),
            value,
            "{field}"
        );
    }
    let word = leg_word();
    let bytes = format!("{CORE0}.seq.word.bytes");
    assert_eq!(value_at(&waves, &bytes, end_of(1)), digits(&word.encode()));
    let unknown = value_at(&waves, &bytes, end_of(0));
    assert!(
        unknown.bytes().all(|digit| digit == b'x'),
        "nothing fetched yet"
    );
    let text = format!("{CORE0}.seq.word.text");
    assert_eq!(value_at(&waves, &text, end_of(1)), disassemble(&word));
    assert_eq!(number(&waves, CORE0, "seq.opcode", 1), 0xBF);
    assert_eq!(number(&waves, CORE1, "seq.pc", 25), 1);
}

#[test]
fn every_byte_of_the_word_reaches_its_field() {
    // Each byte has its own value, so a swapped or shifted field shows.
    let bytes: [u8; 64] = std::array::from_fn(|byte| 0x40 + byte as u8);
    let run = [transaction(
        1,
        Agent::Sequencer(core(0)),
        Effect::Fetch {
            pc: 0,
            word: Box::new(bytes),
        },
    )];
    let waves = waves_of(&run);
    for (field, value) in [
        ("header_opcode", 0x40),
        ("events_semaphore_value", 0x4B4A_4948),
        ("reserved0", 0x4E4F),
        ("src_start_addr", 0x5352_5150),
        ("src_step_elem2", 0x5958),
        ("src_num_elem0", 0x5B5A),
        ("num_active_channels", 0x61),
        ("dst_start_addr", 0x7372_7170),
        ("dst_num_elem2", 0x7F7E),
    ] {
        assert_eq!(
            number(&waves, CORE0, &format!("seq.word.{field}"), 1),
            value,
            "{field}"
        );
    }
    let reserved = digits(&bytes[34..48]);
    let shown = value_at(&waves, &format!("{CORE0}.seq.word.reserved1"), end_of(1));
    assert_eq!(shown, reserved, "byte arrays stand in memory order");
}

#[test]
fn a_wait_blocks_until_its_condition_holds() {
    let waves = waves_of(&transactions());
    for (tick, blocked, value) in [(1, 1, 0), (5, 1, 0), (6, 0, 1)] {
        assert_eq!(
            number(&waves, CORE0, "wait.blocked", tick),
            blocked,
            "tick {tick}"
        );
        assert_eq!(
            number(&waves, CORE0, "wait.value", tick),
            value,
            "tick {tick}"
        );
    }
    assert_eq!(number(&waves, CORE0, "wait.mode", 1), 0x05);
    assert_eq!(number(&waves, CORE0, "wait.index", 1), 3);
    assert_eq!(number(&waves, CORE0, "wait.threshold", 1), 1);
    for (tick, blocked, event) in [(2, 1, 0), (14, 1, 0), (15, 1, 1), (16, 0, 0)] {
        assert_eq!(
            number(&waves, CORE1, "wait.blocked", tick),
            blocked,
            "tick {tick}"
        );
        assert_eq!(
            number(&waves, CORE1, "evt_sem.evt009", tick),
            event,
            "tick {tick}"
        );
    }
}

#[test]
fn a_wait_that_holds_at_once_never_shows_as_blocked() {
    let agent = Agent::Sequencer(core(0));
    let (mode, index) = (0x05, 3);
    let begin = Effect::WaitBegin {
        mode,
        index,
        threshold: 0,
        value: 0,
    };
    let satisfied = Effect::WaitSatisfied {
        mode,
        index,
        value: 0,
    };
    let waves = waves_of(&[
        transaction(1, agent, begin),
        transaction(1, agent, satisfied),
    ]);
    assert_eq!(
        waves[&format!("{CORE0}.wait.blocked")],
        [(0, "0".to_owned())]
    );
}

#[test]
fn a_leg_shows_each_access_with_its_address() {
    let waves = waves_of(&transactions());
    assert_eq!(number(&waves, CORE0, "leg.active", 6), 0);
    for (name, value) in [
        ("active", 1),
        ("destination", 1),
        ("channels", 4),
        ("bytes_per_channel", 64),
        ("engine_mask", 0xF),
    ] {
        assert_eq!(
            number(&waves, CORE0, &format!("leg.{name}"), 7),
            value,
            "{name}"
        );
    }
    assert_eq!(number(&waves, CORE0, "leg.active", 12), 0);
    // TPB_0 and TPB_1 of soc-address §2.2; 256 KiB a partition.
    let source = 0x20_0000_0000 + (u64::from(SRC_PARTITION) << 18) + u64::from(SRC_OFFSET);
    let target = 0x30_0000_0000 + (u64::from(DST_PARTITION) << 18) + u64::from(DST_OFFSET);
    let channel = 1_u64 << 18;
    assert_eq!(
        within(&waves, CORE0, "leg.src_address", 8),
        [source, source + channel]
    );
    assert_eq!(
        within(&waves, CORE0, "leg.src_address", 9),
        [source + 2 * channel, source + 3 * channel]
    );
    assert_eq!(
        within(&waves, CORE0, "leg.dst_address", 9),
        [target, target + channel]
    );
    assert_eq!(number(&waves, CORE0, "leg.src_core", 8), 0);
    assert_eq!(number(&waves, CORE0, "leg.dst_core", 9), 1);
    let last = u64::from(SRC_PARTITION + CHANNELS - 1);
    assert_eq!(number(&waves, CORE0, "leg.src_partition", 9), last);
    assert_eq!(
        number(&waves, CORE0, "leg.src_offset", 9),
        u64::from(SRC_OFFSET)
    );
    assert_eq!(number(&waves, CORE0, "leg.src_bytes", 9), 64);
    let data = value_at(
        &waves,
        &format!("{CORE0}.leg.src_data"),
        Tick(8).picoseconds(),
    );
    let expected = digits(&std::array::from_fn::<u8, 16, _>(|byte| byte as u8));
    assert_eq!(data, expected, "the first bytes, in memory order");
    for (tick, read, write) in [(7, 0, 0), (8, 1, 0), (9, 1, 1), (10, 0, 1), (11, 0, 0)] {
        assert_eq!(number(&waves, CORE0, "leg.read", tick), read, "tick {tick}");
        assert_eq!(
            number(&waves, CORE0, "leg.write", tick),
            write,
            "tick {tick}"
        );
    }
    for (tick, done) in [(9, 0), (10, 1), (11, 0)] {
        assert_eq!(
            number(&waves, CORE0, "seq.read_done", tick),
            done,
            "tick {tick}"
        );
    }
}

#[test]
fn the_address_of_a_partition_follows_the_generation() {
    let read = Effect::DataRead {
        core: core(6),
        partition: 3,
        offset: 4,
        data: vec![1],
    };
    let run = [transaction(1, Agent::Leg(core(6)), read)];
    // TPB_6 of soc-address §2.2; strides of isa-word §2.5.
    for (generation, stride) in [(Generation::V3, 0x4_0000), (Generation::V5, 0x10_0000)] {
        let mut layout = layout_of(&run);
        layout.generation = generation;
        let waves = by_vcd(&file_of(&run, &layout));
        let address = number(&waves, "sb2sb.chip0.die1.core6", "leg.src_address", 1);
        assert_eq!(address, 0x8060_0000_0000 + 3 * stride + 4, "{generation}");
    }
}

#[test]
fn semaphores_and_events_follow_their_operations() {
    let waves = waves_of(&transactions());
    for (scope, name, before, tick, after) in [
        (CORE0, "sem003", 0, 6, 1),
        (CORE0, "sem005", 0, 12, 1),
        (CORE0, "sem253", 0, 22, 8),
        (CORE1, "sem253", 0, 12, 4),
        (CORE1, "sem005", 0, 22, 0xFFFF_FFFF),
    ] {
        let name = format!("evt_sem.{name}");
        assert_eq!(
            number(&waves, scope, &name, tick - 1),
            before,
            "{scope} {name}"
        );
        assert_eq!(number(&waves, scope, &name, tick), after, "{scope} {name}");
    }
    for (scope, tick, operation, index, operand) in [
        (CORE0, 6, EvtSemOperation::Semaphore(SemaphoreOp::Add), 3, 1),
        (
            CORE0,
            22,
            EvtSemOperation::Semaphore(SemaphoreOp::Set),
            253,
            8,
        ),
        (
            CORE1,
            12,
            EvtSemOperation::Semaphore(SemaphoreOp::Add),
            253,
            4,
        ),
        (CORE1, 15, EvtSemOperation::EventSet, 9, 1),
        (CORE1, 16, EvtSemOperation::EventClear, 9, 0),
        (
            CORE1,
            22,
            EvtSemOperation::Semaphore(SemaphoreOp::Sub),
            5,
            1,
        ),
    ] {
        let shown = number(&waves, scope, "evt_sem.last_operation", tick);
        assert_eq!(shown, u64::from(operation.number()), "{scope} tick {tick}");
        assert_eq!(number(&waves, scope, "evt_sem.last_index", tick), index);
        assert_eq!(number(&waves, scope, "evt_sem.last_operand", tick), operand);
        assert_eq!(number(&waves, scope, "evt_sem.access", tick), 1);
        let next = waves[&format!("{scope}.evt_sem.access")]
            .iter()
            .find(|(time, _)| *time > end_of(tick))
            .map(|(time, value)| (*time, value.as_str()));
        // The event is set in tick 15 and cleared in the next: the strobe stays up.
        if tick != 15 {
            assert_eq!(
                next,
                Some((Tick(tick + 1).picoseconds(), "0")),
                "a strobe of one tick"
            );
        }
    }
    assert_eq!(number(&waves, CORE0, "evt_sem.error", 28), 0);
    assert_eq!(number(&waves, CORE1, "evt_sem.error", 21), 0);
    assert_eq!(number(&waves, CORE1, "evt_sem.error", 22), 1, "0 - 1 wraps");
}

#[test]
fn only_what_the_run_touches_is_declared_with_its_value_at_reset() {
    let agent = Agent::EvtSem(core(0));
    let sub = Effect::Semaphore {
        index: 7,
        operation: SemaphoreOp::Sub,
        operand: 2,
        old: 9,
        new: 7,
        by: Master::Bus,
    };
    let clear = Effect::Event {
        index: 200,
        old: true,
        new: false,
        by: Master::Bus,
    };
    let waves = waves_of(&[transaction(3, agent, sub), transaction(3, agent, clear)]);
    assert_eq!(number(&waves, CORE0, "evt_sem.sem007", 0), 9);
    assert_eq!(number(&waves, CORE0, "evt_sem.sem007", 3), 7);
    assert_eq!(number(&waves, CORE0, "evt_sem.evt200", 0), 1);
    assert_eq!(number(&waves, CORE0, "evt_sem.evt200", 3), 0);
    let banks = waves
        .keys()
        .filter(|name| name.contains(".sem") || name.contains(".evt0") || name.contains(".evt2"));
    assert_eq!(banks.count(), 2);
    let all = WaveLayout::all(Generation::V3, [core(0)]);
    let waves = by_vcd(&file_of(&[], &all));
    for name in ["sem000", "sem255", "evt000", "evt255"] {
        assert!(
            waves.contains_key(&format!("{CORE0}.evt_sem.{name}")),
            "{name}"
        );
    }
}

#[test]
fn faults_and_log_lines_are_readable() {
    let waves = waves_of(&transactions());
    assert_eq!(number(&waves, CORE1, "fault.class", 26), 0);
    assert_ne!(number(&waves, CORE1, "fault.class", 27), 0);
    assert_eq!(number(&waves, CORE1, "fault.pc", 27), 1);
    assert_eq!(
        value_at(&waves, &format!("{CORE1}.fault.detail"), end_of(27)),
        DETAIL
    );
    let lines: Vec<&str> = waves[&format!("{CORE0}.log.line")]
        .iter()
        .filter(|(time, _)| *time >= Tick(6).picoseconds())
        .map(|(_, line)| line.as_str())
        .collect();
    assert_eq!(lines, ["S: Dispatch opcode=0xbf", "S: SB2SB_Collective"]);
    assert_eq!(number(&waves, CORE0, "log.count", 6), 2);
}

/// The guide lists plain names, and the fields of the word as one row.
#[test]
fn the_guide_explains_every_variable() {
    let guide = include_str!("../../docs/waveforms.md");
    let layout = layout_of(&transactions());
    for (path, _) in layout.variables().expect("a legal layout") {
        let name = path.split_once(".core").map_or(&*path, |(_, below)| {
            below.split_once('.').expect("a core").1
        });
        let field = name.starts_with("seq.word.") && !["text", "bytes"].contains(&&name[9..]);
        let bank = name.starts_with("evt_sem.sem") || name.starts_with("evt_sem.evt");
        assert!(
            field || bank || guide.contains(&format!("`{name}`")),
            "the guide has no {name}"
        );
    }
}

#[test]
fn a_leg_in_one_tick_hides_no_access_even_on_eight_cores() {
    let mut run = Vec::new();
    for source in CoreId::all() {
        for partition in 0..128 {
            let (core, offset, data) = (source, 0, vec![partition]);
            let read = Effect::DataRead {
                core,
                partition,
                offset,
                data: data.clone(),
            };
            let written = Effect::DataWritten {
                core,
                partition,
                offset,
                data,
            };
            run.push(transaction(4, Agent::Leg(source), read));
            run.push(transaction(4, Agent::Leg(source), written));
        }
    }
    let waves = waves_of(&run);
    let all: Vec<u64> = (0..128).collect();
    for source in CoreId::all() {
        let scope = format!("sb2sb.chip0.die{}.{source}", source.die());
        assert_eq!(
            within(&waves, &scope, "leg.src_partition", 4),
            all,
            "{source}"
        );
        assert_eq!(
            within(&waves, &scope, "leg.dst_partition", 4),
            all,
            "{source}"
        );
    }
}

#[test]
fn within_a_tick_a_cause_stands_before_its_effect_on_another_core() {
    let pc = 0;
    let add = Effect::Semaphore {
        index: 1,
        operation: SemaphoreOp::Add,
        operand: 1,
        old: 0,
        new: 1,
        by: Master::Dma,
    };
    let run = [
        transaction(2, Agent::Sequencer(core(0)), Effect::ReadDone { pc }),
        transaction(2, Agent::Sequencer(core(0)), Effect::Complete { pc }),
        transaction(2, Agent::EvtSem(core(1)), add),
    ];
    let waves = waves_of(&run);
    let rise = |name: &str| {
        let changes = &waves[name];
        changes
            .iter()
            .find(|(_, value)| value.ends_with('1'))
            .expect("a rise")
            .0
    };
    let complete = rise(&format!("{CORE0}.seq.complete"));
    let access = rise(&format!("{CORE1}.evt_sem.access"));
    assert!(complete < access, "{complete} {access}");
    assert!(access < Tick(3).picoseconds());
}

#[test]
fn back_to_back_strobes_stay_high_and_the_tick_is_shown() {
    let done = |tick, pc| transaction(tick, Agent::Sequencer(core(0)), Effect::ReadDone { pc });
    let waves = waves_of(&[done(2, 0), done(3, 1), done(9, 2)]);
    let expected = [
        (0, "0"),
        (2_000, "1"),
        (4_000, "0"),
        (9_000, "1"),
        (10_000, "0"),
    ];
    let expected = expected.map(|(time, value)| (time, value.to_owned()));
    assert_eq!(waves[&format!("{CORE0}.seq.read_done")], expected);
    for (tick, shown) in [(1, 0), (2, 2), (3, 3), (4, 4), (9, 9), (10, 10)] {
        assert_eq!(number(&waves, "sb2sb", "tick", tick), shown, "tick {tick}");
    }
}

/// Viewers draw a pulse of no length where a variable changes twice at one time.
#[test]
fn no_variable_changes_twice_at_one_time() {
    let done = |tick, pc| transaction(tick, Agent::Sequencer(core(0)), Effect::ReadDone { pc });
    let mut run = transactions();
    run.extend([done(30, 0), done(31, 1), done(32, 2)]);
    let file = file_of(&run, &layout_of(&run));
    let mut changed = BTreeSet::new();
    for command in vcd::Parser::new(&*file) {
        match command.expect("a command") {
            Command::Timestamp(_) => changed.clear(),
            Command::ChangeScalar(id, _)
            | Command::ChangeVector(id, _)
            | Command::ChangeString(id, _) => assert!(changed.insert(id), "{id} twice"),
            _ => {}
        }
    }
}

#[test]
fn a_word_that_is_fetched_as_the_last_one_completes_keeps_the_core_busy() {
    let agent = Agent::Sequencer(core(0));
    let fetch = |pc| Effect::Fetch {
        pc,
        word: Box::new(leg_word().encode()),
    };
    let waves = waves_of(&[
        transaction(1, agent, fetch(0)),
        transaction(2, agent, Effect::Complete { pc: 0 }),
        transaction(2, agent, fetch(1)),
        transaction(5, agent, Effect::Complete { pc: 1 }),
    ]);
    let expected = [(0, "0"), (1_000, "1"), (6_000, "0")];
    let expected = expected.map(|(time, value)| (time, value.to_owned()));
    assert_eq!(waves[&format!("{CORE0}.seq.busy")], expected);
    assert_eq!(
        states(&waves, CORE0),
        [
            (0, "idle"),
            (1, "fetch"),
            (2, "update"),
            (2, "fetch"),
            (5, "update"),
            (6, "idle")
        ]
    );
}

#[test]
fn a_program_that_ends_shows_as_halted() {
    let run = transactions();
    let mut sink = WaveSink::new(Vec::new(), &layout_of(&run)).expect("header");
    feed(&mut sink, &run);
    sink.halt(Tick(40), core(0));
    let waves = by_vcd(&sink.finish(Tick(50)).expect("finish"));
    let last = states(&waves, CORE0).last().copied();
    assert_eq!(last, Some((40, "halted")));
}
