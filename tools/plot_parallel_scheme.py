#!/usr/bin/env python3
"""Draws docs/images/parallel_fig*.svg, figures 4 and 6 to 9 of the parallel solution scheme as the program computes them:
plot_parallel_scheme.py PROGRAM UNREVISED_CHAIN [folder for the pictures], with the two executables of a build with tests.
Needs Debian's python3-matplotlib."""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "tauflex"  # the same bytes for the same picture
import matplotlib.pyplot as plt  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent


def table(program, verb, example, *overrides):
    """Columns of the table that a job gives."""
    with tempfile.TemporaryDirectory() as folder:
        sets = [part for value in overrides for part in ("--set", value)]
        done = subprocess.run([program, verb, ROOT / f"examples/{example}.yaml", "-o", folder, *sets], capture_output=True, text=True)
        files = sorted(pathlib.Path(folder).glob("*.csv"))
        if not files:
            raise SystemExit(f"{example}: {done.stderr}")
        path = pathlib.Path(folder) / "trajectory.csv"
        with open(path if path.exists() else files[0]) as file:
            rows = list(csv.reader(file))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def links(columns, lengths, k):
    """Joints and tip of a chain in a plane at row k."""
    x, y, angle = [0.0], [0.0], 0.0
    for i, length in enumerate(lengths, 1):
        angle += columns[f"q.link{i}"][k]
        if f"q.link{i}.rz1" in columns:
            along, across = length, columns[f"q.link{i}.y1"][k]
            x.append(x[-1] + along * math.cos(angle) - across * math.sin(angle))
            y.append(y[-1] + along * math.sin(angle) + across * math.cos(angle))
            angle += columns[f"q.link{i}.rz1"][k]
        else:
            x.append(x[-1] + length * math.cos(angle))
            y.append(y[-1] + length * math.sin(angle))
    return x, y


def sticks(axes, columns, lengths, every):
    rows = range(0, len(columns["t"]), every)
    for k in rows:
        axes.plot(*links(columns, lengths, k), color=plt.cm.viridis(k / len(columns["t"])), lw=1)
    axes.set_aspect("equal")
    axes.set_xlabel("x in m")
    axes.set_ylabel("y in m")


def recovered(columns, masses, lengths, tip):
    """Torques of all joints from the angles alone: rods, differences of second order in time."""
    n, steps = len(lengths), len(columns["t"])
    h = columns["t"][1] - columns["t"][0]
    places = [list(zip(*links(columns, lengths, k))) for k in range(steps)]
    out = []
    for k in range(1, steps - 1):
        a = [[(places[k + 1][i][c] - 2 * places[k][i][c] + places[k - 1][i][c]) / h**2 for c in (0, 1)] for i in range(n + 1)]
        # nodal forces of rods, m/6 [2 1; 1 2], and the tip mass
        start = [[m / 6 * (2 * a[i][c] + a[i + 1][c]) for c in (0, 1)] for i, m in enumerate(masses)]
        end = [[m / 6 * (a[i][c] + 2 * a[i + 1][c]) for c in (0, 1)] for i, m in enumerate(masses)]
        end[-1] = [end[-1][c] + tip * a[n][c] for c in (0, 1)]
        torques, force, moment = [0.0] * n, [0.0, 0.0], 0.0
        for i in reversed(range(n)):
            (x, y), (x1, y1) = places[k][i], places[k][i + 1]
            beyond = [force[c] + end[i][c] for c in (0, 1)]
            moment += (x1 - x) * beyond[1] - (y1 - y) * beyond[0]
            force = [beyond[c] + start[i][c] for c in (0, 1)]
            torques[i] = moment
        out.append(torques)
    return columns["t"][1:-1], out


def save(figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def motion_figure(folder, name, columns, title):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
    sticks(left, columns, [0.25, 0.25], 10)
    left.set_title(title)
    right.plot(columns["t"], columns["u.link1"], label="J1")
    right.plot(columns["t"], [0.0] * len(columns["t"]), label="J2, without a drive")
    right.set_xlabel("t in s")
    right.set_ylabel("torque in N m")
    right.legend()
    save(figure, folder, name)


def moment_figure(folder, name, columns, masses, lengths, tip, every):
    times, torques = recovered(columns, masses, lengths, tip)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
    sticks(left, columns, lengths, every)
    right.plot(columns["t"], columns["u.link1"], label="moment that was applied")
    right.plot(times, [row[0] for row in torques], "--", label="J1, recovered from the angles")
    for i in range(1, len(lengths)):
        right.plot(times, [row[i] for row in torques], lw=0.8, color="gray", label="joints without a drive" if i == 1 else None)
    right.set_xlabel("t in s")
    right.set_ylabel("torque in N m")
    right.legend(fontsize=8)
    save(figure, folder, name)
    applied = dict(zip(columns["t"], columns["u.link1"]))
    peak = max(map(abs, columns["u.link1"]))
    error = max(abs(row[0] - applied[t]) for t, row in zip(times, torques)) / peak
    passive = max(abs(x) for row in torques for x in row[1:]) / peak
    print(f"{name}: J1 within {100 * error:.2f} % of the moment's peak, joints without a drive below {100 * passive:.2f} %")


def unrevised_figure(folder, chain):
    done = subprocess.run([chain, ROOT / "examples/isobe_two_joint.yaml"], capture_output=True, text=True, check=True)
    rows = [list(map(float, line.split(","))) for line in done.stdout.splitlines()[1:]]
    figure, axes = plt.subplots(figsize=(4.5, 3.6))
    for k in range(0, len(rows), 10):
        _, x1, y1, x2, y2 = rows[k]
        axes.plot([0, x1, x2], [0, y1, y2], color=plt.cm.viridis(k / len(rows)), lw=1)
    axes.set_aspect("equal")
    axes.set_xlabel("x in m")
    axes.set_ylabel("y in m")
    axes.set_title("no revision: link 2 lengthens")
    save(figure, folder, "parallel_fig4")
    longest = max(math.hypot(x2 - x1, y2 - y1) for _, x1, y1, x2, y2 in rows)
    print(f"parallel_fig4: link 2 of 0.25 m becomes {longest:.3f} m long")


if __name__ == "__main__":
    program, chain = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else ROOT / "docs/images")
    unrevised_figure(folder, chain)
    step = "method={parallel: {step: 0.01}}"
    motion_figure(folder, "parallel_fig6", table(program, "run", "isobe_two_joint", step), "link 1 vibrates")
    still = "method={parallel: {step: 0.01, deformation: false}}"
    motion_figure(folder, "parallel_fig7", table(program, "run", "isobe_two_joint", still), "link 1 follows as a rigid one")
    moment_figure(folder, "parallel_fig8", table(program, "simulate", "isobe_moment"), [9.75e-2] * 2, [0.25] * 2, 0.1, 10)
    moment_figure(folder, "parallel_fig9", table(program, "simulate", "isobe_eight_joint"), [4.95e-2] * 8, [0.1] * 8, 0.01, 20)
