// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a scenario needs of the device that runs it.

/// Something that a device may or may not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// At least this many DMA engines a core, as blocks of their own.
    Engines(u32),
    /// At least this many queues an engine.
    Queues(u32),
    /// A leg to another die.
    OtherDie,
    /// A leg to another chip.
    OtherChip,
    /// Host memory.
    Host,
}

impl Requirement {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let counted = |prefix: &str| {
            let rest = text.strip_prefix(prefix)?.trim_start().strip_prefix(">=")?;
            rest.trim().parse().ok()
        };
        match text {
            "other_die" => Some(Self::OtherDie),
            "other_chip" => Some(Self::OtherChip),
            "host" => Some(Self::Host),
            _ => counted("engines")
                .map(Self::Engines)
                .or_else(|| counted("queues").map(Self::Queues)),
        }
    }
}

impl std::fmt::Display for Requirement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Engines(count) => write!(f, "engines>={count}"),
            Self::Queues(count) => write!(f, "queues>={count}"),
            Self::OtherDie => f.write_str("other_die"),
            Self::OtherChip => f.write_str("other_chip"),
            Self::Host => f.write_str("host"),
        }
    }
}
