/** The operator `project`, which returns only the listed columns. */
import type { NamedExpression } from '../binding/bound.ts';
import { bindItems } from '../binding/namedItems.ts';
import { itemLines } from '../format/rules.ts';
import { assignments } from '../syntax/grammar/assignments.ts';
import type { Assignment } from '../syntax/tree.ts';
import type { BoundOperatorNode, OperatorCore, OperatorEditing, OperatorNode } from './operator.ts';

export interface ProjectOperator extends OperatorNode {
  readonly kind: 'ProjectOperator';
  readonly items: readonly Assignment[];
}

export interface BoundProject extends BoundOperatorNode {
  readonly kind: 'project';
  readonly items: readonly NamedExpression[];
}

export const core: OperatorCore<ProjectOperator, BoundProject> = {
  facts: {
    rows: 'all',
    order: 'kept',
    columns: 'listed',
    namesWhatItReads: true,
    namesItems: true,
  },
  children: ['items'],
  operands: ['items'],
  parse: (c) => ({ kind: 'ProjectOperator', items: assignments(c) }),
  bind: ({ items }, row, binder) => ({
    kind: 'project',
    items: bindItems(items, row, binder, 'project'),
  }),
  items: (operator) => operator.items,
};

export const editing: OperatorEditing = {
  slots: { first: 'items' },
  layout: { ProjectOperator: itemLines },
  prose: {
    syntax: 'project field, name = expression, …',
    summary: 'Returns only the listed columns, in this order.',
    example: 'logs | project _time, status, seconds = duration_ms / 1000',
    snippet: 'project ${1:field}',
  },
};
