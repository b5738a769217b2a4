"""Families of random robots: `trees` (with loops), links that bend, tools that press on a surface, ball joints (`balls.py`), more drives than
outputs (`redundant.py`). The same seed of a family is the same job."""
import numpy as np

import robots
import tasks
from balls import random_balls
from mechanism import Mechanism
from redundant import random_redundant
from robots import body, box, carried_inertia, drive, log_uniform, random_gravity
from tasks import digits


def beam_part(rng, planar, length, carried):
    """A beam along x whose first frequency with the mass that it carries at its end is 4 to 80 Hz."""
    mass_per_length = log_uniform(rng, 0.3, 8)

    def stiffness():
        return digits((2 * np.pi * log_uniform(rng, 4, 80)) ** 2 * (0.236 * mass_per_length * length + carried) * length**3 / 3)
    part = {"to": [length, 0.0, 0.0], "mass_per_length": digits(mass_per_length), "EI": {"z": stiffness()}, "elements": int(rng.integers(1, 4)),
            "damping": {"ratio": digits(log_uniform(rng, 0.003, 0.1))}}
    if not planar:
        part["EI"]["y"] = stiffness()
        if rng.random() < 0.3:
            part["GJ"] = digits(part["EI"]["z"] * rng.uniform(0.3, 1))
            part["twist_inertia"] = digits(mass_per_length * 1e-3)
    if rng.random() < 0.2:
        part["second_order"] = False
    if part["elements"] > 1 and rng.random() < 0.3:
        part["modes"] = int(rng.integers(0, part["elements"]))
    return part


def random_beams(seed):
    """One to three driven joints one behind the other, about y or about axes in space; one or two of the links bend. The last carries a load."""
    rng = np.random.default_rng([17, seed])
    planar, count = rng.random() < 0.6, int(rng.integers(1, 4))
    bending = {int(i) for i in rng.choice(count, min(count, int(rng.integers(1, 3))), replace=False)}
    links, at = [], [0.0, 0.0, 0.0]
    for i in range(count):
        axis = "y" if planar else str(rng.choice(["y", "z", "-y", "-z"]))
        link = body(rng, f"l{i}", {"parent": links[-1]["name"] if links else "world", "at": at, "type": "revolute", "axis": axis}, planar)
        length = digits(rng.uniform(0.4, 1.0), 4)
        link.update(mass=digits(log_uniform(rng, 0.2, 4)), com=[0.0, 0.0, 0.0])
        link["inertia"] = box(rng, link["mass"], (0.02, 0.1))
        at = [length, 0.0, 0.0]
        if i in bending:
            link["beam"] = beam_part(rng, planar, length, 2.0)
        else:
            link["com"] = [digits(length / 2, 4), 0.0, 0.0]
        links.append(link)
    load = body(rng, "load", {"parent": links[-1]["name"], "at": at, "type": "fixed"})
    load.update(mass=digits(log_uniform(rng, 0.3, 4)), com=[0.0, 0.0, 0.0])
    load["inertia"] = box(rng, load["mass"], (0.02, 0.2))
    links.append(load)
    job = {"tauflex": 1, "robot": {"gravity": random_gravity(rng), "links": links, "frames": {"tool": {"link": "load"}}}, "task": {}}
    mechanism = Mechanism(job)
    q = {name: digits(rng.uniform(-1, 1)) for name in mechanism.moving}
    kind = str(rng.choice(["rigid", "damped", "mixed"]))
    for link in links[:-1]:
        elastic = kind == "damped" or (kind == "mixed" and rng.random() < 0.5)
        link["drive"] = drive(rng, carried_inertia(mechanism, q, link["name"]), elastic, True)
    tasks.add_task(rng, job, q)
    return job


def random_contact(seed):
    """A tree whose tool stays on a plane through it and presses with a given force, while all driven joints but one follow a path."""
    for attempt in range(20):
        rng = np.random.default_rng([19, seed, attempt])
        job = robots.random_tree(rng)
        job["task"] = {key: x for key, x in job["task"].items() if key == "payload" or key == "start"}
        mechanism = Mechanism(job)
        links = {link["name"]: link for link in job["robot"]["links"]}
        driven = [name for name in mechanism.moving if "drive" in links.get(name, {})]
        near = job["task"].pop("start")["near"]
        q = {name: near.get(name, 0.0) for name in mechanism.moving}
        normal = digits(rng.normal(size=3))
        across = np.array(normal) / np.linalg.norm(normal) @ tasks.jacobian(mechanism, ["tool.x", "tool.y", "tool.z"], q, driven)
        if len(driven) < 2 or len(driven) < len(mechanism.moving) or np.abs(across).max() < 0.15:
            continue
        held = driven[int(np.argmax(np.abs(across)))]  # follows from the plane
        free = [name for name in driven if name != held]
        job["robot"]["constraints"] = [{"name": "contact", "plane": {"frame": "tool", "point": digits(tasks.values(mechanism, ["tool.x", "tool.y", "tool.z"], q), 12), "normal": normal}}]
        size = np.array([0.08 if links[name]["joint"]["type"] == "prismatic" else 0.2 for name in free])
        start = np.array([q[name] for name in free])
        points = [np.append(start + k * size * rng.uniform(-1, 1, len(free)), rng.choice([-1, 1]) * log_uniform(rng, 2, 60))
                  for k in [0] + [1] * int(rng.integers(1, 3))]
        tasks.finish(rng, job, free + ["contact.force"], points, q)
        job["verification"]["force_tolerance"] = 0.1
        return job
    return robots.random_job(seed)


FAMILIES = {"trees": robots.random_job, "beams": random_beams, "contacts": random_contact, "balls": random_balls, "redundant": random_redundant}
