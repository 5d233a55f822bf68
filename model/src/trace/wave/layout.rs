// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which cores, semaphores and events a waveform shows.

use std::collections::BTreeMap;

use super::place::StateBufferPlace;
use super::signals::Signals;
use crate::generation::Generation;
use crate::isa::{WaitCondition, WaitMode};
use crate::time::Tick;
use crate::trace::vcd::{Declarations, VcdError};
use crate::transaction::{Agent, CoreId, Effect, Sink, Transaction};

/// What a waveform declares. Runs are deterministic, so a first run into a [`Scout`] finds out what
/// the second one will touch; [`WaveLayout::all`] needs no first run and declares everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveLayout {
    /// Generation of the run; it gives the partition stride. [isa-word §2.5]
    pub generation: Generation,
    /// Number of the chip, which names its scope.
    pub chip: u8,
    /// The cores, with what each shows of its EVT_SEM block.
    pub cores: BTreeMap<CoreId, CoreLayout>,
    /// Points in time that are worth finding.
    pub landmarks: Landmarks,
    /// Addresses at which accesses to State Buffers begin, the first [`MAX_PLACES`] of them.
    pub places: BTreeMap<u64, StateBufferPlace>,
}

/// Most addresses that a layout names.
pub const MAX_PLACES: usize = 4096;

/// Semaphores and events of one core, by index, with their values at reset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreLayout {
    /// Index and count before the first operation.
    pub semaphores: BTreeMap<u8, u32>,
    /// Index and state before the first operation.
    pub events: BTreeMap<u8, bool>,
}

/// Points in time that a save file marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Landmarks {
    /// First transaction.
    pub first: Option<Tick>,
    /// Begin of the first leg.
    pub leg: Option<Tick>,
    /// First fault.
    pub fault: Option<Tick>,
    /// Last transaction.
    pub last: Tick,
}

impl WaveLayout {
    /// A sink that finds the layout of a run of these cores.
    #[must_use]
    pub fn scout(generation: Generation, cores: impl IntoIterator<Item = CoreId>) -> Scout {
        let cores = cores.into_iter().map(|core| (core, CoreLayout::default()));
        Scout {
            layout: Self {
                generation,
                chip: 0,
                cores: cores.collect(),
                landmarks: Landmarks::default(),
                places: BTreeMap::new(),
            },
        }
    }

    /// All 256 semaphores and events of these cores, all 0 at reset.
    #[must_use]
    pub fn all(generation: Generation, cores: impl IntoIterator<Item = CoreId>) -> Self {
        let mut layout = Self::scout(generation, cores).layout;
        for core in layout.cores.values_mut() {
            core.semaphores = (0..=u8::MAX).map(|index| (index, 0)).collect();
            core.events = (0..=u8::MAX).map(|index| (index, false)).collect();
        }
        layout
    }

    /// Path of a core's scope.
    #[must_use]
    pub fn core_path(&self, core: CoreId) -> String {
        let [root, chip, die, core] = self.core_scopes(core);
        format!("{root}.{chip}.{die}.{core}")
    }

    /// Every variable of the waveform: path, parted by dots, and width in bits, in the order of the
    /// file.
    ///
    /// # Errors
    /// None for a layout that [`WaveSink::new`](super::WaveSink::new) accepts.
    pub fn variables(&self) -> Result<Vec<(String, u32)>, VcdError> {
        let mut declarations = Declarations::new();
        Signals::declare(&mut declarations, self)?;
        Ok(declarations.into_variables())
    }

    fn add_place(&mut self, place: StateBufferPlace) {
        if self.places.len() < MAX_PLACES {
            let address = place.address(self.generation).0;
            self.places.insert(address, place);
        }
    }

    pub(super) fn core_scopes(&self, core: CoreId) -> [String; 4] {
        [
            ROOT.to_owned(),
            format!("chip{}", self.chip),
            format!("die{}", core.die()),
            core.to_string(),
        ]
    }
}

/// Name of the outermost scope.
pub(in crate::trace) const ROOT: &str = "sb2sb";

/// Collects a [`WaveLayout`] from a run.
#[derive(Clone, Debug)]
pub struct Scout {
    layout: WaveLayout,
}

impl Scout {
    /// What the run has touched so far. Cores that the run was not announced with but that appear
    /// in it are there too.
    #[must_use]
    pub fn into_layout(self) -> WaveLayout {
        self.layout
    }

    fn core(&mut self, core: CoreId) -> &mut CoreLayout {
        self.layout.cores.entry(core).or_default()
    }
}

impl Sink for Scout {
    fn accept(&mut self, transaction: &Transaction) {
        let tick = transaction.tick;
        let landmarks = &mut self.layout.landmarks;
        landmarks.first.get_or_insert(tick);
        landmarks.last = landmarks.last.max(tick);
        match &transaction.effect {
            Effect::LegBegin { .. } => {
                landmarks.leg.get_or_insert(tick);
            }
            Effect::Fault(_) => {
                landmarks.fault.get_or_insert(tick);
            }
            Effect::DataRead {
                core,
                partition,
                offset,
                ..
            }
            | Effect::DataWritten {
                core,
                partition,
                offset,
                ..
            } => self.layout.add_place(StateBufferPlace {
                core: *core,
                partition: *partition,
                offset: *offset,
            }),
            _ => {}
        }
        let core = self.core(transaction.agent.core());
        match (&transaction.agent, &transaction.effect) {
            (
                _,
                Effect::WaitBegin {
                    mode, index, value, ..
                },
            ) => match WaitMode::from_raw(*mode).and_then(WaitMode::condition) {
                Some(WaitCondition::Semaphore { .. }) => {
                    core.semaphores.entry(*index).or_insert(*value);
                }
                Some(WaitCondition::Event { .. }) => {
                    core.events.entry(*index).or_insert(*value != 0);
                }
                Some(WaitCondition::Always | WaitCondition::Unordered) | None => {}
            },
            (Agent::EvtSem(_), Effect::Semaphore { index, old, .. }) => {
                core.semaphores.entry(*index).or_insert(*old);
            }
            (Agent::EvtSem(_), Effect::Event { index, old, .. }) => {
                core.events.entry(*index).or_insert(*old);
            }
            _ => {}
        }
    }
}
