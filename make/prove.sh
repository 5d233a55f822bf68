#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Proves the properties of hdl/formal with Yosys' own SAT solver, every input free, and checks that the
# solver can fail: the same proof over a decoder with a deliberate fault has to find a counterexample.
set -euo pipefail
cd "$(dirname "$0")/../hdl"
yosys=${YOSYS:-yosys}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# prove DECODER LOG: exit status of the proof over that copy of the decoder.
prove() {
  "$yosys" -q -l "$2" -p "
    read_verilog -sv -formal -Irtl rtl/pool_pkg.sv $1 formal/s3d3_decoder_properties.sv
    hierarchy -check -top s3d3_decoder_properties
    proc -norom; flatten; opt -full; check -assert
    sat -verify -prove-asserts -timeout 600 s3d3_decoder_properties" >/dev/null 2>&1
}

token='SAT proof finished - no model found: SUCCESS!'

if ! prove rtl/s3d3_decoder.sv "$scratch/proof.log" || ! grep -qF "$token" "$scratch/proof.log"; then
  tail -n 40 "$scratch/proof.log"
  echo 'prove: FAIL: s3d3_decoder_properties'
  exit 1
fi

sed 's/lnc_size_fmt_o <= pool_pkg::LNC_SIZE_FMT_LNC2/(lnc_size_fmt_o ^ header_debug_cmd_o) <= 8'"'"'d1/' \
  rtl/s3d3_decoder.sv >"$scratch/faulty.sv"
if cmp -s rtl/s3d3_decoder.sv "$scratch/faulty.sv"; then
  echo 'prove: FAIL: the text that the deliberate fault replaces is gone from s3d3_decoder.sv'
  exit 1
fi
if prove "$scratch/faulty.sv" "$scratch/faulty.log" || ! grep -qF 'model found: FAIL!' "$scratch/faulty.log"; then
  tail -n 40 "$scratch/faulty.log"
  echo 'prove: FAIL: a decoder whose verdict depends on debug_cmd was not refuted'
  exit 1
fi
echo 'prove: 2 passed, 0 failed'
