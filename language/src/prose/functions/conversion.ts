/** What is said of functions that turn values into other types, and functions that tell what a value is. */
import type { conversionFunctions, typeFunctions } from '../../catalog/functions/conversion.ts';
import { type Prose, says } from '../says.ts';

const nanosecondNote = 'Durations and times count in nanoseconds, not in ticks of 100.';

export const conversionProse = {
  dynamic_to_json: says(
    'Writes a value as JSON with its keys in order.',
    'dynamic_to_json(attributes)',
  ),
  ensure_field: says(
    'Gives a field when the dataset has it, and a null of the given type otherwise.',
    "ensure_field('user_agent', typeof(string))",
  ),
  isbool: says('Tells whether a value is true or false.', 'isbool(is_tls)'),
  toarray: says(
    'Turns a value into an array; an empty one when that fails.',
    "toarray('[1, 2, 3]')",
  ),
  tobool: says('Turns a value into true or false.', "tobool('true')"),
  todatetime: says(
    'Turns a value into a time; null when that fails.',
    "todatetime('2025-01-15T10:00:00Z')",
    'Many ways of writing a time are read; a number counts nanoseconds since 1970.',
  ),
  todouble: says(
    'Turns a value into a real number; null when that fails.',
    "todouble('12.5')",
    nanosecondNote,
  ),
  todynamic: says(
    'Reads JSON text as a value; null when it is not JSON.',
    'todynamic(\'{"a": 1}\').a',
    'parse_json gives back the text where this gives null.',
  ),
  tohex: says('Writes a whole number in base 16, with at least so many digits.', 'tohex(255, 4)'),
  toint: says(
    'Turns a value into a whole number; null when that fails.',
    'toint(status)',
    `The number has 64 bits. ${nanosecondNote}`,
  ),
  tolong: says(
    'Turns a value into a whole number; null when that fails.',
    'tolong(status)',
    nanosecondNote,
  ),
  toreal: says(
    'Turns a value into a real number; null when that fails.',
    "toreal('12.5')",
    nanosecondNote,
  ),
  tostring: says(
    'Writes a value as text; null becomes empty text.',
    'tostring(status)',
    'Durations are written like 1m20s.',
  ),
  totimespan: says(
    'Turns a value into a duration; null when that fails.',
    "totimespan('2h45m')",
    'Text is written like 2h45m, without days; a number counts nanoseconds.',
  ),
} satisfies Record<keyof typeof conversionFunctions, Prose>;

export const typeProse = {
  iscc: says('Tells whether a text is a valid credit card number.', "iscc('4111111111111111')"),
  isimei: says(
    'Tells whether a text is a valid IMEI of a mobile device.',
    "isimei('490154203237518')",
  ),
  ismap: says('Tells whether a value is a bag.', 'ismap(attributes)'),
  isreal: says('Tells whether a value is a real number.', 'isreal(duration_ms)'),
  isstring: says('Tells whether a value is text.', 'isstring(status)'),
  isutf8: says('Tells whether a text is valid UTF-8.', 'isutf8(payload)'),
} satisfies Record<keyof typeof typeFunctions, Prose>;
