/** The operator `distinct`, which returns the distinct combinations of values. */
import type { Binder } from '../binding/binder.ts';
import type { BoundExpression, NamedExpression } from '../binding/bound.ts';
import type { ColumnList, Row } from '../binding/columns.ts';
import { bindItems } from '../binding/namedItems.ts';
import { itemLines } from '../format/rules.ts';
import { assignments } from '../syntax/grammar/assignments.ts';
import type { Assignment, Star } from '../syntax/tree.ts';
import {
  type BoundOperatorNode,
  groupingFacts,
  type OperatorCore,
  type OperatorEditing,
  type OperatorNode,
  type Own,
} from './operator.ts';

export interface DistinctOperator extends OperatorNode {
  readonly kind: 'DistinctOperator';
  /** A lone `*` is one item with a `Star` expression. */
  readonly items: readonly Assignment[];
}

export interface BoundDistinct extends BoundOperatorNode {
  readonly kind: 'distinct';
  readonly items: readonly NamedExpression[];
}

export const core: OperatorCore<DistinctOperator, BoundDistinct> = {
  facts: groupingFacts,
  children: ['items'],
  operands: ['items'],
  parse: (c) => ({ kind: 'DistinctOperator', items: assignments(c) }),
  bind: bindDistinct,
  items: (operator) => operator.items,
};

function bindDistinct({ items }: DistinctOperator, row: Row, binder: Binder): Own<BoundDistinct> {
  const [first] = items;
  if (items.length === 1 && first?.expression.kind === 'Star') {
    return distinctOfAll(first.expression, row.columns);
  }
  return { kind: 'distinct', items: bindItems(items, row, binder, 'distinct') };
}

/** Binds `distinct *`. Its items are created on first access, because there may be many. */
function distinctOfAll({ start, end }: Star, columns: ColumnList): Own<BoundDistinct> {
  const span = { start, end };
  let items: readonly NamedExpression[] | undefined;
  return {
    kind: 'distinct',
    get items() {
      items ??= columns.list.map((column) => {
        const { name, type } = column;
        const expression: BoundExpression = { kind: 'column', name, column, type, ...span };
        return { name, named: false, expression, ...span };
      });
      return items;
    },
  };
}

export const editing: OperatorEditing = {
  slots: { first: 'items' },
  layout: { DistinctOperator: itemLines },
  prose: {
    syntax: 'distinct field, …',
    summary: 'Returns the distinct combinations of fields.',
    example: 'logs | distinct method, status',
    snippet: 'distinct ${1:field}',
  },
};
