/**
 * Extracts a value to a `let`. The value must not depend on a row, and must not be a word or string that belongs to an
 * operator's syntax.
 */
import { aggregateNamed, functionNamed } from '../catalog/index.ts';
import { parameterAt } from '../catalog/signatures.ts';
import { replace } from '../edits.ts';
import { factsOfNode, isOperator } from '../operators/facts.ts';
import type { Expression, LiteralType } from '../syntax/tree.ts';
import type { AnyNode } from '../syntax/visit.ts';
import type { Span } from '../text.ts';
import { itemRenamed, reference } from './itemNames.ts';
import {
  extraction,
  freeName,
  type Place,
  type Refactoring,
  textOf,
  within,
} from './refactoring.ts';

export function extractValue(place: Place): readonly Refactoring[] {
  const found = valueAt(place);
  const [statement] = place.path;
  if (found === undefined || statement === undefined) return [];
  const { node, path } = found;
  const name = freeName(place, baseName(node));
  if (itemRenamed(path, node, reference(name, node)) !== undefined) return [];
  const declaration = `let ${name} = ${textOf(place, node)};`;
  const title = `Extract value to let ${name}`;
  return extraction(place, title, statement.start, declaration, replace(node, name));
}

interface Found {
  readonly node: Expression;
  readonly path: readonly AnyNode[];
}

/** Returns the selected value or, without a selection, the innermost extractable value at the cursor. */
function valueAt(place: Place): Found | undefined {
  const { path, span } = place;
  const index =
    span.start === span.end
      ? path.findLastIndex((_, at) => canMove(place, path, at))
      : path.findIndex(({ start, end, kind }) => {
          return start === span.start && end === span.end && values.has(kind);
        });
  if (index < 0 || !canMove(place, path, index)) return undefined;
  return { node: path[index] as Expression, path: path.slice(0, index) };
}

const values: ReadonlySet<AnyNode['kind']> = new Set([
  'Literal',
  'DynamicLiteral',
  'Unary',
  'Binary',
  'InExpression',
  'Between',
  'Call',
  'Member',
  'Index',
  'Slice',
  'Parenthesized',
] as const);

/** Nodes whose parts aren't ordinary expressions, so replacing a part with a name may be invalid. */
const closed: ReadonlySet<AnyNode['kind']> = new Set([
  'SetStatement',
  'DeclareStatement',
  'DynamicLiteral',
  'TypeLiteral',
  'TableCall',
  'DatatableSource',
  'ExternaldataSource',
  'ExpressionSource',
  'Property',
  'NamedArgument',
] as const);

function isClosed(node: AnyNode): boolean {
  if (isOperator(node)) return factsOfNode(node).fixedOperands === true;
  return closed.has(node.kind) || (node.kind === 'Call' && boundToRow.has(node.name.name));
}

function canMove(place: Place, path: readonly AnyNode[], at: number): boolean {
  const node = path[at] as AnyNode;
  if (!values.has(node.kind)) return false;
  if (path.slice(0, at).some(isClosed)) return false;
  if (node.kind === 'Literal' && node.type === 'null') return false;
  return !isWord(node as Expression, path[at - 1]) && !isWholeLet(path, at) && isFree(place, node);
}

/** Returns whether the node's position accepts only certain values, such as keys, counts or columns. */
function isWord(node: Expression, parent: AnyNode | undefined): boolean {
  switch (parent?.kind) {
    case 'Index':
      return parent.index === node;
    case 'Slice':
      return parent.from === node || parent.to === node;
    case 'TopOperator':
      return parent.count === node;
    case 'MvExpandOperator':
      return parent.limit === node;
    case 'JoinOperator':
    case 'LookupOperator':
      return true;
    case 'Call': {
      const row = functionNamed(parent.name.name) ?? aggregateNamed(parent.name.name);
      const count = parent.arguments.length;
      const index = parent.arguments.indexOf(node);
      return (row?.signatures ?? []).some((signature) => {
        const parameter = parameterAt(signature, index, count);
        return parameter?.values !== undefined || parameter?.type === 'field';
      });
    }
    default:
      return false;
  }
}

function isWholeLet(path: readonly AnyNode[], at: number): boolean {
  let above = at - 1;
  while (path[above]?.kind === 'Parenthesized') above--;
  return path[above]?.kind === 'LetStatement';
}

/** Returns whether code is independent of the current row and stage, so that it can move to a `let`. */
export function isFree({ analysis, text }: Place, span: Span): boolean {
  for (const { meaning } of within(analysis.bound.references, span)) {
    if (meaning.kind === 'let' || meaning.kind === 'parameter') continue;
    if (meaning.kind !== 'function' || boundToRow.has(meaning.name)) return false;
    if (aggregateNamed(meaning.name) !== undefined) return false;
  }
  // `$left` and `$right` aren't recorded as references, so search the tokens for them.
  for (const { start } of within(analysis.tree.tokens, span)) {
    if (text.charAt(start) === '$') return false;
  }
  return true;
}

const boundToRow: ReadonlySet<string> = new Set([
  'bin_auto',
  'column_ifexists',
  'cursor_current',
  'ensure_field',
  'ingestion_time',
  'rand',
]);

const nameOfLiteral: Readonly<Record<LiteralType, string>> = {
  string: 'text',
  long: 'number',
  real: 'number',
  bool: 'flag',
  datetime: 'time',
  timespan: 'duration',
  null: 'value',
};

const nameOfType: Readonly<Record<string, string>> = {
  string: 'text',
  long: 'number',
  real: 'number',
  bool: 'condition',
  datetime: 'time',
  timespan: 'duration',
  dynamic: 'values',
};

function baseName(node: Expression): string {
  switch (node.kind) {
    case 'Literal':
      return nameOfLiteral[node.type];
    case 'DynamicLiteral':
      return 'values';
    case 'InExpression':
    case 'Between':
      return 'condition';
    case 'Parenthesized':
      return baseName(node.expression);
    case 'Call': {
      const returns = functionNamed(node.name.name)?.signatures[0]?.returns;
      return (typeof returns === 'string' ? nameOfType[returns] : undefined) ?? 'value';
    }
    default:
      return 'value';
  }
}
