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
} from './build.ts';

const condition = bool('condition');
const estimated = { approximate: true } as const;
const severalColumns = { spreads: 'columns' } as const;
const severalRows = { spreads: 'rows' } as const;

export const aggregateRows = area(
  'aggregation',
  {
    arg_max: fn([scalar('expression'), many(field('field'))], 'unknown', {
      ...severalColumns,
      or: [signature([scalar('expression'), star], 'unknown')],
    }),
    arg_min: fn([scalar('expression'), many(field('field'))], 'unknown', {
      ...severalColumns,
      or: [signature([scalar('expression'), star], 'unknown')],
    }),
    avg: fn([numeric('expression')], 'real', {
      or: [signature([timespan('expression')], 'timespan')],
    }),
    avgif: fn([numeric('expression'), condition], 'real', {
      or: [signature([timespan('expression'), condition], 'timespan')],
      columnName: { prefix: 'avg' },
    }),
    count: fn([], 'long', { columnName: { fixed: 'count_' } }),
    countif: fn([condition], 'long'),
    dcount: fn([scalar('expression')], 'long', { ...estimated }),
    dcountif: fn([scalar('expression'), condition], 'long', estimated),
    histogram: fn([amount('expression'), long('bins')], 'dynamic', {
      ...estimated,
      ...severalRows,
    }),
    histogramif: fn([amount('expression'), long('bins'), condition], 'dynamic', {
      ...estimated,
      ...severalRows,
    }),
    make_list: fn([scalar('expression'), optional(long('limit'))], 'dynamic'),
    make_list_if: fn([scalar('expression'), condition], 'dynamic'),
    make_set: fn([scalar('expression'), optional(long('limit'))], 'dynamic'),
    make_set_if: fn([scalar('expression'), condition, optional(long('limit'))], 'dynamic'),
    max: fn([scalar('expression')], { sameAs: 'expression' }),
    maxif: fn([scalar('expression'), condition], { sameAs: 'expression' }),
    min: fn([scalar('expression')], { sameAs: 'expression' }),
    minif: fn([scalar('expression'), condition], { sameAs: 'expression' }),
    percentile: fn(
      [amount('expression'), numeric('percent')],
      { sameAs: 'expression' },
      { ...estimated },
    ),
    percentileif: fn(
      [amount('expression'), numeric('percent'), condition],
      { sameAs: 'expression' },
      estimated,
    ),
    percentiles_array: fn([amount('expression'), many(scalar('percent'))], 'dynamic', {
      ...estimated,
    }),
    percentiles_arrayif: fn([amount('expression'), scalar('percents'), condition], 'dynamic', {
      ...estimated,
      columnName: { prefix: 'percentiles' },
    }),
    phrases: fn([string('text'), long('limit')], 'dynamic', severalRows),
    rate: fn([amount('expression')], 'real', { unit: 'per second', columnName: { fixed: 'rate' } }),
    spotlight: fn([condition, many(field('field'))], 'dynamic', {
      ...severalRows,
      or: [signature([condition, star], 'dynamic')],
    }),
    stdev: fn([numeric('expression')], 'real', {
      or: [signature([timespan('expression')], 'timespan')],
    }),
    stdevif: fn([numeric('expression'), condition], 'real', {
      or: [signature([timespan('expression'), condition], 'timespan')],
      columnName: { prefix: 'stdev' },
    }),
    sum: fn([amount('expression')], { sameAs: 'expression' }),
    sumif: fn([amount('expression'), condition], { sameAs: 'expression' }),
    topk: fn([scalar('expression'), long('k')], 'dynamic', { ...estimated, ...severalRows }),
    topkif: fn([scalar('expression'), long('k'), condition], 'dynamic', {
      ...estimated,
      ...severalRows,
    }),
    variance: fn([amount('expression')], 'real'),
    varianceif: fn([amount('expression'), condition], 'real'),
  },
  'aggregate',
);
