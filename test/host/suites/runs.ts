// What is run and over which time: the query at the cursor, the selection, all of them, the last again;
// the range that was set; and a local deployment that comes back with its data.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FinishedRun } from '../../../client/src/query/runner.ts';
import type { RunReport } from '../../../ingest/src/contract.ts';
import { requestProven } from '../../../loopback/src/connect.ts';
import { readLock } from '../../../loopback/src/lock.ts';
import { isRunning } from '../../../system/src/running.ts';
import { answering } from '../dialogs.ts';
import {
  context,
  endOf,
  openApl,
  resultsOf,
  rowsOf,
  runQuery,
  until,
  workspaceFile,
} from '../editing.ts';
import { withWindow } from '../window.ts';

/** The first value of each result of a command. */
async function run(command: string, ...args: unknown[]): Promise<unknown[]> {
  const results = await resultsOf(command, ...args);
  return results.map((result) => rowsOf(result)[0]?.[0]);
}

describe('what is run', () => {
  const three = 'print n = 1\n\nprint n = 2\n\nprint n = 3\n';

  it('is the query at the cursor', async () => {
    const editor = await openApl(three);
    for (const [line, n] of [
      [0, 1],
      [2, 2],
      [4, 3],
    ] as const) {
      editor.selection = new vscode.Selection(line, 3, line, 3);
      assert.deepEqual(await run('aplomb.runQuery'), [n]);
    }
  });

  it('is the query of a lens', async () => {
    const { document } = await openApl(three);
    const lenses = await until('The lenses', async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        9,
      );
      return found.length === 3 ? found : undefined;
    });
    const { command } = lenses[1] as vscode.CodeLens;
    assert.equal(command?.title, 'Run');
    assert.deepEqual(await run(command?.command ?? '', ...(command?.arguments ?? [])), [2]);
  });

  it('is the selection where there is one', async () => {
    const editor = await openApl('print n = 1, m = 2\n');
    editor.selection = new vscode.Selection(0, 0, 0, 'print n = 1'.length);
    const [result] = await resultsOf('aplomb.runQuery');
    assert.deepEqual(
      result?.tables[0]?.columns.map(({ name }) => name),
      ['n'],
    );
  });

  it('is the query around a word that is selected', async () => {
    const editor = await openApl('print n = 1\n| extend m = 2\n');
    editor.selection = new vscode.Selection(1, 2, 1, 8);
    const [result] = await resultsOf('aplomb.runQuery');
    assert.deepEqual(
      result?.tables[0]?.columns.map(({ name }) => name),
      ['n', 'm'],
    );
  });

  it('are all queries, each with a separate result, and the same again', async () => {
    const { document } = await openApl(three);
    assert.deepEqual(await run('aplomb.runAllQueries'), [1, 2, 3]);
    const tabs = () =>
      context().tabs.tabs.filter(({ query }) => query.place?.uri === document.uri.toString());
    assert.deepEqual(
      tabs().map(({ title, state }) => [title, state.kind]),
      [
        ['print n = 1', 'result'],
        ['print n = 2', 'result'],
        ['print n = 3', 'result'],
      ],
    );
    assert.equal(context().tabs.active?.title, 'print n = 1');
    assert.deepEqual(await run('aplomb.runLastQuery'), [1, 2, 3]);
    assert.equal(tabs().length, 3);
  });

  it('have different tab labels where they begin with the same dataset', async () => {
    const table = 'datatable (a: long, b: long) [1, 2, 3, 4]';
    await openApl(
      `let t = ${table};\nt | summarize count() by a\n\nlet t = ${table};\nt | summarize count() by b\n\n// Sums\nlet t = ${table};\nt | summarize sum(a)\n`,
    );
    await vscode.commands.executeCommand('aplomb.runAllQueries');
    await withWindow(async (page) => {
      const titles = await until('The tabs', async () => {
        for (const frame of page.frames()) {
          const found = await frame.locator('.tab-title').allTextContents();
          if (found.at(-1) === 'Sums') return found.slice(-3);
        }
        return undefined;
      });
      assert.deepEqual(titles, ['… by a', '… by b', 'Sums']);
    });
  });

  it('has one tab for a query that failed and the text that replaced it', async () => {
    const { document } = await openApl('print a = nothing_like_it\n');
    const tabs = () =>
      context().tabs.tabs.filter(({ query }) => query.place?.uri === document.uri.toString());
    assert.equal((await endOf('aplomb.runQuery')).kind, 'failed');
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, 2, 0), 'print a = 1, b = 2');
    await vscode.workspace.applyEdit(edit);
    assert.equal((await endOf('aplomb.runQuery')).kind, 'result');
    assert.deepEqual(
      tabs().map(({ title }) => title),
      ['print a = 1, b = 2'],
    );
  });

  it('are all queries although one fails', async () => {
    await openApl('print n = 1\n\nnowhere | count\n\nprint n = 3\n');
    const runs = await vscode.commands.executeCommand<FinishedRun[]>('aplomb.runAllQueries');
    assert.deepEqual(
      runs.map(({ end }) => end.kind),
      ['result', 'failed', 'result'],
    );
  });

  it('is nothing where there is no query', async () => {
    await openApl('// a remark\n');
    assert.deepEqual(await vscode.commands.executeCommand('aplomb.runQuery'), []);
  });
});

describe('a result', () => {
  it('of 40,000 rows arrives whole, in order and to the last digit', async () => {
    const count = 40_000;
    const first = 9_007_199_254_740_993n;
    const lines = Array.from({ length: count }, (_, n) => `{"n":${n},"id":${first + BigInt(n)}}`);
    const file = await workspaceFile('many.ndjson', lines.join('\n'));
    await vscode.commands.executeCommand('aplomb.ingestFiles', [file], 'many');
    const result = await runQuery(`many | project n, id | order by n asc | take ${count}`);
    assert.equal(result.tables[0]?.rowCount, count);
    const rows = rowsOf(result);
    assert.deepEqual(rows[0], [0, first]);
    assert.deepEqual(rows.at(-1), [count - 1, first + BigInt(count - 1)]);
    assert.deepEqual(result.notices, []);
  });
});

describe('the time range', () => {
  after(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1h'));

  it('is sent with every query', async () => {
    const now = Date.now();
    const hours = [0.1, 3, 30];
    const lines = hours.map((age) =>
      JSON.stringify({ _time: new Date(now - age * 3_600_000).toISOString(), age }),
    );
    const file = await workspaceFile('ages.ndjson', lines.join('\n'));
    await vscode.commands.executeCommand('aplomb.ingestFiles', [file], 'ages');
    for (const [text, label, count] of [
      ['15m', 'last 15 minutes', 1],
      ['6h', 'last 6 hours', 2],
      ['2d', 'last 2 days', 3],
      ['2020-01-01 to 2020-02-01', '2020-01-01 to 2020-02-01', 0],
    ] as const) {
      assert.equal(await vscode.commands.executeCommand('aplomb.setTimeRange', text), label);
      const result = await runQuery('ages | count');
      assert.equal(result.rangeLabel, label);
      assert.equal(rowsOf(result)[0]?.[0], count);
    }
  });

  it('that cannot be parsed is rejected with examples', async () => {
    await assert.rejects(
      async () => vscode.commands.executeCommand('aplomb.setTimeRange', 'yesterdy'),
      /"yesterdy" is not a time/,
    );
  });
});

describe('the quick pick of time ranges', () => {
  after(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1h'));

  it('shows first what a typed range means, and chooses it', async () => {
    await openApl('print 1');
    const chosen = vscode.commands.executeCommand('aplomb.setTimeRange');
    await withWindow(async (page) => {
      const rows = page.locator('.quick-input-widget .monaco-list-row');
      await rows.first().waitFor();
      await page.keyboard.type('2026-01-31 08:00 to 09:30');
      const first = rows.first();
      await first.filter({ hasText: /08:00 to 09:30 UTC \(1 hour 30 minutes\)/ }).waitFor();
      await page.keyboard.press('Enter');
    });
    assert.equal(await chosen, '2026-01-31 08:00 to 09:30');
  });

  it('offers recent ranges first, and says what is wrong with a text that is not a range', async () => {
    for (const text of ['3h', 'yesterday', '3h'])
      await vscode.commands.executeCommand('aplomb.setTimeRange', text);
    const chosen = vscode.commands.executeCommand('aplomb.setTimeRange');
    await withWindow(async (page) => {
      const rows = page.locator('.quick-input-widget .monaco-list-row');
      await rows.filter({ hasText: 'Recent' }).first().waitFor();
      assert.match(await rows.nth(0).innerText(), /last 3 hours/);
      assert.match(await rows.nth(1).innerText(), /yesterday/);
      await page.keyboard.type('5 parsecs');
      await rows.filter({ hasText: '"parsecs" is not a unit of time' }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
    });
    assert.equal(await chosen, undefined);
  });
});

describe('an error in the editor', () => {
  const errors = (document: vscode.TextDocument) =>
    vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'APL service');

  it('moves with its query and goes when the query is edited', async () => {
    const editor = await openApl('// aplomb-disable-file unknown-dataset\n\n$0nowhere\n| count\n');
    const { document } = editor;
    await vscode.commands.executeCommand('aplomb.runQuery');
    const [found] = await until('The error', () => {
      const now = errors(document);
      return now.length > 0 ? now : undefined;
    });
    assert.equal(document.getText(found?.range), 'nowhere');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// above\n// it\n'));
    assert.equal(document.getText(errors(document)[0]?.range), 'nowhere');
    await editor.edit((edit) => edit.insert(new vscode.Position(4, 0), 'x'));
    assert.deepEqual(errors(document), []);
  });
});

describe('the local deployment', () => {
  it('comes back with its data after a restart, and after it was stopped', async () => {
    const file = await workspaceFile('kept.csv', 'a,b\n1,x\n2,y\n');
    const [report] = await vscode.commands.executeCommand<RunReport[]>(
      'aplomb.ingestFiles',
      [file],
      'kept',
    );
    assert.equal(report?.stored, 2);
    assert.equal(await vscode.commands.executeCommand('aplomb.restartLocal'), true);
    assert.deepEqual(rowsOf(await runQuery('kept | count')), [[2]]);
    assert.equal(await vscode.commands.executeCommand('aplomb.stopLocal'), true);
    assert.deepEqual(rowsOf(await runQuery('kept | count')), [[2]]);
  });

  it('is followed to its next process when it restarts in place, so that Stop ends that one', async () => {
    const { local } = context().deployments;
    const address = await local.address();
    const before = await readLock(local.dataDirectory);
    assert.equal(before?.url, address.url);
    await requestProven(address, 'POST', '/_local/restart');
    const next = await until('another process', async () => {
      const lock = await readLock(local.dataDirectory);
      return lock?.pid === before?.pid ? undefined : lock;
    });
    assert.deepEqual(rowsOf(await runQuery('kept | count')), [[2]]);
    assert.deepEqual(await local.address(), address);
    const states: string[] = [];
    const subscription = local.onDidChange((state) => states.push(state));
    assert.equal(await vscode.commands.executeCommand('aplomb.stopLocal'), true);
    subscription.dispose();
    assert.equal(isRunning(next.pid), false);
    // A view that asks for its items during the stop starts another process afterwards.
    assert.equal(states[0], 'stopped');
  });

  it('gets new tokens by the command that rotates them, and the window goes on with them', async () => {
    const { local } = context().deployments;
    const before = await local.address();
    const shown = await answering(['Rotate Tokens'], async () => {
      assert.equal(await vscode.commands.executeCommand('aplomb.rotateLocalTokens'), true);
    });
    assert.equal(shown.length, 1);
    const after = await local.address();
    assert.equal(after.url, before.url);
    assert.notEqual(after.token, before.token);
    assert.deepEqual(rowsOf(await runQuery('kept | count')), [[2]]);
    await assert.rejects(requestProven(before, 'GET', '/v2/datasets'), /Another program uses port/);
  });
});
