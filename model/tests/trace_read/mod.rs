// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads a VCD back by two independent readers into one comparable form.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Cursor;

use vcd::{Command, ScopeItem, VarType};
use wellen::{SignalValueRef, simple};

/// Times, in ps, and the value that holds from each on; neighbours differ.
pub type Changes = Vec<(u64, String)>;

/// Every variable by its full path. Values of vectors have all their digits.
pub type Waves = BTreeMap<String, Changes>;

/// By the parser of the `vcd` crate.
pub fn by_vcd(file: &[u8]) -> Waves {
    let mut parser = vcd::Parser::new(file);
    let header = parser.parse_header().expect("header");
    let mut names = BTreeMap::new();
    let mut waves = Waves::new();
    let mut todo: Vec<(String, &[ScopeItem])> = vec![(String::new(), &header.items)];
    while let Some((path, items)) = todo.pop() {
        for item in items {
            match item {
                ScopeItem::Scope(scope) => {
                    todo.push((format!("{path}{}.", scope.identifier), &scope.items));
                }
                ScopeItem::Var(var) => {
                    let name = format!("{path}{}", var.reference);
                    assert!(
                        waves.insert(name.clone(), Vec::new()).is_none(),
                        "{name} twice"
                    );
                    names.insert(var.code, (name, var.size as usize, var.var_type));
                }
                _ => {}
            }
        }
    }
    let mut time = 0;
    for command in parser {
        let (id, value) = match command.expect("command") {
            Command::Timestamp(next) => {
                assert!(next >= time, "time goes back");
                time = next;
                continue;
            }
            Command::ChangeScalar(id, value) => (id, value.to_string()),
            Command::ChangeVector(id, bits) => (id, bits.to_string()),
            Command::ChangeString(id, text) => (id, unescape(&text)),
            _ => continue,
        };
        let (name, width, kind) = &names[&id];
        let value = match kind {
            VarType::Wire => extend(&value, *width),
            VarType::Event => "event".to_owned(),
            _ => value,
        };
        let changes = waves.get_mut(name).expect("declared");
        record(changes, time, value, *kind == VarType::Event);
    }
    waves
}

/// By `wellen`.
pub fn by_wellen(file: &[u8]) -> Waves {
    let mut wave = simple::read_from_reader(Cursor::new(file.to_vec())).expect("wellen reads it");
    let times = wave.time_table().to_vec();
    let variables: Vec<_> = wave
        .hierarchy()
        .all_vars()
        .map(|var| {
            let var = &wave.hierarchy()[var];
            (var.full_name(wave.hierarchy()), var.signal_ref())
        })
        .collect();
    let mut waves = Waves::new();
    for (name, signal) in variables {
        wave.load_signals(&[signal]);
        let mut changes = Vec::new();
        for (time, value) in wave.get_signal(signal).expect("loaded").iter_changes() {
            let time = times[time as usize];
            match value {
                SignalValueRef::BitVec(bits) => {
                    record(&mut changes, time, bits.bit_string(), false);
                }
                SignalValueRef::String(text) => record(&mut changes, time, text.to_owned(), false),
                SignalValueRef::Event => record(&mut changes, time, "event".to_owned(), true),
                SignalValueRef::Real(_) => panic!("{name} is a real"),
            }
        }
        assert!(
            waves.insert(name.clone(), changes).is_none(),
            "{name} twice"
        );
    }
    waves
}

/// The value that holds at a time, in ps.
pub fn value_at<'a>(waves: &'a Waves, name: &str, time: u64) -> &'a str {
    let changes = waves
        .get(name)
        .unwrap_or_else(|| panic!("no variable {name}"));
    let after = changes.partition_point(|(from, _)| *from <= time);
    assert!(after > 0, "{name} has no value at {time}");
    &changes[after - 1].1
}

/// Later values of one time replace earlier ones; values that stay are not changes.
pub fn record(changes: &mut Changes, time: u64, value: String, always: bool) {
    if changes.last().is_some_and(|(last, _)| *last == time) {
        changes.pop();
    }
    if always || changes.last().is_none_or(|(_, last)| *last != value) {
        changes.push((time, value));
    }
}

/// All digits of a vector of which leading ones were left out.
pub fn extend(digits: &str, width: usize) -> String {
    assert!(digits.len() <= width, "{digits} is wider than {width}");
    let fill = if digits.starts_with('x') { 'x' } else { '0' };
    let mut all: String = std::iter::repeat_n(fill, width - digits.len()).collect();
    all.push_str(digits);
    all
}

/// The digits of bytes, most significant first.
pub fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:08b}").expect("writing to a String cannot fail");
        digits
    })
}

/// The bytes behind octal escapes, each as one character, as `wellen` gives them too.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let byte = u8::from_str_radix(&rest[at + 1..at + 4], 8).expect("three octal digits");
        plain.push(char::from(byte));
        rest = &rest[at + 4..];
    }
    plain.push_str(rest);
    plain
}
