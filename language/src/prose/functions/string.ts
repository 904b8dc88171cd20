/** What is said of functions over text: measuring, cutting, replacing, encoding, and reading formats held in text. */
import type { stringFunctions } from '../../catalog/functions/string.ts';
import { type Prose, says } from '../says.ts';

const cutsetNote =
  'The first argument is a set of characters, not a regular expression; the _regex variant takes one.';

export const stringProse = {
  base64_decode_toarray: says(
    'Decodes Base64 text into an array of byte values.',
    "base64_decode_toarray('QVBM')",
  ),
  base64_decode_tostring: says(
    'Decodes Base64 text into text.',
    "base64_decode_tostring('aGVsbG8=')",
  ),
  base64_encode_fromarray: says(
    'Encodes an array of byte values as Base64 text.',
    'base64_encode_fromarray(dynamic([65, 80, 76]))',
  ),
  base64_encode_tostring: says('Encodes text as Base64.', "base64_encode_tostring('hello')"),
  coalesce: says(
    'Gives the first argument that is neither null nor empty text.',
    "coalesce(user_id, session_id, 'anonymous')",
    'Empty text is skipped like null.',
  ),
  countof: says(
    'Counts how often one text occurs in another.',
    "countof('/', uri)",
    'What to look for comes first, the text second: the reverse of Kusto.',
  ),
  countof_regex: says(
    'Counts the matches of a regular expression in a text.',
    "countof_regex('[0-9]+', uri)",
    'The pattern comes first, the text second.',
  ),
  extract: says(
    'Gives one capture group of the first match; group 0 is the whole match.',
    "extract('user-([0-9]+)', 1, uri)",
  ),
  extract_all: says(
    'Gives the chosen capture groups of every match as an array.',
    "extract_all('([a-z]+)=([0-9]+)', dynamic([1, 2]), query)",
    'Without groups all are given. One group gives a flat array, several an array of arrays.',
  ),
  format_bytes: says(
    'Writes a number of bytes with a suffix such as KB or GiB.',
    'format_bytes(resp_body_size_bytes, 1)',
    'A kilobyte is 1024 bytes unless the fourth argument is 10.',
  ),
  format_url: says(
    'Builds a URL from its parts: scheme, host, port, path, query, fragment, user, password.',
    "format_url(dynamic({'scheme': 'https', 'host': 'example.com', 'path': '/login'}))",
  ),
  gettype: says(
    'Names the type that a value has at run time.',
    'gettype(status)',
    'Bags are called dictionary; int and long hold the same 64-bit numbers.',
  ),
  indexof: says(
    'Gives the zero-based position of one text in another, or -1.',
    "indexof(uri, '/api/')",
  ),
  indexof_regex: says(
    'Gives the zero-based position of the first match of a regular expression, or -1.',
    "indexof_regex(uri, '[0-9]+')",
    'The optional arguments are start, occurrence, length; indexof has length before occurrence.',
  ),
  isascii: says('Tells whether a text has only ASCII characters.', 'isascii(user_agent)'),
  isempty: says('Tells whether a value is null or empty text.', 'isempty(referer)'),
  isnotempty: says('Tells whether a value is neither null nor empty text.', 'isnotempty(referer)'),
  isnotnull: says(
    'Tells whether a value is there.',
    'isnotnull(duration)',
    'Empty text is not null.',
  ),
  isnull: says(
    'Tells whether a value is missing.',
    'isnull(duration)',
    'Empty text is not null; isempty covers both.',
  ),
  parse_bytes: says(
    'Reads a size such as 10 MB as a number of bytes.',
    "parse_bytes('10 MB')",
    'Gives 0 for text that is no size, and counts 1024 bytes to a kilobyte unless the base is 10.',
  ),
  parse_csv: says(
    'Splits one line of comma-separated values into an array of texts.',
    "parse_csv('alice,42,admin')",
  ),
  parse_json: says(
    'Reads JSON text as a value whose properties and elements can be taken.',
    'parse_json(payload).user.id',
    'Text that is not JSON comes back unchanged; todynamic gives null for it.',
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
    'Reads the query part of a URL as a bag of its parameters.',
    "parse_urlquery('page=2&sort=asc')",
  ),
  quote: says('Puts a text in double quotes, escaping what must be escaped.', 'quote(uri)'),
  regex_quote: says(
    'Escapes a text so that a regular expression matches it literally.',
    "regex_quote('1.2.3')",
  ),
  replace: says(
    'Replaces every match of a regular expression; $0 is the match and $1 the first group.',
    "replace('[0-9]+', 'N', uri)",
    'Groups are written $1, not \\1.',
  ),
  replace_regex: says(
    'Replaces every match of a regular expression; $0 is the match and $1 the first group.',
    "replace_regex('/users/([0-9]+)', '/users/$1/profile', uri)",
    'The pattern comes first and the text last; groups are written $1, not \\1.',
  ),
  replace_string: says(
    'Replaces every occurrence of one text by another.',
    "replace_string('http://', 'https://', url)",
    'The text to change comes last.',
  ),
  reverse: says('Turns the characters of a text around.', 'reverse(method)'),
  split: says(
    'Cuts a text at every delimiter into an array of texts.',
    "split(uri, '/')[1]",
    'There is no third argument; take an element with [n].',
  ),
  strcat: says('Joins its arguments into one text.', "strcat(method, ' ', uri)"),
  strcat_delim: says(
    'Joins its arguments into one text with a delimiter between them.',
    "strcat_delim(' - ', method, uri, status)",
  ),
  strcmp: says(
    'Compares two texts: -1 when the first sorts before, 0 when equal, 1 when after.',
    "strcmp(method, 'GET')",
  ),
  string_size: says('Gives the size of a text in bytes as UTF-8.', 'string_size(payload)'),
  strip_ansi_escapes: says(
    'Removes the colour and cursor codes of terminals from a text.',
    'strip_ansi_escapes(message)',
  ),
  strlen: says('Counts the characters of a text.', 'strlen(uri)'),
  strrep: says(
    'Repeats a text 1 to 1024 times, with an optional delimiter between.',
    "strrep('ab', 3, '-')",
  ),
  substring: says(
    'Gives part of a text from a zero-based position, of a length or to the end.',
    'substring(trace_id, 0, 8)',
  ),
  tolower: says('Turns a text into lower case.', 'tolower(method)'),
  totitle: says('Turns the first letter of every word into upper case.', "totitle('new york')"),
  toupper: says('Turns a text into upper case.', 'toupper(method)'),
  translate: says(
    'Replaces each character of one list by the character at the same place in another.',
    "translate('abc', 'xyz', id)",
  ),
  trim: says(
    'Removes the given characters from both ends of a text.',
    "trim('/', uri)",
    cutsetNote,
  ),
  trim_end: says(
    'Removes the given characters from the end of a text.',
    "trim_end('/', uri)",
    cutsetNote,
  ),
  trim_end_regex: says(
    'Removes what a regular expression matches at the end of a text.',
    "trim_end_regex('[0-9]+', id)",
  ),
  trim_regex: says(
    'Removes what a regular expression matches at both ends of a text.',
    "trim_regex('[^a-z]+', id)",
  ),
  trim_space: says('Removes white space from both ends of a text.', 'trim_space(message)'),
  trim_start: says(
    'Removes the given characters from the start of a text.',
    "trim_start('/', uri)",
    cutsetNote,
  ),
  trim_start_regex: says(
    'Removes what a regular expression matches at the start of a text.',
    "trim_start_regex('v[0-9]+/', uri)",
  ),
  unicode_codepoints_from_string: says(
    'Gives the Unicode code points of a text as an array of numbers.',
    "unicode_codepoints_from_string('APL')",
  ),
  unicode_codepoints_to_string: says(
    'Makes a text of an array of Unicode code points.',
    'unicode_codepoints_to_string(dynamic([65, 80, 76]))',
  ),
  url_decode: says(
    'Turns the percent escapes of a URL back into characters.',
    "url_decode('caf%C3%A9')",
  ),
  url_encode: says(
    'Writes a text with the percent escapes that a URL needs.',
    "url_encode('a&b c')",
  ),
} satisfies Record<keyof typeof stringFunctions, Prose>;
