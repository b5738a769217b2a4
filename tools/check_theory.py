#!/usr/bin/env python3
"""Fails when a `theory (M.4)` in the sources has no such number in docs/theory, or a number stands there twice."""
import collections
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
known = collections.Counter()
for path in sorted((root / "docs/theory").glob("*.md")):
    known.update(re.findall(r"^\*\*\(([A-Z]\.\d+)\)\*\*", path.read_text(), re.M))
faults = [f"docs/theory: ({number}) stands there {count} times" for number, count in known.items() if count > 1]
for path in sorted((root / "src").rglob("*.[ch]pp")):
    for line_number, line in enumerate(path.read_text().splitlines(), 1):
        for number in re.findall(r"theory \(([A-Z]\.\d+)\)", line):
            if number not in known:
                faults.append(f"{path}:{line_number}: theory ({number}) is not in docs/theory")
print("\n".join(faults) if faults else f"theory: {len(known)} numbers ok")
sys.exit(1 if faults else 0)
