/** Documentation of string functions: searching, replacing, encoding, and parsing. */
import type { stringFunctions } from '../../catalog/functions/string.ts';
import { type Prose, says } from '../says.ts';

const cutsetNote =
  'The first argument is a set of characters. For a regular expression, use the _regex variant.';

export const stringProse = {
  base64_decode_toarray: says(
    'Decodes a Base64 string to an array of bytes.',
    "base64_decode_toarray('QVBM')",
  ),
  base64_decode_tostring: says(
    'Decodes a Base64 string to a string.',
    "base64_decode_tostring('aGVsbG8=')",
  ),
  base64_encode_fromarray: says(
    'Encodes an array of bytes as Base64.',
    'base64_encode_fromarray(dynamic([65, 80, 76]))',
  ),
  base64_encode_tostring: says('Encodes a string as Base64.', "base64_encode_tostring('hello')"),
  coalesce: says(
    'Returns the first argument that is neither null nor an empty string.',
    "coalesce(user_id, session_id, 'anonymous')",
    'Empty strings are skipped like null.',
  ),
  countof: says(
    'Counts the occurrences of one string in another.',
    "countof('/', uri)",
    'Unlike in Kusto, the search string is the first argument.',
  ),
  countof_regex: says(
    'Counts the matches of a regular expression in a string.',
    "countof_regex('[0-9]+', uri)",
    'The pattern is the first argument.',
  ),
  extract: says(
    'Returns a capture group of the first match of a regular expression. Group 0 is the entire match.',
    "extract('user-([0-9]+)', 1, uri)",
  ),
  extract_all: says(
    'Returns the selected capture groups of every match as an array.',
    "extract_all('([a-z]+)=([0-9]+)', dynamic([1, 2]), query)",
    'Without a selection, returns all groups. The result is a flat array for one group, and an array of arrays for several.',
  ),
  format_bytes: says(
    'Formats a number of bytes with a unit such as KB or GiB.',
    'format_bytes(resp_body_size_bytes, 1)',
    'A kilobyte is 1024 bytes unless the fourth argument is 10.',
  ),
  format_url: says(
    'Builds a URL from its parts: scheme, host, port, path, query, fragment, user, password.',
    "format_url(dynamic({'scheme': 'https', 'host': 'example.com', 'path': '/login'}))",
  ),
  gettype: says(
    'Returns the type of a value at run time.',
    'gettype(status)',
    'The type of a bag is named dictionary. int and long are the same 64-bit type.',
  ),
  indexof: says(
    'Returns the zero-based index of one string in another, or -1.',
    "indexof(uri, '/api/')",
  ),
  indexof_regex: says(
    'Returns the zero-based index of the first match of a regular expression, or -1.',
    "indexof_regex(uri, '[0-9]+')",
    'The optional parameters are start, occurrence and length. In indexof, length precedes occurrence.',
  ),
  isascii: says('Checks whether a string contains only ASCII characters.', 'isascii(user_agent)'),
  isempty: says('Checks whether a value is null or an empty string.', 'isempty(referer)'),
  isnotempty: says(
    'Checks whether a value is neither null nor an empty string.',
    'isnotempty(referer)',
  ),
  isnotnull: says(
    'Checks whether a value is not null.',
    'isnotnull(duration)',
    'An empty string is not null.',
  ),
  isnull: says(
    'Checks whether a value is null.',
    'isnull(duration)',
    'An empty string is not null. To check for both, use isempty.',
  ),
  parse_bytes: says(
    'Parses a size such as 10 MB and returns the number of bytes.',
    "parse_bytes('10 MB')",
    'Returns 0 for an invalid size. A kilobyte is 1024 bytes unless the base is 10.',
  ),
  parse_csv: says(
    'Splits a line of comma-separated values into an array of strings.',
    "parse_csv('alice,42,admin')",
  ),
  parse_json: says(
    'Parses a JSON string to access its properties and elements.',
    'parse_json(payload).user.id',
    'Returns invalid JSON unchanged. For invalid JSON, todynamic returns null.',
  ),
  parse_path: says(
    'Splits a file path into Scheme, RootPath, DirectoryPath, DirectoryName, Filename, Extension and AlternateDataStreamName.',
    "parse_path('/var/log/app.log').Filename",
  ),
  parse_url: says(
    'Splits a URL into scheme, host, port, path, username, password, query and fragment.',
    "parse_url('https://example.com/login?next=/home').host",
    'The keys are in lower case.',
  ),
  parse_urlquery: says(
    'Parses the query of a URL into a bag of its parameters.',
    "parse_urlquery('page=2&sort=asc')",
  ),
  quote: says('Encloses a string in double quotes and escapes special characters.', 'quote(uri)'),
  regex_quote: says(
    'Escapes a string so that a regular expression matches it literally.',
    "regex_quote('1.2.3')",
  ),
  replace: says(
    'Replaces all matches of a regular expression. $0 is the match, and $1 is the first group.',
    "replace('[0-9]+', 'N', uri)",
    'Capture groups are written as $1, not \\1.',
  ),
  replace_regex: says(
    'Replaces all matches of a regular expression. $0 is the match, and $1 is the first group.',
    "replace_regex('/users/([0-9]+)', '/users/$1/profile', uri)",
    'The pattern is the first argument and the string is the last. Capture groups are written as $1, not \\1.',
  ),
  replace_string: says(
    'Replaces all occurrences of one string with another.',
    "replace_string('http://', 'https://', url)",
    'The string to change is the last argument.',
  ),
  reverse: says('Reverses a string.', 'reverse(method)'),
  split: says(
    'Splits a string at a delimiter into an array of strings.',
    "split(uri, '/')[1]",
    'There is no third parameter. To get a single element, use [n].',
  ),
  strcat: says('Concatenates its arguments into a string.', "strcat(method, ' ', uri)"),
  strcat_delim: says(
    'Concatenates its arguments into a string, separated by a delimiter.',
    "strcat_delim(' - ', method, uri, status)",
  ),
  strcmp: says('Compares two strings and returns -1, 0 or 1.', "strcmp(method, 'GET')"),
  string_size: says('Returns the size of a string in bytes in UTF-8.', 'string_size(payload)'),
  strip_ansi_escapes: says(
    'Removes ANSI escape sequences, such as terminal colors, from a string.',
    'strip_ansi_escapes(message)',
  ),
  strlen: says('Returns the number of characters of a string.', 'strlen(uri)'),
  strrep: says(
    'Repeats a string 1 to 1024 times, with an optional delimiter.',
    "strrep('ab', 3, '-')",
  ),
  substring: says(
    'Returns a part of a string from a zero-based index, with an optional length.',
    'substring(trace_id, 0, 8)',
  ),
  tolower: says('Converts a string to lower case.', 'tolower(method)'),
  totitle: says('Converts the first letter of every word to upper case.', "totitle('new york')"),
  toupper: says('Converts a string to upper case.', 'toupper(method)'),
  translate: says(
    'Replaces each character of one set with the corresponding character of another set.',
    "translate('abc', 'xyz', id)",
  ),
  trim: says(
    'Removes a set of characters from both ends of a string.',
    "trim('/', uri)",
    cutsetNote,
  ),
  trim_end: says(
    'Removes a set of characters from the end of a string.',
    "trim_end('/', uri)",
    cutsetNote,
  ),
  trim_end_regex: says(
    'Removes a match of a regular expression at the end of a string.',
    "trim_end_regex('[0-9]+', id)",
  ),
  trim_regex: says(
    'Removes matches of a regular expression at both ends of a string.',
    "trim_regex('[^a-z]+', id)",
  ),
  trim_space: says('Removes white space from both ends of a string.', 'trim_space(message)'),
  trim_start: says(
    'Removes a set of characters from the start of a string.',
    "trim_start('/', uri)",
    cutsetNote,
  ),
  trim_start_regex: says(
    'Removes a match of a regular expression at the start of a string.',
    "trim_start_regex('v[0-9]+/', uri)",
  ),
  unicode_codepoints_from_string: says(
    'Returns the Unicode code points of a string as an array.',
    "unicode_codepoints_from_string('APL')",
  ),
  unicode_codepoints_to_string: says(
    'Creates a string from an array of Unicode code points.',
    'unicode_codepoints_to_string(dynamic([65, 80, 76]))',
  ),
  url_decode: says('Decodes a URL-encoded string.', "url_decode('caf%C3%A9')"),
  url_encode: says('Encodes a string for use in a URL.', "url_encode('a&b c')"),
} satisfies Record<keyof typeof stringFunctions, Prose>;
