// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Translate filters: the names of the values of each enum.

use std::fmt::Write as _;

use crate::evt_sem::{ENGINE_PORTS, Source};
use crate::isa::{DType, LncSizeFmt, Opcode, UpdateMode, WaitMode};
use crate::trace::wave::{
    EvtSemOperation, NO_MASTER, SequencerState, address_fault_number, fault_number, master_number,
};
use crate::transaction::{AddressFault, CoreId, FaultClass, Master};

/// A translate filter that is the same for every run. The keys are hexadecimal with all digits, as
/// GTKWave shows the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Filter {
    /// `header.opcode`. [isa-word §7]
    Opcode,
    /// `events.wait_mode`. [isa-word §6.1]
    WaitMode,
    /// `events.update_mode`. [isa-word §6.2]
    UpdateMode,
    /// `in_dtype`, `out_dtype`. [isa-word §5.1]
    DType,
    /// `lnc_size_fmt`. [isa-word §5.2]
    LncSizeFmt,
    /// [`SequencerState`].
    SequencerState,
    /// [`FaultClass`]. [decisions D-44]
    FaultClass,
    /// [`EvtSemOperation`].
    EvtSemOperation,
    /// [`Master`].
    Master,
    /// Types of notification records. [evt-sem §1.6]
    NotificationSource,
    /// [`AddressFault`].
    AddressFault,
    /// Cores of a chip.
    Core,
}

impl Filter {
    /// All filters.
    pub const ALL: [Self; 12] = [
        Self::Opcode,
        Self::WaitMode,
        Self::UpdateMode,
        Self::DType,
        Self::LncSizeFmt,
        Self::SequencerState,
        Self::FaultClass,
        Self::EvtSemOperation,
        Self::Master,
        Self::NotificationSource,
        Self::AddressFault,
        Self::Core,
    ];

    /// Name of the file.
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Opcode => "opcode.txt",
            Self::WaitMode => "wait_mode.txt",
            Self::UpdateMode => "update_mode.txt",
            Self::DType => "dtype.txt",
            Self::LncSizeFmt => "lnc_size_fmt.txt",
            Self::SequencerState => "sequencer_state.txt",
            Self::FaultClass => "fault_class.txt",
            Self::EvtSemOperation => "evt_sem_operation.txt",
            Self::Master => "master.txt",
            Self::NotificationSource => "notification_source.txt",
            Self::AddressFault => "address_fault.txt",
            Self::Core => "core.txt",
        }
    }

    /// Value and name of every entry, by ascending value.
    #[must_use]
    pub fn entries(self) -> Vec<(u8, String)> {
        match self {
            Self::Opcode => Opcode::all()
                .filter_map(|opcode| Some((opcode.0, opcode.name()?.to_owned())))
                .collect(),
            Self::WaitMode => named(WaitMode::ALL, WaitMode::raw, WaitMode::name),
            Self::UpdateMode => named(UpdateMode::ALL, UpdateMode::raw, UpdateMode::name),
            Self::DType => named(DType::ALL, DType::raw, DType::name),
            Self::LncSizeFmt => named(LncSizeFmt::ALL, LncSizeFmt::raw, LncSizeFmt::name),
            Self::SequencerState => named(
                &SequencerState::ALL,
                SequencerState::number,
                SequencerState::name,
            ),
            Self::FaultClass => std::iter::once((0, "none".to_owned()))
                .chain(named(&FaultClass::ALL, fault_number, FaultClass::name))
                .collect(),
            Self::EvtSemOperation => named(
                &EvtSemOperation::ALL,
                EvtSemOperation::number,
                EvtSemOperation::name,
            ),
            Self::Master => named(&Master::ALL, master_number, Master::name)
                .into_iter()
                .chain([(NO_MASTER, "none".to_owned())])
                .collect(),
            Self::NotificationSource => ENGINE_PORTS
                .into_iter()
                .zip(["pe", "act", "pool", "dve", "sp"])
                .map(|(engine, name)| (Source::Engine(engine), name))
                .chain([(Source::Bus, "bus")])
                .map(|(source, name)| (source.record_type(), name.to_owned()))
                .collect(),
            Self::AddressFault => std::iter::once((0, "none".to_owned()))
                .chain(named(
                    &AddressFault::ALL,
                    address_fault_number,
                    AddressFault::name,
                ))
                .collect(),
            Self::Core => CoreId::all()
                .map(|core| (core.number(), core.to_string()))
                .collect(),
        }
    }

    /// Hexadecimal digits of a value of the filtered variables.
    #[must_use]
    pub const fn key_digits(self) -> usize {
        match self {
            Self::SequencerState | Self::EvtSemOperation | Self::Master | Self::Core => 1,
            Self::Opcode
            | Self::WaitMode
            | Self::UpdateMode
            | Self::DType
            | Self::LncSizeFmt
            | Self::FaultClass
            | Self::NotificationSource
            | Self::AddressFault => 2,
        }
    }

    /// Content of the file: a line an entry, of key, blank and name.
    #[must_use]
    pub fn text(self) -> String {
        let mut text = String::from("# SPDX-License-Identifier: Apache-2.0 OR MIT\n");
        for (value, name) in self.entries() {
            let digits = self.key_digits();
            writeln!(text, "{value:0digits$x} {name}").expect("writing to a String cannot fail");
        }
        text
    }
}

fn named<T: Copy>(
    members: &[T],
    number: fn(T) -> u8,
    name: fn(T) -> &'static str,
) -> Vec<(u8, String)> {
    members
        .iter()
        .map(|member| (number(*member), name(*member).to_owned()))
        .collect()
}
