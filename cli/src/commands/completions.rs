// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb completions`: completion scripts.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::Cli;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  sb2sb completions bash > ~/.local/share/bash-completion/completions/sb2sb
  sb2sb completions zsh  > ~/.zfunc/_sb2sb
  sb2sb completions fish > ~/.config/fish/completions/sb2sb.fish";

/// Options of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sb2sb", &mut script);
    console.print_bytes(&script)?;
    Ok(Exit::Success)
}
