"""Random robots: trees of links with every kind of drive, and planar loops; the same seed gives the same job.

Masses are those of boxes, so that every robot is physically possible. Springs are chosen by frequency and damping ratio with the
inertia that they carry.
"""
import numpy as np

import tasks
from mechanism import Mechanism, rpy_rotation
from tasks import digits


def log_uniform(rng, low, high):
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def box(rng, mass, size=(0.1, 0.8)):
    """Inertia of a box about its centre, turned at random."""
    a, b, c = rng.uniform(*size, 3)
    R = rpy_rotation(rng.uniform(-np.pi, np.pi, 3))
    I = R @ np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) @ R.T * mass / 12
    return dict(zip(("xx", "yy", "zz", "xy", "xz", "yz"), digits([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]], 8)))


def random_axis(rng):
    letter = str(rng.choice(["x", "y", "z", "-x", "-y", "-z", "any"]))
    return digits(rng.normal(size=3)) if letter == "any" else letter


def body(rng, name, joint, planar=False):
    mass = log_uniform(rng, 0.5, 40)
    com = rng.uniform(-0.3, 0.3, 3)
    if planar:
        com[1] = 0
    return {"name": name, "joint": joint, "mass": digits(mass), "com": digits(com, 4), "inertia": box(rng, mass)}


def tree(rng):
    """Links of a tree: planar about y, or in space; some joints fixed."""
    planar = rng.random() < 0.35
    count = int(rng.integers(1, 7))
    branched = rng.random() < 0.4
    links = []
    for i in range(count):
        parent = "world" if i == 0 else links[int(rng.integers(max(0, i - 3), i)) if branched else i - 1]["name"]
        if planar:
            joint = {"parent": parent, "at": digits([0.0 if i == 0 else rng.uniform(0.3, 1.0), 0.0, 0.0]), "type": "revolute", "axis": "y"}
        else:
            kind = "fixed" if i > 0 and rng.random() < 0.12 else "prismatic" if rng.random() < 0.25 else "revolute"
            joint = {"parent": parent, "at": digits(rng.uniform(-0.6, 0.6, 3), 4), "type": kind}
            if rng.random() < 0.5:
                joint["rpy"] = digits(rng.uniform(-np.pi / 2, np.pi / 2, 3) * [2, 1, 2], 5)
            if kind != "fixed":
                joint["axis"] = random_axis(rng)
                if rng.random() < 0.1:
                    joint["zero"] = digits(rng.uniform(-0.5, 0.5), 4)
        links.append(body(rng, f"l{i}", joint, planar))
    if all(link["joint"]["type"] == "fixed" for link in links):
        links[0]["joint"].update(type="revolute", axis="y")
    return links


def carried_inertia(mechanism, q, name, kind=None):
    """Inertia, or mass, that moves with a joint (of another kind) about its axis while all others stand still."""
    states = mechanism.motion({key: np.array([x]) for key, x in q.items()})
    j = mechanism.of_link[name]
    axis, origin = mechanism.axis_in_world(states, j)[0], states[j][1][0]
    kind, total = kind or mechanism.bodies[j].kind, 0.0
    for i, b in enumerate(mechanism.bodies):
        k = i
        while k not in (j, -1):
            k = mechanism.bodies[k].parent
        if k != j:
            continue
        R, p = states[i][0][0], states[i][1][0]
        for mass, com, inertia in b.masses:
            arm = np.cross(axis, p + R @ com - origin)
            total += mass if kind == "prismatic" else mass * arm @ arm + axis @ R @ inertia @ R.T @ axis
    return max(total, 1e-3)


def drive(rng, inertia, elastic, damped):
    """A drive for a joint that carries `inertia`; speeds of joints are of the order of 1."""
    gear = 1.0 if rng.random() < 0.2 else float(rng.choice([-1, 1, 1])) * log_uniform(rng, 20, 200)
    rotor = inertia * log_uniform(rng, 0.05, 3) / gear**2
    d = {"rotor_inertia": digits(rotor if elastic or rng.random() < 0.8 else 0.0)}
    if gear != 1:
        d["gear_ratio"] = digits(gear)
    if elastic:
        K = inertia * (2 * np.pi * log_uniform(rng, 4, 200)) ** 2
        d["stiffness"] = digits(K)
        if damped:
            d["damping"] = digits(2 * log_uniform(rng, 0.001, 0.3) * np.sqrt(K * inertia))
        if rng.random() < 0.15:
            d["hardening"] = digits([K * log_uniform(rng, 10, 1000)] + ([K * log_uniform(rng, 1e2, 1e4)] if rng.random() < 0.3 else []))
    if rng.random() < 0.3:
        d["friction"] = digits(inertia / gear**2 * log_uniform(rng, 0.01, 1))
    if rng.random() < 0.2:
        d["coulomb"] = digits(inertia / abs(gear) * log_uniform(rng, 0.05, 1))
        d["coulomb_speed"] = digits(abs(gear) * log_uniform(rng, 0.2, 2))
    return d


def spring(rng, inertia, hertz=(4, 40)):
    K = inertia * (2 * np.pi * log_uniform(rng, *hertz)) ** 2
    s = {"stiffness": digits(K)}
    if rng.random() < 0.85:
        s["damping"] = digits(2 * log_uniform(rng, 0.01, 0.15) * np.sqrt(K * inertia))
    if rng.random() < 0.2:
        s["hardening"] = [digits(K * log_uniform(rng, 10, 1000))]
    return s


def add_drives(rng, links, mechanism, q, passive):
    """Every joint that moves gets a drive; with `passive` one or two of them a spring instead, or springs in directions."""
    moving = [link for link in links if link["joint"]["type"] != "fixed"]
    kind = str(rng.choice(["rigid", "damped", "undamped", "mixed"], p=[0.2, 0.3, 0.2, 0.3]))
    sprung = set()
    if passive and len(moving) > 1:
        sprung = {int(i) for i in rng.choice(np.arange(1, len(moving)), int(rng.integers(1, min(3, len(moving)))), replace=False)}
    for i, link in enumerate(moving):
        inertia = carried_inertia(mechanism, q, link["name"])
        if i in sprung:
            link["spring"] = spring(rng, inertia)
            continue
        elastic = kind in ("damped", "undamped") or (kind == "mixed" and rng.random() < 0.7)
        link["drive"] = drive(rng, inertia, elastic, kind == "damped" or (kind == "mixed" and rng.random() < 0.5))
        if passive and rng.random() < 0.15:  # a bearing that gives way across the joint's axis
            allowed, kind = (["x", "y", "z"], "prismatic") if link["joint"]["type"] == "revolute" else (["rx", "ry", "rz"], "revolute")
            link["springs"] = {str(rng.choice(allowed)): spring(rng, carried_inertia(mechanism, q, link["name"], kind), (10, 40))}


def add_couplings(rng, robot):
    """Sometimes a full stiffness matrix between two drive springs, or a transmission that mixes two or three motors."""
    elastic = [link for link in robot["links"] if "stiffness" in link.get("drive", {})]
    if len(elastic) < 2:
        return
    chance = rng.random()
    if chance < 0.12:
        a, b = elastic[0], elastic[1]
        coupling = {"drives": [a["name"], b["name"]]}
        for key in ("stiffness", "damping"):
            values = [a["drive"].get(key, 0.0), b["drive"].get(key, 0.0)]
            cross = digits(rng.uniform(-0.5, 0.5) * np.sqrt(values[0] * values[1]))
            if values[0] > 0 and values[1] > 0:
                coupling[key] = [[values[0], cross], [cross, values[1]]]
        robot["couplings"] = [coupling]
    elif chance < 0.24:
        count = min(len(elastic), int(rng.integers(2, 4)))
        ratio = np.eye(count) + np.tril(rng.uniform(-0.5, 0.5, (count, count)), -1)
        robot["transmissions"] = [{"drives": [link["name"] for link in elastic[:count]], "ratio": digits(ratio, 4)}]


def random_tree(rng):
    links = tree(rng)
    robot = {"gravity": random_gravity(rng), "links": links, "frames": {"tool": {"link": links[-1]["name"], "at": digits(rng.uniform(-0.4, 0.4, 3), 4)}}}
    if links[-1]["joint"].get("axis") == "y" and all(link["joint"].get("axis") == "y" for link in links):
        robot["frames"]["tool"]["at"] = [digits(rng.uniform(0.3, 0.8), 4), 0.0, 0.0]
    job = {"tauflex": 1, "robot": robot, "task": {}}
    if rng.random() < 0.2:
        mass = log_uniform(rng, 0.5, 5)
        job["task"]["payload"] = {"link": links[-1]["name"], "mass": digits(mass), "com": digits(rng.uniform(-0.2, 0.2, 3), 4), "inertia": box(rng, mass)}
    mechanism = Mechanism(job)
    q = {b.name: digits(rng.uniform(-1, 1) * (0.3 if b.kind == "prismatic" else 1.0)) for b in mechanism.bodies if b.kind != "fixed"}
    add_drives(rng, links, mechanism, q, passive=rng.random() < 0.35)
    add_couplings(rng, robot)
    if len(links) > 2 and rng.random() < 0.1:
        robot["springs"] = [{"name": "coil", "frames": ["world", links[1]["name"]], "stiffness": digits(log_uniform(rng, 50, 2000)),
                             "damping": digits(log_uniform(rng, 1, 20)), "length": digits(rng.uniform(0.1, 0.4))}]
    if rng.random() < 0.5:
        order = rng.permutation(len(links))
        robot["links"] = [links[i] for i in order]
    tasks.add_task(rng, job, q)
    return job


def random_gravity(rng):
    chance = rng.random()
    if chance < 0.6:
        return [0, 0, -9.81]
    direction = rng.normal(size=3)
    return [0, 0, 0] if chance < 0.7 else digits(9.81 * direction / np.linalg.norm(direction))


def random_loop(rng):
    """A planar four-bar (one drive) or five-bar (two drives) about y, all frames parallel in the start pose, so that it is closed there."""
    five = rng.random() < 0.4
    L = rng.uniform(0.5, 1.0)
    A, D = np.array([0.0, 0, 0]), np.array([L * rng.uniform(0.8, 1.4), 0, L * rng.uniform(-0.1, 0.1)])
    up, down = rng.uniform(1.2, 2.0), rng.uniform(1.0, 1.8)
    B = A + L * rng.uniform(0.6, 0.9) * np.array([np.cos(up), 0, np.sin(up)])
    C = D + L * rng.uniform(0.9, 1.2) * np.array([np.cos(down), 0, np.sin(down)])
    links = [body(rng, "crank", {"parent": "world", "at": digits(A), "type": "revolute", "axis": "y"}, True),
             body(rng, "coupler", {"parent": "crank", "at": digits(B - A), "type": "revolute", "axis": "y"}, True),
             body(rng, "rocker", {"parent": "world", "at": digits(D), "type": "revolute", "axis": "y"}, True)]
    end, held = C, "rocker"
    if five:
        E = 0.5 * (B + C) + np.array([0, 0, L * rng.uniform(0.4, 0.8)])
        links.append(body(rng, "second", {"parent": "rocker", "at": digits(C - D), "type": "revolute", "axis": "y"}, True))
        end, held = E, "second"
    start = {"coupler": np.array(digits(A)) + digits(B - A), "rocker": np.array(digits(D)), "second": np.array(digits(D)) + digits(C - D)}
    robot = {"gravity": random_gravity(rng), "links": links,
             "frames": {"tip": {"link": "coupler", "at": [float(x) for x in np.array(digits(end)) - start["coupler"]]},
                        "pin": {"link": held, "at": [float(x) for x in np.array(digits(end)) - start[held]]}}}
    rule = {"frames": ["tip", "pin"], "locked": ["x", "z"]}
    robot["constraints"] = [{"name": "loop", "closure": rule}]
    job = {"tauflex": 1, "robot": robot, "task": {}}
    mechanism = Mechanism(job)
    q = {name: 0.0 for name in mechanism.moving}
    for name in ["crank", "rocker"] if five else ["crank"]:
        link = next(link for link in links if link["name"] == name)
        elastic = rng.random() < 0.5
        link["drive"] = drive(rng, 2 * carried_inertia(mechanism, q, name), elastic, rng.random() < 0.6)
    if rng.random() < 0.2:
        links[1]["spring"] = {"stiffness": digits(log_uniform(rng, 1, 50)), "damping": digits(log_uniform(rng, 0.1, 2))}
    tasks.add_loop_task(rng, job, ["tip.x", "tip.z"] if five else ["crank"], q)
    return job


def random_job(seed):
    rng = np.random.default_rng([13, seed])
    return random_loop(rng) if seed % 5 == 4 else random_tree(rng)
