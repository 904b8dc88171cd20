/** Documentation of conversion functions and type checks. */
import type { conversionFunctions, typeFunctions } from '../../catalog/functions/conversion.ts';
import { type Prose, says } from '../says.ts';

const nanosecondNote =
  'Timespans and datetimes become nanoseconds. In Kusto, they become ticks of 100 nanoseconds.';

export const conversionProse = {
  dynamic_to_json: says(
    'Converts a value to JSON with sorted keys.',
    'dynamic_to_json(attributes)',
  ),
  ensure_field: says(
    'Returns a field if the dataset has it, or a null of the given type.',
    "ensure_field('user_agent', typeof(string))",
  ),
  isbool: says('Checks whether a value is a bool.', 'isbool(is_tls)'),
  toarray: says(
    'Converts a value to an array, or returns an empty array if that fails.',
    "toarray('[1, 2, 3]')",
  ),
  tobool: says('Converts a value to a bool.', "tobool('true')"),
  todatetime: says(
    'Converts a value to a datetime, or returns null if that fails.',
    "todatetime('2025-01-15T10:00:00Z')",
    'Accepts many formats. A number is read as nanoseconds since 1970.',
  ),
  todouble: says(
    'Converts a value to a real number, or returns null if that fails.',
    "todouble('12.5')",
    nanosecondNote,
  ),
  todynamic: says(
    'Parses a JSON string, or returns null if it is not valid JSON.',
    'todynamic(\'{"a": 1}\').a',
    'For invalid JSON, parse_json returns the string instead.',
  ),
  tohex: says(
    'Converts an integer to a hexadecimal string, with an optional minimum length.',
    'tohex(255, 4)',
  ),
  toint: says(
    'Converts a value to an integer, or returns null if that fails.',
    'toint(status)',
    `The number has 64 bits. ${nanosecondNote}`,
  ),
  tolong: says(
    'Converts a value to an integer, or returns null if that fails.',
    'tolong(status)',
    nanosecondNote,
  ),
  toreal: says(
    'Converts a value to a real number, or returns null if that fails.',
    "toreal('12.5')",
    nanosecondNote,
  ),
  tostring: says(
    'Converts a value to a string. Null becomes an empty string.',
    'tostring(status)',
    'Durations have the format 1m20s.',
  ),
  totimespan: says(
    'Converts a value to a timespan, or returns null if that fails.',
    "totimespan('2h45m')",
    'Strings have the format 2h45m and cannot contain days. A number is read as nanoseconds.',
  ),
} satisfies Record<keyof typeof conversionFunctions, Prose>;

export const typeProse = {
  iscc: says('Checks whether a string is a valid credit card number.', "iscc('4111111111111111')"),
  isimei: says(
    'Checks whether a string is a valid IMEI of a mobile device.',
    "isimei('490154203237518')",
  ),
  ismap: says('Checks whether a value is a bag.', 'ismap(attributes)'),
  isreal: says('Checks whether a value is a real number.', 'isreal(duration_ms)'),
  isstring: says('Checks whether a value is a string.', 'isstring(status)'),
  isutf8: says('Checks whether a string is valid UTF-8.', 'isutf8(payload)'),
} satisfies Record<keyof typeof typeFunctions, Prose>;
