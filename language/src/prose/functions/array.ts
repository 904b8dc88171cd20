/** What is said of functions over arrays and property bags, and over pairs such as `key:value`. */
import type { arrayFunctions, pairFunctions } from '../../catalog/functions/array.ts';
import { type Prose, says } from '../says.ts';

const pairNote = 'The separator is a colon unless given.';

export const arrayProse = {
  array_concat: says(
    'Joins arrays one after another into one.',
    'array_concat(dynamic([1, 2]), dynamic([3]))',
  ),
  array_extract: says(
    'Gives what a JSON path selects from an array.',
    "array_extract(items, @'$[*].price')",
  ),
  array_iff: says(
    'Picks for each element of an array of conditions one of two values or elements.',
    "array_iff(dynamic([true, false]), 'pass', 'fail')",
  ),
  array_index_of: says(
    'Gives the zero-based place of a value in an array, or -1.',
    "array_index_of(roles, 'admin')",
  ),
  array_length: says('Counts the elements of an array.', 'array_length(tags)'),
  array_reverse: says('Turns the order of an array around.', 'array_reverse(tags)'),
  array_rotate_left: says(
    'Moves elements to the left; those that fall off come back on the right.',
    'array_rotate_left(dynamic([1, 2, 3]), 1)',
  ),
  array_rotate_right: says(
    'Moves elements to the right; those that fall off come back on the left.',
    'array_rotate_right(dynamic([1, 2, 3]), 1)',
  ),
  array_select_dict: says(
    'Gives the first bag in an array that holds a value under a key.',
    "array_select_dict(headers, 'name', 'host')",
  ),
  array_shift_left: says(
    'Moves elements to the left and fills the right with null.',
    'array_shift_left(dynamic([1, 2, 3]), 1)',
  ),
  array_shift_right: says(
    'Moves elements to the right and fills the left with null.',
    'array_shift_right(dynamic([1, 2, 3]), 1)',
  ),
  array_slice: says(
    'Gives the elements from start up to, but not including, end.',
    'array_slice(tags, 0, 2)',
    'The end is exclusive, unlike in Kusto; negative places count from the end.',
  ),
  array_sort_asc: says(
    'Sorts an array from small to large.',
    'array_sort_asc(scores)',
    'Takes one array and gives one array.',
  ),
  array_sort_desc: says(
    'Sorts an array from large to small.',
    'array_sort_desc(scores)',
    'Takes one array and gives one array.',
  ),
  array_split: says(
    'Cuts an array at one or several places into an array of arrays.',
    'array_split(dynamic([1, 2, 3, 4]), dynamic([1, 3]))',
  ),
  array_sum: says(
    'Adds up the numbers of an array.',
    'array_sum(dynamic([1, 2.5]))',
    'Durations are added up as nanoseconds.',
  ),
  bag_has_key: says('Tells whether a bag has a key.', "bag_has_key(attributes, 'http.method')"),
  bag_keys: says('Gives the keys of a bag as an array.', 'bag_keys(attributes)'),
  bag_pack: says(
    'Makes a bag of keys and values, or of all columns with *.',
    "bag_pack('method', method, 'status', status)",
  ),
  bag_zip: says(
    'Makes a bag of an array of keys and an array of values.',
    "bag_zip(dynamic(['a', 'b']), dynamic([1, 2]))",
  ),
  isarray: says('Tells whether a value is an array.', 'isarray(tags)'),
  len: says('Counts the characters of a text or the elements of an array.', 'len(uri)'),
  pack: says(
    'Makes a bag of keys and values, or of all columns with *.',
    "pack('uri', uri, 'status', status)",
  ),
  pack_array: says(
    'Makes an array of its arguments, or of all columns with *.',
    'pack_array(method, status, uri)',
  ),
  pack_dictionary: says(
    'Makes a bag of constant keys and their values.',
    "pack_dictionary('method', method, 'status', status)",
  ),
  strcat_array: says('Joins the elements of an array into one text.', "strcat_array(tags, ', ')"),
} satisfies Record<keyof typeof arrayFunctions, Prose>;

export const pairProse = {
  find_pair: says(
    'Gives the first pair in an array whose key and value fit two patterns with *, as a bag of key, value and separator.',
    "find_pair(tags, 'env', 'prod*').value",
    pairNote,
  ),
  pair: says('Makes a bag of key, value and separator.', "pair('region', region)", pairNote),
  parse_pair: says(
    'Reads a text such as env:prod as a bag of key, value and separator.',
    "parse_pair('env:prod').value",
    pairNote,
  ),
} satisfies Record<keyof typeof pairFunctions, Prose>;
