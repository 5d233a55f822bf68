// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Whatever ends a simulation becomes an error that says what, where and why, and leaves other instances
//! of the same thread alone.

use std::thread;

use rtl_bridge::fault_probe::{Command, FaultProbe};
use rtl_bridge::{DeviceFault, FaultKind, RtlError, simulator_version};

fn fault(result: Result<u32, RtlError>) -> DeviceFault {
    match result {
        Err(RtlError::Device(fault)) => *fault,
        other => panic!("expected a device fault, got {other:?}"),
    }
}

/// Line of the probe's source that holds `text`.
fn line_of(text: &str) -> u32 {
    let source = include_str!("hdl/fault_probe.sv");
    let position = source.lines().position(|line| line.contains(text));
    position.expect("the probe has this line") as u32 + 1
}

fn assert_place(fault: &DeviceFault, source: &str) {
    assert_eq!(fault.file, "fault_probe.sv", "{fault:?}");
    assert_eq!(fault.hierarchy, "fault_probe", "{fault:?}");
    assert_eq!(fault.line, line_of(source), "{fault:?}");
}

/// 5.006 announces `$fatal` as an error.
fn kind_of_fatal() -> FaultKind {
    if simulator_version().starts_with("5.006") {
        FaultKind::Error
    } else {
        FaultKind::Fatal
    }
}

#[test]
fn without_a_fault_the_probe_is_a_register() {
    let mut probe = FaultProbe::new().unwrap();
    assert_eq!(probe.step(Command::None, &[7, 9]), Ok(9));
    assert_eq!(probe.step(Command::LabelledAssertion, &[4]), Ok(4));
    assert_eq!(probe.step(Command::PlainAssertion, &[6]), Ok(6));
}

#[test]
fn each_stop_is_an_error_with_its_place_and_text() {
    let cases = [
        (Command::Stop, FaultKind::Stop, "$stop;", ""),
        (
            Command::Error,
            FaultKind::Error,
            "$error(\"value %0d is refused",
            "value 41 is refused",
        ),
        (
            Command::Fatal,
            kind_of_fatal(),
            "$fatal(",
            "value 41 is the end",
        ),
        (
            Command::LabelledAssertion,
            FaultKind::Error,
            "is_even: assert",
            "value 41 is odd",
        ),
        (
            Command::PlainAssertion,
            FaultKind::Error,
            "4'd5: assert",
            "'assert' failed",
        ),
    ];
    for (command, kind, source, text) in cases {
        let mut probe = FaultProbe::new().unwrap();
        let fault = fault(probe.step(command, &[41]));
        assert_eq!(fault.kind, kind, "{fault:?}");
        assert_place(&fault, source);
        assert!(fault.text.contains(text), "{fault:?}");
        let shown = RtlError::Device(Box::new(fault)).to_string();
        assert!(
            shown.contains("fault_probe.sv:") && shown.contains(text),
            "{shown}"
        );
    }
}

#[test]
fn a_stop_loses_no_write_and_the_instance_goes_on() {
    let mut probe = FaultProbe::new().unwrap();
    for command in [
        Command::Stop,
        Command::Error,
        Command::Fatal,
        Command::PlainAssertion,
    ] {
        fault(probe.step(command, &[13]));
        assert_eq!(
            probe.value(),
            13,
            "{command:?}: the evaluation was cut short"
        );
        assert!(!probe.is_dead());
        assert_eq!(probe.step(Command::None, &[2]), Ok(2));
    }
}

#[test]
fn finish_ends_the_instance() {
    let mut probe = FaultProbe::new().unwrap();
    let fault = fault(probe.step(Command::Finish, &[1]));
    assert_eq!(fault.kind, FaultKind::Finish);
    assert_place(&fault, "$finish;");
    assert!(probe.is_dead());
    let Err(RtlError::Refused(why)) = probe.step(Command::None, &[2]) else {
        panic!("a dead instance took a call");
    };
    assert!(why.contains("dead") && why.contains("$finish"), "{why}");
}

#[test]
fn logic_that_never_settles_ends_the_instance() {
    let mut probe = FaultProbe::new().unwrap();
    let fault = fault(probe.step(Command::Oscillate, &[1]));
    assert_eq!(fault.kind, FaultKind::Runtime);
    assert!(
        fault.text.to_lowercase().contains("did not converge"),
        "{fault:?}"
    );
    // 5.006 gives the file, later releases none; the top is named in any case.
    assert!(["", "fault_probe.sv"].contains(&&*fault.file), "{fault:?}");
    assert_eq!(fault.hierarchy, "fault_probe");
    assert!(probe.is_dead());
    assert!(matches!(
        probe.step(Command::None, &[2]),
        Err(RtlError::Refused(_))
    ));
}

#[test]
fn other_instances_of_the_thread_go_on() {
    let mut bystander = FaultProbe::new().unwrap();
    assert_eq!(bystander.step(Command::None, &[1]), Ok(1));
    for command in [
        Command::Stop,
        Command::Fatal,
        Command::Finish,
        Command::Oscillate,
    ] {
        let mut victim = FaultProbe::new().unwrap();
        fault(victim.step(command, &[3]));
        assert_eq!(bystander.step(Command::None, &[5]), Ok(5), "{command:?}");
        drop(victim);
        assert_eq!(bystander.step(Command::None, &[6]), Ok(6), "{command:?}");
        assert!(!bystander.is_dead());
    }
}

#[test]
fn the_item_of_the_batch_is_named_and_the_rest_is_not_evaluated() {
    let mut probe = FaultProbe::new().unwrap();
    let fault = fault(probe.step(Command::PlainAssertion, &[2, 4, 5, 6]));
    assert_eq!(fault.item, 2);
    assert_eq!(probe.value(), 5);
}

#[test]
fn what_the_design_prints_is_in_the_fault_and_does_not_grow_without_end() {
    let mut probe = FaultProbe::new().unwrap();
    assert_eq!(probe.step(Command::Display, &vec![123; 100_000]), Ok(123));
    let fault = fault(probe.step(Command::Error, &[8]));
    assert!(
        !fault.text.contains("is shown"),
        "text of an earlier call: {fault:?}"
    );
}

#[test]
fn faults_on_many_threads_do_not_mix() {
    thread::scope(|scope| {
        for thread in 0..8_u32 {
            scope.spawn(move || {
                let mut probe = FaultProbe::new().unwrap();
                for round in 0..200 {
                    let value = 1000 * thread + round;
                    let fault = fault(probe.step(Command::Error, &[value]));
                    assert!(
                        fault.text.contains(&format!("value {value} is refused")),
                        "{fault:?}"
                    );
                }
            });
        }
    });
}

#[test]
fn an_instance_can_move_between_threads() {
    let mut probe = FaultProbe::new().unwrap();
    for value in 0..8 {
        probe = thread::scope(|scope| {
            let moved = scope.spawn(move || {
                assert_eq!(probe.step(Command::None, &[value]), Ok(value));
                probe
            });
            moved.join().unwrap()
        });
    }
    assert_eq!(
        fault(probe.step(Command::Error, &[77])).kind,
        FaultKind::Error
    );
}
