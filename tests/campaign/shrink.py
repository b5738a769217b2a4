"""The smallest job that still fails a check: parts are left out one after the other while the same check fails."""
import copy

import numpy as np

from mechanism import axis_vector, rotation_rpy, rpy_rotation, turn


def smallest(job, fails, trials=60):
    """Greedy: every accepted edit starts the list anew; `fails(job)` says whether the check still fails."""
    progress = True
    while progress and trials > 0:
        progress = False
        for edit in edits(job):
            if trials <= 0:
                break
            trials -= 1
            if fails(edit):
                job, progress = edit, True
                break
    return job


def edits(job):
    """Jobs with one part less, the largest parts first."""
    yield from shorter_paths(job)
    links = job["robot"]["links"]
    for i, link in enumerate(links):
        if not any(other["joint"]["parent"] == link["name"] for other in links):
            yield from without_link(job, i)
    for i, link in enumerate(links):
        if link["joint"]["type"] != "fixed":
            yield from frozen(job, i)
    for key in ("couplings", "transmissions", "springs"):
        if key in job["robot"]:
            yield changed(job, lambda j, k=key: j["robot"].pop(k))
    for key in ("payload", "hold"):
        if key in job["task"]:
            yield changed(job, lambda j, k=key: j["task"].pop(k))
    if any(job["robot"]["gravity"]):
        yield changed(job, lambda j: j["robot"].update(gravity=[0, 0, 0]))
    for i, link in enumerate(links):
        for key in ("friction", "coulomb", "hardening", "damping", "stiffness", "gear_ratio"):
            if key in link.get("drive", {}):
                yield changed(job, lambda j, i=i, k=key: drop(j["robot"]["links"][i]["drive"], k))
        for part in ("spring", "springs"):
            if part in link:
                yield changed(job, lambda j, i=i, k=part: j["robot"]["links"][i].pop(k))
        if any(link["inertia"].get(k) for k in ("xy", "xz", "yz")):
            yield changed(job, lambda j, i=i: [j["robot"]["links"][i]["inertia"].pop(k, None) for k in ("xy", "xz", "yz")])


def changed(job, change):
    job = copy.deepcopy(job)
    change(job)
    return job


def drop(drive, key):
    """A key with those that mean nothing without it."""
    for name in {"coulomb": ("coulomb", "coulomb_speed"), "stiffness": ("stiffness", "damping", "hardening")}.get(key, (key,)):
        drive.pop(name, None)


def shorter_paths(job):
    path = job["task"]["path"]
    if isinstance(path, list):
        yield changed(job, lambda j: j["task"].update(path=path[0]))
        for i in range(1, len(path)):
            yield changed(job, lambda j, i=i: j["task"]["path"].pop(i))
    elif "spline" in path and len(path["spline"]["points"]) > 2:
        points, times = path["spline"]["points"], path["spline"]["times"]
        yield changed(job, lambda j: j["task"].update(path={"spline": {"points": points[:2], "times": times[:2]}, "smoothness": path["smoothness"]}))


def without_output(job, name):
    """The job without an output and its numbers in the path; orientations are three numbers."""
    task, at = job["task"], 0
    for output in task["outputs"]:
        width = 3 if output.endswith(".orientation") else 1
        if output == name:
            for part in task["path"] if isinstance(task["path"], list) else [task["path"]]:
                for point in [part["line"][k] for k in ("from", "to") if k in part.get("line", {})] + part.get("spline", {}).get("points", []):
                    del point[at:at + width]
        at += width
    task["outputs"] = [output for output in task["outputs"] if output != name]


def clear(job, link):
    """Forgets the drive, spring and coordinate of a link; one output goes with a drive."""
    name = link["name"]
    for key in ("spring", "springs"):
        link.pop(key, None)
    near = job["task"]["start"]["near"]
    for key in [key for key in near if key.partition(".")[0] == name]:
        del near[key]
    job["robot"]["couplings"] = [c for c in job["robot"].get("couplings", []) if name not in c.get("drives", [])]
    job["robot"]["transmissions"] = [t for t in job["robot"].get("transmissions", []) if name not in t["drives"]]
    for key in ("couplings", "transmissions"):
        if not job["robot"][key]:
            del job["robot"][key]
    had = link.pop("drive", None)
    if had is None:
        return [job]
    candidates = [name] if name in job["task"]["outputs"] else list(job["task"]["outputs"])
    return [changed(job, lambda j, o=output: without_output(j, o)) for output in candidates]


def without_link(job, i):
    """Frames that the link carries move to its parent, to where the start has them."""
    job = copy.deepcopy(job)
    robot, link = job["robot"], job["robot"]["links"][i]
    if link["joint"]["parent"] == "world" or robot.get("constraints"):
        return []
    R, p = joint_pose(job, link)
    for frame in robot.get("frames", {}).values():
        if frame["link"] == link["name"]:
            frame.update(link=link["joint"]["parent"], at=[float(x) for x in p + R @ np.array(frame.get("at", [0, 0, 0]))],
                         rpy=rotation_rpy(R @ rpy_rotation(frame.get("rpy", [0, 0, 0]))))
    if job["task"].get("payload", {}).get("link") == link["name"]:
        del job["task"]["payload"]
    robot["links"].pop(i)
    return [j for j in clear(job, link) if j["task"]["outputs"]]


def joint_pose(job, link):
    """The link frame in its parent, at the start."""
    joint = link["joint"]
    R, p = rpy_rotation(joint.get("rpy", [0, 0, 0])), np.array(joint.get("at", [0, 0, 0]), float)
    x = job["task"]["start"]["near"].get(link["name"], 0.0) + joint.get("zero", 0.0)
    if joint["type"] == "prismatic":
        return R, p + R @ axis_vector(joint["axis"]) * x
    return (R @ turn(axis_vector(joint["axis"]), x), p) if joint["type"] == "revolute" else (R, p)


def frozen(job, i):
    """The joint becomes fixed where the start has it."""
    job = copy.deepcopy(job)
    link = job["robot"]["links"][i]
    R, p = joint_pose(job, link)
    link["joint"] = {"parent": link["joint"]["parent"], "at": [float(x) for x in p], "rpy": rotation_rpy(R), "type": "fixed"}
    return [j for j in clear(job, link) if j["task"]["outputs"]]
