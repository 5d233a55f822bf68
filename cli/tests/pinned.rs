// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Output of the commands, good and bad, pinned in `cmd/`. `TRYCMD=overwrite` rewrites the files.

#[test]
fn outputs_are_as_pinned() {
    let cases = trycmd::TestCases::new();
    cases
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .case("tests/cmd/*.trycmd");
    if cfg!(feature = "rtl") {
        cases.skip("tests/cmd/without-rtl.trycmd");
    }
}
