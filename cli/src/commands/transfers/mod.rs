// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb transfers`: a list of copies, carried out by DMA engines and checked byte for byte.

mod job;
mod oracle;
mod plan;

use std::path::PathBuf;

use pool_model::device::Device as _;
use pool_model::generation::Generation;
use pool_model::scenario::{DEFAULT_BUDGET, Outcome, run as run_scenario};
use pool_model::soc::SocAddr;
use pool_model::system::System;
use pool_model::transaction::NullSink;

use super::{LineError, each_line};
use crate::args::GenerationArg;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

use job::{Job, key, parse};
use oracle::Oracle;
use plan::plan;

const EXAMPLES: &str = "\
Examples:
  $ cat transfers.txt
  # SOURCE DESTINATION LENGTH [OPTION=VALUE]...
  TPB_0.STATE_BUF[3]+0x40  0x3000000000  256
  0x123456789              TPB_4.STATE_BUF[0]+0x7  70000  engine=2 queue=5
  0x3000000000             HBM_1+0x1000  256  barrier=dmb

  $ sb2sb transfers transfers.txt
  transfers on v3: 3 transfers, 4 descriptors, 70512 bytes
  done at tick 2
  every byte is as expected
  PASS

Addresses are numbers with 0x or paths; lengths are in bytes. Options: core=0..7, engine=0..15, queue=0..15 (all 0 unless
given), piece=BYTES of one descriptor (65536), barrier=none, dmb, write_barrier or sow. Sources are filled with bytes from
--seed. The transfers of a queue are carried out in order; those of different queues must not touch the same bytes.

Exit codes: 0 every byte is as expected, 1 some are not, 2 the list cannot be carried out, 3 a hang.";

/// Most transfers of a list.
const MAX_JOBS: usize = 1 << 16;
/// Most bytes of a list.
const MAX_TOTAL: u64 = 1 << 30;
/// Bytes around a destination that must not change.
const GUARD: u64 = 64;
/// Bytes that are compared at a time.
const CHUNK: u64 = 64 << 10;
/// Differences that are shown.
const MAX_SHOWN: usize = 10;

/// Options of `transfers`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    generation: GenerationArg,
    /// Seed of the bytes in the sources
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// The list; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let generation = args.generation.generation;
    if generation == Generation::V2 {
        return Err(Failure::Usage(
            "where the DMA engines of v2 are is not known; expected v3 or later".to_owned(),
        ));
    }
    let Some(jobs) = read(args, console)? else {
        return Ok(Exit::Usage);
    };
    let name = args.file.file_stem().map_or_else(
        || "transfers".to_owned(),
        |stem| stem.to_string_lossy().escape_debug().to_string(),
    );
    let refuse = |message: String| Failure::Usage(format!("{}: {message}", args.file.display()));
    check_order(&jobs).map_err(refuse)?;
    let planned = plan(&name, &jobs, generation, args.seed).map_err(refuse)?;
    let scenario = &planned.scenario;
    let mut system = System::new(scenario.topology.clone())
        .map_err(|error| Failure::Usage(error.to_string()))?;
    check_memory(&jobs, &system).map_err(refuse)?;
    let report = match run_scenario(scenario, &mut system, DEFAULT_BUDGET, &mut NullSink) {
        Ok(report) => report,
        Err(failed) => return Err(refuse(failed.to_string())),
    };
    let total: u64 = jobs.iter().map(|job| job.length).sum();
    console.print(format_args!(
        "{name} on {generation}: {} transfer{}, {} descriptor{}, {total} bytes\n{} at tick {}\n",
        jobs.len(),
        plural(jobs.len()),
        planned.descriptors,
        plural(planned.descriptors),
        report.outcome,
        report.end
    ))?;
    for engine in &report.engines {
        console.print(format_args!("  {engine}\n"))?;
    }
    let oracle = Oracle::after(&scenario.fills, &jobs, generation);
    let differences = compare(&jobs, &system, &oracle);
    for difference in differences.iter().take(MAX_SHOWN) {
        console.print(format_args!("  {difference}\n"))?;
    }
    let (verdict, exit) = match (report.outcome, differences.len()) {
        (Outcome::Hang, _) => ("HANG", Exit::Hang),
        (Outcome::Done, 0) => {
            console.print(format_args!("every byte is as expected\n"))?;
            ("PASS", Exit::Success)
        }
        (_, count) => {
            console.print(format_args!("{count} transfer{} differ\n", plural(count)))?;
            ("FAIL", Exit::No)
        }
    };
    console.print(format_args!("{verdict}\n"))?;
    Ok(exit)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Reads the list; none if something in it was reported.
fn read(args: &Args, console: &mut Console<'_>) -> Result<Option<Vec<Job>>, Failure> {
    let generation = args.generation.generation;
    let mut jobs: Vec<Job> = Vec::new();
    let mut total = 0;
    let files = std::slice::from_ref(&args.file);
    let malformed = each_line(files, console, |file, number, line, _| {
        if let Some(job) = parse(&String::from_utf8_lossy(line), number, generation)? {
            total += job.length;
            jobs.push(job);
            if jobs.len() > MAX_JOBS || total > MAX_TOTAL {
                return Err(LineError::Failed(Failure::Usage(format!(
                    "{file}:{number}: expected at most {MAX_JOBS} transfers of {MAX_TOTAL} bytes together"
                ))));
            }
        }
        Ok(())
    })?;
    if !malformed && jobs.is_empty() {
        return Err(Failure::Usage(format!(
            "{}: expected at least one transfer",
            args.file.display()
        )));
    }
    Ok((!malformed).then_some(jobs))
}

/// Transfers of different queues have no order, so they must not touch the same bytes.
fn check_order(jobs: &[Job]) -> Result<(), String> {
    /// A range of bytes that a job reads or writes.
    struct Touched {
        first: u64,
        end: u64,
        writes: bool,
        job: usize,
    }
    let mut touched: Vec<Touched> = Vec::new();
    for (index, job) in jobs.iter().enumerate() {
        for (address, writes) in [(job.source, false), (job.destination, true)] {
            let first = key(address);
            touched.push(Touched {
                first,
                end: first.saturating_add(job.length),
                writes,
                job: index,
            });
        }
    }
    touched.sort_by_key(|range| (range.first, range.job, range.writes));
    let mut open: Vec<&Touched> = Vec::new();
    for range in &touched {
        open.retain(|other| other.end > range.first);
        let clash = open.iter().find(|other| {
            (other.writes || range.writes) && jobs[other.job].queue != jobs[range.job].queue
        });
        if let Some(other) = clash {
            let (one, two) = (jobs[other.job].line, jobs[range.job].line);
            return Err(format!(
                "lines {} and {} touch the same bytes from {:#x} on and run on different queues, which have no order",
                one.min(two),
                one.max(two),
                range.first
            ));
        }
        open.push(range);
    }
    Ok(())
}

/// Both ends of every transfer must be memory.
fn check_memory(jobs: &[Job], system: &System) -> Result<(), String> {
    let mut buffer = vec![0; CHUNK as usize];
    for job in jobs {
        for (what, address) in [("source", job.source), ("destination", job.destination)] {
            for offset in (0..job.length).step_by(CHUNK as usize) {
                let count = CHUNK.min(job.length - offset) as usize;
                let at = SocAddr(address.0.wrapping_add(offset));
                system
                    .dump(at, &mut buffer[..count])
                    .map_err(|error| format!("line {}: {what}: {error}", job.line))?;
            }
        }
    }
    Ok(())
}

/// One line for each transfer whose ends do not hold what they should.
fn compare(jobs: &[Job], system: &System, oracle: &Oracle) -> Vec<String> {
    let mut differences = Vec::new();
    for job in jobs {
        let ends = [("source", job.source), ("destination", job.destination)];
        let found = ends.into_iter().find_map(|(what, address)| {
            let first = address.0.saturating_sub(GUARD);
            let end = address.0.saturating_add(job.length).saturating_add(GUARD);
            let at = first_difference(first, end, system, oracle)?;
            Some(format!("line {}: {what}: {at}", job.line))
        });
        differences.extend(found);
    }
    differences
}

fn first_difference(first: u64, end: u64, system: &System, oracle: &Oracle) -> Option<String> {
    let mut at = first;
    while at < end {
        // Guards may lie outside of a memory; there is nothing to compare then.
        let count = (CHUNK - at % CHUNK).min(end - at) as usize;
        let (mut found, mut expected) = (vec![0; count], vec![0; count]);
        if system.dump(SocAddr(at), &mut found).is_ok() {
            oracle.read(SocAddr(at), &mut expected);
            if let Some(position) = found.iter().zip(&expected).position(|(a, b)| a != b) {
                return Some(format!(
                    "byte at {}: expected 0x{:02x}, found 0x{:02x}",
                    SocAddr(at + position as u64),
                    expected[position],
                    found[position]
                ));
            }
        }
        at += count as u64;
    }
    None
}
