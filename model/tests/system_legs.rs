// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Legs on the system: what moves, in which order, and what stops it. [decisions D-1..D-16, D-43, D-44]

use pool_model::choices::{Choices, Overlap, Signedness};
use pool_model::device::{Device, DeviceError, Progress, Status};
use pool_model::generation::Generation;
use pool_model::isa::{Geometry, Word, WordBytes};
use pool_model::soc::{self, SocAddr};
use pool_model::system::{System, Topology, TopologyError};
use pool_model::transaction::{CoreId, Effect, FaultClass, NullSink, Transaction};

/// W1 of isa-word §9: LNC2, BFLOAT16, 128 channels, 64 elements from byte 0 to byte 0x1000, increment
/// semaphore 5 on completion.
fn w1() -> WordBytes {
    hex("bf 10 00 00 00 00 13 05 00 00 00 00 06 06 00 00
         00 00 00 00 01 00 00 00 00 00 40 00 01 00 01 00
         01 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         00 10 00 00 01 00 00 00 00 00 40 00 01 00 01 00")
}

fn hex(text: &str) -> WordBytes {
    let digits: Vec<u8> = text
        .chars()
        .filter_map(|c| c.to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    let bytes: Vec<u8> = digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect();
    bytes.try_into().expect("a word has 64 bytes")
}

fn change(word: WordBytes, edit: impl FnOnce(&mut Word)) -> WordBytes {
    let mut word = Word::decode(&word);
    edit(&mut word);
    word.encode()
}

fn core(number: u8) -> CoreId {
    CoreId::new(number).expect("a test names an existing core")
}

fn system(generation: Generation, choices: Choices) -> System {
    System::new(Topology {
        generation,
        cores: vec![core(0), core(1)],
        choices,
    })
    .expect("two different cores")
}

fn v3() -> System {
    system(Generation::V3, Choices::default())
}

fn sbuf(number: u8, partition: u32, offset: u32) -> SocAddr {
    let stride = Geometry::of(Generation::V3).sbuf_stride;
    soc::sbuf(core(number), u64::from(partition * stride + offset))
}

fn semaphore(device: &mut System, number: u8, index: u8) -> u32 {
    device
        .read32(soc::evt_sem(core(number), 0x1000 + 4 * u32::from(index)))
        .expect("the READ window answers")
}

fn set_semaphore(device: &mut System, number: u8, index: u8, value: u32) {
    device
        .write32(
            soc::evt_sem(core(number), 0x1400 + 4 * u32::from(index)),
            value,
            &mut NullSink,
        )
        .expect("the SET window answers");
}

fn set_register(device: &mut System, number: u8, register: u32, value: u32) {
    device
        .write32(
            soc::local_reg(core(number), 0xA000 + 4 * register),
            value,
            &mut NullSink,
        )
        .expect("the register file answers");
}

fn run(device: &mut System, programs: &[(u8, WordBytes)]) -> (Status, Vec<Transaction>) {
    for (number, word) in programs {
        device
            .issue(core(*number), word)
            .expect("the word is accepted");
    }
    let mut stream = Vec::new();
    let status = device
        .advance(100_000, &mut stream)
        .expect("the model does not stop");
    (status, stream)
}

fn fault_of(word: WordBytes) -> (FaultClass, String) {
    fault_on(&mut v3(), word)
}

fn fault_on(device: &mut System, word: WordBytes) -> (FaultClass, String) {
    let (status, stream) = run(device, &[(0, word)]);
    assert_eq!(status.progress(), Progress::Faulted, "{status:?}");
    assert!(
        !stream.iter().any(|t| matches!(
            t.effect,
            Effect::DataRead { .. } | Effect::DataWritten { .. } | Effect::Semaphore { .. }
        )),
        "nothing moves before a fault"
    );
    let (_, fault) = status.faults().next().expect("a core faulted");
    (fault.class, fault.detail.clone())
}

/// Every byte of the 128 partitions arrives, nothing else changes, all four signals happen.
#[test]
fn w1_copies_to_the_peer_and_signals() {
    let mut device = v3();
    for partition in 0..128 {
        let bytes: Vec<u8> = (0..200_u32)
            .map(|i| (i * 7 + partition * 3) as u8)
            .collect();
        device
            .load(sbuf(0, partition, 0), &bytes)
            .expect("active bytes");
        device
            .load(sbuf(1, partition, 0xFF0), &[0xEE; 0xB0])
            .expect("active bytes");
    }
    let (status, stream) = run(&mut device, &[(0, w1())]);
    assert_eq!(status.progress(), Progress::Idle);
    for partition in 0..128 {
        let mut found = [0; 0xB0];
        device
            .dump(sbuf(1, partition, 0xFF0), &mut found)
            .expect("active bytes");
        let mut expected = [0xEE; 0xB0];
        for (i, byte) in (0_u32..).zip(&mut expected[0x10..0x90]) {
            *byte = (i * 7 + partition * 3) as u8;
        }
        assert_eq!(found, expected, "partition {partition}");
    }
    assert_eq!(
        semaphore(&mut device, 0, 5),
        1,
        "EVENTS update on the own core"
    );
    assert_eq!(semaphore(&mut device, 0, 252), 4, "local_sem, one a engine");
    assert_eq!(semaphore(&mut device, 1, 253), 4, "remote_sem on the peer");
    assert_eq!(semaphore(&mut device, 1, 5), 0);
    let count = |kind: &str| stream.iter().filter(|t| t.effect.kind() == kind).count();
    assert_eq!(count("data_read"), 128);
    assert_eq!(count("data_written"), 128);
    assert_eq!(count("semaphore"), 9);
    assert_eq!(
        count("wait_begin"),
        0,
        "wait mode NONE does not look at a semaphore"
    );
}

/// Element order and signed strides: an executable W2. [decisions D-8], [isa-word §2.1, MC-13]
#[test]
fn strided_source_is_gathered_in_element_order() {
    let word = change(w1(), |word| {
        word.in_dtype = 0x0A;
        word.out_dtype = 0x0A;
        word.num_active_channels = 1;
        word.src.start_addr.0 = 32 * 0x4_0000 + 0xC00;
        word.src.step_elem = [1, 64, -256];
        word.src.num_elem = [16, 4, 4];
        word.dst.start_addr.0 = 0;
        word.dst.num_elem = [256, 1, 1];
    });
    let mut device = v3();
    let source: Vec<u8> = (0..0x1000_u32)
        .flat_map(|i| (i * 0x0101).to_le_bytes())
        .collect();
    device.load(sbuf(0, 32, 0), &source).expect("active bytes");
    let (status, _) = run(&mut device, &[(0, word)]);
    assert_eq!(status.progress(), Progress::Idle, "{status:?}");
    let mut found = vec![0; 1024];
    device
        .dump(sbuf(1, 0, 0), &mut found)
        .expect("active bytes");
    let mut expected = Vec::new();
    for i2 in 0..4_usize {
        for i1 in 0..4 {
            for i0 in 0..16 {
                let at = 0xC00 + 4 * i0 + 256 * i1 - 1024 * i2;
                expected.extend_from_slice(&source[at..at + 4]);
            }
        }
    }
    assert_eq!(found, expected);
}

/// [decisions D-8]
#[test]
fn w2_is_valid_and_leaves_its_partition() {
    let w2 = hex("bf 10 00 00 05 03 13 10 07 00 00 00 0a 0a 00 00
         00 04 80 00 01 00 40 00 00 ff 10 00 04 00 04 00
         01 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         05 00 00 80 01 00 10 00 40 00 10 00 04 00 04 00");
    let mut device = v3();
    set_semaphore(&mut device, 0, 3, 7);
    assert_eq!(fault_on(&mut device, w2).0, FaultClass::SbufRange);
}

#[test]
fn wait_blocks_until_the_peer_signals_and_reports_what_it_waits_for() {
    let waiting = change(w1(), |word| {
        word.events.wait_mode = 0x05;
        word.events.wait_idx = 253;
        word.events.semaphore_value = 4;
    });
    let mut device = v3();
    let (status, _) = run(&mut device, &[(1, waiting)]);
    assert_eq!(status.progress(), Progress::Blocked);
    let blocked = status.blocked().next().expect("core 1 waits");
    assert_eq!(
        blocked.to_string(),
        "core1.seq waits at word 0 for semaphore 253 >= 4, found 0"
    );
    let (status, stream) = run(&mut device, &[(0, w1())]);
    assert_eq!(status.progress(), Progress::Idle);
    let position =
        |wanted: &dyn Fn(&Transaction) -> bool| stream.iter().position(wanted).expect("it happens");
    let signalled = position(&|t| {
        matches!(
            t.effect,
            Effect::Semaphore {
                index: 253,
                new: 4,
                ..
            }
        ) && t.agent.core() == core(1)
    });
    let satisfied = position(&|t| {
        matches!(
            t.effect,
            Effect::WaitSatisfied {
                index: 253,
                value: 4,
                ..
            }
        )
    });
    assert!(signalled < satisfied);
}

/// [isa-word §6.1], both sides of each compare, and signed against unsigned. [isa-word MC-14]
#[test]
fn waits_compare_as_the_table_says() {
    // mode, threshold, semaphore, unsigned result, signed result
    let rows = [
        (0x01, 4, 4, true, true),
        (0x01, 4, 5, false, false),
        (0x02, 4, 3, true, true),
        (0x02, 4, 4, false, false),
        (0x03, 4, 4, true, true),
        (0x03, 4, 5, false, false),
        (0x04, 4, 4, false, false),
        (0x04, 4, 5, true, true),
        (0x05, 4, 3, false, false),
        (0x05, 4, 4, true, true),
        (0x05, 1, 0xFFFF_FFFF, true, false),
        (0x02, 1, 0x8000_0000, false, true),
    ];
    for (mode, threshold, value, unsigned, signed) in rows {
        for (compare, holds) in [
            (Signedness::Unsigned, unsigned),
            (Signedness::Signed, signed),
        ] {
            for register in [false, true] {
                let mut device = system(
                    Generation::V3,
                    Choices {
                        compare,
                        ..Choices::default()
                    },
                );
                set_semaphore(&mut device, 0, 3, value);
                set_register(&mut device, 0, 63, threshold);
                let word = change(w1(), |word| {
                    word.events.wait_mode = mode | if register { 0x80 } else { 0 };
                    word.events.wait_idx = 3;
                    // The upper 24 bits of a register number are ignored. [isa-word MC-9]
                    word.events.semaphore_value = if register { 0xABCD_EF3F } else { threshold };
                });
                let (status, _) = run(&mut device, &[(0, word)]);
                let expected = if holds {
                    Progress::Idle
                } else {
                    Progress::Blocked
                };
                assert_eq!(
                    status.progress(),
                    expected,
                    "{mode:#x} {threshold} {value:#x} {register}"
                );
            }
        }
    }
}

/// [isa-word §6.1] `REG_OFFSET` on v5, sum modulo 2^32. [isa-word MC-9]
#[test]
fn register_plus_offset_waits() {
    for (register, value, holds) in [(10, 110, true), (10, 109, false), (u32::MAX, 99, true)] {
        let mut device = system(Generation::V5, Choices::default());
        set_register(&mut device, 0, 7, register);
        set_semaphore(&mut device, 0, 3, value);
        let word = change(w1(), |word| {
            word.events.wait_mode = 0x91;
            word.events.wait_idx = 3;
            word.events.semaphore_value = (100 << 8) | 7;
        });
        let (status, _) = run(&mut device, &[(0, word)]);
        let expected = if holds {
            Progress::Idle
        } else {
            Progress::Blocked
        };
        assert_eq!(status.progress(), expected, "{register} {value}");
    }
}

/// [isa-word §6.1] event waits and their `_THEN_` effect.
#[test]
fn event_waits() {
    for (mode, before, holds, after) in [
        (0x06, 1, true, 1),
        (0x06, 0, false, 0),
        (0x07, 1, true, 0),
        (0x07, 0, false, 0),
        (0x0E, 0, true, 0),
        (0x0E, 1, false, 1),
        (0x0F, 0, true, 1),
        (0x0F, 1, false, 1),
    ] {
        let mut device = v3();
        let address = soc::evt_sem(core(0), 4 * 200);
        device
            .write32(address, before, &mut NullSink)
            .expect("an event");
        let word = change(w1(), |word| {
            word.events.wait_mode = mode;
            word.events.wait_idx = 200;
        });
        let (status, _) = run(&mut device, &[(0, word)]);
        let expected = if holds {
            Progress::Idle
        } else {
            Progress::Blocked
        };
        assert_eq!(status.progress(), expected, "{mode:#x} {before}");
        assert_eq!(device.read32(address), Ok(after), "{mode:#x} {before}");
    }
}

/// [isa-word §6.2] every update, its operand and its point.
#[test]
fn updates_change_what_the_table_says_at_their_point() {
    let value = 9;
    // mode, semaphore before, after; the register holds 1000.
    let rows = [
        (0x00, 7, 7),
        (0x03, 7, 8),
        (0x04, 0, u32::MAX),
        (0x05, 7, 16),
        (0x07, 7, u32::MAX - 1),
        (0x09, 7, 9),
        (0x85, 7, 1007),
        (0x87, 7, 7_u32.wrapping_sub(1000)),
        (0x89, 7, 1000),
    ];
    for (mode, before, after) in rows {
        for complete in [false, true] {
            if mode == 0 && complete {
                continue;
            }
            let mut device = v3();
            set_register(&mut device, 0, value, 1000);
            set_semaphore(&mut device, 0, 77, before);
            let word = change(w1(), |word| {
                word.events.update_mode = mode | if complete { 0x10 } else { 0 };
                word.events.update_idx = 77;
                word.events.semaphore_value = value;
            });
            let (_, stream) = run(&mut device, &[(0, word)]);
            assert_eq!(semaphore(&mut device, 0, 77), after, "{mode:#x} {complete}");
            let changes: Vec<usize> = (0..stream.len())
                .filter(|i| matches!(stream[*i].effect, Effect::Semaphore { index: 77, .. }))
                .collect();
            if mode == 0 {
                assert!(changes.is_empty());
                continue;
            }
            let first_write = stream
                .iter()
                .position(|t| matches!(t.effect, Effect::DataWritten { .. }))
                .expect("data is written");
            assert_eq!(changes.len(), 1, "exactly one update");
            assert_eq!(changes[0] > first_write, complete, "{mode:#x}");
        }
    }
    for (mode, before, after) in [(0x01, 0, 1), (0x02, 1, 0), (0x11, 0, 1), (0x12, 1, 0)] {
        let mut device = v3();
        let address = soc::evt_sem(core(0), 4 * 77);
        device
            .write32(address, before, &mut NullSink)
            .expect("an event");
        let word = change(w1(), |word| {
            word.events.update_mode = mode;
            word.events.update_idx = 77;
        });
        run(&mut device, &[(0, word)]);
        assert_eq!(device.read32(address), Ok(after), "{mode:#x}");
    }
}

/// The first failing check wins. [decisions D-44]
#[test]
fn faults_in_their_order() {
    let registers = change(w1(), |word| {
        word.in_dtype = 0;
        word.out_dtype = 0;
        word.src.start_addr.0 = 0x8000_0001;
        word.dst.start_addr.0 = 0x8000_0002;
    });
    assert_eq!(fault_of(registers).0, FaultClass::Dtype);

    let misaligned = change(w1(), |word| word.src.start_addr.0 = 0x8000_0001);
    let mut device = v3();
    set_register(&mut device, 0, 1, 0x1001);
    assert_eq!(
        fault_on(&mut device, misaligned).0,
        FaultClass::RegisterAddress
    );
    let mut device = v3();
    set_register(&mut device, 0, 1, 0x2000_0000);
    let (class, detail) = fault_on(&mut device, misaligned);
    assert_eq!(class, FaultClass::RegisterAddress);
    assert!(detail.contains("0x20000000"), "{detail}");
    let mut device = v3();
    set_register(&mut device, 0, 1, 0x0200_0000);
    assert_eq!(
        fault_on(&mut device, misaligned).0,
        FaultClass::RegisterAddress
    );

    let shape = change(w1(), |word| word.dst.start_addr.0 = 0x4000_1000);
    assert_eq!(fault_of(shape).0, FaultClass::ShapeRegister);

    for (mask, legal) in [
        (0, false),
        (0x7, false),
        (0x8001, true),
        (0xFFFF, true),
        (0xFFF0_0001, true),
    ] {
        let mut device = v3();
        let register = soc::local_reg(core(0), 0x1000 + 0x20 * 48);
        device
            .write32(register, mask, &mut NullSink)
            .expect("a context register");
        let (status, _) = run(&mut device, &[(0, w1())]);
        let found = status.faults().next().map(|(_, fault)| fault.class);
        assert_eq!(found, (!legal).then_some(FaultClass::BadMask), "{mask:#x}");
    }
    let mut v5 = system(Generation::V5, Choices::default());
    v5.write32(
        soc::local_reg(core(0), 0x1000 + 0x20 * 48),
        0x100,
        &mut NullSink,
    )
    .expect("a context register");
    assert_eq!(fault_on(&mut v5, w1()).0, FaultClass::BadMask);

    let mismatch = change(w1(), |word| word.dst.num_elem = [63, 1, 1]);
    assert_eq!(fault_of(mismatch).0, FaultClass::NelemMismatch);
}

/// Both sides of each border. [decisions D-3]
#[test]
fn state_buffer_range() {
    let active = 0x3_8000;
    let at = |offset: u32, partition: u32, channels: u8| {
        change(w1(), |word| {
            word.src.start_addr.0 = partition * 0x4_0000 + offset;
            word.num_active_channels = channels;
        })
    };
    for (word, legal) in [
        (at(active - 128, 0, 1), true),
        (at(active - 126, 0, 1), false),
        (at(active, 0, 1), false),
        (at(0, 127, 1), true),
        (at(0, 127, 2), false),
        (at(0, 64, 64), true),
        (at(0, 65, 64), false),
    ] {
        let word = change(word, |word| word.dst.start_addr.0 = 0);
        let (status, _) = run(&mut v3(), &[(0, word)]);
        let found = status.faults().next().map(|(_, fault)| fault.class);
        assert_eq!(found, (!legal).then_some(FaultClass::SbufRange));
    }
}

/// [decisions D-2], [isa-word MC-19]
#[test]
fn overlap_on_one_core() {
    let to = |offset: u32, partition: u32, step: i16| {
        change(w1(), |word| {
            word.lnc_size_fmt = 0;
            word.num_active_channels = 4;
            word.src.step_elem[0] = step;
            word.dst.step_elem[0] = step;
            word.dst.start_addr.0 = partition * 0x4_0000 + offset;
        })
    };
    for (word, legal) in [
        (to(128, 0, 1), true),
        (to(126, 0, 1), false),
        (to(0, 3, 1), false),
        (to(0, 4, 1), true),
        // Interleaved: every second element, shifted by one.
        (to(2, 0, 2), true),
        (to(4, 0, 2), false),
    ] {
        let (status, _) = run(&mut v3(), &[(0, word)]);
        let found = status.faults().next().map(|(_, fault)| fault.class);
        assert_eq!(found, (!legal).then_some(FaultClass::Overlap));
    }
    let mut device = system(
        Generation::V3,
        Choices {
            overlap: Overlap::ReadFirst,
            ..Choices::default()
        },
    );
    let source: Vec<u8> = (0..=255).collect();
    device.load(sbuf(0, 0, 0), &source).expect("active bytes");
    let (status, _) = run(&mut device, &[(0, to(2, 0, 1))]);
    assert_eq!(status.progress(), Progress::Idle);
    let mut found = vec![0; 130];
    device
        .dump(sbuf(0, 0, 0), &mut found)
        .expect("active bytes");
    assert_eq!(found[2..], source[..128]);
}

#[test]
fn words_that_never_start() {
    let opcode = |byte: u8| change(w1(), |word| word.header.opcode = byte);
    assert_eq!(fault_of(opcode(0xBC)).0, FaultClass::BadOpcode);
    assert_eq!(fault_of(opcode(0xC0)).0, FaultClass::PseudoOpcode);
    assert_eq!(fault_of(opcode(0xC8)).0, FaultClass::PseudoOpcode);
    let (class, detail) = fault_of(change(w1(), |word| word.num_active_channels = 129));
    assert_eq!(class, FaultClass::BadOperand);
    assert!(detail.contains("check_active_ports"), "{detail}");
    let register = change(w1(), |word| {
        word.events.update_mode = 0x95;
        word.events.semaphore_value = 64;
    });
    assert_eq!(fault_of(register).0, FaultClass::BadRegister);
    let mut v2 = system(Generation::V2, Choices::default());
    assert_eq!(fault_on(&mut v2, w1()).0, FaultClass::BadOpcode);
    let mut device = v3();
    assert!(matches!(
        device.issue(core(0), &opcode(0x45)),
        Err(DeviceError::NotExecuted { opcode: 0x45, .. })
    ));
    assert!(matches!(
        device.issue(core(5), &w1()),
        Err(DeviceError::NoCore { .. })
    ));
}

#[test]
fn topologies() {
    let with = |cores: &[u8]| {
        System::new(Topology {
            generation: Generation::V3,
            cores: cores.iter().map(|n| core(*n)).collect(),
            choices: Choices::default(),
        })
        .map(|_| ())
    };
    assert_eq!(with(&[]), Err(TopologyError::NoCores));
    assert_eq!(with(&[3, 1, 3]), Err(TopologyError::Twice(core(3))));
    assert_eq!(with(&[7]), Ok(()));
}

/// [soc-address MC-10]
#[test]
fn holes_of_the_state_buffer_read_zero_and_drop_writes() {
    let mut device = v3();
    device
        .load(sbuf(0, 3, 0x3_7FFE), &[1, 2, 3, 4])
        .expect("inside the window");
    let mut found = [9; 4];
    device
        .dump(sbuf(0, 3, 0x3_7FFE), &mut found)
        .expect("inside the window");
    assert_eq!(found, [1, 2, 0, 0]);
    assert_eq!(device.core(core(0)).hole_accesses, 1);
    assert!(
        device.load(sbuf(0, 127, 0x3_FFFF), &[0, 0]).is_err(),
        "leaves the window"
    );
    assert!(
        device.load(soc::evt_sem(core(0), 0), &[0]).is_err(),
        "no memory"
    );
}

#[test]
fn registers_answer_where_they_are_and_nowhere_else() {
    let mut device = v3();
    set_register(&mut device, 1, 0, 0xDEAD_BEEF);
    assert_eq!(
        device.read32(soc::local_reg(core(1), 0xA000)),
        Ok(0xDEAD_BEEF)
    );
    assert_eq!(device.read32(soc::local_reg(core(0), 0xA000)), Ok(0));
    assert_eq!(
        device.read32(soc::local_reg(core(0), 0x1000 + 0x20 * 53)),
        Ok(252)
    );
    // The control block of EVT_SEM. [decisions D-18]
    let threshold = soc::local_reg(core(1), 0x7804);
    assert_eq!(device.read32(threshold), Ok(u32::MAX));
    device
        .write32(threshold, 7, &mut NullSink)
        .expect("the control block answers");
    assert_eq!(device.read32(threshold), Ok(7));
    assert_eq!(device.core(core(1)).evt_sem.control().threshold_high, 7);
    assert!(device.read32(soc::local_reg(core(1), 0x7802)).is_err());
    for offset in [0xA0FC_u32 + 4, 0xA002, 0x9FFC, 0x1000 + 0x20 * 48 + 4] {
        assert!(
            device.read32(soc::local_reg(core(0), offset)).is_err(),
            "{offset:#x}"
        );
    }
    assert!(device.read32(SocAddr(0)).is_err());
    assert!(device.read32(soc::evt_sem(core(0), 2)).is_err());
}

#[test]
fn reset_gives_the_state_after_power_on() {
    let mut device = v3();
    let fresh = run(&mut v3(), &[(0, w1())]);
    set_register(&mut device, 0, 3, 5);
    device
        .load(sbuf(0, 0, 0), &[1, 2, 3])
        .expect("active bytes");
    run(&mut device, &[(0, w1()), (1, w1())]);
    device.reset();
    assert_eq!(device.now().0, 0);
    assert_eq!(run(&mut device, &[(0, w1())]), fresh);
}

/// A budget cut into single ticks gives the same stream.
#[test]
fn advancing_in_pieces_is_advancing() {
    let programs = [(0, w1()), (1, w1())];
    let whole = run(&mut v3(), &programs).1;
    let mut device = v3();
    for (number, word) in &programs {
        device
            .issue(core(*number), word)
            .expect("the word is accepted");
    }
    let mut pieces = Vec::new();
    while device
        .advance(1, &mut pieces)
        .expect("the model does not stop")
        .progress()
        == Progress::Running
    {}
    assert_eq!(pieces, whole);
}
