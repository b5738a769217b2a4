"""Motor torques that make the tool of an elastic robot follow a path, and their proof.

A first job, complete: one link of 1 m with 5 kg at its end, on a gear that twists, is lifted by 1 rad in half a second.

    import tauflex

    job = {
        "tauflex": 1,
        "robot": {
            "gravity": [0, 0, -9.81],                                       # m/s^2
            "links": [{
                "name": "arm",
                "joint": {"parent": "world", "type": "revolute", "axis": "-y"},    # positive angles lift
                "mass": 5, "com": [1, 0, 0],                                # kg, m; without inertia: a point mass
                "drive": {"rotor_inertia": 1e-3, "gear_ratio": 100,         # kg m^2 at the motor, motor turns per joint turn
                          "stiffness": 1e4, "damping": 10},                 # N m/rad and N m s/rad at the joint
            }],
        },
        "task": {
            "outputs": ["arm"],                                             # the joint; or "tool.x" of a frame, ..
            "path": {"line": {"from": [0], "to": [1]}, "duration": 0.5},    # rad, s
        },
    }
    result = tauflex.run(job)                 # or tauflex.run("arm.yaml"), a job file
    print(result)                             # tool error in a simulation with these torques, torques, method
    assert result.success                     # solved and proved; else result.message says why not
    result.t, result.u, result.q              # NumPy arrays, a row per time: s, motor torques in N m, joints and rotors in rad
    result.at(0.1234)                         # the same at any time
    result.plot()                             # torques and tool error (matplotlib)

    softer = tauflex.run(job, set={"robot.links.arm.drive.stiffness": 5e3})     # any key by its dotted name

What there is: `check` and `analyze` say whether and how a job can be solved, `solve` gives torques without their proof, `run` both,
`verify` proves the torques of a table, `simulate` lets the robot move, `compare` sets all methods side by side, `fit` finds the shortest
duration within the limits of the motors. The robot alone, from a URDF file, a robot file, a job file or a dict:

    robot = tauflex.load(job["robot"])        # or tauflex.load("arm.urdf", elastic="arm.elastic.yaml")
    robot.coordinates, robot.drives, robot.frames
    robot.rnea([0.5], [0], [0])               # torque at the joint, N m; one state, or a row per state
    robot.mass_matrix([0.5]), robot.jacobian("arm", [0.5])

Every number is in SI units: m, rad, s, kg, N, N m. Keys of jobs are those of the job file (docs/job_file.md). What cannot be read raises
tauflex.InputError with the sentence that the program prints. A question without an answer is a result that is no success; `check`
raises tauflex.ProblemError for it.
"""
from __future__ import annotations

import json as _json
import os as _os
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as _np

from ._tauflex import Error, InputError, ProblemError, Robot, UsageError, __version__
from . import _tauflex
from .equations import Dae, DaeSolution, cos, exp, log, sin, sqrt, tanh
from .results import Comparison, Result, Simulation
from .studies import Sweep

def _modes(self: Robot, q: Any = None, free: bool = False) -> dict[str, Any]:
    """Natural frequencies (Hz) and dampings (part of critical) at a pose, a dict as `tauflex modes --json` prints it.

    q: joints, rad or m (left out: 0); what no drive holds goes where it rests. free: motors turn under
    constant torque; else they are locked. modes[i]: frequency, damping, what, energy by part, shape by name.
    """
    modes = _json.loads(self.modes_json(q, free))
    del modes["job"]
    return modes


Robot.modes = _modes

for _error in (Error, InputError, ProblemError, UsageError):
    _error.__module__ = "tauflex"

__all__ = [
    "Comparison", "Dae", "DaeSolution", "Error", "InputError", "Job", "ProblemError", "Result", "Robot", "Simulation", "Sweep", "UsageError", "__version__",
    "analyze", "check", "compare", "cos", "exp", "fit", "load", "log", "run", "simulate", "sin", "solve", "sqrt", "sweep", "tanh", "verify",
]


PathLike = Union[str, "_os.PathLike[str]"]
Progress = Callable[[str, float], Optional[bool]]


def load(robot: Union[PathLike, Mapping[str, Any]], elastic: Union[PathLike, Mapping[str, Any], None] = None) -> Robot:
    """The robot of a URDF file, a robot file or a job file; or of a dict as `robot:` of a job file.

    elastic: file name or dict with what a URDF file cannot say: drives, springs, frames
    (docs/job_file.md, "elastic").
    """
    if isinstance(robot, Mapping):
        if elastic is not None:
            robot = {**robot, "elastic": elastic}
        return _from_text(_tauflex.robot_from_text, robot, "robot")
    path = _os.fspath(robot)
    if not path.endswith(".urdf") and elastic is None:
        return _tauflex.robot_from_file(path)
    description = {"urdf": _os.path.abspath(path)}
    if elastic is not None:
        description["elastic"] = elastic if isinstance(elastic, Mapping) else _os.path.abspath(_os.fspath(elastic))
    return _from_text(_tauflex.robot_from_text, description, "robot")


class Job:
    """A job: robot, task, method and proof.

    Job("arm.yaml"), or Job({...}) with the keys of the job file; file names in a dict are relative
    to the working directory. `set` replaces values by their dotted names: {"task.path.duration": 0.5}.

    path: a function that replaces the task's path, of `duration` (s). path(t, order) returns an array
    of (order + 1) x outputs: the outputs (m, rad) and their time derivatives at t, 0 <= t <= duration;
    the path holds still before and after, and `smoothness` says up to which derivative it is
    continuous there.

    samples: a function path(t) without derivatives is sampled so many times at equal distances, and
    the path is the spline through the samples, `smoothness` times continuously differentiable and at
    rest at both ends.
    """

    def __init__(self, job: Union[PathLike, Mapping[str, Any]], *, set: Optional[Mapping[str, Any]] = None, name: Optional[str] = None,
                 path: Optional[Callable[..., Any]] = None, duration: Optional[float] = None, smoothness: Optional[int] = None,
                 samples: Optional[int] = None) -> None:
        if isinstance(job, Job):
            raise TypeError("expected a file name or a dict, got a Job; make changes with set= when it is read")
        if path is not None and (duration is None or smoothness is None):
            raise InputError("path: a function needs its duration and its smoothness at both ends")
        set = dict(set or {})
        if path is not None and samples is not None:
            if int(samples) < 2:
                raise InputError(f"samples: expected 2 or more, got {samples}")
            times = _np.linspace(0, float(duration), int(samples))
            points = _np.array([_np.atleast_1d(_np.asarray(path(t), dtype=float)) for t in times])
            set["task.path"] = {"spline": {"points": points, "times": times}, "smoothness": int(smoothness)}
            path = None
        overrides = [f"{key}={_json.dumps(_plain(value))}" for key, value in set.items()]
        if isinstance(job, Mapping):
            self._job = _from_text(_tauflex.job_from_text, job, name or "job", name or "job", overrides)
        else:
            self._job = _tauflex.job_from_file(_os.fspath(job), overrides)
        if path is not None:
            self._job = self._job.with_path(path, float(duration), int(smoothness))

    @property
    def name(self) -> str:
        """Of the file, without folder and ending."""
        return self._job.name

    @property
    def outputs(self) -> list[str]:
        """Names of the task's outputs."""
        return self._job.outputs

    @property
    def notes(self) -> list[str]:
        """What the readers of robot and path left out or changed."""
        return self._job.notes

    @property
    def robot(self) -> Robot:
        """The robot of the job."""
        return self._job.robot()

    def __repr__(self) -> str:
        return f"<tauflex.Job {self.name}: {', '.join(self.outputs) or 'no task'}>"


JobLike = Union[PathLike, Mapping[str, Any], Job]


def _job(job: JobLike, set: Optional[Mapping[str, Any]]) -> Any:
    if isinstance(job, Job):
        if set:
            raise InputError("set: give it where the Job is made")
        return job._job
    return Job(job, set=set)._job


def run(job: JobLike, *, set: Optional[Mapping[str, Any]] = None, progress: Optional[Progress] = None) -> Result:
    """Diagnose, solve and prove a job. Returns a Result; see Result.success.

    job: file name, dict or Job. set: values by dotted names, {"task.path.duration": 0.5}.
    progress(stage, fraction of the whole): called now and then; returns False to stop. Ctrl-C stops too.
    """
    return Result(_tauflex.run(_job(job, set), True, progress))


def solve(job: JobLike, *, set: Optional[Mapping[str, Any]] = None, progress: Optional[Progress] = None) -> Result:
    """The torques without their proof."""
    return Result(_tauflex.run(_job(job, set), False, progress))


def verify(job: JobLike, table: PathLike, *, set: Optional[Mapping[str, Any]] = None, progress: Optional[Progress] = None) -> Result:
    """Prove the torques of a table (CSV with columns t and u.<drive>) by forward simulation."""
    return Result(_tauflex.verify(_job(job, set), _os.fspath(table), progress))


def simulate(job: JobLike, *, torques: Optional[PathLike] = None, duration: Optional[float] = None, rate: Optional[float] = None,
             set: Optional[Mapping[str, Any]] = None, progress: Optional[Progress] = None) -> Simulation:
    """The plant of a job in a forward simulation, under torques of a table (N m or N) or its controller.

    duration: s. rate: samples per second.
    """
    text, columns, status, message = _tauflex.simulate(
        _job(job, set), "" if torques is None else _os.fspath(torques), duration, rate, progress)
    return Simulation(_json.loads(text), columns, status, message)


def analyze(job: JobLike, *, set: Optional[Mapping[str, Any]] = None) -> dict[str, Any]:
    """Whether and how a job can be solved, and why not: a dict as `tauflex analyze --json` prints it."""
    text, _ = _tauflex.analyze(_job(job, set))
    return _json.loads(text)


def check(job: JobLike, *, set: Optional[Mapping[str, Any]] = None) -> dict[str, Any]:
    """Whether a job is ready: a dict as `tauflex check --json` prints it. Raises ProblemError when it has no answer."""
    return _json.loads(_tauflex.check(_job(job, set)))


def compare(job: JobLike, *, order: Optional[int] = None, step: Optional[float] = None, linearised: bool = False, set: Optional[Mapping[str, Any]] = None,
            progress: Optional[Progress] = None) -> Comparison:
    """Methods side by side, one row each. order, step (s): as `tauflex compare` has them."""
    text, table = _tauflex.compare(_job(job, set), _options(order=order, step=step), linearised, progress)
    return Comparison(_json.loads(text), table)


def fit(job: JobLike, *, tolerance: Optional[float] = None, smoothness: Sequence[int] = (), longest: Optional[float] = None, verify: bool = True,
        set: Optional[Mapping[str, Any]] = None, progress: Optional[Progress] = None) -> Result:
    """The shortest duration (s) within the limits of drives and joints; Result.fit has the trials.

    tolerance: of the duration, relative. smoothness: orders C^m of the path to try. longest: times the duration of the job.
    """
    options = _options(tolerance=tolerance, smoothness=list(smoothness) or None, longest=longest, verify=verify)
    record, text, duration = _tauflex.fit(_job(job, set), options, progress)
    result = Result(record)
    result.fit = {**_json.loads(text), "duration": duration}
    return result


def _options(**given: Any) -> str:
    """Options as a job file would have them; what is None is left out."""
    return _json.dumps(_plain({key: value for key, value in given.items() if value is not None}))


def sweep(
    study: Union[str, _os.PathLike[str], Mapping[str, Any]], *, out: Union[str, _os.PathLike[str], None] = None, jobs: int = 0,
    resume: bool = False, set: Optional[Mapping[str, Any]] = None, progress: Optional[Callable[[str, float], bool]] = None,
) -> Optional[Sweep]:
    """Many runs of one job with other values (docs/sweeps.md). Returns a Sweep: an array per column; None when it was stopped.

    study: file name, or a dict with the keys of the study file; set: values by dotted names,
    {"study.seed": 2}. out: folder for table.csv and the journal (default: none is kept); resume: go on
    with what is there. jobs: threads (default: as many as cores). progress(stage, fraction): called now
    and then; returns False to stop.
    """
    import tempfile
    overrides = [f"{key}={_json.dumps(_plain(value))}" for key, value in (set or {}).items()]
    with tempfile.TemporaryDirectory() as own:
        folder = own if out is None else _os.fspath(out)
        if isinstance(study, dict):
            done = _from_text(_tauflex.sweep_text, study, "study", "study", overrides, folder, jobs, resume, progress)
        else:
            done = _tauflex.sweep_file(_os.fspath(study), overrides, folder, jobs, resume, progress)
        return None if done is None else Sweep(_os.path.join(folder, "table.csv"), _json.loads(done[0]), done[1])


def _from_text(read, values, name, *others):
    """Reads a dict as if it stood in a file of the working directory; it has no lines, so messages name none."""
    file = _os.path.join(_os.getcwd(), name)
    try:
        return read(_json.dumps(_plain(values)), file, *others)
    except Error as error:
        raise type(error)(str(error).replace(f"{file}:1: ", f"{name}: ")) from None


def _plain(value):
    """NumPy numbers and arrays as Python has them, so that they can be written as text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, _os.PathLike):
        return _os.fspath(value)
    return value
