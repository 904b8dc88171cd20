/** The operator `project`, which returns only the listed columns. */

import type { Binder } from '../binding/binder.ts';
import type { NamedExpression } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { bindItems } from '../binding/namedItems.ts';
import { itemLines } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { assignments } from '../syntax/grammar/assignments.ts';
import type { Assignment } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type { BoundOperatorNode, OperatorCore, OperatorEditing, OperatorNode } from './operator.ts';

export interface ProjectOperator extends OperatorNode {
  readonly kind: 'ProjectOperator';
  readonly items: readonly Assignment[];
}

export interface BoundProject extends BoundOperatorNode {
  readonly kind: 'project';
  readonly items: readonly NamedExpression[];
}

export const projectCore: OperatorCore<ProjectOperator, BoundProject> = {
  facts: {
    rows: 'all',
    order: 'kept',
    columns: 'listed',
    namesWhatItReads: true,
    namesItems: true,
  },
  children: ['items'],
  operands: ['items'],
  parse: projectOperator,
  bind: bindProject,
  items: (operator) => operator.items,
};

function projectOperator(c: Cursor, keyword: Span): ProjectOperator {
  const items = assignments(c);
  return { kind: 'ProjectOperator', keyword, items, start: keyword.start, end: c.lastEnd };
}

function bindProject(node: ProjectOperator, row: Row, binder: Binder): BoundProject {
  const items = bindItems(node.items, row, binder, 'project');
  const { keyword, start, end } = node;
  return { kind: 'project', items, keyword, start, end };
}

export const projectEditing: OperatorEditing = {
  slots: { first: 'items' },
  layout: {
    ProjectOperator: itemLines,
  },
  prose: {
    syntax: 'project field, name = expression, …',
    summary: 'Returns only the listed columns, in this order.',
    example: 'logs | project _time, status, seconds = duration_ms / 1000',
    snippet: 'project ${1:field}',
  },
};
