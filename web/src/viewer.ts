// The robot in 3-D: orbit, ghosts, paths, forces, magnified deflections.
import {
  AxesHelper, Box3, DirectionalLight, HemisphereLight, Mesh, MeshStandardMaterial, PCFSoftShadowMap, PerspectiveCamera, Scene, SphereGeometry,
  Vector3, WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import type {Result} from './data';
import {magnify, pointAt, poseAt, RobotPose, type Placement} from './motion';
import {RobotFigure} from './robot';
import {darkQuery, sceneColours} from './theme';
import {Connections, FatLine, Forces, Ground, Surfaces, worldPoint} from './things';

// One result in the scene.
class Actor {
  readonly figure: RobotFigure;
  readonly ghost?: RobotFigure;
  readonly rigid?: RobotFigure;
  readonly real: RobotPose;
  readonly straight: RobotPose;
  readonly shown: RobotPose;
  readonly rigidAt: RobotPose;
  private readonly phases: number[];
  constructor(readonly result: Result, tint?: number) {
    const scene = result.scene;
    this.real = new RobotPose(scene);
    this.straight = new RobotPose(scene);
    this.shown = new RobotPose(scene);
    this.rigidAt = new RobotPose(scene);
    const count = (scene.modes?.shapes[0].period.frames.length ?? 0) / (7 * scene.links.length);
    this.phases = Array.from({length: count}, (_, i) => i / (count - 1));
    this.figure = new RobotFigure(scene, tint === undefined ? 'real' : 'ghost', tint);
    if (tint !== undefined) return;
    if (scene.motions.undeformed || scene.modes) this.ghost = new RobotFigure(scene, 'ghost');
    if (scene.motions.rigid) this.rigid = new RobotFigure(scene, 'rigid');
  }
  // The pose that is shown.
  place(t: number, magnification: number): RobotPose {
    const scene = this.result.scene;
    poseAt(scene, scene.motions.reached, scene.t, t, this.real);
    let at = this.real;
    if (scene.motions.undeformed) {
      poseAt(scene, scene.motions.undeformed, scene.t, t, this.straight);
      this.ghost?.place(this.straight);
      if (magnification !== 1) {
        magnify(scene, this.straight, this.real, magnification, this.shown);
        at = this.shown;
      }
    }
    this.figure.place(at);
    if (this.rigid && scene.motions.rigid) {
      poseAt(scene, scene.motions.rigid, scene.t, t, this.rigidAt);
      this.rigid.place(this.rigidAt);
    }
    return at;
  }
  // A natural mode, `phase` in periods.
  placeMode(mode: number, phase: number): RobotPose {
    const scene = this.result.scene;
    const modes = scene.modes!;
    poseAt(scene, modes.shapes[mode].period, this.phases, phase - Math.floor(phase), this.shown);
    poseAt(scene, modes.rest, [0], 0, this.straight);
    this.ghost?.place(this.straight);
    this.figure.place(this.shown);
    return this.shown;
  }
}

export interface Shown {
  ghost: boolean;
  rigid: boolean;
  paths: boolean;
  forces: boolean;
}

export const otherTints = [0x9035b8, 0xd1481f, 0x0d8a99, 0xb07a00, 0xc22566];

export class Viewer {
  readonly canvas: HTMLCanvasElement;
  magnification = 1;
  errorFactor = 1;
  // Number of the natural mode that is shown in place of the motion; -1: none.
  mode = -1;
  // Seconds of the page's clock that one period of it takes.
  period = 1;
  readonly shown: Shown = {ghost: false, rigid: false, paths: true, forces: true};
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly sun = new DirectionalLight(0xffffff, 2.3);
  private readonly sky = new HemisphereLight(0xffffff, 0x9aa4b0, 1.5);
  private readonly actors: Actor[];
  private readonly ground: Ground;
  private readonly forces: Forces;
  private readonly surfaces: Surfaces;
  private readonly connections: Connections;
  private readonly wanted = new FatLine(8, 1);
  private readonly reached = new FatLine(2.5);
  private readonly rigidPath = new FatLine(2.5);
  private readonly tool: Mesh;
  private readonly axes: AxesHelper;
  private readonly up: Vector3;
  private readonly centre = new Vector3();
  private reach = 1;
  private home = new Vector3();
  private pending = false;
  private t = 0;

  // Throws where the browser has no WebGL.
  constructor(results: Result[]) {
    const first = results[0].scene;
    this.renderer = new WebGLRenderer({antialias: true, preserveDrawingBuffer: true});
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.up = new Vector3().fromArray(first.up);
    this.camera.up.copy(this.up);
    this.actors = results.map((result, i) => new Actor(result, i === 0 ? undefined : otherTints[(i - 1) % otherTints.length]));
    const height = this.measure(results);
    this.ground = new Ground(first, this.up, height, this.centre, this.reach);
    this.forces = new Forces(first);
    this.surfaces = new Surfaces(first, this.centre);
    this.connections = new Connections(first);
    this.tool = new Mesh(new SphereGeometry(0.028 * first.size, 24, 16), new MeshStandardMaterial({roughness: 0.4}));
    this.axes = new AxesHelper(0.16 * first.size);
    this.scene.add(this.ground.group, this.forces.group, this.surfaces.group, this.connections.group, this.tool, this.axes, this.sky, this.sun,
                   this.sun.target);
    for (const actor of this.actors)
      for (const figure of [actor.figure, actor.ghost, actor.rigid]) if (figure) this.scene.add(figure.group);
    [this.wanted, this.rigidPath, this.reached].forEach((line, i) => {
      line.object.renderOrder = i + 1;
      this.scene.add(line.object);
    });
    this.light();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener('change', () => this.redraw());
    this.controls.enableDamping = false;
    this.shown.rigid = this.largestError('rigid_error') > 0.02 * first.size;
    this.lookHome();
    this.setPaths();
    this.paint();
    darkQuery.addEventListener('change', () => this.paint());
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('dblclick', () => this.lookHome());
  }

  // Middle and size of all that moves; returns the height of the floor.
  private measure(results: Result[]): number {
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    const p = new Vector3();
    let bottom = Infinity;
    const add = (values: number[], i: number, margin: number) => {
      p.fromArray(values, i);
      low.min(p);
      high.max(p);
      bottom = Math.min(bottom, p.dot(this.up) - margin);
    };
    const box = new Box3();
    results.forEach(({scene}, r) => {
      for (let i = 0; i < scene.path.wanted.length; i += 3) add(scene.path.wanted, i, 0.08 * scene.size);
      for (let i = 0; i < scene.path.rigid_error.length; i += 3) {
        const e = scene.path.rigid_error.slice(i, i + 3);
        if (Math.hypot(...e) < scene.size) add(e.map((x, k) => x + scene.path.wanted[i + k]), 0, 0);
      }
      // the shapes at some times
      const actor = this.actors[r];
      for (let k = 0; k <= 12; ++k) {
        actor.place(scene.t[Math.round((k / 12) * (scene.t.length - 1))] ?? 0, 1);
        actor.figure.group.updateMatrixWorld(true);
        box.setFromObject(actor.figure.group);
        if (box.isEmpty()) continue;
        for (const corner of [box.min, box.max]) add(corner.toArray(), 0, 0.02 * scene.size);
      }
      for (let l = 0; l < scene.links.length; ++l)
        if (scene.links[l].parent < 0) add(scene.motions.reached.frames, 7 * l, 0.22 * scene.size);
    });
    const size = results[0].scene.size;
    this.centre.copy(low).add(high).multiplyScalar(0.5);
    const extent = high.clone().sub(low);
    this.reach = Math.max(extent.length() + 0.15 * size, 0.8 * size);
    // a flat motion is seen from its side, others from a corner
    const east = new Vector3(1, 0, 0);
    if (Math.abs(this.up.dot(east)) > 0.9) east.set(0, 1, 0);
    const north = new Vector3().crossVectors(this.up, east).normalize();
    east.crossVectors(north, this.up).normalize();
    const across = Math.abs(extent.dot(east)) < 0.14 * this.reach ? 'east' : Math.abs(extent.dot(north)) < 0.14 * this.reach ? 'north' : '';
    const from = across === 'east' ? [1, -0.28, 0.22] : across === 'north' ? [0.28, -1, 0.22] : [0.75, -0.9, 0.5];
    this.home.copy(east).multiplyScalar(from[0]).addScaledVector(north, from[1]).addScaledVector(this.up, from[2]).normalize();
    return bottom;
  }

  private light() {
    const r = this.reach;
    this.sun.position.copy(this.centre).addScaledVector(this.home, 1.2 * r).addScaledVector(this.up, 2.2 * r);
    this.sun.target.position.copy(this.centre);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.sun.shadow.bias = -5e-4;
    const box = this.sun.shadow.camera;
    box.left = box.bottom = -1.1 * r;
    box.right = box.top = 1.1 * r;
    box.near = 0.05 * r;
    box.far = 6 * r;
    this.sky.position.copy(this.up);
  }

  lookHome() {
    const aspect = Math.max(this.camera.aspect, 0.3);
    const half = (this.camera.fov / 2) * (Math.PI / 180);
    const distance = ((0.5 * this.reach) / Math.sin(half) / Math.min(1, aspect)) * 0.8;
    this.camera.position.copy(this.centre).addScaledVector(this.home, distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 20;
    this.controls.target.copy(this.centre);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.redraw();
  }

  private key(event: KeyboardEvent) {
    const step = 0.12;
    const turns: Record<string, [number, number]> = {
      ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step],
    };
    const offset = this.camera.position.clone().sub(this.controls.target);
    if (turns[event.key]) {
      const side = new Vector3().crossVectors(offset, this.up).normalize();
      const angle = offset.angleTo(this.up) + turns[event.key][1];
      offset.applyAxisAngle(this.up, turns[event.key][0]);
      if (angle > 0.05 && angle < Math.PI - 0.05) offset.applyAxisAngle(side, -turns[event.key][1]);
    } else if (event.key === '+' || event.key === '=') offset.multiplyScalar(0.88);
    else if (event.key === '-') offset.multiplyScalar(1.14);
    else if (event.key === 'Home' || event.key === '0') return this.lookHome();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.redraw();
  }

  // Largest distance of the tool from its path, m.
  largestError(kind: 'error' | 'rigid_error'): number {
    const e = this.actors[0].result.scene.path[kind];
    let largest = 0;
    for (let i = 0; i < e.length; i += 3) largest = Math.max(largest, Math.hypot(e[i], e[i + 1], e[i + 2]));
    return largest;
  }

  setPaths() {
    const {wanted, error, rigid_error: rigid} = this.actors[0].result.scene.path;
    this.wanted.set(this.shown.paths ? wanted : []);
    this.reached.set(this.shown.paths && error.length === wanted.length ? wanted.map((x, i) => x + this.errorFactor * error[i]) : []);
    this.rigidPath.set(this.shown.rigid && rigid.length === wanted.length ? wanted.map((x, i) => x + rigid[i]) : []);
    this.redraw();
  }

  setTime(t: number) {
    this.t = t;
    this.redraw();
  }

  private paint() {
    const colours = sceneColours();
    this.renderer.setClearColor(colours.background, 1);
    for (const actor of this.actors) for (const figure of [actor.figure, actor.ghost, actor.rigid]) figure?.paint(colours);
    for (const part of [this.ground, this.forces, this.surfaces, this.connections]) part.paint(colours);
    this.wanted.paint(colours.wanted);
    this.reached.paint(colours.reached);
    this.rigidPath.paint(colours.rigid);
    (this.tool.material as MeshStandardMaterial).color.setHex(colours.reached);
    this.redraw();
  }

  private resize() {
    const box = this.canvas.parentElement;
    if (!box || box.clientWidth === 0 || box.clientHeight === 0) return;
    const before = this.camera.aspect;
    this.renderer.setSize(box.clientWidth, box.clientHeight, true);
    this.camera.aspect = box.clientWidth / box.clientHeight;
    this.camera.updateProjectionMatrix();
    if (Math.abs(before - this.camera.aspect) > 0.2) this.lookHome();
    this.redraw();
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw() {
    const swings = this.mode >= 0;
    const main = this.actors[0];
    let pose = main.real;
    for (const actor of this.actors) {
      const at = swings && actor === main ? actor.placeMode(this.mode, this.t / this.period) : actor.place(this.t, this.magnification);
      if (actor === main) pose = at;
      else actor.figure.group.visible = !swings;
      if (actor.ghost) actor.ghost.group.visible = this.shown.ghost;
      if (actor.rigid) actor.rigid.group.visible = this.shown.rigid && !swings;
    }
    this.surfaces.set(swings ? pose.links : main.real.links);
    this.connections.set(pose.links);
    for (const line of [this.wanted, this.reached, this.rigidPath]) line.object.layers.set(swings ? 1 : 0);
    this.forces.group.visible = this.shown.forces && !swings;
    this.forces.set(this.t);
    this.placeTool(pose.links, swings);
    this.renderer.render(this.scene, this.camera);
  }

  private placeTool(at: Placement[], swings: boolean) {
    const {scene} = this.actors[0].result;
    this.tool.visible = this.axes.visible = !!scene.tool;
    if (!scene.tool) return;
    worldPoint(scene.tool, at, this.axes.position);
    this.axes.quaternion.set(scene.tool.quaternion[1], scene.tool.quaternion[2], scene.tool.quaternion[3], scene.tool.quaternion[0]);
    if (scene.tool.link >= 0) this.axes.quaternion.premultiply(at[scene.tool.link].q);
    this.tool.position.copy(this.axes.position);
    if (this.errorFactor !== 1 && this.shown.paths && this.magnification === 1 && !swings && scene.path.error.length > 0) {
      const error = new Vector3();
      pointAt(scene, scene.path.error, this.t, error);
      this.tool.position.addScaledVector(error, this.errorFactor - 1);
    }
  }
}
