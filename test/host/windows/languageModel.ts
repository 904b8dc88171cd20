// Language models as a person meets them: the commands in menus, the message with Accept, and the questions before an
// agent uses a hosted deployment, which tests inside of VS Code do not see.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  chooseInMenu,
  clickNotification,
  fillInput,
  findNotification,
  goToText,
  openFile,
  runCommand,
} from '../../../scripts/host/driver.ts';
import { distDirectory } from '../../../scripts/host/paths.ts';
import { json, LoopbackServer } from '../../client/loopback.ts';
import { type OpenedWindow, openWindow } from '../openWindow.ts';
import { installScriptedModel } from '../scriptedModel.ts';

const replies = [
  [{ tool: 'check_query', input: { query: 'print n = 1 | where N > 1' } }],
  [{ text: 'The name was written with a capital.\n```apl\nprint n = 1\n| where n > 1\n```' }],
  [
    {
      text: '## What it does\n\nIt prints **one** row and drops it.\n\n- `print` makes the row\n- `where` drops it',
    },
  ],
];

describe('language models in a window', { timeout: 600_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;
  let service: LoopbackServer;

  before(async () => {
    service = await LoopbackServer.start((response) => json(response, 200, []));
    const place = { url: service.url, agents: true };
    opened = await openWindow(
      { 'a.apl': 'print n = 1\n| where N > 1\n', 'model.json': JSON.stringify(replies) },
      {
        install: installScriptedModel,
        settings: {
          'chat.disableAIFeatures': false,
          'aplomb.deployments': [
            { name: 'Staging', ...place },
            { name: 'Live', ...place, production: true },
          ],
        },
      },
    );
    page = opened.page;
  });

  after(async () => {
    await opened?.close();
    await service?.[Symbol.asyncDispose]();
  });

  async function picture(name: string, folder = process.env.APLOMB_PICTURES): Promise<void> {
    if (folder !== undefined) await page.screenshot({ path: join(folder, `model-${name}.png`) });
  }

  afterEach(async (context) => {
    const { name = '', error } = context as { name?: string; error?: unknown };
    if (error) await picture(name.replaceAll(/\W+/g, '-'), distDirectory);
  });

  it('a query is fixed from the context menu, and the change accepted in the message', async () => {
    await openFile(page, 'a.apl');
    await goToText(page, 'where');
    await page.locator('.editor-group-container.active .squiggly-error').first().waitFor();
    const line = page.locator('.editor-group-container.active .view-line', { hasText: 'where' });
    // The commands are in menus that open after the window has found the model.
    const item = page.locator('.monaco-menu').getByText('Explain Query');
    for (let attempt = 0; attempt < 20 && !(await item.isVisible()); attempt += 1) {
      await page.keyboard.press('Escape');
      await page.waitForTimeout(500);
      await line.click({ button: 'right' });
      await page.locator('.monaco-menu').getByText('Run Query').waitFor();
    }
    await item.waitFor({ timeout: 1_000 });
    await picture('menu');
    await page.keyboard.press('Escape');
    await chooseInMenu(page, line, 'Fix with Language Model');
    const message =
      /Scripted Model fixed the query\. The checker finds no errors\. The name was written/;
    await findNotification(page, message);
    await picture('proposal');
    await clickNotification(page, message, 'Accept');
    await page.locator('.tab', { hasText: 'Fixed Query' }).waitFor({ state: 'detached' });
    const lines = page.locator('.editor-group-container.active .view-lines').first();
    await lines.getByText('where n > 1').waitFor();
  });

  it('a query is explained in a preview', async () => {
    await goToText(page, 'where');
    await runCommand(page, 'APL: Explain Query');
    await page.locator('.tab', { hasText: 'Explanation of print n = 1' }).waitFor();
    await picture('explanation');
    await page.keyboard.press('Escape');
  });

  async function callTool(tool: string, input: object): Promise<void> {
    await writeFile(join(opened.folder, 'tool.json'), JSON.stringify({ tool, input }));
    await runCommand(page, 'Scripted Model: Call Tool');
  }

  const dialog = () => page.locator('.monaco-dialog-box');

  it('VS Code asks before a call on a hosted deployment, with the query and the range', async () => {
    await runCommand(page, 'APL: Select Deployment');
    await fillInput(page, 'Select Deployment', 'Staging');
    await callTool('aplomb_run_query', { query: "['orders']\n| count", from: 'now-6h' });
    await dialog().waitFor();
    const text = await dialog().innerText();
    await picture('hosted');
    assert.match(text, /Run Query on Staging\?/);
    assert.match(text, /now-6h to now/);
    assert.match(text, /orders/);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.deepEqual(
      service.received.filter(({ method }) => method === 'POST'),
      [],
    );
  });

  it('a dialog asks before a call on production, and runs nothing if it is dismissed', async () => {
    await runCommand(page, 'APL: Select Deployment');
    await fillInput(page, 'Select Deployment', 'Live');
    await callTool('aplomb_run_query', { query: 'print live = 1' });
    await dialog().waitFor();
    const text = await dialog().innerText();
    await picture('production');
    assert.match(text, /Run Query on Live\?/);
    assert.match(text, /marked as production/);
    assert.match(text, /now-1h to now/);
    assert.match(text, /print live = 1/);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const answer = join(opened.folder, 'answer.txt');
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const written = await readFile(answer, 'utf8').catch(() => '');
      if (/The person did not allow/.test(written)) break;
      await page.waitForTimeout(100);
    }
    assert.match(await readFile(answer, 'utf8'), /^Error: The person did not allow this call/);
    assert.deepEqual(
      service.received.filter(({ method }) => method === 'POST'),
      [],
    );
  });
});
