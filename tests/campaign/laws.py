"""Pairs of jobs that must agree: other units, other axes, other words for the same robot, limits of stiff and undamped drives.

A law takes a job and gives a twin, with the factor between the torques of each drive and between the times. Exit codes, methods'
statements and torques must agree. None: the law says nothing about this job.
"""
import copy
import dataclasses

import numpy as np

from mechanism import inertia_matrix, rotation_rpy, rpy_rotation
from units import scaled


@dataclasses.dataclass
class Twin:
    job: dict
    torque: dict           # drive of the first job -> (its name in the twin, factor: twin's torque / torque)
    time: float = 1.0      # twin's time / time
    tolerance: float = 1e-6  # share of a drive's peak, beyond what both state: jets are asked for 1e-8
    base: dict = None      # the job to compare with, where it is not the first one


def links_of(job):
    return {link["name"]: link for link in job["robot"]["links"]}


def drives_of(job):
    return {name: link["drive"] for name, link in links_of(job).items() if "drive" in link}


def more_drives_than_outputs(job):
    """A loop in which drives can work against each other; an orientation is three outputs."""
    count = sum(3 if name.endswith(".orientation") else 1 for name in job["task"]["outputs"])
    return bool(job["robot"].get("constraints")) and len(drives_of(job)) > count


def same(job):
    return {name: (name, 1.0) for name in drives_of(job)}


def units(mass=1.0, length=1.0, time=1.0):
    def law(job, rng):
        twin, factors = scaled(job, mass, length, time)
        return Twin(twin, {name: (name, f) for name, f in factors.items()}, time)
    return law


def rotated(job, rng):
    """The whole world turned: gravity, what stands on the world, and the path by task.frame."""
    twin = copy.deepcopy(job)
    R = rpy_rotation(rng.uniform(-1.5, 1.5, 3))
    robot = twin["robot"]
    robot["gravity"] = [float(x) for x in R @ np.array(robot["gravity"], float)]
    for part in [link["joint"] for link in robot["links"]] + list(robot["frames"].values()):
        if part.get("parent", part.get("link")) == "world":
            part["at"] = [float(x) for x in R @ np.array(part.get("at", [0, 0, 0]), float)]
            part["rpy"] = rotation_rpy(R @ rpy_rotation(part.get("rpy", [0, 0, 0])))
    robot["frames"]["turned"] = {"link": "world", "rpy": rotation_rpy(R)}
    for c in robot.get("constraints", []):
        if "plane" in c:
            c["plane"]["on"] = "turned"
    twin["task"]["frame"] = "turned"
    return Twin(twin, same(job))


def split(job, rng):
    """Every link in two, the second part fixed to the first somewhere else with other axes. At a beam the rigid part is split, at its joint."""
    twin = copy.deepcopy(job)
    parts = []
    for link in twin["robot"]["links"]:
        share, R, p = rng.uniform(0.2, 0.8), rpy_rotation(rng.uniform(-1.5, 1.5, 3)), rng.uniform(-0.2, 0.0 if "beam" in link else 0.2, 3)
        I = R.T @ inertia_matrix(link["inertia"]) @ R * (1 - share)
        parts.append({"name": link["name"] + "_part", "joint": {"parent": link["name"], "type": "fixed", "at": p.tolist(), "rpy": rotation_rpy(R)},
                      "mass": link["mass"] * (1 - share), "com": (R.T @ (np.array(link["com"]) - p)).tolist(),
                      "inertia": {"xx": float(I[0, 0]), "yy": float(I[1, 1]), "zz": float(I[2, 2]), "xy": float(I[0, 1]), "xz": float(I[0, 2]), "yz": float(I[1, 2])}})
        link["mass"] *= share
        link["inertia"] = {key: x * share for key, x in link["inertia"].items()}
    twin["robot"]["links"] += parts
    return Twin(twin, same(job))


def reordered(job, rng):
    twin = copy.deepcopy(job)
    links = twin["robot"]["links"]
    if len(links) < 2:
        return None
    twin["robot"]["links"] = links[::-1] if len(links) == 2 else [links[i] for i in rng.permutation(len(links))]
    return Twin(twin, same(job))


def renamed(job, rng):
    """Other names, which sort in another order."""
    names = list(links_of(job))
    new = dict(zip(names, [f"part_{chr(97 + int(k))}" for k in rng.permutation(len(names))]))

    def change(node):
        if isinstance(node, dict):
            return {change_key(key): change(x) for key, x in node.items()}
        if isinstance(node, list):
            return [change(x) for x in node]
        return change_key(node)

    def change_key(word):
        if not isinstance(word, str):
            return word
        head, dot, tail = word.partition(".")
        return new.get(head, head) + dot + tail
    return Twin(change(job), {name: (new[name], 1.0) for name in drives_of(job)})


def geared(job, rng):
    """Gear ratios 100 times as large, motors that are the same seen from the joints."""
    twin, g = copy.deepcopy(job), 100.0
    for drive in drives_of(twin).values():
        drive["gear_ratio"] = drive.get("gear_ratio", 1.0) * g
        for key, power in (("rotor_inertia", -2), ("friction", -2), ("coulomb", -1), ("coulomb_speed", 1)):
            if key in drive:
                drive[key] *= g**power
    return Twin(twin, {name: (name, 1 / g) for name in drives_of(job)})


def stiff(stiffness, tolerance):
    """Drives become rigid, against springs of this stiffness (N m/rad for a robot of ordinary size), with and without damping. With more drives
    than outputs the least torque of a rigid drive is that of its motor, and of an elastic one that of its spring: there motors are light."""
    def law(job, rng):
        base = copy.deepcopy(job)
        base["robot"].pop("couplings", None)
        if base["robot"].pop("transmissions", None):
            return None
        for drive in drives_of(base).values():
            for key in ("stiffness", "damping", "hardening"):
                drive.pop(key, None)
            drive["rotor_inertia"] = drive["rotor_inertia"] or 1e-3 / drive.get("gear_ratio", 1.0) ** 2
            if more_drives_than_outputs(job):
                drive["rotor_inertia"] *= 1e-8  # of the torque: at 1e-4 they are still 1 % of that of a drive that carries little
                for key in ("friction", "coulomb", "coulomb_speed"):
                    drive.pop(key, None)
        if more_drives_than_outputs(job) and tolerance < 1e-3:
            return None
        twin = copy.deepcopy(base)
        damped = rng.random() < 0.5
        for drive in drives_of(twin).values():
            drive["stiffness"] = stiffness
            if damped:
                drive["damping"] = stiffness * 1e-4  # s
        return Twin(twin, same(job), base=base, tolerance=tolerance)
    return law


def smoother(job):
    """Lines with a profile of degree 11 at least: five derivatives do not jump, which an undamped drive behind a damped passive spring takes."""
    job = copy.deepcopy(job)
    path = job["task"]["path"]
    for part in path if isinstance(path, list) else [path]:
        if part.get("profile") == "polynomial9":
            part["profile"] = "polynomial11"
    return job


def undamped(damping_time, tolerance):
    """Drive springs without damping, against damping K * damping_time. Damped springs ask for one derivative of the path less: where
    exactly that one is missing the undamped robot is refused, as its torque jumps, and the damped one is not. So paths are smooth for both."""
    def law(job, rng):
        job = smoother(job)
        elastic = {n: d for n, d in drives_of(job).items() if "stiffness" in d}
        if not elastic or job["robot"].get("couplings"):
            return None
        base, twin = copy.deepcopy(job), copy.deepcopy(job)
        for name in elastic:
            links_of(base)[name]["drive"].pop("damping", None)
            links_of(twin)[name]["drive"]["damping"] = float(elastic[name]["stiffness"] * damping_time)
        return Twin(twin, same(job), base=base, tolerance=tolerance)
    return law


def rigid_beams(factor, tolerance):
    """Beams become rods: against beams that are stiffer by the factor."""
    def law(job, rng):
        base, twin = copy.deepcopy(job), copy.deepcopy(job)
        if not any("beam" in link for link in job["robot"]["links"]):
            return None
        for link in list(base["robot"]["links"]):
            beam = link.pop("beam", None)
            if beam:
                length, mass = beam["to"][0], beam["mass_per_length"] * beam["to"][0]
                bending = mass * length**2 / 12
                base["robot"]["links"].append({"name": link["name"] + "_rod", "joint": {"parent": link["name"], "type": "fixed"}, "mass": mass,
                                               "com": [length / 2, 0.0, 0.0],
                                               "inertia": {"xx": beam.get("twist_inertia", 0.0) * length, "yy": bending, "zz": bending}})
        for link in twin["robot"]["links"]:
            if "beam" in link:
                link["beam"]["EI"] = {axis: x * factor for axis, x in link["beam"]["EI"].items()}
                if "GJ" in link["beam"]:
                    link["beam"]["GJ"] *= factor
        return Twin(twin, same(job), base=base, tolerance=tolerance)
    return law


LAWS = {
    "time x0.1": units(time=0.1), "time x10": units(time=10), "time x1000": units(time=1000), "length x1e-3": units(length=1e-3),
    "mass x1e6": units(mass=1e6), "mass x1e-6": units(mass=1e-6), "rotated": rotated, "split": split, "reordered": reordered,
    "renamed": renamed, "gear x100": geared,
    # a spring shifts the torque by (its frequency of the path / that of the spring)^2, here below (50 / 3e3)^2 and (50 / 3e5)^2
    "stiffness 1e8": stiff(1e8, 1e-2), "stiffness 1e12": stiff(1e12, 1e-5),
    # as a spring does: modes from 4 Hz on become 1,000 times as fast
    "rigid beams": rigid_beams(1e6, 1e-3),
    # damping adds D d' to K d: a share of time / damping_time, with times of the path from 0.01 s on
    "damping 1e-5 s": undamped(1e-5, 2e-2), "damping 1e-8 s": undamped(1e-8, 1e-4),
}
