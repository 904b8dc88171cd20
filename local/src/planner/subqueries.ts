/**
 * Expressions with a sub-query of their own, such as `x in (table)`. DuckDB takes none inside TRY or a lambda,
 * and most functions are written with one of them, so an expression that others work on is a column, computed
 * before the stage.
 */
import type { BoundExpression, BoundOperator } from '../../../language/src/index.ts';
import type { Item } from './relation.ts';
import type { Planning, Scope, Subquery } from './scope.ts';
import * as print from './sql.ts';
import { addColumn, extended, Ids, type Table } from './table.ts';
import { type Value, value } from './values.ts';

/** The value of an expression whose SQL has a sub-query: the column that holds it, where there is one. */
export function subquery(
  node: BoundExpression,
  { planning, table }: Scope,
  plan: () => Value,
): Value {
  const column = planning.held?.get(node);
  if (column !== undefined) return column;
  const planned = plan();
  planning.subqueries.push({ node, value: planned, table });
  return planned;
}

/** Plans a stage, or a source, and once more over columns that hold its sub-queries where it needs them. */
export function withSubqueries(
  operator: BoundOperator | undefined,
  table: Table,
  planning: Planning,
  plan: (table: Table, planning: Planning) => Table,
): Table {
  const { subqueries } = planning;
  const before = subqueries.length;
  const planned = plan(table, planning);
  const own = subqueries.splice(before).filter((each) => each.table === table);
  if (own.length === 0 || areConditions(operator, own)) return planned;
  return withSubqueries(operator, ...holding(innermost(own), table, planning), plan);
}

/** Those with none of the others inside: it may stand in a TRY there. */
function innermost(all: readonly Subquery[]): readonly Subquery[] {
  const texts = [...new Set(all.map((each) => each.value.sql))];
  return all.filter(({ value: { sql } }) =>
    texts.every((text) => text === sql || !sql.includes(text)),
  );
}

/** Whether they are nothing but conditions of a filter, where they may stand as they are. */
function areConditions(operator: BoundOperator | undefined, all: readonly Subquery[]): boolean {
  if (operator?.kind !== 'where') return false;
  const nodes = new Set(all.map(({ node }) => node));
  const waiting: BoundExpression[] = [operator.predicate];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')) {
      waiting.push(node.left, node.right);
    } else nodes.delete(node);
  }
  return nodes.size === 0;
}

function holding(
  all: readonly Subquery[],
  table: Table,
  planning: Planning,
): [table: Table, planning: Planning] {
  const ids = new Ids(table.taken);
  const items: Item[] = [];
  const held = new Map(planning.held);
  for (const { node, value: planned } of all) {
    const { id } = addColumn('sub-query', planned, ids, items);
    held.set(node, value(print.column(id), planned.type));
  }
  return [extended(table, items, ids), { ...planning, held }];
}
