/**
 * Compares time series of random tables with a reference implementation, and charts 1,000,000 rows with APLOMB_LONG=1,
 * otherwise a tenth of them, while the worker answers other requests.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnswerTable } from '../../../table/src/answer.ts';
import type { ChartRequest, ChartSeries } from '../../../table/src/chart/chart.ts';
import { pointNear, timePlot } from '../../../table/src/chart/timePlot.ts';
import { timeSeries } from '../../../table/src/chart/timeSeries.ts';
import type { HeldTable } from '../../../table/src/columns/heldTable.ts';
import { answerBody } from '../../bench/workbench/answerBody.ts';
import { decoded, patient } from '../../table/tables.ts';
import { bodyWith, hour, start, textColumn, timesColumn } from '../charts/bodies.ts';
import { charted, ofKind } from '../charts/charts.ts';
import { arrive, newStore } from './stores.ts';

const isLong = process.env['APLOMB_LONG'] === '1';
const runs = isLong ? 1_000 : 100;

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Row {
  readonly time: number;
  readonly host: string | null;
  readonly zone: string;
  readonly value: bigint | null;
}

type Aggregate = 'count' | 'max' | 'min' | 'avg';

/** Combines the values at one time into one value. */
function joined(values: readonly bigint[], aggregate: Aggregate): bigint | null {
  const [first] = values;
  if (first === undefined) return null;
  if (aggregate === 'avg') return values.at(-1) as bigint;
  return values.reduce((left, right) => {
    if (aggregate === 'count') return left + right;
    return (aggregate === 'max' ? right > left : right < left) ? right : left;
  });
}

/** Returns the combined value of the rows at each time, in order of time. */
function valuesByTime(rows: readonly Row[], aggregate: Aggregate): Map<number, bigint | null> {
  const times = [...new Set(rows.map(({ time }) => time))].sort((left, right) => left - right);
  return new Map(
    times.map((time) => {
      const values = rows.flatMap((row) =>
        row.time === time && row.value !== null ? [row.value] : [],
      );
      return [time, joined(values, aggregate)];
    }),
  );
}

/**
 * Returns the expected figures of the values. `zeros` is the number of times without a value that are drawn as zero.
 */
function expectedFigures(values: readonly bigint[], last: bigint | undefined, zeros: number) {
  if (values.length + zeros === 0) return { points: 0 };
  const sorted = [...values, ...(zeros > 0 ? [0n] : [])].sort((left, right) =>
    left < right ? -1 : left > right ? 1 : 0,
  );
  return {
    points: values.length + zeros,
    total: String(values.reduce((sum, value) => sum + value, 0n)),
    min: String(sorted[0]),
    max: String(sorted.at(-1)),
    last: String(last),
  };
}

function checkSeries(
  series: ChartSeries,
  values: ReadonlyMap<number, bigint | null>,
  times: readonly number[],
  missing: number | null,
  all: readonly bigint[],
): void {
  const expected = times.map((time) => {
    const value = values.get(time) ?? null;
    return value === null ? missing : Number(value);
  });
  assert.equal(series.x, undefined);
  // Sums of doubles may differ from the double of a sum in their last digit.
  for (const [at, value] of expected.entries()) {
    const drawn = series.y[at];
    if (value === null || drawn === null || drawn === undefined) assert.equal(drawn, value);
    else assert.ok(Math.abs(drawn - value) <= Math.abs(value) * 1e-15, `${drawn} ${value}`);
  }
  const { average, ...figures } = series.figures;
  const known = [...values.values()].filter((value) => value !== null);
  const absent = times.filter((time) => (values.get(time) ?? null) === null);
  const zeros = missing === null ? 0 : absent.length;
  const endsWithZero = zeros > 0 && absent.at(-1) === times.at(-1);
  const last = endsWithZero ? 0n : known.at(-1);
  assert.deepEqual(figures, expectedFigures(all, last, zeros));
  assert.equal(average === undefined, known.length + zeros === 0);
}

describe('time series of random tables', () => {
  for (let seed = 1; seed <= runs; seed++) {
    it(`agree with a reference implementation (seed ${seed})`, async () => {
      const next = random(seed * 7_919);
      const aggregate = (['count', 'max', 'min', 'avg'] as const)[next(4)] as Aggregate;
      const size = [1n, 1n, 2n ** 40n, 2n ** 58n][next(4)] as bigint;
      const rows = Array.from(
        { length: 1 + next(60) },
        (): Row => ({
          time: start + next(12) * hour,
          host: [null, '', 'a', 'b', '__proto__', 'null'][next(6)] as string | null,
          zone: ['x', 'y'][next(2)] as string,
          value: next(6) === 0 ? null : size * BigInt(next(30) - 9) + BigInt(next(5)),
        }),
      );
      const groups = next(3);
      const missing = next(2) === 0 ? 'gap' : 'zero';
      const maxSeries = 1 + next(8);
      const body = bodyWith(
        [
          timesColumn(rows.map(({ time }) => time)),
          textColumn(
            'host',
            rows.map(({ host }) => host),
          ),
          textColumn(
            'zone',
            rows.map(({ zone }) => zone),
          ),
          {
            name: 'n',
            type: 'integer',
            values: rows.map(({ value }) => String(value)),
            agg: { name: aggregate },
          },
        ],
        { groups: ['_time', 'host', 'zone'], bin: hour },
      );
      const [table] = decoded(body);
      const request: ChartRequest = {
        kind: 'timeSeries',
        time: 0,
        values: [3],
        groups: [1, 2].slice(0, groups),
        missing,
        stacked: false,
        maxSeries,
        maxPoints: 1_000,
        timeZone: 'utc',
      };
      const described = describedOf(table as HeldTable);
      const context = {
        table: table as HeldTable,
        described,
        aggregated: true,
        request,
        task: patient,
      };
      const plot = await timePlot(context);
      const data = await timeSeries(context, plot);

      const byGroup = new Map<string, Row[]>();
      for (const row of rows) {
        const key = JSON.stringify([row.host, row.zone].slice(0, groups));
        byGroup.set(key, [...(byGroup.get(key) ?? []), row]);
      }
      const magnitude = (group: readonly Row[]) =>
        group.reduce((sum, { value }) => sum + Math.abs(Number(value ?? 0n)), 0);
      const ranked = [...byGroup.values()].sort(
        (left, right) => magnitude(right) - magnitude(left),
      );
      const kept = ranked.slice(0, maxSeries);
      const others = ranked.slice(maxSeries);
      const folds = others.length > 0 && aggregate === 'count';
      assert.equal(data.series.length, kept.length + (folds ? 1 : 0));
      assert.equal(data.leftOut ?? 0, folds ? 0 : others.length);
      const shown = folds ? rows : kept.flat();
      const all = shown.map(({ time }) => time);
      const [first, last] = [Math.min(...all), Math.max(...all)];
      const times = Array.from({ length: (last - first) / hour + 1 }, (_, at) => first + at * hour);
      assert.deepEqual(data.times, times);
      for (const [index, series] of data.series.entries()) {
        // Display order decides which of several averages is the last.
        const isFolded = series.folded !== undefined;
        const own = isFolded
          ? rows.filter((row) => others.some((group) => group.includes(row)))
          : kept[index];
        assert.equal(series.folded, isFolded ? others.length : undefined);
        const values = valuesByTime(own ?? [], aggregate);
        const counted =
          aggregate === 'count' ? [...values.values()] : (own ?? []).map((row) => row.value);
        const everyValue = counted.filter((each) => each !== null);
        checkSeries(series, values, times, missing === 'zero' ? 0 : null, everyValue);
        const at = times[next(times.length)] as number;
        const value = values.get(at) ?? null;
        const text = pointNear(plot, at + next(1_000)).values[series.key];
        assert.equal(text, value === null ? null : String(value));
      }
    });
  }
});

function describedOf({ name, fields, rowCount }: HeldTable): AnswerTable {
  return {
    name,
    sources: [],
    fields,
    groups: ['_time', 'host', 'zone'],
    order: [],
    rowCount,
    buckets: { field: '_time', size: hour * 1e6 },
  };
}

describe('a large answer', () => {
  const rowCount = isLong ? 1_000_000 : 100_000;

  it(`of ${rowCount} events is charted while windows are read, and its chart can be cancelled`, async () => {
    const store = newStore({ maxBytes: 2 ** 31 });
    try {
      const large = await arrive(store, answerBody(rowCount, 20));
      const { fields } = large.head.tables[0] ?? assert.fail();
      const column = (name: string) => fields.findIndex((field) => field.name === name);
      const place = { answer: large.id, table: 0 };
      const request: ChartRequest = {
        kind: 'timeSeries',
        time: column('_time'),
        values: [column('bytes')],
        groups: [column('geo.city')],
        missing: 'gap',
        stacked: false,
        maxSeries: 20,
        maxPoints: 1_000,
        timeZone: 'utc',
      };
      let isDone = false;
      const charting = store.rows('chart', { ...place, ...request }).finally(() => {
        isDone = true;
      });
      let windows = 0;
      const window = { ...place, from: 0, to: 10, columns: [0], timeZone: 'utc' } as const;
      do {
        await store.rows('window', window);
        windows++;
      } while (!isDone && windows < 1_000);
      assert.ok(windows > 3, `only ${windows} windows were read meanwhile`);
      const data = ofKind(await charting, 'timeSeries');
      const points = data.series.reduce((sum, { figures }) => sum + figures.points, 0);
      assert.ok(points > rowCount / 2 && points <= rowCount);
      assert.equal(data.reduced, true);
      for (const { y, figures } of data.series) {
        const numbers = y.filter((value) => value !== null);
        assert.ok(y.length <= 1_000);
        assert.equal(Math.max(...numbers), Number(figures.max));
        assert.equal(Math.min(...numbers), Number(figures.min));
      }
      const aborting = new AbortController();
      const cancelled = store.rows(
        'chart',
        { ...place, ...request, values: [column('ratio')] },
        { signal: aborting.signal },
      );
      aborting.abort();
      await assert.rejects(cancelled, { code: 'cancelled' });
    } finally {
      await store.dispose();
    }
  });

  it('of 50,000 groups is a top list whose values add up to the total', async () => {
    const store = newStore({ maxBytes: 2 ** 31 });
    try {
      const count = 50_000;
      const names = Array.from({ length: count }, (_, index) => `user-${index}`);
      const values = names.map((_, index) => (index * 7_919) % count);
      const columns = [
        textColumn('user', names),
        { name: 'n', type: 'integer', values: values.map(String), agg: { name: 'count' } },
      ];
      const { data } = await charted(store, bodyWith(columns, { groups: ['user'] }));
      const { categories } = ofKind(data, 'topList');
      assert.equal(categories.length, 21);
      assert.equal(categories.at(-1)?.folded, count - 20);
      const total = categories.reduce((sum, { text }) => sum + BigInt(text ?? '0'), 0n);
      assert.equal(total, BigInt(values.reduce((sum, value) => sum + value, 0)));
      assert.deepEqual(
        categories.slice(0, 20).map(({ value }) => value),
        Array.from({ length: 20 }, (_, index) => count - 1 - index),
      );
    } finally {
      await store.dispose();
    }
  });
});
