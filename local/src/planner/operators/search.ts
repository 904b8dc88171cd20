/**
 * `search`: filters rows by a condition. As a source, it reads the given tables, or all datasets if none are given, and
 * merges their columns as a union does.
 */
import type { BoundPipeline, BoundSearch, Span } from '../../../../language/src/index.ts';
import { planConjuncts } from '../scalarOperators.ts';
import { type Planning, scopeOf } from '../scope.ts';
import { filtered, type Table } from '../table.ts';
import { planUnion } from './union.ts';

/** Plans a search. `first` is the input table if the search is a stage. */
export function planSearch(
  search: BoundSearch & Span,
  first: Table | undefined,
  planning: Planning,
): Table {
  const table = first ?? planSearched(search, planning);
  const scope = { ...scopeOf(table, planning), caseSensitive: search.caseSensitive };
  return planConjuncts(search.predicate, scope).reduce(filtered, table);
}

function planSearched(search: BoundSearch & Span, planning: Planning): Table {
  const { start, end } = search;
  const columns = { list: [], open: true };
  const everything = planning.context.datasetNames().map((name): BoundPipeline => {
    const source = { kind: 'dataset' as const, name, columns, start, end };
    return { kind: 'pipeline', source, stages: [], columns, start, end };
  });
  const inputs = search.inputs.length > 0 ? search.inputs : everything;
  return planUnion({ columnsOf: 'any', inputs, start, end }, undefined, planning);
}
