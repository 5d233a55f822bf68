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

# Executions a second of a fuzz target, from a corpus of its own that starts with the seeds.
fuzz_rate() {
  local corpus
  corpus=$(mktemp -d "$PWD/target/bench/corpus.XXXXXX")
  TARGET=$1 SECONDS=30 CORPUS=$corpus fuzz/run.sh | tee -a "$results/fuzz.log" |
    sed -n 's/^stat::average_exec_per_sec: *//p'
}

# The lock-step target against one with the same mutator and decoding, whose body is empty.
fuzz_rates() {
  local empty lockstep
  empty=$(fuzz_rate empty_body)
  lockstep=$(fuzz_rate validate_lockstep)
  awk -v empty="$empty" -v lockstep="$lockstep" 'BEGIN {
    if (empty <= 0 || lockstep <= 0) exit 1
    row = "{\"name\":\"%s\",\"value\":%d,\"unit\":\"executions/s\",\"ratio_to\":\"empty_body\",\"ratio\":%.4f}\n"
    printf row, "empty_body", empty, 1
    printf row, "validate_lockstep", lockstep, lockstep / empty
  }'
}

results_of fuzz fuzz_rates

python3 make/bench_tables.py docs/benchmarks.md "$results"/*.jsonl
