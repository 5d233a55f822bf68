// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Register writes before the run.

use std::ops::Range;

use toml::Spanned;

use super::{Loader, Preset, Target};
use crate::device::EnginePort;
use crate::isa::NUM_ADDR_REGISTERS;
use crate::pool::context;
use crate::pool::core::REGISTER_FILE;
use crate::scenario::error::ScenarioError;
use crate::scenario::schema::{self, Number};
use crate::soc::{self, SocAddr, map};
use crate::transaction::CoreId;

/// Offset of the SET window in an EVT_SEM container. [evt-sem §1.1]
const SEMAPHORE_SET: u32 = 0x1400;

impl Loader<'_> {
    fn preset(&self, address: SocAddr, value: u32, span: Range<usize>) -> Preset {
        Preset {
            target: Target::Soc(address),
            value,
            place: self.source.place(span),
        }
    }

    /// The writes of a core: registers, context, semaphores, events.
    pub(super) fn core_presets(
        &self,
        id: CoreId,
        core: &schema::Core,
        presets: &mut Vec<Preset>,
    ) -> Result<(), ScenarioError> {
        for (number, value) in self.numbered(&core.registers, "register", NUM_ADDR_REGISTERS - 1)? {
            let address = soc::local_reg(id, REGISTER_FILE + 4 * u32::from(number));
            presets.push(self.preset(address, self.word(value)?, value.span()));
        }
        let mut contexts: Vec<(u32, &Spanned<String>)> = Vec::new();
        for (key, value) in &core.context {
            let offset = context::offset_of(key.get_ref())
                .map_err(|error| self.error(key.span(), error.to_string()))?;
            if let Some((_, other)) = contexts.iter().find(|(known, _)| *known == offset) {
                return Err(self.error(
                    key.span(),
                    format!(
                        "`{}` is the register of `{}`",
                        key.get_ref(),
                        other.get_ref()
                    ),
                ));
            }
            contexts.push((offset, key));
            let address = soc::local_reg(id, offset);
            presets.push(self.preset(address, self.word(value)?, value.span()));
        }
        for (index, value) in self.numbered(&core.semaphores, "semaphore", u8::MAX)? {
            let address = soc::evt_sem(id, SEMAPHORE_SET + 4 * u32::from(index));
            presets.push(self.preset(address, self.word(value)?, value.span()));
        }
        for (index, value) in self.numbered(&core.events, "event", u8::MAX)? {
            if *value.get_ref() {
                let address = soc::evt_sem(id, 4 * u32::from(index));
                presets.push(self.preset(address, 1, value.span()));
            }
        }
        Ok(())
    }

    /// A `[[register]]` entry.
    pub(super) fn register(&self, entry: &schema::Register) -> Result<Preset, ScenarioError> {
        let value = self.word(&entry.value)?;
        let span = entry.address.span();
        let address = self.address(&entry.address)?;
        let Some(port) = &entry.through else {
            return Ok(self.preset(address, value, span));
        };
        let port: EnginePort = port
            .get_ref()
            .parse()
            .map_err(|error| self.error(port.span(), format!("{error}")))?;
        let address = u32::try_from(address.0).map_err(|_| {
            self.error(
                span.clone(),
                format!("{address} is no address of {port}; expected 0 to 0xffffffff"),
            )
        })?;
        Ok(Preset {
            target: Target::Port(port, address),
            value,
            place: self.source.place(span),
        })
    }

    /// A number, or the path of a region or register of the map.
    pub(super) fn address(&self, number: &Spanned<Number>) -> Result<SocAddr, ScenarioError> {
        let bad = |what: String| {
            self.error(
                number.span(),
                format!(
                    "{what} is no address; expected a number such as 0x2802701830, \
                     or a path such as \"TPB_0.EVT_SEM.SEMAPHORE_INC[12]\""
                ),
            )
        };
        let text = match number.get_ref() {
            Number::Integer(value) => {
                return u64::try_from(*value)
                    .map(SocAddr)
                    .map_err(|_| bad(value.to_string()));
            }
            Number::Text(text) => text,
        };
        if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return map::path::parse(text, self.generation)
                .map_err(|error| self.error(number.span(), error.to_string()));
        }
        let digits = text.replace('_', "");
        let parsed = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        parsed
            .map(SocAddr)
            .map_err(|_| bad(format!("`{}`", text.escape_debug())))
    }
}
