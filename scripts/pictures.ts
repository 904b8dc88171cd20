// `node scripts/pictures.ts [FOLDER]`: takes the pictures of the README in a fresh VS Code, by keyboard and mouse
// as a person would, and writes them to `media/` or to the folder.

import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './host/browser.ts';
import { ensureBuilt } from './host/build.ts';
import {
  chooseInMenu,
  chooseTheme,
  focusEditor,
  goToText,
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

/** Events of a shop, with nested fields. */
const orders = Array.from({ length: 1_200 }, (_, n) => ({
  _time: new Date(Date.now() - n * 2_500).toISOString(),
  order: { id: 48_000 + n, total: ((n * 37) % 900) / 10 + 5 },
  customer: `c-${(n * 7) % 113}`,
  country: ['PT', 'FR', 'DE', 'JP', 'BR'][n % 5],
}));

const stops: (() => Promise<unknown>)[] = [];
try {
  await ensureBuilt();
  const profile = await createProfile();
  stops.push(profile.remove, () => stopLocalDeployment(profile));
  await linkExtension(profile);
  const workspace = join(profile.root, 'shop');
  await mkdir(workspace);
  await writeFile(
    join(workspace, 'orders.ndjson'),
    orders.map((order) => `${JSON.stringify(order)}\n`).join(''),
  );
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
