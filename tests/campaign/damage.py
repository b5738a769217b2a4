#!/usr/bin/python3 -B
"""Damaged files: bytes and nodes of job files, URDF files and tables changed at random.

    tests/campaign/damage.py --cases 0..10000 [--jobs 2] [--program build/sanitize/tauflex]

The program must end with one of its exit codes and a sentence: never by a signal, an uncaught error or a sanitizer, and within
bounds of time and memory. The same number is the same case. Cases that fail are written to a folder.
"""
import argparse
import collections
import copy
import json
import multiprocessing
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np
import yaml

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
CODES = (0, 2, 3, 4, 5, 6)
MEMORY = 2 << 30  # bytes
SLOW = ("delta_robot_elastic", "isobe_two_joint", "polishing_beam", "single_flexible_link", "six_axis_beams", "spin_up", "tsujita", "tsujita_t2",
        "two_flexible_links", "welding")  # examples that take a second and more as they are
STRANGE = [0, -1, 1, 2, 1e300, -1e300, 1e-300, 1e12, 1e-12, float("nan"), float("inf"), 2**31, 2**63, -2**63, "", "x", "world", "tool", "tool.x",
           "é" * 50, "a" * 5000, "0x10", "1e", "~", None, True, False, [], {}, [[]], [None], {"": ""}, {"x": {"y": {"z": []}}}, [0] * 1000, [1, 2],
           [1, 2, 3], [[1, 0], [0, 1]], "polynomial99999", "line", "jets", "../../etc/passwd", "/dev/zero", "%s%n", "\u0000", "2020-01-01"]


def nodes(tree, path=()):
    """Paths of all nodes but the root."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, child in items:
        yield path + (key,)
        yield from nodes(child, path + (key,))


def changed_nodes(rng, tree):
    """One to three nodes removed, replaced, renamed, repeated, moved or scaled."""
    tree = copy.deepcopy(tree)
    for _ in range(int(rng.integers(1, 4))):
        paths = list(nodes(tree))
        if not paths:
            break
        *way, last = paths[int(rng.integers(len(paths)))]
        parent = tree
        for key in way:
            parent = parent[key]
        action = str(rng.choice(["remove", "replace", "rename", "repeat", "move", "scale"], p=[0.15, 0.35, 0.1, 0.1, 0.1, 0.2]))
        value = parent[last]
        if action == "remove":
            del parent[last]
        elif action == "rename" and isinstance(parent, dict):
            parent[str(rng.choice(["x", "joint", "links", "name", str(last) + "s", str(last)[1:]]))] = parent.pop(last)
        elif action == "repeat" and isinstance(parent, list):
            parent.extend(copy.deepcopy(value) for _ in range(int(rng.integers(1, 50))))
        elif action == "move":
            other = paths[int(rng.integers(len(paths)))]
            target = tree
            for key in other:
                target = target[key] if isinstance(target, dict) and key in target or isinstance(target, list) and isinstance(key, int) and key < len(target) else None
            parent[last] = copy.deepcopy(target)
        elif action == "scale" and isinstance(value, (int, float)) and not isinstance(value, bool):
            parent[last] = value * float(rng.choice([-1, 0, 1e-9, 1e-3, 1e3, 1e6, 1e9, 1e30]))
        else:
            parent[last] = copy.deepcopy(STRANGE[int(rng.integers(len(STRANGE)))])
    return tree


def changed_number(rng, tree):
    """One number multiplied, all words left as they are: such files often get past the reader."""
    tree = copy.deepcopy(tree)
    places = []
    for *way, last in nodes(tree):
        parent = tree
        for key in way:
            parent = parent[key]
        if isinstance(parent[last], (int, float)) and not isinstance(parent[last], bool):
            places.append((parent, last))
    parent, last = places[int(rng.integers(len(places)))]
    parent[last] = parent[last] * float(rng.choice([-1, 0, 1e-300, 1e-12, 1e-6, 1e-3, 0.1, 2, 10, 1e3, 1e6, 1e9, 1e30, 1e300]))
    return tree


def changed_bytes(rng, data):
    """Bytes flipped, removed, repeated, or the end cut off."""
    data = bytearray(data)
    for _ in range(int(rng.integers(1, 6))):
        if not data:
            break
        at, width = int(rng.integers(len(data))), int(rng.integers(1, 40))
        action = int(rng.integers(6))
        if action == 0:
            data[at] = int(rng.integers(256))
        elif action == 1:
            del data[at:at + width]
        elif action == 2:
            data[at:at] = data[at:at + width]
        elif action == 3:
            data[at:at] = bytes(rng.choice(list(b"{}[]:,-#&*!|>'\"%@`<>=/\\\t\n\0\xff0123456789e.+"), width).astype(np.uint8))
        elif action == 4 and rng.random() < 0.3:
            del data[at:]
        else:
            data[at] ^= 1 << int(rng.integers(8))
    return bytes(data)


def dumped(tree):
    return yaml.safe_dump(tree, sort_keys=False, default_flow_style=None, width=160, allow_unicode=True).encode()


def paths_of(tree):
    path = tree.get("task", {}).get("path", {})
    return path if isinstance(path, list) else [path]


def is_long(tree):
    """Long is no fault, and takes its time: a motion of minutes, or more than 20,000 steps of a method."""
    duration = sum(part.get("duration", 0) for part in paths_of(tree))
    method = tree.get("method", {})
    steps = [options["step"] for options in method.values() if isinstance(options, dict) and "step" in options] if isinstance(method, dict) else []
    return duration > 100 or any(0 < step < duration / 20000 for step in steps)


def bound_steps(tree):
    """The forward simulation ends with the number of its steps: half a million, as by default, are 20 s for a robot of two joints, and two minutes in absolute coordinates."""
    if isinstance(tree.setdefault("verification", {}), dict) and isinstance(tree["verification"].setdefault("simulation", {}), dict):
        tree["verification"]["simulation"].setdefault("max_steps", 20000)


def make(case, folder):
    """Writes the damaged files of a case and gives the arguments of the program."""
    rng = np.random.default_rng([43, case])
    jobs = [path for path in sorted(EXAMPLES.glob("*.yaml")) if not path.stem.startswith("study_")]
    shutil.copy(EXAMPLES / "six_axis.urdf", folder)
    kind = ("yaml nodes", "yaml bytes", "urdf", "table", "yaml numbers", "yaml bytes")[case % 6]
    example = EXAMPLES / "six_axis_elastic.yaml" if kind == "urdf" else EXAMPLES / "flexible_joint.yaml" if kind == "table" else jobs[int(rng.integers(len(jobs)))]
    source = example.read_bytes()
    verb = "run" if kind == "yaml numbers" and case % 4 == 0 or case % 10 == 3 else "analyze" if case % 10 == 7 else "check"
    if example.stem in SLOW:
        verb = "check"  # long is no fault, and takes its time
    if kind == "yaml nodes":
        source = dumped(changed_nodes(rng, yaml.safe_load(source)))
    elif kind == "yaml numbers":
        tree = changed_number(rng, yaml.safe_load(source))
        if is_long(tree):
            verb = "check"
        bound_steps(tree)
        source = dumped(tree)
    elif kind == "yaml bytes":
        source = changed_bytes(rng, source)
    elif kind == "urdf":
        (folder / "six_axis.urdf").write_bytes(changed_bytes(rng, (EXAMPLES / "six_axis.urdf").read_bytes()))
    (folder / "job.yaml").write_bytes(source)
    if kind != "table":
        return kind, [verb, "job.yaml"] + (["-o", "out"] if verb == "run" else [])
    t = np.linspace(0, 1, 201)
    table = "t,u.arm\n" + "".join(f"{x:.4f},{np.sin(6 * x):.6f}\n" for x in t)
    (folder / "table.csv").write_bytes(changed_bytes(rng, table.encode()))
    if case % 4 == 1:
        (folder / "job.yaml").write_bytes(source + b"simulation: {duration: 0.2, rate: 100}\n")
        return kind, ["simulate", "job.yaml", "--torques", "table.csv", "-o", "out"]
    return kind, ["verify", "job.yaml", "table.csv"]


def one_case(options, case):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="damage_"))
    kind, arguments = make(case, folder)

    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(options.seconds), int(options.seconds) + 1))
        if not options.sanitized:  # sanitizers reserve terabytes of addresses; their own limit is in the environment
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "UBSAN_OPTIONS": "print_stacktrace=1",
                   "ASAN_OPTIONS": f"allocator_may_return_null=0:max_allocation_size_mb={MEMORY >> 20}:hard_rss_limit_mb={2 * MEMORY >> 20}:detect_leaks=1:exitcode=99"}
    began = time.time()
    with open(folder / "said.txt", "w+b") as said:
        process = subprocess.Popen([options.program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said, preexec_fn=limits, env=environment)
        try:
            process.wait(timeout=20 * options.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        said.seek(0)
        text = said.read().decode(errors="replace")
    problem = judged(process.returncode, text)
    if problem:
        kept = pathlib.Path(options.out) / f"damage_{case}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        (kept / "command.txt").write_text(" ".join(["tauflex", *arguments]) + "\n")
    shutil.rmtree(folder, ignore_errors=True)
    return case, kind, process.returncode, problem, time.time() - began


def judged(code, text):
    """What is wrong with this end; nothing: an empty text."""
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "no end within the time limit"
    first = next((line for line in text.splitlines() if line.strip()), "")
    if code not in CODES:
        important = [line for line in text.splitlines() if "ERROR" in line or "runtime error" in line or "terminate" in line or "what()" in line]
        return f"exit {code}: {(important or [first])[0][:200]}"
    if code in (2, 3) and len(first.split()) < 3:
        return f"exit {code} without a sentence: {first[:200]}"
    if any(word in text for word in ("std::", "yaml-cpp", "bad conversion", "basic_string", "bad_alloc")):
        return f"exit {code} in a programmer's words: {first[:200]}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default="0..300")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--program", default=str(HERE.parent.parent / "build/release/tauflex"))
    parser.add_argument("--seconds", type=float, default=10, help="of processor time for one case")
    parser.add_argument("--out", default="campaign_failures")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    options.sanitized = b"__asan_init" in pathlib.Path(options.program).read_bytes()
    first, last = map(int, options.cases.split(".."))
    known = {entry["seed"]: entry["reason"] for entry in json.loads((HERE / "known.json").read_text()) if entry["check"] == "damage"}
    counts, failures, slowest = collections.defaultdict(collections.Counter), [], (0.0, 0)
    with multiprocessing.Pool(options.jobs) as pool:
        for case, kind, code, problem, seconds in pool.starmap(one_case, [(options, case) for case in range(first, last)], chunksize=8):
            counts[kind]["failed" if problem else f"exit {code}"] += 1
            slowest = max(slowest, (seconds, case))
            if problem:
                failures.append((case, problem))
    for kind, row in sorted(counts.items()):
        print(f"{kind:12s} " + "  ".join(f"{name}: {count}" for name, count in sorted(row.items())))
    print(f"slowest: case {slowest[1]}, {slowest[0]:.1f} s")
    for case, problem in failures:
        print(f"case {case}{' (known)' if case in known else ''}: {problem}; see {options.out}/damage_{case}")
    passed = [case for case in known if first <= case < last and case not in dict(failures)]
    for case in passed:
        print(f"case {case}: listed in known.json and passes; remove it from the list")
    return 1 if passed or any(case not in known for case, _ in failures) else 0


if __name__ == "__main__":
    sys.exit(main())
