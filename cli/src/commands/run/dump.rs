// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bytes of a State Buffer, shown after a run.

use std::fmt;
use std::str::FromStr;

use pool_model::device::Device as _;
use pool_model::generation::Generation;
use pool_model::isa::Geometry;
use pool_model::soc;
use pool_model::system::System;
use pool_model::transaction::CoreId;

use crate::console::Console;
use crate::failure::Failure;

/// Bytes in a row.
const ROW: u32 = 16;

/// `CORE:PARTITION:FIRST..END`, END excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DumpRange {
    core: CoreId,
    partition: u32,
    first: u32,
    end: u32,
}

impl FromStr for DumpRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let shape = || "expected CORE:PARTITION:FIRST..END, such as 1:0:0x1000..0x1080".to_owned();
        let (core, rest) = text.split_once(':').ok_or_else(shape)?;
        let (partition, bytes) = rest.split_once(':').ok_or_else(shape)?;
        let (first, end) = bytes.split_once("..").ok_or_else(shape)?;
        let number = |text: &str| parse_number(text).ok_or_else(shape);
        let core = u8::try_from(number(core)?).unwrap_or(u8::MAX);
        let range = Self {
            core: CoreId::new(core).map_err(|error| error.to_string())?,
            partition: number(partition)?,
            first: number(first)?,
            end: number(end)?,
        };
        if range.first >= range.end {
            return Err(format!(
                "{first}..{end} is empty; END is the byte after the last"
            ));
        }
        Ok(range)
    }
}

/// Decimal, or hexadecimal after `0x`.
fn parse_number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl fmt::Display for DumpRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            core,
            partition,
            first,
            end,
        } = self;
        write!(
            f,
            "{core} partition {partition}, bytes {first:#x}..{end:#x}"
        )
    }
}

impl DumpRange {
    /// Whether the bytes exist. [isa-word §2.5]
    pub fn check(&self, generation: Generation) -> Result<(), String> {
        let geometry = Geometry::of(generation);
        let (partitions, active) = (geometry.sbuf_partitions, geometry.sbuf_active);
        if self.partition < partitions && self.end <= active {
            return Ok(());
        }
        Err(format!(
            "{self} do not exist on {generation}; partitions are 0 to {}, each with bytes 0x0..{active:#x}",
            partitions - 1
        ))
    }
}

/// Prints the bytes, sixteen a row; rows that repeat the one before are left out, as `*`.
pub fn dump(
    range: &DumpRange,
    generation: Generation,
    system: &System,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let base = u64::from(range.partition) * u64::from(Geometry::of(generation).sbuf_stride);
    console.print(format_args!("{range}\n"))?;
    let mut before: Option<Vec<u8>> = None;
    let mut skipping = false;
    let mut at = range.first;
    while at < range.end {
        let mut row = vec![0; ROW.min(range.end - at) as usize];
        let address = soc::sbuf(range.core, base + u64::from(at));
        system
            .dump(address, &mut row)
            .map_err(|error| Failure::Usage(format!("--dump {range}: {error}")))?;
        let last = range.end - at <= ROW;
        if before.as_ref() == Some(&row) && !last {
            if !skipping {
                console.print(format_args!("  *\n"))?;
            }
            skipping = true;
        } else {
            console.print(format_args!("  {at:#07x} "))?;
            for byte in &row {
                console.print(format_args!(" {byte:02x}"))?;
            }
            console.print(format_args!("\n"))?;
            skipping = false;
            before = Some(row);
        }
        at = at.saturating_add(ROW);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_checked() {
        let range: DumpRange = "1:0x7f:16..0x38000".parse().expect("a range");
        assert_eq!(
            range.to_string(),
            "core1 partition 127, bytes 0x10..0x38000"
        );
        assert_eq!(range.check(Generation::V3), Ok(()));
        // 192 KiB are active on v2. [isa-word §2.5]
        assert!(range.check(Generation::V2).is_err());
        for wrong in [
            "",
            "1",
            "1:2",
            "1:2:3",
            "1:2:3..",
            "1:2:4..4",
            "1:2:5..4",
            "8:0:0..1",
            "256:0:0..1",
            "-1:0:0..1",
            "0:0:0..0x1_0",
            "0:0:0..99999999999",
        ] {
            assert!(wrong.parse::<DumpRange>().is_err(), "{wrong}");
        }
        let outside: DumpRange = "0:128:0..1".parse().expect("a range");
        assert!(outside.check(Generation::V3).is_err());
    }
}
