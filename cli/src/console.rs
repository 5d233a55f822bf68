// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The three standard streams, as a command sees them.

use std::env;
use std::error::Error;
use std::fmt;
use std::io::{self, BufWriter, Read, Write};

use clap::builder::StyledStr;

use crate::failure::Failure;

/// Bytes of output that are gathered before they are written.
const OUTPUT_BUFFER: usize = 64 * 1024;

/// Writes text with control characters as `\u001b`, which JSON understands too: what comes out of a
/// file never moves a cursor or changes a colour. Line ends and tabs pass.
struct Printable<'w> {
    out: &'w mut dyn Write,
    error: io::Result<()>,
}

impl fmt::Write for Printable<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.error = self.pieces(text);
        self.error.as_ref().map_err(|_| fmt::Error).copied()
    }
}

impl Printable<'_> {
    fn pieces(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some((at, found)) = rest
            .char_indices()
            .find(|(_, c)| c.is_control() && !matches!(c, '\n' | '\t'))
        {
            self.out.write_all(&rest.as_bytes()[..at])?;
            write!(self.out, "\\u{:04x}", u32::from(found))?;
            rest = &rest[at + found.len_utf8()..];
        }
        self.out.write_all(rest.as_bytes())
    }
}

/// Writes formatted text without control characters.
fn write_printable(out: &mut dyn Write, text: fmt::Arguments<'_>) -> io::Result<()> {
    let mut printable = Printable { out, error: Ok(()) };
    let formatted = fmt::Write::write_fmt(&mut printable, text);
    printable.error?;
    formatted.map_err(|_| io::Error::other("a value could not be formatted"))
}

/// Whether diagnostics are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No escape sequences.
    Plain,
    /// The words `error` and `warning` stand out.
    Coloured,
}

impl Style {
    /// Colours only on a terminal that can show them, and not where `NO_COLOR` is set.
    #[must_use]
    pub fn for_stream(is_terminal: bool) -> Self {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        if is_terminal && !set("NO_COLOR") && !dumb {
            Self::Coloured
        } else {
            Self::Plain
        }
    }

    const fn error(self) -> &'static str {
        match self {
            Self::Plain => "error:",
            Self::Coloured => "\x1b[1;31merror:\x1b[0m",
        }
    }

    const fn warning(self) -> &'static str {
        match self {
            Self::Plain => "warning:",
            Self::Coloured => "\x1b[1;33mwarning:\x1b[0m",
        }
    }
}

/// Standard input, buffered standard output, and standard error for diagnostics.
pub struct Console<'a> {
    input: Box<dyn Read + 'a>,
    out: BufWriter<Box<dyn Write + 'a>>,
    err: Box<dyn Write + 'a>,
    style: Style,
}

impl<'a> Console<'a> {
    /// A console on these streams.
    pub fn new(
        input: impl Read + 'a,
        out: impl Write + 'a,
        err: impl Write + 'a,
        style: Style,
    ) -> Self {
        Self {
            input: Box::new(input),
            out: BufWriter::with_capacity(OUTPUT_BUFFER, Box::new(out)),
            err: Box::new(err),
            style,
        }
    }

    /// Standard input, and the rest of the console beside it.
    pub(crate) fn split(&mut self) -> (&mut dyn Read, Outputs<'_, 'a>) {
        (
            &mut *self.input,
            Outputs {
                out: &mut self.out,
                err: &mut self.err,
                style: self.style,
            },
        )
    }

    fn outputs(&mut self) -> Outputs<'_, 'a> {
        self.split().1
    }

    /// Writes text to standard output.
    pub(crate) fn print(&mut self, text: fmt::Arguments<'_>) -> Result<(), Failure> {
        self.outputs().print(text)
    }

    /// Writes ready bytes to standard output.
    pub(crate) fn print_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.outputs().print_bytes(bytes)
    }

    /// Makes everything printed so far visible.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.outputs().flush()
    }

    /// Reports an error with its causes.
    pub(crate) fn error(&mut self, error: &dyn Error) {
        self.outputs().error(error);
    }

    /// Says something that the user should know.
    pub(crate) fn note(&mut self, text: fmt::Arguments<'_>) {
        self.outputs().diagnose("note:", &text);
    }

    /// Passes on what the argument parser says about a wrong command line.
    pub(crate) fn usage(&mut self, message: &StyledStr) {
        // A diagnostic that cannot be written has nowhere else to go.
        let _ = match self.style {
            Style::Plain => write!(self.err, "{message}"),
            Style::Coloured => write!(self.err, "{}", message.ansi()),
        };
    }
}

/// Standard output and standard error.
pub(crate) struct Outputs<'c, 'a> {
    out: &'c mut BufWriter<Box<dyn Write + 'a>>,
    err: &'c mut Box<dyn Write + 'a>,
    style: Style,
}

impl Outputs<'_, '_> {
    /// Writes text to standard output.
    pub fn print(&mut self, text: fmt::Arguments<'_>) -> Result<(), Failure> {
        write_printable(self.out, text).map_err(output_failure)
    }

    /// Writes ready bytes to standard output.
    pub fn print_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes).map_err(output_failure)
    }

    /// Makes everything printed so far visible.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(output_failure)
    }

    /// Reports an error with its causes, after what was printed before it. A cause that the message
    /// above it ends with is not repeated.
    pub fn error(&mut self, error: &dyn Error) {
        self.diagnose(self.style.error(), error);
        let mut said = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let message = error.to_string();
            if !said.ends_with(&message) {
                let _ = write_printable(self.err, format_args!("  caused by: {message}\n"));
            }
            said = message;
            cause = error.source();
        }
    }

    /// Reports something that does not stop the command.
    pub fn warning(&mut self, text: fmt::Arguments<'_>) {
        self.diagnose(self.style.warning(), &text);
    }

    /// A diagnostic that cannot be written has nowhere else to go, so failures are dropped here.
    fn diagnose(&mut self, label: &str, text: &dyn fmt::Display) {
        let _ = self.out.flush();
        let _ = write!(self.err, "{label} ");
        let _ = write_printable(self.err, format_args!("{text}\n"));
    }
}

fn output_failure(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::ReaderGone
    } else {
        Failure::Output(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_never_sent() {
        let mut out = Vec::new();
        let text = "a\u{1b}[31m\u{85}\u{7f}\tä\n";
        write_printable(&mut out, format_args!("<{text}>\r")).expect("a vector takes everything");
        assert_eq!(
            String::from_utf8(out).expect("text"),
            "<a\\u001b[31m\\u0085\\u007f\tä\n>\\u000d"
        );
    }
}
