// The mean of a kept number over two parameters.
import {el} from './dom';
import {card} from './study_charts';
import {badness, byImportance, scaleOf, shortName, unitOf, type Scale, type Study, type Value} from './study_data';
import {axes, chartSize, picture, place, svg, titled, valueText} from './svg';
import {ramp} from './theme';

const {width, height, left, right, top, bottom} = chartSize;

// Cells along one parameter: one for each value where there are few, as in a grid, else equal intervals.
interface Cells {
  low: number;
  high: number;
  edges: number[];
  of: (value: Value) => number;
}

function cellsOf(values: Value[], scale: Scale, most: number): Cells {
  const numbers = [...new Set(values.map(scale.at).filter((x): x is number => x !== null))].sort((a, b) => a - b);
  if (numbers.length <= 24 && 2 * numbers.length <= values.length) {
    // edges half-way between neighbours
    const inner = numbers.slice(1).map((x, i) => (x + numbers[i]) / 2);
    const [first, last] = [numbers[0], numbers[numbers.length - 1]];
    const edges = numbers.length === 1 ? [first - 0.5, first + 0.5] : [2 * first - inner[0], ...inner, 2 * last - inner[inner.length - 1]];
    return {low: edges[0], high: edges[edges.length - 1], edges, of: (value) => numbers.indexOf(scale.at(value) ?? NaN)};
  }
  const edges = Array.from({length: most + 1}, (_, i) => scale.low + (i * (scale.high - scale.low)) / most);
  return {low: scale.low, high: scale.high, edges, of: (value) => {
    const at = scale.at(value);
    return at === null ? -1 : Math.min(most - 1, Math.floor((most * (at - scale.low)) / (scale.high - scale.low)));
  }};
}

function drawMap(study: Study, k: number, a: number, b: number): SVGElement {
  const kept = study.study.kept[k];
  const unit = unitOf(kept.key);
  const scales = [a, b].map((i) => scaleOf(study.parameters[i]));
  const runs = study.kept[k].filter((value) => value !== null).length;
  const most = Math.max(3, Math.min(20, Math.floor(Math.sqrt(runs / 5)))); // some five runs in a cell
  const [across, up] = [a, b].map((i, n) => cellsOf(study.parameters[i], scales[n], most));
  const sums = new Map<string, {sum: number; count: number; failed: number}>();
  study.kept[k].forEach((value, i) => {
    const place = `${across.of(study.parameters[a][i])} ${up.of(study.parameters[b][i])}`;
    const cell = sums.get(place) ?? {sum: 0, count: 0, failed: 0};
    if (value === null) ++cell.failed;
    else {
      cell.sum += value;
      ++cell.count;
    }
    sums.set(place, cell);
  });
  const means = [...sums.values()].filter((cell) => cell.count > 0).map((cell) => cell.sum / cell.count);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const shown = {...kept, least: low, largest: high};
  const [nameA, nameB] = [a, b].map((i) => study.study.parameters[i]);
  const drawing = picture(`Mean of ${kept.key} over ${nameA} and ${nameB}, from ${valueText(low, unit)} to ${valueText(high, unit)}`);
  const room = 74; // for the colours
  const inner = svg('g', {});
  const x = place(across.low, across.high, left, width - right - room);
  const y = place(up.low, up.high, height - bottom, top);
  for (const [key, cell] of sums) {
    const [i, j] = key.split(' ').map(Number);
    if (i < 0 || j < 0) continue;
    const box = {x: x(across.edges[i]), width: x(across.edges[i + 1]) - x(across.edges[i]) - 1, y: y(up.edges[j + 1]), height: y(up.edges[j]) - y(up.edges[j + 1]) - 1};
    const text = cell.count > 0 ? `mean ${valueText(cell.sum / cell.count, unit)} of ${cell.count} run${cell.count > 1 ? 's' : ''}` : '';
    const failed = cell.failed > 0 ? `${cell.failed} without an answer` : '';
    const fill: Record<string, string> = cell.count > 0 ? {fill: ramp(badness(shown, cell.sum / cell.count)), class: 'cell'} : {class: 'cell without'};
    inner.append(titled(svg('rect', {...box, ...fill}), [text, failed].filter(Boolean).join(', ')));
  }
  frame(drawing, inner, scales, across, up, [nameA, nameB], room);
  // what the colours mean
  const steps = 24;
  for (let s = 0; s < steps; ++s)
    drawing.append(svg('rect', {x: width - room + 6, width: 14, y: top + ((height - bottom - top) * s) / steps, height: (height - bottom - top) / steps + 0.5,
      fill: ramp(badness(shown, high - ((s + 0.5) / steps) * (high - low)))}));
  for (const [value, at] of [[high, top + 10], [low, height - bottom]]) drawing.append(svg('text', {x: width - room + 24, y: at}, valueText(value, unit)));
  return drawing;
}

function frame(drawing: SVGElement, cells: SVGElement, scales: Scale[], across: Cells, up: Cells, names: string[], room: number) {
  const inner = picture('');
  axes(inner, {low: across.low, high: across.high, unit: unitOf(names[0]), name: shortName(names[0]), words: scales[0].words},
    {low: up.low, high: up.high, unit: unitOf(names[1]), name: shortName(names[1])});
  // the axes end where the colours begin
  const share = (width - left - right - room) / (width - left - right);
  inner.querySelectorAll('[text-anchor=middle]:not([transform])').forEach((text) => text.setAttribute('x', String(left + share * (Number(text.getAttribute('x')) - left))));
  inner.querySelectorAll('.grid').forEach((line) => line.remove());
  if (scales[1].words) inner.querySelectorAll('[text-anchor=end]').forEach((text) => text.remove());
  drawing.append(...Array.from(inner.childNodes), cells);
  scales[1].words?.forEach((word, i) => drawing.append(svg('text', {x: left - 6, y: place(up.low, up.high, height - bottom, top)(i) + 4, 'text-anchor': 'end'}, word.slice(-9))));
}

export function heatMapCard(study: Study, k: number): HTMLElement | null {
  const kept = study.study.kept[k];
  const usable = byImportance(kept).filter((i) => {
    const scale = scaleOf(study.parameters[i]);
    return scale.high > scale.low;
  });
  if (kept.count === 0 || usable.length < 2) return null;
  const holder = el('div', {});
  const selects = ['across', 'up'].map((label, n) => {
    const select = el('select', {'aria-label': label, class: `axis-${label}`});
    usable.forEach((i) => select.append(el('option', {value: String(i)}, shortName(study.study.parameters[i]))));
    select.value = String(usable[n]);
    select.addEventListener('change', draw);
    return el('label', {class: 'slide'}, el('span', {}, label), select);
  });
  function draw() {
    const [a, b] = selects.map((label) => Number(label.querySelector('select')!.value));
    holder.replaceChildren(a === b ? el('p', {class: 'hint'}, 'Choose two different parameters.') : drawMap(study, k, a, b));
  }
  draw();
  const figure = card('Heat map', holder, 'Mean of the runs in each cell. An empty cell has no run, a dashed one only runs without an answer.', 'heat');
  figure.querySelector('figcaption')!.after(el('div', {class: 'row wrap'}, ...selects));
  return figure;
}
