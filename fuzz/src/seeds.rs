// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The first inputs of every target, made from a fixed seed; `seeds/` holds exactly these.
//!
//! Few and diverse: the specification's worked words, near-valid words of each generation, and for
//! the text target what the assembler has to read.

use pool_model::generation::Generation;
use pool_model::isa::input::format_hex;
use pool_model::isa::near_valid::{SplitMix64, Stream};
use pool_model::isa::{Word, WordBytes, disassemble};

use crate::input::{encode_text, encode_words};

/// Seed of the near-valid words.
const SEED: u64 = 0x5EED;
/// Near-valid words in one input.
const WORDS: usize = 4;
/// Inputs of near-valid words for each generation.
const INPUTS: usize = 3;

/// Bytes of a seed of the address, window and semaphore targets.
const BLOCK_SEED_BYTES: usize = 512;

/// W1, W2 and W3. [isa-word §9]
#[rustfmt::skip]
const WORKED: [WordBytes; 3] = [
    [
        0xBF, 0x10, 0x00, 0x00, 0x00, 0x00, 0x13, 0x05, 0x00, 0x00, 0x00, 0x00, 0x06, 0x06, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40, 0x00, 0x01, 0x00, 0x01, 0x00,
        0x01, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x10, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40, 0x00, 0x01, 0x00, 0x01, 0x00,
    ],
    [
        0xBF, 0x10, 0x00, 0x00, 0x05, 0x03, 0x13, 0x10, 0x07, 0x00, 0x00, 0x00, 0x0A, 0x0A, 0x00, 0x00,
        0x00, 0x04, 0x80, 0x00, 0x01, 0x00, 0x40, 0x00, 0x00, 0xFF, 0x10, 0x00, 0x04, 0x00, 0x04, 0x00,
        0x01, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x05, 0x00, 0x00, 0x80, 0x01, 0x00, 0x10, 0x00, 0x40, 0x00, 0x10, 0x00, 0x04, 0x00, 0x04, 0x00,
    ],
    [
        0xBF, 0x10, 0x00, 0x00, 0x85, 0xFF, 0x15, 0xFE, 0x09, 0x00, 0x00, 0x00, 0x0E, 0x0E, 0x00, 0x00,
        0xFF, 0x7F, 0xFF, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x01, 0x00,
        0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x80, 0x01, 0x01, 0x00, 0x01, 0x00, 0x01, 0x00, 0x01, 0x00, 0x01, 0x00, 0x01, 0x00,
    ],
];

/// One file below `seeds/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// Folder: the target's name.
    pub target: &'static str,
    /// File name.
    pub name: String,
    /// Contents.
    pub data: Vec<u8>,
}

/// All seeds of all targets.
#[must_use]
pub fn all() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for target in ["word_roundtrip", "validate_lockstep"] {
        seeds.extend(word_seeds(target));
    }
    seeds.extend(text_seeds());
    for target in ["addr_lockstep", "window_lockstep", "evt_sem_lockstep"] {
        seeds.extend(block_seeds(target));
    }
    seeds.extend(ring_seeds());
    seeds
}

/// Decisions for a generator are noise; the header asks for each generation and for a long run.
fn block_seeds(target: &'static str) -> impl Iterator<Item = Seed> {
    Generation::ALL.into_iter().map(move |generation| {
        let mut data = vec![0; BLOCK_SEED_BYTES];
        SplitMix64::new(SEED + generation.index() as u64).fill(&mut data);
        data[..2].copy_from_slice(&[generation.index() as u8, 15]);
        Seed {
            target,
            name: format!("{generation}-noise"),
            data,
        }
    })
}

/// Decisions of scripts for the DMA engines: those that the co-simulation draws from these numbers.
fn ring_seeds() -> impl Iterator<Item = Seed> {
    /// Inputs of each generation, and their lengths in bytes.
    const LENGTHS: [u64; 3] = [96, 240, 504];
    (0_u8..)
        .zip(Generation::ALL)
        .flat_map(|(number, generation)| {
            LENGTHS.into_iter().map(move |length| {
                let mut numbers = SplitMix64::new(SEED ^ u64::from(number) << 32 ^ length);
                let mut data = vec![number];
                data.extend((0..length / 8).flat_map(|_| numbers.next_u64().to_le_bytes()));
                Seed {
                    target: "ring_lockstep",
                    name: format!("{generation}-script-{length}"),
                    data,
                }
            })
        })
}

fn word_seeds(target: &'static str) -> impl Iterator<Item = Seed> {
    Generation::ALL.into_iter().flat_map(move |generation| {
        let nc = generation.nc_version();
        let mut stream = Stream::new(SEED, generation);
        let mut inputs = vec![("worked".to_owned(), WORKED.to_vec())];
        for number in 0..INPUTS {
            let words = stream.by_ref().take(WORDS).collect();
            inputs.push((format!("near-valid-{number}"), words));
        }
        inputs.into_iter().map(move |(name, words)| Seed {
            target,
            name: format!("{generation}-{name}"),
            data: encode_words(generation, nc, &words),
        })
    })
}

fn text_seeds() -> Vec<Seed> {
    let statements: Vec<String> = WORKED
        .iter()
        .map(|bytes| disassemble(&Word::decode(bytes)))
        .collect();
    let noisy = Word::decode(&std::array::from_fn(|byte| byte as u8 ^ 0xA5));
    let texts = [
        ("worked", statements.join("\n")),
        ("every-field", disassemble(&noisy)),
        (
            "comment",
            format!("# a comment\n\n{}  # another\r\n", statements[0]),
        ),
        ("hex", format!("# W1\n{}\n", format_hex(&WORKED[0]))),
        (
            "mistakes",
            "sb2sb dtype=BF17 src=0x10000000000 dst=r64[1@\nsb3sb\n=".to_owned(),
        ),
    ];
    texts
        .into_iter()
        .map(|(name, text)| Seed {
            target: "word_roundtrip",
            name: format!("text-{name}"),
            data: encode_text(&text),
        })
        .collect()
}
