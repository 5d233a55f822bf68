// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What must be true afterwards.

use toml::Spanned;

use super::Loader;
use crate::isa::Geometry;
use crate::scenario::error::ScenarioError;
use crate::scenario::expect::{Expect, ExpectedBytes, ExpectedRegister, Outcome};
use crate::scenario::schema;
use crate::transaction::{CoreId, Effect, FaultClass};

impl Loader<'_> {
    pub(super) fn expect(&self, raw: &schema::Expect) -> Result<Expect, ScenarioError> {
        let outcome = raw
            .outcome
            .as_ref()
            .map(|name| {
                Outcome::from_name(name.get_ref()).ok_or_else(|| {
                    self.error(
                        name.span(),
                        format!(
                            "unknown outcome `{}`; expected {}",
                            name.get_ref(),
                            Outcome::NAMES.join(", ")
                        ),
                    )
                })
            })
            .transpose()?;
        let fault = raw
            .fault
            .as_ref()
            .map(|fault| {
                let class = &fault.class;
                let class: FaultClass = class
                    .get_ref()
                    .parse()
                    .map_err(|error| self.error(class.span(), format!("{error}")))?;
                Ok((self.core(&fault.core)?, class))
            })
            .transpose()?;
        let mut expect = Expect {
            outcome,
            fault,
            ..Expect::default()
        };
        for entry in &raw.semaphores {
            let core = self.core(&entry.core)?;
            let index = self.index(&entry.index, "semaphore")?;
            self.once(&expect.semaphores, core, index, &entry.index, "semaphore")?;
            expect
                .semaphores
                .push((core, index, self.word(&entry.value)?));
        }
        for entry in &raw.events {
            let core = self.core(&entry.core)?;
            let index = self.index(&entry.index, "event")?;
            self.once(&expect.events, core, index, &entry.index, "event")?;
            expect.events.push((core, index, entry.value));
        }
        for entry in &raw.memory {
            expect.memory.push(self.expected_bytes(entry)?);
        }
        for entry in &raw.registers {
            let mask = entry.mask.as_ref();
            expect.registers.push(ExpectedRegister {
                address: self.address(&entry.address)?,
                value: self.word(&entry.value)?,
                mask: mask.map_or(Ok(u32::MAX), |mask| self.word(mask))?,
            });
        }
        for text in &raw.log_contains {
            if text.get_ref().is_empty() {
                return Err(self.error(
                    text.span(),
                    "expected some text; every line has an empty one",
                ));
            }
            expect.log_contains.push(text.get_ref().clone());
        }
        for (kind, count) in &raw.transactions {
            if !Effect::KINDS.contains(&kind.get_ref().as_str()) {
                return Err(self.error(
                    kind.span(),
                    format!(
                        "unknown transaction kind `{}`; expected one of {}",
                        kind.get_ref(),
                        Effect::KINDS.join(", ")
                    ),
                ));
            }
            let count = self.up_to(count, "number of transactions", i64::MAX as u64)?;
            expect.transactions.push((kind.get_ref().clone(), count));
        }
        Ok(expect)
    }

    /// Refuses a second value for the same entry.
    fn once<V>(
        &self,
        known: &[(CoreId, u8, V)],
        core: CoreId,
        index: u8,
        at: &Spanned<i64>,
        what: &str,
    ) -> Result<(), ScenarioError> {
        if known
            .iter()
            .any(|entry| (entry.0, entry.1) == (core, index))
        {
            return Err(self.error(
                at.span(),
                format!("{what} {index} of {core} is given twice"),
            ));
        }
        Ok(())
    }

    fn expected_bytes(&self, entry: &schema::ExpectMemory) -> Result<ExpectedBytes, ScenarioError> {
        let geometry = Geometry::of(self.generation);
        let core = self.core(&entry.core)?;
        let last = u64::from(geometry.sbuf_partitions) - 1;
        let partition = self.up_to(&entry.partition, "partition", last)?;
        let active = u64::from(geometry.sbuf_active);
        let offset: u32 = self.up_to(&entry.offset, "offset in a partition", active - 1)?;
        let bytes = self.hex(&entry.hex)?;
        let end = u64::from(offset) + bytes.len() as u64;
        if end > active {
            return Err(self.error(
                entry.hex.span(),
                format!(
                    "bytes {offset} to {} are not active State Buffer; partitions have {active} bytes on {}",
                    end - 1,
                    self.generation
                ),
            ));
        }
        Ok(ExpectedBytes {
            core,
            partition,
            offset,
            address: self.sbuf(core, partition, offset),
            bytes,
        })
    }
}
