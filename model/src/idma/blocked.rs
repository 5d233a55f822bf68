// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Why an engine that has work cannot go on. `docs/idma-contract.md`, "Settled"

use super::engine::{Engine, QUEUES, State};
use crate::transaction::Direction;

/// Why an engine has work and cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blocked {
    /// An access gets no response, and time-outs are off.
    Memory,
    /// The packet of this queue needs a descriptor of the write side.
    Receiver {
        /// The queue.
        queue: u8,
    },
    /// The packet of this queue needs its data tail to move.
    DataTail {
        /// The queue.
        queue: u8,
    },
    /// The write side was aborted in the middle of this queue's packet; the read side has to be reset.
    Dead {
        /// The queue.
        queue: u8,
    },
    /// Descriptors of this queue were fetched and cannot be scheduled: LAST is missing, or the queue is paused.
    Unscheduled {
        /// The queue.
        queue: u8,
    },
}

impl std::fmt::Display for Blocked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory => f.write_str("a response of memory; time-outs are off"),
            Self::Receiver { queue } => write!(f, "an RX descriptor of queue {queue}"),
            Self::DataTail { queue } => write!(f, "the data tail of queue {queue}"),
            Self::Dead { queue } => write!(f, "the reset of M2S queue {queue} after an abort"),
            Self::Unscheduled { queue } => {
                write!(
                    f,
                    "the LAST descriptor of a packet in M2S queue {queue}, or its release"
                )
            }
        }
    }
}

impl Engine {
    /// What the packet in the stream waits for; `None` if there is none.
    #[must_use]
    pub fn blocked(&self) -> Option<Blocked> {
        if self.is_stuck {
            return Some(Blocked::Memory);
        }
        if let Some(packet) = &self.packet {
            let queue = packet.queue();
            return Some(if packet.is_dead {
                Blocked::Dead { queue }
            } else if packet.waits_for_receiver() {
                Blocked::Receiver { queue }
            } else {
                Blocked::DataTail { queue }
            });
        }
        Direction::ALL.into_iter().find_map(|direction| {
            let half = self.half(direction);
            (0..QUEUES).zip(&half.queues).find_map(|(queue, it)| {
                let enabled = half.state == State::Normal && !it.is_halted() && it.moves();
                let is_open = direction == Direction::M2s && it.in_flight() > 0;
                (enabled && is_open).then_some(Blocked::Unscheduled { queue })
            })
        })
    }
}
