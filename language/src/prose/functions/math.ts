/** Documentation of mathematical, set and rounding functions. Angles are in radians. */
import type { mathFunctions, roundingFunctions } from '../../catalog/functions/math.ts';
import { type Prose, says } from '../says.ts';

export const mathProse = {
  abs: says('Returns the absolute value of a number or duration.', 'abs(delta)'),
  acos: says('Returns the arc cosine of a number.', 'acos(0.5)'),
  asin: says('Returns the arc sine of a number.', 'asin(0.5)'),
  atan: says('Returns the arc tangent of a number.', 'atan(1)'),
  atan2: says('Returns the angle between the x axis and the point (x, y).', 'atan2(1, 1)'),
  cos: says('Returns the cosine of an angle.', 'cos(pi())'),
  cot: says('Returns the cotangent of an angle.', 'cot(1.0)'),
  degrees: says('Converts radians to degrees.', 'degrees(pi() / 2)'),
  exp: says('Raises e to a power.', 'exp(1.5)'),
  exp10: says('Raises 10 to a power.', 'exp10(3)'),
  exp2: says('Raises 2 to a power.', 'exp2(10)'),
  gamma: says('Returns the gamma function of a number.', 'gamma(5)'),
  isfinite: says(
    'Checks whether a number is neither infinite nor NaN.',
    'isfinite(log(duration_ms))',
  ),
  isinf: says('Checks whether a number is infinite.', 'isinf(1.0 / errors)'),
  isint: says('Checks whether a value is an integer.', 'isint(duration_ms)'),
  isnan: says('Checks whether a number is NaN.', 'isnan(ratio)'),
  log: says('Returns the natural logarithm of a number.', 'log(duration_ms)'),
  log10: says('Returns the base-10 logarithm of a number.', 'log10(resp_body_size_bytes)'),
  log2: says('Returns the base-2 logarithm of a number.', 'log2(resp_body_size_bytes)'),
  loggamma: says(
    'Returns the logarithm of the absolute value of the gamma function.',
    'loggamma(5)',
  ),
  max_of: says(
    'Returns the largest of its arguments.',
    'max_of(req_header_size_bytes, resp_header_size_bytes)',
  ),
  min_of: says('Returns the smallest of its arguments.', 'min_of(duration_ms, 1000)'),
  not: says('Negates a condition.', 'not(is_tls)'),
  pi: says('Returns the constant pi.', 'pi()'),
  pow: says('Raises a number to a power.', 'pow(duration_ms, 2)'),
  radians: says('Converts degrees to radians.', 'radians(180)'),
  rand: says(
    'Returns a random number from 0 (inclusive) to 1 (exclusive), or a random integer below an upper bound.',
    'rand(100)',
  ),
  range: says(
    'Returns an array of evenly spaced values from start to stop, both inclusive.',
    'range(1, 10, 2)',
    'Returns at most 1,048,576 values. The default step is 1, or 1h for datetimes.',
  ),
  round: says('Rounds a number to a number of decimal places.', 'round(duration_ms, 2)'),
  set_difference: says(
    'Returns the elements of one array that are not in another.',
    'set_difference(dynamic([1, 2, 3]), dynamic([2]))',
  ),
  set_has_element: says(
    'Checks whether an array contains a value.',
    "set_has_element(tags, 'beta')",
  ),
  set_intersect: says(
    'Returns the distinct elements that two arrays have in common.',
    'set_intersect(dynamic([1, 2, 3]), dynamic([2, 3, 4]))',
    'Accepts exactly two arrays.',
  ),
  set_union: says(
    'Returns the distinct elements of two arrays.',
    'set_union(dynamic([1, 2]), dynamic([2, 3]))',
    'Accepts exactly two arrays.',
  ),
  sign: says('Returns the sign of a number: -1, 0 or 1.', 'sign(balance)'),
  sin: says('Returns the sine of an angle.', 'sin(pi() / 2)'),
  sqrt: says(
    'Returns the square root of a number, or null if the number is negative.',
    'sqrt(variance_ms)',
  ),
  tan: says('Returns the tangent of an angle.', 'tan(pi() / 4)'),
} satisfies Record<keyof typeof mathFunctions, Prose>;

export const roundingProse = {
  bin: says(
    'Rounds a value down to a multiple of a bin size.',
    'bin(_time, 5m)',
    'In the groups of summarize, bin(_time, …) creates a time series and keeps the name _time.',
  ),
  bin_auto: says(
    'Rounds a datetime down to a bin size that is chosen from the time range of the query.',
    'bin_auto(_time)',
    'Use it after by in summarize.',
  ),
  ceiling: says('Rounds a number up to an integer.', 'ceiling(duration_ms)'),
  floor: says(
    'Rounds a number down to an integer.',
    'floor(duration_ms)',
    'Accepts a single argument. To round to a multiple, use bin.',
  ),
} satisfies Record<keyof typeof roundingFunctions, Prose>;
