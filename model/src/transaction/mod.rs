// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The one vocabulary of externally visible effects.
//!
//! Every implementation of the engine (the model here, the RTL behind its bridge) turns what it
//! does into [`Transaction`]s. Waveform, text log, JSON log, scoreboard and coverage are sinks of
//! this one stream; nothing reads it back to decide anything.

mod agent;
mod fault;
mod log;
mod q7_line;
mod sink;

use serde::Serialize;

pub use agent::{Agent, CoreId, Direction, DmaQueue, Master, UnknownCore};
pub use fault::{AddressFault, Fault, FaultClass, UnknownFaultClass};
pub use log::LogLine;
pub use q7_line::{Q7Line, RoleToken, TABLE as LOG_TABLE};
pub use sink::{Counting, NullSink, Sink, Tee};

use crate::time::Tick;

/// One externally visible effect: who did it, when, and what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Tick in which the effect became visible.
    pub tick: Tick,
    /// Who did it.
    pub agent: Agent,
    /// What was done.
    pub effect: Effect,
}

/// What happened. The variant name in `snake_case` is the `kind` of the JSON form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// A word was taken from the program; the sequencer now looks at its EVENTS wait.
    Fetch {
        /// Index of the word in the core's program.
        pc: u32,
        /// The 64 bytes, in memory order.
        #[serde(serialize_with = "hex_word")]
        word: Box<[u8; 64]>,
    },
    /// The EVENTS wait is looked at for the first time. [isa-word §6.1]
    WaitBegin {
        /// Wire value of the wait mode.
        mode: u8,
        /// Semaphore or event index.
        index: u8,
        /// Right-hand side of the compare; 0 for event waits.
        threshold: u32,
        /// What was found: the count, or the event as 0 or 1.
        value: u32,
    },
    /// The wait condition holds; any `_THEN_` effect has been applied.
    WaitSatisfied {
        /// Wire value of the wait mode.
        mode: u8,
        /// Semaphore or event index.
        index: u8,
        /// What was found when the condition held.
        value: u32,
    },
    /// The word was handed over for execution.
    Dispatch {
        /// Index of the word in the core's program.
        pc: u32,
        /// First byte of the word.
        opcode: u8,
    },
    /// A leg has passed its checks and starts to move data.
    LegBegin {
        /// Core whose State Buffer receives the data.
        destination: CoreId,
        /// Number of partitions that take part. [isa-word MC-12]
        channels: u32,
        /// Bytes read and written in each partition.
        bytes_per_channel: u64,
        /// Bit k set: DMA engine k takes part. [decisions D-6]
        engine_mask: u16,
    },
    /// Bytes of one partition were read from a State Buffer.
    DataRead {
        /// Core that owns the memory.
        core: CoreId,
        /// Partition, 0..=127.
        partition: u8,
        /// Byte offset of the first element of the pattern inside the partition.
        offset: u32,
        /// The bytes, in element order.
        #[serde(serialize_with = "hex")]
        data: Vec<u8>,
    },
    /// Bytes of one partition were written to a State Buffer.
    DataWritten {
        /// Core that owns the memory.
        core: CoreId,
        /// Partition, 0..=127.
        partition: u8,
        /// Byte offset of the first element of the pattern inside the partition.
        offset: u32,
        /// The bytes, in element order.
        #[serde(serialize_with = "hex")]
        data: Vec<u8>,
    },
    /// A semaphore operation was performed. [evt-sem §2.1]
    Semaphore {
        /// Index 0..=255.
        index: u8,
        /// `add`, `sub` or `set`.
        operation: SemaphoreOp,
        /// Amount added or subtracted, or the value stored.
        operand: u32,
        /// Count before.
        old: u32,
        /// Count after, modulo 2^32.
        new: u32,
        /// Who asked for it.
        by: Master,
    },
    /// An event bit was written. [evt-sem §2.2]
    Event {
        /// Index 0..=255.
        index: u8,
        /// State before.
        old: bool,
        /// State after.
        new: bool,
        /// Who asked for it.
        by: Master,
    },
    /// The EVT_SEM block sent a notification record. [evt-sem §1.6, decisions D-19]
    Notification {
        /// Type of the record, which tells the engine or the bus.
        record_type: u8,
        /// Wire byte of the mode; 0xFF for a bus master.
        update_mode: u8,
        /// The event already was in the state written.
        double_set_or_clear: bool,
        /// A semaphore rather than an event.
        is_semaphore: bool,
        /// Index of the semaphore or event.
        index: u8,
        /// New count, or new state as 0 or 1.
        value: u32,
    },
    /// An access did not do what its address says. [soc-address §§2.5, 3.3]
    AddressFault {
        /// What happened.
        class: AddressFault,
        /// The address: 32 bits of the engine, or a SoC address.
        address: u64,
        /// The window that served it after all.
        window: Option<u8>,
    },
    /// The last source byte of the running word was read: READ updates fire. [decisions D-7]
    ReadDone {
        /// Index of the word in the core's program.
        pc: u32,
    },
    /// The word is finished: COMPLETE updates have fired. [decisions D-7]
    Complete {
        /// Index of the word in the core's program.
        pc: u32,
    },
    /// A doorbell was rung: descriptors were published. [idma-ring §2.6]
    Doorbell {
        /// Number of descriptors.
        increment: u32,
        /// Offset of the tail afterwards, in descriptors.
        tail: u32,
        /// Ring id of the tail afterwards.
        ring_id: u8,
    },
    /// A burst of descriptors was read. [idma-ring §2.6]
    DescriptorFetch {
        /// Address of the first one.
        address: u64,
        /// Number of descriptors asked for.
        count: u32,
        /// The bytes that came, 16 a descriptor.
        #[serde(serialize_with = "hex")]
        data: Vec<u8>,
    },
    /// Bytes of a buffer were read by a DMA engine. [idma-ring §2.9]
    DmaRead {
        /// Address of the first byte.
        address: u64,
        /// The bytes.
        #[serde(serialize_with = "hex")]
        data: Vec<u8>,
    },
    /// Bytes of a buffer were written by a DMA engine. [idma-ring §2.9]
    DmaWrite {
        /// Address of the first byte.
        address: u64,
        /// The bytes.
        #[serde(serialize_with = "hex")]
        data: Vec<u8>,
    },
    /// A completion entry was written. [idma-ring §1.9]
    CompletionWrite {
        /// Address of the entry.
        address: u64,
        /// The entry.
        #[serde(serialize_with = "hex")]
        data: Vec<u8>,
    },
    /// A packet was completed on one side of a DMA engine. [idma-ring §2.9]
    PacketDone {
        /// Packets of the queue so far, modulo 2^32.
        count: u32,
    },
    /// A DMA engine detected errors; several bits belong to one descriptor. [idma-ring §7.2, decisions D-21]
    DmaError {
        /// The bits of the direction's error group.
        bits: u32,
        /// The words that the log takes if it is free and not masked.
        words: [u32; 4],
        /// The direction was aborted.
        aborted: bool,
    },
    /// Execution of the core stopped.
    Fault(Fault),
    /// A line of the firmware log. [isa-word §8]
    Log {
        /// The line, as format identity and arguments.
        #[serde(flatten)]
        line: LogLine,
    },
}

impl Effect {
    /// The `kind` of the JSON form.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Fetch { .. } => "fetch",
            Self::WaitBegin { .. } => "wait_begin",
            Self::WaitSatisfied { .. } => "wait_satisfied",
            Self::Dispatch { .. } => "dispatch",
            Self::LegBegin { .. } => "leg_begin",
            Self::DataRead { .. } => "data_read",
            Self::DataWritten { .. } => "data_written",
            Self::Semaphore { .. } => "semaphore",
            Self::Event { .. } => "event",
            Self::Notification { .. } => "notification",
            Self::AddressFault { .. } => "address_fault",
            Self::ReadDone { .. } => "read_done",
            Self::Complete { .. } => "complete",
            Self::Doorbell { .. } => "doorbell",
            Self::DescriptorFetch { .. } => "descriptor_fetch",
            Self::DmaRead { .. } => "dma_read",
            Self::DmaWrite { .. } => "dma_write",
            Self::CompletionWrite { .. } => "completion_write",
            Self::PacketDone { .. } => "packet_done",
            Self::DmaError { .. } => "dma_error",
            Self::Fault(_) => "fault",
            Self::Log { .. } => "log",
        }
    }

    /// Every kind, in the order of the enum. Scenario files may count any of them.
    pub const KINDS: [&'static str; 22] = [
        "fetch",
        "wait_begin",
        "wait_satisfied",
        "dispatch",
        "leg_begin",
        "data_read",
        "data_written",
        "semaphore",
        "event",
        "notification",
        "address_fault",
        "read_done",
        "complete",
        "doorbell",
        "descriptor_fetch",
        "dma_read",
        "dma_write",
        "completion_write",
        "packet_done",
        "dma_error",
        "fault",
        "log",
    ];
}

/// What a semaphore access does to the count. [evt-sem §2.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SemaphoreOp {
    /// Add the operand modulo 2^32.
    Add,
    /// Subtract the operand modulo 2^32.
    Sub,
    /// Store the operand.
    Set,
}

impl SemaphoreOp {
    /// All operations, in the order of their numbers in a waveform.
    pub const ALL: [Self; 3] = [Self::Add, Self::Sub, Self::Set];

    /// Lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Set => "set",
        }
    }
}

impl Serialize for Transaction {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Flat<'a> {
            tick: Tick,
            agent: String,
            #[serde(flatten)]
            effect: &'a Effect,
        }
        Flat {
            tick: self.tick,
            agent: self.agent.to_string(),
            effect: &self.effect,
        }
        .serialize(serializer)
    }
}

#[expect(clippy::borrowed_box, reason = "the signature is that of the field")]
fn hex_word<S: serde::Serializer>(word: &Box<[u8; 64]>, serializer: S) -> Result<S::Ok, S::Error> {
    hex(&word[..], serializer)
}

fn hex<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(text, "{byte:02x}").expect("writing to a String cannot fail");
    }
    serializer.serialize_str(&text)
}
