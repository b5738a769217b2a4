"""Numbers and figures of docs/papers/two_bars.md: python3 docs/scripts/two_bars.py [--figures folder]"""
import numpy as np

import tauflex
from drawing import BLUE, EXAMPLES, RED, figures_folder, plt, save

m2, m3, J2, J3 = 4, 2.5, 0.12, 0.05  # kg, kg m^2
d2, a2, a3, r3, g = 0.6, 0.3, 0.22, 0.5, 9.81  # m: AB, AG2, BG3, BC


def lagrange(theta, rate, acceleration):
    """T1on2 and T2on3, the closed form of the notes; theta3 is relative to theta2."""
    c3, s3 = np.cos(theta[1]), np.sin(theta[1])
    JB = m3 * a3**2 + J3
    JA = JB + m2 * a2**2 + m3 * d2**2 + J2 + 2 * m3 * d2 * a3 * c3
    C, D = JB + m3 * d2 * a3 * c3, m3 * d2 * a3 * s3
    G2, G3 = (m2 * a2 + m3 * d2) * g * np.cos(theta[0]), m3 * a3 * g * np.cos(theta[0] + theta[1])
    return np.array([[JA, C], [C, JB]]) @ acceleration + [-D * rate[1]**2 - 2 * D * rate[0] * rate[1] + G2 + G3, D * rate[0]**2 + G3]


def newton(theta, rate, acceleration):
    """F1on2 x, y, T1on2, F2on3 x, y, T2on3 from the free bodies: the distribution matrix of the notes."""
    p2, p3, w2, w3 = theta[0], sum(theta), rate[0], sum(rate)
    e2, e3 = acceleration[0], sum(acceleration)
    along, across = (lambda p: np.array([np.cos(p), np.sin(p)])), (lambda p: np.array([-np.sin(p), np.cos(p)]))
    moved = lambda r, p, w, e: r * (e * across(p) - w**2 * along(p))
    G2, G3 = moved(a2, p2, w2, e2), moved(d2, p2, w2, e2) + moved(a3, p3, w3, e3)
    A, B, B3 = -a2 * along(p2), (d2 - a2) * along(p2), -a3 * along(p3)
    matrix = np.array([[1, 0, 0, -1, 0, 0], [0, 1, 0, 0, -1, 0], [-A[1], A[0], 1, B[1], -B[0], -1],
                       [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, -B3[1], B3[0], 1]])
    return np.linalg.solve(matrix, [m2 * G2[0], m2 * (G2[1] + g), J2 * e2, m3 * G3[0], m3 * (G3[1] + g), J3 * e3])


def three_routes(name):
    """tauflex against Lagrange and Newton along a motion."""
    result = tauflex.solve(EXAMPLES / f"{name}.yaml")
    columns = result.columns()
    reactions = np.column_stack([columns[f"r.{bar}.{axis}"] for bar in ("bar2", "bar3") for axis in ("fx", "fy", "mz")])
    states = list(zip(result.q, result.v, result.a))
    T, F = np.array([lagrange(*state) for state in states]), np.array([newton(*state) for state in states])
    torque, force = np.abs(result.u).max(), (m2 + m3) * g
    print(f"{name}: torques against Lagrange {np.abs(result.u - T).max() / torque:.1e}, against Newton {np.abs(result.u - F[:, [2, 5]]).max() / torque:.1e}, "
          f"joint forces against Newton {np.abs(reactions - F)[:, [0, 1, 3, 4]].max() / force:.1e} (relative)")
    return result


def absolute_coordinates(tree):
    """The DAE in absolute coordinates, the tool driven: its multiplier is the force at the tool, which the Jacobian maps to torques."""
    absolute = tauflex.solve(EXAMPLES / "anthropomorphic_absolute.yaml")
    rows = absolute.columns()
    # The tool carries the bars instead of the motors: the same motion, so forces at the tool and torques do the same work.
    r2, theta2, theta3 = d2, tree.q[:, 0], tree.q[:, 1]
    Jx = np.column_stack([-r2 * np.sin(theta2) - r3 * np.sin(theta2 + theta3), -r3 * np.sin(theta2 + theta3)])
    Jy = np.column_stack([r2 * np.cos(theta2) + r3 * np.cos(theta2 + theta3), r3 * np.cos(theta2 + theta3)])  # the "+" that the print misses
    wrong = np.column_stack([r2 * np.cos(theta2) * r3 * np.cos(theta2 + theta3), r3 * np.cos(theta2 + theta3)])
    fx, fy = rows["lambda.drive.x"], rows["lambda.drive.y"]
    mapped = Jx * fx[:, None] + Jy * fy[:, None]
    misprinted = Jx * fx[:, None] + wrong * fy[:, None]
    torque = np.abs(tree.u).max()
    print(f"straight line in absolute coordinates: torques from the force at the tool {np.abs(mapped - tree.u).max() / torque:.1e}, "
          f"with the Jacobian as printed {np.abs(misprinted - tree.u).max() / torque:.2g} (relative)")


def draw(folder, joint, line):
    figure, axes = plt.subplots(1, 3, figsize=(9, 2.8))
    for result, style, label in ((joint, "-", "joint interpolated"), (line, "--", "straight line")):
        axes[0].plot(result.t, result.u[:, 0], style, color=BLUE, label=f"T1on2, {label}")
        axes[0].plot(result.t, result.u[:, 1], style, color=RED, label=f"T2on3, {label}")
        theta2, theta3 = result.q[:, 0], result.q[:, 1]
        axes[1].plot(d2 * np.cos(theta2) + r3 * np.cos(theta2 + theta3), d2 * np.sin(theta2) + r3 * np.sin(theta2 + theta3), style, label=label)
    axes[0].set(xlabel="time, s", ylabel="driver torques, N m")
    axes[1].set(xlabel="x, m", ylabel="y, m", aspect="equal", title="path of C")
    pendulum = tauflex.simulate(EXAMPLES / "driven_pendulum.yaml")
    axes[2].plot(pendulum.t, pendulum["lambda.driver"])
    axes[2].set(xlabel="time, s", ylabel="driver's torque, N m", title="driven pendulum")
    for axis in axes[:2]:
        axis.legend(fontsize=6)
    save(figure, folder, "two_bars")


if __name__ == "__main__":
    folder = figures_folder(__doc__)
    joint = three_routes("anthropomorphic_joint")
    line = three_routes("anthropomorphic_line")
    absolute_coordinates(line)
    if folder:
        draw(folder, joint, line)
