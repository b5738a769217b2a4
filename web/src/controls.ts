// Play, slow down, scrub, magnify, and what is shown.
import type {Clock} from './clock';
import type {Result} from './data';
import {button, checkbox, el} from './dom';
import {powerOfTen, seconds, shortened, withUnit} from './format';
import type {Viewer} from './viewer';

const speeds: [number, string][] = [[2, '2×'], [1, '1× (real time)'], [0.5, '½×'], [0.25, '¼×'], [0.1, '1⁄10×'], [0.02, '1⁄50×']];

function playRow(clock: Clock): HTMLElement {
  const play = button('▶', 'Play or pause (space)', () => clock.toggle());
  play.className = 'play';
  const slider = el('input', {type: 'range', min: '0', max: '1000', step: '1', value: '0', 'aria-label': 'time', class: 'time'});
  const shown = el('output', {class: 'clock'}, seconds(clock.t));
  slider.addEventListener('input', () => {
    clock.pause();
    clock.set(clock.begin + (Number(slider.value) / 1000) * (clock.end - clock.begin));
  });
  const speed = el('select', {'aria-label': 'speed', title: 'Speed'});
  for (const [value, name] of speeds) speed.append(el('option', {value: String(value)}, name));
  // about three seconds for a short motion
  const span = clock.end - clock.begin;
  const wanted = speeds.find(([value]) => span / value >= 1.6) ?? speeds[speeds.length - 1];
  clock.speed = span >= 1.6 ? 1 : wanted[0];
  speed.value = String(clock.speed);
  speed.addEventListener('change', () => clock.setSpeed(Number(speed.value)));
  clock.onTime((t) => {
    slider.value = String(Math.round((1000 * (t - clock.begin)) / Math.max(clock.end - clock.begin, 1e-12)));
    slider.setAttribute('aria-valuetext', seconds(t));
    shown.textContent = seconds(t);
  });
  clock.onState(() => {
    play.textContent = clock.playing ? '❚❚' : '▶';
    play.setAttribute('aria-label', clock.playing ? 'pause' : 'play');
  });
  play.setAttribute('aria-label', 'play');
  return el('div', {class: 'row'}, play, slider, shown, speed);
}

function showGhost(viewer: Viewer, box: HTMLInputElement) {
  box.checked = viewer.shown.ghost = true;
}

// 1 to 1000 on a logarithmic slider.
function magnifier(viewer: Viewer, ghost: HTMLInputElement): HTMLElement {
  const slider = el('input', {type: 'range', min: '0', max: '3', step: '0.02', value: '0', 'aria-label': 'deflections magnified', class: 'magnify'});
  const shown = el('output', {}, '×1');
  slider.addEventListener('input', () => {
    viewer.magnification = Number((10 ** Number(slider.value)).toPrecision(2));
    shown.textContent = '×' + shortened(viewer.magnification, 2);
    // the straight robot beside it says what is magnified
    if (viewer.magnification > 1) showGhost(viewer, ghost);
    viewer.redraw();
  });
  return el('label', {class: 'slide'}, el('span', {}, 'Deflections'), slider, shown);
}

// Powers of ten; the default makes the largest error a twelfth of a link.
function errorSelect(viewer: Viewer, result: Result): HTMLElement | null {
  const largest = viewer.largestError('error');
  if (!(largest > 1e-14)) return null;
  const fitting = Math.floor(Math.log10((0.12 * result.scene.size) / largest));
  const select = el('select', {'aria-label': 'tool error magnified', class: 'error-factor'});
  for (let k = 0; k <= Math.max(2, fitting + 1) && k <= 12; ++k)
    select.append(el('option', {value: String(10 ** k)}, k < 4 ? `×${10 ** k}` : '×' + powerOfTen(k)));
  select.value = String(10 ** Math.min(12, Math.max(0, fitting)));
  viewer.errorFactor = Number(select.value);
  select.addEventListener('change', () => {
    viewer.errorFactor = Number(select.value);
    viewer.setPaths();
  });
  return el('label', {class: 'slide', title: `largest distance from the path ${withUnit(largest, 'm')}`}, el('span', {}, 'Tool error'), select);
}

// The motion itself, or a natural mode in place of it, one period in a second.
function modeSelect(clock: Clock, viewer: Viewer, result: Result, ghost: HTMLInputElement): HTMLElement | null {
  const shapes = result.scene.modes?.shapes ?? [];
  if (shapes.length === 0) return null;
  const select = el('select', {'aria-label': 'what is shown', class: 'mode', title: 'Natural modes at the start, motors locked, larger than they are'});
  if (result.outcome !== 'modes') select.append(el('option', {value: '-1'}, 'motion'));
  shapes.forEach((mode, i) => select.append(el('option', {value: String(i)}, `mode ${i + 1}: ${shortened(mode.frequency)} Hz`)));
  const words = el('small', {class: 'mode-words'});
  const show = () => {
    viewer.mode = Number(select.value);
    viewer.period = clock.speed;
    words.textContent = viewer.mode < 0 ? '' : `${shapes[viewer.mode].words}; damping ${shortened(100 * shapes[viewer.mode].damping)} %`;
    if (viewer.mode >= 0) showGhost(viewer, ghost);
    viewer.redraw();
  };
  select.addEventListener('change', show);
  clock.onState(() => (viewer.period = clock.speed));
  show();
  return el('label', {class: 'slide'}, el('span', {}, 'Show'), select, words);
}

export function controlsFor(clock: Clock, viewer: Viewer, results: Result[]): HTMLElement {
  const {scene} = results[0];
  const second = el('div', {class: 'row wrap'});
  if (scene.motions.undeformed || scene.modes) {
    const ghost = checkbox(scene.motions.undeformed ? 'undeformed' : 'at rest', viewer.shown.ghost, (on) => {
      viewer.shown.ghost = on;
      viewer.redraw();
    }, 'ghost');
    const box = ghost.querySelector('input')!;
    const modes = modeSelect(clock, viewer, results[0], box);
    if (modes) second.append(modes);
    if (scene.motions.undeformed) second.append(magnifier(viewer, box));
    second.append(ghost);
  }
  const error = errorSelect(viewer, results[0]);
  if (scene.path.wanted.length > 0) {
    second.append(checkbox('paths', viewer.shown.paths, (on) => {
      viewer.shown.paths = on;
      viewer.setPaths();
    }, 'paths'));
    if (error) second.append(error);
  }
  if (scene.motions.rigid)
    second.append(checkbox('rigid torques', viewer.shown.rigid, (on) => {
      viewer.shown.rigid = on;
      viewer.setPaths();
    }, 'rigid'));
  if (scene.forces.length > 0)
    second.append(checkbox('forces', viewer.shown.forces, (on) => {
      viewer.shown.forces = on;
      viewer.redraw();
    }, 'force'));
  const first = playRow(clock);
  first.append(button('Reset view', 'Look from the first place again (double click, Home)', () => viewer.lookHome()));
  return el('div', {class: 'controls'}, first, second);
}
