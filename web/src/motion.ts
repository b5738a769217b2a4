// Where links are at any time: between the frames of a scene, and with deflections magnified.
import {Quaternion, Vector3} from 'three';
import type {Motion, SceneData} from './data';

export interface Placement {
  p: Vector3;
  q: Quaternion;
}

// The interval of increasing times that t lies in, and how far.
export function interval(times: number[], t: number): [number, number] {
  let low = 0;
  let high = times.length - 1;
  if (high <= 0 || t <= times[0]) return [0, 0];
  if (t >= times[high]) return [high - 1, 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return [low, (t - times[low]) / (times[high] - times[low])];
}

function placements(count: number): Placement[] {
  return Array.from({length: count}, () => ({p: new Vector3(), q: new Quaternion()}));
}

const q0 = new Quaternion();
const q1 = new Quaternion();

// A whole robot: its links, and the centre lines of its beams.
export class RobotPose {
  readonly links: Placement[];
  readonly lines: Float64Array;
  constructor(scene: SceneData) {
    this.links = placements(scene.links.length);
    this.lines = new Float64Array(scene.beams.reduce((sum, beam) => sum + beam.straight.length, 0));
  }
}

export function poseAt(scene: SceneData, motion: Motion, times: number[], t: number, out: RobotPose) {
  placeAt(scene.links.length, motion.frames, times, t, out.links);
  const n = out.lines.length;
  const [i, x] = interval(times, t);
  const a = Math.min(i, times.length - 1) * n;
  const b = Math.min(i + 1, times.length - 1) * n;
  for (let k = 0; k < n; ++k) out.lines[k] = motion.lines[a + k] + x * (motion.lines[b + k] - motion.lines[a + k]);
}

function placeAt(n: number, frames: number[], times: number[], t: number, out: Placement[]) {
  const [i, x] = interval(times, t);
  const last = times.length - 1;
  const a = Math.min(i, last) * 7 * n;
  const b = Math.min(i + 1, last) * 7 * n;
  for (let l = 0; l < n; ++l) {
    const k = 7 * l;
    out[l].p.set(
      frames[a + k] + x * (frames[b + k] - frames[a + k]),
      frames[a + k + 1] + x * (frames[b + k + 1] - frames[a + k + 1]),
      frames[a + k + 2] + x * (frames[b + k + 2] - frames[a + k + 2]),
    );
    q0.set(frames[a + k + 4], frames[a + k + 5], frames[a + k + 6], frames[a + k + 3]);
    q1.set(frames[b + k + 4], frames[b + k + 5], frames[b + k + 6], frames[b + k + 3]);
    out[l].q.slerpQuaternions(q0, q1, x).normalize();
  }
}

const turn = new Quaternion();
const bent = new Quaternion();
const inverse = new Quaternion();
const shift = new Vector3();
const straightShift = new Vector3();
const axis = new Vector3();

// What each link and each beam gives, times `factor`.
export function magnify(scene: SceneData, straight: RobotPose, real: RobotPose, factor: number, out: RobotPose) {
  magnifyLinks(scene, straight.links, real.links, factor, out.links);
  straight.lines.forEach((x, k) => (out.lines[k] = x + factor * (real.lines[k] - x)));
}

// Against the one that carries it, put together again from the base on: links stay joined.
function magnifyLinks(scene: SceneData, straight: Placement[], real: Placement[], factor: number, out: Placement[]) {
  for (let l = 0; l < scene.links.length; ++l) {
    const parent = scene.links[l].parent;
    const s = relative(straight, l, parent, straightShift, turn);
    const r = relative(real, l, parent, shift, bent);
    inverse.copy(s.q).invert();
    // deflection in the axes of the straight link: D = S^-1 R
    shift.copy(r.p).sub(s.p).multiplyScalar(factor);
    bent.copy(inverse).multiply(r.q);
    if (bent.w < 0) bent.set(-bent.x, -bent.y, -bent.z, -bent.w);
    axis.set(bent.x, bent.y, bent.z);
    const size = axis.length();
    const angle = 2 * Math.atan2(size, bent.w) * factor;
    if (size > 0) bent.setFromAxisAngle(axis.divideScalar(size), angle);
    else bent.identity();
    out[l].q.copy(s.q).multiply(bent);
    out[l].p.copy(s.p).add(shift);
    if (parent >= 0) {
      out[l].p.applyQuaternion(out[parent].q).add(out[parent].p);
      out[l].q.premultiply(out[parent].q);
    }
    out[l].q.normalize();
  }
}

function relative(all: Placement[], l: number, parent: number, p: Vector3, q: Quaternion): Placement {
  p.copy(all[l].p);
  q.copy(all[l].q);
  if (parent >= 0) {
    inverse.copy(all[parent].q).invert();
    p.sub(all[parent].p).applyQuaternion(inverse);
    q.premultiply(inverse);
  }
  return {p, q};
}

// Three numbers for each time.
export function pointAt(scene: SceneData, points: number[], t: number, out: Vector3): Vector3 {
  const [i, x] = interval(scene.t, t);
  const a = 3 * i;
  const b = 3 * Math.min(i + 1, scene.t.length - 1);
  return out.set(
    points[a] + x * (points[b] - points[a]),
    points[a + 1] + x * (points[b + 1] - points[a + 1]),
    points[a + 2] + x * (points[b + 2] - points[a + 2]),
  );
}
