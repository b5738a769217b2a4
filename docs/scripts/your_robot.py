"""Figures of docs/your_robot.md: sides of the gear, postures, the first run."""
import pathlib
import re
import subprocess
import tempfile

import numpy as np

import tauflex
from drawing import BLUE, EXAMPLES, GREY, RED, ROOT, figures_folder, plt, save


def job_file(folder):
    """The job of the page, beside its URDF file."""
    text = re.search(r"```yaml\n(# arm.yaml\n.*?)```", (ROOT / "docs/your_robot.md").read_text(), re.S)[1]
    (folder / "six_axis.urdf").write_text((EXAMPLES / "six_axis.urdf").read_text())
    (folder / "arm.yaml").write_text(text)
    return folder / "arm.yaml"


def gear_sides(folder):
    figure, axes = plt.subplots(figsize=(7, 2.6))
    axes.set(xlim=(0, 10), ylim=(0, 3.6))
    axes.axis("off")
    parts = [(0.3, 1.5, "rotor", "#d6eaf8"), (2.9, 1.3, "gear\nn : 1", "#eaeded"), (7.9, 1.8, "link", "#fadbd8")]
    for x, width, name, colour in parts:
        axes.add_patch(plt.Rectangle((x, 1.3), width, 1.1, facecolor=colour, edgecolor="black"))
        axes.text(x + width / 2, 1.85, name, ha="center", va="center")
    axes.plot([1.8, 2.9], [1.85, 1.85], "k", lw=3)
    zigzag = np.linspace(4.2, 7.9, 15)
    axes.plot(zigzag, 1.85 + 0.25 * np.array([0, 0] + [(-1) ** k for k in range(11)] + [0, 0]), color=RED, lw=1.8)
    axes.text(6.05, 2.3, "gear spring", ha="center", color=RED)
    axes.text(1.9, 3.25, "motor side", ha="center", weight="bold")
    axes.text(7.2, 3.25, "joint side", ha="center", weight="bold")
    axes.plot([3.55, 3.55], [0.4, 3.5], color=GREY, ls=":")
    axes.text(1.75, 0.65, "rotor_inertia, friction, coulomb,\nlimits, torque u, q.<joint>.rotor", ha="center", va="center", family="monospace", fontsize=8)
    axes.text(7.2, 0.65, "stiffness, damping, hardening,\nq.<joint>, range", ha="center", va="center", family="monospace", fontsize=8)
    axes.text(5.1, 0.05, "the same spring at the motor: stiffness / n$^2$; the same inertia at the joint: rotor_inertia n$^2$", ha="center", fontsize=8, color=GREY)
    save(figure, folder, "gear_sides")


def postures_within_ranges(job):
    """Names and joint angles of the start's postures that lie within the ranges."""
    text = subprocess.run(["tauflex", "check", job, "--poses"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^  \d+  (.*)\n     (axis1 .*)\n(.*)$", text, re.M)
    return [(name, [float(part.split()[1]) for part in joints.split(", ")]) for name, joints, place in found if "OUTSIDE" not in place]


def postures(folder, job):
    robot = tauflex.Job(job).robot
    frames = [name for name in robot.links if name != "foot"] + ["tool"]
    found = postures_within_ranges(job)
    figure = plt.figure(figsize=(8, 2.6))
    for i, (name, q) in enumerate(found):
        axes = figure.add_subplot(1, len(found), i + 1, projection="3d")
        points = np.array([[0, 0, 0]] + [robot.frame(frame, q)[0] for frame in frames])
        axes.plot(*points.T, "-o", color=BLUE, markersize=3)
        axes.plot([1.6, 1.6], [-0.25, 0.25], [1.2, 1.2], color=RED)
        axes.set(xlim=(-1, 1.8), ylim=(-1.4, 1.4), zlim=(0, 2.4))
        axes.set_title(name.replace(", ", "\n"), fontsize=7)
        axes.tick_params(labelsize=5, pad=-3)
        axes.view_init(18, -65)
    save(figure, folder, "postures")


def first_run(folder, job):
    result = tauflex.run(job)
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
    for i, drive in enumerate(result.drives):
        left.plot(result.t, result.u[:, i], label=drive)
    left.set(xlabel="time, s", ylabel="motor torque, N m")
    left.legend(fontsize=7)
    simulated = result.simulated()
    right.semilogy(simulated["t"], np.maximum(simulated["tool_error"], 1e-10) * 1e3, color=BLUE, label="these torques")
    right.axhline(result.record["rigid"]["max_tool_error_m"] * 1e3, color=RED, ls="--", label="largest error with torques of the rigid robot")
    right.set(xlabel="time, s", ylabel="tool error, mm")
    right.legend(fontsize=7)
    save(figure, folder, "first_run")


if __name__ == "__main__":
    folder = figures_folder(__doc__)
    if folder:
        with tempfile.TemporaryDirectory() as work:
            job = job_file(pathlib.Path(work))
            gear_sides(folder)
            postures(folder, job)
            first_run(folder, job)
