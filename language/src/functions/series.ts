/** Functions for series: arrays of numbers, such as results of `make-series` and `make_list`. */
import { area, dynamic, fn, numeric, optional, scalar } from '../catalog/build.ts';
import type { ProseRow } from '../prose/says.ts';

const series = dynamic('series');
const two = [dynamic('series1'), dynamic('series2')] as const;
const operands = [scalar('series1'), scalar('series2')] as const;
export const seriesFunctions = area('time-series', {
  series_abs: fn([series], 'dynamic'),
  series_acos: fn([series], 'dynamic', { unit: 'radians' }),
  series_add: fn(operands, 'dynamic'),
  series_asin: fn([series], 'dynamic', { unit: 'radians' }),
  series_atan: fn([series], 'dynamic', { unit: 'radians' }),
  series_ceiling: fn([series], 'dynamic'),
  series_cos: fn([series], 'dynamic'),
  series_cosine_similarity: fn(two, 'real'),
  series_divide: fn(operands, 'dynamic'),
  series_dot_product: fn(two, 'real'),
  series_equals: fn(operands, 'dynamic'),
  series_exp: fn([series], 'dynamic'),
  series_fft: fn([dynamic('real'), optional(dynamic('imaginary'))], 'dynamic'),
  series_fill_backward: fn([series], 'dynamic'),
  series_fill_const: fn([series, scalar('value')], 'dynamic'),
  series_fill_forward: fn([series], 'dynamic'),
  series_fill_linear: fn([series], 'dynamic'),
  series_fir: fn([series, dynamic('filter')], 'dynamic'),
  series_floor: fn([series], 'dynamic'),
  series_greater: fn(operands, 'dynamic'),
  series_greater_equals: fn(operands, 'dynamic'),
  series_ifft: fn([dynamic('real'), optional(dynamic('imaginary'))], 'dynamic'),
  series_iir: fn([series, dynamic('numerators'), dynamic('denominators')], 'dynamic'),
  series_less: fn(operands, 'dynamic'),
  series_less_equals: fn(operands, 'dynamic'),
  series_log: fn([series], 'dynamic'),
  series_magnitude: fn([series], 'real'),
  series_max: fn(operands, 'dynamic'),
  series_min: fn(operands, 'dynamic'),
  series_multiply: fn(operands, 'dynamic'),
  series_not_equals: fn(operands, 'dynamic'),
  series_pearson_correlation: fn(two, 'real'),
  series_pow: fn([series, numeric('power')], 'dynamic'),
  series_sign: fn([series], 'dynamic'),
  series_sin: fn([series], 'dynamic'),
  series_stats: fn([series], 'dynamic'),
  series_stats_dynamic: fn([series], 'dynamic'),
  series_subtract: fn(operands, 'dynamic'),
  series_sum: fn([series], 'real'),
  series_tan: fn([series], 'dynamic'),
});

const sameLength = 'Both series must have the same length.';
const shorterWins = 'The result has the length of the shorter series.';
const nullFilled = 'The shorter series is extended with null.';
const pairOfSeries =
  'The result is an array of two series: [0] is the real part, [1] is the imaginary part.';

export const seriesProse: Readonly<Record<keyof typeof seriesFunctions, ProseRow>> = {
  series_abs: ['Returns the absolute value of each element.', 'series_abs(deltas)'],
  series_acos: ['Returns the arc cosine of each element.', 'series_acos(ratios)'],
  series_add: ['Adds two series element by element.', 'series_add(requests, retries)', shorterWins],
  series_asin: ['Returns the arc sine of each element.', 'series_asin(ratios)'],
  series_atan: ['Returns the arc tangent of each element.', 'series_atan(ratios)'],
  series_ceiling: ['Rounds each element up to an integer.', 'series_ceiling(latencies)'],
  series_cos: ['Returns the cosine of each element.', 'series_cos(angles)'],
  series_cosine_similarity: [
    'Returns the cosine similarity of two series, from -1 to 1.',
    'series_cosine_similarity(today, yesterday)',
  ],
  series_divide: [
    'Divides one series by another element by element.',
    'series_divide(errors, requests)',
    'The result has the length of the shorter series. A division by zero returns infinity.',
  ],
  series_dot_product: [
    'Returns the dot product of two series.',
    'series_dot_product(counts, weights)',
  ],
  series_equals: [
    'Checks for each element whether it equals a number.',
    'series_equals(statuses, 200)',
    'The second argument is a number. The other comparisons expect two series.',
  ],
  series_exp: ['Raises e to each element.', 'series_exp(logs)'],
  series_fft: [
    'Returns the Fourier transform of a series.',
    'series_fft(latencies)[0]',
    pairOfSeries,
  ],
  series_fill_backward: [
    'Replaces each missing element with the next non-missing one.',
    'series_fill_backward(latencies)',
  ],
  series_fill_const: [
    'Replaces each missing element with a value.',
    'series_fill_const(latencies, 0)',
  ],
  series_fill_forward: [
    'Replaces each missing element with the previous non-missing one.',
    'series_fill_forward(latencies)',
    'Missing elements at the start are replaced with the first non-missing one.',
  ],
  series_fill_linear: [
    'Replaces missing elements by linear interpolation.',
    'series_fill_linear(latencies)',
  ],
  series_fir: [
    'Applies a finite impulse response filter, such as a moving average.',
    'series_fir(latencies, dynamic([0.25, 0.5, 0.25]))',
  ],
  series_floor: ['Rounds each element down to an integer.', 'series_floor(latencies)'],
  series_greater: [
    'Checks element by element whether the first series is greater.',
    'series_greater(today, yesterday)',
    sameLength,
  ],
  series_greater_equals: [
    'Checks element by element whether the first series is greater or equal.',
    'series_greater_equals(today, yesterday)',
    sameLength,
  ],
  series_ifft: [
    'Returns the inverse Fourier transform of a series.',
    'series_ifft(spectrum)[0]',
    pairOfSeries,
  ],
  series_iir: [
    'Applies an infinite impulse response filter, such as a running sum.',
    'series_iir(requests, dynamic([1]), dynamic([1, -1]))',
  ],
  series_less: [
    'Checks element by element whether the first series is less.',
    'series_less(today, yesterday)',
    sameLength,
  ],
  series_less_equals: [
    'Checks element by element whether the first series is less or equal.',
    'series_less_equals(today, yesterday)',
    sameLength,
  ],
  series_log: ['Returns the natural logarithm of each element.', 'series_log(latencies)'],
  series_magnitude: [
    'Returns the magnitude of a series: the square root of its sum of squares.',
    'series_magnitude(latencies)',
  ],
  series_max: [
    'Returns the larger of two series element by element.',
    'series_max(today, yesterday)',
  ],
  series_min: [
    'Returns the smaller of two series element by element.',
    'series_min(today, yesterday)',
  ],
  series_multiply: [
    'Multiplies two series element by element.',
    'series_multiply(counts, weights)',
    nullFilled,
  ],
  series_not_equals: [
    'Checks element by element whether two series differ.',
    'series_not_equals(today, yesterday)',
    sameLength,
  ],
  series_pearson_correlation: [
    'Returns the Pearson correlation of two series, from -1 to 1.',
    'series_pearson_correlation(requests, latencies)',
  ],
  series_pow: ['Raises each element to a power.', 'series_pow(latencies, 2)'],
  series_sign: ['Returns the sign of each element: -1, 0 or 1.', 'series_sign(deltas)'],
  series_sin: ['Returns the sine of each element.', 'series_sin(angles)'],
  series_stats: [
    'Returns an array of min, index of min, max, index of max, average, variance and standard deviation.',
    'series_stats(latencies)[4]',
    'Unlike in Kusto, the result is a single array instead of several columns.',
  ],
  series_stats_dynamic: [
    'Returns a bag with min, min_idx, max, max_idx, avg, variance and stdev.',
    'series_stats_dynamic(latencies).avg',
  ],
  series_subtract: [
    'Subtracts one series from another element by element.',
    'series_subtract(today, yesterday)',
    nullFilled,
  ],
  series_sum: ['Returns the sum of the elements of a series.', 'series_sum(requests)'],
  series_tan: ['Returns the tangent of each element.', 'series_tan(angles)'],
};
