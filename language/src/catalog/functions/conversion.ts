/** Functions that turn values into other types, and functions that tell what a value is. */
import { area, fn, long, optional, scalar, string, typeLiteral } from '../build.ts';

const nanosecondNote = 'Durations and times count in nanoseconds, not in ticks of 100.';

export const conversionFunctions = area('conversion', {
  dynamic_to_json: fn(
    [scalar('value')],
    'string',
    'Writes a value as JSON with its keys in order.',
    'dynamic_to_json(attributes)',
  ),
  ensure_field: fn(
    [string('field', { names: 'column' }), typeLiteral('type')],
    { typeArgument: 'type' },
    'Gives a field when the dataset has it, and a null of the given type otherwise.',
    "ensure_field('user_agent', typeof(string))",
  ),
  isbool: fn(
    [scalar('value')],
    'bool',
    'Tells whether a value is true or false.',
    'isbool(is_tls)',
  ),
  toarray: fn(
    [scalar('value')],
    'dynamic',
    'Turns a value into an array; an empty one when that fails.',
    "toarray('[1, 2, 3]')",
  ),
  tobool: fn([scalar('value')], 'bool', 'Turns a value into true or false.', "tobool('true')"),
  todatetime: fn(
    [scalar('value')],
    'datetime',
    'Turns a value into a time; null when that fails.',
    "todatetime('2025-01-15T10:00:00Z')",
    { note: 'Many ways of writing a time are read; a number counts nanoseconds since 1970.' },
  ),
  todouble: fn(
    [scalar('value')],
    'real',
    'Turns a value into a real number; null when that fails.',
    "todouble('12.5')",
    { note: nanosecondNote },
  ),
  todynamic: fn(
    [scalar('value')],
    'dynamic',
    'Reads JSON text as a value; null when it is not JSON.',
    'todynamic(\'{"a": 1}\').a',
    { note: 'parse_json gives back the text where this gives null.' },
  ),
  tohex: fn(
    [scalar('value'), optional(long('digits'))],
    'string',
    'Writes a whole number in base 16, with at least so many digits.',
    'tohex(255, 4)',
  ),
  toint: fn(
    [scalar('value')],
    'long',
    'Turns a value into a whole number; null when that fails.',
    'toint(status)',
    { note: `The number has 64 bits. ${nanosecondNote}` },
  ),
  tolong: fn(
    [scalar('value')],
    'long',
    'Turns a value into a whole number; null when that fails.',
    'tolong(status)',
    { aliasOf: 'toint', note: nanosecondNote },
  ),
  toreal: fn(
    [scalar('value')],
    'real',
    'Turns a value into a real number; null when that fails.',
    "toreal('12.5')",
    { aliasOf: 'todouble', note: nanosecondNote },
  ),
  tostring: fn(
    [scalar('value')],
    'string',
    'Writes a value as text; null becomes empty text.',
    'tostring(status)',
    { note: 'Durations are written like 1m20s.' },
  ),
  totimespan: fn(
    [scalar('value')],
    'timespan',
    'Turns a value into a duration; null when that fails.',
    "totimespan('2h45m')",
    { note: 'Text is written like 2h45m, without days; a number counts nanoseconds.' },
  ),
});

export const typeFunctions = area('type', {
  iscc: fn(
    [string('text')],
    'bool',
    'Tells whether a text is a valid credit card number.',
    "iscc('4111111111111111')",
  ),
  isimei: fn(
    [string('text')],
    'bool',
    'Tells whether a text is a valid IMEI of a mobile device.',
    "isimei('490154203237518')",
  ),
  ismap: fn([scalar('value')], 'bool', 'Tells whether a value is a bag.', 'ismap(attributes)'),
  isreal: fn(
    [scalar('value')],
    'bool',
    'Tells whether a value is a real number.',
    'isreal(duration_ms)',
  ),
  isstring: fn([scalar('value')], 'bool', 'Tells whether a value is text.', 'isstring(status)'),
  isutf8: fn([string('text')], 'bool', 'Tells whether a text is valid UTF-8.', 'isutf8(payload)'),
});
