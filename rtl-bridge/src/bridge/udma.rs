// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `hdl/rtl/udma_group.sv` with a memory behind the ports of each engine.
#![allow(unsafe_code)] // See the note at `Send`; the foreign functions take values and slices only.

#[cxx::bridge(namespace = "sb2sb")]
pub(crate) mod ffi {
    /// What a step of a script does. Both sides understand the same ones.
    #[repr(u8)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum RingOpKind {
        /// Resets everything, memories included; `what` is the generation's code.
        Reset = 0,
        /// Writes `data` to register `address` of the group.
        Write,
        /// Reads register `address` of the group.
        Read,
        /// Waits until all engines are settled, then shows their state.
        Settle,
        /// Writes `data` bytes, from `start` of the script's bytes, to `address` of the memory of `engine`.
        Poke,
        /// Injects error bit `what` of group `port` into `engine`.
        Inject,
        /// The `data`-th access from now on of port `port` of `engine` fails: 0 is the next one. `what` is 0
        /// for an error response, 1 for none at all; with 2, what was planned for `engine` is forgotten.
        /// Descriptor reads count beats.
        Fault,
        /// Stalls of all ports of `engine` from now on: at most `what` cycles until a request is taken, `port`
        /// until its response. Bit 0 of `address` sends responses that nobody waits for. `data` is a seed.
        Stall,
        /// Lets `data` cycles pass.
        Idle,
    }

    /// One step of a script.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct RingOp {
        /// Register offset in the group, or memory address.
        address: u64,
        /// See [`RingOpKind`].
        data: u32,
        /// See [`RingOpKind`].
        start: u32,
        /// What is done.
        kind: RingOpKind,
        /// Engine that is meant.
        engine: u8,
        /// Memory port: 0 descriptor read, 1 data read, 2 data write, 3 completion write.
        port: u8,
        /// See [`RingOpKind`].
        what: u8,
        /// Waits until all engines are settled before it acts.
        settled: bool,
    }

    /// What an event is.
    #[repr(u8)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    enum RingEventKind {
        /// A burst of `length` descriptors was read from `address`.
        Fetch = 0,
        /// The bytes of a descriptor were read, up to its end or a failure.
        Read,
        /// Bytes were written, up to the end of a descriptor of either side or a failure.
        Write,
        /// A completion entry was written.
        Completion,
        /// Error bits `length` were raised.
        Error,
        /// A packet was completed.
        Packet,
        /// The engine broke rule `length` of its ports.
        Violation,
    }

    /// Something that an engine did.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct RingEvent {
        /// Memory address.
        address: u64,
        /// Step of the script during which it ended.
        op: u32,
        /// Bytes or descriptors.
        length: u32,
        /// Where its bytes begin among those of the run.
        start: u32,
        /// What it is.
        kind: RingEventKind,
        /// Engine that did it.
        engine: u8,
        /// Queue that it is about; 0 for errors.
        queue: u8,
        /// Direction: the write side.
        s2m: bool,
        /// It did not come to its end: a reset or an abort took it away.
        cut: bool,
    }

    /// One direction of a queue. Pointers are as in their registers.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct RingQueueState {
        /// `*DRHP`
        head: u32,
        /// `*DRTP`
        tail: u32,
        /// `*DCP`
        current: u32,
        /// `*CRHP`
        completed: u32,
        /// `TDRDTP`; 0 for the write side.
        data_tail: u32,
        /// Published and not yet fetched.
        posted: u32,
        /// Fetched and not yet complete.
        in_flight: u16,
        /// Fetched and not yet taken.
        level: u8,
        /// Until the queue is reset.
        halted: bool,
    }

    /// An engine at one time.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct RingEngineState {
        /// Digest of what was written to each 64 KiB of the memory.
        digest: [u64; 16],
        /// M2S of queue 0, S2M of queue 0, M2S of queue 1, S2M of queue 1.
        queues: [RingQueueState; 4],
        /// State codes of M2S and S2M.
        state: [u8; 2],
        /// What it works on, by the codes of the probe vector.
        step: u8,
        /// Queue of the packet in the stream.
        packet_queue: u8,
        /// It says that it is settled.
        settled: bool,
    }

    /// How a run ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct RingEnd {
        /// Clock cycles.
        cycles: u64,
        /// Descriptors completed by the read side.
        packets: u64,
        /// Steps that were done.
        done: u32,
        /// The watchdog struck in the next step.
        hung: bool,
    }

    unsafe extern "C++" {
        include!("rtl-bridge/shim/udma.h");

        /// Owns a verilated model, its context and the memories.
        type UdmaGroup;

        /// Created on the heap; the `UniquePtr` is the only owner.
        fn new_udma_group(instrumented: bool) -> Result<UniquePtr<UdmaGroup>>;

        /// Chooses a mutant, 0 for none. Throws if the model is not the instrumented one and `id` is not 0.
        fn set_mutant(self: Pin<&mut UdmaGroup>, id: u16) -> Result<()>;

        /// Runs a script; `ops` and `bytes` are borrowed during the call only. With `quiet` cycles without any
        /// traffic, or `longest` cycles in one step, the watchdog ends it. Without `record` nothing is
        /// observed: the yardstick of the benchmarks.
        fn run(
            self: Pin<&mut UdmaGroup>,
            ops: &[RingOp],
            bytes: &[u8],
            quiet: u32,
            longest: u32,
            record: bool,
        ) -> Result<RingEnd>;

        /// Events of the last run, in the order in which they ended.
        fn events(self: &UdmaGroup) -> &[RingEvent];

        /// Bytes of these events.
        fn bytes(self: &UdmaGroup) -> &[u8];

        /// What the reads found, in order.
        fn values(self: &UdmaGroup) -> &[u32];

        /// The engines at each `Settle`, four entries for each, and when the watchdog struck.
        fn states(self: &UdmaGroup) -> &[RingEngineState];

        /// The memory of an engine as the last run left it.
        fn memory(self: &UdmaGroup, engine: u8) -> &[u8];

        /// Whether a fault has ended this instance for good.
        fn is_dead(self: &UdmaGroup) -> bool;
    }
}

// SAFETY: the C++ object owns its model, its context and its memories, makes the context current on the calling
// thread on every entry, takes it away again, and keeps no other thread-bound state. Moving it is sound;
// sharing it is not, so there is no `Sync`.
unsafe impl Send for ffi::UdmaGroup {}
