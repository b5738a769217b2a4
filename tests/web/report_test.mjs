// Opens reports from disk in Chromium, as a reader does: report_test.mjs PROGRAM SOURCE PACKAGES CHROMIUM OUT [part of a name, or not:part of a name]
// Screenshots stay in OUT.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

const [, , program, source, packages, chromiumPath, out, only = ''] = process.argv;
const {chromium} = createRequire(join(packages, 'package.json'))('playwright-core');
mkdirSync(out, {recursive: true});

const example = (name) => join(source, 'examples', name + '.yaml');

function tauflex(...words) {
  const result = spawnSync(program, words, {encoding: 'utf8', timeout: 120000});
  assert.ok([0, 4, 6].includes(result.status), `tauflex ${words.join(' ')}: ${result.stderr}`);
  return result;
}
function run(name, job, ...options) {
  const folder = join(out, name);
  tauflex('run', job, '-o', folder, ...options);
  return folder;
}

const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
         '--ignore-gpu-blocklist'],
});

// A page that must stay silent and alone. Nothing plays by itself, so that pictures can be compared.
async function opened(file, options = {}) {
  const page = await browser.newPage({viewport: {width: 1440, height: 900}, reducedMotion: 'reduce', ...options});
  page.faults = [];
  page.on('console', (message) => message.type() === 'error' && page.faults.push(message.text()));
  page.on('pageerror', (error) => page.faults.push(error.message));
  page.on('request', (request) => request.url() !== 'file://' + file && page.faults.push('asked for ' + request.url()));
  const begin = Date.now();
  await page.goto('file://' + file);
  await page.waitForFunction(() => document.querySelector('.stage canvas')?.width > 300);
  await settled(page);
  page.openedIn = Date.now() - begin;
  return page;
}
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

// The 3-D picture as numbers: 64 x 40 grey values, or finer.
async function picture(page, width = 64) {
  await settled(page);
  return page.evaluate((columns) => {
    const rows = Math.round(0.625 * columns);
    const small = Object.assign(document.createElement('canvas'), {width: columns, height: rows});
    const drawing = small.getContext('2d');
    drawing.drawImage(document.querySelector('.stage canvas'), 0, 0, columns, rows);
    const {data} = drawing.getImageData(0, 0, columns, rows);
    return Array.from({length: columns * rows}, (_, i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2]);
  }, width);
}
const difference = (a, b) => a.filter((x, i) => Math.abs(x - b[i]) > 12).length;

async function slide(page, selector, value) {
  await page.evaluate(([where, x]) => {
    const slider = document.querySelector(where);
    slider.value = x;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  }, [selector, String(value)]);
}

async function expectSilence(page, name) {
  assert.deepEqual(page.faults, [], name);
  await page.close();
}

// What every report must do.
async function lives(name, folder) {
  const page = await opened(join(folder, 'report.html'));
  const first = await picture(page);
  assert.ok(new Set(first).size > 40, `${name}: the canvas is blank`);
  await slide(page, '.time', 620);
  const later = await picture(page);
  assert.ok(difference(first, later) > 5, `${name}: the robot does not move with the slider`);
  await page.screenshot({path: join(out, name + '.png')});
  if (await page.$('.magnify')) {
    await slide(page, '.magnify', 1.5);
    assert.ok(difference(later, await picture(page)) > 3, `${name}: the magnifier changes nothing`);
    assert.ok(await page.$eval('.check:has(.ghost) input', (box) => box.checked), 'the straight robot is shown beside it');
  }
  return page;
}

const tests = {
  async examples() {
    for (const name of ['e12', 'six_axis_elastic', 'delta_robot', 'polishing', 'e12_nonminimum', 'single_flexible_link']) {
      const folder = run(name, example(name));
      const page = await lives(name, folder);
      const {verification: proof, rigid} = JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8'));
      const values = await page.$$eval('.figure', (all) => Object.fromEntries(all.map((f) => [f.querySelector('dt').textContent, Number(f.querySelector('data').value)])));
      assert.equal(values['Tool error'], proof.max_tool_error_m, name);
      if (rigid) assert.equal(values['With rigid torques'], rigid.max_tool_error_m, name);
      assert.equal(await page.$eval('.word', (word) => word.textContent), 'proved');
      // hover: every plot shows the same time and has values
      await page.evaluate(() => document.querySelector('.plot').scrollIntoView({block: 'center'}));
      const box = await (await page.$('.plot .u-over')).boundingBox();
      await page.mouse.move(box.x + 0.25 * box.width, box.y + 0.5 * box.height);
      await settled(page);
      const shown = await page.$eval('.entry .value', (value) => value.textContent);
      assert.match(shown, /\d/, name);
      const t = parseFloat(await page.$eval('.clock', (clock) => clock.textContent));
      const [begin, end] = await page.evaluate(() => {
        const {scene} = JSON.parse(document.querySelector('script[type="application/json"]').textContent);
        return [scene.t[0], scene.t[scene.t.length - 1]];
      });
      assert.ok(Math.abs((t - begin) / (end - begin) - 0.25) < 0.05, `${name}: the cursor of a plot leads the time, got ${t}`);
      await expectSilence(page, name);
    }
  },

  // A beam is drawn along its centre line: the line of the page at a time is that of the record, and the picture shows it.
  async beams_bend() {
    const folder = run('single_flexible_link', example('single_flexible_link'));
    const {scene} = JSON.parse(readFileSync(join(folder, 'scene.json'), 'utf8'));
    const [beam] = scene.beams;
    const points = beam.straight.length / 3;
    const lines = scene.motions.reached.lines;
    assert.equal(lines.length, 3 * points * scene.t.length);
    let most = 0; // m, of the far end across the beam
    for (let i = 0; i < scene.t.length; ++i) most = Math.max(most, Math.abs(lines[3 * points * (i + 1) - 2]));
    assert.ok(most > 0.03, `bends by ${most} m`);
    const page = await opened(join(folder, 'report.html'));
    await page.uncheck('.check:has(.rigid) input');
    await slide(page, '.time', 350);
    const bent = await picture(page);
    await page.screenshot({path: join(out, 'beam.png')});
    await slide(page, '.magnify', 0.5);
    await page.uncheck('.check:has(.ghost) input');
    const more = await picture(page);
    assert.ok(difference(bent, more) > 20, 'the magnifier bends the beam');
    await expectSilence(page, 'beam');
  },

  // Shapes bend with the line, closed form: a bar along x on y = c x^2, its far end twisted by 0.3 rad.
  async bending() {
    const bundle = join(out, 'bending.mjs');
    const esbuild = createRequire(join(packages, 'package.json'))('esbuild');
    const contents = `export {bendings} from './bending'; export {RobotPose} from './motion'; export * from 'three';`;
    await esbuild.build({stdin: {contents, resolveDir: join(source, 'web/src'), loader: 'ts'}, bundle: true, format: 'esm', outfile: bundle,
      nodePaths: [join(packages, 'node_modules')], logLevel: 'error'});
    const {bendings, RobotPose, BoxGeometry, Mesh, Vector3} = await import('file://' + bundle);
    const [c, twist, n] = [0.1, 0.3, 41];
    const straight = Array.from({length: n}, (_, k) => [k / (n - 1), 0, 0]).flat();
    const scene = {links: [{}, {}], beams: [{link: 0, end: 1, straight}]};
    const pose = new RobotPose(scene);
    straight.forEach((x, k) => (pose.lines[k] = k % 3 === 1 ? c * straight[k - 1] ** 2 : x));
    pose.links[1].q.setFromAxisAngle(new Vector3(1, 0, 0), twist);
    const mesh = new Mesh(new BoxGeometry(1, 0.1, 0.1, 40, 1, 1).translate(0.5, 0, 0));
    const before = Array.from(mesh.geometry.getAttribute('position').array);
    const [bending] = bendings(scene.beams);
    bending.add(mesh);
    bending.bend(pose);
    const after = mesh.geometry.getAttribute('position').array;
    for (let i = 0; i < before.length; i += 3) {
      const [x, y, z] = before.slice(i, i + 3);
      const [a, slope] = [twist * x, Math.atan(2 * c * x)];
      const across = y * Math.cos(a) - z * Math.sin(a);
      const wanted = [x - across * Math.sin(slope), c * x * x + across * Math.cos(slope), y * Math.sin(a) + z * Math.cos(a)];
      const off = Math.hypot(...wanted.map((w, k) => w - after[i + k]));
      assert.ok(off < 3e-4, `${x}: ${off} m`); // the chord over two of 40 pieces against the tangent: c / 40 times half the width
    }
  },

  // Modes swing: the picture changes with the phase and with the mode.
  async modes() {
    const folder = join(out, 'modes');
    tauflex('modes', example('six_axis_elastic'), '-o', folder);
    const {modes} = JSON.parse(readFileSync(join(folder, 'modes.json'), 'utf8'));
    const page = await lives('modes', folder);
    assert.equal(Number(await page.$eval('.figure data', (data) => data.value)), modes[0].frequency);
    assert.equal(await page.$$eval('.mode option', (all) => all.length), Math.min(8, modes.length));
    const first = await picture(page);
    await page.selectOption('.mode', '2');
    assert.ok(difference(first, await picture(page)) > 5, 'another mode swings otherwise');
    assert.match(await page.$eval('.mode-words', (words) => words.textContent), /gear|spring/);
    await expectSilence(page, 'modes');
    // in the report of a run they wait behind the motion
    const run_page = await opened(join(run('six_axis_elastic', example('six_axis_elastic')), 'report.html'));
    const motion = await picture(run_page);
    await run_page.selectOption('.mode', '0');
    assert.ok(difference(motion, await picture(run_page)) > 5, 'a mode instead of the motion');
    await expectSilence(run_page, 'modes of a run');
  },

  // What studies add: the curve of fit, the table of compare; Newton and condition of bdf.
  async studies() {
    const fit = join(out, 'fit');
    tauflex('fit', example('e12_limits'), '-o', fit);
    const fitted = await opened(join(fit, 'report.html'));
    const {trials} = JSON.parse(readFileSync(join(fit, 'fit.json'), 'utf8'));
    assert.match(await fitted.$eval('.chart figcaption', (caption) => caption.textContent), /Closest limit over the duration/);
    const rows = await fitted.$$eval('.scroll tbody tr', (all) => all.length);
    assert.equal(rows, trials.length);
    await expectSilence(fitted, 'fit');
    const compared = join(out, 'compare');
    tauflex('compare', example('e12'), '-o', compared, '--dynamics', 'job');
    const page = await opened(join(compared, 'report.html'));
    assert.ok((await page.$$eval('.scroll tbody tr', (all) => all.map((row) => row.textContent))).some((text) => text.startsWith('I3')));
    await expectSilence(page, 'compare');
    const bdf = await opened(join(run('bdf', example('e12'), '--set', 'method={bdf: {form: monolithic, order: 3, step: 1e-3}}'), 'report.html'));
    const titles = await bdf.$$eval('figcaption span', (all) => all.map((span) => span.textContent.trim()));
    for (const title of ['Newton iterations of each step', 'Condition of Newton\'s matrix', 'Distance from singular poses, 0 is singular'])
      assert.ok(titles.includes(title), title);
    // zeros follow the time
    const ring = () => bdf.$$eval('.zeros .now title', (all) => all.map((mark) => mark.textContent).join());
    const early = await ring();
    await slide(bdf, '.time', 1000);
    assert.notEqual(await ring(), early);
    await expectSilence(bdf, 'bdf');
  },

  // Every switch beside the robot changes the picture; dragging zooms all plots, and 0 takes it back.
  async switches() {
    const page = await opened(join(run('polishing', example('polishing')), 'report.html'), {viewport: {width: 1040, height: 560}}); // small: quick
    await slide(page, '.time', 500);
    for (const box of ['.force', '.paths', '.rigid', '.ghost']) {
      const before = await picture(page, 480);
      await page.$eval(`.check:has(${box}) input`, (input) => input.click());
      assert.ok(difference(before, await picture(page, 480)) > 0, box);
    }
    await page.$eval('.check:has(.paths) input', (input) => input.click());
    const before = await picture(page, 480);
    await page.selectOption('.error-factor', '1');
    assert.ok(difference(before, await picture(page, 480)) > 0, 'the error magnified along the path');
    const [begin, end] = await page.evaluate(() => {
      const {t} = JSON.parse(document.querySelector('script[type="application/json"]').textContent).scene;
      return [t[0], t[t.length - 1]];
    });
    await page.evaluate(() => document.querySelector('.plot').scrollIntoView({block: 'center'}));
    const box = await (await page.$('.plot .u-over')).boundingBox();
    const at = (x) => [box.x + x * box.width, box.y + 0.5 * box.height];
    const pointed = async (x) => {
      await page.mouse.move(...at(x));
      await settled(page);
      return (parseFloat(await page.$eval('.clock', (clock) => clock.textContent)) - begin) / (end - begin);
    };
    await page.mouse.move(...at(0.4));
    await page.mouse.down();
    await page.mouse.move(...at(0.6), {steps: 4});
    await page.mouse.up();
    const zoomed = await pointed(0.5 / box.width);
    assert.ok(Math.abs(zoomed - 0.4) < 0.02, `zoomed to 0.4, shows ${zoomed}`);
    await page.focus('.plot');
    await page.keyboard.press('0');
    await pointed(0.5);
    assert.ok(await pointed(0.5 / box.width) < 0.02);
    await expectSilence(page, 'switches');
  },

  // A study: the worst run in 3-D beside the job as it stands; every chart says what table.csv says.
  async study_page() {
    const folder = join(out, 'study');
    tauflex('sweep', example('study_stiffness'), '-o', folder, '--set', 'study.sampling={sobol: 32}');
    const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    const [header, ...lines] = readFileSync(join(folder, 'table.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
    const column = (name) => lines.map((line) => Number(line[header.indexOf(name)]));
    const error = column('verification.max_tool_error_m');
    const page = await opened(join(folder, 'study.html'), {viewport: {width: 1280, height: 900}});
    const {run} = summary.kept[0].worst;
    assert.equal(error[run], Math.max(...error));
    assert.deepEqual(await page.$$eval('.key li', (all) => all.map((item) => item.textContent)), [`run ${run}`, 'as the job has it']);
    const begin = await picture(page);
    await slide(page, '.time', 900);
    assert.ok(difference(begin, await picture(page)) > 5, 'both robots move');
    assert.equal(await page.$eval('.verdict h2', (h2) => h2.textContent), `Yield ${(100 * summary.yield.share).toFixed(1)} %`);
    assert.equal(await page.$eval('.verdict .figure data', (data) => Number(data.value)), summary.kept[0].worst.value);
    const texts = (selector) => page.$$eval(selector, (all) => all.map((element) => element.textContent));
    const counted = (all, pattern) => all.reduce((sum, text) => sum + Number(text.match(pattern)?.[1] ?? 0), 0);
    assert.equal(counted(await texts('.drawing .bar title'), /: (\d+) runs/), 32);
    assert.equal((await texts('.drawing .low')).length, 6, 'a bar of the tornado for each parameter');
    assert.equal((await texts('.drawing .run, .drawing circle.worst')).length, 3 * 32);
    // the heat map: every run in one cell, the reddest cell has the largest mean, other axes other cells
    const cells = await page.$$eval('.heat .cell', (all) => all.map((cell) => [cell.getAttribute('fill'), cell.textContent]));
    assert.equal(counted(cells.map(([, text]) => text), /of (\d+) run/), 32);
    const mean = ([, text]) => parseFloat(text.split(' ')[1]) * (text.includes('mm') ? 1e-3 : text.includes('µm') ? 1e-6 : 1);
    const worst = cells.reduce((a, b) => (mean(a) > mean(b) ? a : b));
    assert.equal(worst[0], 'rgb(205 52 42)');
    assert.equal(cells.reduce((a, b) => (mean(a) < mean(b) ? a : b))[0], 'rgb(59 130 196)');
    await page.selectOption('.axis-up', String(summary.parameters.indexOf('verification.plant.links.hand.spring.damping')));
    assert.notDeepEqual(await page.$$eval('.heat .cell', (all) => all.map((cell) => [cell.getAttribute('fill'), cell.textContent])), cells);
    // parallel coordinates: a line per run; those that go through a stretch of the last axis can be chosen
    assert.equal((await texts('.way')).length, 32);
    assert.equal((await texts('.parallel .axis')).length, 8);
    assert.match(await page.$eval('.way.worst', (way) => way.textContent), new RegExp(`run ${run}:`));
    await page.$eval('.parallel', (figure) => figure.scrollIntoView({block: 'center'}));
    const axis = await (await page.$('.parallel .handle:last-of-type')).boundingBox();
    await page.mouse.move(axis.x + axis.width / 2, axis.y + 1);
    await page.mouse.down();
    await page.mouse.move(axis.x + axis.width / 2, axis.y + axis.height / 2, {steps: 4});
    await page.mouse.up();
    const upper = error.filter((x) => x > (Math.max(...error) + Math.min(...error)) / 2).length;
    assert.match(await page.$eval('.chosen', (line) => line.textContent), new RegExp(`^${upper} of 32 drawn runs are chosen`));
    assert.equal((await texts('.way:not(.out)')).length, upper);
    await page.screenshot({path: join(out, 'study.png'), fullPage: true});
    // another number
    await page.selectOption('.number', '1');
    assert.match(await page.$eval('.study > .card:last-child h2', (h2) => h2.textContent), /rms_tool_error_m/);
    assert.deepEqual(await texts('.links a'), [`run ${run}`]);
    assert.equal(await page.$eval('.links a', (link) => link.getAttribute('href')), `run_${run}/report.html`);
    await expectSilence(page, 'study');
    const phone = await opened(join(folder, 'study.html'), {viewport: {width: 390, height: 844}, colorScheme: 'dark'});
    assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390, 'nothing sticks out');
    await phone.screenshot({path: join(out, 'study_phone.png'), fullPage: true});
    await expectSilence(phone, 'study on a phone');
  },

  // Runs without an answer and parameters that are no numbers are drawn too; names stay text.
  async study_with_failures() {
    const job = join(out, 'failing.yaml');
    const body = `{tauflex: 1, robot: {gravity: [0, 0, 0], links: [{name: "<img/src=x>", joint: {parent: world, type: prismatic, axis: x}, drive: {rotor_inertia: 0}, mass: 2}]},
      task: {outputs: ["<img/src=x>"], path: {line: {from: [0], to: [0.5]}, duration: 1, profile: polynomial5}}, method: {exact: {step: 0.1}}}`;
    writeFileSync(job, `tauflex: 1\nstudy:\n  job: ${body}\n  sampling: {grid: 5}\n  vary: {robot.links.0.mass: -1..3, method: {values: [{jets: {}}, {exact: {step: 0.05}}]}}\n`);
    const folder = join(out, 'failing');
    tauflex('sweep', job, '-o', folder);
    const page = await opened(join(folder, 'study.html'), {viewport: {width: 1280, height: 900}, colorScheme: 'dark'});
    assert.match(await page.$eval('.verdict', (card) => card.textContent), /4 runs without an answer/); // -1 kg and 0 kg
    assert.equal((await page.$$('.way.without')).length, 4);
    assert.equal((await page.$$('.heat .cell')).length, 10);
    assert.equal((await page.$$('.heat .cell.without')).length, 4);
    assert.match(await page.$eval('.parallel .axis:nth-last-of-type(2)', (axis) => axis.textContent), /./);
    assert.equal(await page.$$eval('img', (all) => all.length), 0);
    await page.screenshot({path: join(out, 'study_failures.png'), fullPage: true});
    await expectSilence(page, 'study with failures');
  },

  async failed_job() {
    const folder = run('failed', example('e12'), '--set', 'task.path.line.to=[3.5, 1]');
    const page = await opened(join(folder, 'report.html'));
    assert.ok(new Set(await picture(page)).size > 40);
    assert.match(await page.$eval('.failure', (line) => line.textContent), /ends at t = 0\.0\d+ s/);
    assert.match(await page.$eval('.sentence', (line) => line.textContent), /end of what the robot can reach/);
    assert.equal(await page.$eval('.word', (word) => word.textContent), 'not solvable');
    await page.screenshot({path: join(out, 'failed.png')});
    await expectSilence(page, 'failed');
  },

  async simulation_and_several_results() {
    const top = join(out, 'top');
    tauflex('simulate', example('heavy_top'), '-o', top);
    const page = await lives('top', top);
    await expectSilence(page, 'top');
    const stiff = run('stiffer', example('e12'), '--set', 'robot.links.hand.spring.stiffness=3e5');
    const soft = run('e12', example('e12'));
    const both = join(out, 'both.html');
    tauflex('report', soft, stiff, '-o', both);
    const beside = await opened(both);
    assert.deepEqual(await beside.$$eval('.one h3', (all) => all.map((h3) => h3.childNodes[1].textContent)), ['e12', 'stiffer']);
    assert.equal(await beside.$$eval('.key li', (all) => all.length), 2);
    assert.ok((await beside.$$eval('.chart:first-child .entry', (all) => all.map((e) => e.textContent))).some((text) => text.includes('(stiffer)')));
    await slide(beside, '.time', 700);
    await settled(beside);
    await beside.screenshot({path: join(out, 'both.png')});
    await expectSilence(beside, 'both');
  },

  async keyboard() {
    const page = await opened(join(run('e12', example('e12')), 'report.html'));
    // every control comes up by Tab alone
    const wanted = await page.$$eval('button, input, select, canvas[tabindex], .plot, summary', (all) => {
      all.forEach((element, i) => (element.dataset.nth = String(i)));
      return all.length;
    });
    const reached = new Set();
    for (let i = 0; i < wanted + 10 && reached.size < wanted; ++i) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => document.activeElement?.dataset.nth));
    }
    reached.delete(undefined);
    assert.equal(reached.size, wanted);
    const before = await picture(page);
    await page.focus('.stage canvas');
    for (let i = 0; i < 4; ++i) await page.keyboard.press('ArrowLeft');
    assert.ok(difference(before, await picture(page)) > 20, 'arrow keys turn the robot');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector('.play').getAttribute('aria-label') === 'pause');
    await page.keyboard.press('Space');
    await page.focus('.time');
    await page.keyboard.press('End');
    assert.equal(await page.$eval('.clock', (clock) => clock.textContent), '0.300 s');
    await page.focus('.entry');
    await page.keyboard.press('Enter');
    assert.equal(await page.$eval('.entry', (entry) => entry.getAttribute('aria-pressed')), 'false');
    await expectSilence(page, 'keyboard');
  },

  async closed_to_the_outside() {
    const job = join(out, 'hostile.yaml');
    const text = readFileSync(example('e12'), 'utf8').replaceAll('upper', '"<img/src=x/onerror=alert(1)>"');
    writeFileSync(job, text);
    const page = await opened(join(run('hostile', job), 'report.html'));
    assert.equal(await page.$$eval('img', (all) => all.length), 0);
    assert.match(await page.$eval('.legend', (legend) => legend.textContent), /<img\/src=x/);
    const answers = await page.evaluate(async () => {
      const asked = await fetch('https://example.com/').then(() => 'answered', () => 'refused');
      const script = document.createElement('script');
      script.textContent = 'window.broken = 1';
      document.body.append(script);
      return [asked, window.broken ?? 'not run'];
    });
    assert.deepEqual(answers, ['refused', 'not run']);
    page.faults.length = 0; // those two were ours
    await expectSilence(page, 'hostile');
  },

  async dark_phone_and_paper() {
    const file = join(run('six_axis_elastic', example('six_axis_elastic')), 'report.html');
    const dark = await opened(file, {colorScheme: 'dark'});
    assert.ok((await picture(dark))[0] < 200, 'dark');
    await dark.screenshot({path: join(out, 'dark.png')});
    await expectSilence(dark, 'dark');
    const phone = await opened(file, {viewport: {width: 390, height: 844}});
    assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390, 'nothing sticks out');
    await phone.screenshot({path: join(out, 'phone.png'), fullPage: true});
    await phone.emulateMedia({media: 'print'});
    assert.ok(await phone.evaluate(() => [...document.querySelectorAll('canvas')].every((canvas) => canvas.clientWidth <= canvas.parentElement.clientWidth)), 'curves fit on the paper');
    const paper = await phone.pdf({path: join(out, 'paper.pdf'), format: 'A4', printBackground: true});
    assert.ok(paper.length > 20000);
    await expectSilence(phone, 'phone');
  },

  async long_results() {
    const folder = join(out, 'long');
    tauflex('invert', example('e12'), '-o', folder, '--set', 'method={jets: {step: 3e-6}}');
    assert.equal(JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8')).solution.steps, 100000);
    assert.ok(statSync(join(folder, 'report.html')).size < 10e6);
    const page = await opened(join(folder, 'report.html'));
    assert.ok(page.openedIn < 3000, `opened in ${page.openedIn} ms`); // asked for
    await expectSilence(page, 'long');
  },

  // The README shows what is drawn today; fonts and drivers may differ by a little.
  async readme_picture() {
    const page = await opened(join(run('e12', example('e12')), 'report.html'), {viewport: {width: 1280, height: 720}});
    await slide(page, '.time', 640);
    await settled(page);
    const path = join(out, 'report.png');
    await page.screenshot({path});
    const images = [path, join(source, 'docs/images/report.png')].map((file) => 'data:image/png;base64,' + readFileSync(file).toString('base64'));
    const empty = await browser.newPage();
    const off = await empty.evaluate(async (sources) => {
      const pixels = await Promise.all(sources.map(async (text) => {
        const image = Object.assign(new Image(), {src: text});
        await image.decode();
        const small = Object.assign(document.createElement('canvas'), {width: 160, height: 90});
        const drawing = small.getContext('2d');
        drawing.drawImage(image, 0, 0, 160, 90);
        return drawing.getImageData(0, 0, 160, 90).data;
      }));
      return pixels[0].reduce((sum, x, i) => sum + Math.abs(x - pixels[1][i]), 0) / pixels[0].length;
    }, images);
    assert.ok(off < 4, `docs/images/report.png is not what is drawn today (mean difference ${off}); copy ${path}`); // of 255
    await expectSilence(page, 'readme');
  },
};

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only.startsWith('not:') ? name.includes(only.slice(4)) : !name.includes(only)) continue;
  const begin = Date.now();
  try {
    await test();
    console.log(`ok      ${name} (${Date.now() - begin} ms)`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}: ${error.message}\n${error.stack.split('\n').filter((line) => line.includes('report_test')).join('\n')}`);
  }
}
await browser.close();
process.exit(failures ? 1 : 0);
