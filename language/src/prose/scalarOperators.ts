/** Documentation of scalar operators. String operators have variants for case sensitivity and negation. */
import type { ScalarOperatorName } from '../catalog/scalarOperators.ts';
import { type Prose, says } from './says.ts';

type Family<Name extends string> = Name | `!${Name}` | `${Name}_cs` | `!${Name}_cs`;

/** Documents the four variants of a string operator: plain or negated, case-sensitive or not. */
function family<Name extends string>(
  name: Name,
  verb: string,
  negated: string,
  term: string,
): Record<Family<Name>, Prose> {
  const rows: Record<string, Prose> = {};
  for (const [spelling, does, sensitive] of [
    [name, verb, false],
    [`!${name}`, negated, false],
    [`${name}_cs`, verb, true],
    [`!${name}_cs`, negated, true],
  ] as const) {
    rows[spelling] = says(
      `The string ${does}, case-${sensitive ? 'sensitive' : 'insensitive'}.`,
      term.replace('?', spelling),
    );
  }
  return rows as Record<Family<Name>, Prose>;
}

export const scalarOperatorProse: Readonly<Record<ScalarOperatorName, Prose>> = {
  '+': says('Adds numbers, durations, or a duration and a datetime.', '_time + 1h'),
  '-': says('Subtracts numbers, durations or datetimes.', 'now() - _time'),
  '*': says('Multiplies numbers, or a duration and a number.', 'duration_ms * 1000'),
  '/': says('Divides numbers or durations.', 'duration_ms / 1000.0'),
  '%': says('Returns the remainder of a division.', 'id % 10'),
  '<': says('Less than.', 'duration_ms < 100'),
  '>': says('Greater than.', '_time > ago(1h)'),
  '<=': says('Less than or equal.', 'status <= 399'),
  '>=': says('Greater than or equal.', 'status >= 500'),
  '==': says('Equal, case-sensitive.', "method == 'GET'"),
  '!=': says('Not equal, case-sensitive.', "method != 'GET'"),
  '<>': says('Not equal, case-sensitive.', "method <> 'GET'"),
  '=~': says('Equal, case-insensitive.', "method =~ 'get'"),
  '!~': says('Not equal, case-insensitive.', "method !~ 'get'"),
  and: says('True if both conditions are true.', "status >= 500 and method == 'GET'"),
  or: says('True if at least one condition is true.', 'status == 502 or status == 504'),
  not: says(
    'True if the condition is false. Requires parentheses: not(…).',
    "not(uri has 'health')",
  ),
  ...family(
    'contains',
    'contains another string',
    'does not contain another string',
    "uri ? 'api'",
  ),
  ...family(
    'startswith',
    'starts with another string',
    'does not start with another string',
    "uri ? '/api'",
  ),
  ...family(
    'endswith',
    'ends with another string',
    'does not end with another string',
    "uri ? '.js'",
  ),
  ...family('has', 'contains a word', 'does not contain a word', "uri ? 'login'"),
  ...family(
    'hasprefix',
    'contains a word with a prefix',
    'does not contain a word with a prefix',
    "uri ? 'log'",
  ),
  ...family(
    'hassuffix',
    'contains a word with a suffix',
    'does not contain a word with a suffix',
    "uri ? 'gin'",
  ),
  has_any: says(
    'The string contains any of several words, case-insensitive.',
    "uri has_any ('login', 'logout')",
  ),
  has_any_cs: says(
    'The string contains any of several words, case-sensitive.',
    "uri has_any_cs ('login', 'logout')",
  ),
  'matches regex': says(
    'The string contains a match of an RE2 regular expression.',
    "uri matches regex '^/v[0-9]+/'",
  ),
  '!matches regex': says(
    'The string does not contain a match of an RE2 regular expression.',
    "uri !matches regex '^/v[0-9]+/'",
  ),
  in: says(
    'The value is in a list, an array or the first column of a subquery, case-sensitive.',
    "method in ('GET', 'HEAD')",
  ),
  '!in': says('The value is not in a list, case-sensitive.', "method !in ('GET', 'HEAD')"),
  'in~': says('The value is in a list, case-insensitive.', "method in~ ('get', 'head')"),
  '!in~': says('The value is not in a list, case-insensitive.', "method !in~ ('get', 'head')"),
  between: says('The value is between two bounds, both inclusive.', 'status between (500 .. 599)'),
  '* has': says('Any field contains a word, case-insensitive.', "* has 'timeout'"),
  '.': says('Accesses a property of a bag.', 'payload.user'),
  '[]': says('Accesses a property of a bag or an element of an array.', "payload['user'][0]"),
};
