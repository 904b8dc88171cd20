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
} from '../catalog/build.ts';
import type { ProseRow } from '../prose/says.ts';

const array = dynamic('array');

export const arrayFunctions = {
  ...area('array', {
    array_concat: fn([many(array)], 'dynamic'),
    array_extract: fn([array, string('path')], 'dynamic'),
    array_iff: fn([dynamic('conditions'), scalar('then'), scalar('otherwise')], 'dynamic'),
    array_index_of: fn(
      [
        array,
        scalar('value'),
        optional(long('start')),
        optional(long('length')),
        optional(long('occurrence')),
      ],
      'long',
    ),
    array_length: fn([array], 'long'),
    array_reverse: fn([array], 'dynamic'),
    array_rotate_left: fn([array, long('count')], 'dynamic'),
    array_rotate_right: fn([array, long('count')], 'dynamic'),
    array_select_dict: fn([array, string('key'), scalar('value')], 'dynamic'),
    array_shift_left: fn([array, long('count'), optional(scalar('fill'))], 'dynamic'),
    array_shift_right: fn([array, optional(long('count')), optional(scalar('fill'))], 'dynamic'),
    array_slice: fn([array, long('start'), long('end')], 'dynamic'),
    array_sort_asc: fn([array, optional(bool('nulls_last'))], 'dynamic'),
    array_sort_desc: fn([array, optional(bool('nulls_last'))], 'dynamic'),
    array_split: fn([array, either('at', 'long', 'dynamic')], 'dynamic'),
    array_sum: fn([array], 'real'),
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
    strcat_array: fn([array, optional(string('delimiter'))], 'string'),
  }),
  ...area('pair', {
    find_pair: fn(
      [array, string('key'), string('value'), optional(string('separator'))],
      'dynamic',
    ),
    pair: fn([string('key'), string('value'), optional(string('separator'))], 'dynamic'),
    parse_pair: fn([string('text'), optional(string('separator'))], 'dynamic'),
  }),
};

const pairNote = 'The default separator is a colon.';

export const arrayProse: Readonly<Record<keyof typeof arrayFunctions, ProseRow>> = {
  array_concat: ['Concatenates arrays.', 'array_concat(dynamic([1, 2]), dynamic([3]))'],
  array_extract: [
    'Returns the values that a JSON path selects from an array.',
    "array_extract(items, @'$[*].price')",
  ],
  array_iff: [
    'Returns one of two values for each element of an array of conditions.',
    "array_iff(dynamic([true, false]), 'pass', 'fail')",
  ],
  array_index_of: [
    'Returns the zero-based index of a value in an array, or -1.',
    "array_index_of(roles, 'admin')",
  ],
  array_length: ['Returns the number of elements of an array.', 'array_length(tags)'],
  array_reverse: ['Reverses an array.', 'array_reverse(tags)'],
  array_rotate_left: [
    'Rotates the elements of an array to the left.',
    'array_rotate_left(dynamic([1, 2, 3]), 1)',
  ],
  array_rotate_right: [
    'Rotates the elements of an array to the right.',
    'array_rotate_right(dynamic([1, 2, 3]), 1)',
  ],
  array_select_dict: [
    'Returns the first bag in an array that has a value for a key.',
    "array_select_dict(headers, 'name', 'host')",
  ],
  array_shift_left: [
    'Shifts the elements of an array to the left and fills the end with null.',
    'array_shift_left(dynamic([1, 2, 3]), 1)',
  ],
  array_shift_right: [
    'Shifts the elements of an array to the right and fills the start with null.',
    'array_shift_right(dynamic([1, 2, 3]), 1)',
  ],
  array_slice: [
    'Returns the elements of an array from a start index up to an end index.',
    'array_slice(tags, 0, 2)',
    'Unlike in Kusto, the end index is exclusive. Negative indexes count from the end.',
  ],
  array_sort_asc: [
    'Sorts an array in ascending order.',
    'array_sort_asc(scores)',
    'Sorts a single array.',
  ],
  array_sort_desc: [
    'Sorts an array in descending order.',
    'array_sort_desc(scores)',
    'Sorts a single array.',
  ],
  array_split: [
    'Splits an array at one or more indexes into an array of arrays.',
    'array_split(dynamic([1, 2, 3, 4]), dynamic([1, 3]))',
  ],
  array_sum: [
    'Returns the sum of the numbers in an array.',
    'array_sum(dynamic([1, 2.5]))',
    'Durations are added as nanoseconds.',
  ],
  bag_has_key: ['Checks whether a bag has a key.', "bag_has_key(attributes, 'http.method')"],
  bag_keys: ['Returns the keys of a bag as an array.', 'bag_keys(attributes)'],
  bag_pack: [
    'Creates a bag from keys and values, or from all columns with *.',
    "bag_pack('method', method, 'status', status)",
  ],
  bag_zip: [
    'Creates a bag from an array of keys and an array of values.',
    "bag_zip(dynamic(['a', 'b']), dynamic([1, 2]))",
  ],
  isarray: ['Checks whether a value is an array.', 'isarray(tags)'],
  len: ['Returns the length of a string or an array.', 'len(uri)'],
  pack: [
    'Creates a bag from keys and values, or from all columns with *.',
    "pack('uri', uri, 'status', status)",
  ],
  pack_array: [
    'Creates an array from its arguments, or from all columns with *.',
    'pack_array(method, status, uri)',
  ],
  pack_dictionary: [
    'Creates a bag from constant keys and their values.',
    "pack_dictionary('method', method, 'status', status)",
  ],
  strcat_array: [
    'Concatenates the elements of an array into a string.',
    "strcat_array(tags, ', ')",
  ],
  find_pair: [
    'Returns the first pair in an array that matches a key pattern and a value pattern, as a bag of key, value and separator.',
    "find_pair(tags, 'env', 'prod*').value",
    pairNote,
  ],
  pair: ['Creates a bag of key, value and separator.', "pair('region', region)", pairNote],
  parse_pair: [
    'Parses a string such as env:prod into a bag of key, value and separator.',
    "parse_pair('env:prod').value",
    pairNote,
  ],
};
