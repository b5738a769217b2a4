// What stands around the robot: floor, base, paths, forces, surfaces, loops.
import {
  ArrowHelper, BufferAttribute, BufferGeometry, Color, CylinderGeometry, DoubleSide, GridHelper, Group, Line, LineBasicMaterial,
  Mesh, MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry, Quaternion, ShadowMaterial, SphereGeometry, TorusGeometry, Vector3,
} from 'three';
import {Line2} from 'three/examples/jsm/lines/Line2.js';
import {LineGeometry} from 'three/examples/jsm/lines/LineGeometry.js';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import type {LinkPoint, SceneData} from './data';
import {interval, type Placement} from './motion';
import {placed} from './robot';
import type {SceneColours} from './theme';

const y = new Vector3(0, 1, 0);

export function worldPoint(point: LinkPoint, at: Placement[], out: Vector3): Vector3 {
  out.set(point.at[0], point.at[1], point.at[2]);
  if (point.link >= 0) out.applyQuaternion(at[point.link].q).add(at[point.link].p);
  return out;
}

// A line of a width in pixels; its points may change, their number may not.
export class FatLine {
  readonly object: Line2;
  private readonly material: LineMaterial;
  constructor(width: number, opacity = 1) {
    this.material = new LineMaterial({linewidth: width, transparent: true, opacity, depthWrite: false});
    this.object = new Line2(new LineGeometry(), this.material);
    this.object.frustumCulled = false;
    this.object.visible = false;
  }
  set(points: number[]) {
    this.object.visible = points.length >= 6;
    if (!this.object.visible) return;
    const geometry = new LineGeometry();
    geometry.setPositions(points);
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }
  paint(colour: number) {
    this.material.color.setHex(colour);
  }
}

// Floor with a fading grid, and what carries the robot.
export class Ground {
  readonly group = new Group();
  private grid: GridHelper;
  private shadow: ShadowMaterial;
  private bases: MeshStandardMaterial;

  constructor(scene: SceneData, up: Vector3, height: number, centre: Vector3, reach: number) {
    const turn = new Quaternion().setFromUnitVectors(y, up);
    const middle = centre.clone().addScaledVector(up, height - centre.dot(up));
    const cell = 10 ** Math.round(Math.log10(reach / 6));
    const cells = Math.max(6, 2 * Math.ceil((1.6 * reach) / cell));
    this.grid = new GridHelper(cells * cell, cells);
    (this.grid.material as LineBasicMaterial).transparent = true;
    (this.grid.material as LineBasicMaterial).opacity = 0.55;
    this.grid.quaternion.copy(turn);
    this.grid.position.copy(middle);
    this.shadow = new ShadowMaterial({opacity: 0.2});
    const floor = new Mesh(new PlaneGeometry(8 * reach, 8 * reach).rotateX(-Math.PI / 2), this.shadow);
    floor.receiveShadow = true;
    floor.quaternion.copy(turn);
    floor.position.copy(middle).addScaledVector(up, -1e-3 * reach);
    this.bases = new MeshStandardMaterial({roughness: 0.7, metalness: 0.15});
    this.group.add(this.grid, floor);
    this.addBases(scene, up, height, reach, turn);
  }

  private addBases(scene: SceneData, up: Vector3, height: number, reach: number, turn: Quaternion) {
    // one that turns; what never moves at all is a base itself
    const still = scene.t.length > 1 && !scene.links.every((_, l) => rests(scene, l));
    const stands = (parent: number, l: number) => parent < 0 && !moved(scene, l, 0.02 * scene.size) && !(still && rests(scene, l));
    const roots = scene.links.flatMap((link, l) => (stands(link.parent, l) ? [new Vector3().fromArray(scene.motions.reached.frames, 7 * l)] : []));
    if (roots.length === 0) return;
    const add = (mesh: Mesh) => {
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.quaternion.copy(turn);
      this.group.add(mesh);
    };
    const middle = roots.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(roots.length);
    if (roots.length > 1) {
      const radius = Math.max(...roots.map((p) => p.clone().sub(middle).length()));
      const plate = new Mesh(new CylinderGeometry(1.25 * radius, 1.25 * radius, 0.05 * scene.size, 64), this.bases);
      plate.position.copy(middle).addScaledVector(up, 0.08 * scene.size);
      add(plate);
      return;
    }
    const tall = roots[0].dot(up) - height;
    const radius = 0.13 * Math.min(scene.size, 0.6 * reach);
    if (tall > 0.04 * scene.size) {
      const column = new Mesh(new CylinderGeometry(radius, 1.25 * radius, tall, 48), this.bases);
      column.position.copy(roots[0]).addScaledVector(up, -tall / 2);
      add(column);
    }
    const foot = new Mesh(new CylinderGeometry(1.9 * radius, 2 * radius, 0.03 * scene.size, 64), this.bases);
    foot.position.copy(roots[0]).addScaledVector(up, -tall + 0.015 * scene.size);
    add(foot);
  }

  paint(colours: SceneColours) {
    const material = this.grid.material as LineBasicMaterial;
    material.vertexColors = false;
    material.color = new Color(colours.grid);
    material.needsUpdate = true;
    this.shadow.opacity = colours.shadow;
    this.bases.color.setHex(colours.base);
  }
}

function moved(scene: SceneData, link: number, least: number): boolean {
  const n = 7 * scene.links.length;
  const f = scene.motions.reached.frames;
  for (let i = 1; i < scene.t.length; ++i)
    for (let k = 0; k < 3; ++k) if (Math.abs(f[i * n + 7 * link + k] - f[7 * link + k]) > least) return true;
  return false;
}

function rests(scene: SceneData, link: number): boolean {
  const n = 7 * scene.links.length;
  const f = scene.motions.reached.frames;
  for (let i = 1; i < scene.t.length; ++i)
    for (let k = 0; k < 7; ++k) if (Math.abs(f[i * n + 7 * link + k] - f[7 * link + k]) > 1e-9) return false;
  return true;
}

// Arrows of the forces that constraints put on the robot, the largest as long as half a link.
export class Forces {
  readonly group = new Group();
  private readonly arrows: ArrowHelper[] = [];
  private readonly scale: number;
  constructor(private readonly scene: SceneData) {
    let largest = 0;
    for (const force of scene.forces)
      for (let i = 0; i < force.arrow.length; i += 6)
        largest = Math.max(largest, Math.hypot(force.arrow[i + 3], force.arrow[i + 4], force.arrow[i + 5]));
    this.scale = largest > 0 ? (0.55 * scene.size) / largest : 0;
    for (const _ of scene.forces) {
      const arrow = new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1);
      this.arrows.push(arrow);
      this.group.add(arrow);
    }
  }
  set(t: number) {
    const [i, x] = interval(this.scene.t, t);
    const k = Math.min(this.scene.t.length - 1, x > 0.5 ? i + 1 : i);
    this.scene.forces.forEach((force, j) => {
      const a = force.arrow.slice(6 * k, 6 * k + 6);
      const f = new Vector3(a[3], a[4], a[5]);
      const length = f.length() * this.scale;
      this.arrows[j].visible = length > 0.01 * this.scene.size;
      if (!this.arrows[j].visible) return;
      // drawn so that it ends where it pushes
      f.normalize();
      this.arrows[j].position.set(a[0], a[1], a[2]).addScaledVector(f, -length);
      this.arrows[j].setDirection(f);
      this.arrows[j].setLength(length, Math.min(0.4 * length, 0.12 * this.scene.size), Math.min(0.2 * length, 0.05 * this.scene.size));
    });
  }
  paint(colours: SceneColours) {
    for (const arrow of this.arrows) arrow.setColor(new Color(colours.force));
  }
}

// Surfaces that the robot keeps to, moving with the link that carries them.
export class Surfaces {
  readonly group = new Group();
  private readonly fill = new MeshBasicMaterial({transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false});
  private readonly stroke = new LineBasicMaterial();
  private readonly holders: Group[] = [];
  constructor(private readonly scene: SceneData, centre: Vector3) {
    const r = 1.1 * scene.size;
    for (const surface of scene.surfaces) {
      const holder = new Group();
      const inner = placed(new Group(), surface.origin);
      if (surface.kind === 'plane') {
        const mesh = new Mesh(new PlaneGeometry(2 * r, 2 * r), this.fill);
        if (surface.origin.link < 0) {
          const local = centre.clone().sub(inner.position).applyQuaternion(inner.quaternion.clone().invert());
          mesh.position.set(local.x, local.y, 0);
        }
        inner.add(mesh);
      } else if (surface.kind === 'sphere') {
        inner.add(new Mesh(new SphereGeometry(surface.radius, 40, 24), this.fill));
      } else if (surface.kind === 'circle') {
        inner.add(new Mesh(new TorusGeometry(surface.radius, 0.006 * scene.size, 12, 96), this.fill));
      } else {
        const ends = new BufferGeometry();
        ends.setAttribute('position', new BufferAttribute(new Float32Array([0, 0, -4 * r, 0, 0, 4 * r]), 3));
        inner.add(new Line(ends, this.stroke));
      }
      holder.add(inner);
      this.holders.push(holder);
      this.group.add(holder);
    }
  }
  set(at: Placement[]) {
    this.scene.surfaces.forEach((surface, i) => {
      if (surface.origin.link < 0) return;
      this.holders[i].position.copy(at[surface.origin.link].p);
      this.holders[i].quaternion.copy(at[surface.origin.link].q);
    });
  }
  paint(colours: SceneColours) {
    this.fill.color.setHex(colours.surface);
    this.stroke.color.setHex(colours.surface);
  }
}

// Loops as pins, rods and springs as bars between two points.
export class Connections {
  readonly group = new Group();
  private readonly meshes: Mesh[] = [];
  private readonly materials = {loop: new MeshStandardMaterial(), rod: new MeshStandardMaterial(), spring: new MeshStandardMaterial()};
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  constructor(private readonly scene: SceneData) {
    for (const connection of scene.connections) {
      const r = 0.045 * scene.size;
      const geometry = connection.kind === 'loop' ? new SphereGeometry(r, 24, 16) : new CylinderGeometry(0.35 * r, 0.35 * r, 1, 20);
      const mesh = new Mesh(geometry, this.materials[connection.kind]);
      mesh.castShadow = true;
      this.meshes.push(mesh);
      this.group.add(mesh);
    }
  }
  set(at: Placement[]) {
    this.scene.connections.forEach((connection, i) => {
      worldPoint(connection.a, at, this.a);
      worldPoint(connection.b, at, this.b);
      const mesh = this.meshes[i];
      mesh.position.copy(this.a).add(this.b).multiplyScalar(0.5);
      if (connection.kind === 'loop') return;
      const along = this.b.sub(this.a);
      const length = along.length();
      mesh.visible = length > 1e-9;
      mesh.scale.set(1, Math.max(length, 1e-9), 1);
      if (mesh.visible) mesh.quaternion.setFromUnitVectors(y, along.divideScalar(length));
    });
  }
  paint(colours: SceneColours) {
    this.materials.loop.color.setHex(colours.driven);
    this.materials.rod.color.setHex(colours.free);
    this.materials.spring.color.setHex(colours.spring);
  }
}

