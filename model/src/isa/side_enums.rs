// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Small enums beside the word: markers for profiling, the non-blocking command, engine numbers, and
//! which `NeuronCoreVersion` members each ISA tree has. [isa-word §0, §1.1, §5.3, §5.4]

use super::wire_enum::wire_enum;
use crate::generation::{Generation, NcVersion};

wire_enum! {
    /// `header.debug_cmd`: a profiling marker, never validated. [isa-word §1.1, MED/CARRIED]
    pub enum DebugCmd {
        None = 0, "NONE", ALL;
        Notify = 1, "NOTIFY", ALL;
        Start = 3, "START", ALL;
        End = 5, "END", ALL;
        StartEnd = 7, "START_END", ALL;
        InsField = 9, "INS_FIELD", ALL;
    }
}

wire_enum! {
    /// `EVT_SEM_NONBLOCKING_CMD`; not used by the 0xBF word. [isa-word §5.3 HIGH/OBSERVED, MC-11]
    pub enum EvtSemNonblockingCmd {
        Nop = 0x40, "NOP", V5_ONLY;
        SemInc = 0x43, "SEM_INC", V5_ONLY;
        SemDec = 0x44, "SEM_DEC", V5_ONLY;
        SemAdd = 0x45, "SEM_ADD", V5_ONLY;
        SemSub = 0x47, "SEM_SUB", V5_ONLY;
        SemWrite = 0x49, "SEM_WRITE", V5_ONLY;
        ReadSemaphore = 0x60, "READ_SEMAPHORE", V5_ONLY;
        ReadEvent = 0x61, "READ_EVENT", V5_ONLY;
    }
}

wire_enum! {
    /// The engines of a core by their number in the ISA. [isa-word §5.4, HIGH/OBSERVED]
    pub enum EngineNumber {
        Pe = 0, "PE", ALL;
        Act = 1, "ACT", ALL;
        Pool = 2, "POOL", ALL;
        Dve = 3, "DVE", ALL;
        TpbSp = 4, "TPB_SP", ALL;
        TopSp = 5, "TOP_SP", ALL;
    }
}

/// Whether the `NeuronCoreVersion` enum of `generation`'s ISA tree has `version`: each tree has the
/// versions up to its own. [isa-word §0, HIGH/OBSERVED]
#[must_use]
pub const fn nc_version_member_of(version: NcVersion, generation: Generation) -> bool {
    version.value() <= generation.nc_version().value()
}
