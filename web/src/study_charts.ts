// Distribution, tornado and scatter of one kept number.
import {el} from './dom';
import {shortened} from './format';
import {byImportance, importance, scaleOf, shortName, unitOf, type Study} from './study_data';
import {axes, axisText, chartSize, picture, place, svg, titled, valueText} from './svg';

const {width, height, left, right, top, bottom} = chartSize;

export function card(title: string, drawing: Node, hint: string, kind = ''): HTMLElement {
  const figure = el('figure', {class: `card chart ${kind}`}, el('figcaption', {}, el('span', {}, title)));
  figure.append(drawing);
  if (hint) figure.append(el('p', {class: 'hint'}, hint));
  return figure;
}

export function histogramCard(study: Study, k: number): HTMLElement | null {
  const kept = study.study.kept[k];
  const counts = study.histograms[k];
  if (counts.length === 0) return null;
  const unit = unitOf(kept.key);
  const most = Math.max(...counts);
  const drawing = picture(`Distribution of ${kept.key}: mean ${valueText(kept.mean, unit)}, from ${valueText(kept.least, unit)} to ${valueText(kept.largest, unit)}`);
  const bounds = study.bounds.filter((bound) => bound.key === kept.key);
  // bounds and the nominal value are part of the picture where they are near
  const span = kept.largest - kept.least;
  const near = [kept.nominal, ...bounds.map((bound) => bound.value)].filter((x): x is number => x !== null && x > kept.least - span && x < kept.largest + span);
  const low = Math.min(kept.least, ...near);
  const high = Math.max(kept.largest, ...near);
  axes(drawing, {low, high, unit, name: shortName(kept.key)}, {low: 0, high: most * 1.05, unit: '', name: 'runs'});
  const x = place(low, high, left, width - right);
  const y = place(0, most * 1.05, height - bottom, top);
  counts.forEach((count, i) => {
    const [from, to] = [i, i + 1].map((edge) => kept.least + (edge * span) / counts.length);
    drawing.append(titled(svg('rect', {x: x(from), width: Math.max(0.5, x(to) - x(from) - 1), y: y(count), height: y(0) - y(count), class: 'bar'}),
      `${valueText(from, unit)} to ${valueText(to, unit)}: ${count} runs`));
  });
  const mark = (value: number, kind: string, text: string) =>
    drawing.append(titled(svg('line', {x1: x(value), x2: x(value), y1: top, y2: height - bottom, class: 'mark ' + kind}), `${text}: ${valueText(value, unit)}`));
  mark(kept.mean, 'mean', 'mean');
  for (const [share, value] of kept.quantiles) if (share === 0.05 || share === 0.95) mark(value, 'quantile', `${100 * share} % of all runs are below`);
  if (kept.nominal !== null && near.includes(kept.nominal)) mark(kept.nominal, 'nominal', 'as the job has it');
  for (const bound of bounds) if (near.includes(bound.value)) mark(bound.value, 'bound', bound.text);
  const words = ['Line: mean', 'dots: 5 and 95 %'];
  if (near.includes(kept.nominal as number)) words.push('blue: as the job has it');
  if (bounds.some((bound) => near.includes(bound.value))) words.push('red: the bound of the yield');
  return card('Distribution', drawing, words.join('; ') + '.');
}

// Means of the runs with the lowest and the highest fifth of a parameter.
function ends(parameter: (number | null)[], kept: (number | null)[]): [number, number] | null {
  const pairs = parameter.flatMap((x, i): [number, number][] => (x !== null && kept[i] !== null ? [[x, kept[i] as number]] : []));
  if (pairs.length < 2) return null;
  pairs.sort((a, b) => a[0] - b[0]);
  const fifth = Math.max(1, Math.floor(pairs.length / 5));
  // equal values belong together: of a grid whole lines
  const mean = (part: [number, number][]) => part.reduce((sum, pair) => sum + pair[1], 0) / part.length;
  const lowest = pairs.filter((pair) => pair[0] <= pairs[fifth - 1][0]);
  const highest = pairs.filter((pair) => pair[0] >= pairs[pairs.length - fifth][0]);
  return [mean(lowest), mean(highest)];
}

export function tornadoCard(study: Study, k: number): HTMLElement | null {
  const kept = study.study.kept[k];
  const unit = unitOf(kept.key);
  const rows = byImportance(kept).filter((i) => kept.influences[i].rank_correlation !== null).slice(0, 12).flatMap((i) => {
    const both = ends(study.parameters[i] as (number | null)[], study.kept[k]);
    return both ? [{i, both}] : [];
  });
  if (rows.length === 0 || !(kept.largest > kept.least)) return null;
  const values = rows.flatMap((row) => row.both);
  // differences far below the range of all runs stay small
  const least = 0.05 * (kept.largest - kept.least);
  const [low, high] = [Math.min(kept.mean - least, ...values), Math.max(kept.mean + least, ...values)];
  const line = 30;
  const [names, shares] = [190, 96];
  const tall = rows.length * line + 46;
  const sobol = kept.influences[rows[0].i].total !== undefined;
  const drawing = picture(`What ${kept.key} depends on, the strongest first: ` +
    rows.map(({i}) => `${kept.influences[i].parameter} ${shortened(100 * importance(kept.influences[i]))} % of the variance`).join(', '), tall);
  const x = place(low, high, names + 8, width - shares);
  drawing.append(svg('text', {x: width, y: 14, 'text-anchor': 'end', class: 'name'}, sobol ? 'variance, in all' : 'variance, alone'));
  rows.forEach(({i, both}, n) => {
    const y = 24 + n * line;
    const name = shortName(kept.influences[i].parameter);
    const label = svg('text', {x: names, y: y + 15, 'text-anchor': 'end', class: 'name'}, name.length > 28 ? '…' + name.slice(-27) : name);
    drawing.append(titled(label, kept.influences[i].parameter));
    (['low', 'high'] as const).forEach((kind, side) => {
      const [from, to] = [kept.mean, both[side]].map(x).sort((a, b) => a - b);
      // both on one side of the mean: one below the other
      const halved = (both[0] - kept.mean) * (both[1] - kept.mean) > 0;
      drawing.append(titled(svg('rect', {x: from, width: Math.max(1.5, to - from), y: halved ? y + side * 10 : y, height: halved ? 10 : 20, class: kind}),
        `mean ${valueText(both[side], unit)} over the fifth of runs with the ${kind === 'low' ? 'lowest' : 'highest'} ${kept.influences[i].parameter}`));
    });
    const influence = kept.influences[i];
    const unknown = influence.total === undefined && influence.variance_share === undefined; // too few runs
    drawing.append(titled(svg('text', {x: width, y: y + 15, 'text-anchor': 'end'}, unknown ? '–' : `${shortened(100 * importance(influence), importance(influence) < 0.1 ? 1 : 2)} %`),
      `rank correlation ${shortened(influence.rank_correlation ?? 0, 2)}` + (influence.first_order === undefined ? '' : `, alone ${shortened(100 * influence.first_order, 2)} %`)));
  });
  drawing.append(svg('line', {x1: x(kept.mean), x2: x(kept.mean), y1: 20, y2: tall - 22, class: 'mark mean'}));
  for (const [value, anchor] of [[low, 'start'], [high, 'end']] as const)
    drawing.append(svg('text', {x: x(value), y: tall - 6, 'text-anchor': anchor}, axisText(value, unit)));
  return card('What matters', drawing,
    'Mean over the fifth of all runs with the lowest (blue) and the highest (orange) value of each parameter, from the mean of all. Where both lie on one side, too low is as bad as too high. Right: share of the variance.');
}

export function scatterCard(study: Study, k: number, parameter: number): HTMLElement | null {
  const kept = study.study.kept[k];
  if (kept.count === 0) return null;
  const unit = unitOf(kept.key);
  const name = study.study.parameters[parameter];
  const values = study.parameters[parameter];
  const scale = scaleOf(values);
  if (!(scale.high > scale.low)) return null;
  const pad = 0.04 * (kept.largest - kept.least) || 1e-12 + 0.1 * Math.abs(kept.largest);
  const drawing = picture(`${kept.key} of every run over ${name}`);
  const [low, high] = [kept.least - pad, kept.largest + pad];
  axes(drawing, {low: scale.low, high: scale.high, unit: unitOf(name), name: shortName(name), words: scale.words}, {low, high, unit, name: shortName(kept.key)});
  const x = place(scale.low, scale.high, left, width - right);
  const y = place(low, high, height - bottom, top);
  const step = Math.ceil(values.length / 1200);
  values.forEach((value, i) => {
    const at = scale.at(value);
    const worst = study.runs[i] === kept.worst.run;
    if (at === null || (i % step !== 0 && !worst)) return;
    const result = study.kept[k][i];
    const text = `run ${study.runs[i]}: ${shortName(name)} ${value}`;
    if (result === null) drawing.append(titled(svg('line', {x1: x(at), x2: x(at), y1: height - bottom - 7, y2: height - bottom, class: 'none'}), text + ', without an answer'));
    else drawing.append(titled(svg('circle', {cx: x(at), cy: y(result), r: worst ? 6 : 2.6, class: worst ? 'worst' : 'run'}), `${text}, ${valueText(result, unit)}`));
  });
  const nominal = scale.at(study.nominal[parameter]);
  if (nominal !== null && kept.nominal !== null && nominal >= scale.low && nominal <= scale.high && kept.nominal >= low && kept.nominal <= high)
    drawing.append(titled(svg('path', {d: `M${x(nominal) - 6} ${y(kept.nominal)}h12m-6 -6v12`, class: 'nominal'}), `as the job has it: ${valueText(kept.nominal, unit)}`));
  return card(`Runs over ${shortName(name)}`, drawing, '');
}
