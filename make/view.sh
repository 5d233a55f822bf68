#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Opens the trace that was written last in GTKWave, with its save file.
set -euo pipefail
cd "$(dirname "$0")/.."

save=$(find traces/out -name '*.gtkw' -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -n 1 | cut -d' ' -f2-)
if [[ -z $save ]]; then
  printf 'make view: no trace in traces/out; make run writes one\n' >&2
  exit 5
fi
if [[ -z ${DISPLAY:-} && -z ${WAYLAND_DISPLAY:-} ]]; then
  printf 'make view: no display to open a window on; the trace is %s\n' "${save%.gtkw}.vcd" >&2
  exit 5
fi
exec gtkwave --dark --rcfile traces/gtkw/gtkwaverc "$save"
