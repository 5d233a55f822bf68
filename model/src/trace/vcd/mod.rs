// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A writer of Value Change Dumps that refuses what real viewers choke on.
//!
//! Life of a file: [`Declarations`] takes scopes and variables and gives out typed handles;
//! [`Declarations::start`] writes the header and the initial values and returns the [`VcdWriter`],
//! which takes value changes under a time that never goes back, until [`VcdWriter::finish`].
//!
//! The header is written by the `vcd` crate; value changes are formatted here, into one buffer that
//! is handed on in whole lines, so the file can be loaded after every flush and after a crash.
//!
//! ```
//! use pool_model::trace::vcd::Declarations;
//!
//! let mut file = Vec::new();
//! let mut declare = Declarations::new();
//! declare.scope("top")?;
//! let busy = declare.scalar("busy", Some(false))?;
//! let pc = declare.vector("pc", 32, None)?;
//! declare.upscope()?;
//! let mut vcd = declare.start(&mut file)?;
//! vcd.set_time(1_000)?;
//! vcd.change_scalar(busy, true)?;
//! vcd.change_vector(pc, 5)?;
//! vcd.finish(2_000)?;
//! assert!(String::from_utf8_lossy(&file).ends_with("#1000\n1!\nb101 \"\n#2000\n"));
//! # Ok::<(), pool_model::trace::vcd::VcdError>(())
//! ```

mod declare;
mod digits;
mod error;
mod text;
mod variable;
mod writer;

pub use declare::{Declarations, Event, MAX_WIDTH, Scalar, Text, Vector, Wide};
pub use error::VcdError;
pub use text::{MAX_TEXT, escape};
pub use writer::VcdWriter;
