// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Descriptors in memory, and injections into DMA engines.

use toml::Spanned;

use super::{Fill, Loader};
use crate::idma::injection::{Injection, PortName};
use crate::idma::{EngineName, FaultKind, text};
use crate::scenario::error::ScenarioError;
use crate::scenario::schema;
use crate::soc::sdma::ENGINES_PER_CORE;

impl Loader<'_> {
    /// A `[[descriptors]]` entry: one descriptor a line, as `sb2sb bd` prints them.
    pub(super) fn descriptors(&self, entry: &schema::Descriptors) -> Result<Fill, ScenarioError> {
        let address = self.address(&entry.address)?;
        let mut bytes = Vec::new();
        for (number, line) in entry.entries.get_ref().lines().enumerate() {
            let content = line.split_once('#').map_or(line, |(before, _)| before);
            if content.trim().is_empty() {
                continue;
            }
            let (descriptor, _) = text::parse(content).map_err(|error| {
                self.error(
                    entry.entries.span(),
                    format!("descriptors, line {}: {error}", number + 1),
                )
            })?;
            bytes.extend_from_slice(&descriptor.pack());
        }
        if bytes.is_empty() {
            return Err(self.error(entry.entries.span(), "expected at least one descriptor"));
        }
        Ok(Fill { address, bytes })
    }

    /// An `[[inject]]` entry.
    pub(super) fn injection(
        &self,
        spanned: &Spanned<schema::Inject>,
    ) -> Result<Injection, ScenarioError> {
        let entry = spanned.get_ref();
        let engine = self.engine(entry)?;
        let need_engine =
            |span| engine.ok_or_else(|| self.error(span, "expected `core` and `engine`"));
        let kinds = [&entry.fault, &entry.force].map(Option::is_some);
        let kinds = kinds.into_iter().chain([entry.stall.is_some()]);
        if kinds.filter(|given| *given).count() != 1 {
            return Err(self.error(
                spanned.span(),
                "expected one of `fault`, `force` and `stall`",
            ));
        }
        if let Some(force) = &entry.force {
            let (group, bit) = self.forced(force)?;
            return Ok(Injection::Force {
                engine: need_engine(force.span())?,
                group,
                bit,
            });
        }
        let port = self.port(spanned)?;
        if let Some(stall) = &entry.stall {
            return Ok(Injection::Stall {
                engine: need_engine(stall.span())?,
                port,
                cycles: self.up_to(stall, "number of cycles", u32::MAX.into())?,
            });
        }
        let Some(fault) = &entry.fault else {
            return Err(self.error(spanned.span(), "expected `fault`"));
        };
        let kind = match fault.get_ref().as_str() {
            "error" => FaultKind::Response,
            "silence" => FaultKind::Silence,
            other => {
                return Err(self.error(
                    fault.span(),
                    format!("unknown fault `{other}`; expected error or silence"),
                ));
            }
        };
        let Some(address) = &entry.address else {
            return Err(self.error(fault.span(), "a fault needs `address`"));
        };
        let bytes = match &entry.bytes {
            Some(bytes) => self.up_to(bytes, "number of bytes", i64::MAX as u64)?,
            None => 1,
        };
        Ok(Injection::Access {
            engine,
            port,
            first: self.address(address)?.0,
            bytes,
            kind,
        })
    }

    fn engine(&self, entry: &schema::Inject) -> Result<Option<EngineName>, ScenarioError> {
        match (&entry.core, &entry.engine) {
            (None, None) => Ok(None),
            (Some(core), Some(engine)) => Ok(Some(EngineName {
                core: self.core(core)?,
                number: self.up_to(engine, "engine", u64::from(ENGINES_PER_CORE) - 1)?,
            })),
            (Some(one), None) | (None, Some(one)) => {
                Err(self.error(one.span(), "expected both `core` and `engine`"))
            }
        }
    }

    fn port(&self, entry: &Spanned<schema::Inject>) -> Result<PortName, ScenarioError> {
        let names = PortName::ALL.map(PortName::name).join(", ");
        let Some(port) = &entry.get_ref().port else {
            return Err(self.error(entry.span(), format!("expected `port`, one of {names}")));
        };
        PortName::ALL
            .into_iter()
            .find(|name| name.name() == port.get_ref())
            .ok_or_else(|| {
                self.error(
                    port.span(),
                    format!("unknown port `{}`; expected {names}", port.get_ref()),
                )
            })
    }

    /// `"m2s:17"`, `"s2m:3"` or `"c:5"`.
    fn forced(&self, force: &Spanned<String>) -> Result<(u8, u8), ScenarioError> {
        let parsed = || {
            let (group, bit) = force.get_ref().split_once(':')?;
            let group = match group {
                "m2s" => 0,
                "s2m" => 1,
                "c" => 2,
                _ => return None,
            };
            let bit = bit.parse::<u8>().ok().filter(|bit| *bit < 32)?;
            Some((group, bit))
        };
        parsed().ok_or_else(|| {
            self.error(
                force.span(),
                format!(
                    "`{}` is no error bit; expected m2s:N, s2m:N or c:N with N from 0 to 31",
                    force.get_ref().escape_debug()
                ),
            )
        })
    }
}
