/** Time series that the worker computes from answers: the series, their names, and combined series. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ChartRequest } from '../../../table/src/chart/chart.ts';
import {
  averageColumn,
  bodyWith,
  countColumn,
  hour,
  hours,
  start,
  textColumn,
  timesColumn,
} from '../charts/bodies.ts';
import { charted, ofKind, seriesIn } from '../charts/charts.ts';
import { arrive, newStore } from './stores.ts';

const store = newStore();
after(() => store.dispose());
const series = seriesIn(store);

describe('a time series', () => {
  it('with one point contains that point and its statistics', async () => {
    const data = await series([timesColumn([start]), countColumn([7])], {
      groups: ['_time'],
      bin: hour,
    });
    assert.deepEqual(data.times, [start]);
    assert.deepEqual(data.series[0]?.y, [7]);
    assert.deepEqual(data.series[0]?.figures, {
      points: 1,
      total: '7',
      average: '7',
      min: '7',
      max: '7',
      last: '7',
    });
  });

  it('without rows is empty', async () => {
    const data = await series([timesColumn([]), textColumn('host', []), countColumn([])], {
      groups: ['_time', 'host'],
      bin: hour,
    });
    assert.deepEqual([data.series, data.times], [[], []]);
  });

  it('with only nulls is listed without statistics', async () => {
    const columns = [
      timesColumn(hours(0, 0, 1, 1)),
      textColumn('host', ['a', 'b', 'a', 'b']),
      averageColumn(['1', 'null', '2', 'null']),
    ];
    const data = await series(columns, { groups: ['_time', 'host'], bin: hour });
    const nulls = data.series.find(({ name }) => name === 'b');
    assert.deepEqual(nulls?.y, [null, null]);
    assert.deepEqual(nulls?.figures, { points: 0 });
    assert.equal(data.skipped, 0);
  });

  it('keeps negative values, and combines the series with the smallest magnitudes', async () => {
    const columns = [
      timesColumn(hours(0, 0, 0, 1, 1, 1)),
      textColumn('account', ['in', 'out', 'fee', 'in', 'out', 'fee']),
      { ...countColumn([5, -90, -1, 6, -80, -1]), name: 'sum_amount', agg: { name: 'sum' } },
    ];
    const data = await series(
      columns,
      { groups: ['_time', 'account'], bin: hour },
      {},
      { maxSeries: 2 },
    );
    assert.deepEqual(
      data.series.map(({ name, y, folded }) => [name, y, folded]),
      [
        ['out', [-90, -80], undefined],
        ['in', [5, 6], undefined],
        ['other', [-1, -1], 1],
      ],
    );
  });

  it('of 10,000 counts combines all but the greatest into one series with an exact total', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `host-${index}`);
    const columns = [
      timesColumn(names.flatMap(() => hours(0, 1))),
      textColumn(
        'host',
        names.flatMap((name) => [name, name]),
      ),
      countColumn(names.flatMap((_, index) => [index, 1])),
    ];
    const data = await series(
      columns,
      { groups: ['_time', 'host'], bin: hour },
      {},
      { maxSeries: 10 },
    );
    assert.deepEqual(
      data.series.map(({ name }) => name),
      [...Array.from({ length: 10 }, (_, index) => `host-${9_999 - index}`), 'other'],
    );
    const other = data.series.at(-1);
    assert.equal(other?.folded, 9_990);
    assert.equal(other?.origin, undefined);
    assert.deepEqual(other?.y, [(9_989 * 9_990) / 2, 9_990]);
    assert.equal(other?.figures.total, String((9_989 * 9_990) / 2 + 9_990));
    assert.equal(data.leftOut, undefined);
  });

  it('of 10,000 averages reports how many series it omits', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `host-${index}`);
    const columns = [
      timesColumn(names.map(() => start)),
      textColumn('host', names),
      averageColumn(names.map((_, index) => index)),
    ];
    const data = await series(
      columns,
      { groups: ['_time', 'host'], bin: hour },
      {},
      { maxSeries: 10 },
    );
    assert.equal(data.series.length, 10);
    assert.equal(data.leftOut, 9_990);
  });

  it('truncates the name and the key of a category of 1 MB, and keeps keys distinct', async () => {
    const long = `\u202e${'é'.repeat(500_000)}`;
    const columns = [
      timesColumn(hours(0, 0)),
      textColumn('body', [`${long}1`, `${long}2`]),
      countColumn([1, 2]),
    ];
    const data = await series(columns, { groups: ['_time', 'body'], bin: hour });
    assert.equal(data.series.length, 2);
    for (const { name, key } of data.series) {
      assert.ok(name.length <= 120 && name.startsWith('[U+202E]é') && name.endsWith('…'), name);
      assert.ok(key.length < 300);
    }
    assert.notEqual(data.series[0]?.key, data.series[1]?.key);
  });

  it('distinguishes null, empty strings and strings that look like null or numbers', async () => {
    const names = [null, '', 'null', '__proto__', '1'];
    const columns = [
      timesColumn([...names, 1].map(() => start)),
      {
        ...textColumn('x', names),
        type: 'integer|string',
        values: [...names.map((name) => JSON.stringify(name)), '1'],
      },
      countColumn([9, 8, 7, 6, 5, 4]),
    ];
    const { data, answer, request } = await charted(
      store,
      bodyWith(columns, { groups: ['_time', 'x'], bin: hour }),
    );
    const { series: drawn } = ofKind(data, 'timeSeries');
    assert.deepEqual(
      drawn.map(({ name }) => name),
      ['null', '(empty)', '"null"', '__proto__', '1', '1'],
    );
    assert.equal(new Set(drawn.map(({ key }) => key)).size, 6);
    const point = await store.rows('chartPoint', {
      answer: answer.id,
      table: 0,
      ...request,
      at: start,
    });
    assert.deepEqual(Object.values(point.values), ['9', '8', '7', '6', '5', '4']);
  });

  it('contains only the rows that pass the filters, whatever the sort order', async () => {
    const answer = await arrive(
      store,
      bodyWith(
        [timesColumn(hours(0, 1, 2)), textColumn('host', ['a', 'b', 'a']), countColumn([1, 2, 3])],
        {
          groups: ['_time', 'host'],
          bin: hour,
        },
      ),
    );
    const place = { answer: answer.id, table: 0 };
    const request: ChartRequest = {
      kind: 'timeSeries',
      time: 0,
      values: [2],
      groups: [1],
      missing: 'gap',
      stacked: false,
      maxSeries: 5,
      maxPoints: 100,
      timeZone: 'utc',
    };
    const names = async () =>
      ofKind(await store.rows('chart', { ...place, ...request }), 'timeSeries').series.map(
        ({ name, origin }) => [name, origin?.row],
      );
    assert.deepEqual(await names(), [
      ['a', 0],
      ['b', 1],
    ]);
    const order = [{ column: 2, descending: true }];
    await store.rows('arrange', {
      ...place,
      order,
      filters: [{ column: 2, kind: 'number', from: '2' }],
    });
    assert.deepEqual(await names(), [
      ['a', 0],
      ['b', 1],
    ]);
    await store.rows('arrange', {
      ...place,
      order,
      filters: [{ column: 2, kind: 'number', from: '3' }],
    });
    assert.deepEqual(await names(), [['a', 0]]);
  });
});
