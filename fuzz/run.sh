#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# TARGET=NAME SECONDS=N fuzz/run.sh [FILE...]
#
# Fuzzes TARGET (default: each in turn) for SECONDS (default 60), from seeds/, regressions/ and what earlier
# runs left in corpus/. With FILEs, runs TARGET on just these, which is how a finding is repeated.
#
# SANITIZER=address|none   default address
# SEED=N                   libFuzzer's seed, default 1; 0 lets it choose
# RUNS=N                   stop after N executions, whatever the time
# CORPUS=DIR               default fuzz/corpus/TARGET
#
# Exit status: 0 nothing found, 1 a finding (the command that repeats it is printed), 2 bad usage,
# 5 a tool is missing or a build failed.
# In a shell where SECONDS counts, it starts at the value given, or at 0.
seconds=${SECONDS:-60}
set -eu
[ "$seconds" != 0 ] || seconds=60

fail() {
  status=$1
  shift
  printf 'fuzz: %s\n' "$*" >&2
  exit "$status"
}

is_number() {
  case $1 in '' | *[!0-9]*) return 1 ;; esac
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
targets='word_roundtrip validate_lockstep addr_lockstep window_lockstep evt_sem_lockstep ring_lockstep'
known="$targets empty_body"
target=${TARGET:-}
sanitizer=${SANITIZER:-address}
seed=${SEED:-1}
runs=${RUNS:-}

for number in "$seconds" "$seed" "${runs:-0}"; do
  is_number "$number" || fail 2 "SECONDS, SEED and RUNS are numbers, got '$number'"
done
case $sanitizer in
address | none) ;;
*) fail 2 "SANITIZER is address or none, got '$sanitizer'" ;;
esac
if [ -n "$target" ]; then
  case " $known " in
  *" $target "*) ;;
  *) fail 2 "no target called '$target'; there are: $known" ;;
  esac
fi
if [ $# -gt 0 ]; then
  [ -n "$target" ] || fail 2 'say which TARGET the files are for'
  for file in "$@"; do
    [ -r "$file" ] || fail 2 "cannot read '$file'"
  done
fi

command -v cargo >/dev/null || fail 5 'no cargo on the path'
cargo +nightly --version >/dev/null 2>&1 ||
  fail 5 'no nightly toolchain; to install it: rustup toolchain install nightly --profile minimal'
cargo fuzz --version >/dev/null 2>&1 ||
  fail 5 'no cargo-fuzz; to install it: cargo install --locked cargo-fuzz@0.13.2'
host=$(rustc +nightly -vV | sed -n 's/^host: //p')

# The design's C++ gives coverage feedback if a clang is there to instrument it. The flags go to the verilated
# model alone: libFuzzer itself, built from source by the same build, must not watch itself.
if [ -z "${CXX:-}" ]; then
  for compiler in clang++ clang++-22 clang++-19 clang++-16 clang++-15 clang++-14; do
    if command -v "$compiler" >/dev/null; then
      CXX=$compiler
      export CXX
      break
    fi
  done
fi
case ${CXX:-} in
*clang*) export SB2SB_SIMULATION_CXXFLAGS="${SB2SB_SIMULATION_CXXFLAGS:--fsanitize-coverage=inline-8bit-counters,pc-table}" ;;
*) printf 'fuzz: no clang++: the RTL gives no coverage feedback\n' >&2 ;;
esac

# Its own build folder for each sanitizer, away from the other builds of this checkout.
build="$root/target/fuzz/$sanitizer"
mkdir -p "$build"

# prepare NAME: builds the target; sets `binary`.
prepare() {
  log="$build/$1.build.log"
  printf 'fuzz: building %s (sanitizer: %s)\n' "$1" "$sanitizer"
  # Recording every comparison makes the text target five times slower, and dictionary and mutator know the
  # interesting operands already.
  (cd "$root" && cargo +nightly fuzz build --fuzz-dir fuzz --target-dir "$build" --no-trace-compares \
    --sanitizer "$sanitizer" "$1") >"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    fail 5 "$1 does not build; the whole log is $log"
  }
  binary="$build/$host/release/$1"
  [ -x "$binary" ] || fail 5 "the build made no $binary"
}

# Two models of one file in the same process look like a violation to the address sanitizer.
ASAN_OPTIONS="detect_odr_violation=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export ASAN_OPTIONS

# verdict STATUS NAME: libFuzzer ends with 77 for a crash, 70 for a time-out, 71 for too much memory, 76 for a
# leak; with 72 when interrupted. An abort arrives as a signal.
verdict() {
  case $1 in
  0) return 0 ;;
  70 | 71 | 76 | 77 | 134 | 139) return 1 ;;
  72 | 130) fail 5 "$2 was interrupted" ;;
  *) fail 5 "$2 could not run: exit status $1" ;;
  esac
}

repeat() {
  prepare "$target"
  log="$build/$target.log"
  status=0
  "$binary" "$@" >"$log" 2>&1 || status=$?
  verdict "$status" "$target" || {
    explain "$log" >&2
    printf 'fuzz: %s: FOUND again; the whole log is %s\n' "$target" "$log" >&2
    exit 1
  }
  printf 'fuzz: %s: %s inputs, nothing found\n' "$target" $#
}

# cpu FILE: what the children of this shell have used so far, in hundredths of a second; it sets `used`.
# A command substitution would see its own children only, so the figures go through a file.
cpu() {
  times >"$1"
  used=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } }
    END { printf "%d", 100 * sum }' "$1")
}

# explain LOG: the message of a panic without the stack below it, or the end of the log.
explain() {
  if grep -q 'panicked at' "$1"; then
    sed -n '/panicked at/,/^stack backtrace:\|^note: \|^==[0-9]*==/p' "$1" |
      grep -v '^stack backtrace:\|^note: \|^==[0-9]*=='
  else
    grep -v '^#[0-9]*[[:space:]]' "$1" | tail -n 60
  fi
}

fuzz() {
  name=$1
  prepare "$name"
  corpus=${CORPUS:-$here/corpus/$name}
  artifacts="$here/artifacts/$name"
  mkdir -p "$corpus" "$artifacts"
  # The yardstick target runs on what the lock-step runs on.
  seeds=$name
  [ "$name" != empty_body ] || seeds=validate_lockstep
  set -- "$corpus"
  for folder in "$here/seeds/$seeds" "$here/regressions/$seeds"; do
    [ ! -d "$folder" ] || set -- "$@" "$folder"
  done
  [ ! -f "$here/dict/$seeds.dict" ] || set -- "-dict=$here/dict/$seeds.dict" "$@"
  [ -z "$runs" ] || set -- "-runs=$runs" "$@"
  log="$build/$name.log"
  printf 'fuzz: %s for %s s, seed %s\n' "$name" "$seconds" "$seed"
  case $name in
  # Room for more than the four words that are read: what is ignored is tried, too. The features are few and soon all
  # known: looking at each of them again for the schedule is wasted.
  validate_lockstep | empty_body) max_len=321 && set -- -entropic=0 -reduce_inputs=0 "$@" ;;
  # A statement that spells every field.
  word_roundtrip) max_len=577 ;;
  # The decisions of 64 operations, or of a script of some hundred steps.
  *) max_len=2048 ;;
  esac
  cpu "$build/$name.times"
  before=$used
  status=0
  "$binary" "-max_len=$max_len" "-max_total_time=$seconds" "-timeout=10" "-rss_limit_mb=2048" "-seed=$seed" \
    -print_final_stats=1 "-artifact_prefix=$artifacts/" "$@" >"$log" 2>&1 || status=$?
  if verdict "$status" "$name"; then
    cpu "$build/$name.times"
    sed -n '/^stats: /p' "$log" | tail -n 1
    count=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$log" | tail -n 1)
    # A CPU second, unlike one of the clock, does not depend on what else the machine does.
    printf 'fuzz: %s: %s executions, %s a CPU second\n' "$name" "$count" "$((count * 100 / (used - before + 1)))"
    printf 'fuzz: %s: nothing found\n' "$name"
    return
  fi
  explain "$log" >&2
  artifact=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
  {
    printf '\nfuzz: %s: FOUND something; the whole log is %s\n' "$name" "$log"
    printf 'fuzz: to repeat it:\n  TARGET=%s SANITIZER=%s fuzz/run.sh %s\n' "$name" "$sanitizer" "${artifact#"$root/"}"
    printf 'fuzz: to keep it: copy it to fuzz/regressions/%s/, named after what was wrong\n' "$seeds"
  } >&2
  exit 1
}

if [ $# -gt 0 ]; then
  repeat "$@"
elif [ -n "$target" ]; then
  fuzz "$target"
else
  for each in $targets; do fuzz "$each"; done
fi
