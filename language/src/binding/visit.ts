/** Traverses the bound tree. One table, checked by the type checker, lists the child members of every kind of node. */
import { boundOperators } from '../operators/index.ts';
import type {
  BoundExpression,
  BoundOperator,
  BoundPipeline,
  BoundSource,
  NamedExpression,
} from './bound.ts';

/** An expression or a pipeline: the nodes that have children. */
export type BoundNode = BoundExpression | BoundPipeline;

type MembersOf<Node extends { readonly kind: string }> = {
  readonly [Kind in Node['kind']]: readonly (keyof Extract<Node, { kind: Kind }>)[];
};

/** For each kind of operator: the members with expressions or pipelines. */
const operatorMembers: MembersOf<BoundOperator> = {
  where: ['predicate'],
  extend: ['items'],
  project: ['items'],
  select: [],
  summarize: ['aggregates', 'groups'],
  sort: ['keys'],
  top: ['count', 'keys'],
  limit: ['count'],
  count: [],
  distinct: ['items'],
  getschema: [],
  sample: ['ratio'],
  join: ['right', 'conditions'],
  union: ['inputs'],
  search: ['inputs', 'predicate'],
  'make-series': ['aggregates', 'on', 'from', 'to', 'step', 'groups'],
  'mv-expand': boundOperators['mv-expand'].operands,
  parse: ['subject'],
  'parse-kv': ['subject'],
  redact: ['patterns', 'on'],
  unknown: [],
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

/** Adds the expressions and pipelines directly inside an operator to `to`. */
export function addOperands(operator: BoundOperator, to: BoundNode[]): void {
  addMembers(operator, operatorMembers[operator.kind], to);
}

/** Adds the expressions and pipelines directly inside a source to `to`. */
export function addSourceParts(source: BoundSource, to: BoundNode[]): void {
  addMembers(source, sourceMembers[source.kind], to);
}

/** Adds the expressions and pipelines directly inside an expression to `to`. */
export function addSubexpressions(expression: BoundExpression, to: BoundNode[]): void {
  addMembers(expression, expressionMembers[expression.kind], to);
}

function addMembers(node: object, members: readonly string[], to: BoundNode[]): void {
  for (const member of members) addNodes((node as Record<string, unknown>)[member], to);
}

/** Adds a node, or those in an array or in an object without a kind, such as a sort key or a join condition. */
function addNodes(value: unknown, to: BoundNode[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const one of value) addNodes(one, to);
  else if ('kind' in value) to.push(value as BoundNode);
  else for (const name of holders) addNodes((value as Record<string, unknown>)[name], to);
}

/** Members with a node in objects without a kind: items, sort keys, conditions, series, expansions and entries. */
const holders = ['expression', 'item', 'defaultValue', 'left', 'right', 'value'] as const;

/** Returns the items of an operator that define columns by expressions. */
export function itemsOf(operator: BoundOperator): readonly NamedExpression[] {
  switch (operator.kind) {
    case 'extend':
    case 'project':
    case 'distinct':
      return operator.items;
    case 'summarize':
      return [...operator.aggregates, ...operator.groups];
    case 'make-series':
      return [...operator.aggregates.map(({ item }) => item), ...operator.groups];
    case 'mv-expand':
      return boundOperators['mv-expand'].items?.(operator) ?? [];
    default:
      return [];
  }
}

/** Returns every expression inside an expression and the expression itself, without the contents of sub-queries. */
export function* expressionsIn(root: BoundExpression): Generator<BoundExpression> {
  const pending: BoundNode[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'pipeline') continue;
    yield next;
    addSubexpressions(next, pending);
  }
}
