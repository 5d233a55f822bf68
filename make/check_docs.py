#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks what the sources and documents point at.

* Every citation (`[isa-word §4.1 #6, HIGH/OBSERVED]`, `[decisions D-12]`, `[evt-sem MC-E9]`) names a section,
  a table row or a number that exists in docs/spec.
* Every local link in a Markdown file leads to a file, and its anchor to a heading.
* Every `make TARGET` in a Markdown file is a target of the Makefile.

Prints one line per finding (file:line: what) and a closing count; exits 1 if there is a finding.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = ROOT / "docs" / "spec"

TEXT_SUFFIXES = {".rs", ".sv", ".svh", ".v", ".vlt", ".cpp", ".h", ".md", ".toml", ".sh", ".py", ".tcl", ".txt", ".s", ".dict"}

STRENGTHS = {"HIGH", "MED", "LOW"}
EVIDENCE = {"OBSERVED", "INFERRED", "CARRIED"}


def slug(heading):
    """The anchor that renderers give a heading: lower case, punctuation dropped, blanks to hyphens."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = text.replace("`", "").replace("*", "").strip().lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text))


def headings(path):
    """Yields (line number, level, text) of the headings outside code fences."""
    fence = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        opened = re.match(r"\s*(```+|~~~+)", line)
        if opened:
            if fence is None:
                fence = opened.group(1)
            elif opened.group(1).startswith(fence):
                fence = None
            continue
        found = re.match(r"(#{1,6})\s+(.*?)\s*#*$", line)
        if fence is None and found:
            yield number, len(found.group(1)), found.group(2)


class SpecFile:
    """The sections, the table rows of each section, and the numbered choices of one specification file."""

    def __init__(self, path):
        lines = path.read_text(encoding="utf-8").splitlines()
        marks = list(headings(path))
        self.rows = {}
        for index, (start, level, text) in enumerate(marks):
            number = re.match(r"(\d+(?:\.\d+)*)\.?\s", text) or re.match(r"Appendix ([A-Z])\b", text)
            if not number:
                continue
            end = next((m[0] for m in marks[index + 1 :] if m[1] <= level), len(lines))
            first_cells = (re.match(r"(?:\|\s*(\d+)\s*\||(\d+)\. )", line) for line in lines[start:end])
            self.rows[number.group(1)] = {cell.group(1) or cell.group(2) for cell in first_cells if cell}
        self.choices = set(re.findall(r"\b(?:MC|D)-[A-Z]?\d+\b", "\n".join(lines)))


def citation_faults(inside, spec):
    """What is wrong with the text between the brackets of one citation."""
    document = None
    section = None
    named = 0
    faults = []
    pattern = re.compile(
        r"(?P<doc>" + "|".join(spec) + r")\b"
        r"|§(?P<from>\d+(?:\.\d+)*|[A-Z]\b)"
        r"|(?P<head>\bhead\b)"  # what stands before the first section
        r"|#(?P<row>\d+)"
        r"|(?P<choice>\b(?:MC|D)-[A-Z]?\d+)\b"
        r"|(?:(?<=[–-])|(?<=, )|(?<=and ))(?P<more>\d+\.\d+(?:\.\d+)*)"
        r"|(?P<word>\b[A-Z]{3,}\b)(?=\s*(?:/|,|;|$))"
    )
    for found in pattern.finditer(inside):
        kind = found.lastgroup
        text = found.group(kind)
        if kind == "doc":
            document, section = text, None
        elif kind in ("from", "more"):
            section = text
            named += 1
            if text not in spec[document].rows:
                faults.append(f"{document} has no section {text}")
        elif kind == "head":
            named += 1
        elif kind == "row":
            named += 1
            if text not in spec[document].rows.get(section, ()):
                faults.append(f"{document} §{section} has no row {text}")
        elif kind == "choice":
            named += 1
            home = "decisions" if text.startswith("D-") else document
            if text not in spec[home].choices:
                faults.append(f"{home} has no {text}")
        elif kind == "word" and f"{text}/" in inside and text not in STRENGTHS | EVIDENCE:
            faults.append(f"{text} is no confidence (strength/evidence)")
    if not named:
        faults.append("names no section and no number")
    return faults


def check_citations(path, text, spec):
    """Yields (line, fault) for every citation in a file that leads nowhere."""
    # A citation may break over lines of a comment; the leader of the next line is not part of it.
    opening = re.compile(r"\[(?=(?:" + "|".join(spec) + r")\b)")
    for found in opening.finditer(text):
        close = text.find("]", found.end())
        if close < 0:
            continue
        raw = text[found.end() : close]
        inside = re.sub(r"\s*\n\s*(?://[/!]?|\*|#+(?=\s)|;)?\s*", " ", raw)
        if inside in spec:  # the file as a whole, or a TOML table of that name
            continue
        line = text.count("\n", 0, found.start()) + 1
        for fault in citation_faults(inside, spec):
            yield line, f"citation [{inside}]: {fault}"


def outside_code(text):
    """The text with fenced blocks and code spans blanked, line breaks kept."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r"^(```+|~~~+)[^\n]*\n.*?^\1[^\n]*$", blank, text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]+`", blank, text)


def check_links(path, text, anchors):
    """Yields (line, fault) for every local link of a Markdown file that leads nowhere."""
    prose = outside_code(text)
    for found in re.finditer(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", prose):
        target = found.group(1)
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        line = prose.count("\n", 0, found.start()) + 1
        name, _, anchor = target.partition("#")
        goal = (path.parent / name).resolve() if name else path
        if not goal.exists():
            yield line, f"link to {target}: no such file"
        elif anchor and goal.suffix == ".md":
            if goal not in anchors:
                anchors[goal] = {slug(text) for _, _, text in headings(goal)}
            if anchor not in anchors[goal]:
                yield line, f"link to {target}: no heading with that anchor"


def check_make_targets(text, targets):
    """Yields (line, fault) for every `make TARGET` at the start of a command that the Makefile lacks."""
    for found in re.finditer(r"(?:^|`|\$ )make ((?:[a-z-]+ ?)+)(?=[`\s#A-Z=]|$)", text, flags=re.M):
        line = text.count("\n", 0, found.start()) + 1
        for target in found.group(1).split():
            if target not in targets:
                yield line, f"make {target}: no such target"


def main():
    spec = {path.stem: SpecFile(path) for path in sorted(SPEC.glob("*.md"))}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, flags=re.M))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    anchors = {}
    checked = 0
    findings = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.suffix not in TEXT_SUFFIXES or not path.is_file() or path == pathlib.Path(__file__).resolve():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        faults = []
        # The specification is a copy that is not edited here; only its links would be followed.
        if SPEC not in path.parents:
            faults += check_citations(path, text, spec)
        if path.suffix == ".md":
            faults += check_links(path, text, anchors)
            if SPEC not in path.parents:
                faults += check_make_targets(text, targets)
        checked += 1
        findings += [f"{name}:{line}: {fault}" for line, fault in faults]
    for finding in findings:
        print(finding)
    failed = len({finding.split(":")[0] for finding in findings})
    print(f"documents: {checked - failed} passed, {failed} failed")
    return 1 if findings or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
