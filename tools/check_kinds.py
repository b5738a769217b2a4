#!/usr/bin/env python3
"""Fails when a file to the right of mechanics asks which kind of robot it has: check_kinds.py [folder with the layers]

Solvers, analyses and studies see coordinates, rows and forces. Which joints, drives, springs and beams these come from is
known to model and mechanics only; report, export and cli may name them to a reader. What others have to ask is a function
of model/robot_kind.hpp, or of mechanics: DriveTrain for elastic drives."""
import pathlib
import re
import sys

ROOMS = ["problem", "equations", "plant", "analysis", "solvers", "jobs", "planning", "results", "studies"]
# Files that may ask, and why.
ALLOWED = {
    "jobs/beam_modes.cpp": "completes what a file says of beams, before there is a robot",
    "solvers/chain_rods.cpp": "the second road: a frame of rods for one kind of robot, which others are refused by",
    "solvers/revised_chain.cpp": "the same: chains in a plane as in the paper, whose first link may be one beam",
}
KINDS = re.compile("|".join([
    r"\brotors\(\)", r"\brotor_[qv]\b", r"\belastic_drives?\(",  # drives
    r"\bactuation\(\)\.(elastic|gears|hardening|springs|armature)\b",
    r"\bsprings\(\)\.(joint|joint_hardening|rest|between_frames)\b", r"\bhardening_\w+\(",  # springs
    r"\btree\(\)\.(beams|dof_parent|dof_body)\b", r"\blast_dof\b",  # links
    r"(\.|->)beam\b", r"\bJointType\b", r"\bcoordinates\(\)\.quaternions\b",
    # and what tells by counting: rotors beside joints, quaternions
    r"\bnv\(\) *[=!<>]=? *([\w()]+\.)*tree_nv\(\)", r"\btree_nv\(\) *[=!<>]=? *([\w()]+\.)*nv\(\)",
    r"\bnq_ *[=!<>]=? *nv?_(?!\w)"]))


def faults(root):
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.[ch]pp")):
            if str(path.relative_to(root)) in ALLOWED:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = KINDS.search(line.split("//")[0])
                if found:
                    yield f"{path}:{number}: '{found.group()}' asks for the kind of robot; let model or mechanics answer"


def idle(root):
    """Files that may ask and do not."""
    for name in ALLOWED:
        path = root / name
        if not path.exists() or not KINDS.search(path.read_text()):
            yield f"{path}: does not ask for the kind of robot any more; take it out of ALLOWED"


if __name__ == "__main__":
    house = pathlib.Path(__file__).resolve().parent.parent / "src/tauflex"
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else house)
    found = [*faults(root), *(idle(root) if root.resolve() == house else [])]
    print("\n".join(found) if found else "kinds: ok")
    sys.exit(1 if found else 0)
