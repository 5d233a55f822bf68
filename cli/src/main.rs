// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The `sb2sb` command.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use sb2sb_cli::{Console, Exit, Style};

/// A panic is a defect of this program; scripts see it as a device that stopped by itself.
fn main() -> ExitCode {
    std::panic::catch_unwind(run).unwrap_or(Exit::Device).into()
}

fn run() -> Exit {
    let style = Style::for_stream(io::stderr().is_terminal());
    let (input, errors) = (io::stdin().lock(), io::stderr().lock());
    let mut console = Console::new(input, io::stdout().lock(), errors, style);
    sb2sb_cli::main(std::env::args_os(), &mut console)
}
