"""What came out of a job: arrays, tables, files and pictures."""
from __future__ import annotations

import json
import os
import tempfile
import webbrowser
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

PathLike = Union[str, "os.PathLike[str]"]
Floats = NDArray[np.float64]


class Result:
    """Motion and torques of a job, and their proof.

    t               times, s
    q, v, a         joints and rotors, a row per time: rad or m, and their rates
    u               motor torques, N m or N, a row per time
    y               outputs, a row per time
    lambda_         what the constraints carry, N or N m
    success         solved, and proved where it was to be proved
    status          "solved", "not_converged", "not_solvable", "missed", "interrupted"
    message         a sentence where it is not a success
    exit_code       what the program would have ended with
    record          everything as record.json has it
    tool_error      largest distance of the simulated tool from its path, m (None without a proof)
    """

    def __init__(self, record: Any) -> None:
        self._record = record
        self._json: Optional[dict[str, Any]] = None
        self.fit: Optional[dict[str, Any]] = None

    @property
    def t(self) -> Floats:
        """Times, s."""
        return self._record.t

    @property
    def q(self) -> Floats:
        """Joints and rotors, rad or m; a row per time."""
        return self._record.q

    @property
    def v(self) -> Floats:
        """Velocities of joints and rotors, rad/s or m/s; a row per time."""
        return self._record.v

    @property
    def a(self) -> Floats:
        """Accelerations of joints and rotors, rad/s^2 or m/s^2; a row per time."""
        return self._record.a

    @property
    def u(self) -> Floats:
        """Motor torques, N m or N; a row per time."""
        return self._record.u

    @property
    def y(self) -> Floats:
        """Outputs, m or rad; a row per time."""
        return self._record.y

    @property
    def lambda_(self) -> Floats:
        """What the constraints carry, N or N m; a row per time."""
        return self._record.lambda_

    @property
    def name(self) -> str:
        """Name of the job."""
        return self._record.name

    @property
    def drives(self) -> list[str]:
        """Names of the drives, the order of u."""
        return self._record.drives

    @property
    def coordinates(self) -> list[str]:
        """Names of q."""
        return self._record.coordinates

    @property
    def outputs(self) -> list[str]:
        """Names of y."""
        return self._record.outputs

    @property
    def warnings(self) -> list[str]:
        """Sentences: what to know although it was solved."""
        return self._record.warnings

    @property
    def exit_code(self) -> int:
        """What the program would have ended with."""
        return self._record.exit_code

    @property
    def success(self) -> bool:
        """Solved, and proved where it was to be proved."""
        return self._record.exit_code == 0

    @property
    def status(self) -> str:
        """How it ended; "missed" when it was solved and the proof is outside the tolerance."""
        return "missed" if self._record.status == "solved" and self.exit_code == 6 else self._record.status

    @property
    def message(self) -> str:
        """A sentence where it is not a success, else the first line of the summary."""
        return self._record.message or str(self).partition("\n")[0]

    @property
    def code(self) -> Optional[str]:
        """Of the page failures.md, such as "TF-601", where it is not a success; else None."""
        return self.record["verdict"]["code"]

    @property
    def record(self) -> dict[str, Any]:
        """Everything as record.json has it (docs/files.md), as a dict."""
        if self._json is None:
            self._json = json.loads(self._record.json())
        return self._json

    @property
    def tool_error(self) -> Optional[float]:
        """Largest distance of the simulated tool from its path, m; None without a proof."""
        return (self.record.get("verification") or {}).get("max_tool_error_m")

    def at(self, t: ArrayLike) -> dict[str, Floats]:
        """q, v, u, lambda_ and y at any time (to the accuracy of the method where it can) as a dict; t: a time or an array."""
        return self._record.at(np.asarray(t, dtype=float))

    def columns(self, rate: Optional[float] = None) -> dict[str, Floats]:
        """The table of trajectory.csv as a dict of arrays; rate: samples per second."""
        return self._record.columns(rate)

    def simulated(self) -> Optional[dict[str, Floats]]:
        """The table of simulated.csv, the run of the proof, as a dict of arrays; None without a proof."""
        return self._record.simulated()

    def to_csv(self, path: PathLike, rate: Optional[float] = None) -> None:
        """Write the table as CSV; finite numbers come back bit for bit."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self._record.csv(rate))

    def to_npz(self, path: PathLike, rate: Optional[float] = None) -> None:
        """Write the table as a NumPy archive, an array per column; rate: samples per second."""
        with open(path, "wb") as file:
            file.write(self._record.npz(rate))

    def to_mat(self, path: PathLike, rate: Optional[float] = None) -> None:
        """Write the table for MATLAB and Octave: t, and q, v, u, y, yd with their names; rate: samples per second."""
        with open(path, "wb") as file:
            file.write(self._record.mat(rate))

    def export(self, folder: PathLike, to: str, *, rate: Optional[float] = None, side: Optional[str] = None, angles: Optional[str] = None,
               torques: Optional[str] = None, preview: Optional[float] = None) -> list[str]:
        """Write what `tauflex export` writes; returns the paths of the files.

        to: "csv", "npz", "mat", "ros", "c", "mjcf" or "fmu". rate: samples per second. side: "motor" or "joint",
        where positions, velocities and torques are counted. angles: "rad" or "deg". torques: "SI"
        (N m, N) or "percent" of each drive's limit. preview: s, of an FMU, how long ahead its path is known.
        """
        options = {"to": to, "rate": rate, "side": side, "angles": angles, "torques": torques, "preview": preview}
        files = self._record.export(json.dumps({key: value for key, value in options.items() if value is not None}))
        os.makedirs(folder, exist_ok=True)
        paths = []
        for name, content in files.items():
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "wb") as file:
                file.write(content)
        return paths

    def to_dataframe(self, rate: Optional[float] = None) -> pandas.DataFrame:
        """The table as a pandas DataFrame with t as its index."""
        import pandas

        return pandas.DataFrame(self.columns(rate)).set_index("t")

    def plot(self, axes: Optional[Sequence[Any]] = None) -> Figure:
        """Motor torques, and the tool error of the proof where there is one (matplotlib). Returns the figure."""
        import matplotlib.pyplot as plt

        simulated = self.simulated()
        if axes is None:
            _, axes = plt.subplots(2 if simulated else 1, 1, sharex=True, squeeze=False, figsize=(7, 5 if simulated else 3))
            axes = axes[:, 0]
        for i, drive in enumerate(self.drives):
            axes[0].plot(self.t, self.u[:, i], label=drive)
        axes[0].set_ylabel("motor torque (N m or N)")
        axes[0].legend(loc="best")
        axes[0].set_title(str(self).partition("\n")[0], fontsize=9)
        if simulated and len(axes) > 1:
            error = np.maximum(simulated["tool_error"], 1e-12)
            axes[1].semilogy(simulated["t"], error)
            axes[1].set_ylabel("tool error (m or rad)")
        axes[-1].set_xlabel("time (s)")
        return axes[0].figure

    def html(self) -> str:
        """The report as one page of HTML."""
        return self._record.html()

    def show(self) -> str:
        """Open the report in a browser; returns its path."""
        folder = tempfile.mkdtemp(prefix="tauflex_")
        path = os.path.join(folder, "report.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html())
        webbrowser.open("file://" + path)
        return path

    def __str__(self) -> str:
        return self._record.summary()

    def __repr__(self) -> str:
        return f"<tauflex.Result {str(self).partition(chr(10))[0]}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Simulation:
    """A forward simulation: columns as arrays, and what simulation.json has."""

    def __init__(self, record: dict[str, Any], columns: dict[str, Floats], status: str, message: str) -> None:
        self.record, self._columns, self.status, self.message = record, columns, status, message

    @property
    def success(self) -> bool:
        """It reached its end."""
        return self.status == "solved"

    @property
    def t(self) -> Floats:
        """Times, s."""
        return self._columns["t"]

    def columns(self) -> dict[str, Floats]:
        """The table as a dict of arrays."""
        return self._columns

    def __getitem__(self, name: str) -> Floats:
        return self._columns[name]

    def __repr__(self) -> str:
        return f"<tauflex.Simulation {self.status}, {len(self.t)} samples to {self.t[-1]:.6g} s>"


class Comparison(list):  # of dicts
    """Methods side by side: a list of dicts, printed as the program's table."""

    def __init__(self, rows: Sequence[dict[str, Any]], text: str) -> None:
        super().__init__(rows)
        self._text = text

    def __str__(self) -> str:
        return self._text
