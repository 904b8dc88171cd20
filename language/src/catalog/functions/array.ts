/** Functions for arrays and property bags, and for pairs such as `key:value`. */
import {
  area,
  bool,
  dynamic,
  either,
  fn,
  long,
  many,
  optional,
  scalar,
  signature,
  star,
  string,
} from '../build.ts';

export const arrayFunctions = area('array', {
  array_concat: fn([many(dynamic('array'))], 'dynamic'),
  array_extract: fn([dynamic('array'), string('path')], 'dynamic'),
  array_iff: fn([dynamic('conditions'), scalar('then'), scalar('otherwise')], 'dynamic'),
  array_index_of: fn(
    [
      dynamic('array'),
      scalar('value'),
      optional(long('start')),
      optional(long('length')),
      optional(long('occurrence')),
    ],
    'long',
  ),
  array_length: fn([dynamic('array')], 'long'),
  array_reverse: fn([dynamic('array')], 'dynamic'),
  array_rotate_left: fn([dynamic('array'), long('count')], 'dynamic'),
  array_rotate_right: fn([dynamic('array'), long('count')], 'dynamic'),
  array_select_dict: fn([dynamic('array'), string('key'), scalar('value')], 'dynamic'),
  array_shift_left: fn([dynamic('array'), long('count'), optional(scalar('fill'))], 'dynamic'),
  array_shift_right: fn(
    [dynamic('array'), optional(long('count')), optional(scalar('fill'))],
    'dynamic',
  ),
  array_slice: fn([dynamic('array'), long('start'), long('end')], 'dynamic'),
  array_sort_asc: fn([dynamic('array'), optional(bool('nulls_last'))], 'dynamic'),
  array_sort_desc: fn([dynamic('array'), optional(bool('nulls_last'))], 'dynamic'),
  array_split: fn([dynamic('array'), either('at', 'long', 'dynamic')], 'dynamic'),
  array_sum: fn([dynamic('array')], 'real'),
  bag_has_key: fn([dynamic('bag'), string('key')], 'bool'),
  bag_keys: fn([dynamic('bag')], 'dynamic'),
  bag_pack: fn([string('key'), scalar('value')], 'dynamic', {
    repeating: 2,
    or: [signature([star], 'dynamic')],
  }),
  bag_zip: fn([dynamic('keys'), dynamic('values')], 'dynamic'),
  isarray: fn([scalar('value')], 'bool'),
  len: fn([either('value', 'string', 'dynamic')], 'long'),
  pack: fn([string('key'), scalar('value')], 'dynamic', {
    repeating: 2,
    or: [signature([star], 'dynamic')],
    aliasOf: 'bag_pack',
  }),
  pack_array: fn([many(scalar('value'))], 'dynamic', { or: [signature([star], 'dynamic')] }),
  pack_dictionary: fn([string('key'), scalar('value')], 'dynamic', { repeating: 2 }),
  strcat_array: fn([dynamic('array'), optional(string('delimiter'))], 'string'),
});

export const pairFunctions = area('pair', {
  find_pair: fn(
    [dynamic('array'), string('key'), string('value'), optional(string('separator'))],
    'dynamic',
  ),
  pair: fn([string('key'), string('value'), optional(string('separator'))], 'dynamic'),
  parse_pair: fn([string('text'), optional(string('separator'))], 'dynamic'),
});
