/** The operator `top`, which sorts the rows and returns the first rows. */
import type { BoundExpression, BoundSortKey } from '../binding/bound.ts';
import { bindExpression } from '../binding/expressions.ts';
import { requireNumber } from '../binding/scalarOperators.ts';
import { bindKeys } from '../binding/sortKeys.ts';
import { noRow } from '../binding/sources.ts';
import { rowCounts } from '../context/constants.ts';
import { itemList } from '../format/rules.ts';
import { sortDirections } from '../prose/words.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import { sortKeys } from '../syntax/grammar/sortKeys.ts';
import type { Expression, SortKey } from '../syntax/tree.ts';
import type { BoundOperatorNode, OperatorCore, OperatorEditing, OperatorNode } from './operator.ts';

export interface TopOperator extends OperatorNode {
  readonly kind: 'TopOperator';
  readonly count: Expression;
  readonly keys: readonly SortKey[];
}

export interface BoundTop extends BoundOperatorNode {
  readonly kind: 'top';
  readonly count: BoundExpression;
  readonly keys: readonly BoundSortKey[];
}

export const core: OperatorCore<TopOperator, BoundTop> = {
  facts: { rows: 'limited', order: 'set', columns: 'kept', namesWhatItReads: true },
  children: ['count', 'keys'],
  operands: ['count', 'keys'],
  parse: (c, keyword) => ({
    kind: 'TopOperator',
    count: expression(c),
    keys: sortKeys(c, keyword),
  }),
  bind(node, row, binder) {
    const count = bindExpression(node.count, noRow(binder));
    requireNumber(count, 'top', binder);
    return { kind: 'top', count, keys: bindKeys(node.keys, row, binder) };
  },
};

export const editing: OperatorEditing = {
  slots: {
    first: 'amount',
    clauses: { by: 'expression' },
    likely: { '': rowCounts },
    opensHelp: true,
  },
  layout: {
    TopOperator(sheet, node) {
      itemList(sheet, sheet.at(node.start), node.keys);
    },
  },
  prose: {
    syntax: 'top count by expression desc',
    summary: 'Sorts the rows, in descending order by default, and returns the first ones.',
    example: 'logs | top 10 by duration_ms',
    snippet: 'top ${1:10} by ${2:field}',
    clauses: { by: 'The sort keys. The default order is desc.' },
    modifiers: sortDirections,
  },
};
