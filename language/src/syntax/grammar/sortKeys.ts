/** Parses sort keys, as in sort and top. */
import { defined } from '../../defined.ts';
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type { SortKey } from '../tree.ts';
import { expression } from './expressions.ts';
import { needClause } from './keywords.ts';
import { list } from './lists.ts';

/** Parses `by` and sort keys. Reports a missing `by`, but parses the keys anyway. */
export function sortKeys(c: Cursor, keyword: Span): readonly SortKey[] {
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
  return { kind: 'SortKey', expression: key, ...defined({ direction, nulls }), ...c.since(key) };
}
