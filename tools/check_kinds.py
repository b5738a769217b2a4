#!/usr/bin/env python3
"""Fails when a file to the right of mechanics asks which kind of robot it has: check_kinds.py [folder with the layers]

Solvers, analyses and studies see coordinates, rows and forces. Which joints, drives and springs these come from is known
to model and mechanics only; report and cli may name them to a reader."""
import pathlib
import re
import sys

ROOMS = ["problem", "equations", "plant", "analysis", "solvers", "jobs", "planning", "results", "studies"]
KINDS = re.compile(r"\b(rotors\(\)|rotor_[qv]\b|elastic_drives?\(|drive_springs\(|drive_hardening\(|gears\(\)|joint_springs\(|"
                   r"joint_hardening\(|frame_springs\(|quaternions\(\)|JointType|dof_parent|dof_body|last_dof|hardening_\w+\()")


def faults(root):
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.[ch]pp")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = KINDS.search(line.split("//")[0])
                if found:
                    yield f"{path}:{number}: '{found.group()}' asks for the kind of robot; let mechanics answer"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "src/tauflex")
    found = list(faults(root))
    print("\n".join(found) if found else "kinds: ok")
    sys.exit(1 if found else 0)
