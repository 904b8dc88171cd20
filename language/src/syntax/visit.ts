/** Traverses nodes of any kind. The compiler checks that the tables of child members include every kind of node. */
import { type OperatorPart, operatorNodes, operatorParts } from '../operators/index.ts';
import { inTextOrder } from '../text.ts';
import type * as tree from './tree.ts';

export type AnyNode =
  | tree.Statement
  | tree.QueryParameter
  | tree.Pipeline
  | tree.Stage
  | tree.Source
  | tree.Operator
  | tree.ColumnDeclaration
  | tree.TypeName
  | OperatorPart
  | tree.SortKey
  | tree.Property
  | tree.Assignment
  | tree.ColumnPattern
  | tree.DatasetPattern
  | tree.Expression
  | tree.Name;

type Kind = AnyNode['kind'];
type OperatorKind = keyof typeof operatorNodes | OperatorPart['kind'];

/** The members that contain nodes, arrays of nodes or dynamic values, in text order. */
const childMembers: {
  readonly [K in Exclude<Kind, OperatorKind>]: readonly (keyof Extract<AnyNode, { kind: K }>)[];
} = {
  LetStatement: ['name', 'value'],
  SetStatement: ['name', 'value'],
  DeclareStatement: ['parameters'],
  QueryParameter: ['name', 'type', 'defaultValue'],
  QueryStatement: ['pipeline'],
  Pipeline: ['source', 'stages'],
  Stage: ['operator'],
  DatasetSource: ['name'],
  ParenthesizedSource: ['pipeline'],
  TableCall: ['argument'],
  ExpressionSource: ['expression'],
  PrintSource: ['items'],
  DatatableSource: ['columns', 'values'],
  ExternaldataSource: ['columns', 'urls', 'properties'],
  ColumnDeclaration: ['name', 'type'],
  TypeName: [],
  SortKey: ['expression'],
  Property: ['name', 'value'],
  // `name` is also in `names`, so `tidy` removes a duplicate.
  Assignment: ['name', 'names', 'expression'],
  ColumnPattern: [],
  DatasetPattern: [],
  Name: [],
  Literal: [],
  DynamicLiteral: ['value'],
  TypeLiteral: ['type'],
  NameReference: [],
  Star: [],
  Unary: ['operand'],
  Binary: ['left', 'right'],
  InExpression: ['left', 'items'],
  Between: ['left', 'low', 'high'],
  Call: ['name', 'arguments'],
  NamedArgument: ['name', 'value'],
  Member: ['target', 'name'],
  Index: ['target', 'index'],
  Slice: ['target', 'from', 'to'],
  Parenthesized: ['expression'],
  Subquery: ['pipeline'],
  Missing: [],
};

function membersOf(kind: Kind): readonly string[] {
  if (kind in operatorNodes) return operatorNodes[kind as keyof typeof operatorNodes].children;
  if (kind in operatorParts) return operatorParts[kind as OperatorPart['kind']];
  return childMembers[kind as Exclude<Kind, OperatorKind>];
}

export function children(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  for (const member of membersOf(node.kind))
    collect((node as unknown as Record<string, unknown>)[member], found);
  for (let i = 1; i < found.length; i++) {
    // Clauses may be out of order, and a name may be found twice.
    if ((found[i] as AnyNode).start < (found[i - 1] as AnyNode).end) return tidy(found);
  }
  return found;
}

function tidy(nodes: AnyNode[]): AnyNode[] {
  return inTextOrder([...new Set(nodes)]);
}

/** Adds a child, an array of children, or the expressions inside a dynamic value. */
function collect(value: unknown, found: AnyNode[]): void {
  if (value === undefined) return;
  if (Array.isArray(value)) for (const item of value) collect(item, found);
  else if (isDynamicValue(value)) {
    if (value.kind === 'scalar') collect(value.expression, found);
    else if (value.kind === 'array') collect(value.items, found);
    else for (const entry of value.entries) collect(entry.value, found);
  } else found.push(value as AnyNode);
}

function isDynamicValue(value: unknown): value is tree.DynamicValue {
  const { kind } = value as { kind: string };
  return kind === 'scalar' || kind === 'array' || kind === 'bag';
}

/**
 * Calls `visit` for each node in text order, parents first. If `visit` returns false, the node's children are skipped.
 */
export function walk(nodes: readonly AnyNode[], visit: (node: AnyNode) => unknown): void {
  for (const node of nodes) {
    if (visit(node) !== false) walk(children(node), visit);
  }
}

/**
 * Returns the nodes at an offset, from the statement inward. A node that ends at the offset counts only if no other
 * node starts there, so a cursor after a word is in the word.
 */
export function pathAt(query: tree.QueryTree, offset: number): AnyNode[] {
  const path: AnyNode[] = [];
  let level: readonly AnyNode[] = query.statements;
  for (;;) {
    const next = childAt(level, offset);
    if (next === undefined) return path;
    path.push(next);
    level = children(next);
  }
}

function childAt(nodes: readonly AnyNode[], offset: number): AnyNode | undefined {
  let touched: AnyNode | undefined;
  for (const node of nodes) {
    if (node.start > offset) break;
    if (offset < node.end) return node;
    if (offset === node.end) touched = node;
  }
  return touched;
}

export function nodeAt(query: tree.QueryTree, offset: number): AnyNode | undefined {
  return pathAt(query, offset).at(-1);
}
