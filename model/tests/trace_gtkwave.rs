// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What GTKWave itself shows, asked through its script interface on a virtual display.
//!
//! Needs `gtkwave` and `xvfb-run`; a machine without them fails these tests, it does not skip them.

mod trace_read;
mod trace_run;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use pool_model::isa::disassemble;
use pool_model::time::Tick;
use pool_model::trace::gtkw::write_beside;
use pool_model::trace::vcd::{Declarations, MAX_TEXT};
use pool_model::trace::wave::WaveLayout;
use trace_read::{Changes, by_vcd};
use trace_run::{DETAIL, event_word, file_of, layout_of, transactions};

/// A viewer that takes so many seconds hangs.
const PATIENCE: &str = "120";

static DISPLAY: Mutex<()> = Mutex::new(());

/// What every run says besides what its script says.
fn expected_message(line: &str) -> bool {
    line.is_empty()
        || line.starts_with("GTKWave Analyzer v")
        || line.ends_with("] start time.")
        || line.ends_with("] end time.")
        || line.starts_with("GTKWAVE | Executing Tcl script")
        // The toolkit's remarks about the desktop it runs on.
        || line.starts_with("(gtkwave:")
}

/// A folder of its own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("trace_gtkwave")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs GTKWave with a script from the folder `from` and returns what the script says by `say`.
fn gtkwave(home: &Path, from: &Path, arguments: &[&Path], script: &str) -> Vec<String> {
    let script_path = home.join("script.tcl");
    let answers_path = home.join("answers.txt");
    let prologue = format!(
        "set answers [open {{{}}} w]\nfconfigure $answers -encoding utf-8\n\
         proc say {{text}} {{ global answers; puts $answers $text }}\n",
        answers_path.display()
    );
    fs::write(
        &script_path,
        format!("{prologue}{script}\nsay done\nclose $answers\nexit\n"),
    )
    .expect("the script");
    let messages_path = home.join("messages.txt");
    let messages = fs::File::create(&messages_path).expect("a file");
    // One at a time: xvfb-run looks for a free display number and takes it in two steps.
    let status = {
        let _turn = DISPLAY.lock().unwrap_or_else(PoisonError::into_inner);
        Command::new("timeout")
            .args(["--kill-after=10", PATIENCE, "xvfb-run", "--auto-servernum"])
            .args([
                "--server-args=-screen 0 1800x1200x24",
                "gtkwave",
                "--script",
            ])
            .arg(&script_path)
            .args(arguments)
            .current_dir(from)
            // No settings of whoever runs the test.
            .env("HOME", home)
            .env_remove("XDG_CONFIG_HOME")
            .stdin(Stdio::null())
            .stdout(messages.try_clone().expect("a second handle"))
            .stderr(messages)
            .status()
            .expect("the `timeout` of coreutils")
    };
    let messages = fs::read_to_string(&messages_path).expect("messages");
    assert!(
        status.success(),
        "{status} (124: it hangs); needed are gtkwave and xvfb-run, of the packages gtkwave and xvfb. \
         They say:\n{messages}"
    );
    let odd: Vec<&str> = messages
        .lines()
        .filter(|line| !expected_message(line))
        .collect();
    assert!(odd.is_empty(), "GTKWave complains: {odd:#?}");
    let answers = fs::read_to_string(&answers_path).expect("answers");
    let mut answers: Vec<String> = answers.lines().map(str::to_owned).collect();
    assert_eq!(
        answers.pop().as_deref(),
        Some("done"),
        "the script did not run to its end"
    );
    answers
}

/// The hand-written run as a file with all that belongs to it; its layout; its content.
fn written(folder: &Path, name: &str) -> (PathBuf, WaveLayout, Vec<u8>) {
    let run = transactions();
    let layout = layout_of(&run);
    let file = file_of(&run, &layout);
    let trace = folder.join(name);
    fs::write(&trace, &file).expect("the trace");
    write_beside(&trace, &layout).expect("the save file");
    (trace, layout, file)
}

fn with_range(path: &str, width: u32) -> String {
    if width == 1 {
        path.to_owned()
    } else {
        format!("{path}[{}:0]", width - 1)
    }
}

#[test]
fn lists_exactly_the_declared_variables() {
    let home = folder("list");
    let (trace, layout, _) = written(&home, "two.vcd");
    let script =
        "for {set i 0} {$i < [gtkwave::getNumFacs]} {incr i} { say [gtkwave::getFacName $i] }";
    let listed = gtkwave(&home, &home, &[&trace], script);
    let declared: BTreeSet<String> = layout
        .variables()
        .expect("a legal layout")
        .iter()
        .map(|(path, width)| with_range(path, *width))
        .collect();
    let names: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(names, declared);
    assert_eq!(names.len(), listed.len(), "no name twice");
    assert!(!listed.iter().any(|name| name.contains("$DUP")));
}

/// A value of GTKWave's change list as digits, or as the text that it is.
fn value_of(shown: &str, width: u32, text: bool) -> String {
    if text {
        return shown.strip_prefix("0b").unwrap_or(shown).to_owned();
    }
    if width == 1 {
        return shown.to_ascii_lowercase();
    }
    let digits: String = match shown.split_at(2) {
        ("0x", digits) => digits
            .chars()
            .map(|digit| match digit.to_digit(16) {
                Some(number) => format!("{number:04b}"),
                None => digit.to_ascii_lowercase().to_string().repeat(4),
            })
            .fold(String::new(), |all, four| all + &four),
        ("0b", digits) => digits.to_ascii_lowercase(),
        _ => panic!("{shown} is neither hexadecimal nor binary"),
    };
    digits[digits.len() - width as usize..].to_owned()
}

#[test]
fn shows_every_value_at_every_time() {
    let home = folder("values");
    let (trace, layout, file) = written(&home, "two.vcd");
    let script = "\
for {set i 0} {$i < [gtkwave::getNumFacs]} {incr i} {
  set name [gtkwave::getFacName $i]
  gtkwave::addSignalsFromList [list $name]
  say \"= $name\"
  foreach {time value} [gtkwave::signalChangeList $name] { say \"$time $value\" }
}
say \"= [gtkwave::getMinTime] [gtkwave::getMaxTime]\"";
    let answers = gtkwave(&home, &home, &[&trace], script);
    let waves = by_vcd(&file);
    let widths: BTreeMap<String, u32> = layout
        .variables()
        .expect("a legal layout")
        .into_iter()
        .collect();
    let mut shown: BTreeMap<String, Changes> = BTreeMap::new();
    let mut name = String::new();
    for line in &answers {
        if let Some(next) = line.strip_prefix("= ") {
            name = next.split('[').next().unwrap_or(next).to_owned();
            continue;
        }
        let (time, value) = line.split_once(' ').expect("time and value");
        let time: u64 = time.parse().expect("a time");
        // The list ends with entries at the end of all time.
        if time < u64::MAX / 4 {
            let text = ["text", "line", "detail"]
                .iter()
                .any(|leaf| name.ends_with(leaf));
            let value = value_of(value, widths[&name], text);
            trace_read::record(shown.entry(name.clone()).or_default(), time, value, false);
        }
    }
    assert_eq!(name, "0 28000", "first and last time");
    assert_eq!(shown.len(), waves.len());
    for (name, changes) in &waves {
        assert_eq!(&shown[name], changes, "{name}");
    }
}

/// Alias or name and displayed value of each trace at a time.
fn displayed(home: &Path, from: &Path, arguments: &[&Path], tick: u64) -> Vec<(String, String)> {
    let script = format!(
        "gtkwave::setMarker {}\n\
         say [gtkwave::getDumpFileName]\n\
         for {{set i 0}} {{$i < [gtkwave::getTotalNumTraces]}} {{incr i}} {{\n\
         say \"[gtkwave::getTraceNameFromIndex $i]=[gtkwave::getTraceValueAtMarkerFromIndex $i]\" }}",
        Tick(tick + 1).picoseconds() - 1
    );
    let answers = gtkwave(home, from, arguments, &script);
    answers[1..]
        .iter()
        .map(|line| {
            let (name, value) = line.split_once('=').expect("name and value");
            (name.to_owned(), value.to_owned())
        })
        .collect()
}

/// The value of the trace in the overview of a core.
fn glance(traces: &[(String, String)], core: &str, alias: &str) -> String {
    let from = traces
        .iter()
        .position(|(name, _)| name == core)
        .expect("a group");
    let trace = traces[from..].iter().find(|(name, _)| name == alias);
    trace
        .unwrap_or_else(|| panic!("no {alias} in {core}"))
        .1
        .clone()
}

#[test]
fn the_save_file_applies_whole_with_names_for_values() {
    let home = folder("save");
    let (trace, _, _) = written(&home, "two.vcd");
    let save = trace.with_extension("gtkw");
    let text = fs::read_to_string(&save).expect("the save file");
    let entries = text
        .lines()
        .filter(|line| line.starts_with("sb2sb.") || line.starts_with('+') || line.starts_with('-'))
        .count();
    // Values inside of a closed group are not shown: open all of them, but count what is there as it is.
    let traces = displayed(&home, &home, &[&save], 27);
    assert_eq!(traces.len(), entries, "every line became a trace");
    let open = text
        .replace("@c00200", "@800200")
        .replace("@1400200", "@1000200");
    assert_ne!(open, text, "some group is closed");
    fs::write(&save, open).expect("the save file");
    let traces = displayed(&home, &home, &[&save], 27);
    assert_eq!(traces.len(), entries, "every line became a trace");
    for (core, alias, value) in [
        ("core0", "state", "idle"),
        ("core0", "log", "S: SB2SB_Collective"),
        ("core0", "waits for", "WAIT_FOR_SEM_GE_IMM"),
        ("core0", "number", "3"),
        ("core0", "read from", "core0.sbuf p5 +0x1000"),
        ("core0", "write to", "core1.sbuf p37 +0x2040"),
        ("core0", "sem253", "8"),
        ("core0", "fault", "none"),
        ("core1", "state", "faulted"),
        ("core1", "log", "S: Dispatch opcode=0xbf"),
        ("core1", "waits for", "WAIT_FOR_EVT_SET_THEN_CLEAR"),
        ("core1", "sem005", "4294967295"),
        ("core1", "fault", "SbufRange"),
        ("core1", "detail", DETAIL),
        ("core1 sequencer", "opcode[7:0]", "SB2SB_COLLECTIVE"),
        ("core1 word", "in_dtype[7:0]", "FP32"),
        ("core1 word", "lnc_size_fmt[7:0]", "LNC2"),
        ("core1 word", "events_update_mode[7:0]", "SEM_INC_COMPLETE"),
        ("core1 word", "dst_step_elem0[15:0]", "-1"),
        ("core1 word", "src_start_addr[31:0]", "00081000"),
        ("core1 leg", "destination[2:0]", "core0"),
        ("core1 semaphores", "last_operation[2:0]", "sub"),
        ("core1 semaphores", "last_by[2:0]", "dma"),
        ("core1", "changed by", "dma"),
        ("core1", "count error", "1"),
        ("core1 port", "fault_class[7:0]", "none"),
    ] {
        assert_eq!(glance(&traces, core, alias), value, "{core} {alias}");
    }
    let earlier = displayed(&home, &home, &[&save], 17);
    for (core, alias, value) in [
        ("core0", "state", "idle"),
        ("core1", "state", "copy"),
        ("core1", "word", &*disassemble(&event_word())),
        ("core1", "leg", "1"),
        ("core1", "fault", "none"),
    ] {
        assert_eq!(glance(&earlier, core, alias), value, "{core} {alias}");
    }
}

#[test]
fn the_folder_can_be_moved_and_opened_from_anywhere() {
    let home = folder("move");
    let first = home.join("out");
    fs::create_dir(&first).expect("a folder");
    written(&first, "leg one.vcd");
    let moved = home.join("moved here");
    fs::rename(&first, &moved).expect("a move");
    let (save, trace) = (moved.join("leg one.gtkw"), moved.join("leg one.vcd"));
    let relative = Path::new("moved here/leg one.gtkw");
    let inside = Path::new("leg one.gtkw");
    for (from, arguments) in [
        (Path::new("/"), &[&*save][..]),
        (&home, &[relative]),
        (&moved, &[inside]),
        (Path::new("/"), &[&*trace, &*save]),
        (&home, &[Path::new("--save"), relative]),
        (&home, &[Path::new("--autosavename"), &*trace]),
    ] {
        let traces = displayed(&home, from, arguments, 7);
        assert_eq!(
            glance(&traces, "core0", "state"),
            "copy",
            "{from:?} {arguments:?}"
        );
        let place = glance(&displayed(&home, from, arguments, 9), "core0", "write to");
        assert_eq!(place, "core1.sbuf p35 +0x2040", "{from:?} {arguments:?}");
    }
}

#[test]
fn strings_are_shown_as_they_were_written() {
    let home = folder("strings");
    let long = "x".repeat(MAX_TEXT);
    let texts = [
        "plain",
        "S: Dispatch opcode=0xbf",
        "two  blanks, and one behind ",
        r#"\ \n \040 "quoted" 'too' ?red?"#,
        "[0] {1} $2 %d #3 !4 &amp; <b>",
        "übergroß → 100 €",
        &long,
        &format!("{long}y"),
    ];
    let mut declare = Declarations::new();
    declare.scope("top").expect("scope");
    let line = declare.text("line", "").expect("line");
    declare.upscope().expect("upscope");
    let mut vcd = declare.start(Vec::new()).expect("start");
    for (number, text) in texts.iter().enumerate() {
        vcd.set_time(1 + number as u64).expect("time");
        vcd.change_text(line, text).expect("change");
    }
    let trace = home.join("strings.vcd");
    fs::write(&trace, vcd.finish(20).expect("finish")).expect("the trace");
    let script = "\
gtkwave::addSignalsFromList [list top.line]
for {set t 1} {$t <= 8} {incr t} { gtkwave::setMarker $t; say [gtkwave::getTraceValueAtMarkerFromIndex 0] }
foreach {time value} [gtkwave::signalChangeList top.line] { say \"$time $value\" }";
    let answers = gtkwave(&home, &home, &[&trace], script);
    for (number, text) in texts.iter().enumerate().take(7) {
        assert_eq!(answers[number], *text);
        assert!(
            answers.contains(&format!("{} 0b{text}", number + 1)),
            "{text} in the change list"
        );
    }
    assert!(answers[7].ends_with("xxx..."), "a longer one is cut");
    assert_eq!(answers[7].len(), MAX_TEXT);
}

#[test]
fn events_and_wide_vectors_load() {
    let home = folder("kinds");
    let mut declare = Declarations::new();
    declare.scope("top").expect("scope");
    let strobe = declare.event("strobe").expect("event");
    let wide = declare.wide("wide", 512, false).expect("wide");
    let bit = declare.vector("bit", 1, None).expect("bit");
    declare.upscope().expect("upscope");
    let mut vcd = declare.start(Vec::new()).expect("start");
    vcd.set_time(5).expect("time");
    vcd.fire(strobe).expect("event");
    vcd.change_wide(wide, &std::array::from_fn::<u8, 64, _>(|byte| byte as u8))
        .expect("wide");
    vcd.change_vector(bit, 1).expect("bit");
    let trace = home.join("kinds.vcd");
    fs::write(&trace, vcd.finish(9).expect("finish")).expect("the trace");
    let script = "\
gtkwave::addSignalsFromList [list top.wide top.bit top.strobe]
say [gtkwave::getTotalNumTraces]
foreach t {4 5} { gtkwave::setMarker $t
  foreach i {0 1} { say [gtkwave::getTraceValueAtMarkerFromIndex $i] } }";
    let answers = gtkwave(&home, &home, &[&trace], script);
    let number: String = (0..64)
        .map(|byte| format!("{byte:02X}"))
        .fold(String::new(), |all, two| all + &two);
    let unknown = "x".repeat(128);
    assert_eq!(answers[0], "3");
    assert_eq!(answers[1].to_ascii_lowercase(), unknown);
    assert_eq!(answers[2].to_ascii_lowercase(), "x");
    assert_eq!(answers[3], number);
    assert_eq!(answers[4], "1");
}
