// What a person does in the first hour, by mouse and keyboard in a window that shows notifications. The
// tests share one start of VS Code and the deployment's data, so each builds on those before it.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import {
  answerDialog,
  chooseInMenu,
  clickInResults,
  clickNotification,
  fillInput,
  focusTab,
  readNotification,
  readResults,
  recordNotifications,
  reloadWindow,
  runCommand,
  treeRow,
} from '../../scripts/host/driver.ts';
import {
  ingest,
  ingestButton,
  ingestPage,
  ingestReport,
  readReport,
  setDataset,
} from '../../scripts/host/ingestPage.ts';
import { distDirectory } from '../../scripts/host/paths.ts';
import { stopProcess } from '../../scripts/host/processes.ts';
import type { Profile } from '../../scripts/host/profile.ts';
import { chooseBundledSamples } from '../../scripts/start/window.ts';
import { type OpenedWindow, openWindow } from './openWindow.ts';

const waitMs = 30_000;

/** Events of 2015 in the form of a file. */
const oldEvents = ['2015-01-01T08:00:00Z', '2015-06-15T12:00:00Z', '2015-12-31T20:00:00Z']
  .map((_time, n) => `${JSON.stringify({ _time, n })}\n`)
  .join('');

/** Lines of which the first is not an event. */
const badEvents = '{"n":\n{"n":2}\n{"n":3}\n';

/** Lines of which the second has a time that is none. */
const partlyBadEvents = '{"n":1}\n{"_time":"yesterday","n":2}\n{"n":3}\n';

/** So many events that ingesting them takes a while. */
const manyEvents = () =>
  Array.from({ length: 400_000 }, (_, n) => `{"n":${n},"text":"${'x'.repeat(120)}"}\n`).join('');

const monitor = {
  name: 'Errors / 5xx: too many?',
  type: 'Threshold',
  aplQuery: "['sample-http-logs'] | count",
  operator: 'Above',
  threshold: 10,
  intervalMinutes: 5,
  rangeMinutes: 5,
};

describe('the first hour', { timeout: 600_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;
  let profile: Profile;

  before(async () => {
    opened = await openWindow({
      'old.ndjson': oldEvents,
      'bad.ndjson': badEvents,
      'partly.ndjson': partlyBadEvents,
      'many.ndjson': manyEvents(),
    });
    ({ page, profile } = opened);
  });

  afterEach(async (context) => {
    const { name = '', error } = context as { name?: string; error?: unknown };
    const folder = process.env.APLOMB_PICTURES ?? (error ? join(distDirectory, 'test') : undefined);
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `first-hour-${name.replaceAll(/\W+/g, '-')}.png`) });
  });

  after(() => opened.close());

  /** Sends a request to the local deployment of the window, past the extension. */
  async function askLocal(method: string, path: string, body?: unknown): Promise<unknown> {
    const storage = join(profile.userDataDirectory, 'User', 'globalStorage', 'aplomb.aplomb');
    const lock = JSON.parse(await readFile(join(storage, 'local', 'deployment.json'), 'utf8'));
    const answer = await fetch(`${lock.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${lock.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  const datasets = async () =>
    (await askLocal('GET', '/v2/datasets')) as { name: string; created: string }[];
  const datasetNames = async () => (await datasets()).map(({ name }) => name);

  /** The number of events of a dataset, by a query past the extension. */
  async function countOf(dataset: string): Promise<number> {
    const answer = (await askLocal('POST', '/v1/datasets/_apl?format=tabular', {
      apl: `['${dataset}'] | count`,
      startTime: '2000-01-01T00:00:00Z',
      endTime: 'now',
    })) as { tables: { columns: number[][] }[] };
    return answer.tables[0]?.columns[0]?.[0] as number;
  }

  it('starts with a walkthrough whose first step loads the sample data and shows progress', async () => {
    const messages = await recordNotifications(page);
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'with APL' }).click();
    const step = (title: string) => page.locator('.getting-started-step', { hasText: title });
    for (const title of [
      'Load sample data',
      'Run a query',
      'Ingest a file of your own',
      'Connect to a hosted deployment',
    ]) {
      await step(title).first().waitFor();
    }
    await step('Load sample data').first().click();
    await page.locator('.monaco-button', { hasText: 'Load Sample Data' }).first().click();
    await focusTab(page, 'welcome.apl');
    const seen = await messages();
    assert.ok(seen.includes('Loading sample data: sample-http-logs'), JSON.stringify(seen));
    assert.deepEqual(
      seen.filter((message) => !message.startsWith('Loading sample data')),
      [],
    );
  });

  it('opens the sample queries with the cursor in the first, which Shift+Enter runs', async () => {
    await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
    await page.keyboard.press('Shift+Enter');
    const { columns } = await readResults(page);
    assert.deepEqual(columns.slice(0, 2), ['method', 'host']);
  });

  it('asks what to do with sample data that is loaded already, and never doubles it', async () => {
    const loaded = await countOf('sample-http-logs');
    assert.ok(loaded > 0);
    const load = async (answer: string) => {
      await chooseBundledSamples(page);
      await answerDialog(page, /The sample data is already loaded/, answer);
    };
    const before = await datasets();
    await load('Keep');
    await runCommand(page, 'APL: Refresh Schema');
    assert.deepEqual(await datasets(), before);
    assert.equal(await countOf('sample-http-logs'), loaded);
    await load('Replace');
    await until('New datasets of all samples', async () => {
      const now = await datasets();
      const known = before.map(({ created }) => created);
      return now.length === 3 && now.every(({ created }) => !known.includes(created));
    });
    const progress = page.locator('.notification-toast', { hasText: 'Loading sample data' });
    await until('The end of the progress', async () => (await progress.count()) === 0);
    assert.equal(await countOf('sample-http-logs'), loaded);
  });

  it('shows how many events a dataset has, and from when to when', async () => {
    await runCommand(page, 'APL: Focus on Datasets View');
    const row = await treeRow(page, 'Datasets', /sample-http-logs[\s\S]*events · /);
    const count = (await countOf('sample-http-logs')).toLocaleString('en-US');
    assert.match(await row.innerText(), /[\d.,]+[KM]? events · \d{4}-\d{2}-\d{2}/);
    // The label has the tooltip, which is exact.
    const label = (await row.getAttribute('aria-label')) ?? '';
    assert.match(label, new RegExp(`${count} events from \\d{4}-\\d{2}-\\d{2}`));
  });

  it('creates a dataset, and deletes it after its name was typed', async () => {
    await runCommand(page, 'APL: New Dataset');
    await fillInput(page, 'New Dataset', 'scratch');
    const row = await treeRow(page, 'Datasets', /scratch[\s\S]*no events/);
    await chooseInMenu(page, row, 'Delete Dataset');
    await fillInput(page, "Delete 'scratch'", 'scratc');
    await page.locator('.quick-input-message', { hasText: 'The name does not match' }).waitFor();
    assert.ok((await datasetNames()).includes('scratch'));
    await fillInput(page, "Delete 'scratch'", 'scratch');
    await row.waitFor({ state: 'detached' });
    assert.ok(!(await datasetNames()).includes('scratch'));
  });

  it('creates no dataset when the first ingest into it stops at once', async () => {
    const frame = await previewFromExplorer(page, 'bad.ndjson', 'bad-events');
    await frame.getByLabel('Broken lines').selectOption('stop');
    const { headline, counts } = await ingest(frame);
    assert.equal(headline, 'bad.ndjson was not ingested.');
    assert.equal(counts.Stored, '0');
    assert.equal(await ingestButton(frame, 'Query What Arrived').count(), 0);
    assert.ok(!(await datasetNames()).includes('bad-events'));
    await ingestButton(frame, 'Close').click();
  });

  it('lists the events of a file that are not stored, with line and reason', async () => {
    const frame = await previewFromExplorer(page, 'partly.ndjson', 'partly-events');
    const { headline, counts } = await ingest(frame);
    assert.match(
      headline,
      /Ingested 2 events from partly\.ndjson into 'partly-events'; 1 event was/,
    );
    assert.deepEqual([counts.Stored, counts.Failed], ['2', '1']);
    assert.match((await frame.textContent('.report .broken')) ?? '', /^Line 2.*yesterday/);
    await ingestButton(frame, 'Close').click();
  });

  it('shows the progress of an ingest whose page was closed, and stops it where Cancel is clicked', async () => {
    const frame = await previewFromExplorer(page, 'many.ndjson', 'many-events');
    await ingestButton(frame, 'Ingest').click();
    // So that it does not end before somebody can look at it.
    await ingestButton(frame, 'Pause').click();
    await frame.getByText('Paused: many.ndjson').waitFor();
    await runCommand(page, 'View: Close Editor');
    const progress =
      /Ingesting into 'many-events': many\.ndjson, [\d.]+ [kM]?B of [\d.]+ MB, [\d,]+ events, paused/;
    const shown = await readNotification(page, progress);
    assert.equal(shown.progress, true);
    await clickNotification(page, progress, 'Cancel');
    const cancelled = /Cancelled\. ([\d,]+) events of many\.ndjson were stored in 'many-events'/;
    const { message, buttons } = await readNotification(page, cancelled);
    // It may have been paused before the first event was stored.
    const nothing = cancelled.exec(message)?.[1] === '0';
    assert.deepEqual(buttons, ['Show Report', ...(nothing ? [] : ['Query What Arrived'])]);
    await clickNotification(page, cancelled, 'Show Report');
    const report = await ingestReport(page, cancelled);
    const { counts } = await readReport(report);
    const number = (text = '0') => Number(text.replaceAll(',', ''));
    assert.equal(number(cancelled.exec(message)?.[1]), number(counts.Stored));
    // It may have been cancelled before the dataset was created.
    const isThere = (await datasetNames()).includes('many-events');
    const stored = isThere ? await countOf('many-events') : 0;
    // The service may have stored the requests that were under way; the report counts their events.
    const most = number(counts.Stored) + number(counts['In doubt']);
    assert.ok(number(counts.Stored) <= stored && stored <= most, JSON.stringify([stored, counts]));
    await ingestButton(report, 'Close').click();
  });

  it('ingests a file, says that its times are elsewhere, and queries what arrived', async () => {
    const frame = await previewFromExplorer(page, 'old.ndjson', 'old-events');
    assert.match(
      (await frame.textContent('.outside')) ?? '',
      /These times are outside of the current time range, last 1 hour/,
    );
    const { headline, counts } = await ingest(frame);
    assert.equal(headline, "Ingested 3 events from old.ndjson into 'old-events'.");
    assert.equal(counts.Times, '2015-01-01 to 2015-12-31');
    await ingestButton(frame, 'Query What Arrived').click();
    await readResults(page, ({ title, rows }) => title.includes('old-events') && rows.length === 3);
    await page.locator('.statusbar-item', { hasText: '2015-01-01 to 2015-12-31' }).waitFor();
  });

  it('takes a time range that is typed and accepted at once, whatever the list still shows', async () => {
    await runCommand(page, 'APL: Set Time Range');
    await page.locator('.quick-input-widget input[placeholder^="Current: "]').waitFor();
    await page.keyboard.type('yesterday');
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: 'Yesterday' }).waitFor();
  });

  it('says so as well where a query counts what it does not find', async () => {
    await runCommand(page, 'APL: Set Time Range');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'last 1 hour' }).click();
    await runCommand(page, 'Create: New File...');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'New APL Query' }).click();
    await focusTab(page, 'Untitled-2');
    await page.keyboard.insertText("['old-events'] | count");
    await page.keyboard.press('Shift+Enter');
    const shown = await readResults(page, ({ hint }) => hint !== '');
    assert.deepEqual(shown.rows, [['0']]);
    assert.match(shown.hint, /old-events has no events in this time range/);
    await clickInResults(page, 'Query 2015-01-01 to 2015-12-31');
    await readResults(page, ({ rows }) => rows[0]?.[0] === '3');
  });

  it('says so where there is nothing to run', async () => {
    await runCommand(page, 'APL: New Query');
    await focusTab(page, 'Untitled-3');
    await page.keyboard.press('Shift+Enter');
    await readNotification(page, /No query at the cursor/);
    await runCommand(page, 'View: Close Editor');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('queries datasets in one untitled document, and runs what it opens', async () => {
    const untitled = () => page.locator('.tab', { hasText: 'Untitled' }).count();
    const before = await untitled();
    await runCommand(page, 'APL: Focus on Datasets View');
    for (const name of ['old-events', 'sample-traces', 'old-events']) {
      await chooseInMenu(page, await treeRow(page, 'Datasets', name), 'Query Dataset');
      await readResults(page, ({ title }) => title.includes(name));
    }
    assert.equal(await untitled(), before + 1);
  });

  it('lists the queries that were run, and shows the result of one again', async () => {
    await runCommand(page, 'APL Results: Focus on History View');
    const latest = await treeRow(page, 'History', /old-events[\s\S]*3 rows · /);
    const older = await treeRow(page, 'History', 'sample-traces');
    await older.click();
    await readResults(page, ({ title }) => title.includes('sample-traces'));
    await latest.click();
    await readResults(page, ({ title }) => title.includes('old-events'));
    await chooseInMenu(page, older, 'Remove from History');
    await older.waitFor({ state: 'detached' });
  });

  it('asks before a query without a limit reads a long time range, with the figures', async () => {
    const question =
      /no limit and no aggregate[\s\S]*2015-01-01 to 2015-12-31[\s\S]*old-events has 3 events/;
    const newQuery = async (name: string, text: string): Promise<void> => {
      await runCommand(page, 'APL: New Query');
      await focusTab(page, name);
      await page.keyboard.insertText(text);
    };
    await runCommand(page, 'APL: Focus on Datasets View');
    await treeRow(page, 'Datasets', /old-events[\s\S]*3 events · /);
    await newQuery('Untitled-5', "['old-events'] | where n >= 0");
    await runCommand(page, 'APL: Set Time Range');
    await page.locator('.quick-input-widget input[placeholder^="Current: "]').waitFor();
    await page.keyboard.type('2015-01-01 to 2015-12-31');
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: '2015-01-01 to 2015-12-31' }).waitFor();
    await focusTab(page, 'Untitled-5');
    await page.keyboard.press('Shift+Enter');
    await answerDialog(page, question, 'Cancel');
    await page.keyboard.press('Shift+Enter');
    await answerDialog(page, question, 'Add Limit');
    await readResults(page, ({ rows, title }) => rows.length === 3 && title.includes('>= 0'));
    await page.locator('.view-line', { hasText: '| limit 1000' }).waitFor();
    await newQuery('Untitled-6', "['old-events'] | extend more = n");
    await page.keyboard.press('Shift+Enter');
    await answerDialog(page, question, 'Run Anyway');
    await readResults(page, ({ columns }) => columns.includes('more'));
    await page.keyboard.press('Shift+Enter');
    await answerDialog(page, question, "Don't Ask Again for This File");
    await focusTab(page, 'Untitled-6');
    await page.keyboard.insertText(' | extend others = n');
    await page.locator('.view-line', { hasText: 'others = n' }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await readResults(page, ({ columns }) => columns.includes('others'));
  });

  it('saves a query on the deployment, and opens it again', async () => {
    await runCommand(page, 'APL: New Query');
    await focusTab(page, 'Untitled-7');
    await page.keyboard.insertText("['old-events'] | summarize max(n)");
    await runCommand(page, 'APL: Save Query');
    await fillInput(page, 'Save Query on Local', 'Largest of the old');
    const box = page.locator('.quick-input-widget', { hasText: 'Save Query on Local' });
    await box.waitFor({ state: 'hidden' });
    await runCommand(page, 'APL Results: Focus on History View');
    await page.keyboard.press('Home');
    await (await treeRow(page, 'History', 'Saved Queries')).click();
    const saved = await treeRow(page, 'History', 'Largest of the old');
    await saved.click();
    const line = page.locator('.editor-group-container.active .view-line');
    await line.filter({ hasText: 'Largest of the old' }).waitFor();
    await chooseInMenu(page, saved, 'Delete…');
    await answerDialog(page, /Delete the saved query 'Largest of the old/, 'Delete');
    await saved.waitFor({ state: 'detached' });
  });

  it('runs the last query again after the window was reloaded', async () => {
    await reloadWindow(page);
    await page.locator('.tab', { hasText: 'Untitled-6' }).waitFor({ timeout: waitMs });
    await runCommand(page, 'APL: Run Last Query');
    const { columns, rows } = await readResults(page, (shown) => shown.columns.includes('others'));
    assert.deepEqual([columns.includes('more'), rows.length], [true, 3]);
  });

  it('opens a monitor under its own name', async () => {
    await askLocal('POST', '/v2/monitors', monitor);
    await runCommand(page, 'APL: Focus on Monitors View');
    await page.locator('.pane-header[aria-label^="Monitors"]').hover();
    await page.locator('.action-label[aria-label="Refresh Monitors"]:visible').click();
    await (await treeRow(page, 'Monitors', monitor.name)).click();
    const tab = page.locator('.tab.active', { hasText: '5xx: too many?.json' });
    await tab.waitFor();
    assert.equal(
      (await tab.innerText()).replaceAll('\n', '').trim(),
      'Errors ∕ 5xx: too many?.json',
    );

    const [{ id }] = (await askLocal('GET', '/v2/monitors')) as [{ id: string }];
    await askLocal('DELETE', `/v2/monitors/${id}`);
    await (await treeRow(page, 'Monitors', monitor.name)).click();
    await readNotification(page, /Cannot open the monitor 'Errors \/ 5xx: too many\?'/);
    await runCommand(page, 'Notifications: Clear All Notifications');
    await askLocal('POST', '/v2/monitors', monitor);
  });

  it('generates sample data with four Enters, and runs the query that shows it', async () => {
    await runCommand(page, 'APL: Load Sample Data…');
    for (const step of [1, 2, 3, 4]) {
      const widget = page.locator('.quick-input-widget', { hasText: `(${step} of 4)` });
      await widget.waitFor();
      await page.keyboard.press('Enter');
      await widget.waitFor({ state: 'hidden' });
    }
    await clickNotification(page, /100,000 events were stored/, 'Run Query');
    // It begins as a chart; the status line tells of all events.
    await readResults(page, ({ status }) => status.some((part) => part.startsWith('100,000 ')));
  });

  it('leaves nothing in any tree when the local data is deleted', async () => {
    await runCommand(page, 'APL: Delete Local Data');
    await answerDialog(page, /Delete all datasets/, 'Delete All Local Data');
    await page.locator('.pane-body', { hasText: 'No datasets yet' }).waitFor();
    await page.locator('.pane-body', { hasText: 'This deployment has no monitors' }).waitFor();
    assert.equal(await page.locator('.sidebar .pane-body .monaco-list-row').count(), 0);
  });

  it('tests the token of a deployment that is added, and says what it can do', async () => {
    const other = await startOther(profile);
    opened.stops.push(() => stopProcess(other.process));
    await other.post('/v2/datasets', { name: 'shipments' });
    await other.post('/v2/monitors', { ...monitor, name: 'Late shipments' });
    const add = async (name: string, token: string) => {
      await runCommand(page, 'APL: Add Deployment');
      await fillInput(page, 'Add Deployment: Region', 'Other address');
      await fillInput(page, 'URL of the API', other.url);
      await fillInput(page, 'URL of the edge deployment', other.url);
      await fillInput(page, 'Add Deployment: Name', name);
      await fillInput(page, 'Add Deployment: Production', 'No');
      await fillInput(page, 'Add Deployment: Token', token);
    };
    await add('Wrong', `${other.token}x`);
    await answerDialog(page, /The token is not [\s\S]*test of Wrong,/, 'Add Anyway');
    assert.equal((await readNotification(page, /Wrong was added/)).message, 'Wrong was added.');
    await runCommand(page, 'Notifications: Clear All Notifications');
    await add('Second', other.token);
    const { message, buttons } = await readNotification(page, /Second was added/);
    assert.equal(message, 'Second was added. The API token can list datasets, query and ingest.');
    assert.deepEqual(buttons, ['Show Details']);
    await treeRow(page, 'Datasets', 'shipments');
    await treeRow(page, 'Monitors', 'Late shipments');

    // What is marked as production is written to after a confirmation.
    const choose = (text: string) =>
      page.locator('.quick-input-list .monaco-list-row', { hasText: text }).click();
    await runCommand(page, 'APL: Edit Deployment');
    await choose('Second');
    await choose('Mark as Production');
    await page.locator('.statusbar-item.warning-kind', { hasText: 'Second' }).waitFor();
    const frame = await previewFromExplorer(page, 'old.ndjson', 'shipments');
    await frame.getByText('Existing dataset on Second').waitFor();
    await frame.getByText('Production', { exact: true }).waitFor();
    await ingestButton(frame, 'Ingest').click();
    await answerDialog(page, /Ingest into 'shipments' on Second\?/, 'Cancel');
    await ingestButton(frame, 'Ingest').click();
    await answerDialog(page, /marked as production[\s\S]*existing dataset 'shipments'/, 'Ingest');
    assert.equal((await readReport(frame)).counts.Stored, '3');
    await ingestButton(frame, 'Close').click();

    await runCommand(page, 'APL: Focus on Datasets View');
    await runCommand(page, 'APL: Change Token');
    await fillInput(page, 'Token for Second', `${other.token}x`);
    await page
      .locator('.pane-body', { hasText: 'The token is invalid, expired or revoked' })
      .first()
      .waitFor();
    await runCommand(page, 'APL: Change Token');
    await fillInput(page, 'Token for Second', other.token);
    await treeRow(page, 'Datasets', 'shipments');

    // An unreachable deployment leaves nothing in any tree but its datasets, with the time that they are of.
    await stopProcess(other.process);
    await runCommand(page, 'APL: Refresh Schema');
    await page.locator('.pane-body', { hasText: 'The deployment cannot be reached' }).waitFor();
    await page
      .locator('.pane-body', { hasText: /Second cannot be reached\. Datasets as of/ })
      .waitFor();
    const rows = page.locator('.sidebar .pane-body .monaco-list-row');
    await until('The datasets alone', async () => (await rows.count()) === 1);
    assert.match((await rows.textContent()) ?? '', /^shipments/);
  });

  it('reports an invalid deployment of the settings, and opens the settings', async () => {
    await runCommand(page, 'Preferences: Open User Settings (JSON)');
    // VS Code may show the settings over the editors, without a tab.
    await page.locator('.monaco-editor.focused .view-line', { hasText: 'deployments' }).waitFor();
    const file = join(profile.userDataDirectory, 'User', 'settings.json');
    const settings = JSON.parse(await readFile(file, 'utf8'));
    settings['aplomb.deployments'].push({ name: 'Plain', url: 'http://example.com' });
    await page.keyboard.press('ControlOrMeta+A');
    // Typed brackets would be closed by the editor.
    await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(settings));
    await page.keyboard.press('ControlOrMeta+V');
    await page.keyboard.press('ControlOrMeta+S');
    const { message, buttons } = await readNotification(page, /aplomb\.deployments, entry 3/);
    assert.match(message, /must start with https/);
    assert.deepEqual(buttons, ['Open Settings']);
    await clickNotification(page, /aplomb\.deployments, entry 3/, 'Open Settings');
    await page.locator('.settings-editor').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('confirms a sign-out', async () => {
    await runCommand(page, 'APL: Sign Out of Deployment');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Second' }).click();
    await readNotification(page, /Signed out of Second/);
  });
});

/** Chooses Ingest Files in the menu of a file, and names the dataset on the page. */
async function previewFromExplorer(page: Page, file: string, dataset: string): Promise<Frame> {
  await page.keyboard.press('ControlOrMeta+Shift+E');
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: file });
  await chooseInMenu(page, row, 'Ingest Files');
  const frame = await ingestPage(page, file);
  await setDataset(frame, dataset);
  return frame;
}

interface Other {
  readonly process: ChildProcess;
  readonly url: string;
  readonly token: string;
  post(path: string, body: unknown): Promise<void>;
}

/** Starts a deployment that the extension does not know. */
async function startOther(profile: Profile): Promise<Other> {
  const bundle = join(distDirectory, 'local.cjs');
  const args = [bundle, '--data', join(profile.root, 'other'), '--port', '0'];
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: started.stdout }), 'line');
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    process: started,
    url,
    token,
    post: async (path, body) => {
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await fetch(`${url}${path}`, sent);
      assert.equal(answer.status, 200, await answer.text());
    },
  };
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `${what} did not come within ${waitMs / 1000} seconds.`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
