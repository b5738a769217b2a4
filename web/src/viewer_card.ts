// The robot in 3-D with its controls.
import type {Clock} from './clock';
import {controlsFor} from './controls';
import type {Result} from './data';
import {el} from './dom';
import {Viewer, otherTints} from './viewer';

// The colour that a result has in the scene.
export function keyDot(i: number): HTMLElement {
  const dot = el('span', {class: 'dot'});
  dot.style.background = i === 0 ? 'var(--faint)' : '#' + otherTints[(i - 1) % otherTints.length].toString(16).padStart(6, '0');
  return dot;
}

export function viewerCard(results: Result[], clock: Clock): HTMLElement {
  const stage = el('div', {class: 'stage'});
  const card = el('section', {class: 'viewer', 'aria-label': 'the robot in 3-D'}, stage);
  let viewer: Viewer;
  try {
    viewer = new Viewer(results);
  } catch {
    stage.append(el('p', {class: 'nothing'}, 'This browser draws no 3-D here (WebGL is off); the numbers and curves below are complete.'));
    return card;
  }
  viewer.canvas.setAttribute('aria-label',
    'The robot in 3-D. Drag to turn it, scroll to come closer; with the keyboard: arrow keys turn, + and - zoom, Home looks from the first place.');
  stage.append(viewer.canvas);
  const failed = results[0].failed_at;
  if (failed !== null) stage.append(el('p', {class: 'failure'}, `It ends at t = ${Number(failed.toPrecision(4))} s; this is the pose there.`));
  if (results.length > 1) {
    const key = el('ul', {class: 'key'});
    results.forEach((result, i) => {
      key.append(el('li', {}, keyDot(i), result.job));
    });
    stage.append(key);
  }
  card.append(controlsFor(clock, viewer, results));
  viewer.setPaths();
  viewer.setTime(clock.t);
  clock.onTime((t) => viewer.setTime(t));
  return card;
}
