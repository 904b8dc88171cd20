/** `make-series`: arrays over time, one per aggregate and group. */
import type * as syntax from '../../syntax/tree.ts';
import type { Binder, Scope } from '../binder.ts';
import type { BoundOperator, Column } from '../bound.ts';
import { ColumnList, type Row } from '../columns.ts';
import { derivedName, Names } from '../derivedNames.ts';
import { bindExpression } from '../expressions.ts';
import { nameItem, ofType } from '../namedItems.ts';
import { bindGroups } from './summarize.ts';

export function bindMakeSeries(
  node: syntax.MakeSeriesOperator,
  row: Row,
  binder: Binder,
): BoundOperator {
  const scope: Scope = { binder, row, aggregates: 'allowed' };
  const plain: Scope = { ...scope, aggregates: 'refused' };
  const names = new Names();
  const groups = bindGroups(node.groups, row, names, binder);
  const columns: Column[] = groups.flatMap((group) => group.columns);
  for (const aggregate of node.aggregates) {
    const expression = bindExpression(aggregate.assignment.expression, scope);
    const { columns: made } = nameItem(aggregate.assignment, expression, names, binder);
    columns.push(...made.map((column) => ofType(column, 'dynamic')));
    if (aggregate.defaultValue !== undefined) bindExpression(aggregate.defaultValue, plain);
  }
  for (const part of [node.on, node.from, node.to, node.step]) {
    if (part !== undefined) bindExpression(part, plain);
  }
  const time = node.on === undefined ? '_time' : (derivedName(node.on) ?? '_time');
  columns.push({ name: names.free(time), type: 'dynamic' });
  // The documentation calls the array of times `time` in some examples and `_time` in others.
  row.replace(ColumnList.of(columns, true), 'make-series');
  const { keyword, start, end } = node;
  return { kind: 'other', name: 'make-series', node, keyword, start, end };
}
