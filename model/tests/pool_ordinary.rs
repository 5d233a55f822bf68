// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The ordinary words around 0xBF: 0xA0, 0xA1, 0xA2, 0xA4, 0xB0. [evt-sem §2.6], [decisions D-17, D-54, D-58]

use pool_model::choices::Choices;
use pool_model::device::{CoreStatus, Device, Progress};
use pool_model::generation::Generation;
use pool_model::isa::WordBytes;
use pool_model::soc::evt_sem;
use pool_model::system::{System, Topology};
use pool_model::transaction::{CoreId, Effect, FaultClass, NullSink, Transaction};

fn core(number: u8) -> CoreId {
    CoreId::new(number).expect("a core")
}

fn system(generation: Generation) -> System {
    System::new(Topology {
        generation,
        cores: vec![core(0), core(1)],
        choices: Choices::default(),
    })
    .expect("a topology")
}

/// A word with bytes at places.
fn word(opcode: u8, parts: &[(usize, &[u8])]) -> WordBytes {
    let mut bytes = [0; 64];
    bytes[..2].copy_from_slice(&[opcode, 0x10]);
    for (at, part) in parts {
        bytes[*at..*at + part.len()].copy_from_slice(part);
    }
    bytes
}

fn set(system: &mut System, semaphore: u32, value: u32) {
    system
        .write32(
            evt_sem(core(0), 0x1400 + 4 * semaphore),
            value,
            &mut NullSink,
        )
        .expect("a semaphore");
}

fn semaphore(system: &System, index: u8) -> u32 {
    system.core(core(0)).evt_sem.semaphore(index)
}

fn event(system: &System, index: u8) -> bool {
    system.core(core(0)).evt_sem.event(index)
}

fn run(system: &mut System, words: &[WordBytes]) -> (Progress, Vec<Transaction>) {
    for word in words {
        system
            .issue(core(0), word)
            .expect("a word that is executed");
    }
    let mut seen = Vec::new();
    let status = system.advance(10_000, &mut seen).expect("it advances");
    (status.progress(), seen)
}

fn fault(words: &[WordBytes], generation: Generation) -> Option<FaultClass> {
    let mut system = system(generation);
    run(&mut system, words);
    let status = system.advance(0, &mut NullSink).expect("a status");
    status.faults().next().map(|(_, fault)| fault.class)
}

/// The builder `add_semaphore_wait_ge_and_dec`: 0x05 and 0x14, the threshold at 0x24. [evt-sem §2.6]
#[test]
fn wait_and_decrement() {
    let record = word(0xA0, &[(0x20, &[0x05, 9, 0x14, 9, 4, 0, 0, 0])]);
    let mut machine = system(Generation::V3);
    set(&mut machine, 9, 5);
    assert_eq!(run(&mut machine, &[record]).0, Progress::Idle);
    assert_eq!(semaphore(&machine, 9), 4);
    let mut machine = system(Generation::V3);
    set(&mut machine, 9, 3);
    assert_eq!(run(&mut machine, &[record]).0, Progress::Blocked);
    assert_eq!(semaphore(&machine, 9), 3);
}

/// Wait 0 is complete, with its `_THEN_` effect, before wait 1 is looked at. [decisions D-17]
#[test]
fn the_second_wait_comes_after_the_first() {
    // Event 2 set, then clear it; then event 2 clear, then set it.
    let record = word(0xA0, &[(4, &[0x07, 2]), (0x20, &[0x0F, 2])]);
    let mut machine = system(Generation::V3);
    machine
        .write32(evt_sem(core(0), 4 * 2), 1, &mut NullSink)
        .expect("an event");
    let (progress, seen) = run(&mut machine, &[record]);
    assert_eq!(progress, Progress::Idle);
    assert!(event(&machine, 2));
    let events: Vec<(bool, bool)> = seen
        .iter()
        .filter_map(|t| match t.effect {
            Effect::Event { old, new, .. } => Some((old, new)),
            _ => None,
        })
        .collect();
    assert_eq!(events, [(true, false), (false, true)]);
    // The first wait fails: the second is not looked at.
    let mut machine = system(Generation::V3);
    let (progress, seen) = run(&mut machine, &[record]);
    assert_eq!(progress, Progress::Blocked);
    let looked = |t: &&Transaction| matches!(t.effect, Effect::WaitBegin { .. });
    assert_eq!(seen.iter().filter(looked).count(), 1);
    let status = machine.advance(1, &mut NullSink).expect("a status");
    let condition = status.blocked().next().expect("it waits").condition.clone();
    assert_eq!(condition, "event 2 to be set, found clear");
}

/// The update has its own value; bytes 6 and 7 are ignored; READ and COMPLETE forms are both made, once.
/// [decisions D-54, evt-sem MC-E14]
#[test]
fn the_update_of_the_second_block() {
    for mode in [0x05, 0x15] {
        let record = word(
            0xA0,
            &[
                (6, &[0x13, 7]),
                (8, &[99]),
                (0x22, &[mode, 8]),
                (0x28, &[6, 1]),
            ],
        );
        let mut machine = system(Generation::V3);
        let (progress, seen) = run(&mut machine, &[record]);
        assert_eq!(progress, Progress::Idle);
        assert_eq!((semaphore(&machine, 7), semaphore(&machine, 8)), (0, 0x106));
        let kinds: Vec<_> = seen.iter().map(|t| t.effect.kind()).collect();
        let tail = kinds
            .iter()
            .rev()
            .take(3)
            .rev()
            .copied()
            .collect::<Vec<_>>();
        let expected: &[&str] = if mode == 0x05 {
            &["semaphore", "read_done", "complete"]
        } else {
            &["read_done", "semaphore", "complete"]
        };
        assert_eq!(tail, expected);
    }
}

/// NOP and drain carry EVENTS; the value is shared. [evt-sem §2.6]
#[test]
fn nop_and_drain() {
    for opcode in [0xA2, 0xA4] {
        // Wait for 3 and take 3 away.
        let record = word(opcode, &[(4, &[0x05, 9, 0x17, 9, 3])]);
        let mut machine = system(Generation::V3);
        set(&mut machine, 9, 4);
        assert_eq!(run(&mut machine, &[record]).0, Progress::Idle);
        assert_eq!(semaphore(&machine, 9), 1);
    }
}

/// Halt makes its update and ends the program; what stands behind it is not fetched.
#[test]
fn halt_ends_the_program() {
    let halt = word(0xA1, &[(6, &[0x13, 1])]);
    let never = word(0xA4, &[(6, &[0x13, 2])]);
    let mut machine = system(Generation::V3);
    let (progress, seen) = run(&mut machine, &[halt, never]);
    assert_eq!(progress, Progress::Idle);
    assert_eq!((semaphore(&machine, 1), semaphore(&machine, 2)), (1, 0));
    let fetched = |t: &&Transaction| matches!(t.effect, Effect::Fetch { .. });
    assert_eq!(seen.iter().filter(fetched).count(), 1);
    let status = machine.advance(1, &mut NullSink).expect("a status");
    assert!(
        status
            .cores
            .iter()
            .all(|(_, core)| *core == CoreStatus::Idle)
    );
}

/// Range: first and last included; mask: bit i of 256. Both halves of the block are cleared. [evt-sem §2.6]
#[test]
fn range_clear() {
    let mask: [u8; 32] = std::array::from_fn(|i| match i {
        1 => 0b0000_1100,
        31 => 0x80,
        _ => 0,
    });
    for (record, cleared) in [
        (word(0xB0, &[(12, &[1, 10, 11])]), vec![10, 11]),
        (word(0xB0, &[(12, &[1, 255, 255])]), vec![255]),
        (
            word(0xB0, &[(12, &[2, 0, 200]), (0x20, &mask)]),
            vec![10, 11, 255],
        ),
    ] {
        let mut machine = system(Generation::V3);
        for index in [9, 10, 11, 12, 255] {
            set(&mut machine, index, 7);
            machine
                .write32(evt_sem(core(0), 4 * index), 1, &mut NullSink)
                .expect("an event");
        }
        assert_eq!(run(&mut machine, &[record]).0, Progress::Idle);
        for index in [9, 10, 11, 12, 255] {
            let gone = cleared.contains(&index);
            assert_eq!(
                semaphore(&machine, index),
                if gone { 0 } else { 7 },
                "{index}"
            );
            assert_eq!(event(&machine, index), !gone, "{index}");
        }
    }
}

/// Illegal words fault before anything waits. [decisions D-15, D-58]
#[test]
fn words_that_fault() {
    use FaultClass::{BadOperand, BadRegister};
    let v3 = |opcode, parts: &[(usize, &[u8])]| fault(&[word(opcode, parts)], Generation::V3);
    assert_eq!(v3(0xA0, &[]), None);
    assert_eq!(v3(0xA0, &[(4, &[0x08])]), Some(BadOperand));
    assert_eq!(v3(0xA0, &[(0x20, &[0x91])]), Some(BadOperand));
    assert_eq!(v3(0xA0, &[(0x22, &[0x06])]), Some(BadOperand));
    // The update half of the first block is not looked at. [decisions D-54]
    assert_eq!(v3(0xA0, &[(6, &[0x06])]), None);
    assert_eq!(v3(0xA4, &[(6, &[0x06])]), Some(BadOperand));
    assert_eq!(v3(0xA4, &[(1, &[15])]), Some(BadOperand));
    assert_eq!(v3(0xB0, &[(12, &[0])]), Some(BadOperand));
    assert_eq!(v3(0xB0, &[(12, &[3])]), Some(BadOperand));
    assert_eq!(v3(0xB0, &[(12, &[1, 5, 4])]), Some(BadOperand));
    // All registers before the first wait, which would never hold.
    let waits: (usize, &[u8]) = (4, &[0x05, 1]);
    let value: (usize, &[u8]) = (8, &[1]);
    assert_eq!(
        v3(0xA0, &[waits, value, (0x20, &[0x85, 0]), (0x24, &[64])]),
        Some(BadRegister)
    );
    assert_eq!(
        v3(0xA0, &[waits, value, (0x22, &[0x95, 0]), (0x28, &[64])]),
        Some(BadRegister)
    );
    assert_eq!(
        v3(0xA0, &[waits, value, (0x22, &[0x95, 0]), (0x28, &[63])]),
        None
    );
    // v5 has no event modes and has REG_OFFSET. [isa-word §6.1]
    let v5 = |mode| fault(&[word(0xA4, &[(4, &[mode])])], Generation::V5);
    assert_eq!(v5(0x06), Some(BadOperand));
    assert_eq!(v5(0x91), None);
}
