// Charts as a way back in the window: to the range, the filters, annotations, monitors and earlier spans.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';
import { fillInput, treeRow } from '../../../scripts/host/driver.ts';
import { chartFrame, choose, drag, drawnText, loadSamples } from '../chartFrames.ts';
import { context, openApl, until } from '../editing.ts';
import { askLocal } from '../local.ts';
import { startService, type TestService } from '../service.ts';
import { withWindow } from '../window.ts';

const logs = "['sample-http-logs']";
const overTime = `${logs}\n| summarize requests = count() by bin_auto(_time), method`;

const runQuery = () => vscode.commands.executeCommand('aplomb.runQuery');
const shownRange = () => {
  const { active } = context().tabs;
  return active?.state.kind === 'result'
    ? context().store.get(active.state.answer)?.about.rangeLabel
    : undefined;
};
const rangeShown = (wanted: RegExp) =>
  until(`A result of the range ${wanted}`, () => {
    const found = shownRange();
    return found !== undefined && wanted.test(found) ? found : undefined;
  });
const inStatusBar = (page: Page, text: string) =>
  page.locator('.statusbar-item', { hasText: new RegExp(text, 'i') }).waitFor();
const becomes = (document: vscode.TextDocument, wanted: RegExp) =>
  until(`A text that matches ${wanted}`, () => wanted.test(document.getText()) || undefined);

describe('a chart as a way back', () => {
  before(loadSamples);
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('sets the range of a file by a drag and by Zoom Out, not that of the window, and goes back by the button and by Alt+Left', async () => {
    await openApl(`${overTime}\n`);
    await runQuery();
    assert.equal(shownRange(), 'last 2 hours');
    await withWindow(async (page) => {
      for (const back of ['button', 'Alt+Left']) {
        await drag(page, await chartFrame(page, /Stacked/), 0.55, 0.9);
        const chosen = await rangeShown(/^\d{4}-\d\d-\d\d \d\d:\d\d.* to /);
        await inStatusBar(page, chosen);
        assert.equal(context().timeRange.value.start.kind, 'ago');
        const frame = await chartFrame(page, /Stacked/);
        await frame.locator('.back').waitFor();
        if (back === 'button') await frame.click('.back');
        else {
          await frame.locator('.plot').focus();
          await page.keyboard.press('Alt+ArrowLeft');
        }
        await rangeShown(/^last 2 hours$/);
        await inStatusBar(page, 'last 2 hours');
        await frame.locator('.back').waitFor({ state: 'detached' });
      }
      const frame = await chartFrame(page, /Stacked/);
      await frame.getByRole('button', { name: 'Zoom Out' }).focus();
      await page.keyboard.press('Enter');
      const [from, to] = (await rangeShown(/^\d{4}-\d\d-\d\d \d\d:\d\d.* to /)).split(' to ');
      assert.ok(from && to);
      await frame.locator('.back').waitFor();
      // Another file is where the window is.
      await openApl('print 1\n');
      await inStatusBar(page, 'last 2 hours');
    });
  });

  it('changes the line of a file that states its range, which can be undone', async () => {
    const { document } = await openApl(`// range: 2h\n\n${overTime.replace('logs', 'logs$0')}\n`);
    const before = document.getText();
    await runQuery();
    await withWindow(async (page) => {
      await drag(page, await chartFrame(page, /Stacked/), 0.9, 0.55);
      const chosen = await rangeShown(/^\d{4}-/);
      await becomes(document, /^\/\/ range: \d{4}-\d\d-\d\d .* to .*\n\n/);
      assert.ok(document.getText().startsWith(`// range: ${chosen}\n`), document.getText());
      assert.equal(context().timeRange.value.start.kind, 'ago');
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), before);
    });
  });

  it('adds the filter of a series of the legend', async () => {
    const { document } = await openApl(`${overTime}\n`);
    await runQuery();
    await withWindow(async (page) => {
      const frame = await chartFrame(page, /Stacked/);
      await frame.getByRole('button', { name: 'Add POST as filter' }).focus();
      await page.keyboard.press('Enter');
      await becomes(document, /\]\n\| where method == 'POST'\n\| summarize/);
      await frame.locator('.status', { hasText: "Filtered by method == 'POST'" }).waitFor();
    });
  });

  it('stores an annotation of a span and draws it, with the threshold of a monitor of the query', async () => {
    const monitor = {
      name: 'Too many requests',
      type: 'Threshold',
      aplQuery: overTime.replace('\n', '   \n\n'),
      operator: 'Above',
      threshold: 17,
      intervalMinutes: 5,
      rangeMinutes: 5,
    };
    const { id } = (await askLocal('POST', '/v2/monitors', monitor)) as { id: string };
    try {
      await openApl(`${overTime}\n`);
      await runQuery();
      await withWindow(async (page) => {
        const frame = await chartFrame(page, /Stacked/);
        await page.keyboard.down('Shift');
        await drag(page, frame, 0.6, 0.8);
        await page.keyboard.up('Shift');
        const asked = /What happened\? \d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? to .* UTC/;
        await page.locator('.quick-input-widget', { hasText: asked }).waitFor();
        await fillInput(page, 'Add Annotation to sample-http-logs', 'Deployed 2.4');
        const [stored] = await until('The annotation', async () => {
          const listed = (await askLocal('GET', '/v2/annotations')) as Record<string, unknown>[];
          const found = listed.filter(({ title }) => title === 'Deployed 2.4');
          return found.length > 0 ? found : undefined;
        });
        assert.deepEqual(stored?.datasets, ['sample-http-logs']);
        assert.ok(String(stored?.time) < String(stored?.endTime), JSON.stringify(stored));
        const text = await until('The annotation in the chart', async () => {
          const drawn = await drawnText(page, frame);
          return drawn.includes('Deployed 2.4') ? drawn : undefined;
        });
        assert.ok(text.includes('Too many requests 17'));
        await vscode.commands.executeCommand('aplomb.annotations.focus');
        await treeRow(page, 'Annotations', 'Deployed 2.4');
      });
    } finally {
      await askLocal('DELETE', `/v2/monitors/${id}`);
    }
  });

  it('adds an annotation of a range that is typed', async () => {
    await openApl(`${overTime}\n`);
    await runQuery();
    const done = vscode.commands.executeCommand('aplomb.addAnnotation');
    await withWindow(async (page) => {
      await fillInput(page, 'Add Annotation: Time Range', 'soon');
      await page.locator('.quick-input-widget', { hasText: '"soon"' }).waitFor();
      await fillInput(page, 'Add Annotation: Time Range', 'last 10m');
      await fillInput(page, 'Add Annotation to sample-http-logs', 'Slow disks');
    });
    await done;
    const listed = (await askLocal('GET', '/v2/annotations')) as Record<string, string>[];
    const one = listed.find(({ title }) => title === 'Slow disks');
    assert.equal(Date.parse(one?.endTime ?? '') - Date.parse(one?.time ?? ''), 600_000);
    for (const { title, id } of listed) {
      if (title !== 'v2') await askLocal('DELETE', `/v2/annotations/${id}`);
    }
  });

  it('draws the same query over an earlier span, with the difference in the legend', async () => {
    await openApl(`${overTime}\n`);
    await vscode.commands.executeCommand('aplomb.setTimeRange', 'last 30m');
    await runQuery();
    await withWindow(async (page) => {
      const frame = await chartFrame(page, /Stacked/);
      const done = vscode.commands.executeCommand('aplomb.compareWithEarlier');
      const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Other' });
      await row.click();
      await fillInput(page, 'How much earlier?', '30m');
      await done;
      await frame.getByRole('columnheader', { name: 'Difference' }).waitFor();
      const [get] = await frame.locator('.legend tr', { hasText: 'GET' }).allInnerTexts();
      assert.match(get ?? '', /[+-]\d+ \([+-]?[\d.]+%\)/);
      await choose(frame, 'Compare', '');
      await frame.getByRole('columnheader', { name: 'Difference' }).waitFor({ state: 'detached' });
    });
  });
});

describe('a comparison', () => {
  const name = 'Slow charts';
  let service: TestService;

  before(async () => {
    service = await startService();
    const minute = 60_000;
    const start = Math.floor(Date.now() / minute) * minute - 30 * minute;
    const times = Array.from({ length: 30 }, (_, at) => new Date(start + at * minute));
    service.result = {
      format: 'tabular',
      status: { elapsedTime: 1, rowsExamined: 1, rowsMatched: 1, isPartial: false },
      datasetNames: ['slow'],
      tables: [
        {
          name: '0',
          fields: [
            { name: '_time', type: 'datetime' },
            { name: 'count_', type: 'integer', agg: { name: 'count' } },
          ],
          groups: [{ name: '_time' }],
          buckets: { field: '_time', size: minute * 1e6 },
          columns: [times, times.map((_, at) => at + 1)],
        },
      ],
    };
    const settings = vscode.workspace.getConfiguration('aplomb');
    const entries = [{ name, url: service.url }];
    await settings.update('deployments', entries, vscode.ConfigurationTarget.Global);
    await context().deployments.credentials.store([service.url], name, 'xaat-slow-charts');
    await vscode.commands.executeCommand('aplomb.selectDeployment', name);
  });

  after(async () => {
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    const settings = vscode.workspace.getConfiguration('aplomb');
    await settings.update('deployments', undefined, vscode.ConfigurationTarget.Global);
    service.server.closeAllConnections();
    service.server.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is a second query that is seen, cancelled, and asked again with each run', async () => {
    const apl = "['slow'] | summarize count() by bin(_time, 1m)";
    await openApl(`${apl}\n`);
    service.holding = false;
    await runQuery();
    const queries = () => service.asked.filter((one) => one.apl === apl);
    await until('The query', () => queries().length === 1 || undefined);
    service.holding = true;
    await withWindow(async (page) => {
      const frame = await chartFrame(page, /Bar chart of 1 series/);
      await choose(frame, 'Compare', '60');
      await page.locator('.statusbar-item', { hasText: 'Comparing with 1 hour earlier' }).waitFor();
      await frame.locator('.chart-notices', { hasText: 'Comparing with 1 hour earlier' }).waitFor();
      const second = await until('The second query', () => queries()[1]);
      const [first] = queries();
      assert.notEqual(second.startTime, first?.startTime);
      assert.ok(Date.parse(second.startTime ?? '') < Date.now() - 60 * 60_000, second.startTime);
      await vscode.commands.executeCommand('aplomb.cancelQuery');
      await until('The end of its connection', () => second.closed || undefined);
      await frame.locator('.chart-notices', { hasText: 'Cancelled.' }).waitFor();

      service.holding = false;
      await choose(frame, 'Compare', '');
      await choose(frame, 'Compare', '60');
      await frame.getByRole('columnheader', { name: '1 hour earlier' }).waitFor();
      const total = await frame.locator('.legend tbody tr').first().innerText();
      assert.match(total, /465/);

      // The next run is compared as well, and both end together.
      await runQuery();
      const again = await until('The query and its comparison', () => {
        const all = queries();
        return all.length === 5 ? all : undefined;
      });
      assert.ok(again[4] && again[3] && again[4].startTime !== again[3].startTime);
      service.holding = true;
      const running = runQuery();
      await until('The run', () => queries().length === 6 || undefined);
      await vscode.commands.executeCommand('aplomb.cancelQuery');
      await running;
      await until('The end of all', () => queries().every(({ closed }) => closed) || undefined);
      assert.equal(context().runner.running.length, 0);
      assert.equal(queries().length, 6);
    });
  });
});
