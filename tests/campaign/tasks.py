"""Random tasks: outputs that determine every driven joint, and paths that keep away from singular poses."""
import numpy as np

from mechanism import Mechanism

LEAST = 0.05  # singular-value ratio of the outputs along the path


def digits(x, n=6):
    """A number, or nested lists of numbers, as short as a person would write them."""
    if isinstance(x, (list, tuple, np.ndarray)):
        return [digits(y, n) for y in x]
    return float(f"{float(x):.{n}g}")


def values(mechanism, outputs, q):
    return mechanism.outputs(outputs, {name: np.array([x]) for name, x in q.items()})[:, 0]


def jacobian(mechanism, outputs, q, names):
    """Central differences; 1e-9 is enough to judge how far from singular a pose is."""
    n = len(names)
    steps = {name: np.eye(n)[i] * 1e-5 for i, name in enumerate(names)}
    moved = {name: x + np.concatenate([steps[name], -steps[name]]) if name in steps else np.full(2 * n, x) for name, x in q.items()}
    y = mechanism.outputs(outputs, moved)
    return (y[:, :n] - y[:, n:]) / 2e-5


def regularity(J):
    """Least singular value over the largest; a length of 0.3 m counts as a link, so that one joint can be singular too."""
    s = np.linalg.svd(J, compute_uv=False)
    return s[-1] / max(s[0], 0.3) if J.shape[0] == J.shape[1] else 0.0


def follow(mechanism, outputs, q, names, goal, points=6):
    """Newton along the line from the outputs at q to `goal`: the pose at its end and the least regularity on the way, or None."""
    q, y0 = dict(q), values(mechanism, outputs, q)
    least = np.inf
    for k in range(1, points + 1):
        y = y0 + (goal - y0) * k / points
        for _ in range(8):
            J = jacobian(mechanism, outputs, q, names)
            least = min(least, regularity(J))
            if least < LEAST:
                return None, least
            step = np.linalg.solve(J, y - values(mechanism, outputs, q))
            if np.abs(step).max() > 1:
                return None, 0.0
            q.update({name: q[name] + float(dx) for name, dx in zip(names, step)})
            if np.abs(step).max() < 1e-8:
                break
        else:
            return None, 0.0
    return q, least


def choose_outputs(rng, mechanism, q, driven):
    """Joints, or positions and orientations of the tool with the joints that they leave undetermined."""
    wish = str(rng.choice(["joints", "position", "pose"], p=[0.35, 0.5, 0.15]))
    tool = []
    if wish == "position":
        tool = [f"tool.{c}" for c in rng.permutation(["x", "y", "z"])[: int(rng.integers(1, min(3, len(driven)) + 1))]]
    elif wish == "pose" and len(driven) >= 3:
        tool = ["tool.orientation"] if len(driven) < 6 else ["tool.x", "tool.y", "tool.z", "tool.orientation"]
    tool = sorted(tool)
    while tool:
        J = jacobian(mechanism, tool, q, driven)
        if len(J) <= len(driven):
            best = best_joints(mechanism, tool, J, q, driven)
            if best:
                return best
        tool = tool[:-1]
    return list(driven)


def best_joints(mechanism, tool, J, q, driven):
    """Leaves out, one after the other, the joint whose column is the largest beside those already taken."""
    rest, taken = J.copy(), []
    for _ in range(len(J)):
        sizes = np.linalg.norm(rest, axis=0)
        sizes[taken] = 0
        k = int(np.argmax(sizes))
        if sizes[k] < 1e-3:
            return None
        direction = rest[:, k] / sizes[k]
        rest = rest - np.outer(direction, direction @ rest)
        taken.append(k)
    outputs = tool + [name for i, name in enumerate(driven) if i not in taken]
    return outputs if regularity(jacobian(mechanism, outputs, q, driven)) > 2 * LEAST else None


def add_task(rng, job, q):
    mechanism = Mechanism(job)
    links = {link["name"]: link for link in job["robot"]["links"]}
    driven = [name for name in mechanism.moving if "drive" in links.get(name, {})]
    q = {name: 0.0 if name not in driven else q[name] for name in mechanism.moving}
    outputs = choose_outputs(rng, mechanism, q, driven)
    size = np.array([0.15 if links[name]["joint"]["type"] == "prismatic" else 0.5 for name in driven])
    count = 1 if rng.random() < 0.5 else int(rng.integers(2, 4))
    points, pose = [values(mechanism, outputs, q)], dict(q)
    for _ in range(count):
        amount = rng.uniform(0.2, 1.0)
        for _ in range(6):
            target = {**pose, **{name: pose[name] + float(dx) for name, dx in zip(driven, amount * size * rng.uniform(-1, 1, len(driven)))}}
            goal = values(mechanism, outputs, target)
            end, _ = follow(mechanism, outputs, pose, driven, goal)
            if end is not None and not any(name.endswith("orientation") and np.linalg.norm(goal) > 4 for name in outputs):
                points.append(goal)
                pose = end
                break
            amount /= 2
    if len(points) == 1:  # close to a singular pose all around: joints always work
        outputs = list(driven)
        points = [values(mechanism, outputs, q), values(mechanism, outputs, q) + digits(size * rng.uniform(-0.5, 0.5, len(driven)))]
    finish(rng, job, outputs, points, q)


def finish(rng, job, outputs, points, q):
    """The path through the points, the start and the proof."""
    points = [digits(p) for p in points]
    task = job["task"]
    task["outputs"] = outputs
    duration = [digits(np.exp(rng.uniform(np.log(0.3), np.log(1.2)))) for _ in points[1:]]
    profile = f"polynomial{2 * int(rng.integers(4, 8)) + 1}"
    if len(points) > 2 and rng.random() < 0.5 and not any("." in name for name in outputs):  # splines overshoot
        task["path"] = {"spline": {"points": points, "times": digits(np.concatenate([[0.0], np.cumsum(duration)]))}, "smoothness": int(rng.integers(4, 6))}
    else:
        path = [{"line": {"from": points[0], "to": points[1]}, "duration": duration[0], "profile": profile}]
        for point, time in zip(points[2:], duration[1:]):
            if rng.random() < 0.4:
                path.append({"hold": digits(rng.uniform(0.05, 0.2))})
            path.append({"line": {"to": point}, "duration": time, "profile": profile})
        task["path"] = path[0] if len(path) == 1 else path
    task["start"] = {"near": {name: digits(x) for name, x in q.items() if "." not in name}}
    if rng.random() < 0.2:
        task["hold"] = {"before": digits(rng.uniform(0, 0.2)), "after": digits(rng.uniform(0, 0.2))}
    job["verification"] = {"tolerance": 1e-4, "torque": "smooth"}


def add_loop_task(rng, job, outputs, q):
    """Loops move a little around the pose in which they were made."""
    mechanism = Mechanism(job)
    start = values(mechanism, outputs, q)
    size = 0.3 if outputs == ["crank"] else 0.08
    points = [start]
    for _ in range(int(rng.integers(1, 3))):
        points.append(start + size * rng.uniform(-1, 1, len(start)))
    finish(rng, job, outputs, points, q)


def knots(job):
    """Times at which a derivative of the path may jump, and the time of the whole motion."""
    task = job["task"]
    hold = task.get("hold", {})
    times = [0.0]
    for part in task["path"] if isinstance(task["path"], list) else [task["path"]]:
        if "spline" in part:
            times += [times[-1] + t for t in part["spline"]["times"][1:]]
        else:
            times.append(times[-1] + (part["hold"] if "hold" in part else part["duration"]))
    return [-hold.get("before", 0.0)] + times + [times[-1] + hold.get("after", 0.0)]
