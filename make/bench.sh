#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Runs every benchmark and rewrites the tables of docs/benchmarks.md. Ratios are taken within one run of one program,
# so they survive a busy machine better than the absolute numbers do.
set -euo pipefail
cd "$(dirname "$0")/.."

results=target/bench
rm -rf "$results"
mkdir -p "$results"

# results_of NAME COMMAND...: the JSON lines that the command prints become the table NAME.
results_of() {
  local name=$1
  shift
  printf '== %s\n' "$name"
  "$@" | tee "$results/$name.log" | { grep '^{' || true; } | tee "$results/$name.jsonl"
}

while read -r package bench; do
  results_of "$bench" cargo bench --locked -q --all-features -p "$package" --bench "$bench"
done < <(
  cargo metadata --locked --no-deps --format-version 1 |
    python3 -c '
import json, sys
for package in sorted(json.load(sys.stdin)["packages"], key=lambda package: package["name"]):
    for target in package["targets"]:
        if "bench" in target["kind"]:
            print(package["name"], target["name"])'
)

# The lock-step target against one with the same mutator and decoding, whose body is empty. A share that is too
# small is printed like any other: the table is there to show it.
fuzz_rates() {
  { fuzz/measure.sh || (($? == 1)); } | tee "$results/fuzz.txt" >&2
  sed -n 's/^executions a CPU second: validate_lockstep \([0-9]*\), empty_body \([0-9]*\):.*/\1 \2/p' "$results/fuzz.txt" |
    awk '{
      row = "{\"name\":\"%s\",\"value\":%d,\"unit\":\"executions a CPU second\",\"ratio_to\":\"empty_body\",\"ratio\":%.4f}\n"
      printf row, "empty_body", $2, 1
      printf row, "validate_lockstep", $1, $1 / $2
    }'
}

results_of fuzz fuzz_rates

python3 make/bench_tables.py docs/benchmarks.md "$results"/*.jsonl
