// Where links are at any time: between the frames of a scene, and with deflections magnified.
import {Quaternion, Vector3} from 'three';
import type {SceneData} from './data';

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

export function placements(count: number): Placement[] {
  return Array.from({length: count}, () => ({p: new Vector3(), q: new Quaternion()}));
}

const q0 = new Quaternion();
const q1 = new Quaternion();

export function placeAt(scene: SceneData, frames: number[], t: number, out: Placement[]) {
  const n = scene.links.length;
  const [i, x] = interval(scene.t, t);
  const last = scene.t.length - 1;
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

// What each link gives against the one that carries it, times `factor`, put together again from the base on: links stay joined.
export function magnify(scene: SceneData, straight: Placement[], real: Placement[], factor: number, out: Placement[]) {
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
