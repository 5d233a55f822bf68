// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a run was fed: printed when `SB2SB_FUZZ_STATS=1`.
//!
//! libFuzzer ends a process without running destructors of its caller, so a line is printed at
//! every power of two from 4096 executions on; the last one is at most half a run old.

use std::env;
use std::fmt;

use pool_model::isa::validate;

use crate::input::{Input, Payload};

/// Asks for the lines if it is `1`.
pub const VARIABLE: &str = "SB2SB_FUZZ_STATS";

const FIRST_LINE: u64 = 4096;

/// Counts over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    enabled: bool,
    executions: u64,
    texts: u64,
    words: u64,
    valid: u64,
}

impl Stats {
    /// Counts if the environment asks for it; else every call is one test of a flag.
    #[must_use]
    pub fn from_environment() -> Self {
        Self {
            enabled: env::var(VARIABLE).is_ok_and(|value| value == "1"),
            ..Self::default()
        }
    }

    /// Counts whatever the environment says.
    #[must_use]
    pub fn counting() -> Self {
        Self {
            enabled: true,
            ..Self::default()
        }
    }

    /// Takes note of an input; a line to print, if it is time for one.
    pub fn count(&mut self, input: &Input<'_>) -> Option<String> {
        if !self.enabled {
            return None;
        }
        self.executions += 1;
        match input.payload {
            Payload::Text(_) => self.texts += 1,
            Payload::Words(words) => {
                self.words += words.len() as u64;
                let valid = words
                    .iter()
                    .filter(|word| validate(word, input.generation, input.nc).is_empty())
                    .count();
                self.valid += valid as u64;
            }
        }
        let due = self.executions >= FIRST_LINE && self.executions.is_power_of_two();
        due.then(|| self.to_string())
    }

    /// Words seen, and how many of them were valid.
    #[must_use]
    pub const fn words_and_valid(&self) -> (u64, u64) {
        (self.words, self.valid)
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_mille = (self.valid * 1000).checked_div(self.words).unwrap_or(0);
        write!(
            f,
            "stats: executions={} texts={} words={} valid={} valid_share={}.{}%",
            self.executions,
            self.texts,
            self.words,
            self.valid,
            per_mille / 10,
            per_mille % 10
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Format, encode_text, encode_words};
    use pool_model::generation::{Generation, NcVersion};

    #[test]
    fn a_line_comes_at_powers_of_two_and_says_what_was_fed() {
        let mut valid = [0; 64];
        valid[0] = 0xBF;
        valid[1] = 16;
        // Register addresses and counts of 1 make any dtype do. [isa-word §2.3]
        for operand in [16, 48] {
            valid[operand + 3] = 0x80;
            for count in [10, 12, 14] {
                valid[operand + count] = 1;
            }
        }
        valid[33] = 1;
        let data = encode_words(Generation::V3, NcVersion::V3, &[valid, [0; 64]]);
        let text = encode_text("");
        let mut stats = Stats::counting();
        let mut lines = Vec::new();
        for round in 0..8192 {
            let data = if round % 4 == 0 { &text } else { &data };
            lines.extend(stats.count(&Input::decode(data, Format::WordsOrText)));
        }
        assert_eq!(
            lines,
            [
                "stats: executions=4096 texts=1024 words=6144 valid=3072 valid_share=50.0%",
                "stats: executions=8192 texts=2048 words=12288 valid=6144 valid_share=50.0%",
            ]
        );
    }

    #[test]
    fn nothing_is_counted_unless_asked_for() {
        let mut stats = Stats::default();
        assert_eq!(stats.count(&Input::decode(&[0; 65], Format::Words)), None);
        assert_eq!(stats.words_and_valid(), (0, 0));
    }
}
