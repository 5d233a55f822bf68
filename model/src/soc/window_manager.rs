// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who owns which window: the device's free list and records, and the host's budget. [soc-address §3.5]

use super::SocAddr;
use super::classify::{ClassifyError, Identity, classify};
use super::window_program::{
    Gates, WindowId, WindowProgramError, WindowSpec, WindowStep, program_window,
};
use crate::generation::Generation;

/// Ids that fit the free list. [soc-address §3.5]
pub const FREE_LIST_CAPACITY: usize = 15;
/// Windows that are installed eagerly, and records that a search walks. [soc-address §3.5]
pub const EAGER_WINDOWS: usize = 8;

/// Where the window manager stops. [soc-address §3.5]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManagerError {
    /// Line 374: the free list is full.
    #[error("fatal at line 374: window {found} does not fit the free list of {FREE_LIST_CAPACITY}")]
    FreeListFull {
        /// Window that was to be pushed.
        found: u8,
    },
    /// `NoWindow`: nothing left to allocate. [soc-address MC-22]
    #[error("NoWindow: all windows of the free list are in use")]
    NoWindow,
    /// Line 643: no record covers the address.
    #[error("fatal at line 643: no window covers {found}")]
    RegionUnmapped {
        /// The address.
        found: SocAddr,
    },
    /// More windows than are installed eagerly.
    #[error("{found} windows were to be installed eagerly; expected at most {EAGER_WINDOWS}")]
    TooManyWindows {
        /// Number asked for.
        found: usize,
    },
    /// The engine is not known: line 223 or 257.
    #[error(transparent)]
    Classify(#[from] ClassifyError),
    /// A window cannot be described.
    #[error(transparent)]
    Window(#[from] WindowProgramError),
}

/// The free list: a stack of window ids. [soc-address §3.5]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeList {
    ids: Vec<WindowId>,
}

impl Default for FreeList {
    /// Ids 0 to 14, of which 0 is popped first. [soc-address MC-22]
    fn default() -> Self {
        let ids = (0..FREE_LIST_CAPACITY as u8)
            .rev()
            .filter_map(|number| WindowId::new(number).ok())
            .collect();
        Self { ids }
    }
}

impl FreeList {
    /// Takes the id that was pushed last.
    ///
    /// # Errors
    /// [`ManagerError::NoWindow`] when the list is empty.
    pub fn pop(&mut self) -> Result<WindowId, ManagerError> {
        self.ids.pop().ok_or(ManagerError::NoWindow)
    }

    /// `push_unallocated_window`.
    ///
    /// # Errors
    /// [`ManagerError::FreeListFull`] when 15 ids are on the list.
    pub fn push(&mut self, id: WindowId) -> Result<(), ManagerError> {
        if self.ids.len() >= FREE_LIST_CAPACITY {
            return Err(ManagerError::FreeListFull { found: id.number() });
        }
        self.ids.push(id);
        Ok(())
    }

    /// Ids on the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// No id is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

/// A window that the manager has installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowRecord {
    /// The hardware window.
    pub window: WindowId,
    /// What it maps.
    pub spec: WindowSpec,
}

/// The device's window manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowManager {
    free: FreeList,
    records: Vec<WindowRecord>,
    identity: Option<Identity>,
}

impl WindowManager {
    /// The free list.
    #[must_use]
    pub const fn free(&self) -> &FreeList {
        &self.free
    }

    /// Installed windows, in the order of installation.
    #[must_use]
    pub fn records(&self) -> &[WindowRecord] {
        &self.records
    }

    /// What the engine was classified as.
    #[must_use]
    pub const fn identity(&self) -> Option<Identity> {
        self.identity
    }

    /// `translate_soc_to_xt_address`: classifies the engine, then installs windows, one `program_window` each, and
    /// returns the register writes. On an error nothing has changed. [soc-address §3.5]
    ///
    /// # Errors
    /// [`ManagerError`]: an unknown engine, more than eight windows, none free, or one that cannot be described.
    pub fn install(
        &mut self,
        engine_base: SocAddr,
        tpb_base: SocAddr,
        specs: &[WindowSpec],
        gates: Gates,
    ) -> Result<Vec<WindowStep>, ManagerError> {
        let identity = classify(engine_base, tpb_base)?;
        let wanted = self.records.len().saturating_add(specs.len());
        if wanted > EAGER_WINDOWS {
            return Err(ManagerError::TooManyWindows { found: wanted });
        }
        let mut changed = self.clone();
        changed.identity = Some(identity);
        let mut steps = Vec::new();
        for &spec in specs {
            let window = changed.free.pop()?;
            steps.extend(program_window(spec.descriptor(window, gates)?, true));
            changed.records.push(WindowRecord { window, spec });
        }
        *self = changed;
        Ok(steps)
    }

    /// `get_window_addr`: NX address of a SoC address, from the first record that covers it. [soc-address §3.5]
    ///
    /// # Errors
    /// [`ManagerError::RegionUnmapped`] when none does.
    pub fn get_window_addr(&self, address: SocAddr) -> Result<u32, ManagerError> {
        self.records
            .iter()
            .find_map(|record| {
                let offset = address.0.checked_sub(record.spec.soc_base.0)?;
                (offset >> record.spec.log2_size == 0)
                    .then(|| record.spec.nx_base.wrapping_add(offset as u32))
            })
            .ok_or(ManagerError::RegionUnmapped { found: address })
    }

    /// Gives the last installed window back.
    ///
    /// # Errors
    /// [`ManagerError::FreeListFull`], which a window of this manager cannot cause.
    pub fn release_last(&mut self) -> Result<Option<WindowRecord>, ManagerError> {
        let Some(record) = self.records.pop() else {
            return Ok(None);
        };
        self.free.push(record.window)?;
        Ok(Some(record))
    }
}

/// Windows that a host may configure. [soc-address §3.5]
#[must_use]
pub const fn host_window_limit(generation: Generation) -> u8 {
    match generation {
        Generation::V2 => 11,
        _ => 40,
    }
}

/// The host API's refusals. [soc-address §3.5]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostWindowError {
    /// INVALID.
    #[error("INVALID: {found} is not aligned to the window's size of {size:#x} bytes")]
    Invalid {
        /// The address.
        found: SocAddr,
        /// The size.
        size: u64,
    },
    /// `MAX_ALLOCATED`.
    #[error("MAX_ALLOCATED: {limit} windows are in use, one of them reserved for dynamic use")]
    MaxAllocated {
        /// The limit.
        limit: u8,
    },
    /// SIZE.
    #[error("SIZE: a window of {found} MiB does not exist; expected 16, 32 or 64")]
    Size {
        /// The size in MiB.
        found: u32,
    },
}

/// The host's budget of windows; one is reserved for dynamic use. [soc-address §3.5]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostWindows {
    limit: u8,
    used: Vec<(SocAddr, u32)>,
}

impl HostWindows {
    /// Size of a window where none is given, in MiB. [soc-address §3.5]
    pub const DEFAULT_MIB: u32 = 16;

    /// An empty budget.
    #[must_use]
    pub const fn new(generation: Generation) -> Self {
        Self {
            limit: host_window_limit(generation),
            used: Vec::new(),
        }
    }

    /// Windows allocated so far: base and size in MiB.
    #[must_use]
    pub fn used(&self) -> &[(SocAddr, u32)] {
        &self.used
    }

    /// Allocates a window. Size is judged first, then the address, then the budget.
    ///
    /// # Errors
    /// [`HostWindowError`], named as the API's result codes.
    pub fn allocate(&mut self, base: SocAddr, mib: Option<u32>) -> Result<usize, HostWindowError> {
        let mib = mib.unwrap_or(Self::DEFAULT_MIB);
        if ![16, 32, 64].contains(&mib) {
            return Err(HostWindowError::Size { found: mib });
        }
        let size = u64::from(mib) << 20;
        if !base.0.is_multiple_of(size) {
            return Err(HostWindowError::Invalid { found: base, size });
        }
        if self.used.len() + 1 >= usize::from(self.limit) {
            return Err(HostWindowError::MaxAllocated { limit: self.limit });
        }
        self.used.push((base, mib));
        Ok(self.used.len() - 1)
    }
}
