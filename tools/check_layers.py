#!/usr/bin/env python3
"""Fails when a source folder includes one to its right, or when files include each other in a circle, where X.hpp and X.cpp
count as one file: check_layers.py [folder with the layers]"""
import pathlib
import re
import sys

LAYERS = ["base", "math", "trajectory", "model", "mechanics", "elements", "problem", "equations", "plant",
          "analysis", "solvers", "jobs", "planning", "results", "studies", "report", "export", "cli"]


def includes(path):
    """(line number, folder, file without its ending) of what a file includes from the layers"""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        included = re.match(r'#include "tauflex/(\w+)/(.+)\.\w+"', line)
        if included:
            yield number, included.group(1), included.group(2)


def sources(root):
    """All files in folders; the door for users, tauflex.hpp, stands before them and may include any."""
    return sorted(root.glob("*/**/*.[ch]pp"))


def layer_faults(root):
    for path in sources(root):
        layer = path.relative_to(root).parts[0]
        if layer not in LAYERS:
            yield f"{path}: '{layer}' is not a folder of the house; there are {', '.join(LAYERS)}"
            continue
        for number, other, _ in includes(path):
            if other not in LAYERS or LAYERS.index(other) > LAYERS.index(layer):
                yield f"{path}:{number}: {layer} must not include {other}"


def cycles(root):
    """Sets of files each of which includes, directly or through others, all files of its set."""
    edges = {}
    for path in sources(root):
        own = str(path.relative_to(root).with_suffix(""))
        others = {f"{layer}/{file}" for _, layer, file in includes(path)}
        edges.setdefault(own, set()).update(others - {own})

    def reached_from(start):
        reached, waiting = set(), [start]
        while waiting:
            new = edges.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        return reached

    reached = {file: reached_from(file) for file in edges}
    return {frozenset(other for other in reached[file] if file in reached.get(other, ()))
            for file in edges if file in reached[file]}


def cycle_faults(root):
    for cycle in sorted(map(sorted, cycles(root))):
        yield f"these files include each other in a circle: {', '.join(cycle)}"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "src/tauflex")
    found = [*layer_faults(root), *cycle_faults(root)]
    print("\n".join(found) if found else "layers: ok")
    sys.exit(1 if found else 0)
