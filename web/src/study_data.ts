// What a study's page holds: summary.json, and columns of the runs that are drawn. docs/sweeps.md describes the summary.

export interface Influence {
  parameter: string;
  rank_correlation: number | null;
  variance_share?: number;
  first_order?: number;
  total?: number;
}

export interface Kept {
  key: string;
  nominal: number | null;
  count: number;
  mean: number;
  standard_deviation: number;
  least: number;
  largest: number;
  quantiles: [number, number][];
  worst: {is: 'largest' | 'least'; run: number; value: number; parameters: Record<string, number | string>};
  influences: Influence[];
}

export type Value = number | string | null;

export interface Study {
  study: {
    version: string;
    study: string;
    job: string;
    sampling: string;
    runs: number;
    failed: number;
    first_failure: string;
    statuses: Record<string, number>;
    parameters: string[];
    worst_runs: number[];
    yield: null | {within: string[]; kept: number; share: number; share_95: [number, number]};
    kept: Kept[];
  };
  headline: string;
  sentences: string[];
  records: number; // whole results that lie in folders
  worst_by: string;
  runs: number[];
  parameters: Value[][]; // one list per parameter, one value per drawn run
  nominal: Value[];
  kept: (number | null)[][];
  histograms: number[][];
  bounds: {key: string; value: number; text: string}[];
}

export function isStudy(block: unknown): block is Study {
  return typeof block === 'object' && block !== null && 'study' in block;
}

// By the end of its key: record.json says so.
export function unitOf(key: string): string {
  for (const [end, unit] of [['_m', 'm'], ['_rad', 'rad'], ['_N', 'N'], ['_seconds', 's'], ['_s', 's']]) if (key.endsWith(end)) return unit;
  return key === 'task.path.duration' ? 's' : '';
}

// A parameter as an axis: numbers as they are, texts by their order.
export interface Scale {
  low: number;
  high: number;
  words?: string[];
  at: (value: Value) => number | null;
}

export function scaleOf(values: Value[]): Scale {
  const given = values.filter((value) => value !== null);
  if (given.some((value) => typeof value === 'string')) {
    const words = [...new Set(given.map(String))].sort();
    return {low: -0.5, high: words.length - 0.5, words, at: (value) => (value === null ? null : words.indexOf(String(value)))};
  }
  const numbers = given as number[];
  const low = numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const high = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
  return {low, high, at: (value) => (typeof value === 'number' ? value : null)};
}

// 0 is the best of all runs, 1 the worst.
export function badness(kept: Kept, value: number): number {
  const share = kept.largest > kept.least ? (value - kept.least) / (kept.largest - kept.least) : 0;
  return Math.min(1, Math.max(0, kept.worst.is === 'largest' ? share : 1 - share));
}

export function importance(influence: Influence): number {
  return Math.min(1, Math.max(0, influence.total ?? influence.variance_share ?? (influence.rank_correlation ?? 0) ** 2));
}

// Indices of parameters, the most important first; texts, of which that is not known, last.
export function byImportance(kept: Kept): number[] {
  const known = (i: number) => kept.influences[i].rank_correlation !== null || kept.influences[i].total !== undefined;
  const order = kept.influences.map((_, i) => i);
  const weight = (i: number) => (known(i) ? importance(kept.influences[i]) : -1);
  return order.sort((a, b) => weight(b) - weight(a));
}

// The end of a key that says which it is: "links.hand.spring.stiffness".
export function shortName(name: string): string {
  return name.replace(/^verification\.plant\./, '').replace(/^robot\./, '').replace(/^links\./, '').replace(/^verification\.|^solution\./, '');
}
