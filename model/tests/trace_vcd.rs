// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The VCD writer: what it writes is what two independent readers read, and what it must refuse.

mod trace_read;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use pool_model::trace::vcd::{
    Declarations, Event, MAX_TEXT, MAX_WIDTH, Scalar, Text, VcdError, VcdWriter, Vector, Wide,
};
use proptest::prelude::*;
use trace_read::{Waves, by_vcd, by_wellen, digits, extend, record, value_at};

/// A destination whose content outlives the writer.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn content(&self) -> Vec<u8> {
        self.0.lock().expect("no test panics while writing").clone()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .expect("no test panics while writing")
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Small {
    bit: Scalar,
    byte: Vector,
    word: Wide,
    line: Text,
    tick: Event,
}

fn small<W: Write>(out: W) -> (VcdWriter<W>, Small) {
    let mut declare = Declarations::new();
    declare.scope("top").expect("scope");
    let bit = declare.scalar("bit", Some(false)).expect("bit");
    declare.scope("inner").expect("scope");
    let byte = declare.vector("byte", 8, None).expect("byte");
    let word = declare.wide("word", 70, true).expect("word");
    declare.upscope().expect("upscope");
    let line = declare.text("line", "").expect("line");
    let tick = declare.event("tick").expect("tick");
    declare.upscope().expect("upscope");
    let signals = Small {
        bit,
        byte,
        word,
        line,
        tick,
    };
    (declare.start(out).expect("start"), signals)
}

#[test]
fn a_small_file_is_written_byte_for_byte() {
    let (mut vcd, small) = small(Vec::new());
    vcd.set_time(0).expect("time");
    vcd.change_scalar(small.bit, false).expect("no change");
    vcd.set_time(1_000).expect("time");
    vcd.set_time(2_000).expect("time");
    vcd.change_scalar(small.bit, true).expect("change");
    vcd.change_vector(small.byte, 0).expect("change");
    vcd.change_text(small.line, "S: Dispatch opcode=0xbf")
        .expect("change");
    vcd.fire(small.tick).expect("event");
    vcd.set_time(3_500).expect("time");
    vcd.change_vector(small.byte, 0xA5).expect("change");
    vcd.change_wide(small.word, &[0x3F, 0, 0, 0, 0, 0, 0, 0, 5])
        .expect("change");
    vcd.change_vector_unknown(small.byte).expect("change");
    vcd.change_scalar_unknown(small.bit).expect("change");
    let file = vcd.finish(4_000).expect("finish");
    let expected = "\
$version
    sb2sb pool-model
$end
$timescale 1 ps $end
$scope module top $end
$var wire 1 ! bit $end
$scope module inner $end
$var wire 8 \" byte [7:0] $end
$var wire 70 # word [69:0] $end
$upscope $end
$var string 1 $ line $end
$var event 1 % tick $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
0!
bx \"
b0 #
s\\040 $
$end
#2000
1!
b0 \"
sS:\\040Dispatch\\040opcode=0xbf $
1%
#3500
b10100101 \"
b1111110000000000000000000000000000000000000000000000000000000000000101 #
bx \"
x!
#4000
";
    assert_eq!(String::from_utf8(file).expect("ASCII"), expected);
}

#[test]
fn names_that_viewers_misread_are_refused() {
    let bad = [
        "", "a b", "a:b", "a.b", "sem[0]", "0a", "a-b", "é", "a\n", "$x", "a\\b",
    ];
    for name in bad {
        let mut declare = Declarations::new();
        assert!(
            matches!(declare.scope(name), Err(VcdError::Name { .. })),
            "{name:?}"
        );
        declare.scope("top").expect("scope");
        assert!(
            matches!(declare.scalar(name, None), Err(VcdError::Name { .. })),
            "{name:?}"
        );
        assert!(
            matches!(declare.text(name, ""), Err(VcdError::Name { .. })),
            "{name:?}"
        );
    }
}

#[test]
fn a_name_is_taken_once_in_a_scope() {
    let mut declare = Declarations::new();
    declare.scope("top").expect("scope");
    declare.scalar("a", None).expect("first");
    assert!(matches!(
        declare.vector("a", 8, None),
        Err(VcdError::Duplicate { .. })
    ));
    assert!(matches!(
        declare.scope("a"),
        Err(VcdError::Duplicate { .. })
    ));
    declare.scope("inner").expect("scope");
    declare.scalar("a", None).expect("another scope");
    declare.upscope().expect("upscope");
    let again = declare.scope("inner").expect_err("a scope is opened once");
    assert_eq!(again.to_string(), "name `inner` is declared twice in `top`");
}

#[test]
fn widths_are_accepted_up_to_the_limit() {
    let mut declare = Declarations::new();
    declare.scope("top").expect("scope");
    for (name, width, good) in [
        ("a", 0, false),
        ("b", 1, true),
        ("c", 64, true),
        ("d", 65, false),
    ] {
        assert_eq!(declare.vector(name, width, None).is_ok(), good, "{width}");
    }
    for (name, width, good) in [
        ("e", 0, false),
        ("f", 1, true),
        ("g", MAX_WIDTH, true),
        ("h", MAX_WIDTH + 1, false),
    ] {
        assert_eq!(declare.wide(name, width, true).is_ok(), good, "{width}");
    }
    assert!(matches!(
        declare.vector("i", 3, Some(8)),
        Err(VcdError::Value { .. })
    ));
    declare.vector("i", 3, Some(7)).expect("the largest value");
}

#[test]
fn variables_need_a_scope_and_scopes_an_end() {
    let mut declare = Declarations::new();
    assert!(matches!(
        declare.scalar("a", None),
        Err(VcdError::NoScope { .. })
    ));
    assert!(matches!(
        declare.upscope(),
        Err(VcdError::Unbalanced { open: 0, .. })
    ));
    declare.scope("top").expect("scope");
    assert!(matches!(
        declare.start(Vec::new()),
        Err(VcdError::Unbalanced { open: 1, .. })
    ));
}

#[test]
fn values_wider_than_their_variable_are_refused() {
    let (mut vcd, small) = small(Vec::new());
    vcd.change_vector(small.byte, 0xFF)
        .expect("the largest value");
    let error = vcd.change_vector(small.byte, 0x100).expect_err("too wide");
    assert_eq!(
        error.to_string(),
        "`top.inner.byte` is 8 bits wide and cannot hold 0x100"
    );
    vcd.change_wide(small.word, &[0x3F; 9]).expect("70 bits");
    for bytes in [&[0x40, 0, 0, 0, 0, 0, 0, 0, 0][..], &[0; 8], &[0; 10], &[]] {
        assert!(matches!(
            vcd.change_wide(small.word, bytes),
            Err(VcdError::Value { .. })
        ));
    }
}

#[test]
fn time_never_goes_back() {
    let (mut vcd, small) = small(Vec::new());
    vcd.set_time(10).expect("forward");
    vcd.set_time(10).expect("the same again");
    assert!(matches!(
        vcd.set_time(9),
        Err(VcdError::TimeGoesBack { now: 10, asked: 9 })
    ));
    vcd.change_scalar(small.bit, true).expect("still usable");
    assert!(matches!(vcd.finish(9), Err(VcdError::TimeGoesBack { .. })));
}

#[test]
fn handles_of_another_file_are_refused() {
    let (mut vcd, _) = small(Vec::new());
    let mut declare = Declarations::new();
    declare.scope("top").expect("scope");
    let mut last = declare.scalar("v", None).expect("v");
    for number in 0..9 {
        last = declare.scalar(&format!("v{number}"), None).expect("v");
    }
    assert!(matches!(
        vcd.change_scalar(last, true),
        Err(VcdError::ForeignHandle {
            number: 9,
            declared: 2
        })
    ));
}

#[test]
fn a_dropped_writer_leaves_the_last_time_and_all_changes() {
    let out = Shared::default();
    let (mut vcd, small) = small(out.clone());
    vcd.set_time(5).expect("time");
    vcd.change_vector(small.byte, 7).expect("change");
    vcd.set_time(80).expect("time");
    drop(vcd);
    let text = String::from_utf8(out.content()).expect("ASCII");
    assert!(text.ends_with("#5\nb111 \"\n#80\n"), "{text}");
}

#[test]
fn a_panic_leaves_the_last_time_and_all_changes() {
    let out = Shared::default();
    let (mut vcd, small) = small(out.clone());
    let panic = catch_unwind(AssertUnwindSafe(move || {
        vcd.set_time(5).expect("time");
        vcd.change_scalar(small.bit, true).expect("change");
        panic!("the device failed");
    }));
    assert!(panic.is_err());
    let text = String::from_utf8(out.content()).expect("ASCII");
    assert!(text.ends_with("$end\n#5\n1!\n"), "{text}");
}

#[test]
fn the_file_can_be_loaded_at_every_flush_and_whenever_the_buffer_leaves() {
    /// Checks each piece as it arrives: it must end a line.
    struct WholeLines(Shared, usize);
    impl Write for WholeLines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            assert_eq!(bytes.last(), Some(&b'\n'));
            self.1 += 1;
            self.0.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let out = Shared::default();
    let (mut vcd, small) = small(WholeLines(out.clone(), 0));
    for step in 1..=20_000_u64 {
        vcd.set_time(step).expect("time");
        vcd.change_vector(small.byte, step % 256).expect("change");
        if step % 4_000 == 0 {
            vcd.change_text(small.line, &"ü ".repeat(MAX_TEXT))
                .expect("change");
            vcd.flush().expect("flush");
            let waves = by_wellen(&out.content());
            let expected = format!("{:08b}", step % 256);
            assert_eq!(value_at(&waves, "top.inner.byte", step), expected);
        }
    }
    assert_eq!(by_vcd(&out.content()), by_wellen(&out.content()));
}

#[test]
fn a_failed_write_is_reported_and_not_repeated() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"));
            }
            self.0 -= 1;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (mut vcd, small) = small(Full(1));
    vcd.change_scalar(small.bit, true).expect("buffered");
    assert!(matches!(vcd.flush(), Err(VcdError::Io(_))));
    vcd.change_scalar(small.bit, false).expect("buffered");
    assert!(matches!(vcd.flush(), Err(VcdError::Io(_))));
}

#[derive(Clone, Debug)]
enum Kind {
    Scalar(Option<bool>),
    Vector(u32, Option<u64>),
    Wide(u32, bool),
    Text(String),
}

#[derive(Clone, Debug)]
struct Step {
    wait: u64,
    variable: prop::sample::Index,
    bytes: Vec<u8>,
    text: String,
    unknown: bool,
}

enum Handle {
    Scalar(Scalar),
    Vector(Vector, u32),
    Wide(Wide, u32),
    Text(Text),
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        any::<Option<bool>>().prop_map(Kind::Scalar),
        (1_u32..=64, any::<Option<u64>>())
            .prop_map(|(width, value)| Kind::Vector(width, value.map(|value| fit(value, width)))),
        (1_u32..=600, any::<bool>()).prop_map(|(width, zero)| Kind::Wide(width, zero)),
        "[ -~\t\n]{0,40}".prop_map(Kind::Text),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    (
        prop_oneof![Just(0), 1_u64..5, Just(1_000_000_000_000)],
        any::<prop::sample::Index>(),
        prop::collection::vec(any::<u8>(), 80),
        "[ -~éß€]{0,60}",
        prop::bool::weighted(0.1),
    )
        .prop_map(|(wait, variable, bytes, text, unknown)| Step {
            wait,
            variable,
            bytes,
            text,
            unknown,
        })
}

fn fit(value: u64, width: u32) -> u64 {
    value & (u64::MAX >> (64 - width))
}

/// What a reader shows for a string: each byte as a character, something for nothing.
fn shown(text: &str) -> String {
    if text.is_empty() {
        return " ".to_owned();
    }
    text.bytes().map(char::from).collect()
}

/// Writes the stream and returns the file and the waves that it must hold.
fn write(kinds: &[Kind], steps: &[Step]) -> (Vec<u8>, Waves) {
    let mut declare = Declarations::new();
    let mut waves = Waves::new();
    let mut names = Vec::new();
    let mut handles = Vec::new();
    declare.scope("t").expect("scope");
    for (number, kind) in kinds.iter().enumerate() {
        // Every third variable opens a scope of its own.
        let own = number % 3 == 2;
        if own {
            declare.scope(&format!("s{number}")).expect("scope");
        }
        let name = format!("v{number}");
        let path = format!("{}.{name}", declare.path());
        let (handle, initial) = match kind {
            Kind::Scalar(value) => (
                Handle::Scalar(declare.scalar(&name, *value).expect("scalar")),
                value.map_or("x".to_owned(), |bit| u8::from(bit).to_string()),
            ),
            Kind::Vector(width, value) => (
                Handle::Vector(
                    declare.vector(&name, *width, *value).expect("vector"),
                    *width,
                ),
                value.map_or(extend("x", *width as usize), |value| {
                    extend(&format!("{value:b}"), *width as usize)
                }),
            ),
            Kind::Wide(width, zero) => (
                Handle::Wide(declare.wide(&name, *width, *zero).expect("wide"), *width),
                extend(if *zero { "0" } else { "x" }, *width as usize),
            ),
            Kind::Text(text) => (
                Handle::Text(declare.text(&name, text).expect("text")),
                shown(text),
            ),
        };
        if own {
            declare.upscope().expect("upscope");
        }
        waves.insert(path.clone(), vec![(0, initial)]);
        names.push(path);
        handles.push(handle);
    }
    declare.upscope().expect("upscope");
    let mut vcd = declare.start(Vec::new()).expect("start");
    let mut now = 0;
    for step in steps {
        now += step.wait;
        vcd.set_time(now).expect("time");
        let index = step.variable.index(handles.len());
        let value = match handles[index] {
            Handle::Scalar(scalar) if step.unknown => {
                vcd.change_scalar_unknown(scalar).expect("scalar");
                "x".to_owned()
            }
            Handle::Scalar(scalar) => {
                let bit = step.bytes[0] & 1;
                vcd.change_scalar(scalar, bit == 1).expect("scalar");
                bit.to_string()
            }
            Handle::Vector(vector, width) if step.unknown => {
                vcd.change_vector_unknown(vector).expect("vector");
                extend("x", width as usize)
            }
            Handle::Vector(vector, width) => {
                let eight = step.bytes[..8].try_into().expect("eight bytes");
                let value = fit(u64::from_be_bytes(eight), width);
                vcd.change_vector(vector, value).expect("vector");
                digits(&value.to_be_bytes())[64 - width as usize..].to_owned()
            }
            Handle::Wide(wide, width) => {
                let mut bytes = step.bytes[..width.div_ceil(8) as usize].to_vec();
                bytes[0] &= u8::MAX >> (bytes.len() * 8 - width as usize);
                vcd.change_wide(wide, &bytes).expect("wide");
                digits(&bytes)[bytes.len() * 8 - width as usize..].to_owned()
            }
            Handle::Text(text) => {
                vcd.change_text(text, &step.text).expect("text");
                shown(&step.text)
            }
        };
        record(
            waves.get_mut(&names[index]).expect("declared"),
            now,
            value,
            false,
        );
    }
    (vcd.finish(now + 1).expect("finish"), waves)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_streams_read_back_as_they_were_written(
        kinds in prop::collection::vec(kind(), 1..200),
        steps in prop::collection::vec(step(), 0..200),
    ) {
        let (file, waves) = write(&kinds, &steps);
        prop_assert_eq!(&by_vcd(&file), &waves);
        prop_assert_eq!(&by_wellen(&file), &waves);
    }
}
