// The robot as meshes, one group per link.
import {
  BoxGeometry, BufferGeometry, Color, CylinderGeometry, Float32BufferAttribute, Group, LatheGeometry, Material, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, Quaternion, SphereGeometry, Vector2, Vector3,
} from 'three';
import {type Bending, bendings} from './bending';
import type {Pose, SceneData, Shape} from './data';
import type {Placement, RobotPose} from './motion';
import type {SceneColours} from './theme';

const z = new Vector3(0, 0, 1);

export function placed<T extends Group | Mesh>(object: T, pose: Pose): T {
  object.position.set(pose.at[0], pose.at[1], pose.at[2]);
  object.quaternion.set(pose.quaternion[1], pose.quaternion[2], pose.quaternion[3], pose.quaternion[0]);
  return object;
}

// A bar with round ends, along z from 0 to its length, in pieces that may bend.
function limbGeometry(length: number, r0: number, r1: number, pieces: number): BufferGeometry {
  const outline: Vector2[] = [];
  const steps = 10;
  for (let i = 0; i <= steps; ++i) {
    const a = -Math.PI / 2 + (i / steps) * (Math.PI / 2);
    outline.push(new Vector2(Math.max(1e-6, r0 * Math.cos(a)), r0 * Math.sin(a)));
  }
  for (let i = 1; i < pieces; ++i) outline.push(new Vector2(r0 + (i / pieces) * (r1 - r0), (i / pieces) * length));
  for (let i = 0; i <= steps; ++i) {
    const a = (i / steps) * (Math.PI / 2);
    outline.push(new Vector2(Math.max(1e-6, r1 * Math.cos(a)), length + r1 * Math.sin(a)));
  }
  return new LatheGeometry(outline, 32).rotateX(Math.PI / 2);
}

function geometryOf(shape: Shape, pieces: number): {geometry: BufferGeometry; pose?: Placement} {
  switch (shape.kind) {
    case 'box':
      return {geometry: new BoxGeometry(shape.size[0], shape.size[1], shape.size[2], pieces, pieces, pieces)};
    case 'cylinder':
      return {geometry: new CylinderGeometry(shape.radius, shape.radius, shape.length, 40, pieces).rotateX(Math.PI / 2)};
    case 'sphere':
      return {geometry: new SphereGeometry(shape.radius, 32, 20)};
    case 'limb': {
      const from = new Vector3(...(shape.from as [number, number, number]));
      const along = new Vector3(...(shape.to as [number, number, number])).sub(from);
      const length = along.length();
      const q = new Quaternion().setFromUnitVectors(z, along.normalize());
      return {geometry: limbGeometry(length, shape.radii[0], shape.radii[1], pieces), pose: {p: from, q}};
    }
    case 'mesh': {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new Float32BufferAttribute(shape.points, 3));
      geometry.setIndex(shape.triangles);
      const flat = geometry.toNonIndexed();
      flat.computeVertexNormals();
      return {geometry: flat};
    }
  }
}

export type Look = 'real' | 'ghost' | 'rigid';

export class RobotFigure {
  readonly group = new Group();
  private readonly links: Group[] = [];
  private readonly materials: Record<string, Material> = {};
  private readonly bendings: Bending[];

  constructor(scene: SceneData, readonly look: Look, private tint?: number) {
    this.bendings = bendings(scene.beams);
    scene.links.forEach((link, l) => {
      const group = new Group();
      const bending = this.bendings[scene.beams.findIndex((beam) => beam.link === l)];
      for (const shape of link.shapes) {
        const {geometry, pose} = geometryOf(shape, bending ? 24 : 1);
        const mesh = new Mesh(geometry, this.material(shape.role));
        mesh.castShadow = mesh.receiveShadow = look === 'real';
        if (pose) {
          mesh.position.copy(pose.p);
          mesh.quaternion.copy(pose.q);
        } else {
          placed(mesh, shape);
        }
        group.add(mesh);
        if (shape.role === 'body') bending?.add(mesh);
      }
      this.links.push(group);
      this.group.add(group);
    });
    if (look !== 'real') this.group.renderOrder = 2;
  }

  place(pose: RobotPose) {
    this.links.forEach((group, l) => {
      group.position.copy(pose.links[l].p);
      group.quaternion.copy(pose.links[l].q);
    });
    for (const bending of this.bendings) bending.bend(pose);
  }

  private material(role: string): Material {
    const key = this.look === 'real' ? role : 'ghost';
    this.materials[key] ??=
      this.look === 'real'
        ? new MeshStandardMaterial({roughness: role === 'body' ? 0.42 : 0.5, metalness: role === 'driven' ? 0.35 : 0.12})
        : new MeshBasicMaterial({transparent: true, opacity: this.look === 'rigid' ? 0.3 : 0.24, depthWrite: false,
            polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2});
    return this.materials[key];
  }

  paint(colours: SceneColours) {
    for (const [role, material] of Object.entries(this.materials)) {
      const colour = (material as MeshStandardMaterial).color as Color;
      if (this.tint !== undefined && role !== 'driven') colour.setHex(this.tint);
      else if (role === 'ghost') colour.setHex(this.look === 'rigid' ? colours.rigid : colours.ghost);
      else colour.setHex(colours[role as 'body' | 'driven' | 'spring' | 'free']);
    }
  }
}

