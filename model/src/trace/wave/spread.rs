// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The changes of one tick, spread over the tick.
//!
//! Each effect of a core stands one place after the effect of that core before it. An operation on
//! an EVT_SEM block, which another core may have caused, also stands after the transaction before it
//! in the stream. All other order between cores within a tick carries no meaning.

use std::io::Write;
use std::ops::Range;

use crate::time::Tick;
use crate::trace::vcd::{Scalar, Text, VcdError, VcdWriter, Vector, Wide};
use crate::transaction::{Agent, CoreId};

/// A change that waits for its time.
#[derive(Clone, Debug)]
enum Change {
    Scalar(Scalar, bool),
    Vector(Vector, u64),
    Wide(Wide, Range<usize>),
    Text(Text, Range<usize>),
}

impl Change {
    fn same_variable(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Scalar(a, _), Self::Scalar(b, _)) => a == b,
            (Self::Vector(a, _), Self::Vector(b, _)) => a == b,
            _ => false,
        }
    }
}

/// Collects the changes of a tick.
#[derive(Debug, Default)]
pub(super) struct Spread {
    changes: Vec<(u32, Change)>,
    /// What wide and text changes refer to.
    bytes: Vec<u8>,
    texts: String,
    /// What happens at the begin of the tick after, unless that tick says otherwise.
    next: Vec<Change>,
    /// First free place of each core.
    free: [u32; CoreId::PER_CHIP as usize],
    /// Place of the transaction that changes belong to now; the first ones belong to none.
    place: u32,
    /// Whether this tick has had a transaction.
    begun: bool,
    /// How many of the first changes were left by the tick before.
    carried: usize,
}

impl Spread {
    /// Takes the place of the next transaction.
    pub(super) fn take_place(&mut self, agent: Agent) {
        let free = &mut self.free[agent.core().index()];
        let place = match agent {
            Agent::EvtSem(_) if self.begun => (*free).max(self.place + 1),
            _ => *free,
        };
        *free = place + 1;
        self.place = place;
        self.begun = true;
    }

    /// Goes back to the place of the last transaction of a core.
    pub(super) fn last_place(&mut self, core: CoreId) {
        self.place = self.free[core.index()].saturating_sub(1);
    }

    pub(super) fn scalar(&mut self, scalar: Scalar, value: bool) {
        self.changes
            .push((self.place, Change::Scalar(scalar, value)));
    }

    pub(super) fn vector(&mut self, vector: Vector, value: impl Into<u64>) {
        self.changes
            .push((self.place, Change::Vector(vector, value.into())));
    }

    pub(super) fn wide(&mut self, wide: Wide, bytes: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        let range = start..self.bytes.len();
        self.changes.push((self.place, Change::Wide(wide, range)));
    }

    pub(super) fn text(&mut self, text: Text, value: &str) {
        let start = self.texts.len();
        self.texts.push_str(value);
        let range = start..self.texts.len();
        self.changes.push((self.place, Change::Text(text, range)));
    }

    /// Raises a strobe until the next tick.
    pub(super) fn strobe(&mut self, scalar: Scalar) {
        self.scalar(scalar, true);
        self.scalar_next(scalar, false);
    }

    pub(super) fn scalar_next(&mut self, scalar: Scalar, value: bool) {
        self.set_next(Change::Scalar(scalar, value));
    }

    pub(super) fn vector_next(&mut self, vector: Vector, value: impl Into<u64>) {
        self.set_next(Change::Vector(vector, value.into()));
    }

    /// Forgets what a variable would have done at the begin of the next tick.
    pub(super) fn cancel_next(&mut self, vector: Vector) {
        self.next
            .retain(|change| !change.same_variable(&Change::Vector(vector, 0)));
    }

    /// As [`Spread::cancel_next`].
    pub(super) fn cancel_next_scalar(&mut self, scalar: Scalar) {
        self.next
            .retain(|change| !change.same_variable(&Change::Scalar(scalar, false)));
    }

    fn set_next(&mut self, change: Change) {
        self.next.retain(|earlier| !earlier.same_variable(&change));
        self.next.push(change);
    }

    /// Whether there is something to write.
    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Writes the changes of `tick`; afterwards the changes of the tick after it can be collected,
    /// beginning with what falls back then.
    pub(super) fn write<W: Write>(
        &mut self,
        tick: Tick,
        vcd: &mut VcdWriter<W>,
    ) -> Result<(), VcdError> {
        // Stable, so that changes in one place keep their order.
        self.changes.sort_by_key(|(place, _)| *place);
        let places = self.changes.last().map_or(1, |(place, _)| place + 1);
        let step = (Tick::PICOSECONDS / u64::from(places)).max(1);
        let last = Tick::PICOSECONDS - 1;
        let mut from = 0;
        while let Some(&(place, _)) = self.changes.get(from) {
            let within = self.changes[from..].partition_point(|(other, _)| *other == place);
            let together = &self.changes[from..from + within];
            vcd.set_time(tick.picoseconds() + (u64::from(place) * step).min(last))?;
            for (position, (_, change)) in together.iter().enumerate() {
                let overtaken = from + position < self.carried
                    && together[position + 1..]
                        .iter()
                        .any(|(_, later)| later.same_variable(change));
                if !overtaken {
                    self.write_change(change, vcd)?;
                }
            }
            from += within;
        }
        self.changes.clear();
        self.bytes.clear();
        self.texts.clear();
        self.free = [0; CoreId::PER_CHIP as usize];
        self.place = 0;
        self.begun = false;
        self.carried = self.next.len();
        self.changes
            .extend(self.next.drain(..).map(|change| (0, change)));
        Ok(())
    }

    fn write_change<W: Write>(
        &self,
        change: &Change,
        vcd: &mut VcdWriter<W>,
    ) -> Result<(), VcdError> {
        match change {
            Change::Scalar(scalar, value) => vcd.change_scalar(*scalar, *value),
            Change::Vector(vector, value) => vcd.change_vector(*vector, *value),
            Change::Wide(wide, range) => vcd.change_wide(*wide, &self.bytes[range.clone()]),
            Change::Text(text, range) => vcd.change_text(*text, &self.texts[range.clone()]),
        }
    }
}
