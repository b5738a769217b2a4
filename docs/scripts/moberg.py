"""Numbers and figures of docs/papers/moberg.md: python3 docs/scripts/moberg.py [--figures folder]"""
import numpy as np

import tauflex
from drawing import BLUE, EXAMPLES, GREY, RED, figures_folder, plt, save

E1, E12 = EXAMPLES / "e1_simplified.yaml", EXAMPLES / "e12.yaml"


def printed_mass_matrix(q2, q3):
    """M of E12 as the paper prints it (after (28)), with Table 1."""
    m2, m3, j1, j2, j3 = 100, 200, 5, 5, 50
    x1, x2, x3, l1, l2, m1 = 0.5, 0.5, 0.1, 1, 1, 100
    s2, c2, s3, c3 = np.sin(q2), np.cos(q2), np.sin(q3), np.cos(q3)
    a, b, e = s3 * c2 * l1 + s3 * l2 + c3 * s2 * l1, -x3 + s3 * s2 * l1 - c3 * c2 * l1 - c3 * l2, -c2 * l1 - x2
    M = np.zeros((3, 3))
    M[0, 0] = x1**2 * m1 + s2**2 * l1**2 * m2 - e * m2 * (c2 * l1 + x2) + j1 + a * m3 * a + j2 + b * m3 * b + j3
    M[0, 1] = M[1, 0] = j3 + j2 - e * m2 * x2 + a * m3 * s3 * l2 - b * m3 * (c3 * l2 + x3)
    M[0, 2] = M[2, 0] = j3 - b * m3 * x3
    M[1, 1] = x2**2 * m2 + (x3 + c3 * l2) * m3 * (c3 * l2 + x3) + j2 + s3**2 * l2**2 * m3 + j3
    M[1, 2] = M[2, 1] = j3 + (x3 + c3 * l2) * m3 * x3
    M[2, 2] = x3**2 * m3 + j3
    return M


def printed_bias(q, v, g=9.81):
    """Velocity and gravity terms of E12, gamma_11, gamma_12 and gamma_21 of the paper without their springs and dampers."""
    m1, m2, m3, x1, x2, x3, l1, l2 = 100, 100, 200, 0.5, 0.5, 0.1, 1, 1
    (q1, q2, q3), (v1, v2, v3) = q, v
    s1, c1, s2, c2, s3, c3 = np.sin(q1), np.cos(q1), np.sin(q2), np.cos(q2), np.sin(q3), np.cos(q3)
    a, b = s3 * c2 * l1 + s3 * l2 + c3 * s2 * l1, -x3 + s3 * s2 * l1 - c3 * c2 * l1 - c3 * l2
    along = (2 * v1 * v2 * x3 + 2 * v3 * v1 * x3 + v1**2 * x3 + v3**2 * x3 + 2 * v3 * v2 * x3 - s3 * s2 * v1**2 * l1 + 2 * c3 * v1 * v2 * l2 + c3 * v2**2 * l2
             + v2**2 * x3 + c3 * v1**2 * l2 + c3 * c2 * v1**2 * l1)
    across = c3 * s2 * v1**2 * l1 + s3 * c2 * v1**2 * l1 + 2 * s3 * v1 * v2 * l2 + s3 * v2**2 * l2 + s3 * v1**2 * l2
    s12, c12 = -s1 * c2 - c1 * s2, c1 * c2 - s1 * s2
    down, side = s12 * c3 - c12 * s3, s12 * s3 + c12 * c3
    first = (s2 * l1 * m2 * (v2**2 * x2 + c2 * v1**2 * l1 + 2 * v1 * v2 * x2 + v1**2 * x2) + (-c2 * l1 - x2) * m2 * s2 * v1**2 * l1 + a * m3 * along + b * m3 * across
             + x1 * c1 * m1 * g - s2 * l1 * s12 * m2 * g - (-c2 * l1 - x2) * c12 * m2 * g - a * down * m3 * g - b * side * m3 * g)
    second = (-x2 * m2 * s2 * v1**2 * l1 + s3 * l2 * m3 * along + (-x3 - c3 * l2) * m3 * across + x2 * c12 * m2 * g - s3 * l2 * down * m3 * g - (-x3 - c3 * l2) * side * m3 * g)
    third = -x3 * m3 * across + x3 * side * m3 * g
    return -np.array([first, second, third])


def check_printed_equations():
    robot, random = tauflex.load(E12), np.random.default_rng(1)
    mass = bias = 0
    for _ in range(50):
        q, v = random.uniform(-2, 2, 3), random.uniform(-3, 3, 3)
        M, h = robot.mass_matrix(q)[:3, :3], robot.rnea(q, v, np.zeros(3))
        h[2] -= 1e5 * q[2] + 50 * v[2]  # rnea has the spring of the hand
        mass = max(mass, np.abs(M - printed_mass_matrix(q[1], q[2])).max() / np.abs(M).max())
        bias = max(bias, np.abs(h - printed_bias(q, v)).max() / np.abs(h).max())
    print(f"E12 mass matrix as printed against tauflex, 50 random poses: relative difference {mass:.1e}")
    print(f"E12 velocity and gravity terms as printed against tauflex: relative difference {bias:.1e}")


def e1_numbers():
    M = tauflex.load(E1).mass_matrix(np.array([np.pi / 4, 0]))
    print(f"E1 inertias J11 {M[0, 0]:.6g}, J12 {M[0, 1]:.6g}, J22 {M[1, 1]:.6g} kg m^2")
    result = tauflex.solve(E1, set={"method": {"jets": {"step": 1e-4}}})
    u = result.u[:, 0]
    printed = u - 1e6 * result.q[:, 1] - 1000 * result.v[:, 1]  # (16a) adds the passive spring to the motor's row
    print(f"E1 peak torque {np.abs(u).max():.0f} N m; with row (16a) as printed {np.abs(printed).max():.0f} N m")
    return result


def e12_numbers():
    result = tauflex.solve(E12)
    times = np.arange(0, 0.3 + 1e-9, 1e-5)
    peaks = np.abs(result.at(times)["u"]).max(axis=0)
    without = np.abs(tauflex.solve(E12, set={"robot.gravity": [0, 0, 0]}).at(times)["u"]).max(axis=0)
    print(f"E12 start q1 {result.q[0, 0]:.8f}, q2 {result.q[0, 1]:.8f}, q3 {result.q[0, 2]:.8f} rad")
    print(f"E12 peak torques {peaks[0]:.0f} and {peaks[1]:.0f} N m; without gravity {without[0]:.0f} and {without[1]:.0f} N m")
    print(f"E12 largest deflection of the hand {np.abs(result.q[:, 2]).max():.3f} rad")
    return result


def bdf_orders(exact):
    """Error of u at t >= 30 ms for every order of the backward differences, at two steps."""
    rows = []
    for order, step in ((1, 2.5e-4), (2, 5e-4), (3, 2e-3), (4, 2e-3), (5, 2e-3), (6, 2.5e-3)):
        errors = []
        for h in (step, step / 2):
            result = tauflex.solve(E12, set={"method": {"bdf": {"order": order, "step": h}}})
            late = result.t >= 0.03
            errors.append(np.abs(result.u[late] - exact.at(result.t[late])["u"]).max())
        rows.append((order, step, *errors))
        print(f"BDF of order {order}: error of u {errors[0]:.3g} N m at {step * 1e3:.3g} ms and {errors[1]:.3g} N m at half of it, measured order {np.log2(errors[0] / errors[1]):.2f}")
    return rows


def simulated(job, **changes):
    return tauflex.run(job, set={"verification.torque": "linear", "rigid": False, **changes})


def draw_e1(folder):
    figure, axes = plt.subplots(1, 3, figsize=(9, 2.8))
    for order, step, label, style in ((4, 1e-4, "reference", "-"), (1, 1e-2, "1-step BDF, 10 ms", "--"), (1, 1e-3, "1-step BDF, 1 ms", ":")):
        result = simulated(E1, **{"method": {"bdf": {"order": order, "step": step}}, "task.hold": {"after": 0.4}, "verification.tolerance": 0.5, "columns": ["tool"]})
        run = result.simulated()
        axes[0].plot(result.t, result.u[:, 0] / 1e3, style, label=label)
        axes[1].plot(run["t"], run["y.tool.z"] * 1e3, style)
        axes[2].plot(run["t"], run["tool_error"] * 1e3, style)
    axes[0].set(xlabel="time, s", ylabel="u, kN m", xlim=(0, 0.12))
    axes[1].set(xlabel="time, s", ylabel="z of the simulated tool, mm")
    axes[2].set(xlabel="time, s", ylabel="tool error, mm")
    axes[0].legend(fontsize=6)
    save(figure, folder, "moberg_e1")


def complete_e1():
    """Complete E1, and simplified E1 with the same data."""
    same = {"robot.links.fore.spring": {"stiffness": 1e5, "damping": 200}, "robot.frames.tool.at": [0.8, 0, 0],
            "task.path.line": {"from": [1.8 * np.sqrt(0.5)], "to": [1.8 * np.sqrt(0.5) + 0.1]}}
    complete, simplified = tauflex.solve(EXAMPLES / "e1_complete.yaml"), tauflex.solve(E1, set=same)
    print(f"E1 complete against simplified: torques differ by {np.abs(complete.u - simplified.u).max() / np.abs(complete.u).max() * 100:.1f} % of the peak")
    return complete, simplified


def draw_path_and_complete_e1(folder, complete, simplified):
    """The degree-11 path with its derivatives (Fig. 5), and complete against simplified E1 (Fig. 12, 13)."""
    figure, axes = plt.subplots(1, 3, figsize=(9, 2.8))
    speed = np.polynomial.Polynomial([0, 1]) ** 5 * np.polynomial.Polynomial([1, -1]) ** 5
    path, x = speed.integ() / speed.integ()(1), np.linspace(0, 1, 400)
    for order in range(6):
        values = (path.deriv(order) if order else path)(x)
        axes[0].plot(x, values / np.abs(values).max(), label=f"derivative {order}" if order else "path")
    axes[0].set(xlabel="t / duration", ylabel="over its largest value", title="path (Fig. 5)")
    axes[0].legend(fontsize=5)
    for result, style, label in ((complete, "-", "complete"), (simplified, "--", "simplified")):
        axes[1].plot(result.t, result.u[:, 0] / 1e3, style, label=label)
        axes[2].plot(result.t, result.q[:, 1], style, label=label)
    axes[1].set(xlabel="time, s", ylabel="u, kN m", title="E1 (Fig. 12)")
    axes[2].set(xlabel="time, s", ylabel="deflection q2, rad")
    axes[1].legend(fontsize=7)
    save(figure, folder, "moberg_path")


def draw_e12(folder, result):
    figure, axes = plt.subplots(2, 2, figsize=(9, 5))
    for i, name in enumerate(result.coordinates):
        axes[0, 0].plot(result.t, result.q[:, i], label=name)
    for i, name in enumerate(result.drives):
        axes[0, 1].plot(result.t, result.u[:, i] / 1e3, label=name)
    axes[0, 0].set(ylabel="positions, rad", title="states (Fig. 15)")
    axes[0, 1].set(ylabel="motor torques, kN m", title="control signal (Fig. 16)")
    for axis in axes[0]:
        axis.legend(fontsize=6)
        axis.set_xlabel("time, s")
    for order, step, colour in ((6, 5e-3, RED), (6, 1e-3, BLUE)):
        run = simulated(E12, **{"method": {"bdf": {"order": order, "step": step}}, "verification.tolerance": 0.5}).simulated()
        axes[1, 0].semilogy(run["t"], np.maximum(run["tool_error"] * 1e3, 1e-7), color=colour, label=f"{order}-step BDF, {step * 1e3:g} ms")
    proof = tauflex.run(E12, set={"verification.torque": "exact", "rigid": False}).simulated()
    axes[1, 0].semilogy(proof["t"], np.maximum(proof["tool_error"] * 1e3, 1e-7), color="black", label="jets, exact torque")
    axes[1, 0].set(xlabel="time, s", ylabel="tool error, mm", title="simulated with the torques (Fig. 17, 18)")
    axes[1, 0].legend(fontsize=6)
    for k in np.linspace(0, len(result.t) - 1, 7).astype(int):
        angles = np.cumsum(result.q[k, :3])
        points = np.vstack([[0, 0], np.cumsum(np.column_stack([np.cos(angles), -np.sin(angles)]) * [[1], [1], [0.2]], axis=0)])
        axes[1, 1].plot(*points.T, "-o", color=BLUE, alpha=0.25 + 0.75 * k / len(result.t), markersize=2)
    axes[1, 1].plot([2.146, 1.146], [-0.345, 1.645], ":", color=RED)
    axes[1, 1].set(xlabel="x, m", ylabel="z, m", aspect="equal", title="snapshots (Fig. 14)")
    save(figure, folder, "moberg_e12")


def draw_nonminimum(folder):
    result = tauflex.solve(EXAMPLES / "e12_nonminimum.yaml")
    figure, axes = plt.subplots(figsize=(6, 2.8))
    for i, name in enumerate(result.drives):
        axes.plot(result.t, result.u[:, i] / 1e3, label=name)
    axes.axvspan(0, 0.3, color=GREY, alpha=0.15, label="the path")
    axes.set(xlabel="time, s", ylabel="motor torques, kN m")
    axes.legend(fontsize=7)
    save(figure, folder, "moberg_nonminimum")


if __name__ == "__main__":
    folder = figures_folder(__doc__)
    check_printed_equations()
    e1_numbers()
    complete, simplified = complete_e1()
    exact = e12_numbers()
    bdf_orders(exact)
    if folder:
        draw_path_and_complete_e1(folder, complete, simplified)
        draw_e1(folder)
        draw_e12(folder, exact)
        draw_nonminimum(folder)
