/** What is said of functions over series: arrays of numbers such as `make-series` and `make_list` give. */
import type { seriesFunctions } from '../../catalog/functions/series.ts';
import { type Prose, says } from '../says.ts';

const sameLength = 'Both series have the same length.';
const shorterWins = 'The result is as long as the shorter series.';
const nullFilled = 'The shorter series is extended with null.';
const pairOfSeries =
  'The result holds two series: take [0] for the real part, [1] for the imaginary one.';

export const seriesProse = {
  series_abs: says('Gives each element without its sign.', 'series_abs(deltas)'),
  series_acos: says('Gives the arc cosine of each element.', 'series_acos(ratios)'),
  series_add: says(
    'Adds two series element by element.',
    'series_add(requests, retries)',
    shorterWins,
  ),
  series_asin: says('Gives the arc sine of each element.', 'series_asin(ratios)'),
  series_atan: says('Gives the arc tangent of each element.', 'series_atan(ratios)'),
  series_ceiling: says('Rounds each element up to a whole number.', 'series_ceiling(latencies)'),
  series_cos: says('Gives the cosine of each element.', 'series_cos(angles)'),
  series_cosine_similarity: says(
    'Gives the cosine of the angle between two series as vectors, -1 to 1.',
    'series_cosine_similarity(today, yesterday)',
  ),
  series_divide: says(
    'Divides one series by another element by element.',
    'series_divide(errors, requests)',
    `${shorterWins} Division by zero gives an infinite element.`,
  ),
  series_dot_product: says(
    'Adds up the products of the elements of two series.',
    'series_dot_product(counts, weights)',
  ),
  series_equals: says(
    'Tells for each element whether it equals a number.',
    'series_equals(statuses, 200)',
    'The second argument is a number; the other comparisons take two series.',
  ),
  series_exp: says('Raises e to each element.', 'series_exp(logs)'),
  series_fft: says(
    'Gives the Fourier transform of a series.',
    'series_fft(latencies)[0]',
    pairOfSeries,
  ),
  series_fill_backward: says(
    'Fills each missing element with the next one that is there.',
    'series_fill_backward(latencies)',
  ),
  series_fill_const: says(
    'Fills each missing element with a value.',
    'series_fill_const(latencies, 0)',
  ),
  series_fill_forward: says(
    'Fills each missing element with the last one that is there.',
    'series_fill_forward(latencies)',
    'Missing elements at the start take the first one that is there.',
  ),
  series_fill_linear: says(
    'Fills missing elements on a straight line between their neighbours.',
    'series_fill_linear(latencies)',
  ),
  series_fir: says(
    'Applies a finite impulse response filter, such as a moving average.',
    'series_fir(latencies, dynamic([0.25, 0.5, 0.25]))',
  ),
  series_floor: says('Rounds each element down to a whole number.', 'series_floor(latencies)'),
  series_greater: says(
    'Tells element by element whether the first series is greater.',
    'series_greater(today, yesterday)',
    sameLength,
  ),
  series_greater_equals: says(
    'Tells element by element whether the first series is greater or equal.',
    'series_greater_equals(today, yesterday)',
    sameLength,
  ),
  series_ifft: says(
    'Turns a Fourier transform back into a series.',
    'series_ifft(spectrum)[0]',
    pairOfSeries,
  ),
  series_iir: says(
    'Applies an infinite impulse response filter, such as a running sum.',
    'series_iir(requests, dynamic([1]), dynamic([1, -1]))',
  ),
  series_less: says(
    'Tells element by element whether the first series is less.',
    'series_less(today, yesterday)',
    sameLength,
  ),
  series_less_equals: says(
    'Tells element by element whether the first series is less or equal.',
    'series_less_equals(today, yesterday)',
    sameLength,
  ),
  series_log: says('Gives the natural logarithm of each element.', 'series_log(latencies)'),
  series_magnitude: says(
    'Gives the length of a series as a vector: the root of its sum of squares.',
    'series_magnitude(latencies)',
  ),
  series_max: says(
    'Gives the larger of two series element by element.',
    'series_max(today, yesterday)',
  ),
  series_min: says(
    'Gives the smaller of two series element by element.',
    'series_min(today, yesterday)',
  ),
  series_multiply: says(
    'Multiplies two series element by element.',
    'series_multiply(counts, weights)',
    nullFilled,
  ),
  series_not_equals: says(
    'Tells element by element whether two series differ.',
    'series_not_equals(today, yesterday)',
    sameLength,
  ),
  series_pearson_correlation: says(
    'Gives how closely two series move together, -1 to 1.',
    'series_pearson_correlation(requests, latencies)',
  ),
  series_pow: says('Raises each element to a power.', 'series_pow(latencies, 2)'),
  series_sign: says('Gives -1, 0 or 1 for each element.', 'series_sign(deltas)'),
  series_sin: says('Gives the sine of each element.', 'series_sin(angles)'),
  series_stats: says(
    'Gives an array of minimum, its place, maximum, its place, average, variance and standard deviation.',
    'series_stats(latencies)[4]',
    'The result is one array, not several columns as in Kusto.',
  ),
  series_stats_dynamic: says(
    'Gives a bag with min, min_idx, max, max_idx, avg, variance and stdev.',
    'series_stats_dynamic(latencies).avg',
  ),
  series_subtract: says(
    'Subtracts one series from another element by element.',
    'series_subtract(today, yesterday)',
    nullFilled,
  ),
  series_sum: says('Adds up the elements of a series.', 'series_sum(requests)'),
  series_tan: says('Gives the tangent of each element.', 'series_tan(angles)'),
} satisfies Record<keyof typeof seriesFunctions, Prose>;
