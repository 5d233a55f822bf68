// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `sb2sb run`: a scenario or a program on a device.

mod dump;
mod outputs;
mod program;
mod record;
mod summary;
mod trace;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use pool_model::device::DeviceError;
use pool_model::generation::Generation;
use pool_model::scenario::{DEFAULT_BUDGET, Failed, Report, Scenario, run as run_scenario};
use pool_model::system::System;
use pool_model::transaction::{Sink, Tee};

use crate::args::generations;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use dump::{DumpRange, dump};
use record::{Recorder, Window, Within};
use summary::{Moved, Verdict, print_summary};
use trace::{Trace, TracePath};

const EXAMPLES: &str = "\
Examples:
  $ sb2sb run copy.toml --dump 1:3:0x1000..0x1010
  copy on v3: cores 0, 1; 1 word
  done at tick 11: 24 transactions, 1 leg, 512 bytes moved
  3 of 3 expectations hold
  core1 partition 3, bytes 0x1000..0x1010
    0x01000  03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12
  PASS

  $ sb2sb run hang.toml
  hang on v3: cores 0, 1; 2 words
  hang at tick 2: 4 transactions, 0 legs, 0 bytes moved
  0 of 1 expectations hold
    outcome: expected done, found hang
    core0.seq waits at word 0 for semaphore 253 >= 4, found 0
    core1.seq waits at word 0 for semaphore 253 >= 4, found 0
  HANG

  sb2sb run copy.toml --trace copy.vcd && gtkwave copy.gtkw
  sb2sb run copy.toml --transactions copy.jsonl --set d2=read_first

Exit codes: 0 everything is as expected, an expected fault or hang included; 1 something is not; \
2 the file cannot be run, or not by this device; 3 an unexpected hang; 4 the device stopped by itself; \
5 an output file could not be written.";

/// Who runs the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DeviceName {
    /// The transaction-level model
    Model,
    /// The verilated RTL
    Rtl,
    /// Both, compared
    Lockstep,
}

/// How much a record shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    /// Effects that are visible from outside
    Transaction,
    /// Registers of the blocks too
    Register,
    /// Signals of the RTL too
    Rtl,
}

/// Options of `run`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scenario (.toml), or words for core 0 of the pair 0, 1 (.hex, .bin, .s; - is hex)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Who runs it
    #[arg(long, value_name = "DEVICE", default_value = "model")]
    device: DeviceName,
    /// Hardware generation of a file with words; a scenario names its own [default: v3]
    #[arg(short, long, value_name = "G", value_parser = generations())]
    generation: Option<Generation>,
    /// Set a model choice; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_setting)]
    set: Vec<(String, String)>,
    /// Write a waveform, with its GTKWave save file and filters beside it
    #[arg(long, value_name = "FILE.vcd")]
    trace: Option<TracePath>,
    /// Write the firmware log
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write every transaction as JSON Lines
    #[arg(long, value_name = "FILE.jsonl")]
    transactions: Option<PathBuf>,
    /// First tick of the log and the transactions
    #[arg(long, value_name = "T")]
    from: Option<u64>,
    /// Last tick of the log, the transactions and the waveform
    #[arg(long, value_name = "T")]
    to: Option<u64>,
    /// How much the files show
    #[arg(long, value_name = "LEVEL", default_value = "transaction")]
    level: Level,
    /// Write the files only if the run does not pass
    #[arg(long)]
    on_failure: bool,
    /// Print bytes of a core's partition after the run, END excluded; may be repeated
    #[arg(
        long,
        value_name = "CORE:PARTITION:FIRST..END",
        allow_hyphen_values = true
    )]
    dump: Vec<DumpRange>,
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => {
            Ok((key.to_owned(), value.to_owned()))
        }
        _ => Err("expected KEY=VALUE, such as d2=read_first".to_owned()),
    }
}

/// Runs the command.
pub fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    refuse_what_is_missing(args)?;
    let Some(mut scenario) = program::load(&args.file, args.generation, console)? else {
        return Ok(Exit::Usage);
    };
    for (key, value) in &args.set {
        let set = scenario.topology.choices.set(key, value);
        set.map_err(|error| Failure::Usage(format!("--set {key}={value}: {error}")))?;
    }
    if let Some(requirement) = scenario.requires.first() {
        return Err(Failure::Usage(format!(
            "not applicable: {} requires {requirement}, which the model of this version does not have",
            scenario.name
        )));
    }
    outputs::check(args, &scenario)?;
    let generation = scenario.topology.generation;
    for range in &args.dump {
        range.check(generation).map_err(Failure::Usage)?;
    }
    if generation == Generation::V5 {
        console.note(format_args!(
            "the address map of v5 is not known; the run uses that of v3 with the State Buffer widened to 128 MiB [decisions D-13]"
        ));
    }
    simulate_and_report(args, &scenario, console)
}

/// Contradictions, and what this version does not have: refused, never ignored.
fn refuse_what_is_missing(args: &Args) -> Result<(), Failure> {
    let refuse = |text: &str| Err(Failure::Usage(text.to_owned()));
    let has_record = args.log.is_some() || args.transactions.is_some();
    let has_output = has_record || args.trace.is_some();
    match (args.device, args.level) {
        (DeviceName::Rtl | DeviceName::Lockstep, _) => {
            return refuse(
                "the RTL of this version is the decoder of the word only, which cannot run programs; \
                 `--device model` runs them, and `sb2sb cosim` compares the decoder",
            );
        }
        (DeviceName::Model, Level::Register) => {
            return refuse(
                "the model of this version has no register level; expected --level transaction",
            );
        }
        (DeviceName::Model, Level::Rtl) => {
            return refuse(
                "--level rtl is for --device rtl and lockstep; the model has no RTL signals",
            );
        }
        (DeviceName::Model, Level::Transaction) => {}
    }
    if args.from.is_some() && args.trace.is_some() {
        return refuse(
            "--from is not for --trace: a waveform begins at tick 0; --to ends it early",
        );
    }
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from > to
    {
        return refuse(&format!("--from {from} is after --to {to}"));
    }
    if args.from.is_some() && !has_record {
        return refuse("--from needs --log or --transactions");
    }
    if args.to.is_some() && !has_output {
        return refuse("--to needs --trace, --log or --transactions");
    }
    if args.on_failure && !has_output {
        return refuse("--on-failure needs --trace, --log or --transactions");
    }
    let trace = args.trace.as_ref().map(TracePath::path);
    let outputs = [trace, args.log.as_deref(), args.transactions.as_deref()];
    if outputs
        .into_iter()
        .flatten()
        .any(|path| path == Path::new("-"))
    {
        return refuse("`-` is no file to write; a pipe or a terminal has the name /dev/stdout");
    }
    Ok(())
}

/// Runs are deterministic, so the first run finds out what a waveform has to declare and whether
/// `--on-failure` applies, and the second one writes the files.
fn simulate_and_report(
    args: &Args,
    scenario: &Scenario,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let window = Window {
        from: args.from.unwrap_or(0),
        to: args.to.unwrap_or(u64::MAX),
    };
    let mut moved = Moved::default();
    let mut scout = Within::new(trace::scout(scenario), window);
    let mut system = device(scenario)?;
    let first = simulate(scenario, &mut system, &mut Tee(&mut scout, &mut moved));
    let passed = matches!(&first, Ok(report) if report.passed());
    if !(args.on_failure && passed) {
        let mut files = Files {
            recorder: Recorder::create(args.log.as_deref(), args.transactions.as_deref(), window)?,
            trace: args
                .trace
                .as_ref()
                .map(|path| Trace::create(path, scout.into_inner(), window))
                .transpose()?,
        };
        if files.wanted() {
            let again = simulate(scenario, &mut device(scenario)?, &mut files);
            files.finish(scenario, again.as_ref().ok())?;
        }
    }
    let report = match first {
        Ok(report) => report,
        Err(failed) => {
            console.error(&failed);
            return Ok(exit_of_failed(&failed));
        }
    };
    let verdict = Verdict::of(&report, &scenario.expect);
    print_summary(scenario, &report, &moved, verdict, console)?;
    for range in &args.dump {
        dump(range, scenario.topology.generation, &system, console)?;
    }
    console.print(format_args!("{verdict}\n"))?;
    Ok(verdict.exit())
}

fn device(scenario: &Scenario) -> Result<System, Failure> {
    System::new(scenario.topology.clone()).map_err(|error| Failure::Usage(error.to_string()))
}

fn simulate<S: Sink>(
    scenario: &Scenario,
    system: &mut System,
    sink: &mut S,
) -> Result<Report, Failed> {
    run_scenario(scenario, system, DEFAULT_BUDGET, sink)
}

/// A run that the device could not carry through has no verdict.
fn exit_of_failed(failed: &Failed) -> Exit {
    let Failed::Device { error, .. } = failed;
    match error {
        DeviceError::Stopped(_) => Exit::Device,
        DeviceError::DecodeError { .. }
        | DeviceError::NoCore { .. }
        | DeviceError::NoPort(_)
        | DeviceError::NoInjection
        | DeviceError::NotExecuted { .. } => Exit::Usage,
    }
}

/// Everything that a run writes.
struct Files {
    recorder: Recorder,
    trace: Option<Trace>,
}

impl Files {
    fn wanted(&self) -> bool {
        self.recorder.wanted() || self.trace.is_some()
    }

    fn finish(self, scenario: &Scenario, report: Option<&Report>) -> Result<(), Failure> {
        self.recorder.finish()?;
        match self.trace {
            Some(trace) => trace.finish(scenario, report),
            None => Ok(()),
        }
    }
}

impl Sink for Files {
    fn accept(&mut self, transaction: &pool_model::transaction::Transaction) {
        self.recorder.accept(transaction);
        self.trace.accept(transaction);
    }
}

#[cfg(test)]
mod tests {
    use pool_model::soc::SocAddr;

    use super::*;

    #[test]
    fn a_device_that_stops_is_told_from_one_that_refuses() {
        let failed = |error| Failed::Device {
            doing: "running".to_owned(),
            error,
        };
        let stopped = failed(DeviceError::Stopped("assertion".to_owned()));
        assert_eq!(exit_of_failed(&stopped), Exit::Device);
        let refused = failed(DeviceError::DecodeError {
            access: "write",
            address: SocAddr(0),
            bytes: 4,
            legal: "",
        });
        assert_eq!(exit_of_failed(&refused), Exit::Usage);
    }
}
