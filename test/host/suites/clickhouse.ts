// The extension on a deployment that keeps its events in ClickHouse, which the tests of test/engines/ start. The suite
// adds the deployment by its address, and uses it as it would use any other.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TabId } from '../../../client/src/answers/tabs.ts';
import type { FinishedRun } from '../../../client/src/query/runner.ts';
import { fillInput, readResults, treeRow } from '../../../scripts/host/driver.ts';
import { boardFrame } from '../boardFrame.ts';
import { chartFrame, paintedPixels } from '../chartFrames.ts';
import {
  completions,
  context,
  endOf,
  openApl,
  problem,
  rowsArrive,
  rowsOf,
  runQuery,
  until,
  workspaceFile,
} from '../editing.ts';
import { ask } from '../otherDeployment.ts';
import { inThemes } from '../themes.ts';
import { withWindow } from '../window.ts';

const other = JSON.parse(process.env.APLOMB_OTHER ?? '{}') as {
  readonly url: string;
  readonly token: string;
  /** The address of ClickHouse. */
  readonly clickhouse: string;
};

const minute = 60_000;
const dataset = 'web-requests';
const eventCount = 2_400;

/** Two hours of events that end now, in a file. */
function events(): string {
  const end = Math.floor(Date.now() / minute) * minute;
  return Array.from({ length: eventCount }, (_, index) => {
    const time = end - 120 * minute + index * 3_000;
    const event = {
      _time: new Date(time).toISOString(),
      status: index % 40 === 7 ? 503 : 200,
      host: `web-${index % 3}`,
      'request.path': ['/', '/cart', '/checkout', '/zürich'][index % 4],
      duration_ms: ((index * 37) % 400) / 2,
      trace_id: `${index}`.padStart(32, '0'),
    };
    return `${JSON.stringify(event)}\n`;
  }).join('');
}

const send = (method: string, path: string, body?: unknown) => ask(other, method, path, body);

/** Returns the rows of a statement as ClickHouse itself answers it. */
async function askClickHouse(sql: string): Promise<string> {
  const answer = await fetch(other.clickhouse, { method: 'POST', body: sql });
  assert.ok(answer.ok);
  return (await answer.text()).trim();
}

/** A join with so many pairs that it runs until it is cancelled. */
const endless = `print a = range(1, 200000, 1), key = 1
| mv-expand a to typeof(long)
| join kind=inner (print b = range(1, 200000, 1), key = 1 | mv-expand b to typeof(long)) on key
| where (a * b) % 1000003 == 7
| summarize count()`;

const dashboard = {
  name: 'Requests on ClickHouse',
  refreshTime: 60,
  schemaVersion: 2,
  timeWindowStart: 'qr-now-2h',
  timeWindowEnd: 'qr-now',
  charts: [
    ['TimeSeries', 'Requests', 'summarize count() by bin(_time, 5m), host'],
    ['Statistic', 'Slowest', 'summarize max(duration_ms)'],
    ['TopK', 'Paths', "summarize count() by ['request.path']"],
    ['Pie', 'Status', 'summarize count() by status = tostring(status)'],
    ['Table', 'Errors', 'where status >= 500 | project _time, host, duration_ms | limit 20'],
    ['Heatmap', 'Durations', 'summarize histogram(duration_ms, 10) by bin(_time, 10m)'],
  ].map(([type, name, apl], index) => ({
    ...{ id: `chart-${index}`, type, name },
    query: { apl: `['${dataset}'] | ${apl}` },
  })),
  layout: Array.from({ length: 6 }, (_, index) => ({
    ...{ i: `chart-${index}`, w: 4, h: 4 },
    ...{ x: (index % 3) * 4, y: Math.floor(index / 3) * 4 },
  })),
};

describe('a deployment on ClickHouse', () => {
  before(async () => {
    await vscode.extensions.getExtension('aplomb.aplomb')?.activate();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('aplomb.selectDeployment', 'Local');
    await vscode.workspace
      .getConfiguration('aplomb')
      .update('deployments', undefined, vscode.ConfigurationTarget.Global);
  });

  it('is added with its address and a token', async () => {
    const added = vscode.commands.executeCommand('aplomb.addDeployment');
    await withWindow(async (page) => {
      await fillInput(page, 'Add Deployment: Region', 'Other address');
      await fillInput(page, 'URL of the API', other.url);
      await fillInput(page, 'URL of the edge deployment', `${other.url}/edge/us-east-1`);
      await fillInput(page, 'Add Deployment: Name', 'Team');
      await fillInput(page, 'Add Deployment: Production', 'No');
      await fillInput(page, 'Add Deployment: Token', other.token);
    });
    assert.equal(await added, 'Team');
    assert.equal(context().deployments.active.name, 'Team');
  });

  it('stores the events of a file in ClickHouse', async () => {
    const file = await workspaceFile('requests.ndjson', events());
    await vscode.commands.executeCommand('aplomb.ingestFiles', [file], dataset);
    assert.equal(
      await askClickHouse(`SELECT count() FROM aplomb."${dataset}"`),
      String(eventCount),
    );
    await vscode.commands.executeCommand('aplomb.setTimeRange', 'last 3h');
    await withWindow(async (page) => {
      await vscode.commands.executeCommand('aplomb.datasets.focus');
      await treeRow(page, 'Datasets', dataset);
    });
  });

  it('offers the fields of the dataset in completion, and marks those that are missing', async () => {
    const editor = await openApl(`['${dataset}']\n| where $0`);
    const offered = await until('The fields', async () => {
      const found = await completions(editor);
      return found.has('request.path') ? found : undefined;
    });
    assert.ok(offered.has('duration_ms') && offered.has('trace_id'));
    const { document } = await openApl(`['${dataset}']\n| where durations > 1`);
    await problem(document, /durations/);
  });

  it('answers with rows, and with the numbers of a query', async () => {
    const counted = await runQuery(
      `['${dataset}']\n| summarize requests = count(), slowest = max(duration_ms) by status\n| sort by status asc`,
    );
    const errors = eventCount / 40;
    assert.deepEqual(
      rowsOf(counted).map(([status, requests]) => [status, requests]),
      [
        [200, eventCount - errors],
        [503, errors],
      ],
    );
    const found = await runQuery(`['${dataset}']\n| search "zürich"\n| sort by _time desc`);
    assert.equal(found.tables[0]?.rowCount, eventCount / 4);
    await withWindow(async (page) => {
      await readResults(page, ({ columns }) => columns.includes('trace_id'));
      await inThemes(page, 'clickhouse-results');
    });
  });

  it('names the function that it cannot compute, at its place', async () => {
    await openApl(
      `['${dataset}']\n| summarize series = make_list(duration_ms)\n| extend fft = series_fft(series)`,
    );
    const end = await endOf('aplomb.runQuery');
    assert.equal(end.kind, 'failed');
    assert.match(JSON.stringify(end), /series_fft/);
    const document = vscode.window.activeTextEditor!.document;
    const { range } = await problem(document, /ClickHouse/);
    assert.equal(document.getText(range).startsWith('series_fft'), true);
    await withWindow((page) => inThemes(page, 'clickhouse-refused'));
  });

  it('shows the plan of a query with the SQL of ClickHouse', async () => {
    await openApl(`['${dataset}']\n| summarize planned = count() by host`);
    await vscode.commands.executeCommand('aplomb.showPlanWithTimings');
    const plan = await until('The plan', () =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'aplomb-plan'),
    );
    assert.match(plan.getText(), /^-- SQL\nSELECT /m);
    assert.match(plan.getText(), /^-- ClickHouse: .*\n--\n--/m);
    assert.match(plan.getText(), /^-- .*toInt64\(count\(\)\)/m);
    // The page of the dashboard draws only charts in view, so it needs the full width.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('draws a chart', async () => {
    await openApl(
      `['${dataset}']\n| summarize p50 = percentile(duration_ms, 50), p95 = percentile(duration_ms, 95) by bin_auto(_time)`,
    );
    await vscode.commands.executeCommand('aplomb.runQuery');
    await withWindow(async (page) => {
      const frame = await chartFrame(page, /Line chart of 2 series/);
      assert.ok((await paintedPixels(frame)) >= 500);
      await inThemes(page, 'clickhouse-chart');
    });
  });

  it('stops a query in ClickHouse when it is cancelled', async () => {
    await openApl(endless);
    const run = vscode.commands.executeCommand<readonly FinishedRun[]>('aplomb.runQuery');
    const running = () =>
      askClickHouse("SELECT count() FROM system.processes WHERE query LIKE '%1000003%'");
    // The statement that counts has this text too.
    await until('The query in ClickHouse', async () =>
      (await running()) === '2' ? true : undefined,
    );
    await vscode.commands.executeCommand('aplomb.cancelQuery');
    assert.equal((await run)[0]?.end.kind, 'cancelled');
    await until('The end in ClickHouse', async () =>
      (await running()) === '1' ? true : undefined,
    );
  });

  it('shows new events while a query is followed', async () => {
    await openApl(`['${dataset}']\n| where host == 'web-9'`);
    const tab = await vscode.commands.executeCommand<TabId>('aplomb.follow');
    for (const count of [2, 5]) {
      const more = Array.from({ length: count === 2 ? 2 : 3 }, (_, n) => ({ host: 'web-9', n }));
      await send('POST', `/v1/ingest/${dataset}`, more);
      await rowsArrive(tab, count);
    }
    await withWindow((page) => inThemes(page, 'clickhouse-follow'));
    await vscode.commands.executeCommand('aplomb.stopFollowing');
  });

  it('offers the fields of spans in a table that the OpenTelemetry Collector wrote, and queries them', async () => {
    const editor = await openApl('spans\n| where $0');
    const offered = await until('The fields of spans', async () => {
      const found = await completions(editor);
      return found.has('duration') ? found : undefined;
    });
    assert.ok(offered.has('service.name') && offered.has('trace_id'), [...offered.keys()].join());
    const slowest = await runQuery(
      "spans\n| where ['service.name'] == 'shop' and kind == 'server'\n| summarize spans = count(), errors = countif(error == true), slowest = max(duration) by name\n| sort by name asc",
    );
    assert.deepEqual(
      rowsOf(slowest).map(([name, spans, errors]) => [name, spans, errors]),
      [
        ['GET /cart', 200, 10],
        ['POST /checkout', 200, 0],
      ],
    );
    await runQuery('spans\n| sort by _time desc\n| take 50');
    await withWindow(async (page) => {
      await readResults(page, ({ columns }) => columns.includes('service.name'));
      await inThemes(page, 'clickhouse-spans');
    });
  });

  it('refuses events for such a table, and says where to make the change', async () => {
    const file = await workspaceFile('spans.ndjson', '{"name":"x"}\n');
    const before = await askClickHouse('SELECT count() FROM otel.otel_traces');
    await vscode.commands.executeCommand('aplomb.ingestFiles', [file], 'spans');
    assert.equal(await askClickHouse('SELECT count() FROM otel.otel_traces'), before);
    await withWindow(async (page) => {
      await page.waitForTimeout(500);
      await inThemes(page, 'clickhouse-read-only');
    });
  });

  it('draws the charts of a dashboard', async () => {
    await send('POST', '/v2/dashboards', { uid: 'clickhouse', dashboard });
    await vscode.commands.executeCommand('aplomb.openDashboardPage', 'clickhouse');
    await withWindow(async (page) => {
      const frame = await boardFrame(page, '.board-grid .plot[aria-label]');
      await until('All charts', async () =>
        (await frame.locator('.card-answer > *').count()) === 6 ? true : undefined,
      );
      assert.equal(await frame.locator('.card-error, .card .failure').count(), 0);
      await inThemes(page, 'clickhouse-dashboard');
    });
  });
});
