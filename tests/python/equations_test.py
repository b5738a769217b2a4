"""Equations written in Python: derivatives and indices against known ones."""
import numpy as np
import pytest
import tauflex


def pendulum(t, x, xdot):
    px, py, vx, vy, force = x
    return [xdot[0] - vx, xdot[1] - vy, xdot[2] + force * px, xdot[3] + force * py + 9.81, px**2 + py**2 - 1]


def test_index_of_the_pendulum():
    dae = tauflex.Dae(pendulum, ["x", "y", "vx", "vy", "force"])
    x = np.array([0.6, -0.8, 0, 0, 0.8 * 9.81])
    xdot = np.array([0, 0, -x[4] * x[0], -x[4] * x[1] - 9.81, 0])
    index = dae.index(0, x, xdot)
    assert index["differential_index"] == 3 and index["strangeness_index"] == 2 and index["structural_index"] == 3
    assert len(index["differential"]) == 2 and index["differentiated"]["equation 5"] == 2


def test_functions_and_their_derivatives():
    def f(t, x, xdot):
        return [np.sin(x[0]) * tauflex.exp(-x[1]) / (1 + x[0] ** 2) - t,
                tauflex.sqrt(2 + tauflex.cos(x[1])) + tauflex.tanh(xdot[0]) - tauflex.log(3 + x[0]) ** 2 + x[1] ** -1 - xdot[1]]

    dae = tauflex.Dae(f, ["a", "b"])
    t, x, xdot = 0.7, np.array([0.3, 1.4]), np.array([0.2, -0.6])
    by_hand = [np.sin(0.3) * np.exp(-1.4) / (1 + 0.3**2) - t,
               np.sqrt(2 + np.cos(1.4)) + np.tanh(0.2) - np.log(3.3) ** 2 + 1 / 1.4 + 0.6]
    assert np.allclose(dae.residual(t, x, xdot), by_hand, rtol=1e-15, atol=1e-15)
    F_x, F_xdot = dae.jacobians(t, x, xdot)
    h = 1e-6
    for j, step in enumerate(h * np.eye(2)):
        assert np.allclose((dae.residual(t, x + step, xdot) - dae.residual(t, x - step, xdot)) / (2 * h), F_x[:, j], atol=1e-9)
        assert np.allclose((dae.residual(t, x, xdot + step) - dae.residual(t, x, xdot - step)) / (2 * h), F_xdot[:, j], atol=1e-9)


def test_what_cannot_be_recorded_is_said():
    with pytest.raises(TypeError, match="an `if` on it cannot be"):
        tauflex.Dae(lambda t, x, xdot: [x[0] if x[0] > 0 else xdot[0]], ["a"])
    with pytest.raises(tauflex.InputError, match="expected 2 equations for 2 unknowns, got 1"):
        tauflex.Dae(lambda t, x, xdot: [x[0]], ["a", "b"])


def test_a_pendulum_swings_as_its_angle_does():
    """Index 3, through poses where x and where y can be chosen freely; against the angle's equation of motion."""
    from scipy.integrate import solve_ivp

    times = np.linspace(0, 3, 61)
    solution = tauflex.Dae(pendulum, ["x", "y", "vx", "vy", "force"]).solve(times, [1, 0, 0, 0, 0])
    angle = solve_ivp(lambda t, z: [z[1], -9.81 * np.sin(z[0])], (0, 3), [np.pi / 2, 0], t_eval=times, rtol=1e-13, atol=1e-13, method="DOP853").y
    assert solution.success and solution.index == 3
    assert np.abs(solution["x"] - np.sin(angle[0])).max() < 1e-11  # tolerance 1e-12 of the finer run, 492 steps
    assert np.abs(solution["force"] - (angle[1] ** 2 + 9.81 * np.cos(angle[0]))).max() < 1e-10  # the same times 9.81
    assert solution.error.max() < 1e-10 and (solution.error > 0).all()
    assert np.abs(solution.xdot[:, 0] - solution["vx"]).max() < 1e-11


def test_a_guess_becomes_a_start():
    """Only the differential variables of the start are taken as they are."""
    dae = tauflex.Dae(lambda t, x, xdot: [xdot[0] - x[1], x[1] ** 3 + x[0] - 9], ["a", "b"])
    solution = dae.solve([0, 0.1], [1, 1.5])
    assert solution.x[0] == pytest.approx([1, 2], rel=1e-12) and solution.index == 1


def test_what_the_path_asks_for():
    """Closed form: a mass behind a spring follows sin(t); its force is algebraic, nothing is left to choose, index 5."""
    def cars(t, x, xdot):
        front, v_front, rear, v_rear, force = x
        return [xdot[0] - v_front, xdot[1] - 4 * (rear - front), xdot[2] - v_rear, xdot[3] + 4 * (rear - front) - force, front - tauflex.sin(t)]

    times = np.linspace(0, 2, 9)
    solution = tauflex.Dae(cars, ["front", "v_front", "rear", "v_rear", "force"]).solve(times, np.zeros(5))
    assert solution.index == 5
    assert np.abs(solution["rear"] - 0.75 * np.sin(times)).max() < 1e-12  # rounding of the array
    assert np.abs(solution["force"] + 1.75 * np.sin(times)).max() < 1e-11  # four derivatives later


def test_equations_that_cannot_be_solved_say_why():
    with pytest.raises(tauflex.ProblemError, match="ranks of Hypothesis 1"):
        tauflex.Dae(lambda t, x, xdot: [x[0] - x[1], x[0] - x[1]], ["a", "b"]).solve([0, 1], [0, 0])
    one = tauflex.Dae(lambda t, x, xdot: [xdot[0] + 1e6 * (x[0] - tauflex.cos(t))], ["a"])
    stiff = one.solve([0, 1], [1], max_steps=100)
    assert not stiff.success and "the equations may be stiff" in stiff.message
    for times, options, part in (([0], {}, "expected 2 to"), ([0, 0], {}, "times must increase"), ([0, 1], {"order": 99}, "solve: order: must be 0 to 12"), ([0, 1], {"order": 9, "method": "bdf"}, "solve.order: must be 1 to 6 for bdf")):
        with pytest.raises(tauflex.InputError, match=part):
            one.solve(times, [1], **options)
    with pytest.raises(tauflex.InputError, match="x: expected 1 numbers, got 2"):
        one.solve([0, 1], [1, 2])


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_order_of_differences_on_a_pendulum(order):
    """Order of convergence, at index 3 and from a start that is not at rest."""
    dae = tauflex.Dae(pendulum, ["x", "y", "vx", "vy", "force"])
    start, times = [0.6, -0.8, 1.6, 1.2, 0], np.linspace(0, 0.5, 6)
    exact = dae.solve(times, start).x
    errors = [np.abs(dae.solve(times, start, method="bdf", order=order, step=step).x[:, :4] - exact[:, :4]).max() for step in (0.01, 0.005, 0.0025)]
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (rates > order - 0.3).all() and (rates < order + 1.2).all(), (errors, rates)


def test_stiff_equations_by_differences():
    """Closed form: x = cos t at a rate of 1e6 per second; the series needs steps of a microsecond, differences do not."""
    def stiff(t, x, xdot):
        return [xdot[0] + 1e6 * (x[0] - tauflex.cos(t)) + tauflex.sin(t)]

    times = np.linspace(0, 2, 5)
    solution = tauflex.Dae(stiff, ["x"]).solve(times, [1], method="bdf", step=0.01)
    assert solution.success and solution.steps == 400  # half the step
    assert np.abs(solution["x"] - np.cos(times)).max() < 1e-11  # 1e-6 of the difference formula's 1e-7 error in x'
