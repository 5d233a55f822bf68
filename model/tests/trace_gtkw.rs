// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Save files and translate filters as text; what GTKWave makes of them is in `trace_gtkwave.rs`.

mod trace_run;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pool_model::trace::gtkw::{Filter, GtkwError, places_text, save_text, write_beside};
use pool_model::trace::wave::{SequencerState, WaveLayout};
use pool_model::transaction::{Agent, Effect, FaultClass, Transaction};
use trace_run::{core, layout_of, transaction, transactions};

fn save_of(layout: &WaveLayout) -> String {
    save_text(layout, "a.vcd", "a.gtkw", "filters", "a.places.txt").expect("a legal layout")
}

/// Path, with its range, and filter of every trace.
fn traces(save: &str) -> Vec<(String, Option<String>)> {
    let (mut filter, mut list) = (None, Vec::new());
    for line in save.lines() {
        if line.starts_with('@') {
            filter = None;
        } else if let Some(attached) = line.strip_prefix('^') {
            let file = attached.split_once(' ').expect("number and file").1;
            filter = Some(file.to_owned());
        } else if let Some(path) = line.strip_prefix('+') {
            let path = path.split_once("} ").expect("alias and path").1;
            list.push((path.to_owned(), filter.clone()));
        } else if line.starts_with("sb2sb.") {
            list.push((line.to_owned(), filter.clone()));
        }
    }
    list
}

/// Rewrites the files instead of comparing when `SB2SB_UPDATE` is set.
#[test]
fn the_filter_files_of_the_repository_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/gtkw");
    for filter in Filter::ALL {
        let path = folder.join(filter.file_name());
        if std::env::var_os("SB2SB_UPDATE").is_some() {
            fs::write(&path, filter.text()).expect("the folder exists");
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            found,
            filter.text(),
            "{} is out of date; run this test with SB2SB_UPDATE=1",
            path.display()
        );
    }
}

/// Rows of the specification's tables, not of the enums.
#[test]
fn filters_translate_as_the_specification_says() {
    for (filter, lines) in [
        (
            Filter::Opcode,
            &[
                "bf SB2SB_COLLECTIVE",
                "a0 EVENT_SEMAPHORE",
                "c1 PSEUDO_DMATRIGGER",
            ][..],
        ),
        (
            Filter::WaitMode,
            &[
                "00 NONE",
                "05 WAIT_FOR_SEM_GE_IMM",
                "0f WAIT_FOR_EVT_CLEAR_THEN_SET",
            ],
        ),
        (
            Filter::UpdateMode,
            &["13 SEM_INC_COMPLETE", "89 SEM_WR_REG_READ"],
        ),
        (Filter::DType, &["0a FP32", "0d FP8_EXP3", "1f CPTC7"]),
        (Filter::LncSizeFmt, &["00 LNC1", "01 LNC2", "03 LNC8"]),
        (Filter::SequencerState, &["0 idle", "4 copy", "7 faulted"]),
        (Filter::FaultClass, &["00 none", "01 BadOpcode"]),
        (
            Filter::EvtSemOperation,
            &["0 add", "1 sub", "2 set", "7 none"],
        ),
        (Filter::Core, &["0 core0", "7 core7"]),
    ] {
        let text = filter.text();
        for line in lines {
            assert!(
                text.lines().any(|found| found == *line),
                "{line} in\n{text}"
            );
        }
    }
}

#[test]
fn every_entry_of_a_filter_has_its_own_value_and_name() {
    for filter in Filter::ALL {
        let entries = filter.entries();
        let values: BTreeSet<u8> = entries.iter().map(|(value, _)| *value).collect();
        let names: BTreeSet<&str> = entries.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(values.len(), entries.len(), "{filter:?}");
        assert_eq!(names.len(), entries.len(), "{filter:?}");
        let largest = 16_u32.pow(filter.key_digits() as u32) - 1;
        assert!(
            values.iter().all(|value| u32::from(*value) <= largest),
            "{filter:?}"
        );
    }
    assert_eq!(
        Filter::SequencerState.entries().len(),
        SequencerState::ALL.len()
    );
    assert_eq!(
        Filter::FaultClass.entries().len(),
        FaultClass::ALL.len() + 1
    );
}

#[test]
fn the_save_file_shows_every_variable_and_no_other() {
    let layout = layout_of(&transactions());
    let declared: BTreeSet<String> = layout
        .variables()
        .expect("a legal layout")
        .into_iter()
        .map(|(path, width)| match width {
            1 => path,
            _ => format!("{path}[{}:0]", width - 1),
        })
        .collect();
    let shown: BTreeSet<String> = traces(&save_of(&layout))
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    assert_eq!(shown, declared);
}

#[test]
fn enums_and_addresses_have_their_filters() {
    let shown: BTreeMap<String, Option<String>> = traces(&save_of(&layout_of(&transactions())))
        .into_iter()
        .collect();
    let core = "sb2sb.chip0.die0.core1";
    for (path, filter) in [
        ("seq.state[2:0]", "sequencer_state.txt"),
        ("seq.opcode[7:0]", "opcode.txt"),
        ("seq.word.header_opcode[7:0]", "opcode.txt"),
        ("seq.word.events_wait_mode[7:0]", "wait_mode.txt"),
        ("seq.word.events_update_mode[7:0]", "update_mode.txt"),
        ("seq.word.in_dtype[7:0]", "dtype.txt"),
        ("seq.word.out_dtype[7:0]", "dtype.txt"),
        ("seq.word.lnc_size_fmt[7:0]", "lnc_size_fmt.txt"),
        ("wait.mode[7:0]", "wait_mode.txt"),
        ("leg.destination[2:0]", "core.txt"),
        ("leg.src_core[2:0]", "core.txt"),
        ("leg.dst_core[2:0]", "core.txt"),
        ("leg.src_address[63:0]", "a.places.txt"),
        ("leg.dst_address[63:0]", "a.places.txt"),
        ("evt_sem.last_operation[2:0]", "evt_sem_operation.txt"),
        ("evt_sem.last_by[2:0]", "master.txt"),
        (
            "evt_sem.notification_source[7:0]",
            "notification_source.txt",
        ),
        ("port.fault_class[7:0]", "address_fault.txt"),
        ("fault.class[7:0]", "fault_class.txt"),
    ] {
        let attached = shown[&format!("{core}.{path}")].as_deref();
        assert_eq!(attached, Some(&*format!("filters/{filter}")), "{path}");
    }
    let filtered = shown.values().filter(|filter| filter.is_some()).count();
    assert_eq!(filtered, 2 * 19, "no other");
}

#[test]
fn addresses_are_named_by_core_partition_and_offset() {
    let text = places_text(&layout_of(&transactions()));
    let lines: Vec<&str> = text.lines().collect();
    // TPB_0 of soc-address §2.2, partition 2 of 256 KiB, offset 0x1000.
    assert!(
        lines.contains(&"0000002000081000 core0.sbuf p2 +0x1000"),
        "{text}"
    );
    assert!(
        lines.contains(&"0000003000882040 core1.sbuf p34 +0x2040"),
        "{text}"
    );
    assert_eq!(lines.len(), 16);
}

#[test]
fn a_long_run_opens_at_its_first_fault_or_leg() {
    let time_start = |run: &[Transaction]| {
        let save = save_of(&layout_of(run));
        let line = save
            .lines()
            .find_map(|line| line.strip_prefix("[timestart] "));
        line.expect("a start").parse::<u64>().expect("a number")
    };
    let mut run = transactions();
    assert_eq!(time_start(&run), 0, "a short run is shown whole");
    let late = Effect::ReadDone { pc: 9 };
    run.push(transaction(5_000, Agent::Sequencer(core(0)), late));
    assert_eq!(time_start(&run), 7_000, "twenty ticks before the fault");
    run.retain(|transaction| !matches!(transaction.effect, Effect::Fault(_)));
    for transaction in &mut run {
        transaction.tick = transaction.tick + 100;
    }
    assert_eq!(
        time_start(&run),
        87_000,
        "twenty ticks before the first leg"
    );
}

#[test]
fn the_files_stand_beside_the_trace_and_are_complete() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trace_gtkw_beside");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let layout = layout_of(&transactions());
    let save = write_beside(&folder.join("leg one.vcd"), &layout).expect("written");
    assert_eq!(save, folder.join("leg one.gtkw"));
    let text = fs::read_to_string(&save).expect("the save file");
    assert!(text.contains("[dumpfile] \"leg one.vcd\"\n"), "{text}");
    assert!(text.contains("[savefile] \"leg one.gtkw\"\n"), "{text}");
    let attached: BTreeSet<String> = traces(&text)
        .into_iter()
        .filter_map(|(_, filter)| filter)
        .collect();
    assert_eq!(attached.len(), Filter::ALL.len() + 1);
    for file in attached {
        let content = fs::read_to_string(folder.join(&file)).expect("a filter");
        assert!(!content.is_empty(), "{file}");
    }
    let left = fs::read_dir(folder.join("filters"))
        .expect("the folder")
        .count();
    assert_eq!(left, Filter::ALL.len() + 1, "no unfinished files");
}

#[test]
fn a_trace_that_cannot_be_named_is_refused() {
    let layout = layout_of(&transactions());
    for name in ["a\"b.vcd", "a\nb.vcd", ".."] {
        let refused = write_beside(Path::new(name), &layout);
        assert!(matches!(refused, Err(GtkwError::Name { .. })), "{name}");
    }
    let missing = Path::new(env!("CARGO_TARGET_TMPDIR")).join("a file");
    fs::write(&missing, "").expect("a file");
    let refused = write_beside(&missing.join("a.vcd"), &layout);
    assert!(
        matches!(refused, Err(GtkwError::Write { .. })),
        "a folder that is a file"
    );
}
