#!/usr/bin/env python3
"""Wall and CPU time of a study on threads and on ranks: sweep_scaling.py PROGRAM [RUNS] [REPETITIONS]

Plants of E12 (examples/study_stiffness.yaml), forward simulation only. For a quiet machine; RUNS is 400, of REPETITIONS (2) the quickest counts. The start
of the program, with the one solution that all runs share, is measured by a study of one run and taken off: it is the first column. Tables must be the
same bytes. Ranks need OpenMPI (mpirun, and tauflex_mpi beside PROGRAM).
"""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 400
REPETITIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 2
STUDY = pathlib.Path(__file__).resolve().parents[1] / "examples/study_stiffness.yaml"
# OpenMPI starts as root, and more ranks than cores, only when told so.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def timed(front, options, runs, folder):
    """Wall and CPU seconds of one study; its table is left in the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [*front, PROGRAM, "sweep", STUDY, "-o", folder, "--set", f"study.sampling={{sobol: {runs}}}", "--set", "study.records={worst: 1}", *options]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([str(word) for word in command], env={**os.environ, **MPI}, capture_output=True, check=True)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(*arguments):
    return [min(both) for both in zip(*(timed(*arguments) for _ in range(REPETITIONS)))]


ways = [(f"{count} thread{'s' if count > 1 else ''}", count, [], ["--jobs", count]) for count in (1, 2)]
if shutil.which("mpirun") and PROGRAM.with_name("tauflex_mpi").exists():
    ways += [(f"{count} rank{'s' if count > 1 else ''}", count, ["mpirun", "-n", count], []) for count in (1, 2, 4)]
cores = len(os.sched_getaffinity(0))
print(f"{RUNS} plants of E12 on {cores} cores\n\n| | start, s | wall per run, ms | CPU per run, ms | wall, over that of one thread divided by cores in use |")
print("| --- | --- | --- | --- | --- |")
with tempfile.TemporaryDirectory() as work:
    tables, single = [], None
    for name, count, front, options in ways:
        folder = pathlib.Path(work) / name.replace(" ", "_")
        start = best(front, options, 1, folder)
        whole = best(front, options, RUNS + 1, folder)
        tables.append((folder / "table.csv").read_bytes())
        wall, cpu = ((a - b) / RUNS for a, b in zip(whole, start))
        single = single or wall
        print(f"| {name} | {start[0]:.2f} | {1e3 * wall:.2f} | {1e3 * cpu:.2f} | {wall / (single / min(count, cores)):.3f} |", flush=True)
    if len(set(tables)) > 1:
        sys.exit("the tables differ")
print(f"\nall {len(ways)} tables are the same bytes")
