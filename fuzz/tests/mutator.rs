// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The mutator, fed with its own output as libFuzzer does, and with noise.

use pool_model::generation::Generation;
use pool_model::isa::assemble_text;
use pool_model::isa::near_valid::SplitMix64;
use sb2sb_fuzz::input::{Format, Input, MAX_LEN, MAX_WORDS, Payload, encode_words};
use sb2sb_fuzz::mutator::mutate;
use sb2sb_fuzz::stats::Stats;

/// Stands for libFuzzer's own mutations: flips, inserts and removes bytes.
fn byte_mutation(random: &mut SplitMix64) -> impl FnMut(&mut [u8], usize, usize) -> usize {
    move |data, size, max_size| {
        let number = random.next_u64();
        let place = (number >> 32) as usize;
        match number % 4 {
            0 if size < max_size => {
                data[size] = number as u8;
                size + 1
            }
            1 if size > 1 => size - 1,
            _ if size > 0 => {
                data[place % size] ^= 1 << (number % 8);
                size.min(max_size)
            }
            _ => size.min(max_size),
        }
    }
}

/// Applies `rounds` mutations, up to five in a row to an input of a small pool, as libFuzzer does.
fn run(format: Format, rounds: u32, mut see: impl FnMut(&[u8])) {
    let mut noise = SplitMix64::new(1);
    let mut choice = SplitMix64::new(2);
    let mut pool: Vec<Vec<u8>> = vec![vec![]];
    for round in 0..rounds {
        let mut data = pool[choice.next_u64() as usize % pool.len()].clone();
        for depth in 0..=choice.next_u64() % 5 {
            let size = data.len();
            data.resize(MAX_LEN.max(size), 0);
            let seed = round * 8 + depth as u32;
            let size = mutate(
                &mut data,
                size,
                MAX_LEN,
                seed,
                format,
                &mut byte_mutation(&mut noise),
            );
            data.truncate(size);
            see(&data);
        }
        if pool.len() < 200 {
            pool.push(data);
        } else {
            let place = choice.next_u64() as usize % pool.len();
            pool[place] = data;
        }
    }
}

#[test]
fn at_least_a_third_of_the_words_are_valid() {
    for format in [Format::Words, Format::WordsOrText] {
        let mut stats = Stats::counting();
        run(format, 40_000, |data| {
            stats.count(&Input::decode(data, format));
        });
        let (words, valid) = stats.words_and_valid();
        println!("{format:?}: {stats}");
        assert!(words > 40_000, "{stats}");
        assert!(valid * 3 >= words, "{stats}");
        assert!(valid * 10 <= words * 9, "{stats}");
    }
}

/// libFuzzer keeps what is new, which is mostly broken: the mutator must make up for that.
#[test]
fn at_least_a_third_of_the_words_are_valid_from_a_corpus_without_any() {
    let mut noise = SplitMix64::new(5);
    let mut stats = Stats::counting();
    for round in 0..20_000 {
        let generation = Generation::ALL[round as usize % Generation::ALL.len()];
        let words = vec![[0xA5; 64]; 1 + round as usize % MAX_WORDS];
        let mut data = encode_words(generation, generation.nc_version(), &words);
        for depth in 0..5 {
            let size = data.len();
            data.resize(MAX_LEN, 0);
            let seed = round * 8 + depth;
            let size = mutate(
                &mut data,
                size,
                MAX_LEN,
                seed,
                Format::Words,
                &mut byte_mutation(&mut noise),
            );
            data.truncate(size);
            stats.count(&Input::decode(&data, Format::Words));
        }
    }
    let (words, valid) = stats.words_and_valid();
    println!("{stats}");
    assert!(valid * 3 >= words, "{stats}");
}

#[test]
fn sizes_keep_to_the_limit() {
    let mut noise = SplitMix64::new(3);
    for max_size in [0, 1, 2, 64, 65, 66, 128, 129, MAX_LEN, 4096] {
        for size in [0, 1, 64, 65, 200, 600] {
            for seed in 0..200 {
                let mut data = vec![0; max_size.max(size)];
                noise.fill(&mut data);
                let new = mutate(
                    &mut data,
                    size,
                    max_size,
                    seed,
                    Format::WordsOrText,
                    &mut byte_mutation(&mut noise),
                );
                assert!(new <= max_size, "{new} of {max_size} from {size}");
            }
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_mutation() {
    let mut start = vec![0; MAX_LEN];
    SplitMix64::new(4).fill(&mut start);
    for seed in 0..500 {
        let [first, second] = [(); 2].map(|()| {
            let mut data = start.clone();
            let mut noise = SplitMix64::new(u64::from(seed));
            let size = mutate(
                &mut data,
                200,
                MAX_LEN,
                seed,
                Format::WordsOrText,
                &mut byte_mutation(&mut noise),
            );
            data.truncate(size);
            data
        });
        assert_eq!(first, second);
    }
}

#[test]
fn every_kind_of_input_is_reached() {
    let mut generations = [0; 5];
    let mut most_words = 0;
    let (mut good_lines, mut bad_lines, mut not_utf8) = (0, 0, 0);
    run(Format::WordsOrText, 40_000, |data| {
        let input = Input::decode(data, Format::WordsOrText);
        match input.payload {
            Payload::Words(words) => {
                generations[input.generation.index()] += 1;
                most_words = most_words.max(words.len());
            }
            Payload::Text(text) => match std::str::from_utf8(text) {
                Ok(text) => {
                    let assembly = assemble_text(text);
                    good_lines += assembly.words.len();
                    bad_lines += assembly.errors.len();
                }
                Err(_) => not_utf8 += 1,
            },
        }
    });
    println!("{generations:?} {most_words} words, {good_lines} good, {bad_lines} bad lines");
    assert!(
        generations.iter().all(|&count| count > 500),
        "{generations:?}"
    );
    assert!(generations[Generation::V2.index()] * 4 < generations.iter().sum());
    assert_eq!(most_words, MAX_WORDS);
    assert!(
        good_lines > 1_000 && bad_lines > 1_000,
        "{good_lines} {bad_lines}"
    );
    assert!(not_utf8 > 0);
}
