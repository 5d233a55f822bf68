// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The suites: what is compared, each with the block of the RTL that it runs.

use std::str::FromStr;

/// A kind of stimulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suite {
    /// Near-valid instruction words through decoder and validator.
    Words,
    /// SoC addresses through the address decoder.
    Addr,
    /// Register traffic and lookups of the window block.
    Window,
    /// Bus, control port, engines and commands of the semaphore block.
    EvtSem,
    /// Register traffic, rings, faults and stalls of the DMA engines.
    Ring,
}

impl Suite {
    /// All suites, in the order in which they run.
    pub const ALL: [Self; 5] = [
        Self::Words,
        Self::Addr,
        Self::Window,
        Self::EvtSem,
        Self::Ring,
    ];

    /// The name that commands use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Addr => "addr",
            Self::Window => "window",
            Self::EvtSem => "evt_sem",
            Self::Ring => "ring",
        }
    }

    /// The top module of the RTL that it runs.
    #[must_use]
    pub const fn module(self) -> &'static str {
        match self {
            Self::Words => "s3d3_decoder",
            Self::Addr => "soc_addr_decode",
            Self::Window => "xt_window",
            Self::EvtSem => "evt_sem",
            Self::Ring => "udma_group",
        }
    }

    /// What an operation of it is, in the singular.
    #[must_use]
    pub const fn operation(self) -> &'static str {
        match self {
            Self::Words => "word",
            Self::Addr => "address",
            Self::Window | Self::EvtSem => "cycle",
            Self::Ring => "step",
        }
    }

    /// The suite that runs a top module, or the engine that is in one.
    #[must_use]
    pub fn of_module(module: &str) -> Option<Self> {
        if module == "udma_engine" {
            return Some(Self::Ring);
        }
        Self::ALL.into_iter().find(|suite| suite.module() == module)
    }
}

/// A suite name that is not one of [`Suite::ALL`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown suite `{0}`; expected {names}", names = Suite::ALL.map(Suite::name).join(", "))]
pub struct UnknownSuite(pub String);

impl FromStr for Suite {
    type Err = UnknownSuite;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|suite| suite.name() == text)
            .ok_or_else(|| UnknownSuite(text.to_owned()))
    }
}
