// Dashboards and monitors as pages in VS Code, over the real local deployment: thirty charts are answered with no more
// requests at once than the setting allows while host and page stay responsive, a monitor is tested against data, and
// a result is added to a dashboard that somebody else changes.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { DashboardSession } from '../../../client/src/boards/host/dashboardSession.ts';
import type { MonitorSession } from '../../../client/src/boards/host/monitorSession.ts';
import { boardFrame } from '../boardFrame.ts';
import { runQuery, until } from '../editing.ts';
import { askLocal } from '../local.ts';
import { picture } from '../notebookPages.ts';
import { leaveWindow, withWindow } from '../window.ts';

const dataset = 'board-events';
const minute = 60_000;
const count = 30;

/** Two hours of events that end now: every half hour, one minute has many errors. */
async function ingestEvents(): Promise<void> {
  const end = Math.floor(Date.now() / minute) * minute;
  const events = Array.from({ length: 120 * 20 }, (_, index) => {
    const step = Math.floor(index / 20);
    const isBad = step % 30 === 10 && index % 20 < 12;
    return {
      _time: new Date(end - (120 - step) * minute + (index % 20) * 1_000).toISOString(),
      status: isBad ? 500 : 200,
      host: `web-${index % 3}`,
      duration: ((index * 37) % 400) / 2,
      message: `request ${index}`,
    };
  });
  await askLocal('POST', '/v2/datasets', { name: dataset, description: '' }).catch(() => undefined);
  await askLocal('POST', `/v1/ingest/${dataset}`, events);
}

const queries = [
  ['TimeSeries', `['${dataset}'] | summarize count() by bin(_time, 5m), host`],
  ['Statistic', `['${dataset}'] | summarize avg(duration)`],
  ['TopK', `['${dataset}'] | summarize count() by host`],
  ['Pie', `['${dataset}'] | summarize count() by status = tostring(status)`],
  ['Table', `['${dataset}'] | where status >= 500 | project _time, host, message | limit 20`],
  ['Heatmap', `['${dataset}'] | summarize count() by bin(_time, 10m), host`],
] as const;

const dashboard = {
  name: 'Thirty charts',
  refreshTime: 60,
  schemaVersion: 2,
  timeWindowStart: 'qr-now-2h',
  timeWindowEnd: 'qr-now',
  charts: Array.from({ length: count }, (_, index) => {
    const [type, apl] = queries[index % queries.length] as (typeof queries)[number];
    return { id: `chart-${index}`, type, name: `${type} ${index + 1}`, query: { apl } };
  }),
  layout: Array.from({ length: count }, (_, index) => ({
    i: `chart-${index}`,
    x: (index % 3) * 4,
    y: Math.floor(index / 3) * 4,
    w: 4,
    h: 4,
  })),
};

/** A line of the report of the suites. */
function report(line: string): void {
  const file = process.env.APLOMB_REPORT;
  if (file) appendFileSync(file, `      ${line}\n`);
}

describe('dashboards and monitors as pages', () => {
  before(async () => {
    await vscode.commands.executeCommand('aplomb.startLocal');
    await runQuery("print 'started'");
    await ingestEvents();
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens thirty charts, four requests at once, and stays responsive', async () => {
    await askLocal('POST', '/v2/dashboards', { uid: 'thirty', dashboard });
    const time = new Date(Date.now() - 40 * minute).toISOString();
    const annotation = { datasets: [dataset], type: 'deploy', title: 'Deployed 2.4', time };
    await askLocal('POST', '/v2/annotations', annotation);
    // What follows the window from this process would be measured too.
    await leaveWindow();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const started = performance.now();
    const session = await vscode.commands.executeCommand<DashboardSession>(
      'aplomb.openDashboardPage',
      { kind: 'dashboards', id: 'thirty', name: 'Thirty charts', note: '' },
    );
    assert.ok(session);
    let most = 0;
    await until('All answers', () => {
      most = Math.max(most, session.page.queue.running);
      const { states } = session.page.cards;
      return (
        (states.length === count && states.every(({ phase }) => phase === 'ready')) || undefined
      );
    });
    const answered = performance.now() - started;
    delay.disable();
    assert.ok(most <= 4, `${most} at once`);
    await withWindow(async (page) => {
      // It has the height that the results of the query before took.
      await page.locator('.part.panel').waitFor({ state: 'hidden' });
      const frame = await boardFrame(page, '.board-grid .plot[aria-label]');
      const tasks = await frame.evaluate(
        () =>
          new Promise<number[]>((resolve) => {
            const found: number[] = [];
            new PerformanceObserver((list) => {
              for (const { duration } of list.getEntries()) found.push(duration);
            }).observe({ type: 'longtask', buffered: true });
            const scroll = document.querySelector('.board-scroll') as HTMLElement;
            let top = 0;
            const timer = setInterval(() => {
              top += 150;
              scroll.scrollTop = top;
              if (top < scroll.scrollHeight) return;
              clearInterval(timer);
              setTimeout(() => resolve(found), 1_500);
            }, 60);
          }),
      );
      const drawn = await frame.locator('.card-answer > *').count();
      assert.equal(drawn, count);
      const longest = Math.max(0, ...tasks);
      report(
        `Thirty charts: ${answered.toFixed(0)} ms to all answers; longest block of the host ${(delay.max / 1e6).toFixed(0)} ms, of the page ${longest.toFixed(0)} ms.`,
      );
      // A page that draws all at once, or a host that reads all answers at once, is blocked for most of the time.
      const all = tasks.reduce((sum, task) => sum + task, 0);
      assert.ok(
        longest < Math.max(200, all / 3),
        `The page was blocked for ${longest} of ${all} ms.`,
      );
      const blocked = delay.max / 1e6;
      assert.ok(blocked < answered / 3, `The host was blocked for ${blocked} of ${answered} ms.`);
      await frame.evaluate(() => document.querySelector('.board-scroll')?.scrollTo(0, 0));
      await picture(page, 'dashboard');
    });
  });

  it('opens the query of a chart with its range', async () => {
    await withWindow(async (page) => {
      const frame = await boardFrame(page, '.board-grid');
      await frame.locator('[data-card="chart-0"] .card-actions').getByLabel('Open Query').focus();
      await page.keyboard.press('Enter');
    });
    const text = await until('The query', () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.languageId === 'axiom-apl' && document.getText().includes('bin(_time, 5m)')
        ? document.getText()
        : undefined;
    });
    assert.match(text, /^\/\/ TimeSeries 1\n\/\/ range: last 2 hours\n\['board-events'\]/);
  });

  it('tests the latest runs of a monitor against data, with one query per run', async () => {
    const monitor = {
      name: 'Server errors',
      type: 'Threshold',
      aplQuery: `['${dataset}'] | where status >= 500 | summarize count() by host`,
      operator: 'Above',
      threshold: 2,
      intervalMinutes: 1,
      rangeMinutes: 1,
    };
    const { id } = (await askLocal('POST', '/v2/monitors', monitor)) as { id: string };
    const session = await vscode.commands.executeCommand<MonitorSession>('aplomb.openMonitorPage', {
      kind: 'monitors',
      id,
      name: monitor.name,
      note: '',
    });
    await withWindow(async (page) => {
      const frame = await boardFrame(page, '.monitor .rule');
      await frame.getByText("Alerts when 'count_' is above 2 for any host").waitFor();
      await frame.waitForSelector('.monitor-chart .plot[aria-label*=" series"]');
      await frame.getByLabel('Time range of the test').selectOption('6');
      await frame.getByRole('button', { name: 'Test against Data' }).click();
      await frame.getByText('would have sent').waitFor({ timeout: 60_000 });
      const { summary, runs } = session.test;
      assert.equal(summary[0], 'the latest 300 of 360 runs would have sent 4 alerts.');
      assert.match(summary.at(-1) ?? '', /at most 300 queries\.$/);
      assert.equal(runs.filter(({ level }) => level === 'fired').length, 4);
      await picture(page, 'monitor');
      await frame.getByRole('button', { name: 'Disable', exact: true }).click();
      await frame.getByRole('button', { name: 'Enable', exact: true }).waitFor();
    });
    const stored = (await askLocal('GET', `/v2/monitors/${id}`)) as { disabled?: boolean };
    assert.equal(stored.disabled, true);
    const document = { kind: 'monitors', id, name: monitor.name };
    await vscode.commands.executeCommand('aplomb.openResource', document);
    await withWindow((page) =>
      page.locator('.editor-actions').getByRole('button', { name: 'Open Monitor' }).click(),
    );
    await until('The page of the document', () => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      return tab?.input instanceof vscode.TabInputWebview && tab.label === monitor.name
        ? true
        : undefined;
    });
  });

  it('adds the result in view to a dashboard, over the version that is there', async () => {
    const apl = `['${dataset}'] | summarize added = count() by host`;
    await runQuery(apl);
    const added = vscode.commands.executeCommand('aplomb.addToDashboard');
    await withWindow(async (page) => {
      const step = async (title: string, text: string) => {
        await page.locator('.quick-input-widget', { hasText: title }).waitFor();
        await page.locator('.quick-input-widget input:visible').first().fill(text);
        await page.keyboard.press('Enter');
      };
      await step('Add to Dashboard', 'Thirty charts');
      await step('Name of the Chart', 'Events by host');
    });
    await added;
    await vscode.commands.executeCommand('aplomb.openDashboardPage', 'thirty');
    await withWindow(async (page) => {
      const frame = await boardFrame(page, '.board-grid');
      await frame.getByRole('heading', { name: 'Events by host' }).waitFor({ state: 'attached' });
    });
    const stored = (await askLocal('GET', '/v2/dashboards/uid/thirty')) as {
      version: number;
      dashboard: typeof dashboard;
    };
    assert.equal(stored.version, 2);
    const { charts, layout } = stored.dashboard;
    assert.deepEqual(charts.at(-1), {
      id: 'events-by-host',
      type: 'Table',
      name: 'Events by host',
      query: { apl },
    });
    assert.deepEqual(layout.at(-1), { i: 'events-by-host', x: 0, y: 40, w: 6, h: 4 });
    assert.deepEqual(charts.slice(0, -1), dashboard.charts);
  });
});
