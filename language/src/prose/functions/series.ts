/** Documentation of functions for series: arrays of numbers, such as `make-series` and `make_list` return. */
import type { seriesFunctions } from '../../catalog/functions/series.ts';
import { type Prose, says } from '../says.ts';

const sameLength = 'Both series must have the same length.';
const shorterWins = 'The result has the length of the shorter series.';
const nullFilled = 'The shorter series is extended with null.';
const pairOfSeries =
  'The result is an array of two series: [0] is the real part, [1] is the imaginary part.';

export const seriesProse = {
  series_abs: says('Returns the absolute value of each element.', 'series_abs(deltas)'),
  series_acos: says('Returns the arc cosine of each element.', 'series_acos(ratios)'),
  series_add: says(
    'Adds two series element by element.',
    'series_add(requests, retries)',
    shorterWins,
  ),
  series_asin: says('Returns the arc sine of each element.', 'series_asin(ratios)'),
  series_atan: says('Returns the arc tangent of each element.', 'series_atan(ratios)'),
  series_ceiling: says('Rounds each element up to an integer.', 'series_ceiling(latencies)'),
  series_cos: says('Returns the cosine of each element.', 'series_cos(angles)'),
  series_cosine_similarity: says(
    'Returns the cosine similarity of two series, from -1 to 1.',
    'series_cosine_similarity(today, yesterday)',
  ),
  series_divide: says(
    'Divides one series by another element by element.',
    'series_divide(errors, requests)',
    `${shorterWins} A division by zero returns infinity.`,
  ),
  series_dot_product: says(
    'Returns the dot product of two series.',
    'series_dot_product(counts, weights)',
  ),
  series_equals: says(
    'Checks for each element whether it equals a number.',
    'series_equals(statuses, 200)',
    'The second argument is a number. The other comparisons expect two series.',
  ),
  series_exp: says('Raises e to each element.', 'series_exp(logs)'),
  series_fft: says(
    'Returns the Fourier transform of a series.',
    'series_fft(latencies)[0]',
    pairOfSeries,
  ),
  series_fill_backward: says(
    'Replaces each missing element with the next non-missing one.',
    'series_fill_backward(latencies)',
  ),
  series_fill_const: says(
    'Replaces each missing element with a value.',
    'series_fill_const(latencies, 0)',
  ),
  series_fill_forward: says(
    'Replaces each missing element with the previous non-missing one.',
    'series_fill_forward(latencies)',
    'Missing elements at the start are replaced with the first non-missing one.',
  ),
  series_fill_linear: says(
    'Replaces missing elements by linear interpolation.',
    'series_fill_linear(latencies)',
  ),
  series_fir: says(
    'Applies a finite impulse response filter, such as a moving average.',
    'series_fir(latencies, dynamic([0.25, 0.5, 0.25]))',
  ),
  series_floor: says('Rounds each element down to an integer.', 'series_floor(latencies)'),
  series_greater: says(
    'Checks element by element whether the first series is greater.',
    'series_greater(today, yesterday)',
    sameLength,
  ),
  series_greater_equals: says(
    'Checks element by element whether the first series is greater or equal.',
    'series_greater_equals(today, yesterday)',
    sameLength,
  ),
  series_ifft: says(
    'Returns the inverse Fourier transform of a series.',
    'series_ifft(spectrum)[0]',
    pairOfSeries,
  ),
  series_iir: says(
    'Applies an infinite impulse response filter, such as a running sum.',
    'series_iir(requests, dynamic([1]), dynamic([1, -1]))',
  ),
  series_less: says(
    'Checks element by element whether the first series is less.',
    'series_less(today, yesterday)',
    sameLength,
  ),
  series_less_equals: says(
    'Checks element by element whether the first series is less or equal.',
    'series_less_equals(today, yesterday)',
    sameLength,
  ),
  series_log: says('Returns the natural logarithm of each element.', 'series_log(latencies)'),
  series_magnitude: says(
    'Returns the magnitude of a series: the square root of its sum of squares.',
    'series_magnitude(latencies)',
  ),
  series_max: says(
    'Returns the larger of two series element by element.',
    'series_max(today, yesterday)',
  ),
  series_min: says(
    'Returns the smaller of two series element by element.',
    'series_min(today, yesterday)',
  ),
  series_multiply: says(
    'Multiplies two series element by element.',
    'series_multiply(counts, weights)',
    nullFilled,
  ),
  series_not_equals: says(
    'Checks element by element whether two series differ.',
    'series_not_equals(today, yesterday)',
    sameLength,
  ),
  series_pearson_correlation: says(
    'Returns the Pearson correlation of two series, from -1 to 1.',
    'series_pearson_correlation(requests, latencies)',
  ),
  series_pow: says('Raises each element to a power.', 'series_pow(latencies, 2)'),
  series_sign: says('Returns the sign of each element: -1, 0 or 1.', 'series_sign(deltas)'),
  series_sin: says('Returns the sine of each element.', 'series_sin(angles)'),
  series_stats: says(
    'Returns an array of min, index of min, max, index of max, average, variance and standard deviation.',
    'series_stats(latencies)[4]',
    'Unlike in Kusto, the result is a single array instead of several columns.',
  ),
  series_stats_dynamic: says(
    'Returns a bag with min, min_idx, max, max_idx, avg, variance and stdev.',
    'series_stats_dynamic(latencies).avg',
  ),
  series_subtract: says(
    'Subtracts one series from another element by element.',
    'series_subtract(today, yesterday)',
    nullFilled,
  ),
  series_sum: says('Returns the sum of the elements of a series.', 'series_sum(requests)'),
  series_tan: says('Returns the tangent of each element.', 'series_tan(angles)'),
} satisfies Record<keyof typeof seriesFunctions, Prose>;
