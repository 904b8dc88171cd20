// What a query needs before it runs and what is seen of it while it runs: parameters, the range of a file,
// several runs at once, cancelling, and the rows of each stage.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settledIn } from '../../../client/src/answers/slots.ts';
import { LastQueries } from '../../../client/src/query/lastQueries.ts';
import type { FinishedRun } from '../../../client/src/query/runner.ts';
import {
  clickInResults,
  focusEditor,
  formInResults,
  readResults,
} from '../../../scripts/host/driver.ts';
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
import { startService, type TestService } from '../service.ts';
import { withWindow } from '../window.ts';

/** Runs the query at the cursor while the window is driven, and returns the rows. */
async function runWhile(drive: Parameters<typeof withWindow>[0]): Promise<unknown[][]> {
  const running = resultsOf('aplomb.runQuery');
  await withWindow(drive);
  const [result] = await running;
  return result ? rowsOf(result) : [];
}

describe('query parameters', () => {
  const declared =
    'declare query_parameters (least: long = 2, word: string, flag: bool = true, big: long);\n' +
    'print least, word, flag, big';

  it('are asked for by a form with defaults and checks, and sent as variables', async () => {
    await openApl(declared);
    const rows = await runWhile(async (page) => {
      const form = await formInResults(page, 'least');
      assert.equal(await form.getByLabel('least').inputValue(), '2');
      await form.getByLabel('least').fill('many');
      await form.getByText('Enter an integer').waitFor();
      await form.getByLabel('least').fill('3');
      await form.getByLabel('word').fill("it's");
      await form.getByLabel('flag').selectOption('false');
      await form.getByLabel('big').fill('9007199254740993');
      await form.getByLabel('big').press('Enter');
    });
    assert.deepEqual(rows, [[3, "it's", false, 9007199254740993n]]);
    // The keyboard is in the editor again.
    await withWindow((page) => page.locator('.monaco-editor.focused').first().waitFor());
    // The next run of the file needs no form.
    const [again] = await resultsOf('aplomb.runQuery');
    assert.deepEqual(again && rowsOf(again), [[3, "it's", false, 9007199254740993n]]);
    const [last] = await resultsOf('aplomb.runLastQuery');
    assert.deepEqual(last && rowsOf(last), [[3, "it's", false, 9007199254740993n]]);
  });

  it('are asked for again by a command, with the last values, and the form can be left', async () => {
    await openApl('declare query_parameters (a: long = 1, b: long = 2);\nprint a, b');
    const running = resultsOf('aplomb.runWithParameters');
    await withWindow(async (page) => {
      const form = await formInResults(page, 'a, b');
      await form.getByLabel('a', { exact: true }).fill('11');
      await form.getByRole('button', { name: 'Run' }).click();
    });
    const [result] = await running;
    assert.deepEqual(result && rowsOf(result), [[11, 2]]);
    const left = vscode.commands.executeCommand<FinishedRun[]>('aplomb.runWithParameters');
    await withWindow(async (page) => {
      const form = await formInResults(page, 'a, b');
      assert.equal(await form.getByLabel('a', { exact: true }).inputValue(), '11');
      await form.locator('.parameter-popup .field:focus').first().waitFor();
      await page.keyboard.press('Escape');
    });
    assert.deepEqual(await left, []);
    await withWindow((page) => page.locator('.monaco-editor.focused').first().waitFor());
  });

  it('are asked for in the tab of the editors where results are shown in one', async () => {
    const { document } = await openApl('declare query_parameters (c: long);\nprint c');
    const settings = vscode.workspace.getConfiguration('aplomb');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await settings.update('results.location', 'beside', vscode.ConfigurationTarget.Global);
    try {
      const running = resultsOf('aplomb.runQuery');
      await withWindow(async (page) => {
        const form = await formInResults(page, 'print c');
        assert.ok(context().results.isEditor);
        await form.getByLabel('c', { exact: true }).fill('5');
        await form.getByLabel('c', { exact: true }).press('Enter');
      });
      const [result] = await running;
      assert.deepEqual(result && rowsOf(result), [[5]]);
      await until(
        'The editor',
        () => vscode.window.activeTextEditor?.document === document || undefined,
      );
    } finally {
      await settings.update('results.location', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

describe('the time range of a file', () => {
  it('is that of its line, which the status bar shows and a choice changes', async () => {
    const { document } = await openApl('// range: 3 days\n\nprint$0 1\n');
    const [result] = await resultsOf('aplomb.runQuery');
    assert.equal(result?.rangeLabel, 'last 3 days');
    const inStatusBar = (label: string, icon: string) =>
      withWindow((page) =>
        page
          .locator('.statusbar-item', { hasText: label })
          .and(page.locator(`:has(.codicon-${icon})`))
          .waitFor(),
      );
    await inStatusBar('Last 3 days', 'file');
    assert.equal(
      await vscode.commands.executeCommand('aplomb.setTimeRange', 'yesterday'),
      'yesterday',
    );
    assert.equal(document.getText(), '// range: yesterday\n\nprint 1\n');
    const [again] = await resultsOf('aplomb.runQuery');
    assert.equal(again?.rangeLabel, 'yesterday');
    assert.equal((await runQuery('print 1')).rangeLabel, 'last 1 hour');
    await inStatusBar('Last 1 hour', 'clock');
  });

  it('that is not valid fails the run with the reason', async () => {
    await openApl('// range: 5 parsecs\nprint$0 1\n');
    const end = await endOf('aplomb.runQuery');
    assert.ok(end.kind === 'failed');
    assert.match(end.message, /"\/\/ range: 5 parsecs", is not valid\. "parsecs" is not a unit/);
  });

  it('is in the time zone of the setting', async () => {
    const settings = vscode.workspace.getConfiguration('aplomb');
    await settings.update('results.timeZone', 'local', vscode.ConfigurationTarget.Global);
    try {
      await openApl('// range: 2026-01-31 08:00 to 09:30\nprint$0 1\n');
      const [result] = await resultsOf('aplomb.runQuery');
      assert.equal(result?.rangeLabel, '2026-01-31 08:00 to 09:30 (local)');
    } finally {
      await settings.update('results.timeZone', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

describe('the last queries', () => {
  it('are there after a reload of the window', async () => {
    const { document } = await openApl('print$0 n = 9007199254740993\n');
    await vscode.commands.executeCommand('aplomb.runQuery');
    const [query] = new LastQueries(context().extension.workspaceState).value;
    assert.equal(query?.text, 'print n = 9007199254740993');
    assert.equal(query?.place?.uri.toString(), document.uri.toString());
    assert.equal(query?.statesColumnOrder, true);
  });
});

describe('the rows of each stage', () => {
  const apl =
    'datatable (n: long) [1, 2, 3, 4, 5]\n| where n > 1 // some\n| where n > 2 | take$0 2\n| where n > 9\n';

  /** What is written after the lines of the editor. */
  const notes = () =>
    withWindow(async (page) => {
      const found = page.locator('.monaco-editor [class*="ced-"]');
      return found.evaluateAll((nodes) =>
        nodes
          .map((node) => getComputedStyle(node, '::after').content.replaceAll('"', ''))
          .filter((text) => /\d/.test(text)),
      );
    });

  it('are written at the ends of the lines until the next edit', async () => {
    const editor = await openApl(apl);
    assert.deepEqual(await vscode.commands.executeCommand('aplomb.countRows'), [5, 4, 3, 2, 0]);
    const shown = await until('The numbers', async () => {
      const found = await notes();
      return found.length >= 4 ? found : undefined;
    });
    assert.deepEqual([...new Set(shown)].sort(), ['2 → 0', '4 → 3 → 2', '5', '5 → 4']);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    await until('The lines without numbers', async () =>
      (await notes()).length === 0 ? true : undefined,
    );
  });

  it('are offered where a query leaves no rows', async () => {
    const file = await workspaceFile('staged.ndjson', '{"n":1}\n{"n":2}\n');
    await vscode.commands.executeCommand('aplomb.ingestFiles', [file], 'staged');
    await openApl('staged\n| where n > 0\n| where n$0 > 5\n| take 10\n');
    await vscode.commands.executeCommand('aplomb.runQuery');
    const action = await until('The offer', () => {
      const state = context().tabs.active?.state;
      return state?.kind === 'result' ? state.hint?.actions[0] : undefined;
    });
    assert.equal(action.label, 'Count Rows per Stage');
    const counts = await vscode.commands.executeCommand(
      action.command,
      ...(action.arguments ?? []),
    );
    assert.deepEqual(counts, [2, 2, 0, 0]);
  });
});

describe('the rows past a limit', () => {
  it('are loaded by a button of the results', async () => {
    const count = 1_500;
    const lines = Array.from({ length: count }, (_, n) => `{"n":${n}}`);
    const file = await workspaceFile('paged.ndjson', lines.join('\n'));
    await vscode.commands.executeCommand('aplomb.ingestFiles', [file], 'paged');
    await openApl('paged$0 | where n >= 0\n');
    const end = await endOf('aplomb.runQuery');
    assert.ok(end.kind === 'result' && end.head.tables[0]?.rowCount === 1_000);
    await withWindow(async (page) => {
      await readResults(page);
      await clickInResults(page, 'Load More Rows');
    });
    await until('All rows', () => {
      const head = context().store.get(end.answer)?.head;
      return head?.tables[0]?.rowCount === count || undefined;
    });
    // There is nothing more to load.
    await withWindow((page) =>
      readResults(page, ({ status }) => status.some((part) => part.startsWith('1,500 rows'))),
    );
  });
});

describe('runs at once', () => {
  const name = 'Slow';
  let service: TestService;

  before(async () => {
    service = await startService();
    await vscode.extensions.getExtension('aplomb.aplomb')?.activate();
    const settings = vscode.workspace.getConfiguration('aplomb');
    const entries = [{ name, url: service.url }];
    await settings.update('deployments', entries, vscode.ConfigurationTarget.Global);
    await context().deployments.credentials.store([service.url], name, 'xaat-slow-service');
    await vscode.commands.executeCommand('aplomb.selectDeployment', name);
  });
  after(async () => {
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    const settings = vscode.workspace.getConfiguration('aplomb');
    await settings.update('deployments', undefined, vscode.ConfigurationTarget.Global);
    service.server.closeAllConnections();
    service.server.close();
  });

  const run = () => vscode.commands.executeCommand<FinishedRun[]>('aplomb.runQuery');
  const running = (count: number) =>
    until(`${count} runs`, () => context().runner.running.length === count || undefined);
  const asked = (text: string) =>
    until(`The query ${text}`, () => service.asked.findLast(({ apl }) => apl?.includes(text)));

  it('each have their tab; a second run of a query replaces the first', async () => {
    const editor = await openApl('print slow = 1\n\nprint slow = 2\n\nprint n = 3\n');
    const cursor = (line: number) => {
      editor.selection = new vscode.Selection(line, 0, line, 0);
    };
    const { timeRange } = context();
    const before = timeRange.value;
    await vscode.commands.executeCommand('aplomb.setTimeRange', '1h');
    cursor(0);
    const first = run();
    const sentFirst = await asked('slow = 1');
    cursor(2);
    const second = run();
    await asked('slow = 2');
    await running(2);
    cursor(4);
    assert.equal((await run())[0]?.end.kind, 'result');
    assert.equal(context().runner.running.length, 2);
    cursor(0);
    await vscode.commands.executeCommand('aplomb.setTimeRange', '2h');
    const again = run();
    const [replaced] = await first;
    assert.deepEqual([replaced?.end.kind, replaced?.rangeLabel], ['cancelled', 'last 1 hour']);
    const state = context().tabs.active?.state;
    assert.ok(state?.kind === 'running' && state.rangeLabel === 'last 2 hours');
    await until('The end of its connection', () => sentFirst.closed || undefined);
    await running(2);
    await vscode.commands.executeCommand('aplomb.cancelQuery');
    assert.deepEqual(
      [await again, await second].map(([one]) => [one?.end.kind, one?.rangeLabel]),
      [
        ['cancelled', 'last 2 hours'],
        ['cancelled', 'last 1 hour'],
      ],
    );
    await timeRange.set(before);
    const uri = editor.document.uri.toString();
    const tabs = context().tabs.tabs.filter(({ query }) => query.place?.uri === uri);
    assert.deepEqual(
      tabs.map(({ title, state }) => [title, state.kind]),
      [
        ['print slow = 1', 'cancelled'],
        ['print slow = 2', 'cancelled'],
        ['print n = 3', 'result'],
      ],
    );
  });

  it('keep the result before them, which a cancel by the keyboard brings back', async () => {
    await openApl('print slow$0 = 3\n');
    service.holding = false;
    assert.equal((await run())[0]?.end.kind, 'result');
    service.holding = true;
    const before = context().tabs.active;
    assert.ok(before?.state.kind === 'result');
    await withWindow(async (page) => {
      await focusEditor(page, 'Untitled');
      await page.keyboard.press('Shift+Enter');
      const stop = page.locator('.editor-actions .codicon-debug-stop');
      await stop.waitFor();
      await page.locator('.statusbar-item', { hasText: /^\s*\d+\.\d s$/ }).waitFor();
      await running(1);
      const state = context().tabs.active?.state;
      assert.deepEqual(state && settledIn(state), before.state);
      assert.equal(state?.kind, 'running');
      await page.keyboard.press('Shift+Escape');
      await running(0);
      await stop.waitFor({ state: 'detached' });
    });
    const after = context().tabs.active?.state;
    assert.ok(after?.kind === 'cancelled' && after.elapsed > 0);
    assert.deepEqual(after.previous, before.state);
  });

  it('are cancelled in the results, by a button and by Escape', async () => {
    await openApl('print slow$0 = 4\n');
    for (const cancel of ['button', 'Escape']) {
      const cancelled = run();
      await running(1);
      await withWindow(async (page) => {
        const button = await until('The button in the results', async () => {
          for (const frame of page.frames()) {
            const found = frame.locator('#app button', { hasText: 'Cancel' });
            if ((await found.count().catch(() => 0)) > 0) return { found: found.first() };
          }
          return undefined;
        });
        if (cancel === 'button') return button.found.click();
        await button.found.focus();
        return button.found.press('Escape');
      });
      assert.equal((await cancelled)[0]?.end.kind, 'cancelled', cancel);
    }
  });

  it('are cancelled by a click in the status bar, and the waiting ones never start', async () => {
    const queries = Array.from({ length: 6 }, (_, n) => `print slow = 10${n}`);
    await openApl(`${queries.join('\n\n')}\n`);
    const all = vscode.commands.executeCommand<FinishedRun[]>('aplomb.runAllQueries');
    await running(4);
    const asked = () => service.asked.filter(({ apl }) => apl?.includes('slow = 10')).length;
    await until('The four requests', () => asked() === 4 || undefined);
    await withWindow((page) =>
      page.locator('.statusbar-item a', { hasText: /4 queries, \d+\.\d s/ }).click(),
    );
    assert.deepEqual(
      (await all).map(({ end }) => end.kind),
      ['cancelled', 'cancelled', 'cancelled', 'cancelled'],
    );
    assert.equal(asked(), 4);
  });

  it('end with their tab', async () => {
    await openApl('print slow$0 = 5\n');
    const closing = run();
    await running(1);
    const { tabs } = context();
    tabs.close(tabs.active?.id ?? '');
    assert.equal((await closing)[0]?.end.kind, 'cancelled');
  });
});
