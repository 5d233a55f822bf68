#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Line and branch coverage of the Rust code under the workspace's tests, as a page in target/coverage/html and a
# summary on standard output. The verilated C++ is not instrumented: what the RTL's tests reach is shown by the mutants.
set -euo pipefail
cd "$(dirname "$0")/.."

# rustc's own llvm-cov where rustup has it, else the distribution's of the same LLVM.
major=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
if command -v "llvm-cov-$major" >/dev/null; then
  export LLVM_COV="llvm-cov-$major" LLVM_PROFDATA="llvm-profdata-$major"
fi

cargo llvm-cov --locked --workspace --all-features --exclude sb2sb-fuzz --target-dir target/coverage/build \
  --html --output-dir target/coverage
cargo llvm-cov report --target-dir target/coverage/build --summary-only
