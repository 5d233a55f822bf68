// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The `sb2sb` command.

use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use sb2sb_cli::{ClosedOutput, Console, Exit, Style};

/// Whether the process was started without a standard output.
static OUTPUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// The runtime opens /dev/null in the place of a closed standard output, and everything printed would
/// be lost in silence. This runs before it does. Where the system does not list the descriptors of a
/// process, nothing is known and nothing is said.
#[ctor::ctor(unsafe)]
fn look_at_standard_output() {
    let descriptors = Path::new("/proc/self/fd");
    let closed = descriptors.is_dir() && std::fs::symlink_metadata(descriptors.join("1")).is_err();
    OUTPUT_IS_CLOSED.store(closed, Ordering::Relaxed);
}

/// A panic is a defect of this program; scripts see it as a device that stopped by itself.
fn main() -> ExitCode {
    std::panic::catch_unwind(run).unwrap_or(Exit::Device).into()
}

fn run() -> Exit {
    let style = Style::for_stream(io::stderr().is_terminal());
    let (input, errors) = (io::stdin().lock(), io::stderr().lock());
    let mut console = if OUTPUT_IS_CLOSED.load(Ordering::Relaxed) {
        Console::new(input, ClosedOutput, errors, style)
    } else {
        Console::new(input, io::stdout().lock(), errors, style)
    };
    sb2sb_cli::main(std::env::args_os(), &mut console)
}
