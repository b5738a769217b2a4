"""Your own equations F(t, x, x') = 0, written as a Python function.

    def pendulum(t, x, xdot):
        px, py, vx, vy, force = x
        return [xdot[0] - vx,
                xdot[1] - vy,
                xdot[2] + force * px,
                xdot[3] + force * py + 9.81,
                px**2 + py**2 - 1]

    dae = tauflex.Dae(pendulum, ["x", "y", "vx", "vy", "force"])
    dae.index(0, x, xdot)["differential_index"]      # 3
    dae.solve(times, x).x                            # a row per time

The function is called once, with symbols; what it did is repeated in any arithmetic, so that
Jacobians and time derivatives are exact. It may use + - * / **, numbers, and sin, cos, sqrt, exp,
log and tanh of this module (NumPy's work too); `if` on a value of x cannot be recorded.
"""
from __future__ import annotations

import json
import math
import numbers
from typing import Any, Callable, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _tauflex


class _Recorder:
    def __init__(self):
        self.steps = []
        self.known = {}

    def add(self, name, a=0, b=0, number=0.0):
        key = (name, a, b, number)
        if key not in self.known:
            self.known[key] = len(self.steps)
            self.steps.append(key)
        return Expression(self, self.known[key])


class Expression:
    """A value that is known only when the equations are evaluated."""

    __array_priority__ = 1000

    def __init__(self, recorder, step):
        self.recorder, self.step = recorder, step

    def _lift(self, other):
        if isinstance(other, Expression):
            return other
        if isinstance(other, numbers.Real):
            return self.recorder.add("number", number=float(other))
        return None

    def _with(self, name, other, swapped=False):
        other = self._lift(other)
        if other is None:
            return NotImplemented
        a, b = (other, self) if swapped else (self, other)
        return self.recorder.add(name, a.step, b.step)

    def __add__(self, other):
        return self._with("add", other)

    def __radd__(self, other):
        return self._with("add", other, True)

    def __sub__(self, other):
        return self._with("subtract", other)

    def __rsub__(self, other):
        return self._with("subtract", other, True)

    def __mul__(self, other):
        return self._with("multiply", other)

    def __rmul__(self, other):
        return self._with("multiply", other, True)

    def __truediv__(self, other):
        return self._with("divide", other)

    def __rtruediv__(self, other):
        return self._with("divide", other, True)

    def __neg__(self):
        return self.recorder.add("negate", self.step)

    def __pos__(self):
        return self

    def __pow__(self, power):
        if isinstance(power, Expression) or power != int(power):
            return exp(log(self) * power)
        if power < 0:
            return 1.0 / self ** -power
        result = self.recorder.add("number", number=1.0)
        for _ in range(int(power)):
            result = result * self if result.recorder.steps[result.step][0] != "number" else self
        return result

    def __lt__(self, other):
        raise TypeError("the value is not known when equations are recorded: an `if` on it cannot be")

    __le__ = __gt__ = __ge__ = __lt__

    def __bool__(self):
        raise TypeError("the value is not known when equations are recorded: an `if` on it cannot be")

    def __float__(self):
        raise TypeError("the value is not known when equations are recorded: use sin, cos, sqrt, exp, log and tanh of tauflex")

    # What NumPy calls on objects.
    def sin(self):
        return self.recorder.add("sin", self.step)

    def cos(self):
        return self.recorder.add("cos", self.step)

    def sqrt(self):
        return self.recorder.add("sqrt", self.step)

    def exp(self):
        return self.recorder.add("exp", self.step)

    def log(self):
        return self.recorder.add("log", self.step)

    def tanh(self):
        return self.recorder.add("tanh", self.step)


def _function(name):
    of_numbers = getattr(math, name)

    def apply(x):
        return getattr(x, name)() if isinstance(x, Expression) else of_numbers(x)

    apply.__name__ = name
    apply.__doc__ = f"{name} of a number or of a value in recorded equations."
    return apply


sin, cos, sqrt, exp, log, tanh = (_function(name) for name in ("sin", "cos", "sqrt", "exp", "log", "tanh"))


class DaeSolution:
    """The motion that equations of your own determine.

    t               times, s
    x, xdot         variables and their rates, a row per time; solution["x"] is the column of a variable
    success         it reached the last time
    status, message "solved", "not_converged" or "interrupted", and a sentence where it is not solved
    error           of each variable: largest difference to a run with a hundred times the tolerance, or twice the step
    index           differential index of the equations
    steps           that it took
    """

    def __init__(self, variables: Sequence[str], t: NDArray[np.float64], x: NDArray[np.float64], xdot: NDArray[np.float64], status: str,
                 message: str, error: NDArray[np.float64], index: int, steps: int) -> None:
        self.variables, self.t, self.x, self.xdot = list(variables), t, x, xdot
        self.status, self.message, self.error, self.index, self.steps = status, message, error, index, steps

    @property
    def success(self) -> bool:
        """It reached the last time."""
        return self.status == "solved"

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self.x[:, self.variables.index(name)]

    def __repr__(self) -> str:
        return f"<tauflex.DaeSolution {self.status}, {len(self.t)} times{', ' + self.message if self.message else ''}>"


class Dae:
    """F(t, x, x') = 0 with as many equations as unknowns, from one function f(t, x, xdot) that returns a list.

    variables: names of x. equations: names for messages (optional).
    """

    def __init__(self, function: Callable[[Any, list[Expression], list[Expression]], Sequence[Any]], variables: Sequence[str],
                 equations: Sequence[str] = ()) -> None:
        recorder = _Recorder()
        n = len(variables)
        x = [recorder.add("variable", i) for i in range(n)]
        xdot = [recorder.add("rate", i) for i in range(n)]
        time = recorder.add("time")
        residuals = list(function(time, x, xdot))
        if len(residuals) != n:
            raise _tauflex.InputError(f"expected {n} equations for {n} unknowns, got {len(residuals)}")
        steps = [time._lift(r) for r in residuals]
        for i, step in enumerate(steps):
            if step is None:
                raise _tauflex.InputError(f"equation {i + 1}: expected a value, got {residuals[i]!r}")
        self.variables = list(variables)
        self._dae = _tauflex.Dae(self.variables, recorder.steps, [step.step for step in steps], list(equations))

    def residual(self, t: float, x: ArrayLike, xdot: ArrayLike) -> NDArray[np.float64]:
        """F(t, x, x')."""
        return self._dae.residual(t, x, xdot)

    def jacobians(self, t: float, x: ArrayLike, xdot: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """F_x and F_x', exact."""
        return self._dae.jacobians(t, x, xdot)

    def index(self, t: float, x: ArrayLike, xdot: ArrayLike) -> dict[str, Any]:
        """Indices at a point where the equations hold, as a dict.

        differential_index, strangeness_index  by ranks of the derivative array
        structural_index, differentiated       by structure: how often each equation is differentiated
        algebraic, differential                a choice of variables: the differential ones may be chosen at the start
        gap                                    of the least clear rank decision
        """
        return self._dae.index(t, x, xdot)

    def solve(self, times: ArrayLike, x: ArrayLike, *, method: str = "series", order: Optional[int] = None, tolerance: Optional[float] = None,
              step: Optional[float] = None, max_steps: Optional[int] = None,
              progress: Optional[Callable[[str, float], Optional[bool]]] = None) -> DaeSolution:
        """The motion at `times` (s, rising), from x at the first of them, for equations of any index.

        x: the differential variables (see index()) as they are, the others as a guess, which is
        corrected. Raises ProblemError where the equations determine no motion from there.

        method  "series": Taylor series with steps that follow from `tolerance`, of x in a step, relative
                to 1 + |x| (1e-10); explicit. "bdf": backward differences with a fixed `step` (s; a
                thousandth of the time), for stiff equations.
        order   terms of the series, 2 to 12 (8), or order of the differences, 1 to 6 (3)
        """
        options = {"method": method, "order": order, "tolerance": tolerance, "step": step, "max_steps": max_steps}
        text = json.dumps({key: value for key, value in options.items() if value is not None})
        return DaeSolution(self.variables, *self._dae.solve(times, x, text, progress))
