"""A job in other units of mass, length and time: every number is multiplied by the units of its key."""
import copy


def scaled(job, mass=1.0, length=1.0, time=1.0):
    """The job in numbers of the new units, and for each drive the factor of its torque."""
    job = copy.deepcopy(job)
    robot, task = job["robot"], job["task"]
    kinds = {link["name"]: link["joint"]["type"] for link in robot["links"]}
    for link in robot["links"]:
        for direction in link.get("springs", {}):
            kinds[f"{link['name']}.{direction}"] = "revolute" if direction[0] == "r" else "prismatic"
        joint = link["joint"]["type"]
        for direction in joint if isinstance(joint, list) else "xyz" if joint == "floating" else "":
            kinds[f"{link['name']}.{direction}"] = "revolute" if direction[0] == "r" else "prismatic"
    size = {name: length if kind == "prismatic" else 1.0 for name, kind in kinds.items()}  # of a coordinate
    energy = mass * (length / time) ** 2

    robot["gravity"] = [x * length / time**2 for x in robot["gravity"]]
    for part in [link["joint"] for link in robot["links"]] + list(robot["frames"].values()):
        if "at" in part:
            part["at"] = [x * length for x in part["at"]]
        if "zero" in part:
            part["zero"] *= size[next(link["name"] for link in robot["links"] if link["joint"] is part)]
    for part in robot["links"] + ([task["payload"]] if "payload" in task else []):
        part["mass"] *= mass
        part["com"] = [x * length for x in part["com"]]
        part["inertia"] = {key: x * mass * length**2 for key, x in part["inertia"].items()}

    def scale_spring(s, x):
        for key, factor in (("stiffness", energy / x**2), ("damping", energy * time / x**2), ("rotor_inertia", energy * time**2 / x**2),
                            ("friction", energy * time / x**2), ("coulomb", energy / x), ("coulomb_speed", x / time)):
            if key in s:
                s[key] *= factor
        if "hardening" in s:
            s["hardening"] = [c * energy / x ** (2 * k + 4) for k, c in enumerate(s["hardening"])]
    for link in robot["links"]:
        scale_beam(link.get("beam", {}), mass, length, energy)
        for key in ("drive", "spring"):
            if key in link:
                scale_spring(link[key], size[link["name"]])
        for direction, s in link.get("springs", {}).items():
            scale_spring(s, size[f"{link['name']}.{direction}"])
    for s in robot.get("springs", []):
        scale_spring(s, length)
        s["length"] *= length
    for c in robot.get("couplings", []):
        names = c.get("drives", c.get("springs"))
        for key, factor in (("stiffness", energy), ("damping", energy * time)):
            if key in c:
                c[key] = [[x * factor / (size[a] * size[b]) for b, x in zip(names, row)] for a, row in zip(names, c[key])]
    for t in robot.get("transmissions", []):
        t["ratio"] = [[x * size[a] / size[b] for b, x in zip(t["drives"], row)] for a, row in zip(t["drives"], t["ratio"])]
    for c in robot.get("constraints", []):
        if "plane" in c:
            c["plane"]["point"] = [x * length for x in c["plane"]["point"]]
    scale_task(task, kinds, size, length, time, energy / length)
    tolerance = job.get("verification", {}).get("tolerance")
    # one number is for lengths and angles: it follows the unit of length only where there are no angles
    if tolerance and length != 1 and all(is_length(name, kinds) for name in task["outputs"] if not name.endswith(".force")):
        job["verification"]["tolerance"] = tolerance * length
    if "force_tolerance" in job.get("verification", {}):
        job["verification"]["force_tolerance"] *= energy / length
    return job, {link["name"]: energy / size[link["name"]] for link in robot["links"] if "drive" in link}


def scale_beam(beam, mass, length, energy):
    for key, factor in (("to", length), ("mass_per_length", mass / length), ("EI", energy * length), ("GJ", energy * length), ("twist_inertia", mass * length)):
        value = beam.get(key)
        if isinstance(value, dict):
            beam[key] = {axis: x * factor for axis, x in value.items()}
        elif isinstance(value, list):
            beam[key] = [x * factor for x in value]
        elif value is not None:
            beam[key] = value * factor


def is_length(output, kinds):
    return kinds[output] == "prismatic" if output in kinds else not output.endswith((".orientation", ".force"))


def scale_task(task, kinds, size, length, time, force):
    factors = []
    for output in task["outputs"]:
        if output.endswith(".force"):
            factors.append(force)
        else:
            factors += [1.0] * 3 if output.endswith(".orientation") else [length if is_length(output, kinds) else 1.0]

    def point(values):
        return [x * f for x, f in zip(values, factors, strict=True)]
    for part in task["path"] if isinstance(task["path"], list) else [task["path"]]:
        for key in ("from", "to"):
            if key in part.get("line", {}):
                part["line"][key] = point(part["line"][key])
        if "spline" in part:
            part["spline"]["points"] = [point(p) for p in part["spline"]["points"]]
            part["spline"]["times"] = [t * time for t in part["spline"]["times"]]
        for key in ("duration", "hold"):
            if key in part:
                part[key] *= time
    for key in task.get("hold", {}):
        task["hold"][key] *= time
    near = task.get("start", {}).get("near", {})
    for name in near:
        near[name] *= size.get(name, 1.0)  # a quaternion has no unit
