// `node scripts/pictures.ts [FOLDER]`: takes the pictures of the README and the guide in a fresh VS Code, by keyboard
// and mouse as a person would, and writes them to `media/` or to the folder.

import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { requestProven } from '../loopback/src/connect.ts';
import { readLock } from '../loopback/src/lock.ts';
import { launchBrowser } from './host/browser.ts';
import { ensureBuilt } from './host/build.ts';
import {
  chooseInMenu,
  chooseTheme,
  focusEditor,
  goToText,
  openFile,
  readResults,
  runCommand,
} from './host/driver.ts';
import { ingest, ingestPage, setDataset } from './host/ingestPage.ts';
import { landingPageLink, stopLocalDeployment } from './host/localDeployment.ts';
import { repository } from './host/paths.ts';
import { createProfile, linkExtension, type Profile } from './host/profile.ts';
import { startVscodeServer } from './host/server.ts';
import { openWorkbench } from './host/workbench.ts';
import { loadSampleData, welcomeFile } from './start/window.ts';

const folder = resolve(process.argv[2] ?? join(repository, 'media'));

/** An event of a shop, with nested fields. */
const order = (n: number, time: number) => ({
  _time: new Date(time).toISOString(),
  order: { id: 48_000 + n, total: ((n * 37) % 900) / 10 + 5 },
  customer: `c-${(n * 7) % 113}`,
  country: ['PT', 'FR', 'DE', 'JP', 'BR'][n % 5],
});
const orders = Array.from({ length: 1_200 }, (_, n) => order(n, Date.now() - n * 2_500));

const slowest = `// Slow requests
['sample-http-logs']
| where req_duration_ms > 300
| project _time, method, uri, status, req_duration_ms, ['geo.city']
`;
const overTime = `// Requests by status over time
['sample-http-logs']
| extend class = strcat(tostring(status / 100), "xx")
| summarize requests = count() by bin_auto(_time), class
`;
const arriving = `// Orders above 20, as they arrive
['orders']
| where ['order.total'] > 20
| project _time, ['order.id'], ['order.total'], customer, country
| take 20
`;
const outage = [
  {
    kind: 'markdown',
    source: ['## Outage of the checkout', '', 'Which requests failed, and since when?'],
  },
  {
    kind: 'apl',
    source: [
      "let failed = ['sample-http-logs'] | where status >= 500;",
      'failed | summarize failures = count() by uri, host | top 4 by failures',
    ],
  },
  {
    kind: 'apl',
    source: ['failed | summarize failures = count() by bin_auto(_time), status'],
  },
];
const files = {
  'orders.ndjson': orders.map((event) => `${JSON.stringify(event)}\n`).join(''),
  'slow requests.apl': slowest,
  'over time.apl': overTime,
  'arriving.apl': arriving,
  'outage.aplnb': `${JSON.stringify({ version: 1, cells: outage }, null, 2)}\n`,
};

const stops: (() => Promise<unknown>)[] = [];
try {
  await ensureBuilt();
  const profile = await createProfile();
  stops.push(profile.remove, () => stopLocalDeployment(profile));
  await linkExtension(profile);
  const workspace = join(profile.root, 'shop');
  await mkdir(workspace);
  for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
  const server = await startVscodeServer(profile);
  stops.push(server.stop);
  const browser = await launchBrowser();
  stops.push(() => browser.close());
  const size = { width: 1_200, height: 720 };
  const { page } = await openWorkbench(browser, server, { folder: workspace, size });
  await loadSampleData(page);
  await chooseTheme(page, 'Dark Modern');
  await page.setViewportSize({ width: 1_280, height: 880 });
  await takeResults(page);
  await page.setViewportSize(size);
  await takeIngest(page);
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await takeFilter(page);
  await takeChart(page);
  await takeTail(page, profile);
  await page.setViewportSize({ width: 1_200, height: 1_020 });
  await takeNotebook(page);
  await runCommand(page, 'View: Close All Editors');
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await page.setViewportSize(size);
  await takeCompletion(page);
  await takeDiagnostic(page);
  await takeLandingPage(browser, profile);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const stop of stops.reverse()) await stop();
}

/** The whole window, or the editor alone, which is where the eye is to go. */
async function take(page: Page, name: string, part: 'window' | 'editor' = 'window') {
  const clip = { x: 350, y: 30, width: 850, height: 270 };
  const path = join(folder, `${name}.png`);
  await page.screenshot(part === 'editor' ? { path, clip } : { path });
}

async function takeResults(page: Page): Promise<void> {
  await runCommand(page, 'APL: Focus on Datasets View');
  await page.locator('.monaco-list-row', { hasText: 'sample-http-logs' }).first().click();
  await focusEditor(page, welcomeFile);
  await goToText(page, 'summarize');
  await page.keyboard.press('Shift+Enter');
  await readResults(page);
  // The summaries below the headers come after the rows.
  await page.waitForTimeout(1_000);
  await take(page, 'screenshot');
}

/** A file of the explorer as it will be stored. */
async function takeIngest(page: Page): Promise<void> {
  await runCommand(page, 'View: Hide Panel');
  await page.keyboard.press('ControlOrMeta+Shift+E');
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'orders' });
  await chooseInMenu(page, row, 'Ingest Files');
  const frame = await ingestPage(page, /orders/);
  await setDataset(frame, 'orders');
  await page.mouse.move(600, 300);
  await page.waitForTimeout(500);
  await take(page, 'ingest');
  await ingest(frame);
  await runCommand(page, 'View: Close Editor');
}

/** The fields of the stage, after a few letters. */
async function takeCompletion(page: Page): Promise<void> {
  await newQuery(page, 'Untitled-1');
  // Room for the signature above the line.
  for (let line = 0; line < 4; line++) await page.keyboard.press('Enter');
  await page.keyboard.insertText("['orders']");
  await typeStage(page, "where country == 'PT'");
  await typeStage(page, 'summarize sum(ord');
  await page.locator('.suggest-widget.visible .monaco-list-row').first().waitFor();
  await page.waitForTimeout(1_000);
  await take(page, 'completion', 'editor');
  await page.keyboard.press('Escape');
}

/** A mistake and the fix that is offered for it. */
async function takeDiagnostic(page: Page): Promise<void> {
  await newQuery(page, 'Untitled-2');
  await page.keyboard.insertText("['orders']");
  await typeStage(page, "where contry == 'PT'");
  await page.keyboard.press('Escape');
  await typeStage(page, 'summarize count() by customer');
  await page.keyboard.press('Escape');
  await page.locator('.squiggly-error').first().waitFor();
  await goToText(page, 'contry');
  await page.keyboard.press('Home');
  for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget').first().waitFor();
  await page.waitForTimeout(500);
  await take(page, 'diagnostic', 'editor');
}

/** A line that begins with the pipe that a new line brings. */
async function typeStage(page: Page, text: string): Promise<void> {
  // VS Code adds the pipe once it has tokenized what was inserted.
  await page.waitForTimeout(1_000);
  await page.keyboard.press('Enter');
  await page.keyboard.type(text, { delay: 60 });
}

async function newQuery(page: Page, name: string): Promise<void> {
  await runCommand(page, 'APL: New Query');
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
}

/** A filter that was added from a cell, with the row next to it. */
async function takeFilter(page: Page): Promise<void> {
  await runFile(page, 'slow requests.apl');
  await readResults(page, ({ columns }) => columns.includes('req_duration_ms'));
  await raisePanel(page, 250);
  const frame = await frameWith(page, '.slick-cell');
  const cell = frame.locator('.slick-cell', { hasText: 'Berlin' }).first();
  await chooseInMenu(page, cell, 'Add as Filter to Query');
  await page.locator('.view-line', { hasText: 'Berlin' }).first().waitFor();
  // The button that undoes the filter comes with the filtered rows.
  await frame.locator('.back').waitFor();
  await frame
    .locator('.slick-cell', { hasText: /^50\d$/ })
    .first()
    .click();
  await page.keyboard.press('Space');
  await frame.locator('.detail .line').first().waitFor();
  await page.waitForTimeout(1_000);
  await take(page, 'results');
}

/** A summary over time, with the values at the pointer. */
async function takeChart(page: Page): Promise<void> {
  await runFile(page, 'over time.apl');
  const frame = await frameWith(page, '#content:not(.dimmed) .plot canvas');
  await page.waitForTimeout(1_500);
  const box = await frame.locator('.plot').boundingBox();
  if (box === null) throw new Error('The chart is not in view.');
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.1, { steps: 4 });
  await page.waitForTimeout(1_000);
  await take(page, 'charts');
}

/** A query that is followed while orders arrive. */
async function takeTail(page: Page, profile: Profile): Promise<void> {
  await openFile(page, 'arriving.apl');
  await goToText(page, 'take 20');
  await runCommand(page, 'APL: Follow (Live Tail)');
  await frameWith(page, '.follow-bar[data-state="following"]');
  for (let second = 0; second < 8; second++) {
    const events = Array.from({ length: 3 }, (_, n) =>
      order(1_200 + second * 3 + n, Date.now() - (3 - n) * 250),
    );
    await sendToLocal(profile, '/v1/ingest/orders', events);
    await page.waitForTimeout(1_000);
  }
  await readResults(page, ({ status }) => status.some((part) => /^[12]\d new events$/.test(part)));
  await page.mouse.move(600, 60);
  await take(page, 'tail');
  await runCommand(page, 'APL: Stop Following');
}

async function sendToLocal(profile: Profile, path: string, events: unknown): Promise<void> {
  const storage = join(profile.userDataDirectory, 'User', 'globalStorage', 'aplomb.aplomb');
  const lock = await readLock(join(storage, 'local'));
  if (lock === undefined) throw new Error('The local deployment does not run.');
  const response = await requestProven(lock, 'POST', path, JSON.stringify(events));
  response.resume();
  if (response.statusCode !== 200) throw new Error(`${path}: status ${response.statusCode}`);
}

/** A notebook after all its cells have run. */
async function takeNotebook(page: Page): Promise<void> {
  await runCommand(page, 'View: Hide Panel');
  await openNotebook(page, 'outage.aplnb');
  await frameWith(page, '.aplomb-output .plot canvas');
  await frameWith(page, '.aplomb-output .slick-row');
  await page.mouse.move(600, 15);
  await page.waitForTimeout(2_000);
  await take(page, 'notebook');
}

/** Opens a notebook and runs its cells. */
async function openNotebook(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+p');
  await page.locator('.quick-input-widget input[type=text]').fill(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  const runAll = page.locator('.notebook-toolbar-container a', { hasText: 'Run All' });
  await runAll.waitFor();
  await page.locator('.notebook-editor .view-line', { hasText: 'summarize' }).first().waitFor();
  await runAll.click();
}

/** Opens a file with one query and runs the query. */
async function runFile(page: Page, name: string): Promise<void> {
  await openFile(page, name);
  await goToText(page, 'sample-http-logs');
  await page.keyboard.press('Shift+Enter');
}

/** Gives the panel the window from this height on. */
async function raisePanel(page: Page, top: number): Promise<void> {
  const box = await page.locator('.part.panel').boundingBox();
  if (box === null) throw new Error('The panel is closed.');
  await page.mouse.move(box.x + box.width / 2, box.y - 2);
  await page.waitForTimeout(500);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, top, { steps: 8 });
  await page.mouse.up();
}

/** Waits for a frame in view that has an element. */
async function frameWith(page: Page, selector: string): Promise<Frame> {
  for (const end = Date.now() + 60_000; Date.now() < end; await page.waitForTimeout(100)) {
    for (const frame of page.frames()) {
      const found = await frame
        .evaluate((text) => innerWidth > 0 && document.querySelector(text) !== null, selector)
        .catch(() => false);
      if (found) return frame;
    }
  }
  throw new Error(`No page of the window has ${selector}.`);
}

/** The page of the deployment that the sample data is in, with a summary of it. */
async function takeLandingPage(browser: Browser, profile: Profile): Promise<void> {
  const link = await landingPageLink(profile);
  if (link === undefined) throw new Error('The local deployment does not run.');
  const viewport = { width: 1_000, height: 795 };
  const page = await browser.newPage({ viewport, colorScheme: 'dark' });
  await page.goto(link);
  await page.waitForSelector('#datasets tbody tr');
  await page
    .getByLabel('APL query')
    .fill(
      "['sample-http-logs']\n| where status >= 500\n| summarize requests = count(), slowest = max(req_duration_ms) by status, method\n| top 5 by requests",
    );
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('.results tbody tr');
  await page.screenshot({ path: join(folder, 'landing.png') });
  await page.close();
}
