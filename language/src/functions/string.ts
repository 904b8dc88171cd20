/** Functions for strings, for formats such as JSON and URLs, and for tests of null and empty values. */
import {
  area,
  dynamic,
  either,
  fn,
  long,
  many,
  numeric,
  optional,
  scalar,
  signature,
  string,
  typeLiteral,
  word,
} from '../catalog/build.ts';
import { byteUnits } from '../catalog/words.ts';
import type { ProseRow } from '../prose/says.ts';

const text = string('text');
const regex = string('regex');
const start = optional(long('start'));
const length = optional(long('length'));
const occurrence = optional(long('occurrence'));

export const stringFunctions = area('string', {
  base64_decode_toarray: fn([text], 'dynamic'),
  base64_decode_tostring: fn([text], 'string'),
  base64_encode_fromarray: fn([dynamic('bytes')], 'string'),
  base64_encode_tostring: fn([text], 'string'),
  coalesce: fn([many(scalar('value'))], { sameAs: 'value' }),
  countof: fn([string('search'), text], 'long'),
  countof_regex: fn([regex, text], 'long'),
  extract: fn([regex, long('group'), text], 'string', {
    or: [
      signature([regex, long('group'), text, typeLiteral('type')], {
        typeArgument: 'type',
      }),
    ],
  }),
  extract_all: fn([regex, dynamic('groups'), text], 'dynamic', {
    or: [signature([regex, text], 'dynamic')],
  }),
  format_bytes: fn(
    [
      numeric('bytes', { unit: 'bytes' }),
      optional(long('precision')),
      optional(word('unit', byteUnits)),
      optional(long('base')),
    ],
    'string',
  ),
  format_url: fn([dynamic('parts')], 'string'),
  gettype: fn([scalar('value')], 'string'),
  indexof: fn([text, string('search'), start, length, occurrence], 'long'),
  indexof_regex: fn([text, regex, start, occurrence, length], 'long'),
  isascii: fn([text], 'bool'),
  isempty: fn([scalar('value')], 'bool'),
  isnotempty: fn([scalar('value')], 'bool'),
  isnotnull: fn([scalar('value')], 'bool'),
  isnull: fn([scalar('value')], 'bool'),
  parse_bytes: fn([text, optional(long('base'))], 'long', { unit: 'bytes' }),
  parse_csv: fn([text], 'dynamic'),
  parse_json: fn([scalar('json')], 'dynamic'),
  parse_path: fn([string('path')], 'dynamic'),
  parse_url: fn([string('url')], 'dynamic'),
  parse_urlquery: fn([string('query')], 'dynamic'),
  quote: fn([text], 'string'),
  regex_quote: fn([text], 'string'),
  replace: fn([regex, string('rewrite'), text], 'string'),
  replace_regex: fn([regex, string('rewrite'), text], 'string', {
    aliasOf: 'replace',
  }),
  replace_string: fn([string('search'), string('rewrite'), text], 'string'),
  reverse: fn([text], 'string'),
  split: fn([text, string('delimiter')], 'dynamic'),
  strcat: fn([many(scalar('value'))], 'string'),
  strcat_delim: fn([string('delimiter'), scalar('value'), many(scalar('more'))], 'string'),
  strcmp: fn([string('text1'), string('text2')], 'long'),
  string_size: fn([text], 'long', { unit: 'bytes' }),
  strip_ansi_escapes: fn([text], 'string'),
  strlen: fn([text], 'long'),
  strrep: fn([text, long('times'), optional(string('delimiter'))], 'string'),
  substring: fn([text, long('start'), length], 'string'),
  tolower: fn([text], 'string'),
  totitle: fn([text], 'string'),
  toupper: fn([text], 'string'),
  translate: fn([string('search'), string('replacement'), text], 'string'),
  trim: fn([string('cutset'), text], 'string'),
  trim_end: fn([string('cutset'), text], 'string'),
  trim_end_regex: fn([regex, text], 'string'),
  trim_regex: fn([regex, text], 'string'),
  trim_space: fn([text], 'string'),
  trim_start: fn([string('cutset'), text], 'string'),
  trim_start_regex: fn([regex, text], 'string'),
  unicode_codepoints_from_string: fn([text], 'dynamic'),
  unicode_codepoints_to_string: fn([many(either('codepoints', 'dynamic', 'long'))], 'string'),
  url_decode: fn([text], 'string'),
  url_encode: fn([text], 'string'),
});

const cutsetNote =
  'The first argument is a set of characters. For a regular expression, use the _regex variant.';

export const stringProse: Readonly<Record<keyof typeof stringFunctions, ProseRow>> = {
  base64_decode_toarray: [
    'Decodes a Base64 string to an array of bytes.',
    "base64_decode_toarray('QVBM')",
  ],
  base64_decode_tostring: [
    'Decodes a Base64 string to a string.',
    "base64_decode_tostring('aGVsbG8=')",
  ],
  base64_encode_fromarray: [
    'Encodes an array of bytes as Base64.',
    'base64_encode_fromarray(dynamic([65, 80, 76]))',
  ],
  base64_encode_tostring: ['Encodes a string as Base64.', "base64_encode_tostring('hello')"],
  coalesce: [
    'Returns the first argument that is neither null nor an empty string.',
    "coalesce(user_id, session_id, 'anonymous')",
    'Empty strings are skipped like null.',
  ],
  countof: [
    'Counts the occurrences of one string in another.',
    "countof('/', uri)",
    'Unlike in Kusto, the search string is the first argument.',
  ],
  countof_regex: [
    'Counts the matches of a regular expression in a string.',
    "countof_regex('[0-9]+', uri)",
    'The pattern is the first argument.',
  ],
  extract: [
    'Returns a capture group of the first match of a regular expression. Group 0 is the entire match.',
    "extract('user-([0-9]+)', 1, uri)",
  ],
  extract_all: [
    'Returns the selected capture groups of every match as an array.',
    "extract_all('([a-z]+)=([0-9]+)', dynamic([1, 2]), query)",
    'Without a selection, returns all groups. The result is a flat array for one group, and an array of arrays for several.',
  ],
  format_bytes: [
    'Formats a number of bytes with a unit such as KB or GiB.',
    'format_bytes(resp_body_size_bytes, 1)',
    'A kilobyte is 1024 bytes unless the fourth argument is 10.',
  ],
  format_url: [
    'Builds a URL from its parts: scheme, host, port, path, query, fragment, user, password.',
    "format_url(dynamic({'scheme': 'https', 'host': 'example.com', 'path': '/login'}))",
  ],
  gettype: [
    'Returns the type of a value at run time.',
    'gettype(status)',
    'The type of a bag is named dictionary. int and long are the same 64-bit type.',
  ],
  indexof: [
    'Returns the zero-based index of one string in another, or -1.',
    "indexof(uri, '/api/')",
  ],
  indexof_regex: [
    'Returns the zero-based index of the first match of a regular expression, or -1.',
    "indexof_regex(uri, '[0-9]+')",
    'The optional parameters are start, occurrence and length. In indexof, length precedes occurrence.',
  ],
  isascii: ['Checks whether a string contains only ASCII characters.', 'isascii(user_agent)'],
  isempty: ['Checks whether a value is null or an empty string.', 'isempty(referer)'],
  isnotempty: [
    'Checks whether a value is neither null nor an empty string.',
    'isnotempty(referer)',
  ],
  isnotnull: [
    'Checks whether a value is not null.',
    'isnotnull(duration)',
    'An empty string is not null.',
  ],
  isnull: [
    'Checks whether a value is null.',
    'isnull(duration)',
    'An empty string is not null. To check for both, use isempty.',
  ],
  parse_bytes: [
    'Parses a size such as 10 MB and returns the number of bytes.',
    "parse_bytes('10 MB')",
    'Returns 0 for an invalid size. A kilobyte is 1024 bytes unless the base is 10.',
  ],
  parse_csv: [
    'Splits a line of comma-separated values into an array of strings.',
    "parse_csv('alice,42,admin')",
  ],
  parse_json: [
    'Parses a JSON string to access its properties and elements.',
    'parse_json(payload).user.id',
    'Returns invalid JSON unchanged. For invalid JSON, todynamic returns null.',
  ],
  parse_path: [
    'Splits a file path into Scheme, RootPath, DirectoryPath, DirectoryName, Filename, Extension and AlternateDataStreamName.',
    "parse_path('/var/log/app.log').Filename",
  ],
  parse_url: [
    'Splits a URL into scheme, host, port, path, username, password, query and fragment.',
    "parse_url('https://example.com/login?next=/home').host",
    'The keys are in lower case.',
  ],
  parse_urlquery: [
    'Parses the query of a URL into a bag of its parameters.',
    "parse_urlquery('page=2&sort=asc')",
  ],
  quote: ['Encloses a string in double quotes and escapes special characters.', 'quote(uri)'],
  regex_quote: [
    'Escapes a string so that a regular expression matches it literally.',
    "regex_quote('1.2.3')",
  ],
  replace: [
    'Replaces all matches of a regular expression. $0 is the match, and $1 is the first group.',
    "replace('[0-9]+', 'N', uri)",
    'Capture groups are written as $1, not \\1.',
  ],
  replace_regex: [
    'Replaces all matches of a regular expression. $0 is the match, and $1 is the first group.',
    "replace_regex('/users/([0-9]+)', '/users/$1/profile', uri)",
    'The pattern is the first argument and the string is the last. Capture groups are written as $1, not \\1.',
  ],
  replace_string: [
    'Replaces all occurrences of one string with another.',
    "replace_string('http://', 'https://', url)",
    'The string to change is the last argument.',
  ],
  reverse: ['Reverses a string.', 'reverse(method)'],
  split: [
    'Splits a string at a delimiter into an array of strings.',
    "split(uri, '/')[1]",
    'There is no third parameter. To get a single element, use [n].',
  ],
  strcat: ['Concatenates its arguments into a string.', "strcat(method, ' ', uri)"],
  strcat_delim: [
    'Concatenates its arguments into a string, separated by a delimiter.',
    "strcat_delim(' - ', method, uri, status)",
  ],
  strcmp: ['Compares two strings and returns -1, 0 or 1.', "strcmp(method, 'GET')"],
  string_size: ['Returns the size of a string in bytes in UTF-8.', 'string_size(payload)'],
  strip_ansi_escapes: [
    'Removes ANSI escape sequences, such as terminal colors, from a string.',
    'strip_ansi_escapes(message)',
  ],
  strlen: ['Returns the number of characters of a string.', 'strlen(uri)'],
  strrep: ['Repeats a string 1 to 1024 times, with an optional delimiter.', "strrep('ab', 3, '-')"],
  substring: [
    'Returns a part of a string from a zero-based index, with an optional length.',
    'substring(trace_id, 0, 8)',
  ],
  tolower: ['Converts a string to lower case.', 'tolower(method)'],
  totitle: ['Converts the first letter of every word to upper case.', "totitle('new york')"],
  toupper: ['Converts a string to upper case.', 'toupper(method)'],
  translate: [
    'Replaces each character of one set with the corresponding character of another set.',
    "translate('abc', 'xyz', id)",
  ],
  trim: ['Removes a set of characters from both ends of a string.', "trim('/', uri)", cutsetNote],
  trim_end: [
    'Removes a set of characters from the end of a string.',
    "trim_end('/', uri)",
    cutsetNote,
  ],
  trim_end_regex: [
    'Removes a match of a regular expression at the end of a string.',
    "trim_end_regex('[0-9]+', id)",
  ],
  trim_regex: [
    'Removes matches of a regular expression at both ends of a string.',
    "trim_regex('[^a-z]+', id)",
  ],
  trim_space: ['Removes white space from both ends of a string.', 'trim_space(message)'],
  trim_start: [
    'Removes a set of characters from the start of a string.',
    "trim_start('/', uri)",
    cutsetNote,
  ],
  trim_start_regex: [
    'Removes a match of a regular expression at the start of a string.',
    "trim_start_regex('v[0-9]+/', uri)",
  ],
  unicode_codepoints_from_string: [
    'Returns the Unicode code points of a string as an array.',
    "unicode_codepoints_from_string('APL')",
  ],
  unicode_codepoints_to_string: [
    'Creates a string from an array of Unicode code points.',
    'unicode_codepoints_to_string(dynamic([65, 80, 76]))',
  ],
  url_decode: ['Decodes a URL-encoded string.', "url_decode('caf%C3%A9')"],
  url_encode: ['Encodes a string for use in a URL.', "url_encode('a&b c')"],
};
