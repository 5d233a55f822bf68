// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The waveform of a run, with what GTKWave needs beside it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use pool_model::scenario::{Report, Scenario};
use pool_model::time::Tick;
use pool_model::trace::gtkw::write_beside;
use pool_model::trace::wave::{Scout, WaveLayout, WaveSink};
use pool_model::transaction::{Sink, Transaction};

use super::record::{Window, Within};
use crate::failure::Failure;

/// Where the waveform goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracePath(PathBuf);

impl TracePath {
    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl FromStr for TracePath {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let path = PathBuf::from(text);
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("vcd") => Ok(Self(path)),
            Some("fst") => Err("this version writes no FST; expected a name ending in .vcd"),
            _ => Err("expected a name ending in .vcd"),
        }
    }
}

/// A sink that finds out what the waveform of a scenario has to declare.
pub fn scout(scenario: &Scenario) -> Scout {
    let topology = &scenario.topology;
    WaveLayout::scout(topology.generation, topology.cores.iter().copied())
}

/// A waveform in the making. It can be loaded at every moment, and stays so if the run breaks off.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    layout: WaveLayout,
    wave: Within<WaveSink<File>>,
    window: Window,
}

impl Trace {
    /// Begins the file.
    pub fn create(path: &TracePath, scout: Scout, window: Window) -> Result<Self, Failure> {
        let path = path.0.clone();
        let layout = scout.into_layout();
        let file = File::create(&path).map_err(|error| Failure::Write {
            path: path.clone(),
            error,
        })?;
        let wave = WaveSink::new(file, &layout).map_err(|error| trace_failure(&path, error))?;
        Ok(Self {
            path,
            layout,
            wave: Within::new(wave, window),
            window,
        })
    }

    /// Ends the file and writes the save file and the filters. Cores that neither wait nor stopped
    /// are at the end of their programs; a run that broke off has no report.
    pub fn finish(mut self, scenario: &Scenario, report: Option<&Report>) -> Result<(), Failure> {
        let end = report.map_or(Tick(0), |report| report.end);
        let shown_end = end.min(Tick(self.window.to));
        if let Some(report) = report
            && end == shown_end
        {
            for core in &scenario.topology.cores {
                let stopped = report.faults.iter().any(|(faulted, _)| faulted == core);
                let waits = report
                    .blocked
                    .iter()
                    .any(|blocked| blocked.agent.core() == *core);
                if !stopped && !waits && !report.out_of_budget {
                    self.wave.inner_mut().halt(end, *core);
                }
            }
        }
        self.wave
            .into_inner()
            .finish(shown_end)
            .map_err(|error| trace_failure(&self.path, error))?;
        write_beside(&self.path, &self.layout)
            .map(drop)
            .map_err(|error| trace_failure(&self.path, error))
    }
}

impl Sink for Trace {
    fn accept(&mut self, transaction: &Transaction) {
        self.wave.accept(transaction);
    }
}

fn trace_failure(path: &Path, error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::Trace {
        path: path.to_owned(),
        error: Box::new(error),
    }
}
