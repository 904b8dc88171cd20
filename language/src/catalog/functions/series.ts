/** Functions over series: arrays of numbers such as `make-series` and `make_list` give. */
import { area, dynamic, fn, numeric, optional, scalar } from '../build.ts';

const series = dynamic('series');
const two = [dynamic('series1'), dynamic('series2')] as const;
const operands = [scalar('series1'), scalar('series2')] as const;
const sameLength = 'Both series have the same length.';
const shorterWins = 'The result is as long as the shorter series.';
const nullFilled = 'The shorter series is extended with null.';
const pairOfSeries =
  'The result holds two series: take [0] for the real part, [1] for the imaginary one.';

export const seriesFunctions = area('time-series', {
  series_abs: fn([series], 'dynamic', 'Gives each element without its sign.', 'series_abs(deltas)'),
  series_acos: fn(
    [series],
    'dynamic',
    'Gives the arc cosine of each element.',
    'series_acos(ratios)',
    {
      unit: 'radians',
    },
  ),
  series_add: fn(
    operands,
    'dynamic',
    'Adds two series element by element.',
    'series_add(requests, retries)',
    { note: shorterWins },
  ),
  series_asin: fn(
    [series],
    'dynamic',
    'Gives the arc sine of each element.',
    'series_asin(ratios)',
    {
      unit: 'radians',
    },
  ),
  series_atan: fn(
    [series],
    'dynamic',
    'Gives the arc tangent of each element.',
    'series_atan(ratios)',
    {
      unit: 'radians',
    },
  ),
  series_ceiling: fn(
    [series],
    'dynamic',
    'Rounds each element up to a whole number.',
    'series_ceiling(latencies)',
  ),
  series_cos: fn([series], 'dynamic', 'Gives the cosine of each element.', 'series_cos(angles)'),
  series_cosine_similarity: fn(
    two,
    'real',
    'Gives the cosine of the angle between two series as vectors, -1 to 1.',
    'series_cosine_similarity(today, yesterday)',
  ),
  series_divide: fn(
    operands,
    'dynamic',
    'Divides one series by another element by element.',
    'series_divide(errors, requests)',
    { note: `${shorterWins} Division by zero gives an infinite element.` },
  ),
  series_dot_product: fn(
    two,
    'real',
    'Adds up the products of the elements of two series.',
    'series_dot_product(counts, weights)',
  ),
  series_equals: fn(
    operands,
    'dynamic',
    'Tells for each element whether it equals a number.',
    'series_equals(statuses, 200)',
    { note: 'The second argument is a number; the other comparisons take two series.' },
  ),
  series_exp: fn([series], 'dynamic', 'Raises e to each element.', 'series_exp(logs)'),
  series_fft: fn(
    [dynamic('real'), optional(dynamic('imaginary'))],
    'dynamic',
    'Gives the Fourier transform of a series.',
    'series_fft(latencies)[0]',
    { note: pairOfSeries },
  ),
  series_fill_backward: fn(
    [series],
    'dynamic',
    'Fills each missing element with the next one that is there.',
    'series_fill_backward(latencies)',
  ),
  series_fill_const: fn(
    [series, scalar('value')],
    'dynamic',
    'Fills each missing element with a value.',
    'series_fill_const(latencies, 0)',
  ),
  series_fill_forward: fn(
    [series],
    'dynamic',
    'Fills each missing element with the last one that is there.',
    'series_fill_forward(latencies)',
    { note: 'Missing elements at the start take the first one that is there.' },
  ),
  series_fill_linear: fn(
    [series],
    'dynamic',
    'Fills missing elements on a straight line between their neighbours.',
    'series_fill_linear(latencies)',
  ),
  series_fir: fn(
    [series, dynamic('filter')],
    'dynamic',
    'Applies a finite impulse response filter, such as a moving average.',
    'series_fir(latencies, dynamic([0.25, 0.5, 0.25]))',
  ),
  series_floor: fn(
    [series],
    'dynamic',
    'Rounds each element down to a whole number.',
    'series_floor(latencies)',
  ),
  series_greater: fn(
    operands,
    'dynamic',
    'Tells element by element whether the first series is greater.',
    'series_greater(today, yesterday)',
    { note: sameLength },
  ),
  series_greater_equals: fn(
    operands,
    'dynamic',
    'Tells element by element whether the first series is greater or equal.',
    'series_greater_equals(today, yesterday)',
    { note: sameLength },
  ),
  series_ifft: fn(
    [dynamic('real'), optional(dynamic('imaginary'))],
    'dynamic',
    'Turns a Fourier transform back into a series.',
    'series_ifft(spectrum)[0]',
    { note: pairOfSeries },
  ),
  series_iir: fn(
    [series, dynamic('numerators'), dynamic('denominators')],
    'dynamic',
    'Applies an infinite impulse response filter, such as a running sum.',
    'series_iir(requests, dynamic([1]), dynamic([1, -1]))',
  ),
  series_less: fn(
    operands,
    'dynamic',
    'Tells element by element whether the first series is less.',
    'series_less(today, yesterday)',
    { note: sameLength },
  ),
  series_less_equals: fn(
    operands,
    'dynamic',
    'Tells element by element whether the first series is less or equal.',
    'series_less_equals(today, yesterday)',
    { note: sameLength },
  ),
  series_log: fn(
    [series],
    'dynamic',
    'Gives the natural logarithm of each element.',
    'series_log(latencies)',
  ),
  series_magnitude: fn(
    [series],
    'real',
    'Gives the length of a series as a vector: the root of its sum of squares.',
    'series_magnitude(latencies)',
  ),
  series_max: fn(
    operands,
    'dynamic',
    'Gives the larger of two series element by element.',
    'series_max(today, yesterday)',
  ),
  series_min: fn(
    operands,
    'dynamic',
    'Gives the smaller of two series element by element.',
    'series_min(today, yesterday)',
  ),
  series_multiply: fn(
    operands,
    'dynamic',
    'Multiplies two series element by element.',
    'series_multiply(counts, weights)',
    { note: nullFilled },
  ),
  series_not_equals: fn(
    operands,
    'dynamic',
    'Tells element by element whether two series differ.',
    'series_not_equals(today, yesterday)',
    { note: sameLength },
  ),
  series_pearson_correlation: fn(
    two,
    'real',
    'Gives how closely two series move together, -1 to 1.',
    'series_pearson_correlation(requests, latencies)',
  ),
  series_pow: fn(
    [series, numeric('power')],
    'dynamic',
    'Raises each element to a power.',
    'series_pow(latencies, 2)',
  ),
  series_sign: fn([series], 'dynamic', 'Gives -1, 0 or 1 for each element.', 'series_sign(deltas)'),
  series_sin: fn([series], 'dynamic', 'Gives the sine of each element.', 'series_sin(angles)'),
  series_stats: fn(
    [series],
    'dynamic',
    'Gives an array of minimum, its place, maximum, its place, average, variance and standard deviation.',
    'series_stats(latencies)[4]',
    { note: 'The result is one array, not several columns as in Kusto.' },
  ),
  series_stats_dynamic: fn(
    [series],
    'dynamic',
    'Gives a bag with min, min_idx, max, max_idx, avg, variance and stdev.',
    'series_stats_dynamic(latencies).avg',
  ),
  series_subtract: fn(
    operands,
    'dynamic',
    'Subtracts one series from another element by element.',
    'series_subtract(today, yesterday)',
    { note: nullFilled },
  ),
  series_sum: fn([series], 'real', 'Adds up the elements of a series.', 'series_sum(requests)'),
  series_tan: fn([series], 'dynamic', 'Gives the tangent of each element.', 'series_tan(angles)'),
});
