/** Traverses the bound tree. The compiler checks that the tables of child members include every kind of node. */
import { type BoundOperatorOfKind, boundOperators } from '../operators/index.ts';
import type {
  BoundExpression,
  BoundOperator,
  BoundPipeline,
  BoundSource,
  NamedExpression,
} from './bound.ts';

export type BoundNode = BoundExpression | BoundPipeline;

type MembersOf<Node extends { readonly kind: string }> = {
  readonly [Kind in Node['kind']]: readonly (keyof Extract<Node, { kind: Kind }>)[];
};

const sourceMembers: MembersOf<BoundSource> = {
  dataset: [],
  let: [],
  subquery: ['pipeline'],
  print: ['items'],
  datatable: ['rows'],
  externaldata: ['urls'],
  union: ['inputs'],
  search: ['inputs', 'predicate'],
  unknown: [],
};

const expressionMembers: MembersOf<BoundExpression> = {
  literal: [],
  dynamic: [],
  array: ['items'],
  bag: ['entries'],
  column: [],
  let: [],
  parameter: [],
  star: [],
  unary: ['operand'],
  binary: ['left', 'right'],
  in: ['left', 'items'],
  between: ['left', 'low', 'high'],
  call: ['arguments'],
  named: ['value'],
  member: ['target', 'key'],
  slice: ['target', 'from', 'to'],
  typeof: [],
  subquery: ['pipeline'],
  term: ['field'],
  error: [],
};

export function addOperands(operator: BoundOperator, to: BoundNode[]): void {
  addMembers(operator, boundOperators[operator.kind].operands, to);
}

export function addSourceParts(source: BoundSource, to: BoundNode[]): void {
  addMembers(source, sourceMembers[source.kind], to);
}

export function addSubexpressions(expression: BoundExpression, to: BoundNode[]): void {
  addMembers(expression, expressionMembers[expression.kind], to);
}

function addMembers(node: object, members: readonly string[], to: BoundNode[]): void {
  for (const member of members) addNodes((node as Record<string, unknown>)[member], to);
}

/** Adds a node, or the nodes in an array or in an object without `kind`, such as a sort key. */
function addNodes(value: unknown, to: BoundNode[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const one of value) addNodes(one, to);
  else if ('kind' in value) to.push(value as BoundNode);
  else for (const name of holders) addNodes((value as Record<string, unknown>)[name], to);
}

/** Members that contain child nodes in objects without `kind`, such as items, sort keys and join conditions. */
const holders = ['expression', 'item', 'defaultValue', 'left', 'right', 'value'] as const;

/** Returns the items that define an operator's columns, such as the assignments of `extend`. */
export function itemsOf<Kind extends BoundOperator['kind']>(
  operator: BoundOperatorOfKind<Kind>,
): readonly NamedExpression[] {
  return boundOperators[operator.kind].items?.(operator) ?? [];
}

/** Yields an expression and all expressions in it, except those in subqueries. */
export function* expressionsIn(root: BoundExpression): Generator<BoundExpression> {
  const pending: BoundNode[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'pipeline') continue;
    yield next;
    addSubexpressions(next, pending);
  }
}
