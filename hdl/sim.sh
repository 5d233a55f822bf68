#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Compiles and runs the benches of tb/ with Icarus, or those named as arguments
# (sim.sh tb_s3d3_decoder). A bench passes on all of: exit status 0, a log that is not empty, and
# the line `PASS: <n> checks` with n above 0. IVERILOG and VVP name other binaries.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
iverilog=${IVERILOG:-iverilog}
vvp=${VVP:-vvp}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
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

for bench in "${benches[@]}"; do
  status=0
  if ! "$iverilog" -g2012 -DPOOL_ASSERTIONS -Irtl -Itb -s "$bench" -o "$scratch/$bench.vvp" \
    "${sources[@]}" "tb/$bench.sv" >"$scratch/compile.log" 2>&1; then
    echo "$bench: does not compile:" >&2
    cat "$scratch/compile.log" >&2
    failed=$((failed + 1))
    continue
  fi
  "$vvp" -n "$scratch/$bench.vvp" >"$scratch/run.log" 2>&1 || status=$?
  token=$(grep -xE 'PASS: [1-9][0-9]* checks' "$scratch/run.log" || true)
  if [ "$status" -eq 0 ] && [ -s "$scratch/run.log" ] && [ -n "$token" ]; then
    echo "$bench: $token"
    passed=$((passed + 1))
  else
    echo "$bench: exit status $status, log:" >&2
    cat "$scratch/run.log" >&2
    failed=$((failed + 1))
  fi
done

if [ "$failed" -ne 0 ] || [ "$passed" -eq 0 ]; then
  echo "sim: FAIL: $failed failed, $passed passed"
  exit 1
fi
echo "sim: PASS: $passed benches"
