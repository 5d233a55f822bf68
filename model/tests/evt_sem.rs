// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The semaphore block: records, sequences and the order inside a cycle. [evt-sem §§2–5]

use pool_model::choices::Signedness;
use pool_model::evt_sem::{
    Block, BusRequest, BusResponse, BusSize, Command, ControlRequest, CycleInputs, CycleOutputs,
    EvtSem, Record, RecordOutcome, Update, Wait,
};
use pool_model::generation::Generation;
use pool_model::isa::{UpdateMode, WaitMode};
use pool_model::transaction::SemaphoreOp;

const READ: u32 = 0x1000;
const SET: u32 = 0x1400;
const INC: u32 = 0x1800;
const DEC: u32 = 0x1C00;

fn block() -> Block {
    Block::new(Generation::V3, Signedness::Unsigned)
}

fn record(wait: (u8, u8, u32), update: (u8, u8, u32)) -> Record {
    Record {
        wait: Wait {
            mode: wait.0,
            index: wait.1,
            value: wait.2,
        },
        update: Update {
            mode: update.0,
            index: update.1,
            value: update.2,
        },
    }
}

fn on_port(port: usize, record: Record) -> CycleInputs {
    let mut inputs = CycleInputs::default();
    inputs.records[port] = Some(record);
    inputs
}

fn write(address: u32, data: u64) -> CycleInputs {
    CycleInputs {
        bus: Some(BusRequest {
            write: true,
            address,
            size: BusSize::Word,
            data,
        }),
        ..CycleInputs::default()
    }
}

fn control(address: u32, data: u32) -> CycleInputs {
    CycleInputs {
        control: Some(ControlRequest {
            write: true,
            address,
            data,
        }),
        ..CycleInputs::default()
    }
}

fn granted(outputs: &CycleOutputs, port: usize) -> bool {
    outputs.grant >> port & 1 == 1
}

/// [evt-sem §5] `wait` rows: mode, value, semaphore, event before, holds, event after.
#[test]
fn wait_vectors() {
    let rows = [
        (0x05, 4, 3, false, false, false),
        (0x05, 4, 4, false, true, false),
        (0x01, 4, 5, false, false, false),
        (0x02, 4, 3, false, true, false),
        (0x03, 4, 4, false, true, false),
        (0x04, 4, 4, false, false, false),
        (0x07, 0, 0, true, true, false),
        (0x0E, 0, 0, true, false, true),
        (0x0F, 0, 0, false, true, true),
    ];
    for (mode, value, semaphore, event, holds, after) in rows {
        let mut state = EvtSem::new();
        state.operate(9, SemaphoreOp::Set, semaphore);
        if event {
            state.set_event(9, true);
        }
        let outcome = state.record(
            &record((mode, 9, value), (0, 0, 0)),
            Generation::V3,
            Signedness::Unsigned,
        );
        assert_eq!(
            matches!(outcome, RecordOutcome::Granted(_)),
            holds,
            "{mode:#x}"
        );
        assert_eq!(state.event(9), after, "{mode:#x}");
    }
}

/// [evt-sem §5] `upd` rows.
#[test]
fn update_vectors() {
    let semaphores = [
        (0x13, 0, 6, 7),
        (0x14, 0, 0, 0xFFFF_FFFF),
        (0x15, 3, 4, 7),
        (0x17, 3, 4, 1),
        (0x19, 9, 4, 9),
    ];
    for (mode, value, before, after) in semaphores {
        for mode in [mode, mode - 0x10] {
            let mut state = EvtSem::new();
            state.operate(9, SemaphoreOp::Set, before);
            state.record(
                &record((0, 0, 0), (mode, 9, value)),
                Generation::V3,
                Signedness::Unsigned,
            );
            assert_eq!(state.semaphore(9), after, "{mode:#x}");
        }
    }
    for (mode, before, after) in [(0x11, false, true), (0x12, true, false)] {
        let mut state = EvtSem::new();
        if before {
            state.set_event(9, true);
        }
        state.record(
            &record((0, 0, 0), (mode, 9, 0)),
            Generation::V3,
            Signedness::Unsigned,
        );
        assert_eq!(state.event(9), after, "{mode:#x}");
    }
}

/// Every byte value: legal exactly where the enum of the generation has it, and 0xFF never.
/// [decisions D-15]
#[test]
fn modes_are_decoded_by_the_tables() {
    for generation in Generation::ALL {
        let mut legal = [0, 0];
        for mode in 0..=255 {
            let mut state = EvtSem::new();
            let wait = state.record(
                &record((mode, 0, 0), (0, 0, 0)),
                generation,
                Signedness::Unsigned,
            );
            let update = state.record(
                &record((0, 0, 0), (mode, 0, 0)),
                generation,
                Signedness::Unsigned,
            );
            legal[0] += usize::from(wait != RecordOutcome::Illegal);
            legal[1] += usize::from(update != RecordOutcome::Illegal);
        }
        // 16 and 22 members with INVALID on v2 to v4, 18 and 18 on v5. [isa-word §§6.1, 6.2]
        let expected = if generation == Generation::V5 {
            [17, 17]
        } else {
            [15, 21]
        };
        assert_eq!(legal, expected, "{generation}");
    }
    assert!(WaitMode::from_raw(0x08).is_none() && UpdateMode::from_raw(0x06).is_none());
}

/// Sequence A: the core barrier with a leader, two rounds. [evt-sem §3.2]
#[test]
fn sequence_a_core_barrier() {
    let (mut leader, mut follower) = (block(), block());
    let sem = |block: &Block, index| block.state().semaphore(index);
    leader.cycle(&write(INC + 4 * 7, 1));
    assert_eq!(sem(&leader, 7), 1);
    let wait = on_port(2, record((0x05, 8, 1), (0x14, 8, 1)));
    assert!(!granted(&follower.cycle(&wait), 2));
    let take = on_port(2, record((0x05, 7, 1), (0x14, 7, 1)));
    assert!(granted(&leader.cycle(&take), 2));
    assert_eq!(sem(&leader, 7), 0);
    follower.cycle(&write(INC + 4 * 8, 1));
    assert!(granted(&follower.cycle(&wait), 2));
    assert_eq!(sem(&follower, 8), 0);
    leader.cycle(&write(INC + 4 * 7, 1));
    assert!(granted(&leader.cycle(&take), 2), "an early arrival is kept");
    assert_eq!(sem(&leader, 7), 0);
}

/// Sequence B: five engines in a chain, both passes; all ask in every cycle. [evt-sem §3.3]
#[test]
fn sequence_b_runtime_chain() {
    let mut block = block();
    let mut next = [0_u32, 1, 2, 3, 4];
    let mut order = Vec::new();
    for _ in 0..10 {
        let mut inputs = CycleInputs::default();
        for (port, step) in next.iter().enumerate() {
            let update = if *step == 9 {
                (0x19, 40, 0)
            } else {
                (0x13, 40, 0)
            };
            if *step < 10 {
                inputs.records[port] = Some(record((0x01, 40, *step), update));
            }
        }
        let outputs = block.cycle(&inputs);
        for (port, step) in next.iter_mut().enumerate() {
            if granted(&outputs, port) {
                order.push((port, *step));
                *step += 5;
            }
        }
    }
    let expected: Vec<(usize, u32)> = (0..10).map(|step| (step as usize % 5, step)).collect();
    assert_eq!(order, expected);
    assert_eq!(block.state().semaphore(40), 0);
}

/// Sequence C: one step with four leaders. [evt-sem §3.4]
#[test]
fn sequence_c_four_leaders() {
    let mut block = block();
    for leader in 0..4 {
        block.cycle(&write(INC + 4 * leader, 1));
    }
    for leader in 0..4 {
        let exit = on_port(4, record((0x05, leader, 1), (0x14, leader, 1)));
        assert!(granted(&block.cycle(&exit), 4));
    }
    assert_eq!(block.state().semaphores()[..4], [0; 4]);
}

/// Sequence D: the handshakes of a leg, sender and receiver. [evt-sem §3.5]
#[test]
fn sequence_d_leg() {
    let (mut sender, mut receiver) = (block(), block());
    let ready = on_port(2, record((0x05, 5, 1), (0x14, 5, 1)));
    assert!(!granted(&sender.cycle(&ready), 2));
    sender.cycle(&write(INC + 4 * 5, 1));
    assert!(granted(&sender.cycle(&ready), 2));
    let free = on_port(2, record((0x05, 12, 4), (0x17, 12, 4)));
    let arrived = on_port(2, record((0x05, 20, 4), (0x17, 20, 4)));
    for engine in 0..4 {
        assert!(!granted(&sender.cycle(&free), 2), "after {engine}");
        assert!(!granted(&receiver.cycle(&arrived), 2), "after {engine}");
        sender.cycle(&write(INC + 4 * 12, 1));
        receiver.cycle(&write(INC + 4 * 20, 1));
    }
    assert!(granted(&sender.cycle(&free), 2));
    assert!(granted(&receiver.cycle(&arrived), 2));
    assert_eq!(
        (sender.state().semaphore(12), receiver.state().semaphore(20)),
        (0, 0)
    );
}

/// Sequence E: the credit loop with two slots. [evt-sem §3.5]
#[test]
fn sequence_e_credits() {
    let (mut sender, mut receiver) = (block(), block());
    sender.cycle(&write(SET, 2));
    let send = on_port(2, record((0x05, 0, 1), (0x14, 0, 1)));
    let consume = on_port(2, record((0x05, 1, 1), (0x14, 1, 1)));
    for _ in 0..2 {
        assert!(granted(&sender.cycle(&send), 2));
        receiver.cycle(&write(INC + 4, 1));
    }
    assert!(!granted(&sender.cycle(&send), 2), "no credit left");
    assert!(granted(&receiver.cycle(&consume), 2));
    sender.cycle(&write(INC, 1));
    assert!(granted(&sender.cycle(&send), 2));
    assert_eq!(
        (sender.state().semaphore(0), receiver.state().semaphore(1)),
        (0, 1)
    );
}

/// Sequence F: wraps through the bus windows, and the unsigned reading. [evt-sem §3.5]
#[test]
fn sequence_f_wrap() {
    let rows = [
        (INC, 1, 0xFFFF_FFFF, 0),
        (DEC, 1, 0, 0xFFFF_FFFF),
        (INC, 0x8000_0000, 0x8000_0000, 0),
        (DEC, 0xFFFF_FFFF, 3, 4),
        (INC, 0xFFFF_FFFE, 5, 3),
    ];
    for (window, operand, before, after) in rows {
        let mut block = block();
        block.cycle(&write(SET + 36, before));
        let outputs = block.cycle(&write(window + 36, operand));
        assert_eq!(block.state().semaphore(9), after);
        assert_eq!(outputs.registered.errors.semaphore, 1);
        assert!(outputs.registered.summaries.semaphore);
    }
    for (compare_as, holds) in [(Signedness::Unsigned, true), (Signedness::Signed, false)] {
        let mut block = Block::new(Generation::V3, compare_as);
        block.cycle(&write(SET, 0xFFFF_FFFF));
        let outputs = block.cycle(&on_port(0, record((0x05, 0, 1), (0, 0, 0))));
        assert_eq!(granted(&outputs, 0), holds);
    }
}

/// Sequence G: the event handshake, and what v5 does instead. [evt-sem §3.5]
#[test]
fn sequence_g_events() {
    let mut v3 = block();
    let produce = on_port(2, record((0, 0, 0), (0x11, 3, 0)));
    let consume = on_port(3, record((0x07, 3, 0), (0, 0, 0)));
    v3.cycle(&produce);
    assert!(v3.state().event(3));
    assert!(granted(&v3.cycle(&consume), 3));
    assert!(!v3.state().event(3));
    v3.cycle(&produce);
    let twice = v3.cycle(&produce);
    assert_eq!(twice.registered.errors.event, 1);
    assert!(v3.state().event(3));

    let mut v5 = Block::new(Generation::V5, Signedness::Unsigned);
    assert_eq!(v5.cycle(&consume).error, 1 << 3, "v5 has no event modes");
    let produce = on_port(2, record((0, 0, 0), (0x13, 3, 0)));
    v5.cycle(&produce);
    v5.cycle(&produce);
    let consume = on_port(3, record((0x05, 3, 1), (0x14, 3, 0)));
    for _ in 0..2 {
        assert!(granted(&v5.cycle(&consume), 3), "nothing is lost");
    }
    assert!(!granted(&v5.cycle(&consume), 3));
}

/// Bus, then the engines in order; each sees what those before it left. [evt-sem MC-E12, MC-E13]
#[test]
fn order_inside_a_cycle() {
    let mut block = block();
    let mut inputs = write(INC + 4 * 9, 1);
    for port in 0..5 {
        inputs.records[port] = Some(record((0x05, 9, 1), (0x14, 9, 0)));
    }
    assert_eq!(
        block.cycle(&inputs).grant,
        0b0_0001,
        "the bus feeds PE, nothing is left"
    );
    inputs.bus = Some(BusRequest {
        write: true,
        address: INC + 4 * 9,
        size: BusSize::Word,
        data: 3,
    });
    inputs.records[0] = Some(record((0x05, 9, 4), (0x14, 9, 0)));
    assert_eq!(block.cycle(&inputs).grant, 0b0_1110);
    assert_eq!(block.state().semaphore(9), 0);
    // A later port's increment does not help an earlier one in the same cycle.
    let mut inputs = on_port(1, record((0x01, 9, 1), (0, 0, 0)));
    inputs.records[4] = Some(record((0, 0, 0), (0x13, 9, 0)));
    assert_eq!(block.cycle(&inputs).grant, 0b1_0000);
    assert_eq!(block.cycle(&inputs).grant, 0b1_0010);
}

/// A 64-bit access takes two cycles, low half first. [evt-sem MC-E3, decisions D-19]
#[test]
fn double_words() {
    let mut block = block();
    let access = |write, address, data| CycleInputs {
        bus: Some(BusRequest {
            write,
            address,
            size: BusSize::Double,
            data,
        }),
        ..CycleInputs::default()
    };
    let request = access(true, SET + 4 * 10, 0x0000_0007_0000_0005);
    let first = block.cycle(&request);
    assert!(!first.bus_ready);
    assert_eq!(
        (block.state().semaphore(10), block.state().semaphore(11)),
        (5, 0)
    );
    let second = block.cycle(&request);
    assert!(second.bus_ready);
    assert_eq!(
        (block.state().semaphore(10), block.state().semaphore(11)),
        (5, 7)
    );
    let read = access(false, READ + 4 * 10, 0);
    let answer = |data, error| Some(BusResponse { data, error });
    assert_eq!(block.cycle(&read).registered.bus, answer(5, false));
    assert_eq!(block.cycle(&read).registered.bus, answer(7, false));
    // READ[255] and, across the window's end, SET[0], which is write-only.
    let across = access(false, READ + 4 * 255, 0);
    block.cycle(&across);
    let end = block.cycle(&across);
    assert_eq!(end.registered.bus, answer(0, false));
    assert_eq!(end.registered.errors.access_violation, 1);
    let last = access(true, 0xF_FFFC, 0);
    assert_eq!(block.cycle(&last).registered.bus, answer(0, false));
    assert_eq!(block.cycle(&last).registered.bus, answer(0, true));
    let unaligned = access(true, SET + 2, 1);
    let refused = block.cycle(&unaligned);
    assert!(refused.bus_ready);
    assert_eq!(refused.registered.bus, answer(0, true));
    // Withdrawn after the first beat: the next access starts anew.
    block.cycle(&request);
    block.cycle(&CycleInputs::default());
    assert!(!block.cycle(&request).bus_ready);
}

/// [evt-sem MC-E3]
#[test]
fn narrow_accesses_are_errors_without_effect() {
    for size in [BusSize::Byte, BusSize::Half] {
        let mut block = block();
        let outputs = block.cycle(&CycleInputs {
            bus: Some(BusRequest {
                write: true,
                address: SET,
                size,
                data: 1,
            }),
            ..CycleInputs::default()
        });
        assert!(outputs.registered.bus.is_some_and(|answer| answer.error));
        assert_eq!(block.state(), &EvtSem::new());
    }
}

/// [evt-sem §1.6, MC-E6, MC-E10, decisions D-19]
#[test]
fn notifications() {
    let mut block = block();
    assert_eq!(
        block.cycle(&write(SET, 5)).registered.notification_valid,
        0,
        "not enabled"
    );
    block.cycle(&control(0x808, 1));
    block.cycle(&control(0x800, 5));
    block.cycle(&control(0x804, 6));
    let by_bus = block.cycle(&write(SET + 4 * 0xA5, 6)).registered;
    assert_eq!(by_bus.notification_valid, 1);
    assert_eq!(
        by_bus.notification_word0[0],
        0x1B << 24 | 0xFF << 10 | 1 << 8 | 0xA5
    );
    assert_eq!(by_bus.notification_word1[0], 6);
    for (data, valid) in [(4, 0), (5, 1), (6, 1), (7, 0)] {
        let outputs = block.cycle(&write(SET, data));
        assert_eq!(outputs.registered.notification_valid, valid, "{data}");
    }
    block.cycle(&write(SET, 5));
    assert_eq!(
        block.cycle(&write(INC, 0)).registered.notification_valid,
        0,
        "an addition of 0"
    );
    assert_eq!(
        block.cycle(&write(SET, 5)).registered.notification_valid,
        1,
        "a set to the same"
    );
    // A `_THEN_` effect and an update of DVE, an event of ACT that is set already.
    block.cycle(&write(4 * 7, 1));
    let mut inputs = on_port(3, record((0x07, 7, 0), (0x19, 2, 5)));
    inputs.records[1] = Some(record((0, 0, 0), (0x11, 7, 0)));
    let outputs = block.cycle(&inputs).registered;
    assert_eq!(outputs.notification_valid, 1 << 5 | 1 << 10 | 1 << 11);
    assert_eq!(
        outputs.notification_word0[5],
        0x0B << 24 | 0x11 << 10 | 1 << 9 | 7
    );
    assert_eq!(outputs.notification_word0[10], 0x13 << 24 | 0x07 << 10 | 7);
    assert_eq!(outputs.notification_word1[10], 0);
    assert_eq!(
        outputs.notification_word0[11],
        0x13 << 24 | 0x19 << 10 | 1 << 8 | 2
    );
    assert_eq!(outputs.notification_word1[11], 5);
}

/// New control values act on the engines of the same cycle and not on its bus beat.
#[test]
fn control_port_comes_between_bus_and_engines() {
    let mut block = block();
    let mut inputs = write(SET, 1);
    inputs.control = control(0x808, 1).control;
    inputs.records[0] = Some(record((0, 0, 0), (0x19, 1, 1)));
    assert_eq!(block.cycle(&inputs).registered.notification_valid, 1 << 2);
    // The summary read sees the wrap of the bus beat and leaves the engine's for the next.
    let mut inputs = write(DEC + 4 * 50, 1);
    inputs.control = Some(ControlRequest {
        write: false,
        address: 0x80C,
        data: 0,
    });
    inputs.records[4] = Some(record((0, 0, 0), (0x12, 60, 0)));
    let outputs = block.cycle(&inputs).registered;
    assert_eq!(
        outputs.control,
        Some(BusResponse {
            data: 2,
            error: false
        })
    );
    assert!(outputs.summaries.event && !outputs.summaries.semaphore);
}

/// [evt-sem §2.4, MC-E16]
#[test]
fn non_blocking_commands_are_v5() {
    let ask = |code, value| {
        let mut inputs = CycleInputs::default();
        inputs.commands[2] = Some(Command {
            code,
            index: 6,
            value,
        });
        inputs
    };
    let mut v5 = Block::new(Generation::V5, Signedness::Unsigned);
    for (code, value, after) in [
        (0x49, 10, 10),
        (0x43, 99, 11),
        (0x44, 99, 10),
        (0x45, 5, 15),
        (0x47, 7, 8),
        (0x40, 99, 8),
    ] {
        let outputs = v5.cycle(&ask(code, value));
        assert_eq!((outputs.command_error, outputs.command_result[2]), (0, 0));
        assert_eq!(v5.state().semaphore(6), after, "{code:#x}");
    }
    assert_eq!(v5.cycle(&ask(0x60, 0)).command_result[2], 8);
    assert_eq!(v5.cycle(&ask(0x61, 0)).command_result[2], 0);
    for code in [0x41, 0x42, 0x46, 0x48, 0x4A, 0x5F, 0x62, 0x00, 0xFF] {
        assert_eq!(v5.cycle(&ask(code, 0)).command_error, 1 << 2, "{code:#x}");
    }
    for generation in [
        Generation::V2,
        Generation::V3,
        Generation::V4,
        Generation::V4Plus,
    ] {
        let mut block = Block::new(generation, Signedness::Unsigned);
        assert_eq!(
            block.cycle(&ask(0x43, 0)).command_error,
            1 << 2,
            "{generation}"
        );
        assert_eq!(block.state(), &EvtSem::new());
    }
}
