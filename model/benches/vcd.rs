// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Value changes a second: this crate's VCD writer against the writer of the `vcd` crate, on the same
//! stream with the same bytes as the result. Rounds alternate, so that both see the same machine.
//!
//! Lines for people, and JSON lines for the table of benchmarks. Without `--bench` (as under
//! `cargo test`) it only checks that the bytes are the same.

use std::hint::black_box;
use std::io::{self, BufWriter, Write};
use std::time::Instant;

use pool_model::split_mix::SplitMix64;
use pool_model::trace::vcd::{Declarations, VcdWriter, Vector};

/// Changes in one pass over the stream.
const STREAM: usize = 1 << 17;
/// Passes in one round.
const PASSES: u64 = 8;
/// Rounds of each writer: many short ones, above twenty million changes together.
const ROUNDS: usize = 21;
/// A waveform of two cores has about so many variables, by width.
const WIDTHS: [(u32, usize); 7] = [
    (1, 60),
    (3, 12),
    (8, 40),
    (16, 30),
    (32, 40),
    (64, 12),
    (7, 6),
];

/// A destination that only looks at what it gets.
struct Null(u64);

impl Write for Null {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += black_box(bytes).len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One change: the variable and its new value, which differs from the old one; `step` before it.
#[derive(Clone, Copy)]
struct Change {
    variable: u32,
    step: u32,
    value: u64,
}

/// Short values are common: indices, counts, small addresses.
fn value(random: &mut SplitMix64, width: u32) -> u64 {
    let digits = 1 + (random.next_u64() % u64::from(width)) as u32;
    random.next_u64() >> (64 - digits)
}

fn widths() -> Vec<u32> {
    WIDTHS
        .iter()
        .flat_map(|(width, count)| std::iter::repeat_n(*width, *count))
        .collect()
}

/// A stream that can follow itself: every variable ends on another value than it begins with.
fn stream(widths: &[u32]) -> Vec<Change> {
    let mut random = SplitMix64::new(0x5B25);
    let mut last = vec![0; widths.len()];
    let mut changes = Vec::with_capacity(STREAM);
    for _ in 0..STREAM {
        let variable = (random.next_u64() % widths.len() as u64) as usize;
        let mut next = value(&mut random, widths[variable]);
        if next == last[variable] {
            next ^= 1;
        }
        last[variable] = next;
        // A new time for every fourth change.
        let step = u32::from(random.next_u64().is_multiple_of(4)) * 1_000;
        changes.push(Change {
            variable: variable as u32,
            step,
            value: next,
        });
    }
    for (variable, last) in last.into_iter().enumerate() {
        let begin = changes
            .iter()
            .find(|change| change.variable as usize == variable);
        if begin.is_some_and(|begin| begin.value == last) {
            changes.push(Change {
                variable: variable as u32,
                step: 1_000,
                value: last ^ 1,
            });
        }
    }
    changes
}

fn own_start<W: Write>(out: W, widths: &[u32]) -> (VcdWriter<W>, Vec<Vector>) {
    let mut declare = Declarations::new();
    declare.scope("top").expect("a good name");
    let handles = widths
        .iter()
        .enumerate()
        .map(|(number, width)| {
            let name = format!("v{number}");
            declare.vector(&name, *width, None).expect("a good name")
        })
        .collect();
    declare.upscope().expect("one is open");
    (declare.start(out).expect("written"), handles)
}

fn own_pass<W: Write>(vcd: &mut VcdWriter<W>, handles: &[Vector], changes: &[Change]) {
    let mut now = vcd.now();
    for change in changes {
        now += u64::from(change.step);
        vcd.set_time(now).expect("forward");
        vcd.change_vector(handles[change.variable as usize], change.value)
            .expect("written");
    }
}

fn plain_start<W: Write>(out: W, widths: &[u32]) -> (vcd::Writer<W>, Vec<(vcd::IdCode, u32)>) {
    let mut plain = vcd::Writer::new(out);
    plain.timescale(1, vcd::TimescaleUnit::PS).expect("written");
    plain.add_module("top").expect("written");
    let ids = widths
        .iter()
        .enumerate()
        .map(|(number, width)| {
            let name = format!("v{number}");
            (plain.add_wire(*width, &name).expect("written"), *width)
        })
        .collect();
    plain.upscope().expect("written");
    plain.enddefinitions().expect("written");
    (plain, ids)
}

fn plain_pass<W: Write>(
    plain: &mut vcd::Writer<W>,
    ids: &[(vcd::IdCode, u32)],
    changes: &[Change],
    now: &mut u64,
) {
    for change in changes {
        if change.step > 0 {
            *now += u64::from(change.step);
            plain.timestamp(*now).expect("written");
        }
        let (id, width) = ids[change.variable as usize];
        if width == 1 {
            plain.change_scalar(id, change.value == 1).expect("written");
        } else {
            let digits = 64 - (change.value | 1).leading_zeros();
            let bits = (0..digits)
                .rev()
                .map(|bit| vcd::Value::from(change.value >> bit & 1 == 1));
            plain.change_vector(id, bits).expect("written");
        }
    }
}

/// What follows the header and the values at time 0.
fn body(file: &[u8], begin: &str) -> String {
    let text = String::from_utf8_lossy(file);
    let from = text.find(begin).expect("a header") + begin.len();
    text[from..].to_owned()
}

/// Both writers turn two passes into the same bytes.
fn check(widths: &[u32], changes: &[Change]) {
    let (mut own, handles) = own_start(Vec::new(), widths);
    let (mut plain, ids) = plain_start(Vec::new(), widths);
    let mut now = 0;
    for _ in 0..2 {
        own_pass(&mut own, &handles, changes);
        plain_pass(&mut plain, &ids, changes, &mut now);
    }
    let file = own.finish(now).expect("written");
    let own = body(&file, "$dumpvars\n");
    let own = &own[own.find("$end\n").expect("an end") + "$end\n".len()..];
    let plain = body(plain.writer(), "$enddefinitions $end\n");
    assert!(own == plain, "the writers disagree");
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let widths = widths();
    let changes = stream(&widths);
    check(&widths, &changes);
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate needs no exact number")]
    let millions = (changes.len() as u64 * PASSES) as f64 / 1e6;
    let (mut own_rates, mut plain_rates, mut ratios, mut bytes) = (vec![], vec![], vec![], 0);
    for round in 0..ROUNDS {
        let begin = Instant::now();
        let (mut own, handles) = own_start(Null(0), &widths);
        for _ in 0..PASSES {
            own_pass(&mut own, &handles, &changes);
        }
        let end = own.now();
        bytes = own.finish(end).expect("written").0;
        own_rates.push(millions / begin.elapsed().as_secs_f64());

        let begin = Instant::now();
        let (mut plain, ids) = plain_start(BufWriter::new(Null(0)), &widths);
        let mut now = 0;
        for _ in 0..PASSES {
            plain_pass(&mut plain, &ids, &changes, &mut now);
        }
        plain.flush().expect("written");
        plain_rates.push(millions / begin.elapsed().as_secs_f64());
        let (own, plain) = (own_rates[round], plain_rates[round]);
        ratios.push(own / plain);
        println!(
            "round {round}: this writer {own:.1} M changes/s, vcd crate {plain:.2} M changes/s"
        );
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate needs no exact number")]
    let megabytes = bytes as f64 / 1e6;
    let (own, plain, ratio) = (median(own_rates), median(plain_rates), median(ratios));
    println!("median: {own:.1} against {plain:.2} M changes/s, {ratio:.1} times as fast");
    println!(r#"{{"name":"vcd crate","value":{plain:.2},"unit":"M changes/s"}}"#);
    println!(
        r#"{{"name":"this writer","value":{own:.2},"unit":"M changes/s","ratio_to":"vcd crate","ratio":{ratio:.2}}}"#
    );
    println!(
        r#"{{"name":"this writer, bytes","value":{:.1},"unit":"MB/s"}}"#,
        megabytes / millions * own
    );
}
