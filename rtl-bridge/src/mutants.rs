// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The deliberate faults of `hdl/mutants.toml` and `hdl/mutants-blocks.toml`, checked and compiled in by the
//! build.

use std::fmt;

use crate::suite::Suite;

/// Number of a mutant in the table, 1 and up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MutantId(u16);

impl MutantId {
    /// The mutant of that number, if the table has it.
    #[must_use]
    pub fn new(id: u16) -> Option<Self> {
        table().iter().map(|row| row.id).find(|known| known.0 == id)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The row of the table.
    #[must_use]
    pub fn row(self) -> &'static Mutant {
        // Ids are dense from 1 (checked by the build), and there is no other way to make one.
        &table()[usize::from(self.0) - 1]
    }
}

impl fmt::Display for MutantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its number.
    pub id: MutantId,
    /// Its name.
    pub name: &'static str,
    /// The source file below `hdl/rtl/`.
    pub file: &'static str,
    /// The expression in it.
    pub original: &'static str,
    /// What stands there instead.
    pub faulty: &'static str,
    /// The suite whose stimuli are to find it.
    pub suite: Suite,
    /// The predicate of [isa-word §4.1] that the fault is about; 0 for a field, for the report of the
    /// verdict, and in every other suite.
    pub predicate: u8,
    /// The mistake that it imitates.
    pub imitates: &'static str,
}

/// All mutants, in the order of their ids.
#[must_use]
pub fn table() -> &'static [Mutant] {
    static TABLE: &[Mutant] = include!(concat!(env!("OUT_DIR"), "/mutants.rs"));
    TABLE
}
