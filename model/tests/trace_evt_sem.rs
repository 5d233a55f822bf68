// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The semaphore block and the engine's port in a waveform, from runs of the model.

mod trace_read;

use std::path::Path;

use pool_model::scenario::{DEFAULT_BUDGET, Scenario, run};
use pool_model::system::System;
use pool_model::time::Tick;
use pool_model::trace::wave::{WaveLayout, WaveSink};
use pool_model::transaction::{NullSink, Tee};

use trace_read::{Waves, by_vcd, by_wellen};

const CORE0: &str = "sb2sb.chip0.die0.core0";

fn waves_of(text: &str) -> Waves {
    let scenario = Scenario::parse(text, "x.toml", Path::new(".")).expect("a legal file");
    let topology = &scenario.topology;
    let device = || System::new(topology.clone()).expect("a legal topology");
    let mut scout = WaveLayout::scout(topology.generation, topology.cores.iter().copied());
    let mut sink = Tee(&mut scout, NullSink);
    run(&scenario, &mut device(), DEFAULT_BUDGET, &mut sink).expect("it runs");
    let layout = scout.into_layout();
    let mut file = Vec::new();
    let mut wave = WaveSink::new(&mut file, &layout).expect("header");
    run(&scenario, &mut device(), DEFAULT_BUDGET, &mut wave).expect("it runs");
    wave.finish(Tick(0)).expect("a whole waveform");
    assert_eq!(by_vcd(&file), by_wellen(&file));
    by_vcd(&file)
}

/// Every value that a variable takes in the first tick after its initial one, in which the registers are written.
fn in_first_tick(waves: &Waves, name: &str) -> Vec<u64> {
    waves[&format!("{CORE0}.{name}")]
        .iter()
        .filter(|(time, _)| (1..Tick(1).picoseconds()).contains(time))
        .map(|(_, digits)| u64::from_str_radix(digits, 2).expect("a number"))
        .collect()
}

fn last(waves: &Waves, name: &str) -> String {
    let (_, digits) = waves[&format!("{CORE0}.{name}")].last().expect("a value");
    digits.clone()
}

fn register(path: &str, value: u32) -> String {
    format!("[[register]]\naddress = \"{path}\"\nvalue = {value}\n")
}

/// [evt-sem MC-E8, MC-E11, §1.6, decisions D-14]
#[test]
fn errors_masters_and_notifications_of_the_block_are_shown() {
    let text = [
        // A first operation that is right, so that the strobes below rise inside the tick.
        register("TPB_0.EVT_SEM.SEMAPHORE_SET[255]", 0xFFFF_FFFF),
        register("TPB_0.EVT_SEM.SEMAPHORE_INC[255]", 1),
        register("TPB_0.EVT_SEM.SEMAPHORE_DEC[0]", 1),
        register("TPB_0.EVT_SEM+0x24", 1),
        register("TPB_0.EVT_SEM+0x24", 1),
        register("0x2803067808", 1),
        register("TPB_0.EVT_SEM.SEMAPHORE_SET[7]", 1234),
    ]
    .concat();
    let waves = waves_of(&text);
    // The count at time 0 is that of reset; it is 0xffffffff after the first operation, which stands there too.
    assert_eq!(in_first_tick(&waves, "evt_sem.sem255"), [0]);
    assert_eq!(in_first_tick(&waves, "evt_sem.sem000"), [0xFFFF_FFFF]);
    assert_eq!(in_first_tick(&waves, "evt_sem.sem007"), [1234]);
    assert_eq!(in_first_tick(&waves, "evt_sem.evt009"), [1]);
    for (strobe, times) in [
        ("overflow", 1),
        ("underflow", 1),
        ("event_error", 1),
        ("notification", 1),
        ("error", 1),
    ] {
        let name = format!("evt_sem.{strobe}");
        let rises = in_first_tick(&waves, &name)
            .iter()
            .filter(|value| **value == 1)
            .count();
        assert_eq!(rises, times, "{strobe}");
    }
    // The bus is number 4 of the masters, and its records have type 0x1b.
    assert_eq!(
        last(&waves, "evt_sem.last_by").trim_start_matches('0'),
        "100"
    );
    assert_eq!(in_first_tick(&waves, "evt_sem.notification_source"), [0x1B]);
    assert_eq!(in_first_tick(&waves, "evt_sem.notification_value"), [1234]);
    let shown = waves
        .keys()
        .filter(|name| name.starts_with(&format!("{CORE0}.evt_sem.sem")));
    assert_eq!(shown.count(), 3, "only semaphores that change");
}

/// [soc-address MC-10, MC-19]
#[test]
fn faults_of_the_port_are_shown() {
    let text = [
        "[[register]]\nthrough = \"core0.q7.1\"\naddress = 0x07001234\nvalue = 1\n".to_owned(),
        register("TPB_0.STATE_BUF+0x38000", 1),
    ]
    .concat();
    let waves = waves_of(&text);
    let port = |name: &str| last(&waves, &format!("port.{name}"));
    assert_eq!(u64::from_str_radix(&port("fault_class"), 2), Ok(3));
    assert_eq!(
        u64::from_str_radix(&port("fault_address"), 2),
        Ok(0x20_0003_8000)
    );
    let classes = &waves[&format!("{CORE0}.port.fault_class")];
    let classes: Vec<_> = classes
        .iter()
        .map(|(_, digits)| digits.trim_start_matches('0'))
        .collect();
    assert!(classes.ends_with(&["1", "11"]), "{classes:?}");
}
