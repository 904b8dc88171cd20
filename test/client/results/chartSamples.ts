/** Answers that can be drawn, one for each kind of chart, for the tests of charts in the page. */
import type { Cell } from '../../../table/src/result.ts';
import { result, type Sample, type SampleTable, table } from './samples.ts';

export const start = Date.UTC(2026, 10, 21, 9);
export const minute = 60_000;

export function time(minutes: number): string {
  return new Date(start + minutes * minute).toISOString().replace('.000Z', 'Z');
}

export interface Summary {
  readonly groups?: readonly string[];
  /** Aggregates by column. */
  readonly aggregates?: Readonly<Record<string, string>>;
  /** The length of the answer's time range in minutes. */
  readonly minutes?: number;
}

/** Returns the table of a summarized answer. */
export function summary(
  rows: number,
  columns: Record<string, [string, (row: number) => Cell]>,
  { groups = [], aggregates = {}, minutes }: Summary,
): SampleTable {
  const plain = table(rows, columns);
  return {
    ...plain,
    columns: plain.columns.map((column) => {
      const name = aggregates[column.name];
      return name === undefined ? column : { ...column, agg: { name } };
    }),
    groups,
    ...(minutes !== undefined && {
      range: { field: '_time', start: time(0), end: time(minutes) },
    }),
  };
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];

const wave = (step: number, of: number) =>
  Math.round(50 * (of + 1) + 30 * Math.sin(step / 5 + of) + ((step * 7_919) % 23));

export const byMethod = (bins = 60) =>
  summary(
    bins * 5,
    {
      _time: ['datetime', (row) => time(Math.floor(row / 5))],
      method: ['string', (row) => methods[row % 5] ?? ''],
      count_: ['integer', (row) => wave(Math.floor(row / 5), row % 5)],
    },
    { groups: ['_time', 'method'], aggregates: { count_: 'count' }, minutes: bins },
  );

export const percentiles = (bins = 60) =>
  summary(
    bins,
    {
      _time: ['datetime', (row) => time(row)],
      p50: ['float', (row) => wave(row, 1) * 1.37],
      p99: ['float', (row) => (row === 30 ? null : wave(row, 3) * 2.11)],
    },
    {
      groups: ['_time'],
      aggregates: { p50: 'percentile', p99: 'percentile' },
      minutes: bins,
    },
  );

export const byPath = summary(
  14,
  {
    path: ['string', (row) => `/api/v1/items/${'x'.repeat(row * 3)}`],
    count_: ['integer', (row) => 5_000 - row * 311],
  },
  { groups: ['path'], aggregates: { count_: 'count' } },
);

export const single = summary(
  1,
  { count_: ['integer', () => 9_007_199_254_740_993n], duration: ['float', () => 123.456] },
  { aggregates: { count_: 'count', duration: 'avg' } },
);

export const events = table(5_000, {
  _time: ['datetime', (row) => time(row / 100)],
  level: ['string', (row) => ['info', 'warn', 'error'][row % 3] ?? ''],
  message: ['string', (row) => `request ${row} took ${row * 3} ms`],
  duration: ['float', (row) => ((row * 7_919) % 1_000) / 3],
});

export const units = { p50: 'ms', p99: 'ms', duration: 'ms' };

/** Each kind of chart: its answer, and the kind to choose if it is not the default. */
export const kinds: readonly (readonly [
  name: string,
  sample: Sample,
  choose?: string,
  style?: string,
])[] = [
  ['stacked bars', result([byMethod()], { units })],
  ['lines with a gap', result([percentiles()], { units })],
  ['stacked area', result([byMethod()], { units }), 'timeSeries', 'area'],
  ['top list', result([byPath])],
  ['pie', result([byPath]), 'pie'],
  ['heatmap', result([byMethod()]), 'heatmap'],
  ['scatter', result([events], { units }), 'scatter'],
  ['statistics', result([single], { units })],
  ['statistics with trends', result([percentiles()], { units }), 'statistic'],
  ['log stream', result([events], { units }), 'logStream'],
];
