#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# test_long.sh [PART...]
#
# The parts of `make test-long`: what `make test` leaves out because it takes too long, or only those named.
set -euo pipefail
cd "$(dirname "$0")/.."

target=test-long
wanted="$*"
source make/parts.sh

match='^match: [0-9]+ of [0-9]+ cases agree'
found='^[0-9]+ of [0-9]+ mutants found, 0 survived'

lint_current() {
  VERILATOR=$PWD/target/tools/verilator-5.052/verilator/bin/verilator hdl/lint.sh
}

part lint-current '^lint: PASS: [0-9]+ runs' lint_current
part cosim-long "$match" make/rtl.sh cosim --budget 5000000
part cosim-current "$match" with_current_verilator make/rtl.sh cosim --budget 1000000
part mutants-current "$found" with_current_verilator make/rtl.sh mutants
part mutants-model '^model mutants: [0-9]+ passed, 0 failed' python3 make/model_mutants.py
part fuzz-long '^fuzz: [a-z_]+: nothing found' env SECONDS="${FUZZ_SECONDS:-900}" fuzz/run.sh

finish
