"""Random robots with ball joints and floating bodies: loads that hang on gantries and arms, arms on bases that are free to move, rods between
ball joints in a spatial loop. The same seed is the same job."""
import numpy as np

import robots
import tasks
from mechanism import Mechanism, rotation_rpy, rpy_rotation, turn
from robots import body, box, carried_inertia, drive, log_uniform, random_axis, random_gravity, spring
from tasks import digits


def unit(x):
    return np.array(x, float) / np.linalg.norm(x)


def frame_at(job, q, link):
    """Rotation and origin of a link's frame in the pose q."""
    mechanism = Mechanism(job)
    if link == "world":
        return np.eye(3), np.zeros(3)
    R, p = mechanism.motion({name: np.array([x]) for name, x in q.items()})[mechanism.of_link[link]][:2]
    return R[0], p[0]


def add_load(rng, job, q, parent, at, name):
    """A load on a ball joint, its centre of mass below it where there is gravity; turned in its joint by up to half a radian."""
    joint = {"parent": parent, "at": at, "type": "spherical"}
    if rng.random() < 0.5:
        joint["rpy"] = digits(rng.uniform(-1.5, 1.5, 3), 5)
    R = frame_at(job, q, parent)[0] @ rpy_rotation(joint.get("rpy", [0, 0, 0]))
    gravity = np.array(job["robot"]["gravity"], float)
    down = unit(gravity) if gravity.any() else unit(rng.normal(size=3))
    down = turn(unit(rng.normal(size=3)), rng.uniform(0, 0.5) if rng.random() < 0.5 else 0.0) @ down
    load = body(rng, name, joint)
    load["mass"] = digits(log_uniform(rng, 0.3, 10))
    load["inertia"] = box(rng, load["mass"], (0.1, 0.4))
    load["com"] = digits(R.T @ down * rng.uniform(0.15, 1.0), 5)
    if rng.random() < 0.15:  # a rope that stretches: springs in directions stand before joints of one axis, so it is a link of its own
        rope = {**body(rng, f"{name}_rope", {**joint, "type": "fixed"}), "springs": {str(rng.choice(["x", "y", "z"])): spring(rng, load["mass"], (3, 15))}}
        rope["mass"], rope["com"] = digits(0.1 * load["mass"]), [0.0, 0.0, 0.0]
        rope["inertia"] = box(rng, rope["mass"], (0.05, 0.1))
        load["joint"] = {"parent": rope["name"], "at": [0.0, 0.0, 0.0], "type": "spherical"}
        job["robot"]["links"].append(rope)
    job["robot"]["links"].append(load)
    if rng.random() < 0.35:
        add_brake(rng, job, q, parent, at, load)
    return load


def add_brake(rng, job, q, parent, at, load):
    """A spring with a damper, or a damper alone, from beside the ball to the load's centre of mass."""
    frames, name = job["robot"]["frames"], load["name"]
    reach = np.linalg.norm(load["com"])
    frames[f"{name}_side"] = {"link": parent, "at": digits(np.array(at) + unit(rng.normal(size=3)) * reach * rng.uniform(0.3, 0.6), 5)}
    frames[f"{name}_end"] = {"link": name, "at": list(load["com"])}
    Ra, a = frame_at(job, q, parent)
    Rb, b = frame_at(job, q, name)
    distance = np.linalg.norm(b + Rb @ load["com"] - a - Ra @ frames[f"{name}_side"]["at"])
    K = load["mass"] * 9.81 / reach * log_uniform(rng, 0.2, 5)
    coil = {"name": f"{name}_coil", "frames": [f"{name}_side", f"{name}_end"]}
    if rng.random() < 0.7:
        coil["stiffness"] = digits(K)
    coil.update(damping=digits(2 * log_uniform(rng, 0.01, 0.3) * np.sqrt(K * load["mass"])), length=digits(distance * rng.uniform(0.6, 1.1)))
    job["robot"].setdefault("springs", []).append(coil)


def add_drives(rng, job, q, names):
    """Rigid, damped, undamped or mixed drives."""
    mechanism = Mechanism(job)
    kind = str(rng.choice(["rigid", "damped", "undamped", "mixed"], p=[0.2, 0.35, 0.2, 0.25]))
    for link in job["robot"]["links"]:
        if link["name"] in names:
            elastic = kind in ("damped", "undamped") or (kind == "mixed" and rng.random() < 0.6)
            link["drive"] = drive(rng, carried_inertia(mechanism, q, link["name"]), elastic, kind == "damped" or (kind == "mixed" and rng.random() < 0.5))


def new_job(gravity, links):
    return {"tauflex": 1, "robot": {"gravity": gravity, "links": links, "frames": {}}, "task": {}}


def gantry(rng):
    """Two or three slides across each other, and one or two loads on ball joints: side by side, or one below the other."""
    gravity = [0, 0, -9.81] if rng.random() < 0.8 else random_gravity(rng)
    axes = [str(a) for a in rng.permutation(["x", "y", "z"])[: int(rng.integers(1, 4))]]
    links = []
    for i, axis in enumerate(axes):
        joint = {"parent": links[-1]["name"] if links else "world", "at": digits(rng.uniform(-0.3, 0.3, 3), 3), "type": "prismatic", "axis": axis}
        links.append(body(rng, f"l{i}", joint))
    job, q = new_job(gravity, links), {f"l{i}": digits(rng.uniform(-0.3, 0.3)) for i in range(len(axes))}
    trolley = links[-1]["name"]
    job["robot"]["frames"]["tool"] = {"link": trolley, "at": digits(rng.uniform(-0.3, 0.3, 3), 4)}
    first = add_load(rng, job, q, trolley, digits(rng.uniform(-0.4, 0.4, 3), 4), "load")
    chance = rng.random()
    if chance < 0.15:
        add_load(rng, job, q, trolley, digits(rng.uniform(-0.4, 0.4, 3), 4), "other")
    elif chance < 0.3:
        add_load(rng, job, q, "load", list(first["com"]), "other")
    return job, q, [f"l{i}" for i in range(len(axes))]


def arm(rng):
    """A tree whose joints have drives, with a load on a ball joint at its last link."""
    links = robots.tree(rng)
    if len(links) > 4:
        links = links[:4]
    if all(link["joint"]["type"] == "fixed" for link in links):
        links[0]["joint"].update(type="revolute", axis="y")
    job = new_job(random_gravity(rng), links)
    mechanism = Mechanism(job)
    q = {b.name: digits(rng.uniform(-1, 1) * (0.3 if b.kind == "prismatic" else 1.0)) for b in mechanism.bodies if b.kind != "fixed"}
    names = list(q)
    job["robot"]["frames"]["tool"] = {"link": links[-1]["name"], "at": digits(rng.uniform(-0.4, 0.4, 3), 4)}
    add_load(rng, job, q, links[-1]["name"], digits(rng.uniform(-0.3, 0.3, 3), 4), "load")
    return job, q, names


def base(rng):
    """An arm on a body that floats freely, on one that six springs hold, or on one that hangs on a ball joint."""
    kind = str(rng.choice(["free", "sprung", "ball"]))
    gravity = [0, 0, 0] if kind == "free" else [0, 0, -9.81] if rng.random() < 0.7 else random_gravity(rng)
    root = body(rng, "base", {"parent": "world", "at": digits(rng.uniform(-0.3, 0.3, 3), 4), "type": "spherical" if kind == "ball" else "floating"})
    if rng.random() < 0.4:
        root["joint"]["rpy"] = digits(rng.uniform(-1.5, 1.5, 3), 5)
    root["mass"] = digits(log_uniform(rng, 10, 100))
    root["inertia"] = box(rng, root["mass"], (0.4, 1.2))
    links = [root]
    for i in range(int(rng.integers(1, 4))):
        joint = {"parent": links[-1]["name"], "at": digits(rng.uniform(-0.5, 0.5, 3), 4), "type": "prismatic" if rng.random() < 0.15 else "revolute", "axis": random_axis(rng)}
        link = body(rng, f"l{i}", joint)
        link["mass"] = digits(log_uniform(rng, 0.5, 8))
        link["inertia"] = box(rng, link["mass"], (0.1, 0.6))
        links.append(link)
    job, names = new_job(gravity, links), [link["name"] for link in links[1:]]
    q = {name: digits(rng.uniform(-1, 1) * 0.5) for name in names}
    job["robot"]["frames"]["tool"] = {"link": links[-1]["name"], "at": digits(rng.uniform(-0.4, 0.4, 3), 4)}
    R, p = frame_at(job, q, "base")
    if kind == "ball":
        down = unit(gravity) if np.any(gravity) else unit(rng.normal(size=3))
        root["com"] = digits(R.T @ down * rng.uniform(0.5, 1.5), 5)
    if kind == "sprung":
        suspend(rng, job, R, p)
    return job, q, names


def suspend(rng, job, R, p):
    """Six springs with dampers from the world to the base, in pairs like those of a hexapod, as long as they are where the base starts."""
    mass = sum(link["mass"] for link in job["robot"]["links"])
    frames = job["robot"]["frames"]
    up = turn(unit(rng.normal(size=3)), rng.uniform(0, 3))
    K = mass * (2 * np.pi * log_uniform(rng, 2, 8)) ** 2 / 2
    damping = 2 * log_uniform(rng, 0.02, 0.3) * np.sqrt(K * mass)
    for k in range(6):
        low, high = (k // 2) * 2 * np.pi / 3, ((k + 1) // 2) * 2 * np.pi / 3 + np.pi / 3 - 2 * np.pi / 3
        a = digits(p + up @ [1.2 * np.cos(high), 1.2 * np.sin(high), 0.9], 5)
        b = digits(R.T @ up @ [0.6 * np.cos(low), 0.6 * np.sin(low), 0.0], 5)
        frames[f"wall{k}"], frames[f"eye{k}"] = {"link": "world", "at": a}, {"link": "base", "at": b}
        length = np.linalg.norm(p + R @ b - np.array(a))
        job["robot"].setdefault("springs", []).append({"name": f"coil{k}", "frames": [f"wall{k}", f"eye{k}"], "stiffness": digits(K), "damping": digits(damping), "length": digits(length)})


def rod(rng, locked_turn):
    """A crank turns a rocker about another axis through a rod with a ball joint at its first end and, at the other, a second one or a
    universal joint. All frames but the rod's are parallel in the start pose, so that it is closed there; the rod is far from a dead point."""
    while True:
        A, D = np.zeros(3), rng.uniform(-1, 1, 3) * 0.7
        a, d = unit(rng.normal(size=3)), unit(rng.normal(size=3))
        B = A + np.cross(a, unit(rng.normal(size=3))) * rng.uniform(0.15, 0.35) + a * rng.uniform(-0.1, 0.1)
        C = D + np.cross(d, unit(rng.normal(size=3))) * rng.uniform(0.4, 0.8) + d * rng.uniform(-0.1, 0.1)
        e = unit(C - B)
        lever = [abs(e @ np.cross(axis, x)) / max(np.linalg.norm(np.cross(axis, x)), 1e-9) for axis, x in ((a, B - A), (d, C - D))]
        if 0.4 < np.linalg.norm(C - B) < 1.2 and min(lever) > 0.4 and np.linalg.norm(np.cross(a, B - A)) > 0.1 and np.linalg.norm(np.cross(d, C - D)) > 0.3:
            break
    A, B, C, D = (np.array(digits(x)) for x in (A, B, C, D))
    turned = digits(rng.uniform(-1.5, 1.5, 3), 5) if rng.random() < 0.5 else [0.0, 0.0, 0.0]
    R = rpy_rotation(turned)
    crank = body(rng, "crank", {"parent": "world", "at": A.tolist(), "type": "revolute", "axis": digits(a)})
    coupler = body(rng, "coupler", {"parent": "crank", "at": (B - A).tolist(), "rpy": turned, "type": "spherical"})
    rocker = body(rng, "rocker", {"parent": "world", "at": D.tolist(), "type": "revolute", "axis": digits(d)})
    for link, end in ((crank, B - A), (coupler, R.T @ (C - B)), (rocker, C - D)):
        link["mass"] = digits(log_uniform(rng, 0.3, 5))
        link["com"] = digits(end * rng.uniform(0.2, 0.7) + rng.uniform(-0.05, 0.05, 3), 5)
        link["inertia"] = box(rng, link["mass"], (0.05, 0.3))
    job = new_job(random_gravity(rng), [crank, coupler, rocker])
    # both frames have the locked axis along the rod
    k = int(rng.integers(3))
    along = turn(np.eye(3)[k], rng.uniform(-3, 3))
    other = unit(np.cross(e, rng.normal(size=3)))
    axes = np.zeros((3, 3))
    axes[:, k], axes[:, (k + 1) % 3] = e, other
    axes[:, (k + 2) % 3] = np.cross(axes[:, k], axes[:, (k + 1) % 3])
    axes = axes @ along
    job["robot"]["frames"] = {"end": {"link": "coupler", "at": (R.T @ (C - B)).tolist(), "rpy": rotation_rpy(R.T @ axes)},
                              "pin": {"link": "rocker", "at": (C - D).tolist(), "rpy": rotation_rpy(axes)}}
    rows = ["x", "y", "z"] + ([f"r{'xyz'[k]}"] if locked_turn else [])
    job["robot"]["constraints"] = [{"name": "loop", "closure": {"frames": ["pin", "end"] if rng.random() < 0.5 else ["end", "pin"], "locked": rows}}]
    return job, {"crank": 0.0, "rocker": 0.0}


def random_balls(seed):
    rng = np.random.default_rng([23, seed])
    kind = ("gantry", "arm", "base", "loop")[seed % 4]
    if kind == "loop":
        job, q = rod(rng, rng.random() < 0.5)
        add_drives(rng, job, q, ["crank"])
        if rng.random() < 0.2:
            add_load(rng, job, q, "rocker", job["robot"]["frames"]["pin"]["at"], "load")
        tasks.add_loop_task(rng, job, ["crank"], q)
        return job
    job, q, names = {"gantry": gantry, "arm": arm, "base": base}[kind](rng)
    add_drives(rng, job, q, names)
    if kind == "gantry" and rng.random() < 0.15:  # the load itself is led
        job["robot"]["frames"]["tool"] = {"link": "load", "at": digits(np.array(next(link for link in job["robot"]["links"] if link["name"] == "load")["com"]) * rng.uniform(0.3, 0.8), 5)}
    tasks.add_task(rng, job, q)
    return job
