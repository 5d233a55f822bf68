#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Lints every module of rtl/ with Verilator, Icarus and Yosys, and every bench of tb/ with Icarus.
# A run passes when the tool exits with 0 and prints nothing but lines of lint_accepted.txt.
# VERILATOR, IVERILOG and YOSYS name other binaries; as many runs go on at once as there are processors.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
verilator=${VERILATOR:-verilator}
iverilog=${IVERILOG:-iverilog}
yosys=${YOSYS:-yosys}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
processors=$(nproc)
failed=0
runs=0
tools=()
labels=()

for tool in "$verilator" "$iverilog" "$yosys"; do
  if ! command -v "$tool" >/dev/null; then
    echo "lint: FAIL: $tool not found" >&2
    exit 1
  fi
done

# accepted TOOL: its expressions, one a line.
accepted() {
  sed -n "s/^$1 //p" lint_accepted.txt
}

# run TOOL WHAT COMMAND...: starts the command, once a processor is free.
run() {
  local number=$runs
  tools[number]=$1
  labels[number]="$1: $2"
  shift 2
  while (($(jobs -rp | wc -l) >= processors)); do wait -n || true; done
  {
    status=0
    "$@" >"$scratch/$number.output" 2>&1 || status=$?
    echo "$status" >"$scratch/$number.status"
  } &
  runs=$((runs + 1))
}

# judge NUMBER: looks at the exit status and the output of a run.
judge() {
  local status unexpected
  status=$(cat "$scratch/$1.status")
  accepted "${tools[$1]}" >"$scratch/accepted"
  unexpected=$(grep -vxE -f "$scratch/accepted" "$scratch/$1.output" | grep -v '^$' || true)
  if [ "$status" != 0 ] || [ -n "$unexpected" ]; then
    failed=$((failed + 1))
    echo "lint: ${labels[$1]}: exit status ${status:-unknown}; not accepted:" >&2
    printf '%s\n' "${unexpected:-(nothing)}" >&2
  fi
}

sources=(rtl/pool_pkg.sv)
modules=()
for file in rtl/*.sv; do
  [ "$file" = rtl/pool_pkg.sv ] && continue
  sources+=("$file")
  modules+=("$(basename "$file" .sv)")
done

for top in "${modules[@]}"; do
  for define in "" -DPOOL_ASSERTIONS; do
    run verilator "$top $define" \
      "$verilator" --lint-only -Wall ${define:+"$define"} -Irtl --top-module "$top" "${sources[@]}"
    run iverilog "$top $define" \
      "$iverilog" -g2012 -Wall ${define:+"$define"} -Irtl -s "$top" -o "$scratch/$runs.out" "${sources[@]}"
  done
  run yosys "$top" \
    "$yosys" -q -p "read_verilog -sv -Irtl ${sources[*]}; hierarchy -check -top $top; proc;
      check -assert; select -assert-none t:\$*latch*"
done

benches=0
for bench in tb/tb_*.sv; do
  run iverilog "$bench" "$iverilog" -g2012 -Wall -DPOOL_ASSERTIONS -Irtl -Itb \
    -s "$(basename "$bench" .sv)" -o "$scratch/$runs.out" "${sources[@]}" "$bench"
  benches=$((benches + 1))
done

wait
for ((number = 0; number < runs; number++)); do judge "$number"; done

if [ "$failed" -ne 0 ]; then
  echo "lint: FAIL: $failed of $runs runs"
  exit 1
fi
echo "lint: PASS: $runs runs, ${#modules[@]} modules and $benches benches:" \
  "$("$verilator" --version | head -n 1 | cut -d' ' -f1,2)," \
  "$("$iverilog" -V 2>/dev/null | head -n 1 | cut -d' ' -f1-4)," \
  "$("$yosys" -V | cut -d' ' -f1,2)"
