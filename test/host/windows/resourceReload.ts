// A document of a resource with changes, over a reload of the window: the changes are there again, and their save
// notices what somebody else changed meanwhile. The secrets of a notifier are in nothing that is kept on disk.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openFile, reloadWindow, runCommand, treeRow } from '../../../scripts/host/driver.ts';
import { distDirectory } from '../../../scripts/host/paths.ts';
import { writeSettings } from '../../../scripts/host/profile.ts';
import { type OpenedWindow, openWindow } from '../openWindow.ts';

const SECRET = 'T0P-5ECRET-0F-A-WEBH00K';

describe('a changed document of a resource', { timeout: 600_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;
  let storage: string;

  before(async () => {
    const files = { 'query.apl': "['orders']\n| count\n" };
    opened = await openWindow(files, { settings: { 'files.autoSave': 'off' } });
    page = opened.page;
    storage = join(opened.profile.userDataDirectory, 'User', 'globalStorage/aplomb.aplomb');
    // Starts the local deployment.
    await openFile(page, 'query.apl');
    await ask('POST', '/v2/datasets', { name: 'orders' });
  });

  afterEach(async (context) => {
    const { name = '', error } = context as { name?: string; error?: unknown };
    const folder = process.env.APLOMB_PICTURES ?? (error ? join(distDirectory, 'test') : undefined);
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `reload-${name.replaceAll(/\W+/g, '-')}.png`) });
  });

  after(() => opened?.close());

  /** Tries until it is there. */
  async function until<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
    for (const end = Date.now() + 60_000; Date.now() < end; ) {
      const found = await find().catch(() => undefined);
      if (found !== undefined) return found;
      await page.waitForTimeout(200);
    }
    throw new Error(`${what} did not come.`);
  }

  async function ask(method: string, path: string, body?: unknown) {
    const found = () => readFile(join(storage, 'local', 'deployment.json'), 'utf8');
    // It may have ended while a slow window was reloaded, and is started again by what needs it.
    if ((await found().catch(() => '')) === '') {
      await runCommand(page, 'APL: Focus on Datasets View');
      await page.keyboard.press('ControlOrMeta+Shift+e');
    }
    const { url, token } = await until('The deployment', async () => JSON.parse(await found()));
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${response.status} ${text}`);
    return JSON.parse(text);
  }

  async function openItem(view: string, name: string): Promise<void> {
    await runCommand(page, `Focus on ${view} View`);
    await runCommand(page, 'View: Close All Editors');
    await (await treeRow(page, view, name)).click();
    await page.locator('.tab.active', { hasText: `${name}.json` }).waitFor();
  }

  /** Replaces a text of the document in view once. */
  async function replace(from: string, to: string): Promise<void> {
    const editor = page.locator('.editor-group-container.active .monaco-editor').first();
    await editor.locator('.view-line').first().click();
    await page.keyboard.press('ControlOrMeta+f');
    const find = page.locator('.find-widget.visible textarea').first();
    await find.fill(from);
    await page.keyboard.press('Escape');
    await page.keyboard.insertText(to);
    await page.locator('.tab.active.dirty').waitFor();
  }

  async function reload(): Promise<void> {
    // What is restored has to work where no view of the extension is open.
    await page.keyboard.press('ControlOrMeta+Shift+e');
    // Changes are backed up a moment after they were made.
    await page.waitForTimeout(2_500);
    await reloadWindow(page);
  }

  it('is there again with its changes after the window is reloaded, and can be saved', async () => {
    const monitor = { name: 'errors', type: 'Threshold', aplQuery: "['orders'] | count" };
    const { id } = await ask('POST', '/v2/monitors', { ...monitor, threshold: 1111 });
    await openItem('Monitors', 'errors');
    await replace('1111', '2222');
    await reload();
    const tab = page.locator('.tab.active.dirty', { hasText: 'errors.json' });
    await tab.waitFor({ timeout: 60_000 });
    await page.locator('.view-line', { hasText: '2222' }).first().waitFor();
    assert.equal((await ask('GET', `/v2/monitors/${id}`)).threshold, 1111);
    await page.keyboard.press('ControlOrMeta+s');
    await page.locator('.tab.active:not(.dirty)', { hasText: 'errors.json' }).waitFor();
    assert.equal((await ask('GET', `/v2/monitors/${id}`)).threshold, 2222);
  });

  it('is merged with another member that somebody else changed while the window was closed', async () => {
    const [{ id, createdAt: _, createdBy: __, ...now }] = await ask('GET', '/v2/monitors');
    await openItem('Monitors', 'errors');
    await replace('2222', '3333');
    await reload();
    await page
      .locator('.tab.active.dirty', { hasText: 'errors.json' })
      .waitFor({ timeout: 60_000 });
    await ask('PUT', `/v2/monitors/${id}`, { ...now, description: 'by somebody else' });
    await page.locator('.view-line', { hasText: '3333' }).first().click();
    await page.keyboard.press('ControlOrMeta+s');
    const merged = await until('The merge', async () => {
      const found = await ask('GET', `/v2/monitors/${id}`);
      return found.threshold === 3333 ? found : undefined;
    });
    assert.equal(merged.description, 'by somebody else');
  });

  it('is not written by auto save when the window is restored', async () => {
    const [{ id }] = await ask('GET', '/v2/monitors');
    const { userDataDirectory } = opened.profile;
    await openItem('Monitors', 'errors');
    await replace('3333', '4444');
    const soon = { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 };
    await writeSettings(userDataDirectory, soon);
    await reload();
    const tab = page.locator('.tab.active.dirty', { hasText: 'errors.json' });
    await tab.waitFor();
    // Longer than the delay of auto save.
    await page.waitForTimeout(2_000);
    const failed = page.locator('.notification-list-item', { hasText: /Auto save|Failed to save/ });
    assert.equal(await failed.count(), 0);
    await tab.waitFor();
    assert.equal((await ask('GET', `/v2/monitors/${id}`)).threshold, 3333);
    await page.locator('.view-line', { hasText: '4444' }).first().click();
    await page.keyboard.press('ControlOrMeta+s');
    await tab.waitFor({ state: 'detached' });
    assert.equal(await failed.count(), 0);
    assert.equal((await ask('GET', `/v2/monitors/${id}`)).threshold, 4444);
    // The note appears once, at the next change.
    await replace('4444', '5555');
    await page
      .locator('.statusbar-item', { hasText: /Auto save does not write.*Press Ctrl\+S to save/ })
      .waitFor();
    assert.equal((await ask('GET', `/v2/monitors/${id}`)).threshold, 4444);
    await page.locator('.view-line', { hasText: '5555' }).first().click();
    await page.keyboard.press('ControlOrMeta+s');
    await tab.waitFor({ state: 'detached' });
    assert.equal((await ask('GET', `/v2/monitors/${id}`)).threshold, 5555);
    await writeSettings(userDataDirectory, { 'files.autoSave': 'off' });
  });

  it('as a page with a chart in colors is there again', async () => {
    await ask('POST', '/v1/ingest/orders', [{ region: 'eu' }, { region: 'us' }]);
    const apl = "['orders'] | summarize count() by bin(_time, 1m), region";
    const chart = { id: 'a', type: 'TimeSeries', name: 'By region', query: { apl } };
    const layout = [{ i: 'a', x: 0, y: 0, w: 12, h: 6 }];
    const dashboard = { name: 'Kept', owner: '', charts: [chart], layout, refreshTime: 60 };
    const window = { timeWindowStart: 'qr-now-1h', timeWindowEnd: 'qr-now', schemaVersion: 2 };
    await ask('POST', '/v2/dashboards', { dashboard: { ...dashboard, ...window } });
    await openItem('Dashboards', 'Kept');
    await page.locator('.editor-actions').getByRole('button', { name: 'Open Dashboard' }).click();
    const isDrawn = () =>
      until('The chart', async () => {
        for (const frame of page.frames()) {
          const plot = frame.locator('.plot[aria-label*="2 series"]');
          if ((await plot.count().catch(() => 0)) > 0) return true;
        }
        return undefined;
      });
    await isDrawn();
    await reload();
    await page.locator('.tab.active', { hasText: /^Kept$/ }).waitFor();
    await isDrawn();
  });

  it('of a notifier shows no secret, and leaves none on disk', async () => {
    const url = `https://hooks.example.com/${SECRET}`;
    const notifier = { name: 'chat', properties: { slack: { slackUrl: url } } };
    const { id } = await ask('POST', '/v2/notifiers', notifier);
    await openItem('Notifiers', 'chat');
    await page.locator('.view-line', { hasText: 'slackUrl' }).first().waitFor();
    const shown = await page.locator('.monaco-workbench').first().textContent();
    assert.ok(!shown?.includes(SECRET));
    await replace('chat', 'chat room');
    await reload();
    await page.locator('.tab.active.dirty', { hasText: 'chat.json' }).waitFor({ timeout: 60_000 });
    await page.locator('.view-line', { hasText: 'chat room' }).first().click();
    await page.keyboard.press('ControlOrMeta+s');
    const saved = await until('The save', async () => {
      const found = await ask('GET', `/v2/notifiers/${id}`);
      return found.name === 'chat room' ? found : undefined;
    });
    assert.deepEqual(saved.properties, notifier.properties);
    await reload();
    const found = await filesWith(SECRET, opened.profile.root, join(storage, 'local'));
    assert.deepEqual(found, []);
  });
});

/** The files below a folder that have a text, except those below `except`. */
async function filesWith(text: string, folder: string, except: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.startsWith(except)) continue;
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}
