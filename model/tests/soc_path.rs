// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Paths: what is accepted, what is refused, and what a refusal says.

use pool_model::generation::Generation;
use pool_model::soc::map::lookup::{Location, target};
use pool_model::soc::map::path::{PathError, parse};
use pool_model::soc::{SocAddr, Viewed};
use proptest::prelude::*;

const V3: Generation = Generation::V3;

#[test]
fn accepted_forms() {
    for (path, address) in [
        ("TPB_0", 0x20_0000_0000),
        ("tpb_0.evt_sem.semaphore_inc[12]", 0x28_0270_1830),
        ("TPB_0.EVT_SEM.SEMAPHORE_INC[0xC]", 0x28_0270_1830),
        ("TPB_0.EVT_SEM.SEMAPHORE_INC+0x30", 0x28_0270_1830),
        ("TPB_0.EVT_SEM.SEMAPHORE_INC", 0x28_0270_1800),
        ("TPB_5.STATE_BUF[5]+0x1234", 0x8030_0014_1234),
        ("TPB_0.POOL.LOCAL_REG.WINDOW[7].replace_hi", 0x28_0306_20DC),
        ("TPB_0.POOL.LOCAL_REG.WINDOW[7]+24", 0x28_0306_20DC),
        ("TPB_0.POOL.LOCAL_REG.GENERAL[48]", 0x28_0306_1600),
        ("TPB_0.POOL.LOCAL_REG.Q7.release_run_stall", 0x28_0306_3000),
        ("TPB_0.POOL.LOCAL_REG.Q7.start_ctrl+3", 0x28_0306_3007),
        ("TPB_3.POOL.Q7_CORE_7.DRAM+0x3FFFF", 0x78_038B_FFFF),
        ("APB_SE_0.SDMA_5.M2S.QUEUE[5].TDRTP_inc", 0x10_0250_6038),
        ("APB_IO_1.H2D.S2M.QUEUE[0].RDRTP_inc", 0x8080_0692_1038),
        ("TOP_SP_10.TPB_SP.LOCAL_REG.GENERAL[45]", 0x8082_8026_15A0),
        ("PEB_SP_0.EVT_SEM.SEMAPHORE_READ[0]", 0x0020_0082_8000_1000),
        ("PCIE_M0_1", 0x0020_C000_0000_0000),
        ("PCIE_A0_1+0x10", 0xC000_0000_0010),
    ] {
        assert_eq!(parse(path, V3), Ok(SocAddr(address)), "{path}");
    }
}

#[test]
fn refusals_say_what_would_have_been_legal() {
    for (path, message) in [
        ("TPB_8", "`TPB_8` does not exist; expected TPB_0 to TPB_7"),
        ("TPB_00", "`TPB_00` does not exist; expected TPB_0 to TPB_7"),
        (
            "TOP_SP_20.RAM",
            "`TOP_SP_20` does not exist; expected TOP_SP_0 to TOP_SP_19",
        ),
        (
            "TPB_0.EVT_SEM.SEMAPHORE_ICN[1]",
            "`TPB_0.EVT_SEM` has no `SEMAPHORE_ICN`; did you mean SEMAPHORE_INC?",
        ),
        (
            "TPB_0.EVT_SEM.X",
            "`TPB_0.EVT_SEM` has no `X`; expected one of EVENT, RESERVED_0, SEMAPHORE_READ, SEMAPHORE_SET, \
             SEMAPHORE_INC, SEMAPHORE_DEC, RESERVED_1",
        ),
        (
            "TPB_0.EVT_SEM.EVENT[256]",
            "`TPB_0.EVT_SEM.EVENT[256]` does not exist; expected an index from 0 to 255",
        ),
        (
            "TPB_0.EVT_SEM.EVENT[0]+4",
            "offset 0x4 leaves `TPB_0.EVT_SEM.EVENT`; expected at most 0x3",
        ),
        (
            "HBM_0+0x1000000000",
            "offset 0x1000000000 leaves `HBM_0`; expected at most 0xfffffffff",
        ),
        ("HBM_0[1]", "`HBM_0` is no array, but an index was given"),
        ("HBM_0.X", "`HBM_0` has no `X`; it has no parts"),
        (
            "TPB_0.EVT_SEM.EVENT[x]",
            "`x` at column 21 is not understood; expected an index",
        ),
        (
            "TPB_0.EVT_SEM.EVENT[1",
            "`1` at column 21 is not understood; expected an index and `]`",
        ),
        (
            "TPB_0+",
            "`` at column 7 is not understood; expected a number of bytes",
        ),
        (
            "TPB_0+0x",
            "`0x` at column 7 is not understood; expected a number of bytes",
        ),
        (
            "TPB_0.EVT_SEM.EVENT[1]x",
            "`x` at column 23 is not understood; expected `.` and a register, `+` and an offset, or the end",
        ),
        (
            "TPB_0.POOL.LOCAL_REG.Q7.start_ctrl.x",
            "`x` at column 36 is not understood; expected the end: a register has no parts",
        ),
        (
            "TPB_0.POOL.LOCAL_REG.WINDOW[0].replace_h",
            "`TPB_0.POOL.LOCAL_REG.WINDOW` has no `replace_h`; did you mean replace_hi?",
        ),
    ] {
        let error = parse(path, V3).expect_err(path);
        assert_eq!(error.to_string(), message, "{path}");
    }
    let at_root = parse("TBP_0", V3).expect_err("a slip");
    assert_eq!(
        at_root.to_string(),
        "the map has no `TBP_0`; did you mean TPB_0?"
    );
    let nothing = parse("", V3).expect_err("empty");
    assert!(
        matches!(&nothing, PathError::UnknownName { all, .. } if all.contains(&"TPB_0..7".to_owned())),
        "{nothing}"
    );
    // A register of an array needs an index, and v2 has no second die.
    assert!(parse("TPB_0.POOL.LOCAL_REG.WINDOW.control", V3).is_err());
    assert!(parse("TPB_2", Generation::V2).is_err());
    assert!(parse("TPB_0.PSUM_BUF", Generation::V5).is_err());
}

/// A register's line for people who look at addresses. [evt-sem §1.3], [decisions D-6]
#[test]
fn access_statements() {
    for (path, read, write) in [
        (
            "TPB_0.EVT_SEM.SEMAPHORE_INC[1]",
            "write-only",
            "adds the written value",
        ),
        ("TPB_0.EVT_SEM.SEMAPHORE_READ[1]", "count", "read-only"),
        ("TPB_0.EVT_SEM.RESERVED_1", "returns 0", "dropped"),
        ("EVT_ACCEL_SET_0", "returns 1", "dropped"),
        (
            "TPB_0.POOL.LOCAL_REG.EVT_SEM_CONTROL.error_summary",
            "clears both",
            "ignored",
        ),
        (
            "TPB_0.POOL.LOCAL_REG.GENERAL[49]",
            "what was written",
            "queue of both rings",
        ),
        ("TPB_0.STATE_BUF[0]+0x37FFF", "what was written", "stores"),
        ("TPB_0.STATE_BUF[0]+0x38000", "returns 0", "hole"),
        ("PREPROC_0", "returns 0", "dropped"),
        (
            "APB_SE_0.SDMA_0.M2S.QUEUE[3].TDRTP_inc",
            "returns 0",
            "doorbell",
        ),
    ] {
        let address = parse(path, V3).expect(path);
        let found = target(Viewed::recover(address, true), V3).expect("legal");
        let access = found.location().expect("a region").access();
        assert!(access.read.contains(read), "{path}: {}", access.read);
        assert!(access.write.contains(write), "{path}: {}", access.write);
    }
    let mask = parse("TPB_0.POOL.LOCAL_REG.GENERAL[48]", V3).expect("a register");
    let found = target(Viewed::recover(mask, true), V3).expect("legal");
    assert_eq!(
        found.location().and_then(Location::element_name),
        Some("leg_dma_engine_mask")
    );
}

proptest! {
    /// Whatever is written, the answer is an address that the map names or a message.
    #[test]
    fn no_text_panics(text in "[TPB_0-9SEM.\\[\\]+x é]{0,40}") {
        match parse(&text, V3) {
            Ok(address) => {
                let found = target(Viewed::recover(address, true), V3);
                prop_assert!(found.is_ok(), "{} leads to {}", text, address);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    /// The same after a beginning that is legal.
    #[test]
    fn no_ending_panics(ending in "[.\\[\\]+x0-9A-Z_é]{0,20}") {
        for start in ["TPB_0.EVT_SEM.SEMAPHORE_INC", "TPB_0.POOL.LOCAL_REG.WINDOW[3]"] {
            if let Ok(address) = parse(&format!("{start}{ending}"), V3) {
                let found = target(Viewed::recover(address, true), V3).expect("legal");
                prop_assert!(found.location().is_some());
            }
        }
    }
}
