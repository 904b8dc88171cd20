/** Binds `make-series`: arrays over equal time steps, one per aggregate and group. */
import type * as syntax from '../../syntax/tree.ts';
import { type Binder, type Scope, unbound } from '../binder.ts';
import type { BoundExpression, BoundOperator, BoundSeries, Column } from '../bound.ts';
import { ColumnList, type Row } from '../columns.ts';
import { derivedName, Names } from '../derivedNames.ts';
import { bindExpression } from '../expressions.ts';
import { columnOf, nameItem, ofType, retype } from '../namedItems.ts';
import { checkWord } from '../options.ts';
import { bindGroups } from './summarize.ts';

export function bindMakeSeries(
  node: syntax.MakeSeriesOperator,
  row: Row,
  binder: Binder,
): BoundOperator {
  const scope: Scope = { binder, row, aggregates: 'allowed' };
  const plain: Scope = { ...scope, aggregates: 'refused' };
  const optional = (part: syntax.Expression | undefined): BoundExpression | undefined =>
    part === undefined ? undefined : bindExpression(part, plain);
  if (node.seriesKind !== undefined) {
    checkWord('kind', ['nonempty'], node.seriesKind.name, node.seriesKind, binder);
  }
  const names = new Names();
  const columns: Column[] = [];
  const groups = bindGroups(node.groups, row, names, columns, binder);
  const aggregates: BoundSeries[] = [];
  for (const { assignment, defaultValue } of node.aggregates) {
    const expression = bindExpression(assignment.expression, scope);
    const before = columns.length;
    const item = nameItem(assignment, expression, names, columns, binder);
    retype(columns, before, 'dynamic');
    const value = optional(defaultValue);
    aggregates.push(value === undefined ? { item } : { item, defaultValue: value });
  }
  const on = optional(node.on) ?? unbound({ start: node.end, end: node.end });
  const [from, to, step] = [node.from, node.to, node.step].map(optional);
  const onName = names.free((node.on && derivedName(node.on)) ?? '_time');
  const made = node.on && columnOf(onName, on, node.on);
  columns.push(ofType(made ?? { name: onName, type: 'dynamic' }, 'dynamic'));
  // The documentation's examples use both `time` and `_time` for the array of times.
  row.replace(ColumnList.guessing(columns, new Set([onName])), 'make-series');
  const { keyword, start, end } = node;
  return {
    kind: 'make-series',
    nonEmpty: node.seriesKind?.name === 'nonempty',
    aggregates,
    on,
    onName,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(step === undefined ? {} : { step }),
    inRange: node.inRange === true,
    groups,
    keyword,
    start,
    end,
  };
}
