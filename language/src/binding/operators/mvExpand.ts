/** Binds `mv-expand`, which returns a row for each element of an array or property of a bag. */
import type * as syntax from '../../syntax/tree.ts';
import { type Binder, define, type Scope } from '../binder.ts';
import type { BoundExpansion, BoundOperator, Column } from '../bound.ts';
import type { Row } from '../columns.ts';
import { Names } from '../derivedNames.ts';
import { bindExpression } from '../expressions.ts';
import { nameItem, retype } from '../namedItems.ts';
import { checkWord, wordsOf } from '../options.ts';
import { noRow } from '../sources.ts';
import { scalarTypeNamed } from '../typeNames.ts';

export function bindMvExpand(
  node: syntax.MvExpandOperator,
  row: Row,
  binder: Binder,
): BoundOperator {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const names = new Names();
  const columns: Column[] = [];
  if (node.expandKind !== undefined) {
    checkWord('kind', wordsOf('mv-expand', 'kind'), node.expandKind.name, node.expandKind, binder);
  }
  const items = node.items.map(({ assignment, toType }): BoundExpansion => {
    const expression = bindExpression(assignment.expression, scope);
    const before = columns.length;
    const item = nameItem(assignment, expression, names, columns, binder);
    const type = toType === undefined ? undefined : scalarTypeNamed(toType, binder);
    retype(columns, before, type ?? 'dynamic');
    return type === undefined ? { item } : { item, toType: type };
  });
  row.change(columns);
  const { itemIndex } = node;
  if (itemIndex !== undefined) {
    const { name } = itemIndex;
    const column: Column = { name, type: 'long', definition: itemIndex };
    define(binder, itemIndex, name, { kind: 'column', column });
    row.extend([column]);
  }
  const limit = node.limit === undefined ? undefined : bindExpression(node.limit, noRow(binder));
  const { keyword, start, end } = node;
  return {
    kind: 'mv-expand',
    bags: node.expandKind?.name === 'bag' ? 'bag' : 'array',
    ...(itemIndex === undefined ? {} : { itemIndex: itemIndex.name }),
    items,
    ...(limit === undefined ? {} : { limit }),
    keyword,
    start,
    end,
  };
}
