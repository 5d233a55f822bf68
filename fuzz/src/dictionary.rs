// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tokens for libFuzzer's own mutations, made from the enums; `dict/` holds exactly these.

use std::fmt::Write as _;

use pool_model::isa::{DType, DebugCmd, LncSizeFmt, Opcode, UpdateMode, WaitMode};

/// Addresses on both sides of every limit, and the register markers. [isa-word §§2.2–2.5]
const ADDRESSES: [u32; 20] = [
    0x0003_7FFF,
    0x0003_8000,
    0x0004_0000,
    0x000F_FFFF,
    0x0100_0000,
    0x01FF_FFF8,
    0x01FF_FFFF,
    0x0200_0000,
    0x023F_FFFF,
    0x0240_0000,
    0x07FF_FFFF,
    0x0800_0000,
    0x1FFF_FFFF,
    0x2000_0000,
    0x4000_0000,
    0x8000_003F,
    0x8000_0040,
    0x8000_0100,
    0xC000_003F,
    0xA000_0000,
];

/// Counts around the limit of 256 and at the ends of 16 bits. [isa-word §4.1 #10]
const COUNTS: [u16; 7] = [16, 17, 255, 256, 257, 0x8000, 0xFFFF];

/// Mnemonics, fields and signs of the assembly, and the ends of its numbers.
const ASSEMBLY: [&str; 44] = [
    "sb2sb ",
    "s3d3 ",
    "op=",
    "opcode=",
    "len=",
    "inst_word_len=",
    "debug_cmd=",
    "debug_hint=",
    "fmt=",
    "lnc_size_fmt=",
    "dtype=",
    "in_dtype=",
    "out_dtype=",
    "ch=",
    "num_active_channels=",
    "reserved0=[",
    "reserved1=[",
    "src=",
    "dst=",
    "wait=",
    "update=",
    "value=",
    "semaphore_value=",
    "r63",
    "r64",
    ".shape",
    "[",
    "]",
    ", ",
    "@-32768",
    "@32767",
    "@0",
    "+",
    "#",
    "_",
    "-",
    "0x",
    "0b",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
];

/// The file names below `dict/` and what the files say.
#[must_use]
pub fn all() -> [(&'static str, String); 2] {
    let words = words();
    [
        (
            "word_roundtrip.dict",
            file(words.iter().cloned().chain(text())),
        ),
        ("validate_lockstep.dict", file(words.iter().cloned())),
    ]
}

fn words() -> Vec<Vec<u8>> {
    let addresses = ADDRESSES
        .iter()
        .map(|address| address.to_le_bytes().to_vec());
    let counts = COUNTS.iter().map(|count| count.to_le_bytes().to_vec());
    // The header of every word. [isa-word §1.1]
    [vec![0xBF, 0x10]]
        .into_iter()
        .chain(addresses)
        .chain(counts)
        .collect()
}

fn text() -> impl Iterator<Item = Vec<u8>> {
    let names = Opcode::all()
        .filter_map(Opcode::name)
        .chain(WaitMode::ALL.iter().map(|mode| mode.name()))
        .chain(UpdateMode::ALL.iter().map(|mode| mode.name()))
        .chain(DType::ALL.iter().map(|dtype| dtype.name()))
        .chain(LncSizeFmt::ALL.iter().map(|format| format.name()))
        .chain(DebugCmd::ALL.iter().map(|command| command.name()));
    let names = names.map(|name| {
        let short = name.strip_prefix("WAIT_FOR_").unwrap_or(name);
        short.to_ascii_lowercase()
    });
    ASSEMBLY
        .into_iter()
        .map(str::to_owned)
        .chain(names)
        .map(String::into_bytes)
}

/// One quoted token a line; everything that is not a plain character as `\xNN`.
fn file(tokens: impl Iterator<Item = Vec<u8>>) -> String {
    let mut text = String::from(
        "# SPDX-License-Identifier: Apache-2.0 OR MIT\n# Written by the example make_seeds.\n",
    );
    for token in tokens {
        text.push('"');
        for byte in token {
            if byte.is_ascii_graphic() && byte != b'"' && byte != b'\\' || byte == b' ' {
                text.push(char::from(byte));
            } else {
                // Writing to a `String` cannot fail.
                let _ = write!(text, "\\x{byte:02X}");
            }
        }
        text.push_str("\"\n");
    }
    text
}
