/**
 * Writes the keys of joins. DuckDB filters one side of a join by the keys of the other, even below a limit, which then
 * keeps other rows (github.com/duckdb/duckdb/issues/22924). It does so only if the key is a column.
 */
import type { Relation } from './relation.ts';
import type { Planning } from './scope.ts';
import { type Sql, sql } from './sql.ts';
import type { Table } from './table.ts';

/** Returns the key of a table's rows as an expression if there is a limit among the table's stages. */
export function joinKey(key: Sql, { relation }: Table, planning: Planning): Sql {
  const isColumn = /^\w+\."(?:[^"]|"")*"$/.test(key.text);
  return isColumn && hasLimit(relation, planning)
    ? sql`CASE WHEN ${key} IS NOT NULL THEN ${key} END`
    : key;
}

function hasLimit(relation: Relation, planning: Planning): boolean {
  switch (relation.kind) {
    case 'table': {
      const names = [...(relation.name.tables?.keys() ?? [])];
      return planning.shared.some(
        (shared) =>
          names.includes(shared.name) &&
          shared.relation !== undefined &&
          hasLimit(shared.relation, planning),
      );
    }
    case 'values':
      return false;
    case 'sort':
      return relation.limit !== undefined || hasLimit(relation.input, planning);
    case 'union':
      return relation.inputs.some((input) => hasLimit(input, planning));
    case 'join':
      return hasLimit(relation.left, planning) || hasLimit(relation.right, planning);
    default:
      return hasLimit(relation.input, planning);
  }
}
