/** Parses operators that choose, order or count rows: where, sort, top, limit, sample, count, getschema. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type {
  CountOperator,
  GetSchemaOperator,
  LimitOperator,
  SampleOperator,
  SortKey,
  SortOperator,
  TopOperator,
  WhereOperator,
} from '../tree.ts';
import { expression } from './expressions.ts';
import { needClause } from './keywords.ts';
import { list } from './lists.ts';

export function whereOperator(c: Cursor, keyword: Span): WhereOperator {
  const predicate = expression(c);
  return { kind: 'WhereOperator', keyword, predicate, start: keyword.start, end: c.lastEnd };
}

export function sortOperator(c: Cursor, keyword: Span): SortOperator {
  const keys = sortKeys(c, keyword);
  return { kind: 'SortOperator', keyword, keys, start: keyword.start, end: c.lastEnd };
}

export function topOperator(c: Cursor, keyword: Span): TopOperator {
  const count = expression(c);
  const keys = sortKeys(c, keyword);
  return { kind: 'TopOperator', keyword, count, keys, start: keyword.start, end: c.lastEnd };
}

export function limitOperator(
  c: Cursor,
  keyword: Span,
  word: LimitOperator['word'],
): LimitOperator {
  const count = expression(c);
  return { kind: 'LimitOperator', keyword, word, count, start: keyword.start, end: c.lastEnd };
}

export function sampleOperator(c: Cursor, keyword: Span): SampleOperator {
  const ratio = expression(c);
  return { kind: 'SampleOperator', keyword, ratio, start: keyword.start, end: c.lastEnd };
}

export function countOperator(c: Cursor, keyword: Span): CountOperator {
  return { kind: 'CountOperator', keyword, start: keyword.start, end: c.lastEnd };
}

export function getSchemaOperator(c: Cursor, keyword: Span): GetSchemaOperator {
  return { kind: 'GetSchemaOperator', keyword, start: keyword.start, end: c.lastEnd };
}

/** Parses sort keys, even without `by`. */
function sortKeys(c: Cursor, keyword: Span): readonly SortKey[] {
  const read = needClause(c, 'by', keyword) || !c.atEnd;
  return read ? list(c, sortKey) : [];
}

function sortKey(c: Cursor): SortKey {
  const key = expression(c);
  const direction = c.eat('asc') ? 'asc' : c.eat('desc') ? 'desc' : undefined;
  let nulls: SortKey['nulls'];
  if (c.eat('nulls')) {
    nulls = c.eat('first') ? 'first' : c.eat('last') ? 'last' : undefined;
    if (nulls === undefined) c.expected('expected-word', { word: 'first' });
  }
  return {
    kind: 'SortKey',
    expression: key,
    ...(direction === undefined ? {} : { direction }),
    ...(nulls === undefined ? {} : { nulls }),
    start: key.start,
    end: c.lastEnd,
  };
}
