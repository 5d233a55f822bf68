// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Assembly text: identity on all words, the examples of the manual, located errors.

mod isa_support;

use isa_support::{W1, W2, W3, any_word, bytes_of, cases};
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
    #![proptest_config(cases(2000))]

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

fn error_of(line: &str) -> String {
    match assemble_line(line) {
        Err(error) => error.to_string(),
        Ok(word) => panic!("{line} assembles to {word:?}"),
    }
}

fn word_of(fields: &str) -> Word {
    let line = format!("sb2sb dtype=int8 src=0 dst=0 {fields}");
    match assemble_line(&line) {
        Ok(Some(word)) => word,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn numbers_on_both_sides_of_their_ranges() {
    for (good, bad) in [
        ("ch=255", "ch=256"),
        ("ch=0", "ch=-1"),
        ("len=0xFF", "len=0x100"),
        ("debug_hint=0b1111_1111", "debug_hint=0b1_0000_0000"),
        ("value=4294967295", "value=4294967296"),
        ("value=r63", "value=r64"),
        ("value=r0+0xFF_FFFF", "value=r0+0x100_0000"),
        ("wait=none[255]", "wait=none[256]"),
        ("update=255", "update=256"),
        ("reserved0=[255, 0]", "reserved0=[256]"),
        ("fmt=255", "fmt=256"),
    ] {
        word_of(good);
        let error = error_of(&format!("sb2sb dtype=int8 src=0 dst=0 {bad}"));
        assert!(error.contains("; expected 0 to "), "{bad}: {error}");
    }
    for (good, bad) in [
        ("0[65535]", "0[65536]"),
        ("0[1@32767]", "0[1@32768]"),
        ("0[1@-32768]", "0[1@-32769]"),
        ("0xFFFFFFFF", "0x100000000"),
        ("r63", "r64"),
        ("p127+0x3FFFF", "p128"),
        ("p0+0x3FFFF", "p0+0x40000"),
        ("wp0+0xFFFFF", "wp0+0x100000"),
        ("99", "99999999999999999999999999"),
    ] {
        assert!(
            assemble_line(&format!("sb2sb dtype=int8 dst=0 src={good}")).is_ok(),
            "{good}"
        );
        let error = error_of(&format!("sb2sb dtype=int8 dst=0 src={bad}"));
        assert!(error.contains("; expected "), "{bad}: {error}");
    }
}

#[test]
fn lists_have_their_length() {
    let fourteen = vec!["1"; 14].join(",");
    assert_eq!(
        word_of(&format!("reserved1=[{fourteen}]")).reserved1,
        [1; 14]
    );
    assert_eq!(word_of("reserved1=[7]").reserved1[..2], [7, 0]);
    assert_eq!(
        error_of(&format!("sb2sb reserved1=[{fourteen},1]")),
        "column 46: reserved1 has more than 14 entries"
    );
    assert_eq!(
        error_of("sb2sb src=0[1,1,1,1]"),
        "column 19: the pattern has more than 3 entries"
    );
}

#[test]
fn names_in_any_case_and_in_long_form() {
    let expected = word_of("fmt=lnc1 wait=sem_ge_imm[1] update=sem_inc_read[2] value=3 ch=4 len=5");
    for fields in [
        "FMT=LNC1 Wait=SEM_GE_IMM[1] UPDATE=Sem_Inc_Read[2] value=3 ch=4 len=5",
        "lnc_size_fmt=lnc1 wait=WAIT_FOR_SEM_GE_IMM[1] update=SEM_INC_READ[2] \
         semaphore_value=3 num_active_channels=4 inst_word_len=5",
        "fmt=0 wait=5[1] update=0x03[2] value=0b11 ch=0x4 len=5 # comment",
        "\tfmt = lnc1   wait=sem_ge_imm [ 1 ] update = sem_inc_read[2]value=3 ch=4 len=5\r",
    ] {
        assert_eq!(word_of(fields), expected, "{fields}");
    }
}

#[test]
fn register_values_mean_their_number() {
    assert_eq!(word_of("value=r9").events.semaphore_value, 9);
    assert_eq!(word_of("value=R9+0x10").events.semaphore_value, 0x1009);
    let text = |fields: &str| disassemble(&word_of(fields));
    assert!(text("wait=sem_ge_reg[1] value=9").ends_with(" value=r9"));
    assert!(text("wait=sem_ge_reg[1]").ends_with(" value=r0"));
    assert!(text("wait=sem_ge_reg[1] value=0x109").ends_with(" value=265"));
    assert!(text("wait=sem_ge_reg_offset[1] value=0x109").ends_with(" value=r9+1"));
    assert!(text("wait=sem_ge_reg_offset[1] value=64").ends_with(" value=64"));
    assert!(text("wait=sem_ge_imm[1]").ends_with(" value=0"));
    assert!(text("update=sem_wr_reg_read[1] wait=sem_ge_imm value=9").ends_with(" value=9"));
    assert!(text("value=0x12345678").ends_with(" value=0x12345678"));
}

#[test]
fn misspelt_names_are_recognised() {
    for (line, suggestion) in [
        ("sb2sb wait=sem_ge_im", "`sem_ge_imm`"),
        ("sb2sb wait=sem_eg_imm", "`sem_eq_imm` or `sem_ge_imm`"),
        ("sb2sb update=sem_inc_compleet", "`sem_inc_complete`"),
        (
            "sb2sb dtype=fp8_exp6",
            "`fp8_exp3` or `fp8_exp4` or `fp8_exp5`",
        ),
        ("sb2sb fmt=lcn2", "`lnc2`"),
        ("sb2sb debug_cmd=strat", "`start`"),
        ("sb2sb dtpye=int8", "`dtype`"),
        ("sb2sb num_active_chanels=1", "`num_active_channels`"),
        ("s3d3 op=sb2sb_colective", "`sb2sb_collective`"),
        ("s3d4", "`s3d3`"),
    ] {
        let error = error_of(line);
        assert!(error.contains(suggestion), "{line}: {error}");
    }
    let error = error_of("sb2sb wait=sem_eg_imm");
    assert!(error.starts_with("column 12: unknown wait mode `sem_eg_imm`; did you mean "));
    assert!(error_of("sb2sb op=0xBF").starts_with("column 7: unknown field `op`"));
}

#[test]
fn fields_once_and_the_needed_ones() {
    for (line, message) in [
        ("sb2sb", "column 6: `dtype=` is missing"),
        ("sb2sb in_dtype=1", "column 17: `out_dtype=` is missing"),
        ("sb2sb out_dtype=1", "column 18: `in_dtype=` is missing"),
        ("sb2sb dtype=1", "column 14: `src=` is missing"),
        ("s3d3 dtype=1 src=0 dst=0", "column 25: `op=` is missing"),
        (
            "sb2sb ch=1 ch=2",
            "column 12: `ch` was given before, in column 7",
        ),
        (
            "sb2sb ch=1 num_active_channels=2",
            "column 12: `ch` was given before, in column 7",
        ),
        (
            "sb2sb dtype=1 in_dtype=2",
            "column 15: `dtype` was given before, in column 7",
        ),
        (
            "sb2sb in_dtype=2 dtype=1",
            "column 18: `in_dtype` was given before, in column 7",
        ),
        (
            "sb2sb ch",
            "column 9: expected `=` after the field, found the end of the line",
        ),
        (
            "sb2sb ch=",
            "column 10: expected a number, found the end of the line",
        ),
        (
            "sb2sb ch=x",
            "column 10: `x` is not a number; expected decimal, 0x hexadecimal or 0b binary digits",
        ),
        (
            "sb2sb ch=0x",
            "column 10: `0x` is not a number; expected decimal, 0x hexadecimal or 0b binary digits",
        ),
        (
            "sb2sb src=0.form",
            "column 13: expected `shape` after the point, found `form`",
        ),
        (
            "= sb2sb",
            "column 1: expected a mnemonic (sb2sb or s3d3), found `=`",
        ),
        ("sb2sb , ch=1", "column 7: expected a field, found `,`"),
    ] {
        assert_eq!(error_of(line), message, "{line}");
    }
    assert_eq!(assemble_line(""), Ok(None));
    assert_eq!(assemble_line("  # sb2sb"), Ok(None));
}

#[test]
fn very_long_lines_are_refused_with_short_messages() {
    for piece in ["x", "sb2sb ", "é", "[", "9", "sb2sb ch=", "0x"] {
        let error = error_of(&piece.repeat(100_000));
        assert!(
            error.chars().count() < 400,
            "{piece}: {} characters",
            error.chars().count()
        );
    }
}
