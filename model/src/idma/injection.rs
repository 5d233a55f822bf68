// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Deliberate failures of what an engine sees. [decisions D-41]

use super::engine::EngineName;
use super::port::{FaultKind, PortFault};

/// A memory port of an engine. `docs/idma-contract.md`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortName {
    /// Descriptor reads.
    Fetch,
    /// Data reads.
    Read,
    /// Data writes.
    Write,
    /// Completion writes.
    Completion,
}

impl PortName {
    /// All ports.
    pub const ALL: [Self; 4] = [Self::Fetch, Self::Read, Self::Write, Self::Completion];

    /// The name in scenario files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fetch => "fetch",
            Self::Read => "read",
            Self::Write => "write",
            Self::Completion => "completion",
        }
    }
}

/// What is to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Injection {
    /// Accesses that touch these bytes fail.
    Access {
        /// The engine; every engine if none is named.
        engine: Option<EngineName>,
        /// Its port.
        port: PortName,
        /// First failing byte.
        first: u64,
        /// Number of failing bytes.
        bytes: u64,
        /// How the accesses fail.
        kind: FaultKind,
    },
    /// An error bit is raised before the run: group 0 is A (read side), 1 B (write side), 2 C.
    Force {
        /// The engine.
        engine: EngineName,
        /// Group, 0 to 2.
        group: u8,
        /// Bit, 0 to 31.
        bit: u8,
    },
    /// Every access of a port is held back. The functional model has no time in which it could. [idma-ring MC-37]
    Stall {
        /// The engine.
        engine: EngineName,
        /// Its port.
        port: PortName,
        /// Cycles an access waits.
        cycles: u32,
    },
}

impl Injection {
    /// How an access fails by this injection, if it does.
    #[must_use]
    pub fn fault(
        &self,
        of: EngineName,
        on: PortName,
        address: u64,
        length: usize,
    ) -> Option<PortFault> {
        let Self::Access {
            engine,
            port,
            first,
            bytes,
            kind,
        } = *self
        else {
            return None;
        };
        if engine.is_some_and(|engine| engine != of) || port != on || bytes == 0 {
            return None;
        }
        // The first byte of the access that lies in the failing range; both may wrap.
        let at = if address.wrapping_sub(first) < bytes {
            0
        } else {
            first.wrapping_sub(address)
        };
        (at < length as u64).then_some(PortFault {
            at: at as usize,
            kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transaction::CoreId;

    #[test]
    fn the_first_failing_byte_is_found() {
        let engine = EngineName {
            core: CoreId::new(0).expect("core 0 exists"),
            number: 0,
        };
        for first in 0..12_u64 {
            for bytes in 0..6 {
                let injection = Injection::Access {
                    engine: None,
                    port: PortName::Read,
                    first,
                    bytes,
                    kind: FaultKind::Response,
                };
                for address in 0..12 {
                    for length in 0..6 {
                        let expected = (0..length)
                            .find(|at| (first..first + bytes).contains(&(address + *at as u64)));
                        let found = injection.fault(engine, PortName::Read, address, length);
                        assert_eq!(found.map(|fault| fault.at), expected);
                        assert_eq!(
                            injection.fault(engine, PortName::Write, address, length),
                            None
                        );
                    }
                }
            }
        }
    }
}
