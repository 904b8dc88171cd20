/** The scalar operators. String operators have variants for case sensitivity and negation. */
import type { ScalarOperatorRow } from './types.ts';

type Draft = Omit<ScalarOperatorRow, 'name' | 'category'>;

function op<Name extends string>(
  name: Name,
  category: ScalarOperatorRow['category'],
  rest: Draft = {},
): ScalarOperatorRow & { readonly name: Name } {
  return { name, category, ...rest };
}

/** Returns the plain, negated and case-sensitive variants of a string operator. */
function family<Name extends string>(name: Name) {
  const row = <Spelling extends string>(
    spelling: Spelling,
    caseSensitive: boolean,
    rest: Draft,
  ): ScalarOperatorRow & { readonly name: Spelling } => ({
    name: spelling,
    category: 'string',
    caseSensitive,
    ...rest,
  });
  const sensitive = `${name}_cs` as const;
  const no = `!${name}` as const;
  const noSensitive = `!${name}_cs` as const;
  return [
    row(name, false, { negation: no, caseSensitiveVariant: sensitive }),
    row(no, false, { negation: name, caseSensitiveVariant: noSensitive }),
    row(sensitive, true, { negation: noSensitive }),
    row(noSensitive, true, { negation: sensitive }),
  ] as const;
}

const rows = [
  op('+', 'arithmetic'),
  op('-', 'arithmetic'),
  op('*', 'arithmetic'),
  op('/', 'arithmetic'),
  op('%', 'arithmetic'),
  op('<', 'comparison'),
  op('>', 'comparison'),
  op('<=', 'comparison'),
  op('>=', 'comparison'),
  op('==', 'equality', { caseSensitive: true, negation: '!=' }),
  op('!=', 'equality', { caseSensitive: true, negation: '==' }),
  op('<>', 'equality', { caseSensitive: true, negation: '==', synonymOf: '!=' }),
  op('=~', 'string', { caseSensitive: false, negation: '!~', caseSensitiveVariant: '==' }),
  op('!~', 'string', { caseSensitive: false, negation: '=~', caseSensitiveVariant: '!=' }),
  op('and', 'logical'),
  op('or', 'logical'),
  op('not', 'logical'),
  ...family('contains'),
  ...family('startswith'),
  ...family('endswith'),
  ...family('has'),
  ...family('hasprefix'),
  ...family('hassuffix'),
  op('has_any', 'string', {
    caseSensitive: false,
    caseSensitiveVariant: 'has_any_cs',
    right: 'list',
  }),
  op('has_any_cs', 'string', { caseSensitive: true, right: 'list' }),
  op('matches regex', 'string', { caseSensitive: true, negation: '!matches regex' }),
  op('!matches regex', 'string', { caseSensitive: true, negation: 'matches regex' }),
  op('in', 'membership', { caseSensitive: true, negation: '!in', right: 'list' }),
  op('!in', 'membership', { caseSensitive: true, negation: 'in', right: 'list' }),
  op('in~', 'membership', {
    caseSensitive: false,
    negation: '!in~',
    caseSensitiveVariant: 'in',
    right: 'list',
  }),
  op('!in~', 'membership', {
    caseSensitive: false,
    negation: 'in~',
    caseSensitiveVariant: '!in',
    right: 'list',
  }),
  op('between', 'range', { right: 'bounds' }),
  op('* has', 'string', { caseSensitive: false }),
  op('.', 'access'),
  op('[]', 'access'),
] as const;

export type ScalarOperatorName = (typeof rows)[number]['name'];

export const scalarOperators: readonly ScalarOperatorRow[] = rows;
