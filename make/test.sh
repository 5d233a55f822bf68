#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# test.sh [PART...]
#
# The parts of `make test`, cheap ones first, or only those named.
set -euo pipefail
cd "$(dirname "$0")/.."

target=test
wanted="$*"
source make/parts.sh

# Advisories need a database that a machine without the wide network cannot read; the rest always runs.
dependencies() {
  cargo deny --locked check --hide-inclusion-graph bans licenses sources
  if timeout 60 cargo deny --locked fetch db >/dev/null 2>&1; then
    cargo deny --locked check --disable-fetch advisories
  else
    echo 'advisories NOT CHECKED: the advisory database cannot be reached from here'
  fi
}

# In a target directory of its own: clippy's build of the bridge leaves out the C++, and would undo the tests' build.
lint_rust() {
  cargo clippy --locked --target-dir target/clippy --workspace --all-targets --all-features -- -D warnings
}

# What the documents print is what the tool prints.
printed_commands() {
  cargo build --locked -p sb2sb-cli
  local page pages=(README.md)
  for page in docs/*.md; do
    [[ $page == docs/cosimulation.md ]] || pages+=("$page")
  done
  python3 make/check_commands.py "${CARGO_TARGET_DIR:-target}/debug" "${pages[@]}"
}

# The same for the page whose commands need the RTL.
printed_rtl_commands() {
  make/rtl.sh --version
  python3 make/check_commands.py "$(rtl_target_dir)/debug" docs/cosimulation.md
}

# Whatever needs the verilated RTL shares one build of it.
test_bridge() {
  cargo test --locked --target-dir "$(rtl_target_dir)" -p rtl-bridge
}

test_fuzz_bodies() {
  cargo test --locked --target-dir "$(rtl_target_dir)" -p sb2sb-fuzz --no-default-features --features rtl
}

documentation() {
  RUSTDOCFLAGS='-D warnings' cargo doc --locked --target-dir "$(rtl_target_dir)" --workspace --no-deps --all-features
}

part documents '^documents: [0-9]+ passed, 0 failed' python3 make/check_docs.py
part floors '^floors: [0-9]+ passed, 0 failed' python3 make/check_floors.py
part model-mutants '^model mutants: [0-9]+ in place' python3 make/model_mutants.py --check
part format '^rustfmt' cargo fmt --all --verbose -- --check
part hdl-lint '^lint: PASS: [0-9]+ runs' hdl/lint.sh
part hdl-bench '^sim: PASS: [0-9]+ benches' hdl/sim.sh
part prove '^prove: [0-9]+ passed, 0 failed' make/prove.sh
part dependencies '(bans|licenses|sources|advisories) ok' dependencies
part clippy '^ +Finished' lint_rust
part model "$cargo_token" cargo test --locked -p pool-model --all-features
part cli "$cargo_token" cargo test --locked -p sb2sb-cli
part commands '^commands: [0-9]+ passed, 0 failed' printed_commands
part bridge "$cargo_token" test_bridge
part cosim '^match: [0-9]+ of [0-9]+ cases agree' make/rtl.sh cosim
part mutants '^[0-9]+ of [0-9]+ mutants found, 0 survived' make/rtl.sh mutants
part commands-rtl '^commands: [0-9]+ passed, 0 failed' printed_rtl_commands
part rustdoc '^ +Generated' documentation
part bridge-current "$cargo_token" with_current_verilator test_bridge
part fuzz-bodies "$cargo_token" test_fuzz_bodies
part fuzz '^fuzz: [a-z_]+: nothing found' env SB2SB_FUZZ_STATS=1 SECONDS=15 fuzz/run.sh

finish
