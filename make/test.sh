#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# test.sh [PART...]
#
# Runs the parts of `make test` in order, cheap ones first, or only those named; stops at the first that
# fails. A part passes on all of: exit status 0, a log that is not empty, and its positive token in the log.
# Logs are target/test/PART.log; V=1 shows them as they grow. The closing line adds up the counts of all parts.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=" $* "
logs=target/test
mkdir -p "$logs"

known=()
table=()
passed=0
started=$SECONDS

# sum_of PATTERN FILE: adds the first number of every match; a match without a number counts 1.
sum_of() {
  { grep -oE -- "$1" "$2" || true; } |
    awk '{ sum += match($0, /[0-9]+/) ? substr($0, RSTART, RLENGTH) : 1 } END { print sum + 0 }'
}

close() {
  printf '\n%s\n' 'part              passed   time'
  printf '%s\n' "${table[@]}"
  printf '%-16s %7d %5ds\n\n' total "$passed" $((SECONDS - started))
}

# part NAME TOKEN COMMAND...: TOKEN is an extended regular expression that only a passing run prints; its
# first number is how many checks passed.
part() {
  local name=$1 token=$2 log=$logs/$1.log begun=$SECONDS status=0 count
  shift 2
  known+=("$name")
  [[ $wanted == '  ' || $wanted == *" $name "* ]] || return 0
  printf '== %-16s ' "$name"
  if [[ ${V:-} ]]; then
    printf '\n'
    "$@" </dev/null 2>&1 | tee "$log" || status=$?
  else
    "$@" </dev/null >"$log" 2>&1 || status=$?
  fi
  count=$(sum_of "$token" "$log")
  if ((status == 0 && count > 0)) && [[ -s $log ]]; then
    passed=$((passed + count))
    table+=("$(printf '%-16s %7d %5ds' "$name" "$count" $((SECONDS - begun)))")
    printf '%6d passed in %ds\n' "$count" $((SECONDS - begun))
    return
  fi
  printf 'FAILED: exit status %d, %d checks passed; the end of %s:\n\n' "$status" "$count" "$log"
  tail -n 60 "$log"
  table+=("$(printf '%-16s %7s %5ds' "$name" FAILED $((SECONDS - begun)))")
  close
  printf '%d passed, 1 failed\n' "$passed"
  printf 'make test: part %s failed; this repeats it alone: make test PART=%s\n' "$name" "$name"
  exit 1
}

cargo_token='^test result: ok\. [0-9]+ passed; 0 failed'

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

# The bridge once more, on the release that deps.sh keeps beside the distribution's.
with_current_verilator() {
  local verilator=$PWD/target/tools/verilator-5.052/verilator/bin/verilator
  "$verilator" --version
  VERILATOR=$verilator CARGO_TARGET_DIR=target/verilator-5.052 "$@"
}

documentation() {
  RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --all-features
}

part documents '^documents: [0-9]+ passed, 0 failed' python3 make/check_docs.py
part format '^rustfmt' cargo fmt --all --verbose -- --check
part hdl-lint '^lint: PASS: [0-9]+ runs' hdl/lint.sh
part hdl-bench '^sim: PASS: [0-9]+ benches' hdl/sim.sh
part prove '^prove: [0-9]+ passed, 0 failed' make/prove.sh
part dependencies '(bans|licenses|sources|advisories) ok' dependencies
part clippy '^ +Finished' lint_rust
part model "$cargo_token" cargo test --locked -p pool-model --all-features
part bridge "$cargo_token" cargo test --locked -p rtl-bridge
part rustdoc '^ +Generated' documentation
part bridge-current "$cargo_token" with_current_verilator cargo test --locked -p rtl-bridge

for name in $wanted; do
  if [[ " ${known[*]} " != *" $name "* ]]; then
    printf 'make test: no part called %s; there are: %s\n' "$name" "${known[*]}" >&2
    exit 2
  fi
done

close
printf '%d passed, 0 failed\n' "$passed"
