// The trees of monitors, dashboards, views and annotations list what the deployment holds, refresh, and
// open an item.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { context, until } from '../editing.ts';
import { askLocal } from '../local.ts';
import { takePictures } from '../pictures.ts';
import { withWindow } from '../window.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly note: string;
}

const list = (command: string) => vscode.commands.executeCommand<Listed[]>(command);

async function open(command: string, item: Listed): Promise<vscode.TextDocument> {
  const uri = await vscode.commands.executeCommand<vscode.Uri>(command, item);
  return until(`The document of ${item.name}`, () => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.uri.toString() === uri.toString() ? editor.document : undefined;
  });
}

describe('the trees', () => {
  it('monitors are listed after a refresh, and open as JSON and as APL', async () => {
    assert.deepEqual(await list('aplomb.refreshMonitors'), []);
    const monitor = {
      name: 'Errors / 5xx: too many?',
      type: 'Threshold',
      aplQuery: "['orders']\n| where status >= 500\n| count",
      operator: 'Above',
      threshold: 10,
      intervalMinutes: 5,
      rangeMinutes: 5,
    };
    await askLocal('POST', '/v2/monitors', monitor);
    const [item] = await list('aplomb.refreshMonitors');
    assert.ok(item);
    assert.equal(item.name, monitor.name);
    assert.equal(item.note, '> 10');
    const json = await open('aplomb.openResource', item);
    assert.equal(json.languageId, 'json');
    assert.equal(JSON.parse(json.getText()).aplQuery, monitor.aplQuery);
    assert.match(json.fileName, /Errors \u2215 5xx: too many\?\.json$/);
    const apl = await open('aplomb.openResourceQuery', item);
    assert.equal(apl.languageId, 'axiom-apl');
    assert.equal(apl.getText(), monitor.aplQuery);
  });

  it('dashboards are listed whole, beyond one page', async () => {
    const count = 130;
    for (let index = 0; index < count; index += 1) {
      const dashboard = { name: `Board ${index}`, charts: [], layout: [] };
      await askLocal('POST', '/v2/dashboards', { dashboard, uid: `board-${index}` });
    }
    const items = await list('aplomb.refreshDashboards');
    assert.equal(items.length, count);
    const json = await open('aplomb.openResource', items[0] as Listed);
    assert.equal(JSON.parse(json.getText()).dashboard.name, 'Board 0');
  });

  it('views and annotations are listed, and a view opens as APL', async () => {
    const view = { name: 'paid-orders', aplQuery: "['orders'] | where paid", datasets: ['orders'] };
    await askLocal('POST', '/v2/views', view);
    const [paid] = await list('aplomb.refreshViews');
    assert.equal(paid?.name, 'paid-orders');
    const apl = await open('aplomb.openResourceQuery', paid as Listed);
    assert.match(apl.getText(), /where paid/);
    await askLocal('POST', '/v2/annotations', {
      type: 'deploy',
      datasets: ['orders'],
      title: 'v2',
    });
    const [annotation] = await list('aplomb.refreshAnnotations');
    assert.equal(annotation?.name, 'v2');
    assert.match(annotation?.note ?? '', /orders$/);
  });

  it('what has been deleted is gone after a refresh, and opening it says so', async () => {
    const [item] = await list('aplomb.refreshMonitors');
    assert.ok(item);
    await askLocal('DELETE', `/v2/monitors/${encodeURIComponent(item.id)}`);
    assert.equal(await vscode.commands.executeCommand('aplomb.openResource', item), undefined);
    assert.deepEqual(await list('aplomb.refreshMonitors'), []);
  });
});

describe('a tree of many', () => {
  const count = 620;
  const ids: string[] = [];

  before(async () => {
    for (let index = 0; index < count; index += 1) {
      const made = await askLocal('POST', '/v2/annotations', {
        type: 'deploy',
        datasets: ['orders'],
        title: `Release ${index}`,
        time: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      });
      ids.push((made as Listed).id);
    }
  });

  after(async () => {
    await vscode.commands.executeCommand('aplomb.filterAnnotations', '');
    for (const id of ids) await askLocal('DELETE', `/v2/annotations/${id}`);
    await vscode.commands.executeCommand('aplomb.refreshAnnotations');
  });

  it('lists annotations from the newest to the oldest, shows some of them, and the rest when asked', async () => {
    const items = await list('aplomb.refreshAnnotations');
    const releases = items.filter(({ name }) => name.startsWith('Release'));
    assert.equal(releases[0]?.name, `Release ${count - 1}`);
    assert.equal(releases.at(-1)?.name, 'Release 0');
    await vscode.commands.executeCommand('aplomb.annotations.focus');
    await takePictures('annotations');
    await withWindow(async (page) => {
      const tree = page
        .locator('.pane', { hasText: 'Annotations' })
        .locator('.monaco-list')
        .first();
      await tree.locator('.monaco-list-row').first().waitFor();
      // A click would open an item, whose editor takes the keys.
      await tree.focus();
      const end = async (text: string | RegExp) => {
        const found = page.getByText(text, { exact: true }).first();
        await until(`${text}`, async () => {
          await page.keyboard.press('End');
          return (await found.isVisible()) || undefined;
        });
        return found;
      };
      await (await end(/^Show \d+ More$/)).click();
      await end('Release 0');
    });
  });

  it('is filtered by a part of a name, until the filter is empty', async () => {
    const filter = (text: string) =>
      vscode.commands.executeCommand<Listed[]>('aplomb.filterAnnotations', text);
    assert.deepEqual(
      (await filter('release 61')).map(({ name }) => name),
      [619, 618, 617, 616, 615, 614, 613, 612, 611, 610, 61].map((n) => `Release ${n}`),
    );
    assert.deepEqual(await filter('no such thing'), []);
    assert.ok((await filter('')).length >= count);
  });
});

describe('what is below a dataset', () => {
  it('virtual fields and map fields open as documents that can be saved', async () => {
    await askLocal('POST', '/v2/datasets', { name: 'sold' });
    await askLocal('POST', '/v1/ingest/sold', [{ status: 500 }]);
    // A query of fields that the window does not know is saved only after a question.
    await vscode.commands.executeCommand('aplomb.refreshSchema');
    const made = (await askLocal('POST', '/v2/vfields', {
      dataset: 'sold',
      name: 'failed',
      expression: 'status >= 500',
    })) as Listed;
    const field = { kind: 'virtualFields', id: made.id, name: 'failed' };
    const json = await open('aplomb.openResource', field as unknown as Listed);
    assert.equal(JSON.parse(json.getText()).expression, 'status >= 500');
    const apl = await open('aplomb.openResourceQuery', field as unknown as Listed);
    assert.equal(apl.languageId, 'axiom-apl');
    assert.equal(apl.getText(), "['sold']\n| extend ['failed'] = status >= 500\n");
    const change = async (from: string, to: string) => {
      const edit = new vscode.WorkspaceEdit();
      const at = apl.getText().indexOf(from);
      const range = new vscode.Range(apl.positionAt(at), apl.positionAt(at + from.length));
      edit.replace(apl.uri, range, to);
      await vscode.workspace.applyEdit(edit);
    };
    const expression = async () =>
      ((await askLocal('GET', `/v2/vfields/${made.id}`)) as { expression: string }).expression;
    await change('500', '400');
    assert.ok(await apl.save());
    assert.equal(await expression(), 'status >= 400');
    // What is more than an expression is not saved, and stays in the editor.
    await change('400', '400 | where true');
    assert.equal(await apl.save(), false);
    assert.match(apl.getText(), /400 \| where true/);
    assert.equal(await expression(), 'status >= 400');
    await change(' | where true', '');
    assert.ok(await apl.save());
    const maps = { kind: 'mapFields', id: 'sold', name: 'Map Fields' };
    const document = await open('aplomb.openResource', maps as unknown as Listed);
    assert.deepEqual(JSON.parse(document.getText()), { mapFields: [] });
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, 9, 0), '{ "mapFields": ["labels"] }\n');
    await vscode.workspace.applyEdit(edit);
    assert.ok(await document.save());
    assert.deepEqual(await askLocal('GET', '/v2/datasets/sold/mapfields'), ['labels']);
    await askLocal('PUT', '/v2/datasets/sold/mapfields', []);
    await askLocal('DELETE', `/v2/vfields/${made.id}`);
    await askLocal('DELETE', '/v2/datasets/sold');
  });
});

describe('an empty tree', () => {
  const settings = () => vscode.workspace.getConfiguration('aplomb');

  before(() => vscode.extensions.getExtension('aplomb.aplomb')?.activate());

  after(async () => {
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await settings().update('deployments', undefined, vscode.ConfigurationTarget.Global);
  });

  /** Selects a deployment of this address and waits for what the tree of monitors says. */
  async function says(url: string, token: string | undefined, text: string): Promise<void> {
    const picture = `tree-${text.split(' ').slice(-2).join('-').replace(/\W+$/, '')}`;
    const name = `At ${url}`;
    await settings().update('deployments', [{ name, url }], vscode.ConfigurationTarget.Global);
    if (token) await context().deployments.credentials.store([new URL(url).origin], name, token);
    await vscode.commands.executeCommand('aplomb.selectDeployment', name);
    await vscode.commands.executeCommand('aplomb.monitors.focus');
    await withWindow((page) =>
      page
        .locator('.pane', { hasText: 'Monitors' })
        .locator('.welcome-view', { hasText: text })
        .first()
        .waitFor(),
    );
    await takePictures(picture);
  }

  it('says that there is nothing, no access or no answer, each with what to do', async () => {
    const statuses = new Map([
      ['nothing', 200],
      ['denied', 403],
      ['behind-proxy', 502],
      ['broken', 500],
    ]);
    const server = createServer((request, response) => {
      const key = request.headers.authorization?.replace('Bearer xaat-', '') ?? '';
      const status = statuses.get(key) ?? 401;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 200 ? '[]' : JSON.stringify({ code: status, message: 'no' }));
    });
    const start = async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const url = await start();
    await says(url, 'xaat-nothing', 'This deployment has no monitors.');
    await says(`${url}/api`, undefined, 'No token is stored for the address');
    await says(url, 'xaat-revoked', 'The token is invalid, expired or revoked.');
    await says(url, 'xaat-denied', 'lacks the capability to list monitors');
    await says(url, 'xaat-behind-proxy', 'A proxy responded instead of the deployment');
    await says(url, 'xaat-broken', 'The deployment responded with an error.');
    server.closeAllConnections();
    server.close();
    await vscode.commands.executeCommand('aplomb.refreshMonitors');
    await says(`${url}/other`, 'xaat-nothing', 'The deployment cannot be reached.');
  });
});
