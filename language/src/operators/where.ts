/** The operator `where`, which keeps the rows that match a condition. */
import type { Binder, Scope } from '../binding/binder.ts';
import type { BoundExpression } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { bindExpression } from '../binding/expressions.ts';
import { requireBool } from '../binding/scalarOperators.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import type { Expression } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type { BoundOperatorNode, OperatorCore, OperatorEditing, OperatorNode } from './operator.ts';

export interface WhereOperator extends OperatorNode {
  readonly kind: 'WhereOperator';
  readonly predicate: Expression;
}

export interface BoundWhere extends BoundOperatorNode {
  readonly kind: 'where';
  readonly predicate: BoundExpression;
}

export const whereCore: OperatorCore<WhereOperator, BoundWhere> = {
  facts: { rows: 'filtered', order: 'kept', columns: 'kept', namesWhatItReads: true },
  children: ['predicate'],
  operands: ['predicate'],
  parse: whereOperator,
  bind: bindWhere,
};

function whereOperator(c: Cursor, keyword: Span): WhereOperator {
  const predicate = expression(c);
  return { kind: 'WhereOperator', keyword, predicate, start: keyword.start, end: c.lastEnd };
}

function bindWhere(node: WhereOperator, row: Row, binder: Binder): BoundWhere {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const predicate = bindExpression(node.predicate, scope);
  requireBool(predicate, scope);
  const { keyword, start, end } = node;
  return { kind: 'where', predicate, keyword, start, end };
}

export const whereEditing: OperatorEditing = {
  slots: { first: 'condition' },
  prose: {
    syntax: 'where condition',
    summary: 'Keeps the rows that match a condition.',
    example: "logs | where status >= 500 and method == 'GET'",
    note: 'Conditions are evaluated in the order in which they are written. Put the most selective one first.',
    snippet: 'where ${1:condition}',
  },
};
