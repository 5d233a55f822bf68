#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the commands that the documents print, and holds their outputs against what the documents show.

check_commands.py [--update] BIN_DIR FILE...

In every block fenced as `console`, a line that starts with `$ ` is a command and the lines up to the next one
(or the end) are its output, standard error included. A line `...` stands for any lines; a last line `[exit N]`
for an exit status other than 0. The commands of one file run in order in one scratch copy of the tracked files,
with BIN_DIR first on the path. Blocks fenced otherwise are not run.

--update rewrites the outputs of commands that do not match (those with `...` have to be edited by hand).
Prints the mismatches and a closing count; exits 1 if there is one, or if nothing was run.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT_SECONDS = 120


def sessions(lines):
    """Yields (line of the command, command, first line of its output, line after its output)."""
    inside = False
    command = None
    for number, line in enumerate(lines + ["```"]):
        if line.startswith("```"):
            if command is not None:
                yield command[0], command[1], command[0] + 1, number
                command = None
            inside = not inside and line.strip() == "```console"
        elif inside and line.startswith("$ "):
            if command is not None:
                yield command[0], command[1], command[0] + 1, number
            command = (number, line[2:])


def matches(expected, actual):
    """Whether the lines shown are the lines printed, `...` standing for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def run(command, directory, bin_dir):
    environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}", NO_COLOR="1", COLUMNS="100", LC_ALL="C.UTF-8")
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    lines = done.stdout.decode("utf-8", "replace").rstrip("\n").split("\n") if done.stdout.strip() else []
    if done.returncode:
        lines.append(f"[exit {done.returncode}]")
    return [line.rstrip() for line in lines]


def check(name, bin_dir, update):
    """Runs one file's commands; returns (passed, failed)."""
    path = ROOT / name
    lines = path.read_text(encoding="utf-8").splitlines()
    replaced = []
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        archive = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        copied = subprocess.run(
            ["tar", "-C", str(ROOT), "--null", "-T", "-", "--ignore-failed-read", "-cf", "-"], input=archive, capture_output=True, check=True
        ).stdout
        subprocess.run(["tar", "-C", scratch, "-xf", "-"], input=copied, check=True)
        for number, command, first, end in sessions(lines):
            expected = lines[first:end]
            while expected and not expected[-1]:
                expected = expected[:-1]
            try:
                actual = run(command, scratch, bin_dir)
            except subprocess.TimeoutExpired:
                actual = [f"[no end after {TIMEOUT_SECONDS} s]"]
            if matches(expected, actual):
                passed += 1
                continue
            if update and "..." not in expected:
                replaced.append((first, end, actual))
                passed += 1
                continue
            failed += 1
            print(f"{name}:{number + 1}: $ {command}\n  shown:")
            print("\n".join("    " + line for line in expected))
            print("  printed:\n" + "\n".join("    " + line for line in actual))
    if replaced:
        for first, end, actual in reversed(replaced):
            blank = [""] if end > first and not lines[end - 1] and end < len(lines) and not lines[end].startswith("```") else []
            lines[first:end] = actual + blank
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return passed, failed


def main(arguments):
    update = arguments[:1] == ["--update"]
    if update:
        arguments = arguments[1:]
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    bin_dir = pathlib.Path(arguments[0]).resolve()
    passed = failed = 0
    for name in arguments[1:]:
        one_passed, one_failed = check(name, bin_dir, update)
        passed += one_passed
        failed += one_failed
    print(f"commands: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
