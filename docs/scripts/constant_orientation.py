"""Numbers and figure of docs/papers/constant_orientation.md: python3 docs/scripts/constant_orientation.py [--figures folder]"""
import numpy as np

import tauflex
from drawing import BLUE, EXAMPLES, RED, figures_folder, plt, save

JOB = EXAMPLES / "constant_orientation.yaml"
m1, l1, d1, I1, m2, d2, I2, g0, beta = 5, 0.5, 0.25, 0.15, 3, 0.2, 0.06, 9.81, 0.6
a2, a3 = m2 * l1 * d2, I2 + m2 * d2**2
a1 = I1 + m1 * d1**2 + m2 * l1**2 + a3
a4, a5 = (m1 * d1 + m2 * l1) * g0, m2 * d2 * g0


def torques(q, v, wanted, force):
    """(9) of the solution, for any multiplier `force` instead of 0."""
    u1 = (a3 - a1 - a2 * np.cos(q[1])) * wanted - a2 * np.sin(q[1]) * v[0] * v[1] + a4 * np.sin(q[0]) + a5 * np.sin(beta) - force
    return np.array([u1, u1 + (a1 - a3) * wanted - a4 * np.sin(q[0]) + 0 * force])


def against_closed_form(force):
    result = tauflex.solve(JOB, set={"task.path.line": {"from": [0.2, force], "to": [1.4, force]}})
    expected = np.array([torques(q, v, a[1], force) for q, v, a in zip(result.q, result.v, result.a)])
    print(f"multiplier {force} N m: torques against (9) {np.abs(result.u - expected).max() / np.abs(expected).max():.1e} (relative)")
    return result


def simulated():
    """The forward run under arbitrary torques against (7) and (8)."""
    run = tauflex.simulate(JOB, set={"simulation": {"duration": 5, "start": {"q": {"upper": 0.4, "fore": 0.2}},
                                                    "torques": {"upper": 3, "fore": {"sine": {"center": 1, "amplitude": 4, "frequency": 0.7}}}}})
    q1, q2, v1, v2, u1, u2 = (run[name] for name in ("q.upper", "q.fore", "v.upper", "v.fore", "u.upper", "u.fore"))
    vdot = (u2 - u1 + a4 * np.sin(q1)) / (a1 - a3)
    multiplier = (a3 - a1 - a2 * np.cos(q2)) * vdot - a2 * np.sin(q2) * v1 * v2 + a4 * np.sin(q1) + a5 * np.sin(beta) - u1
    print(f"arbitrary torques for 5 s: q1 + q2 - beta within {np.abs(q1 + q2 - beta).max():.1e} rad, multiplier against (8) {np.abs(run['lambda.level'] - multiplier).max():.1e} N m")
    slope = np.gradient(v2, run.t, edge_order=2)
    print(f"acceleration of q2 against (7) {np.abs(slope - vdot)[2:-2].max() / np.abs(vdot).max():.1e} (relative; central differences of the table)")
    return run


def static_torques():
    found = tauflex.check(JOB, set={"task.outputs": ["fore"], "task.path": {"line": {"from": [0.2], "to": [1.4]}, "duration": 1}})["diagnosis"]
    held, null = np.array(found["holding_torques"]), np.array(found["torque_null_space"][0])
    print(f"static torques: least {held[0]:.4f} and {held[1]:.4f} N m, and any multiple of ({null[0]:.4f}, {null[1]:.4f})")
    print(f"u1 - u2 of all of them {held[0] - held[1]:.6f} N m, a4 sin q1 {a4 * np.sin(0.4):.6f} N m")
    without = tauflex.solve(JOB).u[0]
    print(f"without a force in the constraint {without[0]:.4f} and {without[1]:.4f} N m, g(q) {a4 * np.sin(0.4) + a5 * np.sin(beta):.4f} and {a5 * np.sin(beta):.4f} N m")


if __name__ == "__main__":
    folder = figures_folder(__doc__)
    print(f"pseudo-inertia a1 - a3 {a1 - a3:.6g} kg m^2")
    free, pressing = against_closed_form(0), against_closed_form(5)
    static_torques()
    run = simulated()
    if folder:
        figure, axes = plt.subplots(1, 2, figsize=(8, 2.8))
        for result, style, label in ((free, "-", "0"), (pressing, "--", "5 N m")):
            axes[0].plot(result.t, result.u[:, 0], style, color=BLUE, label=f"u1, multiplier {label}")
            axes[0].plot(result.t, result.u[:, 1], style, color=RED, label=f"u2, multiplier {label}")
        axes[0].set(xlabel="time, s", ylabel="torques, N m")
        axes[0].legend(fontsize=7)
        axes[1].plot(run.t, run["q.upper"], color=BLUE, label="q1")
        axes[1].plot(run.t, run["q.fore"], color=RED, label="q2")
        axes[1].plot(run.t, run["q.upper"] + run["q.fore"], "k:", label="q1 + q2")
        axes[1].set(xlabel="time, s", ylabel="rad", title="arbitrary torques")
        axes[1].legend(fontsize=7)
        save(figure, folder, "constant_orientation")
