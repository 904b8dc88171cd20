/** `search`, at the start or as a stage: a condition in which a bare text is looked for in every column. */
import type * as syntax from '../../syntax/tree.ts';
import type { Binder } from '../binder.ts';
import type { BoundExpression, BoundOperator, BoundPipeline } from '../bound.ts';
import { anyColumns, ColumnList, Row } from '../columns.ts';
import { bindExpression } from '../expressions.ts';
import { requireBool } from '../scalarOperators.ts';
import { bindTables, mergeColumns } from './union.ts';

interface Search {
  readonly inputs: readonly BoundPipeline[];
  readonly columns: ColumnList;
  readonly caseSensitive: boolean;
  readonly predicate: BoundExpression;
}

/** Binds a search; `first` is the row it stands in, when it stands after a pipe. */
export function bindSearch(
  node: syntax.SearchOperator,
  first: Row | undefined,
  binder: Binder,
): Search {
  const inputs = bindTables(node.tables, binder);
  const lists = inputs.map((input) => ColumnList.from(input.columns));
  // Without a list of tables every dataset is searched.
  const searched = lists.length === 0 ? anyColumns : mergeColumns(lists, true);
  const row = first ?? new Row(searched);
  const scope = { binder, row, aggregates: 'refused', search: true } as const;
  const predicate = bindExpression(node.predicate, scope);
  requireBool(predicate, scope);
  const caseSensitive = node.searchKind?.name === 'case_sensitive';
  return { inputs, columns: row.columns, caseSensitive, predicate };
}

export function bindSearchStage(
  node: syntax.SearchOperator,
  row: Row,
  binder: Binder,
): BoundOperator {
  bindSearch(node, row, binder);
  const { keyword, start, end } = node;
  return { kind: 'other', name: 'search', node, keyword, start, end };
}
