/** Response bodies of queries as the service sends them, with groups, aggregates, buckets and a range. */

export interface BodyColumn {
  readonly name: string;
  readonly type: string;
  /** The values, as JSON. */
  readonly values: readonly string[];
  readonly agg?: {
    readonly name: string;
    readonly fields?: readonly string[];
    readonly args?: readonly unknown[];
  };
  readonly unit?: string;
}

export interface BodyOptions {
  readonly groups?: readonly string[];
  readonly range?: { readonly start: string; readonly end: string };
  /** The length of a bucket of `_time`, in milliseconds. */
  readonly bin?: number;
}

export function bodyWith(
  columns: readonly BodyColumn[],
  { groups = [], range, bin }: BodyOptions = {},
): string {
  const fields = columns.map(({ name, type, agg }) => ({ name, type, ...(agg && { agg }) }));
  const units = columns.flatMap(({ name, type, unit }) => (unit ? [{ name, type, unit }] : []));
  const head = {
    name: '0',
    sources: [{ name: 'logs' }],
    fields,
    order: [],
    groups: groups.map((name) => ({ name })),
    ...(range && { range: { field: '_time', ...range } }),
    ...(bin && { buckets: { field: '_time', size: bin * 1e6 } }),
  };
  const values = columns.map((column) => `[${column.values.join(',')}]`).join(',');
  return (
    `{"format":"tabular","status":{"elapsedTime":5},"datasetNames":["logs"],` +
    `"fieldsMetaMap":${JSON.stringify({ logs: units })},` +
    `"tables":[${JSON.stringify(head).slice(0, -1)},"columns":[${values}]}]}`
  );
}

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const start = Date.parse('2026-03-28T00:00:00Z');

/** The hours of the day after `start`, in milliseconds. */
export const hours = (...at: readonly number[]): number[] =>
  at.map((index) => start + index * hour);

export const rangeOf = (from: number, to: number) => ({
  start: new Date(from).toISOString(),
  end: new Date(to).toISOString(),
});

export const time = (milliseconds: number): string =>
  JSON.stringify(new Date(milliseconds).toISOString());

/** Creates a column of times. */
export const timesColumn = (times: readonly number[]): BodyColumn => ({
  name: '_time',
  type: 'datetime',
  values: times.map(time),
});

export const countColumn = (values: readonly (number | string)[]): BodyColumn => ({
  name: 'count_',
  type: 'integer',
  values: values.map(String),
  agg: { name: 'count' },
});

export const averageColumn = (values: readonly (number | string)[], unit?: string): BodyColumn => ({
  name: 'avg_duration',
  type: 'float',
  values: values.map(String),
  agg: { name: 'avg', fields: ['duration'] },
  ...(unit && { unit }),
});

export const textColumn = (name: string, values: readonly (string | null)[]): BodyColumn => ({
  name,
  type: 'string',
  values: values.map((value) => JSON.stringify(value)),
});
