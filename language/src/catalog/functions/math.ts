/** Functions for numbers, sets and rounding. Angles are in radians unless the function's name says degrees. */
import {
  amount,
  area,
  bool,
  datetime,
  dynamic,
  fn,
  long,
  many,
  numeric,
  optional,
  ordinal,
  scalar,
  signature,
  timespan,
} from '../build.ts';

const angle = numeric('angle', { unit: 'radians' });
const sets = [dynamic('set1'), dynamic('set2'), optional(many(dynamic('more')))];

export const mathFunctions = area('math', {
  abs: fn([amount('x')], { sameAs: 'x' }),
  acos: fn([numeric('x')], 'real', { unit: 'radians' }),
  asin: fn([numeric('x')], 'real', { unit: 'radians' }),
  atan: fn([numeric('x')], 'real', { unit: 'radians' }),
  atan2: fn([numeric('y'), numeric('x')], 'real', { unit: 'radians' }),
  cos: fn([angle], 'real'),
  cot: fn([angle], 'real'),
  degrees: fn([angle], 'real', { unit: 'degrees' }),
  exp: fn([numeric('x')], 'real'),
  exp10: fn([numeric('x')], 'real'),
  exp2: fn([numeric('x')], 'real'),
  gamma: fn([numeric('x')], 'real'),
  isfinite: fn([numeric('x')], 'bool'),
  isinf: fn([numeric('x')], 'bool'),
  isint: fn([scalar('value')], 'bool'),
  isnan: fn([numeric('x')], 'bool'),
  log: fn([numeric('x')], 'real'),
  log10: fn([numeric('x')], 'real'),
  log2: fn([numeric('x')], 'real'),
  loggamma: fn([numeric('x')], 'real'),
  max_of: fn([many(scalar('value'))], { sameAs: 'value' }),
  min_of: fn([many(scalar('value'))], { sameAs: 'value' }),
  not: fn([bool('value')], 'bool'),
  pi: fn([], 'real'),
  pow: fn([numeric('base'), numeric('exponent')], 'real'),
  radians: fn([numeric('angle', { unit: 'degrees' })], 'real', { unit: 'radians' }),
  rand: fn([], 'real', { or: [signature([long('bound')], 'long')] }),
  range: fn([ordinal('start'), ordinal('stop'), optional(amount('step'))], 'dynamic'),
  round: fn([numeric('x'), optional(long('precision', { unit: 'digits' }))], 'real', {
    or: [signature([timespan('x'), optional(long('precision'))], 'timespan')],
  }),
  set_difference: fn(sets, 'dynamic'),
  set_has_element: fn([dynamic('set'), scalar('value')], 'bool'),
  set_intersect: fn(sets, 'dynamic'),
  set_union: fn(sets, 'dynamic'),
  sign: fn([amount('x')], 'long'),
  sin: fn([angle], 'real'),
  sqrt: fn([numeric('x')], 'real'),
  tan: fn([angle], 'real'),
});

export const roundingFunctions = area('rounding', {
  bin: fn([ordinal('value'), amount('size')], { sameAs: 'value' }),
  bin_auto: fn([datetime('time')], 'datetime'),
  ceiling: fn([amount('x')], 'long'),
  floor: fn([amount('x')], 'long', {
    or: [signature([ordinal('value'), amount('size')], { sameAs: 'value' })],
  }),
});
