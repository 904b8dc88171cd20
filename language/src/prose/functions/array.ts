/** Documentation of functions for arrays, property bags, and pairs such as `key:value`. */
import type { arrayFunctions, pairFunctions } from '../../catalog/functions/array.ts';
import { type Prose, says } from '../says.ts';

const pairNote = 'The default separator is a colon.';

export const arrayProse = {
  array_concat: says('Concatenates arrays.', 'array_concat(dynamic([1, 2]), dynamic([3]))'),
  array_extract: says(
    'Returns the values that a JSON path selects from an array.',
    "array_extract(items, @'$[*].price')",
  ),
  array_iff: says(
    'Returns one of two values for each element of an array of conditions.',
    "array_iff(dynamic([true, false]), 'pass', 'fail')",
  ),
  array_index_of: says(
    'Returns the zero-based index of a value in an array, or -1.',
    "array_index_of(roles, 'admin')",
  ),
  array_length: says('Returns the number of elements of an array.', 'array_length(tags)'),
  array_reverse: says('Reverses an array.', 'array_reverse(tags)'),
  array_rotate_left: says(
    'Rotates the elements of an array to the left.',
    'array_rotate_left(dynamic([1, 2, 3]), 1)',
  ),
  array_rotate_right: says(
    'Rotates the elements of an array to the right.',
    'array_rotate_right(dynamic([1, 2, 3]), 1)',
  ),
  array_select_dict: says(
    'Returns the first bag in an array that has a value for a key.',
    "array_select_dict(headers, 'name', 'host')",
  ),
  array_shift_left: says(
    'Shifts the elements of an array to the left and fills the end with null.',
    'array_shift_left(dynamic([1, 2, 3]), 1)',
  ),
  array_shift_right: says(
    'Shifts the elements of an array to the right and fills the start with null.',
    'array_shift_right(dynamic([1, 2, 3]), 1)',
  ),
  array_slice: says(
    'Returns the elements of an array from a start index up to an end index.',
    'array_slice(tags, 0, 2)',
    'Unlike in Kusto, the end index is exclusive. Negative indexes count from the end.',
  ),
  array_sort_asc: says(
    'Sorts an array in ascending order.',
    'array_sort_asc(scores)',
    'Sorts a single array.',
  ),
  array_sort_desc: says(
    'Sorts an array in descending order.',
    'array_sort_desc(scores)',
    'Sorts a single array.',
  ),
  array_split: says(
    'Splits an array at one or more indexes into an array of arrays.',
    'array_split(dynamic([1, 2, 3, 4]), dynamic([1, 3]))',
  ),
  array_sum: says(
    'Returns the sum of the numbers in an array.',
    'array_sum(dynamic([1, 2.5]))',
    'Durations are added as nanoseconds.',
  ),
  bag_has_key: says('Checks whether a bag has a key.', "bag_has_key(attributes, 'http.method')"),
  bag_keys: says('Returns the keys of a bag as an array.', 'bag_keys(attributes)'),
  bag_pack: says(
    'Creates a bag from keys and values, or from all columns with *.',
    "bag_pack('method', method, 'status', status)",
  ),
  bag_zip: says(
    'Creates a bag from an array of keys and an array of values.',
    "bag_zip(dynamic(['a', 'b']), dynamic([1, 2]))",
  ),
  isarray: says('Checks whether a value is an array.', 'isarray(tags)'),
  len: says('Returns the length of a string or an array.', 'len(uri)'),
  pack: says(
    'Creates a bag from keys and values, or from all columns with *.',
    "pack('uri', uri, 'status', status)",
  ),
  pack_array: says(
    'Creates an array from its arguments, or from all columns with *.',
    'pack_array(method, status, uri)',
  ),
  pack_dictionary: says(
    'Creates a bag from constant keys and their values.',
    "pack_dictionary('method', method, 'status', status)",
  ),
  strcat_array: says(
    'Concatenates the elements of an array into a string.',
    "strcat_array(tags, ', ')",
  ),
} satisfies Record<keyof typeof arrayFunctions, Prose>;

export const pairProse = {
  find_pair: says(
    'Returns the first pair in an array that matches a key pattern and a value pattern, as a bag of key, value and separator.',
    "find_pair(tags, 'env', 'prod*').value",
    pairNote,
  ),
  pair: says('Creates a bag of key, value and separator.', "pair('region', region)", pairNote),
  parse_pair: says(
    'Parses a string such as env:prod into a bag of key, value and separator.',
    "parse_pair('env:prod').value",
    pairNote,
  ),
} satisfies Record<keyof typeof pairFunctions, Prose>;
