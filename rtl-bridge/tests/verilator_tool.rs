// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the build script reads from Verilator's output.

#[path = "../build/verilator.rs"]
mod verilator;

use verilator::{MINIMUM, Verilator, Version, parse_classes, parse_version, run};

#[test]
fn releases_are_read_and_compared_as_numbers() {
    assert_eq!(
        parse_version("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)\n"),
        Some(Version(5, 6))
    );
    assert_eq!(
        parse_version("Verilator 5.052 2026-09-05 rev v5.052"),
        Some(Version(5, 52))
    );
    assert_eq!(
        parse_version("Verilator 4.228 2022-10-01 rev UNKNOWN"),
        Some(Version(4, 228))
    );
    assert_eq!(
        parse_version("Verilator 5.031 devel rev v5.030-1"),
        Some(Version(5, 31))
    );
    for text in [
        "",
        "Verilator",
        "Verilator five",
        "verilator: not found",
        "Icarus Verilog version 11.0",
    ] {
        assert_eq!(parse_version(text), None, "{text}");
    }
    assert!(Version(4, 228) < MINIMUM && Version(5, 5) < MINIMUM && Version(6, 0) > MINIMUM);
    assert_eq!(MINIMUM.to_string(), "5.006");
}

#[test]
fn the_class_list_is_read_in_full() {
    let text = "VM_TRACE = 0\nVM_CLASSES_FAST += \\\n\tVa \\\n\tVa__0 \\\n\nVM_CLASSES_SLOW += \\\n  Va__Slow \\\n\n\
                VM_SUPPORT_FAST += \\\n\nVM_SUPPORT_SLOW += \\\n\tVa__Syms \\\n\n\
                VM_GLOBAL_FAST += \\\n\tverilated \\\n\tverilated_threads \\\n\nVM_GLOBAL_SLOW += \\\n\n";
    let list = parse_classes(text);
    assert_eq!(
        list.generated.into_iter().collect::<Vec<_>>(),
        ["Va", "Va__0", "Va__Slow", "Va__Syms"]
    );
    assert_eq!(
        list.runtime.into_iter().collect::<Vec<_>>(),
        ["verilated", "verilated_threads"]
    );
}

#[test]
fn a_failing_command_is_shown_with_arguments_status_and_standard_error() {
    let message =
        run(std::process::Command::new("sh").args(["-c", "echo out; echo why >&2; exit 3"]))
            .unwrap_err();
    assert!(
        message.contains("\"sh\" \"-c\"") && message.contains("exit status: 3"),
        "{message}"
    );
    assert!(
        message.contains("why") && !message.contains("\nout"),
        "{message}"
    );
    let message = run(&mut std::process::Command::new("no-such-program-here")).unwrap_err();
    assert!(
        message.starts_with("cannot start \"no-such-program-here\""),
        "{message}"
    );
}

#[test]
fn the_tool_that_built_this_crate_is_found_with_its_runtime() {
    let tool = Verilator::find().unwrap();
    assert!(tool.include().join("verilated.cpp").is_file());
    let release = tool.version().to_string();
    assert!(
        run(tool.command().arg("--version"))
            .unwrap()
            .contains(&release)
    );
    assert!(rtl_bridge::simulator_version().starts_with(&release));
}
