"""Equations of motion that share no code with the program: Newton and Euler for each body, forces summed over what a joint carries.

`residuals` puts a motion and its torques, as trajectory.csv has them, into these equations. Accelerations are differences of the
velocities of a fine table, of order 12; times at which a derivative of the path jumps are left out.
"""
import numpy as np

import tasks
from mechanism import DIRECTIONS, Mechanism, axis_vector

HALF = np.array([6 / 7, -15 / 56, 5 / 63, -1 / 56, 1 / 385, -1 / 5544])
STENCIL = np.concatenate([-HALF[::-1], [0], HALF])  # first derivative, order 12
REACH = len(HALF)

IDLE = 1e-9  # share of the largest force or torque: rows below it, such as across the plane of a planar arm, hold rounding alone
STILL = 1e-6  # rad/s, m/s: slower is at rest but for rounding


def derivative(values, h):
    """Of the rows that have REACH rows on both sides; `values` is an array over evenly spaced times."""
    n = len(values) - 2 * REACH
    return sum(c * values[k:k + n] for k, c in enumerate(STENCIL)) / h


def locked(closure):
    return closure.get("locked", DIRECTIONS)


def rotation_rows(closure):
    """For each locked rotation the pairs of axes (of the first frame, of the second, factor) whose products are its row: with one locked
    a universal joint, with three half the vector of the rotation. Two are a hinge, which no family has."""
    rows = {}
    turns = [row for row in locked(closure) if row[0] == "r"]
    for row in turns:
        k = "xyz".index(row[1])
        i, j = (k + 1) % 3, (k + 2) % 3
        rows[row] = [(j, i, 1.0)] if len(turns) == 1 else [(j, i, 0.5), (i, j, -0.5)]
    if len(turns) == 2:
        raise NotImplementedError("a closure with two locked rotations")
    return rows


def locked_angles(closure, Ra, Rb):
    return {row: sum(c * np.einsum("ti,ti->t", Ra[:, :, m], Rb[:, :, n]) for m, n, c in pairs) for row, pairs in rotation_rows(closure).items()}


def moment_directions(closure, Ra, Rb):
    """The moment on the second frame that does the work of one unit of each row: d(a . b) = w . (b x a)."""
    return {row: sum(c * np.cross(Rb[:, :, n], Ra[:, :, m]) for m, n, c in pairs) for row, pairs in rotation_rows(closure).items()}


class Wrenches:
    """Forces on bodies, and their moments about the world's origin."""

    def __init__(self, count, times):
        self.force, self.moment = np.zeros((count, times, 3)), np.zeros((count, times, 3))

    def add(self, body, force, point, moment=0.0):
        if body >= 0:
            self.force[body] += force
            self.moment[body] += np.cross(point, force) + moment


class Equations:
    """The left and right sides for one motion q, v, a (arrays over time by coordinate name)."""

    def __init__(self, job, q, v, a, gravity_sign=1.0):
        self.mechanism = Mechanism(job)
        self.robot = job["robot"]
        self.links = {link["name"]: link for link in self.robot["links"]}
        # velocities of joints with several directions, which neither a drive nor a spring holds
        several = [n for n, link in self.links.items() if isinstance(link["joint"]["type"], list) or link["joint"]["type"] in ("spherical", "floating")]
        self.several = {name for b in self.mechanism.bodies for name in b.velocities
                        if b.name.split(".")[0] in several and b.name.split(".")[-1] not in self.links.get(b.name.split(".")[0], {}).get("springs", {})}
        self.q, self.v, self.a = q, v, a
        self.times = len(next(iter(q.values())))
        self.states = self.mechanism.motion(q, v, a)
        self.gravity = gravity_sign * np.array(self.robot.get("gravity", [0, 0, -9.81]), float)

    def inertia_forces(self):
        """Forces on the bodies that make this motion, less gravity."""
        m, states = self.mechanism, self.states
        w = Wrenches(len(m.bodies), self.times)
        for i, b in enumerate(m.bodies):
            R, p, omega, _, alpha, acc = states[i]
            for mass, com, inertia in b.masses:
                c = R @ com
                a_c = acc + np.cross(alpha, c) + np.cross(omega, np.cross(omega, c))
                I = R @ inertia @ R.transpose(0, 2, 1)
                spin = np.einsum("tij,tj->ti", I, alpha) + np.cross(omega, np.einsum("tij,tj->ti", I, omega))
                w.add(i, mass * (a_c - self.gravity), p + c, spin)
        return w

    def scales(self):
        """For joints with several directions, which nothing holds, so that all they carry sums up to zero: the largest force of a single body,
        by its weight or by its motion; times its lever for a turn."""
        m, largest = self.mechanism, dict.fromkeys(self.several, 0.0)
        for i, b in enumerate(m.bodies):
            R, p, omega, _, alpha, acc = self.states[i]
            for mass, com, inertia in b.masses:
                c = R @ com
                force = mass * np.linalg.norm(acc + np.cross(alpha, c) + np.cross(omega, np.cross(omega, c)), axis=1)
                force = np.maximum(force, mass * np.linalg.norm(self.gravity))
                spin = np.linalg.norm(np.einsum("tij,tj->ti", R @ inertia @ R.transpose(0, 2, 1), alpha), axis=1)
                j = i
                while j >= 0:
                    joint = m.bodies[j]
                    term = force if joint.kind == "prismatic" else np.maximum(force * np.linalg.norm(p + c - self.states[j][1], axis=1), spin)
                    largest.update({name: max(largest[name], term.max()) for name in joint.velocities if name in largest})
                    j = joint.parent
        return largest

    def at_joints(self, w):
        """What every joint has to give for these forces on what it carries."""
        m, states = self.mechanism, self.states
        for i in reversed(range(len(m.bodies))):
            parent = m.bodies[i].parent
            if parent >= 0:
                w.force[parent] += w.force[i]
                w.moment[parent] += w.moment[i]
        tau = {}
        for i, b in enumerate(m.bodies):
            along = w.force[i] if b.kind == "prismatic" else w.moment[i] - np.cross(states[i][1], w.force[i])
            for name, axis in zip(b.velocities, m.axes_in_world(states, i)):
                tau[name] = np.einsum("ti,ti->t", axis, along)
        return tau

    def point(self, frame):
        """Body, position and velocity of a frame's origin, and its rotation."""
        body, _, _ = self.mechanism.frames[frame]
        p, R = self.mechanism.frame_pose(self.states, frame, self.times)
        if body < 0:
            return body, p, np.zeros_like(p), R
        _, origin, omega, vel, _, _ = self.states[body]
        return body, p, vel + np.cross(omega, p - origin), R

    def frame_spring_forces(self):
        """The opposite of the forces of springs between frames."""
        w = Wrenches(len(self.mechanism.bodies), self.times)
        for s in self.robot.get("springs", []):
            (i, a, va, _), (j, b, vb, _) = self.point(s["frames"][0]), self.point(s["frames"][1])
            length = np.linalg.norm(b - a, axis=1)
            e = (b - a) / length[:, None]
            pull = s.get("stiffness", 0) * (length - s.get("length", 0)) + s.get("damping", 0) * np.einsum("ti,ti->t", e, vb - va)
            w.add(i, -pull[:, None] * e, a)
            w.add(j, pull[:, None] * e, b)
        return w

    def constraint_forces(self, multipliers):
        """The opposite of the forces of closures: lambda acts on the second frame, its opposite at the same point on the first. A plane
        pushes the frame along its normal."""
        w = Wrenches(len(self.mechanism.bodies), self.times)
        for c in self.robot.get("constraints", []):
            if "plane" in c:
                i, point, _, _ = self.point(c["plane"]["frame"])
                w.add(i, -multipliers[c["name"]][:, None] * axis_vector(c["plane"]["normal"]), point)
                continue
            (i, _, _, Ra), (j, b, _, Rb) = (self.point(f) for f in c["closure"]["frames"])
            for k, row in enumerate("xyz"):
                force = multipliers.get(f"{c['name']}.{row}")
                if force is not None:
                    f = force[:, None] * Ra[:, :, k]
                    w.add(j, -f, b)
                    w.add(i, f, b)
            for row, direction in moment_directions(c["closure"], Ra, Rb).items():
                if f"{c['name']}.{row}" in multipliers:
                    moment = multipliers[f"{c['name']}.{row}"][:, None] * direction
                    w.add(j, np.zeros_like(b), b, -moment)
                    w.add(i, np.zeros_like(b), b, moment)
        return w

    def openings(self):
        """By how much closures are open in their locked directions (m, rad)."""
        rows = {}
        for c in self.robot.get("constraints", []):
            if "closure" in c:
                (_, a, _, Ra), (_, b, _, Rb) = (self.point(f) for f in c["closure"]["frames"])
                gap = np.einsum("tji,tj->ti", Ra, b - a)
                rows.update({f"{c['name']}.{row}": gap[:, k] for k, row in enumerate("xyz") if row in locked(c["closure"])})
                rows.update({f"{c['name']}.{row}": angle for row, angle in locked_angles(c["closure"], Ra, Rb).items()})
        return rows

    def spring_torques(self):
        """Torque of the drive springs on their joints, and of the joint springs, couplings included."""
        stretch, rate = self.stretches()
        K, D = self.matrices("drives", stretch, {n: self.links[n]["drive"] for n in stretch})
        drives = self.pull(stretch, rate, K, D, {n: self.links[n]["drive"] for n in stretch})
        springs = {}
        for name, link in self.links.items():
            if "spring" in link:
                springs[name] = link["spring"]
            springs.update({f"{name}.{d}": s for d, s in link.get("springs", {}).items()})
        e = {n: self.q[n] - s.get("rest", 0.0) for n, s in springs.items()}
        K, D = self.matrices("springs", e, springs)
        joints = self.pull(e, {n: self.v[n] for n in springs}, K, D, springs)
        return drives, {n: -x for n, x in joints.items()}

    def stretches(self):
        """d = T (q_m / n) - q of the elastic drives, and its rate."""
        elastic = [n for n, link in self.links.items() if "stiffness" in link.get("drive", {})]
        d, rate = {}, {}
        for n in elastic:
            row = self.transmission_row(n)
            for values, source in ((d, self.q), (rate, self.v)):
                values[n] = sum(r * source[f"{k}.rotor"] / self.gear(k) for k, r in row.items()) - source[n]
        return d, rate

    def gear(self, name):
        return self.links[name]["drive"].get("gear_ratio", 1.0)

    def transmission_row(self, name):
        for t in self.robot.get("transmissions", []):
            if name in t["drives"]:
                return dict(zip(t["drives"], t["ratio"][t["drives"].index(name)]))
        return {name: 1.0}

    def matrices(self, kind, names, springs):
        names = list(names)
        K, D = (np.diag([float(springs[n].get(key, 0.0)) for n in names]) for key in ("stiffness", "damping"))
        for c in self.robot.get("couplings", []):
            if kind in c:
                at = np.ix_([names.index(n) for n in c[kind]], [names.index(n) for n in c[kind]])
                for matrix, key in ((K, "stiffness"), (D, "damping")):
                    if key in c:
                        matrix[at] = c[key]
        return K, D

    @staticmethod
    def pull(d, rate, K, D, springs):
        names = list(d)
        if not names:
            return {}
        torque = K @ np.array([d[n] for n in names]) + D @ np.array([rate[n] for n in names])
        for i, n in enumerate(names):
            for k, c in enumerate(springs[n].get("hardening", [])):
                torque[i] += c * d[n] ** (2 * k + 3)
        return dict(zip(names, torque))

    def friction(self, drive, speed):
        f = drive.get("friction", 0.0) * speed
        return f + drive["coulomb"] * np.tanh(speed / drive["coulomb_speed"]) if drive.get("coulomb") else f

    def residuals(self, u, multipliers):
        """For every row of motion its residual and the largest of its terms, arrays over time."""
        loads = [self.at_joints(w) for w in (self.inertia_forces(), self.frame_spring_forces(), self.constraint_forces(multipliers))]
        drives, joints = self.spring_torques()
        rows = {}
        for name in loads[0]:
            drive = self.links.get(name, {}).get("drive")
            terms = [load[name] for load in loads] + ([-joints[name]] if name in joints else [])
            if drive and name in drives:
                terms.append(-drives[name])
            elif drive:
                n = self.gear(name)
                terms += [n * n * drive.get("rotor_inertia", 0.0) * self.a[name], n * self.friction(drive, n * self.v[name]), -n * u[name]]
            rows[name] = terms
        for name in drives:
            drive, motor = self.links[name]["drive"], f"{name}.rotor"
            carried = sum(self.transmission_row(k).get(name, 0.0) * drives[k] for k in drives) / self.gear(name)
            rows[motor] = [drive["rotor_inertia"] * self.a[motor], self.friction(drive, self.v[motor]), carried, -u[name]]
        peaks = {name: max(np.abs(t).max() for t in terms) for name, terms in rows.items()}
        peaks.update({name: max(peaks[name], scale) for name, scale in self.scales().items()})
        return {name: (sum(terms), peaks[name]) for name, terms in rows.items()}


def moved(mechanism, q, name, step):
    """The pose q with one velocity's coordinate moved: a ball turns about an axis of its joint frame, (cos, sin e) q for half the step."""
    for ball in mechanism.balls:
        if name in ball.velocities:
            w, x, y, z = (q.get(n, np.full(1, float(n.endswith("w")))) for n in ball.quaternion)
            a, b, c = np.sin(step / 2) * np.eye(3)[ball.velocities.index(name)]
            k = np.cos(step / 2)
            turned = (k * w - a * x - b * y - c * z, k * x + a * w + b * z - c * y, k * y + b * w + c * x - a * z, k * z + c * w + a * y - b * x)
            return {**q, **dict(zip(ball.quaternion, turned))}
    return {**q, name: q[name] + step}


def closure_jacobian(job, q, step=1e-5):
    """Rows of the closures against all velocities of the joints, at many times: central differences, good to 1e-10. (times, rows, velocities)"""
    mechanism = Mechanism(job)
    names = [name for b in mechanism.bodies for name in b.velocities]
    columns = []
    for name in names:
        there, back = (Equations(job, moved(mechanism, q, name, d), None, None).openings() for d in (step, -step))
        columns.append(np.array([(there[row] - back[row]) / (2 * step) for row in there]))
    return np.array(columns).transpose(2, 1, 0), names, list(there)


def saving(job, table, samples=25):
    """With more drives than outputs: by which share the loads of the drives, seen from their motors, could be smaller with other forces in
    the loops, at the worst of some times. Those forces leave the joints without a drive and the forces that are outputs as they are."""
    at = np.linspace(0, len(table["t"]) - 1, samples).astype(int)
    q, v = ({name[2:]: column[at] for name, column in table.items() if name.startswith(kind)} for kind in ("q.", "v."))
    equations = Equations(job, q, v, None)
    elastic = equations.spring_torques()[0]
    driven = [n for n, link in equations.links.items() if "drive" in link]
    n = np.array([equations.gear(name) for name in driven])
    seen = np.array([elastic[d] if d in elastic else equations.gear(d) * table[f"u.{d}"][at] for d in driven]) / n[:, None]
    G, names, rows = closure_jacobian(job, q)
    free = [i for i, name in enumerate(names) if name not in driven]
    fixed = np.array([[float(row + ".force" == output) for row in rows] for output in job["task"]["outputs"] if output.endswith(".force")]).reshape(-1, len(rows))
    worst = 0.0
    for k in range(samples):
        conditions = np.vstack([G[k][:, free].T, fixed])
        _, s, Vt = np.linalg.svd(conditions)
        open_forces = Vt[int((s > 1e-7 * s.max(initial=0.0)).sum()):]  # they do nothing to joints without a drive
        change = (open_forces @ G[k][:, [names.index(d) for d in driven]] / n).T
        U, s, _ = np.linalg.svd(change, full_matrices=False)
        U = U[:, s > 1e-7 * np.abs(G[k]).max() / np.abs(n).max()]
        if U.size and np.linalg.norm(seen[:, k]) > 0:
            worst = max(worst, np.linalg.norm(U.T @ seen[:, k]) / np.linalg.norm(seen, axis=0).max())
    return worst


def covers(job):
    """The equations are those of rigid bodies."""
    return not any("beam" in link for link in job["robot"]["links"])


def ball_rates(ball, q, cut, h):
    """q' = (0, w) q / 2 for the quaternion of a ball, and its length."""
    w, x, y, z = (cut["q"][name] for name in ball.quaternion)
    a, b, c = (cut["v"][name] for name in ball.velocities)
    product = (-a * x - b * y - c * z, a * w + b * z - c * y, b * w + c * x - a * z, c * w + a * y - b * x)
    fastest = max(max(np.abs(s).max() for s in (a, b, c)), STILL)
    rows = {f"rate of {name}": (derivative(q[name], h) - p / 2, fastest) for name, p in zip(ball.quaternion, product)}
    return {**rows, f"length of {ball.name}": (w * w + x * x + y * y + z * z - 1, 1.0)}


def largest_residual(job, table, gravity_sign=1.0):
    """The largest residual of any row, relative to the peak of the terms of that row; its row and time."""
    t = table["t"]
    h = (t[-1] - t[0]) / (len(t) - 1)
    inner = slice(REACH, len(t) - REACH)
    kept = np.ones(len(t) - 2 * REACH, bool)
    for knot in tasks.knots(job):
        kept &= np.abs(t[inner] - knot) > (REACH + 0.5) * h
    parts = {kind: {name[len(kind) + 1:]: column for name, column in table.items() if name.startswith(kind + ".")} for kind in ("q", "v", "u", "lambda")}
    a = {name: derivative(column, h) for name, column in parts["v"].items()}
    cut = {kind: {name: column[inner] for name, column in values.items()} for kind, values in parts.items()}
    equations = Equations(job, cut["q"], cut["v"], a, gravity_sign)
    rows = equations.residuals(cut["u"], cut["lambda"])
    rates = {f"rate of {n}": (derivative(parts["q"][n], h) - cut["v"][n], max(np.abs(cut["v"][n]).max(), STILL)) for n in parts["v"] if n in parts["q"]}
    for ball in equations.mechanism.balls:
        rates.update(ball_rates(ball, parts["q"], cut, h))
    rates.update({f"closure {n}": (gap, 1.0) for n, gap in equations.openings().items()})
    worst, largest = (0.0, "", 0.0), max(peak for _, peak in rows.values())
    for name, (residual, peak) in {**rows, **rates}.items():
        peak = max(peak, IDLE * largest) if name in rows else peak
        if peak > 0 and kept.any():
            k = int(np.argmax(np.abs(residual) * kept))
            worst = max(worst, (abs(residual[k]) / peak, name, t[inner][k]))
    return worst
