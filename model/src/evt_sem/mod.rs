// SPDX-License-Identifier: Apache-2.0 OR MIT
//! EVT_SEM: the semaphores and events of one core. [evt-sem]
//!
//! [`EvtSem`] is the state with its atomic operations: bus beats, control registers, wait/update
//! records, non-blocking commands. [`Block`] puts a clock around it: one call is one cycle of the
//! hardware block, with the ports and the order that `docs/cycle-contracts.md` fixes.

mod accel;
mod bank;
mod bus;
mod command;
mod control;
mod cycle;
mod notification;
mod owners;
mod record;

pub use accel::{accel_clear, accel_read, accel_set};
pub use bank::{Change, ENTRIES, Errors, EvtSem, SemaphoreChange, Summaries};
pub use bus::{BadAccess, Leaf};
pub use command::{Command, CommandResult};
pub use control::{BadControlAccess, Control, ControlRegister};
pub use cycle::{
    Block, BusRequest, BusResponse, BusSize, ControlRequest, CycleInputs, CycleOutputs,
    ENGINE_PORTS, NOTIFICATION_SLOTS, Registered,
};
pub use notification::{BUS_UPDATE_MODE, Notification, Source};
pub use owners::{EventOwner, RUNTIME_EVENTS, RUNTIME_SEMAPHORES, TopSpSemaphore, event_owner};
pub use record::{Granted, Record, RecordOutcome, Update, Wait};
