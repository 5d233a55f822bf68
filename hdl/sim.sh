#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Compiles and runs the benches of tb/ with Icarus, or those named as arguments
# (sim.sh tb_s3d3_decoder). A bench passes on all of: exit status 0, a log that is not empty, and
# the line `PASS: <n> checks` with n above 0. IVERILOG and VVP name other binaries; as many benches run at
# once as there are processors.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
iverilog=${IVERILOG:-iverilog}
vvp=${VVP:-vvp}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
processors=$(nproc)
failed=0
passed=0

sources=(rtl/pool_pkg.sv)
for file in rtl/*.sv; do
  [ "$file" = rtl/pool_pkg.sv ] || sources+=("$file")
done

benches=("$@")
if [ "${#benches[@]}" -eq 0 ]; then
  for file in tb/tb_*.sv; do benches+=("$(basename "$file" .sv)"); done
fi

# simulate BENCH: writes BENCH.report, whose first line says how it went.
simulate() {
  local bench=$1 status=0 token log=$scratch/$1.log
  if ! "$iverilog" -g2012 -DPOOL_ASSERTIONS -Irtl -Itb -s "$bench" -o "$scratch/$bench.vvp" \
    "${sources[@]}" "tb/$bench.sv" >"$log" 2>&1; then
    { echo failed && echo "$bench: does not compile:" && cat "$log"; } >"$scratch/$bench.report"
    return
  fi
  "$vvp" -n "$scratch/$bench.vvp" >"$log" 2>&1 || status=$?
  token=$(grep -xE 'PASS: [1-9][0-9]* checks' "$log" || true)
  if [ "$status" -eq 0 ] && [ -s "$log" ] && [ -n "$token" ]; then
    { echo passed && echo "$bench: $token"; } >"$scratch/$bench.report"
  else
    { echo failed && echo "$bench: exit status $status, log:" && cat "$log"; } >"$scratch/$bench.report"
  fi
}

for bench in "${benches[@]}"; do
  while (($(jobs -rp | wc -l) >= processors)); do wait -n || true; done
  simulate "$bench" &
done
wait

for bench in "${benches[@]}"; do
  report=$scratch/$bench.report
  if [ "$(head -n 1 "$report")" = passed ]; then
    sed 1d "$report"
    passed=$((passed + 1))
  else
    sed 1d "$report" >&2
    failed=$((failed + 1))
  fi
done

if [ "$failed" -ne 0 ] || [ "$passed" -eq 0 ]; then
  echo "sim: FAIL: $failed failed, $passed passed"
  exit 1
fi
echo "sim: PASS: $passed benches"
