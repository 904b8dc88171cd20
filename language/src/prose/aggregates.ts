/** What is said of aggregates: functions that `summarize` and `make-series` apply to the rows of a group. */
import type { aggregateRows } from '../catalog/aggregates.ts';
import { type Prose, says } from './says.ts';

export const aggregateProse = {
  arg_max: says(
    'Gives fields of the row where an expression is largest, and the expression itself.',
    'arg_max(duration, trace_id, uri)',
    'The columns keep their own names; an argument may be named: who=user_id.',
  ),
  arg_min: says(
    'Gives fields of the row where an expression is smallest, and the expression itself.',
    'arg_min(_time, uri, status)',
    'The columns keep their own names; an argument may be named: who=user_id.',
  ),
  avg: says('Gives the average of the values that are there.', 'avg(duration_ms)'),
  avgif: says(
    'Gives the average over the rows where a condition holds; null without any.',
    "avgif(duration_ms, method == 'GET')",
  ),
  count: says('Counts the rows.', 'count()'),
  countif: says('Counts the rows where a condition holds.', 'countif(status >= 500)'),
  dcount: says(
    'Estimates how many different values there are.',
    'dcount(user_id)',
    'There is no argument for the accuracy.',
  ),
  dcountif: says(
    'Estimates how many different values there are in the rows where a condition holds.',
    'dcountif(user_id, status >= 500)',
  ),
  histogram: says(
    'Spreads values over so many bins and counts each.',
    'histogram(duration_ms, 20)',
  ),
  histogramif: says(
    'Spreads the values of the rows where a condition holds over so many bins and counts each.',
    "histogramif(duration_ms, 20, method == 'GET')",
  ),
  make_list: says('Collects the values into an array, at most so many.', 'make_list(uri, 100)'),
  make_list_if: says(
    'Collects the values of the rows where a condition holds into an array.',
    'make_list_if(uri, status >= 500)',
    'There is no argument for the size of the array.',
  ),
  make_set: says(
    'Collects the different values into an array, at most 128 or so many.',
    'make_set(method)',
    'The limit is 128 unless given; in Kusto it is 1,048,576.',
  ),
  make_set_if: says(
    'Collects the different values of the rows where a condition holds into an array.',
    'make_set_if(uri, status >= 500, 50)',
  ),
  max: says('Gives the largest value.', 'max(duration_ms)'),
  maxif: says(
    'Gives the largest value in the rows where a condition holds; null without any.',
    "maxif(duration_ms, method == 'GET')",
  ),
  min: says('Gives the smallest value.', 'min(_time)'),
  minif: says(
    'Gives the smallest value in the rows where a condition holds; null without any.',
    "minif(duration_ms, method == 'GET')",
  ),
  percentile: says(
    'Estimates the value that so many percent of the values do not exceed.',
    'percentile(duration_ms, 95)',
    'The column is percentile_<field>, without the number.',
  ),
  percentileif: says(
    'Estimates a percentile of the rows where a condition holds.',
    "percentileif(duration_ms, 95, method == 'GET')",
  ),
  percentiles_array: says(
    'Estimates several percentiles and gives them as an array.',
    'percentiles_array(duration_ms, 50, 90, 99)',
    'Takes the place of percentiles of Kusto.',
  ),
  percentiles_arrayif: says(
    'Estimates several percentiles of the rows where a condition holds and gives them as an array.',
    "percentiles_arrayif(duration_ms, dynamic([50, 90]), method == 'GET')",
  ),
  phrases: says(
    'Finds the phrases that occur most often in a text column.',
    'phrases(message, 10)',
  ),
  rate: says(
    'Gives the sum per second over the time bin, or over the whole time range.',
    'rate(resp_body_size_bytes)',
  ),
  spotlight: says(
    'Compares the rows where a condition holds with the others, field by field.',
    'spotlight(status >= 500, method, uri)',
  ),
  stdev: says('Gives the standard deviation of a sample.', 'stdev(duration_ms)'),
  stdevif: says(
    'Gives the standard deviation of the rows where a condition holds.',
    "stdevif(duration_ms, method == 'GET')",
  ),
  sum: says('Adds up the values.', 'sum(resp_body_size_bytes)'),
  sumif: says(
    'Adds up the values of the rows where a condition holds; 0 without any.',
    "sumif(resp_body_size_bytes, method == 'GET')",
  ),
  topk: says(
    'Estimates the k most frequent values and how often they occur.',
    'topk(uri, 5)',
    'Gives the columns <field> and count_, a row for each value.',
  ),
  topkif: says(
    'Estimates the k most frequent values in the rows where a condition holds.',
    'topkif(uri, 5, status >= 500)',
  ),
  variance: says('Gives the variance of a sample.', 'variance(duration_ms)'),
  varianceif: says(
    'Gives the variance of the rows where a condition holds; null without any.',
    "varianceif(duration_ms, method == 'GET')",
  ),
} satisfies Record<keyof typeof aggregateRows, Prose>;
