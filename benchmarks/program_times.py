#!/usr/bin/env python3
"""Times of the whole program, its start and its files included.

    benchmarks/program_times.py build/release/tauflex [--runs 9] [name ...]

Best of several runs: wall time and processor time, on the cores that the process may use. Names are those of the first column.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time

examples = pathlib.Path(__file__).resolve().parent.parent / "examples"
longer = ["--set", "task.path.duration=20"]
commands = {
    "version": ["--version"],
    "run e12": ["run", "e12"],
    "run six_axis_elastic": ["run", "six_axis_elastic"],
    "run six_axis_elastic, 20 s": ["run", "six_axis_elastic", *longer],
    "compare six_axis_elastic": ["compare", "six_axis_elastic"],
}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("names", nargs="*", default=[name for name in commands if not name.startswith("compare")])
parser.add_argument("--runs", type=int, default=9)
arguments = parser.parse_intermixed_args()


def seconds(words, folder):
    """Wall time and processor time of one run."""
    begin, before = time.perf_counter(), os.times()
    result = subprocess.run([arguments.program, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if result.returncode not in (0, 6):
        raise SystemExit(f"{' '.join(words)} ended with {result.returncode}: {result.stderr.decode()}")
    after = os.times()
    return time.perf_counter() - begin, after.children_user + after.children_system - before.children_user - before.children_system


print(f"{'':<32}{'wall':>10}{'processor':>12}")
arguments.program = os.path.abspath(arguments.program)
for name in arguments.names:
    words = [str(examples / f"{word}.yaml") if (examples / f"{word}.yaml").exists() else word for word in commands[name]]
    with tempfile.TemporaryDirectory() as folder:
        if words[0] == "run":
            words += ["-o", "out"]
        times = [seconds(words, folder) for _ in range(arguments.runs)]
    print(f"{name:<32}{min(wall for wall, _ in times):>8.3f} s{min(cpu for _, cpu in times):>10.3f} s")
