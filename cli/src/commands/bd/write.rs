// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A descriptor as a table, as JSON or as hex. Writing to a `String` cannot fail, so the results of `write!` carry
//! nothing.

use std::fmt::Write as _;

use pool_model::generation::Generation;
use pool_model::idma::bits::{BitField, Layout, Radix};
use pool_model::idma::notes::notes;
use pool_model::idma::printed::{word0_as_printed, word1_as_printed};
use pool_model::idma::{Descriptor, Kind, Operation, text};
use pool_model::isa::DType;
use pool_model::soc::{DecodeInputs, SocAddr, decode};

/// The sixteen bytes in memory order.
pub fn hex(descriptor: &Descriptor) -> String {
    descriptor
        .pack()
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// One object with every field.
pub fn json(out: &mut String, index: u64, descriptor: &Descriptor, layout: &Layout) {
    let _ = write!(
        out,
        r#"{{"index":{index},"layout":"{}","hex":"{}""#,
        layout.name,
        hex(descriptor)
    );
    for field in layout.fields {
        let value = field.get(descriptor.bits());
        // Pointers do not survive readers whose numbers are floating-point ones.
        let _ = if field.width == 64 {
            write!(out, r#","{}":"{value:#018x}""#, field.name)
        } else {
            write!(out, r#","{}":{value}"#, field.name)
        };
    }
    let _ = writeln!(out, r#","text":"{}"}}"#, text::format(descriptor, layout));
}

/// A row a field, then remarks.
pub fn table(
    out: &mut String,
    place: &str,
    descriptor: &Descriptor,
    layout: &Layout,
    kind: Kind,
    generation: Generation,
) {
    let [word0, word1, word2, word3] = descriptor.words();
    let _ = writeln!(
        out,
        "{place}: {}: {word0:#010x} {word1:#010x} {word2:#010x} {word3:#010x}",
        layout.about
    );
    let _ = writeln!(out, "  {}", text::format(descriptor, layout));
    let _ = writeln!(
        out,
        "  word  bits   {:<22}  {:<18}  meaning",
        "field", "value"
    );
    for field in layout.fields {
        let value = field.get(descriptor.bits());
        if field.is_reserved() && value == 0 {
            continue;
        }
        let (word, high, low) = field.place();
        let bits = if high == low {
            high.to_string()
        } else {
            format!("{high}:{low}")
        };
        let shown = match field.radix {
            Radix::Hexadecimal => format!("{value:#x}"),
            Radix::Decimal | Radix::Operation => value.to_string(),
        };
        let row = format!(
            "  {word:>4}  {bits:<5}  {:<22}  {shown:<18}  {}",
            field.name,
            meaning(field, value, descriptor, generation)
        );
        let _ = writeln!(out, "{}", row.trim_end());
    }
    for note in notes(descriptor, kind, generation) {
        let _ = writeln!(out, "  note: {}  [{}]", note.text, note.section);
    }
}

/// Both words in the mirrored bit order of one source.
pub fn as_printed(out: &mut String, descriptor: &Descriptor) {
    let _ = writeln!(
        out,
        "  as printed: word0 {:#010x}, word1 {:#010x}  [idma-ring §1.2]",
        word0_as_printed(descriptor.word0),
        word1_as_printed(descriptor.word1)
    );
}

fn meaning(
    field: &BitField,
    value: u64,
    descriptor: &Descriptor,
    generation: Generation,
) -> String {
    match field.name {
        "op" => match Operation::of(descriptor.word1) {
            Operation::PassThrough => "plain pass-through".to_owned(),
            Operation::Undefined(_) => "undefined".to_owned(),
            operation => operation.name().unwrap_or_default().to_ascii_uppercase(),
        },
        "optype" => optype(descriptor.operation(), value).to_owned(),
        "buf_ptr" => format!("read from {}", region(value, generation)),
        "buf1_ptr" => format!("written to {}", region(value, generation)),
        name if name.ends_with("dtype") => {
            let dtype = u8::try_from(value).ok().and_then(DType::from_raw);
            dtype.map_or_else(String::new, |dtype| dtype.name().to_owned())
        }
        _ => String::new(),
    }
}

/// [idma-ring §4.1]
fn optype(operation: Operation, value: u64) -> &'static str {
    const CME: [&str; 8] = [
        "COPY", "CRC32", "CRC32C", "CKSUM16", "CKSUM32", "CRC16", "ADLER", "CRC8",
    ];
    const CCE: [&str; 6] = ["ADD", "FMA", "MAX", "MIN", "EXT", "GCE"];
    const DRE: [&str; 3] = ["striding split", "transpose", "replication"];
    let names: &[&str] = match operation {
        Operation::Cme => &CME,
        Operation::Cce => &CCE,
        Operation::Dre => &DRE,
        Operation::PassThrough | Operation::Undefined(_) => &[],
    };
    usize::try_from(value)
        .ok()
        .and_then(|value| names.get(value))
        .copied()
        .unwrap_or_default()
}

fn region(address: u64, generation: Generation) -> String {
    let inputs = DecodeInputs {
        nbr_en: true,
        generation,
        ..DecodeInputs::default()
    };
    let decoded = decode(SocAddr(address), inputs);
    match &decoded.target {
        Some(target) => match target.location() {
            Some(location) => location.to_string(),
            None => "a gap of the map".to_owned(),
        },
        None => "an illegal address".to_owned(),
    }
}
