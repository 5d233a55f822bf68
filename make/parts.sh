# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Sourced by the scripts of make test and make test-long: runs the parts of a long check one after another, stops at
# the first that fails, and adds up what passed. Set before: `target`, the make target, and `wanted`, the names of the
# parts to run, all if empty.
# A part passes on all of: exit status 0, a log that is not empty, and its positive token in the log.
# Logs are target/test/PART.log; V=1 shows them as they grow.

logs=target/test
mkdir -p "$logs"

known=()
table=()
passed=0
started=$SECONDS

# sum_of PATTERN FILE: adds the first number of every match; a match without a number counts 1.
sum_of() {
  { grep -oE -- "$1" "$2" || true; } |
    awk '{ sum += match($0, /[0-9]+/) ? substr($0, RSTART, RLENGTH) : 1 } END { print sum + 0 }'
}

# Processor seconds of everything that this script has started and waited for: unlike the time on the clock, they hold
# on a busy machine. `times` counts for the shell that runs it, so its caller writes it to a file first.
cpu_seconds() {
  local user system
  { read -r && read -r user system; } <"$logs/.times"
  awk -v user="$user" -v kernel="$system" '
    function seconds(text) { split(text, part, /[ms]/); return part[1] * 60 + part[2] }
    BEGIN { printf "%d", seconds(user) + seconds(kernel) }'
}

print_table() {
  printf '\n%s\n' 'part              passed   time    cpu'
  printf '%s\n' ${table[@]+"${table[@]}"}
  times >"$logs/.times"
  printf '%-16s %7d %5ds %5ds\n\n' total "$passed" $((SECONDS - started)) "$(cpu_seconds)"
}

# part NAME TOKEN COMMAND...: TOKEN is an extended regular expression that only a passing run prints; its
# first number is how many checks passed.
part() {
  local name=$1 token=$2 log=$logs/$1.log begun=$SECONDS status=0 count cpu
  shift 2
  known+=("$name")
  [[ -z ${wanted// /} || " $wanted " == *" $name "* ]] || return 0
  printf '== %-16s ' "$name"
  times >"$logs/.times"
  cpu=$(cpu_seconds)
  if [[ ${V:-} ]]; then
    printf '\n'
    "$@" </dev/null 2>&1 | tee "$log" || status=$?
  else
    "$@" </dev/null >"$log" 2>&1 || status=$?
  fi
  count=$(sum_of "$token" "$log")
  times >"$logs/.times"
  cpu=$(($(cpu_seconds) - cpu))
  if ((status == 0 && count > 0)) && [[ -s $log ]]; then
    passed=$((passed + count))
    table+=("$(printf '%-16s %7d %5ds %5ds' "$name" "$count" $((SECONDS - begun)) "$cpu")")
    printf '%6d passed in %ds\n' "$count" $((SECONDS - begun))
    return
  fi
  printf 'FAILED: exit status %d, %d checks passed; the end of %s:\n\n' "$status" "$count" "$log"
  tail -n 60 "$log"
  table+=("$(printf '%-16s %7s %5ds %5ds' "$name" FAILED $((SECONDS - begun)) "$cpu")")
  print_table
  printf '%d passed, 1 failed\n' "$passed"
  printf 'make %s: part %s failed; this repeats it alone: make %s PART=%s\n' "$target" "$name" "$target" "$name"
  exit 1
}

# The end of a run in which nothing failed.
finish() {
  local name
  for name in $wanted; do
    if [[ " ${known[*]} " != *" $name "* ]]; then
      printf 'make %s: no part called %s; there are: %s\n' "$target" "$name" "${known[*]}" >&2
      exit 2
    fi
  done
  print_table
  printf '%d passed, 0 failed\n' "$passed"
}

# with_current_verilator COMMAND...: on the release that deps.sh keeps beside the distribution's, built elsewhere.
with_current_verilator() {
  local verilator=$PWD/target/tools/verilator-5.052/verilator/bin/verilator
  "$verilator" --version
  VERILATOR=$verilator RTL_TARGET_DIR=target/verilator-5.052 "$@"
}

cargo_token='^test result: ok\. [0-9]+ passed; 0 failed'
rtl_target_dir() { printf %s "${RTL_TARGET_DIR:-target/rtl}"; }
