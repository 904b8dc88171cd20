/** The scalar operators. Those over text come in families that differ in case and in negation. */
import type { ScalarOperatorRow } from './types.ts';

type Draft = Omit<ScalarOperatorRow, 'name' | 'category' | 'summary' | 'example'>;

function op<Name extends string>(
  name: Name,
  category: ScalarOperatorRow['category'],
  summary: string,
  example: string,
  rest: Draft = {},
): ScalarOperatorRow & { readonly name: Name } {
  return { name, category, summary, example, ...rest };
}

/** The four spellings of an operator over text: plain, negated, and both minding case. */
function family<Name extends string>(name: Name, verb: string, negated: string, term: string) {
  const row = <Spelling extends string>(
    spelling: Spelling,
    does: string,
    caseSensitive: boolean,
    rest: Draft,
  ): ScalarOperatorRow & { readonly name: Spelling } => ({
    name: spelling,
    category: 'string',
    summary: `The text ${does}; upper and lower case ${caseSensitive ? 'differ' : 'are the same'}.`,
    example: term.replace('?', spelling),
    caseSensitive,
    ...rest,
  });
  const sensitive = `${name}_cs` as const;
  const no = `!${name}` as const;
  const noSensitive = `!${name}_cs` as const;
  return [
    row(name, verb, false, { negation: no, caseSensitiveVariant: sensitive }),
    row(no, negated, false, { negation: name, caseSensitiveVariant: noSensitive }),
    row(sensitive, verb, true, { negation: noSensitive }),
    row(noSensitive, negated, true, { negation: sensitive }),
  ] as const;
}

const rows = [
  op('+', 'arithmetic', 'Adds numbers, durations, or a duration to a time.', '_time + 1h'),
  op('-', 'arithmetic', 'Subtracts numbers, durations or times.', 'now() - _time'),
  op('*', 'arithmetic', 'Multiplies numbers, or a duration by a number.', 'duration_ms * 1000'),
  op('/', 'arithmetic', 'Divides numbers or durations.', 'duration_ms / 1000.0'),
  op('%', 'arithmetic', 'Gives the remainder of a division.', 'id % 10'),
  op('<', 'comparison', 'Less than.', 'duration_ms < 100'),
  op('>', 'comparison', 'Greater than.', '_time > ago(1h)'),
  op('<=', 'comparison', 'Less than or equal.', 'status <= 399'),
  op('>=', 'comparison', 'Greater than or equal.', 'status >= 500'),
  op('==', 'equality', 'Equal; upper and lower case differ.', "method == 'GET'", {
    caseSensitive: true,
    negation: '!=',
  }),
  op('!=', 'equality', 'Not equal; upper and lower case differ.', "method != 'GET'", {
    caseSensitive: true,
    negation: '==',
  }),
  op('<>', 'equality', 'Not equal; upper and lower case differ.', "method <> 'GET'", {
    caseSensitive: true,
    negation: '==',
    synonymOf: '!=',
  }),
  op('=~', 'string', 'Equal; upper and lower case are the same.', "method =~ 'get'", {
    caseSensitive: false,
    negation: '!~',
    caseSensitiveVariant: '==',
  }),
  op('!~', 'string', 'Not equal; upper and lower case are the same.', "method !~ 'get'", {
    caseSensitive: false,
    negation: '=~',
    caseSensitiveVariant: '!=',
  }),
  op('and', 'logical', 'Both conditions hold.', "status >= 500 and method == 'GET'"),
  op('or', 'logical', 'At least one condition holds.', 'status == 502 or status == 504'),
  op('not', 'logical', 'The condition does not hold; written not(…).', "not(uri has 'health')"),
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
  op(
    'has_any',
    'string',
    'The text holds one of several as a whole word; upper and lower case are the same.',
    "uri has_any ('login', 'logout')",
    { caseSensitive: false, caseSensitiveVariant: 'has_any_cs', right: 'list' },
  ),
  op(
    'has_any_cs',
    'string',
    'The text holds one of several as a whole word; upper and lower case differ.',
    "uri has_any_cs ('login', 'logout')",
    { caseSensitive: true, right: 'list' },
  ),
  op(
    'matches regex',
    'string',
    'The text matches a regular expression of the RE2 kind somewhere.',
    "uri matches regex '^/v[0-9]+/'",
    { caseSensitive: true, negation: '!matches regex' },
  ),
  op(
    '!matches regex',
    'string',
    'The text does not match a regular expression of the RE2 kind.',
    "uri !matches regex '^/v[0-9]+/'",
    { caseSensitive: true, negation: 'matches regex' },
  ),
  op(
    'in',
    'membership',
    'The value is in a list, an array or the first column of a query; upper and lower case differ.',
    "method in ('GET', 'HEAD')",
    { caseSensitive: true, negation: '!in', right: 'list' },
  ),
  op(
    '!in',
    'membership',
    'The value is not in a list; upper and lower case differ.',
    "method !in ('GET', 'HEAD')",
    { caseSensitive: true, negation: 'in', right: 'list' },
  ),
  op(
    'in~',
    'membership',
    'The value is in a list; upper and lower case are the same.',
    "method in~ ('get', 'head')",
    { caseSensitive: false, negation: '!in~', caseSensitiveVariant: 'in', right: 'list' },
  ),
  op(
    '!in~',
    'membership',
    'The value is not in a list; upper and lower case are the same.',
    "method !in~ ('get', 'head')",
    { caseSensitive: false, negation: 'in~', caseSensitiveVariant: '!in', right: 'list' },
  ),
  op(
    'between',
    'range',
    'The value lies between two bounds, both included.',
    'status between (500 .. 599)',
    { right: 'bounds' },
  ),
  op(
    '* has',
    'string',
    'Any field holds a term as a whole word; upper and lower case are the same.',
    "* has 'timeout'",
    { caseSensitive: false },
  ),
  op('.', 'access', 'Takes a property of a bag.', 'payload.user'),
  op('[]', 'access', 'Takes a property of a bag or an element of an array.', "payload['user'][0]"),
] as const;

export type ScalarOperatorName = (typeof rows)[number]['name'];

export const scalarOperators: readonly ScalarOperatorRow[] = rows;
