// Parallel coordinates: one upright axis per parameter and kept number, one line per run.
import {el} from './dom';
import {card} from './study_charts';
import {badness, byImportance, scaleOf, shortName, unitOf, type Scale, type Study, type Value} from './study_data';
import {axisText, picture, place, svg, titled, valueText} from './svg';
import {ramp} from './theme';

const [width, height, top, bottom, side] = [1160, 340, 58, 26, 70];
const mostLines = 800;

interface Axis {
  name: string;
  values: Value[];
  scale: Scale;
  x: number;
  y: (value: number) => number;
}

function axesOf(study: Study, k: number): Axis[] {
  const order = byImportance(study.study.kept[k]).slice(0, 9);
  const others = study.study.kept.map((_, i) => i).filter((i) => i !== k && study.study.kept[i].count > 0).slice(0, 2);
  const columns = [...order.map((i) => ({name: study.study.parameters[i], values: study.parameters[i]})),
    ...[...others, k].map((i) => ({name: study.study.kept[i].key, values: study.kept[i] as Value[]}))];
  return columns.map(({name, values}, n) => {
    const scale = scaleOf(values);
    return {name, values, scale, x: side + (n * (width - 2 * side)) / Math.max(1, columns.length - 1), y: place(scale.low, scale.high, height - bottom, top)};
  });
}

// Breaks where a run has no number.
function lineOf(axes: Axis[], i: number): string {
  let path = '';
  let broken = true;
  for (const axis of axes) {
    const at = axis.scale.at(axis.values[i]);
    if (at !== null) path += `${broken ? 'M' : 'L'}${axis.x.toFixed(1)} ${axis.y(at).toFixed(1)}`;
    broken = at === null;
  }
  return path;
}

function drawAxis(axis: Axis, count: number): SVGElement {
  const group = svg('g', {class: 'axis'});
  group.append(svg('line', {x1: axis.x, x2: axis.x, y1: top, y2: height - bottom}));
  const name = shortName(axis.name);
  const words = name.split('.');
  // the last words, in up to two lines above the axis
  const lines = words.length > 2 ? [words.slice(0, -1).join('.'), words[words.length - 1]] : words;
  const room = Math.max(10, Math.floor((width / count) / 7));
  lines.forEach((line, k) => group.append(titled(svg('text', {x: axis.x, y: top - 36 + 13 * k, 'text-anchor': 'middle', class: 'name'}, line.length > room ? '…' + line.slice(1 - room) : line), axis.name)));
  const unit = unitOf(axis.name);
  if (axis.scale.words) axis.scale.words.forEach((word, k) => group.append(svg('text', {x: axis.x + 6, y: axis.y(k) + 4}, word.length > 16 ? '…' + word.slice(-15) : word)));
  else [[axis.scale.high, top - 6], [axis.scale.low, height - bottom + 16]].forEach(([value, y]) =>
    group.append(svg('text', {x: axis.x, y, 'text-anchor': 'middle'}, axisText(value, unit))));
  return group;
}

// Ranges that the reader has drawn along axes; a line is shown where it goes through all of them.
class Brushes {
  private readonly ranges = new Map<number, [number, number]>();
  constructor(private readonly drawing: SVGElement, private readonly axes: Axis[], private readonly changed: (keeps: (i: number) => boolean, any: boolean) => void) {
    axes.forEach((axis, n) => this.listen(axis, n));
  }

  private listen(axis: Axis, n: number) {
    const shown = svg('rect', {x: axis.x - 7, width: 14, y: 0, height: 0, class: 'brush'});
    const handle = svg('rect', {x: axis.x - 16, width: 32, y: top - 4, height: height - top - bottom + 8, class: 'handle'});
    titled(handle, `${axis.name}: drag to choose runs, click to take all again`);
    this.drawing.append(shown, handle);
    let from = 0;
    const at = (event: PointerEvent) => {
      const box = this.drawing.getBoundingClientRect();
      return Math.min(height - bottom, Math.max(top, ((event.clientY - box.top) / box.height) * height));
    };
    const show = (a: number, b: number) => {
      shown.setAttribute('y', String(Math.min(a, b)));
      shown.setAttribute('height', String(Math.abs(a - b)));
    };
    handle.addEventListener('pointerdown', (event) => {
      from = at(event as PointerEvent);
      handle.setPointerCapture((event as PointerEvent).pointerId);
      show(from, from);
    });
    handle.addEventListener('pointermove', (event) => {
      if (handle.hasPointerCapture((event as PointerEvent).pointerId)) show(from, at(event as PointerEvent));
    });
    handle.addEventListener('pointerup', (event) => {
      const to = at(event as PointerEvent);
      if (Math.abs(to - from) < 3) this.ranges.delete(n);
      else this.ranges.set(n, [Math.min(from, to), Math.max(from, to)]);
      show(...(this.ranges.get(n) ?? [0, 0]));
      this.tell();
    });
  }

  private tell() {
    this.changed((i) => [...this.ranges].every(([n, [a, b]]) => {
      const value = this.axes[n].scale.at(this.axes[n].values[i]);
      if (value === null) return false;
      const y = this.axes[n].y(value);
      return y >= a && y <= b;
    }), this.ranges.size > 0);
  }
}

export function parallelCard(study: Study, k: number): HTMLElement | null {
  const kept = study.study.kept[k];
  if (kept.count === 0) return null;
  const axes = axesOf(study, k);
  const drawing = picture(`All runs over ${axes.map((axis) => axis.name).join(', ')}; the worst is run ${kept.worst.run}`, height, width);
  const step = Math.ceil(study.runs.length / mostLines);
  const lines: {i: number; element: SVGElement}[] = [];
  // the worst on top of the others
  const order = study.runs.map((_, i) => i).filter((i) => i % step === 0 || study.runs[i] === kept.worst.run);
  order.sort((a, b) => (study.kept[k][a] === null ? -1 : badness(kept, study.kept[k][a]!)) - (study.kept[k][b] === null ? -1 : badness(kept, study.kept[k][b]!)));
  for (const i of order) {
    const value = study.kept[k][i];
    const worst = study.runs[i] === kept.worst.run;
    const line = value === null ? svg('path', {d: lineOf(axes, i), class: 'way without'})
      : svg('path', {d: lineOf(axes, i), class: worst ? 'way worst' : 'way', stroke: ramp(badness(kept, value))});
    lines.push({i, element: titled(line, `run ${study.runs[i]}: ${value === null ? 'without an answer' : valueText(value, unitOf(kept.key))}`)});
    drawing.append(line);
  }
  for (const axis of axes) drawing.append(drawAxis(axis, axes.length));
  const chosen = el('p', {class: 'hint chosen', 'aria-live': 'polite'}, '');
  new Brushes(drawing, axes, (keeps, any) => {
    for (const line of lines) line.element.classList.toggle('out', !keeps(line.i));
    const inside = study.runs.map((_, i) => i).filter(keeps);
    const values = inside.map((i) => study.kept[k][i]).filter((x): x is number => x !== null);
    chosen.textContent = !any ? '' : values.length === 0 ? `${inside.length} runs are chosen.`
      : `${inside.length} of ${study.runs.length} drawn runs are chosen: mean ${valueText(values.reduce((a, b) => a + b, 0) / values.length, unitOf(kept.key))}, from ${valueText(Math.min(...values), unitOf(kept.key))} to ${valueText(Math.max(...values), unitOf(kept.key))}.`;
  });
  const figure = card('Every run', el('div', {class: 'scroll'}), `One line per run, red is worst, the wide line is the worst run${study.study.failed > 0 ? '; dashed: without an answer' : ''}. Drag along an axis to choose runs.`, 'parallel');
  figure.querySelector('.scroll')!.append(drawing);
  figure.append(chosen);
  return figure;
}
