// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb man`: manual pages.

use std::fs;
use std::path::PathBuf;

use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::args::Cli;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::replace_file;

const EXAMPLES: &str = "\
Examples:
  sb2sb man | man -l -
  sb2sb man --dir ~/.local/share/man/man1";

/// Options of `man`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Write one page a command into this folder, which is made if need be
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut pages = Vec::new();
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    collect(&command, &mut pages)?;
    match &args.dir {
        None => {
            for (_, page) in &pages {
                console.print_bytes(page)?;
            }
        }
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| Failure::Write {
                path: folder.clone(),
                error,
            })?;
            for (name, page) in &pages {
                replace_file(&folder.join(name), page)?;
            }
        }
    }
    Ok(Exit::Success)
}

/// File name and text of the command's page and of those below it.
fn collect(command: &clap::Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<(), Failure> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page).map_err(Failure::Output)?;
    pages.push((man.get_filename(), page));
    for subcommand in command.get_subcommands() {
        collect(subcommand, pages)?;
    }
    Ok(())
}
