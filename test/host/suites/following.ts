// A query that is followed in the window: rows of the local deployment appear as they are ingested, and it is
// paused, resumed and stopped by the buttons in the results, by commands, and by cancelling.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerIn } from '../../../client/src/answers/slots.ts';
import type { TabId } from '../../../client/src/answers/tabs.ts';
import { clickInResults, readResults } from '../../../scripts/host/driver.ts';
import { context, openApl, rowCount, rowsArrive as rows, runQuery, until } from '../editing.ts';
import { askLocal } from '../local.ts';
import { withWindow } from '../window.ts';

const dataset = 'followed';
let sent = 0;

const ingest = (count: number) =>
  askLocal(
    'POST',
    `/v1/ingest/${dataset}`,
    Array.from({ length: count }, () => ({ n: sent++ })),
  );

const follow = () => vscode.commands.executeCommand<TabId>('aplomb.follow');
const stateOf = (tab: TabId) => context().follows.view(tab)?.state;

describe('a query that is followed', () => {
  const settings = () => vscode.workspace.getConfiguration('aplomb.follow');

  before(async () => {
    // The local deployment runs from here on.
    await runQuery('print 1');
    await askLocal('POST', '/v2/datasets', { name: dataset });
    await ingest(3);
    await settings().update('interval', 0.5, vscode.ConfigurationTarget.Global);
    await settings().update('rerunInterval', 0.5, vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    await settings().update('interval', undefined, vscode.ConfigurationTarget.Global);
    await settings().update('rerunInterval', undefined, vscode.ConfigurationTarget.Global);
  });

  it('shows events as they are ingested, and pauses, goes on and stops by its buttons', async () => {
    await openApl(`['${dataset}']\n| where n >= 0`);
    const tab = await follow();
    await rows(tab, 3);
    await ingest(2);
    await rows(tab, 5);
    await withWindow(async (page) => {
      const { status } = await readResults(page, (shown) => shown.status.includes('2 new events'));
      assert.ok(status.some((part) => part.endsWith('/s')));
      await clickInResults(page, 'Pause');
    });
    await until('The pause', () => (stateOf(tab) === 'paused' ? true : undefined));
    assert.equal(context().runner.running.length, 0);
    await ingest(4);
    await withWindow((page) => clickInResults(page, 'Resume'));
    await rows(tab, 9);
    await withWindow((page) => clickInResults(page, 'Stop'));
    await until('The stop', () => (stateOf(tab) === 'stopped' ? true : undefined));
    assert.equal(rowCount(tab), 9);
  });

  it('stops by the key that cancels, and goes on by a command', async () => {
    const editor = await openApl(`['${dataset}'] | project n | take 4`);
    const tab = await follow();
    await rows(tab, 4);
    assert.deepEqual(
      context().runner.running.map(({ following }) => following),
      [true],
    );
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('aplomb.cancelQuery');
    assert.equal(stateOf(tab), 'stopped');
    await ingest(1);
    await vscode.commands.executeCommand('aplomb.resumeFollowing');
    await rows(tab, 5);
    // Running the query ends it.
    await vscode.commands.executeCommand('aplomb.runQuery');
    assert.equal(stateOf(tab), undefined);
    assert.equal(context().runner.running.length, 0);
  });

  it('is run again where its rows are not events, without bringing the view forward', async () => {
    await openApl(`['${dataset}'] | summarize events = count()`);
    const tab = await follow();
    const count = async () => {
      const { tabs, store } = context();
      const state = tabs.tab(tab)?.state;
      const answer = state && answerIn(state);
      if (answer === undefined || rowCount(tab) !== 1) return undefined;
      const place = { answer, table: 0, row: 0, column: 0 };
      return (await store.rows('cell', place).catch(() => undefined))?.text;
    };
    const becomes = (text: string) =>
      until(`The count ${text}`, async () => ((await count()) === text ? true : undefined));
    await becomes(String(sent));
    await ingest(7);
    await becomes(String(sent));
    assert.equal(context().follows.view(tab)?.appends, false);
    await vscode.commands.executeCommand('aplomb.stopFollowing');
    assert.equal(stateOf(tab), 'stopped');
  });

  it('stops when its tab is closed', async () => {
    await openApl(`['${dataset}'] | extend closed = true`);
    const tab = await follow();
    await rows(tab, sent);
    context().tabs.close(tab);
    assert.equal(stateOf(tab), undefined);
    assert.equal(context().runner.running.length, 0);
  });
});
