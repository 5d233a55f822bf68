// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the wave window of a core shows, from top to bottom.

use super::filter::Filter;

/// How a value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    Hex,
    Decimal,
    Signed,
    /// A bit or a string.
    Plain,
    Named(Filter),
    /// An address of a State Buffer by its name.
    Place,
}

/// Colour numbers of the save file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Red = 1,
    Orange = 2,
    Yellow = 3,
    Green = 4,
    Violet = 7,
}

/// A variable in the overview of a core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glance {
    /// Path below the core.
    pub path: &'static str,
    /// What stands in front of it.
    pub alias: &'static str,
    pub show: Show,
    pub colour: Colour,
}

const fn glance(path: &'static str, alias: &'static str, show: Show, colour: Colour) -> Glance {
    Glance {
        path,
        alias,
        show,
        colour,
    }
}

/// What is seen at first, above semaphores and events.
pub(super) const OVERVIEW: [Glance; 13] = [
    glance(
        "seq.state",
        "state",
        Show::Named(Filter::SequencerState),
        Colour::Green,
    ),
    glance("seq.word.text", "word", Show::Plain, Colour::Green),
    glance("log.line", "log", Show::Plain, Colour::Green),
    glance("wait.blocked", "blocked", Show::Plain, Colour::Orange),
    glance(
        "wait.mode",
        "waits for",
        Show::Named(Filter::WaitMode),
        Colour::Orange,
    ),
    glance("wait.index", "number", Show::Decimal, Colour::Orange),
    glance("wait.value", "finds", Show::Decimal, Colour::Orange),
    glance("leg.active", "leg", Show::Plain, Colour::Yellow),
    glance("leg.read", "read", Show::Plain, Colour::Yellow),
    glance("leg.src_address", "read from", Show::Place, Colour::Yellow),
    glance("leg.write", "write", Show::Plain, Colour::Yellow),
    glance("leg.dst_address", "write to", Show::Place, Colour::Yellow),
    glance("seq.complete", "complete", Show::Plain, Colour::Yellow),
];

/// What is seen at first, below semaphores and events.
pub(super) const OVERVIEW_END: [Glance; 4] = [
    glance(
        "evt_sem.last_by",
        "changed by",
        Show::Named(Filter::Master),
        Colour::Violet,
    ),
    glance("evt_sem.error", "count error", Show::Plain, Colour::Violet),
    glance(
        "fault.class",
        "fault",
        Show::Named(Filter::FaultClass),
        Colour::Red,
    ),
    glance("fault.detail", "detail", Show::Plain, Colour::Red),
];

/// Most semaphores and events that the overview of a core takes.
pub(super) const OVERVIEW_BANK: usize = 16;

/// A run of variables below one scope of a core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub title: &'static str,
    pub scope: &'static str,
    pub colour: Colour,
    pub rows: &'static [(&'static str, Show)],
}

/// All variables of a core; semaphores and events follow those of `evt_sem`.
pub(super) const SECTIONS: [Section; 8] = [
    Section {
        title: "sequencer",
        scope: "seq",
        colour: Colour::Green,
        rows: &[
            ("state", Show::Named(Filter::SequencerState)),
            ("busy", Show::Plain),
            ("pc", Show::Decimal),
            ("opcode", Show::Named(Filter::Opcode)),
            ("word.text", Show::Plain),
            ("read_done", Show::Plain),
            ("complete", Show::Plain),
        ],
    },
    Section {
        title: "word",
        scope: "seq.word",
        colour: Colour::Green,
        rows: &[
            ("bytes", Show::Hex),
            ("header_opcode", Show::Named(Filter::Opcode)),
            ("header_inst_word_len", Show::Decimal),
            ("header_debug_cmd", Show::Hex),
            ("header_debug_hint", Show::Hex),
            ("events_wait_mode", Show::Named(Filter::WaitMode)),
            ("events_wait_idx", Show::Decimal),
            ("events_update_mode", Show::Named(Filter::UpdateMode)),
            ("events_update_idx", Show::Decimal),
            ("events_semaphore_value", Show::Decimal),
            ("in_dtype", Show::Named(Filter::DType)),
            ("out_dtype", Show::Named(Filter::DType)),
            ("reserved0", Show::Hex),
            ("src_start_addr", Show::Hex),
            ("src_step_elem0", Show::Signed),
            ("src_step_elem1", Show::Signed),
            ("src_step_elem2", Show::Signed),
            ("src_num_elem0", Show::Decimal),
            ("src_num_elem1", Show::Decimal),
            ("src_num_elem2", Show::Decimal),
            ("lnc_size_fmt", Show::Named(Filter::LncSizeFmt)),
            ("num_active_channels", Show::Decimal),
            ("reserved1", Show::Hex),
            ("dst_start_addr", Show::Hex),
            ("dst_step_elem0", Show::Signed),
            ("dst_step_elem1", Show::Signed),
            ("dst_step_elem2", Show::Signed),
            ("dst_num_elem0", Show::Decimal),
            ("dst_num_elem1", Show::Decimal),
            ("dst_num_elem2", Show::Decimal),
        ],
    },
    Section {
        title: "wait",
        scope: "wait",
        colour: Colour::Orange,
        rows: &[
            ("blocked", Show::Plain),
            ("mode", Show::Named(Filter::WaitMode)),
            ("index", Show::Decimal),
            ("threshold", Show::Decimal),
            ("value", Show::Decimal),
        ],
    },
    Section {
        title: "leg",
        scope: "leg",
        colour: Colour::Yellow,
        rows: &[
            ("active", Show::Plain),
            ("destination", Show::Named(Filter::Core)),
            ("channels", Show::Decimal),
            ("bytes_per_channel", Show::Decimal),
            ("engine_mask", Show::Hex),
            ("read", Show::Plain),
            ("src_address", Show::Place),
            ("src_core", Show::Named(Filter::Core)),
            ("src_partition", Show::Decimal),
            ("src_offset", Show::Hex),
            ("src_bytes", Show::Decimal),
            ("src_data", Show::Hex),
            ("write", Show::Plain),
            ("dst_address", Show::Place),
            ("dst_core", Show::Named(Filter::Core)),
            ("dst_partition", Show::Decimal),
            ("dst_offset", Show::Hex),
            ("dst_bytes", Show::Decimal),
            ("dst_data", Show::Hex),
        ],
    },
    Section {
        title: "semaphores",
        scope: "evt_sem",
        colour: Colour::Violet,
        rows: &[
            ("access", Show::Plain),
            ("last_operation", Show::Named(Filter::EvtSemOperation)),
            ("last_index", Show::Decimal),
            ("last_operand", Show::Decimal),
            ("last_by", Show::Named(Filter::Master)),
            ("overflow", Show::Plain),
            ("underflow", Show::Plain),
            ("event_error", Show::Plain),
            ("error", Show::Plain),
            ("notification", Show::Plain),
            (
                "notification_source",
                Show::Named(Filter::NotificationSource),
            ),
            ("notification_value", Show::Decimal),
        ],
    },
    Section {
        title: "port",
        scope: "port",
        colour: Colour::Orange,
        rows: &[
            ("fault", Show::Plain),
            ("fault_class", Show::Named(Filter::AddressFault)),
            ("fault_address", Show::Hex),
            ("fault_window", Show::Decimal),
        ],
    },
    Section {
        title: "fault",
        scope: "fault",
        colour: Colour::Red,
        rows: &[
            ("class", Show::Named(Filter::FaultClass)),
            ("detail", Show::Plain),
            ("pc", Show::Decimal),
        ],
    },
    Section {
        title: "log",
        scope: "log",
        colour: Colour::Green,
        rows: &[("line", Show::Plain), ("count", Show::Decimal)],
    },
];
