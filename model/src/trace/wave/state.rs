// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The states of a sequencer as a waveform shows them.

use std::fmt;

/// What the sequencer of a core does.
///
/// | state | entered by | left by |
/// |---|---|---|
/// | idle | reset, the tick after a completion | the next fetch |
/// | fetch | `Fetch` | the first wait or the dispatch |
/// | wait | `WaitBegin` | `Dispatch` |
/// | dispatch | `Dispatch` | the leg or the completion |
/// | copy | `LegBegin` | `Complete` |
/// | update | `Complete` | the next tick |
/// | halted | the end of the program | never |
/// | faulted | `Fault` | never |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SequencerState {
    /// No word is being executed.
    Idle,
    /// A word was taken from the program.
    Fetch,
    /// The EVENTS wait is looked at.
    Wait,
    /// The word was handed over for execution.
    Dispatch,
    /// A leg moves data.
    Copy,
    /// The word is finished and its updates fire.
    Update,
    /// The program has ended.
    Halted,
    /// Execution stopped with a fault.
    Faulted,
}

impl SequencerState {
    /// All states; the position is the number in a waveform.
    pub const ALL: [Self; 8] = [
        Self::Idle,
        Self::Fetch,
        Self::Wait,
        Self::Dispatch,
        Self::Copy,
        Self::Update,
        Self::Halted,
        Self::Faulted,
    ];

    /// Width of the variable, in bits.
    pub const BITS: u32 = 3;

    /// The number in a waveform.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Idle => 0,
            Self::Fetch => 1,
            Self::Wait => 2,
            Self::Dispatch => 3,
            Self::Copy => 4,
            Self::Update => 5,
            Self::Halted => 6,
            Self::Faulted => 7,
        }
    }

    /// Lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Fetch => "fetch",
            Self::Wait => "wait",
            Self::Dispatch => "dispatch",
            Self::Copy => "copy",
            Self::Update => "update",
            Self::Halted => "halted",
            Self::Faulted => "faulted",
        }
    }
}

impl fmt::Display for SequencerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
