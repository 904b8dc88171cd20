/** Aggregates: functions that `summarize` and `make-series` apply to the rows of a group. */
import {
  amount,
  area,
  bool,
  field,
  fn,
  long,
  many,
  numeric,
  optional,
  scalar,
  signature,
  star,
  string,
  timespan,
} from '../catalog/build.ts';
import type { ProseRow } from '../prose/says.ts';

const condition = bool('condition');
const value = scalar('expression');
const number = numeric('expression');
const duration = timespan('expression');
const limit = optional(long('limit'));
const quantity = amount('expression');
const estimated = { approximate: true } as const;
const severalColumns = { spreads: 'columns' } as const;
const severalRows = { spreads: 'rows' } as const;
const estimatedRows = { ...estimated, ...severalRows } as const;

export const aggregateRows = area(
  'aggregation',
  {
    arg_max: fn([value, many(field('field'))], 'unknown', {
      ...severalColumns,
      or: [signature([value, star], 'unknown')],
    }),
    arg_min: fn([value, many(field('field'))], 'unknown', {
      ...severalColumns,
      or: [signature([value, star], 'unknown')],
    }),
    avg: fn([number], 'real', {
      or: [signature([duration], 'timespan')],
    }),
    avgif: fn([number, condition], 'real', {
      or: [signature([duration, condition], 'timespan')],
      columnName: { prefix: 'avg' },
    }),
    count: fn([], 'long', { columnName: { fixed: 'count_' } }),
    countif: fn([condition], 'long'),
    dcount: fn([value], 'long', estimated),
    dcountif: fn([value, condition], 'long', estimated),
    histogram: fn([quantity, long('bins')], 'dynamic', estimatedRows),
    histogramif: fn([quantity, long('bins'), condition], 'dynamic', estimatedRows),
    make_list: fn([value, limit], 'dynamic'),
    make_list_if: fn([value, condition], 'dynamic'),
    make_set: fn([value, limit], 'dynamic'),
    make_set_if: fn([value, condition, limit], 'dynamic'),
    max: fn([value], { sameAs: 'expression' }),
    maxif: fn([value, condition], { sameAs: 'expression' }),
    min: fn([value], { sameAs: 'expression' }),
    minif: fn([value, condition], { sameAs: 'expression' }),
    percentile: fn([quantity, numeric('percent')], { sameAs: 'expression' }, estimated),
    percentileif: fn(
      [quantity, numeric('percent'), condition],
      { sameAs: 'expression' },
      estimated,
    ),
    percentiles_array: fn([quantity, many(scalar('percent'))], 'dynamic', estimated),
    percentiles_arrayif: fn([quantity, scalar('percents'), condition], 'dynamic', {
      ...estimated,
      columnName: { prefix: 'percentiles' },
    }),
    phrases: fn([string('text'), long('limit')], 'dynamic', severalRows),
    rate: fn([quantity], 'real', { unit: 'per second', columnName: { fixed: 'rate' } }),
    spotlight: fn([condition, many(field('field'))], 'dynamic', {
      ...severalRows,
      or: [signature([condition, star], 'dynamic')],
    }),
    stdev: fn([number], 'real', {
      or: [signature([duration], 'timespan')],
    }),
    stdevif: fn([number, condition], 'real', {
      or: [signature([duration, condition], 'timespan')],
      columnName: { prefix: 'stdev' },
    }),
    sum: fn([quantity], { sameAs: 'expression' }),
    sumif: fn([quantity, condition], { sameAs: 'expression' }),
    topk: fn([value, long('k')], 'dynamic', estimatedRows),
    topkif: fn([value, long('k'), condition], 'dynamic', estimatedRows),
    variance: fn([quantity], 'real'),
    varianceif: fn([quantity, condition], 'real'),
  },
  'aggregate',
);

export const aggregateProse: Readonly<Record<keyof typeof aggregateRows, ProseRow>> = {
  arg_max: [
    'Returns fields of the row with the largest value of an expression, and that value.',
    'arg_max(duration, trace_id, uri)',
    'The columns keep their names. To rename a column, name its argument: who=user_id.',
  ],
  arg_min: [
    'Returns fields of the row with the smallest value of an expression, and that value.',
    'arg_min(_time, uri, status)',
    'The columns keep their names. To rename a column, name its argument: who=user_id.',
  ],
  avg: ['Returns the average of the non-null values.', 'avg(duration_ms)'],
  avgif: [
    'Returns the average over the rows that match a condition, or null if there are none.',
    "avgif(duration_ms, method == 'GET')",
  ],
  count: ['Counts the rows.', 'count()'],
  countif: ['Counts the rows that match a condition.', 'countif(status >= 500)'],
  dcount: [
    'Estimates the number of distinct values.',
    'dcount(user_id)',
    'The accuracy is not configurable.',
  ],
  dcountif: [
    'Estimates the number of distinct values in the rows that match a condition.',
    'dcountif(user_id, status >= 500)',
  ],
  histogram: [
    'Divides the range of values into a number of bins and counts the values in each bin.',
    'histogram(duration_ms, 20)',
  ],
  histogramif: [
    'Computes a histogram over the rows that match a condition.',
    "histogramif(duration_ms, 20, method == 'GET')",
  ],
  make_list: [
    'Collects the values into an array, with an optional maximum size.',
    'make_list(uri, 100)',
  ],
  make_list_if: [
    'Collects the values of the rows that match a condition into an array.',
    'make_list_if(uri, status >= 500)',
    'There is no parameter for the maximum size.',
  ],
  make_set: [
    'Collects the distinct values into an array.',
    'make_set(method)',
    'The default maximum size is 128. In Kusto, it is 1,048,576.',
  ],
  make_set_if: [
    'Collects the distinct values of the rows that match a condition into an array.',
    'make_set_if(uri, status >= 500, 50)',
  ],
  max: ['Returns the largest value.', 'max(duration_ms)'],
  maxif: [
    'Returns the largest value in the rows that match a condition, or null if there are none.',
    "maxif(duration_ms, method == 'GET')",
  ],
  min: ['Returns the smallest value.', 'min(_time)'],
  minif: [
    'Returns the smallest value in the rows that match a condition, or null if there are none.',
    "minif(duration_ms, method == 'GET')",
  ],
  percentile: [
    'Estimates a percentile of the values.',
    'percentile(duration_ms, 95)',
    'The column is named percentile_<field>, without the number.',
  ],
  percentileif: [
    'Estimates a percentile over the rows that match a condition.',
    "percentileif(duration_ms, 95, method == 'GET')",
  ],
  percentiles_array: [
    'Estimates several percentiles and returns them as an array.',
    'percentiles_array(duration_ms, 50, 90, 99)',
    'Replaces the Kusto function percentiles.',
  ],
  percentiles_arrayif: [
    'Estimates several percentiles over the rows that match a condition and returns them as an array.',
    "percentiles_arrayif(duration_ms, dynamic([50, 90]), method == 'GET')",
  ],
  phrases: ['Finds the most frequent phrases in a string column.', 'phrases(message, 10)'],
  rate: [
    'Returns the sum per second over the time bin, or over the entire time range.',
    'rate(resp_body_size_bytes)',
  ],
  spotlight: [
    'Compares the rows that match a condition with the other rows, field by field.',
    'spotlight(status >= 500, method, uri)',
  ],
  stdev: ['Returns the sample standard deviation.', 'stdev(duration_ms)'],
  stdevif: [
    'Returns the sample standard deviation over the rows that match a condition.',
    "stdevif(duration_ms, method == 'GET')",
  ],
  sum: ['Returns the sum of the values.', 'sum(resp_body_size_bytes)'],
  sumif: [
    'Returns the sum over the rows that match a condition, or 0 if there are none.',
    "sumif(resp_body_size_bytes, method == 'GET')",
  ],
  topk: [
    'Estimates the k most frequent values and their counts.',
    'topk(uri, 5)',
    'Returns a row for each value, with the columns <field> and count_.',
  ],
  topkif: [
    'Estimates the k most frequent values in the rows that match a condition.',
    'topkif(uri, 5, status >= 500)',
  ],
  variance: ['Returns the sample variance.', 'variance(duration_ms)'],
  varianceif: [
    'Returns the sample variance over the rows that match a condition, or null if there are none.',
    "varianceif(duration_ms, method == 'GET')",
  ],
};
