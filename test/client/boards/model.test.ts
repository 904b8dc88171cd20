/** How dashboards are parsed (time ranges, layouts, charts, filters) and changed, and the queue of their requests. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HeldAnswer } from '../../../client/src/answers/heldAnswer.ts';
import { BoardAnnotations } from '../../../client/src/boards/host/boardAnnotations.ts';
import { withChart } from '../../../client/src/boards/model/addChart.ts';
import { readBoard, usesFilter } from '../../../client/src/boards/model/dashboard.ts';
import { type LayoutItem, type Place, places } from '../../../client/src/boards/model/layout.ts';
import { RequestQueue } from '../../../client/src/boards/model/requestQueue.ts';
import { againstMinutes, windowOf } from '../../../client/src/boards/model/timeWindow.ts';
import type { Annotation } from '../../../client/src/charts/host/marksSource.ts';
import type { Outcome } from '../../../client/src/service/failure.ts';
import { rangeLabel } from '../../../client/src/time/timeRange.ts';

describe('the time range of a dashboard', () => {
  const table: readonly (readonly [unknown, unknown, string])[] = [
    ['qr-now-1h', 'qr-now', 'last 1 hour'],
    ['qr-now-7d', 'qr-now', 'last 7 days'],
    ['now-30m', 'now', 'last 30 minutes'],
    ['qr-now-2w', undefined, 'last 2 weeks'],
    ['qr-now-2h', 'qr-now-1h', '2 hours ago to 1 hour ago'],
    ['1795338300000', '1795341900000', '2026-11-22 09:05 to 10:05'],
    [1_795_338_300_000, 1_795_341_900_000, '2026-11-22 09:05 to 10:05'],
    ['2026-11-22T09:05:00Z', '2026-11-22T10:05:00+01:00', '2026-11-22 09:05 to 09:05'],
    ['nonsense', 'qr-now', 'last 1 hour'],
    [undefined, undefined, 'last 1 hour'],
    [{}, [], 'last 1 hour'],
  ];
  for (const [start, end, expected] of table)
    it(`from ${JSON.stringify(start)} to ${JSON.stringify(end)} is: ${expected}`, () =>
      assert.equal(rangeLabel(windowOf(start, end)), expected));

  it('is the last hour if the start is a number that is not a valid time', () => {
    for (const start of ['9'.repeat(400), Number.POSITIVE_INFINITY, 10n ** 400n, 1e300])
      assert.equal(rangeLabel(windowOf(start, 'qr-now')), 'last 1 hour');
  });

  it('is compared with an earlier one only if the offset is a negative duration', () => {
    assert.deepEqual(
      ['-1h', '-1d', '-90d', '-2w', '1h', '', undefined, '-0h'].map(againstMinutes),
      [60, 1_440, 129_600, 20_160, undefined, undefined, undefined, undefined],
    );
  });
});

describe('a dashboard with unexpected values', () => {
  it('has a refresh interval from 5 seconds to a day, or none', () => {
    const seconds = (refreshTime: unknown) => readBoard({ refreshTime }).refreshSeconds;
    // A timer of more than 2^31 ms would fire immediately.
    assert.deepEqual(
      [60, 0, -5, 0.001, 3_000_000, 1e300, Number.NaN, 10n ** 30n, '60'].map(seconds),
      [60, 0, 0, 5, 86_400, 86_400, 0, 86_400, 0],
    );
  });

  it('has charts with unique ids and positions', () => {
    const { cards } = readBoard({
      charts: [{ id: 'a' }, { id: 'a' }, {}, { id: 'chart 3' }, { id: 'a 2' }],
      layout: [{ i: 'a', x: 0, y: 0, w: 12, h: 2 }],
    });
    assert.equal(new Set(cards.map(({ id }) => id)).size, 5);
    assert.equal(new Set(cards.map(({ place: { x, y } }) => `${x} ${y}`)).size, 5);
    assert.equal(cards[0]?.id, 'a');
  });

  it('has charts of limited size within the first 30,000 rows', () => {
    const layout = [1e300, 1e9, Number.POSITIVE_INFINITY, Number.NaN].map((y, index) => ({
      i: `c${index}`,
      y,
      w: Number.NaN,
      h: 1e9,
    }));
    const charts = layout.map(({ i }) => ({ id: i }));
    for (const { place } of readBoard({ charts, layout }).cards) {
      assert.ok(place.y < 30_000 && place.w >= 1 && place.h <= 100, JSON.stringify(place));
    }
  });
});

describe('the layout of a dashboard', () => {
  const size = { w: 6, h: 4 };
  const placed = (ids: string, layout: readonly LayoutItem[]) =>
    Object.fromEntries(
      [
        ...places(
          [...ids].map((id) => ({ id, size })),
          layout,
        ),
      ].map(([id, { x, y, w, h }]) => [id, [x, y, w, h].join(' ')]),
    );

  it('is kept as stored, including gaps', () => {
    const layout = [
      { i: 'a', x: 0, y: 0, w: 3, h: 2 },
      { i: 'b', x: 9, y: 5, w: 3, h: 2 },
    ];
    assert.deepEqual(placed('ab', layout), { a: '0 0 3 2', b: '9 5 3 2' });
  });

  it('moves overlapping charts down', () => {
    const layout = [
      { i: 'a', x: 0, y: 0, w: 6, h: 4 },
      { i: 'b', x: 3, y: 2, w: 6, h: 2 },
      { i: 'c', x: 0, y: 1, w: 2, h: 1 },
    ];
    assert.deepEqual(placed('abc', layout), { a: '0 0 6 4', c: '0 4 2 1', b: '3 4 6 2' });
  });

  it('keeps charts inside the grid', () => {
    const layout = [{ i: 'a', x: 11, y: -3, w: 40, h: 0 }];
    assert.deepEqual(placed('a', layout), { a: '0 0 12 1' });
  });

  it('places charts without a position in the next free space', () => {
    const layout = [
      { i: 'a', x: 0, y: 0, w: 6, h: 4 },
      { i: 'b', x: 0, y: null, w: 12, h: 2 },
    ];
    assert.deepEqual(placed('acb', layout), { a: '0 0 6 4', c: '6 0 6 4', b: '0 4 12 2' });
  });

  it('never has overlapping charts, for 500 random layouts', () => {
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 500; round += 1) {
      const ids = Array.from({ length: 1 + random(12) }, (_, index) => `c${index}`);
      const layout = ids
        .filter(() => random(5) > 0)
        .map((i) => ({
          i,
          x: random(16) - 2,
          y: random(6) === 0 ? null : random(10) - 1,
          w: random(15),
          h: random(6),
        }));
      const found = [
        ...places(
          ids.map((id) => ({ id, size })),
          layout,
        ).values(),
      ];
      assert.equal(found.length, ids.length);
      const taken = new Set<string>();
      for (const { x, y, w, h } of found as Place[]) {
        assert.ok(x >= 0 && w >= 1 && x + w <= 12 && y >= 0 && h >= 1);
        for (let column = x; column < x + w; column += 1)
          for (let row = y; row < y + h; row += 1) {
            const key = `${column} ${row}`;
            assert.ok(!taken.has(key), JSON.stringify(layout));
            taken.add(key);
          }
      }
    }
  });
});

describe('a parsed dashboard', () => {
  const card = (chart: object) => readBoard({ charts: [{ id: 'a', ...chart }] }).cards[0];

  it('has the chart kinds, styles and columns of the stored types and options', () => {
    const query = { apl: 'x', queryOptions: { timeSeriesVariant: 'bars', displayNull: 'span' } };
    assert.deepEqual(card({ type: 'TimeSeries', query })?.choice, {
      kind: 'timeSeries',
      style: 'bars',
      missing: 'linear',
    });
    assert.equal(card({ type: 'Pie', query })?.choice.kind, 'pie');
    const table = { apl: 'x', queryOptions: { shownColumns: '["b","a"]' } };
    assert.deepEqual(card({ type: 'Table', query: table })?.columns, ['b', 'a']);
    const listed = {
      apl: 'x',
      queryOptions: { timeSeriesView: 'resultsTable', shownColumns: 'b, a' },
    };
    assert.equal(card({ type: 'TimeSeries', query: listed })?.shown, 'table');
    assert.deepEqual(card({ type: 'TimeSeries', query: listed })?.columns, ['b', 'a']);
  });

  it('keeps the APL query of an unknown chart type, and treats metrics charts as unknown', () => {
    assert.deepEqual(
      [card({ type: 'Sankey', query: { apl: 'x' } })].map((found) => [found?.kind, found?.apl]),
      [['unknown', 'x']],
    );
    assert.equal(card({ type: 'TimeSeries', query: { mpl: 'x' } })?.kind, 'unknown');
    assert.equal(card({ type: 'constructor', query: { apl: 'x' } })?.kind, 'unknown');
  });

  it('tolerates values of any type', () => {
    for (const value of [
      null,
      7,
      'x',
      [],
      [null, 3, [], 'y'],
      { charts: 5, layout: {} },
      undefined,
      7n,
    ]) {
      readBoard(value);
      readBoard({ charts: value, layout: value, name: value, refreshTime: value, against: value });
      card({ type: value, name: value, query: value, filters: value, text: value });
      card({ type: 'TimeSeries', query: { apl: value, queryOptions: value } });
    }
  });

  it('has the active filters of a filter bar, with their default options', () => {
    const filters = [
      {
        id: 'country',
        name: 'Country',
        type: 'select',
        options: [
          { key: 'All', value: '' },
          { key: 'PT', value: 'pt', default: true },
        ],
      },
      { id: 'city', type: 'select', apl: { apl: 'cities' } },
      { id: 'text', type: 'search' },
      { id: 'off', type: 'select', active: false },
      { name: 'without an id' },
    ];
    const found = card({ type: 'SmartFilter', filters })?.filters ?? [];
    assert.deepEqual(
      found.map(({ id, kind, initial, apl }) => [id, kind, initial, apl]),
      [
        ['country', 'select', 'pt', undefined],
        ['city', 'select', '', 'cities'],
        ['text', 'search', '', undefined],
      ],
    );
  });

  it('passes a filter only to the queries that name it', () => {
    const filters = ['country', 'city', 'a.b('];
    const used = (apl: string) => filters.filter((id) => usesFilter(apl, id));
    assert.deepEqual(used('declare query_parameters (country:string = "");'), ['country']);
    assert.deepEqual(used("['ds'] | where countryside == 1 and x.city == 2"), []);
    assert.deepEqual(used('city or country'), ['country', 'city']);
  });
});

describe('an added chart', () => {
  const add = (document: object, name = 'Errors') =>
    withChart(document as never, { name, apl: 'x', kind: 'timeSeries', style: 'bars' }) as {
      charts: { id: string }[];
      layout: { i: string; x: number; y: number }[];
      unknown?: unknown;
    };

  it('is placed below all other charts, with an unused id', () => {
    const document = {
      unknown: { kept: [1n] },
      charts: [{ id: 'errors', extra: true }],
      layout: [{ i: 'errors', x: 0, y: 3, w: 12, h: 5 }],
    };
    const { charts, layout, unknown } = add(document);
    assert.deepEqual(charts, [
      { id: 'errors', extra: true },
      {
        id: 'errors-2',
        type: 'TimeSeries',
        name: 'Errors',
        query: { apl: 'x', queryOptions: { timeSeriesVariant: 'bars' } },
      },
    ]);
    assert.deepEqual(layout.at(-1), { i: 'errors-2', x: 0, y: 8, w: 6, h: 4 });
    assert.deepEqual(unknown, { kept: [1n] });
  });

  it('is placed next to the last chart if there is room', () => {
    const first = add({});
    const second = add(first);
    assert.deepEqual(
      second.layout.map(({ x, y }) => [x, y]),
      [
        [0, 0],
        [6, 0],
      ],
    );
    assert.deepEqual(
      add(second).layout.map(({ x, y }) => [x, y]),
      [
        [0, 0],
        [6, 0],
        [0, 4],
      ],
    );
  });

  it('has the id "chart" if its name contains no ASCII letters', () => {
    assert.equal(add({}, '错误 %').charts[0]?.id, 'chart');
  });
});

describe('the request queue', () => {
  /** Creates a queue, with functions to add a task and to end it. */
  function tasks(max: number) {
    const ends = new Map<string, () => void>();
    const log: string[] = [];
    const queue = new RequestQueue(() => max);
    const put = (key: string) =>
      queue.put({
        key,
        run: (signal) => {
          log.push(key);
          signal.addEventListener('abort', () => log.push(`${key} aborted`));
          return new Promise((resolve) => ends.set(key, resolve));
        },
        dropped: () => log.push(`${key} dropped`),
      });
    const end = async (key: string) => {
      ends.get(key)?.();
      await new Promise((done) => setImmediate(done));
    };
    return { queue, log, put, end };
  }

  it('runs at most its maximum number of tasks, prioritized ones first', async () => {
    const { queue, log, put, end } = tasks(2);
    for (const key of 'abcde') put(key);
    assert.deepEqual(log, ['a', 'b']);
    queue.first(['e', 'd']);
    await end('a');
    await end('b');
    assert.deepEqual(log, ['a', 'b', 'e', 'd']);
    assert.deepEqual([queue.running, queue.waiting], [2, 1]);
  });

  it('replaces a waiting or running task with the same key', async () => {
    const { log, put } = tasks(1);
    put('a');
    put('b');
    put('b');
    put('a');
    assert.deepEqual(log, ['a', 'b dropped', 'a aborted', 'b']);
  });

  it('aborts and drops all tasks when paused, and runs those added meanwhile when resumed', async () => {
    const { queue, log, put } = tasks(1);
    put('a');
    put('b');
    queue.pause();
    put('c');
    assert.deepEqual(log, ['a', 'b dropped', 'a aborted']);
    queue.resume();
    assert.deepEqual(log.at(-1), 'c');
  });
});

describe('the annotations of a dashboard', () => {
  const answer = { head: { datasetNames: ['web'], tables: [] } } as unknown as HeldAnswer;
  const found: Outcome<readonly Annotation[]> = {
    ok: true,
    value: [{ id: 'a', title: 'a', type: 'note', time: '2026-11-21T09:00:00Z', datasets: ['web'] }],
  };

  function requests() {
    const answered: ((value: typeof found) => void)[] = [];
    const queue = new RequestQueue(() => 2);
    const annotations = new BoardAnnotations({
      queue,
      list: () => new Promise((resolve) => answered.push(resolve)),
      onProblem: () => assert.fail('There is no problem.'),
    });
    const titles = async () => (await annotations.of(answer)).annotations.map(({ title }) => title);
    return { answered, queue, annotations, titles };
  }

  it('are requested once after a refresh, even if the earlier request completes late', async () => {
    const { answered, annotations, titles } = requests();
    const former = titles();
    annotations.forget();
    const next = titles();
    answered[0]?.(found);
    assert.deepEqual(await former, []);
    await new Promise((done) => setImmediate(done));
    const shared = titles();
    assert.equal(answered.length, 2);
    answered[1]?.(found);
    assert.deepEqual([await next, await shared], [['a'], ['a']]);
  });

  it('are requested again after a pause, even if the aborted request is still pending', async () => {
    const { answered, queue, titles } = requests();
    const former = titles();
    queue.pause();
    queue.resume();
    const next = titles();
    assert.equal(answered.length, 2);
    answered[1]?.(found);
    assert.deepEqual([await former, await next], [[], ['a']]);
  });
});
