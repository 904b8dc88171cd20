/** The operator `where`, which keeps the rows that match a condition. */
import type { Scope } from '../binding/binder.ts';
import type { BoundExpression } from '../binding/bound.ts';
import { bindExpression } from '../binding/expressions.ts';
import { requireBool } from '../binding/scalarOperators.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import type { Expression } from '../syntax/tree.ts';
import type { BoundOperatorNode, OperatorCore, OperatorEditing, OperatorNode } from './operator.ts';

export interface WhereOperator extends OperatorNode {
  readonly kind: 'WhereOperator';
  readonly predicate: Expression;
}

export interface BoundWhere extends BoundOperatorNode {
  readonly kind: 'where';
  readonly predicate: BoundExpression;
}

export const core: OperatorCore<WhereOperator, BoundWhere> = {
  facts: { rows: 'filtered', order: 'kept', columns: 'kept', namesWhatItReads: true },
  children: ['predicate'],
  operands: ['predicate'],
  parse: (c) => ({ kind: 'WhereOperator', predicate: expression(c) }),
  bind(node, row, binder) {
    const scope: Scope = { binder, row, aggregates: 'refused' };
    const predicate = bindExpression(node.predicate, scope);
    requireBool(predicate, scope);
    return { kind: 'where', predicate };
  },
};

export const editing: OperatorEditing = {
  slots: { first: 'condition' },
  prose: {
    syntax: 'where condition',
    summary: 'Keeps the rows that match a condition.',
    example: "logs | where status >= 500 and method == 'GET'",
    note: 'Conditions are evaluated in the order in which they are written. Put the most selective one first.',
    snippet: 'where ${1:condition}',
  },
};
