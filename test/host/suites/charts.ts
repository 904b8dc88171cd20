// Charts of the sample data in the window: each kind from a query, and their pictures as files.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Frame } from 'playwright-core';
import * as vscode from 'vscode';
import { readResults } from '../../../scripts/host/driver.ts';
import {
  chartFrame,
  choose,
  complaintsDuring,
  loadSamples,
  paintedPixels,
  savePicture,
  seriesColors,
  showChart,
} from '../chartFrames.ts';
import { openApl, until, workspaceFile } from '../editing.ts';
import { withWindow } from '../window.ts';

const logs = "['sample-http-logs']";
const overTime = `${logs}\n| summarize requests = count() by bin_auto(_time), method`;
const slowest = `${logs}\n| summarize p50 = percentile(req_duration_ms, 50), p95 = percentile(req_duration_ms, 95) by bin_auto(_time)`;
const byHost = `${logs}\n| summarize requests_by_host = count() by host`;
const events = `${logs}\n| project _time, req_duration_ms, resp_size_bytes`;

interface Kind {
  readonly name: string;
  readonly apl: string;
  /** A column of its own, where the result begins as a table. */
  readonly column?: string;
  /** What is chosen where the kind is not the default. */
  readonly chosen?: readonly (readonly [tool: string, value: string])[];
  readonly description: RegExp;
}

const kinds: readonly Kind[] = [
  { name: 'bars', apl: overTime, description: /Stacked bar chart of \d series with \d+ times/ },
  {
    name: 'an area',
    apl: overTime,
    chosen: [['Style', 'area']],
    description: /Stacked area chart of \d series/,
  },
  { name: 'lines', apl: slowest, description: /Line chart of 2 series .*p95: / },
  {
    name: 'a statistic with its trend',
    apl: slowest,
    chosen: [['Chart', 'statistic']],
    description: /p50: [\d.]+.*; p95: [\d.]+/,
  },
  {
    name: 'a heatmap',
    apl: overTime,
    chosen: [['Chart', 'heatmap']],
    description: /Heatmap of \d+ rows by \d+ times/,
  },
  {
    name: 'a histogram over time',
    apl: `${logs}\n| summarize histogram(req_duration_ms, 12) by bin_auto(_time)`,
    description: /Heatmap of \d+ rows by \d+ times/,
  },
  {
    name: 'a top list',
    apl: byHost,
    column: 'requests_by_host',
    description: /Top list of requests_by_host\. .*web-/,
  },
  {
    name: 'a pie',
    apl: `${logs}\n| summarize gets = count() by host, method`,
    column: 'gets',
    chosen: [['Chart', 'pie']],
    description: /Pie chart of gets\. .*web-/,
  },
  {
    name: 'a scatter chart',
    apl: events,
    column: 'resp_size_bytes',
    chosen: [['Chart', 'scatter']],
    description: /Scatter chart of .* with 1,\d\d\d points/,
  },
  {
    name: 'statistics',
    apl: `${logs}\n| summarize requests = count(), slowest = max(req_duration_ms)`,
    column: 'slowest',
    description: /requests: 1,\d\d\d; slowest: /,
  },
  {
    name: 'a log stream',
    apl: "['sample-app-logs']",
    column: 'severity',
    description: /Log stream/,
  },
];

describe('charts of the sample data', () => {
  before(loadSamples);
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  for (const { name, apl, column, chosen = [], description } of kinds) {
    it(`draw ${name}`, async () => {
      await openApl(`${apl}\n`);
      await withWindow(async (page) => {
        const complaints = await complaintsDuring(page, async () => {
          await vscode.commands.executeCommand('aplomb.runQuery');
          if (column !== undefined) await showChart(page, column);
          let frame = await chartFrame(page, chosen.length > 0 ? /./ : description);
          const former: [tool: string, value: string][] = [];
          for (const [tool, value] of chosen) {
            former.push([tool, await frame.locator(`[data-tool="${tool}"]`).inputValue()]);
            await choose(frame, tool, value);
          }
          frame = await chartFrame(page, description);
          await frame.waitForTimeout(100);
          const painted = name === 'a log stream' ? 1_000 : await paintedPixels(frame);
          assert.ok(painted >= 500, `${painted} pixels`);
          // The choice is kept for a query of this title in an untitled file of this number.
          for (const [tool, value] of former) await choose(frame, tool, value);
        });
        assert.deepEqual(complaints, []);
      });
    });
  }

  it('begin as tables where the setting says so, and summaries otherwise as charts', async () => {
    const settings = vscode.workspace.getConfiguration('aplomb.results');
    await settings.update('chartsFirst', false, vscode.ConfigurationTarget.Global);
    try {
      await openApl(`${overTime}, status\n`);
      await vscode.commands.executeCommand('aplomb.runQuery');
      const { columns } = await withWindow((page) =>
        readResults(page, ({ columns }) => columns.includes('status')),
      );
      assert.deepEqual(columns, ['_time', 'method', 'status', 'requests']);
    } finally {
      await settings.update('chartsFirst', undefined, vscode.ConfigurationTarget.Global);
    }
    await openApl(`${overTime}, host\n`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    await withWindow((page) => chartFrame(page, /Stacked bar chart/));
  });

  it('keep the colors of series when the range and the ranks change and the panel was hidden', async () => {
    const { document } = await openApl(`${overTime}\n`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    const first = await withWindow(async (page) =>
      seriesColors(await chartFrame(page, /Stacked bar chart of \d series/)),
    );
    const [greatest = '', ...others] = Object.keys(first);
    assert.ok(others.length > 1, JSON.stringify(first));
    const edit = new vscode.WorkspaceEdit();
    const filtered = `${logs}\n| where method != '${greatest}'`;
    edit.replace(
      document.uri,
      new vscode.Range(0, 0, document.lineCount, 0),
      overTime.replace(logs, filtered),
    );
    await vscode.workspace.applyEdit(edit);
    await vscode.commands.executeCommand('aplomb.runQuery');
    const wanted = Object.fromEntries(Object.entries(first).slice(1));
    const ofOthers = new RegExp(`bar chart of ${others.length} series`);
    await withWindow(async (page) => {
      const frame = await chartFrame(page, ofOthers);
      assert.deepEqual(await seriesColors(frame), wanted);
      await vscode.commands.executeCommand('workbench.action.closePanel');
      await until('The page to be gone', () => frame.isDetached() || undefined);
      await vscode.commands.executeCommand('aplomb.results.focus');
      assert.deepEqual(await seriesColors(await chartFrame(page, ofOthers)), wanted);
    });
  });

  it('are saved as PNG and SVG, with title, range and legend', async () => {
    await openApl(`${overTime}\n`);
    await vscode.commands.executeCommand('aplomb.runQuery');
    const [png, svg] = await Promise.all(
      ['chart.png', 'chart.svg'].map((name) => workspaceFile(name, '')),
    );
    assert.ok(png && svg);
    for (const target of [png, svg]) await vscode.workspace.fs.delete(target);
    await withWindow(async (page) => {
      const frame: Frame = await chartFrame(page, /Stacked/);
      await savePicture(page, frame, 'Save as PNG…', png.fsPath);
      const bytes = await until('The PNG', () => readFile(png.fsPath).catch(() => undefined));
      assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
      await savePicture(page, frame, 'Save as SVG on White…', svg.fsPath);
      const text = await until('The SVG', () =>
        readFile(svg.fsPath, 'utf8').catch(() => undefined),
      );
      for (const part of ['sample-http-logs', 'DELETE', 'fill="#ffffff"'])
        assert.ok(text.includes(part), part);
      assert.match(text, /\d{4}-\d\d-\d\d \d\d:\d\d[^<]* – [^<]*\d\d:\d\d[^<]*, UTC/);
    });
  });
});
