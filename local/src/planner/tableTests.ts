/**
 * Tests against a table, such as `x in (table)`. DuckDB takes no sub-query inside TRY or a lambda, and most
 * functions are written with one of them, so a test that a function or an operator works on is a column of its
 * own, computed before the stage. Tests that read no table of a stage stay where they stand, and are held for the
 * call or the operation that works on them (`heldArguments.ts`, `arithmetic.ts`): those in scalar lets, defaults of
 * parameters and cells of datatables, those over aggregates, and the groups and aggregates of make-series.
 */
import type { BoundExpression, BoundOperator } from '../../../language/src/index.ts';
import type { Item } from './relation.ts';
import type { Planning, TableTest } from './scope.ts';
import * as print from './sql.ts';
import { addColumn, extended, Ids, type Table } from './table.ts';
import { value } from './values.ts';

/** Plans a stage, and once more over columns that hold its tests against tables where it needs them. */
export function withTableTests(
  operator: BoundOperator,
  table: Table,
  planning: Planning,
  plan: (table: Table, planning: Planning) => Table,
): Table {
  const { tableTests } = planning;
  const before = tableTests.length;
  const planned = plan(table, planning);
  const own = tableTests.splice(before).filter((test) => test.table === table);
  return own.length === 0 || areConditions(operator, own)
    ? planned
    : plan(...holding(own, table, planning));
}

/** Whether the tests are nothing but conditions of a filter, where they may stand as they are. */
function areConditions(operator: BoundOperator, tests: readonly TableTest[]): boolean {
  if (operator.kind !== 'where') return false;
  const nodes = new Set(tests.map(({ node }) => node));
  const waiting: BoundExpression[] = [operator.predicate];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')) {
      waiting.push(node.left, node.right);
    } else nodes.delete(node);
  }
  return nodes.size === 0;
}

function holding(
  tests: readonly TableTest[],
  table: Table,
  planning: Planning,
): [table: Table, planning: Planning] {
  const ids = new Ids(table.taken);
  const items: Item[] = [];
  const held = new Map(planning.held);
  for (const { node, sql } of tests) {
    // An argument that is planned twice has its tests twice.
    if (held.has(node)) continue;
    const { id } = addColumn('test against a table', value(sql, 'bool'), ids, items);
    held.set(node, print.column(id));
  }
  return [extended(table, items, ids), { ...planning, held }];
}
