// The report page: one result, or several beside each other.
import {clockFor} from './clock';
import type {Result} from './data';
import {el} from './dom';
import {plotCards} from './plots';
import {keyDot, viewerCard} from './viewer_card';
import {zerosCard} from './zeros';

function verdictCard(result: Result): HTMLElement {
  const words = el('p', {class: 'words'}, el('span', {class: 'word'}, result.word));
  if (result.limits) words.append(el('span', {class: 'word ' + (result.limits_exceeded ? 'exceeded' : 'kept')}, result.limits));
  // where the first number is the error, it is the headline
  const leads = ['proved', 'missed', 'partial'].includes(result.outcome);
  const card = el('section', {class: `verdict ${result.outcome}`}, words, leads ? null : el('h2', {}, result.headline));
  const figures = el('dl', {class: 'figures'});
  for (const figure of result.figures) {
    const number = el('data', {value: figure.value === null ? '' : String(figure.value)}, figure.text);
    figures.append(el('div', {class: `figure ${figure.tone}${figure.text.length > 13 ? ' long' : ''}`}, el('dt', {}, figure.label), el('dd', {}, number, el('small', {}, figure.note))));
  }
  card.append(figures, el('p', {class: 'sentence'}, result.sentence));
  for (const warning of result.warnings) card.append(el('p', {class: 'warning'}, `Warning: ${warning}.`));
  for (const note of result.notes) card.append(el('p', {class: 'note'}, `Note: ${note}.`));
  return card;
}

function table(columns: string[], rows: string[][]): HTMLElement {
  const head = el('tr', {}, ...columns.map((name) => el('th', {scope: 'col'}, name)));
  return el('div', {class: 'scroll'},
    el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((cell) => el('td', {}, cell)))))));
}

// Several results: what leads each of them, beside each other.
function sideBySide(results: Result[]): HTMLElement {
  return el('section', {class: 'card beside'}, el('h2', {}, 'Side by side'), ...results.map((result, i) => {
    const figures = result.figures.flatMap((figure) => [el('dt', {}, figure.label), el('dd', {}, figure.text)]);
    return el('div', {class: `one ${result.outcome}`}, el('h3', {}, keyDot(i), result.job, el('span', {class: 'word'}, result.word)), el('dl', {}, ...figures));
  }));
}

function factsCard(result: Result): HTMLElement {
  const groups = result.facts.map((group) =>
    el('section', {}, el('h3', {}, group.title),
      el('table', {class: 'facts-table'}, el('tbody', {},
        ...group.rows.map(([name, value]) => el('tr', {}, el('th', {scope: 'row'}, name), el('td', {}, value)))))));
  return el('section', {class: 'card'}, el('h2', {}, 'Facts'), el('div', {class: 'facts'}, ...groups));
}

function jobCard(result: Result): HTMLElement {
  const card = el('section', {class: 'card'}, el('h2', {}, 'The job'));
  if (result.plant_differences.length > 0)
    card.append(el('p', {}, 'The plant of the proof differs from the robot: '), el('ul', {}, ...result.plant_differences.map((text) => el('li', {}, text))));
  if (result.overrides.length > 0)
    card.append(el('p', {}, 'Set on the command line: '), el('ul', {}, ...result.overrides.map((text) => el('li', {}, el('code', {}, text)))));
  if (result.job_text)
    card.append(el('details', {}, el('summary', {}, 'Job file as it was understood, robot and overrides in it'),
      el('pre', {tabindex: '0'}, result.job_text)));
  return card;
}

function details(result: Result, several: boolean): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (several) parts.push(el('h2', {class: 'divider'}, result.job));
  if (several) parts.push(verdictCard(result));
  for (const {title, columns, rows} of result.tables) parts.push(el('section', {class: 'card'}, el('h2', {}, title), table(columns, rows)));
  if (result.meaning.length > 0)
    parts.push(el('section', {class: 'card meaning'}, el('h2', {}, 'What this means'), ...result.meaning.map((text) => el('p', {}, text))));
  parts.push(factsCard(result), jobCard(result));
  return parts;
}

export function buildReport(results: Result[]) {
  const several = results.length > 1;
  const first = results[0];
  const clock = clockFor(results);
  const names = several ? results.map((result) => result.job).join(', ') : first.job;
  document.title = several ? `tauflex: ${names}` : `${names}: ${first.headline}`;
  const main = el('main', {});
  document.body.append(
    el('header', {}, el('h1', {}, names), el('span', {class: 'brand'}, 'tauflex')), main,
    el('footer', {}, `tauflex ${first.version}. SI units, angles in radians.`));
  main.append(el('div', {class: 'hero'}, viewerCard(results, clock), several ? sideBySide(results) : verdictCard(first)));
  const cards = plotCards(results, clock);
  const zeros = several ? null : zerosCard(first, clock);
  main.append(el('div', {class: 'plots'}, ...cards.map((card) => card.element), ...(zeros ? [zeros] : [])));
  for (const result of results) main.append(...details(result, several));
  cards.forEach((card) => card.build());
  if (first.failed_at !== null) clock.set(first.failed_at);
  clock.toggleBySpace();
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (first.failed_at === null && !still) clock.play();
}
