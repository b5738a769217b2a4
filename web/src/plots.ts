// Curves over time with one cursor: hover shows values everywhere, dragging zooms time, the legend switches curves.
import uPlot from 'uplot';
import type {Clock} from './clock';
import type {PlotData, Result} from './data';
import {button, el} from './dom';
import {powerOfTen, tickText, withUnit} from './format';
import {curveColour, darkQuery} from './theme';

const height = 230;

function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// All plots zoom together: they share their time.
class Span {
  private charts: uPlot[] = [];
  private range: [number, number] | null = null;
  private busy = false;
  add(chart: uPlot) {
    this.charts.push(chart);
  }
  forget(chart: uPlot) {
    this.charts = this.charts.filter((other) => other !== chart);
  }
  get current() {
    return this.range;
  }
  set(range: [number, number] | null) {
    if (this.busy) return;
    this.busy = true;
    this.range = range;
    for (const chart of this.charts) {
      const times = chart.data[0];
      const [min, max] = range ?? [times[0], times[times.length - 1]];
      chart.setScale('x', {min, max});
    }
    this.busy = false;
  }
}

export class PlotCard {
  readonly element: HTMLElement;
  private chart!: uPlot;
  private readonly holder = el('div', {class: 'plot', tabindex: '0'});
  private readonly values: HTMLElement[] = [];
  private readonly shown: boolean[];
  private visible = false;
  private hovering = false;
  // Over time, as most are: then it has the cursor and the zoom of all others.
  private readonly timed: boolean;

  constructor(private readonly data: PlotData, private readonly clock: Clock, private readonly span: Span) {
    this.shown = data.lines.map((line) => !line.hidden);
    const legend = el('div', {class: 'legend'});
    data.lines.forEach((line, i) => legend.append(this.legendEntry(line.name, i)));
    this.timed = data.x === '';
    const reset = this.timed ? button('Whole time', 'Show the whole time again (key 0)', () => this.span.set(null)) : null;
    this.element = el('figure', {class: 'card chart'},
      el('figcaption', {}, el('span', {}, `${data.title} `, el('small', {}, data.unit)), reset), this.holder, legend);
    this.holder.setAttribute('role', 'img');
    this.holder.setAttribute('aria-label', this.timed ? `${data.title} in ${data.unit} over time in s; arrow keys move the time, + and - zoom, 0 shows all`
      : `${data.title} in ${data.unit} over ${data.x} in s`);
    this.holder.addEventListener('keydown', (event) => this.key(event));
    this.holder.addEventListener('pointerenter', () => (this.hovering = true));
    this.holder.addEventListener('pointerleave', () => (this.hovering = false));
    new IntersectionObserver((entries) => {
      this.visible = entries.some((entry) => entry.isIntersecting);
      if (this.visible) this.follow(this.clock.t);
    }).observe(this.element);
  }

  private legendEntry(name: string, i: number): HTMLElement {
    const value = el('span', {class: 'value'});
    this.values.push(value);
    const swatch = el('span', {class: 'line' + (this.data.lines[i].dashed ? ' dashed' : '')});
    const entry = el('button', {type: 'button', class: 'entry', 'aria-pressed': String(this.shown[i])}, swatch, el('span', {}, name), value);
    swatch.style.borderColor = curveColour(this.data.lines[i].colour);
    entry.addEventListener('click', () => {
      this.shown[i] = !this.shown[i];
      entry.setAttribute('aria-pressed', String(this.shown[i]));
      this.chart.setSeries(i + 1, {show: this.shown[i]});
    });
    return entry;
  }

  // To be called when the card is in the page and has a width.
  build() {
    if (this.chart) {
      this.span.forget(this.chart);
      this.chart.destroy();
    }
    const {data} = this;
    const axis: uPlot.Axis = {
      stroke: cssColour('--faint'), grid: {stroke: cssColour('--hair'), width: 1}, ticks: {stroke: cssColour('--hair'), width: 1, size: 4},
      font: '12px system-ui, sans-serif',
    };
    const options: uPlot.Options = {
      width: Math.max(200, this.holder.clientWidth), height, legend: {show: false}, padding: [12, 12, 0, 0],
      cursor: {drag: {x: this.timed, y: false, setScale: this.timed}, points: {size: 7}, y: false},
      scales: {x: {time: false}, y: data.logarithmic ? {distr: 3, range: () => this.logRange()} : {range: (_, low, high) => this.range(low, high)}},
      axes: [
        {...axis, values: (_, splits) => splits.map((t) => `${Number(t.toPrecision(6))} s`)},
        {...axis, size: 62, ...(data.logarithmic ? {splits: () => this.decades()} : {}), values: (_, splits) => splits.map((v) => (v === null ? '' : this.tick(v)))},
      ],
      series: [
        {label: 'time'},
        ...data.lines.map((line, i): uPlot.Series => ({
          label: line.name, stroke: curveColour(line.colour), width: line.dashed ? 1.5 : 2, dash: line.dashed ? [6, 4] : undefined,
          show: this.shown[i], spanGaps: true, points: {show: !this.timed, size: 6},
        })),
      ],
      hooks: {
        draw: [(u) => this.drawLevels(u)],
        setCursor: [(u) => this.hovered(u)],
        setScale: [(u, key) => {
          if (!this.timed || key !== 'x' || !u.scales.x || u.scales.x.min == null || u.scales.x.max == null) return;
          const times = u.data[0];
          const whole = u.scales.x.min <= times[0] && u.scales.x.max >= times[times.length - 1];
          this.span.set(whole ? null : [u.scales.x.min, u.scales.x.max]);
        }],
      },
    };
    const rows = data.lines.map((line) => (data.logarithmic ? line.y.map((y) => (y !== null && y > 0 ? y : null)) : line.y));
    this.chart = new uPlot(options, [data.t, ...rows] as uPlot.AlignedData, this.holder);
    if (!this.timed) return;
    this.span.add(this.chart);
    if (this.span.current) this.chart.setScale('x', {min: this.span.current[0], max: this.span.current[1]});
    this.follow(this.clock.t);
  }

  private tick(v: number): string {
    if (this.data.logarithmic && this.data.unit === '') return powerOfTen(Math.round(Math.log10(v)));
    if (this.data.logarithmic) return v < 1e-12 ? powerOfTen(Math.round(Math.log10(v))) : withUnit(v, this.data.unit, 1);
    return tickText(v);
  }

  private range(low: number | null, high: number | null): [number, number] {
    let a = low ?? 0;
    let b = high ?? 1;
    // limits that come near are part of the picture
    for (const level of this.data.levels) {
      if (level.y > 0 && level.y < 2.2 * b) b = Math.max(b, level.y);
      if (level.y < 0 && level.y > 2.2 * a) a = Math.min(a, level.y);
    }
    const pad = 0.06 * (b - a) || 0.1 * Math.abs(a) || 1;
    return [a - pad, b + pad];
  }

  private logRange(): [number, number] {
    let low = Infinity;
    let high = 0;
    // every line with the three decades below its top: what begins at zero would take all the room
    for (const line of this.data.lines) {
      const top = line.y.reduce<number>((most, y) => (y !== null && y > most ? y : most), 0);
      if (top > 0) low = Math.min(low, 1e-3 * top);
      high = Math.max(high, top);
    }
    for (const level of this.data.levels) if (level.y > 0) high = Math.max(high, level.y);
    if (!(high > 0)) return [1e-9, 1];
    return [10 ** Math.floor(Math.log10(Math.min(low, high))), 10 ** Math.ceil(Math.log10(high) + 0.05)];
  }

  // At most seven of the powers of ten.
  private decades(): number[] {
    const [low, high] = this.logRange().map((x) => Math.round(Math.log10(x)));
    const step = Math.ceil((high - low) / 7);
    const splits: number[] = [];
    for (let k = high; k >= low; k -= step) splits.unshift(10 ** k);
    return splits;
  }

  private drawLevels(u: uPlot) {
    const {ctx} = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    ctx.textAlign = 'left';
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    const written: number[] = [];
    for (const level of this.data.levels) {
      const y = u.valToPos(level.y, 'y', true);
      ctx.strokeStyle = ctx.fillStyle = level.colour < 0 ? cssColour('--faint') : curveColour(level.colour);
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(u.bbox.left, y);
      ctx.lineTo(u.bbox.left + u.bbox.width, y);
      ctx.stroke();
      const free = written.every((other) => Math.abs(other - y) > 14 * devicePixelRatio);
      if (level.name && free) {
        ctx.fillText(level.name, u.bbox.left + 6 * devicePixelRatio, y - 4 * devicePixelRatio);
        written.push(y);
      }
    }
    ctx.restore();
  }

  // The mouse leads the time, where it does not play.
  private hovered(u: uPlot) {
    if (!this.hovering || u.cursor.left == null || u.cursor.left < 0) return;
    if (this.timed) {
      this.clock.pause();
      this.clock.set(u.posToVal(u.cursor.left, 'x'));
    }
    this.showValues(u);
  }

  follow(t: number) {
    if (!this.chart || !this.visible || !this.timed) return;
    if (!this.hovering) this.chart.setCursor({left: this.chart.valToPos(t, 'x'), top: height / 2}, false);
    this.showValues(this.chart);
  }

  private showValues(u: uPlot) {
    const i = u.cursor.idx ?? u.valToIdx(this.clock.t);
    this.data.lines.forEach((line, k) => (this.values[k].textContent = withUnit(line.y[i], this.data.unit)));
  }

  private key(event: KeyboardEvent) {
    if (!this.timed) return;
    const x = this.chart.scales.x;
    const [min, max] = [x.min ?? this.clock.begin, x.max ?? this.clock.end];
    const t = this.clock.t;
    if (event.key === '+' || event.key === '=') this.span.set([t - (t - min) / 2, t + (max - t) / 2]);
    else if (event.key === '-') this.span.set([Math.max(this.clock.begin, t - 2 * (t - min)), Math.min(this.clock.end, t + 2 * (max - t))]);
    else if (event.key === '0' || event.key === 'Escape') this.span.set(null);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      this.clock.pause();
      this.clock.set(t + (event.key === 'ArrowLeft' ? -1 : 1) * (max - min) / 100);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

// Curves of several results with one title in one plot, each named after its result.
function merged(results: Result[]): PlotData[] {
  if (results.length === 1) return results[0].plots;
  const all = new Map<string, PlotData[]>();
  const names = new Map<PlotData, string>();
  for (const result of results)
    for (const plot of result.plots) {
      const key = plot.title + plot.unit;
      names.set(plot, result.job);
      all.set(key, [...(all.get(key) ?? []), plot]);
    }
  return [...all.values()].map((plots) => {
    const [t, ...rows] = uPlot.join(plots.map((plot) => [plot.t, ...plot.lines.map((line) => line.y)] as uPlot.AlignedData));
    const lines = plots.flatMap((plot) => plot.lines.map((line) => ({...line, name: `${line.name} (${names.get(plot)})`})));
    return {
      ...plots[0], t: t as number[], levels: plots[0].levels,
      lines: lines.map((line, i) => ({...line, colour: i, y: rows[i] as (number | null)[]})),
    };
  });
}

export function plotCards(results: Result[], clock: Clock): PlotCard[] {
  const span = new Span();
  const cards = merged(results).map((data) => new PlotCard(data, clock, span));
  clock.onTime((t) => cards.forEach((card) => card.follow(t)));
  const build = () => cards.forEach((card) => card.build());
  darkQuery.addEventListener('change', build);
  let width = window.innerWidth;
  window.addEventListener('resize', () => {
    if (width === window.innerWidth) return;
    width = window.innerWidth;
    build();
  });
  return cards;
}
