// What pages write to a deployment that is marked as production: each kind of change is confirmed once, and nothing is
// sent without. A result and a page write to their own deployment, while another one is active.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MonitorSession } from '../../../client/src/boards/host/monitorSession.ts';
import {
  ingest,
  ingestButton,
  ingestPage,
  readReport,
  setDataset,
} from '../../../scripts/host/ingestPage.ts';
import { boardFrame } from '../boardFrame.ts';
import { describeDeployments, startAnother } from '../describeDeployments.ts';
import { answering } from '../dialogs.ts';
import { context, runQuery, until, workspaceFile } from '../editing.ts';
import { askLocal } from '../local.ts';
import type { OtherDeployment } from '../otherDeployment.ts';
import { withWindow } from '../window.ts';

interface StoredDashboard {
  readonly dashboard: {
    readonly name: string;
    readonly charts: readonly { readonly name: string }[];
  };
}

describe('writes to a deployment marked as production', () => {
  let live: OtherDeployment;
  const lookups: (string | undefined)[] = [];

  before(async () => {
    await vscode.commands.executeCommand('aplomb.startLocal');
    live = await startAnother();
    await live.ask('POST', '/v2/datasets', { name: 'orders' });
    await live.ask('POST', '/v1/ingest/orders', [{ total: 1 }]);
    await live.ask('POST', '/v2/dashboards', {
      uid: 'orders',
      dashboard: { name: 'Live orders', charts: [], layout: [] },
    });
    await describeDeployments([
      { name: 'Live', url: live.url, token: live.token, production: true },
    ]);
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await runQuery("// deployment: Live\n['orders']\n| summarize sum(total)");
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await describeDeployments([]);
    await live.stop();
  });

  const boards = async () => (await live.ask('GET', '/v2/dashboards')) as StoredDashboard[];
  const charts = async (name: string) =>
    (await boards())
      .find(({ dashboard }) => dashboard.name === name)
      ?.dashboard.charts.map((chart) => chart.name);

  /** A question was shown, and what would follow from it had time to. */
  const asked = async (shown: readonly string[]) => {
    await until('A question', () => shown.length > 0 || undefined);
    await new Promise((done) => setTimeout(done, 300));
  };

  /** Adds the result in view, with what is chosen and typed; returns what was asked about production. */
  const add = (
    dashboard: string,
    names: readonly string[],
    answers: readonly (string | undefined)[],
  ) =>
    answering(answers, async () => {
      const added = vscode.commands.executeCommand('aplomb.addToDashboard');
      await withWindow(async (page) => {
        const step = async (title: string, text: string) => {
          const widget = page.locator('.quick-input-widget', { hasText: title });
          await widget.waitFor();
          lookups.push((await widget.locator('input').getAttribute('placeholder')) ?? undefined);
          await page.locator('.quick-input-widget input:visible').first().fill(text);
          await page.keyboard.press('Enter');
        };
        await step('Add to Dashboard', dashboard);
        await step('Name of the Chart', names[0] ?? '');
        if (names[1] !== undefined) await step('Name of the Dashboard', names[1]);
      });
      await added;
    });

  it('a result is added to a dashboard of its deployment, after one question', async () => {
    const refused = await add('Live orders', ['Refused'], [undefined]);
    assert.equal(refused.length, 1);
    assert.match(refused.join(), /Change dashboards on Live\?[\s\S]*marked as production/);
    assert.ok(lookups.includes('Select a dashboard of Live'), lookups.join());
    assert.deepEqual(await charts('Live orders'), []);
    assert.equal((await add('Live orders', ['First'], ['Change dashboards'])).length, 1);
    assert.equal((await add('Live orders', ['Second'], [])).length, 0);
    assert.deepEqual(await charts('Live orders'), ['First', 'Second']);
    const here = (await askLocal('GET', '/v2/dashboards')) as StoredDashboard[];
    assert.ok(!here.some(({ dashboard }) => dashboard.charts.some(({ name }) => name === 'First')));
  });

  it('resources are deleted by a folder only after the name of the deployment is typed', async () => {
    const { uri } = vscode.workspace.workspaceFolders?.[0] ?? assert.fail('No folder is open.');
    const folder = vscode.Uri.joinPath(uri, 'live-resources');
    const query = { type: 'Threshold', aplQuery: "['orders']\n| count", threshold: 1 };
    await live.ask('POST', '/v2/monitors', { name: 'doomed', ...query });
    const monitors = async () => ((await live.ask('GET', '/v2/monitors')) as unknown[]).length;
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Live');
    await vscode.commands.executeCommand('aplomb.exportResources', folder);
    for (const ending of ['json', 'apl'])
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, 'monitors', `doomed.${ending}`));
    const applyAndType = (typed: string) =>
      answering(['Apply and Delete'], async () => {
        const applying = vscode.commands.executeCommand('aplomb.applyResources', folder);
        await withWindow(async (page) => {
          const list = page.locator('.quick-input-widget', { hasText: 'Apply Resources to Live' });
          await list.locator('.monaco-list-row', { hasText: 'doomed' }).click();
          await page.keyboard.press('Enter');
          const input = page.locator('.quick-input-widget', { hasText: 'from Live' });
          await input.getByText("Type 'Live' to delete").waitFor();
          await input.locator('input:visible').first().fill(typed);
          await page.keyboard.press('Enter');
          if (typed !== 'Live') {
            await input.getByText('The name does not match.').waitFor();
            await page.keyboard.press('Escape');
          }
        });
        await applying;
      });
    await applyAndType('live');
    assert.equal(await monitors(), 1);
    await applyAndType('Live');
    assert.equal(await monitors(), 0);
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  it('a dashboard is created after one question', async () => {
    const names = ['Total', 'Made for the test'];
    const refused = await add('New Dashboard', names, [undefined]);
    assert.match(refused.join(), /^Create dashboards on Live\?/);
    assert.equal((await boards()).length, 1);
    assert.equal((await add('New Dashboard', names, ['Create dashboards'])).length, 1);
    assert.deepEqual(await charts('Made for the test'), ['Total']);
  });

  it('a monitor is disabled and enabled after one question', async () => {
    const name = 'Too few orders';
    const { id } = (await live.ask('POST', '/v2/monitors', {
      name,
      type: 'Threshold',
      aplQuery: "['orders'] | count",
      operator: 'Below',
      threshold: 1,
      intervalMinutes: 5,
      rangeMinutes: 5,
    })) as { id: string };
    const isDisabled = async () =>
      ((await live.ask('GET', `/v2/monitors/${id}`)) as { disabled?: boolean }).disabled ?? false;
    await vscode.commands.executeCommand<MonitorSession>('aplomb.openMonitorPage', {
      id,
      name,
      deployment: 'Live',
    });
    await withWindow(async (page) => {
      const frame = await boardFrame(page, '.monitor .rule');
      const press = (button: string) =>
        frame.getByRole('button', { name: button, exact: true }).click();
      const questions: string[] = [];
      const pressed = async (
        button: string,
        answers: readonly (string | undefined)[],
        done: (shown: readonly string[]) => Promise<unknown>,
      ) => {
        const shown = await answering(answers, async (soFar) => {
          await press(button);
          await done(soFar);
        });
        questions.push(...shown);
        return shown.length;
      };
      const changed = (button: string) =>
        frame.getByRole('button', { name: button, exact: true }).waitFor();
      await pressed('Disable', [undefined], asked);
      assert.match(questions.join(), /^Change monitors on Live\?/);
      assert.equal(await isDisabled(), false);
      assert.equal(await pressed('Disable', ['Change monitors'], () => changed('Enable')), 1);
      assert.equal(await isDisabled(), true);
      assert.equal(await pressed('Enable', [], () => changed('Disable')), 0);
      assert.equal(await isDisabled(), false);
    });
  });

  it('the document and the query of a page are of its deployment as well', async () => {
    assert.equal(context().deployments.active.name, 'Local');
    await withWindow(async (page) => {
      const frame = await boardFrame(page, '.monitor .rule');
      await frame.getByRole('button', { name: 'Open Monitor as JSON' }).click();
    });
    const opened = (isIt: (document: vscode.TextDocument) => boolean) =>
      until('The document', () => {
        const document = vscode.window.activeTextEditor?.document;
        return document !== undefined && isIt(document) ? document : undefined;
      });
    const json = await opened(({ uri }) => uri.scheme === 'aplomb');
    assert.match(json.uri.query, /deployment=Live/);
    assert.match(json.getText(), /Too few orders/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await withWindow(async (page) => {
      const frame = await boardFrame(page, '.monitor .rule');
      await frame.locator('.card-actions').getByLabel('Open Query').focus();
      await page.keyboard.press('Enter');
    });
    const query = await opened(({ isUntitled }) => isUntitled);
    assert.match(query.getText(), /^\/\/ Too few orders\n\/\/ range: .*\n\/\/ deployment: Live\n/);
    // Another deployment would be selected for this file alone.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('files are ingested into a new dataset after one question', async () => {
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Live');
    assert.equal(context().deployments.active.name, 'Live');
    const uri = await workspaceFile('returns.ndjson', '{"total":1}\n{"total":2}\n');
    const datasets = async () =>
      ((await live.ask('GET', '/v2/datasets')) as { name: string }[]).map(({ name }) => name);
    await vscode.commands.executeCommand('aplomb.ingestFiles', uri, [uri]);
    await withWindow(async (page) => {
      const frame = await ingestPage(page, 'returns.ndjson');
      await setDataset(frame, 'returns');
      const refused = await answering([undefined], async (shown) => {
        await ingestButton(frame, 'Ingest').click();
        await asked(shown);
      });
      assert.equal(refused.length, 1);
      assert.match(
        refused.join(),
        /^Ingest into 'returns' on Live\? Live is marked as production\. 1 file .* new dataset 'returns'/,
      );
      assert.ok(!(await datasets()).includes('returns'));
      const confirmed = await answering(['Ingest'], () => ingest(frame));
      assert.equal(confirmed.length, 1, confirmed.join());
      assert.equal((await readReport(frame)).counts.Stored, '2');
      assert.ok((await datasets()).includes('returns'));
    });
  });
});
