"""The runs whose torques are written down in torques.json, and how to repeat one.

Only the program is used, so that the numbers outlive every change of the C++ code.
"""
import csv
import json
import math
import pathlib
import re
import shutil
import subprocess
import tempfile

SAMPLES = 16  # rows kept of each table, spread evenly, first and last included
SHARE = 1e-9  # of a column's peak, the least tolerance of torques
COUNTERS = ("integrator_steps",)
ERRORS = ("max_tool_error_m", "max_orientation_error_rad", "max_force_error_N")

# Further methods: name of the run, example, overrides. All other examples run as they are.
FURTHER = [
    ("e12 jets", "e12", ["method={jets: {}}"]),
    ("e12 monolithic", "e12", ["method={bdf: {order: 3, step: 0.001, form: monolithic}}"]),
    ("e12 index1", "e12", ["method={bdf: {order: 3, step: 0.001, form: index1}}"]),
    ("e12 index2", "e12", ["method={bdf: {order: 3, step: 0.001, form: index2}}"]),
    ("e12 kunkel_mehrmann", "e12", ["method={kunkel_mehrmann: {order: 3, step: 0.001}}"]),
    ("e12 decoupled", "e12", ["method={decoupled: {order: 3, step: 0.001}}"]),
    ("e12 variable_step", "e12", ["method={variable_step: {tolerance: 1e-8, step: 0.001}}"]),
    ("e12 stable_inversion", "e12", ["method={stable_inversion: {}}"]),
    ("flexible_joint blockwise", "flexible_joint", ["method={bdf: {order: 4, step: 0.004}}"]),
    ("two_cars blockwise", "two_cars", ["method={bdf: {order: 4, step: 0.02}}"]),
    ("payload_friction blockwise", "payload_friction", ["method={bdf: {order: 4, step: 0.001, form: blockwise}}"]),
    ("wrist_coupling blockwise", "wrist_coupling", ["method={bdf: {order: 4, step: 0.001, form: blockwise}}"]),
]


def examples(source):
    """Names of all examples that have a task."""
    return [path.stem for path in sorted((source / "examples").glob("*.yaml")) if re.search("^task:", path.read_text(), re.M)]


def all_runs(source):
    return [(name, name, []) for name in examples(source)] + FURTHER


def last_bits(source, example):
    """Overrides that change a number of the job by one to three units in its last place: gravity, and the duration of the path.

    Gravity leaves the motion alone where the path determines every joint, and linearised robots do not feel it; the duration
    moves every sample of the path.
    """
    text = (source / "examples" / (example + ".yaml")).read_text()
    numbers = {}
    gravity = re.search(r"gravity: \[(.*?)\]", text)
    if gravity and any(map(float, gravity[1].split(","))):
        key = "robot.elastic.gravity" if re.search("^  elastic:", text, re.M) else "robot.gravity"
        numbers[key] = [float(x) for x in gravity[1].split(",")]
    duration = re.search(r"^  path: .* duration: ([\d.]+)", text, re.M)
    if duration:
        numbers["task.path.duration"] = float(duration[1])
    changes = []
    for units in (1, -1, 2, -2, 3, -3):
        for key, value in numbers.items():
            changed = [moved(x, units) for x in value] if isinstance(value, list) else moved(value, units)
            changes.append(f"{key}={changed}")
    return changes


def moved(x, units):
    return x + units * math.ulp(x) if x else x


def repeat(program, source, example, overrides):
    """Runs an example; the exit code, the record, and the table by columns: t, torques, multipliers where there are no motors."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tauflex_"))
    try:
        options = [part for override in overrides for part in ("--set", override)]
        result = subprocess.run([program, "run", source / "examples" / (example + ".yaml"), "-o", folder / "out", *options],
                                capture_output=True, text=True, timeout=600)
        if not (folder / "out/record.json").exists():
            raise RuntimeError(f"{example} {overrides}: exit code {result.returncode}: {result.stderr}")
        record = json.loads((folder / "out/record.json").read_text())
        with open(folder / "out/trajectory.csv", newline="") as file:
            rows = csv.reader(file)
            names = next(rows)
            values = [[float(x) for x in row] for row in rows]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for prefix in ("u.", "lambda."):
        kept = [i for i, name in enumerate(names) if name.startswith(prefix)]
        if kept:
            break
    return result.returncode, record, {names[i]: [row[i] for row in values] for i in [0, *kept]}


def sampled(column):
    last = len(column) - 1
    return [column[round(k * last / (SAMPLES - 1))] for k in range(SAMPLES)]
