#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks that a module of the model uses only modules on its own floor and below, without circles.

The floors are the table in model/src/lib.rs. A row whose number is `beside` may use every floor and is used by none.
Unit tests (`#[cfg(test)]` to the end of the file) may look anywhere. Prints one line per finding and a closing count.
"""

import pathlib
import re
import sys

SRC = pathlib.Path(__file__).resolve().parent.parent / "model" / "src"


def main():
    root = (SRC / "lib.rs").read_text(encoding="utf-8")
    floors = {}
    for row in re.finditer(r"^//! \| (\d+|beside) \| (.*) \|$", root, flags=re.M):
        floor = None if row.group(1) == "beside" else int(row.group(1))
        for name in re.findall(r"\[`(\w+)`\]", row.group(2)):
            floors[name] = floor
    modules = set(re.findall(r"^(?:pub )?mod (\w+);", root, flags=re.M))
    findings = [f"model/src/lib.rs: {name} has no floor" for name in sorted(modules - floors.keys())]
    findings += [f"model/src/lib.rs: there is no module {name}" for name in sorted(floors.keys() - modules)]
    uses = 0
    level = {}
    for path in sorted(SRC.rglob("*.rs")):
        own = path.relative_to(SRC).parts[0].removesuffix(".rs")
        if own == "lib":
            continue
        code = path.read_text(encoding="utf-8").split("#[cfg(test)]")[0]
        code = re.sub(r"//.*", "", code)
        used = set(re.findall(r"\bcrate::(\w+)", code))
        for group in re.findall(r"\bcrate::\{([^;]*)\}", code):
            used |= set(re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"\{[^{}]*\}", "", group)))
        for name in sorted((used & floors.keys()) - {own}):
            uses += 1
            here, there = floors.get(own), floors[name]
            if there == here:
                level.setdefault(own, set()).add(name)
            elif there is None or (here is not None and there > here):
                place = "beside the floors" if there is None else f"on floor {there}"
                findings.append(f"{path.relative_to(SRC.parent.parent)}: {own} (floor {here}) uses {name}, {place}")
    # What is left after taking away, again and again, the modules that use none of the others, is in a circle.
    while ends := {name for users in level.values() for name in users} - level.keys() | {name for name in level if not level[name]}:
        level = {own: level[own] - ends for own in level if level[own]}
    findings += [f"model/src: {own} and {name} use each other in a circle" for own in sorted(level) for name in sorted(level[own])]
    for finding in findings:
        print(finding)
    print(f"floors: {uses - len(findings)} passed, {len(findings)} failed")
    return 1 if findings or not uses else 0


if __name__ == "__main__":
    sys.exit(main())
