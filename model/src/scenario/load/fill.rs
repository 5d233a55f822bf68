// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory contents before the run.

use std::ops::Range;

use toml::Spanned;

use super::{Fill, Loader};
use crate::isa::Geometry;
use crate::scenario::error::ScenarioError;
use crate::scenario::schema;
use crate::split_mix::SplitMix64;

/// Most bytes that all fills together may write: the active State Buffers of a v5 chip.
/// [isa-word §2.5]
const MAX_FILLED: u64 = 512 << 20;

/// What a fill puts into each partition.
enum Pattern {
    Zero,
    /// Byte i of partition p is i + p.
    Ramp,
    Random(SplitMix64),
    /// Bytes that are repeated.
    Fixed(Vec<u8>),
}

impl Pattern {
    fn bytes(&mut self, partition: u32, length: usize) -> Vec<u8> {
        match self {
            Self::Zero => vec![0; length],
            Self::Ramp => (0..length)
                .map(|i| (i as u8).wrapping_add(partition as u8))
                .collect(),
            Self::Random(random) => (0..length).map(|_| random.next_u64() as u8).collect(),
            Self::Fixed(data) => data.iter().copied().cycle().take(length).collect(),
        }
    }
}

impl Loader<'_> {
    pub(super) fn fills(&self, fills: &[schema::Fill]) -> Result<Vec<Fill>, ScenarioError> {
        let mut done = Vec::new();
        let mut filled = 0;
        for fill in fills {
            let core = self.core(&fill.core)?;
            let partitions = self.partitions(&fill.partitions)?;
            let mut pattern = self.pattern(fill)?;
            let (offset, length) = self.extent(fill, &pattern)?;
            filled += partitions.len() as u64 * u64::from(length);
            if filled > MAX_FILLED {
                return Err(self.error(
                    fill.partitions.span(),
                    format!(
                        "with this one the fills write {filled} bytes; together they may write {MAX_FILLED}"
                    ),
                ));
            }
            for partition in partitions {
                done.push(Fill {
                    address: self.sbuf(core, partition, offset),
                    bytes: pattern.bytes(partition, length as usize),
                });
            }
        }
        Ok(done)
    }

    fn partitions(&self, list: &Spanned<Vec<i64>>) -> Result<Range<u32>, ScenarioError> {
        let all = Geometry::of(self.generation).sbuf_partitions;
        let [first, count] = list.get_ref()[..] else {
            return Err(self.error(
                list.span(),
                format!(
                    "expected [first, count], found {} number(s)",
                    list.get_ref().len()
                ),
            ));
        };
        if count == 0 {
            return Err(self.error(
                list.span(),
                format!("[{first}, 0] is [first, count]; expected a count of at least 1"),
            ));
        }
        let end = first.checked_add(count).filter(|end| *end <= all.into());
        match (u32::try_from(first), u32::try_from(count), end) {
            (Ok(first), Ok(count), Some(_)) => Ok(first..first + count),
            _ => Err(self.error(
                list.span(),
                format!(
                    "[{first}, {count}] is [first, count]; partitions 0 to {} exist",
                    all - 1
                ),
            )),
        }
    }

    /// Offset and length, which must lie in the active part of a partition. [isa-word §2.5]
    fn extent(&self, fill: &schema::Fill, pattern: &Pattern) -> Result<(u32, u32), ScenarioError> {
        let active = Geometry::of(self.generation).sbuf_active;
        let offset: u32 = match &fill.offset {
            Some(offset) => self.up_to(offset, "offset in a partition", u64::from(active) - 1)?,
            None => 0,
        };
        let length = match (pattern, &fill.bytes) {
            (_, Some(bytes)) => match u32::try_from(*bytes.get_ref()) {
                Ok(1..) => *bytes.get_ref(),
                _ => {
                    return Err(self.error(
                        bytes.span(),
                        format!("{} bytes; expected at least 1", bytes.get_ref()),
                    ));
                }
            },
            (Pattern::Fixed(data), None) => i64::try_from(data.len()).unwrap_or(i64::MAX),
            (_, None) => {
                return Err(self.error(fill.pattern.span(), "this pattern needs `bytes`"));
            }
        };
        match u32::try_from(length) {
            Ok(length) if length <= active - offset => Ok((offset, length)),
            _ => {
                let span = fill
                    .bytes
                    .as_ref()
                    .map_or(fill.pattern.span(), Spanned::span);
                Err(self.error(
                    span,
                    format!(
                        "offset {offset} and {length} byte(s) leave the partition; {active} bytes are active on {}",
                        self.generation
                    ),
                ))
            }
        }
    }

    /// The pattern by its name. Keys that it does not use are refused.
    fn pattern(&self, fill: &schema::Fill) -> Result<Pattern, ScenarioError> {
        let name = fill.pattern.get_ref().as_str();
        let used = match name {
            "zero" | "ramp" => None,
            "random" => Some("seed"),
            "hex" => Some("data"),
            "file" => Some("path"),
            other => {
                return Err(self.error(
                    fill.pattern.span(),
                    format!("unknown pattern `{other}`; expected zero, ramp, random, hex or file"),
                ));
            }
        };
        let given = [
            ("seed", fill.seed.as_ref().map(Spanned::span)),
            ("data", fill.data.as_ref().map(Spanned::span)),
            ("path", fill.path.as_ref().map(Spanned::span)),
        ];
        for (key, span) in given {
            if let Some(span) = span
                && used != Some(key)
            {
                return Err(self.error(span, format!("pattern `{name}` does not use `{key}`")));
            }
        }
        let missing = |key: &str| {
            self.error(
                fill.pattern.span(),
                format!("pattern `{name}` needs `{key}`"),
            )
        };
        Ok(match name {
            "zero" => Pattern::Zero,
            "ramp" => Pattern::Ramp,
            "random" => {
                let seed = fill.seed.as_ref();
                let seed = seed.map_or(Ok(0), |seed| self.up_to(seed, "seed", i64::MAX as u64))?;
                Pattern::Random(SplitMix64::new(seed))
            }
            "hex" => Pattern::Fixed(self.hex(fill.data.as_ref().ok_or_else(|| missing("data"))?)?),
            _ => {
                let path = fill.path.as_ref().ok_or_else(|| missing("path"))?;
                let data = self.read(path)?;
                if data.is_empty() {
                    return Err(
                        self.error(path.span(), "the file is empty; expected at least one byte")
                    );
                }
                Pattern::Fixed(data)
            }
        })
    }
}
