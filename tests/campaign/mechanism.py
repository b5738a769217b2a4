"""The robot of a job as a list of bodies with one joint axis each, or a ball, and where they are when it moves.

Only what a job file says is used; nothing is shared with the C++ code. All functions work on many times at once: a coordinate is
an array over the times, a vector has shape (times, 3), a rotation (times, 3, 3).
"""
import dataclasses

import numpy as np

DIRECTIONS = ("x", "y", "z", "rx", "ry", "rz")


def axis_vector(axis):
    """x, -z or three numbers as a unit vector."""
    if isinstance(axis, str):
        sign, letter = (-1.0, axis[1]) if axis[0] == "-" else (1.0, axis)
        return sign * np.eye(3)["xyz".index(letter)]
    vector = np.array(axis, float)
    return vector / np.linalg.norm(vector)


def skew(a):
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def turn(axis, angle):
    """Rotation about a unit vector by angles: Rodrigues' formula."""
    K = skew(axis)
    angle = np.asarray(angle, float)[..., None, None]
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def rpy_rotation(rpy):
    """About the fixed axes x, then y, then z."""
    r, p, y = rpy
    ex, ey, ez = np.eye(3)
    return turn(ez, y) @ turn(ey, p) @ turn(ex, r)


def rotation_rpy(R):
    """The inverse of rpy_rotation."""
    return [float(np.arctan2(R[2, 1], R[2, 2])), float(np.arcsin(np.clip(-R[2, 0], -1, 1))), float(np.arctan2(R[1, 0], R[0, 0]))]


def rotation_vector(R):
    """Axis times angle of a rotation, angle below pi."""
    w = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    s, c = np.linalg.norm(w), 0.5 * (np.trace(R) - 1)
    return w if s < 1e-12 else w / s * np.arctan2(s, c)


def quaternion_rotation(w, x, y, z):
    """Of a unit quaternion, arrays over time: v -> q v q*."""
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), -1, 0)


def inertia_matrix(inertia):
    i = {key: inertia.get(key, 0.0) for key in ("xx", "yy", "zz", "xy", "xz", "yz")}
    return np.array([[i["xx"], i["xy"], i["xz"]], [i["xy"], i["yy"], i["yz"]], [i["xz"], i["yz"], i["zz"]]])


@dataclasses.dataclass
class Body:
    name: str      # of its coordinate: a link, or link.rx for a spring in a direction; a fixed link has none that moves
    parent: int    # -1: the world
    R: np.ndarray  # joint frame in the parent
    p: np.ndarray
    kind: str      # revolute, prismatic, spherical, fixed
    axis: np.ndarray
    zero: float = 0.0
    masses: list = dataclasses.field(default_factory=list)  # (mass, centre of mass, inertia about it), in link axes

    @property
    def quaternion(self):
        """Its coordinates in a spherical joint, from the joint frame to the link's."""
        return [f"{self.name}.q{c}" for c in "wxyz"]

    @property
    def velocities(self):
        """Names of the velocities; those of a ball are the angular velocity against the parent in axes of the joint frame."""
        return [] if self.kind == "fixed" else [f"{self.name}.w{c}" for c in "xyz"] if self.kind == "spherical" else [self.name]


class Mechanism:
    """Bodies in an order in which parents come first."""

    def __init__(self, job):
        robot = job["robot"]
        self.robot, self.bodies, self.of_link = robot, [], {"world": -1}
        waiting = list(robot["links"])
        while waiting:
            link = next(link for link in waiting if link["joint"]["parent"] in self.of_link)
            waiting.remove(link)
            self.add_link(link)
        payload = job.get("task", {}).get("payload")
        if payload:
            self.bodies[self.of_link[payload["link"]]].masses.append(self.mass_of(payload))
        self.frames = {name: (self.of_link[f["link"]], np.array(f.get("at", [0, 0, 0]), float), rpy_rotation(f.get("rpy", [0, 0, 0])))
                       for name, f in robot.get("frames", {}).items()}
        for name, index in self.of_link.items():
            self.frames[name] = (index, np.zeros(3), np.eye(3))
        self.moving = [b.name for b in self.bodies if b.kind in ("revolute", "prismatic")]
        self.balls = [b for b in self.bodies if b.kind == "spherical"]

    @staticmethod
    def mass_of(part):
        return part.get("mass", 0.0), np.array(part.get("com", [0, 0, 0]), float), inertia_matrix(part.get("inertia", {}))

    def add_link(self, link):
        joint, name = link["joint"], link["name"]
        parent = self.of_link[joint["parent"]]
        R, p = rpy_rotation(joint.get("rpy", [0, 0, 0])), np.array(joint.get("at", [0, 0, 0]), float)
        kind = joint["type"]
        free = kind if isinstance(kind, list) else ["x", "y", "z"] if kind == "floating" else []
        for chosen in (link.get("springs", {}), free):
            for direction in DIRECTIONS:
                if direction in chosen:
                    one = "revolute" if direction[0] == "r" else "prismatic"
                    self.bodies.append(Body(f"{name}.{direction}", parent, R, p, one, axis_vector(direction[-1])))
                    parent, R, p = len(self.bodies) - 1, np.eye(3), np.zeros(3)
        kind = "fixed" if isinstance(kind, list) else "spherical" if kind == "floating" else kind
        self.bodies.append(Body(name, parent, R, p, kind, axis_vector(joint.get("axis", "x")), joint.get("zero", 0.0), [self.mass_of(link)]))
        self.of_link[name] = len(self.bodies) - 1

    def motion(self, q, v=None, a=None):
        """Poses and, with v and a, velocities and accelerations of all bodies; q, v, a: arrays over time by coordinate name."""
        times = max((np.size(x) for x in q.values()), default=1)
        zero = np.zeros(times)
        still = [np.broadcast_to(np.eye(3), (times, 3, 3))] + [np.zeros((times, 3))] * 5
        states = []
        for b in self.bodies:
            R, p, w, vel, alpha, acc = states[b.parent] if b.parent >= 0 else still
            x, xd, xdd = (np.broadcast_to(s.get(b.name, zero) if s else zero, (times,)) for s in (q, v, a))
            RJ, r = R @ b.R, R @ b.p
            s = RJ @ b.axis
            sd, sdd = s * xd[:, None], s * xdd[:, None]
            if b.kind == "prismatic":
                r = r + s * (x + b.zero)[:, None]
            new_acc = acc + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
            new_vel = vel + np.cross(w, r)
            if b.kind == "prismatic":
                states.append((RJ, p + r, w, new_vel + sd, alpha, new_acc + sdd + 2 * np.cross(w, sd)))
            elif b.kind == "revolute":
                states.append((RJ @ turn(b.axis, x + b.zero), p + r, w + sd, new_vel, alpha + sdd + np.cross(w, sd), new_acc))
            elif b.kind == "spherical":
                turned = [np.broadcast_to(q.get(name, zero + (name[-1] == "w")), (times,)) for name in b.quaternion]
                spin, rate = (np.stack([np.broadcast_to(s.get(name, zero) if s else zero, (times,)) for name in b.velocities], 1) for s in (v, a))
                spin, rate = (np.einsum("tij,tj->ti", RJ, x) for x in (spin, rate))
                states.append((RJ @ quaternion_rotation(*turned), p + r, w + spin, new_vel, alpha + rate + np.cross(w, spin), new_acc))
            else:
                states.append((RJ, p + r, w, new_vel, alpha, new_acc))
        return states

    def frame_pose(self, states, name, times):
        """Position and rotation of a frame."""
        index, at, R = self.frames[name]
        if index < 0:
            return np.broadcast_to(at, (times, 3)), np.broadcast_to(R, (times, 3, 3))
        return states[index][1] + states[index][0] @ at, states[index][0] @ R

    def axis_in_world(self, states, i):
        return self.axes_in_world(states, i)[0]

    def axes_in_world(self, states, i):
        """One for each velocity of a joint; those of a ball are the axes of its joint frame."""
        b = self.bodies[i]
        R = states[b.parent][0] if b.parent >= 0 else np.eye(3)
        return [np.broadcast_to(R @ b.R @ axis, states[i][1].shape) for axis in (np.eye(3) if b.kind == "spherical" else [b.axis])]

    def outputs(self, names, q):
        """Values of outputs; an orientation gives three, the rotation vector from the world."""
        times = max(np.size(x) for x in q.values())
        states, values = self.motion(q), []
        for name in names:
            frame, _, what = name.rpartition(".")
            if name in self.moving:
                values.append(np.broadcast_to(q[name], (times,)))
            elif what == "orientation":
                _, R = self.frame_pose(states, frame, times)
                values.extend(np.array([rotation_vector(r) for r in R]).T)
            else:
                p, _ = self.frame_pose(states, frame, times)
                values.append(p[:, "xyz".index(what)])
        return np.array(values)
