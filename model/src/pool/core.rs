// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a core owns: State Buffer, semaphores, registers, leg context.

use super::context::LegContext;
use super::q7::Rings;
use crate::evt_sem::EvtSem;
use crate::isa::NUM_ADDR_REGISTERS;
use crate::mem::SparseMemory;
use crate::soc::window::WindowFile;
use crate::transaction::CoreId;

/// First byte of the engine's register file in LOCAL_REG, 4 bytes a register. [decisions D-16]
pub const REGISTER_FILE: u32 = 0xA000;

/// The memories and registers of one core after reset.
#[derive(Clone, Debug)]
pub struct Core {
    /// State Buffer by its on-chip byte address: partition · stride + offset.
    pub sbuf: SparseMemory,
    /// Semaphores and events.
    pub evt_sem: EvtSem,
    /// Address and operand registers. [decisions D-16, D-45]
    pub registers: [u32; NUM_ADDR_REGISTERS as usize],
    /// Leg context. [decisions D-6]
    pub context: LegContext,
    /// Windows of the POOL engine's port. [soc-address §3]
    pub windows: WindowFile,
    /// How far the firmware has filled the rings.
    pub rings: Rings,
    /// Accesses from outside that fell into a hole of the State Buffer. [soc-address MC-10]
    pub hole_accesses: u64,
}

impl Core {
    /// A core after a reset.
    #[must_use]
    pub fn new(core: CoreId) -> Self {
        Self {
            sbuf: SparseMemory::new(),
            evt_sem: EvtSem::new(),
            registers: [0; NUM_ADDR_REGISTERS as usize],
            windows: WindowFile::default(),
            context: LegContext::reset(core),
            rings: Rings::default(),
            hole_accesses: 0,
        }
    }

    /// All cores of a chip after a reset.
    #[must_use]
    pub fn all() -> Box<[Self; CoreId::PER_CHIP as usize]> {
        Box::new(CoreId::ALL.map(Self::new))
    }

    /// The register at a LOCAL_REG offset; `None` where nothing is.
    pub fn local_register(&mut self, offset: u32) -> Option<&mut u32> {
        let file = offset.checked_sub(REGISTER_FILE);
        if let Some(offset) = file
            && offset % 4 == 0
        {
            return self.registers.get_mut(offset as usize / 4);
        }
        self.context.register(offset)
    }
}
