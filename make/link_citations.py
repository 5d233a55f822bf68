#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""mdBook preprocessor: makes every citation in the guide a link into the rendered specification.

A citation such as [isa-word §4.1 #6, HIGH/OBSERVED] leads to the heading of the section that it names first, or, for
MC-13 and D-12, to the heading above the place where that number is decided. The specification's own pages are left
as they are, and so is code.
"""

import json
import re
import sys

sys.dont_write_bytecode = True  # the module beside this one must not leave a file in the checkout

from check_docs import SPEC, headings, slug


def anchors(path):
    """From section numbers and choice numbers of one specification file to anchors."""
    lines = path.read_text(encoding="utf-8").splitlines()
    marks = list(headings(path))
    found = {}
    for index, (start, _, text) in enumerate(marks):
        number = re.match(r"(\d+(?:\.\d+)*)\.?\s", text) or re.match(r"Appendix ([A-Z])\b", text)
        if number:
            found[number.group(1)] = slug(text)
        end = marks[index + 1][0] if index + 1 < len(marks) else len(lines)
        for line in lines[start:end]:
            # A decision opens its bullet; a choice opens a cell of its table.
            for choice in re.findall(r"(?:^\* \*\*|\| )((?:MC|D)-[A-Z]?\d+)\b", line):
                found.setdefault(choice, slug(text))
        # One file lists its choices in running text, under this heading.
        if "Model choices" in text:
            for choice in re.findall(r"\bMC-[A-Z]?\d+\b", "\n".join(lines)):
                found.setdefault(choice, slug(text))
    return found


def link(citation, spec):
    """The citation as a Markdown link, or as it is if it names a file as a whole."""
    document = re.match(r"[a-z-]+", citation).group(0)
    target = re.search(r"§§?(\d+(?:\.\d+)*|[A-Z]\b)|\b((?:MC|D)-[A-Z]?\d+)\b", citation)
    if not target:
        return f"[\\[{citation}\\]](spec/{document}.md)"
    name = target.group(1) or target.group(2)
    home = "decisions" if name.startswith("D-") else document
    anchor = spec[home].get(name)
    return f"[\\[{citation}\\]](spec/{home}.md{'#' + anchor if anchor else ''})"


def rewrite(text, spec):
    pattern = re.compile(
        r"(?P<code>^(?P<fence>```+|~~~+).*?^(?P=fence)[^\n]*$|`[^`\n]+`)"
        r"|\[(?P<citation>(?:" + "|".join(spec) + r")\b[^\[\]]*)\](?![(\[])",
        flags=re.S | re.M,
    )
    return pattern.sub(lambda found: found.group(0) if found.group("code") else link(found.group("citation").replace("\n", " "), spec), text)


def walk(items, spec):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if not chapter:
            continue
        if chapter.get("path") and not chapter["path"].startswith("spec/"):
            chapter["content"] = rewrite(chapter["content"], spec)
        walk(chapter.get("sub_items", []), spec)


def main():
    if sys.argv[1:2] == ["supports"]:
        return 0
    _, book = json.load(sys.stdin)
    spec = {path.stem: anchors(path) for path in sorted(SPEC.glob("*.md"))}
    walk(book.get("items") or book.get("sections"), spec)
    json.dump(book, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
