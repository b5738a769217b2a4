#!/usr/bin/env python3
"""Fails when a [Tag2009] in sources, examples or docs has no entry in docs/references.bib, or an entry is never used."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
known = set(re.findall(r"@\w+\{(\w+),", (root / "docs/references.bib").read_text()))
used, faults = set(), []
for folder, endings in (("src", "*.[ch]pp"), ("tests", "*.[ch]pp"), ("benchmarks", "*.[ch]pp"), ("examples", "*.yaml"), ("docs", "*.md"), ("benchmarks", "*.md")):
    for path in sorted((root / folder).rglob(endings)):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for tag in re.findall(r"\[([A-Z][A-Za-z]+\d{4})\b[^\]]*\]", line):
                used.add(tag)
                if tag not in known:
                    faults.append(f"{path}:{number}: [{tag}] is not in docs/references.bib")
faults += [f"docs/references.bib: {tag} is cited nowhere" for tag in sorted(known - used)]
print("\n".join(faults) if faults else f"references: {len(known)} ok")
sys.exit(1 if faults else 0)
