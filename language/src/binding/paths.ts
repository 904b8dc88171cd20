/**
 * Binds property and index access: `a.b`, `a['b']`, `a[0]`, `a[1:3]`. Nested fields are columns with dotted names, so a
 * common mistake is `geo.city`, which reads a property of a missing column `geo`. The report suggests the quoted name.
 */
import { differsInFormOnly } from '../catalog/closest.ts';
import type { ScalarType } from '../catalog/types.ts';
import { defined } from '../defined.ts';
import { quoteName } from '../names.ts';
import { didYouMean } from '../problems.ts';
import type * as syntax from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import {
  type Binder,
  hintFor,
  referToUnknown,
  report,
  reportUnknownColumn,
  type Scope,
  unbound,
} from './binder.ts';
import type { BoundExpression } from './bound.ts';
import { boundColumn, isOpen, isSlip, openColumn, resolveName } from './columnNames.ts';
import type { Row } from './columns.ts';
import { bindExpression } from './expressions.ts';
import { nestedColumn } from './meantColumns.ts';
import { describeType, isCertain } from './types.ts';

type PathNode = syntax.Member | syntax.Index | syntax.Slice;

/** The maximum number of path parts that form a dotted column name. */
const longestName = 32;

export function bindPath(node: PathNode, scope: Scope): BoundExpression {
  const steps: PathNode[] = [];
  let root: syntax.Expression = node;
  while (root.kind === 'Member' || root.kind === 'Index' || root.kind === 'Slice') {
    steps.push(root);
    root = root.target;
  }
  steps.reverse();
  const side = sideOf(root, scope);
  if (side !== undefined) return bindSide(root, side, steps, scope);
  return bindSteps(bindStart(root, steps, scope), steps, 0, scope);
}

function bindStart(
  root: syntax.Expression,
  steps: readonly PathNode[],
  scope: Scope,
): BoundExpression {
  if (root.kind === 'NameReference') return bindRoot(root, steps, scope);
  return bindParsedRoot(root, steps, scope) ?? bindExpression(root, scope);
}

/**
 * Binds a path such as `parse_json(geo).city` if `geo.city` is a column and `geo` isn't one. Kusto requires the call
 * because it stores nested fields as one dynamic value.
 */
function bindParsedRoot(
  root: syntax.Expression,
  steps: readonly PathNode[],
  scope: Scope,
): BoundExpression | undefined {
  const { row, binder } = scope;
  if (root.kind !== 'Call' || root.name.name === 'tostring') return undefined;
  let inner: syntax.Expression = root;
  while (inner.kind === 'Call' && parsers.has(inner.name.name) && inner.arguments.length === 1)
    inner = inner.arguments[0] as syntax.Expression;
  if (inner.kind !== 'NameReference' || inner.quoted) return undefined;
  const { name } = inner;
  if (row === undefined || row.find(name) !== undefined || binder.values.has(name))
    return undefined;
  const dotted = dottedColumn(inner, steps, row);
  return dotted === undefined ? undefined : reportDotted(root, inner, dotted, scope);
}

/** Functions that a path over a nested field doesn't need. */
const parsers = new Set(['parse_json', 'todynamic', 'tostring']);

function sideOf(root: syntax.Expression, scope: Scope): 'left' | 'right' | undefined {
  if (root.kind !== 'NameReference' || root.quoted || scope.sides === undefined) return undefined;
  if (root.name === '$left') return 'left';
  return root.name === '$right' ? 'right' : undefined;
}

function bindSide(
  root: syntax.Expression,
  side: 'left' | 'right',
  steps: readonly PathNode[],
  scope: Scope,
): BoundExpression {
  const row = (scope.sides as NonNullable<Scope['sides']>)[side];
  const [first] = steps;
  const name = first === undefined ? undefined : stepName(first);
  if (first === undefined || name === undefined) return unbound(root);
  const nameSpan = first.kind === 'Member' ? first.name : first;
  const sided: Scope = { ...scope, row };
  const column = row.find(name);
  let bound: BoundExpression;
  if (column !== undefined) bound = boundColumn(nameSpan, column, sided);
  else if (row.open) bound = openColumn(nameSpan, name, sided);
  else {
    reportUnknownColumn(scope.binder, row, nameSpan, name);
    bound = unbound(nameSpan);
  }
  if (bound.kind === 'column') bound = { ...bound, side, start: root.start, end: first.end };
  return bindSteps(bound, steps, 1, scope);
}

function stepName(step: PathNode): string | undefined {
  if (step.kind === 'Member') return step.name.kind === 'Name' ? step.name.name : undefined;
  if (step.kind === 'Index' && step.index.kind === 'Literal' && step.index.type === 'string') {
    return step.index.value as string;
  }
  return undefined;
}

/**
 * Binds the first name of a path. An unknown name is probably the start of a dotted column name, so existing, removed
 * and misspelled dotted names are considered too.
 */
function bindRoot(
  root: syntax.NameReference,
  steps: readonly PathNode[],
  scope: Scope,
): BoundExpression {
  const known = resolveName(root, scope);
  if (known !== undefined) return known;
  const { row, binder } = scope;
  const dotted = row === undefined || root.quoted ? undefined : dottedColumn(root, steps, row);
  if (dotted !== undefined) return reportDotted(root, root, dotted, scope);
  if (isOpen(scope) && !isSlip(root.name, row, binder)) return openColumn(root, root.name, scope);
  if (!root.quoted && reportDroppedDotted(root, steps, scope)) return openRoot(root);
  if (!root.quoted && reportNearlyDotted(root, steps, scope)) return openRoot(root);
  reportUnknownColumn(binder, row, root, root.name);
  return unbound(root);
}

function reportDotted(
  { start }: Span,
  root: syntax.NameReference,
  { name, end }: DottedName,
  scope: Scope,
): BoundExpression {
  referToUnknown(scope.binder, root, root.name);
  const replacement = quoteName(name);
  const code = isOpen(scope) ? 'likely-dotted-column' : 'dotted-column';
  report(scope.binder, code, { start, end }, { base: root.name, name, replacement }, replacement);
  return openRoot(root);
}

function openRoot(root: syntax.NameReference): BoundExpression {
  return { kind: 'column', name: root.name, type: 'unknown', start: root.start, end: root.end };
}

interface DottedName {
  readonly name: string;
  readonly end: number;
}

function dottedColumn(
  root: syntax.NameReference,
  steps: readonly PathNode[],
  row: Row,
): DottedName | undefined {
  return dottedNames(root, steps).findLast(({ name }) => row.find(name) !== undefined);
}

/** Returns the dotted names at a path's start: `a.b` and `a.b.c` for `a.b.c` and `a['b']['c']`. */
function dottedNames(root: syntax.NameReference, steps: readonly PathNode[]): DottedName[] {
  const found: DottedName[] = [];
  let name = root.name;
  for (const step of steps.slice(0, longestName)) {
    const part = stepName(step);
    if (part === undefined) break;
    name += `.${part}`;
    found.push({ name, end: step.end });
  }
  return found;
}

function reportDroppedDotted(
  root: syntax.NameReference,
  steps: readonly PathNode[],
  { row, binder }: Scope,
): boolean {
  if (row === undefined || row.droppedBy(root.name) !== undefined) return false;
  const gone = dottedNames(root, steps).findLast(({ name }) => row.droppedBy(name) !== undefined);
  const operator = gone && row.droppedBy(gone.name);
  if (gone === undefined || operator === undefined) return false;
  const span = { start: root.start, end: gone.end };
  referToUnknown(binder, span, gone.name);
  report(binder, 'dropped-column', span, { name: gone.name, operator });
  return true;
}

/** Reports a misspelled dotted name, or one without its first parts. Returns false if no column is probably meant. */
function reportNearlyDotted(
  root: syntax.NameReference,
  steps: readonly PathNode[],
  scope: Scope,
): boolean {
  const { row, binder } = scope;
  const names = dottedNames(root, steps);
  const [first] = names;
  if (row === undefined || first === undefined) return false;
  const near = hintFor(binder, first.name, row.namesNear(first.name));
  const isNear = near?.includes('.') === true;
  if (isNear && differsInFormOnly(first.name, near)) return reportMeant(root, first, near, binder);
  // Limit this search too, because it compares every column.
  const searched = binder.hints > 0 ? names : [];
  for (const dotted of searched.toReversed()) {
    const nested = nestedColumn(row, dotted.name);
    if (nested !== undefined) return reportMeant(root, dotted, nested, binder);
  }
  return isNear && reportMeant(root, first, near, binder);
}

function reportMeant(
  root: syntax.NameReference,
  { name, end }: DottedName,
  meant: string,
  binder: Binder,
): true {
  const suggestion = quoteName(meant);
  referToUnknown(binder, root, root.name);
  const values = { name: quoteName(name), hint: didYouMean(suggestion) };
  report(binder, 'unknown-column', { start: root.start, end }, values, suggestion);
  return true;
}

function bindSteps(
  target: BoundExpression,
  steps: readonly PathNode[],
  from: number,
  scope: Scope,
): BoundExpression {
  let bound = target;
  for (let i = from; i < steps.length; i++) bound = bindStep(bound, steps[i] as PathNode, scope);
  return bound;
}

function bindStep(target: BoundExpression, step: PathNode, scope: Scope): BoundExpression {
  const span = { start: target.start, end: step.end };
  if (isCertain(target.type) && target.kind !== 'error') {
    const actual = describeType(target.type);
    report(scope.binder, 'property-of-scalar', span, { actual });
  }
  // A dynamic value's property is dynamic. Any other property has an unknown type.
  const type: ScalarType = target.type === 'dynamic' ? 'dynamic' : 'unknown';
  if (step.kind === 'Slice') {
    const from = step.from === undefined ? undefined : bindExpression(step.from, scope);
    const to = step.to === undefined ? undefined : bindExpression(step.to, scope);
    return { kind: 'slice', target, ...defined({ from, to }), type, ...span };
  }
  const key = step.kind === 'Index' ? bindExpression(step.index, scope) : propertyKey(step);
  return { kind: 'member', target, key, type, ...span };
}

function propertyKey(step: syntax.Member): BoundExpression {
  const { start, end } = step.name;
  if (step.name.kind === 'Missing') return unbound(step.name);
  return { kind: 'literal', value: step.name.name, type: 'string', start, end };
}
