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
