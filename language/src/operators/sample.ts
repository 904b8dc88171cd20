/** The operator `sample`, which returns a random share of the rows. */
import { type Binder, report } from '../binding/binder.ts';
import type { BoundExpression } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { bindExpression } from '../binding/expressions.ts';
import { requireNumber } from '../binding/scalarOperators.ts';
import { noRow } from '../binding/sources.ts';
import { shares } from '../context/constants.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import type { Expression } from '../syntax/tree.ts';
import type {
  BoundOperatorNode,
  OperatorCore,
  OperatorEditing,
  OperatorNode,
  Own,
} from './operator.ts';

export interface SampleOperator extends OperatorNode {
  readonly kind: 'SampleOperator';
  readonly ratio: Expression;
}

export interface BoundSample extends BoundOperatorNode {
  readonly kind: 'sample';
  readonly ratio: BoundExpression;
}

export const core: OperatorCore<SampleOperator, BoundSample> = {
  facts: {
    rows: 'sampled',
    order: 'kept',
    columns: 'kept',
    namesWhatItReads: true,
    fixedOperands: true,
  },
  children: ['ratio'],
  operands: ['ratio'],
  parse: (c) => ({ kind: 'SampleOperator', ratio: expression(c) }),
  bind: bindSample,
};

function bindSample(node: SampleOperator, _row: Row, binder: Binder): Own<BoundSample> {
  const ratio = bindExpression(node.ratio, noRow(binder));
  requireNumber(ratio, 'sample', binder);
  const value = ratio.kind === 'literal' ? ratio.value : undefined;
  const isRowCount = (typeof value === 'number' || typeof value === 'bigint') && value >= 1;
  if (isRowCount) report(binder, 'sample-ratio', ratio, { value: String(value) });
  return { kind: 'sample', ratio };
}

export const editing: OperatorEditing = {
  slots: { first: 'amount', likely: { '': shares } },
  prose: {
    syntax: 'sample ratio',
    summary: 'Returns a random sample of the rows, with a ratio between 0 and 1.',
    example: 'logs | sample 0.05',
    note: 'Unlike in Kusto, the argument is a ratio, not a number of rows.',
    snippet: 'sample ${1:0.1}',
  },
};
