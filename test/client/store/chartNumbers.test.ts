/**
 * The numbers of a series: exact beyond the precision of a double, with units, and without values that are not
 * numbers.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  averageColumn,
  bodyWith,
  countColumn,
  hour,
  hours,
  start,
  textColumn,
  time,
  timesColumn,
} from '../charts/bodies.ts';
import { charted, ofKind, seriesIn } from '../charts/charts.ts';
import { newStore } from './stores.ts';

const store = newStore();
after(() => store.dispose());
const series = seriesIn(store);

describe('the data of a chart', () => {
  it('uses the minimum of minimums and the maximum of maximums if times are equal', async () => {
    const columns = [
      timesColumn(hours(0, 0, 0)),
      { ...countColumn([3, 9, 5]), name: 'max_x', agg: { name: 'max' } },
      { ...countColumn([3, 1, 5]), name: 'min_x', agg: { name: 'min' } },
    ];
    const data = await series(columns, { groups: ['_time'], bin: hour });
    assert.deepEqual(
      data.series.map(({ y }) => y),
      [[9], [1]],
    );
  });

  it('is exact for 64-bit integers', async () => {
    const values = [
      '9223372036854775806',
      '9223372036854775807',
      '9223372036854775805',
      '-9223372036854775808',
    ];
    const { data, answer, request } = await charted(
      store,
      bodyWith([timesColumn(hours(0, 1, 2, 3)), countColumn(values)], {
        groups: ['_time'],
        bin: hour,
      }),
    );
    assert.deepEqual(ofKind(data, 'timeSeries').series[0]?.figures, {
      points: 4,
      total: '18446744073709551610',
      average: '4611686018427387902.5',
      min: '-9223372036854775808',
      max: '9223372036854775807',
      last: '-9223372036854775808',
    });
    const point = await store.rows('chartPoint', {
      answer: answer.id,
      table: 0,
      ...request,
      at: start + hour + 1_000,
    });
    assert.equal(point.time, '2026-03-28T01:00:00.000Z');
    assert.deepEqual(Object.values(point.values), ['9223372036854775807']);
  });

  it('adds 64-bit integers exactly when it combines counts of several groups', async () => {
    const columns = [
      timesColumn(hours(0, 0, 0)),
      textColumn('host', ['a', 'b', 'c']),
      countColumn(['9223372036854775807', '9223372036854775806', '3']),
    ];
    const options = { groups: ['_time', 'host'], bin: hour };
    const { data, answer, request } = await charted(
      store,
      bodyWith(columns, options),
      {},
      { maxSeries: 1 },
    );
    assert.equal(ofKind(data, 'timeSeries').series[1]?.figures.total, '9223372036854775809');
    const place = { answer: answer.id, table: 0 };
    const { values } = await store.rows('chartPoint', { ...place, ...request, at: 0 });
    assert.deepEqual(Object.values(values), ['9223372036854775807', '9223372036854775809']);
  });

  it('has the unit of the aggregated field, unless the aggregate is a count or a variance', async () => {
    const unitOf = async (name: string) => {
      const average = { ...averageColumn([1, 2]), agg: { name, fields: ['duration'] } };
      const body = bodyWith([timesColumn(hours(0, 1)), average], { groups: ['_time'] });
      const meta = JSON.stringify({ logs: [{ name: 'duration', type: 'float', unit: 'ms' }] });
      const { answer, data } = await charted(store, body.replace('{"logs":[]}', meta));
      assert.equal(
        ofKind(data, 'timeSeries').series[0]?.unit,
        answer.head.tables[0]?.fields[1]?.unit,
      );
      return answer.head.tables[0]?.fields[1]?.unit;
    };
    for (const name of ['avg', 'min', 'maxif', 'sum', 'stdev'])
      assert.equal(await unitOf(name), 'ms');
    for (const name of ['count', 'dcount', 'variance']) assert.equal(await unitOf(name), undefined);
  });

  it('has the unit of each column, and nanoseconds for timespans', async () => {
    const columns = [
      timesColumn(hours(0, 1)),
      averageColumn([1, 2], 'ms'),
      { ...countColumn([1, 2]), name: 'bytes', agg: { name: 'sum' }, unit: 'bytes' },
      {
        name: 'avg_t',
        type: 'timespan',
        values: ['"1m30.5s"', '"00:00:01.5"'],
        agg: { name: 'avg' },
      },
      { ...countColumn([1, 2]), name: 'n' },
    ];
    const data = await series(columns, { groups: ['_time'], bin: hour });
    assert.deepEqual(
      data.series.map(({ name, unit, additive }) => [name, unit, additive]),
      [
        ['avg_duration', 'ms', undefined],
        ['bytes', 'bytes', true],
        ['avg_t', 'ns', undefined],
        ['n', undefined, true],
      ],
    );
    assert.deepEqual(data.series[2]?.y, [90.5e9, 1.5e9]);
  });

  it('skips text that looks like a number, infinity, and rows without a time', async () => {
    const columns = [
      { ...timesColumn(hours(0, 1, 2, 3)), values: [...hours(0, 1, 2).map(time), 'null'] },
      { name: 'v', type: 'float|string', values: ['"1"', '1e999', '2', '3'] },
    ];
    const data = await series(columns);
    assert.deepEqual(data.series[0]?.y, [null, null, 2]);
    assert.equal(data.skipped, 3);
  });
});
