"""Runs the program on a job and reads what it wrote."""
import csv
import dataclasses
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile

import numpy as np
import yaml

PROGRAM = os.environ.get("TAUFLEX", "tauflex")
SECONDS = float(os.environ.get("TAUFLEX_SECONDS", "20"))  # of processor time, the longest run; the clock may take ten times as long
TIMEOUT = -1000  # in the place of an exit code


@dataclasses.dataclass
class Answer:
    code: int
    text: str            # what it said, both streams
    record: dict = None  # record.json
    table: dict = None   # trajectory.csv: column -> array

    @property
    def solved(self):
        return self.code in (0, 6) and self.table is not None

    @property
    def proved(self):
        return self.code == 0 and self.table is not None

    @property
    def method(self):
        return self.record["solution"]["method"] if self.record else None

    def torques(self):
        return {name[2:]: column for name, column in self.table.items() if name.startswith("u.")}

    def stated_errors(self):
        """Stated error of each drive's torque, None where none is stated."""
        return {name: drive.get("torque_error") for name, drive in self.record["solution"]["drives"].items()}

    def reason(self):
        """The sentence with which it ended: of the record, else what it said."""
        for part in ("solution", "verification", "diagnosis") if self.record else ():
            message = (self.record.get(part) or {}).get("message")
            if message:
                return message[:300]
        lines = [line for line in self.text.strip().splitlines() if line.strip()]
        return next((line for line in lines if line.startswith("tauflex: ")), lines[0] if lines else "")[:300]


def write_yaml(job, path):
    pathlib.Path(path).write_text(yaml.safe_dump(job, sort_keys=False, default_flow_style=None, width=160))


def read_table(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        names = next(rows)
        values = np.array([[float(x) for x in row] for row in rows])
    return {name: values[:, i] for i, name in enumerate(names)}


def write_table(path, table):
    names = list(table)
    rows = np.column_stack([table[name] for name in names])
    with open(path, "w", newline="") as file:
        file.write(",".join(names) + "\n")
        file.writelines(",".join(repr(float(x)) for x in row) + "\n" for row in rows)


def call(arguments, folder, seconds=None, memory=None):
    """Exit code and text; the whole process group ends with the time limit."""
    seconds = seconds or SECONDS

    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True, preexec_fn=limits, env=environment)
    try:
        text, _ = process.communicate(timeout=10 * seconds)
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL) and not memory:
            return TIMEOUT, "no end within the time limit"
        return process.returncode, text
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return TIMEOUT, "no end within the time limit"


def run(job, verb="run", rate=None, table=None, seconds=None):
    """`tauflex run` (or verify with a table, analyze, check) of a job given as a dictionary."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="campaign_"))
    try:
        write_yaml(job, folder / "job.yaml")
        arguments = [verb, "job.yaml"]
        if verb in ("run", "invert"):
            arguments += ["-o", "out"] + (["--rate", repr(float(rate))] if rate else [])
        if verb == "verify":
            write_table(folder / "table.csv", table)
            arguments += ["table.csv", "-o", "out"]
        code, text = call(arguments, folder, seconds)
        answer = Answer(code, text)
        if (folder / "out/record.json").exists():
            answer.record = json.loads((folder / "out/record.json").read_text())
        if (folder / "out/trajectory.csv").exists():
            answer.table = read_table(folder / "out/trajectory.csv")
        return answer
    finally:
        shutil.rmtree(folder, ignore_errors=True)
