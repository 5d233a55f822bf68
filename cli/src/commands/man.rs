// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb man`: manual pages.

use std::fs;
use std::io;
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
    render(command, &man, &mut page).map_err(Failure::Output)?;
    pages.push((man.get_filename(), page));
    for subcommand in command.get_subcommands() {
        collect(subcommand, pages)?;
    }
    Ok(())
}

fn render(command: &clap::Command, man: &Man, page: &mut Vec<u8>) -> io::Result<()> {
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(page)?;
    }
    if let Some(help) = command.get_after_help() {
        page.extend_from_slice(extra_sections(&help.to_string()).as_bytes());
    }
    Ok(())
}

/// The text after the options: indented lines stay as they are, others are filled, and its two
/// headings become sections.
fn extra_sections(help: &str) -> String {
    let mut roff = String::new();
    let mut verbatim = false;
    for line in help.lines() {
        let keep = line.starts_with("  ");
        if keep != verbatim && !line.is_empty() {
            roff.push_str(if keep { ".nf\n" } else { ".fi\n" });
            verbatim = keep;
        }
        if line == "Examples:" {
            roff.push_str(".SH EXAMPLES\n");
        } else if let Some(codes) = line.strip_prefix("Exit codes:") {
            roff.push_str(".SH EXIT STATUS\n");
            roff.push_str(&escape(codes.trim_start()));
        } else if line.is_empty() {
            roff.push_str(if verbatim { "\n" } else { ".PP\n" });
        } else {
            roff.push_str(&escape(line));
        }
    }
    if verbatim {
        roff.push_str(".fi\n");
    }
    roff
}

/// A line of text as roff source; nothing for an empty one.
fn escape(line: &str) -> String {
    if line.is_empty() {
        return String::new();
    }
    let guard = if line.starts_with(['.', '\'']) {
        "\\&"
    } else {
        ""
    };
    let text = line
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('\'', "\\(aq");
    format!("{guard}{text}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_keep_their_lines_and_nothing_is_taken_for_a_request() {
        let help = "Examples:\n  $ a --b 'c\\d'\n  out\n\nNote.\n.x\n\nExit codes: 0 yes.";
        let expected = ".SH EXAMPLES\n.nf\n  $ a \\-\\-b \\(aqc\\ed\\(aq\n  out\n\n.fi\nNote.\n\\&.x\n.PP\n\
                        .SH EXIT STATUS\n0 yes.\n";
        assert_eq!(extra_sections(help), expected);
    }
}
