/** Top lists, pies, statistics, scatter charts and heatmaps as the worker computes them, and requests that it rejects. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { drawTopList } from '../../../client/src/charts/view/kinds/categories.ts';
import type { ChartData } from '../../../table/src/chart/chart.ts';
import {
  averageColumn,
  type BodyColumn,
  bodyWith,
  countColumn,
  hour,
  hours,
  minute,
  rangeOf,
  start,
  textColumn,
  timesColumn,
} from '../charts/bodies.ts';
import { charted, ofKind, shapeOf } from '../charts/charts.ts';
import { drawingOf } from '../charts/drawnText.ts';
import { arrive, newStore } from './stores.ts';

const store = newStore();
after(() => store.dispose());

describe('the categories of a chart', () => {
  const columns = [
    textColumn('host', ['a', 'b', 'c', 'd', 'e']),
    countColumn(['9223372036854775806', '3', '9223372036854775807', '-2', 'null']),
  ];

  it('are sorted by their exact values, with null last', async () => {
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

  it('beyond the limit are combined if their values can be added, and only counted otherwise', async () => {
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

  it('of counts over time have the totals as values', async () => {
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

  it('of averages over time have the latest averages as values', async () => {
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

describe('a top list of rows that were not summarized', () => {
  const durations: BodyColumn = { name: 'duration', type: 'float', values: ['5', '103.6', '7'] };
  const drawn = (data: ChartData) => {
    const list = ofKind(data, 'topList');
    const chart = drawTopList(list, drawingOf(600, 300));
    const scale = { width: 600, height: 300, valueAt: () => undefined, pixelOf: () => undefined };
    return { texts: list.categories.map(({ text }) => text), chart, hit: chart.hit(0, scale) };
  };

  it('shows the maximum of each category, with a notice', async () => {
    const { data } = await charted(
      store,
      bodyWith([durations, textColumn('method', ['POST', 'POST', 'GET'])]),
    );
    const { texts, chart, hit } = drawn(data);
    assert.deepEqual(texts, ['103.6', '7']);
    assert.equal(hit?.rows[0]?.name, 'max of duration');
    assert.deepEqual(chart.notices, ['Shows the greatest duration of each category.']);
    const reversed = { ...durations, values: ['103.6', '5', '7'] };
    const other = await charted(
      store,
      bodyWith([reversed, textColumn('method', ['POST', 'POST', 'GET'])]),
    );
    assert.deepEqual(drawn(other.data).texts, ['103.6', '7']);
  });

  it('shows only the name of the column, without a notice, if each category has one row', async () => {
    const { data } = await charted(
      store,
      bodyWith([durations, textColumn('method', ['POST', 'PUT', 'GET'])]),
    );
    const { chart, hit } = drawn(data);
    assert.equal(hit?.rows[0]?.name, 'duration');
    assert.deepEqual(chart.notices, []);
  });
});

describe('the buckets of a histogram', () => {
  it('are named with only as many digits as distinguish them', async () => {
    const names = async (max: number) => {
      const buckets = [0, 1, 2].map((at) => ({
        from: 0.123456 + at * max,
        to: 0.123456 + (at + 1) * max,
        count: 1,
      }));
      const column: BodyColumn = {
        name: 'h',
        type: 'array',
        values: [JSON.stringify(buckets)],
        agg: { name: 'histogram', fields: ['x'], args: [3] },
      };
      const { data } = await charted(store, bodyWith([column]));
      return ofKind(data, 'topList').categories.map(({ name }) => name);
    };
    assert.deepEqual(await names(12.2222), ['0.1 – 12.3', '12.3 – 24.6', '24.6 – 36.8']);
    assert.deepEqual(await names(1_234_567), [
      '0 – 1,230,000',
      '1,230,000 – 2,470,000',
      '2,470,000 – 3,700,000',
    ]);
  });
});

describe('a statistic', () => {
  it('has a trend, and the change between its first and last complete bins', async () => {
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
    assert.deepEqual(statistic?.change, { share: 0.5, from: start + hour, to: start + 2 * hour });
  });

  it('ignores the first and last bins with data, and the empty bins around them, in its change', async () => {
    // The range has 8 bins: the data begins in the second and ends in the seventh.
    const { data } = await charted(
      store,
      bodyWith([timesColumn(hours(1, 2, 3, 4, 5, 6)), countColumn([1, 10, 11, 12, 15, 2])], {
        groups: ['_time'],
        bin: hour,
        range: rangeOf(start, start + 7.5 * hour),
      }),
      { kind: 'statistic', missing: 'zero' },
    );
    const { statistics, data: ends } = ofKind(data, 'statistic');
    assert.deepEqual(statistics[0]?.change, {
      share: 0.5,
      from: start + 2 * hour,
      to: start + 5 * hour,
    });
    assert.deepEqual(ends, { first: start + hour, last: start + 6 * hour });
  });

  it('reports the decrease to zero of a group that ended while other groups have data', async () => {
    const { data } = await charted(
      store,
      bodyWith(
        [
          timesColumn(hours(0, 0, 1, 1, 2, 3)),
          textColumn('host', ['a', 'b', 'a', 'b', 'b', 'b']),
          countColumn([4, 4, 4, 4, 4, 4]),
        ],
        { groups: ['_time', 'host'], bin: hour, range: rangeOf(start, start + 4 * hour) },
      ),
      { kind: 'statistic', missing: 'zero' },
    );
    const { statistics, data: ends } = ofKind(data, 'statistic');
    const shares = new Map(statistics.map(({ name, change }) => [name, change?.share]));
    assert.deepEqual([shares.get('a'), shares.get('b'), ends], [-1, 0, {}]);
  });

  it('compares only complete bins, even if the trend has fewer points than bins', async () => {
    const bins = 300;
    const counts = Array.from({ length: bins }, (_, at) => (at === bins - 1 ? 0 : 10 + at));
    const { data } = await charted(
      store,
      bodyWith([timesColumn(counts.map((_, at) => start + at * minute)), countColumn(counts)], {
        groups: ['_time'],
        bin: minute,
        range: rangeOf(start, start + (bins - 0.5) * minute),
      }),
      { kind: 'statistic' },
      { maxPoints: 200 },
    );
    const [statistic] = ofKind(data, 'statistic').statistics;
    assert.ok((statistic?.trend?.y.length ?? 0) < bins);
    assert.equal(statistic?.change?.share, (10 + bins - 2 - 10) / 10);
    assert.deepEqual(ofKind(data, 'statistic').partial, { first: false, last: true });
  });

  it('ignores a bin that starts at the end of the time range', async () => {
    const { data } = await charted(
      store,
      bodyWith([timesColumn(hours(0, 1, 2)), countColumn([10, 15, 1])], {
        groups: ['_time'],
        bin: hour,
        range: rangeOf(start, start + 2 * hour),
      }),
      { kind: 'statistic' },
    );
    assert.equal(ofKind(data, 'statistic').statistics[0]?.change?.share, 0.5);
  });

  it('with one point has no change', async () => {
    const { data } = await charted(
      store,
      bodyWith([timesColumn([start]), countColumn([1])], { groups: ['_time'], bin: hour }),
      { kind: 'statistic' },
    );
    assert.equal(ofKind(data, 'statistic').statistics[0]?.change, undefined);
  });

  it('of one row without times is exact and has no trend', async () => {
    const { data } = await charted(store, bodyWith([countColumn(['9223372036854775807'])]));
    const { statistics } = ofKind(data, 'statistic');
    assert.deepEqual(
      statistics.map(({ text, trend }) => [text, trend]),
      [['9223372036854775807', undefined]],
    );
  });
});

describe('a scatter chart', () => {
  it('of many points keeps the extremes of both axes, and reports the number of points', async () => {
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
  it('sorts numeric groups by value and other groups by total', async () => {
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

  it('of irregular times has a limited number of columns and keeps all values', async () => {
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

describe('a chart request', () => {
  it('with a missing column, an invalid limit or an unknown kind is rejected with a message', async () => {
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
      [{ kind: 'gauge' }, /kind of chart: gauge/],
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
