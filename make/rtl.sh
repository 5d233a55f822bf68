#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# rtl.sh ARGUMENT...
#
# Builds the tool with the verilated RTL, in a target directory of its own so that the build without stays as it is,
# and runs it with the arguments.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARGO_TARGET_DIR=${RTL_TARGET_DIR:-target/rtl}
cargo build --locked -p sb2sb-cli --features rtl >&2
exec "$CARGO_TARGET_DIR/debug/sb2sb" "$@"
