// SPDX-License-Identifier: Apache-2.0 OR MIT
//! GTKWave's side of a waveform: the save file and the translate filters that it attaches.
//!
//! GTKWave takes the names of the trace and of the filters from the folder of the save file, if the
//! save file says its own name, wherever the viewer is started. So [`write_beside`] puts everything
//! into the folder of the trace, which can then be moved as a whole:
//!
//! ```text
//! traces/out/lnc2_copy.vcd
//! traces/out/lnc2_copy.gtkw
//! traces/out/filters/opcode.txt ...            the same for every run
//! traces/out/filters/lnc2_copy.places.txt      the addresses of this run
//! ```

mod beside;
mod filter;
mod rows;
mod save;

pub use beside::{GtkwError, files_beside, write_beside};
pub use filter::Filter;
pub use save::{places_text, save_text};
