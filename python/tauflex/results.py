"""What came out of a job: arrays, tables, files and pictures."""
import json
import os
import tempfile
import webbrowser

import numpy as np


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

    def __init__(self, record):
        self._record = record
        self._json = None
        self.fit = None

    t = property(lambda self: self._record.t, doc="Times, s.")
    q = property(lambda self: self._record.q, doc="Joints and rotors, rad or m; a row per time.")
    v = property(lambda self: self._record.v, doc="Their velocities.")
    a = property(lambda self: self._record.a, doc="Their accelerations.")
    u = property(lambda self: self._record.u, doc="Motor torques, N m or N; a row per time.")
    y = property(lambda self: self._record.y, doc="Outputs; a row per time.")
    lambda_ = property(lambda self: self._record.lambda_, doc="What the constraints carry, N or N m.")
    name = property(lambda self: self._record.name, doc="Name of the job.")
    drives = property(lambda self: self._record.drives, doc="Names of the drives, the order of u.")
    coordinates = property(lambda self: self._record.coordinates, doc="Names of q.")
    outputs = property(lambda self: self._record.outputs, doc="Names of y.")
    warnings = property(lambda self: self._record.warnings, doc="Sentences: what to know although it was solved.")
    exit_code = property(lambda self: self._record.exit_code, doc="What the program would have ended with.")
    success = property(lambda self: self._record.exit_code == 0, doc="Solved, and proved where it was to be proved.")

    @property
    def status(self):
        """How it ended; "missed" when it was solved and the proof is outside the tolerance."""
        return "missed" if self._record.status == "solved" and self.exit_code == 6 else self._record.status

    @property
    def message(self):
        """A sentence where it is not a success, else the first line of the summary."""
        return self._record.message or str(self).partition("\n")[0]

    @property
    def record(self):
        """Everything as record.json has it (docs/files.md), as a dict."""
        if self._json is None:
            self._json = json.loads(self._record.json())
        return self._json

    @property
    def tool_error(self):
        """Largest distance of the simulated tool from its path, m; None without a proof."""
        return (self.record.get("verification") or {}).get("max_tool_error_m")

    def at(self, t):
        """q, v, u, lambda_ and y at any time (to the accuracy of the method where it can) as a dict; t: a time or an array."""
        return self._record.at(np.asarray(t, dtype=float))

    def columns(self, rate=None):
        """The table of trajectory.csv as a dict of arrays; rate: samples per second."""
        return self._record.columns(rate)

    def simulated(self):
        """The table of simulated.csv, the run of the proof, as a dict of arrays; None without a proof."""
        return self._record.simulated()

    def to_csv(self, path, rate=None):
        """Write the table as CSV; finite numbers come back bit for bit."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self._record.csv(rate))

    def to_npz(self, path, rate=None):
        """Write the table as a NumPy archive, an array per column."""
        np.savez(path, **self.columns(rate))

    def to_mat(self, path, rate=None):
        """Write t, q, v, u, y and their names for MATLAB and Octave (needs SciPy)."""
        from scipy.io import savemat

        columns = self.columns(rate)
        table = {"t": columns["t"].reshape(-1, 1)}
        for kind, field in (("q", "q"), ("v", "v"), ("u", "u"), ("lambda", "lambda"), ("y", "y"), ("yd", "yd")):
            names = [name for name in columns if name.startswith(kind + ".")]
            if names:
                table[field] = np.column_stack([columns[name] for name in names])
                table[field + "_names"] = np.array([name.partition(".")[2] for name in names], dtype=object)
        savemat(path, table, oned_as="column")

    def to_dataframe(self, rate=None):
        """The table as a pandas DataFrame with t as its index."""
        import pandas

        return pandas.DataFrame(self.columns(rate)).set_index("t")

    def plot(self, axes=None):
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

    def html(self):
        """The report as one page of HTML."""
        return self._record.html()

    def show(self):
        """Open the report in a browser; returns its path."""
        folder = tempfile.mkdtemp(prefix="tauflex_")
        path = os.path.join(folder, "report.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html())
        webbrowser.open("file://" + path)
        return path

    def __str__(self):
        return self._record.summary()

    def __repr__(self):
        return f"<tauflex.Result {str(self).partition(chr(10))[0]}>"

    def _repr_html_(self):
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Simulation:
    """A forward simulation: columns as arrays, and what simulation.json has."""

    def __init__(self, record, columns, status, message):
        self.record, self._columns, self.status, self.message = record, columns, status, message

    success = property(lambda self: self.status == "solved", doc="It reached its end.")
    t = property(lambda self: self._columns["t"], doc="Times, s.")

    def columns(self):
        """The table as a dict of arrays."""
        return self._columns

    def __getitem__(self, name):
        return self._columns[name]

    def __repr__(self):
        return f"<tauflex.Simulation {self.status}, {len(self.t)} samples to {self.t[-1]:.6g} s>"


class Comparison(list):
    """Methods side by side: a list of dicts, printed as the program's table."""

    def __init__(self, rows, text):
        super().__init__(rows)
        self._text = text

    def __str__(self):
        return self._text
