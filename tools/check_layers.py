#!/usr/bin/env python3
"""Fails when a source folder includes one to its right: check_layers.py [folder with the layers]"""
import pathlib
import re
import sys

LAYERS = ["base", "math", "trajectory", "beams", "model", "mechanics", "problem", "equations", "plant",
          "analysis", "solvers", "jobs", "planning", "results", "studies", "report", "cli"]


def faults(root):
    for path in sorted(root.rglob("*.[ch]pp")):
        layer = path.relative_to(root).parts[0]
        if layer not in LAYERS:
            yield f"{path}: '{layer}' is not a folder of the house; there are {', '.join(LAYERS)}"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            included = re.match(r'#include "tauflex/(\w+)/', line)
            if not included:
                continue
            other = included.group(1)
            if other not in LAYERS or LAYERS.index(other) > LAYERS.index(layer):
                yield f"{path}:{number}: {layer} must not include {other}"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "src/tauflex")
    found = list(faults(root))
    print("\n".join(found) if found else "layers: ok")
    sys.exit(1 if found else 0)
