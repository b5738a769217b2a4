// Drawings with axes, as SVG.
import {prefixed, shortened, tickText, withUnit} from './format';

const space = 'http://www.w3.org/2000/svg';

export function svg(tag: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (text) element.textContent = text;
  return element;
}

// What the mouse shows, and what is read aloud.
export function titled(element: SVGElement, text: string): SVGElement {
  element.append(svg('title', {}, text));
  return element;
}

// 0, 20, 40 .. within low and high: about so many.
export function ticks(low: number, high: number, about: number): number[] {
  if (!(high > low)) return [low];
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw * 0.999) ?? 10 * power;
  const found: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) found.push(k * step);
  return found;
}

export function axisText(value: number, unit: string): string {
  return unit ? withUnit(value, unit) : tickText(value);
}

// Three digits, for reading.
export function valueText(value: number, unit: string): string {
  if (unit) return withUnit(value, unit);
  const size = Math.abs(value);
  return size !== 0 && size < 1e-3 ? value.toExponential(2) : size < 1 ? shortened(value) : prefixed(value).join(' ').trim();
}

export const chartSize = {width: 560, height: 280, left: 78, right: 14, top: 12, bottom: 46};

export function picture(label: string, height = chartSize.height, width = chartSize.width): SVGElement {
  return svg('svg', {viewBox: `0 0 ${width} ${height}`, class: 'drawing', role: 'img', 'aria-label': label});
}

// Places of numbers between two ends.
export function place(low: number, high: number, from: number, to: number): (value: number) => number {
  return (value) => (high > low ? from + ((value - low) / (high - low)) * (to - from) : (from + to) / 2);
}

// Lines and numbers of both axes, and what they are.
export function axes(into: SVGElement, x: {low: number; high: number; unit: string; name: string; words?: string[]},
                     y: {low: number; high: number; unit: string; name: string}) {
  const {width, height, left, right, top, bottom} = chartSize;
  const atX = place(x.low, x.high, left, width - right);
  const atY = place(y.low, y.high, height - bottom, top);
  for (const value of ticks(y.low, y.high, 5)) {
    into.append(svg('line', {x1: left, x2: width - right, y1: atY(value), y2: atY(value), class: 'grid'}));
    into.append(svg('text', {x: left - 7, y: atY(value) + 4, 'text-anchor': 'end'}, axisText(value, y.unit)));
  }
  if (x.words) x.words.forEach((word, i) => into.append(svg('text', {x: atX(i), y: height - bottom + 16, 'text-anchor': 'middle'}, word.length > 14 ? '…' + word.slice(-13) : word)));
  else for (const value of ticks(x.low, x.high, 5))
    into.append(svg('text', {x: atX(value), y: height - bottom + 16, 'text-anchor': 'middle'}, axisText(value, x.unit)));
  into.append(svg('text', {x: (left + width - right) / 2, y: height - 8, 'text-anchor': 'middle', class: 'name'}, x.name));
  if (y.name) into.append(svg('text', {x: 14, y: (top + height - bottom) / 2, 'text-anchor': 'middle', class: 'name', transform: `rotate(-90 14 ${(top + height - bottom) / 2})`}, y.name));
}
