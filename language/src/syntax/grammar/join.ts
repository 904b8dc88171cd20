/** Parses operators that add the columns of another table by a condition: join and lookup. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type { Expression, JoinOperator, LookupOperator, Missing, Name, Pipeline } from '../tree.ts';
import { expression } from './expressions.ts';
import { needClause } from './keywords.ts';
import { list } from './lists.ts';
import { optWordOption } from './properties.ts';
import { tableOperand } from './sources.ts';

interface JoinBody extends Span {
  readonly joinKind?: Name;
  readonly right: Pipeline | Missing;
  readonly conditions: readonly Expression[];
}

export function joinOperator(c: Cursor, keyword: Span): JoinOperator {
  return { kind: 'JoinOperator', keyword, ...joinBody(c, keyword) };
}

export function lookupOperator(c: Cursor, keyword: Span): LookupOperator {
  return { kind: 'LookupOperator', keyword, ...joinBody(c, keyword) };
}

function joinBody(c: Cursor, keyword: Span): JoinBody {
  const joinKind = optWordOption(c, 'kind');
  const right = joinTable(c);
  let conditions: readonly Expression[] = [];
  if (needClause(c, 'on', keyword)) conditions = list(c, expression);
  return {
    ...(joinKind === undefined ? {} : { joinKind }),
    right,
    conditions,
    start: keyword.start,
    end: c.lastEnd,
  };
}

function joinTable(c: Cursor): Pipeline | Missing {
  if (!c.atEnd && !c.at('on')) return tableOperand(c);
  c.expected('expected-table');
  return c.missing();
}
