#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Takes the pictures of the documents: every docs/pictures/NAME.toml is run, and GTKWave itself draws its trace, on a
# display that nobody sees. The map draws itself.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

cargo build --locked -p sb2sb-cli
sb2sb=$root/${CARGO_TARGET_DIR:-target}/debug/sb2sb
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The window's title is the name that GTKWave was given, so it is called where the trace lies.
cd "$scratch"

"$sb2sb" map --format svg >"$root/docs/pictures/map_v3.svg"

for scenario in "$root"/docs/pictures/*.toml; do
  name=$(basename "$scenario" .toml)
  "$sb2sb" run "$scenario" --trace "$name.vcd"
  SB2SB_PICTURE=$name.png timeout 120 xvfb-run -a -s '-screen 0 1680x1100x24' \
    gtkwave --dark --rcfile "$root/traces/gtkw/gtkwaverc" --script "$root/traces/gtkw/picture.tcl" \
    "$name.vcd" "$name.gtkw" >gtkwave.log 2>&1 || { cat gtkwave.log; exit 5; }
  [[ -s $name.png ]] || { cat gtkwave.log; exit 5; }
  mv "$name.png" "$root/docs/pictures/"
  printf 'pictures: docs/pictures/%s.png\n' "$name"
done
