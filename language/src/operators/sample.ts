/** The operator `sample`, which returns a random share of the rows. */
import { type Binder, report } from '../binding/binder.ts';
import type { BoundExpression } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { bindExpression } from '../binding/expressions.ts';
import { requireNumber } from '../binding/scalarOperators.ts';
import { noRow } from '../binding/sources.ts';
import { shares } from '../context/constants.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import type { Expression } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type { BoundOperatorNode, OperatorCore, OperatorEditing, OperatorNode } from './operator.ts';

export interface SampleOperator extends OperatorNode {
  readonly kind: 'SampleOperator';
  readonly ratio: Expression;
}

export interface BoundSample extends BoundOperatorNode {
  readonly kind: 'sample';
  readonly ratio: BoundExpression;
}

export const sampleCore: OperatorCore<SampleOperator, BoundSample> = {
  facts: {
    rows: 'sampled',
    order: 'kept',
    columns: 'kept',
    namesWhatItReads: true,
    fixedOperands: true,
  },
  children: ['ratio'],
  operands: ['ratio'],
  parse: sampleOperator,
  bind: bindSample,
};

function sampleOperator(c: Cursor, keyword: Span): SampleOperator {
  const ratio = expression(c);
  return { kind: 'SampleOperator', keyword, ratio, start: keyword.start, end: c.lastEnd };
}

function bindSample(node: SampleOperator, _row: Row, binder: Binder): BoundSample {
  const ratio = bindExpression(node.ratio, noRow(binder));
  requireNumber(ratio, 'sample', binder);
  if (isRowCount(ratio)) {
    const value = String(ratio.value);
    report(binder, 'sample-ratio', ratio, { value });
  }
  const { keyword, start, end } = node;
  return { kind: 'sample', ratio, keyword, start, end };
}

function isRowCount(
  ratio: BoundExpression,
): ratio is BoundExpression & { kind: 'literal'; value: number | bigint } {
  if (ratio.kind !== 'literal') return false;
  return (typeof ratio.value === 'number' || typeof ratio.value === 'bigint') && ratio.value >= 1;
}

export const sampleEditing: OperatorEditing = {
  slots: { first: 'amount', likely: { '': shares } },
  prose: {
    syntax: 'sample ratio',
    summary: 'Returns a random sample of the rows, with a ratio between 0 and 1.',
    example: 'logs | sample 0.05',
    note: 'Unlike in Kusto, the argument is a ratio, not a number of rows.',
    snippet: 'sample ${1:0.1}',
  },
};
