/** The operators `extend` and `extend-valid`, which add computed columns. */
import type { Binder, Scope } from '../binding/binder.ts';
import type { Column, NamedExpression } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { derivedName, Names } from '../binding/derivedNames.ts';
import { bindExpression } from '../binding/expressions.ts';
import { makeItem } from '../binding/namedItems.ts';
import { itemLines } from '../format/rules.ts';
import { assignments } from '../syntax/grammar/assignments.ts';
import type { Assignment } from '../syntax/tree.ts';
import type {
  BoundOperatorNode,
  OperatorCore,
  OperatorEditing,
  OperatorNode,
  Own,
} from './operator.ts';

export interface ExtendOperator extends OperatorNode {
  readonly kind: 'ExtendOperator';
  readonly valid: boolean;
  readonly items: readonly Assignment[];
}

export interface BoundExtend extends BoundOperatorNode {
  readonly kind: 'extend';
  readonly valid: boolean;
  readonly items: readonly NamedExpression[];
}

export const core: OperatorCore<ExtendOperator, BoundExtend> = {
  facts: { rows: 'all', order: 'kept', columns: 'added', namesWhatItReads: true, namesItems: true },
  children: ['items'],
  operands: ['items'],
  parse: (c) => ({ kind: 'ExtendOperator', valid: false, items: assignments(c) }),
  bind: bindExtend,
  items: (operator) => operator.items,
};

export const validCore: OperatorCore<ExtendOperator, BoundExtend> = {
  ...core,
  parse: (c) => ({ kind: 'ExtendOperator', valid: true, items: assignments(c) }),
};

function bindExtend(node: ExtendOperator, row: Row, binder: Binder): Own<BoundExtend> {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const names = new Names((name) => row.find(name) !== undefined);
  const columns: Column[] = [];
  const items = node.items.map((item) => {
    const expression = bindExpression(item.expression, scope);
    keepExisting(item, row, names);
    return makeItem(item, expression, names, columns, row, binder);
  });
  row.extend(columns);
  return { kind: 'extend', valid: node.valid, items };
}

/** Reserves an item's derived name if a column has that name, so that `extend bin(x, 1)` adds `x1` and keeps `x`. */
function keepExisting(item: Assignment, row: Row, names: Names): void {
  if (item.name !== undefined || item.expression.kind === 'NameReference') return;
  const derived = derivedName(item.expression);
  if (derived !== undefined && row.find(derived) !== undefined) names.take(derived);
}

export const editing: OperatorEditing = {
  slots: { first: 'items' },
  layout: { ExtendOperator: itemLines },
  prose: {
    syntax: 'extend name = expression, …',
    summary: 'Adds computed columns.',
    example: 'logs | extend seconds = duration_ms / 1000',
    note: 'Replaces a column of the same name and moves it to the end.',
    snippet: 'extend ${1:name} = ${2:expression}',
  },
};

export const validEditing: OperatorEditing = {
  slots: { first: 'items' },
  prose: {
    syntax: 'extend-valid name = expression, …',
    summary: 'Adds computed columns, but keeps the existing value where the new one is not valid.',
    example: 'logs | extend-valid user_id = payload.user_id',
    note: 'Valid values are non-empty strings, arrays and bags, finite numbers other than 0, and true.',
    snippet: 'extend-valid ${1:name} = ${2:expression}',
  },
};
