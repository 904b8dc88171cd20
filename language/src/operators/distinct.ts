/** The operator `distinct`, which returns the distinct combinations of values. */

import type { Binder } from '../binding/binder.ts';
import type { BoundExpression, NamedExpression } from '../binding/bound.ts';
import type { ColumnList, Row } from '../binding/columns.ts';
import { bindItems } from '../binding/namedItems.ts';
import { itemLines } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { assignments } from '../syntax/grammar/assignments.ts';
import type { Assignment, Star } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import {
  type BoundOperatorNode,
  groupingFacts,
  type OperatorCore,
  type OperatorEditing,
  type OperatorNode,
} from './operator.ts';

export interface DistinctOperator extends OperatorNode {
  readonly kind: 'DistinctOperator';
  /** A lone `*` is one item whose expression is a `Star`. */
  readonly items: readonly Assignment[];
}

export interface BoundDistinct extends BoundOperatorNode {
  readonly kind: 'distinct';
  readonly items: readonly NamedExpression[];
}

export const distinctCore: OperatorCore<DistinctOperator, BoundDistinct> = {
  facts: groupingFacts,
  children: ['items'],
  operands: ['items'],
  parse: distinctOperator,
  bind: bindDistinct,
  items: (operator) => operator.items,
};

function distinctOperator(c: Cursor, keyword: Span): DistinctOperator {
  const items = assignments(c);
  return { kind: 'DistinctOperator', keyword, items, start: keyword.start, end: c.lastEnd };
}

function bindDistinct(node: DistinctOperator, row: Row, binder: Binder): BoundDistinct {
  const { keyword, start, end } = node;
  const [first] = node.items;
  if (node.items.length === 1 && first?.expression.kind === 'Star') {
    return distinctOfAll(node, first.expression, row.columns);
  }
  const items = bindItems(node.items, row, binder, 'distinct');
  return { kind: 'distinct', items, keyword, start, end };
}

/** Binds `distinct *`. Its items, one per column, are created on first access because there may be many. */
function distinctOfAll(node: DistinctOperator, star: Star, columns: ColumnList): BoundDistinct {
  const { keyword, start, end } = node;
  const span = { start: star.start, end: star.end };
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
    keyword,
    start,
    end,
  };
}

export const distinctEditing: OperatorEditing = {
  slots: { first: 'items' },
  layout: {
    DistinctOperator: itemLines,
  },
  prose: {
    syntax: 'distinct field, …',
    summary: 'Returns the distinct combinations of fields.',
    example: 'logs | distinct method, status',
    snippet: 'distinct ${1:field}',
  },
};
