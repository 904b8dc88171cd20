/** Binds the tables of operators such as union, and merges their columns by name. */
import type { ScalarType } from '../catalog/types.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import { type Binder, referToUnknown, report, reportQuotedPattern } from './binder.ts';
import type { BoundPipeline, Column } from './bound.ts';
import { ColumnList } from './columns.ts';
import { bindPipeline, sourceAlone } from './pipelines.ts';
import { bindTable } from './sources.ts';
import { wildcard } from './wildcards.ts';

/** Binds tables, and expands wildcards to datasets. */
export function bindTables(
  tables: readonly (syntax.DatasetPattern | syntax.Pipeline)[],
  binder: Binder,
): BoundPipeline[] {
  return tables.flatMap((table) => {
    if (table.kind === 'Pipeline') return [bindPipeline(table, binder)];
    if (!table.wildcard && !isQuotedPattern(table, binder))
      return [sourceAlone(bindTable(table, table.name, binder))];
    const inputs = pipelinesMatching(table, binder);
    if (table.wildcard && inputs.length === 0 && binder.datasets.complete) {
      referToUnknown(binder, table, table.name);
      report(binder, 'unknown-dataset', table, {
        name: table.name,
        hint: ' No dataset matches the pattern.',
      });
    }
    return inputs;
  });
}

/** Reports a quoted pattern, because quotes make the stars literal. Returns whether it was reported. */
function isQuotedPattern(table: syntax.DatasetPattern, binder: Binder): boolean {
  const { name } = table;
  const { datasets } = binder;
  if (binder.values.has(name) || datasets.has(name)) return false;
  return reportQuotedPattern(binder, table, name, 'unknown-dataset', datasets.complete);
}

export function pipelinesMatching(
  table: Span & { readonly name: string },
  binder: Binder,
): readonly BoundPipeline[] {
  const known = binder.patterns.get(table.name);
  if (known !== undefined) return known;
  const test = wildcard(table.name);
  const { start, end } = table;
  const inputs = binder.datasets.names.filter(test).map((name) => {
    const columns = binder.datasets.columnsOf(name);
    return sourceAlone({ kind: 'dataset', name, matched: true, columns, start, end });
  });
  binder.patterns.set(table.name, inputs);
  return inputs;
}

/** Merges the columns of all tables by name. If the types of a column differ, its type is unknown. */
export function mergeColumns(lists: readonly ColumnList[], open: boolean): ColumnList {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return open ? only.opened() : only;
  const merged = new Map<string, Column>();
  for (const list of lists) {
    for (const column of list.list) {
      const other = merged.get(column.name);
      merged.set(column.name, other === undefined ? column : mergeColumn(other, column));
    }
  }
  return ColumnList.of([...merged.values()], open || lists.some((list) => list.open));
}

function mergeColumn(left: Column, right: Column): Column {
  if (left === right) return left;
  const { dataset: _, ...shared } = left;
  const merged: Pick<Column, 'merged'> =
    isMade(left) || isMade(right) ? { merged: [left, right] } : {};
  if (left.type === right.type && left.variants === undefined && right.variants === undefined) {
    return { ...shared, ...merged };
  }
  const { name } = left;
  const variants = new Set<ScalarType>([...typesOf(left), ...typesOf(right)]);
  if (variants.has('unknown')) return { name, type: 'unknown', ...merged };
  return { name, type: 'unknown', variants: [...variants], ...merged };
}

function isMade(column: Column): boolean {
  return column.definition !== undefined || column.merged !== undefined;
}

function typesOf(column: Column): readonly ScalarType[] {
  return column.variants ?? [column.type];
}
