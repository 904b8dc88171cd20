/** An unknown operator, or a pipe with nothing after it. */
import { reportUnknownOperator } from '../binding/binder.ts';
import type { BoundOperatorNode, BoundRules, NodeRules, OperatorNode } from './operator.ts';

/** An unknown operator. Its span ends with the stage. */
export interface UnknownOperator extends OperatorNode {
  readonly kind: 'UnknownOperator';
  readonly name: string;
}

export interface BoundUnknown extends BoundOperatorNode {
  readonly kind: 'unknown';
  readonly name: string;
}

export const core: NodeRules<UnknownOperator, BoundUnknown> & BoundRules<BoundUnknown> = {
  facts: { rows: 'unknown', order: 'lost', columns: 'unknown', fixedOperands: true },
  children: [],
  operands: [],
  /** The unknown operator may add columns, so the column list becomes open. */
  bind({ name, keyword }, row, binder) {
    row.openUp();
    reportUnknownOperator(name, keyword, binder);
    return { kind: 'unknown', name };
  },
};
