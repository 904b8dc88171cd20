/** Charts of answers from the local deployment, from the query to the drawn data. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ChartChoice, ChartData, ChartPoint } from '../../../table/src/chart/chart.ts';
import { Deployment } from '../../local/deployment.ts';
import { type Charted, charted, ofKind, shapeOf } from '../charts/charts.ts';
import { arrive, newStore } from './stores.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-03-29T00:00:00Z');
/** A time range that cuts the first and the last hour. */
const range = { startTime: '2026-03-29T00:10:00Z', endTime: '2026-03-29T03:25:00Z' };
const hours = [0, 1, 2, 3].map((index) => start + index * hour);

describe('the chart of an answer', () => {
  const store = newStore();
  let local: Deployment;

  before(async () => {
    local = await Deployment.open();
    await local.dataset('logs');
    await local.stored(
      'logs',
      Array.from({ length: 240 }, (_, index) => ({
        _time: new Date(start + index * minute).toISOString(),
        status: [200, 200, 404, 500][index % 4],
        duration: ((index * 37) % 101) + 0.5,
        level: ['info', 'error'][index % 2],
        message: `request ${index}`,
      })),
    );
  });
  after(async () => {
    await local.close();
    await store.dispose();
  });

  async function ask(stages: string, choice: ChartChoice = {}): Promise<Charted> {
    const answer = await local.query(`logs | ${stages}`, range);
    assert.equal(answer.status, 200, answer.text);
    return await charted(store, answer.text, choice);
  }

  const pointAt = ({ answer, request }: Charted, at: number): Promise<ChartPoint> =>
    store.rows('chartPoint', { answer: answer.id, table: 0, ...request, at });

  const drawn = (data: ChartData) =>
    ofKind(data, 'timeSeries').series.map(({ name, y }) => [name, y]);

  it('with a count by bin_auto has bars, and marks partial bins', async () => {
    const chart = await ask('summarize count() by bin_auto(_time)');
    const data = ofKind(chart.data, 'timeSeries');
    assert.equal(shapeOf(chart.answer).style, 'bars');
    assert.equal(data.binMilliseconds, 2 * minute);
    assert.equal(data.from, Date.parse(range.startTime));
    assert.equal(data.to, Date.parse(range.endTime));
    assert.equal(data.times.length, 98);
    assert.deepEqual(data.partial, { first: false, last: true });
    assert.equal(data.series[0]?.figures.total, '195');
    const point = await pointAt(chart, start + 61 * minute);
    assert.equal(point.time, '2026-03-29T01:00:00Z');
    assert.deepEqual(Object.values(point.values), ['2']);
  });

  it('with a count by status and hour is a stack whose series refer to their rows', async () => {
    const chart = await ask('summarize count() by bin(_time, 1h), status');
    const data = ofKind(chart.data, 'timeSeries');
    assert.equal(chart.request.stacked, true);
    assert.deepEqual(data.times, hours);
    assert.deepEqual(data.partial, { first: true, last: true });
    assert.deepEqual(drawn(chart.data), [
      ['200', [24, 30, 30, 13]],
      ['404', [13, 15, 15, 6]],
      ['500', [13, 15, 15, 6]],
    ]);
    for (const { name, origin } of data.series) {
      assert.ok(origin);
      const row = await store.rows('row', { answer: chart.answer.id, table: 0, row: origin.row });
      assert.deepEqual(
        origin.columns.map((column) => row.cells[column]?.text),
        [name],
      );
    }
  });

  it('with a count by status is a top list', async () => {
    const { data } = await ask('summarize count() by status');
    assert.deepEqual(
      ofKind(data, 'topList').categories.map(({ name, text }) => [name, text]),
      [
        ['200', '97'],
        ['404', '49'],
        ['500', '49'],
      ],
    );
  });

  it('with a single count is a statistic', async () => {
    const { data } = await ask('summarize count()');
    assert.equal(ofKind(data, 'statistic').statistics[0]?.text, '195');
  });

  it('with an array of percentiles has a line for each of them', async () => {
    const { data } = await ask(
      'summarize p = percentiles_array(duration, 50, 95) by bin(_time, 1h)',
    );
    assert.deepEqual(drawn(data), [
      ['p50 p', [50.5, 48.5, 49.5, 51.5]],
      ['p95 p', [96.5, 94.5, 96.5, 95.5]],
    ]);
  });

  it('with a percentile and an average over time has a line for each, and gaps for missing values', async () => {
    const chart = await ask('summarize percentile(duration, 95), avg(duration) by bin(_time, 1h)');
    assert.deepEqual(
      drawn(chart.data).map(([name]) => name),
      ['percentile_duration', 'avg_duration'],
    );
    assert.equal(chart.request.missing, 'gap');
  });

  it('with averages over time has the averages of the entire range in lists and statistics, unless it is filtered', async () => {
    const stages = 'summarize avg(duration) by bin(_time, 1h), level';
    const whole = await local.rows(
      'logs | summarize a = avg(duration) by level | sort by a desc',
      range,
    );
    const list = await ask(stages, { kind: 'topList' });
    const texts = (data: ChartData) =>
      ofKind(data, 'topList').categories.map(({ name, text }) => [name, text]);
    const expected = whole.map(({ level, a }) => [level, String(a)]);
    assert.deepEqual(texts(list.data), expected);
    const { data } = await ask(stages, { kind: 'statistic' });
    assert.deepEqual(
      new Map(ofKind(data, 'statistic').statistics.map(({ name, text }) => [name, text])),
      new Map(expected as [string, string][]),
    );
    const place = { answer: list.answer.id, table: 0 };
    const first = { column: 0, kind: 'time', to: '2026-03-29T00:30:00Z' } as const;
    const { rowCount } = await store.rows('arrange', { ...place, order: [], filters: [first] });
    assert.equal(rowCount, 2);
    const filtered = texts(await store.rows('chart', { ...place, ...list.request }));
    assert.deepEqual(filtered, [
      ['error', '51.18'],
      ['info', '50.54'],
    ]);
  });

  it('with histograms over time is a heatmap that keeps every count', async () => {
    const { data } = await ask('summarize histogram(duration, 4) by bin(_time, 1h)');
    const { rows, times, cells } = ofKind(data, 'heatmap');
    assert.deepEqual(times, hours);
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['0.5 – 25.5', '25.5 – 50.5', '50.5 – 75.5', '75.5 – 100.5'],
    );
    const totals = times.map((_, column) =>
      cells.filter(([at]) => at === column).reduce((sum, [, , count]) => sum + count, 0),
    );
    assert.deepEqual(totals, [50, 60, 60, 25]);
  });

  it('with a single histogram is a list of its buckets in order', async () => {
    const { data } = await ask('summarize histogram(duration, 5)');
    const { categories, ordered } = ofKind(data, 'topList');
    assert.equal(ordered, true);
    assert.deepEqual(
      categories.map(({ name, value }) => [name, value]),
      [
        ['0.5 – 20.5', 39],
        ['20.5 – 40.5', 38],
        ['40.5 – 60.5', 38],
        ['60.5 – 80.5', 40],
        ['80.5 – 100.5', 40],
      ],
    );
  });

  it('of make-series has a series for each row, with gaps for nulls', async () => {
    const chart = await ask('make-series count() on _time step 1h by status');
    assert.deepEqual(drawn(chart.data), [
      ['200', [24, 30, 30, 13]],
      ['404', [13, 15, 15, 6]],
      ['500', [13, 15, 15, 6]],
    ]);
    assert.deepEqual(ofKind(chart.data, 'timeSeries').times, hours);
    const point = await pointAt(chart, start + 50 * minute);
    assert.equal(point.time, '2026-03-29T01:00:00Z');
    assert.deepEqual(Object.values(point.values), ['30', '15', '15']);
    const sparse = await ask(
      'where duration > 100 | make-series a = avg(duration) default = real(null) on _time step 30m',
    );
    assert.deepEqual(drawn(sparse.data), [['a', [null, 100.5, null, null, 100.5, null, null]]]);
  });

  it('of topk is a top list, or a stack if topk is over time', async () => {
    const once = await ask('summarize topk(status, 2)');
    assert.deepEqual(
      ofKind(once.data, 'topList').categories.map(({ name, value }) => [name, value]),
      [
        ['200', 97],
        ['404', 49],
      ],
    );
    const overTime = await ask('summarize topk(status, 3) by bin(_time, 1h)');
    assert.deepEqual(drawn(overTime.data), [
      ['200', [24, 30, 30, 13]],
      ['404', [13, 15, 15, 6]],
      ['500', [13, 15, 15, 6]],
    ]);
  });

  it('of events is a log stream with message and severity, or a time series if they have only a time and a number', async () => {
    const events = await ask('limit 50');
    const log = ofKind(events.data, 'logStream');
    const { fields } = events.answer.head.tables[0] ?? assert.fail();
    assert.deepEqual(
      [log.time, log.message, log.severity].map((index) => fields[index ?? -1]?.name),
      ['_time', 'message', 'level'],
    );
    const { data } = await ask('project _time, duration | limit 3');
    assert.deepEqual(drawn(data), [['duration', [0.5, 37.5, 74.5]]]);
  });

  it('of timespans is drawn in nanoseconds', async () => {
    const { data } = await ask("summarize t = avg(totimespan('00:01:30.5')) by bin(_time, 2h)");
    const [series] = ofKind(data, 'timeSeries').series;
    assert.deepEqual([series?.unit, series?.y], ['ns', [90.5e9, 90.5e9]]);
  });

  it('without numbers is not available', async () => {
    const { text } = await local.query('logs | distinct level', range);
    assert.deepEqual(shapeOf(await arrive(store, text)).kinds, []);
  });
});
