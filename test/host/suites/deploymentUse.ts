// Deployments in use: which of them a file's queries go to, and at which edge deployment.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
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
import type { OtherDeployment } from '../otherDeployment.ts';
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
    const place = { url: other.url, edgeUrl: `${other.url}/edge/us-east-1` };
    await describeDeployments([
      { name: 'Edges', ...place, token: other.token },
      { name: 'By person', ...place, token: other.personalToken },
      { name: 'Live', ...place, token: other.token, production: true },
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
    // The window stays with its own.
    assert.equal(context().deployments.active.name, 'Local');
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Edges');
    assert.match(editor.document.getText(), /^\/\/ deployment: Edges$/m);
    assert.equal(context().deployments.active.name, 'Local');
    await withWindow(async (page) => status(page, 'Edges').waitFor());
    await openApl('print 1');
    await withWindow(async (page) => status(page, 'Local').waitFor());
  });

  it('names are completed, and an unknown one is an error with ways out', async () => {
    const offered = await completions(await openApl('// deployment: $0\nprint 1'));
    for (const name of ['Local', 'Edges', 'By person', 'Live']) assert.ok(offered.has(name), name);
    const { document } = await openApl('// deployment: Edge\nprint 1');
    const found = await problem(document, /settings have no deployment "Edge"/);
    assert.equal(document.getText(found.range), 'Edge');
    const end = await endOf('aplomb.runQuery', document.uri);
    assert.ok(end.kind === 'failed');
    assert.match(end.message, /names the deployment "Edge", which is not in the settings/);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      found.range,
    );
    const fix = actions.find(({ title }) => title === 'Change to "Edges"');
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
