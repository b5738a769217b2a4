// The page of a study: yield, the worst run in 3-D beside the job as it stands, distributions, what matters, every run.
import {clockFor} from './clock';
import type {Result} from './data';
import {el} from './dom';
import {heatMapCard} from './heat_map';
import {parallelCard} from './parallel';
import {plotCards} from './plots';
import {histogramCard, scatterCard, tornadoCard} from './study_charts';
import {byImportance, shortName, unitOf, type Kept, type Study} from './study_data';
import {valueText} from './svg';
import {viewerCard} from './viewer_card';

function figureOf(label: string, value: number | null, unit: string, note: string): HTMLElement {
  return el('div', {class: 'figure'}, el('dt', {}, label),
    el('dd', {}, el('data', {value: String(value)}, value === null ? '–' : valueText(value, unit)), el('small', {}, note)));
}

function verdictCard(page: Study): HTMLElement {
  const {study} = page;
  const card = el('section', {class: 'verdict simulated'}, el('h2', {}, page.headline), ...page.sentences.map((text) => el('p', {class: 'sentence'}, text)));
  const kept = study.kept[0];
  if (kept && kept.count > 0) {
    const unit = unitOf(kept.key);
    const quantile = (share: number) => kept.quantiles.find(([at]) => at === share)?.[1] ?? null;
    card.append(el('h3', {class: 'of'}, kept.key), el('dl', {class: 'figures small'},
      figureOf('Worst', kept.worst.value, unit, `run ${kept.worst.run}`),
      figureOf('Mean', kept.mean, unit, `standard deviation ${valueText(kept.standard_deviation, unit)}`),
      figureOf('Nine of ten runs', quantile(0.05), unit, `to ${valueText(quantile(0.95) ?? 0, unit)}`),
      figureOf('As the job has it', kept.nominal, unit, '')));
  }
  return card;
}

function numbersCard(page: Study, kept: Kept): HTMLElement {
  const unit = unitOf(kept.key);
  const row = (name: string, text: string) => el('tr', {}, el('th', {scope: 'row'}, name), el('td', {}, text));
  const body = el('tbody', {}, row('as the job has it', kept.nominal === null ? '–' : valueText(kept.nominal, unit)));
  if (kept.count > 0) {
    body.append(row('mean, standard deviation', `${valueText(kept.mean, unit)}, ${valueText(kept.standard_deviation, unit)}`));
    for (const [share, value] of kept.quantiles) body.append(row(`${100 * share} % of all runs are below`, valueText(value, unit)));
    body.append(row('least, largest', `${valueText(kept.least, unit)}, ${valueText(kept.largest, unit)}`));
    for (const [name, value] of Object.entries(kept.worst.parameters)) body.append(row(`worst (run ${kept.worst.run}): ${name}`, String(value)));
  }
  const statuses = Object.entries(page.study.statuses).map(([status, count]) => `${count} ${status}`).join(', ');
  body.append(row('all runs', statuses));
  if (page.study.failed > 0) body.append(row('the first without an answer', page.study.first_failure));
  return el('section', {class: 'card'}, el('h2', {}, `Numbers of ${kept.key}`), el('table', {class: 'facts-table'}, body));
}

function worstCard(page: Study): HTMLElement | null {
  if (page.records === 0) return null;
  const links = page.study.worst_runs.map((run) => el('li', {}, el('a', {href: `run_${run}/report.html`}, `run ${run}`)));
  return el('section', {class: 'card'}, el('h2', {}, 'Whole results of the worst runs'), el('ul', {class: 'links'}, ...links));
}

// Charts of the kept number that is chosen.
function chartsOf(page: Study, k: number): HTMLElement[] {
  const kept = page.study.kept[k];
  if (kept.count === 0) return [el('section', {class: 'card'}, el('p', {}, `No run has ${kept.key}.`)), numbersCard(page, kept)];
  const scatters = byImportance(kept).slice(0, 3).map((i) => scatterCard(page, k, i));
  const charts = [histogramCard(page, k), tornadoCard(page, k), heatMapCard(page, k), ...scatters].filter((card) => card !== null);
  const parts: HTMLElement[] = [el('div', {class: 'plots'}, ...charts)];
  const parallel = parallelCard(page, k);
  if (parallel) parts.push(parallel);
  return [...parts, numbersCard(page, kept)];
}

export function buildStudy(page: Study, results: Result[]) {
  const {study} = page;
  document.title = `${study.study}: ${page.headline}`;
  const main = el('main', {});
  document.body.append(el('header', {}, el('h1', {}, study.study), el('span', {class: 'brand'}, 'tauflex')), main,
    el('footer', {}, `tauflex ${study.version}. SI units, angles in radians. All runs are in table.csv.`));
  const clock = results.length > 0 ? clockFor(results) : null;
  main.append(clock ? el('div', {class: 'hero'}, viewerCard(results, clock), verdictCard(page)) : verdictCard(page));
  const charts = el('div', {class: 'study'});
  const choice = el('select', {'aria-label': 'number that is shown', class: 'number'});
  study.kept.forEach((kept, i) => choice.append(el('option', {value: String(i)}, kept.key)));
  const show = () => charts.replaceChildren(...chartsOf(page, Number(choice.value)));
  choice.addEventListener('change', show);
  main.append(el('div', {class: 'chooser'}, el('label', {class: 'slide'}, el('span', {}, 'Charts of'), choice)), charts);
  show();
  const worst = worstCard(page);
  if (worst) main.append(worst);
  if (!clock) return;
  const cards = plotCards(results, clock);
  main.append(el('h2', {class: 'divider'}, results.length > 1 ? `${results[0].job}, the worst by ${shortName(page.worst_by)}, beside the job as it stands` : results[0].job),
    el('div', {class: 'plots'}, ...cards.map((card) => card.element)));
  cards.forEach((card) => card.build());
  clock.toggleBySpace();
  if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) clock.play();
}
