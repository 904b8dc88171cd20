/** Parses the union operator, as a stage and as a source. */
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type { DatasetPattern, Name, Pipeline, Property, UnionOperator } from '../tree.ts';
import { list } from './lists.ts';
import { optPattern } from './names.ts';
import { options } from './properties.ts';
import { startsTable, tableOperand } from './sources.ts';

export function unionOperator(c: Cursor, keyword: Span): UnionOperator {
  const all = options(c);
  const withSource = all.map(sourceColumn).find((found) => found !== undefined);
  const parameters: readonly Property[] = all.filter((one) => sourceColumn(one) === undefined);
  const tables = list(c, unionTable).filter((table) => table !== undefined);
  return {
    kind: 'UnionOperator',
    keyword,
    ...(withSource === undefined ? {} : { withSource }),
    parameters,
    tables,
    start: keyword.start,
    end: c.lastEnd,
  };
}

/** Returns the name in `withsource=name`. */
function sourceColumn(option: Property): Name | undefined {
  const { name, value } = option;
  if (name.name !== 'withsource' || value.kind !== 'NameReference') return undefined;
  return { ...value, kind: 'Name' };
}

function unionTable(c: Cursor): DatasetPattern | Pipeline | undefined {
  if (c.at('(') || startsTable(c)) {
    const found = tableOperand(c);
    return found.kind === 'Missing' ? undefined : found;
  }
  return datasetPattern(c);
}

/** Parses a dataset or a wildcard over datasets. Reports a problem and returns undefined if none starts here. */
export function datasetPattern(c: Cursor): DatasetPattern | undefined {
  const pattern = optPattern(c);
  if (pattern === undefined) {
    c.expected('expected-table');
    return undefined;
  }
  const { name, wildcard, quoted, loose, start, end } = pattern;
  if (loose && !wildcard) c.report('quote-name', pattern, { name });
  return { kind: 'DatasetPattern', name, wildcard, quoted, start, end };
}
