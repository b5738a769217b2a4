"""Motor torques that make the tool of an elastic robot follow a path, and their proof.

    import tauflex
    result = tauflex.run("arm.yaml")          # a job file, or the same as a dict
    print(result)                             # tool error, torques, method
    result.t, result.u, result.q              # NumPy arrays, a row per time
    result.plot()                             # torques and tool error (matplotlib)

    robot = tauflex.load("arm.urdf", elastic="arm.elastic.yaml")
    tau = robot.rnea(q, v, a)                 # one state, or a row per state

Every number is in SI units: m, rad, s, kg, N, N m. Keys of jobs are those of the job file
(docs/job_file.md); what cannot be read raises tauflex.InputError with the same sentence that the
program prints, what has no answer raises tauflex.ProblemError.
"""
import json as _json
import os as _os

from ._tauflex import Error, InputError, ProblemError, Robot, UsageError, __version__
from . import _tauflex
from .equations import Dae, cos, exp, log, sin, sqrt, tanh
from .results import Comparison, Result, Simulation
from .studies import Sweep

for _error in (Error, InputError, ProblemError, UsageError):
    _error.__module__ = "tauflex"

__all__ = [
    "Comparison", "Dae", "Error", "InputError", "Job", "ProblemError", "Result", "Robot", "Simulation", "Sweep", "UsageError", "__version__",
    "analyze", "check", "compare", "cos", "exp", "fit", "load", "log", "run", "simulate", "sin", "solve", "sqrt", "sweep", "tanh", "verify",
]


def load(robot, elastic=None):
    """The robot of a URDF file, a robot file or a job file; or of a dict as `robot:` of a job file.

    elastic: file name or dict with what a URDF file cannot say: drives, springs, frames
    (docs/job_file.md, "elastic").
    """
    if isinstance(robot, dict):
        if elastic is not None:
            robot = {**robot, "elastic": elastic}
        return _from_text(_tauflex.robot_from_text, robot, "robot")
    path = _os.fspath(robot)
    if not path.endswith(".urdf") and elastic is None:
        return _tauflex.robot_from_file(path)
    description = {"urdf": _os.path.abspath(path)}
    if elastic is not None:
        description["elastic"] = elastic if isinstance(elastic, dict) else _os.path.abspath(_os.fspath(elastic))
    return _from_text(_tauflex.robot_from_text, description, "robot")


class Job:
    """A job: robot, task, method and proof.

    Job("arm.yaml"), or Job({...}) with the keys of the job file; file names in a dict are relative
    to the working directory. `set` replaces values by their dotted names: {"task.path.duration": 0.5}.

    path: a function that replaces the task's path. path(t, order) returns an array of
    (order + 1) x outputs: the outputs and their time derivatives at t, 0 <= t <= duration; the path
    holds still before and after, and `smoothness` says up to which derivative it is continuous there.
    """

    def __init__(self, job, *, set=None, name=None, path=None, duration=None, smoothness=None):
        if isinstance(job, Job):
            raise TypeError("expected a file name or a dict, got a Job; make changes with set= when it is read")
        overrides = [f"{key}={_json.dumps(_plain(value))}" for key, value in (set or {}).items()]
        if isinstance(job, dict):
            self._job = _from_text(_tauflex.job_from_text, job, name or "job", name or "job", overrides)
        else:
            self._job = _tauflex.job_from_file(_os.fspath(job), overrides)
        if path is not None:
            if duration is None or smoothness is None:
                raise InputError("path: a function needs its duration and its smoothness at both ends")
            self._job = self._job.with_path(path, float(duration), int(smoothness))

    name = property(lambda self: self._job.name, doc="Of the file, without folder and ending.")
    outputs = property(lambda self: self._job.outputs, doc="Names of the task's outputs.")
    notes = property(lambda self: self._job.notes, doc="What the readers of robot and path left out or changed.")
    robot = property(lambda self: self._job.robot(), doc="The robot of the job.")

    def __repr__(self):
        return f"<tauflex.Job {self.name}: {', '.join(self.outputs) or 'no task'}>"


def _job(job, set):
    if isinstance(job, Job):
        if set:
            raise InputError("set: give it where the Job is made")
        return job._job
    return Job(job, set=set)._job


def run(job, *, set=None, progress=None):
    """Diagnose, solve and prove a job. Returns a Result; see Result.success.

    job: file name, dict or Job. set: values by dotted names, {"task.path.duration": 0.5}.
    progress(stage, fraction): called now and then; returns False to stop. Ctrl-C stops too.
    """
    return Result(_tauflex.run(_job(job, set), True, progress))


def solve(job, *, set=None, progress=None):
    """The torques without their proof."""
    return Result(_tauflex.run(_job(job, set), False, progress))


def verify(job, table, *, set=None, progress=None):
    """Prove the torques of a table (CSV with columns t and u.<drive>) by forward simulation."""
    return Result(_tauflex.verify(_job(job, set), _os.fspath(table), progress))


def simulate(job, *, torques=None, duration=None, rate=None, set=None, progress=None):
    """The plant of a job in a forward simulation, under torques of a table or its controller."""
    text, columns, status, message = _tauflex.simulate(
        _job(job, set), "" if torques is None else _os.fspath(torques), duration, rate, progress)
    return Simulation(_json.loads(text), columns, status, message)


def analyze(job, *, set=None):
    """Whether and how a job can be solved, and why not: a dict as `tauflex analyze --json` prints it."""
    text, _ = _tauflex.analyze(_job(job, set))
    return _json.loads(text)


def check(job, *, set=None):
    """Whether a job is ready: a dict as `tauflex check --json` prints it. Raises ProblemError when it has no answer."""
    return _json.loads(_tauflex.check(_job(job, set)))


def compare(job, *, order=3, step=None, linearised=False, set=None, progress=None):
    """Methods side by side, one row each."""
    text, table = _tauflex.compare(_job(job, set), order, step, linearised, progress)
    return Comparison(_json.loads(text), table)


def fit(job, *, tolerance=1e-4, smoothness=(), verify=True, set=None, progress=None):
    """The shortest duration within the limits of drives and joints; Result.fit has the trials."""
    record, text, duration = _tauflex.fit(_job(job, set), tolerance, list(smoothness), verify, progress)
    result = Result(record)
    result.fit = {**_json.loads(text), "duration": duration}
    return result


def sweep(study, *, out=None, jobs=0, resume=False, set=None, progress=None):
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
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, _os.PathLike):
        return _os.fspath(value)
    return value
