#!/usr/bin/env python3
"""What the comparison with the rigid robot costs: time of `tauflex run` with it and with `rigid: off`, on two cores and on one.

    benchmarks/rigid_cost.py build/release/tauflex [example ...] [--runs 7]

Best of several runs, taken in turns; on a quiet machine. Asked for: at most 10 % of wall time on two cores, 60 % on one.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time

examples = pathlib.Path(__file__).resolve().parent.parent / "examples"
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("examples", nargs="*", default=["e12", "six_axis_elastic", "seven_axis", "moberg_8dof", "polishing", "e12_nonminimum"])
parser.add_argument("--runs", type=int, default=7)
arguments = parser.parse_args()


def seconds(example, rigid, cores, folder):
    """Wall time and processor time of one run."""
    words = [arguments.program, "run", str(examples / f"{example}.yaml"), "-o", folder, "--set", f"rigid={rigid}"]
    begin, before = time.perf_counter(), os.times()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, cores))
    after = os.times()
    return time.perf_counter() - begin, after.children_user - before.children_user


available = sorted(os.sched_getaffinity(0))
print(f"{'example':<20}{'cores':>6}{'without':>11}{'with':>9}{'wall':>9}{'processor':>11}")
with tempfile.TemporaryDirectory() as folder:
    for example in arguments.examples:
        for cores in (available[:2], available[:1]):
            best = {"on": [1e9, 1e9], "off": [1e9, 1e9]}
            for _ in range(arguments.runs):
                for rigid, least in best.items():
                    least[:] = map(min, least, seconds(example, rigid, cores, folder))
            wall, processor = (100 * (on / off - 1) for on, off in zip(best["on"], best["off"]))
            print(f"{example:<20}{len(cores):>6}{best['off'][0]:>9.3f} s{best['on'][0]:>7.3f} s{wall:>+7.0f} %{processor:>+9.0f} %")
