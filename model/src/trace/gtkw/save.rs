// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The text of a save file.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::filter::Filter;
use super::rows::{Colour, Glance, OVERVIEW, OVERVIEW_BANK, OVERVIEW_END, SECTIONS, Section, Show};
use crate::time::Tick;
use crate::trace::vcd::VcdError;
use crate::trace::wave::{CoreLayout, ROOT, WaveLayout};
use crate::transaction::CoreId;

/// Trace flags of the save file format.
mod flag {
    pub const HEX: u32 = 1 << 1;
    pub const DECIMAL: u32 = 1 << 2;
    pub const BINARY: u32 = 1 << 3;
    pub const RIGHT: u32 = 1 << 5;
    pub const BLANK: u32 = 1 << 9;
    pub const SIGNED: u32 = 1 << 10;
    pub const FILTERED: u32 = 1 << 13;
    pub const CLOSED: u32 = 1 << 22;
    pub const GROUP_BEGIN: u32 = 1 << 23;
    pub const GROUP_END: u32 = 1 << 24;
}

/// Window, its parts left of the waves, and the waves, in pixels.
const WINDOW: (u32, u32) = (1600, 1000);
const TREE_WIDTH: u32 = 270;
const NAMES_WIDTH: u32 = 330;
const WAVES_WIDTH: f64 = 950.0;

/// A zoom of 0 shows one unit of time in so many pixels; each step of 1 doubles the time.
const ZOOM_PIXELS: f64 = 200.0;

/// Scope of semaphores and events below a core.
const BANK_SCOPE: &str = "evt_sem";

/// Runs of up to this many ticks are shown whole: enough for two legs over all partitions.
const WHOLE_TICKS: u64 = 1000;

/// Ticks shown of longer runs, and how many of them before the point of interest.
const PART_TICKS: u64 = 200;
const LEAD_IN: u64 = 20;

/// Names of the marks that a file has: A to Z.
const MARKS: usize = 26;

/// The filter with the addresses of one run: key and name, a line each.
#[must_use]
pub fn places_text(layout: &WaveLayout) -> String {
    let mut text = String::new();
    for (address, place) in &layout.places {
        writeln!(text, "{address:016x} {place}").expect("writing to a String cannot fail");
    }
    text
}

/// The save file `save_name` of the trace `trace_name`, with filters from `filter_folder`; all names
/// are relative to the folder of the save file. `places_name` is the file of [`places_text`].
///
/// # Errors
/// None for a layout that a waveform was written with.
pub fn save_text(
    layout: &WaveLayout,
    trace_name: &str,
    save_name: &str,
    filter_folder: &str,
    places_name: &str,
) -> Result<String, VcdError> {
    let mut save = Save {
        text: String::new(),
        widths: layout.variables()?.into_iter().collect(),
        filter_folder,
        places_name,
        numbers: BTreeMap::new(),
    };
    save.head(layout, trace_name, save_name);
    save.signal(&format!("{ROOT}.tick"), None, Show::Decimal, None);
    for (&core, shown) in &layout.cores {
        let path = layout.core_path(core);
        save.group(&core.to_string(), false, |save| {
            save.glances(&path, &OVERVIEW);
            if shown.semaphores.len() + shown.events.len() <= OVERVIEW_BANK {
                save.bank(&path, shown, true);
            }
            save.glances(&path, &OVERVIEW_END);
            save.group(&format!("{core} in detail"), true, |save| {
                for section in &SECTIONS {
                    save.section(&path, core, section, shown);
                }
            });
        });
    }
    Ok(save.text)
}

struct Save<'a> {
    text: String,
    widths: BTreeMap<String, u32>,
    filter_folder: &'a str,
    places_name: &'a str,
    /// Filters by file name, numbered from 1 in the order of their first use.
    numbers: BTreeMap<String, usize>,
}

impl Save<'_> {
    fn line(&mut self, line: fmt::Arguments) {
        self.text
            .write_fmt(line)
            .expect("writing to a String cannot fail");
        self.text.push('\n');
    }

    fn head(&mut self, layout: &WaveLayout, trace_name: &str, save_name: &str) {
        let marks = layout.landmarks;
        let begin = marks.first.unwrap_or_default();
        let end = marks.last + 1;
        let whole = end.0 - begin.0.min(end.0) <= WHOLE_TICKS;
        let (from, to) = if whole {
            (Tick(begin.0.saturating_sub(1)), end + 1)
        } else {
            let interest = marks.fault.or(marks.leg).unwrap_or(begin);
            let from = Tick(interest.0.saturating_sub(LEAD_IN));
            (from, from + PART_TICKS)
        };
        let span = to.picoseconds() - from.picoseconds();
        #[expect(clippy::cast_precision_loss, reason = "a zoom needs no exact number")]
        let zoom = (span.max(1) as f64 * ZOOM_PIXELS / WAVES_WIDTH).log2();
        // The names' column shows the values at the primary mark: those of the end of its tick.
        let primary = marks.fault.or(marks.leg).unwrap_or(begin) + 1;
        let named: Vec<(Tick, &str)> = [
            (marks.leg, "first leg"),
            (marks.fault, "first fault"),
            (Some(end), "end"),
        ]
        .into_iter()
        .filter_map(|(tick, name)| Some((tick?, name)))
        .collect();

        self.line(format_args!("[*] sb2sb"));
        self.line(format_args!("[dumpfile] \"{trace_name}\""));
        self.line(format_args!("[savefile] \"{save_name}\""));
        self.line(format_args!("[timestart] {}", from.picoseconds()));
        self.line(format_args!("[size] {} {}", WINDOW.0, WINDOW.1));
        self.line(format_args!("[pos] -1 -1"));
        let mut zoom_line = format!("*{:.6} {}", -zoom, primary.picoseconds() - 1);
        for mark in 0..MARKS {
            match named.get(mark) {
                Some((tick, _)) => write!(zoom_line, " {}", tick.picoseconds()),
                None => write!(zoom_line, " -1"),
            }
            .expect("writing to a String cannot fail");
        }
        self.line(format_args!("{zoom_line}"));
        for (letter, (_, name)) in ('A'..='Z').zip(&named) {
            self.line(format_args!("[markername] {letter}{name}"));
        }
        self.line(format_args!("[treeopen] {ROOT}."));
        let mut opened = String::new();
        for &core in layout.cores.keys() {
            let path = layout.core_path(core);
            for (end, _) in path.match_indices('.').skip(1) {
                let scope = &path[..=end];
                if !opened.contains(&format!("\n{scope}\n")) {
                    writeln!(opened, "\n{scope}").expect("writing to a String cannot fail");
                    self.line(format_args!("[treeopen] {scope}"));
                }
            }
        }
        self.line(format_args!("[sst_width] {TREE_WIDTH}"));
        self.line(format_args!("[signals_width] {NAMES_WIDTH}"));
        self.line(format_args!("[sst_expanded] 1"));
        self.line(format_args!("[sst_vpaned_height] {}", WINDOW.1 / 3));
    }

    fn group(&mut self, title: &str, closed: bool, inside: impl FnOnce(&mut Self)) {
        let closed = if closed { flag::CLOSED } else { 0 };
        self.line(format_args!(
            "@{:x}",
            flag::BLANK | flag::GROUP_BEGIN | closed
        ));
        self.line(format_args!("-{title}"));
        inside(self);
        self.line(format_args!(
            "@{:x}",
            flag::BLANK | flag::GROUP_END | closed
        ));
        self.line(format_args!("-{title}"));
    }

    fn glances(&mut self, core_path: &str, glances: &[Glance]) {
        for glance in glances {
            let path = format!("{core_path}.{}", glance.path);
            self.signal(&path, Some(glance.alias), glance.show, Some(glance.colour));
        }
    }

    fn section(&mut self, core_path: &str, core: CoreId, section: &Section, shown: &CoreLayout) {
        self.group(&format!("{core} {}", section.title), false, |save| {
            for (name, show) in section.rows {
                let path = format!("{core_path}.{}.{name}", section.scope);
                save.signal(&path, None, *show, Some(section.colour));
            }
            if section.scope == BANK_SCOPE {
                save.bank(core_path, shown, false);
            }
        });
    }

    /// The semaphores and events of a core.
    fn bank(&mut self, core_path: &str, shown: &CoreLayout, short: bool) {
        let semaphores = shown
            .semaphores
            .keys()
            .map(|index| (format!("sem{index:03}"), Show::Decimal));
        let events = shown
            .events
            .keys()
            .map(|index| (format!("evt{index:03}"), Show::Plain));
        for (name, show) in semaphores.chain(events) {
            let path = format!("{core_path}.{BANK_SCOPE}.{name}");
            self.signal(&path, short.then_some(&*name), show, Some(Colour::Violet));
        }
    }

    fn signal(&mut self, path: &str, alias: Option<&str>, show: Show, colour: Option<Colour>) {
        let flags = match show {
            Show::Hex => flag::HEX | flag::RIGHT,
            Show::Decimal => flag::DECIMAL | flag::RIGHT,
            Show::Signed => flag::DECIMAL | flag::SIGNED | flag::RIGHT,
            Show::Plain => flag::BINARY | flag::RIGHT,
            Show::Named(_) | Show::Place => flag::HEX | flag::RIGHT | flag::FILTERED,
        };
        self.line(format_args!("@{flags:x}"));
        let filter = match show {
            Show::Named(filter) => Some(self.filter_path(filter)),
            Show::Place => Some(format!("{}/{}", self.filter_folder, self.places_name)),
            _ => None,
        };
        if let Some(file) = filter {
            let next = self.numbers.len() + 1;
            let number = *self.numbers.entry(file.clone()).or_insert(next);
            self.line(format_args!("^{number} {file}"));
        }
        if let Some(colour) = colour {
            self.line(format_args!("[color] {}", colour as u8));
        }
        let range = match self.widths.get(path) {
            Some(width) if *width > 1 => format!("[{}:0]", width - 1),
            _ => String::new(),
        };
        match alias {
            Some(alias) => self.line(format_args!("+{{{alias}}} {path}{range}")),
            None => self.line(format_args!("{path}{range}")),
        }
    }

    fn filter_path(&self, filter: Filter) -> String {
        format!("{}/{}", self.filter_folder, filter.file_name())
    }
}
