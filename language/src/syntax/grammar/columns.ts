/** Parses operators that make or choose columns: extend, the project operators, distinct. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type {
  ColumnPattern,
  DistinctOperator,
  ExtendOperator,
  ProjectByPatternOperator,
  ProjectOperator,
  ProjectRenameOperator,
} from '../tree.ts';
import { assignments } from './assignments.ts';
import { operatorHere } from './expressions.ts';
import { operatorNameHere } from './keywords.ts';
import { list } from './lists.ts';
import { optPattern } from './names.ts';

export function extendOperator(c: Cursor, keyword: Span, valid: boolean): ExtendOperator {
  const items = assignments(c);
  return { kind: 'ExtendOperator', keyword, valid, items, start: keyword.start, end: c.lastEnd };
}

export function projectOperator(c: Cursor, keyword: Span): ProjectOperator {
  const items = assignments(c);
  return { kind: 'ProjectOperator', keyword, items, start: keyword.start, end: c.lastEnd };
}

export function projectRenameOperator(c: Cursor, keyword: Span): ProjectRenameOperator {
  const items = assignments(c);
  return { kind: 'ProjectRenameOperator', keyword, items, start: keyword.start, end: c.lastEnd };
}

export function distinctOperator(c: Cursor, keyword: Span): DistinctOperator {
  const items = assignments(c);
  return { kind: 'DistinctOperator', keyword, items, start: keyword.start, end: c.lastEnd };
}

export function projectByPattern(
  c: Cursor,
  keyword: Span,
  mode: ProjectByPatternOperator['mode'],
): ProjectByPatternOperator {
  const items = list(c, (c) => columnPattern(c, mode === 'reorder')).filter(
    (item) => item !== undefined,
  );
  return {
    kind: 'ProjectByPatternOperator',
    keyword,
    mode,
    items,
    start: keyword.start,
    end: c.lastEnd,
  };
}

const directions = ['asc', 'desc', 'granny-asc', 'granny-desc'] as const;

/** Parses a pattern and, if columns are ordered, its direction. */
function columnPattern(c: Cursor, ordered: boolean): ColumnPattern | undefined {
  const pattern = optPattern(c);
  if (pattern === undefined) {
    c.expected('expected-name');
    return undefined;
  }
  const { name, wildcard, start, end: nameEnd } = pattern;
  if (operatorHere(c) !== undefined) {
    // Mark the text up to the operator: it is a condition, or another pipeline operator is meant.
    c.report('unexpected-text', { start, end: c.token.end }, { found: c.found, after: c.after });
  }
  const written = ordered ? operatorNameHere(c) : '';
  const direction = directions.find((known) => known === written);
  if (direction === undefined) {
    return { kind: 'ColumnPattern', name, nameEnd, wildcard, start, end: nameEnd };
  }
  for (let parts = direction.includes('-') ? 3 : 1; parts > 0; parts--) c.advance();
  return { kind: 'ColumnPattern', name, nameEnd, wildcard, direction, start, end: c.lastEnd };
}
