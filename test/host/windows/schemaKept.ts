// A window that opens while the deployment cannot be reached: completion has the fields of earlier from disk, no name
// is reported as unknown, and the language status says how old the schema is.
import assert from 'node:assert/strict';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openFile, reloadWindow, runCommand, treeRow } from '../../../scripts/host/driver.ts';
import { stopLocalDeployment } from '../../../scripts/host/localDeployment.ts';
import { distDirectory } from '../../../scripts/host/paths.ts';
import { type OpenedWindow, openWindow } from '../openWindow.ts';

const query = "['restarted']\n| where ";

describe('the schema that is kept', { timeout: 600_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;
  let storage: string;

  before(async () => {
    opened = await openWindow({
      'fields.apl': query,
      'unknown.apl': "['restarted']\n| where nothing == 1\n| wher 1 == 1\n",
    });
    page = opened.page;
    storage = join(opened.profile.userDataDirectory, 'User', 'globalStorage/aplomb.aplomb');
  });

  afterEach(async (context) => {
    const { name = '', error } = context as { name?: string; error?: unknown };
    const folder = process.env.APLOMB_PICTURES ?? (error ? join(distDirectory, 'test') : undefined);
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `schema-${name.replaceAll(/\W+/g, '-')}.png`) });
  });

  after(() => opened.close());

  /** Tries until it is there. */
  async function until<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
    for (const end = Date.now() + 60_000; Date.now() < end; ) {
      const found = await find().catch(() => undefined);
      if (found !== undefined) return found;
      await page.waitForTimeout(200);
    }
    throw new Error(`${what} did not come.`);
  }

  async function ask(method: string, path: string, body: unknown): Promise<void> {
    const { url, token } = await until('The deployment', async () =>
      JSON.parse(await readFile(join(storage, 'local', 'deployment.json'), 'utf8')),
    );
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${response.status} ${await response.text()}`);
  }

  /** Asks for completions at the end of the file until this field is among them. */
  async function isOffered(field: string): Promise<void> {
    await openFile(page, 'fields.apl');
    const row = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: field });
    await until(field, async () => {
      await page.keyboard.press('Escape');
      // Each time, since the editor may not have had the focus.
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Control+Space');
      await row.first().waitFor({ timeout: 3_000 });
      return true;
    });
    await page.keyboard.press('Escape');
  }

  it('is written while the deployment runs', async () => {
    await openFile(page, 'fields.apl');
    await ask('POST', '/v2/datasets', { name: 'restarted' });
    await ask('POST', '/v1/ingest/restarted', [{ status: 200, ['took in ms']: 3.5 }]);
    await runCommand(page, 'APL: Refresh Schema');
    await isOffered('took in ms');
    const folder = join(storage, 'schema');
    const text = await until('The file', async () => {
      const [name] = (await readdir(folder)).filter((one) => one.endsWith('.schema'));
      const found = await readFile(join(folder, name as string), 'utf8');
      return found.includes('took in ms') ? found : undefined;
    });
    assert.ok(!/xaat-|xapt-/.test(text));
  });

  it('is used after a restart, before the deployment has answered anything', async () => {
    await stopLocalDeployment(opened.profile);
    // Where its folder should be is a file, so that the deployment cannot start.
    await rename(join(storage, 'local'), join(storage, 'local-before'));
    await writeFile(join(storage, 'local'), '');
    await reloadWindow(page);
    await isOffered('took in ms');
    assert.ok((await stat(join(storage, 'local'))).isFile(), 'no deployment has started');
  });

  it('is shown in the tree of datasets with the time that it is of', async () => {
    await runCommand(page, 'APL: Focus on Datasets View');
    await treeRow(page, 'Datasets', 'restarted');
    const message = page.getByText(/Local cannot be reached\. Datasets as of \d\d:\d\d UTC\./);
    await message.first().waitFor({ timeout: 30_000 });
  });

  it('reports no name as unknown, and says how old it is', async () => {
    await openFile(page, 'unknown.apl');
    await runCommand(page, 'Problems: Focus on Problems View');
    const problems = page.locator('.markers-panel .monaco-list-row');
    // What is wrong without any schema is reported.
    await problems.filter({ hasText: 'wher' }).first().waitFor({ timeout: 30_000 });
    assert.equal(await problems.filter({ hasText: 'nothing' }).count(), 0);
    const status = page.locator('#status\\.languageStatus');
    await status.click();
    const hover = page.locator('.hover-language-status', { hasText: '1 dataset, updated' });
    await hover.first().waitFor({ timeout: 30_000 });
    const text = await hover.first().innerText();
    assert.match(text, /Local: 1 dataset, updated (?:just now|\d min ago); refresh(?: failed|ing)/);
  });
});
