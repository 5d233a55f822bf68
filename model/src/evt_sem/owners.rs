// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who owns which index. The ranges are advisory. [evt-sem §2.7, MC-E18]

/// Semaphores that the runtime keeps (`RtReservedSemNum`). [evt-sem §2.7, HIGH/OBSERVED]
pub const RUNTIME_SEMAPHORES: u16 = 3;

/// Events that the runtime keeps (`RtReservedEventsNum`). [evt-sem §2.7, HIGH/OBSERVED]
pub const RUNTIME_EVENTS: u16 = 12;

/// What the runtime uses an event number for. [evt-sem §2.7, HIGH/OBSERVED numbers]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventOwner {
    /// `INFERENCE_START` = 0
    InferenceStart,
    /// `CORE_BARRIER` = 1
    CoreBarrier,
    /// `SYNC_BARRIER` = 2
    SyncBarrier,
    /// `PREAMBLE_PINNED_QUEUES_START` = 3
    PreamblePinnedQueuesStart,
    /// `IOQ_CODE_SWITCH` = 4
    IoqCodeSwitch,
    /// `RANGE_CHECK_START` = 5
    RangeCheckStart,
    /// `ACT_TABLES_LOAD` = 6
    ActTablesLoad,
    /// `DVE_TABLES_LOAD` = 7
    DveTablesLoad,
    /// `HW_EXEC_QUEUE_REQUEST_LOAD` = 8
    HwExecQueueRequestLoad,
    /// `COLLECTIVES_CTX_LOAD` = 9
    CollectivesCtxLoad,
    /// TOP_SP acknowledgements 0..=3, events 10 to 13
    TopSpAck(u8),
}

/// The runtime's use of event `id`; `None` for the others. [evt-sem §2.7]
#[must_use]
pub const fn event_owner(id: u8) -> Option<EventOwner> {
    Some(match id {
        0 => EventOwner::InferenceStart,
        1 => EventOwner::CoreBarrier,
        2 => EventOwner::SyncBarrier,
        3 => EventOwner::PreamblePinnedQueuesStart,
        4 => EventOwner::IoqCodeSwitch,
        5 => EventOwner::RangeCheckStart,
        6 => EventOwner::ActTablesLoad,
        7 => EventOwner::DveTablesLoad,
        8 => EventOwner::HwExecQueueRequestLoad,
        9 => EventOwner::CollectivesCtxLoad,
        10..=13 => EventOwner::TopSpAck(id - 10),
        _ => return None,
    })
}

/// Semaphores of a TOP_SP with a fixed use. [evt-sem §2.7, HIGH/OBSERVED]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TopSpSemaphore {
    /// TRIGGER
    Trigger,
    /// COMPLETION
    Completion,
    /// BARRIER, first of two
    Barrier0,
    /// BARRIER, second of two
    Barrier1,
    /// `BARRIER_DMA_SYNC`
    BarrierDmaSync,
    /// `FUNCTION_SWITCH`
    FunctionSwitch,
    /// `HOST_BARRIER`, first of two
    HostBarrier0,
    /// `HOST_BARRIER`, second of two
    HostBarrier1,
}

impl TopSpSemaphore {
    /// All of them; the position is the index.
    pub const ALL: [Self; 8] = [
        Self::Trigger,
        Self::Completion,
        Self::Barrier0,
        Self::Barrier1,
        Self::BarrierDmaSync,
        Self::FunctionSwitch,
        Self::HostBarrier0,
        Self::HostBarrier1,
    ];

    /// Index in the container of the TOP_SP.
    #[must_use]
    pub const fn index(self) -> u8 {
        match self {
            Self::Trigger => 0,
            Self::Completion => 1,
            Self::Barrier0 => 2,
            Self::Barrier1 => 3,
            Self::BarrierDmaSync => 4,
            Self::FunctionSwitch => 5,
            Self::HostBarrier0 => 6,
            Self::HostBarrier1 => 7,
        }
    }

    /// The semaphore by which a leader reports that it is done. [evt-sem §2.7]
    #[must_use]
    pub const fn leader_done(host_collectives: bool) -> Self {
        if host_collectives {
            Self::HostBarrier0
        } else {
            Self::Barrier0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_table() {
        assert_eq!(event_owner(9), Some(EventOwner::CollectivesCtxLoad));
        assert_eq!(event_owner(10), Some(EventOwner::TopSpAck(0)));
        assert_eq!(event_owner(13), Some(EventOwner::TopSpAck(3)));
        assert_eq!(event_owner(14), None);
        for (index, semaphore) in (0..).zip(TopSpSemaphore::ALL) {
            assert_eq!(semaphore.index(), index);
        }
        assert_eq!(TopSpSemaphore::leader_done(true).index(), 6);
        assert_eq!(TopSpSemaphore::leader_done(false).index(), 2);
    }
}
