/** Parses the search operator, as a stage and as a source. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type { DatasetPattern, SearchOperator } from '../tree.ts';
import { expression } from './expressions.ts';
import { list } from './lists.ts';
import { optWordOption } from './properties.ts';
import { datasetPattern } from './union.ts';

export function searchOperator(c: Cursor, keyword: Span): SearchOperator {
  const searchKind = optWordOption(c, 'kind');
  let tables: readonly DatasetPattern[] = [];
  if (c.at('in') && c.at('(', 1)) {
    c.advance();
    const found = c.bracket((c) => list(c, datasetPattern)) ?? [];
    tables = found.filter((table) => table !== undefined);
  }
  const searching = c.searching;
  c.searching = true;
  const predicate = expression(c);
  c.searching = searching;
  return {
    kind: 'SearchOperator',
    keyword,
    ...(searchKind === undefined ? {} : { searchKind }),
    tables,
    predicate,
    start: keyword.start,
    end: c.lastEnd,
  };
}
