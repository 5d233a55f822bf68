#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts each fault of model/mutants.toml into a copy of the workspace and checks that the co-simulation finds it.

model_mutants.py [--check | NAME...]

The copy and its build are kept in target/model-mutants, so a fault costs one build of the model and what uses it.
A fault counts as found when the co-simulation ends with exit status 1, a mismatch; a copy that does not build, a
fault whose original text is gone, or any other status is an error. Exits 1 if a fault is not found.

--check only says whether every fault still has its place in the sources.
"""

import os
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "model-mutants"
COPY = WORK / "copy"
MISMATCH = 1
BUDGET = "20000"


def place(row, root):
    """The file that a fault changes and its text, in which the original occurs exactly once."""
    path = root / "model" / "src" / row["file"]
    text = path.read_text(encoding="utf-8")
    if text.count(row["original"]) != 1:
        raise SystemExit(f"model mutants: {row['name']}: its original text occurs {text.count(row['original'])} times in {row['file']}")
    return path, text


def refresh_copy():
    """Makes the copy equal to the tracked files, touching only what differs so that little is built again."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for old in [path for path in COPY.rglob("*") if path.is_file()] if COPY.exists() else []:
        if str(old.relative_to(COPY)) not in names:
            old.unlink()
    for name in names:
        write(COPY / name, (ROOT / name).read_bytes())


def write(path, content):
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def cargo(*arguments):
    environment = dict(os.environ, CARGO_TARGET_DIR=str(WORK / "build"))
    command = ["cargo", *arguments, "--locked", "-q", "-p", "sb2sb-cli", "--features", "rtl"]
    if arguments[0] == "run":
        command += ["--", "cosim", "--budget", BUDGET]
    return subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True, check=False)


def main(chosen):
    rows = tomllib.loads((ROOT / "model" / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
    for row in rows:
        place(row, ROOT)
    if chosen == ["--check"]:
        print(f"model mutants: {len(rows)} in place")
        return 0
    unknown = set(chosen) - {row["name"] for row in rows}
    if unknown:
        raise SystemExit(f"model mutants: no fault called {', '.join(sorted(unknown))}")
    rows = [row for row in rows if not chosen or row["name"] in chosen]
    refresh_copy()
    built = cargo("build")
    if built.returncode:
        raise SystemExit(f"model mutants: the copy does not build:\n{built.stderr}")
    clean = cargo("run")
    if clean.returncode:
        raise SystemExit(f"model mutants: without a fault the co-simulation ends with {clean.returncode}:\n{clean.stdout}")
    found = 0
    for row in rows:
        path, text = place(row, COPY)
        path.write_text(text.replace(row["original"], row["faulty"]), encoding="utf-8")
        try:
            built = cargo("build")
            if built.returncode:
                raise SystemExit(f"model mutants: {row['name']} does not build:\n{built.stderr}")
            ended = cargo("run").returncode
        finally:
            path.write_text(text, encoding="utf-8")
        if ended not in (0, MISMATCH):
            raise SystemExit(f"model mutants: {row['name']}: the co-simulation ended with {ended}, neither match nor mismatch")
        found += ended == MISMATCH
        print(f"  {row['name']:24} {'found' if ended == MISMATCH else 'NOT FOUND'}  {row['imitates']}", flush=True)
    print(f"model mutants: {found} passed, {len(rows) - found} failed")
    return 0 if found == len(rows) and rows else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
