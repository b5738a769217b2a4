// Shapes of a link that bends, as its beam carries them: sections stay plane and stand across the centre line.
import {BufferAttribute, BufferGeometry, Mesh, Quaternion, Vector3} from 'three';
import type {Beam} from './data';
import type {Placement, RobotPose} from './motion';

interface Bent {
  mesh: Mesh;
  points: Float32Array; // as they are without load, in axes of the link
  normals: Float32Array;
}

const p = new Vector3();
const turn = new Quaternion();
const swing = new Quaternion();
const inverse = new Quaternion();

export class Bending {
  private readonly along: Vector3;
  private readonly begin: Vector3;
  private readonly length: number;
  private readonly count: number;
  private readonly places: number[]; // of the points of the centre line, m from its beginning
  private readonly turns: Quaternion[]; // of the sections there
  private readonly meshes: Bent[] = [];

  // `first`: where the points of its line begin among those of all beams.
  constructor(private readonly beam: Beam, private readonly first: number) {
    const s = beam.straight;
    this.count = s.length / 3;
    this.begin = new Vector3().fromArray(s);
    this.along = new Vector3().fromArray(s, s.length - 3).sub(this.begin);
    this.length = this.along.length();
    this.along.normalize();
    this.places = Array.from({length: this.count}, (_, k) => p.fromArray(s, 3 * k).sub(this.begin).dot(this.along));
    this.turns = this.places.map(() => new Quaternion());
  }

  // A mesh of the link, which stands in axes of the link from now on.
  add(mesh: Mesh) {
    mesh.updateMatrix();
    const geometry = (mesh.geometry as BufferGeometry).applyMatrix4(mesh.matrix);
    mesh.position.set(0, 0, 0);
    mesh.quaternion.identity();
    mesh.frustumCulled = false; // its bounds change
    const copy = (name: string) => Float32Array.from((geometry.getAttribute(name) as BufferAttribute).array);
    this.meshes.push({mesh, points: copy('position'), normals: copy('normal')});
  }

  bend(pose: RobotPose) {
    const line = pose.lines.subarray(this.first, this.first + 3 * this.count);
    this.turnSections(line, this.twist(pose.links));
    for (const {mesh, points, normals} of this.meshes) this.move(mesh.geometry as BufferGeometry, points, normals, line);
  }

  // How far the far end turns about the beam, rad.
  private twist(links: Placement[]): number {
    const end = inverse.copy(links[this.beam.link].q).invert().multiply(links[this.beam.end].q);
    return 2 * Math.atan2(end.x * this.along.x + end.y * this.along.y + end.z * this.along.z, end.w);
  }

  private turnSections(line: Float64Array, twist: number) {
    const last = this.count - 1;
    for (let k = 0; k <= last; ++k) {
      // clamped at its beginning
      const [a, b] = k === 0 ? [0, 0] : k === last ? [last - 1, last] : [k - 1, k + 1];
      p.set(line[3 * b] - line[3 * a], line[3 * b + 1] - line[3 * a + 1], line[3 * b + 2] - line[3 * a + 2]);
      if (p.lengthSq() > 0) swing.setFromUnitVectors(this.along, p.normalize());
      else swing.identity();
      this.turns[k].copy(swing).multiply(turn.setFromAxisAngle(this.along, (twist * this.places[k]) / this.length));
    }
  }

  private move(geometry: BufferGeometry, points: Float32Array, normals: Float32Array, line: Float64Array) {
    const place = geometry.getAttribute('position') as BufferAttribute;
    const normal = geometry.getAttribute('normal') as BufferAttribute;
    const {begin, along, places} = this;
    for (let i = 0; i < place.count; ++i) {
      p.fromArray(points, 3 * i).sub(begin);
      const x = Math.min(this.length, Math.max(0, p.dot(along)));
      let k = 0;
      while (k < this.count - 2 && places[k + 1] < x) ++k;
      const s = (x - places[k]) / (places[k + 1] - places[k]);
      turn.slerpQuaternions(this.turns[k], this.turns[k + 1], s);
      p.addScaledVector(along, -x).applyQuaternion(turn);
      const at = (c: number) => line[3 * k + c] + s * (line[3 * k + 3 + c] - line[3 * k + c]);
      place.setXYZ(i, p.x + at(0), p.y + at(1), p.z + at(2));
      p.fromArray(normals, 3 * i).applyQuaternion(turn);
      normal.setXYZ(i, p.x, p.y, p.z);
    }
    place.needsUpdate = normal.needsUpdate = true;
    geometry.boundingBox = null;
  }
}

// One per beam of a scene.
export function bendings(beams: Beam[]): Bending[] {
  let first = 0;
  return beams.map((beam) => {
    const bending = new Bending(beam, first);
    first += beam.straight.length;
    return bending;
  });
}
