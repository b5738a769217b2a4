// What scene.json holds; docs/scene.md describes it.

export interface Pose {
  at: number[];
  quaternion: number[]; // w, x, y, z
}

export interface LinkPoint extends Pose {
  link: number; // -1: the world
}

export type Shape = Pose & {role: 'body' | 'driven' | 'spring' | 'free'} & (
    | {kind: 'box'; size: number[]}
    | {kind: 'cylinder'; radius: number; length: number}
    | {kind: 'sphere'; radius: number}
    | {kind: 'limb'; from: number[]; to: number[]; radii: number[]}
    | {kind: 'mesh'; points: number[]; triangles: number[]}
  );

export interface Link {
  name: string;
  parent: number;
  shapes: Shape[];
}

// Lists over time; lines are those of all beams, in axes of their links.
export interface Motion {
  frames: number[];
  lines: number[];
}

export interface Beam {
  link: number;
  end: number;
  straight: number[];
}

export interface Mode {
  frequency: number;
  damping: number;
  words: string;
  period: Motion;
}

export interface SceneData {
  size: number;
  up: number[];
  links: Link[];
  beams: Beam[];
  t: number[];
  motions: {reached: Motion; undeformed?: Motion; rigid?: Motion};
  modes?: {rest: Motion; shapes: Mode[]};
  tool?: LinkPoint & {name: string};
  path: {wanted: number[]; error: number[]; rigid_error: number[]};
  connections: {kind: 'loop' | 'rod' | 'spring'; name: string; a: LinkPoint; b: LinkPoint}[];
  surfaces: {kind: 'plane' | 'sphere' | 'line' | 'circle'; name: string; radius: number; origin: LinkPoint}[];
  forces: {name: string; arrow: number[]}[];
}

export interface PlotData {
  title: string;
  unit: string;
  logarithmic: boolean;
  x: string; // what t is where it is not time
  t: number[];
  lines: {name: string; colour: number; dashed: boolean; hidden: boolean; y: (number | null)[]}[];
  levels: {name: string; y: number; colour: number}[];
}

export interface Figure {
  label: string;
  text: string;
  note: string;
  value: number | null;
  tone: '' | 'good' | 'bad' | 'warn' | 'rigid';
}

export interface Result {
  version: string;
  job: string;
  outcome: 'proved' | 'missed' | 'partial' | 'failed' | 'not_verified' | 'simulated' | 'modes';
  word: string;
  headline: string;
  sentence: string;
  limits: string;
  limits_exceeded: boolean;
  failed_at: number | null;
  figures: Figure[];
  warnings: string[];
  notes: string[];
  meaning: string[];
  scene: SceneData;
  plots: PlotData[];
  tables: {title: string; columns: string[]; rows: string[][]}[];
  facts: {title: string; rows: [string, string][]}[];
  zeros: {t: number; zeros: [number, number][]}[];
  job_text: string;
  overrides: string[];
  plant_differences: string[];
}

// What the page holds: results, or a study and results of its runs.
export function readBlocks(): unknown[] {
  const blocks = document.querySelectorAll<HTMLScriptElement>('script[type="application/json"]');
  return Array.from(blocks, (block) => JSON.parse(block.textContent ?? ''));
}
