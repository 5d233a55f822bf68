// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `docs/assembly.md` is executed: its examples assemble, its errors are the assembler's, its grammar
//! is the assembler's, its table of defaults is what the assembler fills in.

mod isa_support;

use isa_support::grammar::Grammar;
use isa_support::{any_word, cases};
use pool_model::isa::asm::{AsmError, AsmErrorKind, assemble_line, disassemble};
use pool_model::isa::{Addr4, Word, validate};
use proptest::prelude::*;

const MANUAL: &str = include_str!("../../docs/assembly.md");

/// The lines of all fenced blocks of a language.
fn fenced(language: &str) -> Vec<&'static str> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in MANUAL.lines() {
        if let Some(fence) = line.strip_prefix("```") {
            inside = fence == language;
        } else if inside {
            lines.push(line);
        }
    }
    assert!(!lines.is_empty(), "no block of {language}");
    lines
}

fn grammar() -> Grammar {
    Grammar::read(&fenced("ebnf").join("\n"))
}

#[test]
fn examples_assemble_and_derive_from_the_grammar() {
    let grammar = grammar();
    let mut words = 0;
    for line in fenced("asm") {
        assert!(grammar.accepts(line), "{line}");
        let word = assemble_line(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        let Some(word) = word else { continue };
        words += 1;
        let again = assemble_line(&disassemble(&word));
        assert_eq!(again, Ok(Some(word)), "{line}");
        if line.starts_with("sb2sb") {
            let legal = pool_model::generation::Generation::ALL
                .iter()
                .any(|&g| validate(&word.encode(), g, g.nc_version()).is_empty());
            assert!(legal, "{line}");
        }
    }
    assert_eq!(words, 6);
}

#[test]
fn errors_are_as_printed() {
    let lines = fenced("asm-errors");
    let (pairs, rest) = lines.as_chunks::<2>();
    assert!(rest.is_empty());
    for [line, message] in pairs {
        let error = assemble_line(line).expect_err(line);
        assert_eq!(error.to_string(), message.trim(), "{line}");
    }
}

#[test]
fn defaults_are_as_tabled() {
    let word = assemble_line("sb2sb dtype=int8 src=0 dst=0")
        .expect("good line")
        .expect("a word");
    for (field, default) in [
        ("ch", "128"),
        ("fmt", "lnc2"),
        ("wait", "none[0]"),
        ("update", "none[0]"),
        ("value", "0"),
        ("len", "16"),
        ("debug_cmd", "none"),
        ("debug_hint", "0"),
        ("reserved0", "[0, 0]"),
        ("reserved1", "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"),
    ] {
        assert!(MANUAL.contains(&format!("| `{field}` |")), "{field}");
        let explicit = format!("sb2sb dtype=int8 src=0 dst=0 {field}={default}");
        assert_eq!(assemble_line(&explicit), Ok(Some(word)), "{explicit}");
        if !default.starts_with('[') {
            let row = MANUAL
                .lines()
                .find(|l| l.starts_with(&format!("| `{field}` |")))
                .expect("a row");
            let last = row.trim_end_matches('|').rsplit('|').next().unwrap_or("");
            assert_eq!(last.trim().trim_matches('`'), default, "{row}");
        }
    }
    assert_eq!(word.header.opcode, 0xBF);
    assert_eq!(word.src.start_addr, Addr4(0));
    assert_eq!((word.src.num_elem, word.src.step_elem), ([1; 3], [1; 3]));
}

#[test]
fn address_forms_as_tabled() {
    for (text, addr) in [
        ("0x800400", 0x0080_0400),
        ("p32+0x400", 0x0080_0400),
        ("wp32+0x400", 0x0200_0400),
        ("wp127+0xFFFFF", 0x07FF_FFFF),
        ("p127+0x3FFFF", 0x01FF_FFFF),
        ("r5", 0x8000_0005),
        ("r5.shape", 0xC000_0005),
        ("0x1000.shape", 0x4000_1000),
        ("P1.Shape", 0x4004_0000),
    ] {
        let line = format!("sb2sb dtype=int8 dst=0 src={text}");
        let word = assemble_line(&line).expect(&line).expect(&line);
        assert_eq!(word.src.start_addr, Addr4(addr), "{text}");
    }
}

/// A fault that the grammar rules out, as opposed to one of the things "beyond the grammar".
fn is_syntax(error: &AsmError) -> bool {
    matches!(error.kind, AsmErrorKind::Expected { .. })
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn disassembly_derives_from_the_grammar(word in any_word()) {
        let text = disassemble(&Word::decode(&word));
        prop_assert!(grammar().accepts(&text), "{}", text);
    }

    #[test]
    fn derived_lines_have_no_syntax_error(picks in prop::collection::vec(any::<u16>(), 1..200)) {
        let mut at = 0;
        let mut pick = |n: usize| {
            at += 1;
            usize::from(picks[at % picks.len()]) % n
        };
        let grammar = grammar();
        let line = grammar.derive(&mut pick);
        prop_assert!(grammar.accepts(&line), "{}", line);
        if let Err(error) = assemble_line(&line) {
            prop_assert!(!is_syntax(&error), "{}: {}", line, error);
        }
    }

    #[test]
    fn what_assembles_derives_from_the_grammar(
        word in any_word(), cut in 0_usize..200, gone in 0_usize..3, junk in "[ =@,.0-9a-z\\[\\]+-]{0,3}"
    ) {
        let text = disassemble(&Word::decode(&word));
        let cut = cut.min(text.len());
        let rest = (cut + gone).min(text.len());
        let line = format!("{}{junk}{}", &text[..cut], &text[rest..]);
        if assemble_line(&line).is_ok() {
            prop_assert!(grammar().accepts(&line), "{}", line);
        }
    }
}
