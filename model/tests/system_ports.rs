// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Register writes from outside and through the windows of an engine, with the notifications and faults that they
//! cause, and the choices that change them.

use std::path::Path;

use pool_model::choices::Choices;
use pool_model::device::{Device as _, DeviceError};
use pool_model::scenario::{DEFAULT_BUDGET, Failed, Report, Scenario, run};
use pool_model::soc::SocAddr;
use pool_model::soc::cam::{CamEntry, Direction, Remapper, Verdict};
use pool_model::system::System;
use pool_model::transaction::{AddressFault, Agent, CoreId, Effect, Master, Transaction};

fn core(number: u8) -> CoreId {
    CoreId::new(number).expect("a core of the chip")
}

fn run_text(text: &str) -> (Result<Report, Failed>, Vec<Transaction>, System) {
    let scenario = Scenario::parse(text, "x.toml", Path::new(".")).expect("a legal file");
    let mut device = System::new(scenario.topology.clone()).expect("a legal topology");
    let mut seen = Vec::new();
    let report = run(&scenario, &mut device, DEFAULT_BUDGET, &mut seen);
    (report, seen, device)
}

fn register(address: &str, value: u32) -> String {
    format!("[[register]]\naddress = \"{address}\"\nvalue = {value}\n")
}

fn through(port: &str, address: u32, value: u32) -> String {
    format!("[[register]]\nthrough = \"{port}\"\naddress = {address}\nvalue = {value}\n")
}

/// Record type, mode, semaphore or not, index, value.
fn notifications(seen: &[Transaction]) -> Vec<(u8, u8, bool, u8, u32)> {
    seen.iter()
        .filter_map(|transaction| match transaction.effect {
            Effect::Notification {
                record_type,
                update_mode,
                is_semaphore,
                index,
                value,
                ..
            } => Some((record_type, update_mode, is_semaphore, index, value)),
            _ => None,
        })
        .collect()
}

/// The control block lies at LOCAL_REG + 0x7000. [evt-sem §1.5, MC-E6, MC-E10, decisions D-18, D-19]
#[test]
fn notifications_follow_the_thresholds_and_name_their_source() {
    let inc = |value| register("TPB_0.EVT_SEM.SEMAPHORE_INC[12]", value);
    let event = register("TPB_0.EVT_SEM+0x14", 1);
    let program = "[core.0]\nprogram = \"sb2sb dtype=uint8 ch=1 src=0x0[4] dst=0x0[4] update=sem_inc_complete[9]\"\n";
    let text = [
        program.to_owned(),
        inc(1),
        register("0x2803067800", 2),
        register("0x2803067804", 3),
        register("0x2803067808", 1),
        inc(1),
        inc(0),
        inc(1),
        inc(1),
        event.clone(),
        event,
        register("0x2803067800", 1),
        register("0x2803067804", 1),
    ]
    .concat();
    let (report, seen, _) = run_text(&text);
    assert!(report.expect("the device takes everything").passed());
    let found = notifications(&seen);
    // 0x1B is the bus, 0x0F the POOL engine; the leg's own semaphores come by the bus, one an engine.
    assert_eq!(
        found,
        [
            (0x1B, 0xFF, true, 12, 2),
            (0x1B, 0xFF, true, 12, 3),
            (0x1B, 0xFF, false, 5, 1),
            (0x1B, 0xFF, false, 5, 1),
            (0x1B, 0xFF, true, 252, 1),
            (0x0F, 0x13, true, 9, 1),
        ]
    );
    let doubles: Vec<bool> = seen
        .iter()
        .filter_map(|transaction| match transaction.effect {
            Effect::Notification {
                is_semaphore: false,
                double_set_or_clear,
                ..
            } => Some(double_set_or_clear),
            _ => None,
        })
        .collect();
    assert_eq!(doubles, [false, true]);
    // Each record follows the change that it is about, and comes from the same block.
    for (position, transaction) in seen.iter().enumerate() {
        if matches!(transaction.effect, Effect::Notification { .. }) {
            assert_eq!(transaction.agent, Agent::EvtSem(core(0)));
            let kind = seen[position - 1].effect.kind();
            assert!(["semaphore", "event"].contains(&kind), "{kind}");
        }
    }
}

/// Who asked for a change stands in it.
#[test]
fn changes_name_their_master() {
    let text = "[core.0]\nprogram = \"sb2sb dtype=uint8 ch=1 src=0x0[4] dst=0x0[4] wait=evt_set_then_clear[7] update=sem_inc_complete[9]\"\n\
                semaphores = { 3 = 1 }\nevents = { 7 = true }\n";
    let (report, seen, _) = run_text(text);
    assert!(report.expect("it runs").passed());
    let masters: Vec<(u8, Master)> = seen
        .iter()
        .filter_map(|transaction| match transaction.effect {
            Effect::Semaphore { index, by, .. } | Effect::Event { index, by, .. } => {
                Some((index, by))
            }
            _ => None,
        })
        .collect();
    let mut expected = vec![(3, Master::Bus), (7, Master::Bus), (7, Master::Sequencer)];
    expected.extend([(252, Master::Dma); 4]);
    expected.extend([(253, Master::Dma); 4]);
    expected.push((9, Master::Sequencer));
    assert_eq!(masters, expected);
}

/// Window `number` of the POOL of `TPB_0`: 16 MiB from `0x0700_0000` of its cores to `0x38_0200_0000`, where the
/// `EVT_SEM` of `TPB_1` has the offset `0x70_0000`. The block is at `LOCAL_REG` + 0x2000, 28 bytes a window.
/// [soc-address §3.1, §3.4 MC-21]
fn window(number: u64, control: u32) -> String {
    let base = 0x28_0306_2000 + number * 0x1C;
    [
        (0x04, 0xFF00_0000),
        (0x08, 0xFF),
        (0x0C, 0x0700_0000),
        (0x10, 0),
        (0x14, 0x0200_0000),
        (0x18, 0x38),
        (0x00, control),
    ]
    .map(|(offset, value)| register(&format!("{:#x}", base + offset), value))
    .concat()
}

/// What went wrong with addresses: agent, class, address, window.
fn address_faults(seen: &[Transaction]) -> Vec<(String, AddressFault, u64, Option<u8>)> {
    seen.iter()
        .filter_map(|transaction| match transaction.effect {
            Effect::AddressFault {
                class,
                address,
                window,
            } => Some((transaction.agent.to_string(), class, address, window)),
            _ => None,
        })
        .collect()
}

/// `INC[12]` of `TPB_1` as the cores of the POOL of `TPB_0` see it through [`window`].
const INC_12: u32 = 0x0770_1830;

#[test]
fn an_engine_writes_through_its_windows() {
    let text = [
        window(3, 1),
        through("core0.nx", INC_12, 5),
        through("core0.q7.3", INC_12, 2),
    ]
    .concat();
    let (report, seen, device) = run_text(&text);
    assert!(report.expect("it runs").passed());
    assert_eq!(device.core(core(1)).evt_sem.semaphore(12), 7);
    assert_eq!(address_faults(&seen), []);
    let masters: Vec<Master> = seen
        .iter()
        .filter_map(|transaction| match transaction.effect {
            Effect::Semaphore { by, .. } => Some(by),
            _ => None,
        })
        .collect();
    assert_eq!(masters, [Master::Nx, Master::Q7]);
    let mut device = device;
    let control = device.read32(SocAddr(0x28_0306_2054));
    assert_eq!(control, Ok(1), "the window file can be read");
}

/// [soc-address §§3.2, 3.3, MC-18, MC-19]
#[test]
fn misses_and_multiple_hits_are_shown() {
    // Only Q7 cores may use window 3; NX finds none. Windows 3 and 5 cover the same addresses for Q7 cores.
    let text = [
        window(3, 0b101),
        through("core0.nx", INC_12, 5),
        window(5, 0b001),
        through("core0.q7.0", INC_12, 1),
        through("core0.nx", INC_12, 1),
        through("core1.nx", INC_12, 1),
    ]
    .concat();
    let (report, seen, device) = run_text(&text);
    assert!(report.expect("it runs").passed());
    let address = u64::from(INC_12);
    assert_eq!(
        address_faults(&seen),
        [
            (
                "core0.port".to_owned(),
                AddressFault::WindowMiss,
                address,
                None
            ),
            (
                "core0.port".to_owned(),
                AddressFault::MultiHit,
                address,
                Some(3)
            ),
            (
                "core1.port".to_owned(),
                AddressFault::WindowMiss,
                address,
                None
            ),
        ]
    );
    assert_eq!(device.core(core(1)).evt_sem.semaphore(12), 2);
}

/// `soc.mc19`: with `pass` the address is a SoC address, where this one leads nowhere.
#[test]
fn a_miss_can_pass() {
    let with = |policy: &str| {
        let text = format!(
            "[choices]\n\"soc.mc19\" = \"{policy}\"\n{}",
            through("core0.nx", INC_12, 1)
        );
        run_text(&text)
    };
    let (report, seen, _) = with("miss");
    assert!(report.is_ok());
    assert_eq!(address_faults(&seen).len(), 1);
    let (report, seen, _) = with("pass");
    let Err(Failed::Device {
        error: DeviceError::DecodeError { address, .. },
        ..
    }) = report
    else {
        panic!("nothing answers there: {report:?}");
    };
    assert_eq!(address, SocAddr(u64::from(INC_12)));
    assert_eq!(address_faults(&seen), []);
}

/// `soc.mc1`: chip 24 with VALID is the neighbor fold of the own package, or another chip. The address is Ex 4 with
/// bits 54 and [52:51]. [soc-address §1.7, MC-1, decisions D-36]
#[test]
fn the_strap_of_the_neighbor_fold_decides_who_chip_24_is() {
    let with = |strap: &str| {
        let text = format!(
            "[choices]\n\"soc.mc1\" = \"{strap}\"\n{}",
            register("0x0058802802701830", 3)
        );
        run_text(&text)
    };
    let (report, _, device) = with("1");
    assert!(report.is_ok());
    assert_eq!(device.core(core(4)).evt_sem.semaphore(12), 3);
    let (report, _, device) = with("0");
    assert!(matches!(
        report,
        Err(Failed::Device {
            error: DeviceError::DecodeError { .. },
            ..
        })
    ));
    assert_eq!(device.core(core(4)).evt_sem.semaphore(12), 0);
}

/// `soc.mc26`, on the numbers of [soc-address §4 Ex 18].
#[test]
fn the_form_of_a_remap_is_a_choice() {
    let remapped = |form: &str| {
        let mut choices = Choices::default();
        choices.set("soc.mc26", form).expect("a listed value");
        let mut remapper = Remapper::new(choices.remap);
        let entry = CamEntry {
            cmp_addr: 0x20_0000_0000,
            cmp_mask: 0x1FF_FFFF,
            remap_addr: 0x30_0000_0000,
            remap_en: true,
            wr_pass: true,
            valid: true,
            id_cmp_dis: true,
            ..CamEntry::default()
        };
        for (word, value) in entry.write_words(0).into_iter().enumerate() {
            remapper.amzn.write_buffer(word, value).expect("a word");
        }
        match remapper.access(SocAddr(0x20_0014_1234), 0, Direction::Write) {
            Verdict::Pass { address, .. } => Some(address),
            Verdict::Deny { .. } => None,
        }
    };
    assert_eq!(remapped("relocate"), Some(SocAddr(0x30_0014_1234)));
    assert_eq!(remapped("literal"), Some(SocAddr(0x30_0000_0000)));
}

/// A partition of v3 has 224 KiB in 256. [soc-address §2.5, MC-10]
#[test]
fn a_write_into_a_hole_of_the_state_buffer_is_shown() {
    let text = [
        register("TPB_1.STATE_BUF+0x37ffc", 1),
        register("TPB_1.STATE_BUF+0x38000", 1),
    ]
    .concat();
    let (report, seen, _) = run_text(&text);
    assert!(report.is_ok());
    assert_eq!(
        address_faults(&seen),
        [(
            "core1.sbuf".to_owned(),
            AddressFault::SbufHole,
            0x30_0003_8000,
            None
        )]
    );
}

/// The ranges that an engine is served directly have no State Buffer behind them, and v2 has other windows.
/// [soc-address §3.7, decisions D-29]
#[test]
fn direct_ranges_do_not_go_to_the_windows() {
    let local_reg = through("core0.nx", 0x0400_A014, 77);
    let (report, _, mut device) = run_text(&local_reg);
    assert!(report.is_ok());
    // Register 5 of the engine's file. [decisions D-16]
    assert_eq!(device.core(core(0)).registers[5], 77);
    assert_eq!(device.read32(SocAddr(0x28_0306_A014)), Ok(77));
    for text in [
        through("core0.nx", 0x1000, 1),
        through("core0.nx", 0x8_0000, 1),
        format!("generation = \"v2\"\n{}", window(0, 1)),
    ] {
        let (report, _, _) = run_text(&text);
        assert!(report.is_err(), "{text}");
    }
}
