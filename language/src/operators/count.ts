/** The operator `count`, which returns the number of rows. */
import { ColumnList } from '../binding/columns.ts';
import {
  type BoundOperatorNode,
  groupingFacts,
  type OperatorCore,
  type OperatorEditing,
  type OperatorNode,
} from './operator.ts';

export interface CountOperator extends OperatorNode {
  readonly kind: 'CountOperator';
}

export interface BoundCount extends BoundOperatorNode {
  readonly kind: 'count';
}

export const core: OperatorCore<CountOperator, BoundCount> = {
  facts: groupingFacts,
  children: [],
  operands: [],
  parse: () => ({ kind: 'CountOperator' }),
  bind({ keyword }, row) {
    const column = { name: 'count', type: 'long' as const, definition: keyword };
    row.replace(ColumnList.of([column], false), 'count');
    return { kind: 'count' };
  },
};

export const editing: OperatorEditing = {
  slots: { first: 'nothing' },
  prose: {
    syntax: 'count',
    summary: 'Counts the rows.',
    example: 'logs | where status >= 500 | count',
    note: 'The column is named count, in lower case.',
    snippet: 'count',
  },
};
