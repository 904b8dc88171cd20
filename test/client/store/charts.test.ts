/** Charts as the worker computes them, over answers decoded from their bodies: where data is not as expected. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type {
  ChartChoice,
  ChartRequest,
  TimeSeriesData,
} from '../../../client/src/charts/chart.ts';
import {
  averageColumn,
  type BodyColumn,
  type BodyOptions,
  bodyWith,
  countColumn,
  hour,
  start,
  textColumn,
  time,
  timesColumn,
} from '../charts/bodies.ts';
import { charted, ofKind, shapeOf } from '../charts/charts.ts';
import { arrive, newStore } from './stores.ts';

// A zone with daylight saving time, which is this process's local time.
process.env['TZ'] = 'Europe/Berlin';

const store = newStore();
after(() => store.dispose());

const day = 24 * hour;
const hours = (...at: readonly number[]) => at.map((index) => start + index * hour);
const rangeOf = (from: number, to: number) => ({
  start: new Date(from).toISOString(),
  end: new Date(to).toISOString(),
});

async function series(
  columns: readonly BodyColumn[],
  options: BodyOptions = {},
  choice: ChartChoice = {},
  changed: Partial<ChartRequest> = {},
): Promise<TimeSeriesData> {
  const { data } = await charted(store, bodyWith(columns, options), choice, changed);
  return ofKind(data, 'timeSeries');
}

describe('a time series', () => {
  it('of one point has it, with its figures', async () => {
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

  it('of no rows is empty', async () => {
    const data = await series([timesColumn([]), textColumn('host', []), countColumn([])], {
      groups: ['_time', 'host'],
      bin: hour,
    });
    assert.deepEqual([data.series, data.times], [[], []]);
  });

  it('of nulls has its place and no figures', async () => {
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

  it('keeps negative values of a stack, and the greatest magnitudes by themselves', async () => {
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

  it('of 10,000 counts folds all but the greatest into one, whose total is exact', async () => {
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

  it('of 10,000 averages says how many it leaves out', async () => {
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

  it('cuts the name of a category of 1 MB, and its key', async () => {
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

  it('tells null, empty text and text like them apart, and is safe with any name', async () => {
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

  it('sorts times that are out of order, and joins those that are doubled', async () => {
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

  it('takes the extremes of least and greatest values at the same time', async () => {
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

  it('keeps both hours of a change of daylight saving time, and days of 23 hours', async () => {
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

  it('marks bins that the range cuts', async () => {
    const columns = [timesColumn(hours(0, 1, 2)), countColumn([1, 2, 3])];
    const of = async (from: number, to: number) =>
      (await series(columns, { groups: ['_time'], bin: hour, range: rangeOf(from, to) })).partial;
    assert.deepEqual(await of(start + 60_000, start + 2.5 * hour), { first: true, last: true });
    assert.deepEqual(await of(start, start + 3 * hour), { first: false, last: false });
    assert.deepEqual(await of(start, start + 2.5 * hour), { first: false, last: true });
  });

  it('does not mark events that are near the ends of the range', async () => {
    const columns = [
      timesColumn(hours(1, 2, 3)),
      { name: 'cpu', type: 'float', values: ['1', '2', '3'] },
    ];
    const data = await series(columns, { range: rangeOf(start + hour, start + 3.5 * hour) });
    assert.deepEqual(data.partial, { first: false, last: false });
    assert.deepEqual(data.times, hours(1, 2, 3));
  });

  it('is exact for integers of 64 bits', async () => {
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

  it('adds integers of 64 bits exactly where counts meet', async () => {
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

  it('keeps the units of its series', async () => {
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

  it('follows the filters and the order of the grid', async () => {
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

  it('names groups of times in the chosen zone', async () => {
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
  for (const [missing, expected] of [
    ['gap', [null, 1, null, null, null, 4, null]],
    ['zero', [0, 1, 0, 0, 0, 4, 0]],
    ['carry', [null, 1, 1, 1, 1, 4, 4]],
    ['linear', [null, 1, 1.75, 2.5, 3.25, 4, null]],
  ] as const) {
    it(`are drawn as ${missing}, also in bins that the service leaves out`, async () => {
      const data = await series(columns, options, { missing });
      assert.deepEqual(data.times, hours(0, 1, 2, 3, 4, 5, 6));
      assert.deepEqual(data.series[0]?.y, expected);
      assert.equal(data.series[0]?.figures.points, 2);
    });
  }

  it('of bins are found without buckets, from the commonest step', async () => {
    const data = await series([timesColumn(hours(0, 1, 2, 4, 5)), countColumn([1, 1, 1, 1, 1])], {
      groups: ['_time'],
    });
    assert.equal(data.binMilliseconds, hour);
    assert.deepEqual(data.series[0]?.y, [1, 1, 1, 0, 1, 1]);
  });

  it('are not made up where times are not regular', async () => {
    const months = ['01', '02', '03', '04'].map((month) =>
      Date.parse(`2026-${month}-01T00:00:00Z`),
    );
    const data = await series([timesColumn(months), countColumn([1, 2, 3, 4])], {
      groups: ['_time'],
    });
    assert.deepEqual(data.times, months);
    assert.equal(data.binMilliseconds, undefined);
  });

  it('are not made up by the million', async () => {
    const data = await series([timesColumn([start, start + 4_000 * day]), countColumn([1, 2])], {
      groups: ['_time'],
      bin: 1_000,
    });
    assert.deepEqual(data.times, [start, start + 4_000 * day]);
  });

  it('are there at every time of a stack', async () => {
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

describe('categories', () => {
  const columns = [
    textColumn('host', ['a', 'b', 'c', 'd', 'e']),
    countColumn(['9223372036854775806', '3', '9223372036854775807', '-2', 'null']),
  ];

  it('are listed by their exact values, the null one last', async () => {
    const { data } = await charted(store, bodyWith(columns, { groups: ['host'] }));
    assert.deepEqual(
      ofKind(data, 'topList').categories.map(({ name, text }) => [name, text]),
      [
        ['c', '9223372036854775807'],
        ['a', '9223372036854775806'],
        ['b', '3'],
        ['d', '-2'],
        ['e', undefined],
      ],
    );
  });

  it('beyond the bound are folded where they can be added, otherwise counted', async () => {
    const folded = await charted(
      store,
      bodyWith(columns, { groups: ['host'] }),
      {},
      { maxSeries: 1 },
    );
    const { categories } = ofKind(folded.data, 'topList');
    assert.deepEqual(
      categories.map(({ name, text, folded: others }) => [name, text, others]),
      [
        ['c', '9223372036854775807', undefined],
        ['other', '9223372036854775807', 4],
      ],
    );
    const averages = [textColumn('host', ['a', 'b', 'c']), averageColumn([1, 3, 2])];
    const left = await charted(
      store,
      bodyWith(averages, { groups: ['host'] }),
      {},
      { maxSeries: 2 },
    );
    const list = ofKind(left.data, 'topList');
    assert.deepEqual(
      list.categories.map(({ name }) => name),
      ['b', 'c'],
    );
    assert.equal(list.leftOut, 1);
  });

  it('of a time series are its totals', async () => {
    const overTime = [
      timesColumn(hours(1, 0, 1)),
      textColumn('host', ['a', 'a', 'b']),
      countColumn([1, 5, 4]),
    ];
    const options = { groups: ['_time', 'host'], bin: hour };
    for (const kind of ['topList', 'pie'] as const) {
      const { data } = await charted(store, bodyWith(overTime, options), { kind });
      assert.deepEqual(
        ofKind(data, kind).categories.map(({ name, value }) => [name, value]),
        [
          ['a', 6],
          ['b', 4],
        ],
      );
    }
  });

  it('of averages over time are the last ones by time', async () => {
    const overTime = [
      timesColumn(hours(1, 0)),
      textColumn('host', ['a', 'a']),
      averageColumn([1, 5]),
    ];
    const { data } = await charted(
      store,
      bodyWith(overTime, { groups: ['_time', 'host'], bin: hour }),
      {
        kind: 'topList',
      },
    );
    assert.equal(ofKind(data, 'topList').categories[0]?.text, '1');
  });
});

describe('a statistic', () => {
  it('has its trend and the change between bins that are whole', async () => {
    const { data } = await charted(
      store,
      bodyWith([timesColumn(hours(0, 1, 2, 3)), countColumn([1, 10, 15, 2])], {
        groups: ['_time'],
        bin: hour,
        range: rangeOf(start + 0.5 * hour, start + 3.5 * hour),
      }),
      { kind: 'statistic' },
    );
    const [statistic] = ofKind(data, 'statistic').statistics;
    assert.equal(statistic?.text, '28');
    assert.deepEqual(statistic?.trend, { x: hours(0, 1, 2, 3), y: [1, 10, 15, 2] });
    assert.equal(statistic?.change, 0.5);
  });

  it('of one point has no change', async () => {
    const { data } = await charted(
      store,
      bodyWith([timesColumn([start]), countColumn([1])], { groups: ['_time'], bin: hour }),
      { kind: 'statistic' },
    );
    assert.equal(ofKind(data, 'statistic').statistics[0]?.change, undefined);
  });

  it('of a row without times is exact', async () => {
    const { data } = await charted(store, bodyWith([countColumn(['9223372036854775807'])]));
    const { statistics } = ofKind(data, 'statistic');
    assert.deepEqual(
      statistics.map(({ text, trend }) => [text, trend]),
      [['9223372036854775807', undefined]],
    );
  });
});

describe('a scatter chart', () => {
  it('of many points keeps the ends of both axes, and says how many there are', async () => {
    const count = 20_000;
    const numbers = Array.from({ length: count }, (_, index) => (index * 7_919) % 10_007);
    const others = numbers.map((value, index) => (value * 31 + index) % 1_009);
    others[777] = 5_000;
    numbers[778] = -4_000;
    const column = (name: string, values: readonly number[]) => ({
      name,
      type: 'integer',
      values: values.map(String),
    });
    const { data } = await charted(
      store,
      bodyWith([column('a', numbers), column('b', others)]),
      {},
      { maxPoints: 500 },
    );
    const { points, series: drawn } = ofKind(data, 'scatter');
    assert.equal(points, count);
    const kept = drawn[0]?.points ?? [];
    assert.ok(kept.length > 100 && kept.length <= 504, String(kept.length));
    assert.equal(Math.max(...kept.map(([, y]) => y)), 5_000);
    assert.equal(Math.min(...kept.map(([x]) => x)), -4_000);
    assert.equal(Math.max(...kept.map(([x]) => x)), Math.max(...numbers));
  });
});

describe('a heatmap', () => {
  it('orders numeric groups by value and others by size', async () => {
    const heat = async (group: BodyColumn) => {
      const columns = [timesColumn(hours(0, 0, 1, 1)), group, countColumn([5, 1, 7, 2])];
      const { data } = await charted(
        store,
        bodyWith(columns, { groups: ['_time', group.name], bin: hour }),
        {
          kind: 'heatmap',
        },
      );
      return ofKind(data, 'heatmap');
    };
    const numeric = await heat({ name: 'bucket', type: 'integer', values: ['2', '10', '2', '10'] });
    assert.deepEqual(
      numeric.rows.map(({ name }) => name),
      ['2', '10'],
    );
    assert.deepEqual(numeric.times, hours(0, 1));
    assert.deepEqual([...numeric.cells].sort(), [
      [0, 0, 5],
      [0, 1, 1],
      [1, 0, 7],
      [1, 1, 2],
    ]);
    const named = await heat(textColumn('host', ['a', 'b', 'a', 'b']));
    assert.deepEqual(
      named.rows.map(({ name }) => name),
      ['b', 'a'],
    );
  });

  it('of events has columns of equal time, and all of their values', async () => {
    const times = Array.from({ length: 1_000 }, (_, index) => start + index * index * 7);
    const columns = [
      timesColumn(times),
      countColumn(times.map(() => 1)),
      textColumn(
        'host',
        times.map((_, at) => `h${at % 3}`),
      ),
    ];
    const { data } = await charted(
      store,
      bodyWith(columns, { groups: ['_time', 'host'] }),
      { kind: 'heatmap' },
      { maxPoints: 50 },
    );
    const map = ofKind(data, 'heatmap');
    assert.ok(map.times.length <= 51, String(map.times.length));
    assert.equal(
      map.cells.reduce((sum, [, , value]) => sum + value, 0),
      1_000,
    );
  });
});

describe('a request', () => {
  it('for what is not there is rejected in words', async () => {
    const answer = await arrive(
      store,
      bodyWith([timesColumn([start]), countColumn([1])], { groups: ['_time'] }),
    );
    const place = { answer: answer.id, table: 0 };
    const request = {
      kind: 'timeSeries',
      time: 0,
      values: [1],
      groups: [],
      missing: 'gap',
      stacked: false,
      maxSeries: 5,
      maxPoints: 100,
      timeZone: 'utc',
    } as const;
    for (const [wrong, message] of [
      [{ values: [9] }, /no column 9/],
      [{ maxSeries: 0 }, /number of series/],
      [{ maxPoints: -1 }, /number of points/],
      [{ time: undefined }, /needs a column of times/],
      [{ kind: 'gauge' }, /no chart gauge/],
      [{ kind: 'scatter', time: undefined }, /two columns of numbers/],
    ] as const)
      await assert.rejects(
        store.rows('chart', { ...place, ...request, ...wrong } as never),
        (error: Error & { code: string }) =>
          error.code === 'invalid' && message.test(error.message),
        JSON.stringify(wrong),
      );
    assert.deepEqual(shapeOf(answer).kinds, ['timeSeries', 'statistic', 'scatter']);
  });
});
