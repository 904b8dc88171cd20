// Deployments as a person meets them in dialogs, which tests inside of VS Code do not see: what the test of a connection
// says, and the question before something is written to production.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  answerDialog,
  chooseInMenu,
  fillInput,
  openFile,
  readNotification,
  readResults,
  runCommand,
  treeRow,
} from '../../../scripts/host/driver.ts';
import { distDirectory } from '../../../scripts/host/paths.ts';
import { json, LoopbackServer } from '../../client/loopback.ts';
import { type OpenedWindow, openWindow } from '../openWindow.ts';
import { type OtherDeployment, startOther } from '../otherDeployment.ts';

describe('deployments and their dialogs', { timeout: 600_000 }, () => {
  let opened: OpenedWindow;
  let page: Page;
  let other: OtherDeployment;
  let sender = '';

  before(async () => {
    opened = await openWindow({ 'a.apl': 'shipments\n' });
    page = opened.page;
    other = await startOther(distDirectory);
    opened.stops.push(other.stop);
    await other.ask('POST', '/v2/datasets', { name: 'shipments' });
    const made = await other.ask('POST', '/v2/tokens', {
      name: 'sender',
      datasetCapabilities: { shipments: { ingest: ['create'] } },
    });
    sender = (made as { token: string }).token;
  });

  afterEach(async (context) => {
    const { name = '', error } = context as { name?: string; error?: unknown };
    if (error) await picture(name, distDirectory);
  });

  after(() => opened?.close());

  async function picture(name: string, folder = process.env.APLOMB_PICTURES): Promise<void> {
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `dialogs-${name.replaceAll(/\W+/g, '-')}.png`) });
  }

  const dialog = (text: string) => page.locator('.monaco-dialog-box', { hasText: text });

  it('a token that may only send events is named as such, and another one is asked for', async () => {
    await runCommand(page, 'APL: Add Deployment');
    await fillInput(page, 'Add Deployment: Region', 'Other address');
    await fillInput(page, 'URL of the API', other.url);
    await fillInput(page, 'URL of the edge deployment', `${other.url}/edge/us-east-1`);
    await fillInput(page, 'Add Deployment: Name', 'Shipping');
    await fillInput(page, 'Add Deployment: Production', 'No');
    await fillInput(page, 'Add Deployment: Token', sender);
    await dialog('connection test of Shipping').waitFor();
    await picture('problem');
    await answerDialog(
      page,
      /The token is valid, but cannot query\.[\s\S]*can [^.]*ingest into some datasets\. It cannot query\. The token can only send events/,
      'Change Token',
    );
    await fillInput(page, 'Add Deployment: Token', other.token);
    const { message } = await readNotification(page, /Shipping was added/);
    assert.equal(message, 'Shipping was added. The API token can list datasets, query and ingest.');
    await runCommand(page, 'Notifications: Clear All Notifications');
    await runCommand(page, 'APL: Focus on Datasets View');
    await treeRow(page, 'Datasets', 'shipments');
    const header = page.locator('.pane-header[aria-label^="Datasets"] .description');
    assert.equal(await header.innerText(), 'Shipping');
  });

  it('an address at which nothing answers is named, with a way to change it', async () => {
    await runCommand(page, 'APL: Add Deployment');
    await fillInput(page, 'Add Deployment: Region', 'Other address');
    await fillInput(page, 'URL of the API', 'http://127.0.0.1:1');
    await fillInput(page, 'URL of the edge deployment', 'http://127.0.0.1:1');
    await fillInput(page, 'Add Deployment: Name', 'Nowhere');
    await fillInput(page, 'Add Deployment: Production', 'No');
    await fillInput(page, 'Add Deployment: Token', 'xaat-to-nowhere');
    await dialog('connection test of Nowhere').waitFor();
    await picture('nowhere');
    await answerDialog(page, /Cannot reach 127\.0\.0\.1:1/, 'Change Address');
    await page.locator('.quick-input-widget', { hasText: 'Add Deployment: Region' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('what writes to production is confirmed, once for each kind of operation', async () => {
    await runCommand(page, 'APL: Edit Deployment');
    const choose = (text: string) =>
      page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click();
    await choose('Shipping');
    await picture('edit');
    await choose('Mark as Production');
    await page.locator('.statusbar-item.warning-kind', { hasText: 'Shipping' }).waitFor();

    const create = async (name: string) => {
      await runCommand(page, 'APL: New Dataset');
      await fillInput(page, 'name of the dataset', name);
    };
    await create('never');
    await dialog('Create datasets on Shipping?').waitFor();
    await picture('production');
    await answerDialog(page, /Shipping is marked as production/, 'Cancel');
    await create('first');
    await answerDialog(page, /Create datasets on Shipping\?/, 'Create datasets');
    await treeRow(page, 'Datasets', 'first');
    await create('second');
    await treeRow(page, 'Datasets', 'second');
    const listed = (await other.ask('GET', '/v2/datasets')) as { name: string }[];
    assert.deepEqual(listed.map(({ name }) => name).sort(), ['first', 'second', 'shipments']);
  });

  it('another kind of operation is another question', async () => {
    const row = await treeRow(page, 'Datasets', 'second');
    await chooseInMenu(page, row, 'Delete Dataset');
    await fillInput(page, "Delete 'second'", 'second');
    await answerDialog(page, /Delete datasets on Shipping\?/, 'Delete datasets');
    await page
      .locator('.sidebar .monaco-list-row', { hasText: 'second' })
      .waitFor({ state: 'detached' });
  });

  it('an empty one does not offer sample data, which is for the local deployment', async () => {
    await other.ask('DELETE', '/v2/datasets/first');
    await runCommand(page, 'APL: Refresh Schema');
    await chooseInMenu(page, await treeRow(page, 'Datasets', 'shipments'), 'Delete Dataset');
    await fillInput(page, "Delete 'shipments'", 'shipments');
    const welcome = page.locator('.pane-body', { hasText: 'This deployment has no datasets' });
    await welcome.getByText('Create a dataset').waitFor();
    assert.equal(await welcome.getByText('Load Sample Data').count(), 0);
    await page.waitForFunction(() =>
      document.activeElement?.closest('.pane')?.textContent?.startsWith('Datasets'),
    );
    await picture('empty');
    await other.ask('POST', '/v2/datasets', { name: 'shipments' });
    await runCommand(page, 'APL: Refresh Schema');
    await treeRow(page, 'Datasets', 'shipments');
  });

  it('the address that a record names gets the token once the person allows it, and not before', async () => {
    await other.ask('POST', '/v1/ingest/shipments', [{ carrier: 'north' }]);
    // A general address that says that the dataset is stored at another origin.
    const { url } = other;
    await using general = await LoopbackServer.start((response, { url: path }) =>
      path === '/v2/datasets'
        ? json(response, 200, [
            {
              id: 'shipments',
              name: 'shipments',
              created: '2026-01-01T00:00:00Z',
              who: 'somebody',
              edgeDeployment: 'cloud.us-east-1.aws',
              edgeDeploymentUrl: `${url}/edge/us-east-1`,
            },
          ])
        : json(response, 404, { message: 'not here' }),
    );
    await runCommand(page, 'APL: Add Deployment');
    await fillInput(page, 'Add Deployment: Region', 'Other address');
    await fillInput(page, 'URL of the API', general.url);
    await fillInput(page, 'URL of the edge deployment', `${general.url}/edge`);
    await fillInput(page, 'Add Deployment: Name', 'Trusting');
    await fillInput(page, 'Add Deployment: Production', 'No');
    await fillInput(page, 'Add Deployment: Token', other.token);
    const question = /Send the token of Trusting to http:\/\/127\.0\.0\.1:\d+\?/;
    await dialog('Send the token of Trusting').waitFor();
    await picture('edge');
    await answerDialog(page, question, 'Cancel');
    await answerDialog(page, /The token is not sent there/, 'Add Anyway');
    await openFile(page, 'a.apl');
    await page.keyboard.press('Shift+Enter');
    await answerDialog(page, question, 'Send Token');
    await readResults(page, ({ columns }) => columns.includes('carrier'));
    // It is asked once.
    await page.locator('.tab', { hasText: 'a.apl' }).first().click();
    await page.keyboard.press('Shift+Enter');
    await readResults(page, ({ columns }) => columns.includes('carrier'));
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
  });
});
