/** An operator that the language does not have, or nothing after a pipe. */
import { type Binder, reportUnknownOperator } from '../binding/binder.ts';
import type { Row } from '../binding/columns.ts';
import type { BoundOperatorNode, BoundRules, NodeRules, OperatorNode } from './operator.ts';

/** An unknown operator, or nothing after a pipe. Includes all tokens up to the end of the stage. */
export interface UnknownOperator extends OperatorNode {
  readonly kind: 'UnknownOperator';
  readonly name: string;
}

/** An unsupported operator, which has a problem. The columns after it are open. */
export interface BoundUnknown extends BoundOperatorNode {
  readonly kind: 'unknown';
  readonly name: string;
}

export const unknownCore: NodeRules<UnknownOperator, BoundUnknown> & BoundRules<BoundUnknown> = {
  facts: { rows: 'unknown', order: 'lost', columns: 'unknown', fixedOperands: true },
  children: [],
  operands: [],
  bind: bindUnknown,
};

/**
 * Binds an unknown operator. Keeps its input columns, and marks them as incomplete because the operator may add others.
 */
function bindUnknown(node: UnknownOperator, row: Row, binder: Binder): BoundUnknown {
  const { name, keyword, start, end } = node;
  row.openUp();
  reportUnknownOperator(name, keyword, binder);
  return { kind: 'unknown', name, keyword, start, end };
}
