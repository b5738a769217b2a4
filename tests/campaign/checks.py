"""The checks of the campaign by name. A check takes a job and its seed and gives a result: ran, refused, or failed with a sentence.

`Answers` keeps what the program said about a job, so that several checks of one seed run it once.
"""
import dataclasses

import numpy as np

import laws
import oracle
import program
import tasks

DENSE = ("exact", "jets", "stable_inversion")  # methods whose answer is known at any time
RESIDUAL = 1e-5  # share of a row's largest term: torques are good to 1e-8, accelerations of internal motions between two collocation points to 2e-6

COARSE = 1e-3  # steps are as long as torques allow, and some rows they hardly feel: a light load on a ball joint, a stiff direction; their residual must then shrink with the tolerance


@dataclasses.dataclass
class Result:
    state: str      # ran, refused, skipped, slow, failed
    text: str = ""
    value: object = None  # what a check measured: a number or a list

    @property
    def failed(self):
        return self.state == "failed"


def failed(text, value=None):
    return Result("failed", text, value)


def duration(job):
    times = tasks.knots(job)
    return times[-1] - times[0]


def table_rate(job):
    """Fine enough for differences: at least 4 kHz for a motion of a second, 3000 rows for a short one."""
    return max(4000.0, 3000.0 / duration(job))


class Answers:
    def __init__(self, job):
        self.job, self.known = job, {}

    def base(self):
        return self.get("run", rate=table_rate(self.job))

    def get(self, verb, rate=None, **changes):
        key = (verb, rate, repr(changes))
        if key not in self.known:
            self.known[key] = program.run({**self.job, **changes}, verb, rate)
        return self.known[key]


def refused(answer):
    return Result("refused", f"exit {answer.code}: {answer.reason()}")


def accepted_codes(answer):
    """Ends that are never right: signals, uncaught errors, refusals of the file itself."""
    if answer.code == program.TIMEOUT:
        return Result("slow", "no end within the time limit")
    if answer.code not in (0, 4, 5, 6):
        return failed(f"exit {answer.code}: {answer.reason()}")
    return None


def same_forces(table, finer):
    """Torques and the forces of loops and contacts, each within RESIDUAL of its own largest: what is off is the motion between collocation points."""
    forces = [name for name in table if name.startswith(("u.", "lambda."))]
    return len(table["t"]) == len(finer["t"]) and all(
        np.abs(table[name] - finer[name]).max() <= RESIDUAL * np.abs(finer[name]).max() for name in forces)


def motion(answers, seed):
    """The equations of motion hold, and default answers state their error."""
    answer = answers.base()
    wrong = accepted_codes(answer)
    if wrong:
        return wrong
    if not answer.solved:
        return refused(answer)
    if answer.method.split()[0] in DENSE and oracle.covers(answers.job):
        residual, row, t = oracle.largest_residual(answers.job, answer.table)
        if RESIDUAL <= residual < COARSE and answer.method == "jets":
            finer = answers.get("invert", rate=table_rate(answers.job), method={"jets": {"tolerance": 1e-12}})
            if finer.table is not None and same_forces(answer.table, finer.table):
                residual, row, t = oracle.largest_residual(answers.job, finer.table)
        if not residual < RESIDUAL + stated_share(answer)[0]:
            return failed(f"residual {residual:.1e} of the peak in the row of {row} at t = {t:.4f} s ({answer.method})", residual)
        return Result("ran", value=residual)
    return Result("ran")


def least(answers, seed):
    """With more drives than outputs in a loop, no other forces in the loop need less of the motors, to 1e-7 (differences of the closures)."""
    job = answers.job
    answer = answers.base()
    if not laws.more_drives_than_outputs(job) or not answer.solved:
        return Result("skipped")
    share = oracle.saving(job, answer.table)
    return Result("ran", value=share) if share < 1e-7 + stated_share(answer)[0] else failed(f"the drives could carry {share:.1e} less ({answer.method})", share)


def stated_share(answer):
    """The largest stated error as a share of its drive's peak, and the drive."""
    peaks = {name: np.abs(u).max() for name, u in answer.torques().items()}
    shares = [(error / peaks[name], name) for name, error in answer.stated_errors().items() if error and peaks[name] > 0]
    return max(shares, default=(0.0, ""))


def stated(answers, seed):
    """A default answer says how large its error is, and it is below 5 % of the drive's peak; exact ones have none but rounding."""
    answer = answers.base()
    if not answer.solved:
        return Result("skipped")
    if answer.method.split()[0] != "exact" and any(error is None for error in answer.stated_errors().values()):
        return failed(f"{answer.method} states no error of its torques")
    share, drive = stated_share(answer)
    if share > 0.05 and answer.code == 0:
        return failed(f"proved, and the torque of {drive} is stated to err by {100 * share:.0f} % of its peak ({answer.method})", share)
    return Result("ran", value=share)


def difference(first, second, twin):
    """Largest difference of torques as a share of the drive's peak, less what both state: (share, drive)."""
    worst = (0.0, "")
    t, s = first.table["t"], second.table["t"] / twin.time
    begin, end = max(t[0], s[0]), min(t[-1], s[-1])
    kept = (t >= begin) & (t <= end)
    for name, (other, factor) in twin.torque.items():
        u = first.table[f"u.{name}"][kept]
        w = np.interp(t[kept], s, second.table[f"u.{other}"]) / factor if len(s) != len(t) or abs(s - t).max() > 1e-9 * (end - begin) else \
            second.table[f"u.{other}"][kept] / factor
        peak = np.abs(u).max()
        allowed = 5 * (first.stated_errors().get(name) or 0.0) + 5 * (second.stated_errors().get(other) or 0.0) / abs(factor)
        if peak > 0:
            worst = max(worst, ((np.abs(u - w).max() - allowed) / peak, name))
    return worst


def sampled_alike(twin, first):
    """The twin's job with as many samples as the first answer has; by default there is one every millisecond, or a thousand of a short path."""
    if first.record is None or not first.record["solution"].get("options"):
        return twin.job
    (method, options), = first.record["solution"]["options"].items()
    return {**twin.job, "method": {method: {"step": options["step"] * twin.time}}}


def law_check(name):
    def check(answers, seed):
        rng = np.random.default_rng([29, seed])
        twin = laws.LAWS[name](answers.job, rng)
        if twin is None:
            return Result("skipped")
        rate = table_rate(answers.job)
        first = program.run(twin.base, rate=rate) if twin.base else answers.base()
        slow = twin.time >= 100  # a path that takes a thousand times as long would have a million samples by default
        second = program.run(sampled_alike(twin, first) if slow else twin.job, rate=rate / twin.time)
        if twin.time != 1 and {first.code, second.code} == {0, 6}:  # torques between other samples may prove less
            second = program.run(sampled_alike(twin, first), rate=rate / twin.time)
        for answer in (first, second):
            wrong = accepted_codes(answer)
            if wrong:
                return Result(wrong.state, f"{name}: {wrong.text}")
        if first.code != second.code:
            return failed(f"{name}: exit {first.code} becomes exit {second.code}: {(second if second.code else first).reason()}")
        if not first.solved:
            return refused(first)
        if first.method != second.method and not twin.base:
            return failed(f"{name}: {first.method} becomes {second.method}")
        share, drive = difference(first, second, twin)
        if share > twin.tolerance:
            return failed(f"{name}: torque of {drive} differs by {share:.1e} of its peak ({first.method}, {second.method})", share)
        return Result("ran", value=max(share, 0.0))
    return check


def all_checks():
    import verdicts
    return {"motion": motion, "stated": stated, "least": least, **{f"law {name}": law_check(name) for name in laws.LAWS}, **verdicts.CHECKS}
