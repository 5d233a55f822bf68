#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Builds the tool without RTL, runs the example scenario, and says where its waveform is.
set -euo pipefail
cd "$(dirname "$0")/.."

scenario=traces/scenarios/lnc2_copy.toml
trace=traces/out/lnc2_copy.vcd

cargo build --locked -p sb2sb-cli
mkdir -p traces/out
"${CARGO_TARGET_DIR:-target}/debug/sb2sb" run "$scenario" --trace "$trace"
[[ -s $trace && -s ${trace%.vcd}.gtkw ]] || {
  printf 'make run: the run left no waveform with a save file in traces/out\n' >&2
  exit 5
}
printf '\nwaveform:  %s\nsave file: %s\nmake view opens them in GTKWave\n' "$trace" "${trace%.vcd}.gtkw"
