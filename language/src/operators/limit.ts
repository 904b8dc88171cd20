/** The operators `limit` and `take`, which return the first rows. */
import type { Binder } from '../binding/binder.ts';
import type { BoundExpression } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { bindExpression } from '../binding/expressions.ts';
import { requireNumber } from '../binding/scalarOperators.ts';
import { noRow } from '../binding/sources.ts';
import { rowCounts } from '../context/constants.ts';
import type { OperatorSlots } from '../context/slots.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import type { Expression } from '../syntax/tree.ts';
import type {
  BoundOperatorNode,
  OperatorCore,
  OperatorEditing,
  OperatorNode,
  Own,
} from './operator.ts';

export interface LimitOperator extends OperatorNode {
  readonly kind: 'LimitOperator';
  readonly word: 'limit' | 'take';
  readonly count: Expression;
}

export interface BoundLimit extends BoundOperatorNode {
  readonly kind: 'limit';
  readonly count: BoundExpression;
}

export const takeCore: OperatorCore<LimitOperator, BoundLimit> = {
  facts: {
    rows: 'limited',
    order: 'kept',
    columns: 'kept',
    namesWhatItReads: true,
    fixedOperands: true,
  },
  children: ['count'],
  operands: ['count'],
  parse: (c) => ({ kind: 'LimitOperator', word: 'take', count: expression(c) }),
  bind: bindLimit,
};

export const core: OperatorCore<LimitOperator, BoundLimit> = {
  ...takeCore,
  row: { aliasOf: 'take' },
  parse: (c) => ({ kind: 'LimitOperator', word: 'limit', count: expression(c) }),
};

function bindLimit(node: LimitOperator, _row: Row, binder: Binder): Own<BoundLimit> {
  const count = bindExpression(node.count, noRow(binder));
  requireNumber(count, node.word, binder);
  return { kind: 'limit', count };
}

const slots: OperatorSlots = { first: 'amount', likely: { '': rowCounts } };

export const takeEditing: OperatorEditing = {
  slots,
  prose: {
    syntax: 'take count',
    summary: 'Returns up to the specified number of rows.',
    example: 'logs | take 10',
    snippet: 'take ${1:10}',
  },
};

export const editing: OperatorEditing = {
  slots,
  prose: {
    syntax: 'limit count',
    summary: 'Returns up to the specified number of rows.',
    example: 'logs | limit 100',
    note: 'After a summarize whose first group is a time bin, limits the number of groups instead of rows.',
    snippet: 'limit ${1:100}',
  },
};
