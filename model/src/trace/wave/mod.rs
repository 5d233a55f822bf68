// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transaction stream as a waveform, one scope a core.
//!
//! | scope below `sb2sb.chipC.dieD.coreN` | shows |
//! |---|---|
//! | `seq` | state of the sequencer, program index, opcode, strobes |
//! | `seq.word` | the 64 bytes and every field of the word [isa-word §1] |
//! | `wait` | the wait that is looked at, and whether it blocks |
//! | `leg` | the running leg and its accesses to State Buffers |
//! | `evt_sem` | semaphores and events that the run touches, the last operation on them and who asked for it, over- and underflows, doubly set or cleared events, notifications |
//! | `port` | accesses that did not do what their addresses say: windows missed or hit twice, holes |
//! | `fault`, `log` | class and text of a fault; lines of the firmware log |
//!
//! # Time
//!
//! A tick is [`Tick::PICOSECONDS`](crate::time::Tick::PICOSECONDS) long. Effects of one tick would
//! hide one another if they stood at one time, so they are spread over the tick in the order in
//! which they happened. The value at the end of a tick is the one just before the next tick begins;
//! strobes rise with their effect and fall when the next tick begins.

mod layout;
mod operation;
mod place;
mod signals;
mod sink;
mod spread;
mod state;

pub(in crate::trace) use layout::ROOT;
pub use layout::{CoreLayout, Landmarks, MAX_PLACES, Scout, WaveLayout};
pub use operation::EvtSemOperation;
pub(in crate::trace) use operation::{NO_MASTER, address_fault_number, master_number};
pub use place::StateBufferPlace;
pub(in crate::trace) use sink::fault_number;
pub use sink::{WaveError, WaveSink};
pub use state::SequencerState;
