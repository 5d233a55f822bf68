// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenarios: a TOML file becomes a program, memory contents and expectations.

mod error;
mod expect;
mod load;
mod plain;
mod requirement;
mod run;
mod schema;

pub use error::ScenarioError;
pub use expect::{Expect, Failure, Outcome};
pub use load::{Fill, Preset, ProgramError, Scenario, Target};
pub use requirement::Requirement;
pub use run::{DEFAULT_BUDGET, Failed, Report, run};
