// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Assembly text: identity on all words, the examples of the manual, located errors.

mod isa_support;

use isa_support::{W1, W2, W3, any_word, bytes_of};
use pool_model::isa::asm::{AsmErrorKind, assemble_line, assemble_text, disassemble};
use pool_model::isa::{Word, WordBytes};
use proptest::prelude::*;

fn round_trip(word: &WordBytes) {
    let text = disassemble(&Word::decode(word));
    assert!(!text.contains('\n'), "{text}");
    match assemble_line(&text) {
        Ok(Some(back)) => assert_eq!(&back.encode(), word, "{text}"),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn worked_words_as_text() {
    for (drawn, text) in [
        (
            W1,
            "sb2sb dtype=bfloat16 src=0x0[64, 1@0, 1@0] dst=0x1000[64, 1@0, 1@0] \
             update=sem_inc_complete[5]",
        ),
        (
            W2,
            "sb2sb dtype=fp32 ch=32 src=0x800400[16, 4@64, 4@-256] dst=r5[16, 4@16, 4@64] \
             wait=sem_ge_imm[3] update=sem_inc_complete[16] value=7",
        ),
        (
            W3,
            "sb2sb fmt=lnc1 dtype=fp8_exp4 ch=1 src=0x1ff7fff[1@0, 1@0, 1@0] dst=0x1800000 \
             wait=sem_ge_reg[255] update=sem_add_imm_complete[254] value=9",
        ),
    ] {
        let word = bytes_of(drawn);
        assert_eq!(disassemble(&Word::decode(&word)), text);
        round_trip(&word);
    }
}

#[test]
fn identity_for_every_value_of_every_byte() {
    for drawn in [W1, W2, W3] {
        for index in 0..64 {
            for value in 0..=u8::MAX {
                let mut word = bytes_of(drawn);
                word[index] = value;
                round_trip(&word);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn identity_for_any_word(word in any_word()) {
        round_trip(&word);
    }

    #[test]
    fn garbage_never_panics(line in "\\PC{0,80}") {
        let _ = assemble_line(&line);
    }

    #[test]
    fn near_text_never_panics_and_points_into_the_line(
        word in any_word(), cut in 0_usize..200, junk in "[ -~é€]{0,4}"
    ) {
        let text = disassemble(&Word::decode(&word));
        let cut = cut.min(text.len());
        let line = format!("{}{junk}{}", &text[..cut], &text[cut..]);
        if let Err(error) = assemble_line(&line) {
            prop_assert!(error.column >= 1 && error.column <= line.chars().count() + 1);
        }
    }
}

#[test]
fn text_keeps_going_after_a_bad_line() {
    let assembly = assemble_text(
        "# program\n\nsb2sb dtype=int8 src=0 dst=1\nsb2sb dtype=int9 src=0 dst=1\n\
         sb2sb dtype=int8 src=2 dst=3 # last\n",
    );
    let lines: Vec<usize> = assembly.words.iter().map(|w| w.line).collect();
    assert_eq!(lines, [3, 5]);
    assert_eq!(assembly.errors.len(), 1);
    assert_eq!(assembly.errors[0].line, 4);
    assert_eq!(
        assembly.errors[0].to_string(),
        "4:13: unknown dtype `int9`; did you mean `int8` or `int4`?"
    );
    assert!(matches!(
        assembly.errors[0].error.kind,
        AsmErrorKind::UnknownName { what: "dtype", .. }
    ));
}
