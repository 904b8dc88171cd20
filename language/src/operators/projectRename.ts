/** The operator `project-rename`, which renames columns and keeps all other columns. */
import { type Binder, define, report } from '../binding/binder.ts';
import type { BoundExpression, Column } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { bindExpression } from '../binding/expressions.ts';
import { columnOf } from '../binding/namedItems.ts';
import { columnNamed, selection } from '../binding/selection.ts';
import { defined } from '../defined.ts';
import { itemLines } from '../format/rules.ts';
import { quoteName } from '../names.ts';
import { assignments } from '../syntax/grammar/assignments.ts';
import type { Assignment, Expression, Name } from '../syntax/tree.ts';
import type { OperatorCore, OperatorEditing, OperatorNode, Own } from './operator.ts';
import type { BoundSelect } from './projectByPattern.ts';

export interface ProjectRenameOperator extends OperatorNode {
  readonly kind: 'ProjectRenameOperator';
  readonly items: readonly Assignment[];
}

export const core: OperatorCore<ProjectRenameOperator, BoundSelect> = {
  facts: { rows: 'all', order: 'kept', columns: 'selected' },
  children: ['items'],
  operands: [],
  parse: (c) => ({ kind: 'ProjectRenameOperator', items: assignments(c) }),
  bind: bindRename,
};

function bindRename(node: ProjectRenameOperator, row: Row, binder: Binder): Own<BoundSelect> {
  const renamed = new Map<string, Column>();
  const origins = new Map<string, string>();
  const taken: Name[] = [];
  for (const written of node.items) {
    const item = comparisonAsRename(written, row, binder);
    const from = item.expression;
    if (item.name === undefined || from.kind !== 'NameReference') {
      bindExpression(from, { binder, row, aggregates: 'refused' });
      if (!isOldName(from)) report(binder, 'rename-item', item);
      continue;
    }
    const column = columnNamed(from, from.name, row, binder);
    const to = item.name.name;
    const expression: BoundExpression = {
      kind: 'column',
      name: from.name,
      ...defined({ column }),
      type: column?.type ?? 'unknown',
      start: from.start,
      end: from.end,
    };
    const made = columnOf(to, expression, item.name);
    define(binder, item.name, to, { kind: 'column', column: made });
    if (row.find(to) !== undefined && to !== from.name) taken.push(item.name);
    // Add the new column even if the old one is missing, so that later stages can use it.
    if (row.find(from.name) === undefined) row.extend([made]);
    else renamed.set(from.name, made);
    origins.set(to, from.name);
  }
  // An item may use the old name of another item's column, so two columns can swap names.
  for (const name of taken) {
    if (renamed.has(name.name)) continue;
    report(binder, 'duplicate-column', name, { name: quoteName(name.name) });
  }
  row.rename(renamed, 'project-rename');
  return selection('project-rename', row.columns, (name) => origins.get(name) ?? name);
}

/** Reports `new == old` if `new` isn't a column, and treats it as `new = old`. */
function comparisonAsRename(item: Assignment, row: Row, binder: Binder): Assignment {
  const { name, expression } = item;
  if (name !== undefined || expression.kind !== 'Binary' || expression.operator !== '==')
    return item;
  const { left, right } = expression;
  if (left.kind !== 'NameReference' || right.kind !== 'NameReference') return item;
  if (row.find(left.name) !== undefined) return item;
  const suggestion = `${quoteName(left.name)} = ${quoteName(right.name)}`;
  report(binder, 'rename-item', item, {}, suggestion);
  return { ...item, name: { ...left, kind: 'Name' }, expression: right };
}

/** Returns whether the node is a property, an index or a missing name, for which other code reports a problem. */
function isOldName(node: Expression): boolean {
  return node.kind === 'Member' || node.kind === 'Index' || node.kind === 'Missing';
}

export const editing: OperatorEditing = {
  slots: { first: 'rename' },
  layout: { ProjectRenameOperator: itemLines },
  prose: {
    syntax: 'project-rename new = old, …',
    summary: 'Renames columns and keeps the others.',
    example: 'logs | project-rename code = status',
    snippet: 'project-rename ${1:new} = ${2:old}',
  },
};
