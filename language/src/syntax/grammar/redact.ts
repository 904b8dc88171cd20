/** Parses the redact operator, which hides matches in some or all fields. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type { Expression, RedactOperator } from '../tree.ts';
import { expression } from './expressions.ts';
import { atAnyClause, needClause } from './keywords.ts';
import { list } from './lists.ts';
import { options } from './properties.ts';

const atOn = (c: Cursor): boolean => c.at('on') || atAnyClause(c);

export function redactOperator(c: Cursor, keyword: Span): RedactOperator {
  const properties = options(c);
  c.eat(',');
  const patterns: readonly Expression[] = list(c, expression, { stop: atOn });
  const fields = atOn(c) && needClause(c, 'on', keyword);
  const on: readonly Expression[] = fields ? list(c, expression) : [];
  return {
    kind: 'RedactOperator',
    keyword,
    properties,
    patterns,
    on,
    start: keyword.start,
    end: c.lastEnd,
  };
}
