#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# fuzz/measure.sh [RUNS]
#
# Measures two promises, each target fed from the checked-in seeds alone:
#   * at least a third of the words of every target are valid;
#   * validate_lockstep makes at least 40 % of the executions per CPU second of empty_body, which has the same
#     mutator and decoding and does nothing; median of five rounds taken in turn.
# RUNS is the number of executions of a round (default 262144). SANITIZER as in run.sh.
#
# Exit status: 0 both kept, 1 one broken, 2 bad usage, 5 a tool is missing or a build failed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
runs=${1:-262144}
case $runs in '' | *[!0-9]*)
  printf 'measure: RUNS is a number, got %s\n' "$runs" >&2
  exit 2
  ;;
esac
least_valid=33.3
least_ratio=40

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 5' HUP INT TERM

# round TARGET STATS: one round on an empty corpus; prints run.sh's lines.
round() {
  rm -rf "$work/corpus"
  TARGET=$1 RUNS=$runs SECONDS=600 CORPUS="$work/corpus" SB2SB_FUZZ_STATS=$2 "$here/run.sh"
}

status=0
for target in word_roundtrip validate_lockstep empty_body; do
  round "$target" 1 >"$work/out" || exit $?
  share=$(sed -n 's/.*valid_share=\([0-9.]*\)%.*/\1/p' "$work/out" | tail -n 1)
  if [ -z "$share" ]; then
    printf 'measure: %s printed no statistics; RUNS must be at least 4096\n' "$target" >&2
    exit 5
  fi
  if awk "BEGIN { exit !($share >= $least_valid) }"; then verdict=kept; else verdict=BROKEN status=1; fi
  printf 'valid words, %-18s %5s %%  (at least %s %%: %s)\n' "$target" "$share" "$least_valid" "$verdict"
done

: >"$work/speed"
for number in 1 2 3 4 5; do
  for target in empty_body validate_lockstep; do
    round "$target" 0 >"$work/out" || exit $?
    sed -n "s/^fuzz: $target: .* executions, \([0-9]*\) a CPU second/$target \1/p" "$work/out" >>"$work/speed"
  done
done
median() {
  sed -n "s/^$1 //p" "$work/speed" | sort -n | sed -n 3p
}
empty=$(median empty_body)
lockstep=$(median validate_lockstep)
if [ -z "$empty" ] || [ -z "$lockstep" ]; then
  printf 'measure: no speed was printed\n' >&2
  exit 5
fi
ratio=$(awk "BEGIN { printf \"%.1f\", 100 * $lockstep / $empty }")
if awk "BEGIN { exit !($ratio >= $least_ratio) }"; then verdict=kept; else verdict=BROKEN status=1; fi
printf 'executions a CPU second: validate_lockstep %s, empty_body %s: %s %%  (at least %s %%: %s)\n' \
  "$lockstep" "$empty" "$ratio" "$least_ratio" "$verdict"
exit "$status"
