/** What is said of functions over numbers and sets, and rounding. Angles are in radians unless their name says degrees. */
import type { mathFunctions, roundingFunctions } from '../../catalog/functions/math.ts';
import { type Prose, says } from '../says.ts';

export const mathProse = {
  abs: says('Gives a number or duration without its sign.', 'abs(delta)'),
  acos: says('Gives the angle whose cosine is a number.', 'acos(0.5)'),
  asin: says('Gives the angle whose sine is a number.', 'asin(0.5)'),
  atan: says('Gives the angle whose tangent is a number.', 'atan(1)'),
  atan2: says('Gives the angle from the x axis to the point (x, y).', 'atan2(1, 1)'),
  cos: says('Gives the cosine of an angle.', 'cos(pi())'),
  cot: says('Gives the cotangent of an angle.', 'cot(1.0)'),
  degrees: says('Turns radians into degrees.', 'degrees(pi() / 2)'),
  exp: says('Raises e to a power.', 'exp(1.5)'),
  exp10: says('Raises 10 to a power.', 'exp10(3)'),
  exp2: says('Raises 2 to a power.', 'exp2(10)'),
  gamma: says('Gives the gamma function of a number.', 'gamma(5)'),
  isfinite: says(
    'Tells whether a number is neither infinite nor NaN.',
    'isfinite(log(duration_ms))',
  ),
  isinf: says('Tells whether a number is infinite.', 'isinf(1.0 / errors)'),
  isint: says('Tells whether a value is a whole number.', 'isint(duration_ms)'),
  isnan: says('Tells whether a number is NaN.', 'isnan(ratio)'),
  log: says('Gives the natural logarithm of a number.', 'log(duration_ms)'),
  log10: says('Gives the logarithm of a number to base 10.', 'log10(resp_body_size_bytes)'),
  log2: says('Gives the logarithm of a number to base 2.', 'log2(resp_body_size_bytes)'),
  loggamma: says('Gives the logarithm of the absolute value of the gamma function.', 'loggamma(5)'),
  max_of: says(
    'Gives the largest of its arguments.',
    'max_of(req_header_size_bytes, resp_header_size_bytes)',
  ),
  min_of: says('Gives the smallest of its arguments.', 'min_of(duration_ms, 1000)'),
  not: says('Turns true into false and false into true.', 'not(is_tls)'),
  pi: says('Gives the number pi.', 'pi()'),
  pow: says('Raises a number to a power.', 'pow(duration_ms, 2)'),
  radians: says('Turns degrees into radians.', 'radians(180)'),
  rand: says(
    'Gives a random number from 0 up to 1, or a whole one below the given bound.',
    'rand(100)',
  ),
  range: says(
    'Gives an array of evenly spaced values from start to stop, both included.',
    'range(1, 10, 2)',
    'At most 1,048,576 values; the step is 1, or 1h for times, unless given.',
  ),
  round: says('Rounds a number to so many digits after the point.', 'round(duration_ms, 2)'),
  set_difference: says(
    'Gives the elements of one array that are not in another.',
    'set_difference(dynamic([1, 2, 3]), dynamic([2]))',
  ),
  set_has_element: says('Tells whether a value is in an array.', "set_has_element(tags, 'beta')"),
  set_intersect: says(
    'Gives the distinct elements that two arrays share.',
    'set_intersect(dynamic([1, 2, 3]), dynamic([2, 3, 4]))',
    'Takes exactly two arrays.',
  ),
  set_union: says(
    'Gives the distinct elements of two arrays together.',
    'set_union(dynamic([1, 2]), dynamic([2, 3]))',
    'Takes exactly two arrays.',
  ),
  sign: says('Gives -1, 0 or 1 for a negative number, zero or a positive number.', 'sign(balance)'),
  sin: says('Gives the sine of an angle.', 'sin(pi() / 2)'),
  sqrt: says('Gives the square root of a number; null for a negative one.', 'sqrt(variance_ms)'),
  tan: says('Gives the tangent of an angle.', 'tan(pi() / 4)'),
} satisfies Record<keyof typeof mathFunctions, Prose>;

export const roundingProse = {
  bin: says(
    'Rounds a value down to a multiple of a bin size.',
    'bin(_time, 5m)',
    'As a group of summarize, bin(_time, …) makes a time series and keeps the name _time.',
  ),
  bin_auto: says(
    'Rounds a time down to a bin whose size suits the time range of the query.',
    'bin_auto(_time)',
    'Stands among the groups of summarize, after by.',
  ),
  ceiling: says('Rounds a number up to a whole number.', 'ceiling(duration_ms)'),
  floor: says(
    'Rounds a number down to a whole number.',
    'floor(duration_ms)',
    'Takes one argument; use bin to round to multiples.',
  ),
} satisfies Record<keyof typeof roundingFunctions, Prose>;
