/** Documentation of aggregates: functions that `summarize` and `make-series` apply to the rows of a group. */
import type { aggregateRows } from '../catalog/aggregates.ts';
import { type Prose, says } from './says.ts';

export const aggregateProse = {
  arg_max: says(
    'Returns fields of the row with the largest value of an expression, and that value.',
    'arg_max(duration, trace_id, uri)',
    'The columns keep their names. To rename a column, name its argument: who=user_id.',
  ),
  arg_min: says(
    'Returns fields of the row with the smallest value of an expression, and that value.',
    'arg_min(_time, uri, status)',
    'The columns keep their names. To rename a column, name its argument: who=user_id.',
  ),
  avg: says('Returns the average of the non-null values.', 'avg(duration_ms)'),
  avgif: says(
    'Returns the average over the rows that match a condition, or null if there are none.',
    "avgif(duration_ms, method == 'GET')",
  ),
  count: says('Counts the rows.', 'count()'),
  countif: says('Counts the rows that match a condition.', 'countif(status >= 500)'),
  dcount: says(
    'Estimates the number of distinct values.',
    'dcount(user_id)',
    'The accuracy is not configurable.',
  ),
  dcountif: says(
    'Estimates the number of distinct values in the rows that match a condition.',
    'dcountif(user_id, status >= 500)',
  ),
  histogram: says(
    'Divides the range of values into a number of bins and counts the values in each bin.',
    'histogram(duration_ms, 20)',
  ),
  histogramif: says(
    'Computes a histogram over the rows that match a condition.',
    "histogramif(duration_ms, 20, method == 'GET')",
  ),
  make_list: says(
    'Collects the values into an array, with an optional maximum size.',
    'make_list(uri, 100)',
  ),
  make_list_if: says(
    'Collects the values of the rows that match a condition into an array.',
    'make_list_if(uri, status >= 500)',
    'There is no parameter for the maximum size.',
  ),
  make_set: says(
    'Collects the distinct values into an array.',
    'make_set(method)',
    'The default maximum size is 128. In Kusto, it is 1,048,576.',
  ),
  make_set_if: says(
    'Collects the distinct values of the rows that match a condition into an array.',
    'make_set_if(uri, status >= 500, 50)',
  ),
  max: says('Returns the largest value.', 'max(duration_ms)'),
  maxif: says(
    'Returns the largest value in the rows that match a condition, or null if there are none.',
    "maxif(duration_ms, method == 'GET')",
  ),
  min: says('Returns the smallest value.', 'min(_time)'),
  minif: says(
    'Returns the smallest value in the rows that match a condition, or null if there are none.',
    "minif(duration_ms, method == 'GET')",
  ),
  percentile: says(
    'Estimates a percentile of the values.',
    'percentile(duration_ms, 95)',
    'The column is named percentile_<field>, without the number.',
  ),
  percentileif: says(
    'Estimates a percentile over the rows that match a condition.',
    "percentileif(duration_ms, 95, method == 'GET')",
  ),
  percentiles_array: says(
    'Estimates several percentiles and returns them as an array.',
    'percentiles_array(duration_ms, 50, 90, 99)',
    'Replaces the Kusto function percentiles.',
  ),
  percentiles_arrayif: says(
    'Estimates several percentiles over the rows that match a condition and returns them as an array.',
    "percentiles_arrayif(duration_ms, dynamic([50, 90]), method == 'GET')",
  ),
  phrases: says('Finds the most frequent phrases in a string column.', 'phrases(message, 10)'),
  rate: says(
    'Returns the sum per second over the time bin, or over the entire time range.',
    'rate(resp_body_size_bytes)',
  ),
  spotlight: says(
    'Compares the rows that match a condition with the other rows, field by field.',
    'spotlight(status >= 500, method, uri)',
  ),
  stdev: says('Returns the sample standard deviation.', 'stdev(duration_ms)'),
  stdevif: says(
    'Returns the sample standard deviation over the rows that match a condition.',
    "stdevif(duration_ms, method == 'GET')",
  ),
  sum: says('Returns the sum of the values.', 'sum(resp_body_size_bytes)'),
  sumif: says(
    'Returns the sum over the rows that match a condition, or 0 if there are none.',
    "sumif(resp_body_size_bytes, method == 'GET')",
  ),
  topk: says(
    'Estimates the k most frequent values and their counts.',
    'topk(uri, 5)',
    'Returns a row for each value, with the columns <field> and count_.',
  ),
  topkif: says(
    'Estimates the k most frequent values in the rows that match a condition.',
    'topkif(uri, 5, status >= 500)',
  ),
  variance: says('Returns the sample variance.', 'variance(duration_ms)'),
  varianceif: says(
    'Returns the sample variance over the rows that match a condition, or null if there are none.',
    "varianceif(duration_ms, method == 'GET')",
  ),
} satisfies Record<keyof typeof aggregateRows, Prose>;
