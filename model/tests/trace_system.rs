// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waveforms of real runs: every scenario of the library, compared with the device itself.

mod trace_read;

use std::fs;
use std::path::Path;

use pool_model::device::{CoreStatus, Device};
use pool_model::scenario::{DEFAULT_BUDGET, Scenario, run};
use pool_model::soc;
use pool_model::system::System;
use pool_model::trace::wave::{SequencerState, WaveLayout, WaveSink};
use pool_model::transaction::{CoreId, Effect, Sink, Transaction};
use trace_read::{Waves, by_vcd, by_wellen, value_at};

/// Bus offsets of the EVT_SEM block. [evt-sem §1.1]
const EVENT: u32 = 0x0000;
const SEMAPHORE_READ: u32 = 0x1000;

fn number(waves: &Waves, name: &str) -> u64 {
    u64::from_str_radix(value_at(waves, name, u64::MAX), 2).expect("a number")
}

/// The layout, the waveform and the transactions of a scenario, and the device after it.
fn waveform(scenario: &Scenario) -> (WaveLayout, Vec<u8>, Vec<Transaction>, System) {
    let device = || System::new(scenario.topology.clone()).expect("a legal topology");
    let cores = scenario.topology.cores.iter().copied();
    let mut scout = WaveLayout::scout(scenario.topology.generation, cores);
    run(scenario, &mut device(), DEFAULT_BUDGET, &mut scout).expect("the run");
    let layout = scout.into_layout();
    let mut sink = WaveSink::new(Vec::new(), &layout).expect("header");
    let mut device = device();
    let mut list = Vec::new();
    let report = run(
        scenario,
        &mut device,
        DEFAULT_BUDGET,
        &mut Both(&mut sink, &mut list),
    );
    let end = report.expect("the run").end;
    (
        layout,
        sink.finish(end).expect("the whole run"),
        list,
        device,
    )
}

struct Both<'a, A, B>(&'a mut A, &'a mut B);

impl<A: Sink, B: Sink> Sink for Both<'_, A, B> {
    fn accept(&mut self, transaction: &Transaction) {
        self.0.accept(transaction);
        self.1.accept(transaction);
    }
}

#[test]
fn every_scenario_of_the_library_has_a_waveform_that_ends_as_the_device_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/scenarios");
    let mut seen = 0;
    for entry in fs::read_dir(&folder).expect("the library") {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a scenario");
        let name = path.display().to_string();
        let scenario = Scenario::parse(&text, &name, &folder).expect("a legal scenario");
        let (layout, file, list, mut device) = waveform(&scenario);
        let waves = by_vcd(&file);
        assert!(waves == by_wellen(&file), "{name}: the readers disagree");
        let status = device
            .advance(1, &mut pool_model::transaction::NullSink)
            .expect("a status");
        for (core, state) in &status.cores {
            check_state(&waves, &layout.core_path(*core), state, &name);
        }
        for (&core, shown) in &layout.cores {
            let path = layout.core_path(core);
            for &index in shown.semaphores.keys() {
                let address = soc::evt_sem(core, SEMAPHORE_READ + 4 * u32::from(index));
                let count = device.read32(address).expect("a semaphore");
                let shown = number(&waves, &format!("{path}.evt_sem.sem{index:03}"));
                assert_eq!(shown, u64::from(count), "{name}: {core} semaphore {index}");
            }
            for &index in shown.events.keys() {
                let address = soc::evt_sem(core, EVENT + 4 * u32::from(index));
                let state = device.read32(address).expect("an event");
                let shown = number(&waves, &format!("{path}.evt_sem.evt{index:03}"));
                assert_eq!(shown, u64::from(state), "{name}: {core} event {index}");
            }
            check_accesses(&waves, &path, &list, core, &name);
        }
        seen += 1;
    }
    assert!(seen >= 10, "{seen} scenarios");
}

fn check_state(waves: &Waves, path: &str, status: &CoreStatus, name: &str) {
    let state = number(waves, &format!("{path}.seq.state"));
    let blocked = number(waves, &format!("{path}.wait.blocked"));
    let expected = match status {
        CoreStatus::Idle => SequencerState::Idle,
        CoreStatus::Blocked(_) => SequencerState::Wait,
        CoreStatus::Faulted(_) => SequencerState::Faulted,
        CoreStatus::Running => panic!("{name}: {path} is still running"),
    };
    assert_eq!(
        state,
        u64::from(expected.number()),
        "{name}: {path} should be {expected}"
    );
    assert_eq!(
        blocked == 1,
        expected == SequencerState::Wait,
        "{name}: {path}"
    );
}

/// Each access is there, in order: places that differ from the place before are changes.
fn check_accesses(waves: &Waves, path: &str, list: &[Transaction], core: CoreId, name: &str) {
    for (side, reads) in [("src", true), ("dst", false)] {
        let mut partitions: Vec<u64> = list
            .iter()
            .filter(|transaction| transaction.agent.core() == core)
            .filter_map(|transaction| match &transaction.effect {
                Effect::DataRead { partition, .. } if reads => Some(u64::from(*partition)),
                Effect::DataWritten { partition, .. } if !reads => Some(u64::from(*partition)),
                _ => None,
            })
            .collect();
        partitions.dedup();
        let shown: Vec<u64> = waves[&format!("{path}.leg.{side}_partition")]
            .iter()
            .filter_map(|(_, digits)| u64::from_str_radix(digits, 2).ok())
            .collect();
        assert_eq!(shown, partitions, "{name}: {path}.leg.{side}_partition");
    }
}
