// Zeros of the problem in the complex plane, one colour from the start of the path to its end.
import type {Clock} from './clock';
import type {Result} from './data';
import {el} from './dom';
import {shortened} from './format';
import {svg} from './svg';

export function zerosCard(result: Result, clock: Clock): HTMLElement | null {
  const points = result.zeros.flatMap(({t, zeros}) => zeros.map(([re, im]) => ({t, re, im}))).filter((p) => Math.abs(p.re) + Math.abs(p.im) < 1e9);
  if (points.length === 0) return null;
  const [width, height, edge] = [560, 260, 34];
  const right = Math.max(...points.map((p) => Math.abs(p.re)), 1e-9) * 1.15;
  const top = Math.max(...points.map((p) => Math.abs(p.im)), 0.4 * right) * 1.15;
  const x = (re: number) => width / 2 + (re / right) * (width / 2 - edge);
  const y = (im: number) => height / 2 - (im / top) * (height / 2 - edge / 2);
  const picture = svg('svg', {viewBox: `0 0 ${width} ${height}`, class: 'zeros', role: 'img',
    'aria-label': `${points.length} zeros along the path, real parts up to ${shortened(Math.max(...points.map((p) => p.re)))} per second`});
  picture.append(
    svg('rect', {x: width / 2, y: 0, width: width / 2, height, class: 'unstable'}),
    svg('line', {x1: edge, y1: height / 2, x2: width - edge, y2: height / 2}),
    svg('line', {x1: width / 2, y1: 6, x2: width / 2, y2: height - 6}),
    svg('text', {x: width - edge, y: height / 2 - 6, 'text-anchor': 'end'}, `${shortened(right, 2)} /s`),
    svg('text', {x: edge, y: height / 2 - 6}, `−${shortened(right, 2)} /s`),
    svg('text', {x: width / 2 + 6, y: 16}, `${shortened(top, 2)} i /s`),
    svg('text', {x: width - edge, y: height - 10, 'text-anchor': 'end'}, 'grow'),
    svg('text', {x: edge, y: height - 10}, 'decay'),
  );
  const last = Math.max(...points.map((p) => p.t), 1e-12);
  const dots = points.map((p) => {
    const dot = svg('circle', {cx: x(p.re), cy: y(p.im), r: 4.5, 'fill-opacity': 0.25 + 0.75 * Math.max(0, p.t / last)});
    dot.append(svg('title', {}, `t = ${shortened(p.t)} s: ${shortened(p.re)} ${p.im < 0 ? '−' : '+'} ${shortened(Math.abs(p.im))} i per second`));
    picture.append(dot);
    return dot;
  });
  // those of the time that is shown have a ring
  const mark = (t: number) => {
    const now = points.reduce((best, p) => (Math.abs(p.t - t) < Math.abs(best - t) ? p.t : best), points[0].t);
    points.forEach((p, i) => dots[i].classList.toggle('now', p.t === now));
  };
  clock.onTime(mark);
  mark(clock.t);
  const figure = el('figure', {class: 'card chart'},
    el('figcaption', {}, el('span', {}, 'Zeros along the path ', el('small', {}, '1/s'))));
  figure.append(picture);
  figure.append(el('p', {class: 'hint'}, 'Free motions of the robot while its tool is held on the path; full colour is the end of the path, a ring the time that is shown. To the right of the middle they grow.'));
  return figure;
}
