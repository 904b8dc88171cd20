/**
 * String operators: `contains`, `has`, `startswith`, `matches regex` and their variants. A term is a run of letters and
 * digits. `hasprefix` and `hassuffix` also accept a search string with separators, because the documentation is
 * ambiguous.
 */

import type { Span } from '../../../language/src/index.ts';
import { nullOnError } from './nullOnError.ts';
import { checkPattern, constantPattern, escapePattern } from './patterns.ts';
import { requiredText } from './requiredText.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { as, plainText, scalarOf, type Value } from './values.ts';

type Test = (text: Sql, needle: Sql, right: Value, at: Span) => Sql;

const tests: Readonly<Record<string, Test>> = {
  '=~': (text, needle) => sql`lower(${text}) = lower(${needle})`,
  contains: (text, needle) => sql`contains(lower(${text}), lower(${needle}))`,
  contains_cs: (text, needle) => sql`contains(${text}, ${needle})`,
  startswith: (text, needle) => sql`starts_with(lower(${text}), lower(${needle}))`,
  startswith_cs: (text, needle) => sql`starts_with(${text}, ${needle})`,
  endswith: (text, needle) => sql`ends_with(lower(${text}), lower(${needle}))`,
  endswith_cs: (text, needle) => sql`ends_with(${text}, ${needle})`,
  has: term('has', true, true),
  has_cs: term('has_cs', true, true),
  hasprefix: term('hasprefix', true, false),
  hasprefix_cs: term('hasprefix_cs', true, false),
  hassuffix: term('hassuffix', false, true),
  hassuffix_cs: term('hassuffix_cs', false, true),
  'matches regex': (text, needle, right, at) => {
    if (right.constant === undefined) return nullOnError(sql`regexp_matches(${text}, ${needle})`);
    checkPattern(right, at);
    const matches = sql`regexp_matches(${text}, ${constantPattern(right) ?? needle})`;
    const known = scalarOf(right);
    const required = typeof known === 'string' ? requiredText(known) : undefined;
    // Anything but a column, which has a weight of 1, would be computed twice.
    if (required === undefined || text.weight > 1) return matches;
    return sql`(contains(${text}, ${print.text(required)}) AND ${matches})`;
  },
};

export function isTextOperator(operator: string): boolean {
  return operator === '!~' || Object.hasOwn(tests, operator.replace(/^!/, ''));
}

/** Plans a string test. Ignores a leading `!` of the operator. */
export function textTest(operator: string, left: Value, right: Value, at: Span): Sql {
  const name = operator === '!~' ? '=~' : operator.replace(/^!/, '');
  const test = tests[name] as Test;
  return test(as(left, 'string'), plainText(right), right, at);
}

function term(name: string, head: boolean, tail: boolean): Test {
  const sensitive = name.endsWith('_cs');
  const macro = sensitive ? 'apl.has_cs' : 'apl.has';
  return (text, needle, right) => {
    const known = scalarOf(right);
    if (typeof known !== 'string') return print.call(`apl.${name}_term`, text, needle);
    const pattern = print.text(termPattern(known, sensitive, head, tail));
    return print.call(macro, text, needle, pattern);
  };
}

/** Tests the joined text of several columns for a constant term. One of the columns must contain the needle. */
export function constantTermTest(operator: string, text: Sql, needle: string): Sql {
  const name = operator.replace(/_cs$/, '');
  const isSensitive = name !== operator;
  const pattern = termPattern(needle, isSensitive, name !== 'hassuffix', name !== 'hasprefix');
  // RE2 treats `s` and `ſ` as equal, but `lower`, which finds the columns, does not.
  const exact = isSensitive
    ? pattern
    : pattern.replace(/s/gi, (s) => `(?-i:[${s}${s === 's' ? 'S' : 's'}])`);
  return sql`regexp_matches(${text}, ${print.text(exact)})`;
}

const letter = /[\p{L}\p{N}]/u;

/** Returns a term's pattern. `head` and `tail` require a term boundary at that end of the needle. */
function termPattern(needle: string, sensitive: boolean, head: boolean, tail: boolean): string {
  const characters = Array.from(needle);
  const before = head && letter.test(characters[0] ?? '') ? '(?:^|[^\\pL\\pN])' : '';
  const after = tail && letter.test(characters.at(-1) ?? '') ? '(?:$|[^\\pL\\pN])' : '';
  return `${sensitive ? '' : '(?i)'}${before}${escapePattern(needle)}${after}`;
}
