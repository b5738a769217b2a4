#!/usr/bin/env python3
"""Draws what benchmarks/accuracy_benchmark printed: plot_accuracy.py accuracy.csv accuracy.svg"""
import csv
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams["svg.hashsalt"] = "tauflex"
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row["error"]]
robots = list(dict.fromkeys(row["robot"] for row in rows))
figure, panels = plt.subplots(1, len(robots), figsize=(4 * len(robots), 3.8), sharey=True)
for panel, robot in zip(panels, robots):
    for method in dict.fromkeys(row["method"] for row in rows if row["robot"] == robot):
        points = [(float(r["seconds"]) * 1e3, float(r["error"])) for r in rows if r["robot"] == robot and r["method"] == method]
        style = {"jets": dict(color="#c0392b", linewidth=2.2, marker="o"), "variable_step": dict(color="#2471a3", marker="s")}
        grey = dict(color=str(0.75 - 0.1 * int(method[-1])) if method.startswith("bdf") else "black", marker=".")
        panel.loglog(*zip(*points), label=method.replace("_", " "), markersize=4, **style.get(method, grey))
    panel.set_title(robot.replace("_", " "))
    panel.set_xlabel("time, ms")
    panel.grid(alpha=0.3)
panels[0].set_ylabel("largest error of u / peak")
panels[-1].legend(fontsize=7)
figure.tight_layout()
figure.savefig(sys.argv[2], metadata={"Date": None})
