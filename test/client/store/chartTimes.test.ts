/** The times of a series: their order, daylight saving time, partial bins, and missing bins. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  averageColumn,
  countColumn,
  day,
  hour,
  hours,
  rangeOf,
  start,
  textColumn,
  time,
  timesColumn,
} from '../charts/bodies.ts';
import { seriesIn } from '../charts/charts.ts';
import { newStore } from './stores.ts';

// A zone with daylight saving time, which is this process's local time.
process.env['TZ'] = 'Europe/Berlin';

const store = newStore();
after(() => store.dispose());
const series = seriesIn(store);

describe('the times of a series', () => {
  it('are sorted, and values at repeated times are combined', async () => {
    const counts = [timesColumn(hours(2, 0, 1, 0)), countColumn([4, 1, 2, 10])];
    const added = await series(counts, { groups: ['_time'], bin: hour });
    assert.deepEqual(added.times, hours(0, 1, 2));
    assert.deepEqual(added.series[0]?.y, [11, 2, 4]);
    assert.equal(added.series[0]?.figures.total, '17');
    assert.equal(added.series[0]?.figures.max, '11');
    const averages = [timesColumn(hours(2, 0, 1, 0)), averageColumn([4, 1, 2, 10])];
    const last = await series(averages, { groups: ['_time'], bin: hour });
    assert.deepEqual(last.series[0]?.y, [10, 2, 4]);
    assert.equal(last.series[0]?.figures.points, 4);
    assert.equal(last.series[0]?.figures.min, '1');
    const events = [
      timesColumn(hours(0, 0, 0)),
      { name: 'cpu', type: 'integer', values: ['3', '9', '5'] },
    ];
    const greatest = await series(events);
    assert.deepEqual(greatest.series[0]?.y, [9]);
    assert.equal(greatest.series[0]?.figures.total, '17');
  });

  it('include both hours when daylight saving time ends, and days of 23 hours', async () => {
    // In Berlin, clocks went forward on March 29th and go back on October 25th.
    const back = Date.parse('2026-10-24T22:00:00Z');
    const times = Array.from({ length: 6 }, (_, index) => back + index * hour);
    const data = await series(
      [timesColumn(times), countColumn(times.map((_, index) => index))],
      { groups: ['_time'], bin: hour, range: rangeOf(back, back + 6 * hour) },
      {},
      { timeZone: 'local' },
    );
    assert.deepEqual(data.times, times);
    const days = ['27T23', '28T23', '29T22', '30T22'].map((text) =>
      Date.parse(`2026-03-${text}:00:00Z`),
    );
    const byDay = await series(
      [timesColumn(days), countColumn([1, 2, 3, 4])],
      { groups: ['_time'] },
      {},
      { timeZone: 'local' },
    );
    assert.deepEqual(byDay.times, days);
    assert.deepEqual(byDay.series[0]?.y, [1, 2, 3, 4]);
  });

  it('are marked as partial if the time range cuts their bins', async () => {
    const columns = [timesColumn(hours(0, 1, 2)), countColumn([1, 2, 3])];
    const of = async (from: number, to: number) =>
      (await series(columns, { groups: ['_time'], bin: hour, range: rangeOf(from, to) })).partial;
    assert.deepEqual(await of(start + 60_000, start + 2.5 * hour), { first: true, last: true });
    assert.deepEqual(await of(start, start + 3 * hour), { first: false, last: false });
    assert.deepEqual(await of(start, start + 2.5 * hour), { first: false, last: true });
  });

  it('are not marked as partial if they are times of events', async () => {
    const columns = [
      timesColumn(hours(1, 2, 3)),
      { name: 'cpu', type: 'float', values: ['1', '2', '3'] },
    ];
    const data = await series(columns, { range: rangeOf(start + hour, start + 3.5 * hour) });
    assert.deepEqual(data.partial, { first: false, last: false });
    assert.deepEqual(data.times, hours(1, 2, 3));
  });

  it('are shown in the selected time zone when they name groups', async () => {
    const columns = [
      timesColumn(hours(0, 1)),
      { name: 'day', type: 'datetime', values: [time(start), time(start - day)] },
      countColumn([1, 2]),
    ];
    const options = { groups: ['_time', 'day'], bin: hour };
    const names = async (timeZone: 'utc' | 'local') =>
      (await series(columns, options, {}, { timeZone })).series.map(({ name }) => name).sort();
    assert.deepEqual(await names('utc'), ['2026-03-27 00:00:00.000', '2026-03-28 00:00:00.000']);
    const shift = -new Date(start).getTimezoneOffset() * 60_000;
    const local = new Date(start + shift).toISOString().replace('T', ' ').replace('Z', '');
    assert.equal((await names('local'))[1], local);
  });
});

describe('missing values', () => {
  const columns = [timesColumn(hours(1, 2, 5)), averageColumn([1, 'null', 4])];
  const options = { groups: ['_time'], bin: hour, range: rangeOf(start, start + 7 * hour) };
  /** By method: the values, and the figures without the total, which is always 5. */
  for (const [missing, expected, figures] of [
    [
      'gap',
      [null, 1, null, null, null, 4, null],
      { points: 2, average: '2.5', min: '1', max: '4', last: '4' },
    ],
    [
      'zero',
      [0, 1, 0, 0, 0, 4, 0],
      { points: 7, average: String(5 / 7), min: '0', max: '4', last: '0' },
    ],
    ['carry', [null, 1, 1, 1, 1, 4, 4], { points: 6, average: '2', min: '1', max: '4', last: '4' }],
    [
      'linear',
      [null, 1, 1.75, 2.5, 3.25, 4, null],
      { points: 5, average: '2.5', min: '1', max: '4', last: '4' },
    ],
  ] as const) {
    it(`are filled with the method "${missing}", also in bins that the service omitted, and in the statistics`, async () => {
      const data = await series(columns, options, { missing });
      assert.deepEqual(data.times, hours(0, 1, 2, 3, 4, 5, 6));
      assert.deepEqual(data.series[0]?.y, expected);
      assert.deepEqual(data.series[0]?.figures, { total: '5', ...figures });
      assert.equal(data.missing, 5);
    });
  }

  it('of a negative series are its maximum if they are drawn as zero', async () => {
    const negative = [timesColumn(hours(0, 2)), averageColumn([-3, -1])];
    const data = await series(negative, { groups: ['_time'], bin: hour }, { missing: 'zero' });
    const { max, min, last } = data.series[0]?.figures ?? {};
    assert.deepEqual([max, min, last], ['0', '-3', '-1']);
  });

  it('add nothing to the statistics of a series without values, unless they are drawn as zero', async () => {
    const columns = [
      timesColumn(hours(0, 0, 1)),
      textColumn('host', ['a', 'b', 'a']),
      averageColumn([1, 'null', 2]),
    ];
    const options = { groups: ['_time', 'host'], bin: hour };
    for (const missing of ['gap', 'carry', 'linear'] as const) {
      const data = await series(columns, options, { missing });
      assert.deepEqual(data.series.find(({ name }) => name === 'b')?.figures, { points: 0 });
    }
    const zeros = await series(columns, options, { missing: 'zero' });
    assert.deepEqual(zeros.series.find(({ name }) => name === 'b')?.figures, {
      points: 2,
      total: '0',
      average: '0',
      min: '0',
      max: '0',
      last: '0',
    });
  });

  it('are counted as 0 if every bin has a value', async () => {
    const full = [timesColumn(hours(0, 1, 2)), countColumn([1, 2, 3])];
    assert.equal((await series(full, { groups: ['_time'], bin: hour })).missing, 0);
  });

  it('are found by the most frequent time step if the answer has no bucket size', async () => {
    const data = await series([timesColumn(hours(0, 1, 2, 4, 5)), countColumn([1, 1, 1, 1, 1])], {
      groups: ['_time'],
    });
    assert.equal(data.binMilliseconds, hour);
    assert.deepEqual(data.series[0]?.y, [1, 1, 1, 0, 1, 1]);
  });

  it('are not added for irregular times', async () => {
    const months = ['01', '02', '03', '04'].map((month) =>
      Date.parse(`2026-${month}-01T00:00:00Z`),
    );
    const data = await series([timesColumn(months), countColumn([1, 2, 3, 4])], {
      groups: ['_time'],
    });
    assert.deepEqual(data.times, months);
    assert.equal(data.binMilliseconds, undefined);
  });

  it('are not added if there would be too many', async () => {
    const data = await series([timesColumn([start, start + 4_000 * day]), countColumn([1, 2])], {
      groups: ['_time'],
      bin: 1_000,
    });
    assert.deepEqual(data.times, [start, start + 4_000 * day]);
  });

  it('are drawn as zero at every time of a stack', async () => {
    const data = await series(
      [timesColumn(hours(0, 1, 3)), textColumn('host', ['a', 'b', 'a']), countColumn([1, 2, 3])],
      { groups: ['_time', 'host'], bin: hour },
    );
    assert.deepEqual(
      data.series.map(({ y, x }) => [y, x]),
      [
        [[1, 0, 0, 3], undefined],
        [[0, 2, 0, 0], undefined],
      ],
    );
  });
});
