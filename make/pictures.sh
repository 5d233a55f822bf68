#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Takes the pictures of the documents: GTKWave itself, on a display that nobody sees.
set -euo pipefail
cd "$(dirname "$0")/.."

make/run.sh >/dev/null
mkdir -p docs/pictures
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
SB2SB_PICTURE=$scratch/picture.png timeout 120 xvfb-run -a -s '-screen 0 1680x1000x24' \
  gtkwave --dark --rcfile traces/gtkw/gtkwaverc --script traces/gtkw/picture.tcl traces/out/lnc2_copy.gtkw \
  >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 5; }
[[ -s $scratch/picture.png ]] || { cat "$scratch/log"; exit 5; }
mv "$scratch/picture.png" docs/pictures/lnc2_copy.png
printf 'pictures: docs/pictures/lnc2_copy.png\n'
