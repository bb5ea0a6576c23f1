// Every kind of page in Chromium, at the width of a desk and of a phone, light and dark: axe finds nothing serious, the console stays
// empty, nothing sticks out to the right, every chart says its question, and the keyboard reaches everything.
//
//   node tests/pages/pages_test.mjs build/release/bin/gonogo build/release/web [page ...]
//
// Without pages it makes one of each kind with the program.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import path from 'node:path';

const [gonogo, web, ...given] = process.argv.slice(2).map((word) => path.resolve(word));
const require = createRequire(path.join(web, 'package.json'));
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const source = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');

const run = (folder, ...words) => execFileSync(gonogo, words, {cwd: folder, stdio: ['ignore', 'ignore', 'inherit']});

/** A small table whose names are as long as somebody's could be. */
function longTable() {
  const long = 'x'.repeat(200);
  const rows = ['cluster,query,action,cost,time,success,f_a,f_b'];
  for (let c = 0; c < 20; ++c) {
    for (let q = 0; q < 4; ++q) {
      const a = (c * 7 + q * 3) % 11;
      ['direct', `slow-${long}`].forEach((action, i) => rows.push(`c${c}-${long},q${c}-${q},${action},${10 + i * (a - 5) * 0.3 + a},${1 + 0.01 * i},1,${a},${q}`));
    }
  }
  return rows.join('\n') + '\n';
}

/** One page of each kind. */
const pagesOf = (folder) => {
  const at = (...parts) => path.join(folder, ...parts);
  writeFileSync(at('long.csv'), longTable());
  const sorting = path.join(source, 'examples/sorting/table.csv');
  const quick = ['--learner', 'ridge', '--refits', '20', '--quiet'];
  run(folder, 'audit', 'long.csv', ...quick, '--out', 'audit');
  run(folder, 'control', 'observable', sorting, '--feature', 'f_spread', '--actions', 'quick,heap', '--gamma', '0.05,0.1', ...quick, '--out', 'control');
  run(folder, 'calibrate', '--cells', 'null,effect-2x', '--data-sets', '4', '--refits', '10', '--quiet', '--out', 'calibration');
  const go2 = path.join(source, 'robots/go2');
  run(folder, 'rollout', go2, '--target', '1,0', '--terrain', 'flat', '--out', 'direct.h5', '--quiet');
  run(folder, 'rollout', go2, '--target', '1,0', '--terrain', 'flat', '--controller', 'scale-0.75', '--out', 'slow.h5', '--quiet');
  run(folder, 'view', 'direct.h5', 'slow.h5', '--out', 'view.html', '--quiet');
  run(folder, 'evaluate', go2, '--seeds', '1', '--trials', '1', '--family', 'moderate', '--terrain', 'flat', '--methods', 'direct,scale-0.90', '--out', 'evaluate', '--quiet');
  run(folder, 'identify', go2, '--envs', '3', '--steps', '100', '--epochs', '2', '--macro-epochs', '1', '--value-episodes', '8', '--terrain', 'flat', '--no-contrasts', '--out', 'identify', '--quiet');
  writeFileSync(at('small.toml'), `[protocol]\nname = "small"\nactions = ["direct", "scale-0.75"]\nmin_clusters = 3\n[collect]\nseeds = [1, 2, 3]
queries_per_cluster = 3\nqueries_per_episode = 1\nfamily = "moderate"\nterrain = "flat"\n`);
  run(folder, 'branch', go2, '1/000', '--protocol', 'small.toml', '--out', 'branch', '--quiet');
  run(folder, 'check', go2, '--quick', '--html', 'check.html', '--quiet');
  run(source, 'reproduce', 'scales-h1', '--out', at('reproduce'), '--quiet');
  return ['audit/report.html', 'control/report.html', 'calibration/report.html', 'evaluate/report.html', 'view.html', 'identify/report.html', 'branch/branches.html', 'check.html',
    'reproduce/reproduction.html'].map((file) => at(file));
};

/** What the keyboard reaches with Tab, as far as it is marked with an outline; null where focus is lost. */
async function walk(page) {
  const reached = new Set();
  for (let step = 0; step < 400; ++step) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      element.dataset.reached = 'true';
      const style = getComputedStyle(element);
      const name = element.getAttribute('aria-label') || element.textContent.trim() || element.title || element.getAttribute('id');
      return {tag: element.tagName, name, outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0};
    });
    if (!at) break;
    assert.ok(at.name, `a ${at.tag} that takes the focus has no name`);
    assert.ok(at.outlined, `the focus on ${at.tag} “${at.name}” cannot be seen`);
    reached.add(`${at.tag} ${at.name}`);
  }
  const missed = await page.evaluate(() => [...document.querySelectorAll('a[href], button, summary, select, input, [tabindex="0"]')]
    .filter((element) => element.checkVisibility() && !element.disabled && !element.dataset.reached && element.tabIndex >= 0)
    .map((element) => `${element.tagName} ${element.getAttribute('aria-label') || element.textContent.trim().slice(0, 40)}`));
  assert.deepEqual(missed, [], 'the keyboard does not reach everything');
  return reached.size;
}

async function check(browser, file, width, scheme) {
  const context = await browser.newContext({viewport: {width, height: width > 800 ? 900 : 800}, colorScheme: scheme, bypassCSP: true});
  const page = await context.newPage();
  const said = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`error: ${error.message}`));
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) said.push(`request: ${request.url()}`); });
  await page.goto(`file://${file}`);
  await page.waitForFunction(() => [...document.querySelectorAll('[data-chart]')].every((chart) => chart.dataset.drawn) &&
    (!document.getElementById('viewer') || document.getElementById('viewer').dataset.triangles !== undefined), null, {timeout: 60000});
  const noise = /GL Driver Message|GPU stall|swiftshader|WebGL/i;
  assert.deepEqual(said.filter((line) => !noise.test(line)), [], 'the console is empty');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
  const cut = await page.evaluate(() => [...document.querySelectorAll('td, th')].filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1)
    .map((cell) => cell.textContent.trim().slice(0, 60)));
  assert.deepEqual(cut, [], 'no cell of a table runs into its neighbour');
  const nameless = await page.evaluate(() => [...document.querySelectorAll('[data-chart]')].filter((chart) => chart.getAttribute('role') !== 'img').length);
  assert.equal(nameless, 0, 'every chart is a picture with a name');
  const names = await page.evaluate(() => [...document.querySelectorAll('[role=img]')].map((chart) => chart.getAttribute('aria-label') ?? ''));
  for (const name of names.filter((text) => text !== 'Robot and terrain in 3-D')) assert.match(name, /\?\s+\S/, `“${name}” is no question with an answer`);
  await page.evaluate(axe);
  const {violations} = await page.evaluate(() => globalThis.axe.run(document, {resultTypes: ['violations']}));
  const serious = violations.filter(({impact}) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(serious.map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')}`), [], 'axe finds nothing serious');
  const reached = scheme === 'light' ? await walk(page) : 0;
  await context.close();
  return {charts: names.length, reached};
}

const folder = mkdtempSync(path.join(tmpdir(), 'gonogo-pages-'));
let failures = 0;
const browser = await chromium.launch({executablePath: process.env.GONOGO_BROWSER || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']});
try {
  for (const file of given.length ? given : pagesOf(folder)) {
    for (const width of [1400, 390]) {
      for (const scheme of ['light', 'dark']) {
        const title = `${path.relative(folder, file)} at ${width} px, ${scheme}`;
        try {
          const {charts, reached} = await check(browser, file, width, scheme);
          console.log(`ok ${title}: ${charts} pictures${reached ? `, ${reached} stops of the keyboard` : ''}`);
        } catch (error) {
          ++failures;
          console.log(`FAILED ${title}: ${error.message}`);
        }
      }
    }
  }
} finally {
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
}
process.exit(failures ? 1 : 0);
