/** Functions that convert values to other types, or check the type or format of a value. */
import { area, fn, long, optional, scalar, string, typeLiteral } from '../catalog/build.ts';
import type { ProseRow } from '../prose/says.ts';

export const conversionFunctions = {
  ...area('conversion', {
    dynamic_to_json: fn([scalar('value')], 'string'),
    ensure_field: fn([string('field', { names: 'column' }), typeLiteral('type')], {
      typeArgument: 'type',
    }),
    isbool: fn([scalar('value')], 'bool'),
    toarray: fn([scalar('value')], 'dynamic'),
    tobool: fn([scalar('value')], 'bool'),
    todatetime: fn([scalar('value')], 'datetime'),
    todouble: fn([scalar('value')], 'real'),
    todynamic: fn([scalar('value')], 'dynamic'),
    tohex: fn([scalar('value'), optional(long('digits'))], 'string'),
    toint: fn([scalar('value')], 'long'),
    tolong: fn([scalar('value')], 'long', { aliasOf: 'toint' }),
    toreal: fn([scalar('value')], 'real', { aliasOf: 'todouble' }),
    tostring: fn([scalar('value')], 'string'),
    totimespan: fn([scalar('value')], 'timespan'),
  }),
  ...area('type', {
    iscc: fn([string('text')], 'bool'),
    isimei: fn([string('text')], 'bool'),
    ismap: fn([scalar('value')], 'bool'),
    isreal: fn([scalar('value')], 'bool'),
    isstring: fn([scalar('value')], 'bool'),
    isutf8: fn([string('text')], 'bool'),
  }),
};

const nanosecondNote =
  'Timespans and datetimes become nanoseconds. In Kusto, they become ticks of 100 nanoseconds.';

export const conversionProse: Readonly<Record<keyof typeof conversionFunctions, ProseRow>> = {
  dynamic_to_json: ['Converts a value to JSON with sorted keys.', 'dynamic_to_json(attributes)'],
  ensure_field: [
    'Returns a field if the dataset has it, or a null of the given type.',
    "ensure_field('user_agent', typeof(string))",
  ],
  isbool: ['Checks whether a value is a bool.', 'isbool(is_tls)'],
  toarray: [
    'Converts a value to an array, or returns an empty array if that fails.',
    "toarray('[1, 2, 3]')",
  ],
  tobool: ['Converts a value to a bool.', "tobool('true')"],
  todatetime: [
    'Converts a value to a datetime, or returns null if that fails.',
    "todatetime('2025-01-15T10:00:00Z')",
    'Accepts many formats. A number is read as nanoseconds since 1970.',
  ],
  todouble: [
    'Converts a value to a real number, or returns null if that fails.',
    "todouble('12.5')",
    nanosecondNote,
  ],
  todynamic: [
    'Parses a JSON string, or returns null if it is not valid JSON.',
    'todynamic(\'{"a": 1}\').a',
    'For invalid JSON, parse_json returns the string instead.',
  ],
  tohex: [
    'Converts an integer to a hexadecimal string, with an optional minimum length.',
    'tohex(255, 4)',
  ],
  toint: [
    'Converts a value to an integer, or returns null if that fails.',
    'toint(status)',
    'The number has 64 bits. Timespans and datetimes become nanoseconds. In Kusto, they become ticks of 100 nanoseconds.',
  ],
  tolong: [
    'Converts a value to an integer, or returns null if that fails.',
    'tolong(status)',
    nanosecondNote,
  ],
  toreal: [
    'Converts a value to a real number, or returns null if that fails.',
    "toreal('12.5')",
    nanosecondNote,
  ],
  tostring: [
    'Converts a value to a string. Null becomes an empty string.',
    'tostring(status)',
    'Durations have the format 1m20s.',
  ],
  totimespan: [
    'Converts a value to a timespan, or returns null if that fails.',
    "totimespan('2h45m')",
    'Strings have the format 2h45m and cannot contain days. A number is read as nanoseconds.',
  ],
  iscc: ['Checks whether a string is a valid credit card number.', "iscc('4111111111111111')"],
  isimei: [
    'Checks whether a string is a valid IMEI of a mobile device.',
    "isimei('490154203237518')",
  ],
  ismap: ['Checks whether a value is a bag.', 'ismap(attributes)'],
  isreal: ['Checks whether a value is a real number.', 'isreal(duration_ms)'],
  isstring: ['Checks whether a value is a string.', 'isstring(status)'],
  isutf8: ['Checks whether a string is valid UTF-8.', 'isutf8(payload)'],
};
