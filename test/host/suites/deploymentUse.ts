// Deployments in use: which of them a file's queries go to, and at which edge deployment.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
import type { DeploymentSetting } from '../../../client/src/deployments/profiles.ts';
import { treeRow } from '../../../scripts/host/driver.ts';
import { json, LoopbackServer } from '../../client/loopback.ts';
import { describeDeployments, startAnother } from '../describeDeployments.ts';
import {
  completions,
  context,
  endOf,
  openApl,
  problem,
  resultsOf,
  rowsOf,
  until,
} from '../editing.ts';
import { askLocal } from '../local.ts';
import type { OtherDeployment } from '../otherDeployment.ts';
import { takePictures } from '../pictures.ts';
import { inThemes } from '../themes.ts';
import { withWindow } from '../window.ts';

const status = (page: Page, text: string) =>
  page
    .locator('#aplomb\\.aplomb\\.aplomb\\.deployment, .statusbar-item', { hasText: text })
    .first();

describe('deployments in use', () => {
  let other: OtherDeployment;

  before(async () => {
    other = await startAnother();
    for (const [name, edgeDeployment] of [
      ['us-logs', 'cloud.us-east-1.aws'],
      ['eu-logs', 'cloud.eu-central-1.aws'],
    ]) {
      await other.ask('POST', '/v2/datasets', { name, edgeDeployment });
      await other.ask('POST', `/v1/ingest/${name}`, [{ region: name }]);
    }
    await other.ask('PUT', '/v2/datasets/us-logs/fields/region', {
      name: 'region',
      type: 'string',
      description: 'Where it was measured.',
      hidden: false,
    });
    const queryOnly = (await other.ask('POST', '/v2/tokens', {
      name: 'query-only',
      datasetCapabilities: { 'us-logs': { query: ['read'] } },
    })) as { token: string };
    const place = { url: other.url, edgeUrl: `${other.url}/edge/us-east-1` };
    await describeDeployments([
      { name: 'Edges', ...place, token: other.token },
      { name: 'By person', ...place, token: other.personalToken },
      { name: 'Live', ...place, token: other.token, production: true },
      { name: 'Query only', ...place, token: queryOnly.token },
    ]);
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await describeDeployments([]);
    await other.stop();
  });

  const asked = async (apl: string) => {
    const { document } = await openApl(apl);
    const [result] = await resultsOf('aplomb.runQuery', document.uri);
    assert.ok(result);
    return { rows: rowsOf(result), notices: result.notices };
  };

  it('a query goes to the edge deployment that stores its dataset', async () => {
    for (const dataset of ['us-logs', 'eu-logs']) {
      const { rows, notices } = await asked(
        `// deployment: Edges\n['${dataset}']\n| project region`,
      );
      assert.deepEqual(rows, [[dataset]]);
      // The edge deployment answers for itself: nothing left it.
      assert.ok(!notices.some(({ label }) => /left region/.test(label)));
    }
  });

  it('a query over two edge deployments says that results left one of them', async () => {
    const { rows, notices } = await asked(
      "// deployment: Edges\nunion ['us-logs'], ['eu-logs']\n| summarize count()",
    );
    assert.deepEqual(rows, [[2]]);
    assert.match(notices.map(({ message }) => message).join(), /left EU Central 1/);
  });

  it('a personal token queries and sends through the general address', async () => {
    const { rows, notices } = await asked(
      "// deployment: By person\n['eu-logs']\n| project region",
    );
    assert.deepEqual(rows, [['eu-logs']]);
    assert.match(notices.map(({ message }) => message).join(), /left EU Central 1/);
  });

  it('the file that names a deployment has it in the status bar', async () => {
    const editor = await openApl("// deployment: Live\n['us-logs']\n");
    await withWindow(async (page) => {
      await page.locator('.statusbar-item.warning-kind', { hasText: 'Live' }).waitFor();
      await inThemes(page, 'file-deployment');
    });
    // The window stays with its own, and the file with the one that it names.
    assert.equal(context().deployments.active.name, 'Local');
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'By person');
    assert.match(editor.document.getText(), /^\/\/ deployment: Live$/m);
    assert.equal(context().deployments.active.name, 'By person');
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    const line = new vscode.WorkspaceEdit();
    line.replace(editor.document.uri, new vscode.Range(0, 0, 0, 19), '// deployment: Edges');
    await vscode.workspace.applyEdit(line);
    await withWindow(async (page) => status(page, 'Edges').waitFor());
    await openApl('print 1');
    await withWindow(async (page) => status(page, 'Local').waitFor());
  });

  it('names are completed, and an unknown one is an error with ways out', async () => {
    const offered = await completions(await openApl('// deployment: $0\nprint 1'));
    for (const name of ['Local', 'Edges', 'By person', 'Live']) assert.ok(offered.has(name), name);
    const { document } = await openApl('// deployment: Edge\nprint 1');
    const found = await problem(document, /settings have no deployment 'Edge'/);
    assert.equal(document.getText(found.range), 'Edge');
    const end = await endOf('aplomb.runQuery', document.uri);
    assert.ok(end.kind === 'failed');
    assert.match(
      found.message,
      /Known deployments: 'Local', 'Edges', 'By person', 'Live', 'Query only'\./,
    );
    assert.match(end.message, /names the deployment 'Edge', which is not in the settings/);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      found.range,
    );
    const fix = actions.find(({ title }) => title === "Change to 'Edges'");
    assert.ok(fix?.edit);
    assert.ok(actions.some(({ title }) => title === 'Add Deployment…'));
    await vscode.workspace.applyEdit(fix.edit);
    await until('No error', () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .some(({ code }) => code === 'unknown-deployment')
        ? undefined
        : true,
    );
  });

  /** What is underlined in a document, once something is. */
  const underlined = (document: vscode.TextDocument) =>
    until(`A problem of ${document.uri}`, () => {
      const found = vscode.languages
        .getDiagnostics(document.uri)
        .map(({ range }) => document.getText(range));
      return found.length > 0 ? found : undefined;
    });

  /** A dataset of one name with a field of its own on each deployment. */
  const shared = async () => {
    for (const [ask, field] of [
      [other.ask, 'there'],
      [askLocal, 'here'],
    ] as const) {
      await ask('POST', '/v2/datasets', { name: 'shared' });
      await ask('POST', '/v1/ingest/shared', [{ [field]: 1 }]);
    }
    await vscode.commands.executeCommand('aplomb.refreshSchema');
  };

  it('a file is completed and checked with the fields of the deployment that it names', async () => {
    await shared();
    const text = "['shared']\n| where here == 1 and there == 1\n";
    const own = await openApl(text);
    assert.deepEqual(await underlined(own.document), ['there']);
    const named = await openApl(`// deployment: Edges\n${text}`);
    assert.deepEqual(await underlined(named.document), ['here']);
    const offered = await completions(await openApl("// deployment: Edges\n['shared'] | where $0"));
    assert.ok(offered.has('there') && !offered.has('here'), [...offered.keys()].join());
    const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      named.document.uri,
      new vscode.Position(0, 5),
    );
    assert.ok(hover);
    const [shown] = hover.contents as vscode.MarkdownString[];
    assert.match(
      (shown?.value ?? '').replaceAll('\\', ''),
      /run on Edges[\s\S]*Edges: 3 datasets, updated just now/,
    );
    // Of the file that names the other one, the line alone is changed; the window's stays as it was.
    const line = new vscode.WorkspaceEdit();
    line.replace(named.document.uri, new vscode.Range(0, 0, 0, 20), '// deployment: Local');
    await vscode.workspace.applyEdit(line);
    await until('The problem of Local', () =>
      vscode.languages
        .getDiagnostics(named.document.uri)
        .some(({ range }) => named.document.getText(range) === 'there')
        ? true
        : undefined,
    );
  });

  it('an answer teaches the deployment that gave it, also with a token that may only query', async () => {
    const query = "// deployment: Query only\n['us-logs']\n| where region != ''";
    const { document } = await openApl(query);
    await resultsOf('aplomb.runQuery', document.uri);
    const described = await until('The description of the field', async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        new vscode.Position(2, 10),
      );
      const texts = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]);
      return texts.some(({ value }) => value.includes('Where it was measured')) || undefined;
    });
    assert.ok(described);
    // What a token may not list is not missing.
    assert.deepEqual(
      vscode.languages.getDiagnostics(document.uri).map(({ message }) => message),
      [],
    );
    const offered = await completions(await openApl('// deployment: Query only\n$0'));
    assert.ok(offered.has('us-logs') && !offered.has('orders'), [...offered.keys()].join());
  });

  it('the tree has the datasets that a token that may only query has read, and says so', async () => {
    // As the hosted service: what may not be listed is refused, and not left out of the list.
    await using strict = await LoopbackServer.start(async (response, { method, url, body }) => {
      if (!url.includes('_apl')) return json(response, 403, { code: 403, message: 'forbidden' });
      const answer = await fetch(`${other.url}${url}`, {
        method,
        headers: {
          authorization: `Bearer ${other.token}`,
          'content-type': 'application/json',
        },
        body: new Uint8Array(body),
      });
      json(response, answer.status, await answer.text());
    });
    const configuration = () => vscode.workspace.getConfiguration('aplomb');
    const before = configuration().get<DeploymentSetting[]>('deployments', []);
    const update = (value: unknown) =>
      configuration().update('deployments', value, vscode.ConfigurationTarget.Global);
    await context().deployments.credentials.store([strict.url], 'Strict', 'xaat-may-only-query');
    await update([...before, { name: 'Strict', url: strict.url, edgeUrl: strict.url }]);
    try {
      // Of a file that names no deployment: that of the window is selected.
      const { document } = await openApl("['us-logs']\n| project region");
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Strict');
      await vscode.commands.executeCommand('aplomb.datasets.focus');
      const pane = '.pane:has(.pane-header[aria-label^="Datasets"])';
      await withWindow((page) =>
        page
          .locator(`${pane} .welcome-view`, { hasText: 'lacks the capability to list datasets' })
          .waitFor(),
      );
      await resultsOf('aplomb.runQuery', document.uri);
      await withWindow(async (page) => {
        await treeRow(page, 'Datasets', 'us-logs');
        const said =
          /^The token lacks the capability to list datasets\. Only datasets that you have queried/;
        await page.locator(`${pane} .message`, { hasText: said }).waitFor();
      });
      await takePictures('datasets-query-only');
    } finally {
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
      await update(before);
    }
  });

  it('an answer to a token that was replaced meanwhile teaches nothing', async () => {
    let isHeld = true;
    // What the deployment answers, late to queries; nothing to the new token, which would list fields itself.
    await using slow = await LoopbackServer.start(
      async (response, { method, url, headers, body }) => {
        const isQuery = url.includes('_apl');
        if (headers.authorization !== `Bearer ${other.token}` || (method !== 'POST' && !isQuery)) {
          return json(response, 403, { code: 403, message: 'No.' });
        }
        const answer = await fetch(`${other.url}${url}`, {
          method,
          headers: { authorization: headers.authorization, 'content-type': 'application/json' },
          body: new Uint8Array(body),
        });
        const text = await answer.text();
        for (const end = Date.now() + 20_000; isHeld && Date.now() < end; ) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        json(response, answer.status, text);
      },
    );
    const { credentials } = context().deployments;
    const before = vscode.workspace
      .getConfiguration('aplomb')
      .get<DeploymentSetting[]>('deployments', []);
    const update = (value: unknown) =>
      vscode.workspace
        .getConfiguration('aplomb')
        .update('deployments', value, vscode.ConfigurationTarget.Global);
    const store = (token: string) => credentials.store([slow.url], 'Slow', token);
    await store(other.token);
    await update([...before, { name: 'Slow', url: slow.url, edgeUrl: slow.url }]);
    const { schema } = context();
    const known = async () =>
      (await schema.fieldsNow('us-logs', 'Slow'))?.fields.map(({ name }) => name) ?? [];
    try {
      const { document } = await openApl("// deployment: Slow\n['us-logs']");
      for (const replaced of [false, true]) {
        isHeld = true;
        const asked = slow.received.length;
        const ended = endOf('aplomb.runQuery', document.uri);
        await until('The query', () =>
          slow.received.slice(asked).some(({ url }) => url.includes('_apl')) ? true : undefined,
        );
        if (replaced) {
          await store('xaat-of-another-organization');
          await until('The change', async () => ((await known()).length === 0 ? true : undefined));
        }
        isHeld = false;
        assert.equal((await ended).kind, 'result');
        if (!replaced) {
          await until('The field', async () =>
            (await known()).includes('region') ? true : undefined,
          );
        }
      }
      // What is learned is learned before long.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.deepEqual(await known(), []);
    } finally {
      isHeld = false;
      await update(before);
    }
  });

  it('the query of a resource is checked and run where the resource is', async () => {
    const stored = (await other.ask('POST', '/v2/monitors', {
      name: 'Elsewhere',
      type: 'Threshold',
      aplQuery: "['shared']\n| where here == 1 or there == 1",
      operator: 'Above',
      threshold: 10,
      intervalMinutes: 5,
      rangeMinutes: 5,
    })) as { id: string };
    const item = { kind: 'monitors', id: stored.id, name: 'Elsewhere', note: '' };
    await openApl('print 1');
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Edges');
    for (const command of ['aplomb.openResource', 'aplomb.openResourceQuery']) {
      await openApl('print 1');
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Edges');
      const uri = await vscode.commands.executeCommand<vscode.Uri>(command, item);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
      assert.equal(context().deployments.active.name, 'Local');
      await until('The problem of the other deployment', async () =>
        (await underlined(document)).join() === 'here' ? true : undefined,
      );
      await withWindow(async (page) => status(page, 'Edges').waitFor());
    }
    const query = vscode.window.activeTextEditor?.document;
    assert.ok(query);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(query.uri, new vscode.Range(0, 0, 9, 0), "['shared'] | project there");
    await vscode.workspace.applyEdit(edit);
    const [result] = await resultsOf('aplomb.runQuery', query.uri);
    assert.deepEqual(result && rowsOf(result), [[1]]);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('a file of another deployment has no false errors', async () => {
    const { document } = await openApl(
      "// deployment: Edges\n['us-logs']\n| where region == 'a'\n",
    );
    await openApl("['us-logs']\n");
    // The same name is unknown to the deployment of the window, which shows that both were checked.
    const own = vscode.window.activeTextEditor?.document;
    assert.ok(own);
    await problem(own, /us-logs/);
    const errors = vscode.languages.getDiagnostics(document.uri);
    assert.deepEqual(
      errors.map(({ message }) => message),
      [],
    );
  });
});
