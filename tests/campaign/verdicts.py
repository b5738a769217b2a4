"""What the program says about a job must be true, whichever way it is asked: verdicts, refusals, stated errors, proofs of tables."""
import copy

import numpy as np

import program
from checks import Result, accepted_codes, failed, refused, table_rate

METHODS = ({"jets": {}}, {"exact": {}}, {"stable_inversion": {}}, {"stable_inversion": {"pre": 3, "post": 3}},
           {"bdf": {"order": 4, "step": 0.001}}, {"decoupled": {"order": 4, "step": 0.001}})
CUT, WRONG = ("truncated", "two rows", "late", "shifted"), ("scaled", "zero")
ROUNDING = 1e-11  # share of a peak below which two answers differ by the rounding of positions and stiff springs


def agreement(answers, seed):
    """analyze, check and run agree: solvable means that run ends with 0, or with 6 and a proof that says by how much it misses. What only
    solving can tell, exit 5, check cannot know; analyze does."""
    answer = answers.base()
    wrong = accepted_codes(answer)
    if wrong:
        return wrong
    codes = {"run": 0 if answer.code == 6 else answer.code}
    for verb in ("analyze", "check"):
        other = answers.get(verb)
        if other.code == program.TIMEOUT:
            return Result("slow", f"{verb}: no end within the time limit")
        codes[verb] = other.code
    if codes["run"] == codes["analyze"] == 5 and codes["check"] == 0:
        return refused(answer)
    if len({min(code, 1) for code in codes.values()}) > 1:
        spoken = answer.reason() if answer.code else next(answers.get(v).reason() for v in ("analyze", "check") if codes[v])
        return failed(", ".join(f"{verb}: exit {code}" for verb, code in codes.items()) + f"; {spoken}")
    return Result("ran") if answer.solved else refused(answer)


def solvable(answers, seed):
    """A tree with a drive on every joint and a path away from singular poses has an answer, and the torque depends on the derivative of
    the path that its drives ask for: the second (rigid), third (damped springs) or fourth (undamped)."""
    robot = answers.job["robot"]
    drives = [link.get("drive") for link in robot["links"] if link["joint"]["type"] != "fixed"]
    if not all(drives) or robot.get("constraints") or any("springs" in link or "beam" in link for link in robot["links"]):
        return Result("skipped")
    answer = answers.base()
    if answer.code == program.TIMEOUT:
        return Result("slow")
    if not answer.solved:
        return failed(f"every joint has a drive, but exit {answer.code}: {answer.reason()}")
    wanted = max(2 if "stiffness" not in d else 3 if d.get("damping") else 4 for d in drives)
    said = answer.record["diagnosis"]["required_smoothness"]
    if said != wanted and not robot.get("couplings"):
        return failed(f"the torque depends on derivative {wanted} of the path, the diagnosis says {said}")
    return Result("ran")  # exit 6 may be right: samples 1 ms apart are not enough where errors grow


def peaks(answer):
    return {name: np.abs(u).max() for name, u in answer.torques().items()}


def refusal(answers, seed):
    """On exit 4 or 5 no other method proves the job, and none does with masses changed by 1e-5 and torques of ordinary size."""
    answer = answers.base()
    if answer.code not in (4, 5):
        return Result("skipped")
    for method in METHODS:
        if answers.get("run", method=method).proved:
            return failed(f"exit {answer.code} ({answer.reason()[:160]}), but {method} proves it")
    found = []
    for size in (1e-5, 1e-4):
        changed = perturbed(answers.job, size, seed)
        other = program.run(changed)
        if not other.proved:
            return refused(answer)
        found.append(max(peaks(other).values()))
    if found[0] < 3 * found[1]:  # at a true singularity torques grow as the change shrinks
        return failed(f"exit {answer.code} ({answer.reason()[:160]}), but with masses changed by 1e-5 it is proved, peak {found[0]:.3g}")
    return refused(answer)


def perturbed(job, size, seed):
    rng = np.random.default_rng([31, seed])
    job = copy.deepcopy(job)
    for link in job["robot"]["links"]:
        link["mass"] = float(link["mass"] * (1 + size * rng.uniform(-1, 1)))
        link["com"] = [float(x + size * rng.uniform(-1, 1)) for x in link["com"]]
    return job


def errors(answers, seed):
    """The stated error of each torque against the difference to an answer with tolerance 1e-12: at most 20 times as large."""
    answer = answers.base()
    if not answer.solved or answer.method not in ("jets", "stable_inversion"):
        return Result("skipped")
    options = copy.deepcopy(answer.record["solution"]["options"])
    options[answer.method]["tolerance"] = 1e-12
    if answer.method == "stable_inversion":
        options[answer.method] = {key: x for key, x in options[answer.method].items() if key in ("tolerance", "pre", "post", "step")}
    else:
        options[answer.method].pop("first_steps", None)
    exact = answers.get("invert", rate=table_rate(answers.job), method=options)
    if exact.table is None:
        return Result("slow" if exact.code == program.TIMEOUT else "refused", f"tolerance 1e-12: exit {exact.code}: {exact.reason()}")
    if len(exact.table["t"]) != len(answer.table["t"]):
        return Result("skipped", "another window")
    found = []
    for name, u in answer.torques().items():
        peak, true = np.abs(u).max(), np.abs(u - exact.torques()[name]).max()
        mine, theirs = answer.stated_errors()[name], exact.stated_errors()[name]
        if mine is None or theirs is None:
            return failed(f"{answer.method} states no error of {name}")
        if true > ROUNDING * peak:
            found.append((true / max(mine + theirs, 1e-300), name, true / peak, (mine + theirs) / peak))
    ratios = [ratio for ratio, *_ in found]
    ratio, name, true, said = max(found, default=(0.0, "", 0.0, 0.0))
    if ratio > 20:
        return failed(f"the torque of {name} errs by {true:.1e} of its peak, stated {said:.1e} ({answer.method})", ratios)
    return Result("ran", value=ratios)


def error_statistics(ratios):
    """What many true/stated errors together must obey: stated too small in 1 % at most, and not by stating far too much."""
    if len(ratios) < 200:
        return []
    q05, q50, q99 = np.quantile(ratios, [0.05, 0.5, 0.99])
    rules = ((q99 < 5, f"1 % of the torques err by more than {q99:.1f} times what is stated; it should be 5"),
             (q50 > 0.1, f"half of the stated errors are more than {1 / max(q50, 1e-9):.0f} times too large; it should be 10"),
             (q05 > 0.01, f"5 % of the stated errors are more than {1 / max(q05, 1e-9):.0f} times too large; it should be 100"))
    return [text for holds, text in rules if not holds]


def fixed_steps(answers, seed):
    """bdf, decoupled and kunkel_mehrmann at three steps: what they prove is within 5 % of jets, for each drive."""
    answer = answers.base()
    if not answer.proved or answer.method not in ("jets", "exact"):
        return Result("skipped")
    rng = np.random.default_rng([37, seed])
    name = str(rng.choice(["bdf", "decoupled", "kunkel_mehrmann"]))
    order, step = int(rng.integers(2, 7)), float(f"{np.exp(rng.uniform(np.log(0.001), np.log(0.008))):.4g}")
    ran = 0
    for h in (step, step / 2, step / 4):
        other = answers.get("run", method={name: {"order": order, "step": h}})
        wrong = accepted_codes(other)
        if wrong and wrong.failed:
            return wrong
        if not other.proved:
            continue
        ran += 1
        for drive, peak in peaks(answer).items():
            u = np.interp(other.table["t"], answer.table["t"], answer.torques()[drive])
            share = np.abs(other.torques()[drive] - u).max() / peak if peak > 0 else 0.0
            if share > 0.05:
                return failed(f"{name} order {order} step {h:g} s is proved, and its torque of {drive} is off by {100 * share:.0f} % of its peak", share)
    return Result("ran") if ran else Result("refused", f"{name} order {order} step {step:g} proves nothing")


def damaged_table(table, kind):
    t, rows = table["t"], len(table["t"])
    columns = {name: x for name, x in table.items() if name == "t" or name.startswith("u.")}
    if kind == "truncated":
        return {name: x[: rows // 2] for name, x in columns.items()}
    if kind == "two rows":
        return {name: x[:2] for name, x in columns.items()}
    if kind == "late":  # within the path, which begins at 0, whatever comes before it
        return {name: x[t > 0.1 * t[-1]] for name, x in columns.items()}
    if kind == "shifted":
        return {**columns, "t": t + 10}
    factor = 0.0 if kind == "zero" else 1.5
    return {name: x if name == "t" else factor * x for name, x in columns.items()}


def tables(kinds):
    """A table of torques that is cut, shifted or wrong is never proved."""
    def check(answers, seed):
        answer = answers.get("run")
        if not answer.proved or (kinds == WRONG and not moves(answer)):
            return Result("skipped")
        for kind in kinds:
            other = program.run(answers.job, "verify", table=damaged_table(answer.table, kind))
            if other.code == 0:
                first = next((line for line in other.text.splitlines() if "proved" in line), "")
                return failed(f"verify proves a table that is {kind}: {first[:160]}")
            if other.code not in (3, 4, 5, 6, program.TIMEOUT):
                return failed(f"verify ends with {other.code} on a table that is {kind}: {other.reason()}")
        return Result("ran")
    return check


def moves(answer):
    """The outputs move far more than the tolerance, and the torques are not those of holding still."""
    return max(np.ptp(column) for name, column in answer.table.items() if name.startswith("yd.")) > 0.02


def dependent(answers, seed):
    """Two frames at the same place: their positions as outputs depend on each other, and this is refused by run and by analyze."""
    job = copy.deepcopy(answers.job)
    task, frames = job["task"], job["robot"]["frames"]
    frame, _, letter = task["outputs"][0].rpartition(".")
    if len(task["outputs"]) < 2 or frame not in frames or letter not in "xyz" or any(name.endswith("orientation") for name in task["outputs"]):
        return Result("skipped")
    frames["copy"] = copy.deepcopy(frames[frame])
    task["outputs"][1] = f"copy.{letter}"
    for part in task["path"] if isinstance(task["path"], list) else [task["path"]]:
        for point in [part["line"][k] for k in ("from", "to") if k in part.get("line", {})] + part.get("spline", {}).get("points", []):
            point[1] = point[0]
    for verb in ("run", "analyze", "check"):
        answer = program.run(job, verb)
        if answer.code not in (3, 4):
            return failed(f"{verb} of two outputs that are the same ends with exit {answer.code}: {answer.reason()}")
    return Result("ran")


CHECKS = {"solvable": solvable, "agreement": agreement, "refusal": refusal, "errors": errors, "fixed steps": fixed_steps, "tables cut": tables(CUT),
          "tables wrong": tables(WRONG), "dependent": dependent}
