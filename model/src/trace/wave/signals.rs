// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The variables of a waveform.

use std::collections::BTreeMap;

use super::layout::{CoreLayout, ROOT, WaveLayout};
use super::operation::{EvtSemOperation, MASTER_BITS, NO_MASTER};
use super::state::SequencerState;
use crate::isa::{FIELDS, Field, WORD_BYTES};
use crate::trace::vcd::{Declarations, Scalar, Text, VcdError, Vector, Wide};
use crate::transaction::CoreId;

/// Bytes of an access that `src_data` and `dst_data` show.
pub(super) const DATA_BYTES: usize = 16;

/// Everything that is declared.
#[derive(Debug)]
pub(super) struct Signals {
    pub tick: Vector,
    pub cores: BTreeMap<CoreId, CoreSignals>,
}

/// The scopes of one core.
#[derive(Debug)]
pub(super) struct CoreSignals {
    pub seq: SeqSignals,
    pub wait: WaitSignals,
    pub leg: LegSignals,
    pub evt_sem: EvtSemSignals,
    pub port: PortSignals,
    pub fault: FaultSignals,
    pub log: LogSignals,
}

#[derive(Debug)]
pub(super) struct SeqSignals {
    pub state: Vector,
    pub busy: Scalar,
    pub pc: Vector,
    pub opcode: Vector,
    pub read_done: Scalar,
    pub complete: Scalar,
    pub text: Text,
    pub bytes: Wide,
    pub fields: Vec<FieldSignal>,
}

/// A field of the word, or one entry of it.
#[derive(Debug)]
pub(super) struct FieldSignal {
    pub offset: usize,
    pub width: usize,
    pub handle: FieldHandle,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum FieldHandle {
    /// A little-endian number.
    Number(Vector),
    /// Bytes in memory order.
    Bytes(Wide),
}

#[derive(Debug)]
pub(super) struct WaitSignals {
    pub mode: Vector,
    pub index: Vector,
    pub threshold: Vector,
    pub value: Vector,
    pub blocked: Scalar,
}

#[derive(Debug)]
pub(super) struct LegSignals {
    pub active: Scalar,
    pub destination: Vector,
    pub channels: Vector,
    pub bytes_per_channel: Vector,
    pub engine_mask: Vector,
    pub read: AccessSignals,
    pub write: AccessSignals,
}

/// Accesses to a State Buffer in one direction.
#[derive(Debug)]
pub(super) struct AccessSignals {
    pub strobe: Scalar,
    pub core: Vector,
    pub partition: Vector,
    pub offset: Vector,
    pub address: Vector,
    pub bytes: Vector,
    pub data: Wide,
}

#[derive(Debug)]
pub(super) struct EvtSemSignals {
    pub access: Scalar,
    pub last_operation: Vector,
    pub last_index: Vector,
    pub last_operand: Vector,
    pub last_by: Vector,
    pub overflow: Scalar,
    pub underflow: Scalar,
    pub event_error: Scalar,
    pub error: Scalar,
    pub notification: Scalar,
    pub notification_source: Vector,
    pub notification_value: Vector,
    pub semaphores: BTreeMap<u8, Vector>,
    pub events: BTreeMap<u8, Scalar>,
}

/// Accesses that did not do what their addresses say.
#[derive(Debug)]
pub(super) struct PortSignals {
    pub fault: Scalar,
    pub fault_class: Vector,
    pub fault_address: Vector,
    pub fault_window: Vector,
}

#[derive(Debug)]
pub(super) struct FaultSignals {
    pub class: Vector,
    pub pc: Vector,
    pub detail: Text,
}

#[derive(Debug)]
pub(super) struct LogSignals {
    pub line: Text,
    pub count: Vector,
}

impl Signals {
    pub(super) fn declare(to: &mut Declarations, layout: &WaveLayout) -> Result<Self, VcdError> {
        to.scope(ROOT)?;
        let tick = to.vector("tick", 64, Some(0))?;
        let mut cores = BTreeMap::new();
        // Scopes of neighbours are shared: only what differs from the core before is reopened.
        let mut open = vec![ROOT.to_owned()];
        for (&core, shown) in &layout.cores {
            let path = layout.core_scopes(core);
            let shared = path.iter().zip(&open).take_while(|(a, b)| a == b).count();
            while open.len() > shared {
                to.upscope()?;
                open.pop();
            }
            for scope in &path[shared..] {
                to.scope(scope)?;
                open.push(scope.clone());
            }
            cores.insert(core, CoreSignals::declare(to, shown)?);
        }
        for _ in open {
            to.upscope()?;
        }
        Ok(Self { tick, cores })
    }
}

impl CoreSignals {
    fn declare(to: &mut Declarations, shown: &CoreLayout) -> Result<Self, VcdError> {
        Ok(Self {
            seq: within(to, "seq", SeqSignals::declare)?,
            wait: within(to, "wait", WaitSignals::declare)?,
            leg: within(to, "leg", LegSignals::declare)?,
            evt_sem: within(to, "evt_sem", |to| EvtSemSignals::declare(to, shown))?,
            port: within(to, "port", |to| {
                Ok(PortSignals {
                    fault: to.scalar("fault", Some(false))?,
                    fault_class: to.vector("fault_class", 8, Some(0))?,
                    fault_address: to.vector("fault_address", 64, None)?,
                    fault_window: to.vector("fault_window", 6, None)?,
                })
            })?,
            fault: within(to, "fault", |to| {
                Ok(FaultSignals {
                    class: to.vector("class", 8, Some(0))?,
                    pc: to.vector("pc", 32, None)?,
                    detail: to.text("detail", "")?,
                })
            })?,
            log: within(to, "log", |to| {
                Ok(LogSignals {
                    line: to.text("line", "")?,
                    count: to.vector("count", 32, Some(0))?,
                })
            })?,
        })
    }
}

fn within<T>(
    to: &mut Declarations,
    scope: &str,
    declare: impl FnOnce(&mut Declarations) -> Result<T, VcdError>,
) -> Result<T, VcdError> {
    to.scope(scope)?;
    let signals = declare(to)?;
    to.upscope()?;
    Ok(signals)
}

impl SeqSignals {
    fn declare(to: &mut Declarations) -> Result<Self, VcdError> {
        let idle = u64::from(SequencerState::Idle.number());
        let state = to.vector("state", SequencerState::BITS, Some(idle))?;
        let busy = to.scalar("busy", Some(false))?;
        let pc = to.vector("pc", 32, None)?;
        let opcode = to.vector("opcode", 8, None)?;
        let read_done = to.scalar("read_done", Some(false))?;
        let complete = to.scalar("complete", Some(false))?;
        let (text, bytes, fields) = within(to, "word", |to| {
            let text = to.text("text", "")?;
            let bytes = to.wide("bytes", 8 * WORD_BYTES as u32, false)?;
            let mut fields = Vec::new();
            for field in &FIELDS {
                declare_field(to, field, &mut fields)?;
            }
            Ok((text, bytes, fields))
        })?;
        Ok(Self {
            state,
            busy,
            pc,
            opcode,
            read_done,
            complete,
            text,
            bytes,
            fields,
        })
    }
}

/// A byte array is one variable; any other array is one variable an entry.
fn declare_field(
    to: &mut Declarations,
    field: &Field,
    signals: &mut Vec<FieldSignal>,
) -> Result<(), VcdError> {
    let name = field.path.replace('.', "_");
    if field.array && field.width == 1 {
        signals.push(FieldSignal {
            offset: field.offset,
            width: field.count,
            handle: FieldHandle::Bytes(to.wide(&name, 8 * field.count as u32, false)?),
        });
        return Ok(());
    }
    for index in 0..field.count {
        let entry = if field.array {
            format!("{name}{index}")
        } else {
            name.clone()
        };
        signals.push(FieldSignal {
            offset: field.offset + index * field.width,
            width: field.width,
            handle: FieldHandle::Number(to.vector(&entry, 8 * field.width as u32, None)?),
        });
    }
    Ok(())
}

impl WaitSignals {
    fn declare(to: &mut Declarations) -> Result<Self, VcdError> {
        Ok(Self {
            blocked: to.scalar("blocked", Some(false))?,
            mode: to.vector("mode", 8, None)?,
            index: to.vector("index", 8, None)?,
            threshold: to.vector("threshold", 32, None)?,
            value: to.vector("value", 32, None)?,
        })
    }
}

impl LegSignals {
    fn declare(to: &mut Declarations) -> Result<Self, VcdError> {
        Ok(Self {
            active: to.scalar("active", Some(false))?,
            destination: to.vector("destination", 3, None)?,
            channels: to.vector("channels", 32, None)?,
            bytes_per_channel: to.vector("bytes_per_channel", 64, None)?,
            engine_mask: to.vector("engine_mask", 16, None)?,
            read: AccessSignals::declare(to, "read", "src")?,
            write: AccessSignals::declare(to, "write", "dst")?,
        })
    }
}

impl AccessSignals {
    fn declare(to: &mut Declarations, strobe: &str, side: &str) -> Result<Self, VcdError> {
        Ok(Self {
            strobe: to.scalar(strobe, Some(false))?,
            core: to.vector(&format!("{side}_core"), 3, None)?,
            partition: to.vector(&format!("{side}_partition"), 7, None)?,
            offset: to.vector(&format!("{side}_offset"), 32, None)?,
            address: to.vector(&format!("{side}_address"), 64, None)?,
            bytes: to.vector(&format!("{side}_bytes"), 32, None)?,
            data: to.wide(&format!("{side}_data"), 8 * DATA_BYTES as u32, false)?,
        })
    }
}

impl EvtSemSignals {
    fn declare(to: &mut Declarations, shown: &CoreLayout) -> Result<Self, VcdError> {
        let none = u64::from(EvtSemOperation::None.number());
        let access = to.scalar("access", Some(false))?;
        let last_operation = to.vector("last_operation", EvtSemOperation::BITS, Some(none))?;
        let last_index = to.vector("last_index", 8, None)?;
        let last_operand = to.vector("last_operand", 32, None)?;
        let last_by = to.vector("last_by", MASTER_BITS, Some(u64::from(NO_MASTER)))?;
        let overflow = to.scalar("overflow", Some(false))?;
        let underflow = to.scalar("underflow", Some(false))?;
        let event_error = to.scalar("event_error", Some(false))?;
        let error = to.scalar("error", Some(false))?;
        let notification = to.scalar("notification", Some(false))?;
        let notification_source = to.vector("notification_source", 8, None)?;
        let notification_value = to.vector("notification_value", 32, None)?;
        let mut semaphores = BTreeMap::new();
        for (&index, &value) in &shown.semaphores {
            let handle = to.vector(&format!("sem{index:03}"), 32, Some(u64::from(value)))?;
            semaphores.insert(index, handle);
        }
        let mut events = BTreeMap::new();
        for (&index, &state) in &shown.events {
            events.insert(index, to.scalar(&format!("evt{index:03}"), Some(state))?);
        }
        Ok(Self {
            access,
            last_operation,
            last_index,
            last_operand,
            last_by,
            overflow,
            underflow,
            event_error,
            error,
            notification,
            notification_source,
            notification_value,
            semaphores,
            events,
        })
    }
}
