// Every surface of VS Code's own interface that shows foreign text, in a window on a deployment with hostile names: no
// link, no icon, no HTML, nothing hidden, no command runs, and all is readable.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  answerDialog,
  chooseInMenu,
  fillInput,
  findNotification,
  formInResults,
  goToText,
  openFile,
  readResults,
  runCommand,
  treeRow,
} from '../../../scripts/host/driver.ts';
import { ingestButton, ingestPage, setDataset } from '../../../scripts/host/ingestPage.ts';
import { distDirectory } from '../../../scripts/host/paths.ts';
import { type OpenedWindow, openWindow } from '../../host/openWindow.ts';
import { assertPlain, hostile, type PlainOptions } from './hostile.ts';
import { dataset, field, type HostileDeployment, startHostile } from './hostileDeployment.ts';

const name = hostile('deployment');
const quoted = (text: string) => `[${JSON.stringify(text)}]`;

const files: Readonly<Record<string, string>> = {
  'names.apl': [
    `// deployment: ${name}`,
    `// ${hostile('title')}`,
    `${quoted(dataset)}`,
    `| where ${quoted(field)} == 'a' and n > 5`,
    `| project ${quoted(field)}, n`,
    '',
  ].join('\n'),
  'fails.apl': "print boom = 'boom'\n",
  'unknown.apl': `// deployment: ${hostile('unknown')}\nprint n = 1\n`,
  'complete.apl': `${quoted(dataset)}\n| where \n`,
  'book.aplnb': JSON.stringify({
    version: 1,
    cells: [
      {
        kind: 'apl',
        source: [
          `declare query_parameters (p: string = ${JSON.stringify(hostile('default'))});`,
          'print p',
        ],
      },
    ],
  }),
  // Windows has no such names.
  ...(process.platform !== 'win32' && { [`${hostile('file')}.ndjson`]: '{"a":1}\n' }),
};

describe('foreign text in the interface of VS Code', { timeout: 580_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;
  let deployment: HostileDeployment;

  before(async () => {
    deployment = await startHostile();
    opened = await openWindow(files, {
      settings: {
        'aplomb.inlayHints.resultColumns': true,
        'aplomb.deployments': [
          { name, url: deployment.url, edgeUrl: deployment.url, production: true },
        ],
      },
    }).catch(async (error: unknown) => {
      await deployment.stop();
      throw error;
    });
    opened.stops.unshift(deployment.stop);
    page = opened.page;
    // The extension may take long to start.
    const file = page.locator('.explorer-folders-view .monaco-list-row', {
      hasText: 'unknown.apl',
    });
    await file.dblclick({ timeout: 120_000 });
    const started = page.locator('.statusbar-item', { hasText: 'Unknown deployment' });
    await started.waitFor({ timeout: 120_000 });
    await openFile(page, 'fails.apl');
    await runCommand(page, 'APL: Select Deployment');
    await rows().filter({ hasText: 'deployment [go]' }).first().click();
    await runCommand(page, 'APL: Change Token');
    await widget().locator('input:visible').first().fill(deployment.token);
    await page.keyboard.press('Enter');
    await widget().waitFor({ state: 'hidden' });
  });

  afterEach(async (context) => {
    const { name: test = '', error } = context as { name?: string; error?: unknown };
    const folder = error ? distDirectory : process.env.APLOMB_PICTURES;
    if (folder) {
      const picture = `surface-${test.replaceAll(/\W+/g, '-')}.png`;
      await page.screenshot({ path: join(folder, picture) });
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  after(() => opened?.close());

  const widget = () => page.locator('.quick-input-widget:visible');
  const message = () => widget().locator('.quick-input-message');
  const rows = () => widget().locator('.quick-input-list .monaco-list-row');
  const hover = () => page.locator('.monaco-hover:visible, .workbench-hover:visible');
  /** Points at a place until its hover is shown whole: what moves meanwhile, such as a panel that opens, hides it. */
  const pointAt = async (place: Locator, words = '') => {
    for (const end = Date.now() + 60_000; ; ) {
      await page.mouse.move(5, 5);
      await place.hover();
      const shown = hover().filter({ hasText: words }).filter({ hasText: 'go' }).first();
      if (
        await shown.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        )
      )
        return;
      assert.ok(Date.now() < end, 'No hover is shown.');
    }
  };
  /** The form for the parameters of a query, in the results page, which shows Markdown as it is. */
  const parameterFormIsPlain = async () => {
    const form = (await formInResults(page, 'default [go]')).locator('.popup-form');
    const note = form.locator('.form-detail', { hasText: 'default [go]' });
    await plainAt(note, { name: 'default: default', markdown: true });
    assert.equal(await form.locator('a, b').count(), 0);
    await form.locator('.field').first().press('Escape');
    // The editor gets the keyboard back, which would be taken from a list that is opened before.
    await page.waitForFunction(() => document.activeElement?.tagName !== 'IFRAME');
  };
  const plainAt = (place: Locator, options: PlainOptions = {}) => assertPlain(page, place, options);
  const labelParts = ['[go] (command:', '$ (squirrel)'];

  it('items of a list: the deployments', async () => {
    await runCommand(page, 'APL: Select Deployment');
    await plainAt(rows(), { name: 'deployment' });
  });

  it('an item of the status bar: the deployment, and its tooltip', async () => {
    const item = page.locator('.statusbar-item', { hasText: 'deployment [go]' });
    await plainAt(item);
    await pointAt(item, 'Queries run on deployment');
    await plainAt(hover(), { name: 'Queries run on deployment' });
  });

  it('the title of an input box: the token of a deployment', async () => {
    await runCommand(page, 'APL: Change Token');
    await plainAt(widget(), { name: 'deployment' });
  });

  it('a tree: its description, a dataset, its tooltip and its fields', async () => {
    await runCommand(page, 'APL: Focus on Datasets View');
    const row = await treeRow(page, 'Datasets', 'dataset [go]');
    await plainAt(row);
    await plainAt(page.locator('.pane-header[aria-label^="Datasets"] .description'), {
      name: 'deployment',
    });
    await pointAt(row.locator('.monaco-icon-label'), 'dataset');
    await plainAt(hover(), { name: 'dataset' });
    await row.click();
    await plainAt(await treeRow(page, 'Datasets', 'field [go]'));
  });

  for (const [view, resource] of [
    ['Monitors', 'monitor'],
    ['Notifiers', 'notifier'],
    ['Dashboards', 'dashboard'],
  ] as const) {
    it(`a tree: ${view}, and the tab of one that is opened`, async () => {
      await runCommand(page, `APL: Focus on ${view} View`);
      const row = await treeRow(page, view, `${resource} [go]`);
      await plainAt(row);
      await row.click();
      await plainAt(page.locator('.tab'), { name: resource, parts: labelParts });
    });
  }

  it('prompts, validation and a modal dialog: deleting a dataset', async () => {
    await runCommand(page, 'APL: Focus on Datasets View');
    const row = await treeRow(page, 'Datasets', 'dataset [go]');
    await chooseInMenu(page, row, 'Delete Dataset');
    await plainAt(message(), { name: "Type 'dataset" });
    await page.keyboard.type('other');
    await plainAt(message(), { name: 'The name does not match' });
  });

  it('a modal dialog: writing to production', async () => {
    await runCommand(page, 'APL: New Dataset');
    await fillInput(page, 'name of the dataset', 'refused');
    await plainAt(page.locator('.monaco-dialog-box'), { name: 'Create datasets on' });
    await answerDialog(page, /Create datasets on/, 'Create datasets');
  });

  it('a notification: the error of a service', async () => {
    await plainAt(await findNotification(page, /refused/), { name: 'refused' });
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('a saved query: its row, its tooltip and the form for its parameter', async () => {
    await runCommand(page, 'APL Results: Focus on History View');
    const saved = await treeRow(page, 'History', 'Saved Queries');
    await saved.click();
    const row = await treeRow(page, 'History', 'saved [go]');
    await plainAt(row);
    await pointAt(row.locator('.monaco-icon-label'), 'saved');
    await plainAt(hover(), { name: 'saved', markdown: true });
    await row.click();
    await page.locator('.tab.active', { hasText: 'saved' }).waitFor();
    await page.locator('.codelens-decoration a', { hasText: /^Run$/ }).first().click();
    await parameterFormIsPlain();
  });

  it('a hover in the editor: a dataset, a field, its description and its unit', async () => {
    await openFile(page, 'names.apl');
    await goToText(page, '| where');
    await pointAt(
      page
        .locator('.view-line', { hasText: '| where' })
        .locator('span', { hasText: 'field' })
        .last(),
      'about',
    );
    await plainAt(hover(), { name: 'about', markdown: true });
  });

  it('completion: a field, and its details', async () => {
    await openFile(page, 'complete.apl');
    await goToText(page, '| where');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Space');
    const row = page.locator('.suggest-widget .monaco-list-row', { hasText: 'field' });
    await plainAt(row, { parts: labelParts });
  });

  it('a problem and its hover: an unknown deployment', async () => {
    await openFile(page, 'unknown.apl');
    await runCommand(page, 'Problems: Focus on Problems View');
    await plainAt(page.locator('.markers-panel .monaco-list-row'), { name: 'unknown' });
  });

  it('a list of symbols: the title of a query', async () => {
    await openFile(page, 'names.apl');
    await page.keyboard.press('ControlOrMeta+Shift+o');
    await plainAt(rows(), { name: 'title', parts: labelParts });
  });

  it('the language status: the schema of a deployment', async () => {
    await openFile(page, 'names.apl');
    await pointAt(page.locator('[id="status.languageStatus"]'));
    await plainAt(page.locator('.hover-language-status'), { name: 'deployment' });
  });

  it('inlay hints: the columns of a result', async () => {
    await openFile(page, 'names.apl');
    // The document has the words without the space.
    await plainAt(page.locator('.view-line span'), {
      name: '[go] (command',
      parts: ['→ field [go] (command:'],
    });
  });

  it('the error of a service at its place in a query, and its hover', async () => {
    await openFile(page, 'fails.apl');
    await goToText(page, 'print');
    await runCommand(page, 'APL: Run Query');
    // Its result comes into view first.
    await readResults(page, ({ message: failure }) => failure.includes('failed'));
    await runCommand(page, 'Problems: Focus on Problems View');
    await plainAt(page.locator('.markers-panel .monaco-list-row'), { name: 'failed' });
    await pointAt(page.locator('.view-line span', { hasText: /^boom$/ }).first(), 'failed');
    await plainAt(hover(), { name: 'failed' });
  });

  it('a cell of a notebook: its deployment and the form for its parameters', async () => {
    await page.keyboard.press('ControlOrMeta+p');
    await widget().locator('input[type=text]').fill('book.aplnb');
    await rows().filter({ hasText: 'book.aplnb' }).first().click();
    const item = page.locator('.cell-statusbar-container .cell-status-item');
    await plainAt(item, { name: 'deployment' });
    await runCommand(page, 'Notebook: Run All');
    await parameterFormIsPlain();
  });

  it('progress of an ingest in a notification: a file', async () => {
    if (process.platform === 'win32') return;
    await runCommand(page, 'File: Focus on Files Explorer');
    const file = page.locator('.explorer-folders-view .monaco-list-row', {
      hasText: 'file [go]',
    });
    await chooseInMenu(page, file, 'Ingest Files');
    const frame = await ingestPage(page, /file/);
    await setDataset(frame, 'words');
    deployment.slow = true;
    await ingestButton(frame, 'Ingest').click();
    await answerDialog(page, /Ingest into 'words' on/, 'Ingest');
    await openFile(page, 'fails.apl');
    // The report of an ingest that is over before has the file's name as well.
    await plainAt(page.locator('.notification-toast'), { name: 'file' });
    deployment.slow = false;
  });

  it('progress: the account on a deployment, and its tab', async () => {
    deployment.slow = true;
    await runCommand(page, 'APL: Who Am I');
    await plainAt(page.locator('.notification-toast'), { name: 'Reading the account' });
    deployment.slow = false;
    await plainAt(page.locator('.tab'), { name: 'Who Am I' });
  });
});
