#!/usr/bin/env python3
"""Draws what examples/tsujita.yaml does: plot_tsujita.py PROGRAM SOURCE_FOLDER FOLDER_OF_IMAGES

tsujita_force.svg: force error on a finer mesh against the duration of the path; tsujita_sticks.svg: the arm along its path.
Prints the table of the first.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams["svg.hashsalt"] = "tauflex"
PROGRAM, SOURCE, IMAGES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
DURATIONS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0)


def run(folder, *settings):
    options = [part for setting in settings for part in ("--set", setting)]
    subprocess.run([PROGRAM, "run", SOURCE / "examples/tsujita.yaml", "-o", folder, "--set", "rigid=off", *options], check=True, capture_output=True)
    return json.loads((folder / "record.json").read_text())


def sticks(folder, panel):
    """Rigid link 1, both nodes of the beam, and the hand behind joint 3, every 25 ms."""
    import math

    with open(folder / "trajectory.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        t = float(row["t"])
        if not -1e-9 <= t <= 0.5 + 1e-9 or round(t * 1e3) % 25:
            continue
        q = {name[2:]: float(value) for name, value in row.items() if name.startswith("q.")}
        angle = -q["link1"]
        points = [(0.0, 0.0), (0.5 * math.cos(angle), 0.5 * math.sin(angle))]
        angle -= q["link2"]
        elbow = points[-1]
        for x, z in ((0.15, q["link2.z1"]), (0.3, q["link2.z2"])):
            points.append((elbow[0] + x * math.cos(angle) - z * math.sin(angle), elbow[1] + x * math.sin(angle) + z * math.cos(angle)))
        angle -= q["link2.ry2"] + q["hand"]
        points.append((points[-1][0] + 0.1 * math.cos(angle), points[-1][1] + 0.1 * math.sin(angle)))
        panel.plot(*zip(*points), color="#2471a3", linewidth=0.8, marker="o", markersize=1.5)
    panel.axhline(-0.7, color="black", linewidth=1.5)
    panel.set_aspect("equal")
    panel.set_xlabel("x, m")
    panel.set_ylabel("z, m")


with tempfile.TemporaryDirectory() as place:
    errors = []
    for duration in DURATIONS:
        record = run(pathlib.Path(place) / str(duration), f"task.path.duration={duration}")
        finer = record["finer_mesh"]
        errors.append(finer["max_force_error_N"])
        print(f"| {duration} s | {finer['max_force_error_N']:.2g} N | {1e3 * finer['max_tool_error_m']:.2g} mm |")
    figure, panel = plt.subplots(figsize=(4.5, 3.4))
    panel.semilogy(DURATIONS, errors, color="#c0392b", marker="o")
    panel.set_xlabel("duration of the path, s")
    panel.set_ylabel("largest force error on a finer mesh, N")
    panel.grid(alpha=0.3, which="both")
    figure.tight_layout()
    figure.savefig(IMAGES / "tsujita_force.svg", metadata={"Date": None})
    figure, panel = plt.subplots(figsize=(4.5, 3.8))
    sticks(pathlib.Path(place) / "0.5", panel)
    figure.tight_layout()
    figure.savefig(IMAGES / "tsujita_sticks.svg", metadata={"Date": None})
