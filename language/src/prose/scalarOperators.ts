/** What is said of the scalar operators. Those over text come in families that differ in case and in negation. */
import type { ScalarOperatorName } from '../catalog/scalarOperators.ts';
import { type Prose, says } from './says.ts';

type Family<Name extends string> = Name | `!${Name}` | `${Name}_cs` | `!${Name}_cs`;

/** The four spellings of an operator over text: plain, negated, and both minding case. */
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
      `The text ${does}; upper and lower case ${sensitive ? 'differ' : 'are the same'}.`,
      term.replace('?', spelling),
    );
  }
  return rows as Record<Family<Name>, Prose>;
}

export const scalarOperatorProse: Readonly<Record<ScalarOperatorName, Prose>> = {
  '+': says('Adds numbers, durations, or a duration to a time.', '_time + 1h'),
  '-': says('Subtracts numbers, durations or times.', 'now() - _time'),
  '*': says('Multiplies numbers, or a duration by a number.', 'duration_ms * 1000'),
  '/': says('Divides numbers or durations.', 'duration_ms / 1000.0'),
  '%': says('Gives the remainder of a division.', 'id % 10'),
  '<': says('Less than.', 'duration_ms < 100'),
  '>': says('Greater than.', '_time > ago(1h)'),
  '<=': says('Less than or equal.', 'status <= 399'),
  '>=': says('Greater than or equal.', 'status >= 500'),
  '==': says('Equal; upper and lower case differ.', "method == 'GET'"),
  '!=': says('Not equal; upper and lower case differ.', "method != 'GET'"),
  '<>': says('Not equal; upper and lower case differ.', "method <> 'GET'"),
  '=~': says('Equal; upper and lower case are the same.', "method =~ 'get'"),
  '!~': says('Not equal; upper and lower case are the same.', "method !~ 'get'"),
  and: says('Both conditions hold.', "status >= 500 and method == 'GET'"),
  or: says('At least one condition holds.', 'status == 502 or status == 504'),
  not: says('The condition does not hold; written not(…).', "not(uri has 'health')"),
  ...family('contains', 'holds another anywhere', 'does not hold another', "uri ? 'api'"),
  ...family('startswith', 'starts with another', 'does not start with another', "uri ? '/api'"),
  ...family('endswith', 'ends with another', 'does not end with another', "uri ? '.js'"),
  ...family(
    'has',
    'holds another as a whole word',
    'does not hold another as a whole word',
    "uri ? 'login'",
  ),
  ...family(
    'hasprefix',
    'holds a word that starts with another',
    'holds no word that starts with another',
    "uri ? 'log'",
  ),
  ...family(
    'hassuffix',
    'holds a word that ends with another',
    'holds no word that ends with another',
    "uri ? 'gin'",
  ),
  has_any: says(
    'The text holds one of several as a whole word; upper and lower case are the same.',
    "uri has_any ('login', 'logout')",
  ),
  has_any_cs: says(
    'The text holds one of several as a whole word; upper and lower case differ.',
    "uri has_any_cs ('login', 'logout')",
  ),
  'matches regex': says(
    'The text matches a regular expression of the RE2 kind somewhere.',
    "uri matches regex '^/v[0-9]+/'",
  ),
  '!matches regex': says(
    'The text does not match a regular expression of the RE2 kind.',
    "uri !matches regex '^/v[0-9]+/'",
  ),
  in: says(
    'The value is in a list, an array or the first column of a query; upper and lower case differ.',
    "method in ('GET', 'HEAD')",
  ),
  '!in': says(
    'The value is not in a list; upper and lower case differ.',
    "method !in ('GET', 'HEAD')",
  ),
  'in~': says(
    'The value is in a list; upper and lower case are the same.',
    "method in~ ('get', 'head')",
  ),
  '!in~': says(
    'The value is not in a list; upper and lower case are the same.',
    "method !in~ ('get', 'head')",
  ),
  between: says('The value lies between two bounds, both included.', 'status between (500 .. 599)'),
  '* has': says(
    'Any field holds a term as a whole word; upper and lower case are the same.',
    "* has 'timeout'",
  ),
  '.': says('Takes a property of a bag.', 'payload.user'),
  '[]': says('Takes a property of a bag or an element of an array.', "payload['user'][0]"),
};
