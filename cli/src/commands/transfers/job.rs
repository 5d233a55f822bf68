// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One line of a job list.

use pool_model::generation::Generation;
use pool_model::idma::descriptor::MAX_BYTES;
use pool_model::idma::{Barrier, text};
use pool_model::soc::map::path;
use pool_model::soc::sdma::ENGINES_PER_CORE;
use pool_model::soc::{SocAddr, Viewed};
use pool_model::transaction::CoreId;

use crate::input::LineProblem;

/// Longest transfer, in bytes.
pub const MAX_LENGTH: u64 = 256 << 20;

/// Who carries a transfer out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Carrier {
    /// Core that the engine belongs to.
    pub core: CoreId,
    /// Engine of the core.
    pub engine: u8,
    /// Carrier of the engine.
    pub queue: u8,
}

/// A transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Line that it stands in.
    pub line: usize,
    /// First byte read.
    pub source: SocAddr,
    /// First byte written.
    pub destination: SocAddr,
    /// Bytes.
    pub length: u64,
    /// Who carries it out.
    pub queue: Carrier,
    /// Order against the other descriptors of its queue.
    pub barrier: Barrier,
    /// Most bytes of one descriptor.
    pub piece: u32,
}

/// Reads a line; none for an empty one.
pub fn parse(
    line: &str,
    number: usize,
    generation: Generation,
) -> Result<Option<Job>, LineProblem> {
    let content = line.split_once('#').map_or(line, |(before, _)| before);
    let base = content.as_ptr() as usize;
    let column = |word: &str| {
        let offset = word.as_ptr() as usize - base;
        content[..offset].chars().count() + 1
    };
    let mut words = content.split_ascii_whitespace();
    let Some(source) = words.next() else {
        return Ok(None);
    };
    let missing = |what: &str| LineProblem {
        column: content.trim_end().chars().count() + 1,
        message: format!("expected {what}; a line is SOURCE DESTINATION LENGTH [OPTION=VALUE]…"),
    };
    let destination = words
        .next()
        .ok_or_else(|| missing("a destination address"))?;
    let length = words.next().ok_or_else(|| missing("a length in bytes"))?;
    let address = |word: &str| {
        parse_address(word, generation).map_err(|message| LineProblem {
            column: column(word),
            message,
        })
    };
    let bounded = |word: &str, value: &str, last: u64| {
        text::number(value)
            .filter(|number| *number <= last)
            .ok_or_else(|| LineProblem {
                column: column(word),
                message: format!("`{value}` is not a number from 0 to {last}"),
            })
    };
    let mut job = Job {
        line: number,
        source: address(source)?,
        destination: address(destination)?,
        length: bounded(length, length, MAX_LENGTH)?,
        queue: Carrier {
            core: CoreId::new(0).map_err(|error| LineProblem {
                column: 1,
                message: error.to_string(),
            })?,
            engine: 0,
            queue: 0,
        },
        barrier: Barrier::None,
        piece: MAX_BYTES,
    };
    if job.length == 0 {
        return Err(LineProblem {
            column: column(length),
            message: "a transfer of 0 bytes; expected at least 1".to_owned(),
        });
    }
    for word in words {
        let wrong = |message: String| LineProblem {
            column: column(word),
            message,
        };
        let (name, value) = word.split_once('=').ok_or_else(|| {
            wrong(format!(
                "`{word}` is no option; expected core=, engine=, queue=, barrier= or piece="
            ))
        })?;
        match name {
            "core" => {
                let last = u64::from(CoreId::PER_CHIP) - 1;
                job.queue.core = CoreId::new(bounded(word, value, last)? as u8)
                    .map_err(|error| wrong(error.to_string()))?;
            }
            "engine" => {
                job.queue.engine = bounded(word, value, u64::from(ENGINES_PER_CORE) - 1)? as u8;
            }
            "queue" => job.queue.queue = bounded(word, value, 15)? as u8,
            "piece" => {
                job.piece = bounded(word, value, MAX_BYTES.into())? as u32;
                if job.piece == 0 {
                    return Err(wrong("a piece of 0 bytes; expected at least 1".to_owned()));
                }
            }
            "barrier" => {
                job.barrier = match value {
                    "none" => Barrier::None,
                    "dmb" => Barrier::Dmb,
                    "write_barrier" => Barrier::WriteBarrier,
                    "sow" => Barrier::Sow,
                    other => {
                        return Err(wrong(format!(
                            "unknown barrier `{other}`; expected none, dmb, write_barrier or sow"
                        )));
                    }
                };
            }
            other => {
                return Err(wrong(format!(
                    "unknown option `{other}`; expected core, engine, queue, barrier or piece"
                )));
            }
        }
    }
    Ok(Some(job))
}

/// A number with 0x, or the path of a region.
fn parse_address(word: &str, generation: Generation) -> Result<SocAddr, String> {
    if word.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return path::parse(word, generation).map_err(|error| error.to_string());
    }
    if word.starts_with("0x")
        && let Some(number) = text::number(word)
    {
        return Ok(SocAddr(number));
    }
    Err(format!(
        "`{word}` is no address; expected 0x and hexadecimal digits, or a path such as TPB_0.STATE_BUF[3]+0x40"
    ))
}

/// Bits that name a byte of the chip: two spellings of the same byte have the same key.
pub fn key(address: SocAddr) -> u64 {
    // The view does not matter here: the device refuses what is not on the chip.
    Viewed::recover(address, true).address.0 & ((1 << 48) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let job = |line: &str| parse(line, 3, Generation::V3);
        assert_eq!(job("  # nothing"), Ok(None));
        let full = job(
            "0x1000 TPB_1.STATE_BUF[2]+0x10 4_096 engine=3 queue=0xf core=7 piece=512 barrier=sow # end",
        );
        let full = full.expect("legal").expect("not empty");
        assert_eq!(full.source, SocAddr(0x1000));
        assert_eq!(full.destination, SocAddr(0x30_0008_0010));
        assert_eq!(
            (full.length, full.piece, full.barrier),
            (4096, 512, Barrier::Sow)
        );
        assert_eq!(
            (
                full.queue.core.number(),
                full.queue.engine,
                full.queue.queue
            ),
            (7, 3, 15)
        );
        for (line, column, message) in [
            ("0x1000", 7, "expected a destination"),
            ("0x1000 0x2000 ", 14, "expected a length"),
            ("1000 0x2000 4", 1, "`1000` is no address"),
            ("0x0 0x2000 0", 12, "0 bytes"),
            ("0x0 0x2000 268435457", 12, "0 to 268435456"),
            ("0x0 0x2000 4 fast", 14, "`fast` is no option"),
            ("0x0 0x2000 4 speed=1", 14, "unknown option `speed`"),
            ("0x0 0x2000 4 engine=16", 14, "0 to 15"),
            ("0x0 0x2000 4 piece=0", 14, "a piece of 0"),
            ("0x0 0x2000 4 barrier=all", 14, "unknown barrier"),
            ("TPB_9.STATE_BUF 0x2000 4", 1, "TPB_9"),
        ] {
            let wrong = job(line).expect_err(line);
            assert_eq!(wrong.column, column, "{line}: {}", wrong.message);
            assert!(wrong.message.contains(message), "{line}: {}", wrong.message);
        }
    }
}
