"""Random closed loops with more drives than outputs: four-bars and five-bars, rods in space, planar platforms and deltas. The torques are
those with the least sum of squares; the same seed is the same job."""
import numpy as np

import tasks
from balls import new_job, rod
from mechanism import Mechanism
from robots import body, box, carried_inertia, drive, log_uniform, random_gravity
from tasks import digits


def add_drives(rng, job, q, names):
    """Elastic drives, damped or not, and rarely a rigid one among them."""
    mechanism = Mechanism(job)
    damped, rigid = rng.random() < 0.6, rng.random() < 0.2
    for link in job["robot"]["links"]:
        if link["name"] in names:
            inertia = 2 * carried_inertia(mechanism, q, link["name"])
            link["drive"] = drive(rng, inertia, not (rigid and rng.random() < 0.5), damped or rng.random() < 0.3)


def revolute(rng, name, parent, at):
    return body(rng, name, {"parent": parent, "at": at, "type": "revolute", "axis": "y"}, True)


def bars(rng):
    """A four-bar with two or three drives and one output, or a five-bar with three or four and two."""
    five = rng.random() < 0.5
    L = rng.uniform(0.5, 1.0)
    A, D = np.zeros(3), np.array([L * rng.uniform(0.8, 1.4), 0, L * rng.uniform(-0.1, 0.1)])
    up, down = rng.uniform(1.2, 2.0), rng.uniform(1.0, 1.8)
    B = A + L * rng.uniform(0.6, 0.9) * np.array([np.cos(up), 0, np.sin(up)])
    C = D + L * rng.uniform(0.9, 1.2) * np.array([np.cos(down), 0, np.sin(down)])
    E = 0.5 * (B + C) + np.array([0, 0, L * rng.uniform(0.4, 0.8)])
    A, B, C, D, E = (np.array(digits(x)) for x in (A, B, C, D, E))
    links = [revolute(rng, "crank", "world", A.tolist()), revolute(rng, "coupler", "crank", (B - A).tolist()), revolute(rng, "rocker", "world", D.tolist())]
    end, held, origin = (E, "second", C) if five else (C, "rocker", D)
    if five:
        links.append(revolute(rng, "second", "rocker", (C - D).tolist()))
    job = new_job(random_gravity(rng), links)
    job["robot"]["frames"] = {"tip": {"link": "coupler", "at": (end - B).tolist()}, "pin": {"link": held, "at": (end - origin).tolist()}}
    job["robot"]["constraints"] = [{"name": "loop", "closure": {"frames": ["tip", "pin"], "locked": ["x", "z"]}}]
    q = {link["name"]: 0.0 for link in links}
    names = [str(n) for n in rng.permutation([link["name"] for link in links])]
    add_drives(rng, job, q, names[: int(rng.integers(3, 5)) if five else int(rng.integers(2, 4))])
    if rng.random() < 0.2:
        free = [link for link in links if "drive" not in link]
        for link in free[:1]:
            link["spring"] = {"stiffness": digits(log_uniform(rng, 1, 50)), "damping": digits(log_uniform(rng, 0.1, 2))}
    tasks.add_loop_task(rng, job, ["tip.x", "tip.z"] if five else ["crank"], q)
    return job


def platform(rng):
    """A body in the plane on three or four legs with two bars each; every crank has a drive, perhaps a knee too. All frames are parallel at the start."""
    legs = int(rng.integers(3, 5))
    links, frames, closures = [], {}, []
    centre = np.array([0.0, 0.0, 0.0])
    turned = rng.uniform(0, 2 * np.pi)
    for k in range(legs):
        angle = turned + 2 * np.pi * k / legs + rng.uniform(-0.2, 0.2)
        out = np.array([np.cos(angle), 0, np.sin(angle)])
        across = np.array([-out[2], 0, out[0]]) * rng.choice([-1, 1])
        foot, corner = out * rng.uniform(0.9, 1.2), out * rng.uniform(0.15, 0.3)
        knee = 0.5 * (foot + corner) + across * rng.uniform(0.35, 0.55)
        foot, corner, knee = (np.array(digits(x, 5)) for x in (foot, corner, knee))
        links += [revolute(rng, f"crank{k}", "world", foot.tolist()), revolute(rng, f"shin{k}", f"crank{k}", (knee - foot).tolist())]
        for link, end in zip(links[-2:], (knee - foot, corner - knee)):
            link.update(mass=digits(log_uniform(rng, 0.3, 5)), com=digits(end * rng.uniform(0.2, 0.7), 4))
            link["inertia"] = box(rng, link["mass"], (0.05, 0.3))
        frames[f"end{k}"], frames[f"corner{k}"] = {"link": f"shin{k}", "at": (corner - knee).tolist()}, {"link": "platform", "at": (corner - centre).tolist()}
        closures.append({"name": f"loop{k}", "closure": {"frames": [f"corner{k}", f"end{k}"], "locked": ["x", "z"]}})
    links.append(body(rng, "platform", {"parent": "world", "type": ["x", "z", "ry"]}, True))
    job = new_job(random_gravity(rng), links)
    job["robot"].update(frames=frames, constraints=closures)
    q = {name: 0.0 for name in Mechanism(job).moving}
    names = [f"crank{k}" for k in range(legs)]
    if legs == 3 or rng.random() < 0.3:
        names.append(f"shin{int(rng.integers(legs))}")
    add_drives(rng, job, q, names)
    start, size = np.zeros(3), np.array([0.08, 0.08, 0.15])
    points = [start] + [size * rng.uniform(-1, 1, 3) for _ in range(int(rng.integers(1, 3)))]
    tasks.finish(rng, job, ["platform.x", "platform.z", "platform.ry"], points, q)
    return job


def delta(rng):
    """Four or five arms about a circle move a platform that does not turn: three outputs."""
    arms = int(rng.integers(4, 6))
    links, frames, closures = [], {}, []
    R, upper, lower, r = rng.uniform(0.15, 0.3), rng.uniform(0.2, 0.35), rng.uniform(0.5, 0.7), rng.uniform(0.04, 0.1)
    height = rng.uniform(0.45, 0.6)
    near = {"platform.z": digits(-height)}
    for k in range(arms):
        yaw = 2 * np.pi * k / arms + rng.uniform(-0.1, 0.1)
        out = np.array([np.cos(yaw), np.sin(yaw), 0])
        arm = body(rng, f"arm{k}", {"parent": "world", "at": digits(R * out), "rpy": [0.0, 0.0, digits(yaw)], "type": "revolute", "axis": "y"})
        forearm = body(rng, f"forearm{k}", {"parent": f"arm{k}", "at": [digits(upper), 0.0, 0.0], "type": ["ry", "rz"]})
        for link, length in ((arm, upper), (forearm, lower)):
            link.update(mass=digits(log_uniform(rng, 0.2, 2)), com=digits([length * rng.uniform(0.2, 0.6), 0.0, 0.0], 4))
            link["inertia"] = box(rng, link["mass"], (0.05, 0.3))
        links += [arm, forearm]
        frames[f"rod{k}"], frames[f"corner{k}"] = {"link": f"forearm{k}", "at": [digits(lower), 0.0, 0.0]}, {"link": "platform", "at": digits(r * out)}
        closures.append({"name": f"loop{k}", "closure": {"frames": [f"corner{k}", f"rod{k}"], "locked": ["x", "y", "z"]}})
        near.update({f"arm{k}": 0.3, f"forearm{k}.ry": 1.5})
    links.append(body(rng, "platform", {"parent": "world", "type": ["x", "y", "z"]}))
    links[-1]["mass"] = digits(log_uniform(rng, 0.3, 5))
    job = new_job([0, 0, -9.81] if rng.random() < 0.7 else random_gravity(rng), links)
    job["robot"].update(frames=frames, constraints=closures)
    q = {**{name: 0.0 for name in Mechanism(job).moving}, **near}
    add_drives(rng, job, q, [f"arm{k}" for k in range(arms)])
    start = np.array([0.0, 0.0, -height])
    points = [start] + [start + np.array([0.12, 0.12, 0.06]) * rng.uniform(-1, 1, 3) for _ in range(int(rng.integers(1, 3)))]
    tasks.finish(rng, job, ["platform.x", "platform.y", "platform.z"], points, q)
    job["task"]["start"] = {"near": near}
    return job


def spatial_rod(rng):
    """A rod with a ball joint and a universal joint: crank and rocker have drives, one output."""
    job, q = rod(rng, True)
    add_drives(rng, job, q, ["crank", "rocker"])
    tasks.add_loop_task(rng, job, ["crank"], q)
    return job


def random_redundant(seed):
    rng = np.random.default_rng([43, seed])
    return (bars, platform, delta, spatial_rod)[seed % 4](rng)
