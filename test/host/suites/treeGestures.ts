// What a person does in the trees: looks at monitors that fire and at very many, drags a field into a query, trims a
// dataset after typing its name.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { chooseInMenu, fillInput, treeRow } from '../../../scripts/host/driver.ts';
import { chartFrame } from '../chartFrames.ts';
import { context, openApl, until } from '../editing.ts';
import { askLocal } from '../local.ts';
import { takePictures } from '../pictures.ts';
import { withWindow } from '../window.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly note: string;
}

const settings = () => vscode.workspace.getConfiguration('aplomb');
const revertAll = async () => {
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
};

/** A server whose answers are JSON, as a deployment that is selected. */
async function deployment(
  name: string,
  answer: (request: IncomingMessage) => unknown,
): Promise<Server> {
  const server = createServer(async (request, response) => {
    const body = await answer(request);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? { code: 404 }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await settings().update('deployments', [{ name, url }], vscode.ConfigurationTarget.Global);
  await context().deployments.credentials.store([url], name, 'xaat-trees');
  await vscode.commands.executeCommand('aplomb.selectDeployment', name);
  return server;
}

async function leave(server: Server): Promise<void> {
  await vscode.commands.executeCommand('aplomb.filterMonitors', '');
  await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
  await settings().update('deployments', undefined, vscode.ConfigurationTarget.Global);
  server.closeAllConnections();
  server.close();
}

/** The texts of the rows of a tree that are drawn, from the top. */
async function rowsOf(view: string): Promise<string[]> {
  return withWindow(async (page) => {
    const pane = page.locator('.pane', {
      has: page.locator(`.pane-header[aria-label^="${view}"]`),
    });
    const rows = await pane.locator('.monaco-list-row').all();
    const placed = await Promise.all(
      rows.map(async (row) => ({
        index: Number(await row.getAttribute('data-index')),
        text: (await row.getAttribute('aria-label')) ?? '',
      })),
    );
    return placed.sort((a, b) => a.index - b.index).map(({ text }) => text);
  });
}

describe('the tree of monitors', () => {
  before(() => vscode.extensions.getExtension('aplomb.aplomb')?.activate());

  const monitor = (id: string, name: string, more: object = {}) => ({
    ...{ id, name, type: 'Threshold', operator: 'Above', threshold: 10, intervalMinutes: 5 },
    ...more,
  });

  it('has those that fire first, and those that are disabled last', async () => {
    const histories: Readonly<Record<string, object[]>> = {
      m2: [{ checkId: 'c', name: 'b', state: 'open', timestamp: '2026-01-02T08:30:00Z' }],
      m3: [{ checkId: 'c', name: 'c', state: 'closed', timestamp: '2026-01-02T08:30:00Z' }],
    };
    const server = await deployment('Firing', ({ url = '' }) => {
      const [, id] = /^\/v2\/monitors\/(\w+)\/history\?startTime=.+&endTime=/.exec(url) ?? [];
      if (id !== undefined) return histories[id] ?? [];
      if (!url.startsWith('/v2/monitors')) return [];
      return [
        monitor('m0', 'Archive is late', { disabled: true }),
        monitor('m1', 'Checkout errors'),
        monitor('m2', 'Slow requests', { operator: 'AboveOrEqual', threshold: 2.5 }),
        monitor('m3', 'Payments rejected'),
        monitor('m4', 'New countries', { type: 'MatchEvent' }),
      ];
    });
    try {
      await vscode.commands.executeCommand('aplomb.monitors.focus');
      const rows = await until('A monitor that fires at the top', async () => {
        const shown = await rowsOf('Monitors');
        return shown[0]?.includes('firing') ? shown : undefined;
      });
      const names = ['Slow', 'Checkout', 'New', 'Payments', 'Archive'];
      assert.deepEqual(
        rows.map((row) => row.split(' ')[0]),
        names,
      );
      assert.match(rows[0] ?? '', /firing · ≥ 2\.5/);
      assert.match(rows[4] ?? '', /disabled · > 10/);
      await takePictures('monitors-firing');
    } finally {
      await leave(server);
    }
  });

  const view = 'Monitors';

  it('has the alerts of the others where one history cannot be read, and says which', async () => {
    const open = { checkId: 'c', name: 'b', state: 'open', timestamp: '2026-01-02T08:30:00Z' };
    const server = await deployment('Half', ({ url = '' }) => {
      const [, id] = /^\/v2\/monitors\/(\w+)\/history/.exec(url) ?? [];
      // An answer without a body is 404.
      if (id !== undefined) return id === 'm1' ? undefined : [open];
      if (!url.startsWith('/v2/monitors')) return [];
      return [monitor('m1', 'Late invoices'), monitor('m2', 'Lost parcels')];
    });
    try {
      await vscode.commands.executeCommand('aplomb.monitors.focus');
      await withWindow((page) => treeRow(page, view, /Lost parcels.*firing/));
      const rows = await rowsOf(view);
      assert.match(rows[0] ?? '', /^Lost parcels/);
      assert.match(rows[1] ?? '', /^Late invoices[\s\S]*alert not known/);
      const said = 'Cannot read whether Late invoices fires.';
      await withWindow((page) => page.locator('.pane .message', { hasText: said }).waitFor());
      await takePictures('monitors-unknown');
    } finally {
      await leave(server);
    }
  });

  it('has its alerts also where it is refreshed while it is listed', async () => {
    const open = { checkId: 'c', name: 'b', state: 'open', timestamp: '2026-01-02T08:30:00Z' };
    let lists = 0;
    const server = await deployment('Slow', ({ url = '' }) => {
      if (url.includes('/history')) return [open];
      if (!url.startsWith('/v2/monitors')) return [];
      lists += 1;
      return lists === 1 ? sleep(60_000, [], { ref: false }) : [monitor('m1', 'Lost parcels')];
    });
    try {
      await vscode.commands.executeCommand('aplomb.monitors.focus');
      await until('The first list', async () => (lists === 1 ? true : undefined));
      // The second list is asked for while the first is given up.
      await vscode.commands.executeCommand('aplomb.refreshMonitors');
      await withWindow((page) => treeRow(page, view, /Lost parcels.*firing/));
    } finally {
      await leave(server);
    }
  });

  it('stays responsive with 100,000 of them: shows some, filters all, and shows more', async () => {
    const count = 100_000;
    const all = JSON.stringify(
      Array.from({ length: count }, (_, index) =>
        monitor(`m${index}`, `Monitor ${(index * 7919) % count}`),
      ),
    );
    const asked: string[] = [];
    const server = await deployment('Many', ({ url = '' }) => {
      asked.push(url);
      if (url.includes('/history')) return [];
      return url.startsWith('/v2/monitors') ? all : [];
    });
    try {
      const started = performance.now();
      await vscode.commands.executeCommand('aplomb.monitors.focus');
      await withWindow(async (page) => {
        await treeRow(page, 'Monitors', /^Monitor 0/);
      });
      const opened = performance.now() - started;
      const before = performance.now();
      const filter = (text: string) =>
        vscode.commands.executeCommand<Listed[]>('aplomb.filterMonitors', text);
      const found = await filter('monitor 9999');
      const filtered = performance.now() - before;
      assert.equal(found.length, 11);
      await until('The filtered rows', async () => {
        const shown = await rowsOf('Monitors');
        return shown.every((row) => row.startsWith('Monitor 9999')) && shown.length > 0
          ? true
          : undefined;
      });
      assert.ok(filtered < 2_000, `The filter took ${Math.round(filtered)} ms.`);
      await filter('');
      await withWindow(async (page) => {
        const tree = page.locator('.pane', {
          has: page.locator('.pane-header[aria-label^="Monitors"]'),
        });
        await tree.locator('.monaco-list').first().focus();
        const more = tree.getByText(/^Show 500 More$/).first();
        await until('Show 500 More', async () => {
          await page.keyboard.press('End');
          return (await more.isVisible()) || undefined;
        });
        assert.match(
          (await tree.locator('.monaco-list-row').last().textContent()) ?? '',
          /99,500 hidden/,
        );
        await page.keyboard.press('Enter');
        await tree
          .getByText(/^Monitor 500$/)
          .first()
          .waitFor();
      });
      await takePictures('monitors-many');
      // One list, and a request for the alert of each of the first.
      assert.equal(asked.filter((url) => /^\/v2\/monitors$/.test(url)).length, 1);
      assert.ok(asked.filter((url) => url.includes('/history')).length <= 100);
      console.log(
        `100,000 monitors: shown after ${Math.round(opened)} ms, filtered in ${Math.round(filtered)} ms.`,
      );
    } finally {
      await leave(server);
    }
  });
});

describe('the tree of notifiers', () => {
  it('opens one with its secrets as dots, and a save keeps them', async () => {
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await until('The local deployment', async () => {
      await vscode.commands.executeCommand('aplomb.refreshNotifiers');
      return context().deployments.local.state === 'running' || undefined;
    });
    const properties = {
      customWebhook: {
        url: 'https://hooks.example.com/T0P-5ECRET',
        body: '{"title": "{{.Title}}"}',
        secretHeaders: { authorization: 'Bearer T0P-5ECRET' },
      },
    };
    const made = (await askLocal('POST', '/v2/notifiers', { name: 'Pager', properties })) as Listed;
    const path = `/v2/notifiers/${made.id}`;
    try {
      const [item] = await vscode.commands.executeCommand<Listed[]>('aplomb.refreshNotifiers');
      assert.equal(item?.note, 'Custom webhook');
      await vscode.commands.executeCommand('aplomb.notifiers.focus');
      await vscode.commands.executeCommand('aplomb.openResource', item);
      const document = await until('The document', () => {
        const found = vscode.window.activeTextEditor?.document;
        return found?.uri.path.endsWith('Pager.json') ? found : undefined;
      });
      assert.ok(!document.getText().includes('5ECRET'));
      assert.equal(document.getText().match(/"\u2022{8}"/g)?.length, 2);
      await takePictures('notifier');
      const edit = new vscode.WorkspaceEdit();
      const at = document.positionAt(document.getText().indexOf('Pager'));
      edit.insert(document.uri, at, 'The ');
      await vscode.workspace.applyEdit(edit);
      assert.ok(await document.save());
      const stored = (await askLocal('GET', path)) as { name: string; properties: object };
      assert.deepEqual([stored.name, stored.properties], ['The Pager', properties]);
    } finally {
      await revertAll();
      await askLocal('DELETE', path);
    }
  });
});

describe('the tree of datasets', () => {
  const dataset = 'gestures';
  const view = 'Datasets';

  before(async () => {
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await until('The local deployment', async () => {
      await vscode.commands.executeCommand('aplomb.refreshMonitors');
      return context().deployments.local.state === 'running' || undefined;
    });
    const old = new Date(Date.now() - 40 * 86_400_000).toISOString();
    await askLocal('POST', '/v2/datasets', { name: dataset }).catch(() => undefined);
    await askLocal('POST', `/v1/ingest/${dataset}`, [
      { _time: old, 'http.status': 500 },
      { 'http.status': 200 },
    ]);
    await vscode.commands.executeCommand('aplomb.refreshSchema');
  });

  after(async () => {
    await revertAll();
    await askLocal('DELETE', `/v2/datasets/${dataset}`).catch(() => undefined);
    await vscode.commands.executeCommand('aplomb.refreshSchema');
  });

  /** Shows the fields of the dataset. */
  async function expanded(): Promise<void> {
    await vscode.commands.executeCommand('aplomb.datasets.focus');
    await withWindow(async (page) => {
      const row = await treeRow(page, view, dataset);
      await row.click();
      await until('The fields', async () => {
        if ((await row.getAttribute('aria-expanded')) === 'true') return true;
        await page.keyboard.press('ArrowRight');
        return undefined;
      });
      await treeRow(page, view, 'http.status');
    });
  }

  it('lets a field be dragged into a query, as the query writes its name', async () => {
    const { document } = await openApl(`['${dataset}']\n| where  == 500\n`);
    await expanded();
    const drag = () =>
      withWindow(async (page) => {
        const field = await treeRow(page, view, 'http.status');
        const from = await field
          .locator('.label-name, .monaco-highlighted-label')
          .first()
          .boundingBox();
        const word = page.locator('.editor-instance .view-line', { hasText: 'where' }).first();
        const to = await word.locator('span').last().boundingBox();
        assert.ok(from && to);
        await page.mouse.move(from.x + 5, from.y + from.height / 2);
        await page.mouse.down();
        await page.mouse.move(from.x + 40, from.y + 20, { steps: 4 });
        // With Shift an editor takes what is dragged in place of opening it.
        await page.keyboard.down('Shift');
        const half = to.y + to.height / 2;
        for (const x of [30, 20, 10, 8]) {
          await page.mouse.move(to.x + x, half, { steps: 3 });
          await page.waitForTimeout(150);
        }
        await page.mouse.up();
        await page.keyboard.up('Shift');
      });
    const dropped = () => (document.getText().includes('http.status') ? true : undefined);
    // A row that is drawn again while it is dragged ends the gesture.
    for (let again = 0; again < 3 && !dropped(); again += 1) {
      await drag();
      await until('The name in the query', dropped, 3_000).catch(() => undefined);
    }
    const text = document.getText();
    assert.match(text, /\['http\.status'\]/);
    assert.ok(text.includes(`['${dataset}']`));
    await vscode.window.showTextDocument(document);
    await revertAll();
  });

  it('runs a query with the cursor at its end, where an inserted name stays a word', async () => {
    const field = { kind: 'field', dataset: { name: dataset }, field: { name: 'http.status' } };
    await vscode.commands.executeCommand('aplomb.describeDataset', field);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const line = editor.document.lineAt(editor.selection.active);
    assert.equal(line.text, '| getschema');
    assert.deepEqual(editor.selection.active, line.range.end);
    await vscode.commands.executeCommand('aplomb.insertName', field);
    const { text } = editor.document.lineAt(line.lineNumber);
    assert.equal(text, "| getschema ['http.status']");
  });

  it('shows the top values of a field as bars, without an editor, in one tab', async () => {
    await revertAll();
    const field = { kind: 'field', dataset: { name: dataset }, field: { name: 'http.status' } };
    await vscode.commands.executeCommand('aplomb.topValues', field);
    const title = `Top values of ${dataset}: http.status`;
    assert.equal(context().tabs.active?.title, title);
    assert.equal(vscode.window.visibleTextEditors.length, 0);
    const drawn = () =>
      withWindow((page) => chartFrame(page, /^Top values of gestures: http\.status\. Top list/));
    await drawn();
    // The same field has one tab.
    const { length } = context().tabs.tabs;
    await vscode.commands.executeCommand('aplomb.topValues', field);
    assert.equal(context().tabs.tabs.length, length);
    await drawn();
  });

  it('trims a dataset only once its name was typed', async () => {
    await expanded();
    const count = async () => {
      const answer = (await askLocal('POST', '/v1/query/_apl?format=tabular', {
        apl: `['${dataset}'] | count`,
        startTime: '2020-01-01T00:00:00Z',
        endTime: 'now',
      })) as { tables: { columns: number[][] }[] };
      return answer.tables[0]?.columns[0]?.[0];
    };
    assert.equal(await count(), 2);
    const start = (name: string) =>
      withWindow(async (page) => {
        await chooseInMenu(page, await treeRow(page, view, dataset), 'Trim Dataset');
        const age = page.locator('.quick-input-list .monaco-list-row', { hasText: '30 days' });
        await age.first().click();
        await fillInput(page, `Type '${dataset}'`, name);
      });
    await start('gesture');
    await withWindow(async (page) => {
      const widget = page.locator('.quick-input-widget');
      await widget.getByText(`The name does not match. Type '${dataset}'.`).first().waitFor();
      await page.keyboard.press('Escape');
      await widget.waitFor({ state: 'hidden' });
    });
    assert.equal(await count(), 2);
    await start(dataset);
    await until('The trim', async () => ((await count()) === 1 ? true : undefined));
  });
});
