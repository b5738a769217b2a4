"""Numbers and figures of docs/papers/isobe.md: python3 docs/scripts/isobe.py [--figures folder]"""
import pathlib
import subprocess
import tempfile

import numpy as np

from drawing import BLUE, EXAMPLES, GREY, RED, figures_folder, plt, save


def table(verb, example, *overrides):
    """Columns of the table that a job gives."""
    with tempfile.TemporaryDirectory() as folder:
        sets = [part for value in overrides for part in ("--set", value)]
        subprocess.run(["tauflex", verb, EXAMPLES / f"{example}.yaml", "-o", folder, *sets], capture_output=True, text=True, check=True)
        path = pathlib.Path(folder) / "trajectory.csv"
        names = path.read_text().split("\n", 1)[0].split(",")
        return dict(zip(names, np.loadtxt(path, delimiter=",", skiprows=1).T))


def against_inverse_dynamics(example):
    """P1: the recovery tau = L T P against recursive Newton-Euler, rigid links."""
    scheme, exact = table("invert", example), table("invert", example, "method={exact: {step: 0.001}}")
    drives = [name for name in scheme if name.startswith("u.")]
    peak = max(np.abs(exact[name]).max() for name in drives)
    worst = max(np.abs(scheme[name] - exact[name]).max() for name in drives) / peak
    print(f"{example}: torques by the parallel scheme against inverse dynamics, relative difference {worst:.1e}")


def places(columns, lengths):
    """Joints and tip of a chain in a plane: times x points x 2."""
    angles = np.cumsum([columns[f"q.link{i + 1}"] for i in range(len(lengths))], axis=0)
    steps = np.stack([np.array(lengths)[:, None] * np.cos(angles), np.array(lengths)[:, None] * np.sin(angles)], axis=-1)
    return np.concatenate([np.zeros((1, *steps.shape[1:])), np.cumsum(steps, axis=0)]).transpose(1, 0, 2)


def recovered(columns, mass, lengths, tip):
    """P6: torques of all joints from the angles alone. Rods with their consistent mass, differences of second order in time."""
    points, h = places(columns, lengths), columns["t"][1] - columns["t"][0]
    a = (points[2:] - 2 * points[1:-1] + points[:-2]) / h**2
    start, end = mass / 6 * (2 * a[:, :-1] + a[:, 1:]), mass / 6 * (a[:, :-1] + 2 * a[:, 1:])
    end[:, -1] += tip * a[:, -1]
    torques, force, moment = np.zeros((len(a), len(lengths))), np.zeros((len(a), 2)), np.zeros(len(a))
    for i in reversed(range(len(lengths))):
        arm, beyond = points[1:-1, i + 1] - points[1:-1, i], force + end[:, i]
        moment = moment + arm[:, 0] * beyond[:, 1] - arm[:, 1] * beyond[:, 0]
        force = beyond + start[:, i]
        torques[:, i] = moment
    return torques


def moment_and_back(example, mass, length, count, tip, step):
    """The moment at J1 from the angles of a forward run with steps of the paper; the same with half of them."""
    share = [recovery_error(example, mass, length, count, tip, h) for h in (step, step / 2)]
    print(f"{example}: moment at J1 recovered from the angles to {share[0][0]:.1f} % of its peak, joints without a drive below {share[0][1]:.1f} %; "
          f"with half the step {share[1][0]:.1f} % and {share[1][1]:.1f} %")
    return share[0][2:]


def recovery_error(example, mass, length, count, tip, step):
    columns = table("simulate", example, f"verification.plant.step={step}", f"simulation.rate={1 / step:g}")
    torques = recovered(columns, mass, [length] * count, tip)
    applied = columns["u.link1"][1:-1]
    peak = np.abs(applied).max()
    return 100 * np.abs(torques[:, 0] - applied).max() / peak, 100 * np.abs(torques[:, 1:]).max() / peak, columns, torques


def draw(folder, vibrating, still, two, eight):
    figure, axes = plt.subplots(1, 3, figsize=(9.5, 2.9))
    axes[0].plot(vibrating["t"], vibrating["u.link1"], color=RED, label="link 1 vibrates (Fig. 6)")
    axes[0].plot(still["t"], still["u.link1"], color=BLUE, label="without its vibration (Fig. 7)")
    for axis, (columns, torques), title in ((axes[1], two, "two joints (Fig. 8)"), (axes[2], eight, "eight joints (Fig. 9)")):
        axis.plot(columns["t"], columns["u.link1"], color=BLUE, label="moment at J1")
        axis.plot(columns["t"][1:-1], torques[:, 0], "--", color=RED, label="recovered")
        axis.plot(columns["t"][1:-1], torques[:, 1:], color=GREY, lw=0.6)
        axis.set_title(title)
    for axis in axes:
        axis.set(xlabel="time, s", ylabel="torque, N m")
        axis.legend(fontsize=6)
    save(figure, folder, "isobe")


if __name__ == "__main__":
    folder = figures_folder(__doc__)
    for example in ("isobe_3d", "isobe_branched", "isobe_closed_loop"):
        against_inverse_dynamics(example)
    rigid = table("invert", "isobe_two_joint_rigid", "method={parallel: {step: 0.001}}")
    print(f"rigid two joints: link 2 ends at {rigid['q.link1'][-1] + rigid['q.link2'][-1]:.6f} rad, peak torque of J1 {np.abs(rigid['u.link1']).max():.6f} N m")
    two = moment_and_back("isobe_moment", 9.75e-2, 0.25, 2, 0.1, 0.01)
    eight = moment_and_back("isobe_eight_joint", 4.95e-2, 0.1, 8, 0.01, 0.005)
    if folder:
        draw(folder, table("invert", "isobe_two_joint", "method={parallel: {step: 0.01}}"), table("invert", "isobe_two_joint", "method={parallel: {step: 0.01, deformation: false}}"), two, eight)
