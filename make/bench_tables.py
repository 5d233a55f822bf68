#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Rewrites the tables of a benchmark page from the lines that the benchmark programs print.

bench_tables.py PAGE RESULTS...

RESULTS are files of JSON lines {"name", "value", "unit"} with optional "ratio_to" and "ratio"; the stem of a file
is the name of its table. PAGE holds, for each, a line `<!-- table NAME -->` and a line `<!-- end of table -->`;
what stands between is replaced. `<!-- table machine -->` gets the machine in general terms: its processor model,
cores and compilers, never its name. A file without a place on the page is an error; a place without a file stays as
it is and is named.
"""

import json
import os
import pathlib
import re
import subprocess
import sys


def first_line(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0].strip()


def machine():
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    rows = [
        ("processor", f"{model}, {len(os.sched_getaffinity(0))} cores used"),
        ("Rust", first_line("rustc", "--version")),
        ("C++", first_line("c++", "--version")),
        ("Verilator", first_line(os.environ.get("VERILATOR", "verilator"), "--version")),
    ]
    return ["| | |", "|---|---|"] + [f"| {name} | {text} |" for name, text in rows]


def number(value):
    """Three or more significant digits, no exponent."""
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.4g}"


def table(path):
    rows = ["| measurement | value | unit | ratio |", "|---|---:|---|---:|"]
    for line in path.read_text(encoding="utf-8").splitlines():
        result = json.loads(line)
        ratio = ""
        if result.get("ratio") is not None and result["ratio_to"] != result["name"]:
            ratio = f"{result['ratio']:.2f} × `{result['ratio_to']}`"
        rows.append(f"| `{result['name']}` | {number(result['value'])} | {result['unit']} | {ratio} |")
    if len(rows) == 2:
        raise SystemExit(f"bench: {path} has no result")
    return rows


def main(page_name, result_names):
    tables = {"machine": machine()}
    tables |= {path.stem: table(path) for path in map(pathlib.Path, result_names)}
    page = pathlib.Path(page_name)
    text = page.read_text(encoding="utf-8")
    places = re.findall(r"^<!-- table (\S+) -->$", text, flags=re.M)
    homeless = sorted(tables.keys() - set(places))
    if homeless:
        raise SystemExit(f"bench: {page_name} has no place for {', '.join(homeless)}")
    for name in sorted(set(places) - tables.keys()):
        print(f"bench: no results for the table {name}; it stays as it is")
    for name, rows in tables.items():
        body = "\n".join([f"<!-- table {name} -->", "", *rows, "", "<!-- end of table -->"])
        pattern = rf"^<!-- table {re.escape(name)} -->$.*?^<!-- end of table -->$"
        text, replaced = re.subn(pattern, lambda _: body, text, count=1, flags=re.M | re.S)
        if not replaced:
            raise SystemExit(f"bench: no end of the table {name}")
    page.write_text(text, encoding="utf-8")
    print(f"bench: {len(tables) - 1} tables written to {page_name}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2:])
