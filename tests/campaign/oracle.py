"""Equations of motion that share no code with the program: Newton and Euler for each body, forces summed over what a joint carries.

`residuals` puts a motion and its torques, as trajectory.csv has them, into these equations. Accelerations are differences of the
velocities of a fine table, of order 12; times at which a derivative of the path jumps are left out.
"""
import numpy as np

import tasks
from mechanism import Mechanism, axis_vector

HALF = np.array([6 / 7, -15 / 56, 5 / 63, -1 / 56, 1 / 385, -1 / 5544])
STENCIL = np.concatenate([-HALF[::-1], [0], HALF])  # first derivative, order 12
REACH = len(HALF)

IDLE = 1e-9  # share of the largest force or torque: rows below it, such as across the plane of a planar arm, hold rounding alone
STILL = 1e-6  # rad/s, m/s: slower is at rest but for rounding


def derivative(values, h):
    """Of the rows that have REACH rows on both sides; `values` is an array over evenly spaced times."""
    n = len(values) - 2 * REACH
    return sum(c * values[k:k + n] for k, c in enumerate(STENCIL)) / h


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
            axis = m.axis_in_world(states, i)
            along = w.force[i] if b.kind == "prismatic" else w.moment[i] - np.cross(states[i][1], w.force[i])
            if b.kind != "fixed":
                tau[b.name] = np.einsum("ti,ti->t", axis, along)
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
            (i, _, _, Ra), (j, b, _, _) = (self.point(f) for f in c["closure"]["frames"])
            for k, row in enumerate("xyz"):
                force = multipliers.get(f"{c['name']}.{row}")
                if force is not None:
                    f = force[:, None] * Ra[:, :, k]
                    w.add(j, -f, b)
                    w.add(i, f, b)
        return w

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
        return {name: (sum(terms), max(np.abs(t).max() for t in terms)) for name, terms in rows.items()}


def covers(job):
    """The equations are those of rigid bodies."""
    return not any("beam" in link for link in job["robot"]["links"])


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
    rows = Equations(job, cut["q"], cut["v"], a, gravity_sign).residuals(cut["u"], cut["lambda"])
    rates = {f"rate of {n}": (derivative(parts["q"][n], h) - cut["v"][n], max(np.abs(cut["v"][n]).max(), STILL)) for n in parts["v"]}
    worst, largest = (0.0, "", 0.0), max(peak for _, peak in rows.values())
    for name, (residual, peak) in {**rows, **rates}.items():
        peak = max(peak, IDLE * largest) if name in rows else peak
        if peak > 0 and kept.any():
            k = int(np.argmax(np.abs(residual) * kept))
            worst = max(worst, (abs(residual[k]) / peak, name, t[inner][k]))
    return worst
